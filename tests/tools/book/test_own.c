/* SPDX-License-Identifier: MIT
 *
 * `yomi book add`, `show` and `export` of the real program. Each test has its own folder, $D in the shell's commands, with
 * the book in $D/data/yomi.
 */
#include <sys/stat.h>

#include "tests/packed.h"
#include "tests/protocol/program/mode.h"

#define OTHELLO "$D/data/yomi/othello-standard-8x8.lines"
#define SGF                                                                                        \
	"(;GM[2]SZ[8]RE[B+4];B[fe];W[df];B[cc];W[dc];B[cd])"                                       \
	"(;GM[2]SZ[8]RE[W+R];B[fe];W[ff](;B[ef];W[fd])(;B[ef];W[df]))\n"                           \
	"(;GN[yomi tictactoe standard];B[a1];W[c1];B[b2];W[a3];B[c3])"

static void begin(void)
{
	folder_create();
	setenv("XDG_DATA_HOME", folder_path("data"), 1);
}

static void write_file(const char *name, const char *text)
{
	char path[128];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "we");
	ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Runs a command, whose output must be this text. */
static void expect(const char *command, int status, const char *wanted)
{
	char *text = run(command, status);
	ck_assert_msg(strcmp(text, wanted) == 0, "%s: %s", command, text);
	free(text);
}

static void expect_part(const char *command, int status, const char *wanted)
{
	char *text = run(command, status);
	check_has(text, wanted);
	free(text);
}

START_TEST(adds_each_format)
{
	write_file("a.sgf", SGF);
	write_file("b.ggf", "(;GM[Othello]PB[a]PW[b]RE[-6.00]TY[8]BO[8 "
			    "--------------------------O*------*O--------------------------- "
			    "*]B[F5//1]W[D6//1]B[C5];)\n"
			    "(;GM[Othello]PB[a]PW[b]RE[?]TY[8]BO[8 "
			    "---------------------------O*------*O--------------------------- "
			    "*]B[F5]W[D6]B[C5];)\n"
			    "(;GM[Othello]PB[a]PW[b]RE[+2.00:r]TY[8]BO[8 "
			    "---------------------------O*------*O--------------------------- "
			    "*]B[F5]W[D6]B[C4];)\n");
	write_file("c.txt", "\xef\xbb\xbf"
			    "f5d6c6\tB+10\n# lines\n\nf5 d6 c6 f4\t?\r\nf5d6zz\nf5f6e6 W+2\n");
	expect("$YOMI book add $D/a.sgf", 0,
	       "3 games and 1 variation added, 0 already known, 0 left out\n");
	expect("cat " OTHELLO, 0,
	       "# Own book of yomi: othello, rules standard, 8x8. A line has moves, a tab and the "
	       "result.\n"
	       "F5 D6 C3 D3 C4\tB+4\nF5 F6 E6 F4\tW+\nF5 F6 E6 D6\t?\n");
	expect("tail -n 1 $D/data/yomi/tictactoe-standard-3x3.lines", 0, "A1 C1 B2 A3 C3\tB+\n");
	expect_part("$YOMI book add $D/b.ggf", 0, "2 games added, 0 already known, 1 left out: ");
	expect_part("$YOMI book add $D/c.txt", 0, "3 games added, 0 already known, 1 left out: ");
	expect("tail -n 5 " OTHELLO, 0,
	       "F5 D6 C5\t?\nF5 D6 C4\tB+\nF5 D6 C6\tB+10\nF5 D6 C6 F4\t?\nF5 F6 E6\tW+2\n");
	/* Nothing is added twice, and files may be packed. */
	packed_write(folder_path("a.sgf.zst"), SGF, strlen(SGF), SIZE_MAX);
	expect("cp " OTHELLO " $D/before; $YOMI book add $D/a.sgf.zst $D/a.sgf && cmp " OTHELLO
	       " $D/before",
	       0, "0 games added, 8 already known, 0 left out\n");
}
END_TEST

START_TEST(adds_matches)
{
	expect("$YOMI match --game=connectfour --games=2 --seed=1 --output=$D/m.db '$YOMI "
	       "--threads=1 --search=mcts "
	       "--playouts=100' '$YOMI --threads=1 --search=random' >$D/out 2>&1",
	       0, "");
	expect_part("$YOMI book add $D/m.db", 0, "2 games added, 0 already known, 0 left out\n");
	expect("$YOMI match --sgf $D/m.db >$D/m.sgf && $YOMI book add $D/m.sgf", 0,
	       "0 games added, 2 already known, 0 left out\n");
	expect_part("$YOMI book show connectfour", 0,
		    "move     book   games   Black   draws   White   score\n");
}
END_TEST

/* A game that the rules have ended has the result of the rules, whatever the record says. */
START_TEST(rules_decide)
{
	write_file("a.sgf", "(;GN[yomi tictactoe standard]RE[W+5];B[a1];W[c1];B[b2];W[a3];B[c3])");
	expect("$YOMI book add $D/a.sgf && tail -n 1 $D/data/yomi/tictactoe-standard-3x3.lines", 0,
	       "1 game added, 0 already known, 0 left out\nA1 C1 B2 A3 C3\tB+\n");
	write_file("b.sgf", "(;GM[2]SZ[8]AB[cc]AW[dd]PL[B];B[ee])");
	expect_part("$YOMI book add $D/b.sgf 2>&1", 1, "there is no game that can be used\n");
	write_file("wrong.txt", "f5d6c3\tX+4\nf5d6c3\t4\nf5d6c3\tB+4\n");
	expect_part("$YOMI book add $D/wrong.txt", 0,
		    "1 game added, 0 already known, 2 left out: ");
	expect_part("sed -i 's/F5 D6 C3/f5  d6 c3/; s/$/\\r/' " OTHELLO
		    "; $YOMI book add $D/wrong.txt",
		    0, "0 games added, 1 already known");
	/* More discs than the board has squares. */
	write_file("much.txt", "f5d6\tB+400\n");
	expect_part("$YOMI book add $D/much.txt && grep -c 'F5 D6.B+$' " OTHELLO, 0, "\n1\n");
	/* A result by hand that the rules overrule is the same game. */
	write_file("c.sgf", "(;GM[11]SZ[5]RE[B+];B[a1];W[b2])");
	expect_part(
		"$YOMI book add $D/c.sgf && sed -i 's/B+/B+4/' $D/data/yomi/hex-hex-5x5.lines && "
		"$YOMI book add $D/c.sgf",
		0, "0 games added, 1 already known");
	write_file("pass.txt", "a1b1a2b2a3\tB+\n");
	expect_part("$YOMI book add --game=tictactoe $D/pass.txt", 0, "1 game added");
	expect_part(
		"$YOMI book add --game=hex --size=5 --own_book=$D/else $D/pass.txt && ls $D/else",
		0, "hex-hex-5x5.lines\n");
}
END_TEST

/* Damage is reported with its line, and the file is not touched. */
START_TEST(damaged_book_is_not_touched)
{
	write_file("a.sgf", SGF);
	write_file("good", "F5 D6\tB+4\nF5 D6 C3\tB+4");
	write_file("bad", "# mine\nF5 D6\tB+4\nF5 D9\tW+4\n");
	expect_part(
		"mkdir -p $D/data/yomi && cp $D/bad " OTHELLO " && $YOMI book add $D/a.sgf 2>&1", 1,
		"othello-standard-8x8.lines: line 3: move 2, D9, is not legal; correct the line or "
		"remove it\n");
	expect("cmp $D/bad " OTHELLO, 0, "");
	expect_part("$YOMI book show othello 2>&1", 1, "line 3: move 2, D9, is not legal");
	expect_part("$YOMI book export othello 2>&1", 1, "line 3: move 2, D9, is not legal");
	expect_part("$YOMI --own_book=$D/data/yomi </dev/null 2>&1", 2,
		    "line 3: move 2, D9, is not legal");
	expect_part("echo yomi-explore | $YOMI", 0,
		    "line 3: move 2, D9, is not legal\",\"moves\":[{\"move\":");
	/* All bytes of a good file stay, and a last line without its end is completed. */
	expect("cp $D/good " OTHELLO " && $YOMI book add $D/a.sgf >$D/out && cat " OTHELLO, 0,
	       "F5 D6\tB+4\nF5 D6 C3\tB+4\nF5 D6 C3 D3 C4\tB+4\nF5 F6 E6 F4\tW+\nF5 F6 "
	       "E6 D6\t?\n");
}
END_TEST

/* The moves of variations are known, but nobody has won or lost them, even if they end the game. */
START_TEST(variations_have_no_result)
{
	write_file("a.sgf", "(;GN[yomi tictactoe standard]RE[B+1];B[a1](;W[c1]C[a "
			    "move;\\](;)];B[b2];W[a3];B[c3])"
			    "(;W[a2];B[b1](;W[b2];B[c1])(;W[c1];B[b2](;W[b3])(;W[b2])))(;C[why]))");
	/* W[b2] is on a stone; the last line has no move of its own. */
	expect_part("$YOMI book add $D/a.sgf", 0,
		    "1 game and 2 variations added, 0 already known, 1 left out: ");
	expect("tail -n 3 $D/data/yomi/tictactoe-standard-3x3.lines", 0,
	       "A1 C1 B2 A3 C3\tB+\nA1 A2 B1 B2 C1\t?\nA1 A2 B1 C1 B2 B3\t?\n");
	expect("$YOMI book show tictactoe a1", 0,
	       "move     book   games   Black   draws   White   score\n"
	       "B1                  2       0       0       0\n"
	       "A2                  2       0       0       0\n"
	       "C1                  1       1       0       0\n"
	       "A3                  1       1       0       0\n");
	/* No line can be used if the main line cannot. */
	write_file("b.sgf", "(;GN[yomi tictactoe standard](;B[a9])(;B[a2]))");
	expect_part("$YOMI book add $D/b.sgf 2>&1", 1, "there is no game that can be used\n");
	expect_part("$YOMI book add $D/b.sgf 2>&1", 1, " 1 left out: ");
}
END_TEST

/* Lines have no turns. A side that moves twice in a row has the other side pass, where that is legal and does not end the
 * game. Whatever was added can be read back. */
START_TEST(moves_twice)
{
	write_file("a.sgf", "(;GM[11]SZ[11]RE[B+];B[a1];B[c3];W[d4])"
			    "(;GM[11]SZ[11]RE[B+];B[a1];W[c3])"
			    "(;GM[1]SZ[9]RE[B+1];B[dd];B[];W[ee];B[cc])"
			    "(;GM[1]SZ[9]RE[B+1];B[dd];B[cc])");
	expect_part("$YOMI book add $D/a.sgf", 0, "2 games added, 0 already known, 2 left out: ");
	expect_part("$YOMI book add $D/a.sgf", 0, "game 3: a side moves twice in a row");
	expect("grep -hv '^#' $D/data/yomi/hex-*.lines $D/data/yomi/go-*.lines", 0,
	       "A1 C3\tB+\nD6 PASS C7\tB+1\n");
	expect_part("$YOMI book show hex a1", 0, "C3 ");
	expect_part("$YOMI book show go d6", 0, "PASS ");
}
END_TEST

/* A move that only superko forbids goes through a book and a database of matches and back. */
START_TEST(another_rule_of_ko)
{
	write_file("a.sgf", "(;GM[1]SZ[9]RE[B+1];B[bi];W[ah];B[ch];W[bh];B[di];W[];B[ai];W[ci];B["
			    "bi];W[ee])");
	expect("$YOMI book add $D/a.sgf", 0, "1 game added, 0 already known, 0 left out\n");
	expect("$YOMI match --import=$D/a.sgf --output=$D/m.db >$D/out 2>&1 && "
	       "$YOMI match --sgf $D/m.db >$D/m.sgf && $YOMI book add $D/a.sgf $D/m.db $D/m.sgf",
	       0, "0 games added, 3 already known, 0 left out\n");
	expect_part("$YOMI book export go", 0, "Black's mean score +1.0];W[ee]");
}
END_TEST

/* Every file is read before anything is written. */
#define BOOK "$YOMI book --work=100 --positions=2 --threads=1 --journal=$D/journal "

START_TEST(failures)
{
	write_file("a.sgf", SGF);
	expect_part("$YOMI book add $D/a.sgf $D/missing 2>&1; ls $D/data 2>&1", 2,
		    "missing: No such file");
	expect_part("echo hello >$D/b; $YOMI book add $D/b 2>&1", 1,
		    "/b: not SGF, GGF, WTHOR, PGN, PSQ or rec; as moves of othello, line 1: "
		    "'hello' is not "
		    "legal as move 1\n");
	expect_part("head -c 100 /dev/zero >$D/z; printf 'SQLite format 3\\0' | cat - $D/z "
		    ">$D/m.db; $YOMI book add $D/m.db 2>&1",
		    1, "m.db");
	/* Root may write to folders that forbid it, so the folder is one that nobody can write to. */
	expect_part(geteuid() ? "mkdir -m 500 $D/data; $YOMI book add $D/a.sgf 2>&1"
			      : "$YOMI book add --own_book=/proc/yomi $D/a.sgf 2>&1",
		    1, "cannot write ");
	expect_part("$YOMI book show othello f5 f5 2>&1", 1, "'f5' is not legal as move 2\n");
	expect_part("$YOMI book export othello 2>&1", 1, "No such file");
	expect_part("$YOMI book add 2>&1", 2, "usage: yomi-book add FILE...");
	expect("$YOMI_BUILD/yomi-book complete -- add a.sgf ''", 0, ":files\n");
	expect_part("$YOMI book show mahjong 2>&1", 2, "mahjong");
	expect_part("$YOMI book add $D/a.sgf --work=3 2>&1", 2, "add takes no --work");
	expect_part("$YOMI book othello x --own_book=y 2>&1", 2, "yomi-book takes no --own_book");
	/* The journal of a book is not one of another book, and no other file. */
	expect_part(BOOK "tictactoe $D/x >$D/out 2>&1; " BOOK "connectfour $D/x 2>&1", 1,
		    "journal, line 1, is no result of this book: # results of yomi book: searches "
		    "tictactoe");
	expect_part("echo notes >$D/journal; " BOOK "tictactoe $D/x 2>&1", 1,
		    "line 1, is no result");
	expect_part("printf notes >$D/journal; " BOOK "tictactoe $D/x 2>&1; cat $D/journal", 0,
		    "notes");
	expect_part("head -c 900 /dev/zero | tr '\\0' 1 >$D/journal; " BOOK "tictactoe $D/x 2>&1",
		    1, "line 1, is no");
	expect_part("$YOMI book --journal=$D/x tictactoe $D/x 2>&1", 2, "are the same file");
	expect_part("env -u XDG_DATA_HOME -u HOME $YOMI book show othello 2>&1", 2,
		    "give --own_book=FOLDER");
}
END_TEST

/* Twelve programs add at once: no line is lost. */
START_TEST(adds_at_once)
{
	expect("moves='f5 d6 c3:f5 d6 c4:f5 d6 c5:f5 d6 c6:f5 d6 c7:f5 f6 e6:f5 f6 d3:f5 f6 c4:f5 "
	       "f6 e6 f4:f5 f4 e3:f5 f4 d3:f5 f4 c3';"
	       "IFS=:; for line in $moves; do n=$((n + 1)); printf '%s\\t0\\n' \"$line\" >$D/$n; "
	       "done;"
	       "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do $YOMI book add $D/$i >$D/out.$i 2>&1 & "
	       "done; wait;"
	       "grep -vc '^#' " OTHELLO "; cat $D/out.* | sort | uniq -c | tr -s ' '",
	       0, "12\n 12 1 game added, 0 already known, 0 left out\n");
}
END_TEST

START_TEST(shows_and_exports)
{
	write_file("a.sgf", SGF);
	expect_part("$YOMI book add $D/a.sgf", 0, "3 games and 1 variation added");
	expect("$YOMI book show othello f5", 0,
	       "move     book   games   Black   draws   White   score\n"
	       "F6                  2       0       0       1\n"
	       "D6       -0.3       1       1       0       0    -4.0\n");
	expect("$YOMI book show othello f5d6 c3", 0,
	       "Perpendicular 縦取り\nmove     book   games   Black   draws   White   score\n"
	       "D3       -0.3       1       1       0       0    -4.0\n");
	expect("$YOMI book show tictactoe a2", 0, "No book knows a move here.\n");
	expect("$YOMI book export othello --text | tail -n 1", 0, "F5 F6 E6 D6\t?\n");
	/* The tree has both games, and reads as a record. */
	expect_part(
		"$YOMI book export othello | tee $D/tree.sgf", 0,
		";B[fe]C[3 games: Black won 1, White 1, 0 drawn; Black's mean score +4.0]\n(;W[");
	expect_part("printf \"loadsgf $D/tree.sgf\\nmove_history\\n\" | $YOMI", 0,
		    "white F6\nblack F5\n");
	expect_part("$YOMI book export tictactoe", 0, "GN[yomi tictactoe standard]");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("own book, modes");
	TCase *cases = tcase_create("modes");
	tcase_add_checked_fixture(cases, begin, folder_remove);
	tcase_add_test(cases, adds_each_format);
	tcase_add_test(cases, adds_matches);
	tcase_add_test(cases, rules_decide);
	tcase_add_test(cases, variations_have_no_result);
	tcase_add_test(cases, damaged_book_is_not_touched);
	tcase_add_test(cases, moves_twice);
	tcase_add_test(cases, another_rule_of_ko);
	tcase_add_test(cases, failures);
	tcase_add_test(cases, adds_at_once);
	tcase_add_test(cases, shows_and_exports);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
