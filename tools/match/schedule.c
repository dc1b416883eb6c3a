/* SPDX-License-Identifier: MIT */
#include "tools/match/schedule.h"

#include "engine/rules/game.h"

static int pairings(const struct schedule *s)
{
	return s->gauntlet ? s->players - 1 : s->players * (s->players - 1) / 2;
}

int schedule_count(const struct schedule *s)
{
	return s->games * pairings(s);
}

struct fixture schedule_at(const struct schedule *s, int number)
{
	int games = s->paired ? 2 : 1, round = games * pairings(s); /* games per opening */
	int pairing = (number - 1) % round / games;
	struct fixture f = {
		.color = (number - 1) % games == 0 ? BLACK : WHITE,
		.opening = (number - 1) / round + 1,
	};
	/* Pairings are numbered row by row in the table of players. */
	while (!s->gauntlet && pairing >= s->players - 1 - f.a)
		pairing -= s->players - 1 - f.a++;
	f.b = f.a + 1 + pairing;
	return f;
}
