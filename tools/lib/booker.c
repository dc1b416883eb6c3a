/* SPDX-License-Identifier: MIT */
#include "tools/lib/booker.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/book.h"
#include "engine/engine.h"
#include "engine/memory.h"
#include "engine/net.h"
#include "games/games.h"

#define FIRST_BEST   16   /* answers to each position that are searched again in the first round */
#define NEXT_WORK    4    /* times the work of the round before */
#define EQUAL_WITHIN 0.01 /* of the best value: moves among which the book chooses */

static struct booking settings;

/* A position and what is known of it. */
struct place {
	struct state state;
	struct book_key key;
	int depth;     /* moves from the start */
	uint64_t work; /* of the search that its value is from, 0: none */
	double value;  /* Black's */
};

static struct place *places;
static size_t count, room;
static int64_t end;
static FILE *journal;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- the graph --- */

static size_t *slots; /* of places + 1, by hash of the key; 0: none */
static size_t slot_count;

static bool same_key(const struct book_key *a, const struct book_key *b)
{
	return a->stones[0] == b->stones[0] && a->stones[1] == b->stones[1] && a->side == b->side;
}

static size_t *find_slot(const struct book_key *key)
{
	struct state hashed = { .board = { key->stones[0], key->stones[1] },
				.side = (uint8_t)key->side };
	size_t at = state_hash(&hashed) & (slot_count - 1);
	while (slots[at] && !same_key(&places[slots[at] - 1].key, key))
		at = (at + 1) & (slot_count - 1);
	return &slots[at];
}

static void grow_slots(void)
{
	free(slots);
	slot_count = slot_count ? 2 * slot_count : 1 << 12;
	slots = xcalloc(slot_count, sizeof *slots);
	for (size_t i = 0; i < count; i++)
		*find_slot(&places[i].key) = i + 1;
}

/* The place of a state, which is added if it is not there. */
static size_t find_place(const struct state *s, int depth)
{
	int symmetry;
	struct book_key key = book_key(settings.game, s, &symmetry);
	size_t *slot = find_slot(&key);
	if (*slot)
		return *slot - 1;
	if (count == room) {
		room = room ? 2 * room : 1024;
		places = xrealloc(places, room * sizeof *places);
	}
	places[count++] = (struct place) { .state = *s, .key = key, .depth = depth };
	*slot = count;
	if (2 * count > slot_count)
		grow_slots();
	return count - 1;
}

/* Adds all places of up to so many moves; those of equal depth follow each other. */
static void find_places(void)
{
	struct state s;
	struct move moves[GAME_MOVES_MAX];
	grow_slots();
	settings.game->start(&s);
	find_place(&s, 0);
	for (size_t i = 0; i < count && places[i].depth < settings.depth; i++) {
		const struct state from = places[i].state;
		int n = from.over ? 0 : game_moves(settings.game, &from, moves);
		for (int k = 0; k < n; k++) {
			struct state next = from;
			game_play(settings.game, &next, moves[k]);
			find_place(&next, places[i].depth + 1);
		}
	}
}

static bool is_inner(const struct place *p)
{
	return !p->state.over && p->depth < settings.depth;
}

/* Brings the values of the frontier back. */
static void back_up(void)
{
	struct move moves[GAME_MOVES_MAX];
	for (size_t i = count; i--;) {
		struct place *p = &places[i];
		if (p->state.over)
			p->value = score_sign(p->state.score);
		if (!is_inner(p))
			continue;
		int sign = p->state.side == BLACK ? 1 : -1;
		int n = game_moves(settings.game, &p->state, moves);
		double best = -2;
		for (int k = 0; k < n; k++) {
			struct state next = p->state;
			game_play(settings.game, &next, moves[k]);
			double value = sign * places[find_place(&next, 0)].value;
			best = value > best ? value : best;
		}
		p->value = sign * best;
	}
}

/* --- searches --- */

static void fail(const char *what, const char *path)
{
	fprintf(stderr, "book: cannot %s %s: %s\n", what, path, strerror(errno));
	exit(1);
}

/* Reads what earlier runs have found, and opens the file for more. */
static void open_journal(void)
{
	char line[256];
	journal = fopen(settings.journal, "a+");
	if (!journal)
		fail("write", settings.journal);
	rewind(journal);
	while (fgets(line, sizeof line, journal)) {
		struct book_key key;
		unsigned long long black, white, side, work;
		double value;
		if (sscanf(line, "%llx\t%llx\t%llu\t%llu\t%lf", &black, &white, &side, &work,
			   &value) != 5 ||
		    !strchr(line, '\n'))
			continue; /* torn off when the run was ended */
		key = (struct book_key) { { black, white }, side };
		size_t place = *find_slot(&key);
		if (place && work >= places[place - 1].work) {
			places[place - 1].work = work;
			places[place - 1].value = value;
		}
	}
}

static void keep(struct place *p, uint64_t work, double value)
{
	pthread_mutex_lock(&lock);
	p->work = work;
	p->value = value;
	fprintf(journal, "%llx\t%llx\t%llu\t%llu\t%.5f\n", (unsigned long long)p->key.stones[0],
		(unsigned long long)p->key.stones[1], (unsigned long long)p->key.side,
		(unsigned long long)work, value);
	fflush(journal);
	pthread_mutex_unlock(&lock);
}

/* A round: these places, each with so much work. */
struct round {
	size_t *places, count;
	uint64_t work;
	_Atomic size_t next, done;
};

static void *search_places(void *arg)
{
	struct round *round = arg;
	struct engine *e = engine_create();
	struct options *o = engine_options(e);
	struct record record;
	struct report *report = xmalloc(sizeof *report);
	char why[REASON_MAX];
	while (algorithm_chosen(o, settings.game) != &algorithm_mcts)
		o->search++;
	o->threads = 1;
	o->memory = 1024;
	o->seed = 1;
	o->reuse = o->early_stop = false;
	engine_reseed(e);
	record_init(&record, settings.game);
	while (clock_now() < end) {
		size_t i = atomic_fetch_add(&round->next, 1);
		if (i >= round->count)
			break;
		struct place *p = &places[round->places[i]];
		struct limits limits = { .deadline = TIME_NEVER, .work_max = round->work };
		record_setup(&record, &p->state);
		if (!engine_search(e, &record, &limits, report, why)) {
			fprintf(stderr, "book: %s\n", why);
			exit(1);
		}
		keep(p, round->work, report->value);
		atomic_fetch_add(&round->done, 1);
	}
	record_free(&record);
	free(report);
	engine_destroy(e);
	return NULL;
}

/* Searches the places of a round that have had less work so far. */
static void run_round(struct round *round)
{
	pthread_t *threads = xcalloc((size_t)settings.threads, sizeof *threads);
	for (int i = 0; i < settings.threads; i++)
		if (pthread_create(&threads[i], NULL, search_places, round) != 0)
			fail("start", "a thread");
	for (int i = 0; i < settings.threads; i++)
		pthread_join(threads[i], NULL);
	printf("%zu of %zu positions searched with %llu units, %.0f s left\n",
	       atomic_load(&round->done), round->count, (unsigned long long)round->work,
	       (double)(end - clock_now()) / 1e9);
	fflush(stdout);
	free(threads);
}

struct answer {
	size_t place;
	double value; /* of who chooses */
};

static int compare_answers(const void *a, const void *b)
{
	double x = ((const struct answer *)a)->value, y = ((const struct answer *)b)->value;
	return (x < y) - (x > y);
}

/* The places behind a position's moves, the best first; each once. */
static int list_answers(const struct place *p, struct answer *answers)
{
	struct move moves[GAME_MOVES_MAX];
	int sign = p->state.side == BLACK ? 1 : -1, found = 0;
	int n = game_moves(settings.game, &p->state, moves);
	for (int k = 0; k < n; k++) {
		struct state next = p->state;
		bool known = false;
		game_play(settings.game, &next, moves[k]);
		size_t place = find_place(&next, 0);
		for (int i = 0; i < found && !known; i++)
			known = answers[i].place == place;
		if (!known)
			answers[found++] = (struct answer) { place, sign * places[place].value };
	}
	qsort(answers, (size_t)found, sizeof *answers, compare_answers);
	return found;
}

/* The frontier's places that are to be searched with so much work: the best answers to each position before
 * them, or all. */
static void list_round(struct round *round, int best)
{
	bool *wanted = xcalloc(count, sizeof *wanted);
	struct answer answers[GAME_MOVES_MAX];
	round->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (!is_inner(&places[i]) || places[i].depth + 1 < settings.depth)
			continue;
		int n = list_answers(&places[i], answers);
		for (int k = 0; k < n && k < best; k++)
			wanted[answers[k].place] = true;
	}
	for (size_t i = 0; i < count; i++)
		if (wanted[i] && !places[i].state.over && places[i].work < round->work)
			round->places[round->count++] = i;
	free(wanted);
}

static void run_rounds(void)
{
	struct round round = { .places = xcalloc(count, sizeof *round.places),
			       .work = (uint64_t)settings.work };
	int best = GAME_MOVES_MAX;
	for (int i = 0; i <= settings.rounds && clock_now() < end; i++) {
		/* What the searches find may bring others among the best. */
		do {
			atomic_store(&round.next, 0);
			atomic_store(&round.done, 0);
			list_round(&round, best);
			if (round.count)
				run_round(&round);
		} while (round.count && clock_now() < end);
		back_up();
		best = i ? (best > 2 ? best / 2 : 1) : FIRST_BEST;
		round.work *= NEXT_WORK;
	}
	free(round.places);
}

/* --- the book --- */

static int compare_entries(const void *a, const void *b)
{
	return book_compare(a, b);
}

static uint8_t mirrored(move_t step, int symmetry)
{
	if (step == MOVE_NONE)
		return UINT8_MAX;
	return (uint8_t)(symmetry ? settings.game->mirror(step, symmetry) : step);
}

/* Adds the best moves of a place, as its key shows them; of those that lead to one position, one. */
static int add_entries(const struct place *p, struct book_entry *out)
{
	struct move moves[GAME_MOVES_MAX];
	size_t taken[BOOK_MOVES_MAX];
	int sign = p->state.side == BLACK ? 1 : -1, added = 0, symmetry;
	int n = game_moves(settings.game, &p->state, moves);
	book_key(settings.game, &p->state, &symmetry);
	for (int k = 0; k < n && added < BOOK_MOVES_MAX; k++) {
		struct state next = p->state;
		bool known = false;
		game_play(settings.game, &next, moves[k]);
		size_t place = find_place(&next, 0);
		for (int i = 0; i < added; i++)
			known |= taken[i] == place;
		if (known || sign * (p->value - places[place].value) > EQUAL_WITHIN)
			continue;
		taken[added] = place;
		out[added++] = (struct book_entry) {
			.stones = { p->key.stones[0], p->key.stones[1] },
			.side = (uint8_t)p->key.side,
			.step = { mirrored(moves[k].step[0], symmetry),
				  mirrored(moves[k].step[1], symmetry) },
			.value = (float)p->value,
		};
	}
	return added;
}

static void write_book(void)
{
	struct book_entry *entries = xcalloc(count * BOOK_MOVES_MAX, sizeof *entries);
	struct book_header header = { .count = 0 };
	for (size_t i = 0; i < count; i++)
		if (is_inner(&places[i]))
			header.count += (uint32_t)add_entries(&places[i], entries + header.count);
	qsort(entries, header.count, sizeof *entries, compare_entries);
	memcpy(header.magic, BOOK_MAGIC, sizeof header.magic);
	header.checksum = net_checksum(entries, header.count * sizeof *entries);
	FILE *f = fopen(settings.output, "wb");
	if (!f || fwrite(&header, sizeof header, 1, f) != 1 ||
	    fwrite(entries, sizeof *entries, header.count, f) != header.count || fclose(f) != 0)
		fail("write", settings.output);
	printf("%u moves written to %s\n", header.count, settings.output);
	free(entries);
}

void booker_run(const struct booking *booking)
{
	settings = *booking;
	end = clock_now() + (int64_t)(settings.seconds * 1e9);
	find_places();
	open_journal();
	run_rounds();
	back_up();
	write_book();
	fclose(journal);
	free(slots);
	free(places);
	slots = NULL;
	places = NULL;
	slot_count = count = room = 0;
}
