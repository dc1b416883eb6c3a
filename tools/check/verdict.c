/* SPDX-License-Identifier: MIT */
#include "tools/check/verdict.h"

#include <math.h>
#include <stdio.h>

#include "tools/check/witness.h"
#include "tools/lib/message.h"

#define SAMPLES_MIN 100 /* fewer samples do not show whether memory grows */
/* How often an answer waits for a processor: the engine's loop, the search, its other thread, the search
 * that joins it, the loop again, the tester. */
#define WAITS       6

static void verdict_count(struct verdict *v, bool good)
{
	*(good ? &v->passed : &v->failed) += 1;
}

/* Returns true if the machine explains a late answer. Prints the answer if not. */
static bool is_explained(const struct late *l, int limit)
{
	double machine = witness_worst(l->second);
	if (l->ms <= limit + WAITS * machine)
		return true;
	printf("late by %.1f ms in game %d at %d s, the machine by %.1f ms\n", l->ms, l->game,
	       l->second, machine);
	return false;
}

void verdict_delays(struct verdict *v, const struct soak *soak, const struct tester *testers,
		    int tester_count)
{
	struct series all = { 0 };
	int late = 0, unexplained = 0;
	for (const struct tester *p = testers; p < testers + tester_count; p++) {
		for (int i = 0; i < p->delays.count; i++)
			series_add(&all, p->delays.values[i]);
		late += p->late_count;
		for (int i = 0; i < p->late_count; i++)
			unexplained += !is_explained(&p->lates[i], soak->late);
	}
	puts("late in milliseconds");
	series_print_heading();
	series_print(&all, "answers");
	series_print(witness_delays(), "machine");
	printf("%d answers late by more than %d ms, %d of them by more than the machine explains\n",
	       late, soak->late, unexplained);
	verdict_count(v, unexplained == 0);
	series_free(&all);
}

/* Returns the minimum of some samples. It excludes memory that searches hold temporarily. */
static double minimum(const struct series *s, int from, int to)
{
	double least = INFINITY;
	for (int i = from; i < to; i++)
		if (s->values[i] > 0)
			least = fmin(least, s->values[i]);
	return least;
}

/* Memory settles in the first quarter of the games. The minimum of the last quarter must not exceed that of
 * the second quarter by more than the allowed growth. */
void verdict_memory(struct verdict *v, const struct soak *soak, const char *label,
		    const struct series *memory)
{
	int n = memory->count;
	if (n < SAMPLES_MIN)
		return;
	double before = minimum(memory, n / 4, n / 2), after = minimum(memory, n - n / 4, n);
	printf("%-9s memory: at least %.0f KiB in the second quarter of %d samples, %.0f KiB in "
	       "the last%s\n",
	       label, before, n, after, soak->growth > 0 ? "" : " (no verdict)");
	if (soak->growth > 0)
		verdict_count(v, after - before <= soak->growth);
}

void verdict_ends(struct verdict *v, struct soak *soak, struct tester *testers, int tester_count)
{
	bool good = true;
	for (struct tester *p = testers; p < testers + tester_count; p++) {
		p->failed = false;
		if (p->is_open && !p->on_socket)
			good &= tester_send(p, "quit") && tester_receive_text(p, p->id, "") &&
				tester_receive_end(p) &&
				connection_wait(&p->connection, SOAK_PATIENCE) == 0;
		tester_close(p);
	}
	connection_terminate(&soak->server);
	int status = connection_wait(&soak->server, SOAK_PATIENCE);
	if (status != 0)
		message("the server ended with wait status %#x", (unsigned)status);
	verdict_count(v, good && status == 0);
}
