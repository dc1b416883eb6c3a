/* SPDX-License-Identifier: MIT
 *
 * The page of `yomi report`, made by the program itself, and its parts.
 */
#include <jansson.h>
#include <sqlite3.h>
#include <zlib.h>

#include "engine/base/rng.h"
#include "engine/rules/record.h"
#include "tests/protocol/process.h"
#include "tests/tools/games_of.h"
#include "tools/lib/markup.h"
#include "tools/lib/plot.h"
#include "tools/report/summary.h"

#define HOSTILE "</script><script>alert(1)</script> \"'&amp;<b onclick='x()'>"

/* --- untrusted text --- */

static void check_markup(void (*print)(struct text *, const char *), const char *text,
			 const char *expected)
{
	struct text out = { 0 };
	print(&out, text);
	ck_assert_str_eq(out.bytes, expected);
	text_free(&out);
}

static void print_json(struct text *out, const char *text)
{
	markup_json(out, markup_string(text));
}

#define BAD "\xef\xbf\xbd"

START_TEST(text_is_no_markup)
{
	static const struct {
		const char *text, *html, *json;
	} cases[] = {
		{ "plain", "plain", "\"plain\"" },
		{ "a<b>&\"'", "a&#60;b&#62;&#38;&#34;&#39;",
		  "\"a\\u003cb\\u003e\\u0026\\\"\\u0027\"" },
		{ "a\\b", "a\\b", "\"a\\\\b\"" },
		{ "l\n\t", "l\n\t", "\"l\\n\\t\"" },
		{ "\x01\x7f", BAD BAD, "\"" BAD BAD "\"" },
		{ "読み\xf0\x9f\x98\x80\xc3\xa9", "読み\xf0\x9f\x98\x80\xc3\xa9",
		  "\"読み\xf0\x9f\x98\x80\xc3\xa9\"" },
		/* Truncated, overlong, out of range, halves of surrogate pairs, stray bytes. */
		{ "\xe8\xaa", BAD BAD, "\"" BAD BAD "\"" },
		{ "\xc0\xbc", BAD BAD, "\"" BAD BAD "\"" },
		{ "\xe0\x80\xbc", BAD BAD BAD, "\"" BAD BAD BAD "\"" },
		{ "\xf4\x90\x80\x80", BAD BAD BAD BAD, "\"" BAD BAD BAD BAD "\"" },
		{ "\xed\xa0\x80", BAD BAD BAD, "\"" BAD BAD BAD "\"" },
		{ "\xff\x80<", BAD BAD "&#60;", "\"" BAD BAD "\\u003c\"" },
		/* Characters that reverse the direction of text, and line separators of scripts. */
		{ "\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8", BAD BAD BAD, "\"" BAD BAD BAD "\"" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		check_markup(markup_text, cases[i].text, cases[i].html);
		check_markup(print_json, cases[i].text, cases[i].json);
	}
}
END_TEST

START_TEST(ticks_of_plots)
{
	ck_assert_double_eq_tol(plot_step(10, 5), 2, 1e-12);
	ck_assert_double_eq_tol(plot_step(11, 5), 5, 1e-12);
	ck_assert_double_eq_tol(plot_step(0.9, 5), 0.2, 1e-12);
	ck_assert_double_eq_tol(plot_step(4000, 5), 1000, 1e-9);
	struct plot p = { .left = 50,
			  .right = 150,
			  .top = 0,
			  .bottom = 200,
			  .x_max = 10,
			  .y_min = -1,
			  .y_max = 1 };
	ck_assert_double_eq(plot_x(&p, 5), 100);
	ck_assert_double_eq(plot_y(&p, 0), 100);
	ck_assert_double_eq(plot_y(&p, 1), 0);
	/* Nothing is drawn outside the plot. */
	ck_assert_double_eq(plot_x(&p, 11), 150);
	ck_assert_double_eq(plot_y(&p, -INFINITY), 200);
}
END_TEST

/* --- pages --- */

static int status;

/* Returns the output of a shell command. The caller frees it. */
static char *shell(const char *command)
{
	return process_shell(command, &status);
}

static char *report_of(const char *name)
{
	char command[PATH_MAX + 128];
	snprintf(command, sizeof command, "$YOMI report '%s' 2>&1", folder_path(name));
	return shell(command);
}

/* Returns the index of a match, from 1. */
static json_t *index_of(const char *page, int match)
{
	static const char start[] = "<script type=\"application/json\" class=\"index\">";
	for (; match > 0; match--) {
		page = strstr(page, start);
		ck_assert_ptr_nonnull(page);
		page += strlen(start);
	}
	json_error_t error;
	json_t *index = json_loads(page, JSON_DISABLE_EOF_CHECK, &error);
	ck_assert_msg(index, "%s", error.text);
	return index;
}

static unsigned digit_of(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = strchr(digits, c);
	ck_assert_ptr_nonnull(at);
	return (unsigned)(at - digits);
}

/* Unpacks the first block of a match. */
static json_t *block_of(const char *page, int match)
{
	enum { ROOM = 1 << 20 };
	char start[128];
	snprintf(start, sizeof start,
		 "<script type=\"application/octet-stream\" class=\"block\" data-match=\"%d\">",
		 match);
	const char *text = strstr(page, start);
	ck_assert_ptr_nonnull(text);
	text += strlen(start);
	size_t letters = strcspn(text, "=<"), count = 0;
	unsigned char *packed = malloc(letters + 1);
	unsigned bits = 0;
	for (size_t i = 0; i < letters; i++) {
		bits = bits << 6 | digit_of(text[i]);
		if (i % 4)
			packed[count++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
	}
	char *json = calloc(ROOM, 1);
	z_stream z = { .next_in = packed,
		       .avail_in = (uInt)count,
		       .next_out = (unsigned char *)json,
		       .avail_out = ROOM - 1 };
	ck_assert_int_eq(inflateInit2(&z, -MAX_WBITS), Z_OK);
	ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
	inflateEnd(&z);
	json_error_t error;
	json_t *block = json_loads(json, 0, &error);
	ck_assert_msg(block, "%s", error.text);
	free(json);
	free(packed);
	return block;
}

static int count_of(const char *text, const char *part)
{
	int n = 0;
	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

#define WON   "B2 A1/-0.25/0.5 A2/0.5/0.125 A3/0.75/0.5 C2/1/0.25"
#define DRAWN "B2 A1 A2 C2 C1 A3 B3 B1 C3"
#define LOST  "A1 B2 C1/0.9/1 B1/-0.2/1 A2/0.1/1 B3/-1/1"

/* Writes two matches: one of two players with hostile names, where the first wins twice; one of three
 * players. */
static void write_matches(const char *name)
{
	static const char notes[] = "note of </script><!-- <script> \xff";
	struct database *db = database_open(folder_path(name), why);
	ck_assert_msg(db, "%s", why);
	struct match match = {
		game_find("tictactoe", NULL), "<i>terms", true, true, { 0, 50, 0.05, 0.05 }
	};
	int first = database_add_match(db, &match, why), a = engine(db, HOSTILE),
	    b = engine(db, "\xff\xe2\x80\xae");
	add_text_game(db, first,
		      (struct match_game) { .opening = 1,
					    .engines = { a, b },
					    .points = 2,
					    .detail = "B+1",
					    .opening_moves = 1 },
		      WON);
	add_text_game(db, first,
		      (struct match_game) { .opening = 1,
					    .engines = { b, a },
					    .points = 0,
					    .detail = "W+1",
					    .opening_moves = 1 },
		      LOST);
	add_text_game(db, first,
		      (struct match_game) { .opening = 2,
					    .engines = { a, b },
					    .points = 1,
					    .detail = "0",
					    .opening_moves = 1 },
		      DRAWN);
	struct match_move move = {
		.text = "A1", .seconds = 1, .value = NAN, .note = (char *)(uintptr_t)notes
	};
	struct match_game died = { .opening = 2,
				   .engines = { b, a },
				   .points = 2,
				   .end = END_DIED,
				   .detail = "<img src=x>",
				   .moves = &move,
				   .count = 1 };
	ck_assert(database_add_game(db, first, &died, why));
	int second = match_of(db, "pentago", "three", false), c = engine(db, "c");
	int pairs[3][2] = { { a, b }, { a, c }, { b, c } };
	for (int i = 0; i < 3; i++)
		add_text_game(db, second,
			      (struct match_game) { .opening = 1,
						    .engines = { pairs[i][0], pairs[i][1] },
						    .points = i ? 2 : 0,
						    .end = END_RESIGN,
						    .detail = "resign" },
			      "B2T C3S A1V");
	database_close(db);
}

/* Checks that all elements of a page are closed correctly, except inside scripts and styles. */
static void check_elements(const char *page)
{
	static const char *const empty[] = { "meta", "input", "br", "!doctype" };
	char open[64][16], name[16];
	int depth = 0;
	for (const char *at = page; (at = strchr(at, '<'));) {
		bool ends = at[1] == '/';
		at += 1 + ends;
		size_t n = strcspn(at, " >/\n");
		ck_assert_msg(n > 0 && n < sizeof name, "a tag of %zu letters: %.40s", n, at);
		snprintf(name, sizeof name, "%.*s", (int)n, at);
		const char *end = strchr(at, '>');
		ck_assert_ptr_nonnull(end);
		bool alone = end[-1] == '/';
		for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
			alone |= strcmp(name, empty[i]) == 0;
		if (ends) {
			ck_assert_msg(depth && strcmp(open[depth - 1], name) == 0, "</%s> ends %s",
				      name, depth ? open[depth - 1] : "nothing");
			depth--;
		} else if (!alone) {
			ck_assert_int_lt(depth, 64);
			strcpy(open[depth++], name);
		}
		at = end + 1;
		if (!ends && strcmp(name, "script") == 0)
			at = strstr(at, "</script>");
		if (!ends && strcmp(name, "style") == 0)
			at = strstr(at, "</style>");
	}
	ck_assert_int_eq(depth, 0);
}

START_TEST(page_is_whole_and_alone)
{
	write_matches("r");
	char *page = report_of("r");
	ck_assert_msg(status == 0, "%s", page);
	check_elements(page);
	/* Every game, once in an index and once in a block. */
	for (int match = 1; match <= 2; match++) {
		json_t *index = index_of(page, match), *block = block_of(page, match);
		size_t expected = match == 1 ? 4 : 3;
		ck_assert_uint_eq(json_array_size(json_object_get(index, "games")), expected);
		ck_assert_uint_eq(json_array_size(block), expected);
		for (size_t i = 0; i < expected; i++)
			ck_assert_int_eq(
				json_integer_value(json_array_get(
					json_array_get(json_object_get(index, "games"), i), 0)),
				(match == 1 ? 1 : 5) + (int)i);
		json_decref(index);
		json_decref(block);
	}
	ck_assert_int_eq(count_of(page, "<section class=\"match\""), 2);
	/* It requests nothing, and only its own script may run. */
	const char *policy = strstr(page, "content=\"default-src 'none'; script-src 'nonce-");
	ck_assert_ptr_nonnull(policy);
	ck_assert_int_eq(count_of(page, " src="), count_of(page, "img src=x"));
	ck_assert_int_eq(count_of(page, "url("), count_of(page, "url(#"));
	ck_assert_int_eq(count_of(page, "http"), count_of(page, "http://www.w3.org/2000/svg") +
							 count_of(page, "http-equiv"));
	ck_assert_int_eq(count_of(page, "<script"),
			 count_of(page, "<script nonce=\"") +
				 count_of(page, "<script type=\"application/json\"") +
				 count_of(page, "<script type=\"application/octet-stream\""));
	ck_assert_int_eq(count_of(page, "<script nonce=\""), 1);
	ck_assert_int_eq(count_of(page, " style=\""), 0);
	free(page);
}
END_TEST

START_TEST(names_are_only_names)
{
	static const char name[] = "&#60;/script&#62;&#60;script&#62;alert(1)&#60;/script&#62; "
				   "&#34;&#39;&#38;amp;&#60;b onclick=&#39;x()&#39;&#62;";
	write_matches("r");
	char *page = report_of("r");
	ck_assert_int_ge(count_of(page, name), 2);
	ck_assert_int_eq(count_of(page, "alert("), count_of(page, name));
	ck_assert_int_eq(count_of(page, "onclick="), count_of(page, name));
	ck_assert_ptr_nonnull(strstr(page, "<bdi>" BAD BAD "</bdi>"));
	ck_assert_ptr_nonnull(strstr(page, "&#60;i&#62;terms"));
	ck_assert_ptr_nonnull(strstr(page, "\\u003cimg src=x\\u003e\""));
	json_t *block = block_of(page, 1);
	ck_assert_str_eq(json_string_value(json_object_get(
				 json_object_get(json_array_get(block, 3), "notes"), "1")),
			 "note of </script><!-- <script> " BAD);
	json_decref(block);
	free(page);
}
END_TEST

/* The page agrees with `match --score` and with the rules. */
START_TEST(numbers_agree)
{
	char text[128], line[512], *end;
	write_matches("r");
	char *page = report_of("r");
	snprintf(line, sizeof line, "$YOMI_BUILD/yomi-match --score='%s'", folder_path("r"));
	char *score = shell(line);
	ck_assert_int_eq(strncmp(score, "4 2 1 1 ", 8), 0);
	double mean = strtod(score + 8, &end), low = strtod(end, &end), high = strtod(end, NULL);
	snprintf(text, sizeof text, "<b>%.1f %%</b> <small>%.1f … %.1f %%", 100 * mean, 100 * low,
		 100 * high);
	ck_assert_msg(strstr(page, text), "no %s", text);
	/* Two openings are too few for an Elo. */
	ck_assert_ptr_nonnull(
		strstr(page, "<b>–</b> <span>Elo</span> <small>too few openings or games</small>"));
	ck_assert_ptr_nonnull(
		strstr(page, "<span class=\"won\">2 won</span><span class=\"drawn\">1 drawn</span>"
			     "<span class=\"lost\">1 lost</span>"));
	/* Of two pairs A won one and half of the other. */
	ck_assert_ptr_nonnull(strstr(page, "<title>\xc2\xbd: 1</title>"));
	ck_assert_ptr_nonnull(strstr(page, "<title>2: 1</title>"));
	const struct sprt test = { 0, 50, 0.05, 0.05 };
	snprintf(text, sizeof text, "LLR %.2f, bounds −2.94 and 2.94",
		 sprt_llr(&test, (const int[]) { 0, 1, 0, 0, 1 }, 5));
	ck_assert_msg(strstr(page, text), "no %s", text);
	/* Black won two of all four games and drew one. */
	ck_assert_ptr_nonnull(
		strstr(page, "Black, of all</th><td>2</td><td>1</td><td>1</td><td>62.5 %"));
	/* The loser's own value fell from +0.1 to the lost result. In the first game it was -0.75. */
	ck_assert_ptr_nonnull(
		strstr(page, "<a href=\"#g2.5\">2</a></td><td>5</td><td>+0.10</td><td>−1.00</td>"));
	ck_assert_ptr_nonnull(
		strstr(page, "<a href=\"#g1.2\">1</a></td><td>2</td><td>+0.25</td><td>−0.75</td>"));
	ck_assert_ptr_nonnull(strstr(page, "<th>died</th>"));
	free(score);
	free(page);
}
END_TEST

START_TEST(elo_of_many_openings)
{
	char text[64];
	struct database *db = database_open(folder_path("e"), why);
	ck_assert_msg(db, "%s", why);
	int match = match_of(db, "tictactoe", "many", true), a = engine(db, "a"),
	    b = engine(db, "b");
	for (int i = 0; i < 80; i++)
		add_text_game(db, match,
			      (struct match_game) { .opening = 1 + i / 2,
						    .engines = { i % 2 ? b : a, i % 2 ? a : b },
						    .points = i % 8 == 0 ? 1
							      : i % 2    ? 0
									 : 2,
						    .detail = "x",
						    .opening_moves = 1 },
			      WON);
	database_close(db);
	char *page = report_of("e");
	/* 75 of 80 points. */
	snprintf(text, sizeof text, "<b>+%.0f</b> <span>Elo</span>", elo_of_score(75 / 80.0));
	ck_assert_msg(strstr(page, text), "no %s", text);
	ck_assert_int_eq(count_of(page, "too few openings or games"), 0);
	/* Only 10 of 40 pairs differ from the others. */
	ck_assert_int_eq(
		count_of(page, "<span>normalised Elo</span> <small>too few different results"), 1);
	free(page);
}
END_TEST

/* Computes the squares of the last position of a match's game from the changes in its data. */
static void last_squares(const char *page, int match, size_t i, char squares[64], const char *start)
{
	json_t *block = block_of(page, match);
	const char *change = json_string_value(
		json_object_get(json_array_get(block, i), "changes"));
	strcpy(squares, start);
	while (*change) {
		char *mark;
		long index = strtol(change, &mark, 10);
		squares[index] = *mark;
		change = mark[1] == ' ' ? mark + 2 : mark + 1;
	}
	json_decref(block);
}

START_TEST(positions_are_the_rules)
{
	char squares[64];
	write_matches("r");
	char *page = report_of("r");
	ck_assert_ptr_nonnull(strstr(page, "data-start=\".........\""));
	ck_assert_ptr_nonnull(strstr(page, "class=\"layout\">{\"kind\":\"squares\","));
	ck_assert_ptr_nonnull(strstr(page, "\"columns\":[\"A\",\"B\",\"C\"],\"numbers\":[1,2,3],"));
	ck_assert_ptr_nonnull(strstr(page, "\"clicks\":{\"B2T\":[\"B2\",\"T\"],"));
	/* Row 1 first: A1 B1 C1 A2 ... */
	last_squares(page, 1, 0, squares, ".........");
	ck_assert_str_eq(squares, "O..XXXO..");
	last_squares(page, 1, 2, squares, ".........");
	ck_assert_str_eq(squares, "OOXXXOOXX");
	last_squares(page, 2, 0, squares, "....................................");
	const struct game *g = game_find("pentago", NULL);
	struct record record;
	record_init(&record, g);
	for (const char *const *text = (const char *const[]) { "B2T", "C3S", "A1V", NULL }; *text;
	     text++)
		ck_assert_int_eq(record_play_text(&record, record.now.side, *text), MOVE_OK);
	for (int i = 0; i < 36; i++)
		ck_assert_int_eq(squares[i], g->at(g, &record.now, i / 6, i % 6));
	record_free(&record);
	free(page);
}
END_TEST

/* Replaces all occurrences of a word by another one of the same length. */
static void change(char *page, const char *from, const char *to)
{
	size_t n = strlen(from);
	ck_assert_uint_eq(strlen(to), n);
	for (char *at = page; (at = strstr(at, from));)
		for (size_t i = 0; i < n; i++)
			*at++ = to[i];
}

/* Replaces the nonce, which differs each time, and the file's name. */
static void make_equal(char *page)
{
	char nonce[33];
	snprintf(nonce, sizeof nonce, "%.32s", strstr(page, "nonce-") + 6);
	change(page, nonce, "00000000000000000000000000000000");
	change(page, "games.sgf", "report.db");
}

START_TEST(page_of_sgf_and_into_a_file)
{
	char command[2 * PATH_MAX + 128];
	write_matches("report.db");
	snprintf(command, sizeof command, "$YOMI_BUILD/yomi-match --sgf='%s' >'%s'",
		 folder_path("report.db"), folder_path("games.sgf"));
	free(shell(command));
	char *page = report_of("report.db"), *other = report_of("games.sgf");
	ck_assert_int_eq(status, 0);
	ck_assert_str_ne(page, other);
	make_equal(page);
	make_equal(other);
	ck_assert_str_eq(page, other);
	snprintf(command, sizeof command, "$YOMI report --output '%s' '%s'",
		 folder_path("page.html"), folder_path("report.db"));
	char *said = shell(command), *file = text_of_file(folder_path("page.html"));
	ck_assert_str_eq(said, "");
	make_equal(file);
	ck_assert_str_eq(file, page);
	free(said);
	free(file);
	free(other);
	free(page);
}
END_TEST

/* Files of GoGui do not name their game: stderr says how they were read. */
START_TEST(games_that_name_no_game)
{
	static const char text[] = "(;AP[GoGui:1.6.0]SZ[8]PB[a]PW[b]RE[W+R];B[be];B[ac])";
	char command[2 * PATH_MAX + 128];
	write_file(folder_path("g.sgf"), text, sizeof text - 1);
	snprintf(command, sizeof command,
		 "$YOMI report '%s' --game pentago --rules tajima 2>/dev/null",
		 folder_path("g.sgf"));
	char *page = shell(command);
	ck_assert_int_eq(status, 0);
	ck_assert_ptr_nonnull(strstr(page, "A4S"));
	ck_assert_ptr_nonnull(strstr(page, "tajima"));
	free(page);
	snprintf(command, sizeof command, "$YOMI report '%s' 2>&1 >/dev/null",
		 folder_path("g.sgf"));
	char *said = shell(command);
	ck_assert_str_eq(said, "yomi-report: 1 record is not clear: read as pentago, in GoGui's "
			       "frame\n");
	free(said);
	snprintf(command, sizeof command, "$YOMI report '%s' --game othello 2>&1",
		 folder_path("g.sgf"));
	said = shell(command);
	ck_assert_int_eq(status, 1);
	free(said);
}
END_TEST

static char *table_of(const char *name, const char *table)
{
	char command[PATH_MAX + 128];
	snprintf(command, sizeof command, "$YOMI report '%s' --csv=%s 2>&1", folder_path(name),
		 table);
	return shell(command);
}

START_TEST(tables_for_other_programs)
{
	static const char quoted[] =
		"\"</script><script>alert(1)</script> \"\"'&amp;<b onclick='x()'>\"";
	char line[512];
	write_matches("r");
	char *table = table_of("r", "games");
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(count_of(table, "\n"), 8);
	ck_assert_int_eq(strncmp(table, "match,game,pair,opening,black,white,black_points,", 49),
			 0);
	snprintf(line, sizeof line,
		 "\n1,1,1,B2,%s,\xff\xe2\x80\xae,1,over,B+1,0.375,1,,,,5,B2 A1 A2 A3 C2\n", quoted);
	ck_assert_msg(strstr(table, line), "no %s in %s", line, table);
	free(table);
	table = table_of("r", "pairs");
	/* The second match does not have pairs. */
	ck_assert_int_eq(count_of(table, "\n"), 3);
	snprintf(line, sizeof line, "\n1,1,B2,%s,\xff\xe2\x80\xae,1,1,2,1\n1,2,B2,%s,", quoted,
		 quoted);
	ck_assert_msg(strstr(table, line), "no %s in %s", line, table);
	ck_assert_ptr_nonnull(strstr(table, ",0.5,0,0.5,1\n"));
	free(table);
	table = table_of("r", "sheets");
	ck_assert_int_eq(status, 2);
	free(table);
}
END_TEST

static void check_complaint(const char *name, const char *complaint)
{
	char *text = report_of(name);
	ck_assert_int_eq(status, 1);
	ck_assert_int_eq(strncmp(text, "yomi-report: ", 13), 0);
	ck_assert_msg(strstr(text, complaint), "%s", text);
	ck_assert_int_eq(count_of(text, "\n"), 1);
	free(text);
}

START_TEST(files_that_cannot_be_shown)
{
	check_complaint("none", "No such file");
	write_file(folder_path("t"), "hello", 5);
	check_complaint("t", "/t: not SGF, GGF, WTHOR, PGN, PSQ or rec; as moves");
	write_file(folder_path("e"), "", 0);
	check_complaint("e", "/e: there is no game in it");
	write_file(folder_path("s.sgf"), "(;GM[1])", 8);
	check_complaint("s.sgf", "game 1: ");
	struct database *db = database_open(folder_path("i"), why);
	int match = match_of(db, "tictactoe", "t", false);
	add_text_game(db, match,
		      (struct match_game) { .opening = 1,
					    .engines = { engine(db, "a"), engine(db, "b") } },
		      "B2 B2");
	database_close(db);
	check_complaint("i", "game 1 has an illegal move");
	char command[2 * PATH_MAX + 64];
	write_matches("r");
	snprintf(command, sizeof command, "$YOMI report '%s' --output '%s' 2>&1", folder_path("r"),
		 folder_path("r"));
	char *text = shell(command);
	ck_assert_int_eq(status, 2);
	ck_assert_ptr_nonnull(strstr(text, "--output would replace the games: "));
	free(text);
	snprintf(command, sizeof command, "$YOMI report '%s' --output /none/there 2>&1",
		 folder_path("r"));
	text = shell(command);
	ck_assert_ptr_nonnull(strstr(text, "cannot write /none/there"));
	ck_assert_int_eq(status, 1);
	free(text);
}
END_TEST

/* A file without games has a page as well. */
START_TEST(nothing_to_show)
{
	struct database *db = database_open(folder_path("r"), why);
	match_of(db, "othello", "t", true);
	database_close(db);
	char *page = report_of("r");
	ck_assert_int_eq(status, 0);
	check_elements(page);
	ck_assert_ptr_nonnull(strstr(page, "no games"));
	free(page);
}
END_TEST

START_TEST(summary_of_a_match)
{
	struct summary t;
	write_matches("r");
	struct database *db = database_read(folder_path("r"), why);
	ck_assert(summary_read(&t, db, 0, why));
	ck_assert_int_eq(t.sample_count, 4);
	ck_assert_int_eq(t.samples[3].games, 4);
	ck_assert_double_eq_tol(t.samples[0].score.mean, 1, 1e-9);
	ck_assert_double_eq_tol(t.samples[3].score.mean, 0.625, 1e-9);
	/* The SPRT counts complete pairs. */
	ck_assert_double_eq(t.samples[0].llr, 0);
	ck_assert_double_gt(t.samples[1].llr, 0);
	ck_assert_int_eq(t.drop_count, 2);
	ck_assert_int_eq(t.drops[0].game, 2);
	ck_assert_int_eq(t.drops[0].move, 5);
	ck_assert_int_eq(t.drops[0].player, 1);
	ck_assert_double_eq_tol(t.drops[0].before - t.drops[0].after, 1.1, 1e-9);
	/* Both opening numbers have the same moves. */
	ck_assert_int_eq(t.openings[1].games, 4);
	ck_assert_ptr_eq(t.standings.of[2], t.standings.of[1]);
	ck_assert_str_eq(t.standings.of[1]->text, "B2");
	ck_assert_double_eq(t.openings[1].a, 2.5);
	ck_assert_double_eq(t.openings[1].black, 2.5);
	/* A's third and fourth moves of the first game, and its only one of the second. */
	ck_assert_int_eq(summary_move_times(&t, 0, 1)->moves, 2);
	ck_assert_double_eq(summary_move_times(&t, 0, 1)->low, 0.125);
	ck_assert_double_eq(summary_move_times(&t, 0, 1)->high, 1);
	ck_assert_double_eq_tol(t.spent[0], 0.125 + 0.25 + 1 + 1, 1e-9);
	ck_assert_int_eq(t.move_count, 9);
	summary_free(&t);
	ck_assert(summary_read(&t, db, 1, why));
	ck_assert_int_eq(t.sample_count, 0);
	ck_assert_int_eq(t.standings.player_count, 3);
	summary_free(&t);
	database_close(db);
}
END_TEST

/* Adds a random game of Othello after `skip` opening moves, which `opening` chooses, as engines report them: with times
 * and values. */
static void add_random_game(struct database *db, int match, const int engines[2], int opening,
			    struct rng *rng)
{
	enum { SKIP = 6 };
	static struct match_move moves[128];
	const struct game *g = database_match(db, match)->game;
	struct rng opening_rng = { 0 };
	struct state s;
	struct match_game game = { .opening = opening,
				   .engines = { engines[0], engines[1] },
				   .moves = moves,
				   .opening_moves = SKIP,
				   .seeded = true,
				   .seeds = { (uint32_t)opening, 7 },
				   .ended = 1700000000 + opening };
	rng_seed(&opening_rng, (uint64_t)opening);
	for (g->start(g, &s); !s.over; game.count++) {
		struct match_move *m = &moves[game.count];
		struct move legal[GAME_MOVES_MAX];
		bool is_opening = game.count < SKIP;
		int count = game_moves(g, &s, legal);
		struct move move =
			legal[rng_below(is_opening ? &opening_rng : rng, (uint32_t)count)];
		*m = (struct match_move) {
			.seconds = is_opening ? (double)NAN : 0.05 + rng_below(rng, 100000) / 1e5,
			.value = is_opening ? (double)NAN : rng_below(rng, 20001) / 1e4 - 1,
		};
		game_format(g, &s, move, m->text);
		game_play(g, &s, move);
	}
	game.points = (int)rng_below(rng, 3);
	game.detail = game.points == 2 ? "B+12" : game.points ? "0" : "W+8";
	ck_assert_msg(database_add_game(db, match, &game, why), "%s", why);
}

/* Runs a query of one number on a database. */
static int number_of(const char *name, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *query;
	ck_assert_int_eq(sqlite3_open_v2(folder_path(name), &db, SQLITE_OPEN_READONLY, NULL),
			 SQLITE_OK);
	ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &query, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(query), SQLITE_ROW);
	int number = sqlite3_column_int(query, 0);
	sqlite3_finalize(query);
	sqlite3_close(db);
	return number;
}

#define A_POINTS "sum(CASE black WHEN 1 THEN points ELSE 2 - points END)"

/* Checks the page's pairs, and its results by colour, against the tables of the database. A is engine 1. */
static void check_counts(const char *page, const char *name)
{
	static const char *const points[] = { "0", "\xc2\xbd", "1", "1\xc2\xbd", "2" };
	char text[256], sql[256];
	int pairs = number_of(name, "SELECT count(*) / 2 FROM game"), shared = 0, counts[3];
	for (int i = 0; i < 5; i++) {
		snprintf(sql, sizeof sql,
			 "SELECT count(*) FROM (SELECT " A_POINTS
			 " AS p FROM game GROUP BY opening) "
			 "WHERE p = %d",
			 i);
		int count = number_of(name, sql);
		snprintf(text, sizeof text, "<title>%s: %d</title>", points[i], count);
		ck_assert_msg(strstr(page, text), "no %s", text);
		shared += i == 2 ? count : 0;
	}
	snprintf(text, sizeof text, "%d of %d pairs (%.1f %%) are decided", pairs - shared, pairs,
		 100.0 * (pairs - shared) / pairs);
	ck_assert_msg(strstr(page, text), "no %s", text);
	for (int i = 0; i < 3; i++) {
		snprintf(sql, sizeof sql, "SELECT count(*) FROM game WHERE points = %d", i);
		counts[i] = number_of(name, sql);
	}
	snprintf(text, sizeof text,
		 "Black, of all</th><td>%d</td><td>%d</td><td>%d</td><td>%.1f %%", counts[2],
		 counts[1], counts[0],
		 100 * (counts[2] + counts[1] / 2.0) / (counts[0] + counts[1] + counts[2]));
	ck_assert_msg(strstr(page, text), "no %s", text);
}

/* A page of thousands of games stays small: its games are packed, behind all that is seen at first. */
START_TEST(thousands_of_games)
{
	enum { GAMES = 3000 };
	struct rng rng = { 0 };
	rng_seed(&rng, 3);
	struct database *db = database_open(folder_path("l"), why);
	int match = match_of(db, "othello", "many", true), a = engine(db, "a"), b = engine(db, "b");
	for (int i = 0; i < GAMES; i++)
		add_random_game(db, match, (const int[]) { i % 2 ? b : a, i % 2 ? a : b },
				1 + i / 2, &rng);
	database_close(db);
	char *page = report_of("l");
	ck_assert_int_eq(status, 0);
	const char *blocks = strstr(page, "<script type=\"application/octet-stream\"");
	ck_assert_uint_lt(strlen(page), 3000000);
	ck_assert_uint_lt((size_t)(blocks - page), 800000);
	ck_assert_int_eq(count_of(page, "class=\"block\""), (GAMES + 31) / 32);
	json_t *index = index_of(page, 1), *block = block_of(page, 1);
	ck_assert_uint_eq(json_array_size(json_object_get(index, "games")), GAMES);
	ck_assert_uint_eq(json_array_size(block), 32);
	/* All openings are listed; some were drawn twice. */
	int openings = count_of(page, "<td class=\"moves\">");
	char text[64];
	snprintf(text, sizeof text, " %d different openings.", openings);
	ck_assert_int_gt(openings, 1000);
	ck_assert_ptr_nonnull(strstr(page, text));
	check_counts(page, "l");
	json_decref(index);
	json_decref(block);
	free(page);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *parts = tcase_create("parts"), *pages = tcase_create("pages");
	tcase_add_test(parts, text_is_no_markup);
	tcase_add_test(parts, ticks_of_plots);
	suite_add_tcase(suite, parts);
	tcase_add_checked_fixture(pages, folder_create, folder_remove);
	tcase_add_test(pages, page_is_whole_and_alone);
	tcase_add_test(pages, names_are_only_names);
	tcase_add_test(pages, numbers_agree);
	tcase_add_test(pages, elo_of_many_openings);
	tcase_add_test(pages, positions_are_the_rules);
	tcase_add_test(pages, page_of_sgf_and_into_a_file);
	tcase_add_test(pages, games_that_name_no_game);
	tcase_add_test(pages, files_that_cannot_be_shown);
	tcase_add_test(pages, nothing_to_show);
	tcase_add_test(pages, summary_of_a_match);
	tcase_add_test(pages, thousands_of_games);
	tcase_add_test(pages, tables_for_other_programs);
	suite_add_tcase(suite, pages);
	return suite_run(suite);
}
