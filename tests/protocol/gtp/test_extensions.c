/* SPDX-License-Identifier: MIT
 *
 * The checklist, third part: the extensions that the engine lists, of GoGui, Leela Zero and KataGo.
 */
#include "tests/protocol/gtp/checklist.h"

#include <math.h>

#include "engine/rules/square.h"

START_TEST(processor_time_is_answered)
{
	begin(_i);
	double before = number(ask(t, "cputime"));
	ck_assert(before >= 0);
	ask(t, "genmove b");
	ck_assert(number(ask(t, "cputime")) >= before);
	ck_assert(number(ask(t, "gomill-cpu_time")) >= before);
	end();
}
END_TEST

/* Plays a move with GoGui's names of squares. */
static void take_for_gogui(struct record *r, const char *text)
{
	char own[MOVE_TEXT_MAX];
	struct game names = *r->game;
	names.board.skips_i = true;
	square_rename(&names, r->game, text, own);
	record_take(r, own);
}

START_TEST(searches_are_interrupted)
{
	struct record r;
	setting = setting_at(_i);
	start(ENDLESS);
	record_init(&r, game_find(setting->name, NULL));
	ask_for("", t, "param book 0");
	ask_for("", t, "gogui-interrupt");
	tell(t, "genmove b\n");
	ck_assert(!talk_is_heard(t, 30));
	tell(t, "# interrupt\n");
	take_for_gogui(&r, text_of(hear(t)));
	ask_for("yomi", t, "name");

	pid_t pid = (pid_t)number(ask(t, "gogui-sigint"));
	ck_assert_int_eq(pid, t->child);
	tell(t, "genmove w\n");
	ck_assert(!talk_is_heard(t, 30));
	kill(pid, SIGINT);
	take_for_gogui(&r, text_of(hear(t)));
	ask_for("yomi", t, "name");
	record_free(&r);
	end();
}
END_TEST

/* The row of the highest number comes first: GoGui has row 1 at the bottom. Its letters skip I, and it has no swap. */
START_TEST(gogui_rules_show_the_board)
{
	struct record r;
	char text[MOVE_TEXT_MAX], own[MOVE_TEXT_MAX];
	begin(_i);
	record_init(&r, game_find(setting->name, NULL));
	record_set_swap(&r, false);
	struct game names = *r.game;
	names.board.skips_i = true;
	int size = atoi(setting->size);
	for (int moves = 0; moves <= 4; moves++) {
		char *rows = strdup(ask(t, "gogui-rules_board")), *c = rows;
		for (int number = size; number >= 1; number--) {
			/* GoGui's board is square: it may have more rows than the game. */
			bool is_there = number <= r.game->board.rows;
			int row = is_there ? square_row(r.game, number) : 0;
			for (int col = 0; col < size; col++) {
				char at = is_there ? r.game->at(r.game, &r.now, row, col) : '.';
				at = at == ':' ? '?' : at;
				ck_assert_int_eq(*c++, at);
				if (col < size - 1)
					ck_assert_int_eq(*c++, ' ');
			}
			if (number > 1)
				ck_assert_int_eq(*c++, '\n');
		}
		ck_assert_int_eq(*c, '\0');
		free(rows);

		/* Exactly the legal moves, in upper case. */
		struct move list[GAME_MOVES_MAX], move;
		int n = game_moves(r.game, &r.now, list), told = 0;
		char *legal = strdup(ask(t, "gogui-rules_legal_moves")), *save;
		for (char *m = strtok_r(legal, " ", &save); m; m = strtok_r(NULL, " ", &save)) {
			square_rename(&names, r.game, m, own);
			ck_assert_int_eq(game_parse(r.game, &r.now, own, &move), MOVE_OK);
			game_format(r.game, &r.now, move, own);
			square_rename(r.game, &names, own, text);
			ck_assert_str_eq(m, text);
			for (int i = 0; i < n; i++)
				if (move_equal(list[i], move))
					list[i--] = list[--n], told++;
		}
		ck_assert_msg(n == 0 && told > 0, "%d legal moves are not told", n);
		free(legal);
		ask_for(colors[r.now.side], t, "gogui-rules_side_to_move");
		if (moves < 4) {
			record_take(&r, setting->moves[moves]);
			square_rename(r.game, &names, setting->moves[moves], text);
			ask_for("", t, "play %c %s", "bw"[moves % 2], text);
		}
	}
	record_free(&r);
	end();
}
END_TEST

START_TEST(analyze_commands_are_known)
{
	static const char *const types[] = { "bwboard", "cboard",   "dboard", "eplist", "gfx",
					     "hstring", "hpstring", "none",   "param",  "plist",
					     "pspairs", "pstring",  "sboard", "string", "var",
					     "varb",    "varc",     "varp",   "varpo",  "varw" };
	begin(_i);
	char *list = strdup(ask(t, "gogui-analyze_commands")), *save;
	int lines = 0;
	for (char *line = strtok_r(list, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char type[32], label[64], command[64];
		ck_assert_msg(sscanf(line, "%31[^/]/%63[^/]/%63s", type, label, command) == 3,
			      "'%s'", line);
		bool is_type = false;
		for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
			is_type |= strcmp(type, types[i]) == 0;
		ck_assert_msg(is_type, "'%s'", line);
		ck_assert_msg(knows(t, command), "%s is not known", command);
		/* Commands without wildcards can be sent as they are. */
		if (!strchr(line, '%'))
			ck_assert_msg(*ask(t, "%s", command) != '?', "%s fails", command);
		lines++;
	}
	ck_assert_int_gt(lines, 5);
	free(list);
	end();
}
END_TEST

/* Sets up the position after the moves, stone by stone. */
START_TEST(gogui_sets_up_positions)
{
	struct record r;
	char stones[512] = "", squares[POSITION_TEXT_MAX];
	begin(_i);
	record_init(&r, game_find(setting->name, NULL));
	/* GoGui sets up stones only. */
	if (r.game->board.pieces) {
		record_free(&r);
		end();
		return;
	}
	for (int i = 0; i < 3; i++)
		record_take(&r, setting->moves[i]);
	for (int row = 0; row < r.game->board.rows; row++) {
		for (int col = 0; col < r.game->board.cols; col++) {
			char c = r.game->at(r.game, &r.now, row, col);
			size_t n = strlen(stones);
			char square[SQUARE_TEXT_MAX];
			square_format(r.game, row, col, square);
			if (c == 'X' || c == 'O')
				snprintf(stones + n, sizeof stones - n, " %c %s",
					 c == 'X' ? 'b' : 'w', square);
		}
	}
	game_position(r.game, &r.now, squares);
	ask_for("", t, "gogui-setup%s", stones);
	ask_for("", t, "gogui-setup_player w");
	ask_for(squares, t, "position");
	ask_for("white", t, "gogui-rules_side_to_move");
	take_for_gogui(&r, ask(t, "genmove w"));
	refuses(t, "gogui-setup%s", stones);
	ask_for("", t, "clear_board");
	ask_for("? cannot undo", t, "undo");
	record_free(&r);
	end();
}
END_TEST

START_TEST(list_games_and_set_game)
{
	char titles[1024] = "";
	for (int i = 0; games[i]; i++) {
		if (game_find(games[i]->name, NULL) != games[i])
			continue;
		strcat(strcat(titles, *titles ? "\n" : ""), games[i]->title);
	}
	begin(_i);
	ask_for(titles, t, "list_games");
	for (int i = 0; i < settings_count(); i++) {
		const struct setting *s = setting_at(i);
		ask_for("", t, "set_game %s", s->title);
		ask_for("", t, "boardsize %s", s->size);
		ask_for("", t, "play b %s", s->moves[0]);
	}
	refuses(t, "set_game Nosuchgame");
	end();
}
END_TEST

/* Checks a line of info: legal moves with legal variations, and winrates in the form of kata- or lz-. Returns
 * the number of moves. */
static int count_infos(const struct record *r, const char *line, bool is_kata)
{
	char *copy = strdup(line), *save, *word, *value;
	int infos = 0;
	ck_assert(line[strlen(line) - 1] == '\n');
	copy[strlen(copy) - 1] = '\0';
	ck_assert_msg(strncmp(copy, "info move ", 10) == 0, "'%s'", line);
	word = strtok_r(copy, " ", &save);
	while (word && strcmp(word, "info") == 0) {
		char first[MOVE_TEXT_MAX] = "";
		bool has_visits = false, has_winrate = false, has_pv = false;
		while (!has_pv && (word = strtok_r(NULL, " ", &save))) {
			if (strcmp(word, "pv") == 0) {
				has_pv = true;
				break;
			}
			value = strtok_r(NULL, " ", &save);
			ck_assert_msg(value, "%s has no value in '%s'", word, line);
			if (strcmp(word, "move") == 0) {
				snprintf(first, sizeof first, "%s", value);
			} else if (strcmp(word, "visits") == 0) {
				ck_assert(number(value) >= 0);
				has_visits = true;
			} else if (strcmp(word, "order") == 0) {
				ck_assert(number(value) == infos);
			} else if (strcmp(word, "winrate") == 0) {
				double x = number(value);
				ck_assert(x >= 0 && x <= (is_kata ? 1 : 10000));
				/* Sabaki's library tells the forms apart in this way. */
				ck_assert_int_eq(!!strchr(value, '.'), is_kata);
				has_winrate = true;
			}
		}
		ck_assert_msg(has_visits && has_winrate && has_pv, "'%s'", line);
		struct record line_of_play;
		record_init(&line_of_play, r->game);
		record_copy(&line_of_play, r);
		int length = 0;
		while ((word = strtok_r(NULL, " ", &save)) && strcmp(word, "info") != 0) {
			if (!length++)
				ck_assert_str_eq(word, first);
			record_take_any(&line_of_play, word);
		}
		record_free(&line_of_play);
		ck_assert_int_gt(length, 0);
		infos++;
	}
	ck_assert_ptr_null(word);
	free(copy);
	return infos;
}

static const char *const analyses[] = { "kata-analyze", "lz-analyze", "analyze" };

static bool is_kata(const char *command)
{
	return strncmp(command, "lz-", 3) != 0;
}

/* Reads several lines of info. */
static void hear_infos(const struct record *r, const char *command)
{
	for (int i = 0; i < 2; i++)
		ck_assert_int_gt(count_infos(r, hear_line(t), is_kata(command)), 0);
}

/* Reads the rest of an analysis: lines of info, then a blank line. */
static void hear_last_infos(const struct record *r, const char *command)
{
	const char *line;
	while (strcmp(line = hear_line(t), "\n") != 0)
		count_infos(r, line, is_kata(command));
}

START_TEST(analysis_streams_until_a_line_comes)
{
	struct record r;
	setting = setting_at(_i);
	start(ENDLESS);
	record_init(&r, game_find(setting->name, NULL));
	for (int i = 0; i < 3; i++) {
		const char *command = analyses[i];
		/* An empty line has no answer of its own. */
		tell(t, "%s b 10\n", command);
		ck_assert_str_eq(hear_line(t), "=\n");
		hear_infos(&r, command);
		tell(t, "\n");
		hear_last_infos(&r, command);
		ask_for("yomi", t, "name");
		/* The next command. */
		tell(t, "5 %s b 2\n", command);
		ck_assert_str_eq(hear_line(t), "=5\n");
		hear_infos(&r, command);
		tell(t, "6 protocol_version\n");
		hear_last_infos(&r, command);
		hear_exactly(t, "=6 2\n\n");
	}
	/* quit, and the end of the input. */
	tell(t, "kata-analyze b 2\n");
	ck_assert_str_eq(hear_line(t), "=\n");
	hear_infos(&r, "kata-analyze");
	tell(t, "quit\n");
	hear_last_infos(&r, "kata-analyze");
	hear_exactly(t, "=\n\n");
	end();
	start(ENDLESS);
	tell(t, "kata-analyze b 2\n");
	ck_assert_str_eq(hear_line(t), "=\n");
	hear_infos(&r, "kata-analyze");
	talk_hang_up(t);
	hear_last_infos(&r, "kata-analyze");
	end();
	record_free(&r);
}
END_TEST

/* Plays a game with each command. The moves are legal and are played. */
START_TEST(genmove_analyze_ends_with_its_move)
{
	static const char *const commands[] = { "kata-genmove_analyze", "lz-genmove_analyze",
						"genmove_analyze" };
	struct record r;
	setting = setting_at(_i);
	start(" --threads 1 --seed 1 --memory 8 --search montecarlo --time 0.05");
	record_init(&r, game_find(setting->name, NULL));
	for (int i = 0; i < 6 && !r.now.over; i++) {
		const char *command = commands[i % 3], *line;
		tell(t, "%s %c 1\n", command, "bw"[r.now.side]);
		ck_assert_str_eq(hear_line(t), "=\n");
		while (strncmp(line = hear_line(t), "play ", 5) != 0)
			count_infos(&r, line, is_kata(command));
		char move[MOVE_TEXT_MAX + 1];
		ck_assert_int_eq(sscanf(line, "play %12s\n", move), 1);
		record_take_any(&r, move);
		ck_assert_str_eq(hear_line(t), "\n");
	}
	char position[POSITION_TEXT_MAX];
	game_position(r.game, &r.now, position);
	ask_for(position, t, "position");
	record_free(&r);
	end();
}
END_TEST

START_TEST(parameters_of_katago)
{
	begin(_i);
	char *list = strdup(ask(t, "kata-list-params")), *save;
	ck_assert_int_ne(*list, '?');
	int params = 0;
	for (char *p = strtok_r(list, " ", &save); p; p = strtok_r(NULL, " ", &save)) {
		char *value = strdup(ask(t, "kata-get-param %s", p));
		ck_assert_msg(*value && *value != '?', "%s: %s", p, value);
		ask_for("", t, "kata-set-param %s %s", p, value);
		ask_for(value, t, "kata-get-param %s", p);
		free(value);
		params++;
	}
	ck_assert_int_gt(params, 3);
	free(list);
	refuses(t, "kata-get-param no_such_parameter");
	refuses(t, "kata-set-param no_such_parameter 1");
	end();
}
END_TEST

START_TEST(sgf_is_written_and_read)
{
	char path[] = "/tmp/yomi-checklist-XXXXXX", position[POSITION_TEXT_MAX];
	begin(_i);
	for (int i = 0; i < 4; i++)
		ask_for("", t, "play %c %s", "bw"[i % 2], setting -> moves[i]);
	snprintf(position, sizeof position, "%s", ask(t, "position"));
	ck_assert_int_eq(strncmp(ask(t, "printsgf"), "(;", 2), 0);
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ask_for("", t, "printsgf %s", path);
	ask_for("", t, "clear_board");
	ask_for("", t, "loadsgf %s", path);
	ask_for(position, t, "position");
	ask_for("", t, "undo");
	snprintf(position, sizeof position, "%s", ask(t, "position"));
	ask_for("", t, "loadsgf %s 4", path);
	ask_for(position, t, "position");
	unlink(path);
	end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("extensions");
	TCase *cases = tcase_create("extensions");
	tcase_set_timeout(cases, 120);
	EACH_GAME(processor_time_is_answered);
	EACH_GAME(searches_are_interrupted);
	EACH_GAME(gogui_rules_show_the_board);
	EACH_GAME(analyze_commands_are_known);
	EACH_GAME(gogui_sets_up_positions);
	EACH_GAME(list_games_and_set_game);
	EACH_GAME(analysis_streams_until_a_line_comes);
	EACH_GAME(genmove_analyze_ends_with_its_move);
	EACH_GAME(parameters_of_katago);
	EACH_GAME(sgf_is_written_and_read);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
