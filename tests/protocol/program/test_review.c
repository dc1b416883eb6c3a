/* SPDX-License-Identifier: MIT
 *
 * The mode `review` of the real program. Each test has its own folder, $D in the shell's commands.
 */
#include <jansson.h>
#include <math.h>

#include "tests/protocol/program/mode.h"

#define GAME                                                                                       \
	"(;GN[yomi tictactoe standard]PB[Ann]C[Hello];B[a1]C[a comment];W[c1];B[b2];W[a3];B[c3])"
/* The same review on every machine. */
#define REVIEW "$YOMI review --threads=1 --seed=1 --playouts=20000 "

static void write_file(const char *name, const char *text)
{
	char path[128];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "we");
	ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

START_TEST(lines)
{
	write_file("a.sgf", GAME);
	char *game = run(REVIEW "$D/a.sgf", 0), *worst = run(REVIEW "--worst $D/a.sgf", 0);
	/* A2 and A3 win alike. */
	check_has(game, "  3. X B2: blunder, a win became a draw (proven); better was A");
	check_has(game, ": X threatens to win with A");
	check_has(game, "     after B2: O may go on ");
	check_has(game, "  4. O A3: blunder, a draw became a loss (proven); better was C3: it "
			"stops X's win with C3; O threatens to win with C2\n"
			"     after A3: X can then win at once with C3\n\n");
	check_has(game, "       accuracy  blunders  mistakes  inaccuracies\n"
			"X          67 %         1         0             0\n"
			"O           0 %         2         0             0\n");
	ck_assert_uint_eq(strlen(game), strlen(worst));
	free(game);
	free(worst);
}
END_TEST

/* The worst mistakes come first: by kind, then by what they cost, also where each is a blunder. */
START_TEST(worst_first)
{
	static const char *const kinds[] = { "blunder", "mistake", "inaccuracy" };
	int kind = 0, count = 0, blunders = 0;
	double last = INFINITY, discs;
	char word[16];
	write_file(
		"a.sgf",
		"(;GM[2]SZ[8];B[ef];W[df];B[cg];W[fc];B[ce];W[dg];B[ch];W[bd];B[dc];W[cd];B[be];"
		"W[dh];B[ac];W[eg];B[fd];W[ae];B[fg];W[bf];B[gb];W[cc];B[bh];W[fh];B[cf];W[ff])");
	char *text = run("$YOMI review --worst --threads=1 --seed=1 --depth=2 $D/a.sgf", 0);
	for (char *line = text; (line = strchr(line, '\n')); line++) {
		if (sscanf(line, "\n %*d. %*s %*s %15[a-z], about %lf disc", word, &discs) != 2)
			continue;
		while (strcmp(word, kinds[kind]) != 0) {
			ck_assert_int_lt(++kind, 3);
			last = INFINITY;
		}
		ck_assert_double_le(discs, last);
		last = discs;
		count++;
		blunders += kind == 0;
	}
	ck_assert(blunders > 2 && count > blunders + 2);
	free(text);
}
END_TEST

/* Only Othello's openings have names. */
START_TEST(opening)
{
	write_file("a.sgf", GAME);
	write_file("o.sgf", "(;GM[2]SZ[8];B[fe];W[df];B[cc];W[dc];B[cd];W[fd])");
	char *without = run(REVIEW "$D/a.sgf", 0), *with = run(REVIEW "$D/o.sgf", 0);
	check_has(without, "result B+1\n\n");
	check_has(with, "Othello, 6 moves, opening Tiger\n\n");
	free(without);
	free(with);
	json_t *all = json_loads(with = run(REVIEW "--json $D/o.sgf", 0), 0, NULL);
	ck_assert_str_eq(json_string_value(json_object_get(all, "opening")), "Tiger");
	json_decref(all);
	free(with);
	all = json_loads(without = run(REVIEW "--json $D/a.sgf", 0), 0, NULL);
	ck_assert(json_is_null(json_object_get(all, "opening")));
	json_decref(all);
	free(without);
}
END_TEST

START_TEST(json)
{
	write_file("a.sgf", GAME);
	char *text = run(REVIEW "--json $D/a.sgf", 0);
	json_t *all = json_loads(text, 0, NULL), *move;
	ck_assert_ptr_nonnull(all);
	ck_assert_str_eq(json_string_value(json_object_get(all, "game")), "tictactoe");
	ck_assert_uint_eq(json_array_size(json_object_get(all, "moves")), 5);
	move = json_array_get(json_object_get(all, "moves"), 3);
	json_t *loss = json_object_get(move, "loss");
	ck_assert_str_eq(json_string_value(json_object_get(loss, "unit")), "result");
	ck_assert_str_eq(json_string_value(json_object_get(loss, "size")), "blunder");
	json_t *fault = json_array_get(json_object_get(move, "faults"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(fault, "key")), "allows_win");
	ck_assert_str_eq(json_string_value(json_object_get(fault, "tone")), "against");
	json_t *names = json_object_get(fault, "names");
	ck_assert_str_eq(json_string_value(json_array_get(names, 0)), "C3");
	json_decref(all);
	free(text);
}
END_TEST

/* The annotated file is the same game with all that it had. */
START_TEST(sgf)
{
	write_file("a.sgf", GAME);
	free(run(REVIEW "--output=$D/b.sgf $D/a.sgf", 0));
	char *text = run("cat $D/b.sgf", 0);
	check_has(text, "PB[Ann]C[Hello];B[a1]C[a comment](;W[c1]BM[2]C[blunder, ");
	check_has(text, "(;W[c3]TE[1]C[better was C3: ");
	free(text);
	text = run("printf 'loadsgf %s/b.sgf\\nposition\\n' $D | $YOMI --no-config", 0);
	check_has(text, "= X.O.X.O.X O");
	free(text);
	/* Only the root names the players. */
	write_file("c.sgf", "(;GN[yomi tictactoe standard]PB[Ann];B[a1]PB[Eve]PW[Bob];W[b2])");
	text = run(REVIEW "$D/c.sgf", 0);
	check_has(text, "2 moves, X: Ann\n");
	free(text);
	text = run(REVIEW "--output=$D/none/b.sgf $D/a.sgf 2>&1 >/dev/null", 1);
	check_has(text, "yomi: cannot write ");
	check_has(text, "/none/b.sgf: No such file or directory\n");
	free(text);
}
END_TEST

static const struct {
	const char *text, *command, *message;
} wrong[] = {
	{ NULL, "$YOMI review $D/a.sgf 2>&1", "yomi: cannot read " },
	{ NULL, "$YOMI review $D/a.sgf 2>&1", "/a.sgf: No such file" },
	{ "nothing", "$YOMI review $D/a.sgf 2>&1",
	  "/a.sgf: not SGF, GGF, WTHOR, PGN, PSQ or rec; as moves of othello, line 1: 'nothing' is "
	  "not "
	  "legal as move 1" },
	{ "(;GM[2])", "$YOMI review $D/a.sgf 2>&1", "/a.sgf: the game has no moves" },
	{ "(;GM[2];B[fe])(;GM[2];B[fe])",
	  "timeout 10 $YOMI review --number=2147483647 $D/a.sgf 2>&1",
	  "/a.sgf: there are 2 games, no game 2147483647\n" },
	{ "(;GM[2];B[fe])", "$YOMI review --number=2 $D/a.sgf 2>&1",
	  "/a.sgf: there is 1 game, no game 2\n" },
	{ "(;GM[2];B[aa])", "$YOMI review $D/a.sgf 2>&1", "move 1, a1, is not legal" },
	{ "(;SZ[3];B[bb])", "$YOMI review --game=mahjong $D/a.sgf 2>&1", "mahjong" },
	{ "", "$YOMI review 2>&1", "review" },
	{ "", "$YOMI review $D/a.sgf --all 2>&1", "all" },
};

START_TEST(errors)
{
	if (wrong[_i].text)
		write_file("a.sgf", wrong[_i].text);
	char *text = run(wrong[_i].command, 2);
	check_has(text, wrong[_i].message);
	free(text);
}
END_TEST

/* GGF, and a file that names no game. */
START_TEST(other_files)
{
	write_file("a.ggf",
		   "(;GM[Othello]PB[x]PW[y]TY[8]BO[8 ---------------------------O*------*O-----"
		   "---------------------- *]B[d3]W[c3]B[c4];)");
	char *text = run("$YOMI review --threads=1 --seed=1 --depth=3 --output=$D/b.sgf $D/a.ggf",
			 0);
	check_has(text, "Othello, 3 moves");
	free(text);
	/* What the file has stays, also if names are Latin-1. */
	write_file(
		"a.ggf",
		"(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[M\xfcller]PW[y]RB[1700.5]"
		"RE[-64.00:r]TI[15:00//02:00]TY[8]BO[8 ---------------------------O*------*O-----"
		"---------------------- *]B[d3//1.25]W[c3/2.0]B[c4//0.5];)");
	text = run("$YOMI review --threads=1 --seed=1 --depth=3 --output=$D/b.sgf $D/a.ggf", 0);
	check_has(text, "M\xc3\xbcller");
	free(text);
	text = run("cat $D/b.sgf", 0);
	check_has(text, "PC[GGS/os]DT[2003-12-15]PB[M\xfcller]PW[y]BR[1700.5]RE[W+R]");
	check_has(text, ";B[dc]YT[1.25]");
	check_has(text, "YT[0.5]");
	free(text);
	/* The date may be in seconds. */
	write_file(
		"a.ggf",
		"(;GM[Othello]DT[86400]RE[0]PB[x]PW[y]TY[8]BO[8 ---------------------------O*------"
		"*O--------------------------- *]B[d3];)");
	text = run("$YOMI review --threads=1 --seed=1 --depth=3 --output=$D/b.sgf $D/a.ggf && cat "
		   "$D/b.sgf",
		   0);
	check_has(text, "DT[1970-01-02]RE[0]");
	free(text);
	/* The root may have the first move. */
	write_file("a.sgf", "(;GM[2]SZ[8]PB[Ann]PW[Bob]RE[B+4]B[dc];W[cc])");
	text = run("$YOMI review --threads=1 --seed=1 --depth=3 $D/a.sgf", 0);
	check_has(text, "Ann");
	free(text);
	write_file("a.sgf", "(;SZ[3];B[bb];W[ab])");
	text = run(REVIEW "--game=tictactoe $D/a.sgf 2>&1", 0);
	check_has(text, "Tictactoe, 2 moves");
	check_has(text, "read as tictactoe");
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("review mode");
	TCase *all = tcase_create("review mode");
	tcase_add_checked_fixture(all, folder_create, folder_remove);
	tcase_add_test(all, lines);
	tcase_add_test(all, worst_first);
	tcase_add_test(all, opening);
	tcase_add_test(all, json);
	tcase_add_test(all, sgf);
	tcase_add_test(all, other_files);
	tcase_add_loop_test(all, errors, 0, (int)(sizeof wrong / sizeof wrong[0]));
	suite_add_tcase(suite, all);
	return suite_run(suite);
}
