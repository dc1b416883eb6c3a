/* SPDX-License-Identifier: MIT
 *
 * The reader takes the properties in one pass. The board must come before the moves.
 */
#include "protocol/records/ggf.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/version.h"
#include "engine/rules/formats.h"
#include "games/games.h"
#include "protocol/records/sgf.h"

#define VALUE_MAX                                                                                  \
	128 /* bytes; longer values are cut, since no meaningful value but a comment is longer */
#define SQUARES 64

/* --- writing --- */

bool ggf_has(const struct game *g)
{
	return game_is_variant(g, &game_othello);
}

void ggf_format(const struct game *g, const struct state *s, struct move m,
		char text[MOVE_TEXT_MAX])
{
	game_format(g, s, m, text);
	if (strcmp(text, "PASS") == 0)
		strcpy(text, "PA");
}

/* The value of a property of SGF, or NULL. */
static const char *find_value(const struct sgf_property *properties, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (strcmp(properties[i].name, name) == 0 && *properties[i].value)
			return properties[i].value;
	return NULL;
}

/* Writes a property. The format has no escapes, so brackets become round. A semicolon becomes a comma, because programs take
 * ";)" for the end of the game, also inside a value. */
static void ggf_print_value(struct text *out, const char *name, const char *value)
{
	static const char from[] = "[];\r\n", to[] = "(),  ";
	text_printf(out, "%s[", name);
	for (const char *c = value; *c; c++) {
		const char *at = strchr(from, *c);
		text_putc(out, at ? to[at - from] : *c);
	}
	text_putc(out, ']');
}

/* Writes the result: of a game that is over, or as SGF has it. A winner without a score has all discs. */
static void ggf_print_result(struct text *out, const struct record *r, const char *said)
{
	const int all = r->game->board.rows * r->game->board.cols;
	const int sign = !said || said[0] == '\0' || said[1] != '+' ? 0
			 : toupper((unsigned char)said[0]) == 'B'   ? 1
			 : toupper((unsigned char)said[0]) == 'W'   ? -1
								    : 0;
	const char *how = sign ? said + 2 : "";
	char *end;
	double points = strtod(how, &end);
	if (r->now.over)
		text_printf(out, "RE[%+.2f]", (double)r->now.score);
	else if (sign && end != how && points > 0 && points <= all)
		text_printf(out, "RE[%+.2f]", sign * points);
	else if (sign)
		text_printf(out, "RE[%+.2f%s]", (double)(sign * all),
			    toupper((unsigned char)*how) == 'R'   ? ":r"
			    : toupper((unsigned char)*how) == 'T' ? ":t"
								  : "");
	else
		text_puts(out, said && (strcmp(said, "0") == 0 || strcasecmp(said, "draw") == 0)
				       ? "RE[+0.00]"
				       : "RE[?]");
}

void ggf_print(struct text *out, const struct record *r, const struct sgf_property *properties,
	       int count)
{
	static const char *const names[][3] = {
		{ "PC", "PC", VERSION_NAME }, { "DT", "DT", NULL }, { "PB", "PB", "?" },
		{ "PW", "PW", "?" },          { "RB", "BR", NULL }, { "RW", "WR", NULL }
	};
	const struct game *g = r->game;
	struct state s;
	int first = record_last_setup(r);
	record_state(r, first, &s);
	text_printf(out, "(;GM[%s]", game_othello.formats->ggf_gm);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = find_value(properties, count, names[i][1]);
		value = value ? value : names[i][2];
		int year, month, day;
		if (value && *names[i][0] == 'D' &&
		    sscanf(value, "%4d-%2d-%2d", &year, &month, &day) == 3)
			text_printf(out, "DT[%04d.%02d.%02d]", year, month, day);
		else if (value)
			ggf_print_value(out, names[i][0], value);
	}
	ggf_print_result(out, r, find_value(properties, count, "RE"));
	text_printf(out, "TI[0]TY[%d%s]BO[%d ", g->board.rows, game_has_usual_rules(g) ? "" : "a",
		    g->board.rows);
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		char mark = g->at(g, &s, i / g->board.cols, i % g->board.cols);
		text_putc(out, mark == 'X' ? '*' : mark == 'O' ? 'O' : '-');
	}
	text_printf(out, " %c]", s.side == BLACK ? '*' : 'O');
	for (int i = first; i < r->count && !s.over; i++) {
		char text[MOVE_TEXT_MAX];
		ggf_format(g, &s, r->moves[i].move, text);
		text_printf(out, "%c[%s]", s.side == BLACK ? 'B' : 'W', text);
		game_play(g, &s, r->moves[i].move);
	}
	text_puts(out, ";)\n");
}

/* --- reading --- */

struct ggf_reader {
	const char *at; /* next character */
	char name[8], value[VALUE_MAX];
	const char *whole; /* the value in the text */
	size_t length;
	const struct game *game; /* by TY and BO */
	struct record *record;
	char *why;
	int moves, before;
};

__attribute__((format(PRINTF, 2, 3))) static bool ggf_refuse(struct ggf_reader *r,
							     const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(r->why, REASON_MAX, format, args);
	va_end(args);
	return false;
}

static const char *ggf_skip_space(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* Returns the text after the next "(;", or NULL. */
static const char *ggf_find_game(const char *text)
{
	const char *start = strstr(text, "(;");
	return start ? ggf_skip_space(start + 2) : NULL;
}

bool ggf_is(const char *text)
{
	const char *name = game_othello.formats->ggf_gm;
	text = ggf_skip_space(text);
	text = ggf_skip_space(text + strspn(text, "0123456789"));
	if (text != strstr(text, "(;"))
		return false;
	text = ggf_find_game(text);
	return strncasecmp(text, "GM[", 3) == 0 && strncasecmp(text + 3, name, strlen(name)) == 0 &&
	       text[3 + strlen(name)] == ']';
}

/* Reads the next property. Returns false if there is none. */
static bool next_property(struct ggf_reader *r)
{
	size_t n = 0;
	const char *at = r->at = ggf_skip_space(r->at);
	for (; isalpha((unsigned char)*at); at++)
		if (n < sizeof r->name - 1)
			r->name[n++] = (char)toupper((unsigned char)*at);
	r->name[n] = '\0';
	const char *value = ggf_skip_space(at), *end = strchr(value, ']');
	if (n == 0 || *value != '[' || !end)
		return false;
	value = ggf_skip_space(value + 1);
	n = (size_t)(end - value);
	n = value > end ? 0 : n;
	while (n && isspace((unsigned char)value[n - 1]))
		n--;
	r->whole = value;
	r->length = n;
	n = n < VALUE_MAX ? n : VALUE_MAX - 1;
	memcpy(r->value, value, n);
	r->value[n] = '\0';
	r->at = end + 1;
	return true;
}

/* Converts a character of BO to one of a position. 0: the character is no square. */
static char ggf_square_of(char c)
{
	if (c == '*' || c == 'x' || c == 'X')
		return 'X';
	if (c == 'o' || c == 'O' || c == '0')
		return 'O';
	return c == '-' || c == '.' || c == '_' ? '.' : 0;
}

/* Finds the game of a board. Returns false with a reason if there is none. */
static bool set_size(struct ggf_reader *r, long size)
{
	const struct game *g = size > 0 && size < 100 ? game_of_size(r->game, (int)size) : NULL;
	if (!g)
		return ggf_refuse(r, "yomi has no Othello on a board with %ld rows", size);
	r->game = g;
	return true;
}

/* Reads TY: 8, 6, 8a, s8r20, 8k ... In 8a the player with fewer discs wins. */
static bool set_type(struct ggf_reader *r)
{
	const char *size = r->value + strspn(r->value, "sS");
	char *rest;
	long rows = strtol(size, &rest, 10);
	if (strchr(rest, 'a'))
		r->game = &game_othello_anti;
	return rest == size || set_size(r, rows);
}

/* Reads BO: size, squares (blanks may stand between them), side. */
static bool set_board(struct ggf_reader *r)
{
	struct state state;
	char squares[SQUARES + 2] = "";
	char *rest;
	int n = 0;
	if (r->moves)
		return ggf_refuse(r, "a position is set up after the first move");
	if (!set_size(r, strtol(r->value, &rest, 10)))
		return false;
	const int all = r->game->board.rows * r->game->board.cols;
	for (; *rest && n < SQUARES + 2; rest++)
		if (!isspace((unsigned char)*rest) && !(squares[n++] = ggf_square_of(*rest)))
			return ggf_refuse(r, "BO has a square '%c'", *rest);
	if (n != all + 1 || squares[all] == '.')
		return ggf_refuse(r, "BO must have %d squares and a side", all);
	char side[] = { squares[all], '\0' };
	squares[all] = '\0';
	const char *reason = game_setup(r->game, &state, squares, side);
	if (reason)
		return ggf_refuse(r, "the position: %s", reason);
	record_restart(r->record, r->game);
	record_setup(r->record, &state);
	return true;
}

bool ggf_read_move(const char *text, char vertex[MOVE_TEXT_MAX], double *seconds)
{
	size_t n = strcspn(text, "/ ");
	const char *stroke = strchr(text, '/');
	stroke = stroke ? strchr(stroke + 1, '/') : NULL;
	*seconds = stroke ? strtod(stroke + 1, NULL) : 0;
	if (!(*seconds > 0 && *seconds < 1e9))
		*seconds = 0;
	if (n >= MOVE_TEXT_MAX)
		return false;
	memcpy(vertex, text, n);
	vertex[n] = '\0';
	if (strcasecmp(vertex, "PA") == 0)
		strcpy(vertex, "PASS");
	return true;
}

static bool ggf_play(struct ggf_reader *r)
{
	char vertex[MOVE_TEXT_MAX];
	double seconds;
	if (++r->moves >= r->before)
		return true;
	if (!ggf_read_move(r->value, vertex, &seconds) ||
	    record_play_text(r->record, *r->name == 'B' ? BLACK : WHITE, vertex) != MOVE_OK)
		return ggf_refuse(r, "move %d, %.20s, is not legal", r->moves, r->value);
	return true;
}

static bool take_property(struct ggf_reader *r)
{
	if (strcmp(r->name, "B") == 0 || strcmp(r->name, "W") == 0)
		return ggf_play(r);
	if (strcmp(r->name, "BO") == 0)
		return set_board(r);
	if (strcmp(r->name, "GM") == 0 && strcasecmp(r->value, game_othello.formats->ggf_gm) != 0)
		return ggf_refuse(r, "GM[%.20s] is another game", r->value);
	return true;
}

static bool ggf_read_game(struct ggf_reader *r)
{
	r->at = ggf_find_game(r->at);
	if (!r->at)
		return ggf_refuse(r, "no game begins here");
	if (strncasecmp(r->at, "GM[", 3) != 0)
		return ggf_refuse(r, "the game is unknown: GM must tell it");
	const char *begin = r->at;
	while (next_property(r))
		if (strcmp(r->name, "TY") == 0 && !set_type(r))
			return false;
	record_restart(r->record, r->game);
	r->at = begin;
	while (next_property(r))
		if (!take_property(r))
			return false;
	if (*r->at++ != ';' || *ggf_skip_space(r->at) != ')')
		return ggf_refuse(r, "the game has no end");
	return true;
}

bool ggf_parse(struct record *record, const char *text, int before, char why[REASON_MAX])
{
	struct record read;
	struct ggf_reader r = {
		.at = text, .game = &game_othello, .record = &read, .why = why, .before = before
	};
	record_init(&read, &game_othello);
	bool done = ggf_read_game(&r);
	record_free(done ? record : &read);
	if (done)
		*record = read;
	return done;
}

/* --- conversion to SGF --- */

/* RE is the lead of Black, and how the game ended: +8.00, -64.00:r. */
static char *convert_result(const char *value)
{
	char *end;
	double lead = strtod(value, &end);
	if (end == value || !isfinite(lead))
		return xstrdup("?");
	char winner = lead > 0 ? 'B' : 'W';
	if (*end == ':' && (end[1] == 'r' || end[1] == 't'))
		return xasprintf("%c+%c", winner, toupper((unsigned char)end[1]));
	return lead == 0 ? xstrdup("0") : xasprintf("%c+%.10g", winner, fabs(lead));
}

/* DT is 2003.12.15_13:24:03.MST, or seconds. */
static char *convert_date(const char *value)
{
	int year, month, day;
	if (sscanf(value, "%4d.%2d.%2d", &year, &month, &day) == 3)
		return xasprintf("%04d-%02d-%02d", year, month, day);
	char *end, text[sizeof "2003-12-15"];
	time_t seconds = (time_t)strtoll(value, &end, 10);
	struct tm date;
	bool is_date = end != value && !*end && gmtime_r(&seconds, &date) &&
		       strftime(text, sizeof text, "%Y-%m-%d", &date);
	return xstrdup(is_date ? text : value);
}

/* The value of the property of SGF that says the same, which the caller frees; NULL: there is none. */
static char *convert_property(const struct ggf_reader *r, const char **name)
{
	static const char *const names[][2] = { { "PB", "PB" }, { "PW", "PW" }, { "PC", "PC" },
						{ "RB", "BR" }, { "RW", "WR" }, { "DT", "DT" },
						{ "RE", "RE" }, { "C", "C" } };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(r->name, names[i][0]) == 0) {
			*name = names[i][1];
			return strcmp(r->name, "C") == 0    ? xstrndup(r->whole, r->length)
			       : strcmp(r->name, "RE") == 0 ? convert_result(r->value)
			       : strcmp(r->name, "DT") == 0 ? convert_date(r->value)
							    : xstrdup(r->value);
		}
	return NULL;
}

/* Adds a line to the text of a note. */
static void add_text(struct sgf_note *n, const char *title, const char *text, size_t length)
{
	char *before = (char *)n->text;
	if (!length)
		return;
	n->text = xasprintf("%s%s%s%.*s", before ? before : "", before ? "\n" : "", title,
			    (int)length, text);
	free(before);
}

/* Keeps what a move has beside its vertex. The unit of evaluations is unknown, so they stay text. */
static void convert_move(const char *value, double seconds, struct sgf_note *n)
{
	const char *evaluation = strchr(value, '/');
	if (seconds > 0)
		n->seconds = seconds;
	if (evaluation)
		add_text(n, "evaluation ", evaluation + 1, strcspn(evaluation + 1, "/"));
}

void ggf_convert(struct text *out, const char *text, const struct record *record)
{
	struct ggf_reader r = { .at = ggf_find_game(text) };
	struct sgf_property properties[SGF_PROPERTIES_MAX];
	struct sgf_note *notes = xcalloc((size_t)record->count + 1, sizeof *notes);
	int count = 0, moves = 0;
	for (int i = 0; i < record->count; i++)
		notes[i] = (struct sgf_note) { .value = NAN, .seconds = NAN };
	while (r.at && next_property(&r)) {
		char vertex[MOVE_TEXT_MAX], *value;
		const char *name;
		double seconds;
		if (strcmp(r.name, "C") == 0 && moves) {
			if (moves <= record->count)
				add_text(&notes[moves - 1], "", r.whole, r.length);
		} else if (count < SGF_PROPERTIES_MAX && (value = convert_property(&r, &name))) {
			properties[count++] = (struct sgf_property) { name, value };
		} else if ((strcmp(r.name, "B") == 0 || strcmp(r.name, "W") == 0) &&
			   ggf_read_move(r.value, vertex, &seconds)) {
			/* Forced passes may be missing in GGF. */
			while (moves < record->count && strcasecmp(vertex, "PASS") != 0 &&
			       record->moves[moves].move.step[0] == record->game->steps.pass)
				moves++;
			if (moves < record->count)
				convert_move(r.value, seconds, &notes[moves]);
			moves++;
		}
	}
	sgf_print_with(out, record, properties, count, notes);
	for (int i = 0; i < count; i++)
		free((char *)properties[i].value);
	for (int i = 0; i < record->count; i++)
		free((char *)notes[i].text);
	free(notes);
}

/* --- clocks --- */

struct game_clock {
	double main, increment;
};

/* Reads [[[days.]hours:]minutes:]seconds. Returns the text after it. */
static const char *read_time(const char *text, double *seconds)
{
	*seconds = 0;
	for (;;) {
		char *end;
		long n = strtol(text, &end, 10);
		*seconds += n > 0 && n < 1000000 ? (double)n : 0;
		if (*end != ':' && *end != '.')
			return end;
		*seconds *= *end == '.' ? 24 : 60;
		text = end + 1;
	}
}

/* TI, TB, TW: main time, increment of each move, and overtime. Planning ignores overtime. */
static struct game_clock ggf_read_clock(const char *text)
{
	struct game_clock c = { 0 };
	const char *rest = read_time(text, &c.main);
	if (*rest == '/')
		read_time(rest + 1, &c.increment);
	return c;
}

double ggf_time_left(const char *text, int side)
{
	struct ggf_reader r = { .at = ggf_find_game(text) };
	const char *own_time = side == BLACK ? "TB" : "TW", *own_move = side == BLACK ? "B" : "W";
	struct game_clock clock = { 0 };
	double used = 0;
	while (r.at && next_property(&r)) {
		char vertex[MOVE_TEXT_MAX];
		double seconds;
		if (strcmp(r.name, "TI") == 0 || strcmp(r.name, own_time) == 0)
			clock = ggf_read_clock(r.value);
		if (strcmp(r.name, own_move) == 0 && ggf_read_move(r.value, vertex, &seconds))
			used += seconds - clock.increment;
	}
	if (clock.main <= 0)
		return -1;
	return clock.main > used ? clock.main - used : 0;
}
