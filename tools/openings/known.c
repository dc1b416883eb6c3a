/* SPDX-License-Identifier: MIT */
#include "tools/openings/known.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/rules/images.h"
#include "protocol/records/file.h"
#include "protocol/session/line.h"

#define FILE_MAX  (16u << 20)
#define NODES_MAX 2000000 /* positions visited; a game may have too many of them */

/* A position, and how it is reached. */
struct known_node {
	struct state state;
	struct move move; /* from the parent */
	int parent, depth;
};

struct finder {
	const struct game *game;
	struct keys wanted;  /* opening_key() of the positions that are still wanted */
	struct keys images;  /* hashes of all their mirror images: fast to look up */
	struct keys visited; /* opening_key() of the nodes */
	struct keys seen;    /* hashes of all positions met */
	struct known_node *nodes;
	int count;
	int left; /* wanted positions not found */
	struct openings *found;
};

/* --- the file --- */

/* Reads the words BOARD SIDE VALUE of a line. Returns NULL or the reason why there is no position. */
static const char *known_read_position(const struct game *g, char *line, struct state *s,
				       double *value)
{
	size_t squares = (size_t)(g->board.rows * g->board.cols);
	const char *board = text_cut(&line, " \t");
	while (line && strlen(board) != squares)
		board = text_cut(&line, " \t");
	const char *side = text_cut(&line, " \t"), *number = text_cut(&line, " \t");
	if (!number || !line_real(number, value))
		return "no BOARD SIDE VALUE";
	return game_setup(g, s, board, side);
}

/* Wants a position and all its mirror images. */
static void want(struct finder *f, const struct state *s)
{
	const struct game *g = f->game;
	char text[POSITION_TEXT_MAX], image[POSITION_TEXT_MAX];
	int squares = g->board.rows * g->board.cols;
	struct state seen;
	if (!keys_add(&f->wanted, opening_key(g, s)))
		return;
	f->left++;
	game_position(g, s, text);
	for (int y = 0; y < 8; y++) {
		if (y && !(images_symmetries(g) >> y & 1))
			continue;
		for (int i = 0; i < squares; i++)
			image[images_mirror_square(g, i, y)] = text[i];
		image[squares] = '\0';
		if (!game_setup(g, &seen, image, text + squares + 1))
			keys_add(&f->images, seen.hash);
	}
}

static bool read_positions(struct finder *f, struct keys *decided, const char *path,
			   char why[OPENINGS_REASON_MAX])
{
	char reason[REASON_MAX];
	double value;
	const char *wrong = NULL;
	struct state s;
	char *text = file_read(path, FILE_MAX, reason), *rest = text;
	if (!text) {
		snprintf(why, OPENINGS_REASON_MAX, "%s", reason);
		return false;
	}
	for (int number = 1; rest && !wrong; number++) {
		char *line = text_cut(&rest, "\n");
		line[strcspn(line, "\r")] = '\0';
		if (*line == '#' || line[strspn(line, " \t\r")] == '\0')
			continue;
		wrong = known_read_position(f->game, line, &s, &value);
		if (wrong)
			snprintf(why, OPENINGS_REASON_MAX, "%s: line %d: %s", path, number, wrong);
		else if (value == 0)
			want(f, &s);
		else
			keys_add(decided, opening_key(f->game, &s));
	}
	free(text);
	return !wrong;
}

/* --- the search --- */

static void known_add_opening(struct finder *f, int parent, struct move last)
{
	struct openings *all = f->found;
	struct opening o = { .count = f->nodes[parent].depth + 1 };
	o.moves = xcalloc((size_t)o.count, sizeof *o.moves);
	o.moves[o.count - 1] = last;
	for (int at = parent, i = o.count - 2; i >= 0; at = f->nodes[at].parent, i--)
		o.moves[i] = f->nodes[at].move;
	all->list = xgrow(all->list, (size_t)all->count, sizeof *all->list);
	all->list[all->count++] = o;
	f->left--;
}

/* Visits the position after a move. */
static void known_visit(struct finder *f, int parent, struct move move, int least, int most)
{
	const struct game *g = f->game;
	int depth = f->nodes[parent].depth + 1;
	struct state s = f->nodes[parent].state;
	game_play(g, &s, move);
	bool is_image = depth >= least && keys_have(&f->images, s.hash);
	bool is_inner = depth < most && !s.over && f->count < NODES_MAX;
	if ((!is_image && !is_inner) || !keys_add(&f->seen, s.hash))
		return;
	uint64_t key = opening_key(g, &s);
	if (!keys_add(&f->visited, key))
		return;
	if (is_image && keys_have(&f->wanted, key))
		known_add_opening(f, parent, move);
	if (!is_inner)
		return;
	f->nodes = xgrow(f->nodes, (size_t)f->count, sizeof *f->nodes);
	f->nodes[f->count++] = (struct known_node) { s, move, parent, depth };
}

bool known_find(struct openings *found, struct keys *decided, const struct game *g,
		const char *path, int least, int most, char why[OPENINGS_REASON_MAX])
{
	struct finder f = { .game = g, .found = found };
	struct move moves[GAME_MOVES_MAX];
	*found = (struct openings) { 0 };
	bool read = read_positions(&f, decided, path, why);
	f.nodes = xgrow(NULL, 0, sizeof *f.nodes);
	*f.nodes = (struct known_node) { 0 };
	g->start(g, &f.nodes[f.count++].state);
	for (int at = 0; read && at < f.count && f.left; at++) {
		int n = game_moves(g, &f.nodes[at].state, moves);
		for (int i = 0; i < n; i++)
			known_visit(&f, at, moves[i], least, most);
	}
	keys_free(&f.wanted);
	keys_free(&f.images);
	keys_free(&f.visited);
	keys_free(&f.seen);
	free(f.nodes);
	return read;
}
