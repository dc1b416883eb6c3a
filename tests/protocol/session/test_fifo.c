/* SPDX-License-Identifier: MIT
 *
 * The queue of bytes: random pieces, lines and drains give the same bytes as one long text, and many lines need no more
 * room than wait at once.
 */
#include "protocol/session/fifo.h"

#include "engine/base/rng.h"
#include "engine/base/text.h"
#include "tests/suite.h"

#define PIECE_MAX 300
#define TEXT_MAX  200000

START_TEST(bytes_keep_their_order)
{
	struct fifo f = { 0 };
	struct text all = { 0 };
	struct rng rng;
	size_t taken = 0, length;
	rng_seed(&rng, (uint64_t)_i);
	while (all.length < TEXT_MAX) {
		char piece[PIECE_MAX];
		size_t n = rng_below(&rng, PIECE_MAX);
		for (size_t i = 0; i < n; i++)
			piece[i] = (char)rng_below(&rng, 30);
		fifo_add(&f, piece, n);
		text_write(&all, piece, n);
		ck_assert_uint_eq(fifo_length(&f), all.length - taken);
		if (!fifo_length(&f))
			continue;
		ck_assert_mem_eq(fifo_bytes(&f), all.bytes + taken, fifo_length(&f));
		/* Two of three tests take about as many bytes as come, so that the fifo is often empty. */
		size_t count = rng_below(&rng, _i % 3 ? 2 * PIECE_MAX : PIECE_MAX / 2);
		count = count < fifo_length(&f) ? count : fifo_length(&f);
		const char *end = memchr(all.bytes + taken, 7, all.length - taken);
		char *line = rng_below(&rng, 2) ? fifo_take_line(&f, 7, &length) : NULL;
		if (line) {
			ck_assert_ptr_nonnull(end);
			ck_assert_uint_eq(length, (size_t)(end - all.bytes) - taken);
			ck_assert_mem_eq(line, all.bytes + taken, length);
			ck_assert_int_eq(line[length], '\0');
			taken += length + 1;
			free(line);
		} else {
			fifo_drain(&f, count);
			taken += count;
		}
	}
	fifo_clear(&f);
	ck_assert_uint_eq(fifo_length(&f), 0);
	ck_assert_ptr_null(fifo_take_line(&f, 7, &length));
	text_free(&all);
}
END_TEST

START_TEST(room_is_bounded)
{
	struct fifo f = { 0 };
	size_t length;
	char line[] = "play b a1\n";
	fifo_add(&f, line, strlen(line));
	for (int i = 0; i < 100000; i++) {
		fifo_add(&f, line, strlen(line));
		free(fifo_take_line(&f, '\n', &length));
	}
	ck_assert_uint_lt(f.room, 1024);
	fifo_clear(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fifo");
	TCase *cases = tcase_create("fifo");
	suite_add_tcase(suite, cases);
	tcase_add_loop_test(cases, bytes_keep_their_order, 0, 9);
	tcase_add_test(cases, room_is_bounded);
	return suite_run(suite);
}
