/* SPDX-License-Identifier: MIT */
#include "tools/lib/usual.h"

#include <assert.h>
#include <string.h>

#include "engine/base/embed.h"
#include "engine/evaluation/weights.h"

#define OPENINGS_LEAST 20 /* files with fewer openings are still being made, and not used */

EMBED(usual_breakthrough, "tools/data/breakthrough-openings.txt");
EMBED(usual_connectfour, "tools/data/connectfour-openings.txt");
EMBED(usual_dots, "tools/data/dots-openings.txt");
EMBED(usual_go, "tools/data/go-openings.txt");
EMBED(usual_gomoku, "tools/data/gomoku-openings.txt");
EMBED(usual_havannah, "tools/data/havannah-openings.txt");
EMBED(usual_havannah_6, "tools/data/havannah-6-openings.txt");
EMBED(usual_havannah_7, "tools/data/havannah-7-openings.txt");
EMBED(usual_hex, "tools/data/hex-openings.txt");
EMBED(usual_hex_7, "tools/data/hex-7-openings.txt");
EMBED(usual_knightthrough, "tools/data/knightthrough-openings.txt");
EMBED(usual_loa, "tools/data/loa-openings.txt");
EMBED(usual_othello, "tools/data/xot.txt");
EMBED(usual_othello_6, "tools/data/othello-6-openings.txt");
EMBED(usual_othello_anti, "tools/data/othello-anti-openings.txt");
EMBED(usual_pentago, "tools/data/pentago-openings.txt");
EMBED(usual_pentago_openspiel, "tools/data/pentago-openspiel-openings.txt");
EMBED(usual_pentago_tajima, "tools/data/pentago-tajima-openings.txt");
EMBED(usual_rex_7, "tools/data/rex-7-openings.txt");

static const struct {
	const char *game, *rules;
	int size; /* as players call it; 0: the game has one */
	const char *text, *end;
} files[] = {
	{ "breakthrough", "standard", 8, usual_breakthrough, usual_breakthrough_end },
	{ "connectfour", "standard", 0, usual_connectfour, usual_connectfour_end },
	{ "dots", "standard", 5, usual_dots, usual_dots_end },
	{ "go", "standard", 9, usual_go, usual_go_end },
	{ "gomoku", "freestyle", 15, usual_gomoku, usual_gomoku_end },
	{ "havannah", "standard", 8, usual_havannah, usual_havannah_end },
	{ "havannah", "standard", 6, usual_havannah_6, usual_havannah_6_end },
	{ "havannah", "standard", 7, usual_havannah_7, usual_havannah_7_end },
	{ "hex", "hex", 11, usual_hex, usual_hex_end },
	{ "hex", "hex", 7, usual_hex_7, usual_hex_7_end },
	{ "hex", "rex", 7, usual_rex_7, usual_rex_7_end },
	{ "knightthrough", "standard", 8, usual_knightthrough, usual_knightthrough_end },
	{ "loa", "standard", 0, usual_loa, usual_loa_end },
	{ "othello", "standard", 8, usual_othello, usual_othello_end },
	{ "othello", "standard", 6, usual_othello_6, usual_othello_6_end },
	{ "othello", "anti", 8, usual_othello_anti, usual_othello_anti_end },
	{ "pentago", "standard", 0, usual_pentago, usual_pentago_end },
	{ "pentago", "openspiel", 0, usual_pentago_openspiel, usual_pentago_openspiel_end },
	{ "pentago", "tajima", 0, usual_pentago_tajima, usual_pentago_tajima_end },
};

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
