/* SPDX-License-Identifier: MIT
 *
 * SGF and GGF have readers of their own, which other parts of the program call, too. A game of any other format is read
 * into a record and printed as SGF.
 */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/words.h"
#include "games/games.h"
#include "protocol/records/ggf.h"
#include "protocol/records/import_private.h"

const char *const import_columns[] = { "auto", "no-i", "with-i", NULL };

/* --- what readers call --- */

const char *import_line_end(const char *line)
{
	return line + strcspn(line, "\r\n");
}

const char *import_line_skip(const char *line)
{
	line = import_line_end(line);
	line += *line == '\r';
	return line + (*line == '\n');
}

bool import_refuse(struct import *i, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(i->why, REASON_MAX, format, args);
	va_end(args);
	return false;
}

void import_begin(struct import *i, const struct game *g)
{
	record_restart(&i->record, g);
	i->ban = NULL;
	*i->game.note = '\0';
	while (i->property_count)
		free((char *)i->properties[--i->property_count].value);
	for (int k = 0; k < i->seconds_room; k++)
		i->seconds[k] = NAN;
}

void import_add(struct import *i, const char *name, const char *format, ...)
{
	va_list args;
	for (int k = 0; k < i->property_count; k++)
		if (strcmp(i->properties[k].name, name) == 0)
			return;
	va_start(args, format);
	i->properties[i->property_count++] = (struct sgf_property) { name,
								     xvasprintf(format, args) };
	va_end(args);
}

bool import_is_full(const struct import *i)
{
	return i->wish.before && i->record.count + 1 >= i->wish.before;
}

bool import_play(struct import *i, const char *move)
{
	struct record *r = &i->record;
	char to[MOVE_TEXT_MAX];
	if (i->ban || r->count >= RECORD_MAX || record_moves_on(r, move, to))
		return false;
	if (move_check_follows(record_follow_text(r, r->now.side, move)) ||
	    (game_must_pass(r->game, &r->now) &&
	     record_play_text(r, r->now.side ^ 1, move) == MOVE_OK))
		return true;
	i->ban = i->refuses_bans ? NULL : words_ban(r->game, &r->now, move);
	if (i->ban)
		import_note(i, "the game is read up to move %d, %s: %s", r->count + 1, move,
			    i->ban);
	return i->ban;
}

void import_note(struct import *i, const char *format, ...)
{
	va_list args;
	char note[REASON_MAX];
	va_start(args, format);
	vsnprintf(note, sizeof note, format, args);
	va_end(args);
	import_add_note(i->game.note, note);
}

void import_seconds(struct import *i, double seconds)
{
	int room = i->record.count > i->seconds_room ? 2 * i->record.count : i->seconds_room;
	i->seconds = xrealloc(i->seconds, (size_t)room * sizeof *i->seconds);
	while (i->seconds_room < room)
		i->seconds[i->seconds_room++] = NAN;
	i->seconds[i->record.count - 1] = seconds;
}

/* --- SGF --- */

static bool import_is_sgf(struct import *i)
{
	return sgf_length(i->text);
}

static bool import_next_sgf(struct import *i)
{
	size_t length = sgf_length(i->at);
	if (!length)
		return false;
	i->sgf = i->wish.columns == COLUMNS_AUTO
			 ? xstrndup(i->at, length)
			 : sgf_with_columns(i->at, length, import_columns[i->wish.columns]);
	i->game.sgf = i->sgf;
	i->at += length;
	return true;
}

static const struct import_format import_sgf = { "SGF", import_is_sgf, NULL, import_next_sgf };

/* --- GGF --- */

static bool import_is_ggf(struct import *i)
{
	return ggf_is(i->text);
}

/* Returns the end of the game that begins at `begin`: behind the first ";)" that is not inside a value, or where the next game
 * begins. GGF has no escapes. */
static const char *import_ggf_end(const char *begin)
{
	bool in_value = false;
	begin = strchr(begin, '(');
	for (const char *at = begin; *at; at++) {
		if (!in_value && strncmp(at, ";)", 2) == 0)
			return at + 2;
		if (at > begin && *at == '(' && ggf_is(at))
			return at;
		in_value = in_value ? *at != ']' : *at == '[';
	}
	return begin + strlen(begin);
}

static bool import_next_ggf(struct import *i)
{
	const char *begin = i->at;
	while (*begin && !ggf_is(begin)) {
		const char *start = strstr(begin + 1, "(;");
		begin = start ? start : begin + strlen(begin);
	}
	if (!*begin)
		return false;
	i->at = import_ggf_end(begin);
	char *one = xstrndup(begin, (size_t)(i->at - begin));
	if (ggf_parse(&i->record, one, i->wish.before ? i->wish.before : INT_MAX, i->why)) {
		struct text sgf = { 0 };
		ggf_convert(&sgf, one, &i->record);
		i->game.sgf = i->sgf = text_take(&sgf);
	}
	free(one);
	return true;
}

static const struct import_format import_ggf = { "GGF", import_is_ggf, NULL, import_next_ggf };

/* --- all formats --- */

/* In the order in which they are tried: lines are what is none of the others. */
static const struct import_format *const formats[] = { &import_wthor, &import_ggf, &import_psq,
						       &import_pgn,   &import_sgf, &import_rec,
						       &import_lines };

static char *import_put(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

/* How the characters of a text are written. */
enum import_width {
	WIDTH_BYTES,
	WIDTH_LITTLE, /* UTF-16, the low byte first */
	WIDTH_BIG,    /* the high byte first */
	WIDTH_FOUR    /* UTF-32 */
};

/* Finds the width by the byte order mark, else by the first two characters, which are of ASCII. */
static enum import_width import_width(const char *bytes, size_t length)
{
	if (length < 4)
		return length >= 2 && memcmp(bytes, "\xff\xfe", 2) == 0   ? WIDTH_LITTLE
		       : length >= 2 && memcmp(bytes, "\xfe\xff", 2) == 0 ? WIDTH_BIG
									  : WIDTH_BYTES;
	if ((!bytes[2] && !bytes[3] && (bytes[0] || bytes[1])) ||
	    (!bytes[0] && !bytes[1] && (bytes[2] || bytes[3])))
		return WIDTH_FOUR;
	if (memcmp(bytes, "\xff\xfe", 2) == 0 || (bytes[0] && !bytes[1] && bytes[2] && !bytes[3]))
		return WIDTH_LITTLE;
	if (memcmp(bytes, "\xfe\xff", 2) == 0 || (!bytes[0] && bytes[1] && !bytes[2] && bytes[3]))
		return WIDTH_BIG;
	return WIDTH_BYTES;
}

/* Copies a text whose NULs become blanks and whose UTF-16 becomes UTF-8. A surrogate becomes U+FFFD: only comments and names
 * have such characters. A byte order mark is left out. */
static void import_copy(struct import *i, enum import_width width)
{
	const unsigned char *bytes = (const unsigned char *)i->text;
	size_t n = i->length, skip = 0;
	const bool is_wide = width != WIDTH_BYTES;
	if (is_wide && bytes[0] + bytes[1] == 0xff + 0xfe)
		skip = 2;
	else if (n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		skip = 3;
	char *to = i->copy = xmalloc(2 * n + 1);
	for (size_t k = skip; k + is_wide < n; k += 1 + is_wide) {
		uint32_t c = bytes[k];
		if (is_wide)
			c = width == WIDTH_LITTLE ? c | (uint32_t)bytes[k + 1] << 8
						  : c << 8 | bytes[k + 1];
		if (c >= 0xd800 && c < 0xe000)
			c = 0xfffd;
		c = c ? c : ' ';
		if (is_wide)
			to = import_put(to, c);
		else
			*to++ = (char)c;
	}
	*to = '\0';
	i->text = i->copy;
	i->length = (size_t)(to - i->copy);
}

struct import *import_open(const char *bytes, size_t length, const struct import_wish *wish,
			   char why[REASON_MAX])
{
	struct import *i = xcalloc(1, sizeof *i);
	*i = (struct import) {
		.wish = *wish, .text = bytes, .length = length, .line = 1, .why = why
	};
	record_init(&i->record, wish->game ? wish->game : games[0]);
	*why = '\0';
	/* WTHOR is the only format with bytes that are no text. */
	if (!import_wthor.is(i)) {
		enum import_width width = import_width(bytes, length);
		if (width == WIDTH_FOUR) {
			import_refuse(i, "the characters are UTF-32; UTF-8 and UTF-16 can be read");
			import_close(i);
			return NULL;
		}
		import_copy(i, width);
	}
	i->at = i->text;
	const struct import_format *const *f = formats;
	while (!(*f)->is(i))
		f++;
	i->format = *f;
	if (i->format->open && !i->format->open(i)) {
		import_close(i);
		return NULL;
	}
	i->why = i->game.why;
	return i;
}

void import_add_note(char notes[REASON_MAX], const char *note)
{
	size_t n = strlen(notes);
	if (*note)
		snprintf(notes + n, REASON_MAX - n, "%s%s", n ? ", " : "", note);
}

const char *import_format(const struct import *i)
{
	return i->format->name;
}

/* Prints the record as SGF. */
static void import_print(struct import *i)
{
	int count = i->record.count;
	struct text sgf = { 0 };
	struct sgf_note *notes = xcalloc((size_t)count + 1, sizeof *notes);
	for (int k = 0; k < count; k++)
		notes[k] = (struct sgf_note) { NAN, k < i->seconds_room ? i->seconds[k] : NAN,
					       NULL };
	sgf_print_with(&sgf, &i->record, i->properties, i->property_count, notes);
	free(notes);
	i->game.sgf = i->sgf = text_take(&sgf);
}

const struct imported *import_next(struct import *i)
{
	free(i->sgf);
	i->sgf = NULL;
	i->game = (struct imported) { .sgf = NULL };
	snprintf(i->game.where, sizeof i->game.where, "game %d", ++i->number);
	if (!i->format->next(i))
		return NULL;
	if (!i->game.sgf && !*i->game.why)
		import_print(i);
	return &i->game;
}

const struct imported *import_find(struct import *i, int number, char why[REASON_MAX])
{
	const struct imported *game;
	do
		game = import_next(i);
	while (game && i->number < number);
	const int count = i->number - 1;
	if (!game)
		snprintf(why, REASON_MAX, "there %s %d game%s, no game %d",
			 count == 1 ? "is" : "are", count, count == 1 ? "" : "s", number);
	return game;
}

void import_close(struct import *i)
{
	import_begin(i, i->record.game);
	record_free(&i->record);
	free(i->seconds);
	free(i->sgf);
	free(i->copy);
	free(i);
}

void import_about_clear(struct import_about *a)
{
	while (a->count)
		free((char *)a->properties[--a->count].value);
}

int import_about_fits(const struct import_about *a, const struct record *r)
{
	/* The result comes last. */
	bool is_same = a->moves == r->count && a->end == r->now.hash;
	return a->count -
	       (!is_same && a->count && strcmp(a->properties[a->count - 1].name, "RE") == 0);
}

/* The properties of the root that are kept, the result last. */
static const char *const kept[] = { "PB", "BR", "BT", "PW", "WR", "WT", "EV", "RO", "DT", "PC",
				    "SO", "US", "AN", "CP", "ON", "TM", "OT", "GC", "RE" };

/* Values of properties, in the order of `kept`; NULL: there is none. */
struct import_values {
	char *values[sizeof kept / sizeof *kept];
};

static void import_take(void *arg, int moves, const char *name, const char *value)
{
	struct import_values *v = arg;
	for (size_t k = 0; !moves && k < sizeof kept / sizeof *kept; k++)
		if (strcmp(kept[k], name) == 0 && !v->values[k] && *value)
			v->values[k] = xstrdup(value);
}

/* Takes what a game in SGF says. `is_cut`: its last moves are missing. */
static void import_about(struct import_about *a, const struct record *r, const char *sgf,
			 bool is_cut)
{
	struct import_values v = { { NULL } };
	struct record read;
	char why[REASON_MAX];
	record_init(&read, r->game);
	import_about_clear(a);
	if (!sgf_parse_with(&read, r->game, sgf, import_take, &v, why))
		v = (struct import_values) { { NULL } };
	*a = (struct import_about) { .end = read.now.hash, .moves = is_cut ? -1 : read.count };
	for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
		if (v.values[k])
			a->properties[a->count++] = (struct sgf_property) { kept[k], v.values[k] };
	record_free(&read);
}

bool import_game(struct record *record, const char *bytes, size_t length,
		 const struct import_wish *wish, int number, struct import_about *about,
		 char why[REASON_MAX])
{
	struct import_wish own = *wish;
	const struct imported *game;
	char guess[REASON_MAX], where[sizeof game->where];
	own.game = record->game;
	struct import *i = import_open(bytes, length, &own, why);
	if (!i)
		return false;
	strcpy(guess, why);
	game = import_find(i, number, why);
	bool done = game && game->sgf;
	bool is_one = i->format != &import_lines || i->reading.is_joined;
	if (done)
		done = sgf_parse(record, game->sgf, own.before ? own.before : INT_MAX, why);
	else if (game)
		snprintf(why, REASON_MAX, "%s", game->why);
	if (done && about)
		import_about(about, record, game->sgf,
			     i->format != &import_sgf && import_is_full(i));
	if (done && *guess)
		strcpy(why, guess);
	if (done)
		import_add_note(why, game->note);
	if (done && !is_one && number == 1 && import_next(i))
		import_add_note(why, "the first of several lines");
	/* The reason begins with the place unless there is only one. */
	snprintf(where, sizeof where, "%s", game ? game->where : "");
	if (!done && game && (number > 1 || import_next(i)))
		snprintf(guess, sizeof guess, "%.30s: %.120s", where, why), strcpy(why, guess);
	import_close(i);
	return done;
}
