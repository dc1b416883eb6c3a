/* SPDX-License-Identifier: MIT */
#include "engine/evaluation/board_net.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/kernel.h"
#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/evaluation/board_layers.h"
#include "engine/evaluation/memo.h"
#include "engine/evaluation/weights.h"
#include "engine/rules/images.h"
#include "engine/rules/network.h"

#define CHANNELS BOARD_NET_CHANNELS
#define GROUPS   BOARD_LAYER_GROUPS
#define LEVEL    19 /* of zstd */

struct board_table {
	struct board_packed layers[BOARD_NET_LAYERS];
	struct board_heads heads;
	struct board_owners owners;
	int8_t lines[LINES_ROWS][CHANNELS];
	int blocks;
	uint64_t number; /* no other table has it */
};

/* --- evaluation --- */

KERNEL_UNWATCHED
static void board_net_run_layer(const struct board_shape *s, board_layer_fn *run,
				const struct board_packed *layer, int groups,
				const struct board_plane *in, const struct board_plane *add,
				struct board_plane *out)
{
	struct board_pass p = {
		.shape = s, .layer = layer, .in = in, .add = add, .out = out, .groups = groups
	};
	for (int c = 0; c < 4 * groups; c++)
		p.mean[c] = (uint8_t)((2 * in->sum[c] + s->on_board) / (2 * s->on_board));
	run(&p);
}

/* What the network sees, as activations. */
KERNEL_UNWATCHED
static void fill_input(const struct board_shape *s, const uint8_t *seen, int squares,
		       struct board_plane *plane)
{
	memset(plane->sum, 0, sizeof plane->sum);
	for (int i = 0; i < squares; i++)
		for (int c = 0; c < BOARD_NET_INPUTS; c++) {
			uint8_t x = seen[i] >> c & 1 ? BOARD_NET_UNIT : 0;
			plane->at[s->at[i]][c] = x;
			plane->sum[c] += x;
		}
}

KERNEL_UNWATCHED
static void fill_lines(const struct board_shape *s, board_lines_fn *run,
		       const struct board_table *t, const struct game *g, const uint8_t *seen,
		       struct board_plane *plane)
{
	lines_of_square lines[GAME_SQUARES_MAX];
	uint16_t at[GAME_SQUARES_MAX];
	int count = 0;
	lines_find(g, seen, lines);
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		if (seen[i]) {
			memcpy(lines[count], lines[i], sizeof *lines);
			at[count++] = s->at[i];
		}
	run(t->lines, lines, at, count, plane);
}

/* The mean and the maximum of each channel. */
KERNEL_UNWATCHED
static void pool(const struct board_shape *s, const struct board_plane *plane,
		 int16_t pooled[BOARD_NET_POOLED])
{
	uint8_t most[CHANNELS] = { 0 };
	for (int i = 0; i < s->size; i++)
		for (int k = 0; k < CHANNELS; k++)
			most[k] = plane->at[i][k] > most[k] ? plane->at[i][k] : most[k];
	for (int k = 0; k < CHANNELS; k++) {
		pooled[k] = (int16_t)((plane->sum[k] * BOARD_NET_POOLED_UNIT + s->on_board / 2) /
				      s->on_board);
		pooled[CHANNELS + k] = (int16_t)(most[k] * BOARD_NET_POOLED_UNIT);
	}
}

/* The sums of these heads fit in 32 bits: see BOARD_NET_HEAD_CLIP. */
KERNEL_UNWATCHED
static void run_hidden(const struct board_heads *h, const int16_t pooled[BOARD_NET_POOLED],
		       int16_t hidden[BOARD_NET_HEAD])
{
	const int32_t unit = BOARD_NET_HEAD_UNIT * BOARD_NET_POOLED_UNIT * BOARD_NET_UNIT /
			     BOARD_NET_HIDDEN_UNIT;
	for (int i = 0; i < BOARD_NET_HEAD; i++) {
		int32_t sum = h->hidden_bias[i];
		for (int k = 0; k < BOARD_NET_POOLED; k++)
			sum += h->hidden[i][k] * pooled[k];
		sum = sum < 0 ? 0 : sum / unit;
		hidden[i] = (int16_t)(sum > INT16_MAX ? INT16_MAX : sum);
	}
}

KERNEL_UNWATCHED
static float run_head(const int16_t *weights, int32_t bias, const int16_t hidden[BOARD_NET_HEAD])
{
	int64_t sum = bias;
	for (int i = 0; i < BOARD_NET_HEAD; i++)
		sum += (int32_t)weights[i] * hidden[i];
	return (float)sum / (BOARD_NET_HEAD_UNIT * BOARD_NET_HIDDEN_UNIT);
}

/* What a head says of a square. */
KERNEL_UNWATCHED
static float run_square_head(const int16_t weights[CHANNELS], int32_t sum,
			     const uint8_t at[CHANNELS])
{
	for (int k = 0; k < CHANNELS; k++)
		sum += at[k] * weights[k];
	return (float)sum / (BOARD_NET_UNIT * BOARD_NET_HEAD_UNIT);
}

KERNEL_UNWATCHED
float board_net_evaluate(const struct board_table *t, const struct game *g, enum kernel kernel,
			 const uint8_t *seen, const move_t *steps, int count, float *preference,
			 float *owners)
{
	struct board_plane planes[3], *x = planes, *y = planes + 1, *z = planes + 2;
	struct board_shape s;
	int squares = g->board.rows * g->board.cols;
	kernel = kernel == KERNEL_AUTO ? kernel_used() : kernel;
	board_layer_fn *run = board_layer_number(0, kernel);
	board_shape_find(g, seen, &s);
	assert(s.on_board > 0);
	for (int i = 0; i < 3; i++)
		memset(planes[i].at, 0, (size_t)s.size * CHANNELS);
	fill_input(&s, seen, squares, y);
	if (network_has_lines(g))
		fill_lines(&s, board_lines_of(kernel), t, g, seen, z);
	board_net_run_layer(&s, run, &t->layers[0], BOARD_NET_INPUTS / 4, y,
			    network_has_lines(g) ? z : NULL, x);
	for (int b = 0; b < t->blocks; b++) {
		board_net_run_layer(&s, run, &t->layers[1 + 2 * b], GROUPS, x, NULL, y);
		board_net_run_layer(&s, run, &t->layers[2 + 2 * b], GROUPS, y, x, z);
		struct board_plane *old = x;
		x = z;
		z = old;
	}

	int16_t pooled[BOARD_NET_POOLED], hidden[BOARD_NET_HEAD];
	const struct board_heads *h = &t->heads;
	int ways;
	board_net_fits(g, &ways);
	pool(&s, x, pooled);
	run_hidden(h, pooled, hidden);
	for (int i = 0; i < count; i++) {
		int way, square = board_net_place(g, ways, steps[i], &way);
		if (square >= squares) {
			preference[i] = run_head(h->other, h->other_bias, hidden);
			continue;
		}
		preference[i] = run_square_head(h->policy[way], h->policy_bias[way],
						x->at[s.at[square]]);
	}
	for (int i = 0; owners && i < squares; i++)
		owners[i] = evaluator_tanh(
			run_square_head(t->owners.weights, t->owners.bias, x->at[s.at[i]]));
	return run_head(h->value, h->value_bias, hidden);
}

/* --- what the network sees --- */

bool board_net_fits(const struct game *g, int *ways)
{
	int squares = g->board.rows * g->board.cols;
	if (g->network && g->network->place) {
		*ways = g->network->ways;
		return *ways <= BOARD_NET_WAYS;
	}
	*ways = g->steps.codes / squares;
	return g->steps.per_move == 1 && *ways <= BOARD_NET_WAYS && g->steps.codes % squares <= 1;
}

/* Sets the bits of what may stand on a square, by its letter. `own`: 1 Black looks, -1 White. */
static void look_at_pieces(const struct board *b, int own, uint8_t bits[128])
{
	const char *kinds[NETWORK_PLANES]; /* the names of other pieces than each side's first */
	int count = 0, kind;
	memset(bits, 0, 128);
	bits['.'] = BOARD_NET_SQUARE;
	for (const struct piece *p = board_pieces(b); p->letter; p++) {
		int owner = board_owner(b, p->letter);
		uint8_t *seen = &bits[p->letter & 127];
		*seen = (uint8_t)(BOARD_NET_SQUARE | (owner == own    ? BOARD_NET_OWN
						      : owner == -own ? BOARD_NET_OTHER
								      : 0));
		if (owner && p->letter == board_stone(b, p->side))
			continue;
		for (kind = 0; kind < count && strcmp(kinds[kind], p->name) != 0;)
			kind++;
		if (kind == NETWORK_PLANES)
			continue;
		kinds[kind] = p->name;
		count += kind == count;
		*seen |= (uint8_t)(BOARD_NET_SIGN << (NETWORK_PLANES - 1 - kind));
	}
}

void board_net_look(const struct game *g, const struct state *s, uint8_t seen[GAME_SQUARES_MAX])
{
	int view = s->side == BLACK ? 0 : images_view(g);
	uint8_t signs[GAME_SQUARES_MAX] = { 0 }, bits[128];
	look_at_pieces(&g->board, side_sign(s->side), bits);
	if (g->network && g->network->planes)
		g->network->planes(g, s, signs);
	for (int row = 0, i = 0; row < g->board.rows; row++)
		for (int col = 0; col < g->board.cols; col++, i++) {
			char c = g->at(g, s, row, col);
			seen[view ? images_mirror_square(g, i, view) : i] =
				c == ':' ? 0 : (uint8_t)(bits[c & 127] | signs[i] * BOARD_NET_SIGN);
		}
}

move_t board_net_step(const struct game *g, int side, move_t step)
{
	return side == BLACK || !images_view(g) ? step : g->images->mirror(g, step, images_view(g));
}

/* --- files --- */

/* All sizes of a game have one network. */
static struct weights_header board_net_kind_of(const struct game *g)
{
	struct weights_header kind = { .magic = "yomibrd1" };
	uint32_t name = checksum_of(g->name, strlen(g->name)),
		 rules = checksum_of(g->rules, strlen(g->rules));
	int ways;
	board_net_fits(g, &ways);
	kind.shape[0] = (uint16_t)ways;
	kind.shape[1] = BOARD_NET_CHANNELS;
	memcpy(kind.shape + 2, &name, sizeof name);
	memcpy(kind.shape + 4, &rules, sizeof rules);
	return kind;
}

static size_t size_of_file(const struct game *g)
{
	return network_has_lines(g)    ? sizeof(struct board_weights)
	       : network_has_owners(g) ? offsetof(struct board_weights, lines)
				       : offsetof(struct board_weights, owners);
}

static bool is_within(const int16_t *weights, size_t count, int most)
{
	for (size_t i = 0; i < count; i++)
		if (weights[i] > most || weights[i] < -most)
			return false;
	return true;
}

static bool is_bias(int32_t bias)
{
	return bias >= -BOARD_NET_BIAS_CLIP && bias <= BOARD_NET_BIAS_CLIP;
}

/* Returns true if no sum of the network can overflow. */
static bool is_valid(const struct board_weights *w)
{
	const struct board_heads *h = &w->heads;
	bool valid = w->blocks >= 0 && w->blocks <= BOARD_NET_BLOCKS;
	valid = valid && is_within(h->policy[0], BOARD_NET_WAYS * CHANNELS, BOARD_NET_HEAD_CLIP) &&
		is_within(h->hidden[0], (size_t)BOARD_NET_HEAD * BOARD_NET_POOLED,
			  BOARD_NET_HEAD_CLIP);
	valid = valid && is_within(w->owners.weights, CHANNELS, BOARD_NET_HEAD_CLIP) &&
		is_bias(w->owners.bias);
	for (int i = 0; i < BOARD_NET_WAYS; i++)
		valid = valid && is_bias(h->policy_bias[i]);
	for (int i = 0; i < BOARD_NET_HEAD; i++)
		valid = valid && is_bias(h->hidden_bias[i]);
	for (int i = 0; valid && i < 1 + 2 * w->blocks; i++)
		for (int k = 0; k < CHANNELS; k++)
			valid = valid && is_bias(w->layers[i].bias[k]) &&
				w->layers[i].scale[k] >= 0 && w->layers[i].scale[k] <= 1;
	return valid;
}

struct board_weights *board_net_read(const struct game *g, const void *file)
{
	struct weights_header kind = board_net_kind_of(g);
	struct board_weights *w = xcalloc(1, sizeof *w);
	if (weights_read(file, &kind, w, size_of_file(g)) && is_valid(w))
		return w;
	free(w);
	return NULL;
}

void *board_net_file(const struct game *g, const struct board_weights *w, size_t *size)
{
	struct weights_header kind = board_net_kind_of(g);
	return weights_file(&kind, w, size_of_file(g), LEVEL, size);
}

/* --- unpacking --- */

struct board_table *board_table_create(const struct board_weights *w)
{
	static atomic_uint_fast64_t last;
	struct board_table *t = block_create(sizeof *t);
	if (!t)
		out_of_memory();
	t->number = 1 + atomic_fetch_add_explicit(&last, 1, memory_order_relaxed);
	t->heads = w->heads;
	t->owners = w->owners;
	memcpy(t->lines, w->lines, sizeof t->lines);
	t->blocks = w->blocks;
	for (int i = 0; i < 1 + 2 * w->blocks; i++)
		board_layer_pack(&w->layers[i], &t->layers[i]);
	return t;
}

void board_table_destroy(struct board_table *t)
{
	block_destroy(t, sizeof *t);
}

const struct board_table *board_net_open(const struct game *g, struct board_net *net)
{
	static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
	struct board_table *t = atomic_load_explicit(&net->table, memory_order_acquire);
	if (t)
		return t;
	pthread_mutex_lock(&opening);
	t = atomic_load_explicit(&net->table, memory_order_relaxed);
	if (!t) {
		const struct game *learned = net->game ? net->game : g;
		struct board_weights *w = board_net_read(learned, net->file);
		/* The file is part of the program or has been read before, so this is a mistake in a game's table. */
		if (!w) {
			fprintf(stderr, "yomi: the network is not one of %s, %s\n", learned->name,
				learned->rules);
			abort();
		}
		t = board_table_create(w);
		free(w);
		atomic_store_explicit(&net->table, t, memory_order_release);
	}
	pthread_mutex_unlock(&opening);
	return t;
}

const struct board_net *board_net_of(const struct game *g)
{
	return g->evaluator && g->evaluator->steps == board_net_steps ? g->evaluator->data : NULL;
}

void board_net_close(struct board_net *net)
{
	struct board_table *t = atomic_exchange(&net->table, NULL);
	if (t)
		board_table_destroy(t);
}

/* --- the evaluator --- */

void board_net_get_ready(const struct evaluator *e)
{
	board_net_open(e->game, e->data);
}

/* Black's expected result by the network's number for the side to move. */
static float board_net_result_of(const struct evaluator *e, const struct state *s, float number)
{
	if (e->game->network && e->game->network->surplus)
		number += e->game->network->surplus(e->game, s);
	return (float)side_sign(s->side) * evaluator_tanh(number);
}

static float board_net_evaluate_state(const struct evaluator *e, const struct state *s,
				      const move_t *steps, int count, float *preference)
{
	uint8_t seen[GAME_SQUARES_MAX] = { 0 };
	move_t codes[GAME_STEPS_MAX];
	board_net_look(e->game, s, seen);
	for (int i = 0; i < count; i++)
		codes[i] = board_net_step(e->game, s->side, steps[i]);
	return board_net_result_of(e, s,
				   board_net_evaluate(board_net_open(e->game, e->data), e->game,
						      KERNEL_AUTO, seen, codes, count, preference,
						      NULL));
}

void board_net_steps(const struct evaluator *e, const struct state *s, const move_t *steps,
		     int count, struct evaluation *out)
{
	const struct game *g = e->game;
	const struct board_table *t = board_net_open(g, e->data);
	uint64_t weights = (t->number * (GAME_SIDE_MAX + 1) + (uint64_t)g->board.rows) *
				   (GAME_SIDE_MAX + 1) +
			   (uint64_t)g->board.cols;
	uint64_t key = e->memo ? memo_key(weights, s, steps, count) : 0;
	if (e->memo && memo_recall(e->memo, key, count, out))
		return;
	out->value = board_net_evaluate_state(e, s, steps, count, out->priors);
	for (int i = 0; i < count; i++)
		out->values[i] = out->value;
	if (e->memo)
		memo_keep(e->memo, key, count, out);
}

float board_net_state(const struct evaluator *e, const struct state *s)
{
	return board_net_evaluate_state(e, s, NULL, 0, NULL);
}

/* The mean of what the network says of the board and of its mirror images. */
float board_net_owners(const struct evaluator *e, const struct state *s, int images,
		       double owners[GAME_SQUARES_MAX])
{
	const struct game *g = e->game;
	const struct board_table *t = board_net_open(g, e->data);
	uint8_t seen[GAME_SQUARES_MAX] = { 0 }, turned[GAME_SQUARES_MAX] = { 0 };
	float found[GAME_SQUARES_MAX] = { 0 };
	int squares = g->board.rows * g->board.cols, view = s->side == BLACK ? 0 : images_view(g);
	int place[GAME_SQUARES_MAX] = { 0 }, count = 0;
	float number = 0;
	board_net_look(g, s, seen);
	memset(owners, 0, (size_t)squares * sizeof *owners);
	for (int symmetry = 0; symmetry < 8 && count < images; symmetry++) {
		if (symmetry && !(images_symmetries(g) >> symmetry & 1))
			continue;
		count++;
		for (int i = 0; i < squares; i++) {
			int at = view ? images_mirror_square(g, i, view) : i;
			place[i] = symmetry ? images_mirror_square(g, at, symmetry) : at;
			turned[place[i]] = seen[at];
		}
		float seen_so = board_net_evaluate(t, g, KERNEL_AUTO, turned, NULL, 0, NULL, found);
		number = symmetry ? number : seen_so;
		for (int i = 0; i < squares; i++)
			owners[i] += (double)found[place[i]];
	}
	for (int i = 0; i < squares; i++)
		owners[i] *= (double)side_sign(s->side) / count;
	return board_net_result_of(e, s, number);
}

/* --- networks of users --- */

#define FILE_MAX (1 << 24) /* most bytes that are read of a file */

static const struct game *loaded_game; /* NULL: none */
static struct board_net loaded_net;
static const struct evaluator loaded = BOARD_NET_EVALUATOR(&loaded_net);

static void refuse_file(const char *path, char why[REASON_MAX])
{
	snprintf(why, REASON_MAX, "%s is not a network that yomi train has made, or it is damaged",
		 path);
}

/* Reads a file that has as many bytes as it says. The caller frees it. */
static char *board_net_read_bytes(const char *path, char why[REASON_MAX])
{
	struct text text = { 0 };
	FILE *f = fopen(path, "rb");
	if (!f) {
		snprintf(why, REASON_MAX, "cannot read %s: %s", path, strerror(errno));
		return NULL;
	}
	for (int c, n = 0; n < FILE_MAX && (c = getc(f)) != EOF; n++)
		text_putc(&text, (char)c);
	fclose(f);
	if (weights_are_whole(text.bytes, text.length))
		return text.bytes;
	refuse_file(path, why);
	text_free(&text);
	return NULL;
}

struct board_weights *board_net_read_file(const struct game *g, const char *path,
					  char why[REASON_MAX])
{
	char *file = board_net_read_bytes(path, why);
	struct board_weights *w = file ? board_net_read(g, file) : NULL;
	if (file && !w)
		snprintf(why, REASON_MAX, "%s is not a network of %s, or it is damaged", path,
			 g->name);
	free(file);
	return w;
}

bool board_net_load(const char *path, const struct game *const *games, char why[REASON_MAX])
{
	char *file = board_net_read_bytes(path, why);
	if (!file)
		return false;
	loaded_game = NULL;
	for (int i = 0; games[i] && !loaded_game; i++) {
		int ways;
		struct board_weights *w = board_net_fits(games[i], &ways)
						  ? board_net_read(games[i], file)
						  : NULL;
		loaded_game = w ? games[i] : NULL;
		free(w);
	}
	if (!loaded_game) {
		refuse_file(path, why);
		free(file);
		return false;
	}
	loaded_net.file = file;
	return true;
}

const struct evaluator *board_net_loaded(const struct game *g)
{
	return loaded_game && strcmp(loaded_game->name, g->name) == 0 &&
			       strcmp(loaded_game->rules, g->rules) == 0
		       ? &loaded
		       : NULL;
}
