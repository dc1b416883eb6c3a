/* SPDX-License-Identifier: MIT */
#include "protocol/lessons/explain.h"

#include <string.h>

#include "protocol/session/command.h"

/* Returns true if a list (NULL: none) has a fact with the same sentence. */
static bool has_same(const struct facts *all, const struct fact *f)
{
	char text[FACT_TEXT_MAX], other[FACT_TEXT_MAX];
	if (!all)
		return false;
	fact_text(all->game, f, text);
	for (int i = 0; i < all->count; i++) {
		fact_text(all->game, &all->list[i], other);
		if (strcmp(text, other) == 0)
			return true;
	}
	return false;
}

int explain_facts(struct text *out, const struct facts *all, int tone, const struct facts *other,
		  int most)
{
	char text[FACT_TEXT_MAX];
	int count = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < all->count && count < most; i++) {
			const struct fact *f = &all->list[i];
			if (fact_tone(f->kind) != (pass ? 0 : tone) || has_same(other, f))
				continue;
			fact_text(all->game, f, text);
			text_printf(out, "%s%s", count ? "; " : "", text);
			count++;
		}
	}
	return count;
}

/* The names of squares and moves of a fact, and its squares as [row, column]. */
static void add_names(json_t *object, const struct game *g, const struct fact *f)
{
	json_t *names = json_array(), *squares = json_array();
	for (int i = 0; i < f->count && i < FACT_NAMES_MAX; i++) {
		int square = f->squares[i];
		json_array_append_new(names, json_string(f->names[i]));
		if (square >= 0)
			json_array_append_new(squares, json_pack("[i,i]", square / g->board.cols,
								 square % g->board.cols));
	}
	json_object_set_new(object, "names", names);
	json_object_set_new(object, "squares", squares);
}

json_t *explain_json_facts(const struct facts *all)
{
	static const char *const tones[] = { "against", "neutral", "for" };
	json_t *list = json_array();
	char text[FACT_TEXT_MAX];
	for (int i = 0; i < all->count; i++) {
		const struct fact *f = &all->list[i];
		fact_text(all->game, f, text);
		json_t *fact = json_pack("{s:s,s:s,s:s,s:[i,i],s:i,s:s}", "key", fact_key(f->kind),
					 "tone", tones[1 + fact_tone(f->kind)], "side",
					 color_name(f->side), "numbers", f->numbers[0],
					 f->numbers[1], "count", f->count, "text", text);
		add_names(fact, all->game, f);
		json_array_append_new(list, fact);
	}
	return list;
}

json_t *explain_json_worth(const struct worth *w)
{
	return json_pack("{s:o,s:o,s:i,s:i,s:b}", "value", as_json_number(w->value), "score",
			 as_json_number(w->score), "lower", w->lower, "upper", w->upper, "exact",
			 (int)w->exact);
}

json_t *explain_json_loss(const struct loss *loss, const struct game *g)
{
	char text[LOSS_TEXT_MAX];
	loss_text(loss, g, text);
	return json_pack("{s:s,s:s,s:f,s:f,s:f,s:b,s:s}", "size", loss_size_name(loss->size),
			 "unit", loss_unit_name(loss->unit), "amount", loss->amount, "before",
			 loss->before, "after", loss->after, "exact", (int)loss->exact, "text",
			 text);
}
