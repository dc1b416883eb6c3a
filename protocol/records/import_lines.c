/* SPDX-License-Identifier: MIT
 *
 * Lines of moves. A text may be read in several ways: as several games, on several boards, with columns that have an I or
 * have none, with all lines as one game. Each way is tried on the whole text. The first that makes all moves legal is taken,
 * else the one with the most legal games.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/rules/square.h"
#include "games/games.h"
#include "protocol/records/import_private.h"

#define BLANKS     " \t\r\n,"
#define WORD_MAX   24 /* bytes of a word in a reason */
#define SURE_MOVES 3  /* moves that are legal by chance only in few games of another kind */

/* --- what a text looks like --- */

/* Returns true if a line has moves. */
static bool lines_has(const char *line)
{
	return *line != '#' && line + strspn(line, " \t") != import_line_end(line);
}

/* Returns true if most lines with moves are what `is` says, or half of them and the first. The others have errors. */
static bool lines_are(const char *text, bool (*is)(const char *line))
{
	int count = 0, all = 0;
	bool is_first = false;
	for (; *text; text = import_line_skip(text))
		if (lines_has(text)) {
			bool is_one = is(text);
			is_first |= !all && is_one;
			count += is_one;
			all++;
		}
	return 2 * count + is_first > all;
}

static bool lines_is_offsets(const char *line)
{
	size_t length = (size_t)(import_line_end(line) - line);
	return strspn(line, "0123456789-, \t") >= length && memchr(line, ',', length);
}

/* Returns true if a result in words seems to begin here. */
static bool lines_begins_result(const char *at)
{
	return (*at && strchr("BbWw", *at) && at[1] == '+') || strncasecmp(at, "draw", 4) == 0 ||
	       strncmp(at, "/2-1/2", 6) == 0 || strchr("?*", *at);
}

/* Numbers of columns, then perhaps a value or a result. */
static bool lines_is_columns(const char *line)
{
	line += strspn(line, " \t");
	size_t digits = strspn(line, "1234567");
	const char *rest = line + strspn(line, "0123456789+- \t");
	return digits && strchr(" \t\r\n", line[digits]) &&
	       (rest >= import_line_end(line) || lines_begins_result(rest));
}

/* The number that stands before a move, as in "12. f5"; 0: there is none. Sets *after. */
static int lines_number(const char *at, const char **after)
{
	size_t digits = strspn(at, "0123456789");
	if (!digits || digits > 3 || !strchr(".)", at[digits]) || !at[digits])
		return 0;
	*after = at + digits + strspn(at + digits, ".)");
	return atoi(at);
}

/* Returns true if numbers go on from line to line. */
static bool lines_go_on(const char *text)
{
	const char *after;
	int count = 0;
	for (; *text; text = import_line_skip(text))
		if (lines_has(text) && count++ &&
		    lines_number(text + strspn(text, " \t"), &after) > 1)
			return true;
	return false;
}

/* What the letters of columns tell. */
struct lines_letters {
	bool has_i, has_later; /* I; a letter behind it */
	bool is_compact;       /* moves in lower case without blanks */
};

static struct lines_letters lines_look(const char *text)
{
	struct lines_letters l = { .is_compact = true };
	for (; *text; text = import_line_skip(text)) {
		const char *end = import_line_end(text);
		for (const char *c = text; lines_has(text) && c < end; c++) {
			if (!isalpha((unsigned char)*c) || !isdigit((unsigned char)c[1]))
				continue;
			l.has_i |= tolower((unsigned char)*c) == 'i';
			l.has_later |= tolower((unsigned char)*c) > 'i';
			l.is_compact &= islower((unsigned char)*c) &&
					(c == text || !strchr(BLANKS, c[-1]));
		}
	}
	return l;
}

/* --- one game --- */

/* Reads a pass as several programs write it. Returns its length, or 0. */
static size_t lines_pass(const char *at)
{
	static const char *const words[] = { "pass", "ps", "pa", "--" };
	for (size_t k = 0; k < sizeof words / sizeof *words; k++)
		if (strncasecmp(at, words[k], strlen(words[k])) == 0)
			return strlen(words[k]);
	return 0;
}

/* Plays a square whose column counts the letter I. Returns its length, or 0. */
static size_t lines_play_with_i(struct import *i, const char *at)
{
	const struct game *g = i->record.game;
	char move[SQUARE_TEXT_MAX];
	int col = tolower((unsigned char)*at) - 'a';
	size_t digits = strspn(at + 1, "0123456789");
	int number = digits && digits <= 2 ? atoi(at + 1) : 0;
	if (!isalpha((unsigned char)*at) || col >= g->board.cols || number < 1 ||
	    number > g->board.rows)
		return 0;
	square_format(g, square_row(g, number), col, move);
	return import_play(i, move) ? 1 + digits : 0;
}

/* Plays the move that begins a word. Returns its length, or 0. */
static size_t lines_play_move(struct import *i, const char *at)
{
	char move[MOVE_TEXT_MAX];
	size_t length = strcspn(at, BLANKS);
	if (i->reading.form == LINE_WITH_I)
		return lines_play_with_i(i, at);
	length = length < sizeof move ? length : sizeof move - 1;
	for (; length; length--) {
		/* A square is never cut. */
		if (isdigit((unsigned char)at[length]))
			continue;
		snprintf(move, sizeof move, "%.*s", (int)length, at);
		if (import_play(i, move))
			return length;
	}
	return 0;
}

/* The same for a column's number. */
static size_t lines_play_column(struct import *i, const char *at)
{
	char move[] = { (char)('a' + *at - '1'), '\0' };
	return *at >= '1' && *at <= '9' && at[1] != '/' && import_play(i, move);
}

/* The same for a square as its place from the centre. */
static size_t lines_play_offset(struct import *i, const char *at)
{
	const struct game *g = i->record.game;
	char move[SQUARE_TEXT_MAX];
	int col, row, length = 0;
	if (sscanf(at, "%4d,%4d%n", &col, &row, &length) != 2 || !length)
		return 0;
	col += g->board.cols / 2;
	row += g->board.rows / 2;
	if (col < 0 || col >= g->board.cols || row < 0 || row >= g->board.rows)
		return 0;
	square_format(g, row, col, move);
	return import_play(i, move) ? (size_t)length : 0;
}

/* Adds the result that a score says: the discs or points of Black, then of White. Returns false if it is none. The difference
 * of discs counts if all squares have one. */
static bool lines_score(struct import *i, const char *word)
{
	const int all = i->record.game->board.rows * i->record.game->board.cols;
	int black, white, used = 0;
	if (sscanf(word, "%2d-%2d%n", &black, &white, &used) != 2 || word[used] || black < 0 ||
	    white < 0)
		return false;
	const char winner = black > white ? 'B' : 'W';
	if (black == white)
		import_add(i, "RE", "0");
	else if (i->record.game->score.unit && black + white == all)
		import_add(i, "RE", "%c+%d", winner, abs(black - white));
	else
		import_add(i, "RE", "%c+", winner);
	return true;
}

/* Returns true if a text may stand behind B+ or W+: nothing, points, or how the game was lost. */
static bool lines_is_margin(const char *text)
{
	static const char *const words[] = { "", "R", "Resign", "T", "Time", "F", "Forfeit" };
	size_t digits = strspn(text, "0123456789");
	size_t part = text[digits] == '.' ? 1 + strspn(text + digits + 1, "0123456789") : 0;
	for (size_t k = 0; k < sizeof words / sizeof *words; k++)
		if (strcasecmp(text, words[k]) == 0)
			return true;
	return digits && !text[digits + part];
}

/* Reads what stands behind the moves: a result, or a number that other programs write there, which is left out. Behind a tab
 * stands a result. Only comments may be in the lines behind it. Returns false if it is neither. */
static bool lines_result(struct import *i, const char *at, const char *end)
{
	char word[WORD_MAX] = "";
	const bool has_tab = at > i->text && at[-1] == '\t';
	for (const char *line = import_line_skip(at); line < end; line = import_line_skip(line))
		if (lines_has(line))
			return false;
	end = import_line_end(at) < end ? import_line_end(at) : end;
	while (end > at && strchr(BLANKS, end[-1]))
		end--;
	if ((size_t)(end - at) >= sizeof word)
		return false;
	snprintf(word, sizeof word, "%.*s", (int)(end - at), at);
	/* Half of an offset is no value. */
	const bool is_number = i->reading.form != LINE_OFFSETS &&
			       strspn(word, "+-.0123456789") == strlen(word),
		   has_sign = strchr("+-", *word);
	if (strchr("BbWw", *word) && word[1] == '+' && lines_is_margin(word + 2))
		import_add(i, "RE", "%c%s", toupper((unsigned char)*word), word + 1);
	else if (strcasecmp(word, "draw") == 0 || strcmp(word, "1/2-1/2") == 0 ||
		 (has_tab && strcmp(word, "0") == 0))
		import_add(i, "RE", "0");
	else if (has_tab && has_sign && is_number)
		import_add(i, "RE", "%c+%s", *word == '+' ? 'B' : 'W', word + 1);
	else
		return lines_score(i, word) || strcmp(word, "?") == 0 || strcmp(word, "*") == 0 ||
		       (is_number && !has_tab);
	return true;
}

/* Returns true if the last word is a number, the value of a position of columns, whose digits are the first word. */
static bool lines_is_value(const char *begin, const char *at, const char *end)
{
	begin += strspn(begin, BLANKS);
	size_t length = strcspn(at, BLANKS);
	return strspn(begin, "1234567") > 1 && at > begin && strchr(BLANKS, at[-1]) &&
	       strspn(at, "+-.0123456789") == length &&
	       at + length + strspn(at + length, " \t") >= end;
}

/* Plays the moves between two places. */
static bool lines_play(struct import *i, const char *at, const char *end)
{
	const enum line_form form = i->reading.form;
	const char *begin = at, *after;
	size_t length;
	bool is_first = true;
	for (; at < end; at += length, is_first = false) {
		if (at == i->text || strchr("\r\n", at[-1])) {
			/* Comments are between the lines of a game, too. */
			length = *at == '#' ? (size_t)(import_line_end(at) - at) : 0;
			if (length)
				continue;
		}
		length = *at == '{' ? strcspn(at, "}") + 1 : strspn(at, BLANKS);
		if (length)
			continue;
		if (form <= LINE_WITH_I && lines_number(at, &after)) {
			length = (size_t)(after - at);
			continue;
		}
		if (form == LINE_COLUMNS && lines_is_value(begin, at, end))
			return true;
		if (import_is_full(i))
			return true;
		length = form == LINE_OFFSETS   ? lines_play_offset(i, at)
			 : form == LINE_COLUMNS ? lines_play_column(i, at)
						: lines_play_move(i, at);
		if (length)
			continue;
		length = form <= LINE_WITH_I ? lines_pass(at) : 0;
		if (length && (i->record.now.over || import_play(i, "pass")))
			continue;
		if (!is_first && strchr(BLANKS, at[-1]) && lines_result(i, at, end))
			return true;
		length = strcspn(at, form == LINE_OFFSETS ? " \t\r\n" : BLANKS);
		length = length < WORD_MAX ? length : WORD_MAX;
		if (!is_first && at[-1] == '\t')
			return import_refuse(i, "the result '%.*s' is not B+4, W+4, B+, W+, 0 or ?",
					     (int)length, at);
		return import_refuse(i,
				     i->record.now.over
					     ? "'%.*s' follows the end of the game, after move %d"
					     : "'%.*s' is not legal as move %d",
				     (int)length, at, i->record.count + !i->record.now.over);
	}
	return true;
}

bool import_moves(struct record *r, const char *text, char why[REASON_MAX])
{
	const char *after = text;
	const bool is_digits = game_is_variant(r->game, &game_connectfour) &&
			       isdigit((unsigned char)*text) && !lines_number(text, &after);
	struct import i = { .text = text, .record = *r, .why = why, .refuses_bans = true };
	i.reading.form = is_digits ? LINE_COLUMNS : LINE_MOVES;
	*why = '\0';
	bool done = lines_play(&i, text, text + strlen(text));
	*r = i.record;
	while (i.property_count)
		free((char *)i.properties[--i.property_count].value);
	return done;
}

/* Moves i->at to the next line with moves. Returns false at the end of the text. */
static bool import_lines_lines_find(struct import *i)
{
	for (; *i->at && !lines_has(i->at); i->line++)
		i->at = import_line_skip(i->at);
	return *i->at;
}

static bool lines_next(struct import *i)
{
	if (!import_lines_lines_find(i))
		return false;
	const char *begin = i->at, *end = import_line_end(i->at);
	snprintf(i->game.where, sizeof i->game.where, "line %d", i->line);
	if (i->reading.is_joined)
		end = i->text + i->length;
	import_begin(i, i->reading.game);
	if (lines_play(i, begin, end) && !i->record.count && !i->wish.before)
		import_refuse(i, "there is no move");
	i->at = import_line_skip(end);
	i->line++;
	return true;
}

/* --- the way to read --- */

/* Returns the number of games that have only legal moves, and sets *all. */
static int lines_try(struct import *i, struct line_reading reading, int *all)
{
	int good = 0;
	const int before = i->wish.before;
	char why[REASON_MAX], *kept = i->why;
	i->reading = reading;
	i->why = why;
	i->wish.before = 0;
	for (*all = 0, *why = '\0'; lines_next(i); *why = '\0', ++*all)
		good += !*why;
	i->at = i->text;
	i->line = 1;
	i->why = kept;
	i->wish.before = before;
	return good;
}

/* The best way so far. */
struct lines_choice {
	struct line_reading reading;
	int good; /* games */
	int ways; /* tried */
};

/* Tries a way. Returns true if it is good for the whole text. */
static bool lines_consider(struct import *i, struct lines_choice *best, const struct game *g,
			   enum line_form form, bool is_joined)
{
	int all;
	struct line_reading reading = { g, form, is_joined };
	int good = lines_try(i, reading, &all);
	bool is_whole = good && good == all;
	if (!best->ways++ || is_whole || good > best->good) {
		best->reading = reading;
		best->good = good;
	}
	return is_whole;
}

/* Tries a form on one board, as several games and as one. */
static bool lines_consider_form(struct import *i, struct lines_choice *best, const struct game *g,
				enum line_form form)
{
	bool found = false;
	if (form > LINE_WITH_I)
		return lines_consider(i, best, g, form, false);
	for (int joined = lines_go_on(i->text); joined < 2 && !found; joined++)
		found = lines_consider(i, best, g, form, joined);
	return found;
}

/* Tries a game on its board, then on the other boards that it is usually played on, in up to two forms. */
static bool lines_consider_game(struct import *i, struct lines_choice *best, const struct game *g,
				enum line_form form, bool all_sizes)
{
	static const int usual[] = { 8, 9, 11, 13, 15, 20, 19 };
	enum line_form other = form;
	if (form == LINE_MOVES && game_is_variant(g, &game_gomoku)) {
		struct lines_letters letters = lines_look(i->text);
		bool is_with_i = i->wish.columns == COLUMNS_AUTO
					 ? letters.has_i || letters.is_compact
					 : i->wish.columns == COLUMNS_WITH_I;
		form = is_with_i ? LINE_WITH_I : LINE_MOVES;
		other = i->wish.columns == COLUMNS_AUTO ? !form : form;
	}
	bool found = lines_consider_form(i, best, g, form) ||
		     (other != form && lines_consider_form(i, best, g, other));
	for (size_t k = 0; all_sizes && !found && k < 2 * sizeof usual / sizeof *usual; k++) {
		const struct game *sized = game_of_size(g,
							usual[k % (sizeof usual / sizeof *usual)]);
		bool is_second = k >= sizeof usual / sizeof *usual;
		if (sized && sized != g && (!is_second || other != form))
			found = lines_consider_form(i, best, sized, is_second ? other : form);
	}
	return found;
}

/* Returns how many moves the first line begins with that are legal in a game. */
static int lines_count_moves(struct import *i, const struct game *g)
{
	char why[REASON_MAX], *kept = i->why;
	i->why = why;
	i->reading = (struct line_reading) { g, LINE_MOVES, lines_go_on(i->text) };
	lines_next(i);
	i->at = i->text;
	i->line = 1;
	i->why = kept;
	return i->record.count;
}

/* Finds the game whose moves they are. Moves that begin as those of the usual game are not tried in another one: a wrong one
 * among them is said. Almost all moves are legal in Go, so it comes last. */
static void lines_guess_game(struct import *i, struct lines_choice *best)
{
	if (lines_consider_game(i, best, *games, LINE_MOVES, false) ||
	    lines_count_moves(i, *games) >= SURE_MOVES)
		return;
	for (int is_go = 0; is_go < 2; is_go++)
		for (int k = 1; games[k]; k++)
			if (game_is_variant(games[k], &game_go) == is_go &&
			    lines_consider_game(i, best, games[k], LINE_MOVES, false))
				return;
}

/* Writes what was guessed. */
static void lines_tell(struct import *i, const struct line_reading *r)
{
	const struct lines_letters letters = lines_look(i->text);
	size_t n = 0;
	*i->why = '\0';
	if (r->game != i->wish.game) {
		bool is_usual = strcmp(r->game->rules, "standard") == 0;
		n += (size_t)snprintf(i->why, REASON_MAX, "read as %s%s%s", r->game->name,
				      is_usual ? "" : " ", is_usual ? "" : r->game->rules);
		if (r->game->sizes && r->game != *r->game->sizes)
			n += (size_t)snprintf(i->why + n, REASON_MAX - n, " on %dx%d",
					      r->game->board.cols, r->game->board.rows);
	}
	if (r->is_joined && *import_line_skip(i->text))
		n += (size_t)snprintf(i->why + n, REASON_MAX - n, "%sall lines are one game",
				      n ? ", " : "");
	if (game_is_variant(r->game, &game_gomoku) && r->form <= LINE_WITH_I &&
	    (letters.has_i || letters.has_later) && i->wish.columns == COLUMNS_AUTO)
		snprintf(i->why + n, REASON_MAX - n,
			 r->form == LINE_MOVES ? "%scolumns without I; with I: columns with-i"
					       : "%scolumns with I; without: columns no-i",
			 n ? ", " : "");
}

static bool lines_open(struct import *i)
{
	const struct game *wish = i->wish.game;
	struct lines_choice best = { .reading.game = wish ? wish : &game_othello };
	enum line_form form = lines_are(i->text, lines_is_columns)   ? LINE_COLUMNS
			      : lines_are(i->text, lines_is_offsets) ? LINE_OFFSETS
								     : LINE_MOVES;
	const struct game *named = form == LINE_COLUMNS   ? &game_connectfour
				   : form == LINE_OFFSETS ? &game_gomoku
							  : NULL;
	if (!import_lines_lines_find(i))
		return import_refuse(i, "there is no game in it");
	if (named)
		lines_consider_game(i, &best, wish && game_is_variant(wish, named) ? wish : named,
				    form, true);
	else if (wish)
		lines_consider_game(i, &best, wish, LINE_MOVES, true);
	else
		lines_guess_game(i, &best);
	if (best.good) {
		i->reading = best.reading;
		lines_tell(i, &best.reading);
		return true;
	}
	/* The reason of the first line, in the way that was tried first. */
	char why[REASON_MAX] = "", *kept = i->why;
	i->why = why;
	i->reading = best.reading;
	import_lines_lines_find(i);
	int line = i->line;
	lines_next(i);
	i->why = kept;
	return import_refuse(i,
			     "not SGF, GGF, WTHOR, PGN, PSQ or rec; as moves of %s, line %d: %.90s",
			     best.reading.game->name, line, why);
}

/* What is in no other format. */
static bool lines_is(struct import *i)
{
	return true;
}

const struct import_format import_lines = { "moves", lines_is, lines_open, lines_next };

/* --- PGN --- */

/* Reads the beginning of a tag, such as `[Event "`. Returns its length, or 0. */
static int pgn_tag(const char *line, char name[16])
{
	int length = 0;
	return sscanf(line, " [%15[A-Za-z] \"%n", name, &length) == 1 ? length : 0;
}

static bool pgn_is(struct import *i)
{
	char name[16];
	return pgn_tag(i->text, name);
}

/* Adds what a tag says. */
static void pgn_take(struct import *i, const char *name, const char *value, size_t length)
{
	static const char *const names[][2] = { { "Black", "PB" }, { "White", "PW" },
						{ "Event", "EV" }, { "Date", "DT" },
						{ "Site", "PC" },  { "Round", "RO" } };
	char word[WORD_MAX] = "";
	if (strcmp(name, "Result") == 0 && length < sizeof word) {
		memcpy(word, value, length);
		lines_score(i, word);
	}
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (strcmp(name, names[k][0]) == 0 && length && *value != '?')
			import_add(i, names[k][1], "%.*s", (int)length, value);
}

/* Tags, then moves up to the tags of the next game. */
static bool pgn_next(struct import *i)
{
	char name[16];
	const char *at = i->at + strspn(i->at, BLANKS), *end, *stop;
	int length;
	if (!*at)
		return false;
	import_begin(i, i->reading.game);
	while ((length = pgn_tag(at, name))) {
		at += length;
		/* A value may have quotes. */
		stop = import_line_end(at);
		for (end = at; end < stop && strncmp(end, "\"]", 2) != 0;)
			end++;
		pgn_take(i, name, at, (size_t)(end - at));
		at = end < stop ? end + 2 : stop;
	}
	for (end = import_line_skip(at); *end && *end != '['; end = import_line_skip(end))
		;
	lines_play(i, at, end);
	i->at = end;
	return true;
}

/* Finds the game whose moves they are. */
static bool pgn_open(struct import *i)
{
	char why[REASON_MAX] = "", *kept = i->why;
	i->why = why;
	i->number = 1;
	i->reading.game = i->wish.game ? i->wish.game : &game_othello;
	for (int k = 0; !i->wish.game && games[k]; k++) {
		*why = '\0';
		i->reading.game = games[k];
		i->at = i->text;
		pgn_next(i);
		if (!*why)
			break;
	}
	i->number = 0;
	i->at = i->text;
	i->why = kept;
	if (!i->wish.game && *why)
		return import_refuse(i, "PGN of no game of yomi: %.100s", why);
	if (!i->wish.game)
		import_refuse(i, "read as %s", i->reading.game->name);
	return true;
}

const struct import_format import_pgn = { "PGN", pgn_is, pgn_open, pgn_next };
