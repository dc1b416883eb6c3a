/* SPDX-License-Identifier: MIT
 * The match tool: the program itself, $YOMI_BUILD/tools/match, between engines that misbehave, and what
 * it says of scores.
 */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/memory.h"
#include "tests/suite.h"
#include "tools/lib/results.h"
#include "protocol/score.h"

#define PLAYER          "'$YOMI --search=random --threads=1'"
#define LINE_MAX_LENGTH 4096
#define LINES_MAX       64

static char folder[PATH_MAX];
static char *lines[LINES_MAX]; /* of the results file as it was last read, its head left out */
static int line_count;

static void set_up(void)
{
	const char *tmp = getenv("TMPDIR");
	snprintf(folder, sizeof folder, "%s/yomi-match-XXXXXX", tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	setenv("D", folder, 1);
}

static void forget_lines(void)
{
	while (line_count)
		free(lines[--line_count]);
}

static void tear_down(void)
{
	char command[PATH_MAX + 16];
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	ck_assert_int_eq(system(command), 0);
	forget_lines();
}

/* Starts the match tool, after commands `before`, with arguments as the shell reads them ($D is the test's
 * folder, $F the faking engine); what it writes is in $D/out and $D/err. */
static pid_t match_start(const char *before, const char *arguments)
{
	char command[4096];
	ck_assert_msg(getenv("YOMI") && getenv("YOMI_BUILD"), "$YOMI and $YOMI_BUILD are not set");
	snprintf(command, sizeof command,
		 "F=tests/tools/fake.sh; %s exec $YOMI_BUILD/tools/match %s >$D/out 2>$D/err",
		 before, arguments);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	return child;
}

static int wait_for(pid_t child)
{
	int status;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int match(const char *arguments)
{
	return wait_for(match_start("", arguments));
}

/* Reads $D/r, the results file. */
static void read_lines(void)
{
	char path[PATH_MAX + 8], line[LINE_MAX_LENGTH];
	forget_lines();
	snprintf(path, sizeof path, "%s/r", folder);
	FILE *f = fopen(path, "re");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof line, f))
		if (*line != '#') {
			ck_assert_int_lt(line_count, LINES_MAX);
			lines[line_count++] = strdup(line);
		}
	fclose(f);
}

enum column { GAME, OPENING, COLOR, POINTS, END, DETAIL, MOVES, SECONDS_A, SECONDS_B, SEEDS };

/* A field of a game's line; valid until the next call. */
static const char *field(int line, enum column column)
{
	static char copy[LINE_MAX_LENGTH];
	char *rest = copy, *word = NULL;
	snprintf(copy, sizeof copy, "%s", lines[line]);
	copy[strcspn(copy, "\n")] = '\0';
	for (int i = 0; i <= (int)column; i++)
		word = strsep(&rest, "\t");
	ck_assert_ptr_nonnull(word);
	return word;
}

static int count_fields(enum column column, const char *text)
{
	int n = 0;
	for (int i = 0; i < line_count; i++)
		n += strcmp(field(i, column), text) == 0;
	return n;
}

/* Whether a file in the test's folder has a text in it. */
static bool file_has(const char *name, const char *text)
{
	char path[PATH_MAX + 16], line[LINE_MAX_LENGTH];
	bool found = false;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "re");
	ck_assert_ptr_nonnull(f);
	while (!found && fgets(line, sizeof line, f))
		found = strstr(line, text) != NULL;
	fclose(f);
	return found;
}

/* A match against an engine that behaves well in some games and in some not: it loses those, for the
 * reason named, and only those are no whole games. */
static void check_forfeits(const char *behaviour, const char *options, const char *end,
			   const char *detail)
{
	char arguments[512];
	snprintf(arguments, sizeof arguments,
		 "--game=tictactoe --games=8 --concurrency=2 --opening-moves=2 --seed=1 "
		 "--output=$D/r %s \"$F %s\" " PLAYER,
		 options, behaviour);
	ck_assert_int_eq(match(arguments), 0);
	read_lines();
	ck_assert_int_eq(line_count, 8);
	int failed = count_fields(END, end);
	ck_assert_int_ge(failed, 1);
	ck_assert_int_ge(count_fields(END, "over"), 1);
	ck_assert_int_eq(failed + count_fields(END, "over"), 8);
	for (int i = 0; i < line_count; i++)
		if (strcmp(field(i, END), end) == 0) {
			ck_assert_str_eq(field(i, POINTS), "0");
			ck_assert_ptr_nonnull(strstr(field(i, DETAIL), detail));
		}
}

START_TEST(engine_dies)
{
	check_forfeits("die", "", "died", "genmove: exit status 0");
}
END_TEST

START_TEST(engine_hangs)
{
	check_forfeits("hang", "--timeout=1", "hung", "genmove: no answer in 1 s");
	ck_assert(file_has("out", "hung"));
}
END_TEST

START_TEST(engine_makes_noise)
{
	check_forfeits("noise", "", "garbage", "genmove: thinking about");
}
END_TEST

START_TEST(engine_answers_garbage)
{
	check_forfeits("garbage", "", "garbage", "genmove: somewhere");
}
END_TEST

START_TEST(engine_plays_illegal_moves)
{
	check_forfeits("illegal", "", "illegal", "");
}
END_TEST

START_TEST(engine_refuses_to_move)
{
	check_forfeits("refuse", "", "refused", "genmove: unknown command");
}
END_TEST

START_TEST(engine_resigns)
{
	check_forfeits("resign", "", "resigned", "resign");
	ck_assert(file_has("out", "forfeits of A  0"));
}
END_TEST

START_TEST(engine_oversteps_its_clock)
{
	check_forfeits("slow 8", "--clock=1", "time", "s too late");
}
END_TEST

START_TEST(engine_refuses_legal_moves)
{
	ck_assert_int_eq(
		match("--game=tictactoe --games=2 --output=$D/r " PLAYER " \"$F refuse_play\""), 0);
	read_lines();
	ck_assert_int_eq(count_fields(END, "refused"), 2);
	ck_assert_int_eq(count_fields(POINTS, "1"), 2);
}
END_TEST

START_TEST(engine_refuses_passes)
{
	int passes = 0;
	ck_assert_int_eq(match("--games=4 --seed=3 --output=$D/r \"$F no_passes\" " PLAYER), 0);
	read_lines();
	ck_assert_int_eq(count_fields(END, "over"), 4);
	for (int i = 0; i < line_count; i++)
		passes += strstr(field(i, MOVES), "PASS") != NULL;
	ck_assert_int_ge(passes, 1);
}
END_TEST

START_TEST(engine_that_cannot_be_used)
{
	ck_assert_int_eq(match("--output=$D/r 'exit 3' " PLAYER), 2);
	ck_assert(file_has("err", "engine A: list_commands: exit status 3"));
	ck_assert_int_eq(match(PLAYER " \"$F refuse_size\""), 2);
	ck_assert(file_has("err", "engine B: boardsize 8: unknown command"));
}
END_TEST

START_TEST(engine_is_told_what_it_knows)
{
	ck_assert_int_eq(match("--game=tictactoe --games=2 --seed=5 --time=0.25 --stderr=$D/stderr "
			       "--output=$D/r '$YOMI --search=random --log=$D/log' "
			       "'echo loud >&2; tests/tools/fake.sh normal'"),
			 0);
	ck_assert(file_has("log", "set_game Tictactoe"));
	ck_assert(file_has("log", "boardsize 3"));
	ck_assert(file_has("log", "clear_board"));
	ck_assert(file_has("log", "set_random_seed"));
	ck_assert(file_has("log", "set_time 0.25"));
	ck_assert(file_has("log", "quit"));
	ck_assert(file_has("stderr", "loud"));
	ck_assert_int_eq(match("--game=tictactoe --games=2 --time=0.25 "
			       "'YOMI_OPTIONS=\"--log=$D/plain --game=tictactoe\" "
			       "tests/tools/fake.sh plain' " PLAYER),
			 0);
	ck_assert(file_has("plain", "time_settings 0 1 1"));
	ck_assert_int_eq(match("--game=tictactoe --games=2 --clock=60+5/3 "
			       "'$YOMI --search=random --log=$D/clock' " PLAYER),
			 0);
	ck_assert(file_has("clock", "time_settings 60 5 3"));
	ck_assert(file_has("clock", "time_left black"));
}
END_TEST

/* The first moves of a game, up to the n-th blank. */
static const char *first_moves(int line, int n)
{
	char *text = (char *)field(line, MOVES), *end = text;
	while (n-- && (end = strchr(end, ' ')))
		end++;
	ck_assert_ptr_nonnull(end);
	end[-1] = '\0';
	return text;
}

static int line_of_game(int game)
{
	for (int i = 0; i < line_count; i++)
		if (atoi(field(i, GAME)) == game)
			return i;
	return -1;
}

START_TEST(pairs_exchange_colors)
{
	char opening[256], other[256] = "";
	ck_assert_int_eq(
		match("--games=7 --concurrency=3 --opening-moves=5 --seed=9 --output=$D/r " PLAYER
		      " " PLAYER),
		0);
	read_lines();
	ck_assert_int_eq(line_count, 8);
	for (int game = 1; game < 8; game += 2) {
		int first = line_of_game(game), second = line_of_game(game + 1);
		ck_assert(first >= 0 && second >= 0);
		ck_assert_int_eq(atoi(field(first, OPENING)), (game + 1) / 2);
		ck_assert_int_eq(atoi(field(second, OPENING)), (game + 1) / 2);
		ck_assert_str_eq(field(first, COLOR), "black");
		ck_assert_str_eq(field(second, COLOR), "white");
		snprintf(opening, sizeof opening, "%s", first_moves(first, 5));
		ck_assert_str_eq(first_moves(second, 5), opening);
		ck_assert_str_ne(opening, other);
		memcpy(other, opening, sizeof other);
	}
}
END_TEST

START_TEST(fixed_colors)
{
	ck_assert_int_eq(match("--game=tictactoe --games=5 --colours=fixed --output=$D/r " PLAYER
			       " " PLAYER),
			 0);
	read_lines();
	ck_assert_int_eq(line_count, 5);
	ck_assert_int_eq(count_fields(COLOR, "black"), 5);
	for (int game = 1; game <= 5; game++)
		ck_assert_int_eq(atoi(field(line_of_game(game), OPENING)), game);
}
END_TEST

START_TEST(same_seed_same_games)
{
	static const char arguments[] = "--game=tictactoe --games=4 --seed=11 --output=$D/r " PLAYER
					" " PLAYER;
	char moves[4][256];
	ck_assert_int_eq(match(arguments), 0);
	read_lines();
	for (int i = 0; i < 4; i++)
		snprintf(moves[i], sizeof moves[i], "%s", field(i, MOVES));
	ck_assert_int_eq(system("rm $D/r"), 0);
	ck_assert_int_eq(match(arguments), 0);
	read_lines();
	for (int i = 0; i < 4; i++)
		ck_assert_str_eq(field(i, MOVES), moves[i]);
}
END_TEST

START_TEST(openings_from_a_file)
{
	ck_assert_int_eq(system("printf '# two\\nb2a1\\n\\n C3 a2 b1 \\n' >$D/openings"), 0);
	ck_assert_int_eq(
		match("--game=tictactoe --games=6 --openings=$D/openings --output=$D/r " PLAYER
		      " " PLAYER),
		0);
	read_lines();
	ck_assert_int_eq(line_count, 6);
	for (int i = 0; i < 6; i++) {
		bool second = atoi(field(i, OPENING)) == 2;
		ck_assert_str_eq(first_moves(i, second ? 3 : 2), second ? "C3 A2 B1" : "B2 A1");
	}
	ck_assert_int_eq(system("printf 'b2b2\\n' >$D/openings"), 0);
	ck_assert_int_eq(match("--game=tictactoe --openings=$D/openings " PLAYER " " PLAYER), 2);
	ck_assert(file_has("err", "line 1"));
}
END_TEST

#define SLOW_MATCH "--game=tictactoe --games=20 --concurrency=2 --output=$D/r \"$F lazy\" " PLAYER

/* Starts a match and waits until some games of it are written. Whatever it starts holds the writing
 * end of the pipe `alive`. */
static pid_t start_slow_match(int alive[2])
{
	ck_assert_int_eq(pipe(alive), 0);
	pid_t child = match_start("", SLOW_MATCH);
	close(alive[1]);
	do {
		nanosleep(&(struct timespec) { .tv_nsec = 5000000 }, NULL);
		if (system("test -e $D/r") == 0)
			read_lines();
	} while (line_count < 3);
	return child;
}

/* Every game of the slow match was played once. */
static void check_whole_match(void)
{
	read_lines();
	ck_assert_int_eq(line_count, 20);
	for (int game = 1; game <= 20; game++)
		ck_assert_int_ge(line_of_game(game), 0);
}

START_TEST(terminated_match_goes_on)
{
	int alive[2];
	char byte;
	pid_t child = start_slow_match(alive);
	kill(child, SIGTERM);
	ck_assert_int_eq(wait_for(child), 128 + SIGTERM);
	ck_assert_int_eq(read(alive[0], &byte, 1), 0); /* no engine is left */
	close(alive[0]);
	read_lines();
	ck_assert_int_lt(line_count, 20);
	ck_assert_int_eq(match(SLOW_MATCH), 0);
	check_whole_match();
	/* Once more: nothing is left to play. */
	ck_assert_int_eq(match(SLOW_MATCH), 0);
	check_whole_match();
}
END_TEST

START_TEST(killed_match_goes_on)
{
	int alive[2];
	pid_t child = start_slow_match(alive);
	kill(child, SIGKILL);
	wait_for(child);
	close(alive[0]);
	ck_assert_int_eq(system("printf '19\\t10\\tbl' >>$D/r"), 0);
	ck_assert_int_eq(match(SLOW_MATCH), 0);
	check_whole_match();
}
END_TEST

START_TEST(files_hold_one_match)
{
	ck_assert_int_eq(match("--game=tictactoe --games=2 --output=$D/r " PLAYER " " PLAYER), 0);
	ck_assert_int_eq(match("--game=tictactoe --games=4 --output=$D/r " PLAYER " " PLAYER), 0);
	ck_assert_int_eq(
		match("--game=tictactoe --games=6 --seed=1 --output=$D/r " PLAYER " " PLAYER), 2);
	ck_assert(file_has("err", "holds another match"));
	read_lines();
	ck_assert_int_eq(line_count, 4);
	ck_assert_int_eq(match("--score=$D/r"), 0);
	ck_assert(file_has("out", "4 "));
	ck_assert_int_eq(match("--score=$D/none"), 2);
	ck_assert_int_eq(match("--games=2 --output=/dev/full " PLAYER " " PLAYER), 2);
}
END_TEST

START_TEST(full_disk)
{
	/* Files end at 512 or 1,024 bytes: room for the head and some games. */
	pid_t child = match_start("trap '' XFSZ; ulimit -f 1;",
				  "--game=tictactoe --games=40 --output=$D/r " PLAYER " " PLAYER);
	ck_assert_int_eq(wait_for(child), 2);
	ck_assert(file_has("err", "File too large"));
	ck_assert_int_eq(match("--game=tictactoe --games=40 --output=$D/r " PLAYER " " PLAYER), 0);
	read_lines();
	ck_assert_int_eq(line_count, 40);
}
END_TEST

START_TEST(bad_arguments)
{
	static const char *const bad[] = {
		"",
		"one",
		"one two three",
		"--games=x one two",
		"--games=0 one two",
		"--time=0 one two",
		"--time=1 --clock=5 one two",
		"--clock=5+ one two",
		"--clock=5+3 one two",
		"--clock=5+3/0 one two",
		"--clock=1.5 one two",
		"--game=chess one two",
		"--colours=red one two",
		"--game=tictactoe --opening-moves=9 one two",
		"--openings=/none one two",
		"--unknown one two",
		"--stderr=/none/there one two",
		"--output=/none/there one two",
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(match(bad[i]) == 2, "accepted: match %s", bad[i]);
	ck_assert_int_eq(match("--help"), 0);
}
END_TEST

static void check_interval(const struct group *groups, int count, double mean, double low,
			   double high)
{
	struct interval s = score_interval(groups, count);
	ck_assert_double_eq_tol(s.mean, mean, 1e-4);
	ck_assert_double_eq_tol(s.low, low, 1e-4);
	ck_assert_double_eq_tol(s.high, high, 1e-4);
}

/* Wilson's interval of p over m games, by hand with z = 1.96: z^2 = 3.8415,
 * center (p + 3.8415/2m) / (1 + 3.8415/m), half width 1.96 sqrt(p(1-p)/m + 3.8415/4m^2) / (1 + 3.8415/m). */
START_TEST(intervals)
{
	struct group groups[20];
	for (int i = 0; i < 20; i++)
		groups[i] = (struct group) { 1, i < 10 };
	/* 10 of 20 single games: variance 5/400 * 20/19, so m = 0.25 / (5/380) = 19:
	 * center 0.5, half width 1.96 sqrt(0.0131579 + 0.0026603) / 1.2021846 = 0.205047. */
	check_interval(groups, 20, 0.5, 0.294953, 0.705047);
	/* Pairs that always share their points tell nothing of variance: m = 10 pairs,
	 * half width 1.96 sqrt(0.025 + 0.0096037) / 1.38415 = 0.263406. */
	for (int i = 0; i < 10; i++)
		groups[i] = (struct group) { 2, 1 };
	check_interval(groups, 10, 0.5, 0.236594, 0.763406);
	/* 5 pairs won, 5 lost: as 9 games. sum of squares 10, variance 10/400 * 10/9, m = 9,
	 * half width 1.96 sqrt(0.0277778 + 0.0118565) / 1.4268333 = 0.273471. */
	for (int i = 0; i < 10; i++)
		groups[i] = (struct group) { 2, i < 5 ? 2 : 0 };
	check_interval(groups, 10, 0.5, 0.226529, 0.773471);
	/* All of 10 won: center (1 + 0.192073) / 1.38415 = 0.861235, half width 0.138765. */
	for (int i = 0; i < 10; i++)
		groups[i] = (struct group) { 1, 1 };
	check_interval(groups, 10, 1, 0.72247, 1);
	check_interval(groups, 0, 0.5, 0, 1);
	groups[3] = (struct group) { 0, 0 };
	check_interval(groups + 3, 1, 0.5, 0, 1);
}
END_TEST

START_TEST(elo)
{
	ck_assert_double_eq_tol(score_elo(0.5), 0, 1e-9);
	ck_assert_double_eq_tol(score_elo(0.75), 190.8485, 1e-3); /* 400 log10 3 */
	ck_assert_double_eq_tol(score_elo(1 / 11.0), -400, 1e-9);
	ck_assert(isinf(score_elo(1)) && score_elo(1) > 0);
	ck_assert(isinf(score_elo(0)) && score_elo(0) < 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("match");
	TCase *engines = tcase_create("engines");
	TCase *matches = tcase_create("matches");
	TCase *scores = tcase_create("scores");
	tcase_add_checked_fixture(engines, set_up, tear_down);
	tcase_set_timeout(engines, 60);
	tcase_add_test(engines, engine_dies);
	tcase_add_test(engines, engine_hangs);
	tcase_add_test(engines, engine_makes_noise);
	tcase_add_test(engines, engine_answers_garbage);
	tcase_add_test(engines, engine_plays_illegal_moves);
	tcase_add_test(engines, engine_refuses_to_move);
	tcase_add_test(engines, engine_resigns);
	tcase_add_test(engines, engine_oversteps_its_clock);
	tcase_add_test(engines, engine_refuses_legal_moves);
	tcase_add_test(engines, engine_refuses_passes);
	tcase_add_test(engines, engine_that_cannot_be_used);
	tcase_add_test(engines, engine_is_told_what_it_knows);
	suite_add_tcase(suite, engines);
	tcase_add_checked_fixture(matches, set_up, tear_down);
	tcase_set_timeout(matches, 60);
	tcase_add_test(matches, pairs_exchange_colors);
	tcase_add_test(matches, fixed_colors);
	tcase_add_test(matches, same_seed_same_games);
	tcase_add_test(matches, openings_from_a_file);
	tcase_add_test(matches, terminated_match_goes_on);
	tcase_add_test(matches, killed_match_goes_on);
	tcase_add_test(matches, files_hold_one_match);
	tcase_add_test(matches, full_disk);
	tcase_add_test(matches, bad_arguments);
	suite_add_tcase(suite, matches);
	tcase_add_test(scores, intervals);
	tcase_add_test(scores, elo);
	suite_add_tcase(suite, scores);
	return suite_run(suite);
}
