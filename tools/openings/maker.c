/* SPDX-License-Identifier: MIT */
#include "tools/openings/maker.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/rules/images.h"
#include "engine/rules/solver.h"
#include "engine/search/algorithms.h"
#include "engine/search/engine.h"
#include "protocol/records/file.h"
#include "tools/lib/exact.h"
#include "tools/lib/keys.h"
#include "tools/lib/message.h"
#include "tools/lib/openings.h"
#include "tools/lib/progress.h"
#include "tools/openings/known.h"

#define FILE_MAX  (64u << 20)
#define TRIES_MAX 100000 /* known positions drawn in a row: the game has no new ones */
#define SEEDS     2      /* long searches of a candidate */

/* Why a candidate stays, or that it does not. */
enum verdict { REFUSED, PROVEN, LEVEL };

struct maker {
	const struct maker_settings *settings;
	struct engine *engine;
	struct exact exact;
	struct record record, view; /* a candidate; the same in another symmetry */
	struct report report;
	int symmetry; /* of the view; 0: the game has none */
	struct keys met;
	struct text lines; /* the openings, as the file has them */
	int proven, level, examined;
};

/* --- the file --- */

/* Writes the options that decide what the file has, but not how many openings. */
static void maker_print_command(const struct maker_settings *o, struct text *out)
{
	const struct game *g = o->game;
	text_printf(out, "# yomi openings --rules=%s", g->rules);
	if (g->sizes && (g->board.size || g->board.rows == g->board.cols))
		text_printf(out, " --size=%d", g->board.size ? g->board.size : g->board.rows);
	else if (g->sizes)
		text_printf(out, " --size=%dx%d", g->board.cols, g->board.rows);
	text_printf(out, " --least=%d --most=%d --search=%s --filter=%d --coarse=%g", o->least,
		    o->most, o->search, o->filter, o->coarse);
	if (o->solve > 0)
		text_printf(out, " --solve=%g", o->solve);
	if (o->proof)
		text_printf(out, " --proof=%d", o->proof);
	text_printf(out, " --work=%d --bound=%g --seed=%d --memory=%d", o->work, o->bound, o->seed,
		    o->memory);
	if (o->known)
		text_printf(out, " --known=%s", o->known);
	text_printf(out, " %s\n", g->name);
}

static const char count_format[] = "# openings: %d proven draws, %d level; random positions: %d\n";

static bool save(struct maker *m)
{
	const struct maker_settings *o = m->settings;
	char why[REASON_MAX];
	struct text text = { 0 };
	text_printf(&text, "# Openings of %s (%s), made by:\n", o->game->name, o->game->rules);
	maker_print_command(o, &text);
	text_printf(&text, count_format, m->proven, m->level, m->examined);
	text_printf(
		&text,
		"# Level: two searches of %d units with different seeds value the position within "
		"%g of a draw.\n",
		o->work, o->bound);
	text_write(&text, m->lines.bytes, m->lines.length);
	bool saved = file_save_text(o->output, text.bytes, why);
	text_free(&text);
	return saved || message("%s", why);
}

static void maker_print_line(struct maker *m, const struct opening *o)
{
	char *text = opening_text(m->settings->game, o);
	text_printf(&m->lines, "%s\n", text);
	free(text);
}

/* Adds an opening to the file. */
static void maker_keep(struct maker *m, const struct opening *o, enum verdict verdict)
{
	maker_print_line(m, o);
	*(verdict == PROVEN ? &m->proven : &m->level) += 1;
}

/* Returns the key of the position after an opening. */
static uint64_t maker_key_of(const struct game *g, const struct opening *o)
{
	struct state s;
	g->start(g, &s);
	for (int i = 0; i < o->count; i++)
		game_play(g, &s, o->moves[i]);
	return opening_key(g, &s);
}

/* Takes the positions of known value. They are met, and the draws begin a new file. */
static bool maker_take_known(struct maker *m, bool is_new)
{
	const struct maker_settings *o = m->settings;
	char why[OPENINGS_REASON_MAX];
	struct openings drawn = { 0 };
	bool found = !o->known ||
		     known_find(&drawn, &m->met, o->game, o->known, o->least, o->most, why);
	for (int i = 0; i < drawn.count; i++) {
		keys_add(&m->met, maker_key_of(o->game, &drawn.list[i]));
		if (is_new)
			maker_keep(m, &drawn.list[i], PROVEN);
	}
	openings_free(&drawn);
	return found || message("%s", why);
}

/* Reads the openings of the file. Each must be a known position or one of the candidates that its head counts, none twice. */
static bool take_openings(struct maker *m)
{
	const struct maker_settings *o = m->settings;
	char why[OPENINGS_REASON_MAX];
	struct openings all;
	struct keys found = { 0 };
	bool read = openings_read(&all, o->game, o->output, COLUMNS_NO_I, 0, why), met = true;
	int count = all.count;
	for (int i = 0; read && met && i < count; i++) {
		maker_print_line(m, &all.list[i]);
		uint64_t key = maker_key_of(o->game, &all.list[i]);
		met = keys_have(&m->met, key) && keys_add(&found, key);
	}
	openings_free(&all);
	keys_free(&found);
	if (!read && count)
		return message("%s", why);
	return (met && count == m->proven + m->level) ||
	       message("%s: its openings are not those that its head counts", o->output);
}

/* Reads the head of an earlier run's file. Returns false after a message if this run cannot go on from it. */
static bool read_head(struct maker *m)
{
	const struct maker_settings *o = m->settings;
	char why[REASON_MAX];
	char *text = file_read(o->output, FILE_MAX, why);
	if (!text)
		return message("%s", why);
	struct text command = { 0 };
	maker_print_command(o, &command);
	const char *line = strchr(text, '\n');
	bool same = line && strncmp(line + 1, command.bytes, command.length) == 0 &&
		    sscanf(line + 1 + command.length, count_format, &m->proven, &m->level,
			   &m->examined) == 3;
	if (!same)
		message("%s was not made by this command:\n%s", o->output, command.bytes);
	text_free(&command);
	free(text);
	return same;
}

/* --- candidates --- */

/* Draws a random position that was not met. Returns false if there seems to be none. */
static bool maker_draw(struct maker *m, struct opening *opening)
{
	const struct maker_settings *o = m->settings;
	for (int tries = 0; tries < TRIES_MAX; tries++) {
		uint64_t stream = (uint64_t)o->seed << 32 ^ (uint64_t)m->examined++;
		struct rng rng;
		rng_seed(&rng, rng_split(&stream));
		int length = o->least + (int)rng_below(&rng, (uint32_t)(o->most - o->least + 1));
		bool drawn = opening_draw(&m->record, length, &rng, opening);
		if (drawn && keys_add(&m->met, opening_key(o->game, &m->record.now)))
			return true;
		free(opening->moves);
		if (!drawn) {
			message("games of %s end within openings of %d moves", o->game->name,
				length);
			return false;
		}
	}
	message("%s has no more positions after %d to %d moves", o->game->name, o->least, o->most);
	return false;
}

/* Draws the candidates of earlier runs again, so that their positions are met. What was met then must be met now. */
static void draw_earlier(struct maker *m)
{
	struct opening opening;
	int examined = m->examined;
	m->examined = 0;
	while (m->examined < examined && maker_draw(m, &opening))
		free(opening.moves);
	m->examined = examined;
}

/* --- searches --- */

/* Returns the last symmetry of the game that keeps its start, 0 if there is none. */
static int symmetry_of_start(const struct game *g)
{
	char text[POSITION_TEXT_MAX], image[POSITION_TEXT_MAX];
	struct state start;
	g->start(g, &start);
	game_position(g, &start, text);
	for (int y = 7; y > 0; y--) {
		if (!(images_symmetries(g) >> y & 1))
			continue;
		strcpy(image, text);
		for (int i = 0; i < g->board.rows * g->board.cols; i++)
			image[images_mirror_square(g, i, y)] = text[i];
		if (strcmp(image, text) == 0)
			return y;
	}
	return 0;
}

/* Repeats the moves of the candidate in the symmetry of the view. */
static void make_view(struct maker *m)
{
	const struct game *g = m->settings->game;
	record_restart(&m->view, g);
	record_set_swap(&m->view, false);
	for (int i = 0; i < m->record.count; i++) {
		struct move move = m->record.moves[i].move;
		for (int k = 0; m->symmetry && k < move_steps(move); k++)
			move.step[k] = g->images->mirror(g, move.step[k], m->symmetry);
		record_play(&m->view, move);
	}
}

/* Searches a record. Returns false after a message if the search fails. */
static bool maker_search(struct maker *m, const struct record *r, int seed, int work,
			 const struct algorithm *prover)
{
	char why[REASON_MAX];
	const struct limits limits = { .deadline = TIME_NEVER,
				       .work_max = (uint64_t)work,
				       .prover = prover };
	engine_options(m->engine)->seed = seed;
	engine_reseed(m->engine);
	return engine_search(m->engine, r, &limits, &m->report, why) || message("%s", why);
}

/* What the last search says: a proven result, or a value within the bound. */
static enum verdict verdict_of(const struct report *r, double bound)
{
	if (r->lower == r->upper)
		return r->lower == 0 ? PROVEN : REFUSED;
	return fabs(r->value) < bound ? LEVEL : REFUSED;
}

/* Asks the game's solver. Returns false if it does not answer. */
static bool maker_solve(struct maker *m, enum verdict *verdict)
{
	const struct maker_settings *o = m->settings;
	const struct state *s = &m->record.now;
	struct solution found;
	int least, most;
	if (o->solve == 0 || game_repeats(o->game) ||
	    !exact_solve(&m->exact, o->game, s, SOLVE_RESULT, o->solve, NULL, &found))
		return false;
	solution_bounds(&found, s->side, &least, &most);
	*verdict = least == 0 && most == 0 ? PROVEN : REFUSED;
	return true;
}

/* Examines the candidate of the record. Returns false after a message if a search fails. */
static bool examine(struct maker *m, enum verdict *verdict)
{
	const struct maker_settings *o = m->settings;
	*verdict = REFUSED;
	if (!maker_search(m, &m->record, o->seed, o->filter, NULL))
		return false;
	if (isnan(m->report.value))
		return message("the search %s finds no values", o->search);
	*verdict = verdict_of(&m->report, o->coarse);
	if (*verdict != LEVEL || maker_solve(m, verdict))
		return true;
	if (o->proof) {
		if (!maker_search(m, &m->record, o->seed, o->proof, algorithm_prover(o->game)))
			return false;
		if (m->report.lower == m->report.upper)
			*verdict = verdict_of(&m->report, 0);
	}
	make_view(m);
	for (int i = 0; i < SEEDS && *verdict == LEVEL; i++) {
		if (!maker_search(m, i ? &m->view : &m->record, o->seed + 1 + i, o->work, NULL))
			return false;
		*verdict = verdict_of(&m->report, o->bound);
	}
	return true;
}

/* Examines candidates until the file has all openings. */
static bool maker_fill(struct maker *m)
{
	const struct maker_settings *o = m->settings;
	struct progress progress = progress_start();
	char line[128];
	bool good = true;
	while (good && m->proven + m->level < o->count) {
		struct opening opening;
		enum verdict verdict;
		if (!maker_draw(m, &opening))
			return false;
		good = examine(m, &verdict);
		if (good && verdict != REFUSED)
			maker_keep(m, &opening, verdict);
		free(opening.moves);
		good = good && save(m);
		snprintf(line, sizeof line, "%d of %d openings, %d random positions",
			 m->proven + m->level, o->count, m->examined);
		if (clock_now() >= progress.due)
			progress_show(&progress, line);
	}
	progress_clear(&progress);
	return good;
}

int maker_run(const struct maker_settings *o)
{
	struct maker m = { .settings = o, .symmetry = symmetry_of_start(o->game) };
	m.engine = engine_create_fixed(o->search, 0);
	struct options *options = engine_options(m.engine);
	options->memory = o->memory;
	options->early_stop = false;
	options->exact = false; /* its use may depend on the speed of the machine */
	options->book = false;
	record_init(&m.record, o->game);
	record_init(&m.view, o->game);
	struct disk_file file;
	bool is_new = !disk_look(o->output, &file) && errno == ENOENT;
	bool good = (is_new || read_head(&m)) && maker_take_known(&m, is_new);
	if (good && !is_new)
		draw_earlier(&m);
	good = good && (is_new ? save(&m) : take_openings(&m)) && maker_fill(&m);
	if (good)
		printf("%d openings, %d of them proven draws, of %d random positions\n",
		       m.proven + m.level, m.proven, m.examined);
	text_free(&m.lines);
	record_free(&m.record);
	record_free(&m.view);
	keys_free(&m.met);
	exact_free(&m.exact);
	report_free(&m.report);
	engine_destroy(m.engine);
	return good ? 0 : 1;
}
