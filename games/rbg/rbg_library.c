/* SPDX-License-Identifier: MIT */
#include "games/rbg/rbg_library.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/disk.h"
#include "engine/base/embed.h"
#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "games/common/list.h"
#include "games/rbg/rbg_game.h"

#define RBG_FILE_MAX                 (1 << 20) /* bytes of a file */

/* The files of this folder. */
#define RBG_FILE_EMBED(SYMBOL, PATH) EMBED(rbg_file_##SYMBOL, PATH);
RBG_FILES(RBG_FILE_EMBED)

static const struct rbg_file {
	const char *path, *text, *end;
} rbg_files[] = {
#define RBG_FILE_ROW(SYMBOL, PATH) { PATH, rbg_file_##SYMBOL, rbg_file_##SYMBOL##_end },
	RBG_FILES(RBG_FILE_ROW) { NULL, NULL, NULL }
};

/* A text that was loaded, and the name of its file. */
struct rbg_loaded {
	char *file, *text;
	size_t length;
	const struct game *game;
};

static pthread_mutex_t rbg_library_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rbg_loaded *rbg_loaded; /* the newest one last */
static size_t rbg_loaded_count;

/* --- texts --- */

/* Loads a text that was not loaded before. The caller holds the lock. */
static const struct game *rbg_library_load(const char *path, const char *text, size_t length,
					   struct text *error)
{
	for (size_t i = 0; i < rbg_loaded_count; i++) {
		struct rbg_loaded *l = &rbg_loaded[i];
		if (l->length == length && memcmp(l->text, text, length) == 0 &&
		    strcmp(l->file, path_last(path)) == 0) {
			struct rbg_loaded newest = *l;
			memmove(l, l + 1, (rbg_loaded_count - i - 1) * sizeof *l);
			rbg_loaded[rbg_loaded_count - 1] = newest;
			return newest.game;
		}
	}
	const struct game *g = rbg_game(path, text, length, error);
	if (!g)
		return NULL;
	char *copy = xmalloc(length + 1);
	memcpy(copy, text, length);
	rbg_loaded = xgrow(rbg_loaded, rbg_loaded_count, sizeof *rbg_loaded);
	rbg_loaded[rbg_loaded_count++] = (struct rbg_loaded) { xstrdup(path_last(path)), copy,
							       length, g };
	return g;
}

/* Reads all of a file that is not too large. Returns NULL with the reason. The caller frees it. */
static char *rbg_library_slurp(const char *path, size_t *length, const char **reason)
{
	struct disk_file seen;
	FILE *f = disk_read(path, &seen, reason);
	if (!f)
		return NULL;
	char *text = xmalloc(RBG_FILE_MAX + 1);
	*length = fread(text, 1, RBG_FILE_MAX + 1, f);
	bool failed = ferror(f), is_large = *length > RBG_FILE_MAX;
	fclose(f);
	if (!failed && !is_large)
		return text;
	*reason = failed ? "it cannot be read" : "it has more than 1 MiB";
	free(text);
	return NULL;
}

static const struct game *rbg_library_read_locked(const char *path, struct text *error)
{
	const char *reason;
	size_t length;
	char *text = rbg_library_slurp(path, &length, &reason);
	if (!text) {
		text_printf(error, "%s: %s", path, reason);
		return NULL;
	}
	const struct game *g = rbg_library_load(path, text, length, error);
	free(text);
	return g;
}

const struct game *rbg_library_read(const char *path, struct text *error)
{
	pthread_mutex_lock(&rbg_library_lock);
	const struct game *g = rbg_library_read_locked(path, error);
	pthread_mutex_unlock(&rbg_library_lock);
	return g;
}

/* --- folders --- */

/* The folders of files, the first one first: $YOMI_GAMES, the user's. Returns their number. The caller frees the paths. */
static int rbg_library_folders(char *folders[2])
{
	int count = 0;
	const char *named = getenv("YOMI_GAMES");
	char *data = system_folder(SYSTEM_DATA);
	if (named && *named)
		folders[count++] = xstrdup(named);
	if (data)
		folders[count++] = xasprintf("%s/games", data);
	free(data);
	return count;
}

/* Returns true if a file's name has the end of files with rules, and sets the length of what is before it. */
static bool rbg_library_is_file(const char *name, size_t *length)
{
	size_t end = strlen(RBG_FILE_END), all = strlen(name);
	*length = all > end ? all - end : 0;
	return *length && strcasecmp(name + *length, RBG_FILE_END) == 0;
}

struct rbg_lister {
	const char *folder;
	void (*take)(void *arg, const char *name, const char *folder);
	void *arg;
};

static void rbg_library_list_file(void *arg, const char *file)
{
	struct rbg_lister *l = arg;
	size_t length;
	if (!rbg_library_is_file(file, &length))
		return;
	char *name = xstrndup(file, length);
	l->take(l->arg, name, l->folder);
	free(name);
}

void rbg_library_list(void (*take)(void *arg, const char *name, const char *folder), void *arg)
{
	char *folders[2];
	struct rbg_lister l = { NULL, take, arg };
	for (const struct rbg_file *f = rbg_files; f->path; f++)
		rbg_library_list_file(&l, path_last(f->path));
	int count = rbg_library_folders(folders);
	for (int i = 0; i < count; i++) {
		l.folder = folders[i];
		disk_list(folders[i], rbg_library_list_file, &l);
		free(folders[i]);
	}
}

/* --- names --- */

/* Compares names in upper or lower case, without blanks, hyphens and underscores. */
static bool rbg_is_name(const char *a, const char *b)
{
	for (;; a++, b++) {
		a += strspn(a, " -_");
		b += strspn(b, " -_");
		if (!*a || tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return *a == *b;
	}
}

/* A wish for an installed file, and where it was found. */
struct rbg_wish {
	const char *name;
	char *path; /* of a file in a folder */
	const struct rbg_file *file;
};

static void rbg_library_consider(void *arg, const char *name, const char *folder)
{
	struct rbg_wish *w = arg;
	if (!rbg_is_name(name, w->name))
		return;
	/* Files in folders replace those in the program. */
	if (folder && !w->path)
		w->path = xasprintf("%s/%s" RBG_FILE_END, folder, name);
	for (const struct rbg_file *f = rbg_files; !folder && f->path; f++) {
		size_t length;
		if (rbg_library_is_file(path_last(f->path), &length) && length == strlen(name) &&
		    strncmp(path_last(f->path), name, length) == 0)
			w->file = f;
	}
}

/* Finds a loaded game, with these rules unless they are NULL. The newest one counts. */
static const struct game *rbg_library_find_loaded(const char *name, const char *rules)
{
	for (size_t i = rbg_loaded_count; i > 0; i--) {
		const struct game *g = rbg_loaded[i - 1].game;
		if ((rbg_is_name(g->name, name) || rbg_is_name(g->title, name)) &&
		    (!rules || strcmp(g->rules, rules) == 0))
			return g;
	}
	return NULL;
}

/* Finds a file of a folder, a loaded game, or a file of the program. The caller holds the lock. */
static const struct game *rbg_library_find_any(const char *name, struct text *error)
{
	struct rbg_wish w = { .name = name };
	rbg_library_list(rbg_library_consider, &w);
	const struct game *g = w.path ? rbg_library_read_locked(w.path, error)
				      : rbg_library_find_loaded(name, NULL);
	if (!g && !w.path && w.file)
		g = rbg_library_load(w.file->path, w.file->text,
				     (size_t)(w.file->end - w.file->text), error);
	free(w.path);
	return g;
}

const struct game *rbg_library_find(const char *name, const char *rules, struct text *error)
{
	struct text unread = { 0 };
	pthread_mutex_lock(&rbg_library_lock);
	const struct game *g = rules ? rbg_library_find_loaded(name, rules) : NULL;
	if (!g)
		g = rbg_library_find_any(name, error ? error : &unread);
	pthread_mutex_unlock(&rbg_library_lock);
	text_free(&unread);
	return g && rules && strcmp(g->rules, rules) != 0 ? NULL : g;
}
