/* SPDX-License-Identifier: MIT */
#include "tools/lib/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/game.h"
#include "engine/memory.h"

#define COLUMNS 10

static const char columns[] = "# game\topening\tA plays\tpoints of A\tend\tdetail\tmoves\tseconds "
			      "of A\tseconds of B\tseeds\n";

static const char *const end_names[END_COUNT] = {
	"over", "resigned", "time", "illegal", "garbage", "refused", "hung", "died",
};
static const char *const points_names[] = { "0", "0.5", "1" };
static const char *const color_names[] = { "black", "white" };

struct times {
	double *seconds;
	int count, room;
};

struct results {
	FILE *file; /* NULL: not written */
	bool played[RESULTS_GAMES_MAX + 1];
	struct group groups[RESULTS_GAMES_MAX + 1]; /* by opening */
	int group_count;
	int games[2][3];        /* by A's colour and points */
	int ends[2][END_COUNT]; /* of lost games, by who lost: A, B */
	struct times times[2];
};

/* --- counting --- */

static void add_times(struct times *t, const char *text)
{
	char *end;
	for (;;) {
		double x = strtod(text, &end);
		if (end == text)
			return;
		if (t->count == t->room) {
			t->room = t->room ? 2 * t->room : 1024;
			t->seconds = xrealloc(t->seconds, (size_t)t->room * sizeof *t->seconds);
		}
		t->seconds[t->count++] = x;
		text = end;
	}
}

static void count_result(struct results *r, const struct result *x)
{
	r->played[x->game] = true;
	r->groups[x->opening].games++;
	r->groups[x->opening].points += x->points / 2.0;
	if (x->opening >= r->group_count)
		r->group_count = x->opening + 1;
	r->games[x->color][x->points]++;
	if (x->points != 1)
		r->ends[x->points == 0 ? 0 : 1][x->end]++;
	for (int i = 0; i < 2; i++)
		add_times(&r->times[i], x->seconds[i]);
}

bool results_has(const struct results *r, int game)
{
	return r->played[game];
}

void results_count(const struct results *r, int *won, int *drawn, int *lost)
{
	*won = r->games[BLACK][2] + r->games[WHITE][2];
	*drawn = r->games[BLACK][1] + r->games[WHITE][1];
	*lost = r->games[BLACK][0] + r->games[WHITE][0];
}

int results_games(const struct results *r)
{
	int won, drawn, lost;
	results_count(r, &won, &drawn, &lost);
	return won + drawn + lost;
}

struct interval results_interval(const struct results *r)
{
	return score_interval(r->groups, r->group_count);
}

/* --- the file --- */

/* The index of a text in a table, or -1. */
static int find(const char *const *table, int count, const char *text)
{
	for (int i = 0; i < count; i++)
		if (strcmp(table[i], text) == 0)
			return i;
	return -1;
}

/* Reads a game's line, which it cuts up. */
static bool parse_result(struct result *x, char *line)
{
	char *fields[COLUMNS];
	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i < COLUMNS; i++) {
		fields[i] = strsep(&line, "\t");
		if (!fields[i])
			return false;
	}
	int end = find(end_names, END_COUNT, fields[4]);
	*x = (struct result) {
		.game = atoi(fields[0]),
		.opening = atoi(fields[1]),
		.color = find(color_names, 2, fields[2]),
		.points = find(points_names, 3, fields[3]),
		.end = end < 0 ? END_OVER : (enum end)end,
		.detail = fields[5],
		.moves = fields[6],
		.seconds = { fields[7], fields[8] },
		.seeds = fields[9],
	};
	return !line && end >= 0 && x->color >= 0 && x->points >= 0 && x->game >= 1 &&
	       x->game <= RESULTS_GAMES_MAX && x->opening >= 1 && x->opening <= RESULTS_GAMES_MAX;
}

/* Reads what stands in the file; `title` is NULL or must be its first line. Ends behind the last whole
 * line: what a killed run left of a line is no game. */
static bool read_file(struct results *r, const char *path, const char *title,
		      char why[RESULTS_REASON_MAX])
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	long whole = 0;
	bool good = true;
	for (int number = 1; good && (n = getline(&line, &room, r->file)) > 0; number++) {
		struct result x;
		if (line[n - 1] != '\n')
			break;
		whole += n;
		if (number == 1) {
			line[n - 1] = '\0';
			good = !title || strcmp(line, title) == 0;
			if (!good)
				snprintf(why, RESULTS_REASON_MAX, "%s holds another match: %.160s",
					 path, line);
		} else if (*line != '#') {
			good = parse_result(&x, line) && !r->played[x.game];
			if (good)
				count_result(r, &x);
			else
				snprintf(why, RESULTS_REASON_MAX, "%s: line %d is no game", path,
					 number);
		}
	}
	free(line);
	if (good && ferror(r->file)) {
		snprintf(why, RESULTS_REASON_MAX, "%s: %s", path, strerror(errno));
		return false;
	}
	return good && fseek(r->file, whole, SEEK_SET) == 0;
}

static struct results *refuse(struct results *r)
{
	results_close(r);
	return NULL;
}

/* A failed call's reason. */
static struct results *refuse_errno(struct results *r, const char *path,
				    char why[RESULTS_REASON_MAX])
{
	snprintf(why, RESULTS_REASON_MAX, "%s: %s", path, strerror(errno));
	return refuse(r);
}

struct results *results_open(const char *path, const char *title, char why[RESULTS_REASON_MAX])
{
	struct results *r = xcalloc(1, sizeof *r);
	struct stat info;
	if (!path)
		return r;
	r->file = fopen(path, "a+e");
	if (!r->file)
		return refuse_errno(r, path, why);
	if (fstat(fileno(r->file), &info) != 0)
		return refuse_errno(r, path, why);
	if (!S_ISREG(info.st_mode)) {
		snprintf(why, RESULTS_REASON_MAX, "%s: no ordinary file", path);
		return refuse(r);
	}
	if (flock(fileno(r->file), LOCK_EX | LOCK_NB) != 0) {
		snprintf(why, RESULTS_REASON_MAX, "%s: another match is writing to it", path);
		return refuse(r);
	}
	rewind(r->file);
	if (!read_file(r, path, title, why))
		return refuse(r);
	long whole = ftell(r->file);
	if (ftruncate(fileno(r->file), whole) != 0)
		return refuse_errno(r, path, why);
	if (whole == 0 && (fprintf(r->file, "%s\n%s", title, columns) < 0 || fflush(r->file) != 0))
		return refuse_errno(r, path, why);
	return r;
}

struct results *results_read(const char *path, char why[RESULTS_REASON_MAX])
{
	struct results *r = xcalloc(1, sizeof *r);
	r->file = fopen(path, "re");
	if (!r->file)
		return refuse_errno(r, path, why);
	return read_file(r, path, NULL, why) ? r : refuse(r);
}

bool results_close(struct results *r)
{
	bool good = !r->file || fclose(r->file) == 0;
	free(r->times[0].seconds);
	free(r->times[1].seconds);
	free(r);
	return good;
}

bool results_add(struct results *r, const struct result *x)
{
	count_result(r, x);
	if (!r->file)
		return true;
	return fprintf(r->file, "%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", x->game, x->opening,
		       color_names[x->color], points_names[x->points], end_names[x->end], x->detail,
		       x->moves, x->seconds[0], x->seconds[1], x->seeds) >= 0 &&
	       fflush(r->file) == 0;
}

/* --- what it adds up to --- */

static void print_row(FILE *out, const char *label, int won, int drawn, int lost)
{
	int games = won + drawn + lost;
	fprintf(out, "%-12s %6d %6d %6d %6d  %6.1f %%\n", label, games, won, drawn, lost,
		games ? 100 * (won + drawn / 2.0) / games : 0.0);
}

static int forfeits(const struct results *r, int loser)
{
	int n = 0;
	for (int end = END_RESIGN + 1; end < END_COUNT; end++)
		n += r->ends[loser][end];
	return n;
}

static void print_forfeits(FILE *out, const struct results *r, int loser)
{
	const char *separator = ": ";
	fprintf(out, "forfeits of %c  %d", 'A' + loser, forfeits(r, loser));
	for (int end = END_RESIGN + 1; end < END_COUNT; end++) {
		if (r->ends[loser][end] == 0)
			continue;
		fprintf(out, "%s%d %s", separator, r->ends[loser][end], end_names[end]);
		separator = ", ";
	}
	fputs("\n", out);
}

static int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void print_times(FILE *out, const struct times *t, int player)
{
	if (t->count == 0)
		return;
	size_t size = (size_t)t->count * sizeof *t->seconds;
	double *sorted = xmalloc(size);
	memcpy(sorted, t->seconds, size);
	qsort(sorted, (size_t)t->count, sizeof *sorted, compare_times);
	fprintf(out, "seconds of %c   median %.3f, longest %.3f, %d moves\n", 'A' + player,
		sorted[t->count / 2], sorted[t->count - 1], t->count);
	free(sorted);
}

void results_summary(const struct results *r, FILE *out)
{
	int won, drawn, lost;
	results_count(r, &won, &drawn, &lost);
	fprintf(out, "%-12s %6s %6s %6s %6s  %8s\n", "", "games", "won", "drawn", "lost", "score");
	print_row(out, "A", won, drawn, lost);
	for (int color = 0; color < 2; color++)
		print_row(out, color == BLACK ? "A as black" : "A as white", r->games[color][2],
			  r->games[color][1], r->games[color][0]);
	if (won + drawn + lost) {
		struct interval s = results_interval(r);
		fprintf(out, "score of A     %.1f %%, 95 %% interval %.1f .. %.1f\n", 100 * s.mean,
			100 * s.low, 100 * s.high);
		fprintf(out, "Elo of A       %+.0f, 95 %% interval %+.0f .. %+.0f\n",
			score_elo(s.mean), score_elo(s.low), score_elo(s.high));
	}
	for (int i = 0; i < 2; i++)
		print_forfeits(out, r, i);
	for (int i = 0; i < 2; i++)
		print_times(out, &r->times[i], i);
}

void results_line(const struct results *r, FILE *out)
{
	struct interval s = results_interval(r);
	int won, drawn, lost;
	results_count(r, &won, &drawn, &lost);
	fprintf(out, "%d %d %d %d %.4f %.4f %.4f %d %d\n", won + drawn + lost, won, drawn, lost,
		s.mean, s.low, s.high, forfeits(r, 0), forfeits(r, 1));
}
