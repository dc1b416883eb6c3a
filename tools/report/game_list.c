/* SPDX-License-Identifier: MIT */
#include "tools/report/game_list.h"

#include <inttypes.h>

#include "tools/lib/markup.h"
#include "tools/report/pack.h"
#include "tools/report/replay.h"

struct game_list_writing {
	struct page *page;
	struct pack pack;
	json_t *games, *clicks;
	int64_t damaged; /* id of a game with an illegal move, 0: none */
};

static bool game_list_add_game(void *arg, const struct match_game *g)
{
	struct game_list_writing *w = arg;
	struct page *p = w->page;
	struct standings *s = &p->summary.standings;
	json_t *replay = replay_json(p->match->game, g, w->clicks);
	if (!replay) {
		w->damaged = g->id;
		return false;
	}
	pack_add(&w->pack, replay);
	json_array_append_new(w->games,
			      json_pack("[I,i,i,i,i,i,i,i,o]", (json_int_t)g->id,
					standings_player(s, g->engines[BLACK]),
					standings_player(s, g->engines[WHITE]), g->points,
					(int)g->end, s->of[g->opening]->number, g->opening_moves,
					g->count, markup_string(g->detail)));
	return true;
}

/* Writes what the page's script must know to list the games. Each is a list: id, players of Black and White, Black's
 * half points, index of its end, number of its opening, number of opening moves, number of moves, detail. */
static void game_list_write_index(struct game_list_writing *w)
{
	json_t *ends = json_array();
	for (int end = 0; end < END_COUNT; end++)
		json_array_append_new(ends, json_string(end_names[end]));
	text_puts(w->page->out, "<script type=\"application/json\" class=\"index\">");
	markup_json(w->page->out, json_pack("{s:i,s:i,s:o,s:O,s:O}", "block", PACK_GAMES,
					    "resigned", (int)END_RESIGN, "ends", ends, "clicks",
					    w->clicks, "games", w->games));
	text_puts(w->page->out, "</script>\n");
}

/* Writes the filters of the list of games. */
static void write_filters(struct page *p)
{
	const struct standings *s = &p->summary.standings;
	char label[LABEL_MAX];
	struct text *out = p->out;
	text_puts(
		out,
		"<form class=\"filters\"><label>Winner <select name=\"won\"><option value=\"\">any"
		"</option>");
	for (int i = 0; i < s->player_count; i++)
		text_printf(out, "<option value=\"%d\">%s</option>", i, player_label(i, label));
	text_puts(out,
		  "<option value=\"draw\">nobody</option></select></label> <label>Black <select "
		  "name=\"black\"><option value=\"\">any</option>");
	for (int i = 0; i < s->player_count; i++)
		text_printf(out, "<option value=\"%d\">%s</option>", i, player_label(i, label));
	text_puts(out, "</select></label> <label>End <select name=\"end\"><option "
		       "value=\"\">any</option>");
	for (int end = 0; end < END_COUNT; end++)
		text_printf(out, "<option>%s</option>", end_names[end]);
	text_puts(out,
		  "</select></label> <label>Opening <input name=\"opening\" inputmode=\"numeric\" "
		  "size=\"4\"></label> <output></output></form>\n");
}

bool game_list_write(struct page *p, char why[DATABASE_REASON_MAX])
{
	struct game_list_writing w = {
		.page = p,
		.pack = { p->blocks, p->number + 1, NULL },
		.games = json_array(),
		.clicks = json_object(),
	};
	struct text *out = p->out;
	bool good = database_games(p->database, p->number, PARTS_ALL, game_list_add_game, &w, why);
	pack_end(&w.pack);
	text_puts(out, "<section class=\"card games\"><h3>Games</h3><div class=\"list\">\n");
	write_filters(p);
	text_puts(out,
		  "<div class=\"wide tall\" "
		  "tabindex=\"0\"><table><thead><tr><th>Game</th><th>Black</th>"
		  "<th>White</th><th>Winner</th><th>Result</th><th>Moves</th></tr></thead><tbody></"
		  "tbody>"
		  "</table></div></div><div class=\"viewer\"></div><noscript><p>To list the games "
		  "and "
		  "to "
		  "step through them, allow this page's script to run.</p></noscript>\n");
	game_list_write_index(&w);
	text_puts(out, "</section>\n");
	json_decref(w.games);
	json_decref(w.clicks);
	if (good && w.damaged)
		snprintf(why, DATABASE_REASON_MAX, "game %" PRId64 " has an illegal move",
			 w.damaged);
	return good && !w.damaged;
}
