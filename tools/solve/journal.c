/* SPDX-License-Identifier: MIT */
#include "tools/solve/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "protocol/gtp/size.h"
#include "tools/lib/message.h"

#define MAGIC    "yomi-solve 1"
#define HEAD_MAX (POSITION_TEXT_MAX + 4 * GAME_NAME_MAX)

static const char sides[] = "XO";

struct journal {
	const struct game *game;
	const char *path;
	int fd;
	const struct journal_reader *reader;
	struct certificate_claim found; /* entries read since the last complete position */
	struct lane_result result;      /* buffer */
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
	char *squares = strsep(rest, " "), *side = strsep(rest, " ");
	return side && game_setup(j->game, s, squares, side) == NULL && !s->over;
}

static bool read_bound(const char *word, int *bound)
{
	*bound = word && *word == '-' ? -1 : word && *word == '1' ? 1 : 0;
	return word &&
	       (strcmp(word, "-1") == 0 || strcmp(word, "0") == 0 || strcmp(word, "1") == 0);
}

/* Reads MOVE:WINNER:EFFORTS, where MOVE is a number. */
static bool read_child(char *word, struct lane_result *r)
{
	uint64_t i;
	if (!journal_read_number(&word, ':', GAME_MOVES_MAX - 1, &i) ||
	    i >= (uint64_t)r->child_count)
		return false;
	char *winner = strsep(&word, ":");
	int w = read_side(winner);
	return w >= 0 && word && read_efforts(word, r->children[i].efforts[w]);
}

static bool journal_take_result(struct journal *j, char *rest)
{
	struct lane_result *r = &j->result;
	struct move moves[GAME_MOVES_MAX];
	struct state s;
	char *nodes, *efforts, *word;
	if (!journal_read_position(j, &rest, &s))
		return false;
	int winner = read_side(strsep(&rest, " "));
	if (winner < 0 || !read_bound(strsep(&rest, " "), &r->lower) ||
	    !read_bound(strsep(&rest, " "), &r->upper) || r->lower > r->upper ||
	    !(nodes = strsep(&rest, " ")) ||
	    !journal_read_number(&nodes, '\0', UINT64_MAX, &r->nodes) ||
	    !(efforts = strsep(&rest, " ")) || !read_efforts(efforts, r->efforts))
		return false;
	r->stopped = false;
	bool answered = winner == BLACK ? r->lower > 0 || r->upper <= 0
					: r->upper < 0 || r->lower >= 0;
	r->child_count = answered ? 0 : game_moves(j->game, &s, moves);
	memset(r->children, 0, (size_t)r->child_count * sizeof *r->children);
	while ((word = strsep(&rest, " ")))
		if (!read_child(word, r))
			return false;
	return j->reader->result(j->reader->arg, &s, winner, r);
}

/* Reads an entry of a certificate, or the end of the entries of a position. */
static bool journal_take_certified(struct journal *j, char *rest, bool ends)
{
	struct state s;
	struct move move;
	int side = read_side(strsep(&rest, " "));
	char *points = strsep(&rest, " ");
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
	char *kind = strsep(&line, " ");
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

/* Reads all complete lines. Sets *end to the bytes of them, without a claim that has no end: its lines would join the next
 * one. Returns false after a message. */
static bool journal_read_lines(struct journal *j, FILE *in, const char *head, off_t *end)
{
	char *line = NULL;
	size_t room = 0;
	off_t read = 0;
	ssize_t n;
	bool good = true;
	*end = 0;
	for (long number = 1; good && (n = getline(&line, &room, in)) > 0; number++) {
		if (line[n - 1] != '\n') {
			/* Only a journal loses an incomplete line. */
			good = number > 1 || strncmp(head, line, (size_t)n) == 0 ||
			       message("%s is not a journal of yomi-solve", j->path);
			break;
		}
		line[n - 1] = '\0';
		read += n;
		*end = strncmp(line, "e ", 2) == 0 ? *end : read;
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
	free(line);
	j->found.count = 0;
	return good && (!ferror(in) || message("cannot read %s: %s", j->path, strerror(errno)));
}

/* --- writing --- */

/* Appends a text. If that fails, takes back what was written of it, so that nothing before it is lost. */
static bool journal_append(struct journal *j, const char *text, size_t length)
{
	off_t before = lseek(j->fd, 0, SEEK_END);
	size_t done = 0;
	while (done < length) {
		ssize_t n = write(j->fd, text + done, length - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			message("cannot write %s: %s", j->path, strerror(errno));
			/* If this fails too, the next run cuts the incomplete line. */
			(void)!ftruncate(j->fd, before);
			return false;
		}
		done += (size_t)n;
	}
	return true;
}

/* Appends what was written to a stream of text_open(), which is closed and freed. */
static bool append_text(struct journal *j, FILE *out, char **text, const size_t *length)
{
	fclose(out);
	bool good = journal_append(j, *text, *length);
	free(*text);
	return good;
}

bool journal_add_result(struct journal *j, const struct state *s, int winner,
			const struct lane_result *r)
{
	char position[POSITION_TEXT_MAX], *text;
	size_t length;
	FILE *out = text_open(&text, &length);
	game_position(j->game, s, position);
	fprintf(out, "r %s %c %d %d %llu %u,%u", position, sides[winner], r->lower, r->upper,
		(unsigned long long)r->nodes, r->efforts[BLACK], r->efforts[WHITE]);
	for (int i = 0; i < r->child_count; i++)
		for (int w = BLACK; w <= WHITE; w++) {
			const uint32_t *e = r->children[i].efforts[w];
			if (e[BLACK] || e[WHITE])
				fprintf(out, " %d:%c:%u,%u", i, sides[w], e[BLACK], e[WHITE]);
		}
	fputc('\n', out);
	return append_text(j, out, &text, &length);
}

bool journal_add_certified(struct journal *j, const struct state *s,
			   const struct certificate_claim *c)
{
	char position[POSITION_TEXT_MAX], move[MOVE_TEXT_MAX], *text;
	size_t length;
	struct state at;
	FILE *out = text_open(&text, &length);
	for (size_t i = 0; i < c->count; i++) {
		certificate_state(j->game, &c->entries[i].key, &at);
		game_position(j->game, &at, position);
		game_format(j->game, &at, c->entries[i].move, move);
		fprintf(out, "e %c %d %s %s\n", sides[c->side], c->points, position, move);
	}
	game_position(j->game, s, position);
	fprintf(out, "c %c %d %s\n", sides[c->side], c->points, position);
	return append_text(j, out, &text, &length);
}

/* --- the file --- */

/* Reads what is there and makes the file ready for more. */
static bool journal_begin(struct journal *j, const struct state *root)
{
	char head[HEAD_MAX];
	struct stat st;
	off_t end = 0;
	if (j->fd < 0 || fstat(j->fd, &st) < 0)
		return message("cannot open %s: %s", j->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return message("%s is not a regular file", j->path);
	if (flock(j->fd, LOCK_EX | LOCK_NB) < 0)
		return message("%s is in use by another run", j->path);
	int copy = dup(j->fd);
	FILE *in = copy < 0 ? NULL : fdopen(copy, "r");
	if (!in)
		return message("cannot open %s: %s", j->path, strerror(errno));
	journal_print_head(j, root, head);
	bool good = journal_read_lines(j, in, head, &end);
	fclose(in);
	if (!good)
		return false;
	if (ftruncate(j->fd, end) < 0)
		return message("cannot write %s: %s", j->path, strerror(errno));
	strcat(head, "\n");
	return end || journal_append(j, head, strlen(head));
}

struct journal *journal_open(const char *path, const struct game *g, const struct state *root,
			     const struct journal_reader *reader)
{
	struct journal *j = xcalloc(1, sizeof *j);
	j->game = g;
	j->path = path;
	j->reader = reader;
	j->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
	if (journal_begin(j, root)) {
		j->reader = NULL;
		return j;
	}
	journal_close(j);
	return NULL;
}

void journal_close(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	free(j->found.entries);
	free(j);
}
