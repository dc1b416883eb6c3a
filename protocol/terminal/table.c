/* SPDX-License-Identifier: MIT */
#include "protocol/terminal/table.h"

#include <math.h>
#include <string.h>

#include "protocol/session/command.h"
#include "protocol/session/worth.h"

#define MOVES_MAX 10 /* most moves in the table */
#define WIDTH_MIN 5  /* columns of a move, or more if one is longer */
#define ROW_MAX   512

/* Writes a count in at most five characters: 1234, 56k, 7.8M. */
static void format_count(uint64_t count, char text[16])
{
	static const char units[] = "kMGTPE";
	double n = (double)count;
	int unit = -1;
	for (; n >= (unit < 0 ? 9999.5 : 999.5); unit++)
		n /= 1000;
	if (unit < 0)
		snprintf(text, 16, "%.0f", n);
	else
		snprintf(text, 16, "%.*f%c", n < 9.95, n, units[unit]);
}

/* Writes the win rate of a move for the side to move, or its proven result; "?" if nothing is known. */
static void format_win(const struct session *s, const struct report_move *m, char text[16])
{
	double value = fmax(m->lower, fmin(m->upper, worth_guess(m->value, m->score, 0)));
	if (m->lower == m->upper)
		strcpy(text, worth_value(s->side, m->lower, m->upper));
	else if (isnan(m->value) && isnan(m->score))
		strcpy(text, "?");
	else
		snprintf(text, 16, "%.1f%%", 100 * worth_side_share(s->side, value));
}

/* Writes the score of a move for the side to move, or nothing if it is unknown. */
static void format_score(const struct session *s, const struct report_move *m, char text[16])
{
	double score = side_sign(s->side) * m->score;
	*text = '\0';
	if (!isnan(score)) /* the sum turns -0 into 0 */
		snprintf(text, 16, m->exact ? "%+g" : "%+.1f", round(10 * score) / 10 + 0.0);
}

void table_cut(char *row, int columns)
{
	size_t room = columns > 1 ? (size_t)columns - 1 : 0, end = room;
	if (strlen(row) <= room)
		return;
	/* Half of a move would be another move. */
	while (end && row[end] != ' ')
		end--;
	while (end && row[end - 1] == ' ')
		end--;
	row[end ? end : room] = '\0';
}

/* Ends a line of the table: cuts it to the width of the terminal and writes it. */
static void end_row(char *row, int columns, FILE *f)
{
	table_cut(row, columns);
	fprintf(f, "%s\n", row);
}

/* `width`: columns of the move. */
static void terminal_table_print_move(const struct session *s, const struct report *r,
				      const struct report_move *m, int width, int columns, FILE *f)
{
	struct move line[REPORT_LINE_MAX];
	int count = report_line(r, m, line, NULL);
	const struct game *g = s->record.game;
	struct state state = s->record.now;
	char row[ROW_MAX], text[MOVE_TEXT_MAX], win[16], visits[16], score[16];
	format_win(s, m, win);
	format_score(s, m, score);
	format_count(m->visits, visits);
	game_format(g, &state, m->move, text);
	int n = snprintf(row, sizeof row, "%-*s %6s", width, text, win);
	if (game_counts(g))
		n += snprintf(row + n, sizeof row - (size_t)n, " %6s", score);
	n += snprintf(row + n, sizeof row - (size_t)n, " %7s ", visits);
	game_play(g, &state, m->move);
	for (int i = 1; i < count && n < ROW_MAX - MOVE_TEXT_MAX - 1; i++) {
		game_format(g, &state, line[i], text);
		n += snprintf(row + n, sizeof row - (size_t)n, " %s", text);
		game_play(g, &state, line[i]);
	}
	end_row(row, columns, f);
}

int table_print(const struct session *s, const struct report *r, int rows, int columns, FILE *f)
{
	const struct game *g = s->record.game;
	char row[ROW_MAX], work[16], text[MOVE_TEXT_MAX];
	int width = WIDTH_MIN;
	int count = r->move_count < MOVES_MAX ? r->move_count : MOVES_MAX;
	count = count < s->moves_max ? count : s->moves_max;
	count = count < rows - 2 ? count : rows - 2;
	format_count(r->playouts ? r->playouts : r->nodes, work);
	int n = snprintf(row, sizeof row, "%s to move; any key ends; %.0f s, %s %s",
			 color_name(s->side), clock_since(s->taken), work,
			 r->playouts ? "playouts" : "nodes");
	if (r->depth)
		snprintf(row + n, sizeof row - (size_t)n, ", depth %d", r->depth);
	end_row(row, columns, f);
	for (int i = 0; i < count; i++) {
		game_format(g, &s->record.now, r->moves[i].move, text);
		width = (int)strlen(text) > width ? (int)strlen(text) : width;
	}
	snprintf(row, sizeof row, "%-*s    win%s  visits  what follows", width, "move",
		 game_counts(g) ? "  score" : "");
	end_row(row, columns, f);
	for (int i = 0; i < count; i++)
		terminal_table_print_move(s, r, &r->moves[i], width, columns, f);
	return 2 + (count > 0 ? count : 0);
}
