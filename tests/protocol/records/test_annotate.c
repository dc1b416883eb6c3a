/* SPDX-License-Identifier: MIT
 *
 * Annotations of SGF: what is added, that all else stays, and that the game stays the same.
 */
#include <stdio.h>
#include <string.h>

#include "protocol/records/sgf.h"
#include "tests/suite.h"

static struct record record;

static void set_up(void)
{
	record_init(&record, &game_tictactoe);
}

static void tear_down(void)
{
	record_free(&record);
}

/* Reads a text and annotates move `index` with the line that is given as text. */
static char *annotate(const char *text, int index, struct sgf_annotation note, const char *line)
{
	static struct move moves[8];
	char why[REASON_MAX], word[MOVE_TEXT_MAX];
	struct state s;
	struct sgf_annotation *list = calloc(64, sizeof *list);
	ck_assert_msg(sgf_parse(&record, text, 1000, why), "%s", why);
	record_state(&record, index, &s);
	for (int n; sscanf(line, "%11s%n", word, &n) == 1; line += n) {
		struct move *m = &moves[note.line_count++];
		ck_assert_int_eq(game_parse(record.game, &s, word, m), MOVE_OK);
		game_play(record.game, &s, *m);
	}
	note.line = moves;
	list[index] = note;
	char *out = sgf_annotate(text, &record, list, why);
	ck_assert_msg(out, "%s", why);
	free(list);
	return out;
}

static const struct {
	const char *text;
	int index;
	struct sgf_annotation note;
	const char *line, *expected;
} cases[] = {
	/* Properties stand behind those of the node, a comment inside the one that is there. */
	{ "(;GM[2]C[r];B[ef]XX[1];W[fd])",
	  0,
	  { .comment = "a]b\\" },
	  "",
	  "(;GM[2]C[r];B[ef]XX[1]C[a\\]b\\\\];W[fd])" },
	{ "(;GM[2];B[ef]C[x\\]] YY[]\n;W[fd])",
	  0,
	  { .comment = "new", .mark = "BM[1]" },
	  "",
	  "(;GM[2];B[ef]C[x\\]\n\nnew] YY[]BM[1]\n;W[fd])" },
	/* A mark that is there stays alone. */
	{ "(;GM[2];B[ef]TE[1];W[fd])", 0, { .mark = "BM[1]" }, "", "(;GM[2];B[ef]TE[1];W[fd])" },
	/* Variations: inside a tree, at its beginning, and behind others. */
	{ "(;GM[2];B[ef];W[fd])",
	  1,
	  { .mark = "DO[]", .line_mark = "TE[1]", .line_comment = "c" },
	  "d6 c5",
	  "(;GM[2];B[ef](;W[fd]DO[])(;W[df]TE[1]C[c];B[ce]))" },
	{ "(;GM[2];B[ef];W[fd];B[ec])tail",
	  0,
	  { .comment = "c" },
	  "d3",
	  "(;GM[2](;B[ef]C[c];W[fd];B[ec])(;B[dc]))tail" },
	{ "(;GM[2];B[ef](;W[fd]C[)];B[ec])(;W[df]))",
	  1,
	  { 0 },
	  "f6",
	  "(;GM[2];B[ef](;W[fd]C[)];B[ec])(;W[ff])(;W[df]))" },
	{ "(;GM[2];B[ef](;W[fd];B[ec])(;W[df]))",
	  2,
	  { 0 },
	  "g3",
	  "(;GM[2];B[ef](;W[fd](;B[ec])(;B[gc]))(;W[df]))" },
	/* A line whose first move is there already is left out, wherever it stands among the variations. */
	{ "(;GM[2];B[ef](;W[fd])(;W[ff])\n( ; W[df]C[x](;B[ce])))",
	  1,
	  { .comment = "c" },
	  "d6 c5",
	  "(;GM[2];B[ef](;W[fd]C[c])(;W[ff])\n( ; W[df]C[x](;B[ce])))" },
	/* Points as the text has them: notation, letters from the top, from the bottom. */
	{ "(;GN[yomi tictactoe standard];B[b2];W[a1])",
	  1,
	  { 0 },
	  "b1 c1",
	  "(;GN[yomi tictactoe standard];B[b2](;W[a1])(;W[b1];B[c1]))" },
	{ "(;SZ[3];B[bb];W[aa])", 1, { 0 }, "c1", "(;SZ[3];B[bb](;W[aa])(;W[ca]))" },
	{ "(;AP[gogui]SZ[3];B[bb];W[aa])",
	  1,
	  { 0 },
	  "c1",
	  "(;AP[gogui]SZ[3];B[bb](;W[aa])(;W[cc]))" },
	/* A character of Shift_JIS that ends in the byte of a bracket. */
	{ "(;CA[Shift_JIS]GM[2]C[\x83\x5d];B[ef]C[\x83\x5d];W[fd]C[\x95\x5c])",
	  0,
	  { .comment = "c" },
	  "d3",
	  "(;CA[Shift_JIS]GM[2]C[\x83\x5d](;B[ef]C[\x83\x5d\n\nc];W[fd]C[\x95\x5c])(;B[dc]))" },
	/* LittleGolem's first player is white. */
	{ "(;FF[4]EV[havannah.in.size4.4]SZ[4]SO[http://www.littlegolem.com];W[E1];B[F2])",
	  1,
	  { .mark = "BM[2]" },
	  "d4",
	  "(;FF[4]EV[havannah.in.size4.4]SZ[4]SO[http://"
	  "www.littlegolem.com];W[E1](;B[F2]BM[2])(;B[d4]))" },
	{ "(;EV[hex.x]SZ[3]SO[http://www.littlegolem.com];W[ba];B[ac])",
	  1,
	  { 0 },
	  "c3 a1",
	  "(;EV[hex.x]SZ[3]SO[http://www.littlegolem.com];W[ba](;B[ac])(;B[cc];W[aa]))" },
};

START_TEST(annotations)
{
	char why[REASON_MAX];
	struct record again;
	char *out = annotate(cases[_i].text, cases[_i].index, cases[_i].note, cases[_i].line);
	ck_assert_str_eq(out, cases[_i].expected);
	record_init(&again, &game_tictactoe);
	ck_assert_msg(sgf_parse(&again, out, 1000, why), "%s", why);
	ck_assert_int_eq(again.count, record.count);
	ck_assert_uint_eq(again.now.hash, record.now.hash);
	record_free(&again);
	free(out);
}
END_TEST

/* The same annotations again change nothing. */
START_TEST(twice)
{
	char *once = annotate(cases[_i].text, cases[_i].index, cases[_i].note, cases[_i].line);
	char *again = annotate(once, cases[_i].index, cases[_i].note, cases[_i].line);
	ck_assert_str_eq(again, once);
	free(once);
	free(again);
}
END_TEST

/* A move in GoGui's frame for Pentago is two nodes; a variation begins before the first. */
START_TEST(framed)
{
	char *out, why[REASON_MAX];
	record_restart(&record, game_find("pentago", NULL));
	ck_assert_int_eq(record_play_text(&record, BLACK, "a1s"), MOVE_OK);
	ck_assert_int_eq(record_play_text(&record, WHITE, "b1t"), MOVE_OK);
	struct text text = { 0 };
	sgf_print_gogui(&text, &record);
	out = annotate(text.bytes, 1, (struct sgf_annotation) { .comment = "late" }, "c1s d1t");
	uint64_t hash = record.now.hash;
	ck_assert_msg(sgf_parse(&record, out, 1000, why), "%s", why);
	ck_assert_int_eq(record.count, 2);
	ck_assert_uint_eq(record.now.hash, hash);
	char *again = annotate(out, 1, (struct sgf_annotation) { .comment = "late" }, "c1s d1t");
	ck_assert_str_eq(again, out);
	free(again);
	/* The variation takes the place of the main line. */
	char *first = strchr(out + 2, '('), *second = strstr(out, ")(;");
	ck_assert(first && second);
	memmove(first, second + 1, strlen(second + 1) + 1);
	ck_assert_msg(sgf_parse(&record, out, 1000, why), "%s", why);
	ck_assert_int_eq(record.count, 3);
	text_free(&text);
	free(out);
}
END_TEST

/* Annotations of all moves at once nest. */
START_TEST(nested)
{
	static const char text[] = "(;GM[2];B[ef];W[fd];B[ec];W[ff])";
	struct sgf_annotation list[4] = { { 0 } };
	struct move moves[4];
	char why[REASON_MAX];
	static const char *const better[] = { "d3", "d6", "g3", "d2" };
	ck_assert(sgf_parse(&record, text, 1000, why));
	for (int i = 0; i < 4; i++) {
		struct state s;
		record_state(&record, i, &s);
		ck_assert_int_eq(game_parse(record.game, &s, better[i], &moves[i]), MOVE_OK);
		list[i] = (struct sgf_annotation) { .line = &moves[i], .line_count = 1 };
	}
	char *out = sgf_annotate(text, &record, list, why);
	ck_assert_str_eq(
		out, "(;GM[2](;B[ef](;W[fd](;B[ec](;W[ff])(;W[db]))(;B[gc]))(;W[df]))(;B[dc]))");
	free(out);
	ck_assert(!sgf_annotate("(;GM[2];B[ef])", &record, list, why));
	ck_assert_str_eq(why, "the text is another game");
	ck_assert(!sgf_annotate("(;GM[2];B[aa])", &record, list, why));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("annotate");
	TCase *all = tcase_create("annotate");
	tcase_add_checked_fixture(all, set_up, tear_down);
	tcase_add_loop_test(all, annotations, 0, (int)(sizeof cases / sizeof cases[0]));
	tcase_add_loop_test(all, twice, 0, (int)(sizeof cases / sizeof cases[0]));
	tcase_add_test(all, framed);
	tcase_add_test(all, nested);
	suite_add_tcase(suite, all);
	return suite_run(suite);
}
