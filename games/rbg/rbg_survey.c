/* SPDX-License-Identifier: MIT */
#include "games/rbg/rbg_survey.h"

#include <limits.h>
#include <stdlib.h>

#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "games/rbg/rbg_play.h"

#define RBG_SURVEY_LONG  1000      /* moves of a game that may never end */
#define RBG_SURVEY_WORK  400000000 /* moves that are listed in all games */
#define RBG_SURVEY_SHOWN 10        /* places that no game reached */

struct rbg_survey {
	const struct rbg_table *t;
	int games, endless, results[3]; /* White's wins, draws, Black's wins */
	int shortest, longest;
	int64_t positions, moves;
	int most;       /* moves of a position */
	uint64_t *made; /* modifiers that were made, or could have been */
	bool gave_up;
};

/* --- random games --- */

struct rbg_survey_moves {
	struct rbg_survey *v;
	struct rng *rng;
	int count;
	int chosen_count;
	struct rbg_act chosen[RBG_DEPTH_MAX + 1];
};

/* Keeps each move with the chance that makes all equally likely. */
static bool rbg_survey_take(void *arg, const struct rbg_act *acts, int count)
{
	struct rbg_survey_moves *m = arg;
	for (int i = 0; i < count; i++)
		bits_add(m->v->made, acts[i].modifier);
	if (rng_below(m->rng, (uint32_t)++m->count) == 0) {
		m->chosen_count = count;
		for (int i = 0; i < count; i++)
			m->chosen[i] = acts[i];
	}
	return false;
}

/* Plays a random move. Returns false if there is none. */
static bool rbg_survey_move(struct rbg_survey *v, struct rbg_machine *m, struct rng *rng)
{
	struct rbg_survey_moves moves = { .v = v, .rng = rng };
	rbg_machine_moves(m, rbg_survey_take, &moves);
	v->gave_up |= m->work < 0;
	v->moves += moves.count;
	v->positions += moves.count > 0;
	v->most = moves.count > v->most ? moves.count : v->most;
	for (int i = 0; i < moves.chosen_count; i++)
		rbg_machine_make(m, moves.chosen[i]);
	return moves.count > 0;
}

static void rbg_survey_game(struct rbg_survey *v, struct rng *rng)
{
	struct rbg_machine *m = rbg_play_load(v->t, &v->t->start);
	int length = 0;
	bool goes_on = true;
	while (goes_on && length < RBG_SURVEY_LONG && !v->gave_up) {
		goes_on = rbg_survey_move(v, m, rng);
		length += goes_on;
		goes_on = goes_on && rbg_machine_keep(m);
		v->gave_up |= m->work < 0;
	}
	v->games++;
	v->endless += goes_on;
	v->shortest = length < v->shortest ? length : v->shortest;
	v->longest = length > v->longest ? length : v->longest;
	if (!goes_on)
		v->results[1 + rbg_play_score(v->t, m)]++;
	rbg_play_release(v->t, m);
}

/* --- words --- */

static void rbg_survey_write_rules(const struct rbg_survey *v, struct text *out)
{
	const struct rbg_rules *r = v->t->rules;
	text_printf(out, "players    %s (Black, moves first), %s (White)\n",
		    r->players[v->t->black], r->players[!v->t->black]);
	text_printf(out, "board      %d squares, %d directions\npieces    ", r->square_count,
		    r->direction_count);
	for (int i = 0; i < r->piece_count; i++)
		text_printf(out, " %s=%c", r->pieces[i], v->t->letters[i]);
	text_puts(out, "\nvariables ");
	for (int i = RBG_PLAYERS; i < r->variable_count; i++)
		text_printf(out, " %s(%d)", r->variables[i].name, r->variables[i].most);
	text_printf(out, "%s\nautomaton  %d programs, %d modifiers, %d patterns, %d step codes\n",
		    r->variable_count == RBG_PLAYERS ? " none" : "", v->t->automaton->program_count,
		    v->t->automaton->modifier_count, v->t->automaton->pattern_count,
		    v->t->codes.count);
}

static void rbg_survey_write_games(const struct rbg_survey *v, struct text *out)
{
	text_printf(out, "moves      %.1f in a position, at most %d\n",
		    (double)v->moves / (double)(v->positions ? v->positions : 1), v->most);
	text_printf(out, "games      %d at random: %d to %d moves, %.1f on average\n", v->games,
		    v->shortest, v->longest, (double)v->positions / v->games);
	text_printf(out, "results    Black wins %d, White wins %d, %d draws\n", v->results[2],
		    v->results[0], v->results[1]);
	if (v->endless)
		text_printf(out,
			    "endless    %d games had not ended after %d moves; a counter could end "
			    "them\n",
			    v->endless, RBG_SURVEY_LONG);
}

/* Names the places of players' modifiers that were never made, one for each place in the text. */
static void rbg_survey_write_unreached(const struct rbg_survey *v, struct text *out)
{
	const struct rbg_automaton *a = v->t->automaton;
	int shown = 0, last = -1;
	for (int i = 0; i < a->modifier_count && shown < RBG_SURVEY_SHOWN; i++) {
		const struct rbg_modifier *m = &a->modifiers[i];
		int offset = a->rules->terms[m->term].place.offset;
		if (m->in_pattern || bits_has(v->made, i) || !rbg_codes_has(&v->t->codes, a, i) ||
		    offset == last)
			continue;
		if (!shown++)
			text_puts(out, "unreached\n");
		rbg_explain(a->rules, a->rules->terms[m->term].place, out,
			    "no player could do this in these games");
		text_puts(out, "\n");
		last = offset;
	}
}

bool rbg_survey(const struct game *g, int count, uint64_t seed, struct text *out)
{
	struct rbg_survey v = { .t = rbg_table(g), .shortest = INT_MAX };
	struct rng rng;
	rng_seed(&rng, seed);
	v.made = xcalloc((size_t)v.t->automaton->modifier_count / 64 + 1, sizeof *v.made);
	while (v.games < count && v.moves < RBG_SURVEY_WORK && !v.gave_up)
		rbg_survey_game(&v, &rng);
	rbg_survey_write_rules(&v, out);
	rbg_survey_write_games(&v, out);
	rbg_survey_write_unreached(&v, out);
	if (v.gave_up)
		text_puts(out, "A move was given up: it needs too many steps.\n");
	free(v.made);
	return !v.gave_up;
}
