/* SPDX-License-Identifier: MIT
 *
 * The opening book: positions are found in every symmetry, the books in the program are intact, and the
 * engine uses them only where it should.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/evaluation/weights.h"
#include "engine/rules/book.h"
#include "engine/rules/images.h"
#include "tests/engine/fixture.h"
#include "tests/suite.h"
#include "tests/tested.h"

#define SYMMETRIES 8
#define BOOK_MOST  (1 << 20) /* maximum size in the repository in bytes */

static move_t mirrored(const struct game *g, move_t step, int symmetry)
{
	return step == MOVE_NONE || !symmetry ? step : g->images->mirror(g, step, symmetry);
}

START_TEST(symmetries_are_taken_back)
{
	for (int g = 0; tested_game(g); g++)
		for (int i = 0; tested_game(g)->images && tested_game(g)->images->mirror &&
				i < tested_game(g)->board.rows * tested_game(g)->board.cols;
		     i++)
			for (int y = 0; y < SYMMETRIES; y++) {
				if (y && !(images_symmetries(tested_game(g)) >> y & 1))
					continue;
				int there = images_mirror_square(tested_game(g), i, y);
				ck_assert_int_eq(images_mirror_square(tested_game(g), there,
								      book_inverse(y)),
						 i);
			}
}
END_TEST

/* Sets the start position as seen in a symmetry. */
static void start_mirrored(const struct game *g, int symmetry, struct state *s)
{
	char squares[65] = "";
	g->start(g, s);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		squares[images_mirror_square(g, i, symmetry)] = g->at(g, s, i / g->board.cols,
								      i % g->board.cols);
	ck_assert_ptr_null(g->setup(g, s, squares, s->side));
}

/* Plays the same game in all symmetries of the board. */
START_TEST(equal_positions_have_one_key)
{
	struct rng rng;
	rng_seed(&rng, 4);
	for (int g = 0; tested_game(g); g++) {
		const struct game *game = tested_game(g);
		if (!images_have_stones(game))
			continue; /* it can have no book */
		const unsigned all = images_symmetries(game) | 1;
		if (!images_have_stones(game)) /* it can have no book */
			continue;
		struct state s[SYMMETRIES];
		for (int y = 0; y < SYMMETRIES; y++)
			if (all >> y & 1)
				start_mirrored(game, y, &s[y]);
		while (game->images && game->images->mirror && !s[0].over) {
			move_t steps[GAME_STEPS_MAX];
			int n = game->moves(game, &s[0], steps), symmetry;
			move_t step = steps[rng_below(&rng, (uint32_t)n)];
			for (int y = 0; y < SYMMETRIES; y++)
				if (all >> y & 1)
					game->play(game, &s[y], mirrored(game, step, y));
			struct book_entry key = book_key(game, &s[0], &symmetry);
			for (int y = 1; y < SYMMETRIES; y++) {
				if (!(all >> y & 1))
					continue;
				struct book_entry other = book_key(game, &s[y], &symmetry);
				ck_assert_mem_eq(&key, &other, sizeof key);
			}
		}
	}
}
END_TEST

START_TEST(bound_books_are_whole)
{
	int books = 0;
	for (int g = 0; tested_game(g); g++) {
		const struct book_header *header = tested_game(g)->book;
		if (!header)
			continue;
		const struct book_entry *entries = (const void *)(header + 1);
		size_t bytes = header->count * sizeof *entries;
		books++;
		ck_assert_int_eq(memcmp(header->magic, BOOK_MAGIC, sizeof header->magic), 0);
		ck_assert_uint_eq(header->checksum, checksum_of(entries, bytes));
		ck_assert_uint_le(sizeof *header + bytes, BOOK_MOST);
		for (uint32_t i = 1; i < header->count; i++)
			ck_assert_int_le(book_compare(&entries[i - 1], &entries[i]), 0);
	}
	ck_assert_int_gt(books, 0);
}
END_TEST

/* Sets the state of an entry. */
static void set_entry(const struct game *g, const struct book_entry *e, struct state *s)
{
	char squares[65] = "";
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		squares[i] = e->stones[BLACK] >> i & 1   ? 'X'
			     : e->stones[WHITE] >> i & 1 ? 'O'
							 : '.';
	ck_assert_ptr_null(g->setup(g, s, squares, e->side));
}

/* All entries are found, the best moves first. The value of an entry is that of the best moves after it. */
START_TEST(bound_books_are_consistent)
{
	int behind = 0;
	for (int i = 0; tested_game(i); i++) {
		const struct game *g = tested_game(i);
		const struct book_header *header = g->book;
		const struct book_entry *e = (const void *)(header + 1);
		for (uint32_t at = 0; header && at < header->count;) {
			struct state s;
			struct book_move moves[BOOK_MOVES_MAX], next[BOOK_MOVES_MAX];
			set_entry(g, &e[at], &s);
			int count = book_find(g, &s, moves), sign = s.side == BLACK ? 1 : -1;
			bool good = count > 0;
			for (int k = 0; k < count; k++) {
				struct state after = s;
				good &= sign * (moves[0].value - moves[k].value) >= 0;
				good &= moves[k].value == (double)e[at + (uint32_t)k].value;
				game_play(g, &after, moves[k].move);
				if (game_must_pass(g, &after))
					g->play(g, &after, g->steps.pass);
				if (book_find(g, &after, next) == 0)
					continue;
				good &= fabs(next[0].value - moves[k].value) <=
					(g->score.unit ? 0 : 0.01);
				behind++;
			}
			at += (uint32_t)count;
			good &= at == header->count || book_compare(&e[at - 1], &e[at]) < 0;
			ck_assert_msg(good, "%s, entry %u", g->name, at);
		}
	}
	ck_assert_int_gt(behind, 100);
}
END_TEST

/* In every symmetry the book answers with the corresponding moves. */
static void check_symmetries(const struct game *g)
{
	struct rng rng;
	int found = 0;
	rng_seed(&rng, 5);
	for (int n = 0; n < 50; n++) {
		struct state s, other;
		int y = n % SYMMETRIES, symmetry;
		g->start(g, &s);
		start_mirrored(g, y, &other);
		for (int i = 0; i < n % 3; i++) {
			struct move moves[GAME_MOVES_MAX], move;
			move = moves[rng_below(&rng, (uint32_t)game_moves(g, &s, moves))];
			game_play(g, &s, move);
			for (int k = 0; k < 2 && move.step[k] != MOVE_NONE; k++)
				g->play(g, &other, mirrored(g, move.step[k], y));
		}
		struct book_move here[BOOK_MOVES_MAX], there[BOOK_MOVES_MAX];
		int count = book_find(g, &s, here);
		ck_assert_int_eq(book_find(g, &other, there), count);
		found += count > 0;
		for (int i = 0; i < count; i++) {
			struct state after = s, too = other;
			ck_assert(here[i].value == there[i].value);
			ck_assert(game_is_legal(g, &s, here[i].move));
			ck_assert(game_is_legal(g, &other, there[i].move));
			game_play(g, &after, here[i].move);
			game_play(g, &too, there[i].move);
			struct book_entry a = book_key(g, &after, &symmetry);
			struct book_entry b = book_key(g, &too, &symmetry);
			ck_assert_mem_eq(&a, &b, sizeof a);
		}
	}
	ck_assert_int_gt(found, 40);
}

START_TEST(answers_in_every_symmetry)
{
	check_symmetries(&game_pentago);
	check_symmetries(&game_othello);
}
END_TEST

/* A book of one position answers with its legal moves, and only in that position. */
START_TEST(finds_its_moves)
{
	struct {
		struct book_header header;
		struct book_entry entries[3];
	} book = { .header.count = 3 };
	const struct images plain = { .stones = game_tictactoe.images->stones };
	struct game g = game_tictactoe;
	struct state s;
	struct book_move moves[BOOK_MOVES_MAX];
	int symmetry;
	g.book = &book;
	g.images = &plain;
	g.start(&g, &s);
	ck_assert_int_eq(book_find(&g, &s, moves), 0); /* not in the book */
	g.play(&g, &s, 4);
	ck_assert_int_eq(book_find(&g, &s, moves), 0);
	struct book_entry key = book_key(&g, &s, &symmetry);
	for (int i = 0; i < 3; i++)
		book.entries[i] = (struct book_entry) { { key.stones[0], key.stones[1] },
							(uint8_t)key.side,
							{ (uint8_t)(3 + i), UINT8_MAX },
							.value = 0.5 };
	ck_assert_int_eq(book_find(&g, &s, moves), 2); /* 4 is taken */
	ck_assert_int_eq(moves[0].move.step[0], 3);
	ck_assert_int_eq(moves[1].move.step[0], 5);
	ck_assert(moves[0].value == 0.5);
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

/* The seed determines which of the equal moves is played. */
START_TEST(chance_chooses_among_equals)
{
	struct limits limits = { .deadline = TIME_NEVER, .work_max = WORK_NO_LIMIT, .book = true };
	struct book_move known[BOOK_MOVES_MAX];
	fixture_create("auto");
	set("book", "1");
	record_restart(&record, &game_othello);
	/* Follow the book to a position with a choice. */
	int count;
	while ((count = book_find(record.game, &record.now, known)) == 1)
		record_play(&record, known[0].move);
	ck_assert_int_ge(count, 2);
	int played[BOOK_MOVES_MAX] = { 0 };
	for (int seed = 1; seed <= 64; seed++) {
		struct move first = move_none();
		for (int again = 0; again < 2; again++) {
			set_number("seed", (size_t)seed);
			engine_reseed(engine);
			search_within(limits, &report);
			ck_assert(report.book);
			ck_assert_int_eq(report.move_count, count);
			ck_assert(again == 0 || move_equal(report.line[0], first));
			first = report.line[0];
		}
		bool listed = false;
		for (int i = 0; i < count; i++)
			if (move_equal(known[i].move, report.line[0])) {
				listed = true;
				played[i]++;
				ck_assert(report.score == known[i].value);
			}
		ck_assert(listed);
	}
	for (int i = 0; i < count; i++)
		ck_assert_int_gt(played[i], 0);
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
	tcase_add_test(cases, bound_books_are_consistent);
	tcase_add_test(cases, answers_in_every_symmetry);
	tcase_add_test(cases, finds_its_moves);
	tcase_add_test(cases, engine_asks_the_book);
	tcase_add_test(cases, chance_chooses_among_equals);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
