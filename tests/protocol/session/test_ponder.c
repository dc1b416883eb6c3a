/* SPDX-License-Identifier: MIT
 *
 * Pondering, observed from outside: one thread more than the idle program has while the opponent thinks,
 * and the benefit for the next search. A search that has ended may be visible for a moment, so the tests
 * wait until none runs; a search that should run is checked after PAUSE, when such a moment is over.
 */
#include <dirent.h>

#include "engine/base/memory.h"
#include "tests/protocol/talk.h"

#define PAUSE 50 /* milliseconds */

static struct talk t;
static int idle_threads;

static int threads(void)
{
	char path[64];
	int count = 0;
	snprintf(path, sizeof path, "/proc/%d/task", (int)t.child);
	DIR *folder = opendir(path);
	ck_assert_ptr_nonnull(folder);
	for (const struct dirent *d; (d = readdir(folder));)
		count += *d->d_name != '.';
	closedir(folder);
	return count;
}

static void start_with(const char *options, int err)
{
	char all[512];
	snprintf(all, sizeof all, "--threads 1 --seed 1 --memory 16 --ponder %s", options);
	talk_start_with(&t, all, err);
	/* Sanitizers have a thread of their own behind the first one of the program's. */
	tell(&t, "kata-search_cancellable b\n\n");
	hear(&t);
	usleep(1000 * PAUSE);
	idle_threads = threads();
}

static void start(const char *options)
{
	start_with(options, -1);
}

static void is_silent(void)
{
	ck_assert(!talk_is_heard(&t, PAUSE));
}

static void ponders(void)
{
	is_silent();
	ck_assert_int_gt(threads(), idle_threads);
}

static void rests(void)
{
	while (threads() > idle_threads)
		usleep(1000);
}

static void moves(const char *color)
{
	ck_assert_int_ne(*ask(&t, "genmove %s", color), '?');
}

#define OTHELLO "--game othello --book 0 --playouts 1000 "

/* --- what it is good for --- */

/* Returns the visits of the position in a search that plays no move, including those of earlier searches. */
static int visits(const char *color)
{
	char line[8192] = "";
	int n = 0;
	tell(&t, "kata-search_analyze %s 100 rootInfo true maxmoves 1\n", color);
	ck_assert_str_eq(hear_line(&t), "=\n");
	for (const char *next; strncmp(next = hear_line(&t), "info", 4) == 0;)
		snprintf(line, sizeof line, "%s", next);
	ck_assert_str_eq(hear_line(&t), "\n");
	const char *root = strstr(line, "rootInfo visits ");
	ck_assert(root && sscanf(root, "rootInfo visits %d", &n) == 1);
	return n;
}

/* White answers Black's first move by capturing a disc diagonally. */
static void reply(const char *black)
{
	static const char *const replies[][2] = {
		{ "D3", "C3" }, { "C4", "C3" }, { "F5", "F6" }, { "E6", "F6" }
	};
	int i = 0;
	while (strcmp(replies[i][0], black) != 0)
		ck_assert_int_lt(++i, 4);
	ask_for("", &t, "play w %s", replies[i][1]);
}

/* Plays Black's move, waits, then plays White's move. */
static void open_game(int milliseconds)
{
	char move[MOVE_TEXT_MAX];
	ask_for("", &t, "clear_cache");
	ask_for("", &t, "clear_board");
	snprintf(move, sizeof move, "%.2s", ask(&t, "genmove b"));
	usleep(1000 * (useconds_t)milliseconds);
	reply(move);
}

static int visits_after(int milliseconds)
{
	open_game(milliseconds);
	return visits("b");
}

/* Two searches of 200 playouts give the position at most 400 visits. The others come from pondering. */
START_TEST(trees_grow)
{
	static const char *const searches[] = { "mcts", "union" };
	start(OTHELLO);
	ask_for("", &t, "param search %s", searches[_i]);
	ask_for("", &t, "param playouts 200");
	/* In bytes, whatever the build's unit: in a tiny tree the reply's nodes may be freed. */
	ask_for("", &t, "param memory %zu", ((size_t)16 << 20) / MEMORY_UNIT);
	for (int pause = 10; visits_after(pause) <= 400; pause *= 2)
		;
	ask_for("", &t, "param ponder off");
	int alone = visits_after(0);
	ck_assert_int_le(alone, 400);
	ck_assert_int_eq(visits_after(PAUSE), alone);
	talk_end(&t);
}
END_TEST

/* Returns the nodes needed for a search of this depth. */
static int nodes_after(int milliseconds)
{
	int n = 0;
	ask_for("", &t, "param nodes 1000");
	ask_for("", &t, "param depth 0");
	open_game(milliseconds);
	ask_for("", &t, "param nodes 0");
	ask_for("", &t, "param depth 10");
	moves("b");
	const char *units = strstr(ask(&t, "gomill-explain_last_move"), " nodes");
	ck_assert_ptr_nonnull(units);
	while (units[-1] != ' ')
		units--;
	ck_assert_int_eq(sscanf(units, "%d", &n), 1);
	return n;
}

START_TEST(tables_fill)
{
	start("--game othello --book 0 --search alphabeta --probcut 1.5");
	/* In bytes, whatever the build's unit. */
	ask_for("", &t, "param memory %zu", ((size_t)16 << 20) / MEMORY_UNIT);
	ask_for("", &t, "param ponder 0");
	int alone = nodes_after(0);
	ck_assert_int_eq(nodes_after(PAUSE), alone);
	ask_for("", &t, "param ponder 1");
	for (int pause = 10; nodes_after(pause) > alone * 3 / 4; pause *= 2)
		;
	talk_end(&t);
}
END_TEST

/* --- when it ends --- */

/* Pondering ends without output and does not restart. */
START_TEST(any_line_ends_it)
{
	static const char *const lines[] = { "", "# a comment", "# interrupt", "time_left w 10 0",
					     "name" };
	FILE *notes = tmpfile();
	int count = 0;
	start_with(OTHELLO, fileno(notes));
	ask_for("", &t, "param verbose 1");
	ask_for("", &t, "param live_gfx 1");
	for (int i = 0; i < 5; i++) {
		ask_for("", &t, "clear_board");
		moves("b");
		ponders();
		tell(&t, "%s\n", lines[i]);
		if (i >= 3)
			hear_exactly(&t, i == 3 ? "=\n\n" : "= yomi\n\n");
		rests();
		is_silent();
		rests();
	}
	/* A later interruption belongs to the next search. */
	ask_for("", &t, "param playouts 0");
	ask_for("", &t, "param time 1000000");
	tell(&t, "genmove w\n# interrupt\n");
	ck_assert_int_eq(*hear(&t), '=');
	ponders();
	tell(&t, "genmove b\n# interrupt\n");
	ck_assert_int_eq(*hear(&t), '=');
	ponders();
	talk_end(&t);
	rewind(notes);
	/* One line for each genmove, none for pondering. A search may be interrupted before it has a depth. */
	for (char line[4096]; fgets(line, sizeof line, notes);)
		count += strstr(line, ", line ") != NULL;
	ck_assert_int_eq(count, 7);
	fclose(notes);
}
END_TEST

START_TEST(the_end_ends_it)
{
	for (int way = 0; way < 4; way++) {
		start(OTHELLO);
		moves("b");
		ponders();
		if (way == 0)
			talk_hang_up(&t);
		else if (way == 1)
			ask_for("", &t, "quit");
		else
			kill(t.child, way == 2 ? SIGINT : SIGTERM);
		ck_assert_str_eq(hear_all(&t), "");
		talk_end(&t);
	}
}
END_TEST

/* A proof ends it, too, and the next search is unaffected. */
START_TEST(it_ends_by_itself)
{
	start("--game tictactoe --search mcts --playouts 10");
	for (int i = 0; i < 2; i++) {
		moves(colors[i]);
		rests();
	}
	ask_for("yomi", &t, "name");
	moves("b");
	rests();
	talk_end(&t);
}
END_TEST

/* --- when it does not begin --- */

START_TEST(where_nothing_is_kept)
{
	static const char *const searches[] = { "random", "montecarlo", "negamax",
						"alphabeta-plain" };
	start(OTHELLO);
	for (int i = 0; i < 4; i++) {
		ask_for("", &t, "param search %s", searches[i]);
		ask_for("", &t, "clear_board");
		moves("b");
		rests();
	}
	ask_for("", &t, "param search mcts");
	ask_for("", &t, "param level 1");
	ask_for("", &t, "clear_board");
	moves("b");
	rests();
	ask_for("", &t, "param level 0");
	ask_for("", &t, "param ponder 0");
	ask_for("", &t, "clear_board");
	moves("b");
	rests();
	talk_end(&t);
}
END_TEST

/* The move was not played, or the game is over, or the result is known. */
START_TEST(where_nothing_follows)
{
	start("--game othello --search mcts --playouts 1000");
	ask(&t, "reg_genmove b");
	rests();
	ask(&t, "kata-search b");
	rests();
	ask_for("", &t, "param resign 1");
	ask_for("resign", &t, "genmove b");
	rests();
	ask_for("", &t, "param resign 0");
	tell(&t, "genmove b\nname\n");
	hear(&t);
	hear_exactly(&t, "= yomi\n\n");
	rests();
	ask_for("", &t, "set_game tictactoe");
	ask_for("", &t, "position XX.OO.... X");
	ask_for("C1", &t, "genmove b");
	rests();
	ask_for("PASS", &t, "genmove w");
	rests();
	ask_for("", &t, "position XO..X.... O");
	ask_for("C3", &t, "genmove w");
	rests();
	talk_end(&t);
}
END_TEST

START_TEST(behind_the_book)
{
	start("--game pentago --time 1");
	ask(&t, "genmove b");
	ck_assert_ptr_nonnull(strstr(ask(&t, "gomill-explain_last_move"), "from the book"));
	ask(&t, "undo");
	moves("b");
	rests();
	talk_end(&t);
}
END_TEST

/* The game's solver has found the score. A search would take longer than this test. */
START_TEST(behind_a_solution)
{
	int side = BLACK;
	start("--game othello --playouts 10 --search mcts");
	ask_for("", &t, "param ponder 0");
	for (int i = 0; i < 40; i++, side = !side)
		moves(colors[side]);
	ask_for("", &t, "param ponder 1");
	ask_for("", &t, "param playouts 0");
	ask_for("", &t, "param time 1000");
	ask_for("", &t, "param memory %zu", ((size_t)64 << 20) / MEMORY_UNIT);
	moves(colors[side]);
	ck_assert_ptr_nonnull(strstr(ask(&t, "gomill-explain_last_move"), " wins, "));
	ask_for("", &t, "undo");
	moves(colors[side]);
	rests();
	talk_end(&t);
}
END_TEST

/* In GoGui's frame a move of Pentago is two plays. */
START_TEST(behind_whole_moves)
{
	start("--game pentago --frame --playouts 1000");
	moves("b");
	rests();
	moves("b");
	ponders();
	talk_end(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ponder");
	TCase *cases = tcase_create("ponder");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, trees_grow, 0, 2);
	tcase_add_test(cases, tables_fill);
	tcase_add_test(cases, any_line_ends_it);
	tcase_add_test(cases, the_end_ends_it);
	tcase_add_test(cases, it_ends_by_itself);
	tcase_add_test(cases, where_nothing_is_kept);
	tcase_add_test(cases, where_nothing_follows);
	tcase_add_test(cases, behind_the_book);
	tcase_add_test(cases, behind_a_solution);
	tcase_add_test(cases, behind_whole_moves);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
