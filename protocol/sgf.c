/* SPDX-License-Identifier: MIT
 *
 * The reader goes through the text once. The root's set-up is gathered as a board and takes effect at
 * the first move, because the properties of a node have no order.
 */
#include "protocol/sgf.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/memory.h"
#include "games/games.h"
#include "protocol/version.h"

#define VALUE_MAX 64 /* of values that count; longer ones are none of these */

static bool uses_letters(const struct game *g)
{
	return strcmp(g->name, "othello") == 0;
}

/* --- writing --- */

static void print_point(FILE *f, const struct game *g, int row, int col)
{
	fprintf(f, "[%c%c]", 'a' + col, (uses_letters(g) ? 'a' : '1') + row);
}

/* Prints a property with the points of a position that hold `mark`, but not in `except`. */
static void print_points(FILE *f, const struct game *g, const struct state *s, const char *name,
			 char mark, const struct state *except)
{
	for (int row = 0; row < g->rows; row++) {
		for (int col = 0; col < g->cols; col++) {
			if (g->at(s, row, col) != mark ||
			    (except && g->at(except, row, col) == mark))
				continue;
			fputs(name, f);
			print_point(f, g, row, col);
			name = "";
		}
	}
}

static void print_setup(FILE *f, const struct record *r)
{
	struct state normal;
	r->game->start(&normal);
	if (r->start.hash == normal.hash)
		return;
	print_points(f, r->game, &r->start, "AE", '.', &normal);
	print_points(f, r->game, &r->start, "AB", 'X', NULL);
	print_points(f, r->game, &r->start, "AW", 'O', NULL);
	fprintf(f, "PL[%c]", r->start.side == BLACK ? 'B' : 'W');
}

void sgf_result(const struct state *s, char text[SGF_RESULT_MAX])
{
	if (s->score == 0)
		strcpy(text, "0");
	else
		snprintf(text, SGF_RESULT_MAX, "%c+%d", s->score > 0 ? 'B' : 'W', abs(s->score));
}

static void print_result(FILE *f, const struct state *s)
{
	char text[SGF_RESULT_MAX];
	if (!s->over)
		return;
	sgf_result(s, text);
	fprintf(f, "RE[%s]", text);
}

/* Properties that follow from the record alone. */
static bool is_own(const char *name)
{
	static const char *const own[] = { "FF", "CA", "AP", "GM", "GN", "SZ", "RU",
					   "AB", "AW", "AE", "PL", "B",  "W" };
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		if (strcmp(own[i], name) == 0)
			return true;
	return false;
}

static void print_value(FILE *f, const char *value)
{
	fputc('[', f);
	for (const char *c = value; *c; c++)
		fprintf(f, *c == ']' || *c == '\\' ? "\\%c" : "%c", *c);
	fputc(']', f);
}

/* Prints properties; whether the result was among them. */
static bool print_properties(FILE *f, const struct sgf_property *properties, int count)
{
	bool has_result = false;
	for (int i = 0; i < count; i++) {
		const char *name = properties[i].name;
		if (is_own(name))
			continue;
		has_result |= strcmp(name, "RE") == 0;
		if (i == 0 || strcmp(name, properties[i - 1].name) != 0)
			fputs(name, f);
		print_value(f, properties[i].value);
	}
	return has_result;
}

static void print_note(FILE *f, const struct sgf_note *n)
{
	if (!isnan(n->value))
		fprintf(f, "V[%g]", round(n->value * 1e3) / 1e3);
	if (!isnan(n->seconds))
		fprintf(f, "YT[%.10g]", round(n->seconds * 1e4) / 1e4);
	if (n->text) {
		fputs("C", f);
		print_value(f, n->text);
	}
}

void sgf_print(FILE *f, const struct record *r)
{
	sgf_print_with(f, r, NULL, 0, NULL);
}

void sgf_print_with(FILE *f, const struct record *r, const struct sgf_property *properties,
		    int count, const struct sgf_note *notes)
{
	const struct game *g = r->game;
	struct state s = r->start;
	fputs("(;FF[4]CA[UTF-8]AP[" VERSION_NAME ":" VERSION_NUMBER "]", f);
	if (uses_letters(g))
		fprintf(f, "GM[2]SZ[%d]", g->rows);
	else
		fprintf(f, "GN[" VERSION_NAME " %s %s]SZ[%d]RU[%s]", g->name, g->rules, g->rows,
			g->rules);
	if (!print_properties(f, properties, count))
		print_result(f, &r->now);
	print_setup(f, r);
	for (int i = 0; i < r->count; i++) {
		struct move m = r->moves[i].move;
		char text[MOVE_TEXT_MAX];
		game_format(g, &s, m, text);
		fprintf(f, "%s;%c[", i % 10 ? "" : "\n", r->moves[i].side == BLACK ? 'B' : 'W');
		if (strcmp(text, "PASS") != 0) {
			for (char *p = text; *p; p++)
				*p = (char)tolower((unsigned char)*p);
			if (uses_letters(g))
				text[1] = (char)(text[1] - '1' + 'a');
			fputs(text, f);
		}
		fputc(']', f);
		if (notes)
			print_note(f, &notes[i]);
		if (m.step[0] != MOVE_PASS)
			game_play(g, &s, m);
	}
	fputs(")\n", f);
}

/* --- reading --- */

struct reader {
	const char *at; /* next character */
	struct record *record;
	char *why;
	char *value;             /* the last one read, with room for any of the text */
	const struct game *game; /* NULL until the root is read */
	char board[POSITION_TEXT_MAX];
	int side;       /* PL, or -1 */
	bool has_board; /* board differs from the normal start */
	bool started;   /* the record is set up: moves may come */
	int moves;      /* so far */
	int before;
	void (*take)(void *arg, int moves, const char *name, const char *value); /* or NULL */
	void *arg;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(r->why, REASON_MAX, format, args);
	va_end(args);
	return false;
}

static void skip_space(struct reader *r)
{
	while (isspace((unsigned char)*r->at))
		r->at++;
}

/* Reads "[value]", undoing escapes and trimming blanks; false: there is none. */
static bool read_value(struct reader *r)
{
	char *value = r->value;
	size_t n = 0;
	skip_space(r);
	if (*r->at != '[')
		return false;
	for (r->at++; *r->at && *r->at != ']'; r->at++) {
		if (*r->at == '\\' && r->at[1])
			r->at++;
		if (n || !isspace((unsigned char)*r->at))
			value[n++] = *r->at;
	}
	while (n && isspace((unsigned char)value[n - 1]))
		n--;
	value[n] = '\0';
	if (*r->at)
		r->at++;
	return true;
}

/* Reads a point of the game's own notation; returns the text behind it or NULL. */
static const char *read_point(const struct game *g, const char *text, int *row, int *col)
{
	if (!uses_letters(g))
		return game_parse_square(g, text, row, col);
	char vertex[3] = { text[0], 0, 0 };
	if (text[0])
		vertex[1] = (char)(text[1] - 'a' + '1');
	return game_parse_square(g, vertex, row, col) ? text + 2 : NULL;
}

static void order(int *low, int *high)
{
	int first = *low;
	if (first > *high) {
		*low = *high;
		*high = first;
	}
}

/* AB, AW, AE: a point, or a rectangle between two corners. */
static bool set_points(struct reader *r, const char *value, char mark)
{
	int row, col, row_end, col_end;
	const char *rest = read_point(r->game, value, &row, &col);
	row_end = row;
	col_end = col;
	if (rest && *rest == ':')
		rest = read_point(r->game, rest + 1, &row_end, &col_end);
	if (!rest || *rest)
		return refuse(r, "'%s' is no point", value);
	order(&row, &row_end);
	order(&col, &col_end);
	for (int y = row; y <= row_end; y++)
		for (int x = col; x <= col_end; x++)
			r->board[y * r->game->cols + x] = mark;
	r->has_board = true;
	return true;
}

/* Sets the record up, once, before the first move (of `mover`, or -1: there is none). */
static bool start(struct reader *r, int mover)
{
	struct state state;
	if (r->started)
		return true;
	r->started = true;
	record_restart(r->record, r->game);
	if (!r->has_board && (r->side < 0 || r->side == r->record->now.side))
		return true;
	int side = r->side >= 0 ? r->side : mover >= 0 ? mover : BLACK;
	const char *reason = game_setup(r->game, &state, r->board, side == BLACK ? "X" : "O");
	if (reason && r->side < 0 && mover < 0)
		reason = game_setup(r->game, &state, r->board, "O");
	if (reason)
		return refuse(r, "the position: %s", reason);
	record_setup(r->record, &state);
	return true;
}

static bool play(struct reader *r, int side, const char *value)
{
	char vertex[VALUE_MAX];
	int row, col;
	if (!start(r, side))
		return false;
	if (++r->moves >= r->before)
		return true;
	snprintf(vertex, sizeof vertex, "%s", *value ? value : "pass");
	if (*value && uses_letters(r->game) && read_point(r->game, value, &row, &col))
		vertex[1] = (char)('1' + row);
	if (record_play_text(r->record, side, vertex) != MOVE_OK)
		return refuse(r, "move %d, %s, is not legal", r->moves, vertex);
	return true;
}

static bool choose_game(struct reader *r, const struct game *g)
{
	struct state s;
	r->game = g;
	g->start(&s);
	game_position(g, &s, r->board);
	r->board[g->rows * g->cols] = '\0';
	return true;
}

/* GN[yomi GAME RULES]; any other name is only a name. */
static bool read_game_name(struct reader *r, const char *value)
{
	char name[VALUE_MAX], rules[VALUE_MAX];
	if (sscanf(value, VERSION_NAME " %63s %63s", name, rules) != 2)
		return true;
	const struct game *g = game_find(name, rules);
	return g ? choose_game(r, g) : refuse(r, "unknown game %s %s", name, rules);
}

/* What names the game; done with the root's properties before all others. */
static bool read_kind(struct reader *r, const char *name, const char *value)
{
	if (strcmp(name, "GN") == 0)
		return read_game_name(r, value);
	if (strcmp(name, "GM") != 0)
		return true;
	return strcmp(value, "2") == 0 ? choose_game(r, game_find("othello", NULL))
				       : refuse(r, "GM[%s] is another game", value);
}

static bool read_property(struct reader *r, const char *name, const char *value)
{
	if (strcmp(name, "B") == 0 || strcmp(name, "W") == 0)
		return play(r, *name == 'B' ? BLACK : WHITE, value);
	if (strcmp(name, "SZ") == 0 && atoi(value) != r->game->rows)
		return refuse(r, "size %s is not the game's", value);
	bool is_setup = strcmp(name, "AB") == 0 || strcmp(name, "AW") == 0 ||
			strcmp(name, "AE") == 0 || strcmp(name, "PL") == 0;
	if (!is_setup)
		return true;
	if (r->started)
		return refuse(r, "a position is set up behind the first move");
	if (name[0] == 'A')
		return set_points(r, value, name[1] == 'B' ? 'X' : name[1] == 'W' ? 'O' : '.');
	r->side = toupper((unsigned char)*value) == 'W' ? WHITE : BLACK;
	return true;
}

/* Reads the properties of one node, giving each value to `take`. */
static bool read_node(struct reader *r, bool (*take)(struct reader *, const char *, const char *))
{
	for (skip_space(r); isalpha((unsigned char)*r->at); skip_space(r)) {
		char name[8];
		size_t n = 0;
		/* Old files have small letters between the large ones, which alone count. */
		for (; isalpha((unsigned char)*r->at); r->at++)
			if (isupper((unsigned char)*r->at) && n < sizeof name - 1)
				name[n++] = *r->at;
		name[n] = '\0';
		if (!read_value(r))
			return refuse(r, "property %s has no value", name);
		do
			if (!take(r, name, r->value))
				return false;
		while (read_value(r));
	}
	return true;
}

static bool give(struct reader *r, const char *name, const char *value)
{
	r->take(r->arg, r->record->count, name, value);
	return true;
}

/* Reads a node of the main line; its properties have no order, and the move is made first. */
static bool read_whole_node(struct reader *r)
{
	const char *node = r->at;
	if (!read_node(r, read_property))
		return false;
	if (!r->take)
		return true;
	r->at = node;
	return read_node(r, give);
}

/* Goes behind the first "(;", blanks between the two or not; false: there is none. */
static bool find_root(struct reader *r)
{
	while ((r->at = strchr(r->at, '('))) {
		r->at++;
		skip_space(r);
		if (*r->at == ';') {
			r->at++;
			return true;
		}
	}
	return false;
}

/* Reads from the root to the end of the main line, which is the first ")" after it. */
static bool read_game(struct reader *r)
{
	if (!find_root(r))
		return refuse(r, "no game begins here");
	const char *root = r->at;
	if (!read_node(r, read_kind))
		return false;
	if (!r->game)
		return refuse(r, "neither GM[2] nor GN tells which game this is");
	r->at = root;
	while (read_whole_node(r)) {
		/* Of several variations the first is the main line. */
		while (*r->at == '(' || isspace((unsigned char)*r->at))
			r->at++;
		if (*r->at == ')')
			return start(r, -1);
		if (*r->at != ';')
			return *r->at ? refuse(r, "unexpected '%c'", *r->at)
				      : refuse(r, "the game has no end");
		r->at++;
	}
	return false;
}

static bool parse(struct record *record, const char *text, int before,
		  void (*take)(void *, int, const char *, const char *), void *arg,
		  char why[REASON_MAX])
{
	struct record read;
	struct reader r = {
		.at = text,
		.record = &read,
		.why = why,
		.side = -1,
		.before = before,
		.take = take,
		.arg = arg,
		.value = xmalloc(strlen(text) + 1),
	};
	record_init(&read, record->game);
	bool done = read_game(&r);
	struct record *unwanted = done ? record : &read;
	record_free(unwanted);
	free(r.value);
	if (done)
		*record = read;
	return done;
}

bool sgf_parse(struct record *record, const char *text, int before, char why[REASON_MAX])
{
	return parse(record, text, before, NULL, NULL, why);
}

bool sgf_parse_with(struct record *record, const char *text,
		    void (*take)(void *, int, const char *, const char *), void *arg,
		    char why[REASON_MAX])
{
	return parse(record, text, INT_MAX, take, arg, why);
}

size_t sgf_length(const char *text)
{
	struct reader r = { .at = text };
	int open = 1;
	if (!find_root(&r))
		return 0;
	for (; open && *r.at; r.at++) {
		open += (*r.at == '(') - (*r.at == ')');
		if (*r.at != '[')
			continue;
		for (r.at++; *r.at && *r.at != ']'; r.at++)
			r.at += *r.at == '\\' && r.at[1];
		if (!*r.at)
			break;
	}
	return (size_t)(r.at - text);
}
