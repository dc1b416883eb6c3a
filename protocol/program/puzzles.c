/* SPDX-License-Identifier: MIT */
#include "protocol/program/puzzles.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/evaluation/evaluator.h"
#include "engine/rules/drawing.h"
#include "games/games.h"
#include "protocol/gtp/command.h"
#include "protocol/gtp/think.h"
#include "protocol/program/program.h"
#include "protocol/records/file.h"
#include "protocol/records/sgf.h"
#include "protocol/teach/explain.h"
#include "protocol/teach/puzzle.h"

#define GAMES_FOR_ONE 20 /* games that are played at most for each puzzle */
#define REASONS_SHOWN 3

struct puzzles {
	const struct puzzles_setting *setting;
	struct engine *engine;
	struct record record; /* the game that is searched */
	bool of_mistakes;     /* only where the record makes another move than the solution */
	uint64_t *seen;       /* hashes of the positions */
	int count, games;
	struct puzzle *best; /* of the game: the one that takes most moves */
	bool has_best;
	FILE *sgf; /* text of the output */
};

/* --- writing --- */

/* Writes the facts of the solution. The caller frees the text. */
static char *write_reasons(const struct puzzle *p)
{
	char *text;
	size_t length;
	FILE *f = text_open(&text, &length);
	explain_facts(f, &p->facts, 1, NULL, REASONS_SHOWN);
	fclose(f);
	return text;
}

static void puzzles_print_text(const struct puzzles *v, const struct puzzle *p)
{
	char task[PUZZLE_TASK_MAX], position[POSITION_TEXT_MAX], board[BOARD_TEXT_MAX];
	char *reasons = write_reasons(p);
	puzzle_task(p, task);
	game_position(p->game, &p->state, position);
	game_draw(p->game, &p->state, NULL, board);
	printf("puzzle    %d: %s\n%s\nposition  %s\nsolution ", v->count, task, board, position);
	think_line(stdout, p->game, &p->state, p->line, p->line_count);
	printf("\n%s%s%s\n", *reasons ? "reason    " : "", reasons, *reasons ? "\n" : "");
	free(reasons);
}

static void puzzles_print_json(const struct puzzle *p)
{
	char task[PUZZLE_TASK_MAX], position[POSITION_TEXT_MAX];
	puzzle_task(p, task);
	game_position(p->game, &p->state, position);
	explain_dump(stdout,
		     json_pack("{s:s,s:s,s:i,s:i,s:s,s:s,s:s,s:s,s:o,s:o,s:o}", "game",
			       p->game->name, "rules", p->game->rules, "rows", p->game->board.rows,
			       "cols", p->game->board.cols, "position", position, "side",
			       color_name(p->state.side), "task", task, "value",
			       p->is_win ? "win" : "draw", "moves",
			       p->moves ? json_integer(p->moves) : json_null(), "solution",
			       explain_json_line(p->game, &p->state, p->line, p->line_count),
			       "facts", explain_json_facts(&p->facts)));
}

/* Writes the position with the task, and the solution as its main line. */
static void puzzles_print_sgf(FILE *f, const struct puzzle *p)
{
	char task[PUZZLE_TASK_MAX], *reasons = write_reasons(p);
	struct sgf_note notes[PUZZLE_LINE_MAX + 1];
	struct record r;
	puzzle_task(p, task);
	record_init(&r, p->game);
	record_setup(&r, &p->state);
	for (int i = 0; i < p->line_count; i++) {
		record_play(&r, p->line[i]);
		notes[i] = (struct sgf_note) { .value = __builtin_nan(""),
					       .seconds = __builtin_nan("") };
	}
	notes[0].text = *reasons ? reasons : NULL;
	sgf_print_with(f, &r, &(struct sgf_property) { "C", task }, 1, notes);
	record_free(&r);
	free(reasons);
}

/* --- finding --- */

static void puzzles_show_progress(const struct puzzles *v)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[Kgame %d, %d of %d puzzles", v->games, v->count,
			v->setting->count);
}

static void puzzles_erase_progress(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

static bool puzzles_is_seen(const struct puzzles *v, const struct state *s)
{
	for (int i = 0; i < v->count; i++)
		if (v->seen[i] == s->hash)
			return true;
	return false;
}

static void puzzles_give(struct puzzles *v, const struct puzzle *p)
{
	puzzles_erase_progress();
	v->seen[v->count++] = p->state.hash;
	if (v->setting->json)
		puzzles_print_json(p);
	else
		puzzles_print_text(v, p);
	fflush(stdout);
	if (v->sgf)
		puzzles_print_sgf(v->sgf, p);
}

/* Takes each missed puzzle of a record, or remembers the one of a game that takes most moves. */
static bool puzzles_take(void *arg, const struct puzzle *p, int index)
{
	struct puzzles *v = arg;
	const struct record_move *m = &v->record.moves[index];
	if (puzzles_is_seen(v, &p->state))
		return true;
	if (v->of_mistakes) {
		if (!move_equal(m->move, p->line[0]))
			puzzles_give(v, p);
		return v->count < v->setting->count;
	}
	if (!v->has_best || p->moves >= v->best->moves) {
		*v->best = *p;
		v->has_best = true;
	}
	return true;
}

static bool puzzles_search(struct puzzles *v, char why[REASON_MAX])
{
	v->has_best = false;
	bool done = puzzle_search(v->engine, &v->record, v->setting->nodes, puzzles_take, v, why);
	if (done && v->has_best)
		puzzles_give(v, v->best);
	return done;
}

static bool puzzles_play_games(struct puzzles *v, char why[REASON_MAX])
{
	struct rng rng;
	bool done = true;
	rng_seed(&rng, v->setting->options->seed ? (uint64_t)v->setting->options->seed
						 : (uint64_t)clock_now());
	while (done && v->count < v->setting->count &&
	       v->games < GAMES_FOR_ONE * v->setting->count) {
		v->games++;
		puzzles_show_progress(v);
		done = puzzle_play(v->engine, &v->record, &rng, why) && puzzles_search(v, why);
	}
	puzzles_erase_progress();
	return done;
}

static bool write_output(const struct puzzles *v, const char *text, char why[REASON_MAX])
{
	return !v->setting->output || !v->count || file_save_text(v->setting->output, text, why);
}

/* Finds the puzzles. Returns the exit status. */
static int puzzles_find(struct puzzles *v)
{
	char why[REASON_MAX], *text;
	size_t length;
	v->sgf = text_open(&text, &length);
	bool done = v->of_mistakes ? puzzles_search(v, why) : puzzles_play_games(v, why);
	fclose(v->sgf);
	done = done && write_output(v, text, why);
	free(text);
	if (!done)
		fprintf(stderr, "yomi: %s\n", why);
	else if (v->of_mistakes && !v->count)
		fputs("yomi: in this game nobody missed the only move that keeps a proven result\n",
		      stderr);
	else if (!v->of_mistakes && v->count < v->setting->count)
		fprintf(stderr,
			"yomi: %d %s in %d games; a smaller board or more --nodes give more\n",
			v->count, v->count == 1 ? "puzzle" : "puzzles", v->games);
	return done && v->count ? EXIT_SUCCESS : EXIT_FAILURE;
}

int puzzles_run(const struct puzzles_setting *setting)
{
	struct puzzles v = { .setting = setting, .of_mistakes = setting->path != NULL };
	char why[REASON_MAX];
	record_init(&v.record, setting->game ? setting->game : games[0]);
	const struct import_wish wish = { .columns = setting->columns };
	if (setting->path &&
	    !file_load(&v.record, setting->path, &wish, setting->number, NULL, why)) {
		bool named = strstr(why, setting->path); /* a file that cannot be read */
		fprintf(stderr, "yomi: %s%s%s\n", named ? "" : setting->path, named ? "" : ": ",
			why);
		record_free(&v.record);
		return EXIT_USAGE;
	}
	v.engine = engine_create();
	*engine_options(v.engine) = *setting->options;
	engine_reseed(v.engine);
	evaluator_get_ready(v.record.game);
	v.seen = xcalloc((size_t)setting->count, sizeof *v.seen);
	v.best = xcalloc(1, sizeof *v.best);
	int status = puzzles_find(&v);
	free(v.best);
	free(v.seen);
	engine_destroy(v.engine);
	record_free(&v.record);
	return status;
}
