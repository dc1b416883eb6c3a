/* SPDX-License-Identifier: MIT */
#include "games/rbg/rbg_game.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/rules/playouts.h"
#include "engine/rules/tuning.h"
#include "engine/search/game_check.h"
#include "games/rbg/rbg_look.h"
#include "games/rbg/rbg_play.h"
#include "games/rbg/rbg_text.h"

static int rbg_game_playout(const struct game *g, const struct state *s, struct rng *rng)
{
	if (s->over)
		return s->score;
	const struct rbg_table *t = rbg_table(g);
	struct rbg_machine *m = rbg_play_load(t, s);
	int score = rbg_play_out(t, m, rng);
	rbg_play_release(t, m);
	return score;
}

static const struct playouts rbg_game_playouts = { .uniform = rbg_game_playout };
static const struct tuning rbg_game_tuning = { .search = "mcts" };

bool rbg_is_game(const struct game *g)
{
	return g->start == rbg_play_start;
}

/* --- names --- */

/* The file's name without folders and `.rbg`, as a word: small letters, digits, '-' and '_', a letter first. */
static char *rbg_game_name(const char *path)
{
	const char *name = path + strlen(path);
	while (name > path && name[-1] != '/' && name[-1] != '\\')
		name--;
	size_t length = strcspn(name, "."), n = 0;
	char *word = xmalloc(GAME_NAME_MAX + 1);
	for (size_t i = 0; i < length && n < GAME_NAME_MAX; i++) {
		unsigned char c = (unsigned char)name[i];
		bool fits = (isalnum(c) && c < 0x80) || ((c == '-' || c == '_') && n);
		if (fits && (n || isalpha(c)))
			word[n++] = (char)tolower(c);
	}
	word[n] = '\0';
	if (!n)
		strcpy(word, "game");
	return word;
}

/* One word for GTP: the title without what is no letter, digit or '-'. */
static char *rbg_game_title(const struct rbg_rules *r, const char *name)
{
	const char *from = r->title ? r->title : name;
	char *word = xmalloc(GAME_NAME_MAX + 1);
	size_t n = 0;
	for (; *from && n < GAME_NAME_MAX; from++) {
		unsigned char c = (unsigned char)*from;
		bool fits = (isalnum(c) && c < 0x80) || (c == '-' && n);
		if (fits && (n || isalpha(c)))
			word[n++] = (char)c;
	}
	word[n] = '\0';
	if (!n)
		strcpy(word, "Game");
	*word = (char)toupper((unsigned char)*word);
	return word;
}

/* The name of the rules: the text's checksum (Fowler, Noll and Vo), without carriage returns. */
static char *rbg_game_rules(const char *text, size_t length)
{
	uint64_t sum = 0xcbf29ce484222325u;
	for (size_t i = 0; i < length; i++)
		if (text[i] != '\r')
			sum = (sum ^ (unsigned char)text[i]) * 0x100000001b3u;
	return xasprintf(RBG_RULES "%08x", (unsigned)(sum ^ sum >> 32));
}

static const char rbg_game_guide[] =
	"The file with the rules says nothing for people. Moves are the names of the\n"
	"squares where something changes, in their order.\n";

/* --- loading --- */

static void rbg_game_free(struct rbg_table *t)
{
	for (int i = 0; i < t->spare_count; i++)
		rbg_machine_free(t->spare[i]);
	rbg_text_free(t);
	rbg_look_free(t);
	rbg_codes_free(&t->codes);
	rbg_automaton_free(t->automaton);
	rbg_rules_free(t->rules);
	free((char *)t->game.name);
	free((char *)t->game.title);
	free((char *)t->game.rules);
	free(t);
}

static void rbg_game_init_table(struct rbg_table *t, const char *path)
{
	struct game *g = &t->game;
	g->name = rbg_game_name(path);
	g->title = rbg_game_title(t->rules, g->name);
	g->data = t;
	int codes = t->codes.count ? t->codes.count : GAME_STEPS_MAX;
	int choices = t->codes.choices < codes ? t->codes.choices : codes;
	g->steps = (struct step_rules) { .codes = codes,
					 .choices = choices < GAME_STEPS_MAX ? choices
									     : GAME_STEPS_MAX,
					 .pass = MOVE_NONE,
					 .frees_squares = true,
					 .counts = true };
	g->score = (struct score_rules) { .most = 1 };
	g->start = rbg_play_start;
	g->setup = rbg_play_setup;
	g->moves = rbg_play_moves;
	g->play = rbg_play_play;
	g->parse = rbg_text_parse;
	g->format = rbg_text_format;
	g->at = rbg_play_at;
	g->valid = rbg_play_valid;
	t->words.guide = t->rules->guide ? t->rules->guide : rbg_game_guide;
	g->words = &t->words;
	g->playouts = &rbg_game_playouts;
	g->tuning = &rbg_game_tuning;
}

/* Fills a table. Returns NULL, or what is wrong with rules that can be read. */
static const char *rbg_game_init(struct rbg_table *t, const char *path)
{
	uint32_t last = (uint32_t)t->rules->piece_count - 1;
	t->planes = last ? 32 - __builtin_clz(last) : 0;
	const char *why = rbg_play_fits(t);
	if (why)
		return why;
	rbg_codes_init(&t->codes, t->automaton);
	rbg_game_init_table(t, path);
	why = rbg_play_init(t);
	if (why)
		return why;
	rbg_look_init(t);
	return game_check(&t->game);
}

const struct game *rbg_game(const char *name, const char *text, size_t length, struct text *error)
{
	struct rbg_rules *rules = rbg_read(name, text, length, error);
	struct rbg_automaton *a = rules ? rbg_automaton_new(rules, error) : NULL;
	if (!a) {
		rbg_rules_free(rules);
		return NULL;
	}
	struct rbg_table *t = xcalloc(1, sizeof *t);
	t->rules = rules;
	t->automaton = a;
	t->game.rules = rbg_game_rules(text, length);
	pthread_mutex_init(&t->spare_lock, NULL);
	pthread_mutex_init(&t->texts_lock, NULL);
	const char *why = rbg_game_init(t, name);
	if (!why)
		return &t->game;
	rbg_explain(rules, rules->terms[rules->root].place, error, "%s", why);
	rbg_game_free(t);
	return NULL;
}
