/* SPDX-License-Identifier: MIT */
#include "games/rbg/rbg_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/rules/square.h"
#include "games/rbg/rbg_play.h"

struct rbg_text {
	struct move move;
	int number;                      /* in the order of generation */
	char letters[MOVE_TEXT_MAX / 4]; /* of the pieces that the move puts, as far as they fit */
	char text[MOVE_TEXT_MAX];
};

/* The moves of the position for which texts were asked last. */
struct rbg_texts {
	struct state position;
	int count;
	struct rbg_text *texts;
};

/* --- the text of one move --- */

struct rbg_writer {
	const struct rbg_table *t;
	struct rbg_text *text;
	int last; /* the square written last, -1: none */
};

/* Returns true if a modifier's square is a part of the text. */
static bool rbg_text_shows(const struct rbg_automaton *a, const struct rbg_modifier *m)
{
	return m->kind == RBG_PUT || m->kind == RBG_WAIT ||
	       (m->kind == RBG_TURN && !a->programs[m->program].anywhere);
}

/* Appends what a modifier shows. What does not fit is left out: a number then tells the moves apart. */
static void rbg_text_take(void *arg, struct rbg_act act)
{
	struct rbg_writer *w = arg;
	const struct rbg_modifier *m = &w->t->automaton->modifiers[act.modifier];
	const struct rbg_square *square = &w->t->rules->squares[act.square];
	char name[SQUARE_TEXT_MAX];
	size_t letters = strlen(w->text->letters);
	if (m->kind == RBG_PUT && letters + 1 < sizeof w->text->letters)
		w->text->letters[letters] = w->t->letters[m->value];
	if (act.square == w->last || !rbg_text_shows(w->t->automaton, m))
		return;
	w->last = act.square;
	square_format(&w->t->game, square->row, square->col, name);
	if (strlen(w->text->text) + strlen(name) + 30 < MOVE_TEXT_MAX)
		strcat(w->text->text, name);
}

/* --- all moves of a position --- */

/* Adds the moves that begin with `begun`, whose text so far is in the writer. */
static void rbg_texts_list(struct rbg_texts *all, const struct rbg_table *t, const struct state *s,
			   const struct rbg_text *begun, int last)
{
	move_t steps[GAME_STEPS_MAX];
	int n = rbg_play_moves(&t->game, s, steps);
	for (int i = 0; i < n && all->count < GAME_MOVES_MAX; i++) {
		struct rbg_text text = *begun;
		struct rbg_writer w = { t, &text, last };
		struct state next = *s;
		struct rbg_machine *m = rbg_play_load(t, s);
		text.move.step[s->pending] = steps[i];
		rbg_play_step(t, m, &next, rbg_play_act(t, m, steps[i]), rbg_text_take, &w);
		rbg_play_release(t, m);
		if (next.pending) {
			rbg_texts_list(all, t, &next, &text, w.last);
			continue;
		}
		text.number = all->count;
		all->texts = xgrow(all->texts, (size_t)all->count, sizeof *all->texts);
		all->texts[all->count++] = text;
	}
}

static int rbg_text_compare(const void *x, const void *y)
{
	const struct rbg_text *a = x, *b = y;
	int by_text = strcmp(a->text, b->text);
	return by_text ? by_text : a->number - b->number;
}

/* Returns true if no two moves of a group put the same pieces. */
static bool rbg_text_letters_differ(const struct rbg_text *group, int count)
{
	for (int i = 0; i < count; i++)
		for (int k = 0; k < i; k++)
			if (count > 64 || strcmp(group[i].letters, group[k].letters) == 0)
				return false;
	return true;
}

/* The letters of a move from the first one on in which the group differs. */
static const char *rbg_text_letters(const struct rbg_text *group, int count, int move)
{
	size_t same = strlen(group[0].letters);
	for (int i = 1; i < count; i++) {
		size_t n = 0;
		while (n < same && group[i].letters[n] == group[0].letters[n])
			n++;
		same = n;
	}
	return group[move].letters + same;
}

/* Makes the texts of moves with one text differ. */
static void rbg_text_tell_apart(struct rbg_text *group, int count)
{
	bool differ = rbg_text_letters_differ(group, count);
	for (int i = 0; i < count && count > 1; i++) {
		size_t length = strlen(group[i].text);
		char *end = group[i].text + length;
		if (differ)
			snprintf(end, MOVE_TEXT_MAX - length, "=%s",
				 rbg_text_letters(group, count, i));
		else
			snprintf(end, MOVE_TEXT_MAX - length, "#%d", i + 1);
	}
}

static void rbg_texts_make(struct rbg_texts *all, const struct rbg_table *t, const struct state *s)
{
	const struct rbg_text none = { .move = move_none() };
	all->count = 0;
	all->position = *s;
	rbg_texts_list(all, t, s, &none, -1);
	for (int i = 0; i < all->count; i++)
		if (!*all->texts[i].text)
			strcpy(all->texts[i].text, "PASS");
	qsort(all->texts, (size_t)all->count, sizeof *all->texts, rbg_text_compare);
	for (int i = 0, next; i < all->count; i = next) {
		for (next = i + 1; next < all->count; next++)
			if (strcmp(all->texts[next].text, all->texts[i].text) != 0)
				break;
		rbg_text_tell_apart(&all->texts[i], next - i);
	}
}

/* The texts of a position. The caller holds the lock. */
static const struct rbg_texts *rbg_texts_of(struct rbg_table *t, const struct state *s)
{
	if (!t->texts)
		t->texts = xcalloc(1, sizeof *t->texts);
	if (!t->texts->count || !state_equal(&t->texts->position, s))
		rbg_texts_make(t->texts, t, s);
	return t->texts;
}

void rbg_text_free(struct rbg_table *t)
{
	if (t->texts)
		free(t->texts->texts);
	free(t->texts);
}

/* --- the game's functions --- */

/* Returns true if a text could be a move's: letters and digits, and a part behind `=` or `#`. */
static bool rbg_text_is_formed(const char *text)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	size_t length = strspn(text, word);
	text += length;
	if (length && (*text == '=' || *text == '#'))
		text += 1 + strspn(text + 1, word);
	return length && !*text;
}

/* Capitals and small letters behind `=` are different pieces. */
static bool rbg_text_equal(const char *a, const char *b)
{
	size_t length = strcspn(a, "=");
	return strncasecmp(a, b, length) == 0 && strcmp(a + length, b + length) == 0;
}

enum move_check rbg_text_parse(const struct game *g, const struct state *s, const char *text,
			       struct move *m)
{
	struct rbg_table *t = (struct rbg_table *)rbg_table(g);
	enum move_check check = rbg_text_is_formed(text) ? MOVE_ILLEGAL : MOVE_MALFORMED;
	*m = move_none();
	if (check == MOVE_MALFORMED || strlen(text) >= MOVE_TEXT_MAX)
		return MOVE_MALFORMED;
	pthread_mutex_lock(&t->texts_lock);
	const struct rbg_texts *all = rbg_texts_of(t, s);
	for (int i = 0; i < all->count && check != MOVE_OK; i++)
		if (strlen(all->texts[i].text) == strlen(text) &&
		    rbg_text_equal(all->texts[i].text, text)) {
			*m = all->texts[i].move;
			check = MOVE_OK;
		}
	pthread_mutex_unlock(&t->texts_lock);
	return check;
}

void rbg_text_format(const struct game *g, const struct state *s, struct move m,
		     char text[MOVE_TEXT_MAX])
{
	struct rbg_table *t = (struct rbg_table *)rbg_table(g);
	strcpy(text, "?");
	pthread_mutex_lock(&t->texts_lock);
	const struct rbg_texts *all = rbg_texts_of(t, s);
	for (int i = 0; i < all->count; i++)
		if (move_equal(all->texts[i].move, m))
			strcpy(text, all->texts[i].text);
	pthread_mutex_unlock(&t->texts_lock);
}
