/* SPDX-License-Identifier: MIT
 *
 * Go in the mode `analysis`: sizes, rules, komi, handicap, ownership, and the queries of KaTrain.
 */
#include <jansson.h>
#include <math.h>

#include "games/games.h"
#include "tests/protocol/katago/client.h"

/* Sends a query for a square board, with the fields of `format`. Returns its last answer about a turn. */
__attribute__((format(printf, 4, 5))) static json_t *analyze(struct talk *t, int size, int turn,
							     const char *format, ...)
{
	char *fields;
	va_list args;
	va_start(args, format);
	ck_assert_int_ge(vasprintf(&fields, format, args), 0);
	va_end(args);
	tell(t, "{\"id\":\"q\",\"boardXSize\":%d,\"boardYSize\":%d,\"maxVisits\":100,%s}\n", size,
	     size, fields);
	free(fields);
	return hear_last(t, "q", turn);
}

/* The game is Go unless the command line names another, on every size. */
START_TEST(test_sizes)
{
	struct talk t;
	client_start(&t, "");
	for (int size = 2; size <= 19; size++) {
		json_t *answer = analyze(&t, size, 0, "\"moves\":[],\"includePolicy\":true");
		ck_assert_uint_eq(json_array_size(json_object_get(answer, "policy")),
				  (size_t)(size * size + 1));
		json_decref(answer);
	}
	tell(&t, "{\"id\":\"q\",\"moves\":[],\"boardXSize\":20,\"boardYSize\":20}\n");
	hear_text(&t, "{\"error\":\"go has no board of 20 columns and 20 rows\","
		      "\"field\":\"boardYSize\",\"id\":\"q\"}");
	talk_end(&t);
}
END_TEST

/* Each visit is one of a move, even if several threads begin at a position without moves. */
START_TEST(test_visits)
{
	struct talk t;
	client_start(&t, _i ? "--threads=2" : "--threads=1");
	for (int visits = 1; visits <= 64; visits *= 4) {
		json_t *answer = analyze(&t, 9, 0, "\"moves\":[],\"maxVisits\":%d", visits);
		ck_assert_int_eq((int)number_at(root_of(answer), "visits"), visits);
		json_decref(answer);
	}
	/* Without time for a visit the value is that of the network. */
	json_t *answer = analyze(&t, 9, 0,
				 "\"moves\":[],\"overrideSettings\":{\"maxTime\":0.000001}");
	ck_assert_uint_ge(json_array_size(moves_of(answer)), 1);
	json_decref(answer);
	talk_end(&t);
}
END_TEST

static char *hash_of(struct talk *t, const char *fields)
{
	json_t *answer = analyze(t, 9, 0, "\"analyzeTurns\":[0],%s", fields);
	char *hash = strdup(text_at(root_of(answer), "thisHash"));
	json_decref(answer);
	return hash;
}

/* Rules with a bonus for handicap stones are the same game as a larger komi. */
START_TEST(test_komi)
{
	static const struct {
		const char *fields;
		int same; /* index of an earlier row with the same position, or -1 */
	} rows[] = {
		{ "\"moves\":[],\"komi\":7.5", -1 },
		{ "\"moves\":[],\"komi\":6.5,\"rules\":\"chinese\"", -1 },
		{ "\"moves\":[],\"komi\":0.5,\"initialStones\":[[\"B\",\"C3\"],[\"B\",\"G7\"]]",
		  -1 },
		{ "\"moves\":[],\"komi\":2.5,\"initialStones\":[[\"B\",\"C3\"],[\"B\",\"G7\"]]",
		  -1 },
		{ "\"moves\":[],\"komi\":0.5,\"initialStones\":[[\"B\",\"C3\"],[\"B\",\"G7\"]],"
		  "\"rules\":\"chinese\"",
		  3 },
		{ "\"moves\":[],\"komi\":1.5,\"initialStones\":[[\"B\",\"C3\"],[\"B\",\"G7\"]],"
		  "\"rules\":\"aga\"",
		  3 },
		{ "\"moves\":[],\"komi\":1.5,\"initialStones\":[[\"B\",\"C3\"],[\"B\",\"G7\"]],"
		  "\"rules\":\"chinese\",\"whiteHandicapBonus\":\"N-1\"",
		  3 },
		{ "\"moves\":[[\"B\",\"C3\"],[\"B\",\"G7\"]],\"komi\":5.5,\"rules\":\"chinese\"",
		  0 },
		{ "\"moves\":[[\"B\",\"C3\"],[\"W\",\"G7\"]],\"komi\":7.5,\"rules\":\"chinese\"",
		  0 },
		{ "\"moves\":[],\"komi\":7.5,\"initialPlayer\":\"W\"", -1 },
		{ "\"moves\":[[\"W\",\"A1\"]],\"komi\":7.5", 9 },
		/* With White stones it is no handicap. */
		{ "\"moves\":[],\"komi\":2.5,\"initialStones\":[[\"B\",\"C3\"],[\"B\",\"G7\"],"
		  "[\"W\",\"E5\"]]",
		  -1 },
		{ "\"moves\":[],\"komi\":2.5,\"initialStones\":[[\"B\",\"C3\"],[\"B\",\"G7\"],"
		  "[\"W\",\"E5\"]],\"rules\":\"chinese\"",
		  11 },
	};
	enum { COUNT = sizeof rows / sizeof rows[0] };
	char *hashes[COUNT];
	struct talk t;
	client_start(&t, "--game=go");
	for (int i = 0; i < COUNT; i++)
		hashes[i] = hash_of(&t, rows[i].fields);
	for (int i = 0; i < COUNT; i++) {
		for (int j = 0; j < i; j++) {
			int one = rows[i].same < 0 ? i : rows[i].same;
			int other = rows[j].same < 0 ? j : rows[j].same;
			ck_assert_msg((strcmp(hashes[i], hashes[j]) == 0) == (one == other),
				      "%s, %s", rows[i].fields, rows[j].fields);
		}
	}
	for (int i = 0; i < COUNT; i++)
		free(hashes[i]);
	tell(&t, "{\"id\":\"q\",\"moves\":[],\"boardXSize\":5,\"boardYSize\":5,\"komi\":3000}\n");
	hear_text(&t, "{\"error\":\"must be a whole or half number from -400 to "
		      "400\",\"field\":\"komi\",\"id\":\"q\"}");
	talk_end(&t);
}
END_TEST

/* Black's wall leaves White nothing: all of the board is Black's, and the score shows komi. */
#define WALL                                                                                       \
	"\"initialStones\":[[\"B\",\"A3\"],[\"B\",\"B3\"],[\"B\",\"C3\"],[\"B\",\"D3\"],"          \
	"[\"B\",\"E3\"],[\"B\",\"C2\"],[\"B\",\"C4\"]],\"initialPlayer\":\"W\""

START_TEST(test_ownership)
{
	struct talk t;
	client_start(&t, "--game=go");
	for (int as = 0; as < 3; as++) {
		static const char *const names[] = { "BLACK", "WHITE", "SIDETOMOVE" };
		int sign = as == 0 ? 1 : -1;
		json_t *answer = analyze(
			&t, 5, 0,
			"\"moves\":[],\"komi\":3.5," WALL
			",\"includeOwnership\":true,\"includeMovesOwnership\":true,"
			"\"overrideSettings\":{\"reportAnalysisWinratesAs\":\"%s\"}",
			names[as]);
		const json_t *owners = json_object_get(answer, "ownership");
		ck_assert_uint_eq(json_array_size(owners), 25);
		for (size_t i = 0; i < 25; i++)
			ck_assert(sign * json_number_value(json_array_get(owners, i)) > 0.8);
		ck_assert(sign * (number_at(root_of(answer), "winrate") - 0.5) > 0.4);
		ck_assert(sign * number_at(root_of(answer), "scoreLead") > 15);
		for (size_t i = 0; i < json_array_size(moves_of(answer)); i++) {
			const json_t *info = json_array_get(moves_of(answer), i);
			size_t size = json_array_size(json_object_get(info, "ownership"));
			ck_assert_uint_eq(size, i < 10 ? 25 : 0);
		}
		json_decref(answer);
	}
	/* It is left out if nobody asks. */
	json_t *answer = analyze(&t, 5, 0, "\"moves\":[]," WALL);
	ck_assert_ptr_null(json_object_get(answer, "ownership"));
	ck_assert_ptr_null(json_object_get(json_array_get(moves_of(answer), 0), "ownership"));
	json_decref(answer);
	talk_end(&t);
}
END_TEST

/* Passes, several moves of one side in a row, and a game that goes on after two passes. */
START_TEST(test_moves)
{
	struct talk t;
	client_start(&t, "--game=go");
	json_t *answer = analyze(&t, 5, 5,
				 "\"moves\":[[\"B\",\"C3\"],[\"B\",\"(1,1)\"],[\"W\",\"pass\"],"
				 "[\"B\",\"pass\"],[\"W\",\"D2\"]]");
	ck_assert_str_eq(text_at(root_of(answer), "currentPlayer"), "B");
	json_decref(answer);
	answer = analyze(&t, 5, 3, "\"moves\":[[\"B\",\"C3\"],[\"W\",\"pass\"],[\"B\",\"pass\"]]");
	ck_assert_str_eq(text_at(root_of(answer), "currentPlayer"), "W");
	ck_assert_uint_gt(json_array_size(moves_of(answer)), 0);
	json_decref(answer);
	/* Each pass after the end gives the turn away. */
	answer = analyze(&t, 5, 4,
			 "\"moves\":[[\"B\",\"C3\"],[\"W\",\"pass\"],[\"B\",\"pass\"],"
			 "[\"W\",\"pass\"]]");
	ck_assert_str_eq(text_at(root_of(answer), "currentPlayer"), "B");
	json_decref(answer);
	tell(&t, "{\"id\":\"q\",\"moves\":[[\"B\",\"C3\"],[\"W\",\"C3\"]],\"boardXSize\":5,"
		 "\"boardYSize\":5}\n");
	hear_text(&t, "{\"error\":\"Illegal move 1: C3\",\"field\":\"moves\",\"id\":\"q\"}");
	talk_end(&t);
}
END_TEST

/* A ko: White must not take back at once, and the analysis does not list the move. */
#define KO                                                                                         \
	"[\"B\",\"B3\"],[\"W\",\"C3\"],[\"B\",\"A2\"],[\"W\",\"D2\"],[\"B\",\"B1\"],[\"W\","       \
	"\"C1\"],"                                                                                 \
	"[\"B\",\"C2\"],[\"W\",\"B2\"]"

START_TEST(test_ko)
{
	struct talk t;
	client_start(&t, "--game=go --rave=0"); /* tries every move */
	json_t *answer = analyze(&t, 5, 8, "\"moves\":[" KO "],\"maxVisits\":400");
	const json_t *moves = moves_of(answer);
	ck_assert_uint_gt(json_array_size(moves), 10);
	for (size_t i = 0; i < json_array_size(moves); i++)
		ck_assert_str_ne(text_at(json_array_get(moves, i), "move"), "C2");
	json_decref(answer);
	tell(&t, "{\"id\":\"q\",\"moves\":[" KO
		 ",[\"B\",\"C2\"]],\"boardXSize\":5,\"boardYSize\":5}\n");
	hear_text(&t, "{\"error\":\"Illegal move 8: C2\",\"field\":\"moves\",\"id\":\"q\"}");
	talk_end(&t);
}
END_TEST

/* What KaTrain sends for a position, and what it reads of the answer. Japanese rules give a warning. */
START_TEST(test_katrain)
{
	static const char *const numbers[] = { "visits", "winrate", "scoreLead", "order", "prior" };
	struct talk t;
	client_start(&t, "-model m -config c -override-config homeDataDir=/x");
	tell(&t, "{\"rules\":\"japanese\",\"priority\":0,\"analyzeTurns\":[2],\"maxVisits\":500,"
		 "\"komi\":6.5,\"boardXSize\":19,\"boardYSize\":19,\"includeOwnership\":true,"
		 "\"includeMovesOwnership\":true,\"includePolicy\":true,\"initialStones\":[],"
		 "\"initialPlayer\":\"B\",\"moves\":[[\"B\",\"Q16\"],[\"W\",\"D4\"]],"
		 "\"overrideSettings\":{\"reportAnalysisWinratesAs\":\"BLACK\","
		 "\"wideRootNoise\":0.04,\"maxTime\":8000.0},\"reportDuringSearchEvery\":1000,"
		 "\"id\":\"QUERY:1\"}\n");
	for (int i = 0; i < 2; i++) {
		json_t *warning = hear_object(&t);
		ck_assert_str_eq(text_at(warning, "field"), i ? "overrideSettings" : "rules");
		ck_assert_str_eq(text_at(warning, "id"), "QUERY:1");
		json_decref(warning);
	}
	json_t *answer = hear_last(&t, "QUERY:1", 2);
	ck_assert_uint_eq(json_array_size(json_object_get(answer, "ownership")), 361);
	ck_assert_uint_eq(json_array_size(json_object_get(answer, "policy")), 362);
	for (size_t i = 0; i < 3; i++)
		number_at(root_of(answer), numbers[i]);
	for (size_t i = 0; i < json_array_size(moves_of(answer)); i++) {
		const json_t *info = json_array_get(moves_of(answer), i);
		for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++)
			number_at(info, numbers[j]);
		ck_assert_uint_gt(json_array_size(json_object_get(info, "pv")), 0);
	}
	json_decref(answer);
	talk_end(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("go");
	TCase *cases = tcase_create("go");
	suite_add_tcase(suite, cases);
	if (!game_find("go", NULL))
		return suite_run(suite);
	tcase_add_test(cases, test_sizes);
	tcase_add_loop_test(cases, test_visits, 0, 2);
	tcase_add_test(cases, test_komi);
	tcase_add_test(cases, test_ownership);
	tcase_add_test(cases, test_moves);
	tcase_add_test(cases, test_ko);
	tcase_add_test(cases, test_katrain);
	return suite_run(suite);
}
