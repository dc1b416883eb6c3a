/* SPDX-License-Identifier: MIT */
#include "engine/search/signature.h"

#include <math.h>
#include <stdio.h>

#include "engine/rules/tuning.h"
#include "engine/search/engine.h"

#define MOVES 6    /* per search */
#define WORK  1000 /* units per move; fewer where an evaluation takes longer than a playout */

/* Adds a game that a search plays against itself to the totals. Values are rounded, because the last bits
 * of logarithms differ between machines. */
static bool signature_add(const struct game *g, const char *search, uint64_t *work, uint64_t *hash,
			  char why[REASON_MAX])
{
	struct record record;
	struct report report = { 0 };
	struct engine *e = engine_create_fixed(search, tuning_evaluator_work(g, WORK));
	bool good = true;
	record_init(&record, g);
	while (!record.now.over && record.count < MOVES) {
		struct limits limits = engine_limits(e, g, TIME_NEVER);
		good = engine_search(e, &record, &limits, &report, why);
		if (!good)
			break;
		*work += report.playouts + report.nodes;
		*hash ^= record.now.hash;
		if (!isnan(report.value))
			*hash += (uint64_t)llround(1000 * report.value);
		*hash = rng_split(hash);
		record_play(&record, report.line[0]);
	}
	*hash ^= record.now.hash;
	record_free(&record);
	report_free(&report);
	engine_destroy(e);
	return good;
}

bool signature_find(const struct game *g, char line[SIGNATURE_MAX], char why[REASON_MAX])
{
	uint64_t work = 0, hash = 0;
	for (int i = 0; algorithms[i]; i++)
		if (!signature_add(g, algorithms[i]->name, &work, &hash, why))
			return false;
	snprintf(line, SIGNATURE_MAX, "%-15s %-13s %-12s %6llu %016llx", "signature", g->name,
		 g->rules, (unsigned long long)work, (unsigned long long)hash);
	return true;
}
