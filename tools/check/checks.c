/* SPDX-License-Identifier: MIT */
#include "tools/check/checks.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/control.h"
#include "engine/memory.h"

#define GAMES_TRIED  1000 /* maximum number of random games in the search for a position */
#define COMMANDS_MAX 1000 /* pairs of commands sent at once */

static const char *const colors[] = { "b", "w" };

/* --- syntax --- */

/* Fails and reports the raw output. */
static bool fail_raw(struct subject *s, const char *heard, const char *expected)
{
	char *got = subject_quote(heard);
	subject_fail(s, got, "%s", expected);
	free(got);
	return false;
}

bool check_silent_start(struct subject *s)
{
	char *text;
	if (!subject_start(s, s->command))
		return false;
	connection_receive(&s->connection, 0.3, &text);
	if (!*text && s->connection.length > s->connection.at)
		text = s->connection.input + s->connection.at;
	if (*text)
		return fail_raw(s, text, "nothing before the first command");
	if (!subject_send(s, "protocol_version\n", 17))
		return false;
	int before = s->noises;
	return subject_receive(s) &&
	       (s->noises == before ||
		subject_fail(s, s->noise, "an answer, and nothing before it"));
}

/* GoGui reads the text after the first blank of an answer. */
bool check_frame(struct subject *s)
{
	char *text;
	if (!subject_send(s, "name\n", 5))
		return false;
	if (connection_receive(&s->connection, s->patience, &text) != RECEIVED_TEXT)
		return subject_fail(s, "nothing", "an answer");
	text += strspn(text, "\n");
	return (strncmp(text, "= ", 2) == 0 && text[2] > ' ') ||
	       fail_raw(s, text, "`=`, one blank, the text");
}

bool check_no_id(struct subject *s)
{
	return subject_ask(s, "5 name") && subject_ask(s, "name") &&
	       (!isdigit((unsigned char)s->framed[1]) || subject_fail(s, NULL, "`%s`", s->name));
}

bool check_pieces(struct subject *s)
{
	static const char *const pieces[] = { "na", "me", "\n" };
	for (int i = 0; i < 3; i++) {
		char *text;
		if (!subject_send(s, pieces[i], strlen(pieces[i])))
			return false;
		if (i < 2 &&
		    connection_receive_to(&s->connection, "\n", 0.05, &text) < RECEIVED_NOTHING)
			return subject_fail(s, "output", "nothing before the line has ended");
	}
	return subject_receive_as(s, "$n");
}

bool check_nul(struct subject *s)
{
	static const char bytes[] = "na\0me\n\0\0\n";
	return subject_send(s, bytes, sizeof bytes - 1) && subject_receive_as(s, "$n");
}

bool check_many(struct subject *s)
{
	static const char lines[] = "protocol_version\nname\n";
	size_t n = sizeof lines - 1;
	if (!subject_ask(s, "protocol_version"))
		return false;
	char *version = xstrdup(s->answer), *bytes = xmalloc(COMMANDS_MAX * n);
	for (int i = 0; i < COMMANDS_MAX; i++)
		memcpy(bytes + (size_t)i * n, lines, n);
	bool good = subject_send(s, bytes, COMMANDS_MAX * n);
	for (int i = 0; good && i < 2 * COMMANDS_MAX; i++) {
		const char *expected = i % 2 ? s->name : version;
		good = subject_receive(s) &&
		       (strcmp(s->answer, expected) == 0 ||
			subject_fail(s, NULL, "`%s`, the answer to command %d of %d", expected,
				     i + 1, 2 * COMMANDS_MAX));
	}
	free(bytes);
	free(version);
	return good;
}

/* Sends a line: `head` and `n` times `filling`. */
static bool say_long(struct subject *s, const char *head, char filling, size_t n)
{
	size_t length = strlen(head);
	char *line = xmalloc(length + n + 2);
	strcpy(line, head);
	memset(line + length, filling, n);
	line[length + n] = '\n';
	bool said = subject_send(s, line, length + n + 1);
	free(line);
	return said;
}

static bool check_long(struct subject *s, size_t n)
{
	return say_long(s, "no_such_command ", 'a', n) && subject_receive(s) && subject_in_step(s);
}

bool check_long_lines(struct subject *s)
{
	return check_long(s, 10000);
}

bool check_huge_lines(struct subject *s)
{
	return check_long(s, 1000000);
}

bool check_noise(struct subject *s)
{
	return !s->noises || subject_fail(s, s->noise, "nothing but answers on stdout");
}

/* --- commands --- */

bool check_list(struct subject *s)
{
	const char *text = subject_ask_text(s, "list_commands", "the commands, one a line");
	for (const char *c = text; c && *c; c++)
		if (*c == ' ' && c[1] != ' ' && c[1] != '\n')
			return subject_fail(s, NULL, "one word a line");
	return text;
}

bool check_required(struct subject *s)
{
	static const char *const required[] = {
		"protocol_version", "name", "version",     "known_command", "list_commands", "quit",
		"boardsize",        "komi", "clear_board", "play",          "genmove",
	};
	if (!subject_ask(s, "list_commands"))
		return false;
	for (size_t i = 0; i < sizeof required / sizeof *required; i++)
		if (!s->commands || !subject_knows(s, required[i]))
			return subject_fail(s, "a list without it", "`%s` in the list",
					    required[i]);
	return true;
}

bool check_known(struct subject *s)
{
	char *list = xstrdup(s->commands ? s->commands : "name"), *save;
	bool good = true;
	for (char *c = strtok_r(list, "\n", &save); good && c; c = strtok_r(NULL, "\n", &save))
		good = subject_expect(s, "= true", "known_command %s", c);
	free(list);
	return good && subject_expect(s, "= false", "known_command no_such_command");
}

static bool check_one_line(struct subject *s, const char *question, bool may_be_empty)
{
	const char *text = subject_ask_text(s, question, "one line");
	if (!text)
		return false;
	return ((*text || may_be_empty) && !strchr(text, '\n')) ||
	       subject_fail(s, NULL, "one line");
}

bool check_name(struct subject *s)
{
	return check_one_line(s, "name", false) && check_one_line(s, "version", true);
}

bool check_line(struct subject *s)
{
	return check_one_line(s, s->about, false);
}

/* Passes if the whole answer is one number. */
bool check_number(struct subject *s)
{
	const char *text = subject_ask_text(s, s->about, "a number");
	char *end;
	if (!text)
		return false;
	return (*text && isfinite(strtod(text, &end)) && !*end) ||
	       subject_fail(s, NULL, "a number");
}

bool check_cheap_clear(struct subject *s)
{
	enum { TIMES = 200 };
	int64_t deadline = clock_now() + (int64_t)(s->patience * 1e9);
	for (int i = 0; i < TIMES; i++) {
		if (!subject_ask(s, "clear_board"))
			return false;
		if (clock_now() > deadline)
			return subject_fail(s, "too few answers", "%d answers in %g s", TIMES,
					    s->patience);
	}
	return true;
}

bool check_vertices(struct subject *s)
{
	static const char *const vertices[] = {
		"z99", "a0", "3d", "d", "a-1", "@1", "1", "d3x", "d3d4", "d99999999999999999999"
	};
	struct state start;
	struct move move;
	if (s->game)
		s->game->start(&start);
	for (size_t i = 0; i < sizeof vertices / sizeof *vertices; i++)
		if (!(s->game && game_parse(s->game, &start, vertices[i], &move) == MOVE_OK) &&
		    !subject_expect(s, "?*", "play b %s", vertices[i]))
			return false;
	return subject_expect(s, "=", "play b %s", s->moves[0]);
}

bool check_showboard(struct subject *s)
{
	int before = s->noises;
	if (!subject_expect(s, "=*", "%s", s->about) || !subject_in_step(s))
		return false;
	if (s->noises == before)
		return true;
	/* Reported here, so it must not count as noise. */
	s->noises = before;
	return subject_fail(s, "a blank line, which ends the answer, and more", "one answer");
}

/* --- moves, by the rules --- */

static bool must_pass(const struct record *r)
{
	return game_must_pass(r->game, &r->now);
}

static bool is_over(const struct record *r)
{
	return r->now.over;
}

static void play_random(struct record *r, struct rng *rng)
{
	struct move list[GAME_MOVES_MAX];
	int n = game_moves(r->game, &r->now, list);
	record_play(r, list[rng_below(rng, (uint32_t)n)]);
}

/* Searches random games for the shortest sequence of moves to a wanted position. Returns false if none is
 * found. Always initialises the record. */
static bool find_record(struct record *best, const struct game *g,
			bool (*is_wanted)(const struct record *))
{
	struct record r;
	struct rng rng;
	bool found = false;
	rng_seed(&rng, 1);
	record_init(best, g);
	record_init(&r, g);
	for (int i = 0; i < GAMES_TRIED; i++) {
		record_restart(&r, g);
		while (!is_wanted(&r) && !r.now.over && (!found || r.count < best->count))
			play_random(&r, &rng);
		if (is_wanted(&r) && (!found || r.count < best->count)) {
			record_copy(best, &r);
			found = true;
		}
	}
	record_free(&r);
	return found;
}

/* Sends a move of a record. A forced pass may be refused: that has a check of its own. */
static bool tell_move(struct subject *s, const struct record *r, int index)
{
	struct state before;
	char text[MOVE_TEXT_MAX];
	record_state(r, index, &before);
	struct record_move m = r->moves[index];
	game_format(r->game, &before, m.move, text);
	if (game_must_pass(r->game, &before))
		return subject_ask(s, "play %s %s", colors[m.side], text);
	return subject_expect(s, "=", "play %s %s", colors[m.side], text);
}

static bool tell_moves(struct subject *s, const struct record *r)
{
	if (!subject_ask(s, "clear_board"))
		return false;
	for (int i = 0; i < r->count; i++)
		if (!tell_move(s, r, i))
			return false;
	return true;
}

/* Asks for a move. With a record, the move must be legal and is played there. Sets *resigned if the engine
 * resigns. */
static bool ask_move(struct subject *s, struct record *r, const char *command, bool *resigned)
{
	struct move move;
	const char *text = subject_ask_text(s, command, "a move");
	*resigned = false;
	if (!text)
		return false;
	if (!*text || text[strcspn(text, " \n")])
		return subject_fail(s, NULL, "`= MOVE`");
	if (strcasecmp(text, "resign") == 0) {
		*resigned = true;
		return true;
	}
	if (!r)
		return (isalpha((unsigned char)text[0]) && isdigit((unsigned char)text[1])) ||
		       strcasecmp(text, "pass") == 0 || subject_fail(s, NULL, "a move");
	if (game_parse(r->game, &r->now, text, &move) != MOVE_OK)
		return subject_fail(s, NULL, "a legal move");
	record_play(r, move);
	return true;
}

static bool ask_any_move(struct subject *s, struct record *r, const char *command)
{
	bool resigned;
	return ask_move(s, r, command, &resigned);
}

/* Initialises and returns a record if the rules are known, else returns NULL. */
static struct record *begin(const struct subject *s, struct record *r)
{
	if (!s->game)
		return NULL;
	record_init(r, s->game);
	return r;
}

static void finish(struct record *r)
{
	if (r)
		record_free(r);
}

bool check_genmove(struct subject *s)
{
	struct record room, *r = begin(s, &room);
	struct move move;
	char text[64];
	bool good = ask_any_move(s, r, "genmove b");
	snprintf(text, sizeof text, "%s", good ? subject_text(s->answer) : "");
	/* The point of the move is occupied now. */
	if (good && isdigit((unsigned char)text[1]) &&
	    (!r || (!r->now.over && game_parse(r->game, &r->now, text, &move) == MOVE_ILLEGAL)))
		good = subject_expect(s, "?*", "play w %s", text);
	good = good && ask_any_move(s, r, "genmove WHITE");
	finish(r);
	return good;
}

/* For commands that choose a move as genmove does. */
bool check_like_genmove(struct subject *s)
{
	struct record room, *r = begin(s, &room);
	char line[64];
	snprintf(line, sizeof line, "%s b", s->about);
	bool good = ask_any_move(s, r, line);
	finish(r);
	return good;
}

bool check_upper(struct subject *s)
{
	if (!ask_any_move(s, NULL, "genmove b"))
		return false;
	const char *text = subject_text(s->answer);
	if (!isdigit((unsigned char)text[1]))
		return true;
	for (const char *c = text; *c; c++)
		if (islower((unsigned char)*c))
			return subject_fail(s, NULL, "upper case");
	return true;
}

bool check_reg_genmove(struct subject *s)
{
	struct record room, *r = begin(s, &room);
	bool good = ask_any_move(s, r, "reg_genmove b");
	char text[64];
	snprintf(text, sizeof text, "%s", good ? subject_text(s->answer) : "");
	good = good &&
	       (!isdigit((unsigned char)text[1]) || subject_expect(s, "=", "play b %s", text));
	finish(r);
	return good;
}

/* Random moves must be accepted. Before each of them, an illegal move must be refused. */
bool check_random_game(struct subject *s)
{
	struct record r;
	struct rng rng;
	struct move pool[GAME_MOVES_MAX], move;
	char text[MOVE_TEXT_MAX];
	rng_seed(&rng, 2);
	record_init(&r, s->game);
	struct state start = r.now;
	int count = game_moves(r.game, &start, pool);
	bool good = true;
	while (good && !r.now.over) {
		int at = (int)rng_below(&rng, (uint32_t)count);
		game_format(r.game, &start, pool[at], text);
		if (game_parse(r.game, &r.now, text, &move) == MOVE_ILLEGAL)
			good = subject_expect(s, "?*", "play %s %s", colors[r.now.side], text);
		if (good) {
			play_random(&r, &rng);
			good = tell_move(s, &r, r.count - 1);
		}
	}
	record_free(&r);
	return good;
}

/* The engine plays itself to the end, with the clock commands of GUIs. */
bool check_self_play(struct subject *s)
{
	enum { MAIN = 5 };
	static const char *const names[] = { "black", "white" };
	bool has_clock = subject_knows(s, "time_settings"), resigned = false;
	bool tells = has_clock && subject_knows(s, "time_left");
	double left[2] = { MAIN, MAIN };
	struct record r;
	char line[32];
	record_init(&r, s->game);
	bool good = !has_clock || subject_ask(s, "time_settings %d 0 0", MAIN);
	while (good && !r.now.over && !resigned) {
		int side = r.now.side;
		if (must_pass(&r)) {
			record_play(&r, move_single(r.game->pass));
			good = tell_move(s, &r, r.count - 1);
			continue;
		}
		good = !tells ||
		       subject_ask(s, "time_left %s %.0f 0", names[side], floor(left[side]));
		int64_t start = clock_now();
		snprintf(line, sizeof line, "genmove %s", colors[side]);
		good = good && ask_move(s, &r, line, &resigned);
		left[side] = fmax(0, left[side] - (double)(clock_now() - start) / 1e9);
	}
	record_free(&r);
	return good;
}

static bool ask_pass(struct subject *s, const char *color)
{
	if (!subject_ask(s, "genmove %s", color))
		return false;
	return strcasecmp(s->answer, "= pass") == 0 || subject_fail(s, NULL, "`= pass`");
}

bool check_end(struct subject *s)
{
	struct record r;
	find_record(&r, s->game, is_over);
	bool good = tell_moves(s, &r) && ask_pass(s, colors[r.now.side]) &&
		    ask_pass(s, colors[!r.now.side]);
	record_free(&r);
	return good;
}

bool check_end_passes(struct subject *s)
{
	struct record r;
	find_record(&r, s->game, is_over);
	bool good = tell_moves(s, &r) &&
		    subject_expect(s, "=", "play %s pass", colors[r.now.side]) &&
		    subject_expect(s, "=", "play %s pass", colors[!r.now.side]);
	record_free(&r);
	return good;
}

bool check_new_game(struct subject *s)
{
	struct record r;
	find_record(&r, s->game, is_over);
	bool good = tell_moves(s, &r) && subject_expect(s, "=", "clear_board");
	if (good) {
		record_restart(&r, s->game);
		good = subject_expect(s, "=", "play b %s", s->moves[0]) &&
		       subject_expect(s, "=", "play w %s", s->moves[1]);
	}
	record_free(&r);
	return good;
}

/* Returns Black's margin in stones. */
static int count_stones(const struct record *r)
{
	int points = 0;
	for (int row = 0; row < r->game->rows; row++) {
		for (int col = 0; col < r->game->cols; col++) {
			char c = r->game->at(&r->now, row, col);
			points += (c == 'X') - (c == 'O');
		}
	}
	return points;
}

/* Returns true if the score of a finished game is right. Engines that count points may count empty squares
 * or not. */
static bool is_score(const struct record *r, const char *text)
{
	char *end;
	int score = r->now.score;
	if (score == 0)
		return strcmp(text, "0") == 0;
	if (text[0] != (score > 0 ? 'B' : 'W') || text[1] != '+')
		return false;
	double margin = strtod(text + 2, &end);
	return end > text + 2 && !*end && margin > 0 &&
	       (!r->game->unit || margin == abs(score) || margin == abs(count_stones(r)));
}

bool check_score(struct subject *s)
{
	struct record r;
	struct rng rng;
	bool good = true;
	rng_seed(&rng, 3);
	find_record(&r, s->game, is_over);
	for (int game = 0; good && game < 3; game++) {
		while (!r.now.over)
			play_random(&r, &rng);
		good = tell_moves(s, &r) && subject_ask(s, "%s", s->about);
		const char *text = good ? subject_text(s->answer) : NULL;
		int score = r.now.score;
		if (good && !(text && is_score(&r, text)))
			good = subject_fail(s, NULL, score ? "`= %c+%d`" : "`= 0`",
					    score > 0 ? 'B' : 'W', abs(score));
		record_restart(&r, s->game);
	}
	record_free(&r);
	return good;
}

/* --- forced passes --- */

/* Leads the engine and an uninitialised record to a position with a forced pass. */
static bool tell_pass_position(struct subject *s, struct record *r)
{
	return find_record(r, s->game, must_pass) && tell_moves(s, r);
}

/* Sends the other side's move after the pass. */
static bool tell_answer(struct subject *s, struct record *r)
{
	struct rng rng;
	rng_seed(&rng, 4);
	record_play(r, move_single(r->game->pass));
	play_random(r, &rng);
	return tell_move(s, r, r->count - 1);
}

bool check_pass_told(struct subject *s)
{
	struct record r;
	bool good = tell_pass_position(s, &r) &&
		    subject_expect(s, "=", "play %s pass", colors[r.now.side]) &&
		    tell_moves(s, &r) &&
		    subject_expect(s, "=", "play %s PASS", colors[r.now.side]) &&
		    tell_answer(s, &r);
	record_free(&r);
	return good;
}

bool check_pass_left_out(struct subject *s)
{
	struct record r;
	bool good = tell_pass_position(s, &r) && tell_answer(s, &r);
	record_free(&r);
	return good;
}

bool check_pass_asked(struct subject *s)
{
	struct record r;
	bool good = tell_pass_position(s, &r) && ask_pass(s, colors[r.now.side]) &&
		    tell_answer(s, &r);
	record_free(&r);
	return good;
}

bool check_pass_skipped(struct subject *s)
{
	struct record r;
	char line[32];
	bool good = tell_pass_position(s, &r);
	if (good) {
		record_play(&r, move_single(r.game->pass));
		snprintf(line, sizeof line, "genmove %s", colors[r.now.side]);
		good = ask_any_move(s, &r, line);
	}
	record_free(&r);
	return good;
}

/* --- start and end of the process --- */

/* Waits for the end of the process, before which no more answers may come. `clean`: the exit status must be
 * 0. */
static bool await_end(struct subject *s, bool clean)
{
	int status = subject_await_end(s, 0);
	char why[128];
	if (status == -1 || !clean || status == 0)
		return status != -1;
	subject_describe_end(status, why, sizeof why);
	return subject_fail(s, why, "exit status 0");
}

/* Sends lines of which one is quit. The given number of answers must come, the last a success, then the
 * end. */
static bool say_quit(struct subject *s, const char *lines, int answers, bool clean)
{
	if (!subject_send(s, lines, strlen(lines)))
		return false;
	for (int i = 0; i < answers; i++)
		if (!subject_receive(s))
			return false;
	return (s->answer[0] == '=' || subject_fail(s, NULL, "`=`")) && await_end(s, clean);
}

bool check_quit(struct subject *s)
{
	return say_quit(s, "quit\n", 1, true);
}

bool check_behind_quit(struct subject *s)
{
	return say_quit(s, "quit\nname\n", 1, false);
}

bool check_quit_behind_genmove(struct subject *s)
{
	return say_quit(s, "genmove b\nquit\n", 2, false);
}

bool check_end_of_input(struct subject *s)
{
	connection_end_input(&s->connection);
	return await_end(s, false);
}

bool check_piped_script(struct subject *s)
{
	static const char script[] = "name\nprotocol_version\nname\n";
	if (!subject_start(s, s->command) || !subject_send(s, script, sizeof script - 1))
		return false;
	connection_end_input(&s->connection);
	for (int i = 0; i < 3; i++)
		if (!subject_receive(s))
			return false;
	return (strcmp(s->answer, s->name) == 0 || subject_fail(s, NULL, "`%s`", s->name)) &&
	       await_end(s, false);
}

bool check_unended_line(struct subject *s)
{
	if (!subject_start(s, s->command) || !subject_send(s, "name", 4))
		return false;
	connection_end_input(&s->connection);
	return subject_await_end(s, 1) != -1;
}

/* Reads a whole file; "" if it cannot be read. The caller frees the text. */
static char *read_file(const char *path)
{
	char *text = NULL;
	size_t room = 0;
	FILE *f = fopen(path, "re");
	if (!f || getdelim(&text, &room, '\0', f) < 0) {
		free(text);
		text = xstrdup("");
	}
	if (f)
		fclose(f);
	return text;
}

/* Creates an empty temporary file. Returns false after storing a failure. */
static bool make_file(struct subject *s, char path[PATH_MAX])
{
	const char *folder = getenv("TMPDIR");
	snprintf(path, PATH_MAX, "%s/match-check-XXXXXX", folder ? folder : "/tmp");
	int fd = mkstemp(path);
	if (fd < 0)
		return subject_fail(s, strerror(errno), "a temporary file");
	close(fd);
	return true;
}

/* Runs the engine with a file as input and another as output. */
static bool run_files(struct subject *s, const char *in, const char *out)
{
	static const char script[] = "name\nprotocol_version\nname\nquit\n";
	char *command;
	FILE *f = fopen(in, "we");
	if (!f || fputs(script, f) < 0 || fclose(f) != 0)
		return subject_fail(s, strerror(errno), "a temporary file");
	command = xasprintf("{ %s\n} <'%s' >'%s'", s->command, in, out);
	bool good = subject_start(s, command) && await_end(s, false);
	free(command);
	if (!good)
		return false;
	char *text = read_file(out), *at = text;
	int answers = 0;
	while ((at = strstr(at, "\n\n")))
		at += 2, answers++;
	free(text);
	return answers == 4 ||
	       subject_fail(s, "another number of answers", "4 answers in the file");
}

bool check_files(struct subject *s)
{
	char in[PATH_MAX], out[PATH_MAX];
	if (!make_file(s, in))
		return false;
	bool good = make_file(s, out);
	if (good) {
		good = run_files(s, in, out);
		unlink(out);
	}
	unlink(in);
	return good;
}

/* The answers to a burst of commands must wait until they are read. */
bool check_slow_reader(struct subject *s)
{
	enum { TIMES = 1500 };
	static const char line[] = "list_commands\n";
	size_t n = sizeof line - 1;
	if (!subject_ask(s, "list_commands"))
		return false;
	char *list = xstrdup(s->answer), *bytes = xmalloc(TIMES * n);
	for (int i = 0; i < TIMES; i++)
		memcpy(bytes + (size_t)i * n, line, n);
	fcntl(s->connection.from, F_SETPIPE_SZ, 4096);
	/* The commands fit into the pipe. Nothing is read meanwhile. */
	bool good = write(s->connection.to, bytes, TIMES * n) == (ssize_t)(TIMES * n) ||
		    subject_fail(s, "it does not read its commands", "that it reads commands");
	usleep(300000);
	for (int i = 0; good && i < TIMES; i++)
		good = subject_receive(s) &&
		       (strcmp(s->answer, list) == 0 ||
			subject_fail(s, NULL, "the whole list %d times", TIMES));
	free(bytes);
	free(list);
	return good;
}

/* Closes input and output while the engine waits or thinks. */
static bool check_gone(struct subject *s, const char *line)
{
	char why[64];
	if (!subject_send(s, line, strlen(line)))
		return false;
	usleep(50000);
	connection_close(&s->connection);
	int status = connection_wait(&s->connection, s->patience);
	subject_kill(s);
	if (status != -1)
		return true;
	snprintf(why, sizeof why, "it still runs after %g s", s->patience);
	return subject_fail(s, why, "that it ends");
}

bool check_gone_client(struct subject *s)
{
	return check_gone(s, "name\nversion\n") && subject_set_up(s) &&
	       check_gone(s, "genmove b\n");
}

bool check_end_in_genmove(struct subject *s)
{
	if (!subject_send(s, "genmove b\n", 10))
		return false;
	connection_end_input(&s->connection);
	return subject_await_end(s, 1) != -1;
}

/* SIGTERM must end the engine, both idle and in a search. */
bool check_term(struct subject *s)
{
	connection_kill(&s->connection, SIGTERM);
	if (subject_await_end(s, 1) == -1 || !subject_set_up(s) ||
	    !subject_send(s, "genmove b\n", 10))
		return false;
	usleep(50000);
	connection_kill(&s->connection, SIGTERM);
	return subject_await_end(s, 1) != -1;
}

/* --- extensions --- */

/* Sets an hour of time per move, if the engine has a command for it. */
static bool think_long(struct subject *s)
{
	if (subject_knows(s, "set_time"))
		return subject_ask(s, "set_time 3600");
	return !subject_knows(s, "time_settings") || subject_ask(s, "time_settings 0 3600 1");
}

bool check_interrupt(struct subject *s)
{
	if (!subject_expect(s, "=", "%s", s->about) || !think_long(s) ||
	    !subject_send(s, "genmove b\n", 10))
		return false;
	usleep(200000);
	return subject_send(s, "# interrupt\n", 12) && subject_receive(s) &&
	       (*s->answer == '=' || subject_fail(s, NULL, "a move"));
}

bool check_sigint(struct subject *s)
{
	const char *text = subject_ask_text(s, s->about, "the number of its process");
	if (!text)
		return false;
	/* Make sure that the signal goes to the engine. */
	long pid = strtol(text, NULL, 10);
	if (pid <= 1 || getpgid((pid_t)pid) != s->connection.pid)
		return subject_fail(s, NULL, "the number of its process");
	if (!think_long(s) || !subject_send(s, "genmove b\n", 10))
		return false;
	usleep(200000);
	kill((pid_t)pid, SIGINT);
	return subject_receive(s) && (*s->answer == '=' || subject_fail(s, NULL, "a move"));
}

bool check_game_id(struct subject *s)
{
	if (!check_one_line(s, s->about, false))
		return false;
	const char *text = subject_text(s->answer);
	return (isupper((unsigned char)*text) && !strchr(text, ' ')) ||
	       subject_fail(s, NULL, "one word with a capital, as Othello");
}

/* Compares the board that the engine reports to GoGui with the position. */
static bool compare_board(struct subject *s, const struct record *r)
{
	const char *text = subject_ask_text(s, s->about, "the board");
	if (!text)
		return false;
	for (int row = r->game->rows - 1; row >= 0; row--) {
		for (int col = 0; col < r->game->cols; col++) {
			text += strspn(text, " \n");
			if (*text++ != r->game->at(&r->now, row, col))
				return subject_fail(
					s, NULL, "`%c` at %c%d; the highest row comes first",
					r->game->at(&r->now, row, col), 'A' + col, row + 1);
		}
	}
	return text || subject_fail(s, NULL, "the board");
}

bool check_board(struct subject *s)
{
	struct record r;
	struct rng rng;
	rng_seed(&rng, 5);
	record_init(&r, s->game);
	bool good = compare_board(s, &r);
	for (int i = 0; good && i < 4; i++) {
		play_random(&r, &rng);
		good = tell_move(s, &r, i) && compare_board(s, &r);
	}
	record_free(&r);
	return good;
}

/* Passes if exactly the legal moves are listed. An engine may list the two steps of a move separately. */
static bool compare_moves(struct subject *s, const struct record *r)
{
	struct move list[GAME_MOVES_MAX], move;
	const char *text = subject_ask_text(s, s->about, "the legal moves");
	int n = r->now.over ? 0 : game_moves(r->game, &r->now, list);
	bool good = true;
	if (!text)
		return false;
	char *words = xstrdup(text), *save;
	for (char *w = strtok_r(words, " \n", &save); good && w; w = strtok_r(NULL, " \n", &save)) {
		good = !r->now.over && game_parse(r->game, &r->now, w, &move) == MOVE_OK;
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
	return subject_fail(s, NULL,
			    r->now.over ? "nothing, as the game is over"
					: "exactly the legal moves, in upper case");
}

bool check_legal_moves(struct subject *s)
{
	struct record r;
	struct rng rng;
	rng_seed(&rng, 6);
	record_init(&r, s->game);
	bool good = compare_moves(s, &r);
	while (good && !r.now.over) {
		play_random(&r, &rng);
		good = tell_move(s, &r, r.count - 1) && compare_moves(s, &r);
	}
	record_free(&r);
	return good;
}

bool check_side(struct subject *s)
{
	return subject_expect(s, "= b*", "%s", s->about) &&
	       subject_expect(s, "=", "play b %s", s->moves[0]) &&
	       subject_expect(s, "= w*", "%s", s->about);
}

bool check_result(struct subject *s)
{
	struct record r;
	find_record(&r, s->game, is_over);
	bool good = tell_moves(s, &r) && check_one_line(s, s->about, false);
	record_free(&r);
	return good;
}

/* Returns true if a line is TYPE/LABEL/COMMAND with a known type and command. */
static bool is_analyze_command(struct subject *s, const char *line)
{
	static const char types[] =
		" bwboard cboard dboard eplist gfx hstring hpstring none param plist "
		"pspairs pstring sboard string var varb varc varp varpo varw ";
	char type[32], label[128], command[128], word[40];
	if (sscanf(line, "%31[^/]/%127[^/]/%127s", type, label, command) != 3)
		return false;
	snprintf(word, sizeof word, " %s ", type);
	return strstr(types, word) && subject_knows(s, command);
}

bool check_analyze_commands(struct subject *s)
{
	const char *text = subject_ask_text(s, s->about, "lines of type/label/command");
	if (!text)
		return false;
	char *lines = xstrdup(text), *save;
	bool good = true;
	for (char *l = strtok_r(lines, "\n", &save); good && l; l = strtok_r(NULL, "\n", &save))
		if (!is_analyze_command(s, l)) {
			char got[96];
			snprintf(got, sizeof got, "`%.80s`", l);
			good = subject_fail(s, got,
					    "type/label/command, of a known type and s->about");
		}
	free(lines);
	return good;
}

/* Sets up a position stone by stone. */
bool check_setup(struct subject *s)
{
	struct record r;
	struct rng rng;
	char *line;
	size_t size;
	rng_seed(&rng, 7);
	record_init(&r, s->game);
	for (int i = 0; i < 4; i++)
		play_random(&r, &rng);
	FILE *out = text_open(&line, &size);
	fputs(s->about, out);
	for (int row = 0; row < r.game->rows; row++) {
		for (int col = 0; col < r.game->cols; col++) {
			char c = r.game->at(&r.now, row, col);
			if (c != '.')
				fprintf(out, " %s %c%d", colors[c == 'X' ? BLACK : WHITE],
					'A' + col, row + 1);
		}
	}
	fclose(out);
	char genmove[16];
	snprintf(genmove, sizeof genmove, "genmove %s", colors[r.now.side]);
	bool good = subject_expect(s, "=", "%s", line) &&
		    (!subject_knows(s, "gogui-setup_player") ||
		     subject_expect(s, "=", "gogui-setup_player %s", colors[r.now.side])) &&
		    ask_any_move(s, &r, genmove);
	free(line);
	record_free(&r);
	return good;
}

bool check_games(struct subject *s)
{
	const char *text = subject_ask_text(s, s->about, "one game a line");
	if (!text)
		return false;
	if (!*text)
		return subject_fail(s, NULL, "one game a line");
	char *lines = xstrdup(text), *save;
	bool good = true, sets = subject_knows(s, "set_game");
	for (char *l = strtok_r(lines, "\n", &save); good && l; l = strtok_r(NULL, "\n", &save))
		good = !sets || subject_expect(s, "=", "set_game %s", l);
	free(lines);
	good = good && (!sets || subject_expect(s, "?*", "set_game Nosuchgame"));
	/* The engine may now play another game than the other checks need. */
	subject_kill(s);
	return good;
}

/* Reads an analysis up to its first line with moves. */
static bool hear_infos(struct subject *s)
{
	const char *line = subject_receive_line(s);
	if (!line)
		return false;
	if (line[0] != '=' || line[1 + strspn(line + 1, " 0123456789")])
		return subject_fail(s, NULL, "`=` at once");
	while ((line = subject_receive_line(s)) && strncmp(line, "info move ", 10) != 0)
		if (!*line)
			return subject_fail(s, "its end", "`info move ...`");
	return line && (strstr(line, " visits ") || subject_fail(s, NULL, "visits"));
}

/* Reads the rest of an analysis, including its blank line. */
static bool hear_last_infos(struct subject *s)
{
	const char *line;
	while ((line = subject_receive_line(s)) && *line)
		;
	return line;
}

bool check_analysis(struct subject *s)
{
	char line[64];
	int n = snprintf(line, sizeof line, "%s b 10\n", s->about);
	return subject_send(s, line, (size_t)n) && hear_infos(s) && subject_send(s, "\n", 1) &&
	       hear_last_infos(s) && subject_in_step(s) && subject_send(s, line, (size_t)n) &&
	       hear_infos(s) && subject_send(s, "name\n", 5) && hear_last_infos(s) &&
	       subject_receive_as(s, "$n");
}

bool check_analysis_end(struct subject *s)
{
	char line[64];
	int n = snprintf(line, sizeof line, "%s b 10\n", s->about);
	if (!subject_send(s, line, (size_t)n) || !hear_infos(s))
		return false;
	connection_end_input(&s->connection);
	return subject_await_end(s, 1) != -1;
}

bool check_genmove_analyze(struct subject *s)
{
	struct record room, *r = begin(s, &room);
	struct move move;
	char line[64];
	const char *heard = NULL;
	int n = snprintf(line, sizeof line, "%s b 10\n", s->about);
	bool good = subject_send(s, line, (size_t)n) && (heard = subject_receive_line(s)) &&
		    (*heard == '=' || subject_fail(s, NULL, "`=` at once"));
	while (good && (heard = subject_receive_line(s)) && strncmp(heard, "play ", 5) != 0)
		good = *heard || subject_fail(s, "its end", "`play MOVE` in its last line");
	good = good && heard &&
	       (!r || strcasecmp(heard + 5, "resign") == 0 ||
		game_parse(r->game, &r->now, heard + 5, &move) == MOVE_OK ||
		subject_fail(s, NULL, "a legal move")) &&
	       (heard = subject_receive_line(s)) &&
	       (!*heard || subject_fail(s, NULL, "a blank line"));
	finish(r);
	return good;
}

/* Writes a game to a file and reads it back. */
bool check_sgf(struct subject *s)
{
	char path[PATH_MAX];
	if (!subject_expect(s, "=", "play b %s", s->moves[0]) ||
	    !subject_expect(s, "=", "play w %s", s->moves[1]) ||
	    !subject_expect(s, "= (;*", "%s", s->about))
		return false;
	if (!subject_knows(s, "loadsgf"))
		return true;
	if (!make_file(s, path))
		return false;
	bool good = subject_expect(s, "=*", "%s %s", s->about, path) &&
		    subject_expect(s, "=", "clear_board") &&
		    subject_expect(s, "=*", "loadsgf %s", path) &&
		    subject_expect(s, "?*", "play b %s", s->occupied) &&
		    subject_expect(s, "=", "play b %s", s->moves[2]);
	unlink(path);
	return good;
}

bool check_params(struct subject *s)
{
	const char *text = subject_ask_text(s, s->about, "the names of parameters");
	if (!text)
		return false;
	char *words = xstrdup(text), *save;
	bool good = text || subject_fail(s, NULL, "the names of parameters");
	for (char *w = strtok_r(words, " \n", &save); good && w; w = strtok_r(NULL, " \n", &save))
		good = subject_expect(s, "= *", "kata-get-param %s", w);
	free(words);
	return good && subject_expect(s, "?*", "kata-get-param no_such_parameter");
}
