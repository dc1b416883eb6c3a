/* SPDX-License-Identifier: MIT
 *
 * Games from rules as text: counts of moves, equal play with games in C, states, texts of moves, rules that never end.
 */
#include <math.h>

#include "engine/rules/perft.h"
#include "engine/rules/playouts.h"
#include "engine/rules/square.h"
#include "games/rbg/rbg_game.h"
#include "games/rbg/rbg_survey.h"
#include "tests/games/move_texts.h"
#include "tests/suite.h"

#define SQUARES "#anySquare = ((up* + down*)(left* + right*))\n"

/* A stone on an empty square of 3x3; three in a row win. */
static const char tictactoe[] =
	"#players = xplayer(100), oplayer(100)\n"
	"#pieces = e, x, o\n"
	"#board = rectangle(up,down,left,right, [e,e,e] [e,e,e] [e,e,e])\n" SQUARES
	"#line(p; dir; back) = (dir {p} (dir + (back)^2) {p} + (back {p})^2)\n"
	"#row(p) = (line(p; up; down) + line(p; left; right) + line(p; up left; down right)\n"
	"    + line(p; up right; down left))\n"
	"#turn(me; my; opp) = ->me anySquare {e} [my] ->>\n"
	"    ({! row(my)} + {? row(my)} [$ me=100, opp=0] ->> {})\n"
	"#rules = [$ xplayer=50, oplayer=50] (turn(xplayer; x; oplayer) turn(oplayer; o; "
	"xplayer))*\n";

/* The rules of the game in C. */
static const char breakthrough[] =
	"#players = white(1), black(1)\n"
	"#pieces = e, w, b\n"
	"#board = rectangle(up,down,left,right, [b,b,b,b,b] [b,b,b,b,b] [e,e,e,e,e] [w,w,w,w,w] "
	"[w,w,w,w,w])\n" SQUARES "#turn(me; p; opp; q; fore) =\n"
	"    ->me anySquare {p} [e] fore ({e} + (left + right) {e, q}) [p]\n"
	"    ->> ({? fore} + {! fore} [$ me=1] ->> {}) [$ me=1] ({? anySquare {q}} [$ me=0] + {! "
	"anySquare {q}} ->> {})\n"
	"#rules = (turn(white; w; black; b; up) turn(black; b; white; w; down))*\n";

static const char othello[] =
	"#players = black(1), white(1)\n"
	"#pieces = e, b, w\n"
	"#board = rectangle(up,down,left,right, [e,e,e,e] [e,w,b,e] [e,b,w,e] [e,e,e,e])\n" SQUARES
	"#flips(p; q; dir) = {? (dir {q}) (dir {q})* dir {p}}\n"
	"#flip(p; q; dir; back) = ({! (dir {q}) (dir {q})* dir {p}}\n"
	"    + flips(p; q; dir) (dir {q} [p])* dir {p} (back {p})* back {e})\n"
	"#ways(p; q) = (flips(p; q; up) + flips(p; q; down) + flips(p; q; left) + flips(p; q; "
	"right)\n"
	"    + flips(p; q; up left) + flips(p; q; up right) + flips(p; q; down left) + flips(p; q; "
	"down right))\n"
	"#turn(me; p; q) = ->me (anySquare {e} ways(p; q) ->>\n"
	"      flip(p; q; up; down) flip(p; q; down; up) flip(p; q; left; right) flip(p; q; right; "
	"left)\n"
	"      flip(p; q; up left; down right) flip(p; q; down right; up left)\n"
	"      flip(p; q; up right; down left) flip(p; q; down left; up right) [p]\n"
	"    + {! anySquare {e} ways(p; q)} ->>)\n"
	"    ({? anySquare {e} (ways(p; q) + ways(q; p))}\n"
	"    + {! anySquare {e} (ways(p; q) + ways(q; p))}\n"
	"      ({$ b > w} [$ black=1] + {$ b < w} [$ white=1] + {$ b == w}) ->> {})\n"
	"#rules = (turn(black; b; w) turn(white; w; b))*\n";

/* Amazons on 6x6: moves of three steps, a set of squares that needs no test before its walk. */
static const char amazons[] =
	"#players = black(1), white(1)\n"
	"#pieces = e, b, w, a\n"
	"#board = rectangle(up,down,left,right, [e,w,e,e,w,e] [w,e,e,e,e,w] [e,e,e,e,e,e] "
	"[e,e,e,e,e,e] [b,e,e,e,e,b] [e,b,e,e,b,e])\n" SQUARES "#ray(dir) = dir {e} (dir {e})*\n"
	"#queen = (ray(up) + ray(down) + ray(left) + ray(right) + ray(up left) + ray(up right)\n"
	"    + ray(down left) + ray(down right))\n"
	"#turn(me; p; opp) = ->me anySquare {p} [e] queen [p] queen [a] ->> [$ me=1, opp=0]\n"
	"#rules = (turn(black; b; white) turn(white; w; black))*\n";

/* Games live as long as the program. */
static const struct game *loaded[100];

static const struct game *load(const char *name, const char *text)
{
	static int count;
	struct text error = { 0 };
	const struct game *g = rbg_game(name, text, strlen(text), &error);
	ck_assert_msg(g != NULL, "%s", error.bytes);
	loaded[count++] = g;
	return g;
}

static void check_counts(const struct game *g, const uint64_t *counts, int depth)
{
	struct state start;
	g->start(g, &start);
	for (int i = 0; i < depth; i++)
		ck_assert_uint_eq(perft_leaves(g, &start, i + 1), counts[i]);
}

START_TEST(test_counts)
{
	static const uint64_t three[] = { 9, 72, 504, 3024, 15120, 54720 };
	static const uint64_t five[] = { 13, 156, 1924, 23084 };
	static const uint64_t discs[] = { 4, 12, 44, 128, 424, 1256, 3624 };
	static const uint64_t queens[] = { 544 };
	check_counts(load("t.rbg", tictactoe), three, IS_SANITIZED ? 4 : 6);
	check_counts(load("b.rbg", breakthrough), five, IS_SANITIZED ? 3 : 4);
	check_counts(load("o.rbg", othello), discs, IS_SANITIZED ? 5 : 7);
	check_counts(load("a.rbg", amazons), queens, 1);
}

/* Lists the texts of all moves. */
static int list_texts(const struct game *g, const struct state *s, char (*texts)[MOVE_TEXT_MAX])
{
	static struct move moves[GAME_MOVES_MAX];
	int count = game_moves(g, s, moves);
	for (int i = 0; i < count; i++) {
		struct move again;
		game_format(g, s, moves[i], texts[i]);
		ck_assert_int_eq(game_parse(g, s, texts[i], &again), MOVE_OK);
		ck_assert(move_equal(again, moves[i]));
	}
	return count;
}

/* A position that is set up again is the same one, if nothing is hidden in it. */
static void check_state(const struct game *g, const struct state *s)
{
	char text[POSITION_TEXT_MAX], *side;
	struct state again;
	ck_assert(g->valid(g, s));
	game_position(g, s, text);
	side = strrchr(text, ' ');
	*side = '\0';
	ck_assert_ptr_null(game_setup(g, &again, text, side + 1));
	ck_assert(s->over || (!again.over && again.side == s->side));
}

/* Writes texts of one table with the names that another one has for their squares. */
static void name_alike(const struct game *from, const struct game *to, char (*texts)[MOVE_TEXT_MAX],
		       int count)
{
	for (int i = 0; i < count; i++) {
		char text[MOVE_TEXT_MAX];
		strcpy(text, texts[i]);
		square_rename(from, to, text, texts[i]);
	}
}

/* Plays a random game of two tables at once: they must have the same moves, by their texts, and the same result. */
static void check_equal_game(const struct game *a, const struct game *b, struct rng *rng)
{
	static char texts[2][GAME_MOVES_MAX][MOVE_TEXT_MAX];
	struct state s, t;
	a->start(a, &s);
	b->start(b, &t);
	while (!s.over) {
		struct move m;
		int count = list_texts(a, &s, texts[0]), other = list_texts(b, &t, texts[1]);
		ck_assert_int_eq(t.over, s.over);
		name_alike(b, a, texts[1], other);
		bool agree = move_texts_agree(texts[0], count, texts[1], other);
		ck_assert_msg(agree, "%s: %d and %d moves, %s and %s", a->name, count, other,
			      *texts[0], *texts[1]);
		char *text = texts[0][rng_below(rng, (uint32_t)count)];
		ck_assert_int_eq(game_parse(a, &s, text, &m), MOVE_OK);
		game_play(a, &s, m);
		name_alike(a, b, (char(*)[MOVE_TEXT_MAX])text, 1);
		ck_assert_int_eq(game_parse(b, &t, text, &m), MOVE_OK);
		game_play(b, &t, m);
		check_state(b, &t);
	}
	ck_assert(t.over);
	ck_assert_int_eq(score_sign(t.score), score_sign(s.score));
}

static void check_equal(const char *name, int size, const char *text, int count)
{
	struct rng rng;
	const struct game *usual = game_find(name, NULL), *g = game_of_size(usual, size);
	const struct game *read = load("same.rbg", text);
	rng_seed(&rng, 7);
	for (int i = 0; i < (IS_SANITIZED ? count / 10 : count); i++)
		check_equal_game(g, read, &rng);
}

/* The files of this folder, for games in C. Moves of pieces and captures may have other texts there; their number and the results agree. */
static const struct {
	const char *name;
	int games;
} files[] = {
	{ "breakthrough", 20 }, { "connectfour", 40 }, { "dots", 10 },       { "gomoku", 1 },
	{ "hex", 2 },           { "othello", 10 },     { "tictactoe", 100 },
};

START_TEST(test_files)
{
	struct text error = { 0 };
	char path[80];
	struct rng rng;
	snprintf(path, sizeof path, "tests/games/rbg/%s.rbg", files[_i].name);
	const struct game *read = game_open(path, NULL, &error), *usual;
	ck_assert_msg(read != NULL, "%s", error.bytes);
	usual = game_find(files[_i].name, NULL);
	const struct game *g = game_sized(usual, read->board.rows, read->board.cols);
	ck_assert_ptr_nonnull(g);
	rng_seed(&rng, 11);
	for (int i = 0; i < (IS_SANITIZED ? 1 : files[_i].games); i++)
		check_equal_game(g, read, &rng);
}

START_TEST(test_equal_play)
{
	check_equal("tictactoe", 3, tictactoe, 200);
	check_equal("breakthrough", 5, breakthrough, 40);
	check_equal("othello", 4, othello, 100);
	check_equal("amazons", 6, amazons, 2);
}

/* Steps that are played one by one lead where whole moves do, and to the same results as playouts on average. */
START_TEST(test_playouts)
{
	const struct game *g = load("t.rbg", tictactoe);
	struct state start;
	struct rng rng;
	int black = 0, draws = 0, count = IS_SANITIZED ? 2000 : 20000;
	g->start(g, &start);
	rng_seed(&rng, 3);
	for (int i = 0; i < count; i++) {
		int score = playout_uniform(g, &start, &rng);
		black += score > 0;
		draws += score == 0;
	}
	/* 58.5 % and 12.7 % of random games, within five deviations. */
	ck_assert_double_lt(fabs((double)black / count - 0.585), 0.055);
	ck_assert_double_lt(fabs((double)draws / count - 0.127), 0.04);
}

/* Two promotions to one square differ by the piece, two ways to do the same by a number. */
START_TEST(test_texts)
{
	static const char text[] =
		"#players = a(1), b(1)\n#pieces = e, q, r\n"
		"#board = rectangle(up,down,left,right, [e,e])\n"
		"#rules = ->a ({e} ([q] + [r] + right [q] + right [q])) ->b [$ a=1] {}\n";
	const struct game *g = load("x.rbg", text);
	struct state s;
	char texts[8][MOVE_TEXT_MAX];
	g->start(g, &s);
	ck_assert_int_eq(list_texts(g, &s, texts), 4);
	ck_assert_str_eq(texts[0], "A1=Q");
	ck_assert_str_eq(texts[1], "A1=R");
	ck_assert_str_eq(texts[2], "B1#1");
	ck_assert_str_eq(texts[3], "B1#2");
}

/* Rules that never end are refused or end, soon: nothing hangs. */
static const struct {
	const char *rules, *why; /* NULL: they load */
} hostile[] = {
	{ "->>", "the game is over before the first move" },
	{ "(->>)*", "the game is over before the first move" },
	{ "(({e})* (up + left)*)* ->a [q] ->b {}", NULL },
	{ "->a ([e] + [q])*", "the game is over before the first move" },
	{ "->a ([$ a=0] + [q])* {}", "the game is over before the first move" },
	{ "([q] + [e])* {$ q > 9} ->a", "the game is over before the first move" },
	{ "->a ([q] + [e] + right [q] + left [e])* ->b {}", "take too many steps" },
	{ "->a ([q] ([e] + {e} [q] + [q]))* {$ q > 9} ->b {}",
	  "the game is over before the first move" },
	{ "([e] ->>)*", "the game is over before the first move" },
	{ "->a [$ a = a / 0] ->b", "the game is over before the first move" },
};

START_TEST(test_hostile)
{
	char text[500];
	struct text error = { 0 };
	snprintf(text, sizeof text,
		 "#players = a(1), b(1)\n#pieces = e, q\n"
		 "#board = rectangle(up,down,left,right, [e,e,e] [e,e,e])\n#rules = %s\n",
		 hostile[_i].rules);
	const struct game *g = rbg_game("h.rbg", text, strlen(text), &error);
	ck_assert_msg(!g == (hostile[_i].why != NULL), "%s",
		      error.length ? error.bytes : "it loads");
	if (hostile[_i].why)
		ck_assert_msg(strstr(error.bytes, hostile[_i].why), "%s", error.bytes);
	loaded[80 + _i] = g;
	text_free(&error);
}

START_TEST(test_survey)
{
	struct text out = { 0 };
	ck_assert(rbg_survey(load("t.rbg", tictactoe), 50, 1, &out));
	ck_assert(strstr(out.bytes, "players    xplayer (Black, moves first), oplayer (White)\n"));
	ck_assert(strstr(out.bytes, "games      50 at random: "));
	ck_assert(!strstr(out.bytes, "unreached"));
	text_free(&out);
}

int main(void)
{
	Suite *suite = suite_create("rbg_game");
	TCase *cases = tcase_create("core");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, test_counts);
	tcase_add_test(cases, test_equal_play);
	tcase_add_loop_test(cases, test_files, 0, sizeof files / sizeof *files);
	tcase_add_test(cases, test_playouts);
	tcase_add_test(cases, test_texts);
	tcase_add_loop_test(cases, test_hostile, 0, sizeof hostile / sizeof *hostile);
	tcase_add_test(cases, test_survey);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
