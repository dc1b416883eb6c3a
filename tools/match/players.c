/* SPDX-License-Identifier: MIT */
#include "tools/match/players.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "tools/lib/message.h"
#include "tools/match/standings.h"

/* --- names --- */

/* Returns the length of the name before a command, 0 if there is none. Ordinary commands do not look like a
 * name and a colon. */
static size_t name_length(const char *text)
{
	size_t n = 0;
	while (isalnum((unsigned char)text[n]) || text[n] & 0x80 ||
	       (text[n] && strchr(" ._+-()#,%", text[n])))
		n++;
	return text[n] == ':' && text[n + 1] == ' ' ? n : 0;
}

/* Returns true if one of the first `count` players has this name. */
static bool is_taken(const struct match_player *players, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (strcmp(players[i].name, name) == 0)
			return true;
	return false;
}

/* Reads player `number`. A command may play itself: the same command gets a number as well. */
static bool read_player(struct match_player *players, int number, const char *text)
{
	struct match_player *p = &players[number];
	size_t named = name_length(text);
	p->command = named ? text + named + 1 + strspn(text + named + 1, " ") : text;
	p->name = named ? xstrndup(text, named) : xstrdup(text);
	for (const char *at = text; *at; at++)
		if (iscntrl((unsigned char)*at))
			return message("a command must be one line");
	if (!*p->command)
		return message("engine %d has no command", number + 1);
	for (int same = 2; is_taken(players, number, p->name); same++) {
		if (named)
			return message("two engines have the name %s", p->name);
		free(p->name);
		p->name = xasprintf("%s (%d)", text, same);
	}
	return true;
}

bool players_read(struct match_player *players, int count, const char *const *commands)
{
	for (int i = 0; i < count; i++)
		if (!read_player(players, i, commands[i]))
			return false;
	return true;
}

void players_free(struct match_player *players, int count)
{
	for (int i = 0; i < count; i++)
		free(players[i].name);
}

/* --- in the database --- */

bool players_register(struct match_player *players, int count, struct database *db,
		      char why[DATABASE_REASON_MAX])
{
	for (int i = 0; i < count; i++) {
		struct match_engine e = { players[i].name, players[i].command, "" };
		if ((players[i].engine = database_add_engine(db, &e, why)) < 0)
			return false;
	}
	return true;
}

/* Stores the version that an engine reports. Returns false after a message. */
static bool keep_version(const struct match_player *players, int i, const char *version,
			 struct database *db)
{
	char why[DATABASE_REASON_MAX], label[LABEL_MAX];
	const struct match_player *p = &players[i];
	struct match_engine e = { p->name, p->command, version };
	if (database_add_engine(db, &e, why) < 0)
		return message("%s", why);
	const char *known = database_engine(db, p->engine)->version;
	if (*version && strcmp(known, version) != 0)
		message("engine %s is now %s; its earlier games were played by %s",
			player_label(i, label), version, known);
	return true;
}

bool players_keep_versions(const struct match_player *players, int count,
			   const char *const *versions, struct database *db)
{
	for (int i = 0; i < count; i++)
		if (!keep_version(players, i, versions[i], db))
			return false;
	return true;
}

/* --- the trial --- */

/* Returns the last line that engines wrote to a file, which usually tells why one did not start. The caller frees
 * it. NULL: there is none. */
static char *last_line(FILE *kept)
{
	char bytes[1024];
	if (fseek(kept, 1 - (long)sizeof bytes, SEEK_END) != 0)
		rewind(kept);
	size_t n = fread(bytes, 1, sizeof bytes - 1, kept);
	while (n > 0 && isspace((unsigned char)bytes[n - 1]))
		n--;
	if (!n)
		return NULL;
	bytes[n] = '\0';
	const char *end = strrchr(bytes, '\n');
	char *line = bytes + (end ? end + 1 - bytes : 0);
	for (char *c = line; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = ' ';
	return xstrdup(line);
}

/* Returns what players_try() does after player `player` has failed. */
static char *tell_failure(const struct referee *r, int player, FILE *kept)
{
	char label[LABEL_MAX];
	char *line = kept ? last_line(kept) : NULL;
	char *text = xasprintf("engine %s: %s%s%s", player_label(player, label), r->detail,
			       line ? "\nthe last line on its stderr: " : "", line ? line : "");
	free(line);
	return text;
}

/* Tries the first player against player `i`. */
static char *try_pair(const struct match_player *players, int i, const struct terms *terms,
		      struct engine_process engines[2], FILE *kept, char **versions)
{
	struct referee r;
	char *error = NULL;
	engine_process_assign(&engines[0], players[0].command);
	engine_process_assign(&engines[1], players[i].command);
	referee_init(&r, terms, engines, BLACK, (uint32_t[]) { 1, 1 });
	if (!referee_set_up(&r))
		error = r.cancelled ? xstrdup("") : tell_failure(&r, r.loser ? i : 0, kept);
	referee_free(&r);
	if (i == 1)
		versions[0] = xstrdup(engines[0].version);
	versions[i] = xstrdup(engines[1].version);
	return error;
}

char *players_try(const struct match_player *players, int count, const struct terms *terms,
		  bool keeps_stderr, char **versions)
{
	struct terms trial = *terms;
	struct engine_process engines[2] = { 0 };
	char *path = keeps_stderr ? NULL : disk_new_file(), *error = NULL;
	FILE *kept = path ? disk_open(path, "a+") : NULL;
	if (kept)
		trial.err = kept;
	for (int i = 1; !error && i < count; i++)
		error = try_pair(players, i, &trial, engines, kept, versions);
	client_quit(&engines[0].client);
	client_quit(&engines[1].client);
	if (kept)
		fclose(kept);
	if (path)
		remove(path);
	free(path);
	return error;
}
