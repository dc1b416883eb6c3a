/* SPDX-License-Identifier: MIT */
#include "tools/solve/journal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "protocol/session/size.h"
#include "tools/lib/message.h"

#define MAGIC    "yomi-solve 1"
#define HEAD_MAX (POSITION_TEXT_MAX + 4 * GAME_NAME_MAX)

static const char sides[] = "XO";

struct journal {
	const struct game *game;
	const char *path;
	FILE *file;    /* to append */
	uint64_t size; /* of what is good */
	const struct journal_reader *reader;
	struct certificate_claim found; /* entries read since the last complete position */
	struct solve_result result;     /* buffer */
};

/* --- reading --- */

static int read_side(const char *word)
{
	return !word || !*word || word[1] ? -1 : *word == 'X' ? BLACK : *word == 'O' ? WHITE : -1;
}

/* Reads a number up to `end`, and moves *text behind it. Returns false if there is none from 0 to `max`. */
static bool journal_read_number(char **text, char end, uint64_t max, uint64_t *out)
{
	char *after;
	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*out = strtoull(*text, &after, 10);
	if (errno || *out > max || *after != end)
		return false;
	*text = after + (end != '\0');
	return true;
}

/* Reads EFFORTS that end a word. */
static bool read_efforts(char *text, uint32_t efforts[2])
{
	uint64_t black, white;
	if (!journal_read_number(&text, ',', DFPN_NEVER, &black) ||
	    !journal_read_number(&text, '\0', DFPN_NEVER, &white))
		return false;
	efforts[BLACK] = (uint32_t)black;
	efforts[WHITE] = (uint32_t)white;
	return true;
}

static bool journal_read_position(const struct journal *j, char **rest, struct state *s)
{
	char *squares = text_cut(rest, " "), *side = text_cut(rest, " ");
	return side && game_setup(j->game, s, squares, side) == NULL && !s->over;
}

static bool read_bound(const char *word, int *bound)
{
	*bound = word && *word == '-' ? -1 : word && *word == '1' ? 1 : 0;
	return word &&
	       (strcmp(word, "-1") == 0 || strcmp(word, "0") == 0 || strcmp(word, "1") == 0);
}

/* Reads MOVE:WINNER:EFFORTS, where MOVE is a number. */
static bool read_child(char *word, struct solve_result *r)
{
	uint64_t i;
	if (!journal_read_number(&word, ':', GAME_MOVES_MAX - 1, &i) ||
	    i >= (uint64_t)r->child_count)
		return false;
	char *winner = text_cut(&word, ":");
	int w = read_side(winner);
	return w >= 0 && word && read_efforts(word, r->children[i].efforts[w]);
}

static bool journal_take_result(struct journal *j, char *rest)
{
	struct solve_result *r = &j->result;
	struct move moves[GAME_MOVES_MAX];
	struct state s;
	char *nodes, *efforts, *word;
	if (!journal_read_position(j, &rest, &s))
		return false;
	int winner = read_side(text_cut(&rest, " "));
	if (winner < 0 || !read_bound(text_cut(&rest, " "), &r->lower) ||
	    !read_bound(text_cut(&rest, " "), &r->upper) || r->lower > r->upper ||
	    !(nodes = text_cut(&rest, " ")) ||
	    !journal_read_number(&nodes, '\0', UINT64_MAX, &r->nodes) ||
	    !(efforts = text_cut(&rest, " ")) || !read_efforts(efforts, r->efforts))
		return false;
	r->stopped = false;
	bool answered = winner == BLACK ? r->lower > 0 || r->upper <= 0
					: r->upper < 0 || r->lower >= 0;
	r->child_count = answered ? 0 : game_moves(j->game, &s, moves);
	memset(r->children, 0, (size_t)r->child_count * sizeof *r->children);
	while ((word = text_cut(&rest, " ")))
		if (!read_child(word, r))
			return false;
	return j->reader->result(j->reader->arg, &s, winner, r);
}

/* Reads an entry of a certificate, or the end of the entries of a position. */
static bool journal_take_certified(struct journal *j, char *rest, bool ends)
{
	struct state s;
	struct move move;
	int side = read_side(text_cut(&rest, " "));
	char *points = text_cut(&rest, " ");
	uint64_t n;
	if (side < 0 || !points || !journal_read_number(&points, '\0', 1, &n) ||
	    !journal_read_position(j, &rest, &s))
		return false;
	if (!ends) {
		if (!rest || game_parse(j->game, &s, rest, &move) != MOVE_OK)
			return false;
		struct certificate_entry e = certificate_entry(j->game, &s, move);
		/* Another claim begins: the lines of the one before have no end. */
		if (side != j->found.side || (int)n != j->found.points)
			j->found.count = 0;
		j->found.side = side;
		j->found.points = (int)n;
		certificate_append(&j->found, &e);
		return true;
	}
	bool is_other = j->found.count && (side != j->found.side || (int)n != j->found.points);
	j->found.side = side;
	j->found.points = (int)n;
	bool good = !rest && !is_other && j->reader->certified(j->reader->arg, &s, &j->found);
	j->found.count = 0;
	return good;
}

static bool journal_take_line(struct journal *j, char *line)
{
	char *kind = text_cut(&line, " ");
	if (!line)
		return false;
	return strcmp(kind, "r") == 0   ? journal_take_result(j, line)
	       : strcmp(kind, "e") == 0 ? journal_take_certified(j, line, false)
	       : strcmp(kind, "c") == 0 ? journal_take_certified(j, line, true)
					: false;
}

static void journal_print_head(const struct journal *j, const struct state *root,
			       char head[HEAD_MAX])
{
	char position[POSITION_TEXT_MAX], size[SIZE_TEXT_MAX];
	game_position(j->game, root, position);
	size_format(j->game, size);
	snprintf(head, HEAD_MAX, MAGIC " %s %s %s %s", j->game->name, j->game->rules, size,
		 position);
}

/* Reads all complete lines. Sets the size to that of them, without a claim that has no end: its lines would join the next
 * one. Returns false after a message. */
static bool journal_read_lines(struct journal *j, FILE *in, const char *head)
{
	struct text text = { 0 };
	uint64_t read = 0;
	bool good = true;
	j->size = 0;
	for (long number = 1; good && text_read_line(&text, in); number++) {
		char *line = text.bytes;
		size_t n = text.length;
		if (line[n - 1] != '\n') {
			/* Only a journal loses an incomplete line. */
			good = number > 1 || strncmp(head, line, n) == 0 ||
			       message("%s is not a journal of yomi-solve", j->path);
			break;
		}
		line[n - 1] = '\0';
		read += n;
		j->size = strncmp(line, "e ", 2) == 0 ? j->size : read;
		if (number > 1)
			good = journal_take_line(j, line) ||
			       message("%s: line %ld is damaged", j->path, number);
		else if (strncmp(line, MAGIC " ", strlen(MAGIC " ")) != 0)
			good = message("%s is not a journal of this version of yomi-solve",
				       j->path);
		else if (strcmp(line, head) != 0)
			good = message("%s is of another position: %s", j->path,
				       line + strlen(MAGIC " "));
	}
	text_free(&text);
	j->found.count = 0;
	return good && (!ferror(in) || message("cannot read %s: %s", j->path, strerror(errno)));
}

/* --- writing --- */

/* Appends a text. If that fails, takes back what was written of it, so that nothing before it is lost. */
static bool journal_append(struct journal *j, const char *text, size_t length)
{
	if (fwrite(text, 1, length, j->file) == length) {
		j->size += length;
		return true;
	}
	message("cannot write %s: %s", j->path, strerror(errno));
	/* If this fails too, the next run cuts the incomplete line. */
	(void)!disk_cut(j->file, j->size);
	return false;
}

/* Appends a text and frees it. */
static bool append_text(struct journal *j, struct text *text)
{
	bool good = journal_append(j, text->bytes, text->length);
	text_free(text);
	return good;
}

bool journal_add_result(struct journal *j, const struct state *s, int winner,
			const struct solve_result *r)
{
	char position[POSITION_TEXT_MAX];
	struct text text = { 0 };
	game_position(j->game, s, position);
	text_printf(&text, "r %s %c %d %d %llu %u,%u", position, sides[winner], r->lower, r->upper,
		    (unsigned long long)r->nodes, r->efforts[BLACK], r->efforts[WHITE]);
	for (int i = 0; i < r->child_count; i++)
		for (int w = BLACK; w <= WHITE; w++) {
			const uint32_t *e = r->children[i].efforts[w];
			if (e[BLACK] || e[WHITE])
				text_printf(&text, " %d:%c:%u,%u", i, sides[w], e[BLACK], e[WHITE]);
		}
	text_putc(&text, '\n');
	return append_text(j, &text);
}

bool journal_add_certified(struct journal *j, const struct state *s,
			   const struct certificate_claim *c)
{
	char position[POSITION_TEXT_MAX], move[MOVE_TEXT_MAX];
	struct state at;
	struct text text = { 0 };
	for (size_t i = 0; i < c->count; i++) {
		certificate_state(j->game, &c->entries[i].key, &at);
		game_position(j->game, &at, position);
		game_format(j->game, &at, c->entries[i].move, move);
		text_printf(&text, "e %c %d %s %s\n", sides[c->side], c->points, position, move);
	}
	game_position(j->game, s, position);
	text_printf(&text, "c %c %d %s\n", sides[c->side], c->points, position);
	return append_text(j, &text);
}

/* --- the file --- */

/* Reads what is there and makes the file ready for more. */
static bool journal_begin(struct journal *j, const struct state *root)
{
	char head[HEAD_MAX];
	const char *reason;
	struct disk_file file;
	if (disk_look(j->path, &file) && file.kind == DISK_OTHER)
		return message("%s is not a regular file", j->path);
	j->file = disk_open(j->path, "a");
	if (!j->file)
		return message("cannot open %s: %s", j->path, strerror(errno));
	setvbuf(j->file, NULL, _IONBF, 0);
	if (!disk_lock(j->file, false))
		return message("%s is in use by another run", j->path);
	FILE *in = disk_read(j->path, &file, &reason);
	if (!in)
		return message("cannot open %s: %s", j->path, reason);
	journal_print_head(j, root, head);
	bool good = journal_read_lines(j, in, head);
	fclose(in);
	if (!good)
		return false;
	if (!disk_cut(j->file, j->size))
		return message("cannot write %s: %s", j->path, strerror(errno));
	strcat(head, "\n");
	return j->size || journal_append(j, head, strlen(head));
}

struct journal *journal_open(const char *path, const struct game *g, const struct state *root,
			     const struct journal_reader *reader)
{
	struct journal *j = xcalloc(1, sizeof *j);
	j->game = g;
	j->path = path;
	j->reader = reader;
	if (journal_begin(j, root)) {
		j->reader = NULL;
		return j;
	}
	journal_close(j);
	return NULL;
}

void journal_close(struct journal *j)
{
	if (j->file)
		fclose(j->file);
	free(j->found.entries);
	free(j);
}
