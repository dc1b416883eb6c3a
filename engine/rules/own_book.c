/* SPDX-License-Identifier: MIT */
#include "engine/rules/own_book.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "engine/base/text.h"
#include "engine/rules/book.h"
#include "engine/rules/images.h"
#include "engine/rules/komi.h"
#include "engine/rules/swap.h"

/* A position, equal in all symmetries, and the games that reached it. */
struct own_book_entry {
	uint64_t board[2];
	uint8_t side;
	struct own_games games;
};

struct own_book {
	char *folder;            /* NULL: there is none */
	const struct game *game; /* whose file was read last, or NULL */
	bool is_good;
	char why[REASON_MAX];           /* unless is_good */
	struct disk_file seen;          /* the file, when it was read */
	struct own_book_entry *entries; /* sorted, each position once */
	size_t count, room;
};

/* --- results --- */

#define POINTS_MAX 1e6 /* no game has more, and sums stay exact */

struct own_result own_result_read(const char *text)
{
	struct own_result r = { .score = NAN };
	char *end;
	text += strspn(text, " ");
	int sign = strchr("Bb", *text) && *text ? 1 : strchr("Ww", *text) && *text ? -1 : 0;
	if (sign && text[1] == '+') {
		double points = strtod(text + 2, &end);
		bool is_number = end != text + 2 && !*end;
		r.known = !is_number || !(points <= 0); /* nobody wins by less than nothing */
		r.sign = r.known ? sign : 0;
		if (is_number && points > 0 && points <= POINTS_MAX)
			r.score = sign * points;
	} else if (strcasecmp(text, "draw") == 0 || strcmp(text, "0") == 0) {
		r.known = true;
		r.score = 0;
	} else if (strchr("+-", *text) && *text) {
		r.score = strtod(text, &end);
		r.known = end != text && !*end && fabs(r.score) <= POINTS_MAX;
		r.sign = r.known ? (r.score > 0) - (r.score < 0) : 0;
		r.score = r.known ? r.score : NAN;
	}
	return r;
}

/* Returns true if a text is a result as files have it. */
static bool is_result(const char *text)
{
	struct own_result r = own_result_read(text);
	return !isnan(r.score) || strcmp(text, "B+") == 0 || strcmp(text, "W+") == 0 ||
	       strcmp(text, "?") == 0;
}

double own_games_mean(const struct own_games *g)
{
	return g->count ? (double)(g->black - g->white) / g->count : 0;
}

/* --- lines --- */

bool own_book_is_line(const char *line)
{
	return *line != '#' && line[strspn(line, " \t\r\n")];
}

bool own_book_read_line(struct record *r, const char *line, struct own_result *result,
			char why[REASON_MAX])
{
	const char *tab = strchr(line, '\t');
	char word[MOVE_TEXT_MAX], end[32];
	record_restart(r, r->game);
	if (!tab) {
		snprintf(why, REASON_MAX, "a tab and the result are missing");
		return false;
	}
	for (const char *at = line; at < tab; at += strspn(at, " ")) {
		int length = (int)strcspn(at, " \t");
		snprintf(word, sizeof word, "%.*s", length, at);
		if (length >= MOVE_TEXT_MAX || r->now.over ||
		    !move_check_follows(record_follow_text(r, r->now.side, word))) {
			snprintf(why, REASON_MAX, "move %d, %.24s, is not legal", r->count + 1,
				 word);
			return false;
		}
		at += length;
	}
	snprintf(end, sizeof end, "%.*s", (int)strcspn(tab + 1, "\r\n"), tab + 1);
	if (!r->count || !is_result(end)) {
		snprintf(why, REASON_MAX,
			 r->count ? "the result is not B+4, W+4, B+, W+, 0 or ?"
				  : "there is no move");
		return false;
	}
	*result = own_result_read(end);
	if (r->game->score.unit &&
	    fabs(result->score) > game_points(r->game, r->game->score.most)) {
		snprintf(why, REASON_MAX, "nobody can win by so much");
		return false;
	}
	return true;
}

/* --- the index --- */

/* Komi and whether White may swap make no other position. */
static struct own_book_entry own_book_entry_of(const struct game *g, struct state s)
{
	int symmetry;
	if (g->komi)
		g->komi->set(g, &s, 0);
	if (g->swap)
		g->swap->allow(g, &s, true);
	struct own_book_entry e = { .board = { s.board[0], s.board[1] }, .side = s.side };
	if (images_have_stones(g)) {
		struct book_entry key = book_key(g, &s, &symmetry);
		e.board[0] = key.stones[0];
		e.board[1] = key.stones[1];
	}
	return e;
}

static int own_book_compare(const void *a, const void *b)
{
	const struct own_book_entry *x = a, *y = b;
	for (int i = 0; i < 2; i++)
		if (x->board[i] != y->board[i])
			return x->board[i] < y->board[i] ? -1 : 1;
	return (x->side > y->side) - (x->side < y->side);
}

static void own_book_add_games(struct own_games *to, const struct own_games *from)
{
	to->count += from->count;
	to->black += from->black;
	to->white += from->white;
	to->draws += from->draws;
	to->scored += from->scored;
	to->score += from->score;
}

/* Sorts the entries and joins those of one position. */
static void join_entries(struct own_book *b)
{
	size_t kept = 0;
	if (b->count)
		qsort(b->entries, b->count, sizeof *b->entries, own_book_compare);
	for (size_t i = 0; i < b->count; i++) {
		if (kept && own_book_compare(&b->entries[kept - 1], &b->entries[i]) == 0)
			own_book_add_games(&b->entries[kept - 1].games, &b->entries[i].games);
		else
			b->entries[kept++] = b->entries[i];
	}
	b->count = kept;
}

/* Makes room for the positions of one more game. Most games share their first positions, so these are joined before the array
 * grows. */
static void own_book_make_room(struct own_book *b)
{
	if (b->count + OWN_BOOK_DEPTH < b->room)
		return;
	join_entries(b);
	if (b->count >= b->room / 2) {
		b->room = b->room ? 2 * b->room : 1024;
		b->entries = xrealloc(b->entries, b->room * sizeof *b->entries);
	}
}

/* Adds the positions of a game. A position that occurs again in it counts once. */
static void own_book_add_line(struct own_book *b, const struct record *r,
			      const struct own_result *result)
{
	const struct own_games games = {
		.count = 1,
		.black = result->known && result->sign > 0,
		.white = result->known && result->sign < 0,
		.draws = result->known && !result->sign,
		.scored = !isnan(result->score),
		.score = isnan(result->score) ? 0 : result->score,
	};
	struct state s = r->start;
	own_book_make_room(b);
	size_t first = b->count;
	for (int i = 0; i <= r->count && i <= OWN_BOOK_DEPTH; i++) {
		struct own_book_entry e = own_book_entry_of(r->game, s);
		bool is_new = true;
		for (size_t k = first; k < b->count && is_new; k++)
			is_new = own_book_compare(&b->entries[k], &e) != 0;
		e.games = games;
		if (is_new)
			b->entries[b->count++] = e;
		if (i < r->count)
			record_replay(r, i, &s);
	}
}

/* --- files --- */

char *own_book_path(const char *folder, const struct game *g)
{
	return xasprintf("%s/%s-%s-%dx%d.lines", folder, g->name, g->rules, g->board.cols,
			 g->board.rows);
}

struct own_book *own_book_create(const char *folder)
{
	struct own_book *b = xcalloc(1, sizeof *b);
	b->folder = folder ? xstrdup(folder) : system_folder(SYSTEM_DATA);
	return b;
}

void own_book_destroy(struct own_book *b)
{
	if (!b)
		return;
	free(b->folder);
	free(b->entries);
	free(b);
}

static bool own_book_refuse(struct own_book *b, const char *path, const char *reason)
{
	snprintf(b->why, REASON_MAX, "%.80s: %.70s", path, reason);
	return false;
}

/* Reads the lines of a file. */
static bool own_book_read_lines(struct own_book *b, FILE *f, const char *path)
{
	struct record record;
	struct own_result result;
	struct text text = { 0 };
	char why[REASON_MAX], where[REASON_MAX + 24];
	bool good = true;
	record_init(&record, b->game);
	for (int number = 1; good && text_read_line(&text, f); number++) {
		const char *line = text.bytes;
		good = strlen(line) == text.length;
		if (good && !own_book_is_line(line))
			continue;
		if (good)
			good = own_book_read_line(&record, line, &result, why);
		else
			snprintf(why, sizeof why, "it has a NUL byte");
		if (good)
			own_book_add_line(b, &record, &result);
		else {
			snprintf(where, sizeof where, "line %d: %s", number, why);
			own_book_refuse(b, path, where);
		}
	}
	if (good && ferror(f))
		good = own_book_refuse(b, path, strerror(errno));
	text_free(&text);
	record_free(&record);
	return good;
}

static bool own_book_read_file(struct own_book *b, const char *path)
{
	const char *reason;
	FILE *f = disk_read(path, &b->seen, &reason);
	if (!f)
		return own_book_refuse(b, path, reason);
	bool good = own_book_read_lines(b, f, path);
	fclose(f);
	return good;
}

/* Returns true if a file is the one that was read. Missing files are equal. */
static bool own_book_is_seen(const struct own_book *b, const struct disk_file *now)
{
	return b->seen.number == now->number && b->seen.size == now->size &&
	       b->seen.written == now->written &&
	       b->seen.changed == now->changed; /* it may be readable now */
}

bool own_book_load(struct own_book *b, const struct game *g, char why[REASON_MAX])
{
	struct disk_file now = { 0 };
	if (!b)
		return true;
	char *path = b->folder ? own_book_path(b->folder, g) : NULL;
	bool is_missing = !path ||
			  (!disk_look(path, &now) && (errno == ENOENT || errno == ENOTDIR));
	if (b->game != g || !own_book_is_seen(b, &now)) {
		b->game = g;
		b->count = 0;
		b->seen = now;
		b->is_good = is_missing || own_book_read_file(b, path);
		if (!b->is_good)
			b->count = 0;
		join_entries(b);
	}
	free(path);
	if (!b->is_good)
		memcpy(why, b->why, REASON_MAX);
	return b->is_good;
}

bool own_book_find(const struct own_book *b, const struct game *g, const struct state *s,
		   struct own_games *games)
{
	const struct own_book_entry *found = NULL;
	if (b && b->game == g && b->count) {
		struct own_book_entry wanted = own_book_entry_of(g, *s);
		found = bsearch(&wanted, b->entries, b->count, sizeof *b->entries,
				own_book_compare);
	}
	*games = found ? found->games : (struct own_games) { 0 };
	return found;
}
