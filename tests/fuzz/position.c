/* SPDX-License-Identifier: MIT
 *
 * Positions and moves as text, in every game. Each line is a game: an optional board and side, then legal
 * moves.
 */
#include <strings.h>

#include "engine/rules/drawing.h"
#include "engine/rules/repetition.h"
#include "engine/rules/swap.h"
#include "tests/fuzz/fuzz.h"

#define UNDOS_MAX 3

static void check_texts(const struct game *g, const struct state *s)
{
	char text[BOARD_TEXT_MAX];
	struct state again;
	assert(g->valid(g, s));
	for (int i = 0; i < 4; i++) {
		/* Any square may be marked. */
		int square = (int)(s->hash % (uint64_t)(g->board.rows * g->board.cols));
		struct look look = { i & 1, i & 2, square / g->board.cols, square % g->board.cols };
		game_draw(g, s, i ? &look : NULL, text);
		assert(strlen(text) < BOARD_TEXT_MAX && !strstr(text, "\n\n"));
	}
	game_position(g, s, text);
	assert(strlen(text) == (size_t)(g->board.rows * g->board.cols) + 2);
	char *side = strchr(text, ' ');
	*side++ = '\0';
	/* In a finished game the side to move does not matter, so both sides are accepted. */
	if (game_setup(g, &again, text, side)) {
		assert(s->over);
		return;
	}
	/* The text lacks what came before: a ko, passes, a counter, the right to swap. */
	struct state now = *s;
	if (g->swap) {
		g->swap->allow(g, &now, false);
		g->swap->allow(g, &again, false);
	}
	assert(g->repetition && g->repetition->key
		       ? repetition_key(g, &again) == repetition_key(g, &now)
	       : g->set_turn     ? again.board[0] == now.board[0]
	       : g->steps.counts ? again.side == now.side
				 : again.hash == now.hash && again.over == now.over);
}

/* Returns true if the first two characters of a word begin the text of a legal move. */
static bool begins_move(const struct game *g, const struct state *s, const char *word)
{
	struct move moves[GAME_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	int n = s->over ? 0 : game_moves(g, s, moves);
	for (int i = 0; i < n; i++) {
		game_format(g, s, moves[i], text);
		if (strncasecmp(text, word, 2) == 0)
			return true;
	}
	return false;
}

/* A move that is read is legal, and its printed form is read as the same move. */
static void check_move(const struct game *g, const struct state *s, const char *word)
{
	struct move m, again;
	char text[MOVE_TEXT_MAX];
	if (game_parse(g, s, word, &m) != MOVE_OK)
		return;
	assert(s->over ? m.step[0] == MOVE_PASS : game_is_legal(g, s, m));
	game_format(g, s, m, text);
	/* After a winning placement all turns are equal. A game may accept other notations, too. */
	assert(strncasecmp(text, word, 2) == 0 || !begins_move(g, s, word));
	enum move_check check = game_parse(g, s, text, &again);
	assert(check == MOVE_OK && move_equal(m, again));
}

static void check_line(const struct game *g, char *line)
{
	struct record r;
	struct state start;
	char *save, *word = strtok_r(line, " ", &save);
	record_init(&r, g);
	char *rest = word ? strtok_r(NULL, " ", &save) : NULL;
	if (rest && !game_setup(g, &start, word, rest)) {
		assert(start.hash == state_hash(&start));
		check_texts(g, &start);
		record_setup(&r, &start);
		word = strtok_r(NULL, " ", &save);
		rest = word ? strtok_r(NULL, " ", &save) : NULL;
	}
	for (; word; word = rest, rest = word ? strtok_r(NULL, " ", &save) : NULL) {
		int count = r.count, side = r.now.side;
		check_move(g, &r.now, word);
		/* If a pass is forced, the other side may move as well. */
		if (record_play_text(&r, side, word) != MOVE_OK)
			record_play_text(&r, !side, word);
		assert(r.count >= count && r.count <= count + 2);
	}
	fuzz_check_record(&r);
	check_texts(g, &r.now);
	for (int i = 0; i < UNDOS_MAX && record_undo(&r); i++)
		fuzz_check_record(&r);
	record_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int i = 0; games[i]; i++) {
		char *text = fuzz_text(data, size), *rest = text, *line;
		while ((line = strsep(&rest, "\n")))
			check_line(games[i], line);
		free(text);
	}
	return 0;
}
