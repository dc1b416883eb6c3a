/* SPDX-License-Identifier: MIT */
#include "tools/train/selfplay.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "engine/search/clock.h"
#include "tools/lib/message.h"
#include "tools/ranks/parcel.h"

void selfplay_init(struct selfplay *s, const struct selfplay_kind *kind, void *arg, int workers,
		   uint64_t seed)
{
	*s = (struct selfplay) {
		.kind = kind,
		.arg = arg,
		.workers = workers,
		.seed = seed,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.is_new = true,
		.progress = progress_start(),
	};
}

void selfplay_free(struct selfplay *s)
{
	free(s->weights.bytes);
	pthread_mutex_destroy(&s->lock);
}

/* --- the workers --- */

void *selfplay_add(struct selfplay_game *g)
{
	g->samples = xgrow(g->samples, g->count, g->size);
	return memset(g->samples + g->size * g->count++, 0, g->size);
}

bool selfplay_stopped(const struct selfplay_game *g)
{
	return atomic_load(g->stopped);
}

void selfplay_fail(const char *why)
{
	if (ranks_count() > 1)
		message_exit("rank %d on %s: %s", ranks_own(), system_host(), why);
	message_exit("%s", why);
}

/* Makes this rank use new weights. Workers that come later wait until it does. */
static void selfplay_use_weights(struct selfplay *s)
{
	char why[64];
	pthread_mutex_lock(&s->lock);
	if (s->is_new && !s->kind->use(s->arg, s->weights.bytes)) {
		snprintf(why, sizeof why, "cannot use the weights of round %d", s->version);
		selfplay_fail(why);
	}
	s->is_new = false;
	pthread_mutex_unlock(&s->lock);
}

/* The seed of a game. Games of other rounds or numbers have unrelated seeds. */
static uint64_t game_seed(const struct selfplay *s, int number)
{
	uint64_t stream = s->seed;
	stream = rng_split(&stream) ^ (uint64_t)s->round;
	stream = rng_split(&stream) ^ (uint64_t)number;
	return rng_split(&stream);
}

/* Samples travel without their last zeros. */
static struct packet pack_game(const struct selfplay_game *g, int number)
{
	struct parcel p = { 0 };
	parcel_put_int(&p, number);
	parcel_put_int(&p, (int64_t)g->count);
	for (size_t i = 0; i < g->count; i++) {
		const char *sample = g->samples + i * g->size;
		uint16_t length = (uint16_t)g->size;
		while (length > 0 && !sample[length - 1])
			length--;
		parcel_put(&p, &length, sizeof length);
		parcel_put(&p, sample, length);
	}
	return parcel_close(&p);
}

/* Adds the samples of a packed game. */
static void unpack_game(struct packet packet, struct selfplay_game *g)
{
	struct parcel p = parcel_open(packet);
	parcel_take_int(&p);
	for (int64_t n = parcel_take_int(&p); n > 0 && p.good; n--) {
		uint16_t length;
		parcel_take(&p, &length, sizeof length);
		parcel_take(&p, selfplay_add(g), length < g->size ? length : g->size);
	}
}

static struct packet pack_number(int number)
{
	struct parcel p = { 0 };
	parcel_put_int(&p, number);
	return parcel_close(&p);
}

static int unpack_number(struct packet packet)
{
	struct parcel p = parcel_open(packet);
	int number = parcel_take_within(&p, 1, INT_MAX);
	free(packet.bytes);
	return number;
}

/* Asks for games and plays them. */
static void selfplay_work(void *arg, int worker)
{
	struct selfplay *s = arg;
	struct packet question = { 0 }, answer;
	selfplay_use_weights(s);
	void *own = s->kind->begin(s->arg);
	while (ranks_ask(worker, question, &answer)) {
		struct selfplay_game g = { .size = s->kind->size, .stopped = &s->stopped };
		int number = unpack_number(answer);
		rng_seed(&g.rng, game_seed(s, number));
		s->kind->play(own, &g);
		question = (struct packet) { 0 };
		if (!selfplay_stopped(&g))
			question = pack_game(&g, number);
		free(g.samples);
	}
	s->kind->end(own);
}

static void selfplay_stop(void *arg)
{
	struct selfplay *s = arg;
	atomic_store(&s->stopped, true);
}

/* --- rank 0 collects the games --- */

/* The games of a round by their number. Those before `next` are in the round. */
struct collection {
	struct selfplay_game all; /* the samples of the round so far */
	struct packet *games;     /* those from `next` on; without bytes: still played */
	int begun, ended, next;
	size_t samples; /* of all games that have ended */
};

/* Takes the result of a game, and adds to the round what now follows without a gap, until it has enough. */
static void selfplay_take_game(struct collection *c, struct selfplay_round *r, struct packet p)
{
	struct parcel head = parcel_open(p);
	int number = parcel_take_within(&head, 1, c->begun);
	c->games[number] = p;
	c->samples += (size_t)parcel_take_int(&head);
	c->ended++;
	for (; c->next <= c->begun && c->games[c->next].bytes && c->all.count < r->wanted;
	     c->next++) {
		unpack_game(c->games[c->next], &c->all);
		free(c->games[c->next].bytes);
		c->games[c->next].bytes = NULL;
	}
}

static void begin_game(struct collection *c, const struct question *q)
{
	int number = ++c->begun;
	c->games = xgrow(c->games, (size_t)number, sizeof *c->games);
	c->games[number] = (struct packet) { 0 };
	ranks_answer(q, pack_number(number));
}

static void selfplay_show_progress(struct selfplay *s, const struct collection *c, int64_t start)
{
	const struct selfplay_round *r = s->table;
	int64_t now = clock_now();
	char line[256];
	long left = lround(fmax(0, (double)(r->end - now) / 1e9));
	snprintf(line, sizeof line,
		 "round %d: %zu/%zu samples, %d games, %.1f games/s, %d rank%s, %.0f %% idle, "
		 "%ld:%02ld:%02ld left",
		 r->number, c->samples, r->wanted, c->ended,
		 c->ended / ((double)(now - start) / 1e9), ranks_count(),
		 ranks_count() > 1 ? "s" : "", 100 * ranks_idle(), left / 3600, left / 60 % 60,
		 left % 60);
	progress_show(&s->progress, line);
}

/* Workers whose games would not count wait for the end of the round. */
static void selfplay_serve(void *arg)
{
	struct selfplay *s = arg;
	struct selfplay_round *r = s->table;
	struct collection c = {
		.all = { .size = s->kind->size },
		.games = xgrow(NULL, 0, sizeof *c.games),
		.next = 1,
	};
	int64_t start = clock_now();
	bool late = false;
	while (c.all.count < r->wanted && !(late && c.begun && c.ended == c.begun)) {
		struct question q;
		late = clock_now() >= r->end;
		int64_t wake = !late && r->end < s->progress.due ? r->end : s->progress.due;
		if (!ranks_receive(wake, -1, &q)) {
			if (clock_now() >= s->progress.due)
				selfplay_show_progress(s, &c, start);
			continue;
		}
		if (q.packet.size)
			selfplay_take_game(&c, r, q.packet);
		else
			free(q.packet.bytes);
		if (!c.begun || (!late && c.samples < r->wanted))
			begin_game(&c, &q);
	}
	ranks_stop();
	r->games = c.next - 1;
	for (; c.next <= c.begun; c.next++)
		free(c.games[c.next].bytes);
	free(c.games);
	r->samples = c.all.samples;
	r->count = c.all.count;
	r->seconds = clock_since(start);
}

static const struct ranks_job job = { selfplay_work, selfplay_serve, selfplay_stop };

/* --- all ranks do what rank 0 wants --- */

/* What ranks_share() brings. A number follows, of the round or the version of the weights; then the weights. */
enum order { PLAY, TAKE, END };

static void selfplay_give_order(enum order order, int number, struct packet weights)
{
	struct parcel p = { 0 };
	parcel_put_int(&p, order);
	parcel_put_int(&p, number);
	parcel_put(&p, weights.bytes, weights.size);
	struct packet packet = parcel_close(&p);
	ranks_share(&packet);
	free(packet.bytes);
}

static void selfplay_take_weights(struct selfplay *s, struct packet weights, int version)
{
	free(s->weights.bytes);
	s->weights = weights;
	s->version = version;
	s->is_new = true;
}

static void play_round(struct selfplay *s, int number)
{
	s->round = number;
	atomic_store(&s->stopped, false);
	ranks_run(&job, s->workers, s);
}

void selfplay_follow(struct selfplay *s)
{
	for (enum order order = PLAY; order != END;) {
		struct packet packet;
		ranks_share(&packet);
		struct parcel p = parcel_open(packet);
		order = (enum order)parcel_take_within(&p, PLAY, END);
		int number = parcel_take_within(&p, 0, INT_MAX);
		if (order == PLAY)
			play_round(s, number);
		if (order == TAKE) {
			struct packet weights = { .size = packet.size - p.at };
			weights.bytes = xmalloc(weights.size);
			parcel_take(&p, weights.bytes, weights.size);
			selfplay_take_weights(s, weights, number);
		}
		free(packet.bytes);
	}
}

void selfplay_share(struct selfplay *s, struct packet weights, int version)
{
	selfplay_give_order(TAKE, version, weights);
	selfplay_take_weights(s, weights, version);
}

void selfplay_play(struct selfplay *s, struct selfplay_round *r)
{
	selfplay_give_order(PLAY, r->number, (struct packet) { 0 });
	s->table = r;
	r->version = s->version;
	play_round(s, r->number);
}

void selfplay_end(struct selfplay *s)
{
	progress_clear(&s->progress);
	selfplay_give_order(END, 0, (struct packet) { 0 });
}
