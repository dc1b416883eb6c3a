/* SPDX-License-Identifier: MIT */
#include "engine/search/game_check.h"

#include <string.h>

#include "engine/rules/book.h"
#include "engine/rules/drawing.h"
#include "engine/search/algorithm.h"

#define LETTERS  "abcdefghijklmnopqrstuvwxyz"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS   "0123456789"

/* A text for command lines, GTP and SGF: one word of letters, digits, '-' and '_' that starts with a
 * letter. */
static bool is_word(const char *text, bool may_have_capitals)
{
	static const char all[] = LETTERS DIGITS "-_" CAPITALS;
	size_t length = text ? strlen(text) : 0, small = strlen(LETTERS DIGITS "-_");
	if (length < 1 || length > GAME_NAME_MAX || strspn(text, DIGITS "-_") > 0)
		return false;
	for (size_t i = 0; i < length; i++) {
		size_t at = (size_t)(strchr(all, text[i]) - all);
		if (!strchr(all, text[i]) || (at >= small && !may_have_capitals))
			return false;
	}
	return true;
}

/* Words that are separated by single blanks. */
static bool are_words(const char *text)
{
	char word[GAME_NAME_MAX + 1];
	for (;; text++) {
		size_t length = strcspn(text, " ");
		if (length > GAME_NAME_MAX)
			return false;
		memcpy(word, text, length);
		word[length] = '\0';
		if (!is_word(word, true))
			return false;
		text += length;
		if (!*text)
			return true;
	}
}

static const char *game_check_check_names(const struct game *g)
{
	if (!is_word(g->name, false))
		return "the name must be a word in lower case";
	if (!is_word(g->title, true))
		return "the title must be a word";
	if (g->alias && !are_words(g->alias))
		return "the alias must be words, separated by blanks";
	if (!is_word(g->rules, false))
		return "the name of the rules must be a word in lower case";
	if (!g->search || !algorithm_find(g->search))
		return "the default search must be one of the searches";
	return NULL;
}

static const char *check_guide(const char *line)
{
	if (!line || !*line)
		return "the guide must not be empty";
	for (; *line; line += strcspn(line, "\n") + 1) {
		size_t length = strcspn(line, "\n");
		if (!line[length])
			return "the guide must end with a line feed";
		if (length > GAME_GUIDE_LINE)
			return "a line of the guide must have at most 79 characters";
		for (size_t i = 0; i < length; i++)
			if (line[i] < ' ' || line[i] > '~')
				return "the guide must be plain ASCII";
	}
	return NULL;
}

/* A drawn board takes at most 12 bytes for a square, 18 more for a row, two lines of letters and 256 bytes
 * below the board. Each line of hexagons begins one further right. */
_Static_assert(12 * GAME_SQUARES_MAX + (18 + GAME_SIDE_MAX) * GAME_SIDE_MAX +
			       2 * (3 + 3 * GAME_SIDE_MAX) + 256 <=
		       BOARD_TEXT_MAX,
	       "every board can be drawn");

static const char *check_limits(const struct game *g)
{
	if (g->rows < 1 || g->rows > GAME_SIDE_MAX || g->cols < 1 || g->cols > GAME_SIDE_MAX)
		return "the board must have 1 to 20 rows and 1 to 20 columns";
	if (g->size < 0)
		return "the size of the board must not be negative";
	if (g->moves_max < 1 || g->moves_max > GAME_CODES_MAX)
		return "there must be 1 to 1024 step codes";
	if (g->choices_max < 1 || g->choices_max > GAME_STEPS_MAX || g->choices_max > g->moves_max)
		return "a state must have 1 to 512 steps, and no more than there are codes";
	if (g->length_max < 0 || g->length_max > GAME_LENGTH_MAX)
		return "a game must have at most 511 steps, or 0 for any number";
	if (g->usual_length < 0)
		return "the usual length of a game must not be negative";
	if (g->score_max < 1 || g->score_max > GAME_SCORE_MAX)
		return "the largest score must be 1 to 5000";
	if ((g->unit != NULL) != (g->score_max > 1))
		return "the score must have a unit exactly if it can be larger than 1";
	if (g->steps_max < 1 || g->steps_max > MOVE_STEPS_MAX)
		return "a move must have 1 to 4 steps";
	if (g->speed && g->unit)
		return "a game of speed has no unit: how soon it ends is its score";
	if (g->half_points && !g->unit)
		return "half points need a unit";
	if (g->in_a_row != 0 && (g->in_a_row < 2 || g->in_a_row > game_size(g)))
		return "a row that ends the game must have at least 2 squares and fit on the board";
	if (g->pass != MOVE_NONE && g->pass >= g->moves_max)
		return "the pass must be a step code or MOVE_NONE";
	if (g->may_pass && g->pass == MOVE_NONE)
		return "may_pass needs a pass";
	if (g->set_swap && (g->swap >= g->moves_max || g->steps_max > 1))
		return "the swap must be a step code, in a game with moves of one step";
	return NULL;
}

static const char *game_check_check_required(const struct game *g)
{
	if (!g->start || !g->setup || !g->moves || !g->play)
		return "start, setup, moves and play are required";
	if (!g->parse || !g->format || !g->at || !g->valid)
		return "parse, format, at and valid are required";
	return NULL;
}

static const char *check_solver(const struct game *g)
{
	const struct solver *s = g->solver;
	if (!s)
		return NULL;
	if (!s->estimate || !s->work || !s->result)
		return "a solver needs estimate, work and result";
	if (s->quick < 0 || s->quick > g->rows * g->cols)
		return "a solver cannot be quick with more empty squares than there are";
	return NULL;
}

/* Each turn's area lies in a corner of the board, where a page has room for its arrow. */
static bool are_corners(const struct game *g)
{
	for (int i = 0; g->turns && g->turns[i]; i++) {
		struct area a;
		g->describe(g, (move_t)(g->rows * g->cols + i), &a);
		if ((a.row && a.row + a.rows != g->rows) || (a.col && a.col + a.cols != g->cols))
			return false;
	}
	return true;
}

static const char *check_layout(const struct game *g)
{
	const struct layout *l = &g->layout;
	size_t turns = g->turns ? strlen(g->turns) : 0;
	if (l->kind > BOARD_HEXAGONS || l->color > BOARD_BLUE)
		return "the kind and the color of the board must be known";
	if (l->joins && (l->kind != BOARD_HEXAGONS || g->on_board))
		return "sides that are joined need a rhombus of hexagons";
	if (l->kind == BOARD_HEXAGONS && (l->block_rows || l->dot || g->turns || l->falls))
		return "a board of hexagons has no blocks, dots, turns or falling stones";
	if (l->block_rows < 0 || l->block_cols < 0 || !l->block_rows != !l->block_cols)
		return "a block must have rows and columns";
	if (l->block_rows && (g->rows % l->block_rows || g->cols % l->block_cols))
		return "the blocks must fill the board";
	if (l->dot && l->kind == BOARD_HOLES)
		return "a board of holes has no dots";
	if (turns % 2 || (g->turns && strspn(g->turns, CAPITALS) != turns))
		return "each area needs two turns, with capital letters";
	if (g->turns &&
	    (!g->describe || (size_t)g->moves_max < (size_t)(g->rows * g->cols) + turns))
		return "turns need describe, and step codes after those of the squares";
	if (!are_corners(g))
		return "a turned area must lie in a corner of the board";
	return NULL;
}

static const char *check_parts(const struct game *g)
{
	if (g->playouts && g->score_max > INT8_MAX)
		return "batched playouts need scores of at most 127";
	if (!g->wins != !g->safe)
		return "wins and safe must be given together";
	if (g->decided && !g->wins)
		return "decided needs wins";
	if (g->forced && (!g->wins || g->steps_max > 1 || game_repeats(g)))
		return "forced needs wins, moves of one step, and positions that may repeat";
	if ((g->best || g->deviation || g->patterns) && !g->eval)
		return "best, deviation and patterns need eval";
	if (g->deviation && g->steps_max > 1)
		return "deviation needs moves of one step";
	if (g->patterns && g->symmetries != SYMMETRIES_ALL)
		return "patterns need all symmetries";
	if ((g->book || g->patterns) && !g->stones)
		return "book and patterns need stones";
	if (g->names && !g->stones)
		return "names of openings need stones";
	if ((g->book || g->patterns) && g->moves_max > UINT8_MAX)
		return "book and patterns need at most 255 step codes";
	if (g->stones && g->rows * g->cols > GAME_SET_SQUARES)
		return "stones needs a board of at most 64 squares";
	if (!g->symmetries != !g->mirror)
		return "symmetries and mirror must be given together";
	if (g->symmetries & ~SYMMETRIES_ALL)
		return "symmetries are numbered 1 to 7";
	if (g->symmetries & 0xf0 && g->rows != g->cols)
		return "only a square board can exchange rows and columns";
	if (g->view > 7 || (g->view && !g->mirror) || (g->view & 4 && g->rows != g->cols))
		return "view must be a symmetry of the board, with mirror";
	if (!g->set_komi != !g->komi)
		return "set_komi and komi must be given together";
	if (g->set_komi && !g->half_points)
		return "komi needs half points";
	if (g->set_turn && !g->may_pass && g->pass != MOVE_NONE)
		return "set_turn needs may_pass, or a game without passes";
	if (g->steps_max > 1 && g->repeat_key)
		return "repeat_key needs moves of one step";
	if (g->repeat_key && !g->may_pass)
		return "repeat_key needs may_pass";
	if (g->repeat_limit && (g->repeat_limit < 2 || g->repeat_key || g->steps_max > 1))
		return "repeat_limit must be at least 2, without repeat_key and with moves of one "
		       "step";
	if (g->book && memcmp(g->book, BOOK_MAGIC, strlen(BOOK_MAGIC)) != 0)
		return "the book must be a file of tools/book";
	return NULL;
}

const char *game_check(const struct game *g)
{
	const char *why = game_check_check_names(g);
	why = why ? why : check_guide(g->guide);
	why = why ? why : check_limits(g);
	why = why ? why : game_check_check_required(g);
	why = why ? why : check_layout(g);
	why = why ? why : check_solver(g);
	return why ? why : check_parts(g);
}
