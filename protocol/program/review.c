/* SPDX-License-Identifier: MIT */
#include "protocol/program/review.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/base/utf8.h"
#include "engine/evaluation/evaluator.h"
#include "engine/rules/opening_name.h"
#include "games/games.h"
#include "protocol/lessons/explain.h"
#include "protocol/lessons/review.h"
#include "protocol/program/flags.h"
#include "protocol/records/file.h"
#include "protocol/records/sgf.h"
#include "protocol/session/command.h"
#include "protocol/session/think.h"

#define REASONS_SHOWN 2
#define FILE_BYTES    ((size_t)1 << 24)

/* A reviewed file. */
struct reviewed {
	const struct arguments *arguments;
	const struct yomi_flags *flags;
	const struct game *game; /* of a file that names none, or NULL */
	char *text;              /* SGF */
	struct record record;
	struct review review;
	char *players[2]; /* well-formed UTF-8 without control characters; NULL: unknown */
	char result[SGF_RESULT_MAX];
	bool has_opening;
	struct opening_name opening;
};

/* --- reading --- */

static bool review_is_control(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0);
}

/* Callback of the reader. */
static void review_take_own(void *arg, int moves, const char *name, const char *value)
{
	struct reviewed *v = arg;
	int side = strcmp(name, "PB") == 0 ? BLACK : strcmp(name, "PW") == 0 ? WHITE : -1;
	if (moves || side < 0 || v->players[side] || !*value)
		return;
	char *text = utf8_convert(value);
	v->players[side] = utf8_clean(text, strlen(text), review_is_control);
	free(text);
}

/* Sets the text to the game of that number. */
static bool review_take_text(struct reviewed *v, char why[REASON_MAX])
{
	const struct arguments *a = v->arguments;
	const struct import_wish wish = { .game = v->game, .columns = a->settings.columns };
	size_t length;
	char *bytes = file_read_bytes(a->words[0], FILE_BYTES, &length, why);
	struct import *file = bytes ? import_open(bytes, length, &wish, why) : NULL;
	const struct imported *game = file ? import_find(file, v->flags->number, why) : NULL;
	if (game && game->sgf) {
		v->text = xstrdup(game->sgf);
		import_add_note(why, game->note);
	} else if (game)
		strcpy(why, game->why);
	if (file)
		import_close(file);
	free(bytes);
	return v->text;
}

static bool review_read_game(struct reviewed *v, char why[REASON_MAX])
{
	char guess[REASON_MAX];
	if (!review_take_text(v, why))
		return false;
	strcpy(guess, why);
	if (!sgf_parse_with(&v->record, v->game, v->text, review_take_own, v, why))
		return false;
	if (*guess)
		fprintf(stderr, "yomi: %s\n", guess);
	if (*why)
		fprintf(stderr, "yomi: %s\n", why);
	if (v->record.now.over)
		sgf_result(v->record.game, &v->record.now, v->result);
	v->has_opening = opening_name_find(&v->record, v->record.count, &v->opening);
	if (v->record.count)
		return true;
	strcpy(why, "the game has no moves");
	return false;
}

/* --- words --- */

static void review_show_progress(int done, int all)
{
	if (stream_is_terminal(stderr))
		fprintf(stderr, done < all ? "\r\033[Kposition %d of %d" : "\r\033[K", done + 1,
			all);
}

/* Writes the better move and its reasons: "better was C5: ...". */
static void print_better(struct text *out, const struct reviewed *v, const struct review_move *m)
{
	struct state s;
	char text[MOVE_TEXT_MAX];
	record_state(&v->record, m->index, &s);
	game_format(v->record.game, &s, m->better.moves[0], text);
	text_printf(out, "better was %s", text);
	struct text reasons = { 0 };
	if (explain_facts(&reasons, &m->reasons, 1, &m->faults, REASONS_SHOWN))
		text_printf(out, ": %s", reasons.bytes);
	text_free(&reasons);
}

/* Writes what is wrong with the move: facts against it, and what may follow. */
static void print_fault(struct text *out, const struct reviewed *v, const struct review_move *m)
{
	const struct game *g = v->record.game;
	struct state s;
	char text[MOVE_TEXT_MAX];
	record_state(&v->record, m->index, &s);
	game_format(g, &s, m->move, text);
	text_printf(out, "after %s: ", text);
	int count = explain_facts(out, &m->faults, -1, &m->reasons, REASONS_SHOWN);
	/* A win at once is named already. */
	if (m->answer.count > (count > 0)) {
		game_play(g, &s, m->move);
		text_printf(out, "%s%s may go on", count ? "; " : "", game_side(g, s.side));
		think_line(out, g, &s, m->answer.moves, m->answer.count);
	}
}

static const char *const size_titles[] = { "good", "inaccuracies", "mistakes", "blunders" };

/* What a move cost, in its unit: the severity of all blunders is the same. */
static double cost_of(const struct loss *loss)
{
	return loss->unit == LOSS_RESULT ? loss->before - loss->after : loss->amount;
}

/* Orders moves by what they cost, the worst first, then by their number. A proven loss of the result is worse than
 * others of its severity. */
static int review_compare(const void *first, const void *second)
{
	const struct review_move *const *a = first, *const *b = second;
	const struct loss *x = &(*a)->loss, *y = &(*b)->loss;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->severity != y->severity)
		return x->severity > y->severity ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	if (cost_of(x) != cost_of(y))
		return cost_of(x) > cost_of(y) ? -1 : 1;
	return (*a)->index - (*b)->index;
}

/* Lists the moves that are not good. The caller frees the list. */
static const struct review_move **list_mistakes(const struct reviewed *v, int *count)
{
	const struct review *r = &v->review;
	const struct review_move **list = xcalloc((size_t)r->count + 1, sizeof *list);
	*count = 0;
	for (int i = 0; i < r->count; i++)
		if (r->moves[i].loss.size != LOSS_GOOD)
			list[(*count)++] = &r->moves[i];
	if (v->flags->worst)
		qsort(list, (size_t)*count, sizeof *list, review_compare);
	return list;
}

static void print_mistake(const struct reviewed *v, const struct review_move *m)
{
	const struct game *g = v->record.game;
	struct state s;
	char text[MOVE_TEXT_MAX], cost[LOSS_TEXT_MAX];
	struct text out = { 0 };
	record_state(&v->record, m->index, &s);
	game_format(g, &s, m->move, text);
	loss_text(&m->loss, g, cost);
	text_printf(&out, "%3d. %s %s: %s, %s; ", m->number, game_side(g, m->side), text,
		    loss_size_name(m->loss.size), cost);
	print_better(&out, v, m);
	text_puts(&out, "\n     ");
	print_fault(&out, v, m);
	text_putc(&out, '\n');
	text_send(&out, stdout);
}

static void review_print_summary(const struct reviewed *v)
{
	printf("%-5s  %8s", "", "accuracy");
	for (int size = LOSS_BLUNDER; size > LOSS_GOOD; size--)
		printf("  %s", size_titles[size]);
	putchar('\n');
	for (int side = BLACK; side <= WHITE; side++) {
		const struct review_side *r = &v->review.sides[side];
		printf("%-5s", game_side(v->record.game, side));
		if (r->moves)
			printf("  %6.0f %%", 100 * r->accuracy);
		else
			printf("  %8s", "-");
		for (int size = LOSS_BLUNDER; size > LOSS_GOOD; size--)
			printf("  %*d", (int)strlen(size_titles[size]), r->sizes[size]);
		putchar('\n');
	}
}

static void review_print_text(const struct reviewed *v)
{
	const struct game *g = v->record.game;
	int count;
	const struct review_move **list = list_mistakes(v, &count);
	printf("%s, %d move%s", g->title, v->review.count, v->review.count == 1 ? "" : "s");
	for (int side = BLACK; side <= WHITE; side++)
		if (v->players[side])
			printf(", %s: %s", game_side(g, side), v->players[side]);
	printf("%s%s", *v->result ? ", result " : "", v->result);
	if (v->has_opening)
		printf(", opening %s", v->opening.english);
	fputs("\n\n", stdout);
	for (int i = 0; i < count; i++)
		print_mistake(v, list[i]);
	puts(count ? "" : "No mistakes were found.\n");
	review_print_summary(v);
	free(list);
}

/* --- JSON --- */

/* Adds the names of the players. */
static void review_print_json(const struct reviewed *v)
{
	json_t *all = review_json(&v->review), *sides = json_object_get(all, "sides");
	struct text line = { 0 };
	for (int side = BLACK; side <= WHITE; side++)
		json_object_set_new(json_object_get(sides, color_name(side)), "name",
				    json_pack("s?", v->players[side]));
	as_json_print(&line, all, AS_JSON_DIGITS);
	text_send(&line, stdout);
}

/* --- SGF --- */

/* Returns what print_better or print_fault writes. The caller frees it. */
static char *write_text(const struct reviewed *v, const struct review_move *m,
			void (*print)(struct text *, const struct reviewed *,
				      const struct review_move *))
{
	struct text text = { 0 };
	print(&text, v, m);
	return text_take(&text);
}

static void review_annotate_move(const struct reviewed *v, const struct review_move *m,
				 struct sgf_annotation *out)
{
	static const char *const marks[] = { NULL, "DO[]", "BM[1]", "BM[2]" };
	char cost[LOSS_TEXT_MAX];
	loss_text(&m->loss, v->record.game, cost);
	char *better = write_text(v, m, print_better), *fault = write_text(v, m, print_fault);
	*out = (struct sgf_annotation) {
		.comment = xasprintf("%s, %s; %s.\n%s.", loss_size_name(m->loss.size), cost, better,
				     fault),
		.mark = marks[m->loss.size],
		.line = m->better.moves,
		.line_count = m->better.count,
		.line_mark = "TE[1]",
		.line_comment = better,
	};
	free(fault);
}

/* Writes the record with comments, marks and variations. Returns false after a message. */
static bool write_sgf(const struct reviewed *v)
{
	char why[REASON_MAX];
	struct sgf_annotation *list = xcalloc((size_t)v->record.count + 1, sizeof *list);
	for (int i = 0; i < v->review.count; i++)
		if (v->review.moves[i].loss.size != LOSS_GOOD)
			review_annotate_move(v, &v->review.moves[i],
					     &list[v->review.moves[i].index]);
	char *text = sgf_annotate(v->text, &v->record, list, why);
	bool done = text && file_save_text(v->flags->output, text, why);
	if (!done)
		fprintf(stderr, "yomi: %s\n", why);
	free(text);
	for (int i = 0; i < v->record.count; i++) {
		free((char *)list[i].comment);
		free((char *)list[i].line_comment);
	}
	free(list);
	return done;
}

/* --- the mode --- */

static int review(struct reviewed *v)
{
	char why[REASON_MAX];
	struct engine *engine = engine_create();
	*engine_options(engine) = v->arguments->options;
	engine_reseed(engine);
	evaluator_get_ready(v->record.game);
	bool done = review_make(&v->review, engine, &v->record, review_show_progress, why);
	if (!done)
		fprintf(stderr, "yomi: %s\n", why);
	else if (v->flags->json)
		review_print_json(v);
	else
		review_print_text(v);
	done = done && (!v->flags->output || write_sgf(v));
	review_free(&v->review);
	engine_destroy(engine);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

int review_run(const struct arguments *a)
{
	struct reviewed v = { .arguments = a, .flags = a->values };
	const struct yomi_flags *f = v.flags;
	char why[REASON_MAX];
	int status = EXIT_USAGE;
	if (f->game || f->rules || f->size) {
		v.game = program_game(a->program, f->game, f->rules, f->size);
		if (!v.game)
			return EXIT_USAGE;
	}
	record_init(&v.record, v.game ? v.game : games[0]);
	if (review_read_game(&v, why))
		status = review(&v);
	else
		program_complain_file(a->words[0], why);
	record_free(&v.record);
	free(v.text);
	free(v.players[BLACK]);
	free(v.players[WHITE]);
	return status;
}
