/* SPDX-License-Identifier: MIT
 *
 * TURN, BEGIN and a BOARD that is DONE search a move of the side to move and play it. The colours have no names in this
 * protocol: the side that moves first is Black.
 *
 * SWAP2BOARD asks for a decision by the rules of Swap2. With three or five stones on the board the search values the
 * position: White's best move if White is not worse off, else SWAP. Who takes the better side loses nothing; two more
 * stones, which the rules also allow after three, leave that choice to the opponent, so the engine never places them.
 * Without stones, short searches value several random sets of three stones; the answer is the most balanced one.
 *
 * The manager does not read while it sends INFO. So rules that are not supported are an error of the next command that
 * starts a game or needs a move.
 */
#include "protocol/gomocup/gomocup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/base/version.h"
#include "engine/rules/words.h"
#include "games/games.h"
#include "protocol/gtp/gtp.h"
#include "protocol/session/start.h"
#include "protocol/session/think.h"

#define MEMORY_UNIT_LOG 20      /* max_memory is in bytes, the option in MiB */
#define MEMORY_PROGRAM  24      /* MiB that the program takes beside trees and tables */
#define UNLIMITED_MS    INT_MAX /* a time_left without a limit */

/* Swap2. */
#define OPENING_STONES  3
#define OPENING_TRIES   8 /* sets of stones that are valued */
#define OPENING_NEAR    2 /* most rows or columns between its first two stones */

/* What the lines X,Y,FIELD after a command mean. YXBOARD: a board without a search. */
enum listing { BOARD, YXBOARD, SWAP2 };

/* The fields of a line. A winning row of an earlier game on the board, or a forbidden point in Renju. */
enum { FIELD_OWN = 1, FIELD_OTHER = 2, FIELD_MARK = 3 };

/* State of a session with this protocol, beside the session's own. */
struct gomocup {
	bool has_turn, has_match; /* the manager has told timeout_turn, timeout_match */
	double turn, match, left; /* milliseconds; match 0: no limit; left below 0: not told */
	int memory;               /* MiB, the option's value at the start */
	const char *refused;      /* the rules that the manager wants are not supported, or NULL */
	bool has_failed;          /* the last START did: no game runs */
	bool is_told;             /* the manager has told rules since the last move or game */
	char *argument;           /* argument of the running line */

	enum listing listing;            /* what is listed, or was listed last */
	bool lists;                      /* the list is not DONE yet */
	const char *wrong;               /* why the listed stones are refused, or NULL */
	int stones;                      /* listed so far */
	int own, other;                  /* of them, by field */
	char squares[POSITION_TEXT_MAX]; /* 'X': own, 'O': the opponent's */

	/* Swap2: the stones that are being valued, and the most balanced ones so far. */
	struct rng rng;
	struct record record;
	int tries, trial[OPENING_STONES], best[OPENING_STONES];
	double balance;
};

static struct gomocup *gomocup_state_of(const struct session *s)
{
	return s->protocol_state;
}

/* --- squares --- */

/* Reads a number 0 .. INT_MAX and the text after it. Returns NULL for any other text. */
static const char *gomocup_read_number(const char *text, int *number)
{
	char *end;
	text += strspn(text, " ");
	if (*text < '0' || *text > '9')
		return NULL;
	long n = strtol(text, &end, 10);
	*number = n > INT_MAX ? INT_MAX : (int)n;
	return end + strspn(end, " ");
}

/* Reads X,Y. Returns the text after it; NULL if it is no square of the board. */
static const char *gomocup_read_square(const struct game *g, const char *text, int *square)
{
	int col, row;
	const char *rest = gomocup_read_number(text, &col);
	if (!rest || *rest != ',')
		return NULL;
	rest = gomocup_read_number(rest + 1, &row);
	if (!rest || col >= g->board.cols || row >= g->board.rows)
		return NULL;
	*square = row * g->board.cols + col;
	return rest;
}

/* Why no move can be made, or NULL. */
static const char *gomocup_missing(const struct session *s)
{
	const struct gomocup *n = gomocup_state_of(s);
	return n->has_failed ? "no game runs: START failed" : n->refused;
}

/* Reads the argument of a command, X,Y. */
static bool read_argument(const struct session *s, int *square)
{
	const char *rest = gomocup_read_square(s->record.game, s->args[0], square);
	return rest && !*rest;
}

static void print_square(struct session *s, int square)
{
	const int cols = s->record.game->board.cols;
	text_printf(s->reply, "%d,%d", square % cols, square / cols);
}

/* A step of Gomoku is a square. */
static bool gomocup_play(struct session *s, int square)
{
	struct move m = move_single((move_t)square);
	if (!record_is_legal(&s->record, m))
		return false;
	record_play(&s->record, m);
	return true;
}

static enum outcome gomocup_say(struct session *s, const char *text)
{
	text_puts(s->reply, text);
	return DONE;
}

/* The error for a move that is not legal. */
static enum outcome gomocup_refuse_move(struct session *s, int square)
{
	const struct game *g = s->record.game;
	const struct state *now = &s->record.now;
	bool is_free = g->at(g, now, square / g->board.cols, square % g->board.cols) == '.';
	const char *ban = words_ban_square(g, now, square);
	return refuse(s, now->over  ? "the game is over"
			 : ban      ? ban
			 : !is_free ? "there is a stone already"
				    : "this is not a legal move");
}

/* --- limits --- */

static void set_clock(struct session *s)
{
	const struct gomocup *n = gomocup_state_of(s);
	double left = n->left >= 0 ? n->left : n->match;
	bool unlimited = (n->has_match && n->match <= 0) || left >= UNLIMITED_MS;
	clock_init(&s->clock);
	if ((n->has_match || n->left >= 0) && !unlimited)
		clock_set_fischer(&s->clock, left / 1000, 0, -1, n->has_turn ? n->turn / 1000 : -1);
	else if (n->has_turn)
		clock_set_move(&s->clock, n->turn / 1000);
}

static struct limits gomocup_find_limits(struct session *s)
{
	set_clock(s);
	s->side = s->record.now.side;
	return think_limits(s);
}

/* --- moves --- */

static enum outcome gomocup_begin_search(struct session *s, const struct record *r,
					 const struct limits *limits)
{
	char why[REASON_MAX];
	return session_search(s, r, limits, why) ? THINKING : refuse(s, why);
}

/* Searches a move. */
static enum outcome gomocup_think(struct session *s)
{
	gomocup_state_of(s)->is_told = false;
	if (gomocup_missing(s))
		return refuse(s, gomocup_missing(s));
	if (s->record.now.over)
		return refuse(s, "the game is over");
	struct limits limits = gomocup_find_limits(s);
	return gomocup_begin_search(s, &s->record, &limits);
}

static void print_message(struct session *s, const struct report *report)
{
	if (!s->settings.verbose)
		return;
	text_puts(s->reply, "MESSAGE ");
	think_describe(s, report, s->reply);
	text_putc(s->reply, '\n');
}

static enum outcome finish_move(struct session *s, const struct report *report)
{
	if (!report)
		return REFUSED;
	int square = report->line[0].step[0];
	print_message(s, report);
	print_square(s, square);
	record_play(&s->record, report->line[0]);
	s->has_moved = true;
	return DONE;
}

/* --- games --- */

/* Starts a game on a board of this size, by the rules of the last one. Rules that were told for this game must be
 * supported; those of an earlier one may be replaced yet. */
static enum outcome start_sized(struct session *s, int rows, int cols)
{
	struct gomocup *n = gomocup_state_of(s);
	const struct game *g = game_sized(s->record.game, rows, cols);
	n->has_failed = !g;
	if (!g)
		return refuse(s, "boards are square, from 5x5 to 20x20");
	n->left = -1;
	start_game(s, g);
	return n->refused && n->is_told ? refuse(s, n->refused) : gomocup_say(s, "OK");
}

/* Reads the size of a board: one number, or the numbers of columns and rows with a comma or a blank between them. */
static enum outcome gomocup_start(struct session *s)
{
	int cols = 0, rows;
	const char *rest = gomocup_read_number(s->args[0], &cols);
	rows = cols;
	if (rest && *rest)
		rest = gomocup_read_number(rest + (*rest == ','), &rows);
	if (rest && !*rest)
		return start_sized(s, rows, cols);
	gomocup_state_of(s)->has_failed = true;
	return refuse(s, "the size of the board is one number, or WIDTH,HEIGHT");
}

static enum outcome run_restart(struct session *s)
{
	if (gomocup_state_of(s)->has_failed)
		return refuse(s, gomocup_missing(s));
	return start_sized(s, s->record.game->board.rows, s->record.game->board.cols);
}

static enum outcome run_begin(struct session *s)
{
	if (s->record.count || game_free(s->record.game, &s->record.now) !=
				       s->record.game->board.rows * s->record.game->board.cols)
		return refuse(s, "the board is not empty");
	return gomocup_think(s);
}

static enum outcome run_turn(struct session *s)
{
	int square;
	if (gomocup_missing(s))
		return refuse(s, gomocup_missing(s));
	if (!read_argument(s, &square))
		return refuse(s, "TURN needs a square X,Y of the board");
	return gomocup_play(s, square) ? gomocup_think(s) : gomocup_refuse_move(s, square);
}

static enum outcome gomocup_run_play(struct session *s)
{
	int square;
	if (gomocup_state_of(s)->has_failed)
		return refuse(s, gomocup_missing(s));
	if (!read_argument(s, &square))
		return refuse(s, "PLAY needs a square X,Y of the board");
	if (!gomocup_play(s, square))
		return gomocup_refuse_move(s, square);
	print_square(s, square);
	return DONE;
}

/* Removes a stone. Usually it is the last one; any other one leaves a position without earlier moves. */
static enum outcome run_takeback(struct session *s)
{
	const struct record *r = &s->record;
	const struct game *g = r->game;
	char text[POSITION_TEXT_MAX];
	struct state state;
	int square;
	if (!read_argument(s, &square))
		return refuse(s, "TAKEBACK needs a square X,Y of the board");
	if (g->at(g, &r->now, square / g->board.cols, square % g->board.cols) == '.')
		return refuse(s, "there is no stone");
	if (r->count && r->moves[r->count - 1].move.step[0] == square) {
		record_undo(&s->record);
		return gomocup_say(s, "OK");
	}
	game_position(g, &r->now, text);
	text[square] = '.';
	text[g->board.rows * g->board.cols] = '\0';
	const char *why = game_setup(g, &state, text, r->now.side == BLACK ? "O" : "X");
	if (why)
		return refuse(s, why);
	record_setup(&s->record, &state);
	return gomocup_say(s, "OK");
}

/* --- boards --- */

static enum outcome begin_listing(struct session *s, enum listing listing)
{
	struct gomocup *n = gomocup_state_of(s);
	n->listing = listing;
	n->lists = true;
	n->wrong = NULL;
	n->stones = n->own = n->other = 0;
	memset(n->squares, '.', sizeof n->squares);
	return DONE;
}

static enum outcome gomocup_run_board(struct session *s)
{
	return begin_listing(s, BOARD);
}

static enum outcome run_yxboard(struct session *s)
{
	return begin_listing(s, YXBOARD);
}

static enum outcome run_swap2board(struct session *s)
{
	return begin_listing(s, SWAP2);
}

/* Takes a line X,Y,FIELD; for Swap2 X,Y is enough, and the sides alternate. */
static void take_stone(struct session *s, const char *line)
{
	struct gomocup *n = gomocup_state_of(s);
	int square, field = n->stones % 2 ? FIELD_OTHER : FIELD_OWN;
	const char *rest = gomocup_read_square(s->record.game, line, &square);
	bool has_field = rest && *rest == ',';
	if (has_field && !(rest = gomocup_read_number(rest + 1, &field)))
		field = 0;
	if (!rest || *rest || (n->listing != SWAP2 && !has_field))
		n->wrong = "a line of the board is not X,Y,FIELD";
	else if (field < FIELD_OWN || field > FIELD_MARK)
		n->wrong = "a field of the board is neither 1, own, nor 2, the opponent's";
	else if (field == FIELD_MARK)
		return;
	else if (n->squares[square] != '.')
		n->wrong = "two stones are on one square";
	if (n->wrong)
		return;
	if (n->listing == SWAP2)
		field = n->stones % 2 ? FIELD_OTHER : FIELD_OWN;
	n->stones++;
	n->own += field == FIELD_OWN;
	n->other += field == FIELD_OTHER;
	n->squares[square] = field == FIELD_OWN ? 'X' : 'O';
}

/* Sets up the listed stones. Those of field 1 are 'X', or with `exchanged` 'O'. */
static const char *gomocup_set_up(struct session *s, bool exchanged, const char *side)
{
	struct gomocup *n = gomocup_state_of(s);
	const struct game *g = s->record.game;
	struct state state;
	const int count = g->board.rows * g->board.cols;
	for (int i = 0; i < count && exchanged; i++)
		if (n->squares[i] != '.')
			n->squares[i] = n->squares[i] == 'X' ? 'O' : 'X';
	n->squares[count] = '\0';
	const char *why = game_setup(g, &state, n->squares, side);
	if (!why)
		record_setup(&s->record, &state);
	return why;
}

/* The first player, Black, is to move if both sides have as many stones. */
static enum outcome end_board(struct session *s)
{
	const struct gomocup *n = gomocup_state_of(s);
	bool is_black = n->own >= n->other;
	const char *why = gomocup_set_up(s, !is_black, is_black ? "X" : "O");
	return why ? refuse(s, why) : n->listing == YXBOARD ? DONE : gomocup_think(s);
}

/* --- Swap2 --- */

/* Draws three stones: the first two near each other, the third anywhere. Starts a search of their value. */
static enum outcome try_opening(struct session *s)
{
	struct gomocup *n = gomocup_state_of(s);
	const struct game *g = s->record.game;
	const uint32_t count = (uint32_t)(g->board.rows * g->board.cols);
	int *t = n->trial;
	bool is_set;
	do {
		for (int i = 0; i < OPENING_STONES; i++)
			t[i] = (int)rng_below(&n->rng, count);
		is_set = t[0] != t[1] && t[0] != t[2] && t[1] != t[2] &&
			 abs(t[0] / g->board.cols - t[1] / g->board.cols) <= OPENING_NEAR &&
			 abs(t[0] % g->board.cols - t[1] % g->board.cols) <= OPENING_NEAR;
	} while (!is_set);
	record_restart(&n->record, g);
	for (int i = 0; i < OPENING_STONES; i++)
		record_play(&n->record, move_single((move_t)t[i]));
	struct limits limits = gomocup_find_limits(s);
	limits.interval = 0;
	if (limits.deadline != TIME_NEVER) {
		int64_t now = clock_now();
		limits.deadline = now + (limits.deadline - now) / (OPENING_TRIES - n->tries);
	}
	return gomocup_begin_search(s, &n->record, &limits) == THINKING ? STREAMING : REFUSED;
}

/* The value of a report for White, -1 .. 1. */
static double white_value(const struct report *report)
{
	double black = worth_guess(report->value, report->score, 0);
	return report->lower == report->upper ? -report->lower : -black;
}

static enum outcome finish_opening(struct session *s, const struct report *report)
{
	struct gomocup *n = gomocup_state_of(s);
	if (!report)
		return REFUSED;
	double balance = fabs(white_value(report));
	if (!n->tries || balance < n->balance) {
		n->balance = balance;
		memcpy(n->best, n->trial, sizeof n->best);
	}
	if (++n->tries < OPENING_TRIES && !s->ended_early)
		return try_opening(s);
	for (int i = 0; i < OPENING_STONES; i++) {
		text_puts(s->reply, i ? " " : "");
		print_square(s, n->best[i]);
	}
	return DONE;
}

static enum outcome finish_swap(struct session *s, const struct report *report)
{
	if (!report)
		return REFUSED;
	print_message(s, report);
	if (white_value(report) < 0)
		return gomocup_say(s, "SWAP");
	print_square(s, report->line[0].step[0]);
	return DONE;
}

static enum outcome end_swap2(struct session *s)
{
	struct gomocup *n = gomocup_state_of(s);
	n->is_told = false;
	if (gomocup_missing(s))
		return refuse(s, gomocup_missing(s));
	if (n->stones != 0 && n->stones != 3 && n->stones != 5)
		return refuse(s, "Swap2 has 0, 3 or 5 stones");
	if (n->stones) {
		const char *why = gomocup_set_up(s, false, "O");
		return why ? refuse(s, why) : gomocup_think(s);
	}
	n->tries = 0;
	record_restart(&s->record, s->record.game);
	return try_opening(s);
}

/* --- the end of a list --- */

static enum outcome run_done(struct session *s)
{
	struct gomocup *n = gomocup_state_of(s);
	if (!n->lists)
		return refuse(s, "DONE ends BOARD, YXBOARD or SWAP2BOARD");
	n->lists = false;
	if (n->wrong)
		return refuse(s, n->wrong);
	return n->listing == SWAP2 ? end_swap2(s) : end_board(s);
}

static enum outcome finish_done(struct session *s, const struct report *report)
{
	const struct gomocup *n = gomocup_state_of(s);
	if (n->listing == BOARD)
		return finish_move(s, report);
	return n->stones ? finish_swap(s, report) : finish_opening(s, report);
}

/* --- information --- */

/* The rules of a number of `INFO rule`, which is a sum of 1, exactly five, 2, a continuous game, 4, Renju, and 8, caro. NULL:
 * they are not supported. */
static const struct game *gomocup_rules(int rule)
{
	char number[12];
	snprintf(number, sizeof number, "%d", rule);
	return game_of_rules(&game_gomoku, number);
}

/* Goes on with the same stones by other rules. */
static enum outcome gomocup_set_rules(struct session *s, int rule)
{
	struct gomocup *n = gomocup_state_of(s);
	const struct record *r = &s->record;
	char text[POSITION_TEXT_MAX];
	struct state state;
	const struct game *g = gomocup_rules(rule);
	n->is_told = true;
	n->refused = g ? NULL
		       : "of the rules only 0, five or more, 1, exactly five, and 4, Renju, are "
			 "supported";
	if (!g)
		return DONE;
	g = game_sized(g, r->game->board.rows, r->game->board.cols);
	if (g == r->game)
		return DONE;
	const int count = g->board.rows * g->board.cols;
	game_position(r->game, &r->now, text);
	text[count] = '\0';
	const char *why = game_setup(g, &state, text, text + count + 1);
	start_game(s, g);
	if (!why)
		record_setup(&s->record, &state);
	return DONE;
}

/* The memory of the whole program, in bytes. It never gets more than its own option allows; 0: that much. */
static void set_memory(struct session *s, double bytes)
{
	const struct gomocup *n = gomocup_state_of(s);
	double mebibytes = bytes / (1 << MEMORY_UNIT_LOG) - MEMORY_PROGRAM;
	char text[OPTION_TEXT_MAX], why[REASON_MAX];
	if (bytes <= 0 || mebibytes > n->memory)
		mebibytes = n->memory;
	snprintf(text, sizeof text, "%d", mebibytes < 1 ? 1 : (int)mebibytes);
	session_set_option(s, option_find("memory"), text, why);
}

/* INFO has no answer. What is unknown is ignored, as the protocol demands. A name of an option of the program sets it. */
static enum outcome run_info(struct session *s)
{
	struct gomocup *n = gomocup_state_of(s);
	char *key = s->args[0], *value = key + strcspn(key, " "), why[REASON_MAX];
	const struct option *option;
	double number;
	if (*value)
		*value++ = '\0';
	value += strspn(value, " ");
	bool is_number = line_real(value, &number);
	if (is_number && strcasecmp(key, "timeout_turn") == 0) {
		n->has_turn = true;
		n->turn = fmax(0, number);
	} else if (is_number && strcasecmp(key, "timeout_match") == 0) {
		n->has_match = true;
		n->match = fmax(0, number);
	} else if (is_number && strcasecmp(key, "time_left") == 0) {
		n->left = fmax(0, number);
	} else if (is_number && strcasecmp(key, "max_memory") == 0) {
		set_memory(s, number);
	} else if (is_number && strcasecmp(key, "rule") == 0) {
		return gomocup_set_rules(s, (int)fmax(0, fmin(number, INT_MAX)));
	} else {
		key = strcasecmp(key, "thread_num") == 0 ? "threads"
		      : strcasecmp(key, "max_node") == 0 ? "playouts"
							 : key;
		option = setting_find(key);
		if (option)
			session_set_option(s, option, value, why);
	}
	return DONE;
}

static enum outcome run_yxshowforbid(struct session *s)
{
	const struct game *g = s->record.game;
	text_puts(s->reply, "FORBID ");
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (words_ban_square(g, &s->record.now, i))
			text_printf(s->reply, "%02d%02d", i % g->board.cols, i / g->board.cols);
	return gomocup_say(s, ".");
}

static enum outcome run_about(struct session *s)
{
	text_printf(s->reply,
		    "name=\"" VERSION_NAME
		    "\", version=\"%s\", author=\"the yomi developers\", country=\"-\"",
		    version_number());
	return DONE;
}

/* A search of an opening for Swap2 goes on without a report. */
static void show_nothing(struct session *s, const struct report *report)
{
}

/* The argument is the rest of the line after the name. */
const struct command gomocup_commands[] = {
	{ "START", "SIZE", "start a game on an empty board", gomocup_start },
	{ "RECTSTART", "WIDTH,HEIGHT", "the same; both must be equal", gomocup_start },
	{ "RESTART", "", "start a game on a board of the same size", run_restart },
	{ "BEGIN", "", "make the first move of the game", run_begin, finish_move },
	{ "TURN", "X,Y", "play the opponent's move, then answer and play one", run_turn,
	  finish_move },
	{ "BOARD", "",
	  "set up the position of the lines X,Y,FIELD that follow, up to DONE; 1 is own, 2 the "
	  "opponent's",
	  gomocup_run_board },
	{ "YXBOARD", "", "the same without an answer: the board waits for another command",
	  run_yxboard },
	{ "YXSHOWFORBID", "",
	  "list the squares that are forbidden for the side to move: FORBID, the columns and rows "
	  "with two digits each, and a full stop",
	  run_yxshowforbid },
	{ "SWAP2BOARD", "",
	  "decide by the rules of Swap2 on the position of the lines X,Y that follow, up to DONE",
	  run_swap2board },
	{ "DONE", "", "end the lines of BOARD, YXBOARD or SWAP2BOARD, and answer", run_done,
	  finish_done, .live = show_nothing },
	{ "PLAY", "X,Y", "play this move for the side to move", gomocup_run_play },
	{ "TAKEBACK", "X,Y", "take back the stone on this square", run_takeback },
	{ "INFO", "KEY VALUE",
	  "timeout_turn, timeout_match, time_left, max_memory, rule; or an option of the program",
	  run_info },
	{ "ABOUT", "", "name, version and author", run_about },
	{ "YXSTOP", "", "end the search: its move is answered at once", command_ignore },
	{ "END", "", "end the search and the session", command_quit },
	{ 0 },
};

/* --- lines --- */

/* Commands of GTP, and of people at a terminal, are in small letters. Managers that write small letters begin with one of the
 * commands that no person types. */
static bool gomocup_recognizes(const char *line)
{
	static const struct {
		const char *text;
		bool any_case;
	} first[] = { { "START ", true },   { "RECTSTART ", true }, { "INFO ", true },
		      { "ABOUT", false },   { "BOARD", false },     { "SWAP2BOARD", false },
		      { "YXBOARD", false }, { "RESTART", false } };
	line += strspn(line, " ");
	for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
		size_t length = strlen(first[i].text);
		if (strncmp(line, first[i].text, length) == 0 ||
		    (first[i].any_case && strncasecmp(line, first[i].text, length) == 0))
			return true;
	}
	return false;
}

static bool gomocup_ends_search(const char *line)
{
	line += strspn(line, " ");
	return strcasecmp(line, "END") == 0 || strcasecmp(line, "YXSTOP") == 0;
}

static enum outcome gomocup_run(struct session *s, char *line, bool is_cut)
{
	struct gomocup *n = gomocup_state_of(s);
	const struct command *c = gomocup_commands;
	s->command = c;
	line += strspn(line, " ");
	if (is_cut)
		return refuse(s, "line too long");
	if (n->lists && *line >= '0' && *line <= '9') {
		take_stone(s, line);
		return DONE;
	}
	c = command_in(gomocup_commands, line, strncasecmp, &n->argument);
	if (!c)
		return gomocup_say(s, "UNKNOWN command");
	command_begin(s, c, &n->argument);
	if (!s->arg_count && !command_takes(c, 0))
		return refuse(s, "an argument is missing");
	n->lists &= c->run == run_done;
	return c->run(s);
}

/* --- the protocol --- */

static char *gomocup_answer(struct session *s, bool success, const char *text)
{
	if (success)
		return line_text(text, "");
	char *line = xasprintf("ERROR %s", text);
	char *all = line_text(line, "");
	free(line);
	return all;
}

/* A session that is set to Gomoku keeps its rules and size until START. */
static void gomocup_begin_session(struct session *s)
{
	struct gomocup *n = xcalloc(1, sizeof *n);
	const struct options *o = engine_options(s->engine);
	if (!game_is_variant(s->record.game, &game_gomoku))
		start_game(s, &game_gomoku);
	n->left = -1;
	n->memory = o->memory;
	rng_seed(&n->rng, o->seed ? (uint64_t)o->seed : (uint64_t)clock_now());
	record_init(&n->record, s->record.game);
	s->protocol_state = n;
	s->settings.live_gfx = false;
}

static void gomocup_end_session(struct session *s)
{
	record_free(&gomocup_state_of(s)->record);
	free(s->protocol_state);
}

const struct protocol protocol_gomocup = {
	.recognizes = gomocup_recognizes,
	.begin = gomocup_begin_session,
	.end = gomocup_end_session,
	.clean = gtp_clean,
	.ends_search = gomocup_ends_search,
	.run = gomocup_run,
	.answer = gomocup_answer,
};

const struct protocol *const protocols_gomocup[] = { &protocol_gomocup, NULL };
