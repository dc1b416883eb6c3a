/* SPDX-License-Identifier: MIT */
#include "protocol/session/start.h"

#include "engine/rules/komi.h"
#include "protocol/session/frame.h"
#include "protocol/session/notation.h"

int start_bonus(const struct session *s)
{
	return 2 * rules_bonus_points(s->bonus, s->handicap);
}

void start_game(struct session *s, const struct game *g)
{
	session_get_ready(s, g);
	record_restart(&s->record, g);
	s->handicap = 0;
	import_about_clear(&s->about);
	if (s->has_komi)
		record_set_komi(&s->record, s->komi);
	record_set_swap(&s->record, has_swap(s));
	frame_forget(s);
	clock_restart(&s->clock);
}

void start_position(struct session *s, const struct state *start)
{
	struct record *r = &s->record;
	record_setup_in_komi(r, start);
	if (r->game->komi)
		record_set_komi(r, r->game->komi->get(r->game, &r->start) - start_bonus(s));
	s->handicap = 0;
	import_about_clear(&s->about);
	frame_forget(s);
}

enum outcome start_loaded(struct session *s, const char *note)
{
	session_get_ready(s, s->record.game);
	s->has_other_game = true;
	s->handicap = 0;
	if (*note && is_for_people(s))
		text_printf(s->reply, "%s\n", note);
	else if (*note)
		session_note(s, "%s", note);
	clock_restart(&s->clock);
	frame_forget(s);
	if (!has_swap(s))
		record_set_swap(&s->record, false);
	return DONE;
}
