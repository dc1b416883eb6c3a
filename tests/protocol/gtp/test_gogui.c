/* SPDX-License-Identifier: MIT
 *
 * GoGui's commands, used as GoGui uses them: a ruler that answers for the whole game after each move, two plays
 * for a move of Pentago, answers in the form that GoGui's parsers read, graphics on stderr. The tests use a
 * session without a process.
 */
#include <ctype.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/base/rng.h"
#include "engine/search/game_check.h"
#include "protocol/carriers/loop.h"
#include "protocol/gtp/commands.h"
#include "protocol/session/command.h"
#include "protocol/session/fifo.h"
#include "protocol/session/session.h"
#include "tests/engine/naive.h"
#include "tests/rectangle.h"
#include "tests/suite.h"

static struct event_base *base;
static struct session *session;
static struct options options;

static void nothing(void *arg)
{
	(void)arg;
}

static void sit_down(const struct game *g)
{
	options_init(&options);
	options.threads = 1;
	options.seed = 3;
	options.playouts = 300;
	options.memory = 8;
	base = event_base_new();
	session = session_create(&(struct session_setup) {
		.loop = &loop_of_events,
		.base = base,
		.game = g,
		.options = &options,
		.protocols = protocols_gtp,
		.line_max = SESSION_LINE_MAX,
		.queue_max = SESSION_QUEUE_MAX,
		.changed = nothing,
	});
	ck_assert_ptr_nonnull(session);
}

static void leave(void)
{
	session_destroy(session);
	event_base_free(base);
}

/* Sends a line and checks the form of the answer. Returns the answer without `= ` and the last line feeds; an
 * error keeps its `?`. The next call overwrites it. */
__attribute__((format(printf, 1, 2))) static const char *ask(const char *format, ...)
{
	static char answer[1 << 16];
	char line[1 << 14];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(line, sizeof line - 1, format, args);
	va_end(args);
	ck_assert_int_lt(n, (int)sizeof line - 1);
	line[n] = '\n';
	session_input(session, line, (size_t)n + 1);
	struct fifo *output = session_output(session);
	while (!fifo_length(output) || session_is_thinking(session))
		event_base_loop(base, EVLOOP_ONCE);
	ck_assert_uint_lt(fifo_length(output), sizeof answer);
	n = (int)fifo_length(output);
	memcpy(answer, fifo_bytes(output), fifo_length(output));
	fifo_clear(output);
	answer[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	ck_assert_msg(n > 2 && strcmp(answer + n - 2, "\n\n") == 0, "%s: %s", line, answer);
	answer[n - 2] = '\0';
	ck_assert_msg(!strstr(answer, "\n\n"), "%s: a blank line in %s", line, answer);
	ck_assert_msg(*answer == '?' || strcmp(answer, "=") == 0 || strncmp(answer, "= ", 2) == 0,
		      "%s: %s", line, answer);
	return *answer == '?' ? answer : answer[1] ? answer + 2 : "";
}

#define ask_for(answer, ...) ck_assert_str_eq(ask(__VA_ARGS__), answer)

/* --- the frame, told again from its description --- */

/* The points of the turns S .. Z. */
static const char *const turn_points[] = { "A6", "C8", "F8", "H6", "H3", "F1", "C1", "A3" };

/* "c4z" is a placement on D4 and a turn by A3. */
static void point_of(const char *move, char point[4])
{
	snprintf(point, 4, "%c%c", toupper(move[0]) + 1, '8' - (move[1] - '0'));
}

START_TEST(moves_have_their_points)
{
	sit_down(&game_pentago);
	ask_for("", "boardsize 8");
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX], point[4], expected[16 + MOVE_TEXT_MAX];
	int n = game_moves(&game_pentago, &session->record.now, moves);
	ck_assert_int_eq(n, 288);
	for (int i = 0; i < n; i++) {
		game_format(&game_pentago, &session->record.now, moves[i], text);
		point_of(text, point);
		ask_for("", "play b %s", point);
		ask_for("black", "gogui-rules_side_to_move");
		ask_for("", "play b %s", turn_points[text[2] - 'S']);
		ask_for("white", "gogui-rules_side_to_move");
		snprintf(expected, sizeof expected, "black %s", text);
		ask_for(expected, "move_history");
		ask_for("", "undo");
		ask_for("black", "gogui-rules_side_to_move");
		ask_for("", "undo");
		ask_for("", "move_history");
	}
	ask_for("? cannot undo", "undo");
	leave();
}
END_TEST

/* --- the ruler --- */

/* A game as a list of plays, and what the ruler must answer before each play. */
#define PLAYS_MAX 80

struct play {
	int side;
	char text[MOVE_TEXT_MAX];
	char board[256], legal[512], counted[24]; /* before it */
};

struct script {
	struct play plays[PLAYS_MAX + 1];
	int count;
	bool framed;
};

/* Writes the board in the form of gogui-rules_board. */
static void write_board(const struct script *script, const struct game *g, const struct state *s,
			char *to)
{
	int size = script->framed ? 8 : g->board.rows;
	for (int row = size; row >= 1; row--) {
		for (int col = 0; col < size; col++) {
			char point[16], c = '?';
			snprintf(point, sizeof point, "%c%d", 'A' + col, row);
			if (!script->framed)
				c = g->at(g, s, row - 1, col);
			else if (row > 1 && row < 8 && col > 0 && col < 7)
				c = g->at(g, s, 7 - row, col - 1);
			for (int i = 0; script->framed && i < 8; i++)
				if (strcmp(point, turn_points[i]) == 0)
					c = '.';
			to += sprintf(to, "%c%s", c, col < size - 1 ? " " : row > 1 ? "\n" : "");
		}
	}
}

static int compare_words(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the words of a line in place. */
static void sort_words(char *line)
{
	char copy[8192], *words[512], *save, *to = line;
	int n = 0;
	ck_assert_uint_lt(strlen(line), sizeof copy);
	strcpy(copy, line);
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		words[n++] = w;
	qsort(words, (size_t)n, sizeof *words, compare_words);
	*to = '\0';
	for (int i = 0; i < n; i++)
		to += sprintf(to, "%s%s", i ? " " : "", words[i]);
}

/* Writes all legal plays of a state, which may be between the two plays of a move. */
static void write_legal(const struct script *script, const struct game *g, const struct state *s,
			char *to)
{
	move_t steps[GAME_STEPS_MAX];
	char text[MOVE_TEXT_MAX], point[4];
	*to = '\0';
	int n = s->over ? 0 : g->moves(g, s, steps);
	for (int i = 0; i < n; i++) {
		if (steps[i] == g->steps.pass) {
			to += sprintf(to, "pass");
		} else if (script->framed && s->pending) {
			to += sprintf(to, "%s%s", i ? " " : "", turn_points[steps[i] - 36]);
		} else if (script->framed) {
			snprintf(text, sizeof text, "%c%d", 'a' + steps[i] % 6, 1 + steps[i] / 6);
			point_of(text, point);
			to += sprintf(to, "%s%s", i ? " " : "", point);
		} else {
			game_format(g, s, move_single(steps[i]), text);
			to += sprintf(to, "%s%s", i ? " " : "", text);
		}
	}
}

static int count_of(const char *text, char c)
{
	int n = 0;
	for (; *text; text++)
		n += *text == c;
	return n;
}

/* Writes a random game. */
static void write_script(struct script *script, const struct game *g, bool framed, uint64_t seed)
{
	struct rng rng;
	struct state s;
	move_t steps[GAME_STEPS_MAX];
	char text[MOVE_TEXT_MAX];
	rng_seed(&rng, seed);
	g->start(g, &s);
	*script = (struct script) { .framed = framed };
	for (;;) {
		struct play *p = &script->plays[script->count];
		p->side = s.side;
		write_board(script, g, &s, p->board);
		write_legal(script, g, &s, p->legal);
		bool counts = g == &game_othello;
		snprintf(p->counted, sizeof p->counted, "%d %d",
			 counts ? count_of(p->board, 'X') : 0,
			 counts ? count_of(p->board, 'O') : 0);
		if (s.over)
			break;
		ck_assert_int_lt(script->count, PLAYS_MAX);
		script->count++;
		move_t step = steps[rng_below(&rng, (uint32_t)g->moves(g, &s, steps))];
		if (step == g->steps.pass)
			strcpy(p->text, "PASS");
		else if (framed && s.pending)
			strcpy(p->text, turn_points[step - 36]);
		else if (framed) {
			snprintf(text, sizeof text, "%c%d", 'a' + step % 6, 1 + step / 6);
			point_of(text, p->text);
		} else
			game_format(g, &s, move_single(step), p->text);
		g->play(g, &s, step);
		sort_words(p->legal);
	}
}

static void check_ruler(const struct script *script, int at)
{
	const struct play *p = &script->plays[at];
	char legal[512];
	ask_for(p->board, "gogui-rules_board");
	ck_assert_int_lt((int)strlen(ask("gogui-rules_legal_moves")), (int)sizeof legal);
	strcpy(legal, ask("gogui-rules_legal_moves"));
	sort_words(legal);
	ck_assert_str_eq(legal, p->legal);
	ask_for(p->counted, "gogui-rules_captured_count");
}

static void send_play(const struct script *script, int at)
{
	const struct play *p = &script->plays[at];
	ask_for(p->side == BLACK ? "black" : "white", "gogui-rules_side_to_move");
	ask_for("", "play %c %s", p->side == BLACK ? 'B' : 'W', p->text);
}

static const struct {
	const struct game *game;
	bool framed;
} boards[] = {
	{ &game_othello, false },       { &game_tictactoe, false },        { &game_pentago, true },
	{ &game_pentago_tajima, true }, { &game_pentago_openspiel, true },
};
enum { BOARDS = sizeof boards / sizeof boards[0] };

/* To show a position GoGui plays the whole game again. The test looks at each position. */
START_TEST(ruler_answers_for_a_whole_game)
{
	struct script script;
	const struct game *g = boards[_i].game;
	sit_down(g);
	if (boards[_i].framed)
		ask_for("", "boardsize 8");
	for (uint64_t seed = 1; seed <= 3; seed++) {
		write_script(&script, g, boards[_i].framed, seed);
		for (int at = 0; at <= script.count; at++) {
			ask_for("", "clear_board");
			for (int i = 0; i < at; i++)
				send_play(&script, i);
			check_ruler(&script, at);
		}
		ck_assert_str_ne(ask("gogui-rules_final_result"), "The game is not over");
		ask_for("PASS", "genmove b");
		ask_for("", "undo");
		ask_for("", "gogui-rules_legal_moves");
	}
	leave();
}
END_TEST

/* Steps back and forth like clicks on GoGui's arrows. Undone plays are played again. */
START_TEST(undo_in_mid_game)
{
	struct script script;
	struct rng rng;
	const struct game *g = boards[_i].game;
	rng_seed(&rng, 7);
	sit_down(g);
	if (boards[_i].framed)
		ask_for("", "boardsize 8");
	for (uint64_t seed = 11; seed <= 13; seed++) {
		write_script(&script, g, boards[_i].framed, seed);
		ask_for("", "clear_board");
		for (int at = 0; at < script.count;) {
			send_play(&script, at++);
			uint32_t back = rng_below(&rng, 5);
			for (; back && at; back--, at--)
				ask_for("", "undo");
			check_ruler(&script, at);
			/* Go on in the game. */
			for (int i = 0; i < 3 && at < script.count; i++)
				send_play(&script, at++);
			check_ruler(&script, at);
		}
		for (int at = script.count - 1; at >= 0; at--) {
			ask_for("", "undo");
			check_ruler(&script, at);
		}
		ask_for("? cannot undo", "undo");
	}
	leave();
}
END_TEST

/* The same game in one command. If the last play is illegal, nothing is played. */
START_TEST(play_sequence_plays_all_or_nothing)
{
	struct script script;
	char line[4096], *to = line;
	const struct game *g = boards[_i].game;
	sit_down(g);
	if (boards[_i].framed)
		ask_for("", "boardsize 8");
	write_script(&script, g, boards[_i].framed, 5);
	for (int i = 0; i < script.count; i++)
		to += sprintf(to, " %c %s", script.plays[i].side == BLACK ? 'b' : 'w',
			      script.plays[i].text);
	ask_for("? illegal move", "gogui-play_sequence%s b A1", line);
	check_ruler(&script, 0);
	ask_for("? syntax error", "gogui-play_sequence%s b", line);
	check_ruler(&script, 0);
	ask_for("", "gogui-play_sequence%s", line);
	check_ruler(&script, script.count);
	leave();
}
END_TEST

/* --- the engine plays in the frame --- */

static bool is_word(const char *words, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = words; (at = strstr(at, word)); at += n)
		if ((at == words || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

/* Whole games with two answers for each move, with every search. Sometimes the client chooses the placement,
 * so that only its turn is searched. */
START_TEST(answers_in_the_frame)
{
	const char *search = algorithms[_i]->name;
	char legal[1024], move[1024];
	struct rng rng;
	rng_seed(&rng, 9);
	sit_down(&game_pentago);
	ask_for("", "boardsize 8");
	ask_for("", "param search %s", search);
	ask_for("", "param depth 1");
	for (int plays = 0;; plays++) {
		strcpy(legal, ask("gogui-rules_legal_moves"));
		if (!*legal)
			break;
		ck_assert_int_lt(plays, 72);
		char side = *ask("gogui-rules_side_to_move");
		bool is_placement = !is_word(legal, "A6");
		strcpy(move, ask("reg_genmove %c", side));
		ck_assert_msg(is_word(legal, move), "%s: %s of %s", search, move, legal);
		ask_for(legal, "gogui-rules_legal_moves");
		if (is_placement && rng_below(&rng, 2)) {
			ask_for("", "play %c %s", side, move);
			continue;
		}
		strcpy(move, ask("genmove %c", side));
		ck_assert_msg(is_word(legal, move), "%s: %s of %s", search, move, legal);
		if (!is_placement || !*ask("gogui-rules_legal_moves"))
			continue;
		/* The turn found by the same search is answered without another search, any number of times. */
		ask_for("", "param playouts 1000000000000000");
		strcpy(move, ask("reg_genmove %c", side));
		ask_for(move, "genmove %c", side);
		ask_for("", "undo");
		ask_for("", "param playouts 300");
		ck_assert_str_ne(ask("genmove %c", side), "PASS");
		plays++;
	}
	ck_assert_str_ne(ask("final_score"), "? cannot score");
	leave();
}
END_TEST

/* --- what GoGui parses --- */

static bool is_point(const char *word, int size)
{
	char *end;
	long row = strtol(word + 1, &end, 10);
	return isupper((unsigned char)word[0]) && word[0] < 'A' + size && !*end && row >= 1 &&
	       row <= size;
}

static bool is_color(const char *word)
{
	return word[0] == '#' && strlen(word) == 7 && strspn(word + 1, "0123456789abcdef") == 6;
}

static bool is_share(const char *word)
{
	char *end;
	double x = strtod(word, &end);
	return end != word && !*end && x >= -1 && x <= 1;
}

/* Checks a line of the gfx language. */
static void check_gfx_line(const char *line, int size)
{
	char copy[4096], *words[512], *save;
	int n = 0;
	ck_assert_uint_lt(strlen(line), sizeof copy);
	strcpy(copy, line);
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		words[n++] = w;
	ck_assert_int_gt(n, 0);
	if (strcmp(words[0], "TEXT") == 0 || strcmp(words[0], "CLEAR") == 0)
		return;
	bool is_var = strcmp(words[0], "VAR") == 0, is_label = strcmp(words[0], "LABEL") == 0,
	     is_influence = strcmp(words[0], "INFLUENCE") == 0,
	     is_back = strcmp(words[0], "COLOR") == 0;
	ck_assert_msg(is_var || is_label || is_influence || is_back, "%s", line);
	ck_assert_msg(is_back || n % 2 == 1, "%s", line);
	ck_assert_msg(!is_back || (n > 2 && is_color(words[1])), "%s", line);
	for (int i = is_back ? 2 : 1; i < n; i++) {
		bool first = is_back || i % 2 == 1;
		bool good = is_var && first ? strcmp(words[i], "b") == 0 || !strcmp(words[i], "w")
			    : is_var        ? is_point(words[i], size) || !strcmp(words[i], "PASS")
			    : first         ? is_point(words[i], size)
			    : is_influence  ? is_share(words[i])
					    : strlen(words[i]) <= 4;
		ck_assert_msg(good, "word %d of %s", i, line);
	}
}

static void check_gfx(const char *text, int size)
{
	char copy[1 << 16], *save;
	int texts = 0;
	strcpy(copy, text);
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		check_gfx_line(line, size);
		texts += strncmp(line, "TEXT", 4) == 0;
	}
	/* GoGui opens a window for more than one line. */
	ck_assert_int_le(texts, 1);
}

static void check_points(const char *text, int size)
{
	char copy[1 << 16], *save;
	strcpy(copy, text);
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		ck_assert_msg(is_point(w, size) || strcmp(w, "pass") == 0, "%s", w);
}

/* "[bool] name 1", "[list/a/b] name a", "[string] name x" */
static void check_parameters(const char *text)
{
	char copy[1 << 16], *save, item[256];
	strcpy(copy, text);
	ck_assert(*copy);
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char type[512], name[256], value[256];
		ck_assert_msg(sscanf(line, "[%511[^]]] %255s %255s", type, name, value) == 3, "%s",
			      line);
		snprintf(item, sizeof item, "/%.100s/", value);
		strcat(type, "/");
		if (strcmp(type, "bool/") == 0)
			ck_assert(strcmp(value, "0") == 0 || strcmp(value, "1") == 0);
		else if (strncmp(type, "list/", 5) == 0)
			ck_assert_msg(strstr(type, item), "%s", line);
		else
			ck_assert_str_eq(type, "string/");
		/* The dialog sends the shown values back. */
		ask_for("", "param %s %s", name, value);
	}
}

/* Runs a row of the analyze window and parses its answer as GoGui does. */
static void run_row(const char *row, int size)
{
	char type[32], label[64], line[128], name[64];
	ck_assert_msg(sscanf(row, "%31[^/]/%63[^/]/%127[^/\n]", type, label, line) == 3, "%s", row);
	sscanf(line, "%63s", name);
	ck_assert_msg(commands_find(name), "%s", row);
	char *file = strstr(line, "%w");
	if (file)
		strcpy(file, "/dev/null");
	const char *answer = ask("%s", line);
	/* /dev/null is not a regular file. */
	ck_assert_msg(*answer != '?' || file, "%s: %s", line, answer);
	if (strcmp(type, "gfx") == 0)
		check_gfx(answer, size);
	else if (strcmp(type, "plist") == 0)
		check_points(answer, size);
	else if (strcmp(type, "param") == 0)
		check_parameters(answer);
	else
		ck_assert_msg(is_word("hstring string none", type), "%s", row);
}

static void run_rows(int size)
{
	char rows[4096], *save;
	strcpy(rows, ask("gogui-analyze_commands"));
	check_gfx(ask("gogui-rules_board_gfx"), size);
	for (char *row = strtok_r(rows, "\n", &save); row; row = strtok_r(NULL, "\n", &save))
		run_row(row, size);
}

/* At the start, in mid-game, with only a turn missing, at the end. */
START_TEST(analyze_window_shows_results)
{
	struct script script;
	const struct game *g = boards[_i].game;
	sit_down(g);
	if (boards[_i].framed)
		ask_for("", "boardsize 8");
	int size = boards[_i].framed ? 8 : g->board.rows;
	ask_for("", "param playouts 100");
	write_script(&script, g, boards[_i].framed, 2);
	for (int at = 0; at <= script.count; at++) {
		if (at < 4 || at >= script.count - 4)
			run_rows(size);
		if (at < script.count)
			send_play(&script, at);
	}
	leave();
}
END_TEST

/* Every search has results to show. Pentago without the frame uses points of its own board. */
START_TEST(analyze_window_of_each_search)
{
	sit_down(&game_pentago);
	ask_for("", "param search %s", algorithms[_i]->name);
	ask_for("", "param depth 1");
	run_rows(6);
	ask_for("", "boardsize 8");
	run_rows(8);
	ask_for("", "play b D4");
	run_rows(8);
	ask_for("", "set_game othello");
	run_rows(8);
	leave();
}
END_TEST

/* Drawings reuse the results of a search, unless the position has changed or moves are missing. */
START_TEST(reports_are_reused)
{
	char values[8192];
	sit_down(&game_pentago);
	ask_for("", "boardsize 8");
	ask_for("", "param search alphabeta");
	ask_for("", "param depth 1");
	strcpy(values, ask("yomi-values"));
	ask_for("", "param playouts 1");
	ask_for(values, "yomi-values");
	/* All turns of the placement are known already. */
	ask_for("", "play b D4");
	ck_assert_ptr_nonnull(strstr(ask("yomi-values"), " A6 "));
	ask_for("", "undo");
	ask_for(values, "yomi-values");
	/* A search of only these turns has no values of other placements. */
	ask_for("", "play b D4");
	ask_for("", "param playouts 0");
	ck_assert_ptr_nonnull(strstr(ask("yomi-think"), " A6 "));
	ask_for("", "undo");
	ck_assert_ptr_nonnull(strstr(ask("yomi-values"), " B7 "));
	leave();
}
END_TEST

/* A limit of work makes a glance reproducible, also after one that time has ended. Results are told for the side to move. */
START_TEST(a_glance_is_reproducible)
{
	char first[8192];
	sit_down(&game_othello);
	ask_for("", "play b D3");
	ask_for("", "param search mcts");
	ask_for("", "param playouts 5000");
	strcpy(first, ask("yomi-values"));
	ck_assert_msg(strncmp(first, "TEXT white", 10) == 0, "%s", first);
	ck_assert_msg(strstr(first, ", 5000 playouts\n"), "%s", first);
	ask_for("", "param seed 3");
	ask_for("", "play w C3");
	ask_for("", "param playouts 0");
	ask_for("", "param time 0.001");
	ask("yomi-values");
	ask_for("", "undo");
	ask_for("", "param playouts 5000");
	ask("yomi-think");
	ask_for("", "param seed 3");
	ask_for(first, "yomi-think");
	leave();
}
END_TEST

/* A seed does not switch off time, whatever the playouts of a game cost. No search does so many in a millisecond. */
START_TEST(a_seed_keeps_the_time)
{
	static const char *const glances[] = { "values",    "visits", "heatmap",
					       "variation", "proofs", "report" };
	for (int g = 0; games[g]; g++) {
		sit_down(games[g]);
		ask_for("", "param playouts 0");
		ask_for("", "param time 0.001");
		for (size_t i = 0; i < sizeof glances / sizeof *glances; i++) {
			ask_for("", "set_random_seed 5");
			ask_for("", "clear_board");
			const char *answer = ask("yomi-%s", glances[i]);
			ck_assert_msg(*answer != '?' && !strstr(answer, " 100000 "), "%s", answer);
		}
		leave();
	}
}
END_TEST

/* What is proven of a point depends on the moves that the report lacks. It is the same if the sides are exchanged. */
START_TEST(proofs_of_both_sides)
{
	char proofs[2][8192];
	int proven = 0, bounded = 0;
	struct rng rng;
	rng_seed(&rng, 1);
	sit_down(&game_pentago);
	ask_for("", "boardsize 8");
	ask_for("", "param search pns");
	for (int i = 0; i < 120; i++) {
		struct state s;
		if (!naive_position(&game_pentago, 6 + i % 8, &rng, &s))
			continue;
		for (int k = 0; k < 2; k++) {
			uint64_t black = s.board[BLACK];
			record_setup(&session->record, &s);
			/* Without the line of the proof numbers. */
			strcpy(proofs[k], strchr(ask("yomi-proofs"), '\n'));
			s.board[BLACK] = s.board[WHITE];
			s.board[WHITE] = black;
			s.side ^= 1;
			s.hash = state_hash(&s);
		}
		ck_assert_str_eq(proofs[0], proofs[1]);
		proven += strstr(proofs[0], " win") || strstr(proofs[0], " loss");
		bounded += strchr(proofs[0], '=') != NULL;
	}
	ck_assert_int_gt(proven, 10);
	ck_assert_int_gt(bounded, 0);
	leave();
}
END_TEST

/* A number has at most four characters, also where rounding makes it longer. */
START_TEST(numbers_are_short)
{
	static const struct {
		int visits;
		const char *label;
	} numbers[] = { { 999, "999" },     { 1000, "1.0k" },   { 9949, "9.9k" },
			{ 9950, "10k" },    { 99949, "100k" },  { 999499, "999k" },
			{ 999500, "1.0M" }, { 1000000, "1.0M" } };
	char label[64];
	sit_down(&game_tictactoe);
	ask_for("", "param search montecarlo");
	ask_for("", "param early_stop 0");
	ask_for("", "position XOXO..OX. X");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		/* The three moves share the playouts. C3 wins. */
		ask_for("", "param playouts %d", 3 * numbers[i].visits);
		ask("yomi-think");
		snprintf(label, sizeof label, "\nLABEL C3 %s ", numbers[i].label);
		const char *answer = ask("yomi-visits");
		ck_assert_msg(strstr(answer, label), "%d: %s", numbers[i].visits, answer);
	}
	leave();
}
END_TEST

/* Escape ends the search of a drawing, which then shows the results so far. */
START_TEST(drawings_are_interrupted)
{
	sit_down(&game_othello);
	ask_for("", "param search montecarlo");
	ask_for("", "param playouts 1000000000000");
	const char *answer = ask("yomi-think\n# interrupt");
	ck_assert_int_ne(*answer, '?');
	check_gfx(answer, 8);
	leave();
}
END_TEST

/* --- live graphics --- */

/* Reads stderr until `blocks` blocks have ended. */
static void read_blocks(int fd, int blocks, int size)
{
	char line[4096];
	FILE *f = fdopen(fd, "r");
	bool inside = false;
	while (blocks) {
		ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
		line[strcspn(line, "\n")] = '\0';
		if (inside && *line) {
			check_gfx_line(line, size);
		} else if (inside) {
			inside = false;
			blocks--;
		} else {
			ck_assert_str_eq(line, "gogui-gfx:");
			inside = true;
		}
	}
	/* The last command clears the board. */
	ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
	ck_assert_str_eq(line, "gogui-gfx: CLEAR\n");
	fclose(f);
}

/* Begins a search without limit, which draws two blocks until it is interrupted. Returns where they can be read. */
static int draw_live(const char *genmove)
{
	int pipes[2], old = dup(STDERR_FILENO);
	ck_assert_int_eq(pipe2(pipes, O_CLOEXEC), 0);
	ask_for("", "param playouts 1000000000000");
	ask_for("", "param live_gfx 1");
	fflush(stderr);
	ck_assert_int_ge(dup2(pipes[1], STDERR_FILENO), 0);
	session_input(session, genmove, strlen(genmove));
	int64_t drawn[2] = { 0 };
	for (int blocks = 0; blocks < 2;) {
		event_base_loop(base, EVLOOP_ONCE);
		if (session->drawn && (blocks == 0 || session->drawn != drawn[0]))
			drawn[blocks++] = session->drawn;
	}
	ck_assert_int_ge(drawn[1] - drawn[0], 100000000);
	ck_assert(session_interrupt(session));
	while (session_is_thinking(session))
		event_base_loop(base, EVLOOP_ONCE);
	ck_assert_int_ge(dup2(old, STDERR_FILENO), 0);
	close(old);
	close(pipes[1]);
	return pipes[0];
}

START_TEST(live_graphics)
{
	sit_down(boards[_i].game);
	if (boards[_i].framed)
		ask_for("", "boardsize 8");
	ask_for("", "param search montecarlo");
	read_blocks(draw_live("genmove b\n"), 2,
		    boards[_i].framed ? 8 : boards[_i].game->board.rows);
	leave();
}
END_TEST

/* Visits are influence of the side to move: positive for Black, negative for White. */
START_TEST(influence_of_visits)
{
	char line[4096], last[4096] = "";
	sit_down(&game_othello);
	ask_for("", "param search mcts");
	ask_for("", "play b D3");
	if (_i == BLACK)
		ask_for("", "play w C3");
	FILE *f = fdopen(draw_live(_i == BLACK ? "genmove b\n" : "genmove w\n"), "r");
	while (fgets(line, sizeof line, f))
		if (strncmp(line, "INFLUENCE", 9) == 0)
			strcpy(last, line);
	ck_assert_msg(strstr(last, _i == BLACK ? " 1.00" : " -1.00"), "%s", last);
	ck_assert_msg(!strchr(last, '-') == (_i == BLACK), "%s", last);
	fclose(f);
	leave();
}
END_TEST

START_TEST(sigint_ends_only_the_search)
{
	char pid[16];
	sit_down(&game_tictactoe);
	ck_assert(!session_interrupt(session));
	snprintf(pid, sizeof pid, "%ld", (long)getpid());
	ask_for(pid, "gogui-sigint");
	ck_assert(session_interrupt(session));
	leave();
}
END_TEST

/* Every other block is coloured, under the names that the game's squares have. */
START_TEST(blocks_are_coloured)
{
	static struct game striped;
	striped = rectangle;
	striped.board.goes_up = striped.board.skips_i = true;
	striped.board.cols = 10;
	striped.board.block_rows = 1;
	striped.board.block_cols = 5;
	sit_down(&rectangle);
	ask_for("", "gogui-rules_board_gfx");
	session->record.game = &striped;
	ask_for("COLOR #c8a870 A1 B1 C1 D1 E1 F2 G2 H2 J2 K2", "gogui-rules_board_gfx");
	session->record.game = &rectangle;
	leave();
}
END_TEST

/* GoGui draws a rectangular board on a square one. Clients that know rectangles send both numbers. */
START_TEST(rectangular_board)
{
	ck_assert_ptr_null(game_check(&rectangle));
	sit_down(&rectangle);
	ask_for("4", "gogui-rules_board_size");
	ask_for("", "boardsize 4");
	ask_for("", "boardsize 4 2");
	ask_for("", "rectangular_boardsize 4 2");
	ask_for("? unacceptable size", "boardsize 2");
	ask_for("? unacceptable size", "boardsize 2 4");
	ask_for("? unacceptable size", "boardsize 4 4");
	ask_for("", "clear_board");
	ask_for("", "play b d1");
	ask_for("", "play w a2");
	ask_for("? syntax error", "play b a3");
	ask_for(". . . .\n. . . .\nO . . .\n. . . X", "gogui-rules_board");
	ask_for("A1 B1 C1 B2 C2 D2", "gogui-rules_legal_moves");
	ask_for("...XO... X", "position");
	ask_for("", "clear_board");
	ask_for("", "gogui-setup b d2 w a1");
	ask_for("O......X X", "position");
	leave();
}
END_TEST

int main(void)
{
	int searches = 0;
	while (algorithms[searches])
		searches++;
	Suite *suite = suite_create("gogui");
	TCase *cases = tcase_create("gogui");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, moves_have_their_points);
	tcase_add_loop_test(cases, ruler_answers_for_a_whole_game, 0, BOARDS);
	tcase_add_loop_test(cases, undo_in_mid_game, 0, BOARDS);
	tcase_add_loop_test(cases, play_sequence_plays_all_or_nothing, 0, BOARDS);
	tcase_add_loop_test(cases, answers_in_the_frame, 0, searches);
	tcase_add_loop_test(cases, analyze_window_shows_results, 0, BOARDS);
	tcase_add_loop_test(cases, analyze_window_of_each_search, 0, searches);
	tcase_add_test(cases, reports_are_reused);
	tcase_add_test(cases, a_glance_is_reproducible);
	tcase_add_test(cases, a_seed_keeps_the_time);
	tcase_add_test(cases, proofs_of_both_sides);
	tcase_add_test(cases, numbers_are_short);
	tcase_add_test(cases, drawings_are_interrupted);
	tcase_add_loop_test(cases, live_graphics, 0, 3);
	tcase_add_loop_test(cases, influence_of_visits, 0, 2);
	tcase_add_test(cases, sigint_ends_only_the_search);
	tcase_add_test(cases, blocks_are_coloured);
	tcase_add_test(cases, rectangular_board);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
