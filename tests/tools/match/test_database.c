/* SPDX-License-Identifier: MIT
 *
 * The match database, the standings of its games, and conversion to and from SGF.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "tests/tools/games_of.h"
#include "tools/match/collection.h"
#include "tools/match/statistics.h"

#define BLACK_WINS "B2 A1 A3 C1 B1 B3 A2 C2 C3"

static struct database *open_file(const char *name)
{
	struct database *db = database_open(folder_path(name), why);
	ck_assert_msg(db, "%s", why);
	return db;
}

static void run_sql(const char *name, const char *sql)
{
	sqlite3 *db;
	char *message = NULL;
	ck_assert_int_eq(sqlite3_open(folder_path(name), &db), SQLITE_OK);
	ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK, "%s", message);
	sqlite3_close(db);
}

/* Writes games of two engines, one of which never plays well. */
static void write_games(const char *name)
{
	struct database *db = open_file(name);
	int match = match_of(db, "tictactoe", "some terms", true);
	int a = engine(db, "alpha"), b = engine(db, "beta");
	add_text_game(db, match,
		      (struct match_game) { .opening = 1,
					    .engines = { a, b },
					    .points = 2,
					    .detail = "B+1",
					    .opening_moves = 1,
					    .seeded = true,
					    .seeds = { 7, 4294967295 },
					    .ended = 1732190000 },
		      "B2 A1//0.25 A2/0.5/0.125 A3/-0.25/0.5 C2/1/0");
	add_text_game(db, match,
		      (struct match_game) { .opening = 1,
					    .engines = { b, a },
					    .points = 1,
					    .detail = "0",
					    .opening_moves = 1 },
		      "B2 A1 A2 C2 C1 A3 B3 B1 C3");
	add_text_game(db, match,
		      (struct match_game) { .opening = 2,
					    .engines = { a, b },
					    .points = 2,
					    .end = END_DIED,
					    .detail = "exit status 1" },
		      "C1 C2");
	database_close(db);
}

static bool check_first(void *arg, const struct match_game *g)
{
	int *count = arg;
	if ((*count)++)
		return true;
	ck_assert_int_eq(g->opening, 1);
	ck_assert(g->engines[BLACK] == 0 && g->engines[WHITE] == 1);
	ck_assert_int_eq(g->points, 2);
	ck_assert_int_eq(g->end, END_OVER);
	ck_assert_str_eq(g->detail, "B+1");
	ck_assert_int_eq(g->opening_moves, 1);
	ck_assert(g->seeded && g->seeds[0] == 7 && g->seeds[1] == 4294967295);
	ck_assert_int_eq(g->ended, 1732190000);
	ck_assert_int_eq(g->count, 5);
	ck_assert_str_eq(g->moves[2].text, "A2");
	ck_assert_double_eq(g->moves[2].seconds, 0.125);
	ck_assert_double_eq(g->moves[2].value, 0.5);
	ck_assert(isnan(g->moves[0].seconds) && isnan(g->moves[1].value));
	ck_assert_ptr_null(g->moves[0].note);
	return true;
}

START_TEST(games_come_back)
{
	int count = 0;
	write_games("r");
	struct database *db = database_read(folder_path("r"), why);
	ck_assert_msg(db, "%s", why);
	ck_assert_str_eq(database_engine(db, 0)->name, "alpha");
	ck_assert_str_eq(database_engine(db, 1)->name, "beta");
	ck_assert_ptr_null(database_engine(db, 2));
	ck_assert_str_eq(database_match(db, 0)->terms, "some terms");
	ck_assert(database_match(db, 0)->paired && !database_match(db, 0)->tested);
	ck_assert_ptr_null(database_match(db, 1));
	ck_assert_msg(database_games(db, 0, PARTS_ALL, check_first, &count, why), "%s", why);
	ck_assert_int_eq(count, 3);
	database_close(db);
	/* When closed, it is one file. */
	ck_assert_int_ne(access(folder_path("r-wal"), F_OK), 0);
	ck_assert_int_ne(access(folder_path("r-shm"), F_OK), 0);
}
END_TEST

START_TEST(engines_and_matches_are_found_again)
{
	struct database *db = open_file("r");
	struct match_engine e = { "e", "c", "" };
	struct match tested = { game_find("othello", NULL), "t", true, true, { 0, 5, 0.05, 0.1 } };
	ck_assert_int_eq(engine(db, "e"), 0);
	/* Later information about an engine is stored. */
	ck_assert_int_eq(database_add_engine(db, &e, why), 0);
	e.version = "v";
	ck_assert_int_eq(database_add_engine(db, &e, why), 0);
	e.command = "d";
	ck_assert_int_eq(database_add_engine(db, &e, why), -1);
	ck_assert_ptr_nonnull(strstr(why, "the engine e has another command there: c"));
	ck_assert_int_eq(match_of(db, "othello", "t", true), 0);
	ck_assert_int_eq(match_of(db, "tictactoe", "t", true), 1);
	ck_assert_int_eq(match_of(db, "othello", "u", true), 2);
	ck_assert_int_eq(database_add_match(db, &tested, why), 0);
	database_close(db);
	db = open_file("r");
	ck_assert_str_eq(database_engine(db, 0)->command, "c");
	ck_assert_str_eq(database_engine(db, 0)->version, "v");
	ck_assert(database_match(db, 0)->tested && !database_match(db, 1)->tested);
	ck_assert_double_eq(database_match(db, 0)->sprt.beta, 0.1);
	ck_assert_int_eq(match_of(db, "othello", "u", true), 2);
	database_close(db);
}
END_TEST

START_TEST(games_are_written_once)
{
	struct match_game same = { .opening = 1, .engines = { 0, 1 }, .detail = "" };
	write_games("r");
	struct database *db = open_file("r");
	ck_assert(!database_add_game(db, 0, &same, why));
	ck_assert_ptr_nonnull(strstr(why, "UNIQUE"));
	/* Nothing of it remains: another one can follow. */
	same.opening = 9;
	ck_assert_msg(database_add_game(db, 0, &same, why), "%s", why);
	ck_assert_int_eq(database_last_opening(db, 0, why), 9);
	database_close(db);
}
END_TEST

START_TEST(writers_keep_each_other_away)
{
	struct database *db = open_file("r");
	ck_assert_ptr_null(database_open(folder_path("r"), why));
	ck_assert_ptr_nonnull(strstr(why, "another match is writing to it"));
	/* Readers see complete games meanwhile. */
	int match = match_of(db, "tictactoe", "t", false), a = engine(db, "a"), b = engine(db, "b");
	for (int i = 1; i <= 3; i++) {
		int count = 0;
		add_text_game(db, match, (struct match_game) { .opening = i, .engines = { a, b } },
			      "B2");
		struct database *reader = database_read(folder_path("r"), why);
		ck_assert_msg(reader, "%s", why);
		struct standings s;
		standings_init(&s, database_match(reader, 0));
		ck_assert(standings_read(&s, reader, 0, PARTS_ALL, why));
		ck_assert_int_eq(s.games, i);
		standings_free(&s);
		database_close(reader);
		(void)count;
	}
	database_close(db);
	db = open_file("r");
	database_close(db);
}
END_TEST

/* Both ways to open a file must fail and say why. */
static void check_refused(const char *name, const char *reason)
{
	ck_assert_ptr_null(database_read(folder_path(name), why));
	ck_assert_msg(strstr(why, reason) && strstr(why, folder), "read: %s", why);
	ck_assert_ptr_null(database_open(folder_path(name), why));
	ck_assert_msg(strstr(why, reason) && strstr(why, folder), "open: %s", why);
}

START_TEST(files_of_others)
{
	static const char text[] =
		"This is a text of some length, but no database at all, is it?\n";
	ck_assert_ptr_null(database_read(folder_path("none"), why));
	ck_assert_ptr_nonnull(strstr(why, "No such file"));
	ck_assert_ptr_null(database_read(folder_path("no/file"), why));
	ck_assert_ptr_null(database_open(folder_path("no/file"), why));
	ck_assert_ptr_nonnull(strstr(why, "No such file"));
	ck_assert_int_eq(mkdir(folder_path("d"), 0700), 0);
	ck_assert_ptr_null(database_open(folder_path("d"), why));
	ck_assert_int_eq(mkfifo(folder_path("fifo"), 0600), 0);
	write_file(folder_path("t"), text, sizeof text);
	check_refused("t", "this is not a database");
	run_sql("o", "CREATE TABLE t (x)");
	check_refused("o", "this is a database of another program");
	write_games("later");
	run_sql("later", "PRAGMA user_version = 2");
	check_refused("later", "it was written by another version of yomi");
	/* Our header, other tables. */
	write_games("f");
	run_sql("f", "ALTER TABLE move ADD COLUMN x TEXT");
	check_refused("f", "its table move differs from the one that yomi creates");
	write_games("v");
	run_sql("v", "DROP TABLE move; CREATE VIEW move AS SELECT 1");
	check_refused("v", "its table move differs from the one that yomi creates");
	write_games("b");
	run_sql("b", "DROP TABLE board; CREATE TABLE board (match INTEGER)");
	check_refused("b", "its table board differs from the one that yomi creates");
	write_games("g");
	run_sql("g", "UPDATE match SET game = 'mahjong'");
	check_refused("g", "it holds a match of an unknown game: mahjong (standard)");
	/* The content of the file is unchanged. */
	char *left = text_of_file(folder_path("t"));
	ck_assert_str_eq(left, text);
	free(left);
}
END_TEST

static char *write_collection(const char *name)
{
	char *text;
	size_t size;
	struct database *db = database_read(folder_path(name), why);
	ck_assert_msg(db, "%s", why);
	FILE *f = open_memstream(&text, &size);
	for (int i = 0; database_match(db, i); i++)
		ck_assert_msg(collection_write(f, db, i, why), "%s", why);
	fclose(f);
	database_close(db);
	return text;
}

/* A file without sizes and komi, as earlier versions wrote it, has the default ones. It gets the table when it
 * is opened for writing. */
START_TEST(files_without_sizes)
{
	write_games("r");
	char *before = write_collection("r");
	run_sql("r", "DROP TABLE board");
	char *after = write_collection("r");
	ck_assert_str_eq(after, before);
	free(after);
	struct database *db = open_file("r");
	int all = 0;
	while (database_match(db, all))
		all++;
	ck_assert_ptr_eq(database_match(db, 0)->game, &game_tictactoe);
	ck_assert_int_eq(database_match(db, 0)->komi, 0);
	/* The same terms are the same match; new terms get a row of their own. */
	ck_assert_int_eq(database_add_match(db, database_match(db, 0), why), 0);
	ck_assert_int_eq(match_of(db, "othello", "new terms", true), all);
	database_close(db);
	db = database_read(folder_path("r"), why);
	ck_assert_msg(db, "%s", why);
	ck_assert_ptr_eq(database_match(db, all)->game, &game_othello);
	ck_assert_str_eq(database_match(db, all)->terms, "new terms");
	database_close(db);
	after = write_collection("r");
	ck_assert_str_eq(after, before);
	free(after);
	free(before);
}
END_TEST

static bool take_nothing(void *arg, const struct match_game *g)
{
	(void)arg;
	(void)g;
	return true;
}

/* Rows that our own code never writes. */
START_TEST(rows_of_others)
{
	static const struct {
		const char *sql, *reason;
	} rows[] = {
		{ "UPDATE game SET points = 7", "game 1 is damaged" },
		{ "UPDATE game SET opening = 99999999 WHERE id = 2", "game 2 is damaged" },
		{ "UPDATE game SET ending = 'eaten'", "game 1 is damaged" },
		{ "DELETE FROM engine WHERE id = 2", "the engines of game 1 are unknown" },
		{ "DELETE FROM move WHERE number = 2", "move 2 of game 1 is damaged" },
		{ "UPDATE move SET move = hex(zeroblob(99)) WHERE number = 3",
		  "move 3 of game 1 is damaged" },
		{ "UPDATE board SET cols = 4",
		  "it holds a match on an unknown board: tictactoe 4x3" },
		{ "UPDATE board SET komi = 6.5", "it holds a match of tictactoe with komi 6.5" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_games("r");
		char sql[256];
		snprintf(sql, sizeof sql,
			 "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; %s",
			 rows[i].sql);
		run_sql("r", sql);
		struct database *db = database_read(folder_path("r"), why);
		ck_assert_msg(!db || !database_games(db, 0, PARTS_ALL, take_nothing, NULL, why),
			      "accepted: %s", rows[i].sql);
		ck_assert_msg(strstr(why, rows[i].reason), "%s: %s", rows[i].sql, why);
		if (db)
			database_close(db);
		ck_assert_int_eq(unlink(folder_path("r")), 0);
	}
}
END_TEST

/* With any bytes damaged, reading ends with a reason or with games. */
START_TEST(damaged_files)
{
	struct rng rng;
	int refused = 0;
	write_games("r");
	struct stat info;
	ck_assert_int_eq(stat(folder_path("r"), &info), 0);
	size_t size = (size_t)info.st_size;
	char *bytes = malloc(size);
	FILE *f = fopen(folder_path("r"), "re");
	ck_assert_uint_eq(fread(bytes, 1, size, f), size);
	fclose(f);
	rng_seed(&rng, 1);
	for (int i = 0; i < 300; i++) {
		char *copy = malloc(size);
		memcpy(copy, bytes, size);
		for (int k = 0; k < 1 + i % 8; k++)
			copy[rng_below(&rng, (uint32_t)size)] = (char)rng_below(&rng, 256);
		write_file(folder_path("x"), copy,
			   i % 5 ? size : 1 + rng_below(&rng, (uint32_t)size));
		struct database *db = database_read(folder_path("x"), why);
		bool good = db && database_match(db, 0) &&
			    database_games(db, 0, PARTS_ALL, take_nothing, NULL, why);
		ck_assert(good || db || *why);
		refused += !good;
		if (db)
			database_close(db);
		free(copy);
	}
	ck_assert_int_ge(refused, 100);
	ck_assert_int_lt(refused, 300);
	write_file(folder_path("x"), bytes, size / 2);
	check_refused("x", "damaged");
	free(bytes);
}
END_TEST

START_TEST(standings_add_up)
{
	struct standings s;
	char label[LABEL_MAX];
	write_games("r");
	struct database *db = database_read(folder_path("r"), why);
	standings_init(&s, database_match(db, 0));
	ck_assert(standings_read(&s, db, 0, PARTS_TIMES, why));
	ck_assert_int_eq(s.player_count, 2);
	ck_assert_int_eq(s.pairing_count, 1);
	ck_assert_int_eq(s.games, 3);
	const struct pairing *p = standings_find(&s, 1, 0);
	ck_assert_ptr_eq(p, &s.pairings[0]);
	ck_assert_int_eq(p->tally[BLACK].games[2], 2);
	ck_assert_int_eq(p->tally[WHITE].games[1], 1);
	ck_assert(p->forfeits[0] == 0 && p->forfeits[1] == 1);
	/* One complete pair with one and a half points. */
	for (int i = 0; i < SPRT_OUTCOMES; i++)
		ck_assert_int_eq(p->outcomes[i], i == 3);
	ck_assert(pairing_has(p, 1, BLACK) && pairing_has(p, 1, WHITE));
	ck_assert(pairing_has(p, 2, BLACK) && !pairing_has(p, 2, WHITE));
	ck_assert(!pairing_has(p, 1000, BLACK));
	ck_assert_double_eq_tol(statistics_score(&s, (struct view) { 0, 1, ANY }).mean, 2.5 / 3,
				1e-9);
	ck_assert_double_eq_tol(statistics_score(&s, (struct view) { 1, ANY, ANY }).mean, 0.5 / 3,
				1e-9);
	ck_assert_int_eq(s.players[1].ends[END_DIED], 1);
	ck_assert_int_eq(s.players[1].ends[END_OVER], 1);
	ck_assert_int_eq(standing_forfeits(&s.players[1]), 1);
	/* Alpha took 0.125 s and 0 s, beta 0.25 s and 0.5 s. */
	ck_assert_int_eq(s.players[0].seconds.count, 2);
	ck_assert_double_eq(standing_longest(&s.players[0]), 0.125);
	ck_assert_double_eq(standing_median(&s.players[1]), 0.5);
	ck_assert_str_eq(player_label(0, label), "A");
	ck_assert_str_eq(player_label(25, label), "Z");
	ck_assert_str_eq(player_label(26, label), "AA");
	ck_assert_str_eq(player_label(99, label), "CV");
	standings_free(&s);
	database_close(db);
}
END_TEST

/* The first bound that is crossed decides, whatever comes later. */
START_TEST(test_is_decided_once)
{
	struct match match = {
		game_find("tictactoe", NULL), NULL, true, true, { 0, 100, 0.05, 0.05 }
	};
	struct standings s;
	int decided = 0;
	standings_init(&s, &match);
	for (int i = 0; i < 400; i++) {
		/* A wins all of the first hundred games, then loses all. */
		bool a_wins = i < 100;
		struct match_game g = { .opening = i / 2 + 1,
					.engines = { i % 2, !(i % 2) },
					.points = a_wins == (i % 2 == 0) ? 2 : 0 };
		ck_assert(standings_add(&s, &g));
		if (!decided && s.pairings[0].llr >= sprt_upper(&match.sprt))
			decided = i + 1;
	}
	/* 12 pairs won are enough, 12 ln (0.640065 / 0.5) = 2.963, and 11 are not. */
	ck_assert_int_eq(decided, 24);
	ck_assert_int_eq(s.pairings[0].decided, 24);
	ck_assert_int_eq(s.pairings[0].verdict, VERDICT_ELO1);
	ck_assert_double_lt(s.pairings[0].llr, sprt_lower(&match.sprt));
	standings_free(&s);
}
END_TEST

/* --- SGF --- */

static bool read_text(struct database *db, const char *text, const struct game *game,
		      struct collection_count *count, char reason[DATABASE_REASON_MAX])
{
	return collection_read(db, text, strlen(text), game, count, reason);
}

START_TEST(sgf_tells_all)
{
	struct collection_count count;
	write_games("r");
	struct database *db = open_file("r");
	struct match_engine e = { "beta", "./b --x='[1]\\2'", "b 2" };
	ck_assert_int_eq(database_add_engine(db, &e, why), 1);
	int other = match_of(db, "othello", "[odd] terms\\", false);
	engine(db, "third");
	add_text_game(db, other,
		      (struct match_game) { .opening = 3,
					    .engines = { 2, 0 },
					    .points = 0,
					    .end = END_TIME,
					    .detail = "0.1 s too late" },
		      "D3/0.125/1 C3");
	database_close(db);
	char *text = write_collection("r");
	ck_assert_ptr_nonnull(strstr(text, "PB[alpha]PW[beta]EV[some terms]RO[1]DT[2024-11-21]"));
	ck_assert_ptr_nonnull(strstr(text, "RE[B+1]"));
	ck_assert_ptr_nonnull(strstr(text, "RE[B+F]"));
	ck_assert_ptr_nonnull(strstr(text, "RE[W+T]"));
	ck_assert_ptr_nonnull(strstr(text, ";B[a2]V[0.5]YT[0.125];W[a3]V[-0.25]YT[0.5]"));
	ck_assert_ptr_nonnull(strstr(text, "[end died][detail exit status 1]"));
	/* Read into another file, it is the same. */
	db = open_file("s");
	ck_assert_msg(read_text(db, text, NULL, &count, why), "%s", why);
	ck_assert(count.added == 4 && count.known == 0 && count.left_out == 0);
	ck_assert_msg(read_text(db, text, NULL, &count, why), "%s", why);
	ck_assert(count.added == 0 && count.known == 4 && count.left_out == 0);
	database_close(db);
	char *again = write_collection("s");
	ck_assert_str_eq(again, text);
	/* The engines keep their order, also if the first one began as White. */
	const char *second = strstr(text, "PB[beta]PW[alpha]");
	ck_assert_ptr_nonnull(second);
	while (strncmp(second, "(;", 2) != 0)
		second--;
	db = open_file("u");
	ck_assert_msg(read_text(db, second, NULL, &count, why), "%s", why);
	ck_assert_str_eq(database_engine(db, 0)->name, "alpha");
	database_close(db);
	write_file(folder_path("t.sgf"), text, strlen(text));
	db = collection_open(folder_path("t.sgf"), NULL, why);
	ck_assert_msg(db, "%s", why);
	ck_assert_str_eq(database_engine(db, 1)->command, "./b --x='[1]\\2'");
	database_close(db);
	free(again);
	free(text);
}
END_TEST

START_TEST(sgf_of_others)
{
	/* Without our property. The second game cannot be used, the third repeats the first in another
	 * round, and in the last both players have the same name. */
	static const char text[] =
		"(;GN[yomi tictactoe standard]PB[Ann]PW[Bob]RE[W+R]DT[2001-02-03];B[b2]C[why ] "
		"not])"
		"(;GM[1]SZ[19];B[aa])\n"
		"(;GN[yomi tictactoe "
		"standard]PB[Ann]PW[Bob]RE[W+Resign];C[first]V[.5]B[b2];W[a1](;B[c3])(;B[a3]))"
		"(;GN[yomi tictactoe standard]PB[Ann]PW[Ann]RE[?];B[b2];W[a1];B[a2];W[a3];B[c2])"
		"(;GN[yomi tictactoe standard]AB[a1]PL[W]RE[0])"
		"(;GN[yomi tictactoe standard]RE[Void];B[b2])";
	struct collection_count count;
	struct database *db = open_file("r");
	/* An unescaped bracket ends the comment, and the rest is not SGF. */
	ck_assert_msg(read_text(db, text, NULL, &count, why), "%s", why);
	ck_assert_int_eq(count.added, 2);
	ck_assert_int_eq(count.left_out, 4);
	ck_assert_ptr_nonnull(strstr(count.why, "game 6: its result is unknown"));
	ck_assert_str_eq(database_match(db, 0)->terms, "games of others");
	ck_assert(!database_match(db, 0)->paired);
	ck_assert_str_eq(database_engine(db, 2)->name, "Ann (white)");
	/* Latin-1, and game properties beside the first move. */
	ck_assert_msg(read_text(db,
				"(;GN[yomi tictactoe standard]PB[M\xfcller]PW[Bob]RE[W+R]B[b2])",
				NULL, &count, why),
		      "%s", why);
	ck_assert_int_eq(count.added, 1);
	ck_assert_str_eq(database_engine(db, 3)->name, "M\xc3\xbcller");
	/* Who has won is told by the rules. */
	ck_assert_msg(read_text(db,
				"(;GN[yomi tictactoe "
				"standard]PB[Cid]PW[Dan]RE[W+1];B[b2];W[a1];B[a2];W[a3];B[c2])",
				NULL, &count, why),
		      "%s", why);
	ck_assert_int_eq(count.added, 1);
	struct standings s;
	standings_init(&s, database_match(db, 0));
	ck_assert(standings_read(&s, db, 0, PARTS_ALL, why));
	ck_assert_int_eq(standings_find(&s, 4, 5)->tally[BLACK].games[2], 1);
	/* Ann resigned against Bob, and won against herself by the rules. */
	ck_assert_int_eq(s.players[0].ends[END_RESIGN], 1);
	ck_assert_int_eq(standings_find(&s, 0, 2)->tally[BLACK].games[2], 1);
	standings_free(&s);
	ck_assert(!collection_import(db, folder_path("none"), NULL, &count, why));
	write_file(folder_path("empty"), "no game", 7);
	ck_assert(!collection_import(db, folder_path("empty"), NULL, &count, why));
	ck_assert_ptr_nonnull(
		strstr(why, "not SGF, GGF, WTHOR, PGN, PSQ or rec; as moves of othello, line 1"));
	database_close(db);
	/* A file opens directly only if all its games are usable. */
	write_file(folder_path("t.sgf"), text, sizeof text - 1);
	ck_assert_ptr_null(collection_open(folder_path("t.sgf"), NULL, why));
	ck_assert_ptr_nonnull(strstr(why, "t.sgf: game "));
}
END_TEST

/* Equal moves are the same game in the same round, and another game in another round. */
START_TEST(sgf_twice)
{
	static const char game[] = "(;GN[yomi tictactoe standard]PB[a]PW[b]RE[B+R]%s;B[b2])";
	char one[256], two[512], three[256];
	struct collection_count count;
	struct database *db = open_file("r");
	snprintf(one, sizeof one, game, "");
	snprintf(two, sizeof two, "%s%s", one, one);
	ck_assert(read_text(db, two, NULL, &count, why));
	ck_assert_int_eq(count.added, 2);
	ck_assert(read_text(db, two, NULL, &count, why));
	ck_assert(count.added == 0 && count.known == 2);
	/* A name that belongs to another command here. */
	struct match_engine e = { "a", "./a", "" };
	ck_assert_int_eq(database_add_engine(db, &e, why), 0);
	ck_assert(read_text(
		db, "(;GN[yomi tictactoe standard]PB[b]PW[a]RE[B+R]YOMI[command-white ./b];B[b2])",
		NULL, &count, why));
	ck_assert_int_eq(count.left_out, 1);
	ck_assert_ptr_nonnull(strstr(count.why, "game 1: its engine has another command here"));
	/* Another game in the first one's place is a third game. */
	snprintf(three, sizeof three, "(;GN[yomi tictactoe standard]PB[a]PW[b]RE[B+R];B[c3])");
	ck_assert(read_text(db, three, NULL, &count, why));
	ck_assert_int_eq(count.added, 1);
	ck_assert_int_eq(database_last_opening(db, 0, why), 3);
	database_close(db);
}
END_TEST

/* With any text, games are read or left out. What was read can be written and read again. */
START_TEST(sgf_mutations)
{
	struct collection_count count, again;
	struct rng rng;
	int added = 0, left_out = 0;
	write_games("r");
	char *whole = write_collection("r");
	size_t length = strlen(whole);
	rng_seed(&rng, 2);
	for (int i = 0; i < 400; i++) {
		char *text = strdup(whole), *written;
		size_t size;
		for (int k = 0; k < 1 + i % 6; k++)
			text[rng_below(&rng, (uint32_t)length)] =
				"()[];\\BWYC123 \n\xff"[rng_below(&rng, 17)];
		struct database *db = database_open(NULL, why), *other = database_open(NULL, why);
		/* What is no record any more has no games. */
		(void)read_text(db, text, NULL, &count, why);
		added += count.added;
		left_out += count.left_out;
		FILE *f = open_memstream(&written, &size);
		for (int k = 0; database_match(db, k); k++)
			ck_assert_msg(collection_write(f, db, k, why), "%s", why);
		fclose(f);
		ck_assert_msg(read_text(other, written, NULL, &again, why) || !count.added, "%s",
			      why);
		ck_assert_msg(again.added == count.added && again.left_out == 0, "%d of %d, %s\n%s",
			      again.added, count.added, again.why, written);
		database_close(db);
		database_close(other);
		free(written);
		free(text);
	}
	ck_assert_int_ge(added, 400);
	ck_assert_int_ge(left_out, 100);
	free(whole);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("matches");
	TCase *database = tcase_create("database"), *sgf = tcase_create("sgf");
	tcase_add_checked_fixture(database, folder_create, folder_remove);
	tcase_add_test(database, games_come_back);
	tcase_add_test(database, engines_and_matches_are_found_again);
	tcase_add_test(database, games_are_written_once);
	tcase_add_test(database, writers_keep_each_other_away);
	tcase_add_test(database, files_of_others);
	tcase_add_test(database, files_without_sizes);
	tcase_add_test(database, rows_of_others);
	tcase_add_test(database, damaged_files);
	tcase_add_test(database, standings_add_up);
	tcase_add_test(database, test_is_decided_once);
	suite_add_tcase(suite, database);
	tcase_add_checked_fixture(sgf, folder_create, folder_remove);
	tcase_add_test(sgf, sgf_tells_all);
	tcase_add_test(sgf, sgf_of_others);
	tcase_add_test(sgf, sgf_twice);
	tcase_add_test(sgf, sgf_mutations);
	suite_add_tcase(suite, sgf);
	return suite_run(suite);
}
