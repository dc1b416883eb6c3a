/* SPDX-License-Identifier: MIT */
#include "tools/check/play.h"

#include <ctype.h>
#include <string.h>

/* Limits of the search for a position: random games, and their moves. */
#define GAMES_TRIED 1000
#define MOVES_TRIED 100000

const char *const play_colors[] = { "b", "w" };

bool play_must_pass(const struct record *r)
{
	return game_must_pass(r->game, &r->now);
}

bool play_is_over(const struct record *r)
{
	return r->now.over;
}

bool play_find_record(struct record *best, const struct game *g,
		      bool (*is_wanted)(const struct record *))
{
	struct record r;
	struct rng rng;
	bool found = false;
	int moves = 0;
	rng_seed(&rng, 1);
	record_init(best, g);
	record_init(&r, g);
	for (int i = 0; i < GAMES_TRIED && moves < MOVES_TRIED; i++) {
		record_restart(&r, g);
		while (!is_wanted(&r) && !r.now.over && (!found || r.count < best->count))
			record_play(&r, record_draw(&r, &rng));
		moves += r.count;
		if (is_wanted(&r) && (!found || r.count < best->count)) {
			record_copy(best, &r);
			found = true;
		}
	}
	record_free(&r);
	return found;
}

bool play_tell_move(struct target *s, const struct record *r, int index)
{
	struct state before;
	char text[MOVE_TEXT_MAX];
	record_state(r, index, &before);
	struct record_move m = r->moves[index];
	target_format(s, &before, m.move, text);
	if (game_must_pass(r->game, &before))
		return target_ask(s, "play %s %s", play_colors[m.side], text);
	return target_expect(s, "=", "play %s %s", play_colors[m.side], text);
}

bool play_tell_moves(struct target *s, const struct record *r)
{
	if (!target_ask(s, "clear_board"))
		return false;
	for (int i = 0; i < r->count; i++)
		if (!play_tell_move(s, r, i))
			return false;
	return true;
}

bool play_ask_move(struct target *s, struct record *r, const char *command, bool *resigned)
{
	struct move move;
	const char *text = target_ask_text(s, command, "a move");
	*resigned = false;
	if (!text)
		return false;
	if (!*text || text[strcspn(text, " \n")])
		return target_fail(s, NULL, "`= MOVE`");
	if (strcasecmp(text, "resign") == 0) {
		*resigned = true;
		return true;
	}
	if (!r)
		return (isalpha((unsigned char)text[0]) && isdigit((unsigned char)text[1])) ||
		       strcasecmp(text, "pass") == 0 || target_fail(s, NULL, "a move");
	if (target_parse(s, r, text, &move) != MOVE_OK)
		return target_fail(s, NULL, "a legal move");
	record_play(r, move);
	return true;
}

bool play_ask_any_move(struct target *s, struct record *r, const char *command)
{
	bool resigned;
	return play_ask_move(s, r, command, &resigned);
}

struct record *play_begin(const struct target *s, struct record *r)
{
	if (!s->game)
		return NULL;
	record_init(r, s->game);
	return r;
}

void play_end(struct record *r)
{
	if (r)
		record_free(r);
}
