/* SPDX-License-Identifier: MIT */
#include "engine/search/game_check.h"

#include <ctype.h>
#include <string.h>

#include "engine/rules/book.h"
#include "engine/rules/drawing.h"
#include "engine/rules/eval.h"
#include "engine/rules/images.h"
#include "engine/rules/komi.h"
#include "engine/rules/playouts.h"
#include "engine/rules/repetition.h"
#include "engine/rules/solver.h"
#include "engine/rules/swap.h"
#include "engine/rules/threats.h"
#include "engine/rules/tuning.h"
#include "engine/rules/words.h"
#include "engine/search/algorithms.h"

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

/* Clients choose a size by one number. */
static const char *game_check_sizes(const struct game *g)
{
	const struct game *const *sizes = g->sizes;
	for (int i = 0; sizes[i]; i++)
		for (int j = 0; j < i; j++)
			if (game_size(sizes[i]) == game_size(sizes[j]) &&
			    sizes[i]->board.size == sizes[j]->board.size)
				return "sizes with one longer side need numbers in board.size";
	return NULL;
}

static const char *game_check_names(const struct game *g)
{
	if (!is_word(g->name, false))
		return "the name must be a word in lower case";
	if (!is_word(g->title, true))
		return "the title must be a word";
	if (g->alias && !are_words(g->alias))
		return "the alias must be words, separated by blanks";
	if (!is_word(g->rules, false))
		return "the name of the rules must be a word in lower case";
	return g->sizes ? game_check_sizes(g) : NULL;
}

static const char *game_check_guide(const char *line)
{
	if (!line || !*line)
		return "the guide must not be empty";
	for (; *line; line += strcspn(line, "\n") + 1) {
		size_t length = strcspn(line, "\n");
		if (!line[length])
			return "the guide must end with a line feed";
		if (length > WORDS_GUIDE_LINE)
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

/* Each turn's area lies in a corner of the board, where a page has room for its arrow. */
static bool are_corners(const struct game *g)
{
	for (int i = 0; g->board.turns && g->board.turns[i]; i++) {
		struct area a;
		g->board.describe(g, (move_t)(g->board.rows * g->board.cols + i), &a);
		if ((a.row && a.row + a.rows != g->board.rows) ||
		    (a.col && a.col + a.cols != g->board.cols))
			return false;
	}
	return true;
}

/* Returns true if a later piece has the same letter. */
static bool game_check_is_again(const struct piece *p)
{
	for (const struct piece *other = p + 1; other->letter; other++)
		if (other->letter == p->letter)
			return true;
	return false;
}

static const char *game_check_board(const struct game *g)
{
	const struct board *b = &g->board;
	size_t turns = b->turns ? strlen(b->turns) : 0;
	if (b->rows < 1 || b->rows > GAME_SIDE_MAX || b->cols < 1 || b->cols > GAME_SIDE_MAX)
		return "the board must have 1 to 20 rows and 1 to 20 columns";
	if (b->size < 0)
		return "the size of the board must not be negative";
	if (b->kind > BOARD_GRAPH || b->color > BOARD_BLUE)
		return "the kind and the color of the board must be known";
	if (b->joins && (b->kind != BOARD_HEXAGONS || b->on_board))
		return "sides that are joined need a rhombus of hexagons";
	if (b->kind == BOARD_HEXAGONS && (b->block_rows || b->dot || b->turns || b->falls))
		return "a board of hexagons has no blocks, dots, turns or falling stones";
	if ((b->kind == BOARD_GRAPH) != (b->links != NULL))
		return "a graph needs links, and only a graph has them";
	if (b->kind == BOARD_GRAPH && (b->block_rows || b->dot || b->turns || b->falls))
		return "a graph has no blocks, dots, turns or falling stones";
	if (b->block_rows < 0 || b->block_cols < 0 || !b->block_rows != !b->block_cols)
		return "a block must have rows and columns";
	if (b->block_rows && (b->rows % b->block_rows || b->cols % b->block_cols))
		return "the blocks must fill the board";
	if (b->dot && b->kind == BOARD_HOLES)
		return "a board of holes has no dots";
	if (b->kind == BOARD_DOTS && (!(b->rows % 2) || !(b->cols % 2)))
		return "a board of lines between dots needs odd numbers of rows and columns";
	for (const struct piece *p = b->pieces; p && p->letter; p++)
		if (!isalnum((unsigned char)p->letter) || game_check_is_again(p))
			return "each piece needs a letter or digit of its own";
	if (turns % 2 || (b->turns && strspn(b->turns, CAPITALS) != turns))
		return "each area needs two turns, with capital letters";
	if (b->turns &&
	    (!b->describe || (size_t)g->steps.codes < (size_t)(b->rows * b->cols) + turns))
		return "turns need describe, and step codes after those of the squares";
	if (!are_corners(g))
		return "a turned area must lie in a corner of the board";
	return NULL;
}

static const char *game_check_steps(const struct game *g)
{
	const struct step_rules *s = &g->steps;
	if (s->codes < 1 || s->codes > GAME_CODES_MAX)
		return "there must be 1 to 16384 step codes";
	if (s->choices < 1 || s->choices > GAME_STEPS_MAX || s->choices > s->codes)
		return "a state must have 1 to 1024 steps, and no more than there are codes";
	if (s->length < 0 || s->length > GAME_LENGTH_MAX)
		return "a game must have at most 511 steps, or 0 for any number";
	if (s->per_move < 1 || s->per_move > MOVE_STEPS_MAX)
		return "a move must have 1 to 24 steps";
	if (s->moves < 0 || s->moves > GAME_MOVES_MAX || (s->moves && s->per_move == 1) ||
	    (!s->moves && s->per_move > 1))
		return "a game with moves of several steps must tell how many whole moves a "
		       "position has at most";
	if (s->pass != MOVE_NONE && s->pass >= s->codes)
		return "the pass must be a step code or MOVE_NONE";
	if (s->may_pass && s->pass == MOVE_NONE)
		return "may_pass needs a pass";
	return NULL;
}

static const char *game_check_score(const struct game *g)
{
	const struct score_rules *s = &g->score;
	if (s->most < 1 || s->most > GAME_SCORE_MAX)
		return "the largest score must be 1 to 5000";
	if ((s->unit != NULL) != (s->most > 1))
		return "the score must have a unit exactly if it can be larger than 1";
	if (s->speed && s->unit)
		return "a game of speed has no unit: how soon it ends is its score";
	if (s->half_points && !s->unit)
		return "half points need a unit";
	if (s->in_a_row != 0 && (s->in_a_row < 2 || s->in_a_row > game_size(g)))
		return "a row that ends the game must have at least 2 squares and fit on the board";
	return NULL;
}

static const char *game_check_functions(const struct game *g)
{
	if (!g->start || !g->setup || !g->moves || !g->play)
		return "start, setup, moves and play are required";
	if (!g->parse || !g->format || !g->at || !g->valid)
		return "parse, format, at and valid are required";
	if (g->set_turn && !g->steps.may_pass && g->steps.pass != MOVE_NONE)
		return "set_turn needs may_pass, or a game without passes";
	return NULL;
}

/* --- capabilities --- */

static const char *game_check_words(const struct game *g)
{
	const struct words *w = g->words;
	const char *why = game_check_guide(w ? w->guide : NULL);
	if (!why && w->openings && !images_have_stones(g))
		why = "names of openings need stones";
	return why;
}

static const char *game_check_playouts(const struct game *g)
{
	if (g->playouts->batch && g->score.most > INT8_MAX)
		return "batched playouts need scores of at most 127";
	return NULL;
}

static const char *game_check_threats(const struct game *g)
{
	const struct threats *t = g->threats;
	if (!t->wins || !t->safe)
		return "threats need wins and safe";
	if (t->search && (g->steps.per_move > 1 || game_repeats(g)))
		return "threat-space search needs moves of one step, and positions that may repeat";
	return NULL;
}

static const char *game_check_repetition(const struct game *g)
{
	const struct repetition *r = g->repetition;
	if ((!r->key && !r->limit) || r->limit < 0 || r->limit == 1)
		return "repetition needs a key or a limit of at least 2";
	if (!r->limit && (g->steps.per_move > 1 || !g->steps.may_pass))
		return "a repetition that is illegal needs moves of one step, and may_pass";
	return NULL;
}

static const char *game_check_swap(const struct game *g)
{
	if (!g->swap->allow)
		return "a swap needs allow";
	if (g->swap->step >= g->steps.codes || g->steps.per_move > 1)
		return "the swap must be a step code, in a game with moves of one step";
	return NULL;
}

static const char *game_check_komi(const struct game *g)
{
	if (!g->komi->set || !g->komi->get || !g->komi->handicap)
		return "komi needs set, get and handicap";
	if (!g->score.half_points)
		return "komi needs half points";
	return NULL;
}

static const char *game_check_eval(const struct game *g)
{
	const struct eval *e = g->eval;
	if (!e->value)
		return "an evaluation needs value";
	if (e->deviation && g->steps.per_move > 1)
		return "deviation needs moves of one step";
	if (e->patterns && images_symmetries(g) != IMAGES_ALL)
		return "patterns need all symmetries";
	if (e->patterns && (!images_have_stones(g) || g->steps.codes > UINT8_MAX))
		return "patterns need stones, and at most 255 step codes";
	return NULL;
}

static const char *game_check_images(const struct game *g)
{
	const struct images *m = g->images;
	bool is_square = g->board.rows == g->board.cols;
	if (m->stones && g->board.rows * g->board.cols > IMAGES_SQUARES)
		return "stones needs a board of at most 64 squares";
	if ((m->symmetries || m->view) != (m->mirror != NULL))
		return "symmetries or view, and mirror, must be given together";
	if (m->symmetries & ~IMAGES_ALL)
		return "symmetries are numbered 1 to 7";
	if (m->symmetries & 0xf0 && !is_square)
		return "only a square board can exchange rows and columns";
	if (m->view > 7 || (m->view & 4 && !is_square))
		return "view must be a symmetry of the board";
	return NULL;
}

static const char *game_check_tuning(const struct game *g)
{
	if (!g->tuning->search || !algorithm_find(g->tuning->search))
		return "the default search must be one of the searches";
	if (g->tuning->usual_length < 0)
		return "the usual length of a game must not be negative";
	return NULL;
}

static const char *game_check_solver(const struct game *g)
{
	const struct solver *s = g->solver;
	if (!s->estimate || !s->work || !s->result)
		return "a solver needs estimate, work and result";
	if (s->quick < 0 || s->quick > g->board.rows * g->board.cols)
		return "a solver cannot be quick with more empty squares than there are";
	return NULL;
}

static const char *game_check_book(const struct game *g)
{
	if (memcmp(g->book, BOOK_MAGIC, strlen(BOOK_MAGIC)) != 0)
		return "the book must be a file of tools/book";
	if (!images_have_stones(g) || g->steps.codes > UINT8_MAX)
		return "a book needs stones, and at most 255 step codes";
	return NULL;
}

const char *game_check(const struct game *g)
{
	/* The order matters: later checks rely on earlier ones. */
	const struct {
		bool has;
		const char *(*check)(const struct game *);
	} parts[] = {
		{ true, game_check_names },
		{ true, game_check_steps },
		{ true, game_check_board },
		{ true, game_check_score },
		{ true, game_check_functions },
		{ true, game_check_words },
		{ g->playouts, game_check_playouts },
		{ g->threats, game_check_threats },
		{ g->repetition, game_check_repetition },
		{ g->swap, game_check_swap },
		{ g->komi, game_check_komi },
		{ g->eval, game_check_eval },
		{ g->images, game_check_images },
		{ g->tuning, game_check_tuning },
		{ g->solver, game_check_solver },
		{ g->book, game_check_book },
	};
	const char *why = NULL;
	for (size_t i = 0; i < sizeof parts / sizeof *parts && !why; i++)
		if (parts[i].has)
			why = parts[i].check(g);
	return why;
}
