/* SPDX-License-Identifier: MIT */
#include "protocol/program/puzzles.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/evaluation/evaluator.h"
#include "engine/rules/drawing.h"
#include "games/games.h"
#include "protocol/lessons/explain.h"
#include "protocol/lessons/puzzle.h"
#include "protocol/program/flags.h"
#include "protocol/records/file.h"
#include "protocol/records/sgf.h"
#include "protocol/session/command.h"
#include "protocol/session/think.h"

#define GAMES_FOR_ONE 20 /* games that are played at most for each puzzle */
#define REASONS_SHOWN 3
#define NODES_USUAL   5000 /* the default of --nodes */

struct puzzles {
	const struct yomi_flags *flags;
	int64_t nodes; /* of each position */
	struct engine *engine;
	struct record record; /* the game that is searched */
	bool of_mistakes;     /* only where the record makes another move than the solution */
	uint64_t *seen;       /* hashes of the positions */
	int count, games;
	struct puzzle *best; /* of the game: the one that takes most moves */
	bool has_best;
	struct text sgf; /* the output */
};

/* --- writing --- */

/* Writes the facts of the solution. The caller frees the text. */
static char *write_reasons(const struct puzzle *p)
{
	struct text text = { 0 };
	explain_facts(&text, &p->facts, 1, NULL, REASONS_SHOWN);
	return text_take(&text);
}

static void puzzles_print_text(const struct puzzles *v, const struct puzzle *p)
{
	char task[PUZZLE_TASK_MAX], position[POSITION_TEXT_MAX], board[BOARD_TEXT_MAX];
	char *reasons = write_reasons(p);
	struct text line = { 0 };
	puzzle_task(p, task);
	game_position(p->game, &p->state, position);
	game_draw(p->game, &p->state, NULL, board);
	printf("puzzle    %d: %s\n%s\nposition  %s\nsolution ", v->count, task, board, position);
	think_line(&line, p->game, &p->state, p->line, p->line_count);
	text_send(&line, stdout);
	printf("\n%s%s%s\n", *reasons ? "reason    " : "", reasons, *reasons ? "\n" : "");
	free(reasons);
}

static void puzzles_print_json(const struct puzzle *p)
{
	char task[PUZZLE_TASK_MAX], position[POSITION_TEXT_MAX];
	struct text line = { 0 };
	puzzle_task(p, task);
	game_position(p->game, &p->state, position);
	as_json_print(&line,
		      json_pack("{s:s,s:s,s:i,s:i,s:s,s:s,s:s,s:s,s:o,s:o,s:o}", "game",
				p->game->name, "rules", p->game->rules, "rows", p->game->board.rows,
				"cols", p->game->board.cols, "position", position, "side",
				color_name(p->state.side), "task", task, "value",
				p->is_win ? "win" : "draw", "moves",
				p->moves ? json_integer(p->moves) : json_null(), "solution",
				as_json_line(p->game, &p->state, p->line, p->line_count), "facts",
				explain_json_facts(&p->facts)),
		      AS_JSON_DIGITS);
	text_send(&line, stdout);
}

/* Writes the position with the task, and the solution as its main line. */
static void puzzles_print_sgf(struct text *out, const struct puzzle *p)
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
	sgf_print_with(out, &r, &(struct sgf_property) { "C", task }, 1, notes);
	record_free(&r);
	free(reasons);
}

/* --- finding --- */

static void puzzles_show_progress(const struct puzzles *v)
{
	if (stream_is_terminal(stderr))
		fprintf(stderr, "\r\033[Kgame %d, %d of %d puzzles", v->games, v->count,
			v->flags->count);
}

static void puzzles_erase_progress(void)
{
	if (stream_is_terminal(stderr))
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
	if (v->flags->json)
		puzzles_print_json(p);
	else
		puzzles_print_text(v, p);
	fflush(stdout);
	puzzles_print_sgf(&v->sgf, p);
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
		return v->count < v->flags->count;
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
	bool done = puzzle_search(v->engine, &v->record, v->nodes, puzzles_take, v, why);
	if (done && v->has_best)
		puzzles_give(v, v->best);
	return done;
}

static bool puzzles_play_games(struct puzzles *v, char why[REASON_MAX])
{
	struct rng rng;
	bool done = true;
	rng_seed(&rng, engine_options(v->engine)->seed ? (uint64_t)engine_options(v->engine)->seed
						       : (uint64_t)clock_now());
	while (done && v->count < v->flags->count && v->games < GAMES_FOR_ONE * v->flags->count) {
		v->games++;
		puzzles_show_progress(v);
		done = puzzle_play(v->engine, &v->record, &rng, why) && puzzles_search(v, why);
	}
	puzzles_erase_progress();
	return done;
}

static bool write_output(const struct puzzles *v, char why[REASON_MAX])
{
	return !v->flags->output || !v->count ||
	       file_save_text(v->flags->output, v->sgf.bytes, why);
}

/* Finds the puzzles. Returns the exit status. */
static int puzzles_find(struct puzzles *v)
{
	char why[REASON_MAX];
	bool done = v->of_mistakes ? puzzles_search(v, why) : puzzles_play_games(v, why);
	done = done && write_output(v, why);
	text_free(&v->sgf);
	if (!done)
		fprintf(stderr, "yomi: %s\n", why);
	else if (v->of_mistakes && !v->count)
		fputs("yomi: in this game nobody missed the only move that keeps a proven result\n",
		      stderr);
	else if (!v->of_mistakes && v->count < v->flags->count)
		fprintf(stderr,
			"yomi: %d %s in %d games; a smaller board or more --nodes give more\n",
			v->count, v->count == 1 ? "puzzle" : "puzzles", v->games);
	return done && v->count ? EXIT_SUCCESS : EXIT_FAILURE;
}

int puzzles_run(const struct arguments *a)
{
	const struct yomi_flags *f = a->values;
	struct puzzles v = { .flags = f, .of_mistakes = f->file != NULL };
	const struct import_wish wish = { .columns = a->settings.columns };
	const struct game *g = program_game(a->program, a->count ? a->words[0] : NULL, f->rules,
					    f->size);
	char why[REASON_MAX];
	if (!g)
		return EXIT_USAGE;
	record_init(&v.record, g);
	if (f->file && !file_load(&v.record, f->file, &wish, f->number, NULL, why)) {
		program_complain_file(f->file, why);
		record_free(&v.record);
		return EXIT_USAGE;
	}
	v.engine = engine_create();
	*engine_options(v.engine) = a->options;
	/* The same puzzles every time, unless the user wants threads. */
	if (!arguments_have(a, "threads"))
		engine_options(v.engine)->threads = 1;
	v.nodes = a->options.nodes ? a->options.nodes : NODES_USUAL;
	engine_reseed(v.engine);
	evaluator_get_ready(v.record.game);
	v.seen = xcalloc((size_t)f->count, sizeof *v.seen);
	v.best = xcalloc(1, sizeof *v.best);
	int status = puzzles_find(&v);
	free(v.best);
	free(v.seen);
	engine_destroy(v.engine);
	record_free(&v.record);
	return status;
}
