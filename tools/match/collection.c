/* SPDX-License-Identifier: MIT */
#include "tools/match/collection.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "engine/rules/komi.h"
#include "engine/rules/record.h"
#include "games/games.h"
#include "protocol/records/file.h"
#include "protocol/records/import.h"
#include "protocol/records/sgf.h"
#include "tools/lib/message.h"

#define SIZE_MAX_READ ((size_t)1 << 30)

static const char *const color_words[] = { "black", "white" };
static const char letters[] = "BW";

/* --- writing --- */

struct collection_writing {
	FILE *file;
	const struct database *database;
	const struct match *match;
	struct sgf_property properties[SGF_PROPERTIES_MAX];
	char *values[SGF_PROPERTIES_MAX];
	int count;
	bool damaged; /* a move is not legal */
	int64_t id;   /* id of the last game */
};

__attribute__((format(PRINTF, 3, 4))) static void
collection_add(struct collection_writing *w, const char *name, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	w->values[w->count] = xvasprintf(format, args);
	va_end(args);
	w->properties[w->count].name = name;
	w->properties[w->count].value = w->values[w->count];
	w->count++;
}

/* Adds the result unless it is the one that the rules give. Players may agree on another one: in Go they leave
 * dead stones on the board. */
static void collection_add_result(struct collection_writing *w, const struct match_game *g,
				  const struct state *now)
{
	char winner = letters[g->points == 2 ? BLACK : WHITE], by_rules[SGF_RESULT_MAX] = "";
	if (now->over)
		sgf_result(w->match->game, now, by_rules);
	if (g->points == 1)
		collection_add(w, "RE", "0");
	else if (g->end != END_OVER)
		collection_add(w, "RE", "%c+%c", winner,
			       g->end == END_RESIGN ? 'R'
			       : g->end == END_TIME ? 'T'
						    : 'F');
	else if (strcmp(by_rules, g->detail) != 0)
		collection_add(w, "RE", "%c+%s", winner,
			       strlen(g->detail) > 2 ? g->detail + 2 : "");
}

static void add_engines(struct collection_writing *w, const struct match_game *g)
{
	for (int color = 0; color < 2; color++)
		collection_add(w, color == BLACK ? "PB" : "PW", "%s",
			       database_engine(w->database, g->engines[color])->name);
}

/* Adds what no standard property of SGF can express. */
static void add_details(struct collection_writing *w, const struct match_game *g)
{
	const struct match *m = w->match;
	collection_add(w, "YOMI", "opening %d", g->opening);
	collection_add(w, "YOMI", "opening-moves %d", g->opening_moves);
	collection_add(w, "YOMI", "paired %d", m->paired);
	if (g->engines[WHITE] < g->engines[BLACK])
		collection_add(w, "YOMI", "first white");
	if (g->end > END_RESIGN)
		collection_add(w, "YOMI", "end %s", end_names[g->end]);
	if (g->end != END_OVER && *g->detail)
		collection_add(w, "YOMI", "detail %s", g->detail);
	if (g->ended)
		collection_add(w, "YOMI", "ended %" PRId64, g->ended);
	for (int color = 0; color < 2; color++) {
		const struct match_engine *e = database_engine(w->database, g->engines[color]);
		const char *word = color_words[color];
		if (g->seeded)
			collection_add(w, "YOMI", "seed-%s %" PRIu32, word, g->seeds[color]);
		if (*e->command && strcmp(e->command, e->name) != 0)
			collection_add(w, "YOMI", "command-%s %s", word, e->command);
		if (*e->version)
			collection_add(w, "YOMI", "version-%s %s", word, e->version);
	}
	if (m->tested)
		collection_add(w, "YOMI", "sprt %g %g %g %g", m->sprt.elo0, m->sprt.elo1,
			       m->sprt.alpha, m->sprt.beta);
}

/* Plays the moves of a game and collects their notes. Returns false if a move is illegal. */
static bool replay(struct record *record, const struct match_game *g, struct sgf_note *notes)
{
	for (int i = 0; i < g->count; i++) {
		const struct match_move *m = &g->moves[i];
		if (record->count != i || record->now.over ||
		    !move_check_follows(record_follow_text(record, record->now.side, m->text)))
			return false;
		notes[i] = (struct sgf_note) { m->value, m->seconds, m->note };
	}
	return true;
}

/* Prints a game as UTF-8. Engines may say any bytes: a reader could take one and an escape for a character of another set. */
static void print_clean(const struct collection_writing *w, const struct record *record,
			const struct sgf_note *notes)
{
	struct text text = { 0 };
	sgf_print_with(&text, record, w->properties, w->count, notes);
	char *clean = utf8_clean(text.bytes, text.length, NULL);
	fputs(clean, w->file);
	free(clean);
	text_free(&text);
}

static bool collection_write_game(void *arg, const struct match_game *g)
{
	struct collection_writing *w = arg;
	struct record record;
	struct state start;
	struct sgf_note *notes = xcalloc((size_t)g->count + 1, sizeof *notes);
	char date[16];
	time_t ended = (time_t)g->ended;
	struct tm day;
	match_position(w->match, &start);
	record_init(&record, w->match->game);
	record_setup(&record, &start);
	w->id = g->id;
	w->damaged = !replay(&record, g, notes);
	if (!w->damaged) {
		w->count = 0;
		add_engines(w, g);
		collection_add(w, "EV", "%s", w->match->terms);
		collection_add(w, "RO", "%d", g->opening);
		if (g->ended && gmtime_r(&ended, &day) &&
		    strftime(date, sizeof date, "%Y-%m-%d", &day))
			collection_add(w, "DT", "%s", date);
		collection_add_result(w, g, &record.now);
		add_details(w, g);
		print_clean(w, &record, notes);
		while (w->count)
			free(w->values[--w->count]);
	}
	record_free(&record);
	free(notes);
	return !w->damaged;
}

bool collection_write(FILE *f, struct database *db, int match, char why[DATABASE_REASON_MAX])
{
	struct collection_writing w = { .file = f,
					.database = db,
					.match = database_match(db, match) };
	if (!database_games(db, match, PARTS_ALL, collection_write_game, &w, why))
		return false;
	if (w.damaged)
		snprintf(why, DATABASE_REASON_MAX, "game %" PRId64 " has an illegal move", w.id);
	return !w.damaged;
}

/* --- reading --- */

/* The properties of a game, collected before the game is known to be usable. */
struct collection_reading {
	char *names[2], *commands[2], *versions[2], *terms, *result, *detail;
	struct match match;
	struct match_game game;
	struct match_move *moves; /* properties of each move; texts are filled in later */
	int room;
	int first; /* colour of the engine that is first in the database */
	bool has_end;
	bool is_utf8; /* CA says that the texts are UTF-8 */
};

static void set(char **text, const char *value)
{
	free(*text);
	*text = xstrdup(value);
}

/* Returns the text after `word` and a blank, NULL if the value begins with another word. */
static const char *behind(const char *value, const char *word)
{
	size_t n = strlen(word);
	return strncmp(value, word, n) == 0 && value[n] == ' ' ? value + n + 1 : NULL;
}

static void take_detail(struct collection_reading *r, const char *value)
{
	struct match_game *g = &r->game;
	struct sprt *t = &r->match.sprt;
	char word[32];
	const char *rest;
	if ((rest = behind(value, "opening")))
		g->opening = atoi(rest);
	else if ((rest = behind(value, "opening-moves")))
		g->opening_moves = atoi(rest);
	else if ((rest = behind(value, "paired")))
		r->match.paired = atoi(rest) == 1;
	else if ((rest = behind(value, "first")))
		r->first = strcmp(rest, "white") == 0 ? WHITE : BLACK;
	else if ((rest = behind(value, "end")))
		r->has_end = end_find(rest, &g->end);
	else if ((rest = behind(value, "detail")))
		set(&r->detail, rest);
	else if ((rest = behind(value, "ended")))
		g->ended = strtoll(rest, NULL, 10);
	else if ((rest = behind(value, "sprt")))
		r->match.tested = sscanf(rest, "%lf %lf %lf %lf", &t->elo0, &t->elo1, &t->alpha,
					 &t->beta) == 4 &&
				  sprt_is_sound(t);
	for (int color = 0; color < 2; color++) {
		snprintf(word, sizeof word, "seed-%s", color_words[color]);
		if ((rest = behind(value, word))) {
			g->seeds[color] = (uint32_t)strtoul(rest, NULL, 10);
			g->seeded = true;
		}
		snprintf(word, sizeof word, "command-%s", color_words[color]);
		if ((rest = behind(value, word)))
			set(&r->commands[color], rest);
		snprintf(word, sizeof word, "version-%s", color_words[color]);
		if ((rest = behind(value, word)))
			set(&r->versions[color], rest);
	}
}

/* Reads YEAR-MONTH-DAY. Sets the time at which the day begins in UTC. */
static bool read_day(const char *text, time_t *time)
{
	int year, month, day;
	if (sscanf(text, "%4d-%2d-%2d", &year, &month, &day) != 3 || year < 1 || month < 1 ||
	    month > 12 || day < 1 || day > 31)
		return false;
	/* Of a year that begins with March, 29 February is the last day. */
	int months = (month + 9) % 12, years = year - (month < 3);
	int days = 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 +
		   day;
	*time = (time_t)(days - 719469) * 86400;
	return true;
}

static void take_of_root(struct collection_reading *r, const char *name, const char *value)
{
	time_t ended;
	if (strcmp(name, "PB") == 0)
		set(&r->names[BLACK], value);
	else if (strcmp(name, "PW") == 0)
		set(&r->names[WHITE], value);
	else if (strcmp(name, "CA") == 0)
		r->is_utf8 = strcasecmp(value, "UTF-8") == 0;
	else if (strcmp(name, "EV") == 0)
		set(&r->terms, value);
	else if (strcmp(name, "RE") == 0)
		set(&r->result, value);
	else if (strcmp(name, "RO") == 0 && !r->game.opening)
		r->game.opening = atoi(value);
	else if (strcmp(name, "DT") == 0 && !r->game.ended && read_day(value, &ended))
		r->game.ended = ended;
	else if (strcmp(name, "YOMI") == 0)
		take_detail(r, value);
}

static void collection_take_property(void *arg, int moves, const char *name, const char *value)
{
	struct collection_reading *r = arg;
	if (moves == 0) {
		take_of_root(r, name, value);
		return;
	}
	if (moves > r->room) {
		int room = 2 * moves;
		r->moves = xrealloc(r->moves, (size_t)room * sizeof *r->moves);
		for (int i = r->room; i < room; i++)
			r->moves[i] = (struct match_move) { .seconds = NAN, .value = NAN };
		r->room = room;
	}
	struct match_move *m = &r->moves[moves - 1];
	if (strcmp(name, "V") == 0)
		m->value = strtod(value, NULL);
	else if (strcmp(name, "YT") == 0)
		m->seconds = strtod(value, NULL);
	else if (strcmp(name, "C") == 0)
		set(&m->note, value);
}

/* Takes what is noted at a swap of sides out of the list of moves. */
static void take_out(struct collection_reading *r, int index)
{
	free(r->moves[index].note);
	r->room--;
	memmove(r->moves + index, r->moves + index + 1,
		(size_t)(r->room - index) * sizeof *r->moves);
}

/* Fills in the moves of the record. Passes after the end of the game are ignored. If a side moves twice in a
 * row, the other one passes in between. A swap of sides leaves the board as it is. Returns false if there cannot be a pass,
 * or if moves follow the end. */
static bool collection_take_moves(struct collection_reading *r, const struct record *record)
{
	struct record played;
	const struct game *g = record->game;
	int count = 0, at = 0;
	bool good = true;
	record_init(&played, g);
	record_setup(&played, &record->start);
	if (record->count > 0)
		collection_take_property(r, record->count, "", "");
	for (; good && at < record->count && !played.now.over; at++) {
		struct move m = record->moves[at].move;
		if (m.step[0] == MOVE_SIDES) {
			take_out(r, count);
			continue;
		}
		if (m.step[0] == MOVE_TURN)
			m = move_single(g->steps.pass);
		good = m.step[0] < g->steps.codes && game_is_legal(g, &played.now, m);
		if (good) {
			game_format(g, &played.now, m, r->moves[count].text);
			good = move_check_follows(
				record_follow_text(&played, played.now.side, r->moves[count].text));
		}
		count++;
	}
	r->game.moves = r->moves;
	r->game.count = count;
	record_free(&played);
	return good && (at == record->count || record->moves[at].move.step[0] == MOVE_PASS);
}

/* Finds the winner and the kind of end. Returns false if the result is unknown. If the game was played to
 * its end, the rules override the recorded result, except R, T and F. They do not if players end the game
 * by passes: the players have then agreed on the result. */
static bool collection_take_result(struct collection_reading *r, const struct record *record)
{
	struct match_game *g = &r->game;
	const char *result = r->result;
	int winner = toupper((unsigned char)*result) == 'W' ? WHITE : BLACK;
	bool is_won = strchr("BbWw", *result) && *result && result[1] == '+';
	char how = is_won ? (char)toupper((unsigned char)result[2]) : '\0';
	bool is_drawn = strcmp(result, "0") == 0 || strcasecmp(result, "draw") == 0;
	bool is_agreed = record->game->steps.may_pass && (is_won || is_drawn);
	if (record->now.over && !is_agreed && !(how && strchr("RTF", how))) {
		char text[SGF_RESULT_MAX];
		sgf_result(record->game, &record->now, text);
		set(&r->detail, text);
		g->points = 1 + score_sign(record->now.score);
		g->end = END_OVER;
		return true;
	}
	if (!is_won && !is_drawn)
		return false;
	g->points = !is_won ? 1 : winner == BLACK ? 2 : 0;
	if (!r->has_end)
		g->end = how == 'R'   ? END_RESIGN
			 : how == 'T' ? END_TIME
			 : how == 'F' ? END_REFUSED
				      : END_OVER;
	if (g->end == END_OVER)
		set(&r->detail, is_won ? result : "0");
	return true;
}

static void collection_convert(char **text)
{
	char *converted = *text ? utf8_convert(*text) : NULL;
	free(*text);
	*text = converted;
}

/* Converts the texts of a file that does not say that they are UTF-8. */
static void convert_texts(struct collection_reading *r)
{
	if (r->is_utf8)
		return;
	collection_convert(&r->names[BLACK]);
	collection_convert(&r->names[WHITE]);
	collection_convert(&r->terms);
	for (int i = 0; i < r->room; i++)
		collection_convert(&r->moves[i].note);
}

/* Fills in what a game from another program lacks. A name is one line without tabs, as tables need it. */
static void collection_complete(struct collection_reading *r, int number)
{
	for (int color = 0; color < 2; color++) {
		for (char *c = r->names[color]; *c; c++)
			*c = iscntrl((unsigned char)*c) ? ' ' : *c;
		if (!*r->names[color])
			set(&r->names[color], "unknown");
	}
	if (strcmp(r->names[BLACK], r->names[WHITE]) == 0) {
		char *name = xasprintf("%s (white)", r->names[WHITE]);
		free(r->names[WHITE]);
		r->names[WHITE] = name;
	}
	if (r->game.opening < 1 || r->game.opening > OPENING_MAX)
		r->game.opening = number;
	if (r->game.opening_moves < 0 || r->game.opening_moves > r->game.count)
		r->game.opening_moves = 0;
}

static struct match_engine engine_of(const struct collection_reading *r, int color)
{
	return (struct match_engine) { r->names[color], r->commands[color], r->versions[color] };
}

/* Returns true if the database has an engine of this name with another command. */
static bool is_another(const struct database *db, struct match_engine e)
{
	const struct match_engine *known;
	for (int i = 0; (known = database_engine(db, i)); i++)
		if (strcmp(known->name, e.name) == 0)
			return *known->command && *e.command &&
			       strcmp(known->command, e.command) != 0;
	return false;
}

/* Adds a usable game to the database. */
static bool collection_add_game(struct collection_reading *r, struct database *db,
				struct collection_count *count, char why[DATABASE_REASON_MAX])
{
	struct match_game *g = &r->game;
	int match = database_add_match(db, &r->match, why);
	if (match < 0)
		return false;
	for (int i = 0; i < 2; i++) {
		int color = r->first ^ i;
		struct match_engine e = engine_of(r, color);
		if ((g->engines[color] = database_add_engine(db, &e, why)) < 0)
			return false;
	}
	g->detail = r->detail;
	enum presence presence = database_find_game(db, match, g, false, why);
	/* The game may have got another number when it was read before. */
	if (presence == PRESENCE_OTHER)
		presence = database_find_game(db, match, g, true, why);
	switch (presence) {
	case PRESENCE_FAILED:
		return false;
	case PRESENCE_SAME:
		count->known++;
		return true;
	case PRESENCE_OTHER:
		if ((g->opening = database_last_opening(db, match, why)) < 0)
			return false;
		g->opening++;
		break;
	case PRESENCE_NONE:
		break;
	}
	count->added++;
	return database_add_game(db, match, g, why);
}

static void collection_leave_out(struct collection_count *count, const char *where,
				 const char *reason)
{
	count->left_out++;
	snprintf(count->why, sizeof count->why, "%s: %s", where, reason);
}

/* Reads game `number` of a text, which is `one`. */
static bool collection_read_game(struct database *db, const struct imported *one,
				 const struct game *game, int number,
				 struct collection_count *count, char why[DATABASE_REASON_MAX])
{
	struct collection_reading r = { 0 };
	char **const texts[] = { &r.names[0],    &r.names[1],    &r.commands[0],
				 &r.commands[1], &r.versions[0], &r.versions[1],
				 &r.result,      &r.detail,      &r.terms };
	size_t text_count = sizeof texts / sizeof *texts;
	struct record record;
	struct state normal;
	char refusal[REASON_MAX], how[REASON_MAX] = "";
	bool good = true;
	for (size_t i = 0; i < text_count; i++)
		*texts[i] = xstrdup(texts[i] == &r.terms ? "games of others" : "");
	record_init(&record, games[0]);
	if (sgf_parse_with(&record, game, one->sgf, collection_take_property, &r, refusal)) {
		strcpy(how, refusal);
		*refusal = '\0';
		convert_texts(&r);
		r.match.game = record.game;
		r.match.terms = r.terms;
		r.match.komi = record.game->komi
				       ? record.game->komi->get(record.game, &record.start)
				       : 0;
		match_position(&r.match, &normal);
		bool are_moves = collection_take_moves(&r, &record);
		collection_complete(&r, number);
		if (record.start.hash != normal.hash)
			snprintf(refusal, sizeof refusal,
				 "it does not start from the initial position");
		else if (record.setup_count)
			snprintf(refusal, sizeof refusal, "stones are set up after the first move");
		else if (!are_moves)
			snprintf(refusal, sizeof refusal, "it goes on after its end");
		else if (!collection_take_result(&r, &record))
			snprintf(refusal, sizeof refusal, "its result is unknown");
		else if (is_another(db, engine_of(&r, BLACK)) ||
			 is_another(db, engine_of(&r, WHITE)))
			snprintf(refusal, sizeof refusal, "its engine has another command here");
		else
			good = collection_add_game(&r, db, count, why);
	}
	if (*refusal) {
		collection_leave_out(count, one->where, refusal);
	} else if (*how) {
		count->unclear++;
		strcpy(count->how, how);
	}
	record_free(&record);
	for (int i = 0; i < r.room; i++)
		free(r.moves[i].note);
	for (size_t i = 0; i < text_count; i++)
		free(*texts[i]);
	free(r.moves);
	return good;
}

bool collection_read(struct database *db, const char *bytes, size_t length, const struct game *game,
		     struct collection_count *count, char why[DATABASE_REASON_MAX])
{
	char reason[REASON_MAX];
	const struct import_wish wish = { .game = game };
	const struct imported *one;
	struct import *file = import_open(bytes, length, &wish, reason);
	bool good = file;
	*count = (struct collection_count) { 0 };
	snprintf(why, DATABASE_REASON_MAX, "%s", reason);
	for (int number = 1; good && (one = import_next(file)); number++)
		if (one->sgf)
			good = collection_read_game(db, one, game, number, count, why);
		else
			collection_leave_out(count, one->where, one->why);
	if (file)
		import_close(file);
	return good;
}

bool collection_import(struct database *db, const char *path, const struct game *game,
		       struct collection_count *count, char why[DATABASE_REASON_MAX])
{
	char reason[REASON_MAX], read[DATABASE_REASON_MAX];
	size_t length;
	char *bytes = file_read_bytes(path, SIZE_MAX_READ, &length, reason);
	bool good = bytes && collection_read(db, bytes, length, game, count, read);
	if (!bytes)
		snprintf(why, DATABASE_REASON_MAX, "%s", reason);
	else if (!good)
		snprintf(why, DATABASE_REASON_MAX, "%.200s: %.300s", path, read);
	else if (*read)
		message("%s: %s", path, read);
	free(bytes);
	return good;
}

void collection_tell_unclear(const struct collection_count *count)
{
	if (count->unclear)
		message("%d %s not clear: %s", count->unclear,
			count->unclear == 1 ? "record is" : "records are", count->how);
}

struct database *collection_open(const char *path, const struct game *game,
				 char why[DATABASE_REASON_MAX])
{
	struct collection_count count;
	if (database_is(path))
		return database_read(path, why);
	struct database *db = database_open(NULL, why);
	if (!db)
		return NULL;
	bool good = collection_import(db, path, game, &count, why);
	if (good && count.left_out) {
		snprintf(why, DATABASE_REASON_MAX, "%.200s: %.300s", path, count.why);
		good = false;
	}
	if (!good) {
		database_close(db);
		return NULL;
	}
	collection_tell_unclear(&count);
	return db;
}
