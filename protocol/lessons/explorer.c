/* SPDX-License-Identifier: MIT */
#include "protocol/lessons/explorer.h"

#include <math.h>
#include <stdlib.h>

#include "engine/rules/book.h"
#include "engine/rules/opening_name.h"
#include "protocol/records/as_json.h"

/* A move that a book knows. */
struct explored {
	struct move move;
	double book; /* as book_move.value; NAN: the game's book does not have it */
	int sign;    /* of the side that moves */
	struct own_games own;
};

static int explorer_compare(const void *a, const void *b)
{
	const struct explored *x = a, *y = b;
	if (x->own.count != y->own.count)
		return x->own.count > y->own.count ? -1 : 1;
	if (isnan(x->book) != isnan(y->book))
		return isnan(x->book) ? 1 : -1;
	if (!isnan(x->book) && x->book != y->book)
		return x->sign * x->book > y->sign * y->book ? -1 : 1;
	return (x->move.step[0] > y->move.step[0]) - (x->move.step[0] < y->move.step[0]);
}

/* The moves of the game's book, by the positions after them: a move to a position that is equal in a symmetry has the same
 * value. */
struct explorer_known {
	struct book_entry keys[BOOK_MOVES_MAX]; /* with their values */
	int count;
};

static void find_known(const struct record *r, struct explorer_known *known)
{
	struct book_move moves[BOOK_MOVES_MAX];
	int symmetry;
	known->count = book_find(r->game, &r->now, moves);
	for (int i = 0; i < known->count; i++) {
		struct state after = r->now;
		game_play(r->game, &after, moves[i].move);
		known->keys[i] = book_key(r->game, &after, &symmetry);
		known->keys[i].value = (float)moves[i].value;
	}
}

/* Returns the value of the move to a position; NAN: the game's book does not have it. */
static double book_value(const struct game *g, const struct explorer_known *known,
			 const struct state *after)
{
	int symmetry;
	if (!known->count)
		return NAN;
	struct book_entry key = book_key(g, after, &symmetry);
	for (int i = 0; i < known->count; i++)
		if (book_compare(&known->keys[i], &key) == 0)
			return (double)known->keys[i].value;
	return NAN;
}

/* Lists the moves that a book knows. Returns their number. */
static int explorer_find(const struct record *r, const struct own_book *own,
			 struct explored out[GAME_MOVES_MAX])
{
	struct move moves[GAME_MOVES_MAX];
	struct explorer_known known;
	int n = 0;
	int count = r->now.over ? 0 : record_moves(r, moves);
	find_known(r, &known);
	for (int i = 0; i < count; i++) {
		struct explored e = { .move = moves[i], .sign = side_sign(r->now.side) };
		struct state after = r->now;
		game_play(r->game, &after, moves[i]);
		e.book = book_value(r->game, &known, &after);
		if (own_book_find(own, r->game, &after, &e.own) || !isnan(e.book))
			out[n++] = e;
	}
	qsort(out, (size_t)n, sizeof *out, explorer_compare);
	return n;
}

/* Mean score of games, NAN if none has one. */
static double mean_score(const struct own_games *g)
{
	return g->scored ? g->score / g->scored : NAN;
}

json_t *explorer_json(const struct record *r, const struct own_book *own)
{
	struct explored found[GAME_MOVES_MAX];
	int count = explorer_find(r, own, found);
	json_t *list = json_array();
	for (int i = 0; i < count; i++) {
		const struct explored *e = &found[i];
		json_array_append_new(list, json_pack("{s:o,s:o,s:i,s:i,s:i,s:i,s:o}", "move",
						      as_json_move(r->game, &r->now, e->move),
						      "book", as_json_number(e->book), "games",
						      e->own.count, "black", e->own.black, "white",
						      e->own.white, "draws", e->own.draws, "score",
						      as_json_number(mean_score(&e->own))));
	}
	return list;
}

/* Writes a number for the side to move, with its sign; nothing if it is unknown. */
static void format_number(const struct record *r, double number, char text[16])
{
	*text = '\0';
	if (!isnan(number)) /* the sum turns -0 into 0 */
		snprintf(text, 16, r->game->score.unit ? "%+.1f" : "%+.2f",
			 round(100 * side_sign(r->now.side) * number) / 100 + 0.0);
}

void explorer_print(struct text *out, const struct record *r, const struct own_book *own)
{
	struct explored found[GAME_MOVES_MAX];
	struct opening_name name;
	struct own_games here;
	int count = explorer_find(r, own, found);
	bool is_named = opening_name_find(r, r->count, &name),
	     is_known = own_book_find(own, r->game, &r->now, &here);
	if (is_named)
		text_printf(out, "%s%s%s\n", name.english, *name.japanese ? " " : "",
			    name.japanese);
	if (!count) {
		text_puts(out, "No book knows a move here.\n");
		return;
	}
	text_printf(out, "%-6s %6s", "move", "book");
	if (is_known)
		text_printf(out, " %7s %7s %7s %7s %7s", "games", "Black", "draws", "White",
			    "score");
	text_putc(out, '\n');
	for (int i = 0; i < count; i++) {
		const struct explored *e = &found[i];
		char text[MOVE_TEXT_MAX], book[16], score[16];
		game_format(r->game, &r->now, e->move, text);
		format_number(r, e->book, book);
		format_number(r, mean_score(&e->own), score);
		text_printf(out, "%-6s %6s", text, book);
		if (is_known)
			text_printf(out, " %7d %7d %7d %7d", e->own.count, e->own.black,
				    e->own.draws, e->own.white);
		if (is_known && *score)
			text_printf(out, " %7s", score);
		text_putc(out, '\n');
	}
}
