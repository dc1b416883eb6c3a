/* SPDX-License-Identifier: MIT */
#include "tools/report/game_list.h"

#include <inttypes.h>

#include "tools/lib/markup.h"
#include "tools/report/replay.h"

struct writing {
	struct page *page;
	int64_t damaged; /* id of a game with an illegal move, 0: none */
};

static bool write_row(void *arg, const struct match_game *g)
{
	struct page *p = ((struct writing *)arg)->page;
	FILE *f = p->f;
	const char *class = g->points == 2 ? "black" : g->points == 0 ? "white" : "draw";
	int players[2];
	for (int color = 0; color < 2; color++)
		players[color] = standings_player(&p->summary.standings, g->engines[color]);
	fprintf(f,
		"<tr data-game=\"%" PRId64 "\" data-players=\"%d %d\" data-won=\"%s\" "
		"data-end=\"%s\" data-opening=\"%d\"><td><a href=\"#g%" PRId64 "\">%" PRId64
		"</a></td><td>",
		g->id, players[BLACK], players[WHITE], class, end_names[g->end], g->opening, g->id,
		g->id);
	page_put_chip(p, players[BLACK]);
	fputs("</td><td>", f);
	page_put_chip(p, players[WHITE]);
	fprintf(f, "</td><td class=\"%s\">", class);
	if (g->points == 1)
		fputs("draw", f);
	else
		page_put_chip(p, players[g->points == 2 ? BLACK : WHITE]);
	fputs("</td><td class=\"how\">", f);
	if (g->end > END_RESIGN)
		fprintf(f, "%s: ", end_names[g->end]);
	markup_text(f, g->detail);
	fprintf(f, "</td><td>%d</td></tr>\n", g->count);
	return true;
}

static bool write_replay(void *arg, const struct match_game *g)
{
	struct writing *w = arg;
	struct page *p = w->page;
	int players[2];
	for (int color = 0; color < 2; color++)
		players[color] = standings_player(&p->summary.standings, g->engines[color]);
	fprintf(p->f, "<script type=\"application/json\" id=\"g%" PRId64 "\">", g->id);
	bool good = replay_print(p->f, p->match->game, g, players);
	fputs("</script>\n", p->f);
	if (!good)
		w->damaged = g->id;
	return good;
}

/* Writes the filters of the list of games. */
static void write_filters(struct page *p)
{
	const struct standings *s = &p->summary.standings;
	char label[LABEL_MAX];
	FILE *f = p->f;
	fputs("<form class=\"filters\"><label>Winner <select name=\"won\"><option value=\"\">any"
	      "</option>",
	      f);
	for (int i = 0; i < s->player_count; i++)
		fprintf(f, "<option value=\"%d\">%s</option>", i, player_label(i, label));
	fputs("<option value=\"draw\">nobody</option></select></label> <label>Black <select "
	      "name=\"black\"><option value=\"\">any</option>",
	      f);
	for (int i = 0; i < s->player_count; i++)
		fprintf(f, "<option value=\"%d\">%s</option>", i, player_label(i, label));
	fputs("</select></label> <label>End <select name=\"end\"><option value=\"\">any</option>",
	      f);
	for (int end = 0; end < END_COUNT; end++)
		fprintf(f, "<option>%s</option>", end_names[end]);
	fputs("</select></label> <label>Opening <input name=\"opening\" inputmode=\"numeric\" "
	      "size=\"4\"></label> <output></output></form>\n",
	      f);
}

bool game_list_write(struct page *p, char why[DATABASE_REASON_MAX])
{
	struct writing w = { .page = p };
	FILE *f = p->f;
	fputs("<section class=\"card games\"><h3>Games</h3><div class=\"list\">\n", f);
	write_filters(p);
	fputs("<div class=\"wide tall\" tabindex=\"0\"><table><thead><tr><th></th><th>Black</th>"
	      "<th>White</th><th>Winner</th><th></th><th>Moves</th></tr></thead><tbody>\n",
	      f);
	if (!database_games(p->database, p->number, PARTS_TIMES, write_row, &w, why))
		return false;
	fputs("</tbody></table></div></div><div class=\"viewer\"><noscript>To step through the "
	      "games, allow this page's script to run.</noscript></div>\n",
	      f);
	bool good = database_games(p->database, p->number, PARTS_ALL, write_replay, &w, why);
	fputs("</section>\n", f);
	if (good && w.damaged)
		snprintf(why, DATABASE_REASON_MAX, "game %" PRId64 " has an illegal move",
			 w.damaged);
	return good && !w.damaged;
}
