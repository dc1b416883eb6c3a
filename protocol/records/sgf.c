/* SPDX-License-Identifier: MIT
 *
 * The reader of SGF. It parses the text once for each possible game and row order, until all moves are legal. It
 * collects the root's set-up in a board and applies it before the first move, because the properties of a
 * node have no order.
 */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/base/version.h"
#include "engine/rules/formats.h"
#include "engine/rules/komi.h"
#include "engine/rules/square.h"
#include "engine/rules/swap.h"
#include "engine/rules/words.h"
#include "games/games.h"
#include "protocol/records/frame_points.h"
#include "protocol/records/go_rules.h"
#include "protocol/records/sgf_private.h"

#define VALUE_MAX       64   /* bytes of meaningful values */
#define SGF_NAME_MAX    8    /* bytes of the name of a property */
#define SIZE_MOST       1000 /* larger numbers in SZ are no sizes */
#define KOMI_HUNDREDTHS 200  /* KM is in hundredths from this on */
#define KOMI_FOX        50   /* in records of the Fox server from this on */
#define KOMI_STONES     5 /* hundredths and quarters below this are of stones, which count twice */

/* The program that AP names. */
enum writer {
	WRITER_UNNAMED,
	WRITER_GOGUI,  /* its window, which writes all games on a board of Go or of hexagons */
	WRITER_OF_GTP, /* GoGui's tools or gomill, which write the points of GTP on a board of Go */
	WRITER_OWN,
	WRITER_OTHER
};

/* Properties of the root that tell the game and its form. */
struct kind {
	const struct game *named;      /* by GN; NULL: GN names none of ours */
	const struct game *numbered;   /* the game that GM names, in SGF's own form; or NULL */
	bool is_go;                    /* GM[1], which programs for Go write for other games too */
	int cols, rows;                /* SZ, 0: none, -1: malformed */
	int called;                    /* what players call the size, if GN has that; else 0 */
	char rules[GAME_NAME_MAX + 1]; /* RU, if it is short */
	enum writer writer;
	bool is_fox; /* AP names the Fox server, which writes komi in hundredths */
	char columns; /* of points with letter and number in Gomoku: 'w' with I, 'n' without; 0: unknown */
	bool is_golem;            /* SO names LittleGolem, whose records have no GM */
	bool is_inverted;         /* White moves first and is our Black */
	const struct game *ruled; /* Go by the rules that RU names, in its usual size; or NULL */
	const char *lacking;      /* what `ruled` does not play of these rules; or NULL */
	const struct game *event; /* the game that begins EV, as LittleGolem has it; or NULL */
};

#define NO_KOMI       INT_MIN
#define GO_USUAL_SIZE 19 /* if SZ is missing */

struct sgf_reader {
	const char *at; /* next character */
	enum sgf_set set;
	struct record *record;
	char *why;
	char *value; /* last value read; has room for the whole text */
	struct kind kind;
	/* The current attempt. */
	const struct game *game;
	bool is_other_swap; /* a swap is read in the other way than the next mover tells */
	bool from_bottom;   /* rows of two-letter points count from the bottom */
	bool framed;        /* points are on GoGui's frame for Pentago */
	/* State of the current attempt. */
	char board[POSITION_TEXT_MAX];
	int side;                   /* PL, or -1 */
	int komi;                   /* KM in half points, or NO_KOMI */
	int handicap;               /* HA; from 2 on White has the first move */
	int turn;                   /* PL of a node after the first move, or -1 */
	bool has_board;             /* board differs from the normal start */
	bool started;               /* the record is set up; moves follow */
	bool is_placing;            /* board is to be set up, after the first move */
	bool in_root;               /* the node that is read is the root */
	bool has_swap;              /* a swap was read */
	bool tells_columns;         /* how they are read is said */
	bool with_i;                /* the columns of letters and numbers count I */
	bool may_fall;              /* a disc may be named above where it falls */
	bool has_usual;             /* a handicap is on the usual points */
	bool lacks_usual;           /* it is not: a move is on one of its stones */
	bool is_cut;                /* the text ends in the middle of a value */
	int moves;                  /* number of moves so far, without those of set-up */
	char guesses[REASON_MAX];   /* what was not clear, in words */
	char placed[MOVE_TEXT_MAX]; /* in the frame: the pending placement, or "" */

	const char *furthest; /* `at` when `why` was written */
	int before;
	void (*take)(void *arg, int moves, const char *name, const char *value); /* or NULL */
	void *arg;
	bool is_wish;     /* the caller's game is one that somebody has asked for this text */
	const char *text; /* that contains the root */
	const char *root;
	struct sgf_nodes *nodes; /* receives the nodes of the main line, or NULL */
	bool has_letters;        /* a move or a set-up is a point of two letters */
};

/* Writes the reason of a failure. Of several attempts, the reason of the one that read furthest is kept. */
__attribute__((format(PRINTF, 2, 3))) static bool sgf_refuse(struct sgf_reader *r,
							     const char *format, ...)
{
	va_list args;
	if (*r->why && r->at < r->furthest)
		return false;
	r->furthest = r->at;
	va_start(args, format);
	vsnprintf(r->why, REASON_MAX, format, args);
	va_end(args);
	return false;
}

/* Notes how something was read that is not clear. */
__attribute__((format(PRINTF, 2, 3))) static void sgf_guess(struct sgf_reader *r,
							    const char *format, ...)
{
	va_list args;
	char text[REASON_MAX];
	size_t length = strlen(r->guesses);
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (!strstr(r->guesses, text))
		snprintf(r->guesses + length, REASON_MAX - length, "%s%s", length ? "; " : "",
			 text);
}

static void sgf_skip_space(struct sgf_reader *r)
{
	while (isspace((unsigned char)*r->at))
		r->at++;
}

/* Reads "[value]", resolves escapes and trims blanks. Some sites do not escape a bracket at the end of a name. Returns false
 * if there is no value, or if the text ends before the value does. */
static bool sgf_read_value(struct sgf_reader *r)
{
	char *value = r->value;
	size_t n = 0;
	sgf_skip_space(r);
	if (*r->at != '[')
		return false;
	size_t length;
	for (r->at++; *r->at && *r->at != ']'; r->at += length) {
		length = sgf_value_next(r->set, &r->at);
		if (!n && isspace((unsigned char)*r->at))
			continue;
		memcpy(value + n, r->at, length);
		n += length;
	}
	while (n && isspace((unsigned char)value[n - 1]))
		n--;
	value[n] = '\0';
	r->is_cut = !*r->at;
	while (*r->at == ']')
		r->at++;
	return !r->is_cut;
}

/* Reads the name of a property. Small letters do not count, as in old files; a name of small letters is read as one of
 * capitals. Returns false if there is no name. */
static bool sgf_read_name(struct sgf_reader *r, char name[SGF_NAME_MAX])
{
	const char *begin = r->at;
	size_t n = 0;
	while (isalnum((unsigned char)*r->at) && isalpha((unsigned char)*begin))
		r->at++;
	for (int any = 0; any < 2 && !n; any++)
		for (const char *c = begin; c < r->at && n < SGF_NAME_MAX - 1; c++)
			if (any || !islower((unsigned char)*c))
				name[n++] = (char)toupper((unsigned char)*c);
	name[n] = '\0';
	return n > 0;
}

/* Takes the blanks out of the last value, which is a move or a point. */
static void sgf_squeeze(struct sgf_reader *r)
{
	char *to = r->value;
	for (const char *c = r->value; *c; c++)
		if (!isspace((unsigned char)*c))
			*to++ = *c;
	*to = '\0';
}

/* Returns true for a point of two letters, small ones by the definition of SGF. */
static bool sgf_is_letters(const char *text)
{
	return isalpha((unsigned char)text[0]) && isalpha((unsigned char)text[1]);
}

/* Reads a letter and a number, as square_parse(), where the letters count I. */
static const char *sgf_parse_with_i(const struct game *g, const char *text, int *row, int *col)
{
	char name[SQUARE_TEXT_MAX];
	snprintf(name, sizeof name, "%s", text);
	*name = (char)(*name + (tolower((unsigned char)*name) >= 'i'));
	const char *rest = square_parse(g, name, row, col);
	return rest ? text + (rest - name) : NULL;
}

/* Reads a point as two letters or in the game's notation. Returns the text after it, or NULL if it is
 * malformed or off the board. */
static const char *sgf_read_point(const struct sgf_reader *r, const char *text, int *row, int *col)
{
	const struct game *g = r->game;
	if (!sgf_is_letters(text))
		return r->with_i ? sgf_parse_with_i(g, text, row, col)
				 : square_parse(g, text, row, col);
	*col = tolower((unsigned char)text[0]) - 'a' - r->framed;
	*row = tolower((unsigned char)text[1]) - 'a' - r->framed;
	if (r->from_bottom)
		*row = square_row(g, (r->kind.rows ? r->kind.rows : g->board.rows) - *row);
	return *row >= 0 && *row < g->board.rows && *col >= 0 && *col < g->board.cols ? text + 2
										      : NULL;
}

static void order(int *low, int *high)
{
	int first = *low;
	if (first > *high) {
		*low = *high;
		*high = first;
	}
}

/* Begins a set-up after the first move, unless one has begun in this node. */
static void sgf_begin_placing(struct sgf_reader *r)
{
	if (r->is_placing)
		return;
	game_position(r->game, &r->record->now, r->board);
	r->board[r->game->board.rows * r->game->board.cols] = '\0';
	r->is_placing = r->has_board = true;
}

/* Removes the chain of a stone from the board of Go that is to be set up, if it has no liberty. Returns the number of its
 * stones, or 0. */
static int sgf_capture(struct sgf_reader *r, int square)
{
	const char mark = r->board[square];
	bool is_seen[GAME_SQUARES_MAX] = { false };
	int chain[GAME_SQUARES_MAX], near[4], count = 0;
	chain[count++] = square;
	is_seen[square] = true;
	for (int i = 0; i < count; i++) {
		const int sides = square_neighbors(r->game, chain[i], near);
		for (int k = 0; k < sides; k++) {
			if (r->board[near[k]] == '.')
				return 0;
			if (is_seen[near[k]] || r->board[near[k]] != mark)
				continue;
			is_seen[near[k]] = true;
			chain[count++] = near[k];
		}
	}
	for (int i = 0; i < count; i++)
		r->board[chain[i]] = '.';
	return count;
}

/* The same for all stones of a side. Returns the number of stones. */
static int sgf_capture_all(struct sgf_reader *r, int side)
{
	int count = 0;
	for (int i = 0; r->board[i]; i++)
		if (r->board[i] == (side == BLACK ? 'X' : 'O'))
			count += sgf_capture(r, i);
	return count;
}

/* Makes a state of r->board. Chains of Go without a liberty are removed, those of the side to move first. Returns NULL, or why
 * there is no such position. */
static const char *sgf_make_state(struct sgf_reader *r, struct state *state, int side)
{
	const char *mover = side == BLACK ? "X" : "O";
	const char *reason = game_setup(r->game, state, r->board, mover);
	int count = 0;
	if (reason && r->game->komi)
		count = sgf_capture_all(r, side) + sgf_capture_all(r, side ^ 1);
	if (!count)
		return reason;
	sgf_guess(r, "the position after move %d: %d %s removed", r->moves, count,
		  count == 1 ? "stone without a liberty is" : "stones without a liberty are");
	return game_setup(r->game, state, r->board, mover);
}

/* Sets up r->board after the first move. `side` is to move; -1: it is open. */
static bool sgf_set_up(struct sgf_reader *r, int side)
{
	struct record *record = r->record;
	struct state state;
	int mover = side >= 0 ? side : record->now.side;
	const char *reason = sgf_make_state(r, &state, mover);
	if (reason && side < 0)
		reason = sgf_make_state(r, &state, mover ^ 1);
	if (reason || !record_play_setup(record, &state))
		return sgf_refuse(r, "the position after move %d: %s", r->moves,
				  reason ? reason : "there are too many set-ups");
	return true;
}

/* Sets up the board of this node unless it is there already. */
static bool sgf_place(struct sgf_reader *r, int side)
{
	char now[POSITION_TEXT_MAX];
	if (!r->is_placing)
		return true;
	r->is_placing = false;
	game_position(r->game, &r->record->now, now);
	return strncmp(now, r->board, strlen(r->board)) == 0 || sgf_set_up(r, side);
}

/* The first move after a set-up tells the side to move. */
static void sgf_turn_setup(struct sgf_reader *r, int side)
{
	struct record *record = r->record;
	struct state state;
	char now[POSITION_TEXT_MAX];
	if (!record->count || record_last_setup(record) != record->count ||
	    record->now.side == side)
		return;
	game_position(r->game, &record->now, now);
	now[r->game->board.rows * r->game->board.cols] = '\0';
	if (game_setup(r->game, &state, now, side == BLACK ? "X" : "O"))
		return;
	record_shorten(record, record->count - 1);
	record_play_setup(record, &state);
}

/* AB, AW, AE: a point, or a rectangle between two corners. */
static bool set_points(struct sgf_reader *r, const char *value, char mark)
{
	int row, col, row_end, col_end;
	const char *rest = sgf_read_point(r, value, &row, &col);
	row_end = row;
	col_end = col;
	if (rest && *rest == ':')
		rest = sgf_read_point(r, rest + 1, &row_end, &col_end);
	if (!rest || *rest)
		return sgf_refuse(r, "'%s' is not a point", value);
	order(&row, &row_end);
	order(&col, &col_end);
	if (r->started)
		sgf_begin_placing(r);
	/* In SGF's own form set-up changes the normal start; in other forms it starts from an
	 * empty board. */
	for (char *c = r->board; !r->has_board && !r->kind.numbered && *c; c++)
		*c = *c == ':' ? ':' : '.';
	for (int y = row; y <= row_end; y++)
		for (int x = col; x <= col_end; x++)
			r->board[y * r->game->board.cols + x] = mark;
	r->has_board = true;
	r->has_letters |= sgf_is_letters(value);
	return true;
}

/* POS, a property of our own for games with pieces: position text. */
static bool sgf_set_position(struct sgf_reader *r, const char *value)
{
	const size_t squares = (size_t)(r->game->board.rows * r->game->board.cols);
	if (strcspn(value, " ") != squares || strlen(value) != squares + 2)
		return sgf_refuse(r, "'%s' is not a position", value);
	if (r->started)
		sgf_begin_placing(r);
	memcpy(r->board, value, squares);
	r->has_board = true;
	if (r->started)
		r->turn = value[squares + 1] == 'O' ? WHITE : BLACK;
	else
		r->side = value[squares + 1] == 'O' ? WHITE : BLACK;
	return true;
}

/* Sets up a handicap of which HA tells only the number of stones. */
static void sgf_place_handicap(struct sgf_reader *r)
{
	const struct game *g = r->game;
	int squares[GAME_SQUARES_MAX];
	int count = g->komi ? g->komi->handicap(g, r->handicap, squares) : 0;
	if (count != r->handicap || r->lacks_usual) {
		sgf_guess(r, "no stones of the handicap of %d are on the board%s", r->handicap,
			  r->lacks_usual ? ": a move is on one of the usual points" : "");
		return;
	}
	for (int i = 0; i < count; i++)
		r->board[squares[i]] = 'X';
	r->has_board = r->has_usual = true;
	sgf_guess(r, "the %d stones of the handicap are on the usual points", count);
}

/* Sets up the record before the first move; later calls do nothing. `mover` is the side of that move, -1 if
 * there is none. */
static bool sgf_start(struct sgf_reader *r, int mover)
{
	struct state state;
	bool has_handicap = r->handicap > 1;
	if (r->started)
		return true;
	r->started = true;
	if (has_handicap && !r->has_board && mover != BLACK)
		sgf_place_handicap(r);
	if (!r->has_board && (r->side < 0 || r->side == r->record->now.side))
		return true;
	int first = has_handicap ? WHITE : BLACK;
	int side = r->side >= 0 ? r->side : mover >= 0 ? mover : first;
	const char *reason = sgf_make_state(r, &state, side);
	if (reason && r->side < 0 && mover < 0)
		reason = sgf_make_state(r, &state, WHITE);
	if (reason)
		return sgf_refuse(r, "the position: %s", reason);
	record_setup(r->record, &state);
	return true;
}

static bool play_vertex(struct sgf_reader *r, int side, const char *vertex)
{
	char to[MOVE_TEXT_MAX];
	if (record_moves_on(r->record, vertex, to)) {
		if (!r->may_fall)
			return sgf_refuse(r, "move %d, %s, is not legal: it would fall to %s",
					  r->moves, vertex, to);
		sgf_guess(r, "move %d, %s, is read as %s", r->moves, vertex, to);
	}
	enum move_check check = record_follow_text(r->record, side, vertex);
	if (check == MOVE_REPEATS)
		sgf_guess(r, "move %d, %s, brings back an earlier position", r->moves, vertex);
	const char *ban = check == MOVE_ILLEGAL ? words_ban(r->game, &r->record->now, vertex)
						: NULL;
	/* Programs that let Black play such a move call it a loss. */
	if (ban) {
		sgf_guess(r, "the game is read up to move %d, %s: %s", r->moves, vertex, ban);
		r->before = r->moves;
		return true;
	}
	return move_check_follows(check) ||
	       sgf_refuse(r, "move %d, %s, is not legal", r->moves, vertex);
}

/* Returns the game's letter of the turn at a point of GoGui's frame, '\0' if it has none. */
static char read_turn(const struct game *g, const char *value)
{
	if (!value[0] || !value[1] || value[2])
		return '\0';
	move_t step = frame_step(g, value[1] - 'a', value[0] - 'a');
	return step != MOVE_NONE && frame_is_turn(g, step)
		       ? g->board.turns[step - g->board.rows * g->board.cols]
		       : '\0';
}

/* Plays the pending placement with its turn. */
static bool sgf_play_turn(struct sgf_reader *r, int side, const char *value)
{
	char vertex[MOVE_TEXT_MAX + 1];
	snprintf(vertex, sizeof vertex, "%s%c", r->placed, read_turn(r->game, value));
	r->placed[0] = '\0';
	return play_vertex(r, side, vertex);
}

/* Plays a placement that wins, and is therefore a whole move. Any other placement becomes pending. */
static bool sgf_play_placement(struct sgf_reader *r, int side, int row, int col)
{
	const struct state *now = &r->record->now;
	char vertex[SQUARE_TEXT_MAX];
	sgf_format_square(r->game, row, col, vertex);
	if (record_play_text(r->record, side, vertex) == MOVE_OK)
		return true;
	if (now->over || now->side != side || r->game->at(r->game, now, row, col) != '.')
		return sgf_refuse(r, "move %d, %s, is not legal", r->moves, vertex);
	strcpy(r->placed, vertex);
	return true;
}

/* Returns true for the pass of SGF, of FF[3] on boards up to 19x19, of GGF, which some files of Othello have, and for the
 * point behind the last row and column. The value is no point of the board. */
static bool is_pass(const struct game *g, const char *value)
{
	const char behind[] = { (char)('a' + g->board.cols), (char)('a' + g->board.rows), '\0' };
	return !*value || strcmp(value, "tt") == 0 || strcmp(value, behind) == 0 ||
	       (formats_of(g)->ggf_gm && strcasecmp(value, "pa") == 0);
}

/* Returns true for what programs write in place of a move when a player gives up. The record has only moves. */
static bool is_resignation(const char *value)
{
	return strcasecmp(value, "resign") == 0 || strcasecmp(value, "forfeit") == 0;
}

/* Returns true for the name of a property that is a move. */
static bool sgf_is_move(const char *name)
{
	return strcmp(name, "B") == 0 || strcmp(name, "W") == 0;
}

static int sgf_find_side(const struct sgf_reader *r, const char *name)
{
	return (*name == 'B') != r->kind.is_inverted ? BLACK : WHITE;
}

/* Finds the next move of the main line, behind the value that was read last, which is lost. Its value becomes the last
 * one. Returns its side, -1 if there is none. */
static int sgf_find_next(const struct sgf_reader *r)
{
	struct sgf_reader ahead = *r;
	char name[SGF_NAME_MAX] = "";
	for (;;) {
		while (isspace((unsigned char)*ahead.at) || (*ahead.at && strchr("(;", *ahead.at)))
			ahead.at++;
		if (!sgf_read_name(&ahead, name))
			return -1;
		while (sgf_read_value(&ahead))
			if (sgf_is_move(name) && !is_resignation(ahead.value))
				return sgf_find_side(&ahead, name);
	}
}

/* Returns true for the words of White's swap, such as swap-pieces. */
static bool sgf_is_swap(const struct sgf_reader *r, const char *value)
{
	return strncasecmp(value, "swap", 4) == 0 && game_can_swap(r->game, &r->record->now);
}

/* White takes over Black's first move: the stone is White's now and lies at the mirrored point, and Black moves; or the
 * players exchange their colours, all stones stay, and White moves. Programs use the same word for both; the next move
 * tells. */
static bool sgf_play_swap(struct sgf_reader *r, const char *value)
{
	bool names_sides = text_has_part(value, "sides");
	int next = sgf_find_next(r);
	r->has_swap = true;
	if ((next >= 0 ? next == WHITE : names_sides) == r->is_other_swap) {
		if (names_sides || r->is_other_swap)
			sgf_guess(r, "move 2 is read as a swap of the stone");
		return play_vertex(r, WHITE, SWAP_TEXT);
	}
	if (!names_sides)
		sgf_guess(r, "move 2 is read as a swap of sides");
	record_play_sides(r->record);
	return true;
}

/* Returns true if a stone is on a square on which one of the handicap was set up. */
static bool sgf_is_usual(const struct sgf_reader *r, int square)
{
	int squares[GAME_SQUARES_MAX];
	int count = r->game->komi->handicap(r->game, r->handicap, squares);
	for (int i = 0; i < count; i++)
		if (squares[i] == square)
			return r->game->at(r->game, &r->record->now, square / r->game->board.cols,
					   square % r->game->board.cols) != '.';
	return false;
}

/* By the definition of SGF a move of Go that is not legal, such as one on a stone, is made all the same, and captures: first
 * stones of the other side, then those of its own that are left without a liberty. */
static bool sgf_force(struct sgf_reader *r, int side, int row, int col, const char *vertex)
{
	const struct game *g = r->game;
	if (!g->komi)
		return false;
	if (r->has_usual && sgf_is_usual(r, row * g->board.cols + col))
		return sgf_refuse(r, "move %d, %s, is on a stone of the handicap", r->moves,
				  vertex);
	sgf_begin_placing(r);
	r->board[row * g->board.cols + col] = side == BLACK ? 'X' : 'O';
	sgf_capture_all(r, side ^ 1);
	bool is_suicide = sgf_capture_all(r, side);
	r->is_placing = false;
	if (!sgf_set_up(r, side ^ 1))
		return sgf_refuse(r, "move %d, %s, is not legal", r->moves, vertex);
	sgf_guess(r, "move %d, %s, is not legal, it is made all the same%s", r->moves, vertex,
		  is_suicide ? ": its stones are removed" : "");
	return true;
}

/* Reads the squares of a move of a game with pieces, two letters each. Returns false if the value is no such move. */
static bool sgf_read_way(struct sgf_reader *r, const char *value, char vertex[VALUE_MAX])
{
	size_t n = 0;
	int row, col;
	for (*vertex = '\0'; *value; n = strlen(vertex)) {
		if (!r->game->board.pieces || !sgf_is_letters(value) ||
		    n + SQUARE_TEXT_MAX > VALUE_MAX ||
		    !(value = sgf_read_point(r, value, &row, &col)))
			return false;
		sgf_format_square(r->game, row, col, vertex + n);
	}
	return true;
}

static bool sgf_play(struct sgf_reader *r, int side, const char *value)
{
	char vertex[VALUE_MAX];
	int row, col;
	if (!sgf_start(r, side) || !sgf_place(r, r->turn))
		return false;
	if (is_resignation(value))
		return true;
	r->moves += *r->placed == '\0';
	if (r->moves >= r->before)
		return true;
	sgf_turn_setup(r, side);
	if (sgf_is_swap(r, value))
		return sgf_play_swap(r, value);
	if (*r->placed)
		return sgf_play_turn(r, side, value);
	const char *rest = sgf_read_point(r, value, &row, &col);
	bool is_point = rest && !*rest;
	r->has_letters |= is_point && sgf_is_letters(value);
	if (is_point && r->framed)
		return sgf_play_placement(r, side, row, col);
	if (r->with_i && !is_point && isdigit((unsigned char)value[*value != '\0']))
		return sgf_refuse(r, "move %d, %s, is not legal", r->moves, value);
	if (is_point)
		sgf_format_square(r->game, row, col, vertex);
	else if (is_pass(r->game, value))
		strcpy(vertex, "pass");
	else if (!sgf_read_way(r, value, vertex))
		snprintf(vertex, sizeof vertex, "%s", value);
	if (!is_point && sgf_is_letters(value) && *value == 'a' + r->game->board.cols &&
	    r->game->board.cols < GO_USUAL_SIZE)
		sgf_guess(r, "%s is read as a pass", value);
	return play_vertex(r, side, vertex) || (is_point && sgf_force(r, side, row, col, vertex));
}

/* Reads GN[yomi GAME RULES] or GN[yomi GAME RULES SIZE]; ignores any other name. */
static bool read_game_name(struct sgf_reader *r, const char *value)
{
	char name[VALUE_MAX], rules[VALUE_MAX];
	if (sscanf(value, VERSION_NAME " %63s %63s %4d", name, rules, &r->kind.called) < 2)
		return true;
	r->kind.named = game_find(name, rules);
	return r->kind.named || sgf_refuse(r, "unknown game %s %s", name, rules);
}

#define GM_GO 1

/* Returns the first game that has this number in SGF and, unless `rows` is 0, this size. NULL: there is none. */
static const struct game *find_number(int number, int rows, int cols)
{
	for (int i = 0; games[i]; i++)
		if (formats_of(games[i])->sgf_gm == number)
			return rows ? game_sized(games[i], rows, cols) : games[i];
	return NULL;
}

/* Reads GM. */
static bool read_game_number(struct sgf_reader *r, const char *value)
{
	int number = atoi(value);
	r->kind.is_go = number == GM_GO;
	if (!r->kind.is_go)
		r->kind.numbered = number > 0 ? find_number(number, 0, 0) : NULL;
	return r->kind.is_go || r->kind.numbered || sgf_refuse(r, "GM[%s] is another game", value);
}

/* Reads AP. */
static enum writer find_writer(const char *application)
{
	static const struct {
		const char *name;
		enum writer writer;
	} rows[] = { { "gogui-", WRITER_OF_GTP },
		     { "gogui", WRITER_GOGUI },
		     { "gomill", WRITER_OF_GTP },
		     { VERSION_NAME, WRITER_OWN } };
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strncasecmp(application, rows[i].name, strlen(rows[i].name)) == 0)
			return rows[i].writer;
	return WRITER_OTHER;
}

/* Returns true if the program writes all games on Go boards, as GoGui and gomill do. */
static bool sgf_uses_go_boards(enum writer writer)
{
	return writer == WRITER_GOGUI || writer == WRITER_OF_GTP;
}

/* yomi uses Go boards when it writes for GoGui, without GM. */
static bool is_on_go_board(const struct kind *k)
{
	return sgf_uses_go_boards(k->writer) || (k->writer == WRITER_OWN && !k->is_go);
}

/* Go's boards have row 1 at the bottom. Hexagons in GoGui's window have the rows of the game from the top. */
static bool counts_from_bottom(const struct kind *k, const struct game *g)
{
	return is_on_go_board(k) && (g->board.kind != BOARD_HEXAGONS || k->writer == WRITER_OF_GTP);
}

/* Programs for Go write GM[1] for other games, too. That is believed of those that are known for it, and where somebody has
 * asked for another game. yomi writes it for Go alone. */
static bool is_surely_go(const struct sgf_reader *r)
{
	enum writer writer = r->kind.writer;
	return r->kind.is_go &&
	       (writer == WRITER_OWN || (!sgf_uses_go_boards(writer) && !r->is_wish));
}

/* Reads SZ: "8", or "7:6" for 7 columns and 6 rows. */
static void read_size(struct kind *k, const char *value)
{
	const char *colon = strchr(value, ':');
	long cols = strtol(value, NULL, 10), rows = colon ? strtol(colon + 1, NULL, 10) : cols;
	bool is_size = cols > 0 && cols <= SIZE_MOST && rows > 0 && rows <= SIZE_MOST;
	k->cols = is_size ? (int)cols : -1;
	k->rows = is_size ? (int)rows : -1;
}

/* The game whose name begins an event of LittleGolem, such as havannah.in.size4.4 or go19.ch.10.4.3; or NULL. */
static const struct game *find_event(const char *event)
{
	char name[GAME_NAME_MAX + 1];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(event, ".0123456789"), event);
	return game_find(name, NULL);
}

/* Reads RU: a rule set of ours, or a name that programs for Go write. Others are left out. */
static void sgf_read_rules(struct kind *k, const char *value)
{
	const struct game *go = find_number(GM_GO, 0, 0), *own = game_find(go->name, value);
	struct go_rules rules;
	if (own)
		k->ruled = own;
	else if (rules_read_text(value, &rules))
		k->ruled = rules_game(&rules, go, &k->lacking);
}

/* Reads a root property that tells the game or its form. Must see the whole root before anything else is
 * read. */
static bool read_kind(struct sgf_reader *r, const char *name, const char *value)
{
	struct kind *k = &r->kind;
	if (strcmp(name, "GN") == 0)
		return read_game_name(r, value);
	if (strcmp(name, "SZ") == 0)
		read_size(k, value);
	else if (strcmp(name, "AP") == 0) {
		k->writer = find_writer(value);
		k->is_fox |= text_has_part(value, "foxwq");
	} else if (strcmp(name, "YC") == 0) {
		k->columns = *value;
	} else if (strcmp(name, "RU") == 0) {
		snprintf(k->rules, sizeof k->rules, "%s", value);
		sgf_read_rules(k, value);
	} else if (strcmp(name, "SO") == 0)
		k->is_golem = text_has_part(value, "littlegolem");
	else if (strcmp(name, "EV") == 0)
		k->event = find_event(value);
	else if (strcmp(name, "GM") == 0 && *value)
		return read_game_number(r, value);
	return true;
}

static bool is_whole(double number)
{
	return number == rint(number);
}

/* Reads a whole number of at most six digits. Returns false if there is none. */
static bool sgf_read_digits(const char **text, double *number)
{
	const char *begin = *text;
	for (*number = 0; isdigit((unsigned char)**text) && *text - begin < 6; ++*text)
		*number = 10 * *number + (**text - '0');
	return *text > begin;
}

/* Reads a fraction behind a number: a half, or one such as 3/4, perhaps after a blank or the Chinese word for "and". */
static double sgf_read_fraction(const char **text)
{
	static const struct {
		const char *sign;
		double value;
	} rows[] = { { "\u00bd", .5 }, { "\u00bc", .25 }, { "\u00be", .75 }, { "\u534a", .5 } };
	const char *at = *text;
	double part, whole;
	at += strncmp(at, "\u53c8", 3) == 0 ? 3 : strspn(at, " ");
	if (sgf_read_digits(&at, &part) && *at++ == '/' && sgf_read_digits(&at, &whole) &&
	    whole > 0) {
		*text = at;
		return part / whole;
	}
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		/* "6 points and a half" has the unit in between. */
		const char *sign = strstr(*text, rows[i].sign);
		if (sign && !strpbrk(*text, "0123456789")) {
			*text = sign + strlen(rows[i].sign);
			return rows[i].value;
		}
	}
	return 0;
}

/* Copies a number with digits and marks of ASCII in place of full-width ones and of the first ten of China and Japan. */
static void sgf_plain_number(const char *value, char text[VALUE_MAX])
{
	static const char *const digits[] = { "\u3007", "\u4e00", "\u4e8c", "\u4e09", "\u56db",
					      "\u4e94", "\u516d", "\u4e03", "\u516b", "\u4e5d" };
	size_t n = 0;
	while (*value && n < VALUE_MAX - 1) {
		const unsigned char *c = (const unsigned char *)value;
		int found = -1;
		/* U+FF0B to U+FF19 are + , - . / and the digits. */
		if (c[0] == 0xef && c[1] == 0xbc && c[2] >= 0x8b && c[2] <= 0x99)
			found = '+' + c[2] - 0x8b;
		for (int k = 0; k < 10 && found < 0; k++)
			if (strncmp(value, digits[k], 3) == 0)
				found = '0' + k;
		text[n++] = found >= 0 ? (char)found : *value;
		value += found >= 0 ? 3 : 1;
	}
	text[n] = '\0';
}

/* Reads the number of KM: 6.5, 6,5, .5, 6 1/2. Returns false if it is not clear. */
static bool sgf_read_points(const char *value, double *points)
{
	const char *at = value + (*value == '-' || *value == '+');
	double part = 0;
	if (!sgf_read_digits(&at, points) &&
	    !(*at && strchr(".,", *at) && isdigit((unsigned char)at[1])))
		return false;
	if (*at == '.' || *at == ',') {
		const char *begin = ++at;
		sgf_read_digits(&at, &part);
		*points += part / pow(10, (double)(at - begin));
		at += strspn(at, "0");
	} else {
		*points += sgf_read_fraction(&at);
	}
	*points *= *value == '-' ? -1 : 1;
	/* A unit may follow. */
	return !strpbrk(at, "0123456789");
}

/* Reads KM. Programs write all sorts of komi. In China 3.75 stands for stones, which is 7.5 points, and some servers write
 * hundredths, such as 375. */
static bool sgf_read_komi(struct sgf_reader *r, const char *value)
{
	double komi;
	char plain[VALUE_MAX] = "";
	sgf_plain_number(value, plain);
	bool is_clear = sgf_read_points(plain, &komi);
	int least = r->kind.is_fox ? KOMI_FOX : KOMI_HUNDREDTHS;
	bool is_hundredths = is_clear && fabs(komi) >= least;
	komi /= is_hundredths ? 100 : 1;
	bool is_stones = strstr(value, "\u5b50") || !is_whole(2 * komi) ||
			 (is_hundredths && fabs(komi) >= 2);
	if (is_stones && fabs(komi) < KOMI_STONES)
		komi *= 2;
	if (is_clear && fabs(komi) <= GAME_SCORE_MAX && is_whole(2 * komi))
		r->komi = (int)(2 * komi);
	else if (*value && r->game->komi)
		sgf_guess(r, "komi '%.20s' is not clear, the usual one counts", value);
	return true;
}

/* What a property of set-up puts on its points: AA is an arrow of Amazons. '\0': it is another property. */
static char sgf_mark(const struct game *g, const char *name)
{
	static const char *const names[] = { "AB", "AW", "AA" };
	for (int side = BLACK; side <= PIECE_NEUTRAL; side++)
		if (strcmp(name, names[side]) == 0)
			return board_stone(&g->board, side);
	return strcmp(name, "AE") == 0 ? '.' : '\0';
}

static bool sgf_read_property(struct sgf_reader *r, const char *name, const char *value)
{
	if (strcmp(name, "KM") == 0)
		return sgf_read_komi(r, value);
	if (strcmp(name, "HA") == 0)
		r->handicap = atoi(value);
	if (sgf_is_move(name) || *name == 'A')
		sgf_squeeze(r);
	if (sgf_is_move(name))
		return sgf_play(r, sgf_find_side(r, name), value);
	if (strcmp(name, "POS") == 0)
		return r->moves >= r->before || sgf_set_position(r, value);
	const char mark = sgf_mark(r->game, name);
	if (!mark && strcmp(name, "PL") != 0)
		return true;
	int side = *value && strchr("Ww2", *value) ? WHITE : BLACK;
	/* What follows the wanted moves is not read. */
	if (r->moves >= r->before)
		return true;
	if (mark)
		return set_points(r, value, mark);
	if (r->started)
		r->turn = side;
	else
		r->side = side;
	return true;
}

/* Reads the properties of one node and calls `take` with each value. */
static bool read_node(struct sgf_reader *r,
		      bool (*take)(struct sgf_reader *, const char *, const char *))
{
	char name[SGF_NAME_MAX];
	for (sgf_skip_space(r); sgf_read_name(r, name); sgf_skip_space(r)) {
		if (!sgf_read_value(r))
			return r->is_cut || sgf_refuse(r, "property %s has no value", name);
		do
			if (!take(r, name, r->value))
				return false;
		while (sgf_read_value(r));
	}
	return true;
}

/* Returns true for properties of a move; all others of a root tell about the game. */
static bool is_of_move(const char *name)
{
	static const char *const names[] = {
		"B", "W", "C", "N", "V", "YT", "BL", "WL", "OB", "OW"
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Some programs write the first move into the root. */
static bool sgf_give(struct sgf_reader *r, const char *name, const char *value)
{
	bool is_of_game = r->in_root && !is_of_move(name);
	r->take(r->arg, is_of_game ? 0 : r->record->count, name, value);
	return true;
}

/* After the first move PL must name a side that can move. The next move tells whether it does. Behind the last one PL sets up
 * the side. */
static bool check_turn(struct sgf_reader *r)
{
	struct record *record = r->record;
	if (r->turn < 0 || r->moves >= r->before || *r->placed)
		return true;
	int count = record->count;
	if (!record_give_turn(record, r->turn))
		return sgf_refuse(r, "PL after move %d gives the turn to the wrong side", r->moves);
	bool has_changed = record->count > count;
	record_undo_implied(record);
	bool is_last = r->moves + 1 >= r->before || sgf_find_next(r) < 0;
	if (!has_changed || !is_last || !r->game->set_turn)
		return true;
	game_position(r->game, &record->now, r->board);
	r->board[r->game->board.rows * r->game->board.cols] = '\0';
	return sgf_set_up(r, r->turn);
}

/* Reads a node of the main line: first its set-up and move, then all properties for `take`, because
 * properties have no order. */
static bool read_whole_node(struct sgf_reader *r)
{
	const char *node = r->at;
	r->turn = -1;
	if (!read_node(r, sgf_read_property))
		return false;
	int count = r->record->count;
	bool is_placing = r->is_placing && !r->game->set_turn;
	if (!sgf_place(r, r->turn) || (r->record->count == count && !is_placing && !check_turn(r)))
		return false;
	/* Properties of a node with half a move are dropped. */
	if (!r->take || *r->placed)
		return true;
	r->at = node;
	return read_node(r, sgf_give);
}

/* Returns true if a property begins here, with at least one capital in its name. */
static bool sgf_is_property(const char *at)
{
	bool has_capital = false;
	for (; isalpha((unsigned char)*at); at++)
		has_capital |= isupper((unsigned char)*at) != 0;
	while (isspace((unsigned char)*at))
		at++;
	return has_capital && *at == '[';
}

/* Moves behind the first "(;"; blanks may stand between the two, and the semicolon may be missing. Finds the set of
 * characters. Returns false if there is no game. */
static bool find_root(struct sgf_reader *r)
{
	while ((r->at = strchr(r->at, '('))) {
		r->at++;
		sgf_skip_space(r);
		if (*r->at == ';' || sgf_is_property(r->at)) {
			r->at += *r->at == ';';
			r->set = sgf_find_set(r->at);
			return true;
		}
	}
	return false;
}

/* Lists a node that was read up to `end`. It begins behind the semicolon. `tree` is the bracket before it, or NULL. */
static void list_node(struct sgf_reader *r, const char *begin, const char *end, const char *tree)
{
	struct sgf_nodes *n = r->nodes;
	if (!n)
		return;
	n->list = xgrow(n->list, (size_t)n->count, sizeof *n->list);
	begin -= begin[-1] == ';';
	n->list[n->count++] = (struct sgf_node) { .begin = (size_t)(begin - r->text),
						  .end = (size_t)(end - r->text),
						  .tree = tree ? (size_t)(tree - r->text) : 0,
						  .moves = r->record->count };
}

/* The end of the last property before `at`. */
static const char *skip_back(const char *at)
{
	while (isspace((unsigned char)at[-1]))
		at--;
	return at;
}

/* Reads from the root to the end of the main line, the first ")". */
static bool read_main_line(struct sgf_reader *r)
{
	const char *begin = r->at, *tree = NULL;
	r->in_root = true;
	while (read_whole_node(r)) {
		r->in_root = false;
		list_node(r, begin, skip_back(r->at), tree);
		/* The first variation is the main line. */
		for (tree = NULL; *r->at == '(' || isspace((unsigned char)*r->at); r->at++)
			tree = *r->at == '(' ? r->at : tree;
		if (!*r->at)
			sgf_guess(r, "the text ends before the game does");
		if (!*r->at || *r->at == ')')
			return sgf_start(r, -1);
		if (*r->at != ';')
			return sgf_refuse(r, "unexpected '%c'", *r->at);
		begin = ++r->at;
	}
	return false;
}

static bool is_framed(const struct sgf_reader *r, const struct game *g)
{
	return frame_fits(g) && r->kind.cols == FRAME_SIZE && r->kind.rows == FRAME_SIZE;
}

/* Returns true if SZ is missing, is the size of the game's board, or that of GoGui's board for the game. */
static bool sgf_fits(const struct sgf_reader *r, const struct game *g)
{
	const struct kind *k = &r->kind;
	return !k->cols || (k->cols == g->board.cols && k->rows == g->board.rows) ||
	       (k->cols == g->board.size && k->rows == g->board.size) ||
	       (k->cols == game_size(g) && k->rows == game_size(g)) || is_framed(r, g);
}

static bool sgf_refuse_size(struct sgf_reader *r, const char *is, const char *name)
{
	char text[SGF_SIZE_MAX];
	if (r->kind.cols < 0)
		return sgf_refuse(r, "SZ is no size");
	sgf_write_size(r->kind.cols, r->kind.rows, text);
	return sgf_refuse(r, "size %s is %s %s", text, is, name);
}

/* Reads the record whose root is at `root` as a game of `g`. */
static bool read_as(struct sgf_reader *r, const char *root, const struct game *g, bool from_bottom)
{
	struct state s;
	r->at = root;
	r->game = g;
	r->framed = is_framed(r, g);
	r->from_bottom = from_bottom && !r->framed;
	r->side = -1;
	r->komi = NO_KOMI;
	r->handicap = 0;
	r->has_board = r->started = r->is_placing = r->has_swap = r->is_cut = false;
	r->has_usual = false;
	r->moves = 0;
	r->guesses[0] = '\0';
	r->placed[0] = '\0';
	r->has_letters = false;
	if (r->nodes)
		r->nodes->count = 0;
	record_restart(r->record, g);
	g->start(g, &s);
	game_position(g, &s, r->board);
	r->board[g->board.rows * g->board.cols] = '\0';
	if (!read_main_line(r))
		return false;
	if (r->tells_columns)
		sgf_guess(r, r->with_i ? "columns with I" : "columns without I");
	if (r->komi != NO_KOMI && g->komi && !record_set_komi(r->record, r->komi))
		sgf_guess(r, "komi %g cannot be played, the usual one counts", r->komi / 2.0);
	return true;
}

/* The same with a swap as the next mover tells, else in the other way; with a handicap on the usual points, else nowhere. */
static bool sgf_read_with_swap(struct sgf_reader *r, const char *root, const struct game *g,
			       bool from_bottom)
{
	r->is_other_swap = r->lacks_usual = false;
	if (read_as(r, root, g, from_bottom))
		return true;
	r->lacks_usual = r->has_usual;
	if (r->lacks_usual && read_as(r, root, g, from_bottom))
		return true;
	r->is_other_swap = r->has_swap;
	return r->is_other_swap && read_as(r, root, g, from_bottom);
}

/* Finds how points of Gomoku with letter and number name the columns: by YC, else by the letter I, else in lower case they count
 * I, as most programs do. yomi's own do not. Returns true if the other way is to be tried, too. */
static bool sgf_find_columns(struct sgf_reader *r, const char *root, const struct game *g)
{
	const struct kind *k = &r->kind;
	struct sgf_reader ahead = *r;
	char name[SGF_NAME_MAX];
	bool has_plain = false, has_i = false, has_later = false, is_small = true;
	r->with_i = r->tells_columns = false;
	if (!game_is_variant(g, &game_gomoku) ||
	    (!k->columns && (k->writer == WRITER_OWN || k->named)))
		return false;
	ahead.at = root;
	while (*ahead.at && *ahead.at != ')') {
		if (!sgf_read_name(&ahead, name)) {
			ahead.at++;
			continue;
		}
		while (sgf_read_value(&ahead)) {
			const char letter = ahead.value[0];
			if ((!sgf_is_move(name) && *name != 'A') ||
			    !isalpha((unsigned char)letter) ||
			    !isdigit((unsigned char)ahead.value[1]))
				continue;
			has_plain = true;
			has_i |= tolower((unsigned char)letter) == 'i';
			has_later |= tolower((unsigned char)letter) > 'i';
			is_small &= islower((unsigned char)letter) != 0;
		}
	}
	r->with_i = has_plain && (k->columns ? k->columns == 'w' : has_i || is_small);
	r->tells_columns = !k->columns && (has_i || has_later);
	return has_plain && !k->columns;
}

/* The same in the row order that makes all moves legal, then once more for `take`. Only where the root or somebody names the
 * game a disc may be named above where it falls. */
static bool read_either_way(struct sgf_reader *r, const char *root, const struct game *g)
{
	void (*take)(void *, int, const char *, const char *) = r->take;
	bool from_bottom = counts_from_bottom(&r->kind, g) && !r->kind.numbered;
	if (!sgf_fits(r, g))
		return sgf_refuse_size(r, "not that of", g->name);
	r->take = NULL;
	bool done = false, is_named = r->kind.named || r->kind.numbered || r->is_wish;
	const bool has_plain = sgf_find_columns(r, root, g);
	for (int fall = 0; fall < 2 - !is_named && !done; fall++)
		for (int k = 0; k < (has_plain ? 2 : 1) && !done; k++) {
			r->may_fall = fall;
			r->with_i ^= k;
			done = sgf_read_with_swap(r, root, g, from_bottom);
			if (!done && !r->kind.numbered)
				done = sgf_read_with_swap(r, root, g, from_bottom = !from_bottom);
		}
	r->take = take;
	return done && (!take || read_as(r, root, g, from_bottom));
}

/* Returns true if the record can be read as a game of `g` with moves of two letters, as GoGui writes them. */
static bool is_in_letters(struct sgf_reader *r, const char *root, const struct game *g)
{
	void (*take)(void *, int, const char *, const char *) = r->take;
	r->take = NULL;
	bool is = read_as(r, root, g, counts_from_bottom(&r->kind, g)) && r->has_letters;
	r->take = take;
	return is;
}

/* The game on the board of SZ, or NULL. SZ is the number that players call the size, or else rows and columns. In GoGui's
 * form, which has letters or names the size in GN, it is the longer side. */
static const struct game *find_sized(struct sgf_reader *r, const char *root, const struct game *g)
{
	const struct kind *k = &r->kind;
	const struct game *square = game_sized(g, k->rows, k->cols),
			  *called = g->board.size && k->rows == k->cols ? game_of_size(g, k->rows)
									: NULL,
			  *named = g->board.size && k->called ? game_of_size(g, k->called) : NULL;
	if (named && k->rows == k->cols && game_size(named) == k->rows)
		return named;
	if (!called || (square && is_on_go_board(k) && is_in_letters(r, root, square)))
		return square;
	return called;
}

/* Notes as which game a record is read that names none. */
static void sgf_guess_game(struct sgf_reader *r)
{
	const struct game *g = r->game;
	bool is_usual = strcmp(g->rules, "standard") == 0;
	char guesses[REASON_MAX];
	strcpy(guesses, r->guesses);
	r->guesses[0] = '\0';
	sgf_guess(r, "read as %s%s%s, %s", g->name, is_usual ? "" : " ", is_usual ? "" : g->rules,
		  r->framed        ? "in GoGui's frame"
		  : r->from_bottom ? "rows from the bottom"
				   : "rows from the top");
	if (*guesses)
		sgf_guess(r, "%s", guesses);
}

/* Go in a size, 0: the usual one. Its rules are those that somebody has asked for; else those of RU; else those of the game
 * that runs. NULL: there is no such size. */
static const struct game *sgf_find_go(const struct sgf_reader *r, const struct game *given,
				      int rows, int cols)
{
	bool is_given = given && formats_of(given)->sgf_gm == GM_GO &&
			(r->is_wish || !r->kind.ruled);
	const struct game *go = is_given        ? game_find(given->name, given->rules)
				: r->kind.ruled ? r->kind.ruled
						: find_number(GM_GO, 0, 0);
	return rows ? game_sized(go, rows, cols) : go;
}

/* Returns true if the first move is a letter and a number, which Go's are not. The last value is lost. */
static bool sgf_is_plain(struct sgf_reader *r)
{
	const char *kept = r->at;
	r->at = r->root;
	bool is = sgf_find_next(r) >= 0 && isalpha((unsigned char)r->value[0]) &&
		  isdigit((unsigned char)r->value[1]);
	r->at = kept;
	return is;
}

/* Reads a record that names no game as a game of `given`; if that is NULL, as the first game that fits. By the definition of
 * SGF a record without GM is Go: it is that on boards of the usual sizes, and where `given` has no such board. */
static bool read_unnamed(struct sgf_reader *r, const char *root, const struct game *given)
{
	const struct kind *k = &r->kind;
	if (!k->cols && !(given && (r->is_wish || sgf_is_plain(r))))
		return sgf_refuse(r, "the game is unknown: GM[2], GN or SZ must tell it");
	const struct game *go = sgf_find_go(r, given, k->rows, k->cols);
	if (given && formats_of(given)->sgf_gm == GM_GO)
		given = sgf_find_go(r, given, 0, 0);
	const struct game *sized = given ? find_sized(r, root, given) : NULL,
			  *wanted = sized ? sized : given;
	bool is_free = given && !r->is_wish && !sgf_uses_go_boards(k->writer) &&
		       !sgf_fits(r, wanted);
	bool is_usual = k->rows == 9 || k->rows == 13 || k->rows == GO_USUAL_SIZE;
	bool done = given ? read_either_way(r, root, wanted)
			  : go && is_usual && read_either_way(r, root, go);
	if (!done && go && go != wanted && given && (k->is_go || is_free))
		done = read_either_way(r, root, go);
	if (!done && given && k->is_go && !go && !sgf_fits(r, wanted))
		return sgf_refuse_size(r, "not that of", "go");
	for (int i = 0; !given && games[i] && !done; i++) {
		sized = find_sized(r, root, games[i]);
		sized = sized ? sized : games[i];
		done = sgf_fits(r, sized) && read_either_way(r, root, sized);
	}
	if (!done)
		return *r->why ? false : sgf_refuse_size(r, "that of no", "game");
	if (!k->is_go || r->game != go)
		sgf_guess_game(r);
	return true;
}

/* The game that GM names: by the rules of RU, if they are some of its own (Renju has the number of Gomoku), else by those of
 * `given`. yomi leaves out RU for the usual rules. */
static const struct game *sgf_find_numbered(const struct sgf_reader *r, const struct game *given)
{
	const struct kind *k = &r->kind;
	const struct game *ruled = *k->rules ? game_of_rules(k->numbered, k->rules) : NULL;
	if (!ruled && given && game_is_variant(given, k->numbered) && k->writer != WRITER_OWN)
		ruled = game_of_rules(k->numbered, given->rules);
	return ruled ? ruled : k->numbered;
}

/* The game that the root names, in the size of SZ if the game has it; NULL: it names none. */
static const struct game *named_game(struct sgf_reader *r, const char *root,
				     const struct game *given)
{
	const struct game *named = r->kind.numbered ? sgf_find_numbered(r, given) : r->kind.named;
	if (!named && is_surely_go(r))
		named = sgf_find_go(r, given, 0, 0);
	const struct game *sized = named ? find_sized(r, root, named) : NULL;
	return sized ? sized : named;
}

/* Finds the game of a record of LittleGolem, which has no GM. Where EV does not tell, the first move may: in Hex and Havannah
 * White has it, and only Hex has points of two letters. */
static void sgf_find_golem(struct sgf_reader *r)
{
	struct kind *k = &r->kind;
	/* Programs that write the game again, with its name or number, let Black move first. */
	if (!k->is_golem || k->named || k->numbered || k->is_go)
		return;
	int first = sgf_find_next(r);
	k->named = k->event;
	if (!k->event && first == WHITE)
		k->named = game_find(*r->value && islower((unsigned char)r->value[1]) ? "hex"
										      : "havannah",
				     NULL);
	k->is_inverted = first == WHITE && k->named && !k->named->komi;
}

static bool sgf_read_game(struct sgf_reader *r, const struct game *given)
{
	struct kind *k = &r->kind;
	if (!find_root(r))
		return sgf_refuse(r, "no game begins here");
	const char *root = r->root = r->at;
	if (!read_node(r, read_kind))
		return false;
	bool is_empty = skip_back(r->at) < root || skip_back(r->at)[-1] == ';';
	r->at = root;
	sgf_find_golem(r);
	/* A record with neither GM nor SZ is Go on the usual board. GoGui writes no SZ for it, whatever the game. */
	bool is_bare = !is_empty && !k->cols && !k->is_go && !k->named && !k->numbered &&
		       !(given && r->is_wish && !given->komi) && !sgf_is_plain(r);
	k->is_go |= is_bare && !sgf_uses_go_boards(k->writer);
	if ((k->is_go || is_bare) && !k->cols && find_number(GM_GO, GO_USUAL_SIZE, GO_USUAL_SIZE))
		k->cols = k->rows = GO_USUAL_SIZE;
	const struct game *named = named_game(r, root, given), *square;
	if (!named)
		return read_unnamed(r, root, given);
	square = named->board.size ? game_sized(named, k->rows, k->cols) : NULL;
	bool done = read_either_way(r, root, named) ||
		    (square && square != named && read_either_way(r, root, square));
	/* Where the rules that run forbid a move, the usual ones count. */
	if (!done && k->numbered && (named = named_game(r, root, NULL)) != r->game)
		done = read_either_way(r, root, named);
	if (!done)
		return false;
	if (k->numbered && !game_of_rules(r->game, k->rules) && !game_has_usual_rules(r->game))
		sgf_guess(r, "read as %s %s", r->game->name, r->game->rules);
	if (k->is_inverted && !k->event)
		sgf_guess(r, "read as %s of LittleGolem", named->name);
	else if (is_bare)
		sgf_guess(r, "read as go 19x19: GM and SZ are missing");
	else if (k->is_go && k->writer == WRITER_UNNAMED && given &&
		 strcmp(given->name, named->name) != 0)
		sgf_guess(r, "read as go: GM is 1");
	return true;
}

/* Notes what yomi does not play of the rules of RU. */
static void sgf_guess_rules(struct sgf_reader *r)
{
	const struct kind *k = &r->kind;
	if (k->lacking && game_is_variant(r->game, k->ruled) &&
	    strcmp(r->game->rules, k->ruled->rules) == 0)
		sgf_guess(r, "read by the rules %s: yomi does not play %s", r->game->rules,
			  k->lacking);
}

/* Reads a record into r->record, and then into `record` if that was possible. */
static bool sgf_parse_own(struct sgf_reader *r, struct record *record, const struct game *given)
{
	r->at = r->text;
	r->value = xmalloc(strlen(r->text) + 1);
	*r->why = '\0';
	record_init(r->record, record->game);
	bool done = sgf_read_game(r, given);
	if (done) {
		sgf_guess_rules(r);
		strcpy(r->why, r->guesses);
	}
	struct record *unwanted = done ? record : r->record;
	record_free(unwanted);
	free(r->value);
	if (done)
		*record = *r->record;
	return done;
}

bool sgf_parse(struct record *record, const char *text, int before, char why[REASON_MAX])
{
	struct record read;
	struct sgf_reader r = { .record = &read, .text = text, .before = before, .why = why };
	return sgf_parse_own(&r, record, record->game);
}

bool sgf_parse_with(struct record *record, const struct game *given, const char *text,
		    void (*take)(void *, int, const char *, const char *), void *arg,
		    char why[REASON_MAX])
{
	struct record read;
	struct sgf_reader r = { .record = &read,
				.text = text,
				.before = INT_MAX,
				.take = take,
				.arg = arg,
				.is_wish = given != NULL,
				.why = why };
	return sgf_parse_own(&r, record, given);
}

bool sgf_parse_nodes(struct record *record, const char *text, struct sgf_nodes *nodes,
		     char why[REASON_MAX])
{
	struct record read;
	struct sgf_reader r = { .record = &read,
				.text = text,
				.before = INT_MAX,
				.nodes = nodes,
				.is_wish = true,
				.why = why };
	*nodes = (struct sgf_nodes) { 0 };
	if (!sgf_parse_own(&r, record, record->game))
		return false;
	nodes->framed = r.framed;
	nodes->is_inverted = r.kind.is_inverted;
	nodes->form = r.framed        ? FORM_GOGUI
		      : r.from_bottom ? FORM_BOTTOM
		      : r.has_letters ? FORM_LETTERS
				      : FORM_OWN;
	return true;
}

char *sgf_with_columns(const char *text, size_t length, const char *columns)
{
	struct sgf_reader r = { .at = text };
	if (!find_root(&r) || r.at > text + length)
		return xstrndup(text, length);
	return xasprintf("%.*sYC[%s]%.*s", (int)(r.at - text), text, columns,
			 (int)(length - (size_t)(r.at - text)), r.at);
}

size_t sgf_length(const char *text)
{
	struct sgf_reader r = { .at = text };
	int open = 1;
	if (!find_root(&r))
		return 0;
	while (open && *r.at) {
		open += (*r.at == '(') - (*r.at == ')');
		if (*r.at == '[')
			r.at = sgf_value_skip(r.set, r.at);
		else
			r.at++;
	}
	return (size_t)(r.at - text);
}

/* The line from the root to the place that is read. */
struct sgf_line {
	char *text; /* has room for the whole game */
	size_t length;
	size_t *branches; /* the lengths at the open variations */
	size_t open;
	bool goes_on; /* nothing has ended it yet */
};

static void open_variation(struct sgf_line *l)
{
	l->branches = xgrow(l->branches, l->open, sizeof *l->branches);
	l->branches[l->open++] = l->length;
}

/* Ends the line with `end`, if it goes on, and returns to where the variation began. */
static void close_variation(struct sgf_line *l, const char *end, void (*take)(void *, const char *),
			    void *arg)
{
	if (l->goes_on) {
		strcpy(l->text + l->length, end);
		take(arg, l->text);
	}
	l->goes_on = false;
	l->length = l->branches[--l->open];
}

void sgf_lines(const char *text, void (*take)(void *arg, const char *line), void *arg)
{
	struct sgf_reader r = { .at = text };
	if (!find_root(&r))
		return;
	struct sgf_line l = { .text = xmalloc(strlen(r.at) + sizeof "(;)"), .goes_on = true };
	open_variation(&l);
	l.length = (size_t)sprintf(l.text, "(;");
	while (l.open && *r.at) {
		const char *begin = r.at;
		if (*r.at == '[')
			r.at = sgf_value_skip(r.set, r.at);
		else
			r.at++;
		if (*begin == '(') {
			open_variation(&l);
		} else if (*begin == ')') {
			close_variation(&l, ")", take, arg);
		} else {
			l.goes_on |= *begin == ';';
			memcpy(l.text + l.length, begin, (size_t)(r.at - begin));
			l.length += (size_t)(r.at - begin);
		}
	}
	if (l.open)
		close_variation(&l, "", take, arg);
	free(l.branches);
	free(l.text);
}
