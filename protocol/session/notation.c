/* SPDX-License-Identifier: MIT */
#include "protocol/session/notation.h"

#include <stdio.h>
#include <string.h>

#include "engine/rules/drawing.h"
#include "engine/rules/square.h"
#include "protocol/session/frame.h"
#include "protocol/session/session.h"

/* --- names of squares --- */

bool has_go_names(const struct session *s)
{
	return (s->has_go_names || s->settings.frame) && !is_for_people(s);
}

bool has_swap(const struct session *s)
{
	return s->settings.swap != SWAP_NEVER && !has_go_names(s);
}

void use_go_names(struct session *s)
{
	if (s->has_go_names || is_for_people(s))
		return;
	s->has_go_names = true;
	record_set_swap(&s->record, has_swap(s));
}

/* GoGui draws hexagons with row 1 at the bottom and each row half a hexagon further right than the row above it. So the
 * neighbours of a square are right only if rows are numbered from the bottom. */
struct game names_of(const struct session *s)
{
	struct game g = *s->record.game;
	g.board.skips_i |= has_go_names(s);
	g.board.goes_up |= s->draws_hexagons && g.board.kind == BOARD_HEXAGONS;
	return g;
}

static bool has_own_names(const struct session *s)
{
	return !has_go_names(s) && !s->draws_hexagons;
}

void format_move(const struct session *s, const struct state *state, struct move m,
		 char text[MOVE_TEXT_MAX])
{
	char own[MOVE_TEXT_MAX];
	game_format(s->record.game, state, m, text);
	/* Reports have thousands of moves: do not copy the game for each where all names are its own. */
	if (has_own_names(s))
		return;
	const struct game names = names_of(s);
	strcpy(own, text);
	square_rename(s->record.game, &names, own, text);
}

void write_moves(const struct session *s, struct text *out, const struct move *moves, int count)
{
	struct state state = s->record.now;
	char text[MOVE_TEXT_MAX];
	for (int i = 0; i < count; i++) {
		format_move(s, &state, moves[i], text);
		game_play(s->record.game, &state, moves[i]);
		text_printf(out, " %s", text);
	}
}

const char *own_text(const struct session *s, const char *text, char own[MOVE_TEXT_MAX])
{
	if (has_own_names(s) || strlen(text) >= MOVE_TEXT_MAX)
		return text;
	const struct game names = names_of(s);
	square_rename(&names, s->record.game, text, own);
	return own;
}

void print_squares(const struct session *s, const int *squares, int count)
{
	const struct game names = names_of(s);
	char text[SQUARE_TEXT_MAX];
	for (int i = 0; i < count; i++) {
		square_format(&names, squares[i] / names.board.cols, squares[i] % names.board.cols,
			      text);
		text_printf(s->reply, "%s%s", i ? " " : "", text);
	}
}

/* --- the plain notation --- */

static int plain_made(const struct session *s)
{
	return 0;
}

static int plain_moves(const struct session *s, struct move out[GAME_MOVES_MAX])
{
	return record_moves(&s->record, out);
}

static int plain_plays(const struct session *s, const struct state *state, struct move m,
		       char texts[PLAYS_MAX][MOVE_TEXT_MAX])
{
	format_move(s, state, m, texts[0]);
	return 1;
}

static bool plain_known(const struct session *s, struct move *m)
{
	return false;
}

static void plain_make(struct session *s, struct move m)
{
	record_play(&s->record, m);
}

static bool plain_square(const struct session *s, const char *text, int *square)
{
	int row, col;
	const struct game names = names_of(s);
	const char *end = square_parse(&names, text, &row, &col);
	if (!end || *end)
		return false;
	*square = names.board.cols * row + col;
	return game_has_square(&names, *square);
}

#define NOTE_MAX 96 /* bytes of the longest note below a board with NUL */

/* Describes a pass, or a move whose second step changed an area. Returns false for other moves. */
static bool notation_describe_move(const struct session *s, const struct state *before,
				   const struct record_move *last, struct area *changed,
				   char note[NOTE_MAX])
{
	const struct game *g = s->record.game;
	const char *side = game_side(g, last->side);
	char text[MOVE_TEXT_MAX];
	if (!record_is_play(last))
		return false;
	if (last->move.step[0] == MOVE_PASS || last->move.step[0] == g->steps.pass) {
		snprintf(note, NOTE_MAX, "%s passed", side);
		return true;
	}
	if (last->move.step[1] == MOVE_NONE || !g->board.describe)
		return false;
	game_format(g, before, last->move, text);
	snprintf(note, NOTE_MAX, "%s played %s: %s", side, text,
		 g->board.describe(g, last->move.step[1], changed));
	return true;
}

/* Marks the last move if the carrier asks for marks. People also get the move described. */
static void plain_draw(const struct session *s, char text[BOARD_TEXT_MAX])
{
	const struct record *r = &s->record;
	struct look look = { .colors = s->setup.colors, .is_for_people = is_for_people(s) };
	struct state before;
	char note[NOTE_MAX];
	if (s->setup.marks && r->count) {
		const struct record_move *last = &r->moves[r->count - 1];
		record_state(r, r->count - 1, &before);
		look.marked = record_is_play(last) &&
			      game_stone(r->game, &before, last->move, &look.row, &look.col);
		if (look.is_for_people &&
		    notation_describe_move(s, &before, last, &look.changed, note))
			look.note = note;
	}
	const struct game names = names_of(s);
	game_draw(&names, &r->now, &look, text);
}

static const struct notation plain = {
	.made = plain_made,
	.moves = plain_moves,
	.plays = plain_plays,
	.known = plain_known,
	.make = plain_make,
	.square = plain_square,
	.draw = plain_draw,
};

const struct notation *notation_of(const struct session *s)
{
	return frame_is_used(s) ? &frame_notation : &plain;
}

void format_play(const struct session *s, struct move m, char text[MOVE_TEXT_MAX])
{
	char texts[PLAYS_MAX][MOVE_TEXT_MAX];
	const struct notation *n = notation_of(s);
	n->plays(s, &s->record.now, m, texts);
	strcpy(text, texts[n->made(s)]);
}

void cut_to_point(char text[MOVE_TEXT_MAX])
{
	if (strcmp(text, "PASS") != 0)
		text[1 + strspn(text + 1, "0123456789")] = '\0';
}

void print_legal_plays(const struct session *s)
{
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX], last[MOVE_TEXT_MAX] = "";
	int n = notation_of(s)->moves(s, moves);
	for (int i = 0; i < n; i++) {
		format_play(s, moves[i], text);
		/* Moves that begin with the same play are adjacent in the list. */
		if (strcmp(text, last) != 0)
			text_printf(s->reply, "%s%s", i ? " " : "", text);
		strcpy(last, text);
	}
}
