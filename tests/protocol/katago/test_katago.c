/* SPDX-License-Identifier: MIT
 *
 * The mode `analysis` of the real program: order and end of queries, reports during a search, the queries of every
 * game, KataGo's command line. Work limits or the client end the searches, never the clock.
 */
#include <jansson.h>
#include <math.h>

#include "games/games.h"
#include "tests/protocol/katago/client.h"

#define VISITS 64

/* --- answers of every game --- */

static void check_share(const json_t *object, const char *key)
{
	ck_assert(number_at(object, key) >= 0 && number_at(object, key) <= 1);
}

static void check_values(const struct game *g, const json_t *object)
{
	check_share(object, "winrate");
	check_share(object, "lcb");
	ck_assert(number_at(object, "visits") >= 0);
	ck_assert(fabs(number_at(object, "utility") - 2 * number_at(object, "winrate") + 1) < 1e-6);
	if (game_counts(g) && json_object_get(object, "scoreLead")) {
		double lead = number_at(object, "scoreLead");
		ck_assert(lead == number_at(object, "scoreMean"));
		ck_assert(lead == number_at(object, "scoreSelfplay"));
		ck_assert(fabs(lead) <= game_points(g, game_worth_max(g)));
	} else {
		ck_assert_ptr_null(json_object_get(object, "scoreMean"));
	}
}

/* Plays the moves of a line. The first must be `move`. */
static void check_line(const struct game *g, const struct record *r, const json_t *info)
{
	const json_t *line = json_object_get(info, "pv"),
		     *visits = json_object_get(info, "pvVisits");
	struct record after;
	record_init(&after, g);
	record_copy(&after, r);
	if (after.now.over)
		g->set_turn(g, &after.now, after.now.side);
	ck_assert(json_array_size(line) > 0 && json_array_size(line) <= 4);
	ck_assert_str_eq(json_string_value(json_array_get(line, 0)), text_at(info, "move"));
	for (size_t i = 0; i < json_array_size(line); i++)
		record_take_any(&after, json_string_value(json_array_get(line, i)));
	ck_assert(json_array_size(visits) > 0 && json_array_size(visits) <= json_array_size(line));
	ck_assert(json_equal(visits, json_object_get(info, "pvEdgeVisits")));
	record_free(&after);
}

static void check_policy(const struct game *g, const struct record *r, const json_t *policy,
			 bool over)
{
	size_t squares = (size_t)(g->board.rows * g->board.cols);
	double sum = 0;
	ck_assert(json_array_size(policy) == squares + 1);
	for (size_t i = 0; i <= squares; i++) {
		double prior = json_number_value(json_array_get(policy, i));
		ck_assert(prior == -1 || (prior > 0 && prior <= 1));
		sum += prior > 0 ? prior : 0;
		/* No stone is placed on one of its own side. Where pieces move, it is the square of the piece. */
		char own = g->steps.codes > 2 * g->board.rows * g->board.cols ? 0
			   : r->now.side == BLACK                             ? 'X'
									      : 'O';
		if (i < squares &&
		    g->at(g, &r->now, (int)i / g->board.cols, (int)i % g->board.cols) == own)
			ck_assert(prior == -1);
	}
	ck_assert(fabs(sum - !over) < 1e-6);
}

/* Checks the answer about the position of a record. */
static void check_answer(const struct record *r, const json_t *answer)
{
	const struct game *g = r->game;
	const json_t *root = root_of(answer), *moves = moves_of(answer);
	/* A game that passes have ended goes on. */
	bool over = r->now.over && !g->set_turn;
	double visits = 0;
	check_values(g, root);
	ck_assert_str_eq(text_at(root, "currentPlayer"), r->now.side == BLACK ? "B" : "W");
	ck_assert_uint_eq(strlen(text_at(root, "thisHash")), 32);
	ck_assert_uint_eq(strlen(text_at(root, "symHash")), 32);
	ck_assert(over == (json_array_size(moves) == 0));
	for (size_t i = 0; i < json_array_size(moves); i++) {
		const json_t *info = json_array_get(moves, i);
		check_values(g, info);
		ck_assert_int_eq((int)number_at(info, "order"), (int)i);
		ck_assert(number_at(info, "edgeVisits") == number_at(info, "visits"));
		ck_assert(number_at(info, "noResultValue") == 0);
		check_share(info, "prior");
		check_line(g, r, info);
		visits += number_at(info, "visits");
	}
	ck_assert(number_at(root, "visits") == visits);
	check_policy(g, r, json_object_get(answer, "policy"), over);
	if (over) {
		double share = (1 + score_sign(r->now.score)) / 2.0;
		ck_assert(number_at(root, "winrate") == share);
		ck_assert(!g->score.unit ||
			  number_at(root, "scoreLead") == game_points(g, r->now.score));
	}
}

/* Fills a JSON array with the first moves of a random game. */
static json_t *random_game(const struct game *g, uint64_t seed)
{
	struct record r;
	struct rng rng;
	struct move all[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	json_t *moves = json_array();
	record_init(&r, g);
	rng_seed(&rng, seed);
	while (json_array_size(moves) < (g->steps.length ? 80 : 20) && !r.now.over) {
		int n = record_moves(&r, all);
		game_format(g, &r.now, all[rng_below(&rng, (uint32_t)n)], text);
		json_array_append_new(moves,
				      json_pack("[s, s]", r.now.side == BLACK ? "B" : "w", text));
		record_take(&r, text);
	}
	record_free(&r);
	return moves;
}

/* All turns of a random game of each game and rule set, some under sanitizers; with several workers the answers come in any order. */
START_TEST(test_games)
{
	const struct game *g = games[_i];
	const int step = IS_SANITIZED ? 7 : 1;
	struct talk t;
	json_t *moves = random_game(g, 7), *turns = json_array(), *query;
	int count = (int)json_array_size(moves);
	char *options = xasprintf("--game=%s --rules=%s --analysis-threads=3", g->name, g->rules);
	bool *heard = xcalloc((size_t)count + 1, sizeof *heard);
	client_start(&t, options);
	for (int i = 0; i <= count; i += step)
		json_array_append_new(turns, json_integer(i));
	query = json_pack("{s:s, s:s, s:O, s:O, s:i, s:i, s:i, s:i, s:b, s:b, s:b}", "id", g->title,
			  "rules", g->rules, "moves", moves, "analyzeTurns", turns, "boardXSize",
			  g->board.cols, "boardYSize", g->board.rows, "maxVisits", VISITS,
			  "analysisPVLen", 4, "includePolicy", 1, "includePVVisits", 1,
			  "includeNoResultValue", 1);
	char *line = json_dumps(query, JSON_COMPACT);
	tell(&t, "%s\n", line);
	for (int i = 0; i <= count; i += step) {
		json_t *answer = hear_object(&t);
		int turn = (int)number_at(answer, "turnNumber");
		struct record r;
		ck_assert_str_eq(text_at(answer, "id"), g->title);
		ck_assert(!is_live(answer) && turn >= 0 && turn <= count && !heard[turn]);
		heard[turn] = true;
		record_init(&r, g);
		for (int j = 0; j < turn; j++)
			record_take_any(&r, json_string_value(json_array_get(
						    json_array_get(moves, (size_t)j), 1)));
		check_answer(&r, answer);
		record_free(&r);
		json_decref(answer);
	}
	talk_end(&t);
	json_decref(query);
	json_decref(moves);
	json_decref(turns);
	free(heard);
	free(line);
	free(options);
}
END_TEST

/* --- repeatability --- */

/* Collects the answers to queries about all turns, by turn. */
static void collect(const char *options, const char *before, char *answers[6])
{
	struct talk t;
	client_start(&t, options);
	if (before) {
		tell(&t, "%s\n", before);
		json_decref(hear_object(&t));
	}
	tell(&t, "{\"id\":\"a\",\"moves\":[[\"b\",\"d3\"],[\"w\",\"c5\"],[\"b\",\"d6\"],"
		 "[\"w\",\"e3\"],[\"b\",\"f5\"]],\"boardXSize\":8,\"boardYSize\":8,"
		 "\"analyzeTurns\":[5,4,3,2,1,0],\"maxVisits\":300}\n");
	for (int i = 0; i < 6; i++) {
		char *line = strdup(hear_line(&t)), *at = strstr(line, "\"turnNumber\":");
		ck_assert_ptr_nonnull(at);
		int turn = at[13] - '0';
		ck_assert(turn >= 0 && turn < 6);
		answers[turn] = line;
	}
	talk_end(&t);
}

/* With one thread, a seed and a work limit, answers depend neither on the workers, as long as they have the same
 * memory, nor on earlier queries. */
START_TEST(test_repeat)
{
	static const char *const searches[] = { "auto", "mcts", "alphabeta", "union" };
	char *one[6], *other[6];
	char *options = xasprintf("--game=othello --search=%s --memory=16 --analysis-threads=1",
				  searches[_i]);
	char *many = xasprintf("--game=othello --search=%s --memory=64 --analysis-threads=4",
			       searches[_i]);
	collect(options, NULL, one);
	collect(many,
		"{\"id\":\"b\",\"moves\":[],\"boardXSize\":8,\"boardYSize\":8,\"maxVisits\":500}",
		other);
	for (int i = 0; i < 6; i++) {
		ck_assert_str_eq(one[i], other[i]);
		free(one[i]);
		free(other[i]);
	}
	free(options);
	free(many);
}
END_TEST

static double winrate_as(struct talk *t, const char *side)
{
	tell(t,
	     "{\"id\":\"p\",\"moves\":[[\"B\",\"D3\"]],\"boardXSize\":8,\"boardYSize\":8,"
	     "\"overrideSettings\":{\"search\":\"mcts\",\"maxVisits\":100%s}}\n",
	     side);
	json_t *answer = hear_last(t, "p", 1);
	double winrate = number_at(root_of(answer), "winrate");
	const json_t *best = json_array_get(moves_of(answer), 0);
	ck_assert(fabs(number_at(root_of(answer), "scoreLead") - number_at(best, "scoreLead")) < 9);
	json_decref(answer);
	return winrate;
}

START_TEST(test_perspective)
{
	struct talk t;
	client_start(&t, "--game=othello");
	double black = winrate_as(&t, "");
	ck_assert(black == winrate_as(&t, ",\"reportAnalysisWinratesAs\":\"BLACK\""));
	double white = winrate_as(&t, ",\"reportAnalysisWinratesAs\":\"WHITE\"");
	ck_assert(fabs(black + white - 1) < 1e-6);
	ck_assert(black != white);
	ck_assert(white == winrate_as(&t, ",\"reportAnalysisWinratesAs\":\"SIDETOMOVE\""));
	talk_end(&t);
	client_start(&t, "--game=othello --override-config reportAnalysisWinratesAs=WHITE");
	ck_assert(white == winrate_as(&t, ""));
	talk_end(&t);
}
END_TEST

/* --- order --- */

/* Occupies the only worker. The search reports once when it has begun. */
static void occupy(struct talk *t)
{
	tell(t, "{\"id\":\"long\",\"moves\":[]," SMALL "," ENDLESS
		",\"firstReportDuringSearchAfter\":0.001}\n");
	json_t *answer = hear_object(t);
	ck_assert_str_eq(text_at(answer, "id"), "long");
	ck_assert(is_live(answer));
	json_decref(answer);
}

/* Expects the last answer about the search that occupies the worker, and that to the action `stop` which ends it. They
 * come from two threads, in any order. */
static void hear_release(struct talk *t)
{
	bool answered = false, echoed = false;
	while (!answered || !echoed) {
		json_t *answer = hear_object(t);
		if (strcmp(text_at(answer, "id"), "stop") == 0) {
			ck_assert(!echoed);
			echoed = true;
		} else {
			ck_assert_str_eq(text_at(answer, "id"), "long");
			ck_assert(!answered && !is_live(answer));
			ck_assert(number_at(root_of(answer), "visits") > 0);
			answered = true;
		}
		json_decref(answer);
	}
}

/* One worker takes the highest priority first, and the earliest among equals. */
START_TEST(test_priority)
{
	static const struct {
		const char *id;
		int turn;
	} order[] = { { "long", 0 }, { "c", 0 }, { "d", 1 }, { "a", 0 },
		      { "a", 1 },    { "d", 0 }, { "b", 0 } };
	struct talk t;
	bool echoed = false;
	client_start(&t, "--game=tictactoe --analysis-threads=1");
	occupy(&t);
	tell(&t, "{\"id\":\"a\",\"moves\":[[\"B\",\"A1\"]],\"analyzeTurns\":[1,0]," SMALL
		 ",\"maxVisits\":9}\n");
	tell(&t, "{\"id\":\"b\",\"moves\":[],\"priority\":-5," SMALL ",\"maxVisits\":9}\n");
	tell(&t, "{\"id\":\"c\",\"moves\":[],\"priority\":4611686018427387904," SMALL
		 ",\"maxVisits\":9}\n");
	tell(&t, "{\"id\":\"d\",\"moves\":[[\"B\",\"A1\"]],\"analyzeTurns\":[0,1],"
		 "\"priorities\":[-1,4611686018427387904]," SMALL ",\"maxVisits\":9}\n");
	tell(&t, "{\"id\":\"stop\",\"action\":\"terminate\",\"terminateId\":\"long\"}\n");
	for (size_t i = 0; i < sizeof order / sizeof order[0] || !echoed;) {
		json_t *answer = hear_object(&t);
		/* The echo comes from another thread. */
		if (strcmp(text_at(answer, "id"), "stop") == 0) {
			ck_assert(!echoed);
			echoed = true;
		} else {
			ck_assert_uint_lt(i, sizeof order / sizeof order[0]);
			ck_assert_str_eq(text_at(answer, "id"), order[i].id);
			ck_assert_int_eq((int)number_at(answer, "turnNumber"), order[i].turn);
			ck_assert(!is_live(answer));
			i++;
		}
		json_decref(answer);
	}
	talk_end(&t);
}
END_TEST

/* The value of a position is the mean of its visits, but those of moves that are proven lost do not count. */
START_TEST(test_root_value)
{
	struct talk t;
	double lost = 0, visits = 0, value = 0;
	client_start(&t, "--game=connectfour");
	tell(&t, "{\"id\":\"q\",\"moves\":[],\"initialPlayer\":\"B\",\"initialStones\":["
		 "[\"B\",\"F1\"],[\"W\",\"E1\"],[\"B\",\"D1\"],[\"W\",\"E2\"],[\"B\",\"G1\"],["
		 "\"W\",\"F2\"],"
		 "[\"B\",\"B1\"],[\"W\",\"C1\"],[\"B\",\"C2\"],[\"W\",\"E3\"],[\"B\",\"D2\"],["
		 "\"W\",\"G2\"],"
		 "[\"B\",\"E4\"],[\"W\",\"D3\"]],\"maxVisits\":400,"
		 "\"boardXSize\":7,\"boardYSize\":6,\"overrideSettings\":{\"search\":\"mcts\"}}\n");
	json_t *answer = hear_object(&t), *moves = moves_of(answer);
	for (size_t i = 0; i < json_array_size(moves); i++) {
		const json_t *info = json_array_get(moves, i);
		double own = number_at(info, "visits");
		if (json_object_get(info, "proof")) {
			lost += own;
			continue;
		}
		visits += own;
		value += own * number_at(info, "winrate");
	}
	ck_assert(lost > 5 && visits > 0);
	ck_assert_double_eq_tol(number_at(root_of(answer), "winrate"), value / visits, 1e-6);
	json_decref(answer);
	talk_end(&t);
}
END_TEST

/* Hundreds of positions at once, from a client that sends all of them before it reads. */
START_TEST(test_many)
{
	struct talk t;
	int count = 3000;
	char *heard = xcalloc((size_t)count, 1);
	client_start(&t, "--game=tictactoe --analysis-threads=4");
	for (int i = 0; i < count; i++) {
		char *line = xasprintf("{\"id\":\"%d\",\"moves\":[]," SMALL
				       ",\"maxVisits\":18,\"includePolicy\":true}\n",
				       i);
		for (size_t n = strlen(line), sent = 0; sent < n;) {
			struct pollfd p = { t.to, POLLOUT, 0 };
			ssize_t written = write(t.to, line + sent, n - sent);
			if (written > 0)
				sent += (size_t)written;
			else
				ck_assert_int_eq(poll(&p, 1, PATIENCE), 1);
		}
		free(line);
	}
	talk_hang_up(&t);
	for (int i = 0; i < count; i++) {
		json_t *answer = hear_object(&t);
		int id = atoi(text_at(answer, "id"));
		ck_assert(id >= 0 && id < count && !heard[id]++);
		ck_assert_uint_eq(json_array_size(moves_of(answer)), 9);
		json_decref(answer);
	}
	talk_end(&t);
	free(heard);
}
END_TEST

/* --- reports and termination --- */

START_TEST(test_live)
{
	struct talk t;
	double visits = 0;
	client_start(&t, "--game=othello --search=mcts");
	tell(&t, "{\"id\":\"a\",\"moves\":[],\"boardXSize\":8,\"boardYSize\":8," ENDLESS
		 ",\"reportDuringSearchEvery\":0.002,\"firstReportDuringSearchAfter\":0.001}\n");
	for (int i = 0; i < 3; i++) {
		json_t *answer = hear_object(&t);
		ck_assert(is_live(answer));
		ck_assert(number_at(root_of(answer), "visits") > visits);
		visits = number_at(root_of(answer), "visits");
		json_decref(answer);
	}
	tell(&t, "{\"id\":\"b\",\"action\":\"terminate_all\"}\n");
	for (bool live = true; live;) {
		json_t *answer = hear_object(&t);
		if (strcmp(text_at(answer, "id"), "a") == 0) {
			live = is_live(answer);
			ck_assert(number_at(root_of(answer), "visits") >= visits);
		}
		json_decref(answer);
	}
	/* `b` came before, because the search is told to stop first and answers from another thread; or it comes
	 * now. */
	talk_hang_up(&t);
	const char *rest = hear_all(&t);
	ck_assert(!*rest || strcmp(rest, "{\"id\":\"b\",\"action\":\"terminate_all\"}\n") == 0);
	talk_end(&t);
}
END_TEST

#define NOTHING "\"isDuringSearch\":false,\"noResults\":true}"

/* Jobs that wait are answered at once, without results; the answer to the action follows. */
START_TEST(test_terminate)
{
	struct talk t;
	client_start(&t, "--game=tictactoe --analysis-threads=1");
	occupy(&t);
	tell(&t, "{\"id\":\"a\",\"moves\":[[\"B\",\"A1\"],[\"W\",\"B2\"]],"
		 "\"analyzeTurns\":[0,1,2]," SMALL "," ENDLESS "}\n");
	tell(&t, "{\"id\":\"b\",\"moves\":[]," SMALL "," ENDLESS "}\n");
	tell(&t, "{\"id\":\"x\",\"action\":\"terminate\",\"terminateId\":\"unknown\"}\n");
	hear_text(&t, "{\"id\":\"x\",\"action\":\"terminate\",\"terminateId\":\"unknown\"}");
	tell(&t, "{\"id\":\"x\",\"action\":\"terminate\",\"terminateId\":\"a\","
		 "\"turnNumbers\":[1,7]}\n");
	hear_text(&t, "{\"id\":\"a\",\"turnNumber\":1," NOTHING);
	hear_text(&t, "{\"id\":\"x\",\"action\":\"terminate\",\"terminateId\":\"a\","
		      "\"turnNumbers\":[1,7]}");
	tell(&t, "{\"id\":\"y\",\"action\":\"terminate_all\",\"turnNumbers\":[2]}\n");
	hear_text(&t, "{\"id\":\"a\",\"turnNumber\":2," NOTHING);
	hear_text(&t, "{\"id\":\"y\",\"action\":\"terminate_all\",\"turnNumbers\":[2]}");
	tell(&t, "{\"id\":\"stop\",\"action\":\"terminate_all\"}\n");
	hear_text(&t, "{\"id\":\"a\",\"turnNumber\":0," NOTHING);
	hear_text(&t, "{\"id\":\"b\",\"turnNumber\":0," NOTHING);
	hear_release(&t);
	talk_end(&t);
}
END_TEST

/* The end of input lets queries finish, unless the option says otherwise; a lost reader ends them. */
START_TEST(test_end)
{
	struct talk t;
	client_start(&t, "--game=tictactoe --analysis-threads=1");
	tell(&t, "{\"id\":\"a\",\"moves\":[[\"B\",\"A1\"]],\"analyzeTurns\":[0,1]," SMALL
		 ",\"maxVisits\":5000}");
	talk_hang_up(&t);
	json_decref(hear_last(&t, "a", 0));
	json_decref(hear_last(&t, "a", 1));
	talk_end(&t);

	client_start(&t, "--game=tictactoe --quit-without-waiting");
	tell(&t, "{\"id\":\"a\",\"moves\":[]," SMALL "," ENDLESS "}\n");
	talk_end(&t);

	client_start(&t, "--game=tictactoe");
	tell(&t, "{\"id\":\"a\",\"moves\":[]," SMALL "," ENDLESS "}\n");
	talk_hang_up(&t);
	close(t.from);
	ck_assert_int_eq(process_wait(t.child), 0);
	free(t.heard);
	free(t.answer);

	/* A signal ends everything at once. */
	client_start(&t, "--game=tictactoe");
	tell(&t, "{\"id\":\"v\",\"action\":\"clear_cache\"}\n");
	hear_text(&t, "{\"id\":\"v\",\"action\":\"clear_cache\"}");
	tell(&t, "{\"id\":\"a\",\"moves\":[]," SMALL "," ENDLESS "}\n");
	kill(t.child, SIGTERM);
	ck_assert_int_eq(process_wait(t.child), 0);
	talk_free(&t);
}
END_TEST

/* --- the command line --- */

START_TEST(test_command_line)
{
	static const struct {
		const char *command, *output;
		int status;
	} rows[] = {
		{ "analysis -model m -config c -analysis-threads 2 -override-config "
		  "homeDataDir=/x,maxVisits=9 -quit-without-waiting --game tictactoe </dev/null",
		  "yomi: ignores -model m: yomi needs no such file\n"
		  "yomi: ignores -config c: yomi needs no such file\n"
		  "yomi: ignores the setting homeDataDir\n",
		  0 },
		{ "analysis -human-model=h -analysis-threads=2 </dev/null",
		  "yomi: ignores -human-model h: yomi needs no such file\n", 0 },
		{ "analysis -analysis-threads 0",
		  "yomi: analysis-threads is a whole number from 1 to 256; see yomi --help\n", 2 },
		{ "analysis --override-config maxVisits=0",
		  "yomi: --override-config: maxVisits must be a number from 1 to "
		  "1125899906842624\n",
		  2 },
		{ "analysis --listen 0", "yomi: analysis takes no --listen; see yomi --help\n", 2 },
		{ "analysis go", "yomi: usage: yomi analysis; see yomi --help\n", 2 },
		{ "analysis -modle x", "yomi: there is no option -modle; see yomi --help\n", 2 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		int status;
		char *line = xasprintf("$YOMI %s 2>&1", rows[i].command);
		char *text = process_shell(line, &status);
		ck_assert_str_eq(text, rows[i].output);
		ck_assert_int_eq(status, rows[i].status);
		free(text);
		free(line);
	}
}
END_TEST

START_TEST(test_log)
{
	char folder[] = "/tmp/yomi-katago-XXXXXX";
	int status;
	ck_assert(mkdtemp(folder));
	setenv("F", folder, 1);
	char *text = process_shell("echo '{\"id\":\"v\",\"action\":\"query_models\"}' | $YOMI "
				   "analysis --log $F/log >/dev/null; "
				   "sed 's/^[^<>]*//' $F/log; rm -r $F",
				   &status);
	ck_assert_str_eq(text, "> {\"id\":\"v\",\"action\":\"query_models\"}\n"
			       "< {\"id\":\"v\",\"action\":\"query_models\",\"models\":[]}\n");
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("katago");
	TCase *cases = tcase_create("katago");
	int game_count = 0;
	while (games[game_count])
		game_count++;
	tcase_add_loop_test(cases, test_games, 0, game_count);
	tcase_add_loop_test(cases, test_repeat, 0, 4);
	tcase_add_test(cases, test_perspective);
	tcase_add_test(cases, test_priority);
	tcase_add_test(cases, test_root_value);
	tcase_add_test(cases, test_many);
	tcase_add_test(cases, test_live);
	tcase_add_test(cases, test_terminate);
	tcase_add_test(cases, test_end);
	tcase_add_test(cases, test_command_line);
	tcase_add_test(cases, test_log);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
