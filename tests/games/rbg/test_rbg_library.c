/* SPDX-License-Identifier: MIT
 *
 * Installed files with rules: names, folders, files that change, messages.
 */
#include "games/rbg/rbg_game.h"
#include "games/rbg/rbg_library.h"
#include "tests/folder.h"
#include "tests/suite.h"

static const char line_game[] =
	"#players = a(1), b(1)\n#pieces = e, x\n"
	"#board = rectangle(up,down,left,right, [e,e,e])\n"
	"#rules = (->a (left* + right*) {e} [x] [$ a=1, b=0] ->b (left* + right*) {e} "
	"[x] [$ b=1, a=0])*\n";

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert_int_eq(fclose(f), 0);
}

/* Every file of the program loads, by its name and by its title, and the default rules of a game are found by their name. */
static void expect_loads(void *arg, const char *name, const char *in)
{
	struct text error = { 0 };
	const struct game *g = rbg_library_find(name, NULL, &error);
	ck_assert_msg(g != NULL, "%s: %s", name, error.length ? error.bytes : "");
	ck_assert_ptr_eq(rbg_library_find(g->title, NULL, NULL), g);
	ck_assert_ptr_eq(game_find(g->name, g->rules), g);
	ck_assert_ptr_null(game_find(g->name, RBG_RULES "00000000"));
	ck_assert(rbg_is_game(g));
	++*(int *)arg;
}

START_TEST(test_installed)
{
	int count = 0;
	rbg_library_list(expect_loads, &count);
	ck_assert_int_ge(count, 12);
	ck_assert_ptr_null(rbg_library_find("no such game", NULL, NULL));
	ck_assert(!rbg_is_game(game_find("othello", NULL)));
}

/* A file in the folder of $YOMI_GAMES is found by its name, and comes before one of the program. Games of the program come first. */
START_TEST(test_folder)
{
	struct text error = { 0 };
	folder_create();
	write_text(folder_path("Three-in_line.rbg"), line_game);
	write_text(folder_path("yavalath.rbg"), line_game);
	write_text(folder_path("othello.rbg"), line_game);
	write_text(folder_path("bad.rbg"), "#players = a(1), b(1)\n#rules = up\n");
	setenv("YOMI_GAMES", folder, 1);
	ck_assert_int_eq(game_find("threeinline", NULL)->board.cols, 3);
	ck_assert_int_eq(game_find("Yavalath", NULL)->board.cols, 3);
	ck_assert_int_eq(game_find("othello", NULL)->board.cols, 8);
	ck_assert_ptr_null(game_open("bad", NULL, &error));
	ck_assert_msg(strstr(error.bytes, "bad.rbg:"), "%s", error.bytes);
	text_free(&error);
	unsetenv("YOMI_GAMES");
	folder_remove();
}

/* A file that has changed is another game; the old one stays, and a text is loaded once. */
START_TEST(test_files)
{
	struct text error = { 0 };
	folder_create();
	char longer[sizeof line_game + 20];
	snprintf(longer, sizeof longer, "%s// more\n", line_game);
	write_text(folder_path("mine.rbg"), line_game);
	const struct game *first = game_open(folder_path("mine.rbg"), NULL, &error);
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_eq(game_open(folder_path("mine.rbg"), NULL, &error), first);
	write_text(folder_path("mine.rbg"), longer);
	const struct game *second = game_open(folder_path("mine.rbg"), NULL, &error);
	ck_assert(second && second != first);
	ck_assert_str_ne(first->rules, second->rules);
	ck_assert_ptr_eq(game_find("mine", NULL), second);
	ck_assert_ptr_eq(game_find("mine", first->rules), first);
	ck_assert_ptr_null(game_open(folder_path("mine.rbg"), first->rules, &error));
	ck_assert_int_eq((int)error.length, 0);
	ck_assert_ptr_null(game_open(folder_path("none.rbg"), NULL, &error));
	ck_assert(strstr(error.bytes, "none.rbg: "));
	text_clear(&error);
	ck_assert_ptr_null(game_open(".rbg", NULL, &error));
	text_free(&error);
	folder_remove();
}

int main(void)
{
	Suite *suite = suite_create("rbg_library");
	TCase *cases = tcase_create("core");
	tcase_add_test(cases, test_installed);
	tcase_add_test(cases, test_folder);
	tcase_add_test(cases, test_files);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
