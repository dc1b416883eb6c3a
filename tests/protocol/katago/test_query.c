/* SPDX-License-Identifier: MIT
 *
 * Queries of the mode `analysis`: malformed ones and their errors, the fields and their effect.
 */
#include <jansson.h>
#include <math.h>

#include "protocol/katago/query.h"
#include "protocol/records/go_rules.h"
#include "tests/protocol/katago/client.h"

/* --- errors --- */

#define BOARD "\"boardXSize\":8,\"boardYSize\":8"
#define EMPTY "\"moves\":[]," BOARD

/* Fields of a query with the id `q`, and the error with its field. */
static const struct {
	const char *fields, *error, *field;
} refused[] = {
	{ "\"moves\":[]", "must be a whole number, the columns of the board", "boardXSize" },
	{ "\"moves\":[],\"boardXSize\":8", "must be a whole number, the rows of the board",
	  "boardYSize" },
	{ "\"moves\":[],\"boardXSize\":8.5,\"boardYSize\":8",
	  "must be a whole number, the columns of the board", "boardXSize" },
	{ "\"moves\":[],\"boardXSize\":-1,\"boardYSize\":8",
	  "must be a whole number, the columns of the board", "boardXSize" },
	{ "\"moves\":[],\"boardXSize\":8,\"boardYSize\":361",
	  "othello has no board of 8 columns and 361 rows", "boardYSize" },
	{ BOARD, "must be an array of pairs [player, location]", "moves" },
	{ "\"moves\":{}," BOARD, "must be an array of pairs [player, location]", "moves" },
	{ "\"moves\":[\"B\",\"D3\"]," BOARD, "must be an array of pairs [player, location]",
	  "moves" },
	{ "\"moves\":[[\"B\",\"D3\",1]]," BOARD, "must be an array of pairs [player, location]",
	  "moves" },
	{ "\"moves\":[[\"B\",3]]," BOARD, "must be an array of pairs [player, location]", "moves" },
	{ "\"moves\":[[\"red\",\"D3\"]]," BOARD, "not a player: red", "moves" },
	{ "\"moves\":[[\"B\",\"D9\"]]," BOARD, "not a move: D9", "moves" },
	{ "\"moves\":[[\"B\",\"(8,0)\"]]," BOARD, "not a move: (8,0)", "moves" },
	{ "\"moves\":[[\"B\",\"(1,2) \"]]," BOARD, "not a move: (1,2) ", "moves" },
	{ "\"moves\":[[\"B\",\"D3\"],[\"B\",\"C3\"]]," BOARD, "Illegal move 1: C3", "moves" },
	{ "\"moves\":[[\"B\",\"pass\"]]," BOARD, "Illegal move 0: pass", "moves" },
	{ EMPTY ",\"rules\":\"tajima\"", "othello has no such rules", "rules" },
	{ EMPTY ",\"rules\":7", "othello has no such rules", "rules" },
	{ EMPTY ",\"komi\":7.25", "must be a whole or half number from -400 to 400", "komi" },
	{ EMPTY ",\"komi\":1e9", "must be a whole or half number from -400 to 400", "komi" },
	{ EMPTY ",\"komi\":\"7\"", "must be a whole or half number from -400 to 400", "komi" },
	{ EMPTY ",\"whiteHandicapBonus\":0", "must be \"0\", \"N\" or \"N-1\"",
	  "whiteHandicapBonus" },
	{ EMPTY ",\"overrideSettings\":[]", "must be an object", "overrideSettings" },
	{ EMPTY ",\"overrideSettings\":{\"maxTime\":-1}",
	  "maxTime must be a number from 0 to 1e+20", "overrideSettings" },
	{ EMPTY ",\"overrideSettings\":{\"search\":\"best\"}", NULL, "overrideSettings" },
	{ EMPTY ",\"overrideSettings\":{\"reportAnalysisWinratesAs\":\"RED\"}",
	  "reportAnalysisWinratesAs is BLACK, WHITE or SIDETOMOVE", "overrideSettings" },
	{ EMPTY ",\"maxVisits\":0", "must be a whole number from 1 to 1125899906842624",
	  "maxVisits" },
	{ EMPTY ",\"maxVisits\":1.5", "must be a whole number from 1 to 1125899906842624",
	  "maxVisits" },
	{ EMPTY ",\"maxVisits\":1.2e15", "must be a whole number from 1 to 1125899906842624",
	  "maxVisits" },
	{ EMPTY ",\"maxVisits\":1125899906842625",
	  "must be a whole number from 1 to 1125899906842624", "maxVisits" },
	{ EMPTY ",\"analysisPVLen\":0", "must be a whole number from 1 to 1000", "analysisPVLen" },
	{ EMPTY ",\"includeOwnership\":1", "must be true or false", "includeOwnership" },
	{ EMPTY ",\"includePVVisits\":\"true\"", "must be true or false", "includePVVisits" },
	{ EMPTY ",\"reportDuringSearchEvery\":0", "must be a number from 0.001 to 1000000",
	  "reportDuringSearchEvery" },
	{ EMPTY ",\"rootPolicyTemperature\":0", "must be a number from 0.01 to 100",
	  "rootPolicyTemperature" },
	{ EMPTY ",\"initialStones\":[[\"B\",\"A1\"],[\"W\",\"A1\"]]", "two stones on A1",
	  "initialStones" },
	{ EMPTY ",\"initialStones\":[[\"B\",\"pass\"]]", "not a square of the board: pass",
	  "initialStones" },
	{ EMPTY ",\"initialStones\":7", "must be an array of pairs [player, location]",
	  "initialStones" },
	{ EMPTY ",\"initialPlayer\":\"R\"", "must be \"B\" or \"W\"", "initialPlayer" },
	{ EMPTY ",\"initialPlayer\":1", "must be \"B\" or \"W\"", "initialPlayer" },
	{ EMPTY ",\"analyzeTurns\":1", "must be an array of turn numbers", "analyzeTurns" },
	{ EMPTY ",\"analyzeTurns\":[1]", "must be an array of turn numbers from 0 to 0",
	  "analyzeTurns" },
	{ EMPTY ",\"analyzeTurns\":[0,-1]", "must be an array of turn numbers from 0 to 0",
	  "analyzeTurns" },
	{ EMPTY ",\"priority\":4611686018427387905", "must be a whole number from -2^62 to 2^62",
	  "priority" },
	{ EMPTY ",\"priorities\":[1]", "must be an array as long as analyzeTurns", "priorities" },
	{ EMPTY ",\"analyzeTurns\":[0],\"priorities\":[]",
	  "must be an array as long as analyzeTurns", "priorities" },
	{ EMPTY ",\"analyzeTurns\":[0],\"priorities\":[1],\"priority\":1",
	  "give priority or priorities, not both", "priorities" },
	{ EMPTY ",\"avoidMoves\":{}",
	  "must be an array of objects with player, moves and untilDepth", "avoidMoves" },
	{ EMPTY ",\"avoidMoves\":[{\"player\":\"B\",\"moves\":[]}]",
	  "each object must have player, moves and untilDepth, a whole number above 0",
	  "avoidMoves" },
	{ EMPTY ",\"avoidMoves\":[{\"player\":\"B\",\"moves\":[\"D0\"],\"untilDepth\":1}]",
	  "not a move: D0", "avoidMoves" },
	{ EMPTY ",\"avoidMoves\":[],\"allowMoves\":[]", "give avoidMoves or allowMoves, not both",
	  "allowMoves" },
	{ EMPTY ",\"allowMoves\":[{\"player\":\"B\",\"moves\":[],\"untilDepth\":1},"
		"{\"player\":\"b\",\"moves\":[],\"untilDepth\":1}]",
	  "at most one object for each player", "allowMoves" },
	{ "\"action\":\"fly\"", "no such action", "action" },
	{ "\"action\":\"terminate\"", "must be the id of a query", "terminateId" },
	{ "\"action\":\"terminate\",\"terminateId\":5", "must be the id of a query",
	  "terminateId" },
	{ "\"action\":\"terminate_all\",\"turnNumbers\":[\"1\"]",
	  "must be an array of turn numbers", "turnNumbers" },
	{ "\"action\":\"terminate_all\",\"turnNumbers\":1", "must be an array of turn numbers",
	  "turnNumbers" },
};

START_TEST(test_refused)
{
	struct talk t;
	client_start(&t, "--game=othello");
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		tell(&t, "{\"id\":\"q\",%s}\n", refused[i].fields);
		json_t *answer = hear_object(&t);
		ck_assert_msg(json_object_size(answer) == 3, "%s: '%s'", refused[i].fields,
			      t.answer);
		if (refused[i].error)
			ck_assert_str_eq(text_at(answer, "error"), refused[i].error);
		ck_assert_str_eq(text_at(answer, "field"), refused[i].field);
		ck_assert_str_eq(text_at(answer, "id"), "q");
		json_decref(answer);
	}
	talk_end(&t);
}
END_TEST

/* Lines without a usable id get an error without one. Blank lines get no answer. */
/* Stones on a field with corners off the board. */
START_TEST(test_field)
{
	struct talk t;
	client_start(&t, "--game=havannah --size=4");
	tell(&t, "{\"id\":\"q\",\"moves\":[],\"maxVisits\":10,\"boardXSize\":7,\"boardYSize\":7,"
		 "\"initialPlayer\":\"W\",\"initialStones\":[[\"B\",\"D4\"]]}\n");
	json_t *answer = hear_object(&t);
	ck_assert_msg(json_object_get(answer, "moveInfos"), "%s", t.answer);
	json_decref(answer);
	tell(&t, "{\"id\":\"q\",\"moves\":[],\"maxVisits\":10,\"boardXSize\":7,\"boardYSize\":7,"
		 "\"initialPlayer\":\"W\",\"initialStones\":[[\"B\",\"A1\"]]}\n");
	answer = hear_object(&t);
	ck_assert_msg(json_object_get(answer, "error"), "%s", t.answer);
	json_decref(answer);
	talk_end(&t);
}
END_TEST

START_TEST(test_malformed)
{
	static const char *const lines[] = {
		"x",
		"{",
		"{\"id\":\"a\"",
		"[]",
		"7",
		"null",
		"\"id\"",
		"{}",
		"{\"id\":7}",
		"{\"id\":\"\xff\"}",
		"{\"id\":\"a\"} {}",
		"{\"id\":\"\\u0000\"}",
		"{'id':'a'}",
	};
	struct talk t;
	client_start(&t, "--game=othello");
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		tell(&t, " \t\r\n\n%s\r\n", lines[i]);
		json_t *answer = hear_object(&t);
		ck_assert_uint_eq(json_object_size(answer), 1);
		ck_assert_uint_gt(strlen(text_at(answer, "error")), 0);
		json_decref(answer);
	}
	talk_end(&t);
}
END_TEST

/* A line that is too long is skipped to its end. */
START_TEST(test_long_line)
{
	struct talk t;
	char *blanks = xmalloc(65537);
	memset(blanks, ' ', 65536);
	blanks[65536] = '\0';
	client_start(&t, "--game=othello");
	for (int i = 0; i < 600; i++)
		tell(&t, "%s", blanks);
	tell(&t, "{}\n{\"id\":\"v\",\"action\":\"clear_cache\"}\n");
	hear_text(&t, "{\"error\":\"the line is too long\"}");
	hear_text(&t, "{\"id\":\"v\",\"action\":\"clear_cache\"}");
	talk_end(&t);
	free(blanks);
}
END_TEST

static void hear_warning(struct talk *t, const char *field, const char *text)
{
	char *line = xasprintf("{\"warning\":\"%s\",\"field\":\"%s\",\"id\":\"q\"}", text, field);
	hear_text(t, line);
	free(line);
}

START_TEST(test_warnings)
{
	struct talk t;
	client_start(&t, "--game=othello");
	tell(&t, "{\"id\":\"q\"," EMPTY ",\"maxVisits\":20,\"komi\":6.5,\"rootFpuReductionMax\":0,"
		 "\"overrideSettings\":{\"wideRootNoise\":0.04,\"memory\":100000,\"level\":1},"
		 "\"includeMovesOwnership\":false,\"typo\":{}}\n");
	hear_warning(&t, "komi", "othello has no komi");
	hear_warning(&t, "overrideSettings", "yomi has no setting wideRootNoise");
	hear_warning(&t, "overrideSettings", "yomi has no setting memory");
	hear_warning(&t, "overrideSettings", "yomi has no setting level");
	hear_warning(&t, "rootFpuReductionMax", "yomi has no such setting");
	hear_warning(&t, "typo", "yomi knows no such field");
	json_decref(hear_last(&t, "q", 0));
	tell(&t, "{\"id\":\"q\"," EMPTY ",\"maxVisits\":20,\"komi\":0,\"rules\":\"standard\","
		 "\"priority\":3}\n");
	json_decref(hear_last(&t, "q", 0));
	talk_end(&t);
}
END_TEST

/* --- fields --- */

/* Sends a query for tictactoe with these fields. Returns its last answer about a turn. */
static json_t *analyze(struct talk *t, int turn, const char *fields)
{
	tell(t, "{\"id\":\"q\",\"boardXSize\":3,\"boardYSize\":3,\"maxVisits\":300,%s}\n", fields);
	return hear_last(t, "q", turn);
}

/* Expects these moves in any order, separated by blanks. */
static void check_moves(const json_t *answer, const char *moves)
{
	size_t count = 0;
	for (const char *at = moves; *at; at++)
		count += *at == ' ';
	ck_assert_uint_eq(json_array_size(moves_of(answer)), count);
	for (size_t i = 0; i < count; i++) {
		char *word = xasprintf("%s ", text_at(json_array_get(moves_of(answer), i), "move"));
		ck_assert_msg(strstr(moves, word), "%s", word);
		free(word);
	}
}

START_TEST(test_choice)
{
	static const struct {
		const char *fields, *moves;
	} rows[] = {
		{ "\"moves\":[]", "A1 A2 A3 B1 B2 B3 C1 C2 C3 " },
		{ "\"moves\":[],\"avoidMoves\":[{\"player\":\"B\",\"moves\":[\"a1\",\"B2\","
		  "\"pass\","
		  "\"(2,0)\"],\"untilDepth\":1},{\"player\":\"B\",\"moves\":[\"C3\"],"
		  "\"untilDepth\":5}]",
		  "A2 A3 B1 B3 C2 " },
		{ "\"moves\":[],\"avoidMoves\":[{\"player\":\"W\",\"moves\":[\"A1\"],"
		  "\"untilDepth\":1}]",
		  "A1 A2 A3 B1 B2 B3 C1 C2 C3 " },
		{ "\"moves\":[],\"allowMoves\":[{\"player\":\"W\",\"moves\":[\"A1\"],"
		  "\"untilDepth\":1},{\"player\":\"b\",\"moves\":[\"C1\",\"A3\"],\"untilDepth\":1}"
		  "]",
		  "A3 C1 " },
		{ "\"moves\":[],\"allowMoves\":[{\"player\":\"W\",\"moves\":[],"
		  "\"untilDepth\":1}]",
		  "A1 A2 A3 B1 B2 B3 C1 C2 C3 " },
	};
	struct talk t;
	client_start(&t, "--game=tictactoe");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		json_t *answer = analyze(&t, 0, rows[i].fields);
		check_moves(answer, rows[i].moves);
		json_decref(answer);
	}
	/* No move is left. */
	json_t *answer = analyze(&t, 0,
				 "\"moves\":[],\"allowMoves\":[{\"player\":\"B\",\"moves\":[],"
				 "\"untilDepth\":1}]");
	ck_assert(json_is_true(json_object_get(answer, "noResults")));
	ck_assert_ptr_null(json_object_get(answer, "rootInfo"));
	json_decref(answer);
	talk_end(&t);
}
END_TEST

/* In Pentago a square stands for all moves that begin there, a whole move for itself. */
START_TEST(test_choice_of_steps)
{
	struct talk t;
	client_start(&t, "--game=pentago");
	tell(&t, "{\"id\":\"q\",\"moves\":[],\"boardXSize\":6,\"boardYSize\":6,\"maxVisits\":2000,"
		 "\"overrideSettings\":{\"search\":\"montecarlo\"},"
		 "\"allowMoves\":[{\"player\":\"B\",\"moves\":[\"B2\",\"C3T\"],"
		 "\"untilDepth\":1}]}\n");
	json_t *answer = hear_last(&t, "q", 0);
	ck_assert_uint_eq(json_array_size(moves_of(answer)), 9);
	for (size_t i = 0; i < 9; i++) {
		const char *move = text_at(json_array_get(moves_of(answer), i), "move");
		ck_assert(strncmp(move, "B2", 2) == 0 || strcmp(move, "C3T") == 0);
	}
	json_decref(answer);
	talk_end(&t);
}
END_TEST

static void check_board(struct talk *t, const char *fields, const char *player, const char *moves)
{
	json_t *answer = analyze(t, 0, fields);
	ck_assert_str_eq(text_at(root_of(answer), "currentPlayer"), player);
	check_moves(answer, moves);
	json_decref(answer);
}

START_TEST(test_start)
{
	struct talk t;
	client_start(&t, "--game=tictactoe");
	check_board(&t, "\"moves\":[],\"initialStones\":[[\"B\",\"A1\"],[\"W\",\"(0,1)\"]]", "B",
		    "A3 B1 B2 B3 C1 C2 C3 ");
	check_board(&t,
		    "\"moves\":[],\"initialStones\":[[\"B\",\"A1\"],[\"W\",\"A2\"],"
		    "[\"b\",\"A3\"]],\"initialPlayer\":\"w\"",
		    "W", "B1 B2 B3 C1 C2 C3 ");
	check_board(&t,
		    "\"moves\":[[\"white\",\"C3\"]],\"analyzeTurns\":[0],"
		    "\"initialStones\":[[\"B\",\"A1\"],[\"W\",\"A2\"],[\"B\",\"A3\"]]",
		    "W", "B1 B2 B3 C1 C2 C3 ");
	check_board(&t, "\"moves\":[],\"initialStones\":[],\"initialPlayer\":\"B\"", "B",
		    "A1 A2 A3 B1 B2 B3 C1 C2 C3 ");
	/* The stones do not fit the side to move. */
	tell(&t, "{\"id\":\"q\",\"boardXSize\":3,\"boardYSize\":3,\"moves\":[],"
		 "\"initialStones\":[[\"B\",\"A1\"],[\"B\",\"A2\"]]}\n"
		 "{\"id\":\"q\",\"boardXSize\":3,\"boardYSize\":3,\"moves\":[],"
		 "\"initialPlayer\":\"W\"}\n");
	json_t *answer = hear_object(&t);
	ck_assert_str_eq(text_at(answer, "field"), "initialStones");
	json_decref(answer);
	answer = hear_object(&t);
	ck_assert_str_eq(text_at(answer, "field"), "initialPlayer");
	json_decref(answer);
	talk_end(&t);
}
END_TEST

/* Coordinates name the same moves. A pass that Othello forces may be left out. */
START_TEST(test_moves)
{
	struct talk t;
	json_t *one, *other;
	client_start(&t, "--game=othello");
	tell(&t, "{\"id\":\"q\",\"moves\":[[\"B\",\"D3\"],[\"W\",\"C5\"]]," BOARD
		 ",\"maxVisits\":50}\n");
	one = hear_last(&t, "q", 2);
	tell(&t, "{\"id\":\"q\",\"moves\":[[\"b\",\"(3,2)\"],[\"w\",\"(2,4)\"]]," BOARD
		 ",\"maxVisits\":50}\n");
	other = hear_last(&t, "q", 2);
	ck_assert(json_equal(one, other));
	json_decref(one);
	json_decref(other);
	/* White must pass after the first move. */
	tell(&t, "{\"id\":\"q\",\"moves\":[[\"B\",\"C1\"],[\"B\",\"A3\"]]," BOARD
		 ",\"initialStones\":[[\"B\",\"A1\"],[\"W\",\"B1\"],[\"W\",\"A2\"]],"
		 "\"analyzeTurns\":[0,2],\"maxVisits\":50}\n");
	json_decref(hear_last(&t, "q", 0));
	one = hear_last(&t, "q", 2);
	ck_assert_uint_eq(json_array_size(moves_of(one)), 0);
	ck_assert(number_at(root_of(one), "winrate") == 1);
	ck_assert_str_eq(text_at(root_of(one), "proof"), "win");
	json_decref(one);
	talk_end(&t);
}
END_TEST

/* Mirror images have one symHash, and different positions have different hashes. */
START_TEST(test_hashes)
{
	struct talk t;
	char *hashes[4][2];
	static const char *const fields[] = { "\"moves\":[[\"B\",\"A1\"]]",
					      "\"moves\":[[\"B\",\"C1\"]]",
					      "\"moves\":[[\"B\",\"C3\"]]",
					      "\"moves\":[[\"B\",\"B2\"]]" };
	client_start(&t, "--game=tictactoe");
	for (int i = 0; i < 4; i++) {
		json_t *answer = analyze(&t, 1, fields[i]);
		hashes[i][0] = strdup(text_at(root_of(answer), "thisHash"));
		hashes[i][1] = strdup(text_at(root_of(answer), "symHash"));
		json_decref(answer);
	}
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < i; j++) {
			ck_assert_str_ne(hashes[i][0], hashes[j][0]);
			ck_assert((i < 3) == (strcmp(hashes[i][1], hashes[j][1]) == 0));
		}
	}
	for (int i = 0; i < 4; i++) {
		free(hashes[i][0]);
		free(hashes[i][1]);
	}
	talk_end(&t);
}
END_TEST

/* With enough visits the search proves the game a draw. */
START_TEST(test_proof)
{
	struct talk t;
	client_start(&t, "--game=tictactoe");
	tell(&t, "{\"id\":\"q\",\"moves\":[[\"B\",\"B2\"],[\"W\",\"A1\"]],\"boardXSize\":3,"
		 "\"boardYSize\":3,\"maxVisits\":1000000,\"overrideSettings\":{\"search\":\"mcts\","
		 "\"reportAnalysisWinratesAs\":\"WHITE\"}}\n");
	json_t *answer = hear_last(&t, "q", 2);
	ck_assert_str_eq(text_at(root_of(answer), "proof"), "draw");
	ck_assert(number_at(root_of(answer), "winrate") == 0.5);
	json_decref(answer);
	talk_end(&t);
}
END_TEST

/* --- settings --- */

/* KataGo's names for limits, and what they limit. An endless search ends by its time. */
START_TEST(test_limits)
{
	struct query_settings settings = { 0 };
	struct talk t;
	char why[REASON_MAX];
	bool known;
	ck_assert(query_set(&settings, "maxTime", "2.5", &known, why) && known);
	ck_assert_double_eq(settings.seconds, 2.5);
	ck_assert(query_set(&settings, "maxPlayouts", "70", &known, why) && known);
	ck_assert_int_eq(settings.visits, 70);
	ck_assert(query_set(&settings, "analysisPVLen", "8", &known, why) && known);
	ck_assert_int_eq(settings.line_max, 8);
	ck_assert(query_set(&settings, "reportAnalysisWinratesAs", "sidetomove", &known, why));
	ck_assert_int_eq(settings.perspective, AS_SIDE_TO_MOVE);
	ck_assert(!query_set(&settings, "ponder", "true", &known, why) && !known);
	client_start(&t, "--time=1000000");
	tell(&t, "{\"id\":\"q\"," EMPTY "," ENDLESS ",\"overrideSettings\":{\"maxTime\":0.001}}\n");
	json_t *answer = hear_object(&t);
	ck_assert_str_eq(text_at(answer, "id"), "q");
	ck_assert_uint_ge(json_array_size(moves_of(answer)), 1);
	json_decref(answer);
	/* A whole number in any form. */
	tell(&t, "{\"id\":\"r\"," EMPTY ",\"maxVisits\":1e2}\n");
	answer = hear_object(&t);
	ck_assert_str_eq(text_at(answer, "id"), "r");
	ck_assert_uint_ge(json_array_size(moves_of(answer)), 1);
	json_decref(answer);
	talk_end(&t);
}
END_TEST

/* --- rules of Go --- */

START_TEST(test_rules)
{
	static const char *const territory = "territory scoring", *const tax = "a tax on groups",
				 *const button = "a button",
				 *const suicide = "suicide with simple ko",
				 *const unknown = "unknown";
	static const struct {
		const char *text, *rules, *lacking;
		enum bonus bonus;
	} rows[] = {
		{ "\"tromp-taylor\"", "tromp-taylor", NULL, BONUS_NONE },
		{ "\"Chinese\"", "simple", NULL, BONUS_N },
		{ "\"chinese-ogs\"", "standard", NULL, BONUS_N },
		{ "\"chinese kgs\"", "standard", NULL, BONUS_N },
		{ "\"japanese\"", "simple", territory, BONUS_NONE },
		{ "\"korean\"", "simple", territory, BONUS_NONE },
		{ "\"AGA\"", "situational", NULL, BONUS_N_1 },
		{ "\"bga\"", "situational", NULL, BONUS_N_1 },
		{ "\"aga-button\"", "situational", button, BONUS_N_1 },
		{ "\"new zealand\"", "new-zealand", NULL, BONUS_NONE },
		{ "\"stone_scoring\"", "simple", tax, BONUS_NONE },
		{ "\"\"", NULL, unknown, BONUS_NONE },
		{ "\"chin\"", NULL, unknown, BONUS_NONE },
		{ "\"chineses\"", NULL, unknown, BONUS_NONE },
		{ "7", NULL, unknown, BONUS_NONE },
		{ "[]", NULL, unknown, BONUS_NONE },
		{ "{}", "tromp-taylor", NULL, BONUS_NONE },
		{ "{\"ko\":\"SIMPLE\",\"scoring\":\"AREA\",\"tax\":\"NONE\",\"suicide\":false,"
		  "\"hasButton\":false,\"whiteHandicapBonus\":\"N\",\"friendlyPassOk\":true}",
		  "simple", NULL, BONUS_N },
		{ "{\"scoring\":\"TERRITORY\"}", "tromp-taylor", territory, BONUS_NONE },
		{ "{\"tax\":\"ALL\"}", "tromp-taylor", tax, BONUS_NONE },
		{ "{\"hasButton\":true}", "tromp-taylor", button, BONUS_NONE },
		{ "{\"ko\":\"SIMPLE\"}", "simple", suicide, BONUS_NONE },
		{ "{\"suicide\":false}", "standard", NULL, BONUS_NONE },
		{ "{\"suicide\":1}", NULL, unknown, BONUS_NONE },
		{ "{\"ko\":\"NONE\"}", NULL, unknown, BONUS_NONE },
		{ "{\"scoring\":\"area\"}", NULL, unknown, BONUS_NONE },
		{ "{\"other\":true}", NULL, unknown, BONUS_NONE },
		{ "{\"score\":\"AREA\",\"ko\":\"SITUATIONAL\"}", "new-zealand", NULL, BONUS_NONE },
		{ "\"{\\\"suicide\\\":false}\"", "standard", NULL, BONUS_NONE },
		{ "\"{\\\"scoring\\\"}\"", NULL, unknown, BONUS_NONE },
		{ "\"koSIMPLEscoreAREAtaxNONEsui0\"", "simple", NULL, BONUS_NONE },
		{ "\"koPOSITIONALscoreAREAtaxNONEsui1whbN\"", "tromp-taylor", NULL, BONUS_N },
		{ "\"koPOSITIONALscoreAREAtaxNONEsui0whbN-1fpok1\"", "standard", NULL, BONUS_N_1 },
		{ "\"koSITUATIONALscoreTERRITORYtaxSEKIsui0button1\"", "situational", territory,
		  BONUS_NONE },
		{ "\"koSIMPLEscoreAREAtaxNONEsui0more\"", NULL, unknown, BONUS_NONE },
		{ "\"scoreAREA\"", NULL, unknown, BONUS_NONE },
		{ "\"ko\"", NULL, unknown, BONUS_NONE },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct go_rules rules;
		const char *lacking = unknown;
		json_t *value = json_loads(rows[i].text, JSON_DECODE_ANY, NULL);
		const struct game *g = NULL, *go = game_sized(&game_go, 13, 13);
		if (rules_read(value, &rules))
			g = rules_game(&rules, go, &lacking);
		json_decref(value);
		ck_assert_msg(!g == !rows[i].rules, "%s", rows[i].text);
		ck_assert_msg(lacking == rows[i].lacking || (lacking && rows[i].lacking &&
							     strcmp(lacking, rows[i].lacking) == 0),
			      "%s: %s", rows[i].text, lacking ? lacking : "");
		if (!g)
			continue;
		ck_assert_str_eq(g->rules, rows[i].rules);
		ck_assert_int_eq(g->board.rows, 13);
		ck_assert_int_eq(rules.bonus, rows[i].bonus);
		/* What is written is read. */
		struct go_rules again;
		json_t *written = rules_json(&rules);
		ck_assert(rules_read(written, &again));
		json_decref(written);
		ck_assert_mem_eq(&again, &rules, sizeof rules);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("query");
	TCase *cases = tcase_create("query");
	tcase_add_test(cases, test_refused);
	tcase_add_test(cases, test_field);
	tcase_add_test(cases, test_malformed);
	tcase_add_test(cases, test_long_line);
	tcase_add_test(cases, test_warnings);
	tcase_add_test(cases, test_choice);
	tcase_add_test(cases, test_choice_of_steps);
	tcase_add_test(cases, test_start);
	tcase_add_test(cases, test_moves);
	tcase_add_test(cases, test_hashes);
	tcase_add_test(cases, test_proof);
	tcase_add_test(cases, test_rules);
	tcase_add_test(cases, test_limits);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
