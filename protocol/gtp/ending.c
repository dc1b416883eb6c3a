/* SPDX-License-Identifier: MIT
 *
 * Commands for the end of a game whose players take dead stones off the board: which stones are dead, whose the other
 * squares are, and moves that capture dead stones. Random games tell it.
 */
#include <string.h>
#include <strings.h>

#include "engine/evaluation/estimate.h"
#include "engine/evaluation/ownership.h"
#include "engine/rules/goals.h"
#include "engine/rules/square.h"
#include "protocol/gtp/commands.h"
#include "protocol/session/command.h"
#include "protocol/session/line.h"
#include "protocol/session/notation.h"
#include "protocol/session/session.h"
#include "protocol/session/think.h"

struct judgement {
	int chain[GAME_SQUARES_MAX]; /* as ownership_chains() labels them */
	int count;                   /* number of chains */
	enum fate fates[GAME_SQUARES_MAX];
};

/* Stones can be dead only where they can be captured. */
static void judge(const struct record *r, struct judgement *j)
{
	const struct game *g = r->game;
	struct estimate estimate;
	struct state state = r->now;
	j->count = ownership_chains(g, &state, j->chain);
	for (int i = 0; i < j->count; i++)
		j->fates[i] = FATE_ALIVE;
	if (!goals_exist(g))
		return;
	if (g->set_turn && state.over)
		g->set_turn(g, &state, state.side);
	estimate_position(g, &state, ESTIMATE_GAMES, r->now.hash, &estimate);
	ownership_fates(g, &state, estimate.owner, j->chain, j->count, j->fates);
}

/* --- lists --- */

/* Writes the chains with this fate, a line for each. */
static void print_chains(const struct session *s, const struct judgement *j, enum fate wanted)
{
	const struct game *g = s->record.game;
	int squares[GAME_SQUARES_MAX], lines = 0;
	for (int i = 0; i < j->count; i++) {
		int size = 0;
		for (int k = 0; k < g->board.rows * g->board.cols; k++)
			if (j->chain[k] == i)
				squares[size++] = k;
		if (j->fates[i] != wanted)
			continue;
		text_puts(s->reply, lines++ ? "\n" : "");
		print_squares(s, squares, size);
	}
}

/* Writes the empty squares of the regions with these owners. */
static void print_regions(const struct session *s, const struct judgement *j, unsigned wanted)
{
	const struct game *g = s->record.game;
	unsigned owners[GAME_SQUARES_MAX];
	int squares[GAME_SQUARES_MAX], size = 0;
	ownership_regions(g, &s->record.now, j->chain, j->fates, owners);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (j->chain[i] < 0 && owners[i] == wanted)
			squares[size++] = i;
	print_squares(s, squares, size);
}

static enum outcome run_final_status_list(struct session *s)
{
	static const char *const fates[] = {
		[FATE_DEAD] = "dead",
		[FATE_SEKI] = "seki",
		[FATE_ALIVE] = "alive",
	};
	static const char *const regions[] = {
		[1U << BLACK] = "black_territory",
		[1U << WHITE] = "white_territory",
		[1U << BLACK | 1U << WHITE] = "dame",
	};
	struct judgement j;
	for (int fate = FATE_DEAD; fate <= FATE_ALIVE; fate++)
		if (strcasecmp(s->args[0], fates[fate]) == 0) {
			judge(&s->record, &j);
			print_chains(s, &j, (enum fate)fate);
			return DONE;
		}
	for (unsigned owners = 1; owners < sizeof regions / sizeof regions[0]; owners++)
		if (strcasecmp(s->args[0], regions[owners]) == 0) {
			judge(&s->record, &j);
			print_regions(s, &j, owners);
			return DONE;
		}
	return syntax_error(s, "type alive, dead, seki, black_territory, white_territory or dame");
}

/* --- clean-up --- */

/* How good a move is at capturing. */
enum capture { USELESS, RISKY, USEFUL, CAPTURE };

/* Returns the number of empty squares beside a chain, 2 if there are more. */
static int count_liberties(const struct game *g, const int *chain, int label)
{
	int count = 0;
	for (int i = 0; i < g->board.rows * g->board.cols && count < 2; i++) {
		int next[4], sides = chain[i] < 0 ? square_neighbors(g, i, next) : 0;
		bool is_beside = false;
		for (int k = 0; k < sides; k++)
			is_beside |= chain[next[k]] == label;
		count += is_beside;
	}
	return count;
}

/* Rates a move by what it does to dead stones of the other side. A useful move takes a liberty of theirs; it is risky
 * if it can be captured at once. */
static enum capture ending_rate(const struct record *r, const struct judgement *j, struct move move)
{
	const struct game *g = r->game;
	int row, col, next[4], chain[GAME_SQUARES_MAX];
	struct state state = r->now;
	bool is_beside = false, captures = false;
	if (!game_stone(g, &state, move, &row, &col))
		return USELESS;
	int sides = square_neighbors(g, row * g->board.cols + col, next);
	char other = r->now.side == BLACK ? 'O' : 'X';
	game_play(g, &state, move);
	for (int i = 0; i < sides; i++) {
		int label = j->chain[next[i]], at_row = next[i] / g->board.cols,
		    at_col = next[i] % g->board.cols;
		bool is_dead = label >= 0 && j->fates[label] == FATE_DEAD &&
			       g->at(g, &r->now, at_row, at_col) == other;
		is_beside |= is_dead;
		captures |= is_dead && g->at(g, &state, at_row, at_col) == '.';
	}
	if (!is_beside || captures)
		return captures ? CAPTURE : USELESS;
	ownership_chains(g, &state, chain);
	return count_liberties(g, chain, chain[row * g->board.cols + col]) > 1 ? USEFUL : RISKY;
}

/* Writes the best moves that lead to the capture of dead stones. Returns their number. */
static int cleanup_moves(const struct record *r, struct move out[GAME_MOVES_MAX])
{
	struct move moves[GAME_MOVES_MAX];
	struct judgement j;
	enum capture best = RISKY;
	int kept = 0, count = r->now.over ? 0 : record_moves(r, moves);
	judge(r, &j);
	for (int i = 0; i < count; i++) {
		enum capture rating = ending_rate(r, &j, moves[i]);
		kept = rating > best ? 0 : kept;
		best = rating > best ? rating : best;
		if (rating == best)
			out[kept++] = moves[i];
	}
	return kept;
}

/* Goes on with a game that passes have ended only if there is something to capture. */
static enum outcome run_genmove_cleanup(struct session *s)
{
	struct move only[GAME_MOVES_MAX];
	int end = s->record.count;
	if (!line_color(s->args[0], &s->side))
		return syntax_error(s, "type black or white as the color");
	if (!record_resume(&s->record, s->side)) {
		text_printf(s->reply, "%s is to move", color_name(s->record.now.side));
		return REFUSED;
	}
	int count = goals_exist(s->record.game) ? cleanup_moves(&s->record, only) : 0;
	if (!count) {
		record_shorten(&s->record, end);
		think_take_turn(s);
	}
	struct limits limits = think_limits(s);
	limits.book = !count;
	limits.only = count ? only : NULL;
	limits.only_count = count;
	return think_move(s, &limits, THINKING);
}

const struct command ending_commands[] = {
	{ "final_status_list", "alive|dead|seki|black_territory|white_territory|dame",
	  "list the stones with this fate, a line for each chain, or the empty points of this "
	  "kind, estimated by random games",
	  run_final_status_list },
	{ "kgs-genmove_cleanup", "COLOR",
	  "same as genmove, but capture all dead stones of the other side before the first pass",
	  run_genmove_cleanup, think_answer, .plays = true },
	{ 0 },
};
