/* SPDX-License-Identifier: MIT
 *
 * The command line of yomi-train, and what a file of weights says of its making. The program is $YOMI_BUILD/yomi-train.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/folder.h"

static char output[16384];

/* Runs a line of the shell, in which $D is the test's folder and $T the program. Its output on both channels goes to
 * `output`. Returns its exit status. */
static int run(const char *text)
{
	char line[1024];
	ck_assert_msg(getenv("YOMI") && getenv("YOMI_BUILD"), "$YOMI and $YOMI_BUILD are not set");
	snprintf(line, sizeof line, "exec 2>&1; T=\"$YOMI_BUILD/yomi-train\"; Y=$YOMI; %s", text);
	FILE *out = popen(line, "r");
	ck_assert_ptr_nonnull(out);
	output[fread(output, 1, sizeof output - 1, out)] = '\0';
	int status = pclose(out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#define TRAIN                                                                                      \
	"$T --folder=$D/own/folder --rounds=1 --samples=20 --simulations=30 --blocks=1 "           \
	"--threads=1 --size=4 "

static void check_output(const char *wanted)
{
	ck_assert_msg(strstr(output, wanted), "there is no `%s` in:\n%s", wanted, output);
}

/* The file of a network says how it was made, after each run, and yomi plays with it. */
START_TEST(show_prints_the_recipe)
{
	ck_assert_msg(run(TRAIN "hex $D/net") == 0, "%s", output);
	ck_assert_msg(run("$T show $D/net") == 0, "%s", output);
	check_output("yomi train --seconds=900 --samples=20 --rate=0.001 --seed=1 "
		     "--simulations=30 --blocks=1 --size=4 hex OUTPUT\n");
	check_output("\nrounds: 1\nversion: ");
	ck_assert_msg(run(TRAIN "--seed=7 hex $D/net && $T show $D/net") == 0, "%s", output);
	check_output(" --seed=7 ");
	check_output("\nrounds: 2\n");
	ck_assert_msg(run("echo 'genmove b' | $Y --no-config --game=hex --size=4 --network=$D/net "
			  "--playouts=20") == 0,
		      "%s", output);
	check_output("= ");
	/* The errors of both rounds are drawn. */
	ck_assert_msg(run("cat $D/own/folder/error.svg") == 0, "%s", output);
	check_output("<svg");
	check_output(">policy<");
}
END_TEST

/* A state that is cut, or of a network of another size, is refused. */
START_TEST(state_is_checked)
{
	ck_assert_msg(run(TRAIN "hex $D/net") == 0, "%s", output);
	ck_assert_int_eq(run(TRAIN "--blocks=2 hex $D/net"), 1);
	check_output("/learner.1 is damaged, or of another game or size of network");
	ck_assert_int_eq(run("truncate -s 100 $D/own/folder/learner.1; " TRAIN "hex $D/net"), 1);
	check_output("/learner.1 is damaged, or of another game or size of network");
}
END_TEST

/* A network of a smaller board is where a run on a larger one starts. */
START_TEST(starts_with_a_network)
{
	ck_assert_msg(run(TRAIN "hex $D/net") == 0, "%s", output);
	ck_assert_msg(run("$T --folder=$D/next --rounds=1 --samples=5 --simulations=10 --threads=1 "
			  "--size=5 --network=$D/net hex $D/larger && $T show $D/larger") == 0,
		      "%s", output);
	check_output(" --rate=0.0005 ");
	check_output(" --blocks=4 --network=");
	check_output(" --size=5 hex OUTPUT\n");
	/* The name is printed as the shell reads it. */
	ck_assert_msg(run("cp $D/net \"$D/a net's\" && $T --folder=$D/named --seconds=0 "
			  "--blocks=1 --size=4 --network=\"$D/a net's\" hex $D/o && "
			  "$T show $D/o") == 0,
		      "%s", output);
	check_output("/a net'\\''s' --size=4 hex OUTPUT\n");
	ck_assert_int_eq(run("$T --folder=$D/less --rounds=1 --blocks=0 --network=$D/net hex $D/o"),
			 1);
	check_output("the network to start with needs --blocks=1 or more");
	ck_assert_int_eq(run("$T --folder=$D/other --rounds=1 --network=$D/net go $D/o"), 1);
	check_output("/net is not a network of go, or it is damaged");
	ck_assert_int_eq(run("$T --folder=$D/other --rounds=1 --network=$D/none hex $D/o"), 1);
	check_output("cannot read ");
}
END_TEST

START_TEST(no_time_is_told)
{
	ck_assert_int_eq(run("$T --folder=$D/none --seconds=0 hex $D/net"), 1);
	check_output("there was no time for a round, so ");
	ck_assert_int_eq(run("test -e $D/net"), 1);
}
END_TEST

/* Boards on which the solver knows everything but the record. */
START_TEST(smallest_boards)
{
	ck_assert_msg(run("for size in 2 3; do $T --folder=$D/$size --rounds=1 --samples=150 "
			  "--simulations=8 --blocks=1 --threads=1 --size=$size go $D/net || exit; "
			  "done") == 0,
		      "%s", output);
}
END_TEST

/* A damaged file, and one that is none, have no recipe. */
START_TEST(show_refuses_other_files)
{
	ck_assert_msg(run(TRAIN "hex $D/net") == 0, "%s", output);
	ck_assert_int_eq(run("head -c -1 $D/net >$D/cut; $T show $D/cut"), 1);
	check_output("/cut is not a file of weights, or does not say how they were made");
	ck_assert_int_eq(run("{ head -c -2 $D/net; echo xx; } | head -c $(wc -c <$D/net) >$D/bad; "
			     "$T show $D/bad"),
			 1);
	check_output("/bad is not a file of weights");
	ck_assert_int_eq(run("echo text >$D/text; $T show $D/text"), 1);
	check_output("/text is not a file of weights");
	ck_assert_int_eq(run("$T show $D/none"), 1);
	check_output("cannot read ");
	check_output("No such file or directory");
	ck_assert_int_eq(run("$T show $D"), 1);
}
END_TEST

/* What cannot be trained gets a clear message. */
START_TEST(refused)
{
	static const struct {
		const char *arguments, *why;
	} wrong[] = {
		{ "mahjong $D/net", "there is no game mahjong" },
		{ "--size=99 hex $D/net", "99" },
		{ "--passes=1 othello $D/net", "othello does not take --passes" },
		{ "--warm-start tictactoe $D/net", "tictactoe has no own network to start with" },
		{ "--network=$D/net othello $D/net", "othello does not take --network" },
		{ "hex", "usage: yomi-train GAME OUTPUT" },
		{ "--rounds=0 hex $D/net", "rounds" },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char line[256];
		snprintf(line, sizeof line, "$T --seconds=1 --folder=$D/own %s",
			 wrong[i].arguments);
		ck_assert_int_eq(run(line), 2);
		check_output(wrong[i].why);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("train");
	TCase *cases = tcase_create("train");
	tcase_set_timeout(cases, 120);
	tcase_add_checked_fixture(cases, folder_create, folder_remove);
	tcase_add_test(cases, show_prints_the_recipe);
	tcase_add_test(cases, state_is_checked);
	tcase_add_test(cases, starts_with_a_network);
	tcase_add_test(cases, no_time_is_told);
	tcase_add_test(cases, smallest_boards);
	tcase_add_test(cases, show_refuses_other_files);
	tcase_add_test(cases, refused);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
