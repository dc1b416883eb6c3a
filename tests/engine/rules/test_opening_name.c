/* SPDX-License-Identifier: MIT
 *
 * Names of openings: the text in the program is sound, and positions get their names in every symmetry and order of
 * moves.
 */
#include <stdio.h>
#include <string.h>

#include "engine/rules/book.h"
#include "engine/rules/opening_name.h"
#include "engine/rules/words.h"
#include "games/games.h"
#include "tests/suite.h"

#define NAMES_LEAST 40
#define NAMES_MOST  256

/* Plays a text of moves of two characters. */
static void play(struct record *r, const char *moves)
{
	for (; *moves; moves += 2) {
		char word[] = { moves[0], moves[1], '\0' };
		ck_assert_int_eq(record_play_text(r, r->now.side, word), MOVE_OK);
	}
}

/* Returns the name after some moves of a game; "": none. */
static const char *name_after(const struct game *g, const char *moves, int *count)
{
	static struct opening_name name;
	struct record r;
	record_init(&r, g);
	play(&r, moves);
	bool found = opening_name_find(&r, r.count, &name);
	*count = found ? name.moves : 0;
	record_free(&r);
	return found ? name.english : "";
}

/* Every line has legal moves, a name in ASCII, and a name and a position of its own. */
START_TEST(text_is_sound)
{
	static struct opening_name names[NAMES_MOST];
	static struct book_entry keys[NAMES_MOST];
	const struct game *g = &game_othello;
	int count = 0, symmetry;
	const char *text = g->words->openings;
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		struct record r;
		char moves[2 * OPENING_MOVES_MAX + 1];
		size_t length = strcspn(line, "\t\n"), name = strcspn(line + length + 1, "\t\n");
		if (*line == '#')
			continue;
		ck_assert_uint_gt(length, 0);
		ck_assert_uint_eq(length % 2, 0);
		ck_assert_uint_lt(length, sizeof moves);
		ck_assert_int_eq(line[length], '\t');
		ck_assert(name > 0 && name < OPENING_NAME_MAX);
		for (size_t i = 0; i < name; i++)
			ck_assert(line[length + 1 + i] >= ' ' && line[length + 1 + i] <= '~');
		snprintf(moves, sizeof moves, "%.*s", (int)length, line);
		record_init(&r, g);
		play(&r, moves);
		ck_assert_int_eq(r.count, (int)length / 2); /* no pass */
		record_free(&r);
	}
	for (struct state end; (text = opening_name_read(g, text, &names[count], &end)); count++) {
		ck_assert_int_lt(count, NAMES_MOST - 1);
		keys[count] = book_key(g, &end, &symmetry);
		for (int i = 0; i < count; i++) {
			ck_assert_str_ne(names[i].english, names[count].english);
			ck_assert(!*names[count].japanese ||
				  strcmp(names[i].japanese, names[count].japanese) != 0);
			ck_assert_msg(book_compare(&keys[i], &keys[count]) != 0, "%s and %s",
				      names[i].english, names[count].english);
		}
	}
	ck_assert_int_ge(count, NAMES_LEAST);
}
END_TEST

START_TEST(all_first_moves_have_one_name)
{
	static const char *const tigers[] = { "f5d6c3d3c4", "c4e3f6e6f5", "d3c5f6f5e6",
					      "e6f4c3c4d3" };
	int moves;
	for (int i = 0; i < 4; i++) {
		ck_assert_str_eq(name_after(&game_othello, tigers[i], &moves), "Tiger");
		ck_assert_int_eq(moves, 5);
		ck_assert_str_eq(name_after(&game_othello,
					    (char[]) { tigers[i][0], tigers[i][1], 0 }, &moves),
				 "");
	}
}
END_TEST

/* The same position after other moves, and the longest prefix that has a name. */
START_TEST(transposition_has_the_name)
{
	int moves;

	ck_assert_str_eq(name_after(&game_othello, "f5f6e6f4e3", &moves), "Cow");
	ck_assert_str_eq(name_after(&game_othello, "e6f6f5f4e3", &moves), "Cow");
	ck_assert_int_eq(moves, 5);
	ck_assert_str_eq(name_after(&game_othello, "f5d6c3d3c4f4c5b3c2e6", &moves), "Tamenori");
	ck_assert_int_eq(moves, 10);
	ck_assert_str_eq(name_after(&game_othello, "f5d6c3d3c4f4c5b3c2e6a3", &moves), "Tamenori");
	ck_assert_int_eq(moves, 10);
}
END_TEST

/* A record is asked for an earlier position, and a game that begins elsewhere has its names, too. */
START_TEST(positions_are_asked_for)
{
	struct opening_name name;
	struct record r, later;
	record_init(&r, &game_othello);
	record_init(&later, &game_othello);
	ck_assert(!opening_name_find(&r, 0, &name));
	play(&r, "f5d6c3d3c4");
	ck_assert(opening_name_find(&r, 2, &name));
	ck_assert_str_eq(name.english, "Perpendicular");
	ck_assert_str_eq(name.japanese, "縦取り");
	ck_assert(opening_name_find(&r, 5, &name));
	ck_assert_str_eq(name.japanese, "虎");
	record_setup(&later, &r.now);
	ck_assert(opening_name_find(&later, 0, &name));
	ck_assert_str_eq(name.english, "Tiger");
	ck_assert_int_eq(name.moves, 0);
	record_free(&r);
	record_free(&later);
}
END_TEST

START_TEST(other_games_have_no_names)
{
	int moves;
	for (int i = 0; games[i]; i++) {
		ck_assert(games[i] == &game_othello || !games[i]->words->openings);
		for (int k = 0; games[i]->sizes && games[i]->sizes[k]; k++)
			ck_assert(games[i]->sizes[k] == &game_othello ||
				  !games[i]->sizes[k]->words->openings);
	}
	ck_assert_str_eq(name_after(&game_othello_anti, "f5d6c3d3c4", &moves), "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("opening names");
	TCase *cases = tcase_create("names");
	tcase_add_test(cases, text_is_sound);
	tcase_add_test(cases, all_first_moves_have_one_name);
	tcase_add_test(cases, transposition_has_the_name);
	tcase_add_test(cases, positions_are_asked_for);
	tcase_add_test(cases, other_games_have_no_names);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
