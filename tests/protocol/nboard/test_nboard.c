/* SPDX-License-Identifier: MIT
 *
 * NBoard's protocol, in sessions without a process. Searches have a time limit of weeks where only the tested
 * event may end them. Check's timeout fails those that do not end.
 */
#include "protocol/carriers/loop.h"
#include "protocol/nboard/nboard.h"

#include <dirent.h>
#include <event2/event.h>
#include <math.h>
#include <string.h>

#include "engine/base/memory.h"
#include "protocol/gtp/commands.h"
#include "protocol/program/tables.h"
#include "protocol/session/fifo.h"
#include "tests/suite.h"

#define WEEKS   1e6
#define NORMAL  "BO[8 ---------------------------O*------*O--------------------------- *]"
/* Ten empty squares, White to move; a position in which Black's C8 makes White pass, and C1 ends it. */
#define ENDGAME "BO[8 -*OOOOO-*-OOOO-**OOOO*O-O**O*OO**O**OOOOO****O-**-***O-**-*-***O O]"
#define PASSES  "BO[8 *O------------------------------------------------------*O------ *]"

static struct event_base *base;
static struct options options;
static struct session *session;
static int idle_events; /* of the base while the session has nothing to do */
static char *said;      /* all output since the last `hear` */

static void nothing(void *arg)
{
	(void)arg;
}

static void start(const struct protocol *const *protocols)
{
	session = session_create(&(struct session_setup) {
		.loop = &loop_of_events,
		.base = base,
		.game = &game_tictactoe,
		.options = &options,
		.protocols = protocols,
		.line_max = 4096,
		.queue_max = SESSION_QUEUE_MAX,
		.changed = nothing,
	});
	idle_events = event_base_get_num_events(base, EVENT_BASE_COUNT_ADDED);
}

static void setup(void)
{
	base = event_base_new();
	options_init(&options);
	options.threads = 1;
	options.memory = 16;
	options.seed = 1;
	options.time = WEEKS;
	options.book = false;
	start(protocols_all);
}

static void teardown(void)
{
	free(said);
	said = NULL;
	session_destroy(session);
	event_base_free(base);
}

static void restart(const struct protocol *const *protocols)
{
	session_destroy(session);
	start(protocols);
}

static void tell(const char *text)
{
	session_input(session, text, strlen(text));
}

/* Returns the output so far. */
static const char *hear(void)
{
	struct fifo *out = session_output(session);
	free(said);
	said = xstrndup(fifo_bytes(out), fifo_length(out));
	fifo_clear(out);
	return said;
}

/* Same, after all searches have ended and no line waits. A slow machine leaves lines to the loop's next turn.
 * */
static const char *hear_all(void)
{
	while (session_is_thinking(session) ||
	       event_base_get_num_events(base, EVENT_BASE_COUNT_ADDED) > idle_events)
		event_base_loop(base, EVLOOP_ONCE);
	return hear();
}

static void check(const char *text, const char *expected)
{
	tell(text);
	ck_assert_str_eq(hear_all(), expected);
}

/* Returns true if a text has a line with this beginning. `*line` points to the rest. */
static bool find_line(const char *text, const char *beginning, const char **line)
{
	for (; *text; text += strcspn(text, "\n") + 1)
		if (strncmp(text, beginning, strlen(beginning)) == 0) {
			*line = text + strlen(beginning);
			return true;
		}
	return false;
}

static int count_lines(const char *text, const char *beginning)
{
	int count = 0;
	for (const char *line = text; find_line(line, beginning, &line); count++)
		line += strcspn(line, "\n") + 1;
	return count;
}

/* --- which protocol --- */

START_TEST(the_first_line_selects_the_protocol)
{
	tell("# a comment\n\n  nboard 2 \nping 1\nset depth 6\n");
	ck_assert_str_eq(hear(), "pong 1\nset myname yomi6\n");
	ck_assert_str_eq(session->record.game->name, "othello");
	restart(protocols_all);
	tell("name\nnboard 2\nping 1\n");
	ck_assert_str_eq(hear(), "= yomi\n\n? unknown command\n\n? unknown command\n\n");
	restart(protocols_all);
	tell("nboard\nping 1\n");
	ck_assert_str_eq(hear(), "? unknown command\n\n? unknown command\n\n");
	restart(protocols_gtp);
	tell("nboard 2\n");
	ck_assert_str_eq(hear(), "? unknown command\n\n");
	restart(protocols_nboard);
	tell("ping 1\nname\nnboard 2\nping 2\n");
	ck_assert_str_eq(hear(), "pong 1\npong 2\n");
}
END_TEST

/* --- without thinking --- */

START_TEST(unknown_lines_are_ignored)
{
	static const char *const lines[] = {
		"foo",
		"go2",
		"set",
		"set depth",
		"set depth x",
		"set depth -1",
		"set game",
		"set game x",
		"move",
		"move A1",
		"move F5F6",
		"move PA",
		"A1",
		"ping",
		"Ping 1",
		"12 ping 1",
		"# ping 1",
		"set name yomi",
		"set contempt",
		"move F5F5F5F5F5F5",
		"",
		" ",
		"\t",
		"hint2",
		"play b F5",
		"\x01\x7f",
		"pong 1",
		"learned",
		"set gamepad",
		"genmove b",
	};
	tell("nboard 2\n");
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		tell(lines[i]);
		tell("\r\n");
		ck_assert_msg(*hear_all() == '\0', "'%s' gave %s", lines[i], said);
		ck_assert_int_eq(session->record.count, 0);
	}
	/* Too long. */
	for (int i = 0; i < 5000; i++)
		tell("a");
	check("\nping 1\n", "pong 1\n");
	check("set contempt 100\nlearn\n", "learned\n");
}
END_TEST

START_TEST(games_and_moves)
{
	tell("nboard 2\n");
	/* A '#' begins no comment here. */
	check("set game (;GM[Othello]PB[#1]TY[8]" NORMAL "B[F5]W[F6];)\n", "");
	ck_assert_int_eq(session->record.count, 2);
	check("move E6/-1.5/2\nmove f4//1\n", "");
	ck_assert_int_eq(session->record.count, 4);
	/* Version 1. */
	check("c3\n", "");
	ck_assert_int_eq(session->record.count, 5);
	/* A game that is refused changes nothing. */
	check("set game (;GM[Othello]B[A1];)\n", "");
	ck_assert_int_eq(session->record.count, 5);
	/* Passes are sent or omitted. */
	check("set game (;GM[Othello]" PASSES "B[C8];)\nmove PA\nmove C1\n", "");
	ck_assert_int_eq(session->record.count, 3);
	ck_assert(session->record.now.over);
	check("set game (;GM[Othello]" PASSES "B[C8];)\nmove C1\n", "");
	ck_assert_int_eq(session->record.count, 3);
	ck_assert(session->record.now.over);
}
END_TEST

START_TEST(clocks)
{
	const int64_t second = 1000000000;
	tell("nboard 2\nset game (;GM[Othello]TI[15:00]" NORMAL "B[F5//10]W[F6//20];)\n");
	ck_assert_int_eq(session->clock.side[BLACK].left, 890 * second);
	ck_assert_int_eq(session->clock.side[WHITE].left, 880 * second);
	tell("move E6/1/0.5\n");
	ck_assert_int_eq(session->clock.side[BLACK].left, 889 * second + second / 2);
	tell("set game (;GM[Othello]TI[0]" NORMAL ";)\n");
	ck_assert_int_eq(session->clock.side[BLACK].left, TIME_NEVER);
	ck_assert_int_eq(session->clock.side[WHITE].left, TIME_NEVER);
}
END_TEST

/* A weak level plays weakly, but its hints are those of full strength: of several moves. */
START_TEST(hints_know_no_level)
{
	options.playouts = 100;
	options.level = 1;
	restart(protocols_nboard);
	tell("set game (;GM[Othello]" NORMAL "B[F5];)\nhint 3\n");
	ck_assert_int_ge(count_lines(hear_all(), "search "), 3);
	tell("go\n");
	ck_assert_int_eq(count_lines(hear_all(), "search "), 1);
}
END_TEST

/* --- go --- */

/* Splits the answer to `go` in a text. */
static void read_go(const char *text, char move[8], double *eval)
{
	const char *line;
	double seconds;
	ck_assert(find_line(text, "=== ", &line));
	ck_assert_int_eq(count_lines(text, "=== "), 1);
	*eval = NAN;
	ck_assert(sscanf(line, "%7[A-H1-8P]/%lf/%lf", move, eval, &seconds) == 3 ||
		  sscanf(line, "%7[A-H1-8P]//%lf", move, &seconds) == 2);
}

START_TEST(go_answers_and_changes_nothing)
{
	char move[8], text[32];
	double eval;
	options.playouts = 200;
	restart(protocols_nboard);
	for (int i = 0; i < 60 && !session->record.now.over; i++) {
		int count = session->record.count;
		tell("go\n");
		read_go(hear_all(), move, &eval);
		ck_assert_int_eq(session->record.count, count);
		snprintf(text, sizeof text, "move %s/%.2f/0.1\n", move, eval);
		check(text, "");
		ck_assert_int_eq(session->record.count, count + 1);
	}
	ck_assert_int_gt(session->record.count, 8);
}
END_TEST

/* Nothing is left on the clock, so the move comes at once, although the time of a move is weeks. */
START_TEST(go_keeps_to_the_clock)
{
	char move[8];
	double eval;
	tell("nboard 2\nset game (;GM[Othello]TI[0:20]" NORMAL "B[F5//10]W[F6//20]B[E6];)\ngo\n");
	read_go(hear_all(), move, &eval);
}
END_TEST

START_TEST(forced_moves_need_no_search)
{
	/* No value, because nothing was searched; less than a second, even on a slow machine. */
	const char *const forced = "=== PA//0.";
	tell("nboard 2\nset game (;GM[Othello]" PASSES "B[C8];)\n");
	tell("go\n");
	ck_assert_int_eq(strncmp(hear_all(), forced, strlen(forced)), 0);
	/* White's only move. */
	tell("set game (;GM[Othello]" PASSES ";)\nmove C1\ngo\n");
	ck_assert_int_eq(strncmp(hear_all(), forced, strlen(forced)), 0);
	check("set game (;GM[Othello]" PASSES "B[C8]W[PA]B[C1];)\ngo\n", "=== PA\n");
	check("hint 2\n", "search PA -64.00 0 100%\n");
	check("analyze\n", "status yomi is analyzing\nanalysis 3 -64.00\nanalysis 2 64.00\n"
			   "analysis 1 -64.00\nanalysis 0 64.00\nstatus yomi is waiting\n");
}
END_TEST

/* --- thinking is ended --- */

/* Waits for a line with this beginning. */
static void wait_for(const char *beginning)
{
	const char *line;
	do
		event_base_loop(base, EVLOOP_ONCE);
	while (!find_line(hear(), beginning, &line));
}

static void check_end(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	ck_assert_msg(n >= m && strcmp(text + n - m, end) == 0, "no '%s' at the end of %s", end,
		      text);
}

START_TEST(ping_ends_a_search)
{
	static const char *const searches[] = { "mcts", "alphabeta", "dfpn", "dfpn+mcts",
						"montecarlo" };
	const struct option *search = option_find("search");
	char why[REASON_MAX], move[8];
	double eval;
	for (size_t i = 0; i < sizeof searches / sizeof searches[0]; i++) {
		ck_assert(option_set(&options, search, searches[i], why));
		restart(protocols_nboard);
		/* NBoard sends a new game first. */
		tell("hint 3\n");
		wait_for("nodestats ");
		ck_assert(session_is_thinking(session));
		tell("set game (;GM[Othello]" NORMAL "B[F5];)\nping 7\n");
		check_end(hear_all(), "status yomi is waiting\npong 7\n");
		ck_assert_int_eq(session->record.count, 1);
		tell("go\n");
		wait_for("nodestats ");
		tell("ping 8\n");
		read_go(hear_all(), move, &eval);
		check_end(said, "\npong 8\n");
		tell("analyze\n");
		tell("ping 9\n");
		check_end(hear_all(), "pong 9\n");
		ck_assert_int_eq(count_lines(said, "analysis "), 0);
		/* Commands that wait behind it do not run for long either. */
		tell("go\nhint 2\ngo\nanalyze\nping 10\nping 11\nlearn\n");
		check_end(hear_all(), "pong 10\npong 11\nlearned\n");
		ck_assert_int_eq(count_lines(said, "=== "), 2);
	}
}
END_TEST

START_TEST(other_lines_wait)
{
	options.playouts = 500;
	restart(protocols_nboard);
	tell("hint 1\ngo\nfoo\nlearn\nmove F5\n");
	ck_assert_int_eq(session->record.count, 0);
	check_end(hear_all(), "learned\n");
	ck_assert_int_eq(session->record.count, 1);
	ck_assert_int_eq(count_lines(said, "=== "), 1);
	ck_assert_int_ge(count_lines(said, "search "), 2);
}
END_TEST

START_TEST(quit_ends_a_search)
{
	tell("nboard 2\nhint 3\nquit\nping 1\n");
	check_end(hear_all(), "status yomi is waiting\n");
	ck_assert(session_is_over(session));
}
END_TEST

/* The end of input cancels nothing. All commands are answered. */
START_TEST(end_of_input)
{
	options.playouts = 500;
	restart(protocols_nboard);
	tell("hint 1\ngo");
	session_input_end(session);
	ck_assert_int_eq(count_lines(hear_all(), "=== "), 1);
	ck_assert(session_is_over(session));
}
END_TEST

/* --- hints --- */

struct advice {
	char line[64], depth[8];
	double eval;
};

/* Reads the last `count` search lines of a text, which must be there, and checks their moves. */
static void read_hints(const char *text, int count, struct advice *out)
{
	int skip = count_lines(text, "search ") - count;
	ck_assert_int_ge(skip, 0);
	for (int i = -skip; i < count; i++) {
		struct advice h;
		unsigned long long visits;
		ck_assert(find_line(text, "search ", &text));
		ck_assert_int_eq(sscanf(text, "%63[A-H1-8P] %lf 0 %7[0-9%%W] %llu visits\n", h.line,
					&h.eval, h.depth, &visits),
				 4);
		struct state s = session->record.now;
		for (const char *at = h.line; *at; at += 2) {
			char vertex[5] = { at[0], at[1] };
			struct move m;
			if (strcmp(vertex, "PA") == 0)
				strcpy(vertex, "pass");
			ck_assert_int_eq(game_parse(&game_othello, &s, vertex, &m), MOVE_OK);
			game_play(&game_othello, &s, m);
		}
		if (i >= 0)
			out[i] = h;
	}
}

START_TEST(hints_are_of_different_moves)
{
	static const struct {
		const char *search;
		int least; /* minimum number of moves with a value */
	} rows[] = {
		{ "mcts", 3 },    { "montecarlo", 3 }, { "alphabeta", 3 }, { "alphabeta-plain", 3 },
		{ "negamax", 3 }, { "dfpn+mcts", 3 },  { "dfpn", 1 },      { "random", 1 },
	};
	char why[REASON_MAX];
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct advice hints[3] = { 0 };
		ck_assert(option_set(&options, option_find("search"), rows[i].search, why));
		restart(protocols_nboard);
		tell("set depth 3\nset game (;GM[Othello]" NORMAL "B[F5]W[F6];)\nhint 3\n");
		read_hints(hear_all(), rows[i].least, hints);
		check_end(said, "status yomi is waiting\n");
		for (int j = 0; j < rows[i].least; j++) {
			ck_assert(fabs(hints[j].eval) <= 64);
			for (int k = 0; k < j; k++)
				ck_assert_int_ne(strncmp(hints[j].line, hints[k].line, 2), 0);
			if (rows[i].search[0] == 'a' || rows[i].search[0] == 'n') {
				ck_assert_str_eq(hints[j].depth, "3");
				ck_assert(j == 0 || hints[j].eval <= hints[j - 1].eval);
			}
		}
	}
}
END_TEST

/* Returns Black's margin under perfect play. */
static int solve(const struct state *s)
{
	struct move moves[GAME_MOVES_MAX];
	int best = 0, sign = s->side == BLACK ? 1 : -1;
	if (s->over)
		return s->score;
	int n = game_moves(&game_othello, s, moves);
	for (int i = 0; i < n; i++) {
		struct state next = *s;
		game_play(&game_othello, &next, moves[i]);
		int score = solve(&next);
		best = i && sign * best >= sign * score ? best : score;
	}
	return best;
}

/* Exact values are right, and proven values have the right sign, also one move earlier and later. */
START_TEST(proofs)
{
	static const char *const searches[] = { "alphabeta", "negamax", "mcts" };
	char why[REASON_MAX];
	for (size_t i = 0; i < sizeof searches / sizeof searches[0]; i++) {
		ck_assert(option_set(&options, option_find("search"), searches[i], why));
		restart(protocols_nboard);
		tell("set game (;GM[Othello]" ENDGAME ";)\n");
		bool is_exact = i < 2;
		while (!session->record.now.over) {
			struct move moves[GAME_MOVES_MAX];
			struct advice hints[GAME_STEPS_MAX] = { 0 };
			const struct state *now = &session->record.now;
			int n = game_moves(&game_othello, now, moves);
			tell(is_exact ? "hint 64\n" : "hint 1\n");
			read_hints(hear_all(), is_exact ? n : 1, hints);
			for (int j = 0; j < (is_exact ? n : 1); j++) {
				struct state next = *now;
				struct move m;
				char vertex[5] = { hints[j].line[0], hints[j].line[1] };
				game_parse(&game_othello, now,
					   strcmp(vertex, "PA") == 0 ? "pass" : vertex, &m);
				game_play(&game_othello, &next, m);
				int score = solve(&next) * (now->side == BLACK ? 1 : -1);
				if (strcmp(hints[j].depth, "100%") == 0)
					ck_assert_double_eq(hints[j].eval, score);
				else if (strcmp(hints[j].depth, "100%W") == 0)
					ck_assert_int_eq((hints[j].eval > 0) - (hints[j].eval < 0),
							 score_sign(score));
				if (is_exact)
					ck_assert_str_eq(hints[j].depth, "100%");
				if (j == 0)
					ck_assert_ptr_nonnull(strchr(hints[j].depth, '%'));
			}
			char text[16];
			snprintf(text, sizeof text, "move %.2s\n", hints[0].line);
			check(text, "");
		}
	}
}
END_TEST

/* --- analysis --- */

START_TEST(analyze_goes_back_to_the_start)
{
	options.playouts = 300;
	restart(protocols_nboard);
	tell("set game (;GM[Othello]" PASSES "B[C8]W[PA]B[C1];)\nanalyze\n");
	int ply = 3;
	const char *text = hear_all();
	for (; find_line(text, "analysis ", &text); ply--) {
		int at;
		double eval;
		ck_assert_int_eq(sscanf(text, "%d %lf\n", &at, &eval), 2);
		ck_assert_int_eq(at, ply);
		ck_assert(at % 2 ? eval < -20 : eval > 20);
	}
	ck_assert_int_eq(ply, -1);
	check_end(said, "status yomi is waiting\n");
	ck_assert_int_eq(session->record.count, 3);
}
END_TEST

/* Searches for values do not end early. After each of them, however it ends, the option is what it was. */
START_TEST(early_stop_comes_back)
{
	static const char *const lines[] = { "hint 2\n",
					     "hint 2\nping 1\n",
					     "analyze\n",
					     "analyze\nping 1\n",
					     "set game (;GM[Othello]" PASSES
					     ";)\nmove C1\nhint 1\n",
					     "set game (;GM[Othello]" PASSES "B[C8];)\nhint 1\n" };
	options.playouts = 100;
	for (int on = 0; on < 2; on++) {
		options.early_stop = on;
		restart(protocols_nboard);
		const struct options *o = engine_options(session->engine);
		for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
			tell("set game (;GM[Othello]" NORMAL "B[F5];)\n");
			tell(lines[i]);
			ck_assert(!session_is_thinking(session) || !o->early_stop);
			hear_all();
			ck_assert_msg(o->early_stop == on, "%s", lines[i]);
		}
	}
}
END_TEST

/* --- any input --- */

START_TEST(garbage)
{
	static const char *const words[] = {
		"set",  " ",    "game", "depth",   "(;GM[Othello]", NORMAL, "B[F5]", ";)",
		"\n",   "move", "F5",   "/",       "9e99",          "PA",   "hint",  "go",
		"\n",   "-1",   "\0",   "analyze", "ping",          "\r",   "#",     "learn",
		"\xff", "%s%n", "\n",   "1",
	};
	struct rng rng;
	rng_seed(&rng, 1);
	options.playouts = 5;
	restart(protocols_nboard);
	for (int i = 0; i < 20000; i++) {
		const char *word = words[rng_below(&rng, sizeof words / sizeof words[0])];
		session_input(session, word, *word ? strlen(word) : 1);
		if (i % 100 == 0)
			hear_all();
	}
	tell("\nping 123\n");
	check_end(hear_all(), "pong 123\n");
}
END_TEST

/* --- the table --- */

static bool transcripts_use(const char *name)
{
	struct dirent **entries;
	bool used = false;
	int n = scandir("tests/protocol/transcripts", &entries, NULL, NULL);
	ck_assert_int_gt(n, 0);
	for (int i = 0; i < n; i++) {
		char path[512], line[1024];
		snprintf(path, sizeof path, "tests/protocol/transcripts/%s", entries[i]->d_name);
		FILE *f = strncmp(entries[i]->d_name, "nboard", 6) == 0 ? fopen(path, "re") : NULL;
		while (f && fgets(line, sizeof line, f))
			used |= strncmp(line, "> ", 2) == 0 &&
				strncmp(line + 2, name, strlen(name)) == 0;
		if (f)
			fclose(f);
		free(entries[i]);
	}
	free(entries);
	return used;
}

START_TEST(every_command_is_explained_and_used)
{
	for (const struct command *c = nboard_commands; c->name; c++) {
		ck_assert_msg(*c->help, "%s has no help", c->name);
		ck_assert_msg(transcripts_use(c->name), "no transcript uses %s", c->name);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nboard");
	TCase *cases = tcase_create("nboard");
	tcase_set_timeout(cases, 60);
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, the_first_line_selects_the_protocol);
	tcase_add_test(cases, unknown_lines_are_ignored);
	tcase_add_test(cases, games_and_moves);
	tcase_add_test(cases, clocks);
	tcase_add_test(cases, hints_know_no_level);
	tcase_add_test(cases, go_keeps_to_the_clock);
	tcase_add_test(cases, early_stop_comes_back);
	tcase_add_test(cases, go_answers_and_changes_nothing);
	tcase_add_test(cases, forced_moves_need_no_search);
	tcase_add_test(cases, ping_ends_a_search);
	tcase_add_test(cases, other_lines_wait);
	tcase_add_test(cases, quit_ends_a_search);
	tcase_add_test(cases, end_of_input);
	tcase_add_test(cases, hints_are_of_different_moves);
	tcase_add_test(cases, proofs);
	tcase_add_test(cases, analyze_goes_back_to_the_start);
	tcase_add_test(cases, garbage);
	tcase_add_test(cases, every_command_is_explained_and_used);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
