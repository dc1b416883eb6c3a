/* SPDX-License-Identifier: MIT */
#include "tools/lib/round.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "games/games.h"

static const char *color_name(int color)
{
	return color == BLACK ? "black" : "white";
}

/* Ends the game by a failure of a player, who is started again for the next one. */
__attribute__((format(printf, 4, 5))) static bool lose(struct round *r, int player, enum end end,
						       const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(r->detail, sizeof r->detail, format, args);
	va_end(args);
	for (char *c = r->detail; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	r->loser = player;
	r->end = end;
	if (end > END_TIME)
		client_kill(&r->players[player].client);
	return false;
}

/* Judges an answer that is neither yes nor no. */
static bool lose_by_answer(struct round *r, int player, enum answer answer, const char *command)
{
	static const enum end ends[] = {
		[ANSWER_GARBAGE] = END_GARBAGE,
		[ANSWER_LATE] = END_HUNG,
		[ANSWER_DIED] = END_DIED,
		[ANSWER_CANCELLED] = END_DIED,
	};
	r->cancelled |= answer == ANSWER_CANCELLED;
	return lose(r, player, ends[answer], "%s: %s", command, r->players[player].client.reason);
}

/* Sends a command that must be answered yes; false: the game is lost. */
__attribute__((format(printf, 3, 4))) static bool tell(struct round *r, int player,
						       const char *format, ...)
{
	char command[256];
	va_list args;
	struct client *c = &r->players[player].client;
	va_start(args, format);
	vsnprintf(command, sizeof command, format, args);
	va_end(args);
	enum answer answer = client_ask(c, r->terms->timeout, "%s", command);
	if (answer == ANSWER_NO)
		return lose(r, player, END_REFUSED, "%s: %.*s", command, CLIENT_REASON_MAX - 1,
			    c->text);
	return answer == ANSWER_YES || lose_by_answer(r, player, answer, command);
}

static bool knows(struct round *r, int player, const char *command)
{
	return client_knows(&r->players[player].client, r->terms->timeout, command);
}

/* Starts a player's engine unless it runs. */
static bool start_player(struct round *r, int player)
{
	const struct terms *t = r->terms;
	struct player *p = &r->players[player];
	if (p->client.pid)
		return true;
	p->takes_passes = true;
	if (!client_start(&p->client, t->command[player], t->stderr_fd, t->cancel_fd))
		return lose(r, player, END_DIED, "%s", p->client.reason);
	enum answer answer = client_learn(&p->client, t->timeout);
	return answer <= ANSWER_NO || lose_by_answer(r, player, answer, "list_commands");
}

static bool set_time(struct round *r, int player)
{
	const struct terms *t = r->terms;
	if (t->has_clock)
		return !knows(r, player, "time_settings") ||
		       tell(r, player, "time_settings %d %d %d", t->main_time, t->period,
			    t->stones);
	if (t->move_time == 0)
		return true;
	if (knows(r, player, "set_time"))
		return tell(r, player, "set_time %g", t->move_time);
	return !knows(r, player, "time_settings") ||
	       tell(r, player, "time_settings 0 %.0f 1", ceil(t->move_time));
}

/* Makes a player ready for a new game. */
static bool set_up(struct round *r, int player)
{
	const struct terms *t = r->terms;
	const struct game *g = t->game;
	bool usual = g == game_find(g->name, NULL);
	return start_player(r, player) &&
	       (!knows(r, player, "set_game") || tell(r, player, "set_game %s", g->title)) &&
	       (usual || !knows(r, player, "param") ||
		tell(r, player, "param rules %s", g->rules)) &&
	       tell(r, player, "boardsize %d", g->cols) && tell(r, player, "clear_board") &&
	       (!t->seeded || !knows(r, player, "set_random_seed") ||
		tell(r, player, "set_random_seed %" PRIu32, r->seeds[player])) &&
	       set_time(r, player);
}

/* Writes down the last move and tells a player, or both, of it. `before` is the state it was made in;
 * `mover` needs not be told, -1: nobody knows. */
static bool announce(struct round *r, const struct state *before, int mover)
{
	char text[MOVE_TEXT_MAX];
	const struct record_move *last = &r->record.moves[r->record.count - 1];
	bool good = true;
	game_format(r->record.game, before, last->move, text);
	fprintf(r->move_list, "%s%s", r->record.count > 1 ? " " : "", text);
	for (int i = 0; good && i < 2 && !r->record.now.over; i++)
		if (i != mover)
			good = tell(r, i, "play %s %s", color_name(last->side), text);
	return good;
}

/* Makes a forced pass. */
static bool play_pass(struct round *r)
{
	struct record *record = &r->record;
	int color = record->now.side;
	record_play(record, move_single(record->game->pass));
	fputs(record->count > 1 ? " PASS" : "PASS", r->move_list);
	for (int i = 0; i < 2; i++) {
		struct player *p = &r->players[i];
		if (!p->takes_passes)
			continue;
		enum answer answer = client_ask(&p->client, r->terms->timeout, "play %s pass",
						color_name(color));
		if (answer > ANSWER_NO)
			return lose_by_answer(r, i, answer, "play pass");
		p->takes_passes = answer == ANSWER_YES;
	}
	return true;
}

static bool play_opening(struct round *r, const struct opening *o)
{
	const struct game *g = r->record.game;
	for (int i = 0; i < o->count; i++) {
		struct state before = r->record.now;
		if (game_must_pass(g, &before)) {
			if (!play_pass(r))
				return false;
			continue;
		}
		record_play(&r->record, o->moves[i]);
		if (!announce(r, &before, -1))
			return false;
	}
	return true;
}

/* Nanoseconds that a side may still use for one move before its flag falls. */
static int64_t time_to_flag(const struct clock *c, int color)
{
	int64_t left = c->side[color].left;
	return c->side[color].stones || !c->period_stones ? left : left + c->period;
}

/* Tells a player what its clock shows. */
static bool tell_time(struct round *r, int player, int color)
{
	bool used = r->terms->has_clock && knows(r, player, "time_left");
	return !used ||
	       tell(r, player, "time_left %s %d %d", color_name(color),
		    (int)(r->clock.side[color].left / 1000000000), r->clock.side[color].stones);
}

/* Asks the side to move for its move. */
static bool play_move(struct round *r)
{
	const struct terms *t = r->terms;
	struct state before = r->record.now;
	int color = before.side, player = color == r->color ? 0 : 1;
	struct client *c = &r->players[player].client;
	int64_t flag = t->has_clock ? time_to_flag(&r->clock, color) : TIME_NEVER;
	double budget = t->has_clock ? (double)flag / 1e9 : t->move_time;

	if (!tell_time(r, player, color))
		return false;
	int64_t start = clock_now();
	enum answer answer = client_ask(c, budget + t->timeout, "genmove %s", color_name(color));
	int64_t used = clock_now() - start;
	if (answer == ANSWER_NO)
		return lose(r, player, END_REFUSED, "genmove: %.*s", CLIENT_REASON_MAX - 1,
			    c->text);
	if (answer != ANSWER_YES)
		return lose_by_answer(r, player, answer, "genmove");
	fprintf(r->second_lists[player], "%s%.3f", ftell(r->second_lists[player]) ? " " : "",
		(double)used / 1e9);
	if (used > flag)
		return lose(r, player, END_TIME, "%.3f s too late", (double)(used - flag) / 1e9);
	clock_spend(&r->clock, color, used);

	if (strcasecmp(c->text, "resign") == 0)
		return lose(r, player, END_RESIGN, "resign");
	switch (record_play_text(&r->record, color, c->text)) {
	case MOVE_MALFORMED:
		return lose(r, player, END_GARBAGE, "genmove: %.*s", CLIENT_REASON_MAX - 1,
			    c->text);
	case MOVE_ILLEGAL:
		return lose(r, player, END_ILLEGAL, "%.*s", CLIENT_REASON_MAX - 1, c->text);
	case MOVE_OK:
		break;
	}
	return announce(r, &before, player);
}

int round_points(const struct round *r)
{
	if (r->loser >= 0)
		return r->loser == 0 ? 0 : 2;
	int sign = score_sign(r->record.now.score);
	return 1 + (r->color == BLACK ? sign : -sign);
}

static void describe_score(struct round *r)
{
	int score = r->record.now.score;
	snprintf(r->detail, sizeof r->detail, score ? "%c+%d" : "0", score > 0 ? 'B' : 'W',
		 abs(score));
}

void round_init(struct round *r, const struct terms *t, struct player players[2], int color,
		const uint32_t seeds[2])
{
	*r = (struct round) {
		.terms = t,
		.players = players,
		.color = color,
		.seeds = { seeds[0], seeds[1] },
		.loser = -1,
	};
	record_init(&r->record, t->game);
	clock_init(&r->clock);
	if (t->has_clock)
		clock_set_canadian(&r->clock, t->main_time, t->period, t->stones);
}

void round_free(struct round *r)
{
	free(r->moves);
	free(r->seconds[0]);
	free(r->seconds[1]);
	record_free(&r->record);
}

bool round_set_up(struct round *r)
{
	return set_up(r, 0) && set_up(r, 1);
}

void round_play(struct round *r, const struct opening *o)
{
	size_t size;
	r->move_list = open_memstream(&r->moves, &size);
	r->second_lists[0] = open_memstream(&r->seconds[0], &size);
	r->second_lists[1] = open_memstream(&r->seconds[1], &size);
	bool good = round_set_up(r) && play_opening(r, o);
	while (good && !r->record.now.over)
		good = game_must_pass(r->terms->game, &r->record.now) ? play_pass(r) : play_move(r);
	if (r->loser < 0)
		describe_score(r);
	fclose(r->move_list);
	fclose(r->second_lists[0]);
	fclose(r->second_lists[1]);
}
