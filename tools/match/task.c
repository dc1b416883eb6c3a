/* SPDX-License-Identifier: MIT */
#include "tools/match/task.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/record.h"
#include "tools/match/elo.h"
#include "tools/ranks/parcel.h"

struct packet task_pack(const struct match_task *t)
{
	struct parcel p = { 0 };
	parcel_put_int(&p, t->trial);
	parcel_put_int(&p, t->number);
	parcel_put_int(&p, t->a);
	parcel_put_int(&p, t->b);
	parcel_put_int(&p, t->color);
	parcel_put(&p, t->seeds, sizeof t->seeds);
	parcel_put_real(&p, t->scale);
	parcel_put_int(&p, t->opening.count);
	parcel_put(&p, t->opening.moves, (size_t)t->opening.count * sizeof *t->opening.moves);
	return parcel_close(&p);
}

bool task_unpack(struct packet packet, struct match_task *t)
{
	struct parcel p = parcel_open(packet);
	*t = (struct match_task) { 0 };
	t->trial = parcel_take_int(&p);
	t->number = parcel_take_within(&p, 0, INT32_MAX);
	t->a = parcel_take_within(&p, 0, RATING_PLAYERS_MAX - 1);
	t->b = parcel_take_within(&p, 0, RATING_PLAYERS_MAX - 1);
	t->color = parcel_take_within(&p, BLACK, WHITE);
	parcel_take(&p, t->seeds, sizeof t->seeds);
	t->scale = parcel_take_real(&p);
	t->opening.count = parcel_take_within(&p, 0, RECORD_MAX);
	t->opening.moves = xcalloc((size_t)t->opening.count + 1, sizeof *t->opening.moves);
	parcel_take(&p, t->opening.moves, (size_t)t->opening.count * sizeof *t->opening.moves);
	if (!p.good)
		free(t->opening.moves);
	return p.good;
}

static void put_game(struct parcel *p, const struct match_game *g)
{
	parcel_put_int(p, g->points);
	parcel_put_int(p, g->end);
	parcel_put_text(p, g->detail);
	parcel_put_int(p, g->seeded);
	parcel_put(p, g->seeds, sizeof g->seeds);
	parcel_put_int(p, g->count);
	for (int i = 0; i < g->count; i++) {
		const struct match_move *m = &g->moves[i];
		parcel_put_text(p, m->text);
		parcel_put_real(p, m->seconds);
		parcel_put_real(p, m->value);
		parcel_put_text(p, m->note);
	}
}

/* Reads a text that must be there. */
static const char *take_text(struct parcel *p)
{
	const char *text = parcel_take_text(p);
	p->good = p->good && text;
	return text ? text : "";
}

/* The text of a packet for a field whose other owners may write to it. */
static char *writable(const char *text)
{
	return (char *)(uintptr_t)text;
}

static void task_take_game(struct parcel *p, struct match_outcome *o)
{
	struct match_game *g = &o->game;
	g->points = parcel_take_within(p, 0, 2);
	g->end = (enum end)parcel_take_within(p, 0, END_COUNT - 1);
	g->detail = take_text(p);
	g->seeded = parcel_take_int(p);
	parcel_take(p, g->seeds, sizeof g->seeds);
	g->count = parcel_take_within(p, 0, RECORD_MAX);
	g->moves = o->moves = xcalloc((size_t)g->count + 1, sizeof *o->moves);
	for (int i = 0; i < g->count; i++) {
		struct match_move *m = &o->moves[i];
		const char *text = take_text(p);
		p->good = p->good && strlen(text) < sizeof m->text;
		if (p->good)
			strcpy(m->text, text);
		m->seconds = parcel_take_real(p);
		m->value = parcel_take_real(p);
		m->note = writable(parcel_take_text(p));
	}
}

struct packet outcome_pack(const struct match_outcome *o)
{
	struct parcel p = { 0 };
	parcel_put_int(&p, o->kind);
	if (o->kind == OUTCOME_TRIED) {
		parcel_put_text(&p, o->host);
		parcel_put_real(&p, o->speed);
		parcel_put_text(&p, o->error);
		parcel_put_int(&p, o->version_count);
		for (int i = 0; i < o->version_count; i++)
			parcel_put_text(&p, o->versions[i]);
	} else if (o->kind == OUTCOME_PLAYED) {
		parcel_put_int(&p, o->number);
		put_game(&p, &o->game);
	}
	return parcel_close(&p);
}

bool outcome_unpack(struct packet packet, struct match_outcome *o)
{
	struct parcel p = parcel_open(packet);
	*o = (struct match_outcome) { 0 };
	o->kind = (enum outcome_kind)parcel_take_within(&p, OUTCOME_READY, OUTCOME_CANCELLED);
	if (o->kind == OUTCOME_TRIED) {
		o->host = take_text(&p);
		o->speed = parcel_take_real(&p);
		o->error = parcel_take_text(&p);
		o->version_count = parcel_take_within(&p, 0, RATING_PLAYERS_MAX);
		o->versions = xcalloc((size_t)o->version_count + 1, sizeof *o->versions);
		for (int i = 0; i < o->version_count; i++)
			o->versions[i] = writable(take_text(&p));
	} else if (o->kind == OUTCOME_PLAYED) {
		o->number = parcel_take_within(&p, 1, INT32_MAX);
		task_take_game(&p, o);
	}
	if (!p.good)
		outcome_free(o);
	return p.good;
}

void outcome_free(struct match_outcome *o)
{
	free(o->versions);
	free(o->moves);
	o->versions = NULL;
	o->moves = NULL;
}
