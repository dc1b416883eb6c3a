/* SPDX-License-Identifier: MIT */
#include "protocol/program/certificate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/rules/images.h"
#include "protocol/program/arguments.h"
#include "protocol/records/file.h"
#include "protocol/session/size.h"

#define MAGIC     "yomi-certificate 1"
#define LEVEL     9 /* of zstd */
#define LINE_ROOM 512

/* The least results that a claim can have, by its points. */
static const char *const results[] = { "draw", "win" };

/* --- entries --- */

void certificate_init(struct certificate *c, const struct game *g, const struct state *start)
{
	*c = (struct certificate) { .game = g };
	if (start)
		c->start = *start;
}

void certificate_free(struct certificate *c)
{
	for (int i = 0; i < c->count; i++)
		free(c->claims[i].entries);
}

struct certificate_claim *certificate_add(struct certificate *c, int side, int points)
{
	struct certificate_claim *claim = &c->claims[c->count++];
	*claim = (struct certificate_claim) { .side = side, .points = points };
	return claim;
}

/* Maps a move by a symmetry. */
static struct move certificate_mirror(const struct game *g, struct move move, int symmetry)
{
	for (int i = 0; symmetry && i < move_steps(move); i++)
		move.step[i] = g->images->mirror(g, move.step[i], symmetry);
	return move;
}

struct certificate_entry certificate_entry(const struct game *g, const struct state *s,
					   struct move move)
{
	int symmetry;
	struct certificate_entry e = { .key = book_key(g, s, &symmetry) };
	e.move = certificate_mirror(g, move, symmetry);
	return e;
}

/* Sets up a position by its stones. Returns false if the rules refuse it. */
static bool certificate_set_up(const struct game *g, const struct book_entry *key, struct state *s)
{
	char squares[IMAGES_SQUARES + 1] = "";
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		squares[i] = key->stones[BLACK] >> i & 1   ? 'X'
			     : key->stones[WHITE] >> i & 1 ? 'O'
							   : '.';
	return g->setup(g, s, squares, key->side) == NULL;
}

void certificate_state(const struct game *g, const struct book_entry *key, struct state *s)
{
	if (!certificate_set_up(g, key, s))
		abort(); /* the key is not of a position */
}

void certificate_append(struct certificate_claim *c, const struct certificate_entry *e)
{
	c->entries = xgrow(c->entries, c->count, sizeof *c->entries);
	c->entries[c->count++] = *e;
}

static int certificate_compare(const void *a, const void *b)
{
	const struct certificate_entry *x = a, *y = b;
	int order = book_compare(&x->key, &y->key);
	return order ? order : memcmp(&x->move, &y->move, sizeof x->move);
}

/* Each of several moves of a position keeps the claim, because its entries are complete. Any one does. */
void certificate_sort(struct certificate_claim *c)
{
	size_t kept = 0;
	if (c->count)
		qsort(c->entries, c->count, sizeof *c->entries, certificate_compare);
	for (size_t i = 0; i < c->count; i++)
		if (!kept || book_compare(&c->entries[kept - 1].key, &c->entries[i].key) != 0)
			c->entries[kept++] = c->entries[i];
	c->count = kept;
}

bool certificate_find(const struct game *g, const struct certificate_claim *c,
		      const struct state *s, struct move *move)
{
	int symmetry;
	struct book_entry key = book_key(g, s, &symmetry);
	size_t low = 0, high = c->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (book_compare(&c->entries[middle].key, &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == c->count || book_compare(&c->entries[low].key, &key) != 0)
		return false;
	*move = certificate_mirror(g, c->entries[low].move, book_inverse(symmetry));
	return true;
}

/* --- writing --- */

struct certificate_writer {
	struct certificate *certificate;
	FILE *out;
	ZSTD_CCtx *context;
	size_t length;
	char text[1 << 16], packed[1 << 16];
	bool good;
};

/* Packs the text so far and writes it. */
static void flush(struct certificate_writer *w, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = { w->text, w->length, 0 };
	size_t left = 1;
	while (w->good && (in.pos < in.size || (end == ZSTD_e_end && left))) {
		ZSTD_outBuffer out = { w->packed, sizeof w->packed, 0 };
		left = ZSTD_compressStream2(w->context, &out, &in, end);
		w->good = !ZSTD_isError(left) && fwrite(w->packed, 1, out.pos, w->out) == out.pos;
	}
	w->length = 0;
}

__attribute__((format(PRINTF, 2, 3))) static void certificate_put(struct certificate_writer *w,
								  const char *format, ...)
{
	va_list args;
	if (w->length + LINE_ROOM > sizeof w->text)
		flush(w, ZSTD_e_continue);
	va_start(args, format);
	w->length += (size_t)vsnprintf(w->text + w->length, LINE_ROOM, format, args);
	va_end(args);
}

static void put_claim(struct certificate_writer *w, const struct certificate_claim *claim)
{
	const struct game *g = w->certificate->game;
	certificate_put(w, "claim %c %s\n", claim->side == BLACK ? 'X' : 'O',
			results[claim->points]);
	for (size_t i = 0; i < claim->count && w->good; i++) {
		char position[POSITION_TEXT_MAX], move[MOVE_TEXT_MAX];
		struct state s;
		certificate_state(g, &claim->entries[i].key, &s);
		game_position(g, &s, position);
		game_format(g, &s, claim->entries[i].move, move);
		certificate_put(w, "%s %s\n", position, move);
	}
	certificate_put(w, "end %zu\n", claim->count);
}

static bool certificate_print(FILE *out, void *arg)
{
	struct certificate *c = arg;
	struct certificate_writer *w = xcalloc(1, sizeof *w);
	char position[POSITION_TEXT_MAX], size[SIZE_TEXT_MAX];
	w->certificate = c;
	w->out = out;
	w->context = ZSTD_createCCtx();
	if (!w->context)
		out_of_memory();
	w->good = !ZSTD_isError(
			  ZSTD_CCtx_setParameter(w->context, ZSTD_c_compressionLevel, LEVEL)) &&
		  !ZSTD_isError(ZSTD_CCtx_setParameter(w->context, ZSTD_c_checksumFlag, 1));
	game_position(c->game, &c->start, position);
	size_format(c->game, size);
	certificate_put(w, MAGIC "\ngame %s\nrules %s\nsize %s\nposition %s\n", c->game->name,
			c->game->rules, size, position);
	for (int i = 0; i < c->count; i++)
		put_claim(w, &c->claims[i]);
	flush(w, ZSTD_e_end);
	bool good = w->good;
	ZSTD_freeCCtx(w->context);
	free(w);
	return good;
}

bool certificate_write(const char *path, struct certificate *c, char why[REASON_MAX])
{
	return file_replace(path, certificate_print, c, why);
}

/* --- reading --- */

struct certificate_reader {
	struct certificate *certificate;
	FILE *in;
	ZSTD_DCtx *context;
	ZSTD_inBuffer packed;
	size_t length, at;         /* of the text, and what is read of it */
	size_t missing;            /* 0 at the end of a frame */
	size_t max, used;          /* bytes of memory */
	unsigned long long number; /* of the line, from 1 */
	const char *reason;        /* why the file is refused, or NULL */
	char line[LINE_ROOM], text[1 << 16], bytes[1 << 16];
};

/* Unpacks more text. Returns false at the end and on error. */
static bool certificate_fill(struct certificate_reader *r)
{
	ZSTD_outBuffer out = { r->text, sizeof r->text, 0 };
	bool ends = false;
	while (out.pos == 0 && !ends && !r->reason) {
		if (r->packed.pos == r->packed.size) {
			r->packed.size = fread(r->bytes, 1, sizeof r->bytes, r->in);
			r->packed.pos = 0;
			ends = r->packed.size == 0;
		}
		if (ends && !r->missing)
			break;
		r->missing = ZSTD_decompressStream(r->context, &out, &r->packed);
		if (ZSTD_isError(r->missing) || (ends && out.pos == 0 && r->missing))
			r->reason = "its compressed data is damaged or cut off";
	}
	if (ferror(r->in))
		r->reason = strerror(errno);
	r->length = out.pos;
	r->at = 0;
	return out.pos && !r->reason;
}

/* Reads a line without its newline. Returns false at the end and on error. */
static bool next_line(struct certificate_reader *r)
{
	size_t n = 0;
	if (r->reason)
		return false;
	r->number++;
	for (;;) {
		if (r->at == r->length && !certificate_fill(r)) {
			if (n && !r->reason)
				r->reason = "its last line is cut off";
			return false;
		}
		char c = r->text[r->at++];
		if (c == '\n')
			break;
		if (n == sizeof r->line - 1 || !c) {
			r->reason = "a line is too long";
			return false;
		}
		r->line[n++] = c;
	}
	r->line[n] = '\0';
	return true;
}

/* Reads a line that begins with a word. Returns what follows, NULL if it is another line. */
static char *certificate_take(struct certificate_reader *r, const char *word)
{
	size_t n = strlen(word);
	if (next_line(r) && strncmp(r->line, word, n) == 0 && r->line[n] == ' ')
		return r->line + n + 1;
	if (!r->reason)
		r->reason = "it is not a certificate of this version";
	return NULL;
}

/* Reads a position and cuts it off the text. Returns what follows, NULL if there is no position. */
static char *certificate_take_position(struct certificate_reader *r, char *text, struct state *s)
{
	const struct game *g = r->certificate->game;
	char *squares = text_cut(&text, " "), *side = text_cut(&text, " ");
	if (side && game_setup(g, s, squares, side) == NULL)
		return text ? text : "";
	r->reason = "there is a malformed position";
	return NULL;
}

static void take_header(struct certificate_reader *r)
{
	char name[LINE_ROOM], rules[LINE_ROOM], *size, *rest, why[COMPLAINT_MAX];
	struct certificate *c = r->certificate;
	if (!next_line(r) || strcmp(r->line, MAGIC) != 0) {
		r->reason = r->reason ? r->reason : "it is not a certificate of this version";
		return;
	}
	if (!(rest = certificate_take(r, "game")))
		return;
	snprintf(name, sizeof name, "%s", rest);
	if (!(rest = certificate_take(r, "rules")))
		return;
	snprintf(rules, sizeof rules, "%s", rest);
	if (!(size = certificate_take(r, "size")))
		return;
	c->game = arguments_game(name, rules, size, why);
	if (!c->game || !images_have_stones(c->game) || game_repeats(c->game))
		r->reason = "it is about a game, rules or a size that cannot be verified here";
	else if ((rest = certificate_take(r, "position")) &&
		 (rest = certificate_take_position(r, rest, &c->start)) && *rest)
		r->reason = "there is text after a position";
}

/* Reads a line of a claim. Positions must come in their order, so that each comes once. */
static void certificate_take_entry(struct certificate_reader *r, struct certificate_claim *claim)
{
	const struct game *g = r->certificate->game;
	struct state s;
	struct move move;
	char *text = certificate_take_position(r, r->line, &s);
	if (!text)
		return;
	if (s.over || s.side != claim->side || game_parse(g, &s, text, &move) != MOVE_OK) {
		r->reason = "there is no legal move after a position";
		return;
	}
	struct certificate_entry e = certificate_entry(g, &s, move);
	if (claim->count && book_compare(&claim->entries[claim->count - 1].key, &e.key) >= 0)
		r->reason = "its positions are not in order";
	else if (r->used + 2 * sizeof e > r->max)
		r->reason = "it needs more memory; raise --memory";
	else
		certificate_append(claim, &e);
	r->used += 2 * sizeof e; /* the array may have twice the room */
}

/* Reads a claim whose first line is in r->line. */
static void take_claim(struct certificate_reader *r)
{
	struct certificate *c = r->certificate;
	char text[sizeof r->line];
	for (int i = 0; i < 4; i++) {
		int side = i / 2, points = i % 2;
		snprintf(text, sizeof text, "claim %c %s", side == BLACK ? 'X' : 'O',
			 results[points]);
		if (strcmp(r->line, text) != 0 || c->count == 2 ||
		    (c->count && (c->claims[0].side == side || c->claims[0].points || points)))
			continue;
		struct certificate_claim *claim = certificate_add(c, side, points);
		while (next_line(r) && strncmp(r->line, "end ", 4) != 0)
			certificate_take_entry(r, claim);
		snprintf(text, sizeof text, "end %zu", claim->count);
		if (!r->reason && strcmp(r->line, text) != 0)
			r->reason = "its end is missing, or lines are";
		return;
	}
	r->reason = "there is a malformed claim";
}

static void read_all(struct certificate_reader *r)
{
	take_header(r);
	while (!r->reason && next_line(r))
		take_claim(r);
	if (!r->reason && r->certificate->count == 0)
		r->reason = "it claims nothing";
}

bool certificate_read(const char *path, size_t max, struct certificate *c, char why[REASON_MAX])
{
	struct certificate_reader *r = xcalloc(1, sizeof *r);
	struct disk_file about;
	certificate_init(c, NULL, NULL);
	r->certificate = c;
	r->max = max;
	r->packed.src = r->bytes;
	r->context = ZSTD_createDCtx();
	r->in = disk_read(path, &about, &r->reason);
	if (!r->context)
		out_of_memory();
	if (r->in)
		read_all(r);
	if (r->reason && r->number)
		snprintf(why, REASON_MAX, "cannot read %.60s: line %llu: %s", path, r->number,
			 r->reason);
	else if (r->reason)
		snprintf(why, REASON_MAX, "cannot read %.60s: %s", path, r->reason);
	bool good = !r->reason;
	if (r->in)
		fclose(r->in);
	ZSTD_freeDCtx(r->context);
	free(r);
	return good;
}

/* --- checking --- */

struct certificate_check {
	const struct certificate *certificate;
	const struct certificate_claim *claim;
	struct state missing; /* the position without a move */
};

int certificate_tried(const struct game *g)
{
	return g->steps.frees_squares ? -1 : 7;
}

static bool certificate_advise(void *arg, const struct state *s, struct move *move)
{
	struct certificate_check *check = arg;
	check->missing = *s;
	return certificate_find(check->certificate->game, check->claim, s, move);
}

enum verdict certificate_check(const struct certificate *c, int claim, size_t bytes,
			       struct control *control, uint64_t *positions, struct state *hole)
{
	struct certificate_check check = { c, &c->claims[claim], c->start };
	struct verifier *v = verifier_create(c->game, check.claim->side, check.claim->points,
					     certificate_tried(c->game), bytes, certificate_advise,
					     &check);
	*hole = c->start;
	*positions = 0;
	if (!v)
		return UNFINISHED;
	enum verdict verdict = verifier_check(v, &c->start, control);
	*positions = verifier_positions(v);
	*hole = verdict == HOLE ? *verifier_hole(v) : check.missing;
	verifier_destroy(v);
	return verdict;
}
