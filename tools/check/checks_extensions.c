/* SPDX-License-Identifier: MIT
 *
 * Checks of optional commands: interruption, GoGui, analysis, SGF, parameters.
 */
#include "engine/base/text.h"
#include "engine/base/thread.h"
#include "tools/check/checks.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/square.h"
#include "engine/search/clock.h"
#include "tools/check/play.h"

/* Sets an hour of time per move, if the engine has a command for it. */
static bool think_long(struct target *s)
{
	if (target_knows(s, "set_time"))
		return target_ask(s, "set_time 3600");
	return !target_knows(s, "time_settings") || target_ask(s, "time_settings 0 3600 1");
}

bool check_interrupt(struct target *s)
{
	if (!target_expect(s, "=", "%s", s->about) || !think_long(s) ||
	    !target_send(s, "genmove b\n", 10))
		return false;
	thread_sleep(200000000);
	return target_send(s, "# interrupt\n", 12) && target_receive(s) &&
	       (*s->answer == '=' || target_fail(s, NULL, "a move"));
}

bool check_sigint(struct target *s)
{
	const char *text = target_ask_text(s, s->about, "the number of its process");
	if (!text)
		return false;
	/* Make sure that the signal goes to the engine. */
	long pid = strtol(text, NULL, 10);
	if (pid <= 1 || !connection_has(&s->connection, pid))
		return target_fail(s, NULL, "the number of its process");
	if (!think_long(s) || !target_send(s, "genmove b\n", 10))
		return false;
	/* A signal that comes before the command is read ends no search, so it is repeated. */
	int64_t end = clock_now() + (int64_t)(s->patience * 1e9);
	do
		connection_interrupt(&s->connection, pid);
	while (!connection_is_readable(&s->connection, 0.1) && clock_now() < end);
	return target_receive(s) && (*s->answer == '=' || target_fail(s, NULL, "a move"));
}

/* GoGui knows no swap. */
static void extensions_begin(const struct target *s, struct record *r)
{
	record_init(r, s->game);
	record_set_swap(r, false);
}

bool check_game_id(struct target *s)
{
	if (!target_ask_line(s, s->about, false))
		return false;
	const char *text = target_text(s->answer);
	return (isupper((unsigned char)*text) && !strchr(text, ' ')) ||
	       target_fail(s, NULL, "one word with a capital, as Othello");
}

bool check_board_size(struct target *s)
{
	const char *text = target_ask_text(s, s->about, "a number");
	if (!text)
		return false;
	const char *rest = text + strspn(text, "0123456789");
	if (rest == text || (*rest && strcmp(rest, " hex") != 0))
		return target_fail(s, NULL, "a number, of hexagons with `hex`");
	/* Its row 1 may now be at the bottom, as in GoGui's drawing. */
	target_kill(s);
	return true;
}

/* Compares the board that the engine reports to GoGui with the position. */
static bool compare_board(struct target *s, const struct record *r)
{
	const char *text = target_ask_text(s, s->about, "the board");
	if (!text)
		return false;
	const struct game *g = r->game;
	int size = game_size(g);
	for (int number = size; number >= 1; number--) {
		int row = square_row(g, number);
		for (int col = 0; col < size; col++) {
			bool is_on = number <= g->board.rows && col < g->board.cols;
			char at = is_on ? g->at(g, &r->now, row, col) : '.',
			     c = at == ':' ? '?' : at;
			text += strspn(text, " \n");
			if (*text++ != c)
				return target_fail(s, NULL,
						   "`%c` at %c%d; the highest row comes first", c,
						   square_letter(&s->names, col), number);
		}
	}
	return text || target_fail(s, NULL, "the board");
}

bool check_board(struct target *s)
{
	struct record r;
	struct rng rng;
	rng_seed(&rng, 5);
	extensions_begin(s, &r);
	bool good = compare_board(s, &r);
	for (int i = 0; good && i < 4 && !r.now.over; i++) {
		record_play(&r, record_draw(&r, &rng));
		good = play_tell_move(s, &r, i) && compare_board(s, &r);
	}
	record_free(&r);
	return good;
}

/* Passes if exactly the legal moves are listed. An engine may list the two steps of a move separately. */
static bool extensions_compare_moves(struct target *s, const struct record *r)
{
	struct move list[GAME_MOVES_MAX], move;
	const char *text = target_ask_text(s, s->about, "the legal moves");
	int n = r->now.over ? 0 : record_moves(r, list);
	bool good = true;
	if (!text)
		return false;
	char *words = xstrdup(text), *save;
	for (char *w = strtok_r(words, " \n", &save); good && w; w = strtok_r(NULL, " \n", &save)) {
		good = !r->now.over && target_parse(s, r, w, &move) == MOVE_OK;
		/* GoGui compares text: moves in upper case, pass in lower case. */
		for (const char *c = w; good && *c; c++)
			good = strcmp(w, "pass") == 0 || !islower((unsigned char)*c);
		for (int i = 0; good && i < n; i++)
			if (move_equal(list[i], move))
				list[i--] = list[--n];
	}
	free(words);
	if (good && n == 0)
		return true;
	return target_fail(s, NULL,
			   r->now.over ? "nothing, as the game is over"
				       : "exactly the legal moves, in upper case");
}

bool check_legal_moves(struct target *s)
{
	struct record r;
	struct rng rng;
	rng_seed(&rng, 6);
	extensions_begin(s, &r);
	bool good = extensions_compare_moves(s, &r);
	while (good && !r.now.over) {
		record_play(&r, record_draw(&r, &rng));
		good = play_tell_move(s, &r, r.count - 1) && extensions_compare_moves(s, &r);
	}
	record_free(&r);
	return good;
}

bool check_side(struct target *s)
{
	return target_expect(s, "= b*", "%s", s->about) &&
	       target_expect(s, "=", "play b %s", s->moves[0]) &&
	       target_expect(s, "= w*", "%s", s->about);
}

bool check_result(struct target *s)
{
	struct record r;
	struct rng rng;
	rng_seed(&rng, 8);
	extensions_begin(s, &r);
	while (!r.now.over)
		record_play(&r, record_draw(&r, &rng));
	bool good = play_tell_moves(s, &r) && target_ask_line(s, s->about, false);
	record_free(&r);
	return good;
}

/* Returns true if a line is TYPE/LABEL/COMMAND with a known type and command. */
static bool is_analyze_command(struct target *s, const char *line)
{
	static const char types[] =
		" bwboard cboard dboard eplist gfx hstring hpstring none param plist "
		"pspairs pstring sboard string var varb varc varp varpo varw ";
	char type[32], label[128], command[128], word[40];
	if (sscanf(line, "%31[^/]/%127[^/]/%127s", type, label, command) != 3)
		return false;
	snprintf(word, sizeof word, " %s ", type);
	return strstr(types, word) && target_knows(s, command);
}

bool check_analyze_commands(struct target *s)
{
	const char *text = target_ask_text(s, s->about, "lines of type/label/command");
	if (!text)
		return false;
	char *lines = xstrdup(text), *save;
	bool good = true;
	for (char *l = strtok_r(lines, "\n", &save); good && l; l = strtok_r(NULL, "\n", &save))
		if (!is_analyze_command(s, l)) {
			char got[96];
			snprintf(got, sizeof got, "`%.80s`", l);
			good = target_fail(s, got,
					   "type/label/command with a known type and command");
		}
	free(lines);
	return good;
}

/* Sets up a position stone by stone. */
bool check_setup(struct target *s)
{
	struct record r;
	struct rng rng;
	char square[SQUARE_TEXT_MAX];
	rng_seed(&rng, 7);
	extensions_begin(s, &r);
	for (int i = 0; i < 4 && !r.now.over; i++)
		record_play(&r, record_draw(&r, &rng));
	struct text line = { 0 };
	text_puts(&line, s->about);
	for (int row = 0; row < r.game->board.rows; row++) {
		for (int col = 0; col < r.game->board.cols; col++) {
			char c = r.game->at(r.game, &r.now, row, col);
			square_format(&s->names, row, col, square);
			if (c == 'X' || c == 'O')
				text_printf(&line, " %s %s", play_colors[c == 'X' ? BLACK : WHITE],
					    square);
		}
	}
	char genmove[16];
	snprintf(genmove, sizeof genmove, "genmove %s", play_colors[r.now.side]);
	bool good = target_expect(s, "=", "%s", line.bytes) &&
		    (!target_knows(s, "gogui-setup_player") ||
		     target_expect(s, "=", "gogui-setup_player %s", play_colors[r.now.side])) &&
		    play_ask_any_move(s, &r, genmove);
	text_free(&line);
	record_free(&r);
	return good;
}

bool check_games(struct target *s)
{
	const char *text = target_ask_text(s, s->about, "one game a line");
	if (!text)
		return false;
	if (!*text)
		return target_fail(s, NULL, "one game a line");
	char *lines = xstrdup(text), *save;
	bool good = true, sets = target_knows(s, "set_game");
	for (char *l = strtok_r(lines, "\n", &save); good && l; l = strtok_r(NULL, "\n", &save))
		good = !sets || target_expect(s, "=", "set_game %s", l);
	free(lines);
	good = good && (!sets || target_expect(s, "?*", "set_game Nosuchgame"));
	/* The engine may now play another game than the other checks need. */
	target_kill(s);
	return good;
}

/* Reads an analysis up to its first line with moves. */
static bool receive_infos(struct target *s)
{
	const char *line = target_receive_line(s);
	if (!line)
		return false;
	if (line[0] != '=' || line[1 + strspn(line + 1, " 0123456789")])
		return target_fail(s, NULL, "`=` at once");
	while ((line = target_receive_line(s)) && strncmp(line, "info move ", 10) != 0)
		if (!*line)
			return target_fail(s, "its end", "`info move ...`");
	return line && (strstr(line, " visits ") || target_fail(s, NULL, "visits"));
}

/* Reads the rest of an analysis, including its blank line. */
static bool receive_last_infos(struct target *s)
{
	const char *line;
	while ((line = target_receive_line(s)) && *line)
		;
	return line;
}

bool check_analysis(struct target *s)
{
	char line[64];
	int n = snprintf(line, sizeof line, "%s b 10\n", s->about);
	return target_send(s, line, (size_t)n) && receive_infos(s) && target_send(s, "\n", 1) &&
	       receive_last_infos(s) && target_in_step(s) && target_send(s, line, (size_t)n) &&
	       receive_infos(s) && target_send(s, "name\n", 5) && receive_last_infos(s) &&
	       target_receive_as(s, "$n");
}

bool check_analysis_end(struct target *s)
{
	char line[64];
	int n = snprintf(line, sizeof line, "%s b 10\n", s->about);
	if (!target_send(s, line, (size_t)n) || !receive_infos(s))
		return false;
	connection_end_input(&s->connection);
	return target_await_end(s, 1) != -1;
}

bool check_genmove_analyze(struct target *s)
{
	struct record room, *r = play_begin(s, &room);
	struct move move;
	char line[64];
	const char *heard = NULL;
	int n = snprintf(line, sizeof line, "%s b 10\n", s->about);
	bool good = target_send(s, line, (size_t)n) && (heard = target_receive_line(s)) &&
		    (*heard == '=' || target_fail(s, NULL, "`=` at once"));
	while (good && (heard = target_receive_line(s)) && strncmp(heard, "play ", 5) != 0)
		good = *heard || target_fail(s, "its end", "`play MOVE` in its last line");
	good = good && heard &&
	       (!r || strcasecmp(heard + 5, "resign") == 0 ||
		record_parse(r, heard + 5, &move) == MOVE_OK ||
		target_fail(s, NULL, "a legal move")) &&
	       (heard = target_receive_line(s)) &&
	       (!*heard || target_fail(s, NULL, "a blank line"));
	play_end(r);
	return good;
}

/* Writes a game to a file and reads it back. */
bool check_sgf(struct target *s)
{
	if (!target_expect(s, "=", "play b %s", s->moves[0]) ||
	    !target_expect(s, "=", "play w %s", s->moves[1]) ||
	    !target_expect(s, "= (;*", "%s", s->about))
		return false;
	if (!target_knows(s, "loadsgf"))
		return true;
	char *path = target_make_file(s);
	if (!path)
		return false;
	bool good = target_expect(s, "=*", "%s %s", s->about, path) &&
		    target_expect(s, "=", "clear_board") &&
		    target_expect(s, "=*", "loadsgf %s", path) &&
		    target_expect(s, "?*", "play b %s", s->occupied) &&
		    target_expect(s, "=", "play b %s", s->moves[2]);
	remove(path);
	free(path);
	return good;
}

bool check_params(struct target *s)
{
	const char *text = target_ask_text(s, s->about, "the names of parameters");
	if (!text)
		return false;
	char *words = xstrdup(text), *save;
	bool good = text || target_fail(s, NULL, "the names of parameters");
	for (char *w = strtok_r(words, " \n", &save); good && w; w = strtok_r(NULL, " \n", &save))
		good = target_expect(s, "= *", "kata-get-param %s", w);
	free(words);
	return good && target_expect(s, "?*", "kata-get-param no_such_parameter");
}
