/* SPDX-License-Identifier: MIT
 *
 * One file has a lock for each game, which ends with the process. So a game of a terminal that was killed is free at once, and
 * renaming a new version over a game's file keeps the lock.
 */
#include "protocol/terminal/kept.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "games/games.h"
#include "protocol/records/file.h"
#include "protocol/records/sgf.h"

#define TAKEN_BACK_MAX 4 /* a record that has lost more entries at once is another game */
#define FILE_MAX       ((size_t)1 << 20)
#define SUFFIX         ".sgf"
#define RESIGNED       "+R"
#define YOMI           "yomi"
#define LEVEL          "LEVEL" /* private properties */
#define TIME           "TIME"

/* Properties that name the players, by side. */
static const char *const players[] = { "PB", "PW" };

struct kept_games {
	char *folder;          /* NULL: no game is kept */
	FILE *lock;            /* the file with the locks, or NULL */
	int number;            /* of the terminal's game; 0: it has none yet */
	struct record written; /* the game as it is in a file, if has_written */
	bool has_written;
	bool is_resigned; /* a side has resigned the written game */
	struct kept_terms terms;
	uint64_t told; /* the position at which the user was told that the game is in no file */
	char problem[REASON_MAX]; /* why nothing is written, or why the last attempt failed */
};

/* --- folders --- */

/* Creates a folder and those above it, for this user alone. */
static void kept_make_folder(char *path)
{
	for (char *end = path + 1; *end; end++) {
		char slash = *end;
		if (slash != '/')
			continue;
		*end = '\0';
		disk_make_folder(path, true);
		*end = slash;
	}
	disk_make_folder(path, true);
}

char *kept_folder(void)
{
	char *folder = system_folder(SYSTEM_STATE);
	if (folder)
		kept_make_folder(folder);
	return folder;
}

struct kept_games *kept_open(void)
{
	struct kept_games *k = xcalloc(1, sizeof *k);
	char *state = kept_folder(), *path;
	k->terms.yomi = KEPT_NOBODY;
	if (!state) {
		strcpy(k->problem, "there is no folder for it");
		return k;
	}
	k->folder = xasprintf("%s/games", state);
	disk_make_folder(k->folder, true);
	path = xasprintf("%s/lock", k->folder);
	k->lock = disk_open(path, "a+");
	if (!k->lock) {
		snprintf(k->problem, sizeof k->problem, "cannot write %.80s: %.50s", path,
			 strerror(errno));
		free(k->folder);
		k->folder = NULL;
	}
	free(path);
	free(state);
	return k;
}

static void kept_forget(struct kept_games *k)
{
	if (k->has_written)
		record_free(&k->written);
	k->has_written = k->is_resigned = false;
}

void kept_close(struct kept_games *k)
{
	kept_forget(k);
	if (k->lock)
		fclose(k->lock);
	free(k->folder);
	free(k);
}

/* --- numbers and locks --- */

static char *kept_path(const struct kept_games *k, int number)
{
	return xasprintf("%s/%d" SUFFIX, k->folder, number);
}

static bool kept_exists(const struct kept_games *k, int number)
{
	struct disk_file file;
	char *path = kept_path(k, number);
	bool exists = disk_look(path, &file);
	free(path);
	return exists;
}

struct kept_file {
	int number;
	int64_t written; /* nanoseconds since 1970 */
};

/* Compares files: the last written first. */
static int kept_compare(const void *a, const void *b)
{
	const struct kept_file *x = a, *y = b;
	if (x->written != y->written)
		return x->written < y->written ? 1 : -1;
	return y->number - x->number;
}

struct kept_found {
	const struct kept_games *games;
	struct kept_file *files;
	int count;
};

/* Adds what is in the folder if it is a game's file. */
static void kept_add_file(void *arg, const char *name)
{
	struct kept_found *l = arg;
	struct disk_file file;
	char *end;
	long number = strtol(name, &end, 10);
	if (number < 1 || number >= INT_MAX || strcmp(end, SUFFIX) != 0)
		return;
	char *path = kept_path(l->games, (int)number);
	if (disk_look(path, &file)) {
		l->files = xgrow(l->files, (size_t)l->count, sizeof *l->files);
		l->files[l->count++] = (struct kept_file) { (int)number, file.written };
	}
	free(path);
}

/* Finds all files of games, the last written first. Returns their number; the caller frees them. */
static int kept_files(const struct kept_games *k, struct kept_file **files)
{
	struct kept_found l = { .games = k };
	if (k->folder)
		disk_list(k->folder, kept_add_file, &l);
	if (l.count)
		qsort(l.files, (size_t)l.count, sizeof *l.files, kept_compare);
	*files = l.files;
	return l.count;
}

/* Takes a number above all others, and removes the oldest games if there are too many. */
static void kept_begin(struct kept_games *k)
{
	struct kept_file *files;
	int count = kept_files(k, &files), number = 1;
	for (int i = 0; i < count; i++) {
		if (files[i].number >= number)
			number = files[i].number + 1;
		if (i < KEPT_MAX - 1 || disk_is_part_locked(k->lock, files[i].number))
			continue;
		char *path = kept_path(k, files[i].number);
		remove(path);
		free(path);
	}
	free(files);
	/* Another terminal may have taken the number meanwhile. */
	while (!disk_lock_part(k->lock, number) || kept_exists(k, number))
		disk_unlock_part(k->lock, number++);
	k->number = number;
}

void kept_leave(struct kept_games *k)
{
	if (k->number)
		disk_unlock_part(k->lock, k->number);
	k->number = 0;
	kept_forget(k);
}

/* --- writing --- */

/* Returns true if a record is the written game, perhaps with more moves or without its last few. */
static bool kept_is_same(const struct kept_games *k, const struct record *r)
{
	const struct record *w = &k->written;
	return k->has_written && w->count - r->count <= TAKEN_BACK_MAX &&
	       (record_begins_with(r, w) || record_begins_with(w, r));
}

/* Returns true if all of a record is in a file, with its komi and rules. */
static bool kept_is_written(const struct kept_games *k, const struct record *r)
{
	return kept_is_same(k, r) && k->written.count == r->count && k->written.game == r->game &&
	       state_equal(&k->written.start, &r->start);
}

/* Notes that a record is in a file. */
static void kept_note(struct kept_games *k, const struct record *r)
{
	kept_forget(k);
	record_init(&k->written, r->game);
	record_copy(&k->written, r);
	k->has_written = true;
}

/* Writes the record to the file of the game. `result`: of a game that was resigned; else NULL. */
static void kept_print(struct kept_games *k, const struct record *r, const char *result)
{
	struct sgf_property properties[4];
	char *path = kept_path(k, k->number);
	int count = 0;
	struct text text = { 0 };
	if (k->terms.yomi != KEPT_NOBODY)
		properties[count++] = (struct sgf_property) { players[k->terms.yomi], YOMI };
	if (*k->terms.level)
		properties[count++] = (struct sgf_property) { LEVEL, k->terms.level };
	if (*k->terms.time)
		properties[count++] = (struct sgf_property) { TIME, k->terms.time };
	if (result)
		properties[count++] = (struct sgf_property) { "RE", result };
	sgf_print_with(&text, r, properties, count, NULL);
	if (file_save_text(path, text.bytes, k->problem))
		kept_note(k, r);
	text_free(&text);
	free(path);
}

static bool kept_terms_equal(const struct kept_terms *a, const struct kept_terms *b)
{
	return a->yomi == b->yomi && strcmp(a->level, b->level) == 0 &&
	       strcmp(a->time, b->time) == 0;
}

void kept_write(struct kept_games *k, const struct record *r, const struct kept_terms *terms)
{
	bool has_changed = !kept_terms_equal(&k->terms, terms) && !k->is_resigned;
	k->terms = *terms;
	if (k->has_written && (!r->count || !kept_is_same(k, r)))
		kept_leave(k);
	if (!k->folder || !r->count || (kept_is_written(k, r) && !has_changed))
		return;
	if (!k->number)
		kept_begin(k);
	kept_print(k, r, NULL);
}

void kept_resign(struct kept_games *k, const struct record *r, int side)
{
	const struct kept_terms terms = k->terms;
	kept_write(k, r, &terms);
	if (k->number)
		kept_print(k, r,
			   side == KEPT_NOBODY ? NULL
			   : side == BLACK     ? "W" RESIGNED
					       : "B" RESIGNED);
	k->is_resigned = side != KEPT_NOBODY && kept_is_written(k, r);
}

void kept_release(struct kept_games *k, const struct record *r)
{
	if (!kept_is_written(k, r))
		kept_note(k, r);
}

bool kept_may_leave(struct kept_games *k, const struct record *r, char why[REASON_MAX])
{
	if (!r->count || kept_is_written(k, r) || k->told == r->now.hash)
		return true;
	k->told = r->now.hash;
	snprintf(why, REASON_MAX, "this game is in no file: %.100s; type save FILE, or leave again",
		 k->problem);
	return false;
}

bool kept_waits(const struct kept_games *k, const struct record *r)
{
	return r->count && !r->now.over && !k->is_resigned && kept_is_written(k, r);
}

/* --- reading --- */

/* A kept game while its properties are read. */
struct kept_reading {
	struct record record;
	int resigned; /* the side, or KEPT_NOBODY */
	struct kept_terms terms;
};

static void kept_take_property(void *arg, int moves, const char *name, const char *value)
{
	struct kept_reading *reading = arg;
	if (strcmp(name, "RE") == 0 && *value && strcmp(value + 1, RESIGNED) == 0)
		reading->resigned = *value == 'W' ? BLACK : WHITE;
	if (strcmp(name, LEVEL) == 0)
		snprintf(reading->terms.level, OPTION_TEXT_MAX, "%s", value);
	if (strcmp(name, TIME) == 0)
		snprintf(reading->terms.time, OPTION_TEXT_MAX, "%s", value);
	for (int side = BLACK; side <= WHITE; side++)
		if (strcmp(name, players[side]) == 0 && strcmp(value, YOMI) == 0)
			reading->terms.yomi = side;
}

/* Returns true if the text of a file ends as yomi writes it. */
static bool kept_is_whole(const char *text)
{
	size_t n = strlen(text);
	while (n && strchr(" \r\n", text[n - 1]))
		n--;
	return n && text[n - 1] == ')';
}

/* Reads a kept game. `record` of the reading must be initialized. Returns false with the reason in `why` on failure. */
static bool kept_read(const struct kept_games *k, int number, struct kept_reading *reading,
		      char why[REASON_MAX])
{
	char *path = kept_path(k, number), *text = file_read(path, FILE_MAX, why);
	free(path);
	reading->resigned = KEPT_NOBODY;
	reading->terms = (struct kept_terms) { .yomi = KEPT_NOBODY };
	/* yomi has written the file to its end; the reader of SGF would guess the rest. */
	bool is_cut = text && !kept_is_whole(text);
	if (is_cut)
		snprintf(why, REASON_MAX, "the file of game %d is damaged", number);
	bool done = text && !is_cut &&
		    sgf_parse_with(&reading->record, NULL, text, kept_take_property, reading, why);
	free(text);
	return done;
}

/* Finds kept games as kept_list() does, or only those that are not finished. */
static int kept_find(const struct kept_games *k, struct kept_game *list, int max, bool is_open)
{
	char why[REASON_MAX];
	struct kept_file *files;
	struct kept_reading reading;
	int count = kept_files(k, &files), found = 0;
	record_init(&reading.record, games[0]);
	for (int i = 0; i < count && found < max; i++) {
		int number = files[i].number;
		if (number == k->number || disk_is_part_locked(k->lock, number) ||
		    !kept_read(k, number, &reading, why))
			continue;
		list[found] = (struct kept_game) {
			.number = number,
			.game = reading.record.game,
			.moves = reading.record.count,
			.is_over = reading.record.now.over || reading.resigned != KEPT_NOBODY,
			.written = (time_t)(files[i].written / 1000000000),
		};
		found += !is_open || !list[found].is_over;
	}
	record_free(&reading.record);
	free(files);
	return found;
}

int kept_list(const struct kept_games *k, struct kept_game *list, int max)
{
	return kept_find(k, list, max, false);
}

bool kept_last(const struct kept_games *k, struct kept_game *game)
{
	return kept_find(k, game, 1, true);
}

bool kept_take(struct kept_games *k, int number, struct record *r, struct kept_terms *terms,
	       int *resigned, char why[REASON_MAX])
{
	struct kept_reading reading;
	if (!k->folder || !kept_exists(k, number)) {
		snprintf(why, REASON_MAX, "no game %d is kept", number);
		return false;
	}
	if (number == k->number || !disk_lock_part(k->lock, number)) {
		snprintf(why, REASON_MAX, "game %d is played now", number);
		return false;
	}
	record_init(&reading.record, r->game);
	bool done = kept_read(k, number, &reading, why);
	if (done) {
		kept_leave(k);
		record_copy(r, &reading.record);
		*terms = k->terms = reading.terms;
		*resigned = reading.resigned;
		k->number = number;
		kept_note(k, r);
		k->is_resigned = reading.resigned != KEPT_NOBODY;
		char *path = kept_path(k, number);
		disk_touch(path); /* this game is the last one now */
		free(path);
	} else {
		disk_unlock_part(k->lock, number);
	}
	record_free(&reading.record);
	return done;
}
