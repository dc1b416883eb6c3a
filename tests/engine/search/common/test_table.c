/* SPDX-License-Identifier: MIT
 *
 * The transposition table: what is stored is found, for its position alone, while the table grows.
 */
#include "engine/search/common/table.h"
#include "tests/suite.h"

#define BUCKETS   1024
#define POSITIONS 600

static struct table table;
static struct control control;

static void setup(void)
{
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
}

static void teardown(void)
{
	table_close(&table);
}

/* Creates a table with `first` of BUCKETS buckets in use. */
static void create(int words, size_t first)
{
	size_t bytes = BUCKETS * BUCKET_CELLS * (size_t)(TABLE_KEYS + words) * sizeof(uint64_t);
	ck_assert(table_prepare(&table, &game_othello, bytes, words, first));
	ck_assert_uint_eq(table.buckets, BUCKETS);
}

/* Makes a position of two words that are all different. */
static struct state position(uint64_t number, int side)
{
	struct state s = { .side = (uint8_t)side };
	struct rng rng;
	rng_seed(&rng, number);
	s.board[0] = rng_next(&rng);
	s.board[1] = rng_next(&rng);
	s.hash = state_hash(&s);
	return s;
}

/* The data of a position, without the bit for the side. */
static uint64_t data_of(uint64_t number, int word)
{
	return (number + 1) * (uint64_t)(word + 1);
}

static int by_data(const struct table *t, const uint64_t *data)
{
	(void)t;
	return (int)(data[0] & ~TABLE_WHITE);
}

static void store(int words, uint64_t number, int side)
{
	struct state s = position(number, side);
	uint64_t data[TABLE_WORDS_MAX];
	_Atomic uint64_t *cell = table_place(&table, words, &s, by_data, data);
	for (int i = 0; i < words; i++)
		data[i] = data_of(number, i);
	table_store(cell, words, &s, data);
}

/* Returns true if the position is found. Its data must be its own. */
static bool is_stored(int words, uint64_t number, int side)
{
	struct state s = position(number, side);
	uint64_t data[TABLE_WORDS_MAX];
	bool found = table_find(&table, words, &s, data);
	for (int i = 0; i < words; i++) {
		uint64_t white = i == 0 && side == WHITE ? TABLE_WHITE : 0;
		ck_assert_uint_eq(data[i], found ? data_of(number, i) | white : 0);
	}
	return found;
}

static int count_stored(int words)
{
	int count = 0;
	for (uint64_t i = 0; i < POSITIONS; i++)
		count += is_stored(words, i, (int)(i & 1));
	return count;
}

static void store_all(int words)
{
	for (uint64_t i = 0; i < POSITIONS; i++)
		store(words, i, (int)(i & 1));
}

/* Nothing is in a new table, not even a position whose words are all 0. */
START_TEST(new_table_is_empty)
{
	struct state s = { .side = BLACK };
	uint64_t data[TABLE_WORDS_MAX];
	s.hash = state_hash(&s);
	create(_i, BUCKETS);
	ck_assert(!table_find(&table, _i, &s, data));
	ck_assert_int_eq(count_stored(_i), 0);
	ck_assert(table_fill(&table) == 0);
}
END_TEST

/* The same stones with the other side to move are another position. */
START_TEST(sides_are_told_apart)
{
	create(_i, BUCKETS);
	store(_i, 7, WHITE);
	ck_assert(is_stored(_i, 7, WHITE));
	ck_assert(!is_stored(_i, 7, BLACK));
	store(_i, 7, BLACK);
	ck_assert(is_stored(_i, 7, WHITE));
	ck_assert(is_stored(_i, 7, BLACK));
}
END_TEST

/* In a full bucket the position worth least is replaced. */
START_TEST(least_worth_is_replaced)
{
	create(_i, 1);
	store(_i, 5, BLACK);
	store(_i, 3, BLACK);
	store(_i, 4, BLACK);
	ck_assert(is_stored(_i, 5, BLACK));
	ck_assert(!is_stored(_i, 3, BLACK));
	ck_assert(is_stored(_i, 4, BLACK));
}
END_TEST

/* A split moves every entry to where it is looked for, whatever the number of buckets. */
START_TEST(split_keeps_entries)
{
	create(_i, 200);
	store_all(_i);
	int stored = count_stored(_i);
	ck_assert_int_gt(stored, 300);
	for (size_t used = 200; used < BUCKETS + 100; used += 77) {
		table_split(&table, used, &control);
		ck_assert_uint_eq(table.used, used < BUCKETS ? used : BUCKETS);
		ck_assert_int_eq(count_stored(_i), stored);
	}
	store_all(_i);
	ck_assert_int_gt(count_stored(_i), stored);
}
END_TEST

/* Growth loses the entries that belong into the new buckets, and no others. */
START_TEST(growth_keeps_some_entries)
{
	create(_i, 512);
	store_all(_i);
	int stored = count_stored(_i);
	table_grow(&table, 256);
	ck_assert_uint_eq(table.used, 768);
	int left = count_stored(_i);
	ck_assert_int_lt(left, stored);
	ck_assert_int_gt(left, stored / 2);
	table_grow(&table, BUCKETS);
	ck_assert_uint_eq(table.used, BUCKETS);
}
END_TEST

/* An entry that mixes the words of two others is not found. */
START_TEST(mixed_cell_is_not_found)
{
	struct state s = position(1, BLACK), other = position(2, BLACK);
	uint64_t data[TABLE_WORDS_MAX] = { 11, 12 };
	_Atomic uint64_t cell[TABLE_KEYS + TABLE_WORDS_MAX] = { 0 };
	cell_write(cell, TABLE_KEYS, _i, s.board, data);
	ck_assert(cell_read(cell, TABLE_KEYS, _i, s.board, data));
	ck_assert(!cell_read(cell, TABLE_KEYS, _i, other.board, data));
	cell[TABLE_KEYS + _i - 1] = _i == 1 ? 12 : 13; /* its last word */
	ck_assert(!cell_read(cell, TABLE_KEYS, _i, s.board, data));
}
END_TEST

/* The next search of the same game and size finds the entries, which are then older. */
START_TEST(entries_are_kept)
{
	create(_i, BUCKETS);
	unsigned age = table.age;
	store(_i, 1, BLACK);
	ck_assert(table_prepare(&table, &game_othello, table.bytes, _i, BUCKETS));
	ck_assert(is_stored(_i, 1, BLACK));
	ck_assert_uint_eq(table.age, age + 1);
	ck_assert(table_prepare(&table, &game_tictactoe, table.bytes, _i, BUCKETS));
	ck_assert(!is_stored(_i, 1, BLACK));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table");
	TCase *cases = tcase_create("table");
	int first = 1, end = TABLE_WORDS_MAX + 1; /* numbers of data words */
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_loop_test(cases, new_table_is_empty, first, end);
	tcase_add_loop_test(cases, sides_are_told_apart, first, end);
	tcase_add_loop_test(cases, least_worth_is_replaced, first, end);
	tcase_add_loop_test(cases, split_keeps_entries, first, end);
	tcase_add_loop_test(cases, growth_keeps_some_entries, first, end);
	tcase_add_loop_test(cases, mixed_cell_is_not_found, first, end);
	tcase_add_loop_test(cases, entries_are_kept, first, end);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
