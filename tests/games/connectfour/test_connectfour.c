/* SPDX-License-Identifier: MIT
 *
 * Connect Four: known counts, and every rule against a plain, slow referee that shares no code with the game.
 */
#include <string.h>

#include "engine/rules/perft.h"
#include "tests/suite.h"

#define ROWS    6
#define COLS    7
#define SQUARES (ROWS * COLS)

static const struct game *const g = &game_connectfour;

/* --- the referee --- */

struct referee {
	char at[ROWS][COLS]; /* 'X', 'O' or '.'; row 0 at the top */
	int side, score;
	bool over;
};

static bool is_row(const struct referee *r, char colour, int row, int col, int down, int right)
{
	for (int i = 0; i < 4; i++, row += down, col += right)
		if (row < 0 || row >= ROWS || col < 0 || col >= COLS || r->at[row][col] != colour)
			return false;
	return true;
}

static bool has_four(const struct referee *r, char colour)
{
	for (int row = 0; row < ROWS; row++)
		for (int col = 0; col < COLS; col++)
			if (is_row(r, colour, row, col, 0, 1) ||
			    is_row(r, colour, row, col, 1, 0) ||
			    is_row(r, colour, row, col, 1, 1) || is_row(r, colour, row, col, 1, -1))
				return true;
	return false;
}

/* The row where a disc lands in a column; -1: the column is full. */
static int landing_row(const struct referee *r, int col)
{
	int row = ROWS - 1;
	while (row >= 0 && r->at[row][col] != '.')
		row--;
	return row;
}

static void referee_start(struct referee *r)
{
	*r = (struct referee) { .side = BLACK };
	memset(r->at, '.', sizeof r->at);
}

static void referee_play(struct referee *r, int row, int col)
{
	char colour = r->side == BLACK ? 'X' : 'O';
	r->at[row][col] = colour;
	if (has_four(r, colour))
		r->score = r->side == BLACK ? 1 : -1;
	r->over = r->score || !memchr(r->at, '.', sizeof r->at);
	r->side ^= 1;
}

static bool agrees(const struct referee *r, const struct state *s)
{
	bool same = s->side == r->side && s->over == r->over && s->score == r->score &&
		    g->valid(g, s);
	for (int i = 0; i < SQUARES; i++)
		same &= g->at(g, s, i / COLS, i % COLS) == r->at[i / COLS][i % COLS];
	return same;
}

/* Returns true if the legal steps are the landing squares, from the left. A single result, because each
 * assert of Check takes microseconds. */
static bool lists_steps(const struct referee *r, const struct state *s)
{
	move_t steps[GAME_STEPS_MAX];
	int n = g->moves(g, s, steps), at = 0;
	bool same = true;
	for (int col = 0; col < COLS; col++) {
		int row = landing_row(r, col);
		if (row >= 0)
			same = same && at < n && steps[at++] == COLS * row + col;
	}
	return same && at == n;
}

START_TEST(random_games)
{
	struct rng rng;
	int results[3] = { 0 };
	rng_seed(&rng, 1);
	for (int i = 0; i < 3000; i++) {
		struct referee r;
		struct state s;
		referee_start(&r);
		g->start(g, &s);
		bool same = agrees(&r, &s);
		while (!s.over) {
			move_t steps[GAME_STEPS_MAX];
			same &= lists_steps(&r, &s);
			move_t step = steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))];
			g->play(g, &s, step);
			referee_play(&r, step / COLS, step % COLS);
			same &= agrees(&r, &s);
		}
		ck_assert(same);
		results[s.score + 1]++;
	}
	ck_assert_int_gt(results[0], 1000);
	ck_assert_int_gt(results[1], 1);
	ck_assert_int_gt(results[2], 1000);
}
END_TEST

/* --- counts --- */

START_TEST(sequences)
{
	static const uint64_t known[] = { 7, 49, 343, 2401, 16807, 117649, 823536, 5673234 };
	struct state s;
	struct perft p;
	g->start(g, &s);
	perft_count(g, &s, 7, &p);
	for (int d = 1; d <= 7; d++)
		ck_assert_uint_eq(p.length[d].moves, known[d - 1]);
	ck_assert_uint_eq(perft_leaves(g, &s, 8), known[7]);
}
END_TEST

static int compare_states(const void *a, const void *b)
{
	const struct state *s = a, *t = b;
	for (int i = 0; i < 2; i++)
		if (s->board[i] != t->board[i])
			return s->board[i] < t->board[i] ? -1 : 1;
	return 0;
}

/* Sorts positions and removes repetitions. Returns the number of positions left. */
static size_t sort_positions(struct state *list, size_t count)
{
	size_t kept = 0;
	qsort(list, count, sizeof *list, compare_states);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || compare_states(&list[kept - 1], &list[i]) != 0)
			list[kept++] = list[i];
	return kept;
}

/* The numbers of positions after n moves are known (Edelkamp and Kissmann, 2008). Finished games count. */
START_TEST(positions)
{
	static const size_t known[] = { 1, 7, 49, 238, 1120, 4263, 16422, 54859 };
	enum { LONGEST = sizeof known / sizeof known[0] - 1 };
	struct state *now = malloc(sizeof *now), *next;
	size_t count = 1;
	ck_assert_ptr_nonnull(now);
	g->start(g, now);
	for (int n = 1; n <= LONGEST; n++) {
		size_t made = 0;
		next = malloc(COLS * count * sizeof *next);
		ck_assert_ptr_nonnull(next);
		for (size_t i = 0; i < count; i++) {
			move_t steps[GAME_STEPS_MAX];
			int moves = now[i].over ? 0 : g->moves(g, &now[i], steps);
			for (int k = 0; k < moves; k++) {
				next[made] = now[i];
				g->play(g, &next[made++], steps[k]);
			}
		}
		free(now);
		now = next;
		count = sort_positions(now, made);
		ck_assert_uint_eq(count, known[n]);
	}
	free(now);
}
END_TEST

/* --- notation --- */

/* Plays moves that a blank separates. */
static void play_all(struct state *s, const char *moves)
{
	char text[256];
	strcpy(text, moves);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		struct move m;
		ck_assert_msg(game_parse(g, s, word, &m) == MOVE_OK, "%s", word);
		game_play(g, s, m);
	}
}

START_TEST(notation)
{
	/* After D1 D2; NULL: the text is malformed; "": the move is illegal. */
	static const char *const known[][2] = {
		{ "d3", "D3" }, { "D3", "D3" }, { "d", "D3" },  { "D", "D3" },   { "d5", "D3" },
		{ "D6", "D3" }, { "d2", "" },   { "d1", "" },   { "a", "A1" },   { "g6", "G1" },
		{ "x3", "D3" }, { "X0", "A1" }, { "x6", "G1" }, { "o3", "" },    { "x7", NULL },
		{ "h1", NULL }, { "h", NULL },  { "a7", NULL }, { "a0", NULL },  { "d3d", NULL },
		{ "", NULL },   { "x", NULL },  { "4", NULL },  { "d 3", NULL }, { "x33", NULL },
		{ "pass", "" },
	};
	struct state s;
	g->start(g, &s);
	play_all(&s, "d1 d2");
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct move m;
		char text[MOVE_TEXT_MAX];
		const char *expected = known[i][1];
		enum move_check check = game_parse(g, &s, known[i][0], &m);
		ck_assert_msg(check == (!expected   ? MOVE_MALFORMED
					: *expected ? MOVE_OK
						    : MOVE_ILLEGAL),
			      "%s", known[i][0]);
		if (check != MOVE_OK)
			continue;
		game_format(g, &s, m, text);
		ck_assert_str_eq(text, expected);
	}
	/* A full column. */
	play_all(&s, "d d d d");
	struct move m;
	ck_assert_int_eq(game_parse(g, &s, "d", &m), MOVE_ILLEGAL);
	ck_assert_int_eq(game_parse(g, &s, "d6", &m), MOVE_ILLEGAL);
	ck_assert_int_eq(game_parse(g, &s, "x3", &m), MOVE_ILLEGAL);
}
END_TEST

/* --- set-up --- */

#define NO "......."

START_TEST(setups)
{
	static const struct {
		const char *squares, *side;
		bool good;
	} known[] = {
		{ NO NO NO NO NO NO, "X", true },
		{ NO NO NO NO NO NO, "O", false },
		{ NO NO NO NO NO "...X...", "O", true },
		{ NO NO NO NO NO "...X...", "X", false },
		{ NO NO NO NO NO "...O...", "O", false },
		{ NO NO NO NO "...X..." NO, "O", false },        /* floats */
		{ NO NO NO "...X..." NO "...O...", "X", false }, /* floats above a disc */
		{ "...X..." NO NO NO NO "...O...", "X", false },
		{ NO NO NO "...X..."
			   "...O..."
			   "...X...",
		  "O", true },
		{ NO NO NO NO "OOO...."
			      "XXXX...",
		  "O", true }, /* won by the last move */
		{ NO NO NO NO "OOO...."
			      "XXXX...",
		  "X", false },
		{ NO NO NO NO "XXXX..."
			      "OOO.O..",
		  "X", false }, /* by the side to move */
		{ NO NO NO NO "XXXX..."
			      "OOOO...",
		  "X", false }, /* by both */
		{ NO NO NO NO "OOOO..."
			      "XXXX...",
		  "O", false },
		/* Two rows that one disc has completed, and two that took two. */
		{ NO NO "X.....X"
			"XX..OXO"
			"OXX.XOO"
			"OOOXXOO",
		  "O", false },
		{ NO NO NO "O......"
			   "OXXXX.."
			   "OXXXX..",
		  "O", false },
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct state s;
		const char *why = game_setup(g, &s, known[i].squares, known[i].side);
		ck_assert_msg(!why == known[i].good, "%s %s: %s", known[i].squares, known[i].side,
			      why ? why : "accepted");
		ck_assert(why || g->valid(g, &s));
	}
}
END_TEST

/* Every position of a game can be set up, also the last one; removing any disc but the top ones makes it
 * impossible. */
START_TEST(setups_of_games)
{
	struct rng rng;
	rng_seed(&rng, 3);
	for (int i = 0; i < 300; i++) {
		struct state s, read;
		char text[POSITION_TEXT_MAX];
		g->start(g, &s);
		while (!s.over) {
			move_t steps[GAME_STEPS_MAX];
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))]);
		}
		game_position(g, &s, text);
		char *side = strchr(text, ' ');
		*side++ = '\0';
		ck_assert_ptr_null(game_setup(g, &read, text, side));
		ck_assert(state_equal(&read, &s));
		for (int at = COLS; at < SQUARES; at++) {
			char disc = text[at];
			if (disc == '.' || text[at - COLS] == '.')
				continue;
			text[at] = '.';
			ck_assert_ptr_nonnull(game_setup(g, &read, text, disc == 'X' ? "X" : "O"));
			text[at] = disc;
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("connectfour");
	TCase *cases = tcase_create("connectfour");
	TCase *native = suite_native_case(suite);
	tcase_add_test(cases, random_games);
	tcase_add_test(native, sequences);
	tcase_add_test(native, positions);
	tcase_add_test(cases, notation);
	tcase_add_test(cases, setups);
	tcase_add_test(cases, setups_of_games);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
