/* SPDX-License-Identifier: MIT
 * The book of openings: positions are found in every symmetry, what is bound into the program is whole, and the
 * engine answers from it only where it should; and one made from nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/book.h"
#include "engine/net.h"
#include "tests/engine/fixture.h"
#include "tests/suite.h"

#define SYMMETRIES 8
#define BOOK_MOST  (1 << 20) /* bytes in the repository */

static move_t mirrored(const struct game *g, move_t step, int symmetry)
{
	return step == MOVE_NONE || !symmetry ? step : g->mirror(step, symmetry);
}

START_TEST(symmetries_are_taken_back)
{
	for (int g = 0; games[g]; g++)
		for (int i = 0; i < games[g]->rows * games[g]->cols; i++)
			for (int y = 0; y < SYMMETRIES; y++) {
				int there = game_mirror_square(games[g], i, y);
				ck_assert_int_eq(
					game_mirror_square(games[g], there, book_inverse(y)), i);
			}
}
END_TEST

/* The same game on the board as all symmetries show it. */
START_TEST(equal_positions_have_one_key)
{
	struct rng rng;
	rng_seed(&rng, 4);
	for (int g = 0; games[g]; g++) {
		const struct game *game = games[g];
		struct state s[SYMMETRIES];
		game->start(&s[0]);
		for (int y = 1; y < SYMMETRIES; y++) {
			char squares[65] = "";
			for (int i = 0; i < game->rows * game->cols; i++)
				squares[game_mirror_square(game, i, y)] = game->at(
					&s[0], i / game->cols, i % game->cols);
			ck_assert_ptr_null(game->setup(&s[y], squares, s[0].side));
		}
		while (game->mirror && !s[0].over) {
			move_t steps[GAME_STEPS_MAX];
			int n = game->moves(&s[0], steps), symmetry;
			move_t step = steps[rng_below(&rng, (uint32_t)n)];
			for (int y = 0; y < SYMMETRIES; y++)
				game->play(&s[y], mirrored(game, step, y));
			struct book_key key = book_key(game, &s[0], &symmetry);
			for (int y = 1; y < SYMMETRIES; y++) {
				struct book_key other = book_key(game, &s[y], &symmetry);
				ck_assert_mem_eq(&key, &other, sizeof key);
			}
		}
	}
}
END_TEST

START_TEST(bound_books_are_whole)
{
	int books = 0;
	for (int g = 0; games[g]; g++) {
		const struct book_header *header = games[g]->book;
		if (!header)
			continue;
		const struct book_entry *entries = (const void *)(header + 1);
		size_t bytes = header->count * sizeof *entries;
		books++;
		ck_assert_int_eq(memcmp(header->magic, BOOK_MAGIC, sizeof header->magic), 0);
		ck_assert_uint_eq(header->checksum, net_checksum(entries, bytes));
		ck_assert_uint_le(sizeof *header + bytes, BOOK_MOST);
		for (uint32_t i = 1; i < header->count; i++)
			ck_assert_int_le(book_compare(&entries[i - 1], &entries[i]), 0);
	}
	ck_assert_int_gt(books, 0);
}
END_TEST

/* Whatever symmetry the game is played in, the answers are those of the same moves. */
START_TEST(answers_in_every_symmetry)
{
	const struct game *g = &game_pentago;
	struct rng rng;
	int found = 0;
	rng_seed(&rng, 5);
	for (int n = 0; n < 50; n++) {
		struct state s, other;
		int y = n % SYMMETRIES, symmetry;
		g->start(&s);
		g->start(&other);
		for (int i = 0; i < n % 3; i++) {
			struct move moves[GAME_MOVES_MAX], move;
			move = moves[rng_below(&rng, (uint32_t)game_moves(g, &s, moves))];
			game_play(g, &s, move);
			g->play(&other, mirrored(g, move.step[0], y));
			g->play(&other, mirrored(g, move.step[1], y));
		}
		struct move here[BOOK_MOVES_MAX], there[BOOK_MOVES_MAX];
		double value, same;
		int count = book_find(g, &s, here, &value);
		ck_assert_int_eq(book_find(g, &other, there, &same), count);
		found += count > 0;
		for (int i = 0; i < count; i++) {
			struct state after = s, too = other;
			ck_assert(value == same);
			ck_assert(game_is_legal(g, &s, here[i]));
			ck_assert(game_is_legal(g, &other, there[i]));
			game_play(g, &after, here[i]);
			game_play(g, &too, there[i]);
			struct book_key a = book_key(g, &after, &symmetry);
			struct book_key b = book_key(g, &too, &symmetry);
			ck_assert_mem_eq(&a, &b, sizeof a);
		}
	}
	ck_assert_int_gt(found, 40);
}
END_TEST

/* A book of one position: its moves and no others, and none that the position does not have. */
START_TEST(finds_its_moves)
{
	struct {
		struct book_header header;
		struct book_entry entries[3];
	} book = { .header.count = 3 };
	struct game g = game_tictactoe;
	struct state s;
	struct move moves[BOOK_MOVES_MAX];
	double value;
	int symmetry;
	g.book = &book;
	g.mirror = NULL;
	g.start(&s);
	ck_assert_int_eq(book_find(&g, &s, moves, &value), 0); /* no such moves */
	g.play(&s, 4);
	ck_assert_int_eq(book_find(&g, &s, moves, &value), 0);
	struct book_key key = book_key(&g, &s, &symmetry);
	for (int i = 0; i < 3; i++)
		book.entries[i] = (struct book_entry) { { key.stones[0], key.stones[1] },
							(uint8_t)key.side,
							{ (uint8_t)(3 + i), UINT8_MAX },
							.value = 0.5 };
	ck_assert_int_eq(book_find(&g, &s, moves, &value), 2); /* 4 is taken */
	ck_assert_int_eq(moves[0].step[0], 3);
	ck_assert_int_eq(moves[1].step[0], 5);
	ck_assert(value == 0.5);
}
END_TEST

static struct report report;

static void search_start(int64_t deadline, uint64_t work, const struct move *only)
{
	struct limits limits = { .deadline = deadline,
				 .work_max = work,
				 .only = only,
				 .only_count = only ? 1 : 0,
				 .book = true };
	search_within(limits, &report);
}

START_TEST(engine_asks_the_book)
{
	struct move moves[GAME_MOVES_MAX];
	int64_t late = clock_now() + INT64_C(60000000000);
	fixture_create("mcts");
	record_restart(&record, &game_pentago);
	game_moves(&game_pentago, &record.now, moves);
	set("book", "1");
	search_start(late, WORK_NO_LIMIT, NULL);
	ck_assert(report.book);
	ck_assert_uint_eq(report.playouts, 0);
	ck_assert_int_ge(report.move_count, 1);
	search_start(late, 100, NULL);
	ck_assert(!report.book);
	ck_assert_uint_eq(report.playouts, 100);
	search_start(TIME_NEVER, 100, NULL);
	ck_assert(!report.book);
	search_start(clock_now() + 50000000, WORK_NO_LIMIT, moves);
	ck_assert(!report.book);
	struct limits weak = {
		.deadline = late, .work_max = WORK_NO_LIMIT, .level = 9, .book = true
	};
	search_within(weak, &report);
	ck_assert(!report.book);
	struct limits analysis = { .deadline = clock_now() + 50000000, .work_max = WORK_NO_LIMIT };
	search_within(analysis, &report);
	ck_assert(!report.book);
	set("book", "0");
	search_start(clock_now() + 50000000, WORK_NO_LIMIT, NULL);
	ck_assert(!report.book);
	fixture_destroy();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("book");
	TCase *cases = tcase_create("book");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, symmetries_are_taken_back);
	tcase_add_test(cases, equal_positions_have_one_key);
	tcase_add_test(cases, bound_books_are_whole);
	tcase_add_test(cases, answers_in_every_symmetry);
	tcase_add_test(cases, finds_its_moves);
	tcase_add_test(cases, engine_asks_the_book);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
