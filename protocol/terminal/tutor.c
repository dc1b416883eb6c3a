/* SPDX-License-Identifier: MIT */
#include "protocol/terminal/tutor.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/lessons/collection.h"
#include "protocol/lessons/explorer.h"
#include "protocol/lessons/lesson.h"
#include "protocol/session/line.h"
#include "protocol/session/think.h"
#include "protocol/terminal/people.h"
#include "protocol/terminal/player.h"

#define STEPS 3 /* of a hint */

/* --- hints --- */

/* What to look for, by the facts of the best move; the first that the move has counts. */
static const struct {
	enum fact_kind kind;
	const char *text;
} kinds[] = {
	{ FACT_WIN, "a move wins at once" },
	{ FACT_DOUBLE, "a move makes a threat that cannot be stopped" },
	{ FACT_STOPS, "a threat must be stopped" },
	{ FACT_CORNER, "take a corner" },
	{ FACT_CAPTURES, "look for a capture" },
	{ FACT_TAKES, "look for a capture" },
	{ FACT_SAVES, "save stones from capture" },
	{ FACT_THREAT, "look for a threat" },
	{ FACT_ATARI, "look for stones to capture" },
	{ FACT_BLOCKS, "block the other side" },
	{ FACT_JOINS, "join groups" },
	{ FACT_BRIDGE, "look for a bridge" },
	{ FACT_REACHES, "reach an edge or a corner" },
};

/* The third of a length, 0 to 2, in which a place lies. */
static int third(int place, int length)
{
	return 3 * place / length;
}

/* Writes the kind of the best move, and its part of the board. */
static void print_kind(struct session *s)
{
	static const char *const parts[3][3] = {
		{ "at the upper left", "at the top", "at the upper right" },
		{ "on the left", "in the centre", "on the right" },
		{ "at the lower left", "at the bottom", "at the lower right" },
	};
	const struct lesson *l = s->lesson;
	const struct game *g = l->game;
	const char *text = NULL;
	int square = grid_target(g, &l->state, l->line[0]);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && !text; i++)
		if (facts_have(&l->reasons, kinds[i].kind))
			text = kinds[i].text;
	if (text)
		text_puts(s->reply, text);
	if (square >= 0)
		text_printf(s->reply, "%slook %s", text ? "; " : "",
			    parts[third(square / g->board.cols, g->board.rows)]
				 [third(square % g->board.cols, g->board.cols)]);
	else if (!text)
		text_puts(s->reply, "no square is best");
	text_puts(s->reply, "\nType hint again for more.\n");
}

static int tutor_compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Writes the best moves in the order of their names, which does not tell the best one. */
static void print_candidates(struct session *s)
{
	const struct lesson *l = s->lesson;
	char texts[LESSON_MOVES_MAX][MOVE_TEXT_MAX];
	for (int i = 0; i < l->candidate_count; i++)
		game_format(l->game, &l->state, l->candidates[i], texts[i]);
	qsort(texts, (size_t)l->candidate_count, sizeof texts[0], tutor_compare);
	text_puts(s->reply, "the best move is one of");
	for (int i = 0; i < l->candidate_count; i++)
		text_printf(s->reply, " %s", texts[i]);
	text_puts(s->reply, "\nType hint again for the move.\n");
}

/* Tells the next step. Where a step would tell the move, the last one follows. */
static enum outcome tutor_tell(struct session *s)
{
	struct lesson *l = s->lesson;
	l->told = l->told < STEPS ? l->told + 1 : STEPS;
	if (l->told == 2 && l->candidate_count == 1)
		l->told = STEPS;
	if (l->told == 1)
		print_kind(s);
	else if (l->told == 2)
		print_candidates(s);
	else
		lesson_print(s->reply, l);
	return DONE;
}

enum outcome tutor_hint(struct session *s)
{
	int step = 0;
	if (s->arg_count && (!line_int(s->args[0], &step) || step < 1 || step > STEPS))
		return syntax_error(s, "type hint, or hint 1, hint 2, hint 3");
	if (player_is_over(s))
		return player_refuse_over(s);
	if (!think_is_needed(s)) {
		text_printf(s->reply, "%s has no legal move; type pass\n",
			    game_side(s->record.game, s->record.now.side));
		return DONE;
	}
	if (lesson_is_current(s)) {
		s->lesson->told = step ? step - 1 : s->lesson->told;
		return tutor_tell(s);
	}
	enum outcome outcome = lesson_begin(s, s->record.count, s->record.now.side, NULL);
	if (outcome == THINKING && step)
		s->lesson->told = step - 1;
	return outcome;
}

enum outcome tutor_finish_hint(struct session *s, const struct report *report)
{
	enum outcome outcome = lesson_take(s, report);
	return outcome == DONE ? tutor_tell(s) : outcome;
}

/* --- why --- */

/* The index of the last move that a side made. Returns -1 if there is none. */
static int last_move(const struct record *r)
{
	int i = r->count - 1;
	while (i >= 0 && (!record_is_play(&r->moves[i]) || r->moves[i].move.step[0] == MOVE_PASS ||
			  r->moves[i].implied))
		i--;
	return i;
}

enum outcome tutor_why(struct session *s)
{
	const struct record *r = &s->record;
	struct move move;
	int last = last_move(r);
	if (s->arg_count && player_is_over(s))
		return player_refuse_over(s);
	enum move_check check = s->arg_count ? record_parse(r, s->args[0], &move) : MOVE_OK;
	if (check == MOVE_ILLEGAL || check == MOVE_REPEATS)
		return player_refuse_illegal(s, s->args[0]);
	if (check == MOVE_MALFORMED && player_is_square_like(s->args[0]))
		return player_refuse_unknown(s, s->args[0]);
	if (s->arg_count)
		return lesson_begin_text(s, r->count, r->now.side, s->args[0]);
	if (last < 0)
		return refuse(s, "no move was made; type why and a move");
	return lesson_begin(s, last, r->moves[last].side, &r->moves[last].move);
}

enum outcome tutor_finish_why(struct session *s, const struct report *report)
{
	enum outcome outcome = lesson_take(s, report);
	if (outcome == DONE)
		lesson_print(s->reply, s->lesson);
	return outcome;
}

/* --- openings --- */

enum outcome tutor_book(struct session *s)
{
	char why[REASON_MAX];
	if (!own_book_load(s->own_book, s->record.game, why))
		text_printf(s->reply, "Your own book is not used: %s\n", why);
	explorer_print(s->reply, &s->record, s->own_book);
	return DONE;
}

/* --- puzzles --- */

enum outcome tutor_puzzle(struct session *s)
{
	struct state start;
	json_t *puzzle;
	int count = collection_count(s->record.game), number = 0;
	if (s->arg_count && !line_int(s->args[0], &number))
		return syntax_error(s, "type puzzle, or puzzle and a number");
	if (!s->arg_count && count)
		number = (int)(clock_now() / 1000000 % count) + 1;
	enum outcome outcome = collection_take(s, number, &puzzle);
	if (outcome != DONE)
		return outcome;
	const char *reason = collection_state(s->record.game, puzzle, &start);
	if (!reason) {
		record_setup(&s->record, &start);
		s->handicap = 0;
		import_about_clear(&s->about);
		text_printf(s->reply, "Puzzle %d of %d: %s. Only one move does it.\n", number,
			    count, json_string_value(json_object_get(puzzle, "task")));
		text_printf(s->reply, "Type your move%s. hint helps, why explains your move.\n",
			    people_player(s)->answers ? "; yomi answers"
						      : ", then go for yomi's answer");
	}
	json_decref(puzzle);
	return reason ? refuse(s, reason) : DONE;
}
