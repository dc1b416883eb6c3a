/* SPDX-License-Identifier: MIT */
#include "tools/check/claims.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "engine/base/format.h"

#define TOLERANCE 1e-6 /* values come from floats */

const char *const claim_names[CLAIMS] = {
	"bounds",  "scores",       "move bounds", "move scores", "proof numbers",
	"answers", "sure answers", "reports",     "solver",
};

/* A check of one report. */
struct claims_check {
	struct claims *claims;
	struct truth *truth;
	const struct game *game;
	const struct state *state;
	const struct choice *choice;
	const struct report *report;
	char *text;
	bool good;
};

/* Counts a claim. Describes the first one that is wrong. */
__attribute__((format(PRINTF, 4, 5))) static void
claims_count(struct claims_check *c, enum claim claim, bool is_true, const char *format, ...)
{
	va_list list;
	c->claims->checked[claim]++;
	c->claims->wrong[claim] += !is_true;
	if (is_true || !c->good)
		return;
	c->good = false;
	va_start(list, format);
	vsnprintf(c->text, CLAIM_TEXT_MAX, format, list);
	va_end(list);
}

static int score_after(const struct claims_check *c, struct move m)
{
	struct state next = *c->state;
	/* If a solver answers, it scores all moves at once. */
	truth_score(c->truth, c->game, c->state);
	game_play(c->game, &next, m);
	return truth_score(c->truth, c->game, &next);
}

/* Black's score if the side to move plays the best of the moves to choose from. */
static int score_of_choice(const struct claims_check *c)
{
	int sign = side_sign(c->state->side), best = -game_worth_max(c->game);
	if (!c->choice->only)
		return truth_score(c->truth, c->game, c->state);
	for (int i = 0; i < c->choice->only_count; i++) {
		int score = sign * score_after(c, c->choice->only[i]);
		best = score > best ? score : best;
	}
	return sign * best;
}

/* --- form --- */

static bool is_legal_line(const struct claims_check *c, const struct move *line, int n)
{
	struct state s = *c->state;
	for (int i = 0; i < n; i++) {
		if (!game_is_legal(c->game, &s, line[i]))
			return false;
		game_play(c->game, &s, line[i]);
	}
	return true;
}

/* Returns true if value, score and bounds of one position agree. */
static bool agree(const struct claims_check *c, double value, double score, int lower, int upper,
		  bool exact)
{
	bool good = lower >= -1 && lower <= upper && upper <= 1;
	if (!isnan(value))
		good = good && value >= lower - TOLERANCE && value <= upper + TOLERANCE;
	if (exact)
		good = good && fabs(score) <= game_worth_max(c->game) && score == floor(score) &&
		       lower == score_sign((int)score) && upper == lower;
	return good;
}

static bool is_choice(const struct claims_check *c, struct move m)
{
	const struct choice *choice = c->choice;
	int i = 0;
	while (i < choice->only_count && !move_equal(choice->only[i], m))
		i++;
	return !choice->only || i < choice->only_count;
}

static void check_form(struct claims_check *c)
{
	const struct report *r = c->report;
	int side = c->state->side, last = 1;
	bool good = r->line_count >= 0 && r->line_count <= PV_MAX &&
		    (r->line_count > 0) == (r->move_count > 0);
	claims_count(c, CLAIM_FORM, good && is_legal_line(c, r->line, r->line_count),
		     "the line is not legal");
	if (!c->good)
		return;
	claims_count(c, CLAIM_FORM, agree(c, r->value, r->score, r->lower, r->upper, r->exact),
		     "value %g, score %g%s, bounds %d and %d do not agree", r->value, r->score,
		     r->exact ? " exact" : "", r->lower, r->upper);
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		int least = result_least(side, m->lower, m->upper),
		    most = result_most(side, m->lower, m->upper);
		int rank = least > 0 ? 1 : most < 0 ? -1 : 0;
		struct move line[REPORT_LINE_MAX];
		int count = report_line(r, m, line, NULL);
		good = move_equal(m->move, line[0]) && is_choice(c, m->move) &&
		       is_legal_line(c, line, count);
		claims_count(c, CLAIM_FORM, good, "move %d of %d, or its line, is not legal", i,
			     r->move_count);
		if (!good)
			return;
		for (int j = 0; j < i; j++)
			good = good && !move_equal(m->move, r->moves[j].move);
		good = good && (i ? rank <= last : move_equal(m->move, r->line[0]));
		claims_count(c, CLAIM_FORM, good, "move %d of %d is out of order, or there twice",
			     i, r->move_count);
		claims_count(c, CLAIM_FORM,
			     agree(c, m->value, m->score, m->lower, m->upper, m->exact),
			     "move %d: value %g, score %g%s, bounds %d and %d do not agree", i,
			     m->value, m->score, m->exact ? " exact" : "", m->lower, m->upper);
		last = i ? rank : 1;
	}
}

/* --- claims --- */

static void claims_check_position(struct claims_check *c)
{
	const struct report *r = c->report;
	int side = c->state->side;
	bool proven = r->proof == 0 && r->disproof == PROOF_NEVER;
	bool disproven = r->proof == PROOF_NEVER && r->disproof == 0;
	bool claims = r->lower > -1 || r->upper < 1 || r->exact || proven || disproven;
	if (!claims)
		return;
	int score = score_of_choice(c), result = score_sign(score);
	/* The score of hidden moves is unknown, but it is at most the score of all moves. */
	bool hidden = c->choice->is_hidden, low = !hidden || side == BLACK,
	     high = !hidden || side == WHITE;
	if (r->lower > -1 && low)
		claims_count(c, CLAIM_BOUND, r->lower <= result, "lower bound %d of result %d",
			     r->lower, result);
	if (r->upper < 1 && high)
		claims_count(c, CLAIM_BOUND, r->upper >= result, "upper bound %d of result %d",
			     r->upper, result);
	if (r->exact)
		claims_count(c, CLAIM_SCORE,
			     hidden ? (side == BLACK ? r->score <= score : r->score >= score)
				    : r->score == score,
			     "exact score %g of score %d", r->score, score);
	bool won = side == BLACK ? result > 0 : result < 0;
	if (proven)
		claims_count(c, CLAIM_PROOF, won, "proof number 0 of result %d", result);
	if (disproven && !hidden)
		claims_count(c, CLAIM_PROOF, !won, "disproof number 0 of result %d", result);
}

static void check_move(struct claims_check *c, const struct report_move *m)
{
	char text[MOVE_TEXT_MAX];
	if (m->lower == -1 && m->upper == 1 && !m->exact)
		return;
	int score = score_after(c, m->move), result = score_sign(score);
	game_format(c->game, c->state, m->move, text);
	if (m->lower > -1)
		claims_count(c, CLAIM_MOVE_BOUND, m->lower <= result,
			     "lower bound %d of %s, result %d", m->lower, text, result);
	if (m->upper < 1)
		claims_count(c, CLAIM_MOVE_BOUND, m->upper >= result,
			     "upper bound %d of %s, result %d", m->upper, text, result);
	if (m->exact)
		claims_count(c, CLAIM_MOVE_SCORE, m->score == score,
			     "exact score %g of %s, score %d", m->score, text, score);
}

/* The answer must keep what is known of the position: a bound of its result, an exact score, and, in a
 * finished search of a game without points, a proven win of one of its moves. */
static void check_answer(struct claims_check *c)
{
	const struct report *r = c->report;
	char text[MOVE_TEXT_MAX];
	int side = c->state->side, sure = result_least(side, r->lower, r->upper);
	bool wins = !c->game->score.unit && !c->choice->is_live;
	for (int i = 0; i < r->move_count && wins; i++)
		if (result_least(side, r->moves[i].lower, r->moves[i].upper) > 0)
			sure = 1;
	if (r->line_count == 0 || (sure < 0 && !r->exact))
		return;
	int score = score_after(c, r->line[0]), result = score_sign(score);
	int reached = side == BLACK ? result : -result;
	game_format(c->game, c->state, r->line[0], text);
	claims_count(c, CLAIM_ANSWER, reached >= sure && (!r->exact || score == r->score),
		     "the answer %s has score %d: it does not keep the claim, bounds %d and %d",
		     text, score, r->lower, r->upper);
	/* The answer may keep the claim by luck, while the claim is known only of other moves. */
	int known = 0;
	for (int i = 1; i < r->move_count && sure >= 0; i++)
		known += result_least(side, r->moves[i].lower, r->moves[i].upper) >= sure;
	if (known)
		claims_count(c, CLAIM_SURE,
			     result_least(side, r->moves[0].lower, r->moves[0].upper) >= sure,
			     "of the answer %s it is open whether it keeps bounds %d and %d, of "
			     "others it is known",
			     text, r->lower, r->upper);
}

bool claims_check(struct claims *claims, struct truth *truth, const struct game *game,
		  const struct state *state, const struct choice *choice,
		  const struct report *report, char text[CLAIM_TEXT_MAX])
{
	struct claims_check c = { claims, truth, game, state, choice, report, text, true };
	check_form(&c);
	if (!c.good)
		return false; /* illegal moves cannot be played, so the claims cannot be checked */
	claims_check_position(&c);
	for (int i = 0; i < report->move_count; i++)
		check_move(&c, &report->moves[i]);
	check_answer(&c);
	return c.good;
}
