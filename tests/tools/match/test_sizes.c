/* SPDX-License-Identifier: MIT
 *
 * Matches and records of a game with sizes, komi and passes, which is Go.
 */
#include "engine/base/memory.h"
#include "games/games.h"
#include "tests/protocol/process.h"
#include "tests/tools/games_of.h"
#include "tools/lib/openings.h"
#include "tools/match/collection.h"

#define PLAYER "$YOMI --no-config --threads=1 --memory=8 --seed=1 "

/* An engine that passes and writes the commands to a log. */
static const char passer[] = "#!/bin/sh\n"
			     "while read -r line; do\n"
			     "	echo \"$line\" >>\"$1\"\n"
			     "	case $line in\n"
			     "	list_commands) printf '= "
			     "boardsize\\nclear_board\\ngenmove\\nkomi\\nplay\\n\\n' ;;\n"
			     "	genmove*) printf '= pass\\n\\n' ;;\n"
			     "	quit) printf '=\\n\\n'; exit ;;\n"
			     "	*) printf '=\\n\\n' ;;\n"
			     "	esac\n"
			     "done\n";

static void set_up(void)
{
	folder_create();
	setenv("D", folder, 1);
	write_file(folder_path("passer"), passer, sizeof passer - 1);
}

/* Runs the match tool with arguments for the shell. Fails unless it exits with `expected`. */
static void match(int expected, const char *arguments)
{
	int status;
	char *command = xasprintf("$YOMI_BUILD/yomi-match %s 2>&1", arguments);
	char *text = process_shell(command, &status);
	ck_assert_msg(status == expected, "%s: %d\n%s", command, status, text);
	free(text);
	free(command);
}

/* The games of a match in short. */
struct summary {
	int games, forfeits, halves, longest;
	int passes; /* games that end with two passes */
};

static bool summarize(void *arg, const struct match_game *g)
{
	struct summary *s = arg;
	s->games++;
	s->forfeits += g->end > END_RESIGN;
	s->halves += strstr(g->detail, ".5") != NULL;
	s->longest = g->count > s->longest ? g->count : s->longest;
	s->passes += g->count >= 2 && strcmp(g->moves[g->count - 1].text, "PASS") == 0 &&
		     strcmp(g->moves[g->count - 2].text, "PASS") == 0;
	return true;
}

static struct summary summary_of(struct database *db, int number)
{
	struct summary s = { 0 };
	ck_assert_msg(database_games(db, number, PARTS_ALL, summarize, &s, why), "%s", why);
	return s;
}

/* Size and komi tell matches apart. The same ones continue a match. */
START_TEST(size_and_komi_are_terms)
{
	static const struct {
		const char *terms;
		int match, size, komi, games;
	} runs[] = {
		{ "--size=5 --games=4", 0, 5, 0, 4 },
		{ "--size=5x5 --komi=0 --games=4", 0, 5, 0, 4 },
		{ "--size=5 --games=6", 0, 5, 0, 6 },
		{ "--size=5 --komi=0.5 --games=4", 1, 5, 1, 4 },
		{ "--size=5 --komi=-2.5 --games=2", 2, 5, -5, 2 },
		{ "--size=4 --games=2", 3, 4, 0, 2 },
	};
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		char *command = xasprintf("--game=go %s --opening-moves=2 --seed=1 --output=$D/r "
					  "'a: " PLAYER "--playouts=30' 'b: " PLAYER
					  "--playouts=20'",
					  runs[i].terms);
		match(0, command);
		free(command);
		struct database *db = database_read(folder_path("r"), why);
		ck_assert_msg(db, "%s", why);
		const struct match *m = database_match(db, runs[i].match);
		ck_assert_ptr_nonnull(m);
		ck_assert_ptr_null(database_match(db, runs[i].match + 1));
		ck_assert_str_eq(m->game->name, "go");
		ck_assert_int_eq(m->game->board.rows, runs[i].size);
		ck_assert_int_eq(m->game->board.cols, runs[i].size);
		ck_assert_int_eq(m->komi, runs[i].komi);
		struct summary s = summary_of(db, runs[i].match);
		ck_assert_int_eq(s.games, runs[i].games);
		ck_assert_int_eq(s.forfeits, 0);
		ck_assert_int_eq(s.passes, s.games);
		ck_assert_int_eq(s.halves, runs[i].komi % 2 ? s.games : 0);
		database_close(db);
	}
	/* As SGF and back again nothing is lost. */
	match(0, "--sgf=$D/r >$D/r.sgf");
	match(0, "--import=$D/r.sgf --output=$D/s");
	match(0, "--sgf=$D/s >$D/s.sgf");
	char *first = text_of_file(folder_path("r.sgf")),
	     *second = text_of_file(folder_path("s.sgf"));
	ck_assert_str_eq(first, second);
	ck_assert_ptr_nonnull(strstr(first, "SZ[4]KM[0]"));
	ck_assert_ptr_nonnull(strstr(first, "SZ[5]KM[-2.5]"));
	free(first);
	free(second);
}
END_TEST

/* Engines hear size and komi, and their passes end the game. */
START_TEST(passes_end_the_game)
{
	static const struct {
		const char *options, *told, *result;
	} rows[] = {
		{ "", "boardsize 9\nclear_board\nkomi 7\n", "W+7" },
		{ "--size=19", "boardsize 19\nclear_board\nkomi 7.5\n", "W+7.5" },
		{ "--size=13 --komi=-0.5", "boardsize 13\nclear_board\nkomi -0.5\n", "B+0.5" },
		{ "--size=5", "boardsize 5\nclear_board\nkomi 0\n", "0" },
	};
	char *command = xasprintf("--game=go %s --games=2 --opening-moves=0 --output=$D/r 'a: sh "
				  "$D/passer $D/a' 'b: sh $D/passer $D/b'",
				  rows[_i].options);
	match(0, command);
	struct database *db = database_read(folder_path("r"), why);
	ck_assert_msg(db, "%s", why);
	struct summary s = summary_of(db, 0);
	ck_assert(s.games == 2 && s.passes == 2 && s.longest == 2 && s.forfeits == 0);
	database_close(db);
	match(0, "--sgf=$D/r >$D/r.sgf");
	char *told = text_of_file(folder_path("a")), *sgf = text_of_file(folder_path("r.sgf"));
	char *result = xasprintf("RE[%s]", rows[_i].result);
	ck_assert_msg(strstr(told, rows[_i].told), "%s", told);
	ck_assert_msg(strstr(sgf, result), "%s", sgf);
	free(result);
	free(told);
	free(sgf);
	free(command);
}
END_TEST

START_TEST(long_games)
{
	struct database *db;
	match(0, "--game=go --size=19 --games=2 --opening-moves=2 --seed=1 --output=$D/r "
		 "'a: " PLAYER "--playouts=10' 'b: " PLAYER "--playouts=11'");
	db = database_read(folder_path("r"), why);
	ck_assert_msg(db, "%s", why);
	struct summary s = summary_of(db, 0);
	ck_assert(s.games == 2 && s.passes == 2 && s.forfeits == 0);
	ck_assert_int_ge(s.longest, 400);
	database_close(db);
	int status;
	char *text = process_shell("$YOMI_BUILD/yomi-report $D/r --output=$D/r.html", &status);
	ck_assert_int_eq(status, 0);
	free(text);
}
END_TEST

static const struct {
	const char *options, *complaint;
} mistakes[] = {
	{ "--game=go --size=20", "yomi-match: go has no size 20; its sizes: " },
	{ "--game=go --komi=0.3", "yomi-match: go cannot have komi 0.3; " },
	{ "--game=go --komi=4000", "yomi-match: go cannot have komi 4000; " },
	{ "--game=go --komi=x", "yomi-match: komi is a number from " },
	{ "--komi=6.5", "yomi-match: othello has no komi; " },
};

START_TEST(mistake)
{
	int status;
	char *command = xasprintf("$YOMI_BUILD/yomi-match %s a b 2>&1", mistakes[_i].options);
	char *text = process_shell(command, &status);
	ck_assert_int_eq(status, 2);
	ck_assert_msg(strncmp(text, mistakes[_i].complaint, strlen(mistakes[_i].complaint)) == 0,
		      "%s", text);
	free(text);
	free(command);
}
END_TEST

/* The comparison of searches runs on a board of the given size: at depth 1 negamax visits few positions there. */
START_TEST(equality_of_a_size)
{
	int status;
	unsigned nodes, most = 0;
	for (int size = 2; size <= 5; size++) {
		char *command = xasprintf(
			"$YOMI_BUILD/tools/measure equality go 1 2 --size=%d | tail -1", size);
		char *text = process_shell(command, &status);
		ck_assert_msg(sscanf(text, "| 1 | 2 | %u |", &nodes) == 1, "%s", text);
		/* All moves of two positions, and these themselves. */
		ck_assert_uint_le(nodes, 2 * (unsigned)(size * size + 2));
		ck_assert_uint_gt(nodes, most);
		most = nodes;
		free(text);
		free(command);
	}
	free(process_shell("$YOMI_BUILD/tools/measure equality go 1 2 --size=20 2>&1", &status));
	ck_assert_int_eq(status, 2);
}
END_TEST

/* Records of others, and what is stored of them. */
static const struct {
	const char *sgf, *result, *moves, *left_out;
} records[] = {
	/* Players leave dead stones on the board: their result counts. */
	{ "(;GM[1]SZ[9]KM[6.5]RE[B+3.5];B[aa];W[bb];B[];W[])", "B+3.5", "A9 B8 PASS PASS", NULL },
	{ "(;GM[1]SZ[9]KM[6.5];B[aa];W[bb];B[];W[])", "W+6.5", "A9 B8 PASS PASS", NULL },
	{ "(;GM[1]SZ[9]KM[3.75];B[aa];W[bb];B[];W[])", "W+7.5", "A9 B8 PASS PASS", NULL },
	{ "(;GM[1]SZ[9]KM[375];B[aa];W[bb];B[];W[])", "W+7.5", "A9 B8 PASS PASS", NULL },
	{ "(;GM[1]SZ[9]KM[650];B[aa];W[bb];B[];W[])", "W+6.5", "A9 B8 PASS PASS", NULL },
	{ "(;GM[1]SZ[9]KM[6.3];B[aa];W[bb];B[];W[])", "W+7", "A9 B8 PASS PASS", NULL },
	{ "(;GM[1]SZ[9]KM[nan];B[aa];W[bb];B[];W[])", "W+7", "A9 B8 PASS PASS", NULL },
	{ "(;GM[1]SZ[9]KM[6.5]RE[W+R];B[aa];B[bb];W[cc])", "", "A9 PASS B8 C7", NULL },
	{ "(;GM[1]SZ[9]KM[6.5]RE[W+R];W[aa];B[bb])", "", "PASS A9 B8", NULL },
	{ "(;GM[1]SZ[9]RE[W+R];B[aa];W[];B[];W[bb])", NULL, NULL, "it goes on after its end" },
	{ "(;GM[1]SZ[9]RE[W+R]HA[2]AB[aa][bb];W[cc])", NULL, NULL,
	  "it does not start from the initial position" },
};

static bool compare_record(void *arg, const struct match_game *g)
{
	int i = *(int *)arg;
	char text[256] = "";
	for (int k = 0; k < g->count; k++) {
		strcat(text, k ? " " : "");
		strcat(text, g->moves[k].text);
	}
	ck_assert_str_eq(text, records[i].moves);
	ck_assert_str_eq(g->detail, records[i].result);
	return true;
}

START_TEST(records_of_others)
{
	struct collection_count count;
	struct database *db = database_open(folder_path("r"), why);
	ck_assert_msg(db, "%s", why);
	ck_assert_msg(
		collection_read(db, records[_i].sgf, strlen(records[_i].sgf), NULL, &count, why),
		"%s", why);
	ck_assert_int_eq(count.added, records[_i].moves != NULL);
	if (records[_i].left_out)
		ck_assert_msg(strstr(count.why, records[_i].left_out), "%s", count.why);
	else
		ck_assert(database_games(db, 0, PARTS_ALL, compare_record, &_i, why));
	if (records[_i].result && *records[_i].result) {
		char *text, *result = xasprintf("RE[%s]", records[_i].result);
		size_t size;
		FILE *f = open_memstream(&text, &size);
		ck_assert_msg(collection_write(f, db, 0, why), "%s", why);
		fclose(f);
		ck_assert_msg(strstr(text, result), "%s", text);
		free(text);
		free(result);
	}
	database_close(db);
}
END_TEST

/* Records on boards of several sizes go to matches of their own. The usual size is not named. */
START_TEST(records_of_several_sizes)
{
	static const char text[] =
		"(;GM[1]SZ[9]KM[7]RE[B+R];B[aa])(;GM[1]SZ[19]KM[7]RE[B+R];B[aa])"
		"(;GM[1]SZ[19]KM[0.5]RE[B+R];B[aa])(;GM[1]SZ[19]KM[7]RE[W+R];B[bb])";
	struct collection_count count;
	struct database *db = database_open(folder_path("r"), why);
	ck_assert_msg(collection_read(db, text, strlen(text), NULL, &count, why), "%s", why);
	ck_assert_int_eq(count.added, 4);
	ck_assert_str_eq(database_match(db, 0)->terms, "games of others, komi 7");
	ck_assert_str_eq(database_match(db, 1)->terms, "games of others, size 19, komi 7");
	ck_assert_str_eq(database_match(db, 2)->terms, "games of others, size 19, komi 0.5");
	ck_assert_ptr_null(database_match(db, 3));
	ck_assert_int_eq(summary_of(db, 1).games, 2);
	database_close(db);
}
END_TEST

/* Random openings do not pass while a side can play, on any board. */
START_TEST(openings_of_each_size)
{
	const struct game *g = games[_i];
	struct openings all;
	char reason[OPENINGS_REASON_MAX];
	if (openings_draw(&all, g, 3, 4, 1, reason)) {
		ck_assert_int_eq(all.count, 4);
		for (int i = 0; i < all.count; i++) {
			ck_assert_int_eq(all.list[i].count, 3);
			for (int k = 0; k < 3; k++)
				ck_assert_int_ne(all.list[i].moves[k].step[0], g->steps.pass);
		}
	}
	openings_free(&all);
}
END_TEST

int main(void)
{
	int game_count = 0;
	while (games[game_count])
		game_count++;
	Suite *suite = suite_create("sizes");
	TCase *cases = tcase_create("sizes"), *native = suite_native_case(suite);
	tcase_set_timeout(cases, 120);
	tcase_set_timeout(native, 120);
	tcase_add_checked_fixture(cases, set_up, folder_remove);
	tcase_add_checked_fixture(native, set_up, folder_remove);
	tcase_add_test(cases, size_and_komi_are_terms);
	tcase_add_loop_test(cases, passes_end_the_game, 0, 4);
	tcase_add_test(native, long_games);
	tcase_add_loop_test(cases, mistake, 0, sizeof mistakes / sizeof mistakes[0]);
	tcase_add_test(cases, equality_of_a_size);
	tcase_add_loop_test(cases, records_of_others, 0, sizeof records / sizeof records[0]);
	tcase_add_test(cases, records_of_several_sizes);
	tcase_add_loop_test(cases, openings_of_each_size, 0, game_count);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
