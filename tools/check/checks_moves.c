/* SPDX-License-Identifier: MIT
 *
 * Checks of moves by the rules of the game, and of forced passes.
 */
#include "tools/check/checks.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search/common/control.h"
#include "tools/check/play.h"

/* --- moves, by the rules --- */

bool check_genmove(struct target *s)
{
	struct record room, *r = play_begin(s, &room);
	struct move move;
	char text[64];
	bool good = play_ask_any_move(s, r, "genmove b");
	snprintf(text, sizeof text, "%s", good ? target_text(s->answer) : "");
	/* The point of the move is occupied now. */
	if (good && isdigit((unsigned char)text[1]) &&
	    (!r || (!r->now.over && record_parse(r, text, &move) == MOVE_ILLEGAL)))
		good = target_expect(s, "?*", "play w %s", text);
	good = good && play_ask_any_move(s, r, "genmove WHITE");
	play_end(r);
	return good;
}

/* For commands that choose a move as genmove does. */
bool check_like_genmove(struct target *s)
{
	struct record room, *r = play_begin(s, &room);
	char line[64];
	snprintf(line, sizeof line, "%s b", s->about);
	bool good = play_ask_any_move(s, r, line);
	play_end(r);
	return good;
}

bool check_upper(struct target *s)
{
	if (!play_ask_any_move(s, NULL, "genmove b"))
		return false;
	const char *text = target_text(s->answer);
	if (!isdigit((unsigned char)text[1]))
		return true;
	for (const char *c = text; *c; c++)
		if (islower((unsigned char)*c))
			return target_fail(s, NULL, "upper case");
	return true;
}

bool check_reg_genmove(struct target *s)
{
	struct record room, *r = play_begin(s, &room);
	bool good = play_ask_any_move(s, r, "reg_genmove b");
	char text[64];
	snprintf(text, sizeof text, "%s", good ? target_text(s->answer) : "");
	good = good &&
	       (!isdigit((unsigned char)text[1]) || target_expect(s, "=", "play b %s", text));
	play_end(r);
	return good;
}

/* Random moves must be accepted. Before each of them, an illegal move must be refused. */
bool check_random_game(struct target *s)
{
	struct record r;
	struct rng rng;
	struct move pool[GAME_MOVES_MAX], move;
	char text[MOVE_TEXT_MAX];
	rng_seed(&rng, 2);
	record_init(&r, s->game);
	struct state start = r.now;
	int count = game_moves(r.game, &start, pool);
	bool good = true;
	while (good && !r.now.over) {
		int at = (int)rng_below(&rng, (uint32_t)count);
		game_format(r.game, &start, pool[at], text);
		if (record_parse(&r, text, &move) == MOVE_ILLEGAL)
			good = target_expect(s, "?*", "play %s %s", play_colors[r.now.side], text);
		if (good) {
			record_play(&r, record_draw(&r, &rng));
			good = play_tell_move(s, &r, r.count - 1);
		}
	}
	record_free(&r);
	return good;
}

/* The engine plays itself to the end, with the clock commands of GUIs. */
bool check_self_play(struct target *s)
{
	enum { MAIN = 5 };
	static const char *const names[] = { "black", "white" };
	bool has_clock = target_knows(s, "time_settings"), resigned = false;
	bool tells = has_clock && target_knows(s, "time_left");
	double left[2] = { MAIN, MAIN };
	struct record r;
	char line[16 + MOVE_TEXT_MAX];
	record_init(&r, s->game);
	bool good = !has_clock || target_ask(s, "time_settings %d 0 0", MAIN);
	while (good && !r.now.over && !resigned) {
		int side = r.now.side;
		if (play_must_pass(&r)) {
			record_play(&r, move_single(r.game->steps.pass));
			good = play_tell_move(s, &r, r.count - 1);
			continue;
		}
		good = !tells ||
		       target_ask(s, "time_left %s %.0f 0", names[side], floor(left[side]));
		int64_t start = clock_now();
		snprintf(line, sizeof line, "genmove %s", play_colors[side]);
		good = good && play_ask_move(s, &r, line, &resigned);
		left[side] = fmax(0, left[side] - clock_since(start));
	}
	record_free(&r);
	return good;
}

static bool ask_pass(struct target *s, const char *color)
{
	if (!target_ask(s, "genmove %s", color))
		return false;
	return strcasecmp(s->answer, "= pass") == 0 || target_fail(s, NULL, "`= pass`");
}

bool check_end(struct target *s)
{
	struct record r;
	play_find_record(&r, s->game, play_is_over);
	bool good = play_tell_moves(s, &r) && ask_pass(s, play_colors[r.now.side]) &&
		    ask_pass(s, play_colors[!r.now.side]);
	record_free(&r);
	return good;
}

bool check_end_passes(struct target *s)
{
	struct record r;
	play_find_record(&r, s->game, play_is_over);
	bool good = play_tell_moves(s, &r) &&
		    target_expect(s, "=", "play %s pass", play_colors[r.now.side]) &&
		    target_expect(s, "=", "play %s pass", play_colors[!r.now.side]);
	record_free(&r);
	return good;
}

bool check_new_game(struct target *s)
{
	struct record r;
	play_find_record(&r, s->game, play_is_over);
	bool good = play_tell_moves(s, &r) && target_expect(s, "=", "clear_board");
	if (good) {
		record_restart(&r, s->game);
		good = target_expect(s, "=", "play b %s", s->moves[0]) &&
		       target_expect(s, "=", "play w %s", s->moves[1]);
	}
	record_free(&r);
	return good;
}

/* Returns Black's margin in stones. */
static int checks_moves_count_stones(const struct record *r)
{
	int points = 0;
	for (int row = 0; row < r->game->board.rows; row++) {
		for (int col = 0; col < r->game->board.cols; col++) {
			char c = r->game->at(r->game, &r->now, row, col);
			points += (c == 'X') - (c == 'O');
		}
	}
	return points;
}

/* Returns true if the score of a finished game is right. Engines that count points may count empty squares
 * or not. If players end the game by passes, engines may remove dead stones: any score is right. */
static bool is_score(const struct record *r, const char *text)
{
	char *end;
	int score = r->now.score;
	bool is_agreed = r->game->steps.may_pass;
	if (strcmp(text, "0") == 0)
		return score == 0 || is_agreed;
	if (score == 0 && !is_agreed)
		return false;
	if (!strchr("BW", text[0]) || text[1] != '+' ||
	    (!is_agreed && text[0] != (score > 0 ? 'B' : 'W')))
		return false;
	/* Without points the winner alone is enough: "B+". */
	if (!r->game->score.unit && !text[2])
		return true;
	double margin = strtod(text + 2, &end);
	return end > text + 2 && !*end && margin > 0 &&
	       (!r->game->score.unit || is_agreed || margin == game_points(r->game, abs(score)) ||
		margin == abs(checks_moves_count_stones(r)));
}

bool check_score(struct target *s)
{
	struct record r;
	struct rng rng;
	bool good = true;
	rng_seed(&rng, 3);
	play_find_record(&r, s->game, play_is_over);
	for (int game = 0; good && game < 3; game++) {
		while (!r.now.over)
			record_play(&r, record_draw(&r, &rng));
		good = play_tell_moves(s, &r) && target_ask(s, "%s", s->about);
		const char *text = good ? target_text(s->answer) : NULL;
		int score = r.now.score;
		if (good && !(text && is_score(&r, text)))
			good = target_fail(s, NULL, score ? "`= %c+%g`" : "`= 0`",
					   score > 0 ? 'B' : 'W', game_points(r.game, abs(score)));
		record_restart(&r, s->game);
	}
	record_free(&r);
	return good;
}

/* --- forced passes --- */

/* Leads the engine and an uninitialised record to a position with a forced pass. */
static bool tell_pass_position(struct target *s, struct record *r)
{
	return play_find_record(r, s->game, play_must_pass) && play_tell_moves(s, r);
}

/* Sends the other side's move after the pass. */
static bool tell_answer(struct target *s, struct record *r)
{
	struct rng rng;
	rng_seed(&rng, 4);
	record_play(r, move_single(r->game->steps.pass));
	record_play(r, record_draw(r, &rng));
	return play_tell_move(s, r, r->count - 1);
}

bool check_pass_told(struct target *s)
{
	struct record r;
	bool good = tell_pass_position(s, &r) &&
		    target_expect(s, "=", "play %s pass", play_colors[r.now.side]) &&
		    play_tell_moves(s, &r) &&
		    target_expect(s, "=", "play %s PASS", play_colors[r.now.side]) &&
		    tell_answer(s, &r);
	record_free(&r);
	return good;
}

bool check_pass_left_out(struct target *s)
{
	struct record r;
	bool good = tell_pass_position(s, &r) && tell_answer(s, &r);
	record_free(&r);
	return good;
}

bool check_pass_asked(struct target *s)
{
	struct record r;
	bool good = tell_pass_position(s, &r) && ask_pass(s, play_colors[r.now.side]) &&
		    tell_answer(s, &r);
	record_free(&r);
	return good;
}

bool check_pass_skipped(struct target *s)
{
	struct record r;
	char line[16 + MOVE_TEXT_MAX];
	bool good = tell_pass_position(s, &r);
	if (good) {
		record_play(&r, move_single(r.game->steps.pass));
		snprintf(line, sizeof line, "genmove %s", play_colors[r.now.side]);
		good = play_ask_any_move(s, &r, line);
	}
	record_free(&r);
	return good;
}
