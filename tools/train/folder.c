/* SPDX-License-Identifier: MIT */
#include "tools/train/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/memory.h"
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

void folder_state_path(const struct folder *f, int rounds, char out[FOLDER_PATH_MAX])
{
	snprintf(out, FOLDER_PATH_MAX, "%s/%s.%d", f->path, f->state, rounds);
}

/* Closes a file of the folder that was written to. */
static void close_file(const struct folder *f, FILE *file, const char *name)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, name, path);
	bool failed = fflush(file) != 0 || ferror(file);
	if (failed || fclose(file) != 0)
		message_exit_errno("write", path);
}

void folder_write(const char *path, const void *bytes, size_t size)
{
	char draft[FOLDER_PATH_MAX + 8];
	snprintf(draft, sizeof draft, "%s.new", path);
	FILE *f = fopen(draft, "wb");
	if (!f || fwrite(bytes, size, 1, f) != 1 || fclose(f) != 0 || rename(draft, path) != 0)
		message_exit_errno("write", path);
}

/* Opens a file of the folder. Returns NULL if it cannot be read. */
static FILE *open_file(const struct folder *f, const char *name)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, name, path);
	return fopen(path, "rb");
}

/* Opens a file of the folder to add to it. */
static FILE *extend_file(const struct folder *f, const char *name)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, name, path);
	FILE *file = fopen(path, "ab");
	if (!file)
		message_exit_errno("write", path);
	return file;
}

/* Returns the size of a file, 0 if there is none. */
static size_t file_size(const struct folder *f, const char *name)
{
	char path[FOLDER_PATH_MAX];
	struct stat info;
	folder_file_path(f, name, path);
	return stat(path, &info) == 0 ? (size_t)info.st_size : 0;
}

/* Cuts a file that is longer than `size`. */
static void cut_file(const struct folder *f, const char *name, size_t size)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, name, path);
	if (file_size(f, name) > size && truncate(path, (off_t)size) != 0)
		message_exit_errno("write", path);
}

static void remove_file(const struct folder *f, const char *name)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, name, path);
	unlink(path);
}

/* Removes the states of other rounds and drafts. */
static void remove_states(const struct folder *f)
{
	for (int i = f->rounds - 1; i <= f->rounds + 1; i++) {
		char *name = xasprintf("%s.%d", f->state, i), *draft = xasprintf("%s.new", name);
		if (i != f->rounds)
			remove_file(f, name);
		else if (file_size(f, name))
			remove_file(f, f->state);
		remove_file(f, draft);
		free(draft);
		free(name);
	}
}

/* Cuts the log after `lines` lines; -1: after its last whole line. Returns the number of lines. */
static int cut_log(const struct folder *f, int lines)
{
	int found = 0;
	size_t end = 0, at = 0;
	FILE *file = open_file(f, LOG);
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
	cut_file(f, LOG, end);
	return found;
}

/* Adds a line to the index in memory. `version` or `games` less than 0: unknown. */
static void add_line(struct folder *f, int round, int version, int games, size_t samples)
{
	char *old = f->index, known[32] = "-\t-";
	if (games >= 0)
		snprintf(known, sizeof known, "%d\t%d", version, games);
	f->index = xasprintf("%s%d\t%s\t%zu\n", old, round, known, samples);
	free(old);
	f->rounds = round + 1;
	f->samples += samples;
}

/* Reads the index. Returns false if there is none. */
static bool read_index(struct folder *f)
{
	size_t size = file_size(f, INDEX);
	FILE *file = open_file(f, INDEX);
	if (!file)
		return false;
	f->index = xrealloc(f->index, size + 1);
	size = fread(f->index, 1, size, file);
	f->index[size] = '\0';
	fclose(file);
	for (const char *line = f->index; (line = strchr(line, '\n')) && *++line;) {
		int round;
		size_t samples;
		if (sscanf(line, "%d\t%*s\t%*s\t%zu", &round, &samples) != 2)
			message_exit("%s/" INDEX " is damaged", f->path);
		f->rounds = round + 1;
		f->samples += samples;
	}
	return true;
}

static void lock_folder(struct folder *f)
{
	f->lock = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->lock < 0)
		message_exit_errno("open", f->path);
	/* Some network file systems have no locks. */
	if (flock(f->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		message_exit("%s is in use by another training", f->path);
}

static void write_index(const struct folder *f)
{
	char path[FOLDER_PATH_MAX];
	folder_file_path(f, INDEX, path);
	folder_write(path, f->index, strlen(f->index));
}

/* Returns what the samples are of, as the file OWNER has it. The caller frees it. */
static char *owner_of(const struct game *g, size_t size)
{
	return xasprintf("%s %s %dx%d, %zu bytes a sample", g->name, g->rules, g->cols, g->rows,
			 size);
}

/* Exits if the folder has samples, and those are of something else. Folders of earlier versions do not say; they are refused if
 * they have more samples of this size than their index says, because the rest would be cut off. */
static void check_owner(const struct folder *f, const struct game *g, bool indexed)
{
	char found[256] = "", *owner = owner_of(g, f->size);
	FILE *file = open_file(f, OWNER);
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
	char path[FOLDER_PATH_MAX], *owner = owner_of(g, f->size);
	folder_file_path(f, OWNER, path);
	folder_write(path, owner, strlen(owner));
	free(owner);
}

void folder_enter(struct folder *f, const char *path, const struct game *g, const char *data,
		  const char *state, size_t size)
{
	*f = (struct folder) {
		.path = path, .data = data, .state = state, .size = size, .index = xstrdup(HEADER)
	};
	path_make_folders(path, 0777);
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		message_exit_errno("make", path);
	lock_folder(f);
	bool indexed = read_index(f);
	check_owner(f, g, indexed);
	if (indexed) {
		if (file_size(f, data) < f->samples * size)
			message_exit("%s/%s has fewer samples than " INDEX " says", path, data);
		cut_log(f, f->rounds);
	} else {
		int rounds = cut_log(f, -1);
		size_t samples = file_size(f, data) / size;
		if (rounds || samples)
			add_line(f, rounds - 1, -1, -1, samples);
		write_index(f);
	}
	write_owner(f, g);
	cut_file(f, data, f->samples * size);
	remove_states(f);
}

void folder_leave(struct folder *f)
{
	close(f->lock);
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
	add_line(f, f->rounds, version, games, samples);
	write_index(f);
	remove_states(f);
}

bool folder_find_state(const struct folder *f, char out[FOLDER_PATH_MAX])
{
	folder_state_path(f, f->rounds, out);
	if (access(out, F_OK) == 0)
		return true;
	folder_file_path(f, f->state, out);
	return access(out, F_OK) == 0;
}

FILE *folder_open_data(const struct folder *f, size_t skipped)
{
	FILE *file = open_file(f, f->data);
	if (file)
		fseek(file, (long)(skipped * f->size), SEEK_SET);
	return file;
}

FILE *folder_open_log(const struct folder *f)
{
	return extend_file(f, LOG);
}

void folder_close_log(const struct folder *f, FILE *log)
{
	close_file(f, log, LOG);
}
