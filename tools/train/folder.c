/* SPDX-License-Identifier: MIT */
#include "tools/train/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "protocol/records/file.h"
#include "tools/lib/message.h"
#include "tools/lib/path.h"

#define INDEX  "rounds.tsv"
#define LOG    "log.tsv"
#define OWNER  "game"
#define HEADER "round\tweights\tgames\tsamples\n"

void folder_file_path(const struct folder *f, const char *name, char out[FOLDER_PATH_MAX])
{
	snprintf(out, FOLDER_PATH_MAX, "%s/%s", f->path, name);
}

/* Sets the path of the learner's state after so many rounds. */
static void state_path(const struct folder *f, int rounds, char out[FOLDER_PATH_MAX])
{
	snprintf(out, FOLDER_PATH_MAX, "%s/%s.%d", f->path, f->state, rounds);
}

/* Closes a file of the folder that was written to. */
static void close_file(const struct folder *f, FILE *file, const char *name)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, name, path);
	if (!disk_sync(file) || fclose(file) != 0)
		message_exit_errno("write", path);
}

/* Replaces a file at once: a process that is killed leaves the old content or all of the new content. */
static void write_file(const char *path, const void *bytes, size_t size)
{
	char why[REASON_MAX];
	if (!file_save(path, bytes, size, why))
		message_exit("%s", why);
}

/* Opens a file of the folder. Returns NULL if there is none. */
static FILE *folder_open_file(const struct folder *f, const char *name)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, name, path);
	FILE *file = disk_open(path, "rb");
	if (!file && errno != ENOENT)
		message_exit_errno("read", path);
	return file;
}

/* Opens a file of the folder to add to it. */
static FILE *extend_file(const struct folder *f, const char *name)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, name, path);
	FILE *file = disk_open(path, "ab");
	if (!file)
		message_exit_errno("write", path);
	return file;
}

/* Returns the size of a file, 0 if there is none. */
static size_t file_size(const struct folder *f, const char *name)
{
	char path[FOLDER_PATH_MAX];
	struct disk_file file;
	folder_file_path(f, name, path);
	disk_look(path, &file);
	return (size_t)file.size;
}

/* Cuts a file that is longer than `size`. */
static void cut_file(const struct folder *f, const char *name, size_t size)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, name, path);
	if (file_size(f, name) <= size)
		return;
	FILE *file = disk_open(path, "r+");
	if (!file || !disk_cut(file, size) || fclose(file) != 0)
		message_exit_errno("write", path);
}

static void remove_file(const struct folder *f, const char *name)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, name, path);
	remove(path);
}

/* Removes the states of other rounds and drafts. */
static void remove_states(const struct folder *f)
{
	for (int i = f->rounds - 1; i <= f->rounds + 1; i++) {
		char *name = xasprintf("%s.%d", f->state, i),
		     *draft = xasprintf("%s" DISK_DRAFT, name);
		if (i != f->rounds)
			remove_file(f, name);
		else if (file_size(f, name))
			remove_file(f, f->state);
		remove_file(f, draft);
		free(draft);
		free(name);
	}
}

/* Counts the whole lines of the log, at most `lines` unless that is -1, and sets their size in bytes. */
static int measure_log(const struct folder *f, int lines, size_t *size)
{
	int found = 0;
	size_t end = 0, at = 0;
	FILE *file = folder_open_file(f, LOG);
	*size = 0;
	if (!file)
		return 0;
	for (int c; found != lines && (c = fgetc(file)) != EOF;) {
		at++;
		if (c != '\n')
			continue;
		end = at;
		found++;
	}
	fclose(file);
	*size = end;
	return found;
}

/* Adds a line to the index in memory. `version` or `games` less than 0: unknown. */
static void folder_add_line(struct folder *f, int round, int version, int games, size_t samples)
{
	char *old = f->index, known[32] = "-\t-";
	if (games >= 0)
		snprintf(known, sizeof known, "%d\t%d", version, games);
	f->index = xasprintf("%s%d\t%s\t%zu\n", old, round, known, samples);
	free(old);
	f->rounds = round + 1;
	f->samples += samples;
}

/* Reads a line of the index. Returns what follows it, NULL if it is damaged. */
static const char *read_line(struct folder *f, const char *line)
{
	int round, end = 0;
	size_t samples;
	if (sscanf(line, "%d\t%*s\t%*s\t%zu%n", &round, &samples, &end) != 2 || !end ||
	    line[end] != '\n')
		return NULL;
	/* The first line may be that of a folder of an earlier version. */
	bool is_first = f->rounds == 0 && f->samples == 0;
	if (round < -1 || (!is_first && round != f->rounds))
		return NULL;
	f->rounds = round + 1;
	f->samples += samples;
	return line + end + 1;
}

/* Reads the index. Returns false if there is none. It is at most one round behind the log: that of a process that was
 * killed. */
static bool read_index(struct folder *f)
{
	size_t log;
	size_t size = file_size(f, INDEX);
	FILE *file = folder_open_file(f, INDEX);
	if (!file)
		return false;
	f->index = xrealloc(f->index, size + 1);
	size = fread(f->index, 1, size, file);
	f->index[size] = '\0';
	fclose(file);
	bool has_header = strncmp(f->index, HEADER, sizeof HEADER - 1) == 0;
	const char *line = has_header ? f->index + sizeof HEADER - 1 : NULL;
	while (line && *line)
		line = read_line(f, line);
	if (!line || measure_log(f, -1, &log) > f->rounds + 1)
		message_exit("%s/" INDEX " is damaged; if it is deleted, all samples count as one "
			     "round",
			     f->path);
	return true;
}

/* Finds the state of the learner. A folder in which a round has ended has one. */
static void check_state(const struct folder *f)
{
	char path[FOLDER_PATH_MAX];
	if (f->rounds > 0 && !folder_find_state(f, path))
		message_exit("%s/%s.%d is missing", f->path, f->state, f->rounds);
}

/* Checks that the weights can be written, and to none of the folder's files. */
static void check_output(const struct folder *f)
{
	const char *const names[] = { f->data, f->state, INDEX, LOG, OWNER };
	char path[FOLDER_PATH_MAX], why[REASON_MAX];
	state_path(f, f->rounds, path);
	bool is_own = path_is_same(f->output, path);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		folder_file_path(f, names[i], path);
		is_own |= path_is_same(f->output, path);
	}
	if (is_own)
		message_exit("%s belongs to the training; write the weights to another file",
			     f->output);
	if (!file_may_save(f->output, why))
		message_exit("%s", why);
}

static void lock_folder(struct folder *f)
{
	f->lock = extend_file(f, LOG);
	if (!disk_lock(f->lock, false))
		message_exit("%s is in use by another training", f->path);
}

static void folder_write_index(const struct folder *f)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, INDEX, path);
	write_file(path, f->index, strlen(f->index));
}

/* Returns what the samples are of, as the file OWNER has it. The caller frees it. */
static char *folder_owner_of(const struct game *g, size_t size)
{
	return xasprintf("%s %s %dx%d, %zu bytes a sample", g->name, g->rules, g->board.cols,
			 g->board.rows, size);
}

/* Exits if the folder has samples, and those are of something else. Folders of earlier versions do not say; they are refused if
 * they have more samples of this size than their index says, because the rest would be cut off. */
static void check_owner(const struct folder *f, const struct game *g, bool indexed)
{
	char found[256] = "", *owner = folder_owner_of(g, f->size);
	FILE *file = folder_open_file(f, OWNER);
	if (file) {
		found[fread(found, 1, sizeof found - 1, file)] = '\0';
		fclose(file);
		if (strcmp(found, owner) != 0 && file_size(f, f->data))
			message_exit("%s has a training of %s, not of %s", f->path, found, owner);
	} else if (indexed && file_size(f, f->data) > f->samples * f->size) {
		message_exit("%s may have a training of another game: it does not say which",
			     f->path);
	}
	free(owner);
}

static void write_owner(const struct folder *f, const struct game *g)
{
	char path[FOLDER_PATH_MAX], *owner = folder_owner_of(g, f->size);
	folder_file_path(f, OWNER, path);
	write_file(path, owner, strlen(owner));
	free(owner);
}

void folder_enter(struct folder *f, const char *path, const struct game *g, const char *data,
		  const char *state, size_t size, const char *output)
{
	*f = (struct folder) {
		.path = path,
		.data = data,
		.state = state,
		.size = size,
		.index = xstrdup(HEADER),
		.output = output,
	};
	path_make_folders(path, false);
	if (!disk_make_folder(path, false))
		message_exit_errno("make", path);
	lock_folder(f);
	size_t log;
	bool indexed = read_index(f);
	check_owner(f, g, indexed);
	check_output(f);
	if (!indexed) {
		int rounds = measure_log(f, -1, &log);
		size_t samples = file_size(f, data) / size;
		if (rounds || samples)
			folder_add_line(f, rounds - 1, -1, -1, samples);
	}
	if (file_size(f, data) < f->samples * size)
		message_exit("%s/%s has fewer samples than " INDEX " says", path, data);
	check_state(f);
	if (!indexed)
		folder_write_index(f);
	write_owner(f, g);
	measure_log(f, f->rounds, &log);
	cut_file(f, LOG, log);
	cut_file(f, data, f->samples * size);
	remove_states(f);
}

void folder_leave(struct folder *f)
{
	fclose(f->lock);
	free(f->index);
}

void folder_add(const struct folder *f, const void *samples, size_t count)
{
	FILE *file = extend_file(f, f->data);
	fwrite(samples, f->size, count, file);
	close_file(f, file, f->data);
}

void folder_commit(struct folder *f, int version, int games, size_t samples)
{
	folder_add_line(f, f->rounds, version, games, samples);
	folder_write_index(f);
	remove_states(f);
}

bool folder_find_state(const struct folder *f, char out[FOLDER_PATH_MAX])
{
	struct disk_file file;
	state_path(f, f->rounds, out);
	if (disk_look(out, &file))
		return true;
	folder_file_path(f, f->state, out);
	return disk_look(out, &file);
}

void folder_read_data(const struct folder *f, size_t skipped, void *out)
{
	size_t count = f->samples - skipped;
	FILE *file = count ? folder_open_file(f, f->data) : NULL;
	bool whole = file && fseeko(file, (off_t)(skipped * f->size), SEEK_SET) == 0 &&
		     fread(out, f->size, count, file) == count;
	if (count && !whole)
		message_exit("cannot read all of %s/%s", f->path, f->data);
	if (file)
		fclose(file);
}

void folder_write_state(const struct folder *f, int rounds, const void *bytes, size_t size)
{
	char path[FOLDER_PATH_MAX];
	state_path(f, rounds, path);
	write_file(path, bytes, size);
}

void folder_write_output(struct folder *f, const void *bytes, size_t size)
{
	write_file(f->output, bytes, size);
	f->written = true;
}

FILE *folder_open_log(const struct folder *f)
{
	return extend_file(f, LOG);
}

void folder_close_log(const struct folder *f, FILE *log)
{
	close_file(f, log, LOG);
}
