/* SPDX-License-Identifier: MIT
 *
 * The programs of GoGui as clients: gogui-twogtp, the window, the window with Pentago, gogui-regress.
 */
#include "tests/protocol/gtp/client.h"

/* --- gogui-twogtp --- */

/* GoGui and its tools wait for each answer before they send the next command. */
static void gogui_begin(struct talk *t)
{
	ask_for("2", t, "protocol_version");
	ask_for("yomi", t, "name");
	const char *version = ask(t, "version");
	ck_assert(*version && *version != '?' && strlen(version) <= 40);
	ck_assert(has_line(ask(t, "list_commands"), "gogui-interrupt"));
	ask_for("", t, "gogui-interrupt");
}

/* Only two passes in a row end a game. */
static void twogtp_play(struct talk engines[2], struct record *r)
{
	int passes = 0, size = r->game->board.rows;
	double before[2];
	for (int i = 0; i < 2; i++) {
		before[i] = number(ask(&engines[i], "cputime"));
		ask_for("", &engines[i], "boardsize %d", size);
		ask_for("", &engines[i], "clear_board");
		ask_for("", &engines[i], "komi 6.5");
		ask_for("", &engines[i], "time_settings 600 0 0");
	}
	for (int side = BLACK; passes < 2; side = 1 - side) {
		char move[MOVE_TEXT_MAX];
		ask_for("", &engines[side], "time_left %c 600 0", "bw"[side]);
		const char *answer = ask(&engines[side], "genmove %c", "bw"[side]);
		ck_assert_uint_lt(strlen(answer), sizeof move);
		strcpy(move, answer);
		passes = strcmp(move, "PASS") == 0 ? passes + 1 : 0;
		if (!r->now.over)
			record_take(r, move);
		else
			ck_assert_str_eq(move, "PASS");
		ask_for("", &engines[1 - side], "play %c %s", "BW"[side], move);
	}
	for (int i = 0; i < 2; i++) {
		ask_for(score_of(r), &engines[i], "final_score");
		ck_assert(number(ask(&engines[i], "cputime")) >= before[i]);
	}
}

START_TEST(gogui_twogtp)
{
	static const struct game *const played[] = { &game_othello, &game_tictactoe };
	struct talk engines[2];
	struct record r;
	char options[64];
	record_init(&r, played[_i]);
	snprintf(options, sizeof options, "--game %s", r.game->name);
	for (int i = 0; i < 2; i++) {
		start(&engines[i], options, 1 + i);
		gogui_begin(&engines[i]);
	}
	for (int game = 0; game < 3; game++) {
		record_restart(&r, r.game);
		twogtp_play(engines, &r);
		/* Colours alternate. */
		struct talk first = engines[0];
		engines[0] = engines[1];
		engines[1] = first;
	}
	for (int i = 0; i < 2; i++) {
		ask_for("", &engines[i], "quit");
		talk_end(&engines[i]);
	}
	record_free(&r);
}
END_TEST

/* --- GoGui's window --- */

/* Checks what the ruler answers for a position: board, legal moves, side to move. */
static void gogui_look(struct talk *ruler, const struct record *r)
{
	struct move moves[GAME_MOVES_MAX];
	char expected[512] = "", *p = expected;
	int size = r->game->board.rows;
	for (int row = size - 1; row >= 0; row--)
		for (int col = 0; col < size; col++)
			p += sprintf(p, "%c%s", r->game->at(r->game, &r->now, row, col),
				     col < size - 1 ? " "
				     : row          ? "\n"
						    : "");
	ask_for(expected, ruler, "gogui-rules_board");
	char *legal = strdup(ask(ruler, "gogui-rules_legal_moves"));
	int n = r->now.over ? 0 : game_moves(r->game, &r->now, moves), told = *legal != '\0';
	for (const char *c = legal; *c; c++)
		told += *c == ' ';
	ck_assert_int_eq(told, n);
	for (int i = 0; i < n; i++) {
		char text[MOVE_TEXT_MAX];
		game_format(r->game, &r->now, moves[i], text);
		/* GoGui looks for a pass in lower case. */
		ck_assert(strstr(legal, strcmp(text, "PASS") == 0 ? "pass" : text));
	}
	free(legal);
}

/* GoGui sends the whole game to the ruler after each move, then asks. */
static void gogui_rule(struct talk *ruler, const struct record *r)
{
	for (int i = 0; i < 6; i++) {
		ask_for("", ruler, "clear_board");
		for (int m = 0; m < r->count && i % 2; m++) {
			char text[MOVE_TEXT_MAX];
			struct state before, after;
			record_state(r, m, &before);
			record_state(r, m + 1, &after);
			game_format(r->game, &before, r->moves[m].move, text);
			ask_for("", ruler, "play %c %s", "BW"[before.side], text);
			const char *side = ask(ruler, "gogui-rules_side_to_move");
			ck_assert(after.over || *side == "bw"[after.side]);
		}
		if (i % 2)
			gogui_look(ruler, r);
	}
}

/* A user plays White. The engine gets a move together with the request to answer it. */
START_TEST(gogui_window)
{
	static const struct game *const played[] = { &game_othello, &game_tictactoe };
	enum { RULER, PLAYER, UNUSED, PROCESSES = 4 };
	struct talk t[PROCESSES];
	struct record r;
	char options[64], move[MOVE_TEXT_MAX] = "";
	record_init(&r, played[_i]);
	rng_seed(&rng, 7);
	for (int i = 0; i < PROCESSES; i++) {
		snprintf(options, sizeof options, "--game %s", r.game->name);
		start(&t[i], options, i + 1);
		gogui_begin(&t[i]);
	}
	for (int i = RULER; i <= PLAYER; i++) {
		ask_for(r.game->title, &t[i], "gogui-rules_game_id");
		ck_assert_int_eq(atoi(ask(&t[i], "gogui-rules_board_size")), r.game->board.rows);
		ask_for("", &t[i], "boardsize %d", r.game->board.rows);
		ask_for("", &t[i], "clear_board");
		ck_assert_int_ne(*ask(&t[i], "gogui-title"), '?');
	}
	gogui_rule(&t[RULER], &r);
	while (!r.now.over) {
		if (r.now.side == WHITE) {
			random_move(&r, &rng, move);
			record_take(&r, move);
		} else {
			if (r.count)
				ask_for("", &t[PLAYER], "play W %s", move);
			ask_for("", &t[PLAYER], "time_left b 300 0");
			record_take(&r, ask(&t[PLAYER], "genmove b"));
		}
		gogui_rule(&t[RULER], &r);
	}
	const char *result = ask(&t[RULER], "gogui-rules_final_result");
	ck_assert(*result && *result != '?' && !strchr(result, '\n'));
	/* History: back to the start and forward again. */
	if (r.moves[r.count - 1].side == WHITE)
		ask_for("", &t[PLAYER], "play W %s", move);
	ask_for("", &t[PLAYER], "gg-undo %d", r.count);
	ask_for("? cannot undo", &t[PLAYER], "undo");
	ask_for("", &t[PLAYER], "quit");
	for (int i = 0; i < PROCESSES; i++)
		talk_end(&t[i]);
	record_free(&r);
}
END_TEST

/* --- GoGui with Pentago --- */

/* The points of the turns S .. Z. */
static const char *const turn_points[] = { "A6", "C8", "F8", "H6", "H3", "F1", "C1", "A3" };

/* Plays one click on the 8x8 board in `r`. `placed` holds a placement that waits for its turn. */
static void click(struct record *r, char placed[MOVE_TEXT_MAX], const char *point)
{
	struct move move;
	if (!*placed) {
		snprintf(placed, MOVE_TEXT_MAX, "%c%c", point[0] - 1, '8' - (point[1] - '0'));
		/* Without a turn it is a whole move only if it ends the game. */
		if (game_parse(r->game, &r->now, placed, &move) != MOVE_OK)
			return;
	} else {
		int turn = 0;
		while (strcmp(turn_points[turn], point) != 0)
			ck_assert_int_lt(++turn, 8);
		placed[2] = (char)('S' + turn);
		placed[3] = '\0';
		ck_assert_int_eq(game_parse(r->game, &r->now, placed, &move), MOVE_OK);
	}
	record_play(r, move);
	*placed = '\0';
}

/* Both programs know only moves of one point, and a side that moves twice in a row. */
START_TEST(gogui_pentago)
{
	struct talk ruler, player;
	struct record r;
	char placed[MOVE_TEXT_MAX] = "", point[16];
	static char game[128][24]; /* all plays sent to the ruler */
	int clicks = 0;
	record_init(&r, &game_pentago);
	rng_seed(&rng, (uint64_t)_i);
	start(&ruler, "--game pentago --gogui", 1);
	start(&player, "--game pentago --gogui", 2);
	gogui_begin(&ruler);
	gogui_begin(&player);
	ask_for("8", &ruler, "gogui-rules_board_size");
	ask_for("", &ruler, "boardsize 8");
	ask_for("", &ruler, "clear_board");
	ask_for("", &player, "boardsize 8");
	ask_for("", &player, "clear_board");
	for (;;) {
		char *legal = strdup(ask(&ruler, "gogui-rules_legal_moves")), *save = NULL, *c;
		char *points[64];
		int n = 0;
		for (c = strtok_r(legal, " ", &save); c; c = strtok_r(NULL, " ", &save))
			points[n++] = c;
		ck_assert_int_eq(n == 0, r.now.over);
		if (r.now.over) {
			free(legal);
			break;
		}
		int side = r.now.side;
		ask_for(colors[side], &ruler, "gogui-rules_side_to_move");
		ck_assert_int_ne(*ask(&ruler, "gogui-rules_board_gfx"), '?');
		if (side == WHITE) {
			snprintf(point, sizeof point, "%s", ask(&player, "genmove w"));
			bool is_legal = false;
			for (int i = 0; i < n; i++)
				is_legal |= strcmp(points[i], point) == 0;
			ck_assert_msg(is_legal, "%s is not legal", point);
		} else {
			strcpy(point, points[rng_below(&rng, (uint32_t)n)]);
			ask_for("", &player, "play B %s", point);
		}
		free(legal);
		click(&r, placed, point);
		/* The ruler gets the whole game again. */
		ck_assert_int_lt(clicks, 128);
		snprintf(game[clicks++], sizeof game[0], "play %c %s", "BW"[side], point);
		ask_for("", &ruler, "clear_board");
		for (int i = 0; i < clicks; i++)
			ask_for("", &ruler, "%s", game[i]);
		const char *board = ask(&ruler, "gogui-rules_board");
		int stones = 0;
		for (; *board; board++)
			stones += *board == 'X' || *board == 'O';
		ck_assert_int_eq(stones, r.count + (*placed ? 1 : 0));
	}
	/* The last placement may have won without a turn. */
	ck_assert_int_eq((clicks + 1) / 2, r.count);
	ask_for(score_of(&r), &player, "final_score");
	const char *result = ask(&ruler, "gogui-rules_final_result");
	ck_assert(*result && *result != '?' && !strchr(result, '\n'));
	ask_for("", &player, "quit");
	talk_end(&player);
	talk_end(&ruler);
	record_free(&r);
}
END_TEST

/* --- gogui-regress --- */

/* A file of tests is sent line by line, with its comments. The ids tell the answers apart. */
START_TEST(gogui_regress)
{
	static const char sgf[] = "(;GM[2]SZ[8];B[dc];W[cc];B[fe];W[db])";
	char path[] = "/tmp/yomi-regress-XXXXXX", move[16];
	struct talk t;
	struct record r;
	int fd = mkstemp(path), id;
	ck_assert_int_eq(write(fd, sgf, sizeof sgf - 1), (ssize_t)sizeof sgf - 1);
	close(fd);
	record_init(&r, &game_othello);
	start(&t, "--game othello", 1);
	ask_for("2", &t, "protocol_version");
	ask_for("yomi", &t, "name");
	tell(&t, "# openings\n\nloadsgf %s 3 # before White's second move\n", path);
	accepted(&t);
	tell(&t, "1 reg_genmove b\n");
	ck_assert_int_eq(sscanf(hear(&t), "=%d %15s\n\n", &id, move), 2);
	ck_assert_int_eq(id, 1);
	record_take(&r, "D3");
	record_take(&r, "C3");
	record_take(&r, move);
	tell(&t, "#? [D3|C4|F5]*\n2 reg_genmove b # again\n");
	ck_assert_int_eq(sscanf(hear(&t), "=%d %15s\n\n", &id, move), 2);
	ck_assert_int_eq(id, 2);
	record_undo(&r);
	record_take(&r, move);
	tell(&t, "loadsgf %s\n", path);
	accepted(&t);
	tell(&t, "3 play b %s\n", "D2");
	hear_exactly(&t, "?3 illegal move\n\n");
	tell(&t, "loadsgf %s.not 2\n", path);
	hear_exactly(&t, "? cannot load file\n\n");
	tell(&t, "4 final_score\n#? [B\\+.*]\n");
	hear_exactly(&t, "?4 cannot score\n\n");
	ck_assert(number(ask(&t, "cputime")) >= 0);
	ask_for("", &t, "quit");
	talk_end(&t);
	unlink(path);
	record_free(&r);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gogui_clients");
	TCase *cases = tcase_create("gogui_clients");
	tcase_set_timeout(cases, 120);
	tcase_add_loop_test(cases, gogui_twogtp, 0, 2);
	tcase_add_loop_test(cases, gogui_window, 0, 2);
	tcase_add_loop_test(cases, gogui_pentago, 0, 6);
	tcase_add_test(cases, gogui_regress);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
