/* SPDX-License-Identifier: MIT */
#include "protocol/program/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/games.h"
#include "games/rbg/rbg_game.h"
#include "games/rbg/rbg_library.h"
#include "games/rbg/rbg_survey.h"
#include "protocol/program/program.h"

#define LIBRARY_GAMES 200 /* random games of `check` */

static void library_print_file(void *arg, const char *name, const char *folder)
{
	const struct game *g = game_find(name, NULL);
	if (!folder)
		printf("%-20s %s\n", name, g ? g->title : "wrong rules; yomi check tells");
	else
		printf("%-20s %s/%s" RBG_FILE_END "\n", name, folder, name);
}

int library_run_games(const struct arguments *a)
{
	for (int i = 0; games[i]; i++)
		if (game_find(games[i]->name, NULL) == games[i])
			printf("%-20s %s\n", games[i]->name, games[i]->title);
	rbg_library_list(library_print_file, NULL);
	return 0;
}

int library_run_check(const struct arguments *a)
{
	struct text out = { 0 };
	const struct game *g = game_open(a->words[0], NULL, &out);
	if (!g && !out.length)
		text_printf(&out, "there is no game %s", a->words[0]);
	if (!g) {
		fprintf(stderr, "%s\n", out.bytes);
		text_free(&out);
		return EXIT_FAILURE;
	}
	if (!rbg_is_game(g)) {
		text_free(&out);
		return program_complain(a->program, "the rules of %s are a part of the program",
					g->title);
	}
	bool good = rbg_survey(g, LIBRARY_GAMES, 1, &out);
	text_send(&out, stdout);
	return good ? 0 : EXIT_FAILURE;
}
