/* SPDX-License-Identifier: MIT
 *
 * Other clients: Quarry, gomill, Sabaki, gtp2ogs, OpenSpiel, KataGo controllers, Lizzie, NBoard, shells.
 */
#include "tests/protocol/gtp/client.h"

/* --- Quarry --- */

/* Quarry adds an engine. */
START_TEST(quarry_asks_for_the_name)
{
	struct talk t;
	start(&t, "", 1);
	tell(&t, "protocol_version\nname\nversion\nlist_commands\n");
	hear_exactly(&t, "= 2\n\n");
	hear_exactly(&t, "= yomi\n\n");
	ck_assert(!strchr(text_of(hear(&t)), '\n'));
	const char *list = text_of(hear(&t));
	ck_assert(!strchr(list, ' ') && has_line(list, "list_games") && has_line(list, "set_game"));
	tell(&t, "list_games\nquit\n");
	ck_assert(has_line(text_of(hear(&t)), "Othello"));
	accepted(&t);
	talk_end(&t);
}
END_TEST

static void quarry_begin(struct talk *t, int seed)
{
	/* set_game chooses Othello. The seeds make the games differ. */
	start(t, "--search=random", seed);
	tell(t, "protocol_version\nname\nversion\nlist_commands\nlist_games\n");
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(*hear(t), '=');
	tell(t, "set_game Othello\nboardsize 8\nclear_board\ntime_settings 0 300 1\n");
	for (int i = 0; i < 4; i++)
		accepted(t);
}

/* Quarry neither sends nor expects passes: it asks the same colour again, and the other engine gets two moves
 * in a row. The test plays games until that has happened. */
START_TEST(quarry_plays_othello)
{
	struct talk engines[2];
	struct record r;
	bool seen = false;
	record_init(&r, &game_othello);
	for (int game = 0; game < 100 && !seen; game++) {
		int last = WHITE;
		char told[32 + MOVE_TEXT_MAX] = ""; /* the move to send with the next burst */
		record_restart(&r, r.game);
		for (int i = 0; i < 2; i++)
			quarry_begin(&engines[i], 2 * game + i + 1);
		while (!r.now.over) {
			int side = r.now.side;
			char move[MOVE_TEXT_MAX + 1];
			if (game_must_pass(r.game, &r.now)) {
				record_play(&r, move_single(r.game->steps.pass));
				continue;
			}
			seen |= side == last;
			struct talk *t = &engines[side];
			tell(t, "%stime_left %s 300 1\ngenmove %s\n", side == last ? "" : told,
			     colors[side], colors[side]);
			if (*told && side != last)
				accepted(t);
			accepted(t);
			ck_assert_int_eq(sscanf(hear(t), "= %8s\n\n", move), 1);
			record_take(&r, move); /* without passes */
			if (side == last) {
				/* The waiting engine already has the first of the two moves. */
				tell(&engines[1 - side], "%s", told);
				accepted(&engines[1 - side]);
			}
			snprintf(told, sizeof told, "play %s %s\n", colors[side], move);
			last = side;
		}
		/* Quarry closes its windows: it sends no quit and reads no more. */
		for (int i = 0; i < 2; i++) {
			talk_hang_up(&engines[i]);
			close(engines[i].from);
			engines[i].from = open("/dev/null", O_RDONLY | O_CLOEXEC);
			ck_assert_int_eq(process_wait(engines[i].child), 0);
			talk_free(&engines[i]);
		}
	}
	ck_assert(seen);
	record_free(&r);
}
END_TEST

/* --- gomill's ringmaster --- */

/* Sends an optional command only if the answer is exactly `true`. */
static const char *gomill_ask_if_known(struct talk *t, const char *command)
{
	return knows(t, command) ? ask(t, "%s", command) : "";
}

START_TEST(gomill_checks_its_players)
{
	struct talk t;
	start(&t, "--game othello", 1);
	tell(&t, "protocol_version\n");
	const char *answer = hear(&t);
	ck_assert_str_eq(answer, "= 2\n\n"); /* gomill reads the first byte */
	ask_for("", &t, "boardsize 8");
	ask_for("", &t, "clear_board");
	ask_for("", &t, "komi 0.0");
	ask_for("", &t, "quit");
	talk_end(&t);
}
END_TEST

START_TEST(gomill_plays_othello)
{
	struct talk engines[2];
	struct record r;
	int passes = 0;
	record_init(&r, &game_othello);
	for (int i = 0; i < 2; i++) {
		struct talk *t = &engines[i];
		start(t, "--game othello", i + 5);
		ask_for("2", t, "protocol_version");
		ask_for("yomi", t, "name");
		ck_assert_int_ne(*ask(t, "version"), '?');
		ck_assert_int_ne(*gomill_ask_if_known(t, "gomill-describe_engine"), '?');
		ask_for("", t, "boardsize 8");
		ask_for("", t, "clear_board");
		ask_for("", t, "komi 0.0");
	}
	for (int side = BLACK; passes < 2; side = 1 - side) {
		char move[MOVE_TEXT_MAX];
		snprintf(move, sizeof move, "%s", ask(&engines[side], "genmove %c", "bw"[side]));
		if (r.count < 2)
			ck_assert_int_ne(
				*gomill_ask_if_known(&engines[side], "gomill-explain_last_move"),
				'?');
		passes = strcmp(move, "PASS") == 0 ? passes + 1 : 0;
		/* An impossible move must be refused with this text. With any other text the engine that
		 * refuses loses. */
		ask_for("? illegal move", &engines[1 - side], "play %c D4", "bw"[side]);
		if (!r.now.over)
			record_take(&r, move);
		ask_for("", &engines[1 - side], "play %c %s", "bw"[side],
			*move == 'P' ? "pass" : move);
	}
	for (int i = 0; i < 2; i++) {
		struct talk *t = &engines[i];
		ask_for("true", t, "known_command final_score");
		ask_for(score_of(&r), t, "final_score");
		const char *seconds = gomill_ask_if_known(t, "gomill-cpu_time");
		ck_assert(*seconds && number(seconds) >= 0);
		ask_for("", t, "quit");
		talk_end(t);
	}
	record_free(&r);
}
END_TEST

/* --- Sabaki's library --- */

START_TEST(sabaki_library)
{
	struct talk t;
	struct record r;
	rng_seed(&rng, 11);
	record_init(&r, &game_othello);
	start(&t, "--game othello", 1);
	tell(&t, "name\nversion\nprotocol_version\nlist_commands\n");
	hear_exactly(&t, "= yomi\n\n");
	ck_assert_int_eq(*hear(&t), '=');
	hear_exactly(&t, "= 2\n\n");
	char *list = strdup(text_of(hear(&t)));
	tell(&t, "komi 6.5\nboardsize 8\n");
	accepted(&t);
	accepted(&t);
	ck_assert(has_line(list, "rectangular_boardsize"));
	ask_for("", &t, "rectangular_boardsize 8 8");
	ask_for("", &t, "clear_board");

	/* A position is sent in one burst and taken back in another. */
	char burst[2048] = "", move[MOVE_TEXT_MAX], position[POSITION_TEXT_MAX];
	for (int i = 0; i < 12; i++) {
		ck_assert(random_move(&r, &rng, move));
		sprintf(burst + strlen(burst), "play %c %s\n", "BW"[r.now.side], move);
		record_take(&r, move);
	}
	tell(&t, "%s", burst);
	for (int i = 0; i < 12; i++)
		accepted(&t);
	tell(&t, "undo\nundo\nundo\n");
	for (int i = 0; i < 3; i++) {
		accepted(&t);
		record_undo(&r);
	}
	game_position(r.game, &r.now, position);
	ask_for(position, &t, "position");

	/* A command that cannot fail stops the search. A blank line would end an answer. */
	static const char *const commands[] = { "analyze", "lz-analyze", "kata-analyze" };
	for (int i = 0; i < 3; i++) {
		ck_assert(has_line(list, commands[i]));
		tell(&t, "%s %c 20\n", commands[i], "BW"[r.now.side]);
		ck_assert_str_eq(hear_line(&t), "=\n");
		ck_assert_int_eq(strncmp(hear_line(&t), "info move ", 10), 0);
		tell(&t, "protocol_version\n");
		hear_rest(&t);
		hear_exactly(&t, "= 2\n\n");
	}
	/* The engine plays both sides and analyses each move. */
	for (int i = 0; !r.now.over; i++) {
		static const char *const moves[] = { "genmove_analyze", "lz-genmove_analyze",
						     "kata-genmove_analyze" };
		const char *line;
		ck_assert(has_line(list, moves[i % 3]));
		tell(&t, "%s %c 1\n", moves[i % 3], "BW"[r.now.side]);
		ck_assert_str_eq(hear_line(&t), "=\n");
		while (strncmp(line = hear_line(&t), "info ", 5) == 0)
			;
		ck_assert_int_eq(sscanf(line, "play %7s\n", move), 1);
		record_take_any(&r, move);
		ck_assert_str_eq(hear_line(&t), "\n");
	}
	tell(&t, "quit\n");
	accepted(&t);
	talk_end(&t);
	free(list);
	record_free(&r);
}
END_TEST

/* --- gtp2ogs --- */

/* Sends a line with the line end of gtp2ogs, which drops an engine after one refusal. */
#define ogs(t, ...)        (tell(t, __VA_ARGS__), tell(t, "\r\n"), text_of(hear(t)))
#define ogs_for(text, ...) ck_assert_str_eq(ogs(__VA_ARGS__), text)

START_TEST(gtp2ogs)
{
	struct talk t;
	struct record r;
	char move[MOVE_TEXT_MAX];
	rng_seed(&rng, 21);
	record_init(&r, &game_othello);
	start(&t, "--game othello", 1);
	char *list = strdup(ogs(&t, "list_commands"));
	ck_assert(has_line(list, "kata-list_time_settings") &&
		  has_line(list, "kata-time_settings") && has_line(list, "kgs-time_settings"));
	char *systems = strdup(ogs(&t, "kata-list_time_settings"));
	ck_assert(strstr(systems, "fischer"));
	free(systems);
	ogs_for("", &t, "boardsize 8");
	ogs_for("", &t, "boardsize 8 8");
	ogs_for("", &t, "clear_board");
	ogs_for("", &t, "komi 6.5");
	/* The clocks that the server uses. */
	ogs_for("", &t, "kgs-time_settings none");
	ogs_for("", &t, "kgs-time_settings absolute 300");
	ogs_for("", &t, "kgs-time_settings byoyomi 300 30 5");
	ogs_for("", &t, "kgs-time_settings canadian 300 60 10");
	ogs_for("", &t, "time_settings 0 1 0");
	ogs_for("", &t, "kata-time_settings fischer-capped 120.5 10.5 300 60");
	ogs_for("", &t, "kata-time_settings fischer 120 10");
	while (!r.now.over) {
		int side = r.now.side;
		ogs_for("", &t, "time_left black %.1f 0", 120.5 - r.count);
		ogs_for("", &t, "time_left white %.1f 0", 119.9 - r.count);
		if (side == BLACK) {
			snprintf(move, sizeof move, "%s", ogs(&t, "genmove black"));
		} else {
			random_move(&r, &rng, move);
			ogs_for("", &t, "play white %s", in_lower_case(move));
		}
		record_take_any(&r, move);
	}
	tell(&t, "quit\r\n");
	accepted(&t);
	talk_end(&t);
	free(list);
	record_free(&r);
}
END_TEST

/* --- OpenSpiel's GTPBot --- */

/* Plays games against random moves. OpenSpiel names an action as the engine's move in lower case. */
START_TEST(openspiel)
{
	static const struct game *const played[] = { &game_othello, &game_pentago_openspiel,
						     &game_breakthrough_openspiel, &game_hex };
	static const char *const options[] = { "--game othello", "--game pentago --rules openspiel",
					       "--game breakthrough --rules openspiel",
					       "--game hex --swap never" };
	struct talk t;
	struct record r;
	rng_seed(&rng, 31);
	record_init(&r, played[_i]);
	start(&t, options[_i], 1);
	for (int game = 0; game < 4; game++) {
		int bot = game % 2;
		ask_for("", &t, "clear_board");
		record_restart(&r, r.game);
		while (!r.now.over) {
			char action[MOVE_TEXT_MAX];
			if (r.now.side == bot) {
				/* OpenSpiel looks the answer up among the legal actions, in lower case. */
				struct move moves[GAME_MOVES_MAX];
				char name[MOVE_TEXT_MAX];
				int n = game_moves(r.game, &r.now, moves), found = 0;
				snprintf(action, sizeof action, "%s",
					 ask(&t, "genmove %c", "bw"[bot]));
				in_lower_case(action);
				for (int i = 0; i < n; i++) {
					game_format(r.game, &r.now, moves[i], name);
					found += strcmp(in_lower_case(name), action) == 0;
				}
				ck_assert_msg(found == 1, "%s is no action", action);
				ck_assert(_i != 1 || strlen(action) == 3);
			} else {
				random_move(&r, &rng, action);
				ask_for("", &t, "play %c %s", "bw"[1 - bot], in_lower_case(action));
			}
			record_take_any(&r, action);
		}
		/* Hex names only the winner. */
		const char *score = score_of(&r);
		ck_assert_str_eq(ask(&t, "final_score"),
				 _i == 3 ? score[0] == 'B' ? "B+" : "W+" : score);
	}
	tell(&t, "quit\n");
	accepted(&t);
	talk_end(&t);
	record_free(&r);
}
END_TEST

/* --- controllers written for KataGo --- */

/* The next line ends commands that have no limit. Cancelled searches say so. */
START_TEST(katago_controllers)
{
	struct talk t;
	struct record r;
	char position[POSITION_TEXT_MAX], *params, *save;
	record_init(&r, &game_othello);
	talk_start(&t, "--game othello --threads 1 --memory 8 --seed 1 --time 1000000");
	game_position(r.game, &r.now, position);
	ask_for("othello", &t, "echo othello");

	tell(&t, "1 kata-search_cancellable b\n\n");
	hear_exactly(&t, "=1 cancelled\n\n");
	tell(&t, "2 kata-search_cancellable b\n3 name\n");
	hear_exactly(&t, "=2 cancelled\n\n");
	hear_exactly(&t, "=3 yomi\n\n");
	tell(&t, "kata-search_analyze_cancellable b 1\n");
	ck_assert_str_eq(hear_line(&t), "=\n");
	ck_assert_int_eq(strncmp(hear_line(&t), "info move ", 10), 0);
	tell(&t, "stop\n");
	const char *line;
	while (strncmp(line = hear_line(&t), "info move ", 10) == 0)
		;
	ck_assert_str_eq(line, "play cancelled\n");
	ck_assert_str_eq(hear_line(&t), "\n");
	accepted(&t);
	ask_for(position, &t, "position");

	/* Only the requested moves, and at most the requested number. */
	tell(&t, "kata-analyze b interval 1 allow b D3,c4 1 rootInfo true ownership true\n");
	ck_assert_str_eq(hear_line(&t), "=\n");
	line = hear_line(&t);
	ck_assert(strstr(line, "info move D3 ") && strstr(line, "info move C4 "));
	ck_assert(!strstr(line, "info move F5 ") && !strstr(line, "info move E6 "));
	ck_assert_ptr_nonnull(strstr(line, " rootInfo visits "));
	tell(&t, "kata-analyze b 1 maxmoves 1 avoid b D3 1\n");
	hear_rest(&t);
	ck_assert_str_eq(hear_line(&t), "=\n");
	line = hear_line(&t);
	ck_assert_int_eq(strncmp(line, "info move ", 10), 0);
	ck_assert(!strstr(line, "info move D3 ") && !strstr(line + 10, "info move "));
	tell(&t, "\n");
	hear_rest(&t);

	/* Options one by one, and all as JSON. */
	params = strdup(ask(&t, "kata-get-params"));
	ck_assert(params[0] == '{' && params[strlen(params) - 1] == '}');
	char *names = strdup(ask(&t, "kata-list-params"));
	for (char *name = strtok_r(names, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		char key[64];
		snprintf(key, sizeof key, "\"%s\":", name);
		ck_assert_msg(strstr(params, key), "%s is not in %s", name, params);
	}
	ask_for("", &t, "kata-set-param playouts 30");
	ask_for("30", &t, "kata-get-param playouts");
	ask_for("", &t, "kata-set-params {\"playouts\": 40, \"threads\": 1}");
	ask_for("40", &t, "kata-get-param playouts");
	refuses(&t, "kata-set-params {\"playouts\": 50, \"nosuch\": 1}");
	ask_for("40", &t, "kata-get-param playouts");
	ask_for("", &t, "kata-set-params %s", params);
	ask_for("0", &t, "kata-get-param playouts");
	ask_for("", &t, "kata-set-param playouts 30");
	free(params);
	free(names);

	/* With a limit the searches end by themselves. They do not play the move. */
	record_take(&r, ask(&t, "kata-search b"));
	record_undo(&r);
	record_take(&r, ask(&t, "kata-search_cancellable b"));
	record_undo(&r);
	ask_for(position, &t, "position");
	ask_for("", &t, "clear_cache");
	ask_for("", &t, "stop");
	talk_end(&t);
	record_free(&r);
}
END_TEST

/* --- Lizzie --- */

/* Analyses the position while a user tries moves. Each line ends the analysis. */
START_TEST(lizzie)
{
	struct talk t;
	struct record r;
	char move[MOVE_TEXT_MAX];
	rng_seed(&rng, 41);
	record_init(&r, &game_othello);
	talk_start(&t, "--game othello --threads 1 --memory 8 --time 1000000");
	ask_for("yomi", &t, "name");
	while (!r.now.over) {
		/* Lizzie leaves the side to move to the engine. */
		tell(&t, "lz-analyze 1\n");
		ck_assert_str_eq(hear_line(&t), "=\n");
		if (!game_must_pass(r.game, &r.now))
			ck_assert_int_eq(strncmp(hear_line(&t), "info move ", 10), 0);
		random_move(&r, &rng, move);
		if (r.count % 3 == 0) {
			/* To pause, Lizzie sends an empty line, which has no answer. */
			tell(&t, "\n");
			hear_rest(&t);
		}
		tell(&t, "play %c %s\n", "BW"[r.now.side], move);
		if (r.count % 3)
			hear_rest(&t);
		accepted(&t);
		record_take(&r, move);
		if (r.count % 5 == 0) {
			tell(&t, "undo\nplay %c %s\n", "BW"[r.moves[r.count - 1].side], move);
			accepted(&t);
			accepted(&t);
		}
	}
	ask_for(score_of(&r), &t, "final_score");
	talk_end(&t);
	record_free(&r);
}
END_TEST

/* --- NBoard --- */

/* Returns the next line, without the lines that may come at any time. */
static const char *nboard_hear(struct talk *t)
{
	const char *line;
	do
		line = hear_line(t);
	while (strncmp(line, "status", 6) == 0 || strncmp(line, "set myname ", 11) == 0 ||
	       strncmp(line, "nodestats ", 10) == 0);
	return line;
}

/* Reads up to the pong, which ends the engine's output. */
static void nboard_ping(struct talk *t, int number)
{
	char pong[32];
	snprintf(pong, sizeof pong, "pong %d\n", number);
	tell(t, "ping %d\n", number);
	while (strcmp(nboard_hear(t), pong) != 0)
		;
}

/* A pass is PA, as in GGF. */
static const char *nboard_spell(const char *move)
{
	return strcmp(move, "PASS") == 0 ? "PA" : move;
}

/* Sends the whole game. */
static void nboard_tell(struct talk *t, const struct record *r)
{
	tell(t, "set game (;GM[Othello]PC[NBoard]DT[2024-01-02 03:04:05 GMT]PB[a]PW[b]RE[?]"
		"TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------"
		"- *]");
	for (int i = 0; i < r->count; i++) {
		char move[MOVE_TEXT_MAX];
		struct state before;
		record_state(r, i, &before);
		game_format(r->game, &before, r->moves[i].move, move);
		/* With evaluation and time, or with one of them. */
		tell(t, "%c[%s%s]", "BW"[before.side], nboard_spell(move),
		     i % 3 == 0   ? ""
		     : i % 3 == 1 ? "/1.25/3"
				  : "//1.2");
	}
	tell(t, ";)\n");
}

/* The engine plays Black. A user plays White, with hints. */
START_TEST(nboard)
{
	struct talk t;
	struct record r;
	int pings = 0;
	rng_seed(&rng, 51);
	record_init(&r, &game_othello);
	start(&t, _i ? "--protocol nboard" : "", 1);
	tell(&t, "nboard 2\nset depth 4\nset contempt 0\n");
	nboard_tell(&t, &r);
	nboard_ping(&t, ++pings);
	tell(&t, "no such command\nlearn\n");
	ck_assert_str_eq(nboard_hear(&t), "learned\n");
	while (!r.now.over) {
		char move[MOVE_TEXT_MAX], line[32] = "";
		double value, seconds;
		if (r.now.side == BLACK) {
			/* The engine does not play its answer. */
			tell(&t, "go\n");
			const char *answer;
			while (strncmp(answer = nboard_hear(&t), "===", 3) != 0)
				ck_assert_int_eq(strncmp(answer, "search ", 7), 0);
			ck_assert_int_ge(
				sscanf(answer, "=== %7[^/\n]/%lf/%lf", move, &value, &seconds), 1);
		} else {
			tell(&t, "hint 3\n");
			ck_assert_int_eq(sscanf(nboard_hear(&t), "search %7s %lf", line, &value),
					 2);
			/* The variation has no blanks. Its first move is legal. */
			struct record after;
			record_init(&after, r.game);
			record_copy(&after, &r);
			snprintf(move, sizeof move, "%.2s", line);
			record_take_any(&after, strcmp(move, "PA") == 0 ? "PASS" : move);
			record_free(&after);
			nboard_ping(&t, ++pings);
			random_move(&r, &rng, move);
		}
		record_take(&r, strcmp(move, "PA") == 0 ? "PASS" : move);
		if (r.count % 10 == 9)
			nboard_tell(&t, &r); /* the user has gone back and forth in the game */
		else
			tell(&t, "move %s/0.5/1.25\n", nboard_spell(move));
	}
	/* After the game each position is analysed, the last one first. */
	tell(&t, "analyze\n");
	for (int i = r.count - 1; i >= 0; i--) {
		int ply;
		double value;
		const char *line = nboard_hear(&t);
		ck_assert_msg(sscanf(line, "analysis %d %lf", &ply, &value) == 2, "'%s'", line);
		ck_assert_msg(ply >= 0 && ply <= r.count && fabs(value) <= 64, "'%s'", line);
	}
	nboard_ping(&t, ++pings);
	talk_end(&t);
	record_free(&r);
}
END_TEST

/* --- shells --- */

/* Runs a shell command, in which $YOMI is the program. Returns its output, which the caller frees. */
static char *shell(const char *line)
{
	char path[PATH_MAX];
	int status;
	ck_assert(realpath(getenv("YOMI"), path));
	setenv("YOMI", path, 1);
	signal(SIGPIPE, SIG_DFL); /* other programs expect this */
	char *text = process_shell(line, &status);
	ck_assert_int_eq(status, 0);
	return text;
}

static void shell_prints(const char *line, const char *expected)
{
	char *text = shell(line);
	ck_assert_msg(strcmp(text, expected) == 0, "%s: '%s'", line, text);
	free(text);
}

START_TEST(shells)
{
#define Y "\"$YOMI\" --threads 1 --playouts 30 --seed 1"
	shell_prints("printf '1 name\\n2 protocol_version\\n' | " Y, "=1 yomi\n\n=2 2\n\n");
	shell_prints("printf name | " Y, "= yomi\n\n");
	shell_prints(Y " </dev/null", "");
	shell_prints("echo name | " Y " | head -c 1", "=");
	shell_prints("yes list_commands | head -5000 | " Y " | head -1", "= protocol_version\n");
	shell_prints("d=$(mktemp -d) && cd $d && printf 'name\\nquit\\nname\\n' >in && " Y
		     " <in >out && cat out && rm -r $d",
		     "= yomi\n\n=\n\n");
	shell_prints("(echo name; sleep 0.1; echo quit) | " Y, "= yomi\n\n=\n\n");
	/* All moves of a game in one burst: every answer arrives. */
	char *text = shell("(yes 'genmove b\ngenmove w' | head -80) | " Y " --game tictactoe");
	int answers = 0, passes = 0;
	for (const char *c = text; (c = strstr(c, "\n\n")); c += 2)
		answers++;
	for (const char *c = text; (c = strstr(c, "= PASS\n\n")); c++)
		passes++;
	ck_assert_int_eq(answers, 80);
	ck_assert_int_ge(passes, 71);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clients");
	TCase *cases = tcase_create("clients");
	tcase_set_timeout(cases, 120);
	tcase_add_test(cases, quarry_asks_for_the_name);
	tcase_add_test(cases, quarry_plays_othello);
	tcase_add_test(cases, gomill_checks_its_players);
	tcase_add_test(cases, gomill_plays_othello);
	tcase_add_test(cases, sabaki_library);
	tcase_add_test(cases, gtp2ogs);
	tcase_add_loop_test(cases, openspiel, 0, 4);
	tcase_add_test(cases, katago_controllers);
	tcase_add_test(cases, lizzie);
	tcase_add_loop_test(cases, nboard, 0, 2);
	tcase_add_test(cases, shells);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
