/* SPDX-License-Identifier: MIT
 *
 * What each command does. A refusal says what the draft of GTP says, where it says something, because
 * clients compare the text; the reason then goes to session_note. A search answers in two halves: `run`
 * starts it, `finish` has its report.
 */
#include "protocol/command.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "games/games.h"
#include "protocol/gtp.h"
#include "protocol/session.h"
#include "protocol/sgf.h"
#include "protocol/version.h"

#define ANY INT_MAX

static enum outcome refuse(struct session *s, const char *text)
{
	fputs(text, s->reply);
	return REFUSED;
}

/* Refuses with the draft's text, and notes the reason. */
static enum outcome refuse_noted(struct session *s, const char *text, const char *reason)
{
	session_note(s, "%s: %s: %s", s->command->name, text, reason);
	return refuse(s, text);
}

static enum outcome syntax_error(struct session *s, const char *reason)
{
	return refuse_noted(s, "syntax error", reason);
}

static const char *color_name(int side)
{
	return side == BLACK ? "black" : "white";
}

/* --- about the program --- */

static enum outcome run_protocol_version(struct session *s)
{
	fputs("2", s->reply);
	return DONE;
}

static enum outcome run_name(struct session *s)
{
	fputs(VERSION_NAME, s->reply);
	return DONE;
}

static enum outcome run_version(struct session *s)
{
	fputs(version_text(), s->reply);
	return DONE;
}

static enum outcome run_known_command(struct session *s)
{
	fputs(command_find(s->args[0]) ? "true" : "false", s->reply);
	return DONE;
}

static enum outcome run_list_commands(struct session *s)
{
	for (int i = 0; i < command_count; i++)
		fprintf(s->reply, "%s\n", command_table[i].name);
	return DONE;
}

static void print_help(struct session *s, const struct command *c)
{
	fprintf(s->reply, "%s%s%s: %s\n", c->name, *c->args ? " " : "", c->args, c->help);
}

static enum outcome run_help(struct session *s)
{
	const struct command *c = s->arg_count ? command_find(s->args[0]) : NULL;
	if (s->arg_count && !c)
		return refuse(s, "unknown command");
	if (c)
		print_help(s, c);
	for (int i = 0; !c && i < command_count; i++)
		print_help(s, &command_table[i]);
	return DONE;
}

static enum outcome run_quit(struct session *s)
{
	s->quitting = true;
	return DONE;
}

static enum outcome run_echo(struct session *s)
{
	for (int i = 0; i < s->arg_count; i++)
		fprintf(s->reply, "%s%s", i ? " " : "", s->args[i]);
	return DONE;
}

static enum outcome run_cputime(struct session *s)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	fprintf(s->reply, "%.3f", (double)t.tv_sec + (double)t.tv_nsec / 1e9);
	return DONE;
}

/* `# interrupt` itself is no command; that this one is listed tells clients that it works. */
static enum outcome run_gogui_interrupt(struct session *s)
{
	(void)s;
	return DONE;
}

/* --- which game --- */

static void start_game(struct session *s, const struct game *g)
{
	record_restart(&s->record, g);
	clock_restart(&s->clock);
}

static enum outcome run_boardsize(struct session *s)
{
	int rows, cols;
	if (!gtp_int(s->args[0], &cols) || !gtp_int(s->args[s->arg_count - 1], &rows))
		return syntax_error(s, "a size is a whole number");
	/* The draft leaves the position open here; clear_board is to follow. */
	return cols == s->record.game->cols && rows == s->record.game->rows
		       ? DONE
		       : refuse(s, "unacceptable size");
}

static enum outcome run_clear_board(struct session *s)
{
	start_game(s, s->record.game);
	return DONE;
}

static enum outcome run_komi(struct session *s)
{
	double komi;
	return gtp_real(s->args[0], &komi) ? DONE : syntax_error(s, "komi is a number");
}

static enum outcome run_set_game(struct session *s)
{
	const struct game *g = game_find(s->args[0], s->record.game->rules);
	/* The rules chosen stay while the game does. */
	if (!g || strcmp(g->name, s->record.game->name) != 0)
		g = game_find(s->args[0], NULL);
	if (!g) {
		fprintf(s->reply, "unknown game %s", s->args[0]);
		return REFUSED;
	}
	start_game(s, g);
	return DONE;
}

static enum outcome run_list_games(struct session *s)
{
	for (int i = 0; games[i]; i++)
		if (game_find(games[i]->name, NULL) == games[i])
			fprintf(s->reply, "%s\n", games[i]->title);
	return DONE;
}

/* --- moves and positions --- */

static enum outcome run_play(struct session *s)
{
	int side;
	if (!gtp_color(s->args[0], &side))
		return syntax_error(s, "a color is black or white");
	switch (record_play_text(&s->record, side, s->args[1])) {
	case MOVE_OK:
		return DONE;
	case MOVE_MALFORMED:
		return syntax_error(s, "this is no move");
	case MOVE_ILLEGAL:
		break;
	}
	return refuse_noted(s, "illegal move",
			    s->record.now.over           ? "the game is over"
			    : s->record.now.side != side ? "it is the other side's turn"
							 : "the rules forbid it");
}

static enum outcome run_undo(struct session *s)
{
	return record_undo(&s->record) ? DONE : refuse(s, "cannot undo");
}

static enum outcome run_showboard(struct session *s)
{
	char text[BOARD_TEXT_MAX];
	game_draw(s->record.game, &s->record.now, text);
	fprintf(s->reply, "\n%s", text);
	return DONE;
}

static enum outcome run_final_score(struct session *s)
{
	const struct state *now = &s->record.now;
	if (!now->over)
		return refuse_noted(s, "cannot score", "the game is not over");
	if (now->score == 0)
		fputs("0", s->reply);
	else
		fprintf(s->reply, "%c+%d", now->score > 0 ? 'B' : 'W', abs(now->score));
	return DONE;
}

static enum outcome run_is_legal(struct session *s)
{
	int side;
	if (!gtp_color(s->args[0], &side))
		return syntax_error(s, "a color is black or white");
	enum move_check check = record_play_text(&s->record, side, s->args[1]);
	if (check == MOVE_MALFORMED)
		return syntax_error(s, "this is no move");
	if (check == MOVE_OK)
		record_undo(&s->record);
	fputs(check == MOVE_OK ? "1" : "0", s->reply);
	return DONE;
}

static enum outcome run_all_legal(struct session *s)
{
	struct record *r = &s->record;
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	int side;
	if (!gtp_color(s->args[0], &side))
		return syntax_error(s, "a color is black or white");
	if (r->now.over || !record_give_turn(r, side))
		return DONE;
	int n = game_moves(r->game, &r->now, moves);
	for (int i = 0; i < n; i++) {
		game_format(r->game, &r->now, moves[i], text);
		fprintf(s->reply, "%s%s", i ? " " : "", text);
	}
	record_undo_implied(r);
	return DONE;
}

static enum outcome run_move_history(struct session *s)
{
	const struct record *r = &s->record;
	for (int i = r->count - 1; i >= 0; i--) {
		struct state before;
		char text[MOVE_TEXT_MAX];
		record_state(r, i, &before);
		game_format(r->game, &before, r->moves[i].move, text);
		fprintf(s->reply, "%s %s\n", color_name(r->moves[i].side), text);
	}
	return DONE;
}

static enum outcome run_position(struct session *s)
{
	struct state start;
	char text[POSITION_TEXT_MAX];
	if (s->arg_count == 0) {
		game_position(s->record.game, &s->record.now, text);
		fputs(text, s->reply);
		return DONE;
	}
	const char *reason = s->arg_count == 2
				     ? game_setup(s->record.game, &start, s->args[0], s->args[1])
				     : "a position is a board and a side";
	if (reason)
		return refuse(s, reason);
	record_setup(&s->record, &start);
	return DONE;
}

/* --- thinking --- */

/* How many moves a side may still have to make: every move of these games fills a square. */
static int own_moves_left(const struct record *r)
{
	int empty = 0;
	for (int row = 0; row < r->game->rows; row++)
		for (int col = 0; col < r->game->cols; col++)
			empty += r->game->at(&r->now, row, col) == '.';
	return empty > 2 ? (empty + 1) / 2 : 1;
}

/* Begins the search for the move of s->side. */
static enum outcome think(struct session *s)
{
	int64_t budget = clock_budget(&s->clock, s->side, own_moves_left(&s->record));
	struct limits limits = engine_limits(s->engine, budget);
	char why[REASON_MAX];
	if (engine_think(s->engine, &s->record, &limits, s->wake_fd, why))
		return THINKING;
	record_undo_implied(&s->record);
	return refuse(s, why);
}

/* A pass is answered at once; any other move is searched. */
static enum outcome run_reg_genmove(struct session *s)
{
	struct record *r = &s->record;
	int side;
	if (!gtp_color(s->args[0], &side))
		return syntax_error(s, "a color is black or white");
	if (!record_give_turn(r, side)) {
		fprintf(s->reply, "%s is to move", color_name(r->now.side));
		return REFUSED;
	}
	s->side = side;
	if (!r->now.over && !game_must_pass(r->game, &r->now))
		return think(s);
	fputs("PASS", s->reply);
	return DONE;
}

static void print_count(FILE *f, uint64_t count, const char *units, double seconds)
{
	if (count)
		fprintf(f, ", %llu %s (%.0f/s)", (unsigned long long)count, units,
			(double)count / seconds);
}

/* Tells what a search has found, on one line; values and scores are Black's. */
static void note_search(struct session *s, const struct report *report)
{
	static const char *const proofs[3][3] = {
		/* rows: Black's lower bound, columns: his upper bound, from lost to won */
		{ ", white wins", ", black does not win", "" },
		{ "", ", draw", ", black does not lose" },
		{ "", "", ", black wins" },
	};
	const struct game *g = s->record.game;
	struct state state = s->record.now;
	double seconds = (double)(clock_now() - s->taken) / 1e9;
	char *line, move[MOVE_TEXT_MAX];
	size_t length;
	FILE *f = open_memstream(&line, &length);
	if (!f)
		return;
	fprintf(f, "%s, %.3f s", color_name(s->side), seconds);
	if (!isnan(report->value))
		fprintf(f, ", value %+.3f", report->value);
	if (!isnan(report->score))
		fprintf(f, ", score %+.2f", report->score);
	fputs(proofs[report->lower + 1][report->upper + 1], f);
	if (report->depth)
		fprintf(f, ", depth %d", report->depth);
	print_count(f, report->playouts, "playouts", seconds);
	print_count(f, report->nodes, "nodes", seconds);
	fputs(", line", f);
	for (int i = 0; i < report->line_count; i++) {
		game_format(g, &state, report->line[i], move);
		fprintf(f, " %s", move);
		game_play(g, &state, report->line[i]);
	}
	fclose(f);
	session_note(s, "%s", line);
	free(line);
}

/* Whether the side expects less of the points than it is willing to play on for. */
static bool has_lost_hope(const struct session *s, const struct report *report)
{
	double value = s->side == BLACK ? report->value : -report->value;
	return (1 + value) / 2 < engine_options(s->engine)->resign;
}

/* Prints the answer of a search; false: it is no move. */
static bool print_found(struct session *s, const struct report *report)
{
	char text[MOVE_TEXT_MAX];
	note_search(s, report);
	bool resigns = has_lost_hope(s, report);
	game_format(s->record.game, &s->record.now, report->line[0], text);
	fputs(resigns ? "resign" : text, s->reply);
	return !resigns;
}

static enum outcome run_genmove(struct session *s)
{
	struct record *r = &s->record;
	enum outcome outcome = run_reg_genmove(s);
	if (outcome == DONE && r->now.over)
		record_play_end_pass(r, s->side);
	else if (outcome == DONE)
		record_play(r, move_single(r->game->pass));
	return outcome;
}

static enum outcome finish_genmove(struct session *s, const struct report *report)
{
	if (report)
		clock_spend(&s->clock, s->side, clock_now() - s->taken);
	if (report && print_found(s, report))
		record_play(&s->record, report->line[0]);
	else
		record_undo_implied(&s->record);
	return report ? DONE : REFUSED;
}

static enum outcome finish_reg_genmove(struct session *s, const struct report *report)
{
	if (report)
		print_found(s, report);
	record_undo_implied(&s->record);
	return report ? DONE : REFUSED;
}

static enum outcome run_time_settings(struct session *s)
{
	int main, period, stones;
	if (!gtp_int(s->args[0], &main) || !gtp_int(s->args[1], &period) ||
	    !gtp_int(s->args[2], &stones))
		return syntax_error(s, "times are whole seconds, stones a whole number");
	clock_set_game(&s->clock, main, period, stones);
	return DONE;
}

static enum outcome run_time_left(struct session *s)
{
	int side, stones;
	double seconds;
	if (!gtp_color(s->args[0], &side) || !gtp_real(s->args[1], &seconds) ||
	    !gtp_int(s->args[2], &stones))
		return syntax_error(s, "a color, seconds and a number of stones are wanted");
	clock_set_left(&s->clock, side, seconds, stones);
	return DONE;
}

static enum outcome run_set_time(struct session *s)
{
	double seconds;
	if (!gtp_real(s->args[0], &seconds) || seconds < 0)
		return syntax_error(s, "a time is a number of seconds, 0 or more");
	clock_set_move(&s->clock, seconds);
	return DONE;
}

/* --- files --- */

static enum outcome run_loadsgf(struct session *s)
{
	int before = INT_MAX;
	char why[REASON_MAX];
	if (s->arg_count == 2 && (!gtp_int(s->args[1], &before) || before == 0))
		return syntax_error(s, "moves are counted from 1");
	if (!sgf_load(&s->record, s->args[0], before, why))
		return refuse_noted(s, "cannot load file", why);
	clock_restart(&s->clock);
	return DONE;
}

static enum outcome run_printsgf(struct session *s)
{
	char why[REASON_MAX];
	if (s->arg_count == 0)
		sgf_print(s->reply, &s->record);
	else if (!sgf_save(s->args[0], &s->record, why))
		return refuse(s, why);
	return DONE;
}

/* --- options --- */

/* The rules are the game's, not the engine's, but clients find them among the options. */
static const char rules_name[] = "rules";

static enum outcome set_rules(struct session *s, const char *rules)
{
	const struct game *g = game_find(s->record.game->name, rules);
	if (!g) {
		fprintf(s->reply, "%s has no rules %s", s->record.game->name, rules);
		return REFUSED;
	}
	if (g != s->record.game)
		start_game(s, g);
	return DONE;
}

static enum outcome set_option(struct session *s, const struct option *option, const char *value)
{
	char why[REASON_MAX];
	if (!option_set(engine_options(s->engine), option, value, why))
		return refuse(s, why);
	if (option == option_find("seed"))
		engine_reseed(s->engine);
	return DONE;
}

static void list_options(struct session *s)
{
	char text[OPTION_TEXT_MAX];
	fputs("[list", s->reply);
	for (int i = 0; games[i]; i++)
		if (strcmp(games[i]->name, s->record.game->name) == 0)
			fprintf(s->reply, "/%s", games[i]->rules);
	fprintf(s->reply, "] %s %s\n", rules_name, s->record.game->rules);
	for (int i = 0; i < option_count; i++) {
		const struct option *o = &option_table[i];
		option_get(engine_options(s->engine), o, text);
		switch (o->type) {
		case OPTION_BOOL:
			fputs("[bool]", s->reply);
			break;
		case OPTION_CHOICE:
		case OPTION_SEARCH:
			fputs("[list", s->reply);
			for (int j = 0; option_choice(o, j); j++)
				fprintf(s->reply, "/%s", option_choice(o, j));
			fputs("]", s->reply);
			break;
		case OPTION_INT:
		case OPTION_LONG:
		case OPTION_REAL:
			fputs("[string]", s->reply);
			break;
		}
		fprintf(s->reply, " %s %s\n", o->name, text);
	}
}

static enum outcome run_param(struct session *s)
{
	char text[OPTION_TEXT_MAX];
	if (s->arg_count == 0) {
		list_options(s);
		return DONE;
	}
	bool is_rules = strcmp(s->args[0], rules_name) == 0;
	const struct option *o = option_find(s->args[0]);
	if (!is_rules && !o) {
		fprintf(s->reply, "unknown parameter %s", s->args[0]);
		return REFUSED;
	}
	if (s->arg_count == 2)
		return is_rules ? set_rules(s, s->args[1]) : set_option(s, o, s->args[1]);
	if (o)
		option_get(engine_options(s->engine), o, text);
	fputs(is_rules ? s->record.game->rules : text, s->reply);
	return DONE;
}

static enum outcome run_set_random_seed(struct session *s)
{
	return set_option(s, option_find("seed"), s->args[0]);
}

const struct command command_table[] = {
	{ "protocol_version", 0, 0, "", "the version of GTP", run_protocol_version, NULL },
	{ "name", 0, 0, "", "the program's name", run_name, NULL },
	{ "version", 0, 0, "", "the program's version", run_version, NULL },
	{ "known_command", 1, 1, "COMMAND", "whether there is such a command", run_known_command,
	  NULL },
	{ "list_commands", 0, 0, "", "all commands", run_list_commands, NULL },
	{ "help", 0, 1, "[COMMAND]", "what one command, or each, does", run_help, NULL },
	{ "quit", 0, 0, "", "leave", run_quit, NULL },
	{ "echo", 0, ANY, "[TEXT]", "answer the text", run_echo, NULL },
	{ "cputime", 0, 0, "", "processor time used so far, in seconds", run_cputime, NULL },
	{ "gogui-interrupt", 0, 0, "", "nothing; the line `# interrupt` ends a search",
	  run_gogui_interrupt, NULL },

	{ "boardsize", 1, 2, "SIZE", "accept the game's own size; clear_board is to follow",
	  run_boardsize, NULL },
	{ "clear_board", 0, 0, "", "begin a new game", run_clear_board, NULL },
	{ "komi", 1, 1, "POINTS", "accepted and ignored", run_komi, NULL },
	{ "set_game", 1, 1, "GAME", "begin a new game of this kind", run_set_game, NULL },
	{ "list_games", 0, 0, "", "the games for set_game", run_list_games, NULL },

	{ "play", 2, 2, "COLOR MOVE", "make a move", run_play, NULL },
	{ "genmove", 1, ANY, "COLOR", "search, make and answer a move", run_genmove,
	  finish_genmove },
	{ "reg_genmove", 1, ANY, "COLOR", "search and answer a move without making it",
	  run_reg_genmove, finish_reg_genmove },
	{ "undo", 0, 0, "", "take back the last move", run_undo, NULL },
	{ "showboard", 0, 0, "", "draw the board", run_showboard, NULL },
	{ "final_score", 0, 0, "", "the result of a finished game: B+2, W+1, 0", run_final_score,
	  NULL },
	{ "is_legal", 2, 2, "COLOR MOVE", "1 if play would accept the move, else 0", run_is_legal,
	  NULL },
	{ "all_legal", 1, 1, "COLOR", "all legal moves of a side", run_all_legal, NULL },
	{ "move_history", 0, 0, "", "the moves made, the last one first", run_move_history, NULL },
	{ "position", 0, 2, "[BOARD SIDE]",
	  "print the position, or begin with one: its squares from the top left, the side to move",
	  run_position, NULL },

	{ "time_settings", 3, 3, "MAIN PERIOD STONES",
	  "game clock in seconds: main time, then STONES moves in each period; 0 1 0 is none",
	  run_time_settings, NULL },
	{ "time_left", 3, 3, "COLOR SECONDS STONES", "what the clock of a side shows",
	  run_time_left, NULL },
	{ "set_time", 1, 1, "SECONDS", "fixed time a move instead of a game clock", run_set_time,
	  NULL },

	{ "loadsgf", 1, 2, "FILE [MOVE]", "read a game, up to before that move", run_loadsgf,
	  NULL },
	{ "printsgf", 0, 1, "[FILE]", "write the game to a file or as the answer", run_printsgf,
	  NULL },

	{ "param", 0, 2, "[NAME [VALUE]]",
	  "list the options, or answer or set one; other rules begin a new game", run_param, NULL },
	{ "set_random_seed", 1, 1, "SEED", "set the option seed", run_set_random_seed, NULL },
};
const int command_count = sizeof command_table / sizeof command_table[0];

const struct command *command_find(const char *name)
{
	for (int i = 0; i < command_count; i++)
		if (strcmp(command_table[i].name, name) == 0)
			return &command_table[i];
	return NULL;
}
