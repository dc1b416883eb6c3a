/* SPDX-License-Identifier: MIT */
#include "tools/match/referee.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "games/games.h"
#include "protocol/gtp/gtp.h"
#include "protocol/records/sgf.h"

static const char *referee_color_name(int color)
{
	return color == BLACK ? "black" : "white";
}

/* Ends the game: `player` loses. After an engine's failure its process is killed and restarted for the next
 * game. Returns false. */
__attribute__((format(PRINTF, 4, 5))) static bool
referee_lose(struct referee *r, int player, enum end end, const char *format, ...)
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
		client_kill(&r->engines[player].client);
	return false;
}

/* Ends the game after an answer that is neither yes nor no. Returns false. */
static bool lose_by_answer(struct referee *r, int player, enum answer answer, const char *command)
{
	static const enum end ends[] = {
		[ANSWER_GARBAGE] = END_GARBAGE,
		[ANSWER_LATE] = END_HUNG,
		[ANSWER_DIED] = END_DIED,
		[ANSWER_CANCELLED] = END_DIED,
	};
	r->cancelled |= answer == ANSWER_CANCELLED;
	return referee_lose(r, player, ends[answer], "%s: %s", command,
			    r->engines[player].client.reason);
}

/* Sends a command that must succeed. Returns false if the player has lost. */
__attribute__((format(PRINTF, 3, 4))) static bool referee_tell(struct referee *r, int player,
							       const char *format, ...)
{
	char command[256];
	va_list args;
	struct client *c = &r->engines[player].client;
	va_start(args, format);
	vsnprintf(command, sizeof command, format, args);
	va_end(args);
	enum answer answer = client_ask(c, r->terms->timeout, "%s", command);
	if (answer == ANSWER_NO)
		return referee_lose(r, player, END_REFUSED, "%s: %.*s", command,
				    CLIENT_REASON_MAX - 1, c->text);
	return answer == ANSWER_YES || lose_by_answer(r, player, answer, command);
}

static bool knows(struct referee *r, int player, const char *command)
{
	return client_knows(&r->engines[player].client, r->terms->timeout, command);
}

/* Appends the engine's answer to `name` or `version` to its version. */
static bool ask_version(struct referee *r, int player, const char *command)
{
	struct engine_process *p = &r->engines[player];
	size_t length = strlen(p->version);
	enum answer answer = client_ask(&p->client, r->terms->timeout, "%s", command);
	if (answer > ANSWER_NO)
		return lose_by_answer(r, player, answer, command);
	if (answer == ANSWER_YES)
		snprintf(p->version + length, sizeof p->version - length, "%s%s",
			 length && *p->client.text ? " " : "", p->client.text);
	return true;
}

/* Starts a player's engine if it does not run. */
static bool start_engine(struct referee *r, int player)
{
	const struct terms *t = r->terms;
	struct engine_process *p = &r->engines[player];
	if (client_runs(&p->client))
		return true;
	p->takes_passes = true;
	*p->version = '\0';
	if (!client_start(&p->client, p->command, t->err, t->cancel))
		return referee_lose(r, player, END_DIED, "%s", p->client.reason);
	enum answer answer = client_learn(&p->client, t->timeout);
	if (answer == ANSWER_GARBAGE)
		return referee_lose(r, player, END_GARBAGE, "does not answer in GTP: '%s'",
				    p->client.reason);
	if (answer > ANSWER_NO)
		return lose_by_answer(r, player, answer, "list_commands");
	return ask_version(r, player, "name") && ask_version(r, player, "version");
}

static bool set_time(struct referee *r, int player)
{
	const struct terms *t = r->terms;
	if (t->has_clock)
		return !knows(r, player, "time_settings") ||
		       referee_tell(r, player, "time_settings %d %d %d", t->main_time, t->period,
				    t->stones);
	if (t->move_time == 0)
		return true;
	if (knows(r, player, "set_time"))
		return referee_tell(r, player, "set_time %g", t->move_time);
	return !knows(r, player, "time_settings") ||
	       referee_tell(r, player, "time_settings 0 %.0f 1", ceil(t->move_time));
}

/* Prepares a player for a new game. */
static bool referee_set_up_own(struct referee *r, int player)
{
	const struct terms *t = r->terms;
	const struct game *g = t->game;
	char size[GTP_SIZE_MAX];
	gtp_size(g, size);
	return start_engine(r, player) &&
	       (!knows(r, player, "set_game") ||
		referee_tell(r, player, "set_game %s", g->title)) &&
	       (game_has_usual_rules(g) || !knows(r, player, "param") ||
		referee_tell(r, player, "param rules %s", g->rules)) &&
	       referee_tell(r, player, "boardsize %s", size) &&
	       referee_tell(r, player, "clear_board") &&
	       (!t->game->komi || !knows(r, player, "komi") ||
		referee_tell(r, player, "komi %g", t->komi / 2.0)) &&
	       (!t->seeded || !knows(r, player, "set_random_seed") ||
		referee_tell(r, player, "set_random_seed %" PRIu32, r->seeds[player])) &&
	       set_time(r, player);
}

/* Plays a legal move and returns its entry in r->moves, with time and value unknown. */
static struct match_move *referee_add_move(struct referee *r, struct move move)
{
	struct record *record = &r->record;
	r->moves = xgrow(r->moves, (size_t)record->count, sizeof *r->moves);
	struct match_move *m = &r->moves[record->count];
	*m = (struct match_move) { .seconds = NAN, .value = NAN };
	game_format(record->game, &record->now, move, m->text);
	record_play(record, move);
	return m;
}

/* Sends move `number` of the record to both players except `mover`; -1: to both. */
static bool announce(struct referee *r, int number, int mover)
{
	bool good = true;
	for (int i = 0; good && i < 2; i++)
		if (i != mover)
			good = referee_tell(r, i, "play %s %s",
					    referee_color_name(r->record.moves[number].side),
					    r->moves[number].text);
	return good;
}

/* Returns true if the rules leave no choice but to pass. */
static bool is_pass_forced(const struct referee *r)
{
	const struct game *g = r->record.game;
	return !g->steps.may_pass && game_must_pass(g, &r->record.now);
}

/* Sends move `number` of the record, a forced pass, to the players that accept passes. */
static bool announce_pass(struct referee *r, int number)
{
	for (int i = 0; i < 2; i++) {
		struct engine_process *p = &r->engines[i];
		if (!p->takes_passes)
			continue;
		enum answer answer = client_ask(&p->client, r->terms->timeout, "play %s pass",
						referee_color_name(r->record.moves[number].side));
		if (answer > ANSWER_NO)
			return lose_by_answer(r, i, answer, "play pass");
		p->takes_passes = answer == ANSWER_YES;
	}
	return true;
}

static bool referee_play_pass(struct referee *r)
{
	referee_add_move(r, move_single(r->record.game->steps.pass));
	return announce_pass(r, r->record.count - 1);
}

/* Puts the opening into the record. All of it belongs to the game, also if an engine fails before it has seen its moves:
 * games of one opening begin with the same moves. */
static void referee_add_opening(struct referee *r, const struct opening *o)
{
	for (int i = 0; i < o->count; i++)
		referee_add_move(r, o->moves[i]);
}

static bool announce_opening(struct referee *r)
{
	const struct game *g = r->record.game;
	bool good = true;
	for (int i = 0; good && i < r->record.count; i++) {
		bool is_forced = !g->steps.may_pass &&
				 r->record.moves[i].move.step[0] == g->steps.pass;
		good = is_forced ? announce_pass(r, i) : announce(r, i, -1);
	}
	return good;
}

/* Returns the nanoseconds that a side may use for one move before its flag falls. */
static int64_t time_to_flag(const struct clock *c, int color)
{
	int64_t left = c->side[color].left;
	return c->side[color].stones || !c->period_stones ? left : left + c->period;
}

/* Tells a player its remaining time, if a clock is used. */
static bool tell_time(struct referee *r, int player, int color)
{
	bool used = r->terms->has_clock && knows(r, player, "time_left");
	return !used || referee_tell(r, player, "time_left %s %d %d", referee_color_name(color),
				     (int)(r->clock.side[color].left / 1000000000),
				     r->clock.side[color].stones);
}

/* Reads the expected result for Black from a comment in yomi's format: `value X`, -1 .. 1, or a proven
 * result. Returns NAN if there is none. */
static double referee_read_value(const char *text)
{
	static const struct {
		const char *words;
		double value;
	} proven[] = { { ", black wins", 1 }, { ", white wins", -1 }, { ", draw", 0 } };
	const char *at = strstr(text, "value ");
	char *end = NULL;
	double value = at ? strtod(at + strlen("value "), &end) : NAN;
	if (end && end > at + strlen("value ") && fabs(value) <= 1)
		return value;
	for (size_t i = 0; i < sizeof proven / sizeof *proven; i++)
		if (strstr(text, proven[i].words))
			return proven[i].value;
	return NAN;
}

/* Asks a player for its comment on its last move, if it has the command. A game that this move has ended keeps its result
 * whatever the player answers. */
static bool ask_why(struct referee *r, int player, struct match_move *m)
{
	static const char command[] = "gomill-explain_last_move";
	struct client *c = &r->engines[player].client;
	if (!knows(r, player, command))
		return true;
	enum answer answer = client_ask(c, r->terms->timeout, command);
	if (answer > ANSWER_NO)
		return r->record.now.over || lose_by_answer(r, player, answer, command);
	if (answer == ANSWER_NO || !*c->text)
		return true;
	m->value = referee_read_value(c->text);
	if (r->terms->notes)
		m->note = xstrdup(c->text);
	return true;
}

/* Lets the side to move choose and plays its move. */
static bool referee_play_move(struct referee *r)
{
	const struct terms *t = r->terms;
	struct record *record = &r->record;
	struct move move;
	int color = record->now.side, player = color == r->color ? 0 : 1;
	struct client *c = &r->engines[player].client;
	int64_t flag = t->has_clock ? time_to_flag(&r->clock, color) : TIME_NEVER;
	double budget = t->has_clock ? (double)flag / 1e9 : t->move_time;

	if (!tell_time(r, player, color))
		return false;
	int64_t start = clock_now();
	enum answer answer = client_ask(c, budget + t->timeout, "genmove %s",
					referee_color_name(color));
	int64_t used = clock_now() - start;
	if (answer == ANSWER_NO)
		return referee_lose(r, player, END_REFUSED, "genmove: %.*s", CLIENT_REASON_MAX - 1,
				    c->text);
	if (answer != ANSWER_YES)
		return lose_by_answer(r, player, answer, "genmove");
	if (used > flag)
		return referee_lose(r, player, END_TIME, "%.3f s too late",
				    (double)(used - flag) / 1e9);
	clock_spend(&r->clock, color, used);

	if (strcasecmp(c->text, "resign") == 0)
		return referee_lose(r, player, END_RESIGN, "resign");
	switch (record_parse(record, c->text, &move)) {
	case MOVE_MALFORMED:
		return referee_lose(r, player, END_GARBAGE, "genmove: %.*s", CLIENT_REASON_MAX - 1,
				    *c->text ? c->text : "empty answer");
	case MOVE_REPEATS:
	case MOVE_ILLEGAL:
		return referee_lose(r, player, END_ILLEGAL, "%.*s", CLIENT_REASON_MAX - 1, c->text);
	case MOVE_OK:
		break;
	}
	struct match_move *m = referee_add_move(r, move);
	m->seconds = (double)used / 1e9;
	return ask_why(r, player, m) &&
	       (record->now.over || announce(r, record->count - 1, player));
}

struct match_game referee_result(const struct referee *r)
{
	int sign = r->record.now.over ? score_sign(r->record.now.score) : 0;
	int black = r->color == BLACK ? 0 : 1;
	return (struct match_game) {
		.points = r->loser < 0        ? 1 + sign
			  : r->loser == black ? 0
					      : 2,
		.end = r->end,
		.detail = r->detail,
		.seeded = r->terms->seeded,
		.seeds = { r->seeds[black], r->seeds[!black] },
		.moves = r->moves,
		.count = r->record.count,
	};
}

void engine_process_assign(struct engine_process *p, const char *command)
{
	if (p->command != command)
		client_quit(&p->client);
	p->command = command;
}

void referee_init(struct referee *r, const struct terms *t, struct engine_process engines[2],
		  int color, const uint32_t seeds[2])
{
	*r = (struct referee) {
		.terms = t,
		.engines = engines,
		.color = color,
		.seeds = { seeds[0], seeds[1] },
		.loser = -1,
	};
	record_init(&r->record, t->game);
	record_set_komi(&r->record, t->komi);
	clock_init(&r->clock);
	if (t->has_clock)
		clock_set_canadian(&r->clock, t->main_time, t->period, t->stones);
}

void referee_free(struct referee *r)
{
	for (int i = 0; i < r->record.count; i++)
		free(r->moves[i].note);
	free(r->moves);
	record_free(&r->record);
}

bool referee_set_up(struct referee *r)
{
	return referee_set_up_own(r, 0) && referee_set_up_own(r, 1);
}

void referee_play(struct referee *r, const struct opening *o)
{
	referee_add_opening(r, o);
	bool good = referee_set_up(r) && announce_opening(r);
	while (good && !r->record.now.over && r->record.count < RECORD_MAX)
		good = is_pass_forced(r) ? referee_play_pass(r) : referee_play_move(r);
	if (good && r->record.now.over)
		sgf_result(r->terms->game, &r->record.now, r->detail);
	else if (good)
		snprintf(r->detail, sizeof r->detail, "no end after %d moves", RECORD_MAX);
}
