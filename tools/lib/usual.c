/* SPDX-License-Identifier: MIT */
#include "tools/lib/usual.h"

#include <assert.h>
#include <string.h>

#include "engine/base/embed.h"
#include "engine/evaluation/weights.h"

#define OPENINGS_LEAST 20 /* files with fewer openings are still being made, and not used */

/* Game, rules, size as players call it (0: the game has one), and file. */
#define USUAL_FILES(ROW)                                                                           \
	ROW(amazons, standard, 10, "amazons-openings")                                             \
	ROW(breakthrough, standard, 8, "breakthrough-openings")                                    \
	ROW(connectfour, standard, 0, "connectfour-openings")                                      \
	ROW(dots, standard, 5, "dots-openings")                                                    \
	ROW(draughts, standard, 0, "draughts-openings")                                            \
	ROW(go, standard, 9, "go-openings")                                                        \
	ROW(gomoku, freestyle, 15, "gomoku-openings")                                              \
	ROW(havannah, standard, 8, "havannah-openings")                                            \
	ROW(havannah, standard, 6, "havannah-6-openings")                                          \
	ROW(havannah, standard, 7, "havannah-7-openings")                                          \
	ROW(hex, hex, 11, "hex-openings")                                                          \
	ROW(hex, hex, 7, "hex-7-openings")                                                         \
	ROW(hex, rex, 7, "rex-7-openings")                                                         \
	ROW(knightthrough, standard, 8, "knightthrough-openings")                                  \
	ROW(loa, standard, 0, "loa-openings")                                                      \
	ROW(morris, standard, 0, "morris-openings")                                                \
	ROW(othello, standard, 8, "xot")                                                           \
	ROW(othello, standard, 6, "othello-6-openings")                                            \
	ROW(othello, anti, 8, "othello-anti-openings")                                             \
	ROW(pentago, standard, 0, "pentago-openings")                                              \
	ROW(pentago, openspiel, 0, "pentago-openspiel-openings")                                   \
	ROW(pentago, tajima, 0, "pentago-tajima-openings")

#define BIND(game, rules, size, file)                                                              \
	EMBED(usual_##game##_##rules##_##size, "tools/data/" file ".txt");
USUAL_FILES(BIND)

#define LIST(game, rules, size, file)                                                              \
	{ #game, #rules, size, usual_##game##_##rules##_##size,                                    \
	  usual_##game##_##rules##_##size##_end },
static const struct {
	const char *game, *rules;
	int size;
	const char *text, *end;
} files[] = { USUAL_FILES(LIST) };

static void shuffle(struct openings *all, int seed)
{
	struct rng rng;
	rng_seed(&rng, (uint64_t)seed);
	for (int i = all->count - 1; i > 0; i--) {
		uint32_t k = rng_below(&rng, (uint32_t)i + 1);
		struct opening o = all->list[i];
		all->list[i] = all->list[k];
		all->list[k] = o;
	}
}

bool usual_openings(struct openings *all, const struct game *g, int seed, uint32_t *checksum)
{
	char why[OPENINGS_REASON_MAX];
	*all = (struct openings) { 0 };
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		size_t length = (size_t)(files[i].end - files[i].text);
		if (strcmp(files[i].game, g->name) != 0 || strcmp(files[i].rules, g->rules) != 0 ||
		    (files[i].size && game_of_size(g, files[i].size) != g))
			continue;
		bool read = openings_read_text(all, g, files[i].text, length, why);
		assert(read || all->count == 0); /* tests read every file */
		*checksum = checksum_of(files[i].text, length);
		shuffle(all, seed);
		if (all->count >= OPENINGS_LEAST)
			return true;
		openings_free(all);
		*all = (struct openings) { 0 };
	}
	return false;
}
