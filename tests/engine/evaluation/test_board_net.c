/* SPDX-License-Identifier: MIT
 *
 * What the network for any board sees, and its files. Its numbers are checked in tests/tools/learn/test_board_learn.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/evaluation/board_net.h"
#include "engine/rules/goals.h"
#include "engine/rules/images.h"
#include "engine/rules/komi.h"
#include "engine/rules/swap.h"
#include "tests/suite.h"

/* What stands for a piece of the other side. */
static char exchanged(const struct board *b, char c)
{
	const struct piece *pieces = board_pieces(b), *p = pieces;
	while (p->letter && p->letter != c)
		p++;
	for (const struct piece *q = pieces; p->letter && q->letter; q++)
		if (p->side != PIECE_NEUTRAL && q->side == (p->side ^ 1) &&
		    strcmp(p->name, q->name) == 0)
			return q->letter;
	return c;
}

/* The board with the sides exchanged, seen in the symmetry of images.view. */
static void exchange(const struct game *g, const struct state *s, char *squares)
{
	for (int i = 0; i < g->board.rows * g->board.cols; i++) {
		char c = g->at(g, s, i / g->board.cols, i % g->board.cols);
		squares[images_mirror_square(g, i, images_view(g))] = exchanged(&g->board, c);
	}
	squares[g->board.rows * g->board.cols] = '\0';
}

static int compare_steps(const void *a, const void *b)
{
	return *(const move_t *)a - *(const move_t *)b;
}

/* The steps that the network sees, sorted. */
static int seen_steps(const struct game *g, const struct state *s, move_t *steps)
{
	int count = g->moves(g, s, steps), kept = 0;
	for (int i = 0; i < count; i++)
		if (!g->swap || steps[i] != swap_step(g))
			steps[kept++] = board_net_step(g, s->side, steps[i]);
	qsort(steps, (size_t)kept, sizeof *steps, compare_steps);
	return kept;
}

/* A position and the same one with the sides exchanged look the same and have the same steps; their games end alike. */
START_TEST(both_sides_see_the_same)
{
	const struct game *g = games[_i];
	struct rng rng;
	int ways, compared = 0;
	rng_seed(&rng, 7);
	/* A position of Go that is set up has no ko; in Renju only Black has forbidden points. */
	if (!board_net_fits(g, &ways) || goals_exist(g) || strcmp(g->rules, "renju") == 0)
		return;
	for (int n = 0; n < 20; n++) {
		struct state s;
		g->start(g, &s);
		while (!s.over) {
			char squares[GAME_SQUARES_MAX + 1];
			uint8_t seen[GAME_SQUARES_MAX], other_seen[GAME_SQUARES_MAX];
			move_t steps[GAME_STEPS_MAX], other_steps[GAME_STEPS_MAX];
			struct state other;
			exchange(g, &s, squares);
			int count = seen_steps(g, &s, steps);
			/* Some rules refuse more stones of the side that did not begin. */
			if (count && !s.pending && !g->setup(g, &other, squares, s.side ^ 1) &&
			    !other.over) {
				board_net_look(g, &s, seen);
				board_net_look(g, &other, other_seen);
				ck_assert_mem_eq(seen, other_seen,
						 (size_t)(g->board.rows * g->board.cols));
				ck_assert_int_eq(seen_steps(g, &other, other_steps), count);
				ck_assert_mem_eq(steps, other_steps, (size_t)count * sizeof *steps);
				compared++;
			}
			count = g->moves(g, &s, steps);
			g->play(g, &s, steps[rng_below(&rng, (uint32_t)count)]);
		}
	}
	/* Where stones are placed in turn, a position with the sides exchanged cannot occur. */
	if (images_view(g) && !g->swap)
		ck_assert_int_gt(compared, 0);
}
END_TEST

enum { EMPTY = BOARD_NET_SQUARE, OWN = EMPTY | BOARD_NET_OWN, OTHER = EMPTY | BOARD_NET_OTHER };

/* Pieces that are no side's first have planes of their own. Both sides' kings are one kind. */
START_TEST(pieces_are_seen)
{
	const struct game *g = game_find("draughts", NULL);
	char text[POSITION_TEXT_MAX];
	uint8_t seen[GAME_SQUARES_MAX];
	struct state s;
	g->start(g, &s);
	game_position(g, &s, text);
	ck_assert_int_eq(text[1], 'x');
	ck_assert_int_eq(text[62], 'o');
	text[1] = 'X', text[62] = 'O', text[64] = '\0';
	ck_assert_ptr_null(game_setup(g, &s, text, "X"));
	board_net_look(g, &s, seen);
	ck_assert_int_eq(seen[0], 0);
	ck_assert_int_eq(seen[1], OWN | BOARD_NET_SIGN << 4);
	ck_assert_int_eq(seen[3], OWN);
	ck_assert_int_eq(seen[60], OTHER);
	ck_assert_int_eq(seen[62], OTHER | BOARD_NET_SIGN << 4);
}
END_TEST

/* Between the steps of a move the network sees those that were made. */
START_TEST(unfinished_moves_are_seen)
{
	const struct game *g = game_find("amazons", NULL);
	uint8_t seen[GAME_SQUARES_MAX];
	struct state s;
	struct move m;
	int way;
	g->start(g, &s);
	ck_assert_int_eq(g->parse(g, &s, "D1D4G7", &m), MOVE_OK);
	for (int kind = 0; kind < 3; kind++) {
		static const int squares[] = { 93, 63, 36 }; /* D1, D4, G7 */
		ck_assert_int_eq(board_net_place(g, 3, m.step[kind], &way), squares[kind]);
		ck_assert_int_eq(way, kind);
		g->play(g, &s, m.step[kind]);
		board_net_look(g, &s, seen);
		ck_assert_int_eq(seen[93], kind == 0 ? OWN | BOARD_NET_SIGN : EMPTY);
		ck_assert_int_eq(seen[63], kind == 0   ? EMPTY
					   : kind == 1 ? OWN | BOARD_NET_SIGN << 1
						       : OTHER);
		ck_assert_int_eq(seen[36], kind == 2 ? EMPTY | BOARD_NET_SIGN << 4 : EMPTY);
	}
}
END_TEST

/* Writes a network of zeros, with one byte changed: `at` bytes from the begin, or none if that is below 0; cut to `size`
 * bytes, or whole if that is 0. */
static void write_network(const char *path, const struct game *g, int at, size_t size)
{
	struct board_weights *w = xcalloc(1, sizeof *w);
	size_t whole;
	w->blocks = 1;
	char *file = board_net_file(g, w, &whole);
	if (at >= 0)
		file[at] ^= 1;
	FILE *f = fopen(path, "wb");
	ck_assert_ptr_nonnull(f);
	fwrite(file, size ? size : whole, 1, f);
	ck_assert_int_eq(fclose(f), 0);
	free(file);
	free(w);
}

START_TEST(a_network_serves_all_sizes_of_its_game)
{
	const struct game *hex = &game_hex, *small = game_of_size(&game_hex, 5);
	char path[] = "/tmp/yomi-net-XXXXXX", why[REASON_MAX];
	struct evaluator e;
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert(!board_net_load("/nonexistent/net", games, why));
	ck_assert_str_eq(why, "cannot read /nonexistent/net: No such file or directory");
	ck_assert(!board_net_load("/dev/null", games, why));
	ck_assert_ptr_nonnull(strstr(why, "/dev/null is not a network"));
	/* Damaged in the checksum, in the weights, cut in the header and behind it; of a game that it cannot be of. */
	const struct {
		int at;
		size_t size;
	} damages[] = { { 8, 0 }, { 70, 0 }, { -1, 40 }, { -1, 80 }, { 0, 0 }, { 20, 0 } };
	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		write_network(path, hex, damages[i].at, damages[i].size);
		ck_assert(!board_net_load(path, games, why));
		ck_assert_ptr_nonnull(strstr(why, "is not a network"));
		ck_assert_ptr_null(board_net_loaded(hex));
	}
	write_network(path, hex, -1, 0);
	ck_assert(board_net_load(path, games, why));
	unlink(path);
	ck_assert_ptr_null(board_net_loaded(&game_hex_rex));
	ck_assert_ptr_null(board_net_loaded(&game_go));
	for (int i = 0; i < 2; i++) {
		const struct game *g = i ? small : hex;
		struct evaluation out;
		move_t steps[GAME_STEPS_MAX];
		struct state s;
		ck_assert(evaluator_open(&e, g));
		g->start(g, &s);
		int count = g->moves(g, &s, steps);
		evaluator_steps(&e, &s, steps, count, &out);
		/* All weights are 0. */
		ck_assert(out.value == 0);
		for (int k = 0; k < count; k++)
			ck_assert_float_eq_tol(out.priors[k], 1.0f / (float)count, 1e-5f);
	}
}
END_TEST

/* One network serves all sizes of a game: each has the same ways to play at a square. */
START_TEST(all_sizes_have_the_same_ways)
{
	const struct game *g = games[_i];
	int ways, others;
	bool fits = board_net_fits(g, &ways);
	for (int i = 0; g->sizes && g->sizes[i]; i++) {
		ck_assert_int_eq(board_net_fits(g->sizes[i], &others), fits);
		ck_assert(!fits || others == ways);
	}
}
END_TEST

/* The owners are turned with the board, and exchanged with the sides; other games have none. */
START_TEST(owners_are_of_the_board)
{
	const struct game *g = game_of_size(&game_go, 5);
	static const char stones[] = "X......O......X........OX";
	struct board_weights *w = xcalloc(1, sizeof *w);
	struct board_net net = { 0 };
	struct evaluator e = BOARD_NET_EVALUATOR(&net);
	float value;
	double owners[GAME_SQUARES_MAX], others[GAME_SQUARES_MAX];
	char turned[26] = "", exchanged[26] = "";
	struct state s;
	struct rng rng;
	size_t size;
	rng_seed(&rng, 4);
	for (int tap = 0; tap < BOARD_NET_TAPS; tap++)
		for (int i = 0; i < BOARD_NET_CHANNELS * BOARD_NET_CHANNELS; i++)
			w->layers[0].weights[tap][i / BOARD_NET_CHANNELS][i % BOARD_NET_CHANNELS] =
				(int8_t)((int)rng_below(&rng, 101) - 50);
	for (int k = 0; k < BOARD_NET_CHANNELS; k++) {
		w->layers[0].scale[k] = 1.f / 40;
		w->owners.weights[k] = (int16_t)((int)rng_below(&rng, 401) - 200);
	}
	net.file = board_net_file(g, w, &size);
	e.game = g;
	/* So much komi that no square or every square has its sign, which otherwise is not turned with the stones. */
	ck_assert_ptr_null(game_setup(g, &s, stones, "X"));
	ck_assert(g->komi->set(g, &s, 40));
	ck_assert(evaluator_owners(&e, &s, 8, owners, &value));
	ck_assert(fabs(owners[0]) > 1e-3 && fabs(owners[0]) <= 1);
	ck_assert(value == evaluator_state(&e, &s));
	/* One image is the board as it lies. */
	ck_assert(evaluator_owners(&e, &s, 1, others, &value));
	ck_assert(value == evaluator_state(&e, &s));
	int different = 0;
	for (int i = 0; i < 25; i++)
		different += owners[i] != others[i];
	ck_assert_int_gt(different, 0);
	for (int i = 0; i < 25; i++)
		turned[i % 5 * 5 + i / 5] = stones[i];
	ck_assert_ptr_null(game_setup(g, &s, turned, "X"));
	ck_assert(g->komi->set(g, &s, 40));
	ck_assert(evaluator_owners(&e, &s, 8, others, &value));
	for (int i = 0; i < 25; i++)
		ck_assert_double_eq_tol(owners[i], others[i % 5 * 5 + i / 5], 1e-6);
	for (int i = 0; i < 25; i++)
		exchanged[i] = stones[i] == 'X' ? 'O' : stones[i] == 'O' ? 'X' : '.';
	ck_assert_ptr_null(game_setup(g, &s, exchanged, "O"));
	ck_assert(g->komi->set(g, &s, -40));
	ck_assert(evaluator_owners(&e, &s, 8, others, &value));
	for (int i = 0; i < 25; i++)
		ck_assert_double_eq_tol(owners[i], -others[i], 1e-6);
	board_net_close(&net);
	free((void *)net.file);
	free(w);
	e.game = &game_connectfour;
	ck_assert(!evaluator_owners(&e, &s, 8, others, &value));
}
END_TEST

/* A network whose sums could overflow is refused, although nothing is damaged. */
START_TEST(weights_out_of_range_are_refused)
{
	struct board_weights *w = xcalloc(1, sizeof *w);
	size_t size;
	for (int i = 0; i < 7; i++) {
		memset(w, 0, sizeof *w);
		switch (i) {
		case 0:
			w->blocks = BOARD_NET_BLOCKS + 1;
			break;
		case 1:
			w->heads.policy[0][0] = BOARD_NET_HEAD_CLIP + 1;
			break;
		case 2:
			w->heads.hidden_bias[3] = BOARD_NET_BIAS_CLIP + 1;
			break;
		case 3:
			w->layers[0].bias[5] = -BOARD_NET_BIAS_CLIP - 1;
			break;
		case 4:
			w->layers[0].scale[5] = 1e9f;
			break;
		case 5:
			w->heads.policy_bias[0] = INT32_MIN;
			break;
		default:
			break;
		}
		void *file = board_net_file(&game_hex, w, &size);
		struct board_weights *read = board_net_read(&game_hex, file);
		ck_assert_int_eq(read != NULL, i == 6);
		free(read);
		free(file);
	}
	free(w);
}
END_TEST

int main(void)
{
	int count = 0;
	while (games[count])
		count++;
	Suite *suite = suite_create("board_net");
	TCase *cases = tcase_create("board_net");
	tcase_add_loop_test(cases, both_sides_see_the_same, 0, count);
	tcase_add_test(cases, pieces_are_seen);
	tcase_add_test(cases, unfinished_moves_are_seen);
	tcase_add_loop_test(cases, all_sizes_have_the_same_ways, 0, count);
	tcase_add_test(cases, a_network_serves_all_sizes_of_its_game);
	tcase_add_test(cases, owners_are_of_the_board);
	tcase_add_test(cases, weights_out_of_range_are_refused);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
