/* SPDX-License-Identifier: MIT
 *
 * The match database.
 *
 * The file is in WAL mode while it is written, so that others can read it meanwhile; when it is closed, it
 * is one plain file. Synchronous is NORMAL: a killed process loses no game that was written. A power
 * failure may lose the last games, and nothing else.
 *
 * The SQL of the tables must be exactly as it is here, so that no other object can use their names. Their
 * content is checked when it is read.
 *
 * A file may lack the tables `board` and `node`, as those of earlier versions do; they are added when the file is
 * opened for writing. A match without a row in `board` has the default size and the default komi.
 */
#include "tools/match/database.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "engine/base/system.h"
#include "engine/rules/komi.h"
#include "engine/rules/record.h"
#include "engine/rules/swap.h"
#include "games/games.h"
#include "protocol/session/size.h"

#define APPLICATION  0x796f6d69 /* "yomi", in the file's header */
#define VERSION      1          /* version of the tables */
#define BUSY_MS      10000

#define STRINGIFY(x) #x
#define AS_STRING(x) STRINGIFY(x)

static const struct {
	const char *name, *sql;
} tables[] = {
	{ "engine", "CREATE TABLE engine (\n"
		    "	id INTEGER PRIMARY KEY,\n"
		    "	name TEXT NOT NULL UNIQUE,\n"
		    "	command TEXT NOT NULL, -- '': unknown\n"
		    "	version TEXT NOT NULL -- what it says of itself, '': unknown\n"
		    ") STRICT" },
	{ "match", "CREATE TABLE match (\n"
		   "	id INTEGER PRIMARY KEY,\n"
		   "	game TEXT NOT NULL,\n"
		   "	rules TEXT NOT NULL,\n"
		   "	terms TEXT NOT NULL,\n"
		   "	paired INTEGER NOT NULL CHECK (paired IN (0, 1)),\n"
		   "	elo0 REAL, -- the sequential test's, NULL: there is none\n"
		   "	elo1 REAL,\n"
		   "	alpha REAL,\n"
		   "	beta REAL,\n"
		   "	UNIQUE (game, rules, terms, paired)\n"
		   ") STRICT" },
	{ "game", "CREATE TABLE game (\n"
		  "	id INTEGER PRIMARY KEY, -- in the order in which they ended\n"
		  "	match INTEGER NOT NULL REFERENCES match,\n"
		  "	opening INTEGER NOT NULL CHECK (opening BETWEEN 1 AND " AS_STRING(
			  OPENING_MAX) "),\n"
				       "	black INTEGER NOT NULL REFERENCES engine,\n"
				       "	white INTEGER NOT NULL REFERENCES engine CHECK "
				       "(white != black),\n"
				       "	points INTEGER NOT NULL CHECK (points IN (0, 1, "
				       "2)), -- Black's, in halves\n"
				       "	ending TEXT NOT NULL, -- over, resigned, time, "
				       "illegal, garbage, refused, hung, "
				       "died\n"
				       "	detail TEXT NOT NULL,\n"
				       "	opening_moves INTEGER NOT NULL CHECK "
				       "(opening_moves BETWEEN 0 AND 4096),\n"
				       "	seed_black INTEGER,\n"
				       "	seed_white INTEGER,\n"
				       "	ended INTEGER, -- seconds since 1970\n"
				       "	UNIQUE (match, opening, black, white)\n"
				       ") STRICT" },
	{ "move", "CREATE TABLE move (\n"
		  "	game INTEGER NOT NULL REFERENCES game,\n"
		  "	number INTEGER NOT NULL, -- from 1\n"
		  "	move TEXT NOT NULL,\n"
		  "	seconds REAL, -- NULL: unknown, or nobody chose it\n"
		  "	value REAL, -- Black's result as the engine expects it, -1 .. 1\n"
		  "	note TEXT, -- what the engine says of it\n"
		  "	PRIMARY KEY (game, number)\n"
		  ") STRICT, WITHOUT ROWID" },
	{ "board", "CREATE TABLE board (\n"
		   "	match INTEGER PRIMARY KEY REFERENCES match,\n"
		   "	cols INTEGER NOT NULL,\n"
		   "	rows INTEGER NOT NULL,\n"
		   "	komi REAL -- points, NULL: the game has none\n"
		   ") STRICT" },
	{ "node", "CREATE TABLE node (\n"
		  "	match INTEGER NOT NULL REFERENCES match,\n"
		  "	name TEXT NOT NULL, -- of a machine\n"
		  "	speed REAL NOT NULL, -- random games a second, of one thread\n"
		  "	UNIQUE (match, name)\n"
		  ") STRICT" },
};
#define TABLES (sizeof tables / sizeof tables[0])

/* A file may lack these tables. */
enum { NODE = TABLES - 1, BOARD = TABLES - 2, FIRST_LATER = BOARD };

const char *const end_names[END_COUNT] = {
	"over", "resigned", "time", "illegal", "garbage", "refused", "hung", "died",
};

bool end_find(const char *name, enum end *end)
{
	for (int i = 0; i < END_COUNT; i++) {
		if (strcmp(end_names[i], name) == 0) {
			*end = (enum end)i;
			return true;
		}
	}
	return false;
}

/* --- the start of a game --- */

int match_usual_komi(const struct game *g)
{
	struct state s;
	g->start(g, &s);
	return g->komi ? g->komi->get(g, &s) : 0;
}

void match_position(const struct match *m, struct state *s)
{
	m->game->start(m->game, s);
	if (m->game->komi)
		m->game->komi->set(m->game, s, m->komi);
	if (m->game->swap)
		m->game->swap->allow(m->game, s, true);
}

/* Returns true if the game allows this komi. */
static bool allows_komi(const struct game *g, double komi)
{
	struct state s;
	g->start(g, &s);
	return g->komi && fabs(komi) <= GAME_SCORE_MAX && 2 * komi == rint(2 * komi) &&
	       g->komi->set(g, &s, (int)(2 * komi));
}

/* Returns the terms of a match with its size and komi, so that they tell matches apart. The default size and games
 * without komi get no more words. The caller frees the text. */
static char *full_terms(const struct match *m)
{
	char size[SIZE_TEXT_MAX], words[SIZE_TEXT_MAX + 64] = "";
	size_t length = strlen(m->terms), n = 0;
	size_format(m->game, size);
	if (size_varies(m->game) && m->game != m->game->sizes[0])
		n = (size_t)snprintf(words, sizeof words, ", size %s", size);
	if (m->game->komi)
		n += (size_t)snprintf(words + n, sizeof words - n, ", komi %g", m->komi / 2.0);
	/* The terms of a stored game have the words. */
	bool has = length >= n && strcmp(m->terms + length - n, words) == 0;
	return xasprintf("%s%s", m->terms, has ? "" : words);
}

struct database {
	sqlite3 *sqlite;
	char *path;       /* used in messages */
	FILE *lock;       /* locks the file against other writers, or NULL */
	bool writes;      /* to a file, which is in WAL mode */
	bool has[TABLES]; /* there is this table */
	char *why;        /* receives the reason if the current call fails */
	struct match_engine *engines;
	struct match *matches;
	sqlite3_int64 *engine_ids, *match_ids; /* ascending */
	int engine_count, match_count;
	sqlite3_stmt *insert_game, *insert_move;
};

/* --- errors --- */

__attribute__((format(PRINTF, 2, 3))) static bool database_refuse(struct database *db,
								  const char *format, ...)
{
	char text[DATABASE_REASON_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	snprintf(db->why, DATABASE_REASON_MAX, "%.200s: %.300s", db->path, text);
	return false;
}

/* Refuses with the reason for sqlite's last error. */
static bool database_fail(struct database *db)
{
	int code = sqlite3_errcode(db->sqlite), number = sqlite3_system_errno(db->sqlite);
	switch (code & 0xff) {
	case SQLITE_NOTADB:
		return database_refuse(db, "this is not a database");
	case SQLITE_CORRUPT:
		return database_refuse(db, "the database is damaged");
	case SQLITE_BUSY:
		return database_refuse(db, "another program is using it");
	case SQLITE_CANTOPEN:
		if (number)
			return database_refuse(db, "%s", strerror(number));
		break;
	}
	return database_refuse(db, "%s", sqlite3_errmsg(db->sqlite));
}

static bool database_run(struct database *db, const char *sql)
{
	return sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK || database_fail(db);
}

/* Binds the values of a statement's parameters. `types` has a letter for each: i sqlite3_int64, o the same but NULL below 0, n int, r
 * double but NULL for NAN, t text or NULL. */
static void bind_values(sqlite3_stmt *s, const char *types, va_list values)
{
	for (int at = 1; *types; at++) {
		char type = *types++;
		sqlite3_int64 whole = strchr("io", type) ? va_arg(values, sqlite3_int64)
				      : type == 'n'      ? va_arg(values, int)
							 : 0;
		double real = type == 'r' ? va_arg(values, double) : NAN;
		if (type == 't')
			sqlite3_bind_text(s, at, va_arg(values, const char *), -1, SQLITE_STATIC);
		else if (type == 'r' ? isnan(real) : type == 'o' && whole < 0)
			sqlite3_bind_null(s, at);
		else if (type == 'r')
			sqlite3_bind_double(s, at, real);
		else
			sqlite3_bind_int64(s, at, whole);
	}
}

/* Prepares a query with the values of its parameters. Returns NULL with the reason set on failure. */
static sqlite3_stmt *database_query(struct database *db, const char *sql, const char *types, ...)
{
	sqlite3_stmt *s = NULL;
	va_list values;
	if (sqlite3_prepare_v2(db->sqlite, sql, -1, &s, NULL) != SQLITE_OK)
		database_fail(db);
	va_start(values, types);
	if (s)
		bind_values(s, types, values);
	va_end(values);
	return s;
}

/* Runs a statement that changes the database, with the values of its parameters. Prepares `sql`, unless *kept is the prepared
 * statement already; kept NULL: it is for this time only. */
static bool database_change(struct database *db, sqlite3_stmt **kept, const char *sql,
			    const char *types, ...)
{
	sqlite3_stmt *s = kept ? *kept : NULL;
	va_list values;
	if (!s && !(s = database_query(db, sql, "")))
		return false;
	va_start(values, types);
	bind_values(s, types, values);
	va_end(values);
	bool good = sqlite3_step(s) == SQLITE_DONE || database_fail(db);
	sqlite3_reset(s);
	if (kept)
		*kept = s;
	else
		sqlite3_finalize(s);
	return good;
}

/* Ends a query. Returns false if it failed. */
static bool database_finish(struct database *db, sqlite3_stmt *s, int code)
{
	bool good = code == SQLITE_DONE || code == SQLITE_ROW || database_fail(db);
	sqlite3_finalize(s);
	return good;
}

static const char *text_of(sqlite3_stmt *s, int column)
{
	const char *text = (const char *)sqlite3_column_text(s, column);
	return text ? text : "";
}

/* --- engines and matches --- */

/* Frees a text that is const only for its readers. */
static void database_drop(const char *text)
{
	free((char *)(uintptr_t)text);
}

static void keep_engine(struct database *db, sqlite3_int64 id, const char *name,
			const char *command, const char *version)
{
	size_t n = (size_t)db->engine_count++;
	db->engines = xgrow(db->engines, n, sizeof *db->engines);
	db->engine_ids = xgrow(db->engine_ids, n, sizeof *db->engine_ids);
	db->engine_ids[n] = id;
	db->engines[n] = (struct match_engine) { xstrdup(name), xstrdup(command),
						 xstrdup(version) };
}

static void keep_match(struct database *db, sqlite3_int64 id, const struct match *match)
{
	size_t n = (size_t)db->match_count++;
	db->matches = xgrow(db->matches, n, sizeof *db->matches);
	db->match_ids = xgrow(db->match_ids, n, sizeof *db->match_ids);
	db->match_ids[n] = id;
	db->matches[n] = *match;
	db->matches[n].terms = xstrdup(match->terms);
}

static bool read_engines(struct database *db)
{
	sqlite3_stmt *s = database_query(
		db, "SELECT id, name, command, version FROM engine ORDER BY id", "");
	int code = SQLITE_DONE;
	while (s && (code = sqlite3_step(s)) == SQLITE_ROW)
		keep_engine(db, sqlite3_column_int64(s, 0), text_of(s, 1), text_of(s, 2),
			    text_of(s, 3));
	return s && database_finish(db, s, code);
}

/* Returns a column's value if it is not NULL and between `min` and `max`, else `otherwise`. */
static double read_real(sqlite3_stmt *s, int column, double min, double max, double otherwise)
{
	double x = sqlite3_column_double(s, column);
	bool is_there = sqlite3_column_type(s, column) != SQLITE_NULL;
	return is_there && x >= min && x <= max ? x : otherwise;
}

/* Sets size and komi of a match: the row's columns from 9 on. They are NULL if the defaults hold. */
static bool read_board(struct database *db, sqlite3_stmt *s, struct match *match)
{
	int cols = sqlite3_column_int(s, 9), rows = sqlite3_column_int(s, 10);
	double komi = sqlite3_column_double(s, 11);
	if (sqlite3_column_type(s, 9) != SQLITE_NULL)
		match->game = game_sized(match->game, rows, cols);
	if (!match->game)
		return database_refuse(db, "it holds a match on an unknown board: %s %dx%d",
				       text_of(s, 1), cols, rows);
	match->komi = match_usual_komi(match->game);
	if (sqlite3_column_type(s, 11) == SQLITE_NULL)
		return true;
	match->komi = allows_komi(match->game, komi) ? (int)(2 * komi) : 0;
	return allows_komi(match->game, komi) ||
	       database_refuse(db, "it holds a match of %s with komi %g", text_of(s, 1), komi);
}

static bool read_matches(struct database *db)
{
	sqlite3_stmt *s = database_query(
		db,
		db->has[BOARD] ? "SELECT id, game, rules, terms, paired, elo0, elo1, alpha, beta, "
				 "cols, rows, komi FROM match LEFT JOIN board ON board.match = "
				 "match.id ORDER BY id"
			       : "SELECT id, game, rules, terms, paired, elo0, elo1, alpha, beta, "
				 "NULL, NULL, NULL FROM match ORDER BY id",
		"");
	int code = SQLITE_DONE;
	bool good = s;
	while (good && (code = sqlite3_step(s)) == SQLITE_ROW) {
		struct match match = {
			.game = game_find(text_of(s, 1), text_of(s, 2)),
			.terms = text_of(s, 3),
			.paired = sqlite3_column_int(s, 4),
			.sprt = { sqlite3_column_double(s, 5), sqlite3_column_double(s, 6),
				  sqlite3_column_double(s, 7), sqlite3_column_double(s, 8) },
		};
		match.tested = sprt_is_sound(&match.sprt);
		good = match.game ||
		       database_refuse(db, "it holds a match of an unknown game: %s (%s)",
				       text_of(s, 1), text_of(s, 2));
		good = good && read_board(db, s, &match);
		if (good)
			keep_match(db, sqlite3_column_int64(s, 0), &match);
	}
	if (!good)
		code = SQLITE_DONE;
	return s && database_finish(db, s, code) && good;
}

const struct match_engine *database_engine(const struct database *db, int i)
{
	return i >= 0 && i < db->engine_count ? &db->engines[i] : NULL;
}

const struct match *database_match(const struct database *db, int i)
{
	return i >= 0 && i < db->match_count ? &db->matches[i] : NULL;
}

static int compare_ids(const void *a, const void *b)
{
	sqlite3_int64 x = *(const sqlite3_int64 *)a, y = *(const sqlite3_int64 *)b;
	return (x > y) - (x < y);
}

/* Returns the index of an engine in our list, or -1. */
static int find_engine(const struct database *db, sqlite3_int64 id)
{
	sqlite3_int64 *found = db->engine_count
				       ? bsearch(&id, db->engine_ids, (size_t)db->engine_count,
						 sizeof id, compare_ids)
				       : NULL;
	return found ? (int)(found - db->engine_ids) : -1;
}

/* Adds a command and a version to an engine that lacks them. Refuses a different command. */
static bool update_engine(struct database *db, int i, const struct match_engine *e)
{
	struct match_engine *known = &db->engines[i];
	if (*e->command && *known->command && strcmp(e->command, known->command) != 0)
		return database_refuse(db, "the engine %.100s has another command there: %.150s",
				       e->name, known->command);
	const char *command = *known->command ? known->command : e->command;
	const char *version = *known->version ? known->version : e->version;
	if (command == known->command && version == known->version)
		return true;
	if (!database_change(db, NULL, "UPDATE engine SET command = ?2, version = ?3 WHERE id = ?1",
			     "itt", db->engine_ids[i], command, version))
		return false;
	struct match_engine now = { known->name, xstrdup(command), xstrdup(version) };
	database_drop(known->command);
	database_drop(known->version);
	*known = now;
	return true;
}

int database_add_engine(struct database *db, const struct match_engine *e,
			char why[DATABASE_REASON_MAX])
{
	db->why = why;
	for (int i = 0; i < db->engine_count; i++)
		if (strcmp(db->engines[i].name, e->name) == 0)
			return update_engine(db, i, e) ? i : -1;
	if (!database_change(db, NULL,
			     "INSERT INTO engine (name, command, version) VALUES (?, ?, ?)", "ttt",
			     e->name, e->command, e->version))
		return -1;
	keep_engine(db, sqlite3_last_insert_rowid(db->sqlite), e->name, e->command, e->version);
	return db->engine_count - 1;
}

static bool is_same(const struct match *a, const struct match *b)
{
	return a->game == b->game && a->komi == b->komi && a->paired == b->paired &&
	       strcmp(a->terms, b->terms) == 0;
}

static bool set_test(struct database *db, int i, const struct match *match)
{
	const struct sprt *t = &match->sprt;
	db->matches[i].tested = true;
	db->matches[i].sprt = *t;
	return database_change(db, NULL,
			       "UPDATE match SET elo0 = ?2, elo1 = ?3, alpha "
			       "= ?4, beta = ?5 WHERE id = ?1",
			       "irrrr", db->match_ids[i], t->elo0, t->elo1, t->alpha, t->beta);
}

/* Writes a match with its size and komi, in one transaction. */
static bool insert_match(struct database *db, const struct match *match)
{
	const struct game *g = match->game;
	if (!database_run(db, "BEGIN IMMEDIATE"))
		return false;
	bool good = database_change(
		db, NULL, "INSERT INTO match (game, rules, terms, paired) VALUES (?, ?, ?, ?)",
		"tttn", g->name, g->rules, match->terms, match->paired);
	sqlite3_int64 id = sqlite3_last_insert_rowid(db->sqlite);
	good = good &&
	       database_change(db, NULL, "INSERT INTO board VALUES (?, ?, ?, ?)", "innr", id,
			       g->board.cols, g->board.rows, g->komi ? match->komi / 2.0 : NAN) &&
	       database_run(db, "COMMIT");
	if (good)
		keep_match(db, id, match);
	else
		sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
	return good;
}

int database_add_match(struct database *db, const struct match *match,
		       char why[DATABASE_REASON_MAX])
{
	char *terms = full_terms(match);
	struct match wanted = {
		.game = match->game,
		.komi = match->game->komi ? match->komi : 0,
		.terms = terms,
		.paired = match->paired,
	};
	int i = 0;
	db->why = why;
	while (i < db->match_count && !is_same(&db->matches[i], &wanted))
		i++;
	bool good = i < db->match_count || insert_match(db, &wanted);
	free(terms);
	return good && (!match->tested || set_test(db, i, match)) ? i : -1;
}

/* --- machines --- */

bool database_nodes(struct database *db, int match, bool (*take)(void *, const struct match_node *),
		    void *arg, char why[DATABASE_REASON_MAX])
{
	db->why = why;
	if (!db->has[NODE])
		return true;
	sqlite3_stmt *s = database_query(
		db, "SELECT name, speed FROM node WHERE match = ? ORDER BY rowid", "i",
		db->match_ids[match]);
	int code = SQLITE_DONE;
	while (s && (code = sqlite3_step(s)) == SQLITE_ROW) {
		struct match_node node = { text_of(s, 0), sqlite3_column_double(s, 1) };
		if (!(node.speed > 0) || !take(arg, &node))
			break;
	}
	bool damaged = code == SQLITE_ROW && !(sqlite3_column_double(s, 1) > 0);
	return s && database_finish(db, s, code) &&
	       (!damaged || database_refuse(db, "the speed of a machine is damaged"));
}

bool database_add_node(struct database *db, int match, const struct match_node *node,
		       char why[DATABASE_REASON_MAX])
{
	db->why = why;
	return database_change(db, NULL, "INSERT OR IGNORE INTO node VALUES (?, ?, ?)", "itr",
			       db->match_ids[match], node->name, node->speed);
}

/* --- games --- */

static bool insert_game(struct database *db, int match, const struct match_game *g)
{
	sqlite3_int64 seeds[2];
	for (int color = 0; color < 2; color++)
		seeds[color] = g->seeded ? (sqlite3_int64)g->seeds[color] : -1;
	return database_change(db, &db->insert_game,
			       "INSERT INTO game (match, opening, black, white, points, ending, "
			       "detail, opening_moves, seed_black, seed_white, ended) VALUES (?, "
			       "?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			       "iniinttnooo", db->match_ids[match], g->opening,
			       db->engine_ids[g->engines[BLACK]], db->engine_ids[g->engines[WHITE]],
			       g->points, end_names[g->end], g->detail, g->opening_moves,
			       seeds[BLACK], seeds[WHITE],
			       g->ended ? (sqlite3_int64)g->ended : (sqlite3_int64)-1);
}

static bool insert_moves(struct database *db, const struct match_game *g)
{
	sqlite3_int64 id = sqlite3_last_insert_rowid(db->sqlite);
	for (int i = 0; i < g->count; i++) {
		const struct match_move *m = &g->moves[i];
		if (!database_change(db, &db->insert_move,
				     "INSERT INTO move VALUES (?, ?, ?, ?, ?, ?)", "intrrt", id,
				     i + 1, m->text, m->seconds, m->value, m->note))
			return false;
	}
	return true;
}

bool database_add_game(struct database *db, int match, const struct match_game *g,
		       char why[DATABASE_REASON_MAX])
{
	db->why = why;
	if (!database_run(db, "BEGIN IMMEDIATE"))
		return false;
	if (insert_game(db, match, g) && insert_moves(db, g) && database_run(db, "COMMIT"))
		return true;
	sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

/* The moves of one game. The memory is reused for the next game. */
struct move_list {
	struct match_move *moves;
	int count;
};

static void clear_moves(struct move_list *l)
{
	while (l->count)
		free(l->moves[--l->count].note);
}

static bool database_read_moves(struct database *db, sqlite3_stmt *s, struct match_game *g,
				struct move_list *l)
{
	int code;
	clear_moves(l);
	sqlite3_bind_int64(s, 1, g->id);
	while ((code = sqlite3_step(s)) == SQLITE_ROW) {
		const char *text = text_of(s, 1);
		if (sqlite3_column_int(s, 0) != l->count + 1 || strlen(text) >= MOVE_TEXT_MAX ||
		    l->count == RECORD_MAX)
			break;
		l->moves = xgrow(l->moves, (size_t)l->count, sizeof *l->moves);
		struct match_move *move = &l->moves[l->count++];
		*move = (struct match_move) {
			.seconds = read_real(s, 2, 0, 1e9, NAN),
			.value = read_real(s, 3, -1, 1, NAN),
		};
		strcpy(move->text, text);
		if (sqlite3_column_type(s, 4) != SQLITE_NULL)
			move->note = xstrdup(text_of(s, 4));
	}
	bool good = code == SQLITE_DONE;
	if (code == SQLITE_ROW)
		database_refuse(db, "move %d of game %lld is damaged", l->count + 1,
				(long long)g->id);
	else if (!good)
		database_fail(db);
	sqlite3_reset(s);
	g->moves = l->moves;
	g->count = l->count;
	return good;
}

static bool database_read_game(struct database *db, sqlite3_stmt *s, struct match_game *g)
{
	g->id = sqlite3_column_int64(s, 0);
	g->opening = sqlite3_column_int(s, 1);
	g->points = sqlite3_column_int(s, 4);
	g->detail = text_of(s, 6);
	g->opening_moves = sqlite3_column_int(s, 7);
	g->seeded = sqlite3_column_type(s, 8) != SQLITE_NULL;
	g->ended = sqlite3_column_int64(s, 10);
	for (int color = 0; color < 2; color++) {
		g->engines[color] = find_engine(db, sqlite3_column_int64(s, 2 + color));
		g->seeds[color] = (uint32_t)sqlite3_column_int64(s, 8 + color);
	}
	if (g->engines[0] < 0 || g->engines[1] < 0)
		return database_refuse(db, "the engines of game %lld are unknown",
				       (long long)g->id);
	bool good = g->opening >= 1 && g->opening <= OPENING_MAX && g->points >= 0 &&
		    g->points <= 2 && g->opening_moves >= 0 && end_find(text_of(s, 5), &g->end);
	return good || database_refuse(db, "game %lld is damaged", (long long)g->id);
}

bool database_games(struct database *db, int match, enum match_parts parts,
		    bool (*take)(void *, const struct match_game *), void *arg,
		    char why[DATABASE_REASON_MAX])
{
	db->why = why;
	sqlite3_stmt *rows = database_query(
		db,
		"SELECT id, opening, black, white, points, ending, detail,"
		" opening_moves, seed_black, seed_white, ended "
		"FROM game WHERE match = ? ORDER BY id",
		"i", db->match_ids[match]);
	sqlite3_stmt *moves = database_query(
		db,
		parts == PARTS_ALL ? "SELECT number, move, seconds, value, note FROM move "
				     "WHERE game = ? ORDER BY number"
				   : "SELECT number, move, seconds, value, NULL FROM move "
				     "WHERE game = ? ORDER BY number",
		"");
	struct match_game g = { 0 };
	struct move_list list = { 0 };
	bool good = rows && moves, goes_on = true;
	int code = SQLITE_DONE;
	while (good && goes_on && (code = sqlite3_step(rows)) == SQLITE_ROW) {
		good = database_read_game(db, rows, &g) &&
		       (parts == PARTS_RESULT || database_read_moves(db, moves, &g, &list));
		goes_on = good && take(arg, &g);
	}
	clear_moves(&list);
	free(list.moves);
	sqlite3_finalize(moves);
	return database_finish(db, rows, good ? code : SQLITE_DONE) && good;
}

/* Returns PRESENCE_SAME if a query's rows are the moves of a game in order, else PRESENCE_OTHER. */
static enum presence database_compare_moves(struct database *db, sqlite3_stmt *s,
					    const struct match_game *g)
{
	int i = 0, code;
	while ((code = sqlite3_step(s)) == SQLITE_ROW)
		if (i == g->count || strcmp(text_of(s, 0), g->moves[i++].text) != 0)
			return PRESENCE_OTHER;
	if (code != SQLITE_DONE) {
		database_fail(db);
		return PRESENCE_FAILED;
	}
	return i == g->count ? PRESENCE_SAME : PRESENCE_OTHER;
}

enum presence database_find_game(struct database *db, int match, const struct match_game *g,
				 bool any_opening, char why[DATABASE_REASON_MAX])
{
	db->why = why;
	enum presence presence = PRESENCE_FAILED;
	sqlite3_stmt *s = database_query(
		db,
		"SELECT id FROM game WHERE match = ? AND black = ? "
		"AND white = ? AND (opening = ? OR ?)",
		"iiinn", db->match_ids[match], db->engine_ids[g->engines[BLACK]],
		db->engine_ids[g->engines[WHITE]], g->opening, any_opening);
	sqlite3_stmt *moves = database_query(
		db, "SELECT move FROM move WHERE game = ? ORDER BY number", "");
	if (s && moves) {
		presence = PRESENCE_NONE;
		int code = SQLITE_DONE;
		while (presence != PRESENCE_SAME && presence != PRESENCE_FAILED &&
		       (code = sqlite3_step(s)) == SQLITE_ROW) {
			sqlite3_bind_int64(moves, 1, sqlite3_column_int64(s, 0));
			presence = database_compare_moves(db, moves, g);
			sqlite3_reset(moves);
		}
		if (code != SQLITE_DONE && code != SQLITE_ROW) {
			database_fail(db);
			presence = PRESENCE_FAILED;
		}
	}
	sqlite3_finalize(moves);
	sqlite3_finalize(s);
	return presence;
}

int database_last_opening(struct database *db, int match, char why[DATABASE_REASON_MAX])
{
	db->why = why;
	sqlite3_stmt *s = database_query(db, "SELECT max(opening) FROM game WHERE match = ?", "i",
					 db->match_ids[match]);
	if (!s)
		return -1;
	int code = sqlite3_step(s), last = sqlite3_column_int(s, 0);
	return database_finish(db, s, code) ? last : -1;
}

/* --- the file --- */

/* Sets *is_it if a query's single answer is `expected`. Returns false if the query fails. */
static bool database_answers(struct database *db, const char *sql, const char *parameter,
			     const char *expected, bool *is_it)
{
	sqlite3_stmt *s = database_query(db, sql, parameter ? "t" : "", parameter);
	if (!s)
		return false;
	int code = sqlite3_step(s);
	*is_it = code == SQLITE_ROW && strcmp(text_of(s, 0), expected) == 0;
	return database_finish(db, s, code);
}

static bool create_tables(struct database *db)
{
	bool good = database_run(db, "BEGIN IMMEDIATE");
	for (size_t i = 0; good && i < TABLES; i++)
		good = database_run(db, tables[i].sql);
	return good && database_run(db, "PRAGMA application_id = " AS_STRING(APPLICATION)) &&
	       database_run(db, "PRAGMA user_version = " AS_STRING(VERSION)) &&
	       database_run(db, "COMMIT");
}

/* Checks that a table is as yomi creates it, or that it may be missing. */
static bool check_table(struct database *db, size_t i)
{
	bool is_it;
	if (!database_answers(db, "SELECT count(*) FROM sqlite_schema WHERE name = ?",
			      tables[i].name, "1", &db->has[i]))
		return false;
	if (!db->has[i] && i >= FIRST_LATER)
		return true;
	if (!database_answers(db, "SELECT sql FROM sqlite_schema WHERE name = ? AND type = 'table'",
			      tables[i].name, tables[i].sql, &is_it))
		return false;
	return is_it || database_refuse(db, "its table %s differs from the one that yomi creates",
					tables[i].name);
}

static bool database_is_empty(struct database *db, bool *empty)
{
	return database_answers(db, "SELECT count(*) FROM sqlite_schema", NULL, "0", empty);
}

/* Checks that the file is an intact match database of this version. */
static bool check_tables(struct database *db)
{
	char text[32];
	bool is_it;
	snprintf(text, sizeof text, "%d", APPLICATION);
	if (!database_answers(db, "PRAGMA application_id", NULL, text, &is_it))
		return false;
	if (!is_it && database_is_empty(db, &is_it) && is_it)
		return database_refuse(db, "the file is empty");
	if (!is_it)
		return database_refuse(db, "this is a database of another program");
	if (!database_answers(db, "PRAGMA user_version", NULL, AS_STRING(VERSION), &is_it))
		return false;
	if (!is_it)
		return database_refuse(db, "it was written by another version of yomi");
	for (size_t i = 0; i < TABLES; i++)
		if (!check_table(db, i))
			return false;
	if (!database_answers(db, "PRAGMA quick_check(1)", NULL, "ok", &is_it))
		return false;
	return is_it || database_refuse(db, "the database is damaged");
}

/* Adds the tables that the file may lack. */
static bool complete_tables(struct database *db)
{
	for (size_t i = FIRST_LATER; i < TABLES; i++) {
		if (!db->has[i] && !database_run(db, tables[i].sql))
			return false;
		db->has[i] = true;
	}
	return true;
}

/* Locks the file against other writers until it is closed. The lock must stay open as long as sqlite's own descriptor:
 * closing it would release sqlite's locks. */
static bool lock_file(struct database *db)
{
	struct disk_file file;
	if (disk_look(db->path, &file) && file.kind == DISK_OTHER)
		return database_refuse(db, "not a regular file");
	db->lock = disk_open(db->path, "a+");
	if (!db->lock)
		return database_refuse(db, "%s", strerror(errno));
	return disk_lock(db->lock, false) || database_refuse(db, "another match is writing to it");
}

static bool database_open_file(struct database *db, const char *path, int flags)
{
	/* sqlite interprets names that begin with a colon or a scheme. */
	char *name = path && !path_is_absolute(path) ? xasprintf("./%s", path)
						     : xstrdup(path ? path : ":memory:");
	int code = sqlite3_open_v2(name, &db->sqlite, flags | SQLITE_OPEN_NOMUTEX, NULL);
	free(name);
	if (code != SQLITE_OK)
		return database_fail(db);
	sqlite3_busy_timeout(db->sqlite, BUSY_MS);
	sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	return database_run(db, "PRAGMA foreign_keys = ON");
}

/* Creates the tables in an empty file and prepares the file for writing. */
static bool open_to_write(struct database *db, const char *path)
{
	bool empty;
	if ((path && !lock_file(db)) ||
	    !database_open_file(db, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) ||
	    !database_is_empty(db, &empty) || (empty && !create_tables(db)) || !check_tables(db) ||
	    !complete_tables(db))
		return false;
	/* This fails while another process reads. Writers and readers then wait for each other. */
	sqlite3_exec(db->sqlite, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
	db->writes = path;
	return database_run(db, "PRAGMA synchronous = NORMAL");
}

static struct database *database_create(const char *path, char why[DATABASE_REASON_MAX])
{
	struct database *db = xcalloc(1, sizeof *db);
	db->path = xstrdup(path ? path : "the database");
	db->why = why;
	return db;
}

struct database *database_open(const char *path, char why[DATABASE_REASON_MAX])
{
	struct database *db = database_create(path, why);
	if (open_to_write(db, path) && read_engines(db) && read_matches(db))
		return db;
	database_close(db);
	return NULL;
}

#define DATABASE_HEAD "SQLite format 3" /* the first bytes, with the NUL */

bool database_is(const char *path)
{
	char head[sizeof DATABASE_HEAD] = "";
	FILE *f = disk_open(path, "r");
	bool is = f && fread(head, 1, sizeof head, f) == sizeof head &&
		  memcmp(head, DATABASE_HEAD, sizeof head) == 0;
	if (f)
		fclose(f);
	return is;
}

struct database *database_read(const char *path, char why[DATABASE_REASON_MAX])
{
	struct database *db = database_create(path, why);
	struct disk_file file;
	if (disk_look(path, &file) && file.kind == DISK_FOLDER) {
		database_refuse(db, "%s", strerror(EISDIR));
		database_close(db);
		return NULL;
	}
	/* In one transaction all that is read is of one time, although a match may add games. */
	if (database_open_file(db, path, SQLITE_OPEN_READONLY) && database_run(db, "BEGIN") &&
	    check_tables(db) && read_engines(db) && read_matches(db))
		return db;
	database_close(db);
	return NULL;
}

void database_close(struct database *db)
{
	for (int i = 0; i < db->engine_count; i++) {
		database_drop(db->engines[i].name);
		database_drop(db->engines[i].command);
		database_drop(db->engines[i].version);
	}
	for (int i = 0; i < db->match_count; i++)
		database_drop(db->matches[i].terms);
	sqlite3_finalize(db->insert_game);
	sqlite3_finalize(db->insert_move);
	/* This fails while another process reads; the file then stays in WAL mode. */
	if (db->writes)
		sqlite3_exec(db->sqlite, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	sqlite3_close(db->sqlite);
	if (db->lock)
		fclose(db->lock);
	free(db->engines);
	free(db->matches);
	free(db->engine_ids);
	free(db->match_ids);
	free(db->path);
	free(db);
}
