/* SPDX-License-Identifier: MIT */
#include "tools/book/own.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "engine/rules/own_book.h"
#include "protocol/lessons/explorer.h"
#include "protocol/records/file.h"
#include "protocol/records/sgf.h"
#include "tools/lib/keys.h"
#include "tools/lib/message.h"
#include "tools/lib/path.h"
#include "tools/match/database.h"

#define INPUT_MAX ((size_t)1 << 30)

/* Lines to add, as files have them. */
struct adding {
	struct import_wish wish; /* what input may not say */
	struct own_line {
		const struct game *game;
		char *text;
		bool is_variation; /* of a game in SGF: nobody has played it */
		bool is_written;
	} * lines;
	size_t count;
	int left_out;         /* games that cannot be used */
	char why[REASON_MAX]; /* the reason for the last one */
};

/* --- lines of records --- */

static uint64_t hash_text(const char *text)
{
	return keys_hash(text, strcspn(text, "\n"));
}

/* Writes a result as lines have it. */
static void own_print_result(struct text *out, const struct own_result *r)
{
	if (!r->known)
		text_putc(out, '?');
	else if (r->sign == 0)
		text_putc(out, '0');
	else if (isnan(r->score))
		text_puts(out, r->sign > 0 ? "B+" : "W+");
	else
		text_printf(out, "%c+%.10g", r->sign > 0 ? 'B' : 'W', fabs(r->score));
}

static void own_leave_out(struct adding *a, const char *where, const char *reason)
{
	a->left_out++;
	snprintf(a->why, sizeof a->why, "%.60s: %.90s", where, reason);
}

/* Returns the result of a game. `said` is what its record says. The rules decide a game that they have ended. Where players
 * end games by passes, they may have agreed on another result. A score that the game cannot have counts as unknown. */
static struct own_result own_decide(const struct record *r, struct own_result said)
{
	const struct game *g = r->game;
	if (r->now.over && !(g->steps.may_pass && said.known))
		said = (struct own_result) { true, score_sign(r->now.score),
					     game_points(g, r->now.score) };
	if (!g->score.unit || fabs(said.score) > game_points(g, g->score.most))
		said.score = NAN;
	return said;
}

/* Writes a record as the book has it. The caller frees the text. */
static char *own_write_line(const struct record *r, const struct own_result *result)
{
	const struct game *g = r->game;
	struct state s = r->start;
	char move[MOVE_TEXT_MAX];
	struct text text = { 0 };
	const char *space = "";
	for (int i = 0; i < r->count && !s.over; record_replay(r, i++, &s)) {
		struct move m = r->moves[i].move;
		/* After the second move nobody can tell that the players have swapped sides. */
		if (m.step[0] == MOVE_SIDES)
			continue;
		if (m.step[0] == MOVE_TURN)
			m = move_single(g->steps.pass);
		game_format(g, &s, m, move);
		text_printf(&text, "%s%s", space, move);
		space = " ";
	}
	text_putc(&text, '\t');
	own_print_result(&text, result);
	return text_take(&text);
}

/* Returns true if the book can read a line back, else false with the reason in `why`. It cannot if a side moves twice in a
 * row and may not pass there. */
static bool own_is_readable(const struct game *g, const char *line, char why[REASON_MAX])
{
	struct record r;
	struct own_result result;
	record_init(&r, g);
	bool readable = own_book_read_line(&r, line, &result, why);
	record_free(&r);
	return readable;
}

static bool has_turn(const struct record *r)
{
	int i = 0;
	while (i < r->count && r->moves[i].move.step[0] != MOVE_TURN)
		i++;
	return i < r->count;
}

/* Adds a record. `result` NULL: the record is a variation, which has no result. */
static void add_record(struct adding *a, const struct record *r, const char *result,
		       const char *where)
{
	const struct game *g = r->game;
	struct own_result end = own_result_read(result ? result : "");
	const char *reason = !r->count                    ? "there is no move"
			     : !record_begins_normally(r) ? "the game begins with another position"
			     : r->setup_count             ? "stones are set up after the first move"
							  : NULL;
	if (reason) {
		own_leave_out(a, where, reason);
		return;
	}
	if (result)
		end = own_decide(r, end);
	char *text = own_write_line(r, &end), why[REASON_MAX];
	if (!own_is_readable(g, text, why)) {
		own_leave_out(a, where, has_turn(r) ? "a side moves twice in a row" : why);
		free(text);
		return;
	}
	a->lines = xgrow(a->lines, a->count, sizeof *a->lines);
	a->lines[a->count++] = (struct own_line) { .game = g,
						   .text = text,
						   .is_variation = !result };
}

/* --- input --- */

/* What the root of a record says. */
struct own_root {
	char result[32];
};

static void own_take(void *arg, int moves, const char *name, const char *value)
{
	struct own_root *root = arg;
	if (moves == 0 && strcmp(name, "RE") == 0)
		snprintf(root->result, sizeof root->result, "%s", value);
}

/* A game in SGF that is read. */
struct own_tree {
	struct adding *adding;
	char *where;
	size_t first; /* number of lines that were there before */
	int lines;    /* of the game, so far */
};

/* Returns true if all moves of the last line are at the beginning of the game's main line. */
static bool adds_nothing(const struct own_tree *t)
{
	const struct adding *a = t->adding;
	const char *main_line = a->lines[t->first].text, *line = a->lines[a->count - 1].text;
	size_t length = strcspn(line, "\t");
	return strncmp(main_line, line, length) == 0 && strchr(" \t", main_line[length]);
}

/* Adds a line of the game, the main line or a variation. */
static void own_take_line(void *arg, const char *text)
{
	struct own_tree *t = arg;
	struct adding *a = t->adding;
	struct own_root root = { "" };
	struct record record;
	char why[REASON_MAX];
	bool is_variation = t->lines++ > 0;
	size_t before = a->count;
	/* Of a game that cannot be used, no line can. */
	if (is_variation && a->count == t->first)
		return;
	record_init(&record, a->wish.game);
	if (sgf_parse_with(&record, a->wish.game, text, own_take, &root, why))
		add_record(a, &record, is_variation ? NULL : root.result, t->where);
	else
		own_leave_out(a, t->where, why);
	record_free(&record);
	if (is_variation && a->count > before && adds_nothing(t))
		free(a->lines[--a->count].text);
}

/* Adds the games of a file. Returns false after a message if it cannot be read. */
static bool read_games(struct adding *a, const char *path)
{
	char why[REASON_MAX];
	size_t length;
	const struct imported *game;
	char *bytes = file_read_bytes(path, INPUT_MAX, &length, why);
	struct import *file = bytes ? import_open(bytes, length, &a->wish, why) : NULL;
	bool good = file;
	if (!bytes)
		message("%s", why);
	else if (!file || *why)
		message("%s: %s", path, why);
	while (good && (game = import_next(file))) {
		struct own_tree tree = { .adding = a,
					 .where = xasprintf("%s: %s", path, game->where),
					 .first = a->count };
		if (*game->note)
			message("%s: %s", tree.where, game->note);
		if (game->sgf)
			sgf_lines(game->sgf, own_take_line, &tree);
		else
			own_leave_out(a, tree.where, game->why);
		free(tree.where);
	}
	if (good)
		import_close(file);
	free(bytes);
	return good;
}

struct own_reading {
	struct adding *a;
	const struct match *match;
	const char *path;
};

static bool own_take_game(void *arg, const struct match_game *g)
{
	struct own_reading *r = arg;
	struct record record;
	struct state start;
	char result[32];
	bool good = true;
	record_init(&record, r->match->game);
	match_position(r->match, &start);
	record_setup(&record, &start);
	if (r->match->game->swap)
		record_restart(&record, r->match->game);
	for (int i = 0; i < g->count && good; i++)
		good = !record.now.over && move_check_follows(record_follow_text(
						   &record, record.now.side, g->moves[i].text));
	snprintf(result, sizeof result, "%s", g->end == END_OVER ? g->detail : "");
	if (!own_result_read(result).known)
		snprintf(result, sizeof result, "%s",
			 g->points == 1 ? "0"
			 : g->points    ? "B+"
					: "W+");
	if (good)
		add_record(r->a, &record, result, r->path);
	else
		own_leave_out(r->a, r->path, "a game has an illegal move");
	record_free(&record);
	return true;
}

static bool read_database(struct adding *a, const char *path)
{
	char why[DATABASE_REASON_MAX];
	struct database *db = database_read(path, why);
	struct own_reading r = { .a = a, .path = path };
	bool good = db;
	for (int i = 0; good && (r.match = database_match(db, i)); i++)
		good = database_games(db, i, PARTS_TIMES, own_take_game, &r, why);
	if (db)
		database_close(db);
	return good || message("%s", why);
}

/* --- writing --- */

/* Takes the lock of a file and waits for it. Returns a file to close, NULL after a message on failure. */
static FILE *take_lock(const char *path)
{
	char *name = xasprintf("%s.lock", path);
	FILE *lock = disk_open(name, "a");
	if (!lock)
		message("cannot write %s: %s", name, strerror(errno));
	else
		disk_lock(lock, true);
	free(name);
	return lock;
}

/* Collects the lines that a file has, and checks them. Returns false after a message if one is damaged. */
static bool check_text(const struct game *g, const char *path, const char *text, struct keys *known)
{
	struct record record;
	struct own_result result;
	char why[REASON_MAX];
	bool good = true;
	record_init(&record, g);
	for (int number = 1; good && *text; number++) {
		char *line = xstrndup(text, strcspn(text, "\n"));
		if (own_book_is_line(line)) {
			good = own_book_read_line(&record, line, &result, why) ||
			       message("%s: line %d: %s; correct the line or remove it", path,
				       number, why);
			/* People may have edited the line, but it is the same game. */
			if (good && result.known)
				result = own_decide(&record, result);
			char *written = good ? own_write_line(&record, &result) : NULL;
			if (written)
				keys_add(known, hash_text(written));
			free(written);
		}
		free(line);
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	record_free(&record);
	return good;
}

/* Writes the text that a file had, and the new lines behind it. */
static bool save_lines(const struct adding *a, const struct game *g, const char *path,
		       const char *text, const bool *is_new, char why[REASON_MAX])
{
	struct text file = { 0 };
	size_t length = strlen(text);
	if (!length)
		text_printf(
			&file,
			"# Own book of yomi: %s, rules %s, %dx%d. A line has moves, a tab and the "
			"result.\n",
			g->name, g->rules, g->board.cols, g->board.rows);
	text_puts(&file, text);
	if (length && text[length - 1] != '\n')
		text_putc(&file, '\n');
	for (size_t i = 0; i < a->count; i++)
		if (is_new[i])
			text_printf(&file, "%s\n", a->lines[i].text);
	bool saved = file_save(path, file.bytes, file.length, why);
	text_free(&file);
	return saved;
}

/* What has become of the lines. */
struct own_tally {
	int games, variations; /* added */
	int present;           /* were there already */
};

/* Adds the lines of a game to its file, whose lock is held. */
static bool write_lines(struct adding *a, const struct game *g, const char *path,
			struct own_tally *tally)
{
	struct keys known = { 0 };
	struct disk_file file;
	char why[REASON_MAX];
	bool exists = disk_look(path, &file), *is_new = xcalloc(a->count + 1, sizeof *is_new);
	char *text = exists ? file_read(path, INPUT_MAX, why) : xstrdup("");
	bool good = text ? check_text(g, path, text, &known) : message("%s", why);
	bool has_new = false;
	for (size_t i = 0; good && i < a->count; i++) {
		if (a->lines[i].game != g)
			continue;
		is_new[i] = keys_add(&known, hash_text(a->lines[i].text));
		has_new |= is_new[i];
		++*(!is_new[i]                 ? &tally->present
		    : a->lines[i].is_variation ? &tally->variations
					       : &tally->games);
		a->lines[i].is_written = true;
	}
	if (good && has_new && !save_lines(a, g, path, text, is_new, why))
		good = message("%s", why);
	free(text);
	free(is_new);
	keys_free(&known);
	return good;
}

static bool own_write_game(struct adding *a, const char *folder, const struct game *g,
			   struct own_tally *tally)
{
	char *path = own_book_path(folder, g);
	path_make_folders(path, true);
	FILE *lock = take_lock(path);
	bool good = lock && write_lines(a, g, path, tally);
	if (lock)
		fclose(lock);
	free(path);
	return good;
}

int own_add(const char *folder, const struct import_wish *wish, const char *const *paths, int count)
{
	struct adding a = { .wish = *wish };
	struct own_tally tally = { 0 };
	bool good = true;
	for (int i = 0; good && i < count; i++)
		good = (database_is(paths[i]) ? read_database : read_games)(&a, paths[i]);
	for (size_t i = 0; good && i < a.count; i++)
		if (!a.lines[i].is_written)
			good = own_write_game(&a, folder, a.lines[i].game, &tally);
	if (good) {
		printf("%d %s", tally.games, tally.games == 1 ? "game" : "games");
		if (tally.variations)
			printf(" and %d %s", tally.variations,
			       tally.variations == 1 ? "variation" : "variations");
		printf(" added, %d already known, %d left out%s%s\n", tally.present, a.left_out,
		       a.left_out ? ": " : "", a.why);
	}
	if (good && !a.count)
		good = message("there is no game that can be used");
	for (size_t i = 0; i < a.count; i++)
		free(a.lines[i].text);
	free(a.lines);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- showing --- */

int own_show(const char *folder, const struct game *g, const char *const *moves, int count)
{
	struct own_book *book = own_book_create(folder);
	struct text text = { 0 };
	struct record record;
	char why[REASON_MAX];
	bool good = own_book_load(book, g, why) || message("%s", why);
	record_init(&record, g);
	for (int i = 0; good && i < count; i++)
		good = import_moves(&record, moves[i], why) || message("%s", why);
	if (good)
		explorer_print(&text, &record, book);
	text_send(&text, stdout);
	record_free(&record);
	own_book_destroy(book);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- exporting --- */

/* A move of the tree of all lines. */
struct own_node {
	struct move move;
	struct own_games games;
	struct own_node **children;
	int count;
};

static struct own_node *find_child(struct own_node *p, struct move m)
{
	for (int i = 0; i < p->count; i++)
		if (move_equal(p->children[i]->move, m))
			return p->children[i];
	p->children = xgrow(p->children, (size_t)p->count, sizeof(struct own_node *));
	struct own_node *child = p->children[p->count++] = xcalloc(1, sizeof *child);
	child->move = m;
	return child;
}

static void count_game(struct own_games *g, const struct own_result *r)
{
	g->count++;
	g->black += r->known && r->sign > 0;
	g->white += r->known && r->sign < 0;
	g->draws += r->known && !r->sign;
	g->scored += !isnan(r->score);
	g->score += isnan(r->score) ? 0 : r->score;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct own_node *x = *(struct own_node *const *)a, *y = *(struct own_node *const *)b;
	if (x->games.count != y->games.count)
		return x->games.count > y->games.count ? -1 : 1;
	return (x->move.step[0] > y->move.step[0]) - (x->move.step[0] < y->move.step[0]);
}

static void own_print_move(struct text *out, const struct game *g, const struct state *s,
			   const struct own_node *n)
{
	char comment[160];
	int length = snprintf(comment, sizeof comment, "%d game%s", n->games.count,
			      n->games.count == 1 ? "" : "s");
	if (n->games.black + n->games.white + n->games.draws)
		length += snprintf(comment + length, sizeof comment - (size_t)length,
				   ": Black won %d, White %d, %d drawn", n->games.black,
				   n->games.white, n->games.draws);
	if (g->score.unit && n->games.scored)
		snprintf(comment + length, sizeof comment - (size_t)length,
			 "; Black's mean score %+.1f", n->games.score / n->games.scored);
	sgf_print_node(out, g, s, n->move, comment);
}

/* Prints what follows a state, the move with the most games first. */
static void print_tree(struct text *out, const struct game *g, const struct state *start,
		       struct own_node *n)
{
	struct state s = *start;
	for (; n->count == 1; n = n->children[0]) {
		own_print_move(out, g, &s, n->children[0]);
		game_play(g, &s, n->children[0]->move);
	}
	if (n->count)
		qsort(n->children, (size_t)n->count, sizeof(struct own_node *), compare_nodes);
	for (int i = 0; i < n->count; i++) {
		struct state next = s;
		text_puts(out, "\n(");
		own_print_move(out, g, &s, n->children[i]);
		game_play(g, &next, n->children[i]->move);
		print_tree(out, g, &next, n->children[i]);
		text_putc(out, ')');
	}
}

static void free_tree(struct own_node *n)
{
	for (int i = 0; i < n->count; i++) {
		free_tree(n->children[i]);
		free(n->children[i]);
	}
	free(n->children);
}

/* Adds the lines of a text to a tree. */
static void read_tree(const struct game *g, const char *text, struct own_node *root)
{
	struct record record;
	struct own_result result;
	char why[REASON_MAX];
	record_init(&record, g);
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		char *line = xstrndup(text, strcspn(text, "\n"));
		bool good = own_book_is_line(line) &&
			    own_book_read_line(&record, line, &result, why);
		struct own_node *n = root;
		for (int i = 0; good && i < record.count; i++) {
			n = find_child(n, record.moves[i].move);
			count_game(&n->games, &result);
		}
		free(line);
	}
	record_free(&record);
}

int own_export(const char *folder, const struct game *g, bool as_text)
{
	struct keys known = { 0 };
	struct own_node root = { .count = 0 };
	struct state start;
	char *path = own_book_path(folder, g), why[REASON_MAX];
	char *text = file_read(path, INPUT_MAX, why);
	bool good = text && check_text(g, path, text, &known);
	if (!text)
		message("%s", why);
	if (good && as_text) {
		fputs(text, stdout);
	} else if (good) {
		read_tree(g, text, &root);
		struct record record;
		struct text sgf = { 0 };
		record_init(&record, g);
		start = record.start;
		record_free(&record);
		sgf_print_start(&sgf, g);
		print_tree(&sgf, g, &start, &root);
		text_puts(&sgf, ")\n");
		text_send(&sgf, stdout);
		free_tree(&root);
	}
	keys_free(&known);
	free(text);
	free(path);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
