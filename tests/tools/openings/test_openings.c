/* SPDX-License-Identifier: MIT
 *
 * Level openings: what stays is drawn or level, positions differ in all symmetries, and a run that was interrupted or
 * killed makes the same file as one that was not.
 */
#include <math.h>

#include "engine/base/memory.h"
#include "engine/rules/images.h"
#include "engine/rules/record.h"
#include "engine/search/engine.h"
#include "protocol/records/import.h"
#include "tests/protocol/process.h"
#include "tests/tools/games_of.h"
#include "tools/lib/keys.h"
#include "tools/lib/openings.h"
#include "tools/lib/usual.h"
#include "tools/openings/known.h"

/* Smaller boards have a network, for which hardly any position is level. */
#define HEX                                                                                        \
	"--rules=hex --size=8 --least=1 --most=3 --filter=50 --work=200 --bound=0.4 "              \
	"--coarse=0.6 "
#define COUNT       12

#define USUAL_LEAST 14 /* games with usual openings; files that are being made come to them */

static void set_up(void)
{
	folder_create();
	setenv("D", folder, 1);
}

/* Runs the tool with arguments for the shell. Fails unless it exits with `expected`. The caller frees the output. */
static char *run(int expected, const char *arguments)
{
	int status;
	char *command = xasprintf("$YOMI_BUILD/yomi-openings %s 2>&1", arguments);
	char *text = process_shell(command, &status);
	ck_assert_msg(status == expected, "%s: %d\n%s", command, status, text);
	free(command);
	return text;
}

static const struct game *game_of(const char *name, const char *size)
{
	const struct game *g = game_find(name, NULL);
	return size ? game_of_size(g, atoi(size)) : g;
}

/* Reads a file of the tool. */
static struct openings read_openings(const struct game *g, const char *path)
{
	char reason[OPENINGS_REASON_MAX];
	struct openings all;
	ck_assert_msg(openings_read(&all, g, path, COLUMNS_AUTO, 0, reason), "%s", reason);
	return all;
}

static void state_after(const struct game *g, const struct opening *o, struct state *s)
{
	g->start(g, s);
	for (int i = 0; i < o->count; i++)
		game_play(g, s, o->moves[i]);
}

/* The result of perfect play for the side to move. */
static int negamax(const struct game *g, const struct state *s)
{
	struct move moves[GAME_MOVES_MAX];
	int best = -1;
	if (s->over)
		return side_sign(s->side) * score_sign(s->score);
	int n = game_moves(g, s, moves);
	for (int i = 0; i < n && best < 1; i++) {
		struct state next = *s;
		game_play(g, &next, moves[i]);
		int value = next.over ? side_sign(s->side) * score_sign(next.score)
				      : -negamax(g, &next);
		best = value > best ? value : best;
	}
	return best;
}

/* Counts the positions after one to `most` moves that are drawn and are not in the set yet. */
static int count_draws(const struct game *g, const struct state *s, int most, struct keys *met)
{
	struct move moves[GAME_MOVES_MAX];
	int count = 0, n = game_moves(g, s, moves);
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		game_play(g, &next, moves[i]);
		if (keys_add(met, opening_key(g, &next)))
			count += negamax(g, &next) == 0;
		if (most > 1)
			count += count_draws(g, &next, most - 1, met);
	}
	return count;
}

START_TEST(keys_are_a_set)
{
	struct keys keys = { 0 };
	ck_assert(!keys_have(&keys, 7));
	for (uint64_t i = 0; i < 1000; i++)
		ck_assert(keys_add(&keys, i << 40 | 2));
	for (uint64_t i = 0; i < 1000; i++) {
		ck_assert(!keys_add(&keys, i << 40 | 2));
		ck_assert(keys_have(&keys, i << 40 | 2));
		ck_assert(!keys_have(&keys, i << 40 | 3));
	}
	ck_assert_uint_eq(keys.count, 1000);
	ck_assert(keys_add(&keys, 0));
	ck_assert(keys_have(&keys, 0));
	keys_free(&keys);
}
END_TEST

/* A random position and its image in each symmetry of the game have one key. */
START_TEST(mirrored_positions_have_one_key)
{
	static const char *const names[] = { "pentago", "hex", "havannah", "breakthrough",
					     "gomoku" };
	const struct game *g = game_of(names[_i], NULL);
	char text[POSITION_TEXT_MAX], image[POSITION_TEXT_MAX];
	struct keys keys = { 0 };
	struct record record;
	struct opening opening;
	struct rng rng;
	int squares = g->board.rows * g->board.cols;
	rng_seed(&rng, 5);
	record_init(&record, g);
	for (int i = 0; i < 20; i++) {
		ck_assert(opening_draw(&record, 6, &rng, &opening));
		uint64_t key = opening_key(g, &record.now);
		ck_assert(keys_add(&keys, key));
		game_position(g, &record.now, text);
		strcpy(image, text);
		for (int y = 1; y < 8; y++) {
			struct state s;
			if (!(images_symmetries(g) >> y & 1))
				continue;
			for (int k = 0; k < squares; k++)
				image[images_mirror_square(g, k, y)] = text[k];
			image[squares] = '\0';
			ck_assert_ptr_null(game_setup(g, &s, image, text + squares + 1));
			ck_assert_uint_eq(opening_key(g, &s), key);
		}
		free(opening.moves);
	}
	keys_free(&keys);
	record_free(&record);
}
END_TEST

/* Every draw of Tic-tac-toe after one to three moves is found, nothing else, and each once. */
START_TEST(finds_all_draws)
{
	const struct game *g = game_of("tictactoe", NULL);
	struct keys keys = { 0 };
	char *said = run(1, "--count=1000 --least=1 --most=3 --filter=20000 tictactoe $D/out");
	ck_assert_ptr_nonnull(strstr(said, "tictactoe has no more positions"));
	free(said);
	struct openings all = read_openings(g, folder_path("out"));
	int moves_max = 0;
	for (int i = 0; i < all.count; i++) {
		struct state s;
		state_after(g, &all.list[i], &s);
		ck_assert_int_eq(negamax(g, &s), 0);
		ck_assert(keys_add(&keys, opening_key(g, &s)));
		moves_max = all.list[i].count > moves_max ? all.list[i].count : moves_max;
	}
	ck_assert_int_eq(moves_max, 3);
	keys_free(&keys);
	struct state start;
	g->start(g, &start);
	ck_assert_int_eq(all.count, count_draws(g, &start, 3, &keys));
	keys_free(&keys);
	openings_free(&all);
}
END_TEST

/* Repeats the judgement of the tool. */
START_TEST(level_positions_are_level)
{
	const struct game *g = game_of("hex", "8");
	char reason[REASON_MAX];
	static struct report report;
	struct record record;
	free(run(0, HEX "--count=12 hex $D/out"));
	struct openings all = read_openings(g, folder_path("out"));
	struct engine *engine = engine_create_fixed("mcts", 200);
	struct options *o = engine_options(engine);
	o->memory = 256;
	o->early_stop = false;
	o->seed = 2;
	ck_assert_int_eq(all.count, COUNT);
	record_init(&record, g);
	for (int i = 0; i < all.count; i++) {
		struct limits limits = { .deadline = TIME_NEVER, .work_max = 200 };
		record_restart(&record, g);
		record_set_swap(&record, false);
		for (int k = 0; k < all.list[i].count; k++)
			record_play(&record, all.list[i].moves[k]);
		engine_reseed(engine);
		ck_assert(engine_search(engine, &record, &limits, &report, reason));
		ck_assert_double_lt(fabs(report.value), 0.4);
	}
	record_free(&record);
	engine_destroy(engine);
	openings_free(&all);
}
END_TEST

/* Runs that are interrupted between openings, and runs that are killed, make the file of a whole run. */
START_TEST(continues_after_interruptions)
{
	free(run(0, HEX "--count=12 hex $D/whole"));
	char *whole = text_of_file(folder_path("whole"));
	free(run(0, HEX "--count=1 hex $D/parts"));
	free(run(0, HEX "--count=7 hex $D/parts"));
	free(run(0, HEX "--count=12 hex $D/parts"));
	char *parts = text_of_file(folder_path("parts"));
	ck_assert_str_eq(parts, whole);
	free(parts);
	for (int i = 1; i <= 5; i++) {
		int status;
		char *command = xasprintf(
			"timeout --signal=KILL 0.0%d $YOMI_BUILD/yomi-openings " HEX
			"--count=12 hex $D/killed >/dev/null 2>&1",
			2 * i - 1);
		free(process_shell(command, &status));
		free(command);
	}
	free(run(0, HEX "--count=12 hex $D/killed"));
	char *killed = text_of_file(folder_path("killed"));
	ck_assert_str_eq(killed, whole);
	free(killed);
	free(whole);
}
END_TEST

/* A file of other settings, or one that is no file of openings, is refused and stays as it is. */
START_TEST(refuses_other_files)
{
	static const char *const arguments[] = {
		HEX "--count=20 --seed=2 hex $D/out",
		"--rules=hex --size=6 --count=20 hex $D/out",
		"--count=20 pentago $D/out",
	};
	free(run(0, HEX "--count=2 hex $D/out"));
	char *before = text_of_file(folder_path("out"));
	for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
		char *said = run(1, arguments[i]);
		ck_assert_ptr_nonnull(strstr(said, "was not made by this command"));
		free(said);
	}
	char *after = text_of_file(folder_path("out"));
	ck_assert_str_eq(after, before);
	free(before);
	free(after);
	write_file(folder_path("other"), "A1 B2\n", 6);
	free(run(1, HEX "--count=2 hex $D/other"));
	after = text_of_file(folder_path("other"));
	ck_assert_str_eq(after, "A1 B2\n");
	free(after);
	free(run(0, HEX "--count=12 hex $D/short"));
	/* One opening is missing or there twice, some lack their last moves, or the head counts fewer candidates. */
	static const char *const damages[] = {
		"sed '$d' $D/short",
		"{ sed '$d' $D/short; sed -n 5p $D/short; }",
		"sed '/^#/!s/ [^ ]*$//' $D/short",
		"sed 's/random positions: .*/random positions: 0/' $D/short",
		"sed 's/random positions: .*/random positions: -7/' $D/short",
	};
	char *said;
	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		char *command = xasprintf("%s >$D/cut", damages[i]);
		ck_assert_int_eq(system(command), 0);
		said = run(1, HEX "--count=14 hex $D/cut");
		ck_assert_msg(strstr(said, "its openings are not those that its head counts"),
			      "%s: %s", command, said);
		free(said);
		free(command);
	}
	ck_assert_int_eq(system("echo 'A1 A1' >>$D/short"), 0);
	said = run(1, HEX "--count=4 hex $D/short");
	ck_assert_ptr_nonnull(strstr(said, "'A1' is not legal as move 2"));
	free(said);
	said = run(1, "--least=9 --most=9 tictactoe $D/new");
	ck_assert_ptr_nonnull(strstr(said, "games of tictactoe end within openings of 9 moves"));
	free(said);
	free(run(2, "--least=5 --most=4 hex $D/new"));
	free(run(2, "--search=none hex $D/new"));
	free(run(2, "mahjong $D/new"));
	free(run(1, HEX "--count=2 hex $D/no/such/folder"));
}
END_TEST

/* Known draws come first, whatever symmetry they stand in; known wins never come. */
START_TEST(takes_known_values)
{
	static const char file[] = "# stones, board, side, value\n"
				   "2\tX......O.\tX\t1\tmore\n"
				   "1\t.........\tX\t0\n"
				   "3\tXX.....O.\tO\t0\n"
				   "3\t.O.....XX\tO\t0\n"
				   "2\t....X...O\tX\t0\n";
	const struct game *g = game_of("tictactoe", NULL);
	struct openings found;
	struct keys decided = { 0 };
	struct state s, reached;
	char reason[OPENINGS_REASON_MAX], *said;
	write_file(folder_path("known"), file, sizeof file - 1);
	ck_assert_msg(known_find(&found, &decided, g, folder_path("known"), 2, 3, reason), "%s",
		      reason);
	ck_assert_int_eq(found.count, 2); /* two lines are one position, the start is too short */
	state_after(g, &found.list[0], &reached);
	ck_assert_ptr_null(game_setup(g, &s, "O...X....", "X"));
	ck_assert_uint_eq(opening_key(g, &reached), opening_key(g, &s));
	ck_assert(!keys_have(&decided, opening_key(g, &s)));
	ck_assert_ptr_null(game_setup(g, &s, "..X....O.", "X"));
	ck_assert(keys_have(&decided, opening_key(g, &s)));
	ck_assert_uint_eq(decided.count, 1);
	openings_free(&found);
	keys_free(&decided);
	free(run(
		0,
		"--count=9 --least=2 --most=3 --filter=20000 --known=$D/known tictactoe $D/whole"));
	struct openings all = read_openings(g, folder_path("whole"));
	ck_assert_int_eq(all.count, 9);
	ck_assert_int_eq(all.list[0].count, 2);
	ck_assert_int_eq(all.list[1].count, 3);
	openings_free(&all);
	free(run(
		0,
		"--count=3 --least=2 --most=3 --filter=20000 --known=$D/known tictactoe $D/parts"));
	free(run(
		0,
		"--count=9 --least=2 --most=3 --filter=20000 --known=$D/known tictactoe $D/parts"));
	char *whole = text_of_file(folder_path("whole")),
	     *parts = text_of_file(folder_path("parts"));
	ck_assert_str_eq(parts, whole);
	free(whole);
	free(parts);
	write_file(folder_path("bad"), "X........ O\n", 12);
	said = run(1, "--known=$D/bad tictactoe $D/new");
	ck_assert_ptr_nonnull(strstr(said, "bad: line 1: no BOARD SIDE VALUE"));
	free(said);
}
END_TEST

/* The solver proves draws where the searches are too short to do so. */
START_TEST(asks_the_solver)
{
	const struct game *g = game_of("connectfour", NULL);
	char *said = run(
		0,
		"--count=1 --least=10 --most=10 --filter=2000 --coarse=1 --work=1000 --solve=100 "
		"connectfour $D/out");
	ck_assert_ptr_nonnull(strstr(said, "1 openings, 1 of them proven draws"));
	free(said);
	struct openings all = read_openings(g, folder_path("out"));
	ck_assert_int_eq(all.list[0].count, 10);
	openings_free(&all);
}
END_TEST

/* The files that are bound into the match tool. */
START_TEST(usual_files_are_good)
{
	int found = 0;
	for (const struct game *const *g = games; *g; g++)
		for (int i = -1; i < 0 || ((*g)->sizes && (*g)->sizes[i]); i++) {
			const struct game *sized = i < 0 ? *g : (*g)->sizes[i];
			struct openings all;
			struct keys keys = { 0 };
			uint32_t checksum;
			struct state s;
			if (i >= 0 && sized == *g)
				continue;
			found += usual_openings(&all, sized, 1, &checksum);
			for (int k = 0; k < all.count; k++) {
				state_after(sized, &all.list[k], &s);
				ck_assert(!s.over);
				ck_assert_msg(keys_add(&keys, opening_key(sized, &s)) ||
						      strcmp(sized->name, "othello") == 0,
					      "%s, %s: opening %d is there twice", sized->name,
					      sized->rules, k);
			}
			keys_free(&keys);
			openings_free(&all);
		}
	ck_assert_int_ge(found, USUAL_LEAST);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("openings");
	TCase *cases = tcase_create("openings"), *native = suite_native_case(suite);
	tcase_add_checked_fixture(cases, set_up, folder_remove);
	tcase_add_checked_fixture(native, set_up, folder_remove);
	tcase_add_test(cases, keys_are_a_set);
	tcase_add_loop_test(cases, mirrored_positions_have_one_key, 0, 5);
	tcase_add_test(cases, finds_all_draws);
	tcase_add_test(cases, level_positions_are_level);
	tcase_add_test(cases, continues_after_interruptions);
	tcase_add_test(cases, refuses_other_files);
	tcase_add_test(cases, takes_known_values);
	tcase_add_test(native, asks_the_solver);
	tcase_add_test(cases, usual_files_are_good);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
