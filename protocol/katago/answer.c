/* SPDX-License-Identifier: MIT
 *
 * Raw values of a network are left out. Prior and policy are those of the game's evaluator; without one they are uniform
 * over the legal moves.
 */
#include "protocol/katago/answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/evaluation/evaluator.h"
#include "engine/rules/images.h"
#include "engine/rules/komi.h"
#include "engine/rules/square.h"
#include "protocol/records/as_json.h"
#include "protocol/session/worth.h"

#define HASH_TEXT_MAX 33 /* two words in hexadecimal, with NUL */

/* What all parts of an answer need. */
struct answer_view {
	const struct katago_job *job;
	const struct game *game;
	const struct state *now;
	struct outlook *outlook; /* NULL: there is none */
	int sign;                /* 1: values are those of the side to move; -1: the other side's */
	int count;               /* of the legal moves */
	struct move legal[GAME_MOVES_MAX];
	double priors[GAME_MOVES_MAX];
	double unknown; /* Black's value of a move of which nothing is known */
};

char *answer_line(json_t *object)
{
	struct text line = { 0 };
	as_json_print(&line, object, 9);
	return text_take(&line);
}

/* --- values --- */

/* A share of the points as the client wants to see it. */
static double shown_share(const struct answer_view *v, double share)
{
	return v->sign > 0 ? share : 1 - share;
}

/* Adds the values of a move or of the position. */
static void set_values(const struct answer_view *v, json_t *to, const struct rating *f)
{
	int sign = v->sign * side_sign(v->now->side);
	double winrate = shown_share(v, f->winrate), lcb = shown_share(v, f->lcb);
	double score = sign * outlook_score(v->outlook, f->worth.score, f->winrate);
	json_object_set_new(to, "visits", json_integer((json_int_t)f->visits));
	json_object_set_new(to, "weight", json_real((double)f->visits));
	json_object_set_new(to, "winrate", json_real(winrate));
	json_object_set_new(to, "lcb", json_real(lcb));
	json_object_set_new(to, "utility", json_real(2 * winrate - 1));
	json_object_set_new(to, "utilityLcb", json_real(2 * lcb - 1));
	/* Clients read it as points. */
	if (!isnan(score) && v->game->score.unit) {
		json_object_set_new(to, "scoreLead", json_real(score));
		json_object_set_new(to, "scoreMean", json_real(score));
		json_object_set_new(to, "scoreSelfplay", json_real(score));
	}
	/* No game ends without a result. */
	if (v->job->query->no_result)
		json_object_set_new(to, "noResultValue", json_real(0));
	if (f->worth.lower == f->worth.upper)
		json_object_set_new(to, "proof",
				    json_string(worth_value(sign > 0 ? BLACK : WHITE,
							    f->worth.lower, f->worth.upper)));
}

/* Adds the mean owners of the squares, row by row from the top left. */
static void set_owners(const struct answer_view *v, json_t *to, const struct estimate *estimate)
{
	json_t *owners = json_array();
	int sign = v->sign * side_sign(v->now->side);
	for (int i = 0; i < v->game->board.rows * v->game->board.cols; i++)
		json_array_append_new(owners, json_real(sign * estimate->owner[i]));
	json_object_set_new(to, "ownership", owners);
}

/* --- moves --- */

/* Clients expect `pass` in lower case. */
static json_t *move_name(const struct game *g, const struct state *s, struct move move)
{
	char text[MOVE_TEXT_MAX];
	game_format(g, s, move, text);
	return json_string(strcmp(text, "PASS") == 0 ? "pass" : text);
}

static void answer_set_line(const struct answer_view *v, json_t *to, const struct report *r,
			    const struct report_move *m)
{
	struct move moves[REPORT_LINE_MAX];
	uint64_t counted[REPORT_LINE_MAX];
	int count = report_line(r, m, moves, counted);
	struct state state = *v->now;
	json_t *line = json_array(), *visits = json_array();
	int64_t most = v->job->query->settings.line_max;
	for (int i = 0; i < count && i < most; i++) {
		json_array_append_new(line, move_name(v->game, &state, moves[i]));
		if (i == 0 || (counted[i] && (int)json_array_size(visits) == i))
			json_array_append_new(
				visits, json_integer((json_int_t)(i ? counted[i] : m->visits)));
		game_play(v->game, &state, moves[i]);
	}
	json_object_set_new(to, "pv", line);
	if (v->job->query->line_visits) {
		json_object_set(to, "pvVisits", visits);
		json_object_set(to, "pvEdgeVisits", visits);
	}
	json_decref(visits);
}

static double answer_prior_of(const struct answer_view *v, struct move move)
{
	for (int i = 0; i < v->count; i++)
		if (move_equal(v->legal[i], move))
			return v->priors[i];
	return 0;
}

static json_t *answer_describe_move(const struct answer_view *v, const struct report *r,
				    const struct report_move *m, int order)
{
	json_t *to = json_object();
	const struct worth worth = worth_of_move(m);
	const struct rating f = worth_rate(&worth, m->visits, v->now->side, v->unknown);
	json_object_set_new(to, "move", move_name(v->game, v->now, m->move));
	json_object_set_new(to, "order", json_integer(order));
	set_values(v, to, &f);
	json_object_set_new(to, "edgeVisits", json_integer((json_int_t)m->visits));
	json_object_set_new(to, "edgeWeight", json_real((double)m->visits));
	json_object_set_new(to, "prior", json_real(answer_prior_of(v, m->move)));
	if (m->exact && game_counts(v->game))
		json_object_set_new(to, "exact", json_true());
	answer_set_line(v, to, r, m);
	if (v->job->query->moves_ownership && v->outlook && order < OUTLOOK_MOVES)
		set_owners(v, to, outlook_after(v->outlook, m->move));
	return to;
}

/* --- the position --- */

/* Writes a number that is the same for equal positions with the same side to move, and hardly ever for others. */
static void hash_state(const struct state *s, char text[HASH_TEXT_MAX])
{
	struct state other = *s;
	other.board[0] = ~other.board[0];
	snprintf(text, HASH_TEXT_MAX, "%016llX%016llX", (unsigned long long)state_hash(s),
		 (unsigned long long)state_hash(&other));
}

/* Writes the squares of a position as a symmetry of the board maps them. */
static void map_squares(const struct game *g, const char *squares, int symmetry,
			char out[POSITION_TEXT_MAX])
{
	int count = g->board.rows * g->board.cols;
	for (int square = 0; square < count; square++)
		out[images_mirror_square(g, square, symmetry)] = squares[square];
	out[count] = '\0';
}

/* Writes the smallest hash of the position and its mirror images. */
static void hash_symmetric(const struct game *g, const struct state *s, char least[HASH_TEXT_MAX])
{
	char squares[POSITION_TEXT_MAX], mapped[POSITION_TEXT_MAX], text[HASH_TEXT_MAX];
	hash_state(s, least);
	if (!images_symmetries(g))
		return;
	game_position(g, s, squares);
	*least = '\0';
	for (int symmetry = 0; symmetry < 8; symmetry++) {
		struct state image;
		if (symmetry && !(images_symmetries(g) >> symmetry & 1))
			continue;
		map_squares(g, squares, symmetry, mapped);
		if (game_setup(g, &image, mapped, s->side == BLACK ? "X" : "O"))
			continue;
		if (g->komi)
			g->komi->set(g, &image, g->komi->get(g, s));
		hash_state(&image, text);
		if (!*least || strcmp(text, least) < 0)
			memcpy(least, text, HASH_TEXT_MAX);
	}
	if (!*least)
		hash_state(s, least);
}

static json_t *describe_root(const struct answer_view *v, const struct worth *worth,
			     uint64_t visits)
{
	json_t *to = json_object();
	char hash[HASH_TEXT_MAX];
	const struct rating f = worth_rate(worth, visits, v->now->side, v->unknown);
	json_object_set_new(to, "currentPlayer", json_string(v->now->side == BLACK ? "B" : "W"));
	set_values(v, to, &f);
	if (v->outlook && v->game->score.unit)
		json_object_set_new(to, "scoreStdev",
				    json_real(outlook_position(v->outlook)->deviation));
	hash_state(v->now, hash);
	json_object_set_new(to, "thisHash", json_string(hash));
	hash_symmetric(v->game, v->now, hash);
	json_object_set_new(to, "symHash", json_string(hash));
	return to;
}

/* Returns the index in a policy of a move: the square that its text begins with, else where its stone lies, else the
 * place of the pass. */
static int policy_index(const struct answer_view *v, struct move move)
{
	const struct game *g = v->game;
	char text[MOVE_TEXT_MAX];
	int row, col;
	game_format(g, v->now, move, text);
	if (!square_parse(g, text, &row, &col) && !game_stone(g, v->now, move, &row, &col))
		return g->board.rows * g->board.cols;
	return row * g->board.cols + col;
}

/* The priors by squares, row by row from the top left, then that of a pass; -1 where no legal move begins. */
static json_t *describe_policy(const struct answer_view *v)
{
	int size = v->game->board.rows * v->game->board.cols + 1;
	double *priors = xcalloc((size_t)size, sizeof *priors);
	json_t *policy = json_array();
	for (int i = 0; i < size; i++)
		priors[i] = -1;
	for (int i = 0; i < v->count; i++) {
		double *prior = &priors[policy_index(v, v->legal[i])];
		*prior = (*prior > 0 ? *prior : 0) + v->priors[i];
	}
	for (int i = 0; i < size; i++)
		json_array_append_new(policy, json_real(priors[i]));
	free(priors);
	return policy;
}

/* --- answers --- */

static json_t *begin_answer(const struct katago_job *job, bool live)
{
	return json_pack("{s:s, s:i, s:b}", "id", job->query->id, "turnNumber", job->turn,
			 "isDuringSearch", (int)live);
}

static void view_init(struct answer_view *v, const struct katago_job *job,
		      const struct record *record, struct outlook *outlook)
{
	enum perspective as = job->query->settings.perspective;
	int side = record->now.side;
	v->job = job;
	v->game = record->game;
	v->now = &record->now;
	v->outlook = outlook;
	v->sign = as == AS_SIDE_TO_MOVE || (int)as == side ? 1 : -1;
	v->unknown = NAN;
	v->count = record->now.over ? 0 : record_moves(record, v->legal);
	if (v->count)
		evaluator_priors(v->game, job->query->settings.options.evaluator, v->now, v->legal,
				 v->count, v->priors);
}

/* Adds the moves, the position, and what else the query asks for. */
static char *end_answer(const struct answer_view *v, json_t *to, json_t *moves,
			const struct worth *root, uint64_t visits)
{
	json_object_set_new(to, "moveInfos", moves);
	json_object_set_new(to, "rootInfo", describe_root(v, root, visits));
	if (v->job->query->ownership && v->outlook)
		set_owners(v, to, outlook_position(v->outlook));
	if (v->job->query->policy)
		json_object_set_new(to, "policy", describe_policy(v));
	return answer_line(to);
}

/* The evaluation of the position. Of a search by playouts it is the mean of all visits, as in KataGo: that of the
 * answer alone depends on few games at first. Moves that are proven lost do not count. */
static struct worth answer_root_of(const struct report *r, int side, uint64_t *all)
{
	struct worth root = worth_of_report(r);
	double value = 0, score = 0, weight = 0;
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		double visits = (double)m->visits;
		*all += m->visits;
		if (m->visits == 0 || result_most(side, m->lower, m->upper) < 0)
			continue;
		weight += visits;
		value += visits * m->value;
		score += visits * m->score;
	}
	if (r->playouts && weight > 0 && !isnan(value)) {
		root.value = value / weight;
		root.score = isnan(score) ? root.score : score / weight;
	}
	return root;
}

char *answer_report(const struct katago_job *job, const struct record *record,
		    struct outlook *outlook, const struct report *r, bool live)
{
	struct answer_view v;
	int order = 0;
	view_init(&v, job, record, outlook);
	uint64_t visits = 0;
	struct worth root = answer_root_of(r, record->now.side, &visits);
	v.unknown = worth_guess(r->value, r->score, (double)NAN);
	if (r->lower == r->upper)
		v.unknown = r->lower;
	/* The value of the root alone is an answer at the end, but no progress to report. */
	bool is_idle = live && !r->playouts && !r->nodes && r->lower != r->upper;
	if (isnan(v.unknown) || is_idle)
		return NULL;
	json_t *moves = json_array();
	for (int i = 0; i < r->move_count; i++) {
		const struct report_move *m = &r->moves[i];
		/* The first one is the answer: the position's value is its value, too. */
		const struct worth worth = worth_of_move(m);
		if (i == 0 || m->visits || worth_is_known(&worth))
			json_array_append_new(moves, answer_describe_move(&v, r, m, order++));
	}
	return end_answer(&v, begin_answer(job, live), moves, &root, visits);
}

char *answer_end(const struct katago_job *job, const struct record *record)
{
	struct answer_view v;
	view_init(&v, job, record, NULL);
	struct worth root = worth_of_end(record->game, &record->now);
	return end_answer(&v, begin_answer(job, false), json_array(), &root, 0);
}

char *answer_nothing(const struct katago_job *job)
{
	json_t *to = begin_answer(job, false);
	json_object_set_new(to, "noResults", json_true());
	return answer_line(to);
}

char *answer_failure(const struct katago_job *job, const char *why)
{
	return answer_line(json_pack("{s:s, s:s}", "error", why, "id", job->query->id));
}
