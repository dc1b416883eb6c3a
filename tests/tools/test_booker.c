/* SPDX-License-Identifier: MIT
 * A book of Tic-tac-toe made from nothing: its moves keep the draw, and a run that was ended goes on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/book.h"
#include "tests/suite.h"
#include "tools/lib/booker.h"

static char folder[] = "/tmp/yomi-book-XXXXXX", output[64], journal[64];

static void *read_whole(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	ck_assert_ptr_nonnull(f);
	char *bytes = malloc(1 << 20);
	*size = fread(bytes, 1, 1 << 20, f);
	fclose(f);
	return bytes;
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

START_TEST(makes_a_book)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(output, sizeof output, "%s/book", folder);
	snprintf(journal, sizeof journal, "%s/journal", folder);
	struct booking booking = { .game = &game_tictactoe,
				   .output = output,
				   .journal = journal,
				   .seconds = 1e6,
				   .depth = 2,
				   .work = 300,
				   .rounds = 1,
				   .threads = 2 };
	size_t size, again;
	booker_run(&booking);
	char *book = read_whole(output, &size);
	struct game g = game_tictactoe;
	g.book = book;

	/* The start, and the three answers to it that no symmetry exchanges. */
	struct state s;
	struct move first[GAME_MOVES_MAX], moves[BOOK_MOVES_MAX];
	double value;
	g.start(&s);
	ck_assert_int_ge(book_find(&g, &s, moves, &value), 1);
	int n = game_moves(&g, &s, first);
	for (int i = 0; i < n; i++) {
		struct state next = s;
		game_play(&g, &next, first[i]);
		int count = book_find(&g, &next, moves, &value);
		ck_assert_int_ge(count, 1);
		for (int k = 0; k < count; k++) {
			struct state after = next;
			game_play(&g, &after, moves[k]);
			ck_assert_int_eq(negamax(&g, &after), 0);
		}
	}

	/* With all that was found nothing is searched, and the book is the same. */
	size_t lines;
	free(read_whole(journal, &lines));
	booker_run(&booking);
	char *same = read_whole(output, &again);
	ck_assert_uint_eq(size, again);
	ck_assert_int_eq(memcmp(book, same, size), 0);
	free(read_whole(journal, &again));
	ck_assert_uint_eq(again, lines);

	/* Half of it, torn off in a line, is made good. */
	ck_assert_int_eq(truncate(journal, (off_t)lines / 2), 0);
	booker_run(&booking);
	free(same);
	same = read_whole(output, &again);
	ck_assert_uint_eq(size, again);
	ck_assert_int_eq(memcmp(book, same, size), 0);
	free(book);
	free(same);
	unlink(output);
	unlink(journal);
	rmdir(folder);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("booker");
	TCase *cases = tcase_create("booker");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, makes_a_book);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
