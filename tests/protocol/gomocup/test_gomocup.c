/* SPDX-License-Identifier: MIT
 *
 * Gomocup's protocol, in sessions without a process. Searches have a time limit of weeks where only the tested event
 * may end them. Check's timeout fails those that do not end. The transcript has the answers of each command.
 */
#include "protocol/carriers/loop.h"
#include "protocol/gomocup/gomocup.h"

#include <event2/event.h>
#include <string.h>

#include "engine/base/memory.h"
#include "protocol/gtp/commands.h"
#include "protocol/nboard/nboard.h"
#include "protocol/program/tables.h"
#include "protocol/session/fifo.h"
#include "tests/suite.h"

#define WEEKS "INFO timeout_match 0\nINFO timeout_turn 1000000000\n"

static struct event_base *base;
static struct options options;
static struct session *session;
static int idle_events; /* of the base while the session has nothing to do */
static char *said;      /* all output since the last `hear` */

static void nothing(void *arg)
{
	(void)arg;
}

static void start(const struct protocol *const *protocols, const struct game *game)
{
	session = session_create(&(struct session_setup) {
		.loop = &loop_of_events,
		.base = base,
		.game = game,
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
	options.memory = 64;
	options.seed = 1;
	options.playouts = 40;
	start(protocols_all, &game_tictactoe);
}

static void teardown(void)
{
	free(said);
	said = NULL;
	session_destroy(session);
	event_base_free(base);
}

static void restart(const struct protocol *const *protocols, const struct game *game)
{
	session_destroy(session);
	start(protocols, game);
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

/* Same, after all searches have ended and no line waits. */
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

/* Checks that the answer is one square, where the engine's stone now is. */
static void check_move(const char *text)
{
	int col, row, length = 0;
	tell(text);
	const char *answer = hear_all();
	ck_assert_msg(sscanf(answer, "%d,%d\n%n", &col, &row, &length) == 2 && !answer[length],
		      "%s", answer);
	const struct record *r = &session->record;
	ck_assert_int_eq(r->moves[r->count - 1].move.step[0], row * r->game->board.cols + col);
}

START_TEST(the_first_line_selects_the_protocol)
{
	static const char *const first[] = {
		"START 15\n",   "ABOUT\n",       "INFO rule 0\n", "RECTSTART 9,9\n",
		"RESTART\n",    "BOARD\n",       "SWAP2BOARD\n",  "YXBOARD\n",
		"start 15\r\n", "Start 15 15\n", "info rule 1\n", "rectstart 9,9\n"
	};
	for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
		restart(protocols_all, &game_tictactoe);
		tell("# a comment\r\n\n");
		tell(first[i]);
		hear_all();
		ck_assert_ptr_eq(session->protocol, &protocol_gomocup);
		ck_assert_str_eq(session->record.game->name, "gomoku");
	}
	restart(protocols_all, &game_tictactoe);
	check("board\nname\n", "? unknown command\n\n= yomi\n\n");
	restart(protocols_gtp, &game_tictactoe);
	check("START 15\n", "? unknown command\n\n");
	restart(protocols_gomocup, &game_tictactoe);
	check("start 9\r\nname\n", "OK\nUNKNOWN command\n");
	ck_assert_int_eq(session->record.game->board.rows, 9);
	/* The size and rules that the program was started with. */
	restart(protocols_gomocup, game_sized(&game_gomoku_standard, 19, 19));
	check("RESTART\n", "OK\n");
	ck_assert_int_eq(session->record.game->board.rows, 19);
	ck_assert_str_eq(session->record.game->rules, "standard");
}
END_TEST

START_TEST(whole_games)
{
	check("START 20\n", "OK\n");
	check_move("BEGIN\n");
	while (!session->record.now.over) {
		move_t steps[GAME_STEPS_MAX];
		char line[32];
		const struct game *g = session->record.game;
		int n = g->moves(g, &session->record.now, steps);
		move_t step = steps[(session->record.count * 37) % n];
		snprintf(line, sizeof line, "TURN %d,%d\r\n", step % 20, step / 20);
		check_move(line);
	}
	ck_assert_int_eq(session->record.now.score, 1);
	check("TURN 0,0\n", "ERROR the game is over\n");
	check("RESTART\nPLAY 3,4\nTAKEBACK 3,4\nTAKEBACK 3,4\n",
	      "OK\n3,4\nOK\nERROR there is no stone\n");
}
END_TEST

/* The five is found at once, by both sides; who moves first follows from the stones. */
START_TEST(boards)
{
	check("START 15\nBOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n0,5,2\n0,6,2\n0,7,2\n5,7,2\nDONE\n",
	      "OK\n4,0\n");
	ck_assert_int_eq(session->record.now.score, 1);
	check("RESTART\nBOARD\n0,5,2\n0,0,1\n0,6,2\n1,0,1\n0,7,2\n2,0,1\n5,7,2\n3,0,1\n9,9,"
	      "2\nDONE\n",
	      "OK\n4,0\n");
	ck_assert_int_eq(session->record.now.score, -1);
	check("RESTART\nBOARD\n0,0,1\nRESTART\nDONE\n",
	      "OK\nOK\nERROR DONE ends BOARD, YXBOARD or SWAP2BOARD\n");
	/* An empty board is that of BEGIN; the opponent's move continues a board. */
	check_move("BOARD\nDONE\n");
	check_move("BOARD\n7,7,2\nDONE\n");
	check_move("TURN 0,0\n");
	ck_assert_int_eq(game_free(session->record.game, &session->record.now), 225 - 4);
}
END_TEST

START_TEST(rules)
{
	static const char six[] = "BOARD\n0,0,1\n1,0,1\n2,0,1\n4,0,1\n5,0,1\n0,5,2\n2,5,2\n4,5,2\n"
				  "6,5,2\n8,5,2\nDONE\n";
	check("START 15\n", "OK\n");
	check(six, "3,0\n");
	check("INFO rule 1\nRESTART\n", "OK\n");
	ck_assert_str_eq(session->record.game->rules, "standard");
	tell(six);
	ck_assert_str_ne(hear_all(), "3,0\n");
	/* The rules may be told after the stones. */
	check("RESTART\nPLAY 7,7\nINFO rule 0\n", "OK\n7,7\n");
	ck_assert_str_eq(session->record.game->rules, "freestyle");
	ck_assert_int_eq(game_free(session->record.game, &session->record.now), 224);
	check("RESTART\n", "OK\n");
	check_move("BEGIN\n");
	/* The size has many forms. */
	check("START 15 15\nSTART 15,15\nRECTSTART 15,15\nstart  9\n", "OK\nOK\nOK\nOK\n");
	check("START 15 14\nSTART 15;15\n",
	      "ERROR boards are square, from 5x5 to 20x20\n"
	      "ERROR the size of the board is one number, or WIDTH,HEIGHT\n");
}
END_TEST

/* After a START that failed there is no game until one succeeds. */
START_TEST(failed_start)
{
	static const char *const sizes[] = { "START 30\n", "RECTSTART 10,12\n", "START x\n" };
	static const char *const commands[] = { "BEGIN\n", "TURN 3,3\n", "PLAY 3,3\n", "RESTART\n",
						"BOARD\n3,3,2\nDONE\n" };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		check("START 15\n", "OK\n");
		check(sizes[i], i < 2 ? "ERROR boards are square, from 5x5 to 20x20\n"
				      : "ERROR the size of the board is one number, or "
					"WIDTH,HEIGHT\n");
		for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
			check(commands[k], "ERROR no game runs: START failed\n");
		check("START 15\n", "OK\n");
		check_move("BEGIN\n");
	}
}
END_TEST

#define UNSUPPORTED                                                                                \
	"ERROR of the rules only 0, five or more, 1, exactly five, and 4, Renju, are supported\n"

/* INFO itself has no answer, as managers do not read it. Each command that waits for one gets it. */
START_TEST(unsupported_rules)
{
	static const char *const refused[] = { "2", "3", "5", "6", "8", "9", "99999999999" };
	static const char *const commands[] = { "BEGIN\n", "TURN 3,3\n", "BOARD\n3,3,2\nDONE\n",
						"SWAP2BOARD\nDONE\n" };
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		char line[64];
		snprintf(line, sizeof line, "INFO rule %s\n", refused[i]);
		check("START 15\n", "OK\n");
		check(line, "");
		for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
			check(commands[k], UNSUPPORTED);
		/* Another game may have other rules; rules told before a game count for it. */
		check("RESTART\n", "OK\n");
		check(line, "");
		check("START 15\n", UNSUPPORTED);
		check("RECTSTART 15,15\n", UNSUPPORTED);
		check("RESTART\n", UNSUPPORTED);
		check("INFO rule 0\nRESTART\n", "OK\n");
		check_move("BEGIN\n");
	}
}
END_TEST

/* Rule 4. Black's forbidden moves are refused with the reason, and never chosen. */
START_TEST(renju)
{
	static const char cross[] = "7,7,1\n0,0,2\n7,8,1\n0,2,2\n6,6,1\n0,4,2\n8,6,1\n0,6,2\n";
	char text[256];
	check("START 15\nINFO rule 4\n", "OK\n");
	ck_assert_str_eq(session->record.game->rules, "renju");
	snprintf(text, sizeof text, "YXBOARD\n%sDONE\n", cross);
	check(text, "");
	check("YXSHOWFORBID\nPLAY 7,6\n",
	      "FORBID 0706.\nERROR Black may not make two threes (double three)\n");
	check("PLAY 7,5\nYXSHOWFORBID\n", "7,5\nFORBID .\n");
	/* A manager that marks the forbidden points. */
	snprintf(text, sizeof text, "BOARD\n%s7,6,3\nDONE\n", cross);
	check_move(text);
	/* Six in a row, of either side. */
	check("RESTART\nYXBOARD\n0,0,1\n0,5,2\n1,0,1\n1,5,2\n2,0,1\n2,5,2\n4,0,1\n4,5,2\n5,0,1\n"
	      "5,5,2\nDONE\nPLAY 3,0\nPLAY 3,5\n",
	      "OK\nERROR Black may not make six or more in a row (overline)\n3,5\n");
	check("INFO rule 0\nYXSHOWFORBID\n", "FORBID .\n");
}
END_TEST

/* Without a limit of work these end by the clock alone. */
START_TEST(times)
{
	options.playouts = 0;
	restart(protocols_gomocup, &game_gomoku);
	check("START 15\nINFO timeout_turn 0\n", "OK\n");
	check_move("BEGIN\n");
	tell("INFO timeout_turn 1000000000\nINFO timeout_match 2000\nINFO time_left 50\n");
	check_move("TURN 0,0\n");
	tell("INFO timeout_turn 20\nINFO timeout_match 0\nINFO time_left 2147483647\n");
	check_move("TURN 1,0\n");
	tell("INFO timeout_match 1000000000\nINFO time_left 1000000000\n");
	check_move("TURN 2,0\n");
}
END_TEST

/* What the manager tells becomes the clock of the move. */
START_TEST(times_are_those_of_the_manager)
{
	const int64_t second = 1000000000;
	const struct clock *c = &session->clock;
	check("START 15\nINFO timeout_turn 5000\nINFO timeout_match 100000\n", "OK\n");
	check_move("BEGIN\n");
	ck_assert_int_eq(c->main, 100 * second);
	ck_assert_int_eq(c->move, 5 * second);
	tell("INFO time_left 40000\n");
	check_move("TURN 0,0\n");
	ck_assert_int_eq(c->main, 40 * second);
	ck_assert_int_eq(c->move, 5 * second);
	/* Another game begins with all of its time. */
	check("RESTART\n", "OK\n");
	check_move("BEGIN\n");
	ck_assert_int_eq(c->main, 100 * second);
	/* Without a limit of the match that of the move remains. */
	tell("INFO timeout_match 0\n");
	check_move("TURN 0,0\n");
	ck_assert_int_eq(c->main, TIME_NEVER);
	ck_assert_int_eq(c->move, 5 * second);
}
END_TEST

/* The second player swaps where Black is better, and plays on where White is. */
START_TEST(swap2_takes_the_better_side)
{
	check("START 15\nSWAP2BOARD\n6,7\n0,0\n7,7\n14,14\n8,7\nDONE\n", "OK\nSWAP\n");
	int n = 0;
	tell("RESTART\nSWAP2BOARD\n0,0\n7,7\n14,14\n8,7\n0,14\nDONE\n");
	ck_assert(sscanf(hear_all(), "OK\n%*d,%*d\n%n", &n) == 0 && n > 0);
}
END_TEST

/* Every request for an opening tries new stones, in its own time. */
START_TEST(swap2_openings_are_new)
{
	char first[64];
	int n = 0;
	check("START 15\n" WEEKS, "OK\n");
	tell("SWAP2BOARD\nDONE\n");
	snprintf(first, sizeof first, "%s", hear_all());
	tell("SWAP2BOARD\nDONE\n");
	ck_assert(sscanf(hear_all(), "%*d,%*d %*d,%*d %*d,%*d\n%n", &n) == 0 && n > 0);
	ck_assert_str_ne(said, first);
}
END_TEST

START_TEST(yxstop_and_end_stop_a_search)
{
	options.playouts = 0;
	restart(protocols_gomocup, &game_gomoku);
	check("START 15\n" WEEKS, "OK\n");
	check_move("BEGIN\nYXSTOP\n");
	check_move("turn 0,0\nyxstop\n");
	tell("SWAP2BOARD\nDONE\nYXSTOP\n");
	int n = 0;
	ck_assert(sscanf(hear_all(), "%*d,%*d %*d,%*d %*d,%*d\n%n", &n) == 0 && n > 0);
	tell("RESTART\nBEGIN\nEND\nABOUT\n");
	const char *answer = hear_all();
	ck_assert(strncmp(answer, "OK\n", 3) == 0 && strchr(answer, ','));
	ck_assert_ptr_null(strstr(answer, "name"));
	ck_assert(session_is_over(session));
}
END_TEST

START_TEST(memory_and_options)
{
	const struct options *o = engine_options(session->engine);
	check("START 15\nINFO max_memory 50331648\n", "OK\n");
	ck_assert_int_eq(o->memory, 24);
	tell("INFO max_memory 1000\n");
	ck_assert_int_eq(o->memory, 1);
	tell("INFO max_memory 0\n");
	ck_assert_int_eq(o->memory, 64);
	tell("INFO max_memory 1000000000000\n");
	ck_assert_int_eq(o->memory, 64);
	tell("INFO thread_num 2\nINFO max_node 30\nINFO level 3\nINFO level x\nINFO nonsense 1\n");
	ck_assert_int_eq(o->threads, 2);
	ck_assert_int_eq(o->playouts, 30);
	ck_assert_double_eq(o->level, 3);
	ck_assert_str_eq(hear_all(), "");
}
END_TEST

START_TEST(garbage)
{
	static const char *const words[] = {
		"START",          " ",          "15",        "\n",           "BEGIN\n",
		"TURN ",          "7,7",        ",",         "\n",           "BOARD\n",
		"1,2,1\n",        "2,2,2\n",    "DONE\n",    "SWAP2BOARD\n", "3,3\n",
		"INFO ",          "rule ",      "1",         "\n",           "\0",
		"TAKEBACK 7,7\n", "PLAY 5,5\n", "RESTART\n", "\r",           "#",
		"\xff",           "%s%n",       "\n",        "-1",           "YXSTOP\n",
	};
	struct rng rng;
	rng_seed(&rng, 1);
	options.playouts = 5;
	restart(protocols_gomocup, &game_gomoku);
	for (int i = 0; i < 8000; i++) {
		const char *word = words[rng_below(&rng, sizeof words / sizeof words[0])];
		session_input(session, word, *word ? strlen(word) : 1);
		if (i % 100 == 0)
			hear_all();
	}
	tell("\nYXSTOP\n");
	hear_all();
	check("START 15\n", "OK\n");
	ck_assert(session->record.game->valid(session->record.game, &session->record.now));
}
END_TEST

START_TEST(every_command_is_explained_and_used)
{
	for (const struct command *c = gomocup_commands; c->name; c++) {
		char line[512];
		bool used = false;
		FILE *f = fopen("tests/protocol/transcripts/gomocup.gtp", "re");
		ck_assert_ptr_nonnull(f);
		while (fgets(line, sizeof line, f))
			used |= strncmp(line, "> ", 2) == 0 &&
				strncmp(line + 2, c->name, strlen(c->name)) == 0;
		fclose(f);
		ck_assert_msg(used && *c->help, "%s", c->name);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gomocup");
	TCase *cases = tcase_create("gomocup");
	tcase_set_timeout(cases, 60);
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, the_first_line_selects_the_protocol);
	tcase_add_test(cases, whole_games);
	tcase_add_test(cases, boards);
	tcase_add_test(cases, rules);
	tcase_add_test(cases, failed_start);
	tcase_add_test(cases, unsupported_rules);
	tcase_add_test(cases, renju);
	tcase_add_test(cases, times);
	tcase_add_test(cases, times_are_those_of_the_manager);
	tcase_add_test(cases, swap2_takes_the_better_side);
	tcase_add_test(cases, swap2_openings_are_new);
	tcase_add_test(cases, yxstop_and_end_stop_a_search);
	tcase_add_test(cases, memory_and_options);
	tcase_add_test(cases, garbage);
	tcase_add_test(cases, every_command_is_explained_and_used);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
