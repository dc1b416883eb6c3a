/* SPDX-License-Identifier: MIT */
#include "protocol/katago/query.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/rules/formats.h"
#include "engine/rules/komi.h"
#include "engine/rules/square.h"
#include "games/games.h"
#include "protocol/records/go_rules.h"
#include "protocol/session/line.h"

#define VISITS_MAX   ((double)((int64_t)1 << 50))
#define PRIORITY_MAX ((json_int_t)1 << 62)
#define SECONDS_MAX  1e6
#define LINE_LIMIT   1000
#define KOMI_MAX     400.0

/* State of reading a query. */
struct query_reader {
	const json_t *object;
	json_t *messages;
	const char *field; /* the one being read */
	struct query *query;
	const struct game *game;
	int cols;
	enum bonus bonus;
	double komi;                    /* NAN: the game's usual one */
	char stones[POSITION_TEXT_MAX]; /* the squares of initialStones; "": the field has none */
	int handicap;                   /* Black's stones in initialStones if White has none */
	int *ends;                      /* ends[t]: moves of the record before turn t */
	int turns;                      /* index of the last turn */
	const json_t *wanted;           /* analyzeTurns; NULL: the last turn only */
	const json_t *priorities;
	json_int_t priority;
};

/* --- messages --- */

static void add_message(struct query_reader *r, const char *kind, const char *format, va_list args)
{
	char *text = xvasprintf(format, args);
	json_t *message = json_object();
	/* What the client wrote is quoted; it is valid UTF-8 unless it was cut. */
	json_object_set_new(message, kind, json_string(text));
	json_object_set_new(message, "field", json_string(r->field));
	json_object_set_new(message, "id", json_string(r->query->id));
	json_array_append_new(r->messages, message);
	free(text);
}

__attribute__((format(PRINTF, 2, 3))) static void warn(struct query_reader *r, const char *format,
						       ...)
{
	va_list args;
	va_start(args, format);
	add_message(r, "warning", format, args);
	va_end(args);
}

/* Adds an error. Returns false. */
__attribute__((format(PRINTF, 2, 3))) static bool query_refuse(struct query_reader *r,
							       const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add_message(r, "error", format, args);
	va_end(args);
	return false;
}

/* --- rules and board --- */

static bool query_read_rules(struct query_reader *r, const json_t *value)
{
	const char *name = json_string_value(value);
	const struct game *named = name ? game_find(r->game->name, name) : NULL;
	const char *lacking;
	struct go_rules rules;
	if (!value)
		return true;
	if (named) {
		r->game = named;
		return true;
	}
	if (!formats_of(r->game)->kata_rules)
		return query_refuse(r, "%s has no such rules", r->game->name);
	if (!rules_read(value, &rules))
		return query_refuse(r, "must be the name of known rules, such as chinese, or an "
				       "object with their parts");
	r->bonus = rules.bonus;
	r->game = rules_game(&rules, r->game, &lacking);
	if (lacking)
		warn(r, "yomi does not play %s; it has these rules instead: %s", lacking,
		     formats_of(r->game)->kata_rules);
	return true;
}

static bool read_cols(struct query_reader *r, const json_t *value)
{
	json_int_t cols = json_integer_value(value);
	if (!json_is_integer(value) || cols < 1 || cols > INT_MAX)
		return query_refuse(r, "must be a whole number, the columns of the board");
	r->cols = (int)cols;
	return true;
}

static bool read_rows(struct query_reader *r, const json_t *value)
{
	json_int_t rows = json_integer_value(value);
	if (!json_is_integer(value))
		return query_refuse(r, "must be a whole number, the rows of the board");
	const struct game *sized = rows <= GAME_SIDE_MAX ? game_sized(r->game, (int)rows, r->cols)
							 : NULL;
	if (!sized)
		return query_refuse(r, "%s has no board of %d columns and %lld rows", r->game->name,
				    r->cols, (long long)rows);
	r->game = sized;
	return true;
}

static bool query_read_komi(struct query_reader *r, const json_t *value)
{
	double komi = json_number_value(value);
	r->komi = NAN;
	if (!value)
		return true;
	if (!json_is_number(value) || fabs(komi) > KOMI_MAX || floor(2 * komi) != 2 * komi)
		return query_refuse(r, "must be a whole or half number from -%g to %g", KOMI_MAX,
				    KOMI_MAX);
	if (komi != 0 && !r->game->komi)
		warn(r, "%s has no komi", r->game->name);
	r->komi = komi;
	return true;
}

static bool read_bonus(struct query_reader *r, const json_t *value)
{
	if (value && !rules_read_bonus(value, &r->bonus))
		return query_refuse(r, "must be \"0\", \"N\" or \"N-1\"");
	return true;
}

/* --- settings --- */

/* Options that belong to the whole program. */
static bool is_shared(const char *name)
{
	return strcmp(name, "memory") == 0 || strcmp(name, "level") == 0 ||
	       strcmp(name, "elo") == 0 || strcmp(name, "ponder") == 0;
}

/* Reads a number min .. max. Returns false with the reason. */
static bool query_set_number(const char *name, const char *text, double min, double max,
			     double *number, char why[REASON_MAX])
{
	double x;
	if (line_real(text, &x) && x >= min && x <= max) {
		*number = x;
		return true;
	}
	snprintf(why, REASON_MAX, "%s must be a number from %g to %.17g", name, min, max);
	return false;
}

static bool set_perspective(struct query_settings *s, const char *text, char why[REASON_MAX])
{
	static const char *const names[] = { "BLACK", "WHITE", "SIDETOMOVE" };
	for (int i = 0; i < 3; i++) {
		if (strcasecmp(text, names[i]) == 0) {
			s->perspective = (enum perspective)i;
			return true;
		}
	}
	snprintf(why, REASON_MAX, "reportAnalysisWinratesAs is BLACK, WHITE or SIDETOMOVE");
	return false;
}

bool query_set(struct query_settings *s, const char *name, const char *value, bool *known,
	       char why[REASON_MAX])
{
	const struct option *option = is_shared(name) ? NULL : option_find(name);
	double number = 0;
	*known = true;
	if (strcmp(name, "maxTime") == 0)
		return query_set_number(name, value, 0, 1e20, &s->seconds, why);
	if (strcmp(name, "reportAnalysisWinratesAs") == 0)
		return set_perspective(s, value, why);
	if (strcmp(name, "maxVisits") == 0 || strcmp(name, "maxPlayouts") == 0) {
		if (!query_set_number(name, value, 1, VISITS_MAX, &number, why))
			return false;
		s->visits = (int64_t)number;
		return true;
	}
	if (strcmp(name, "analysisPVLen") == 0) {
		if (!query_set_number(name, value, 1, LINE_LIMIT, &number, why))
			return false;
		s->line_max = (int64_t)number;
		return true;
	}
	if (option)
		return option_set(&s->options, option, value, why);
	*known = false;
	return false;
}

static bool query_read_settings(struct query_reader *r, const json_t *value)
{
	const char *name;
	json_t *item;
	bool known, is_good = true;
	char why[REASON_MAX];
	if (!value)
		return true;
	if (!json_is_object(value))
		return query_refuse(r, "must be an object");
	json_object_foreach((json_t *)value, name, item)
	{
		char *text = json_is_string(item) ? xstrdup(json_string_value(item))
						  : json_dumps(item, JSON_ENCODE_ANY);
		is_good = query_set(&r->query->settings, name, text, &known, why);
		free(text);
		if (!is_good && known)
			return query_refuse(r, "%s", why);
		if (!is_good)
			warn(r, "yomi has no setting %s", name);
	}
	return true;
}

/* --- plain fields --- */

enum type { FLAG, WHOLE, REAL };

static const struct plain {
	const char *name;
	enum type type;
	size_t offset; /* in struct query; NO_EFFECT: the value is checked only */
	double min, max;
} plains[] = {
#define NO_EFFECT SIZE_MAX
#define AT(field) offsetof(struct query, field)
	{ "maxVisits", WHOLE, AT(settings.visits), 1, VISITS_MAX },
	{ "analysisPVLen", WHOLE, AT(settings.line_max), 1, LINE_LIMIT },
	{ "includeOwnership", FLAG, AT(ownership) },
	{ "includeOwnershipStdev", FLAG, NO_EFFECT },
	{ "includeMovesOwnership", FLAG, AT(moves_ownership) },
	{ "includeMovesOwnershipStdev", FLAG, NO_EFFECT },
	{ "includePolicy", FLAG, AT(policy) },
	{ "includePVVisits", FLAG, AT(line_visits) },
	{ "includeNoResultValue", FLAG, AT(no_result) },
	{ "reportDuringSearchEvery", REAL, AT(every), 0.001, SECONDS_MAX },
	{ "firstReportDuringSearchAfter", REAL, AT(first), 0.001, SECONDS_MAX },
	{ "rootPolicyTemperature", REAL, NO_EFFECT, 0.01, 100 },
	{ "rootFpuReductionMax", REAL, NO_EFFECT, 0, 2 },
#undef AT
};

#define PLAIN_COUNT ((int)(sizeof plains / sizeof plains[0]))

static bool read_plain(struct query_reader *r, const struct plain *p, const json_t *value)
{
	void *at = p->offset == NO_EFFECT ? NULL : (char *)r->query + p->offset;
	double number = json_number_value(value);
	if (p->type == FLAG) {
		if (!json_is_boolean(value))
			return query_refuse(r, "must be true or false");
		if (at)
			*(bool *)at = json_is_true(value);
		return true;
	}
	bool is_number = json_is_number(value) && (p->type != WHOLE || number == rint(number));
	if (!is_number || !(number >= p->min && number <= p->max))
		return query_refuse(r, "must be a %snumber from %g to %.16g",
				    p->type == WHOLE ? "whole " : "", p->min, p->max);
	if (at && p->type == WHOLE)
		*(int64_t *)at = (int64_t)number;
	else if (at)
		*(double *)at = number;
	else
		warn(r, "yomi has no such setting");
	return true;
}

static bool read_plains(struct query_reader *r)
{
	for (int i = 0; i < PLAIN_COUNT; i++) {
		const json_t *value = json_object_get(r->object, plains[i].name);
		r->field = plains[i].name;
		if (value && !read_plain(r, &plains[i], value))
			return false;
	}
	return true;
}

/* --- stones and moves --- */

/* Returns the text of a move or a square in the game's notation: the text itself, or, if that is "(COLUMN,ROW)"
 * from the top left, the name of the square, in `name`. Returns NULL if that is off the board. */
static const char *location_of(const struct game *g, const char *text, char name[SQUARE_TEXT_MAX])
{
	int col, row, length = 0;
	if (*text != '(')
		return text;
	if (sscanf(text, "(%4d,%4d)%n", &col, &row, &length) != 2 || length != (int)strlen(text) ||
	    col < 0 || col >= g->board.cols || row < 0 || row >= g->board.rows)
		return NULL;
	square_format(g, row, col, name);
	return name;
}

/* Reads a square. Returns false if the text is none. */
static bool query_read_square(const struct game *g, const char *text, int *row, int *col)
{
	char name[SQUARE_TEXT_MAX];
	const char *location = location_of(g, text, name);
	const char *end = location ? square_parse(g, location, row, col) : NULL;
	return end && !*end;
}

/* Splits [player, location]. Returns false after an error. */
static bool read_pair(struct query_reader *r, const json_t *pair, int *side, const char **location)
{
	const char *player = json_string_value(json_array_get(pair, 0));
	*location = json_string_value(json_array_get(pair, 1));
	*side = BLACK;
	if (json_array_size(pair) != 2 || !player || !*location)
		return query_refuse(r, "must be an array of pairs [player, location]");
	if (!line_color(player, side))
		return query_refuse(r, "not a player: %s", player);
	return true;
}

static bool read_stones(struct query_reader *r, const json_t *value)
{
	const struct game *g = r->game;
	const char *text;
	int counts[2] = { 0 }, side, row, col;
	if (value && !json_is_array(value))
		return query_refuse(r, "must be an array of pairs [player, location]");
	if (json_array_size(value) == 0)
		return true;
	for (int i = 0; i < g->board.rows * g->board.cols; i++)
		r->stones[i] = game_has_square(g, i) ? '.' : ':';
	for (size_t i = 0; i < json_array_size(value); i++) {
		if (!read_pair(r, json_array_get(value, i), &side, &text))
			return false;
		if (!query_read_square(g, text, &row, &col))
			return query_refuse(r, "not a square of the board: %s", text);
		if (strchr("XO", r->stones[row * g->board.cols + col]))
			return query_refuse(r, "two stones on %s", text);
		r->stones[row * g->board.cols + col] = side == BLACK ? 'X' : 'O';
		counts[side]++;
	}
	r->handicap = counts[WHITE] ? 0 : counts[BLACK];
	return true;
}

/* Returns the side that the client calls the first player: by initialPlayer, else by the first move; -1 without
 * both. */
static int first_player(const struct query_reader *r, const json_t *player)
{
	const json_t *moves = json_object_get(r->object, "moves");
	const char *first = json_string_value(json_array_get(json_array_get(moves, 0), 0));
	int side;
	if (player && line_color(json_string_value(player), &side))
		return side;
	return first && line_color(first, &side) ? side : -1;
}

/* Returns White's points for Black's handicap stones: those of initialStones, and moves of Black's before White's
 * first one. One stone is no handicap. */
static int bonus_points(const struct query_reader *r)
{
	const json_t *moves = json_object_get(r->object, "moves");
	int run = 0, stones = r->handicap, side;
	for (const char *player;
	     (player = json_string_value(json_array_get(json_array_get(moves, (size_t)run), 0)));
	     run++)
		if (!line_color(player, &side) || side == WHITE)
			break;
	stones += run > 1 ? run : 0;
	return rules_bonus_points(r->bonus, stones);
}

/* Sets komi and the points for a handicap. */
static bool query_set_komi(struct query_reader *r)
{
	struct record *record = &r->query->record;
	const struct game *g = r->game;
	if (!g->komi)
		return true;
	int komi = isnan(r->komi) ? g->komi->get(g, &record->start) : (int)(2 * r->komi);
	r->field = "komi";
	return record_set_komi(record, komi + 2 * bonus_points(r)) ||
	       query_refuse(r, "too much for this board");
}

/* Sets up the stones, or the game's usual start, with this side to move. */
static bool set_start(struct query_reader *r, int side)
{
	const struct game *g = r->game;
	struct state start = r->query->record.start;
	char squares[POSITION_TEXT_MAX];
	const char *reason = NULL;
	game_position(g, &start, squares);
	*strchr(squares, ' ') = '\0';
	if (!*r->stones && g->set_turn)
		g->set_turn(g, &start, side);
	else
		reason = game_setup(g, &start, *r->stones ? r->stones : squares,
				    side == BLACK ? "X" : "O");
	if (reason) {
		r->field = *r->stones ? "initialStones" : r->field;
		return query_refuse(r, "%s", reason);
	}
	record_setup(&r->query->record, &start);
	return true;
}

/* Sets the position of turn 0. */
static bool read_start(struct query_reader *r, const json_t *player)
{
	const struct game *g = r->game;
	int side = -1;
	record_init(&r->query->record, g);
	if (player && !(json_is_string(player) && line_color(json_string_value(player), &side)))
		return query_refuse(r, "must be \"B\" or \"W\"");
	/* Where the rules let any side begin, the first move tells. */
	if (*r->stones || g->set_turn)
		side = first_player(r, player);
	if (side < 0 && *r->stones)
		side = r->handicap > 1 ? WHITE : BLACK;
	if (side >= 0 && (*r->stones || side != r->query->record.start.side) && !set_start(r, side))
		return false;
	return query_set_komi(r);
}

static bool query_read_moves(struct query_reader *r, const json_t *value)
{
	struct record *record = &r->query->record;
	char name[SQUARE_TEXT_MAX];
	const char *text;
	int side;
	if (!json_is_array(value))
		return query_refuse(r, "must be an array of pairs [player, location]");
	r->turns = (int)json_array_size(value);
	r->ends = xcalloc((size_t)r->turns + 1, sizeof *r->ends);
	for (int i = 0; i < r->turns; i++) {
		if (!read_pair(r, json_array_get(value, (size_t)i), &side, &text))
			return false;
		const char *location = location_of(r->game, text, name);
		enum move_check check = location ? record_follow_text(record, side, location)
						 : MOVE_MALFORMED;
		if (check == MOVE_MALFORMED)
			return query_refuse(r, "not a move: %s", text);
		/* KaTrain knows these words. */
		if (check == MOVE_ILLEGAL)
			return query_refuse(r, "Illegal move %d: %s", i, text);
		if (check == MOVE_REPEATS)
			warn(r,
			     "move %d, %s, brings back an earlier position, which superko forbids",
			     i, text);
		r->ends[i + 1] = record->count;
	}
	return true;
}

/* --- turns and priorities --- */

static bool read_turns(struct query_reader *r, const json_t *value)
{
	if (value && !json_is_array(value))
		return query_refuse(r, "must be an array of turn numbers");
	/* Without a turn there would be no answer, and the client would wait. */
	if (value && json_array_size(value) == 0)
		return query_refuse(r, "must have a turn number");
	for (size_t i = 0; i < json_array_size(value); i++) {
		const json_t *turn = json_array_get(value, i);
		json_int_t n = json_integer_value(turn);
		if (!json_is_integer(turn) || n < 0 || n > r->turns)
			return query_refuse(r, "must be an array of turn numbers from 0 to %d",
					    r->turns);
	}
	r->wanted = value;
	return true;
}

static bool is_priority(const json_t *value)
{
	json_int_t n = json_integer_value(value);
	return json_is_integer(value) && n >= -PRIORITY_MAX && n <= PRIORITY_MAX;
}

static bool read_priority(struct query_reader *r, const json_t *value)
{
	if (value && !is_priority(value))
		return query_refuse(r, "must be a whole number from -2^62 to 2^62");
	r->priority = json_integer_value(value);
	return true;
}

static bool read_priorities(struct query_reader *r, const json_t *value)
{
	if (!value)
		return true;
	if (json_object_get(r->object, "priority"))
		return query_refuse(r, "give priority or priorities, not both");
	if (!json_is_array(value) || !r->wanted ||
	    json_array_size(value) != json_array_size(r->wanted))
		return query_refuse(r, "must be an array as long as analyzeTurns");
	for (size_t i = 0; i < json_array_size(value); i++)
		if (!is_priority(json_array_get(value, i)))
			return query_refuse(r, "must be whole numbers from -2^62 to 2^62");
	r->priorities = value;
	return true;
}

/* --- moves to avoid and to allow --- */

/* Returns true if a text may name moves of the game: a pass, a square, or a whole move. */
static bool is_location(const struct game *g, const char *text)
{
	char name[SQUARE_TEXT_MAX];
	struct state start;
	struct move unused;
	int row, col;
	if (!text || !location_of(g, text, name))
		return false;
	if (strcasecmp(text, "pass") == 0 || query_read_square(g, text, &row, &col))
		return true;
	g->start(g, &start);
	return g->parse(g, &start, text, &unused) != MOVE_MALFORMED;
}

/* Reads avoidMoves or allowMoves into *field. */
static bool read_choice(struct query_reader *r, const json_t *value, json_t **field, bool is_single)
{
	int counts[2] = { 0 }, side;
	if (!value)
		return true;
	if (!json_is_array(value))
		return query_refuse(
			r, "must be an array of objects with player, moves and untilDepth");
	for (size_t i = 0; i < json_array_size(value); i++) {
		const json_t *item = json_array_get(value, i);
		const json_t *moves = json_object_get(item, "moves");
		const char *player = json_string_value(json_object_get(item, "player"));
		const json_t *depth = json_object_get(item, "untilDepth");
		if (!player || !line_color(player, &side) || !json_is_array(moves) ||
		    !json_is_integer(depth) || json_integer_value(depth) < 1)
			return query_refuse(r, "each object must have player, moves and "
					       "untilDepth, a whole number above 0");
		for (size_t j = 0; j < json_array_size(moves); j++) {
			const char *text = json_string_value(json_array_get(moves, j));
			if (!is_location(r->game, text))
				return query_refuse(r, "not a move: %s", text ? text : "no text");
		}
		if (is_single && ++counts[side] > 1)
			return query_refuse(r, "at most one object for each player");
	}
	*field = json_deep_copy(value);
	return true;
}

static bool read_avoided(struct query_reader *r, const json_t *value)
{
	return read_choice(r, value, &r->query->avoided, false);
}

static bool read_allowed(struct query_reader *r, const json_t *value)
{
	if (value && r->query->avoided)
		return query_refuse(r, "give avoidMoves or allowMoves, not both");
	return read_choice(r, value, &r->query->allowed, true);
}

/* Returns true if a text of the query names a move of the position: the move, or the square where it begins. */
static bool names_move(const struct game *g, const struct state *now, struct move move,
		       const char *text)
{
	char name[SQUARE_TEXT_MAX], wanted[MOVE_TEXT_MAX];
	const char *location = location_of(g, text, name);
	size_t length = strlen(location);
	game_format(g, now, move, wanted);
	return strncasecmp(wanted, location, length) == 0 &&
	       !(wanted[length] >= '0' && wanted[length] <= '9');
}

/* Returns true if an item of the list is for this side and names the move. *applies: an item is for the side. */
static bool lists_move(const json_t *list, const struct record *record, struct move move,
		       bool *applies)
{
	int side;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i);
		const json_t *moves = json_object_get(item, "moves");
		if (!line_color(json_string_value(json_object_get(item, "player")), &side) ||
		    side != record->now.side)
			continue;
		*applies = true;
		for (size_t j = 0; j < json_array_size(moves); j++)
			if (names_move(record->game, &record->now, move,
				       json_string_value(json_array_get(moves, j))))
				return true;
	}
	return false;
}

int job_moves(const struct katago_job *job, const struct record *record, const struct move *all,
	      int count, struct move out[GAME_MOVES_MAX])
{
	const struct query *q = job->query;
	int kept = 0;
	for (int i = 0; i < count; i++) {
		bool avoids = false, allows = false;
		bool is_avoided = lists_move(q->avoided, record, all[i], &avoids);
		bool is_allowed = lists_move(q->allowed, record, all[i], &allows);
		if (!is_avoided && (is_allowed || !allows))
			out[kept++] = all[i];
	}
	return kept;
}

/* --- the whole query --- */

/* In this order: later fields need earlier ones. */
static const struct field {
	const char *name;
	bool (*read)(struct query_reader *,
		     const json_t *); /* the value is NULL if there is none */
} fields[] = {
	{ "rules", query_read_rules },        { "boardXSize", read_cols },
	{ "boardYSize", read_rows },          { "komi", query_read_komi },
	{ "whiteHandicapBonus", read_bonus }, { "overrideSettings", query_read_settings },
	{ "initialStones", read_stones },     { "initialPlayer", read_start },
	{ "moves", query_read_moves },        { "analyzeTurns", read_turns },
	{ "priority", read_priority },        { "priorities", read_priorities },
	{ "avoidMoves", read_avoided },       { "allowMoves", read_allowed },
};

#define FIELD_COUNT ((int)(sizeof fields / sizeof fields[0]))

static bool query_is_known(const char *name)
{
	bool known = strcmp(name, "id") == 0;
	for (int i = 0; i < FIELD_COUNT; i++)
		known |= strcmp(name, fields[i].name) == 0;
	for (int i = 0; i < PLAIN_COUNT; i++)
		known |= strcmp(name, plains[i].name) == 0;
	return known;
}

static bool read_fields(struct query_reader *r)
{
	const char *name;
	json_t *value;
	for (int i = 0; i < FIELD_COUNT; i++) {
		r->field = fields[i].name;
		if (!fields[i].read(r, json_object_get(r->object, r->field)))
			return false;
	}
	/* After overrideSettings, which they override. */
	if (!read_plains(r))
		return false;
	json_object_foreach((json_t *)r->object, name, value)
	{
		r->field = name;
		if (!query_is_known(name))
			warn(r, "yomi knows no such field");
	}
	return true;
}

/* Fills picks[t] with one more than the index of turn t in analyzeTurns, the last one if it occurs twice. 0: the turn
 * is not wanted. */
static void pick_turns(const struct query_reader *r, size_t picks[])
{
	if (!r->wanted)
		picks[r->turns] = 1;
	for (size_t i = 0; i < json_array_size(r->wanted); i++)
		picks[json_integer_value(json_array_get(r->wanted, i))] = i + 1;
}

static struct katago_job *make_jobs(const struct query_reader *r)
{
	struct katago_job *first = NULL, **last = &first;
	size_t *picks = xcalloc((size_t)r->turns + 1, sizeof *picks);
	pick_turns(r, picks);
	for (int turn = 0; turn <= r->turns; turn++) {
		if (!picks[turn])
			continue;
		struct katago_job *job = xcalloc(1, sizeof *job);
		*job = (struct katago_job) { .query = r->query,
					     .turn = turn,
					     .count = r->ends[turn],
					     .priority = r->priority };
		if (r->priorities)
			job->priority = json_integer_value(
				json_array_get(r->priorities, picks[turn] - 1));
		r->query->jobs++;
		*last = job;
		last = &job->next;
	}
	free(picks);
	return first;
}

static void query_free(struct query *q)
{
	record_free(&q->record);
	json_decref(q->avoided);
	json_decref(q->allowed);
	free(q->id);
	free(q);
}

struct katago_job *query_read(const struct game *game, const struct query_settings *settings,
			      const json_t *object, json_t *messages)
{
	struct query_reader r = { .object = object, .messages = messages, .game = game };
	struct katago_job *jobs = NULL;
	r.query = xcalloc(1, sizeof *r.query);
	r.query->id = xstrdup(json_string_value(json_object_get(object, "id")));
	r.query->settings = *settings;
	if (read_fields(&r))
		jobs = make_jobs(&r);
	free(r.ends);
	if (!jobs)
		query_free(r.query);
	return jobs;
}

void job_free(struct katago_job *job)
{
	if (--job->query->jobs == 0)
		query_free(job->query);
	free(job);
}

void job_record(const struct katago_job *job, struct record *record)
{
	const struct record *from = &job->query->record;
	const struct game *g = from->game;
	record_init(record, g);
	record_copy(record, from);
	if (job->count < from->count)
		record_shorten(record, job->count);
	/* Where two passes end the game, the clients ask for the position all the same. */
	if (record->now.over && g->set_turn)
		g->set_turn(g, &record->now, record->now.side);
}
