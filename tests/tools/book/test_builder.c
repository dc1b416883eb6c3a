/* SPDX-License-Identifier: MIT
 *
 * Books from scratch: of Tic-tac-toe, whose moves keep the draw, of Othello, whose values are consistent, and of
 * Connect Four, whose moves keep the result. Books do not depend on the number of threads or on
 * interruptions.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/rules/book.h"
#include "engine/rules/solver.h"
#include "tests/engine/naive.h"
#include "tests/folder.h"
#include "tools/book/builder.h"
#include "tools/book/confirm.h"
#include "tools/book/prover.h"
#include "tools/lib/exact.h"

static char output[128], journal[128];

static void set_up(void)
{
	folder_create();
	snprintf(output, sizeof output, "%s/book", folder);
	snprintf(journal, sizeof journal, "%s/journal", folder);
}

/* Settings that all books share: files, memory, no limit of time. */
static struct book_settings book_of(const struct game *g)
{
	return (struct book_settings) {
		.game = g, .output = output, .journal = journal, .seconds = 1e6, .memory = 8
	};
}

static void *read_whole(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	ck_assert_ptr_nonnull(f);
	char *bytes = malloc(1 << 20);
	*size = fread(bytes, 1, 1 << 20, f);
	fclose(f);
	return bytes;
}

static size_t size_of(const char *path)
{
	size_t size;
	free(read_whole(path, &size));
	return size;
}

/* Builds a book that must equal another one. */
static void make_same(const struct book_settings *settings, const void *book, size_t size)
{
	size_t again;
	builder_run(settings);
	void *same = read_whole(output, &again);
	ck_assert_uint_eq(size, again);
	ck_assert_int_eq(memcmp(book, same, size), 0);
	free(same);
}

/* Builds a book in several ways and returns it. */
static void *make_book(struct book_settings *settings)
{
	size_t size;
	settings->threads = 2;
	builder_run(settings);
	void *book = read_whole(output, &size);

	/* With a complete journal nothing is searched. */
	size_t found = size_of(journal);
	make_same(settings, book, size);
	ck_assert_uint_eq(size_of(journal), found);

	/* Half a journal with an incomplete line is completed. */
	ck_assert_int_eq(truncate(journal, (off_t)found / 2), 0);
	make_same(settings, book, size);

	/* The rest of a line that was cut in its value is no value, not even for the run after the next. */
	char *whole = read_whole(journal, &found);
	for (size_t cut = 1; cut <= 8; cut++) {
		FILE *f = fopen(journal, "wb");
		ck_assert(f && fwrite(whole, 1, found - cut, f) == found - cut && fclose(f) == 0);
		make_same(settings, book, size);
		size_t length;
		char *ended = read_whole(journal, &length);
		ck_assert_uint_gt(length, found - cut);
		ck_assert_int_ne(ended[found - cut], '\n');
		free(ended);
		make_same(settings, book, size);
	}
	free(whole);

	ck_assert_int_eq(truncate(journal, 0), 0);
	settings->threads = 1;
	make_same(settings, book, size);
	return book;
}

static int negamax(const struct game *g, const struct state *s)
{
	struct move moves[GAME_MOVES_MAX];
	int best = -1, sign = s->side == BLACK ? 1 : -1;
	if (s->over)
		return sign * score_sign(s->score);
	int n = game_moves(g, s, moves);
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		game_play(g, &next, moves[i]);
		int value = -negamax(g, &next);
		best = value > best ? value : best;
	}
	return best;
}

START_TEST(makes_a_book_of_all_moves)
{
	struct book_settings settings = book_of(&game_tictactoe);
	settings.depth = 3;
	settings.work = 1000;
	settings.positions = 1;
	settings.step = 0.02;
	settings.equal = 0.01;
	void *book = make_book(&settings);
	struct game g = game_tictactoe;
	g.book = book;

	/* The start and all answers to it. */
	struct state s;
	struct move first[GAME_MOVES_MAX];
	struct book_move moves[BOOK_MOVES_MAX];
	g.start(&g, &s);
	ck_assert_int_ge(book_find(&g, &s, moves), 1);
	int n = game_moves(&g, &s, first);
	for (int i = 0; i < n; i++) {
		struct state next = s;
		game_play(&g, &next, first[i]);
		int count = book_find(&g, &next, moves);
		ck_assert_int_ge(count, 1);
		for (int k = 0; k < count; k++) {
			struct state after = next;
			game_play(&g, &after, moves[k].move);
			ck_assert_int_eq(negamax(&g, &after), 0);
		}
	}
	free(book);
}
END_TEST

static struct state passes_soon;

static void start_before_pass(const struct game *g, struct state *s)
{
	(void)g;
	*s = passes_soon;
}

/* A position in which a side must pass is none of the book's: that after the pass takes its place. */
START_TEST(skips_passes)
{
	struct game g = game_othello;
	struct book_settings settings = book_of(&g);
	settings.depth = 2;
	settings.work = 500;
	settings.positions = 1;
	settings.equal = 1;
	settings.threads = 1;
	int passed = 0;
	struct rng rng;
	rng_seed(&rng, 1);
	g.start = start_before_pass;
	while (passed < 2) {
		struct move moves[GAME_MOVES_MAX];
		struct book_move own[BOOK_MOVES_MAX];
		struct state after[GAME_MOVES_MAX];
		bool passes = false;
		size_t size;
		if (!naive_position(&game_othello, 8, &rng, &passes_soon) ||
		    game_must_pass(&g, &passes_soon))
			continue;
		int n = game_moves(&g, &passes_soon, moves);
		for (int i = 0; i < n; i++) {
			after[i] = passes_soon;
			game_play(&g, &after[i], moves[i]);
			passes |= game_must_pass(&g, &after[i]);
			while (game_must_pass(&g, &after[i]))
				g.play(&g, &after[i], g.steps.pass);
		}
		if (!passes)
			continue;
		unlink(journal);
		builder_run(&settings);
		g.book = read_whole(output, &size);
		for (int i = 0; i < n; i++)
			ck_assert(after[i].over || book_find(&g, &after[i], own) > 0);
		free((void *)(uintptr_t)g.book);
		g.book = NULL;
		passed++;
	}
}
END_TEST

/* Returns how many moves deep the book continues from a state by its own moves. The values of best moves
 * must be equal all the way. */
static int follow(const struct game *g, const struct state *s)
{
	struct book_move moves[BOOK_MOVES_MAX], next[BOOK_MOVES_MAX];
	int deepest = 0, count = book_find(g, s, moves);
	for (int i = 0; i < count; i++) {
		struct state after = *s;
		ck_assert(game_is_legal(g, s, moves[i].move));
		game_play(g, &after, moves[i].move);
		if (book_find(g, &after, next))
			ck_assert(next[0].value == moves[i].value);
		int depth = 1 + follow(g, &after);
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest;
}

START_TEST(makes_a_book_of_good_moves)
{
	struct book_settings settings = book_of(&game_othello);
	settings.work = 500;
	settings.positions = 120;
	settings.step = 0.25;
	settings.equal = 1;
	void *book = make_book(&settings);
	struct game g = game_othello;
	struct state s;
	g.book = book;
	g.start(&g, &s);
	ck_assert_int_ge(follow(&g, &s), 4);

	/* Without time the book is empty. */
	struct book_header *header = (struct book_header *)book;
	/* It is more than one long line. */
	ck_assert_uint_gt(header->count, 80);
	free(book);
	size_t size;
	unlink(journal);
	settings.seconds = 0;
	builder_run(&settings);
	header = (struct book_header *)read_whole(output, &size);
	ck_assert_uint_eq(header->count, 0);
	free(header);
}
END_TEST

/* Of two answers to the centre of Tic-tac-toe, a corner draws and an edge loses. The search of the position
 * after the edge shows it. The start's own entry stays: its search chooses another move of equal value. */
START_TEST(confirms_good_moves_only)
{
	struct game g = game_tictactoe;
	struct book_settings settings = book_of(&g);
	settings.work = 5000;
	settings.equal = 0.01;
	settings.threads = 1;
	struct book_entry entries[3];
	struct state s;
	int symmetry;
	size_t size, found;
	g.start(&g, &s);
	entries[0] = book_key(&g, &s, &symmetry);
	entries[0].step[0] = 4;
	g.play(&g, &s, 4);
	entries[1] = entries[2] = book_key(&g, &s, &symmetry);
	entries[1].step[0] = 0;
	entries[2].step[0] = 1;
	for (int i = 0; i < 3; i++) {
		entries[i].step[1] = UINT8_MAX;
		entries[i].value = 0;
	}
	builder_write(&settings, entries, 3);
	g.book = read_whole(output, &size);
	for (int round = 0; round < 2; round++) {
		confirm_run(&settings);
		struct book_header *header = read_whole(output, &size);
		const struct book_entry *kept = (const void *)(header + 1);
		ck_assert_uint_eq(header->count, 2);
		ck_assert_mem_eq(kept, entries, 2 * sizeof *kept);
		free(header);
		/* The second run finds all results in the journal. */
		if (round)
			ck_assert_uint_eq(size_of(journal), found);
		found = size_of(journal);
		settings.threads = 2;
	}
	/* Without time nothing is written. */
	unlink(journal);
	unlink(output);
	settings.seconds = 0;
	confirm_run(&settings);
	ck_assert_int_ne(access(output, F_OK), 0);
	free((void *)(uintptr_t)g.book);
}
END_TEST

#define PROVEN 6
#define LATE   "...........X.....XO.X..OOOXOO.XXOOOXXOXXXO"

/* Connect Four that begins with 20 empty squares, where Black draws. */
static void start_late(const struct game *g, struct state *s)
{
	ck_assert_ptr_null(game_setup(g, s, LATE, "X"));
}

/* Black's result of perfect play. */
static int result_of(const struct game *g, const struct state *s)
{
	struct exact exact = { 0 };
	struct solution found;
	int least, most;
	if (s->over)
		return s->score;
	ck_assert(exact_solve(&exact, g, s, SOLVE_RESULT, INFINITY, NULL, &found));
	solution_bounds(&found, s->side, &least, &most);
	ck_assert_int_eq(score_sign(least), score_sign(most));
	exact_free(&exact);
	return score_sign(least);
}

/* Follows the book for one side, against all moves of the other. Returns the number of the book's moves. */
static int follow_proven(const struct game *g, const struct state *s, int follower, int made)
{
	struct move moves[GAME_MOVES_MAX];
	struct book_move own[BOOK_MOVES_MAX] = { 0 };
	int count = 0, n = 1;
	if (s->over || made >= PROVEN)
		return 0;
	if (s->side != follower) {
		n = game_moves(g, s, moves);
	} else {
		ck_assert_int_eq(book_find(g, s, own), 1);
		moves[0] = own[0].move;
		count = 1;
	}
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		game_play(g, &next, moves[i]);
		if (s->side == follower) {
			ck_assert_int_eq(result_of(g, &next), result_of(g, s));
			ck_assert(own[0].value == result_of(g, s));
		}
		count += follow_proven(g, &next, follower, made + 1);
	}
	return count;
}

START_TEST(makes_a_book_of_perfect_play)
{
	struct game g = game_connectfour;
	struct book_settings settings = {
		.game = &g, .output = output, .work = 200, .memory = 8, .proven = PROVEN
	};
	struct state s;
	size_t size, again;
	g.start = start_late;
	prover_run(&settings);
	void *book = read_whole(output, &size);
	prover_run(&settings);
	void *same = read_whole(output, &again);
	ck_assert_uint_eq(size, again);
	ck_assert_mem_eq(book, same, size);
	g.book = book;
	g.start(&g, &s);
	for (int side = BLACK; side <= WHITE; side++)
		ck_assert_int_ge(follow_proven(&g, &s, side, 0), 20);
	free(book);
	free(same);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("builder");
	TCase *cases = tcase_create("builder");
	tcase_set_timeout(cases, 60);
	tcase_add_checked_fixture(cases, set_up, folder_remove);
	tcase_add_test(cases, makes_a_book_of_all_moves);
	tcase_add_test(cases, skips_passes);
	tcase_add_test(cases, makes_a_book_of_good_moves);
	tcase_add_test(cases, confirms_good_moves_only);
	tcase_add_test(cases, makes_a_book_of_perfect_play);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
