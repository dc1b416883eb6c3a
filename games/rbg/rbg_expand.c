/* SPDX-License-Identifier: MIT
 *
 * Expands macros: the tokens of a definition one by one, with macros and their arguments replaced and names glued. A stack of slices
 * takes the place of recursion. Every token that is passed counts, so that a small text cannot take long.
 */
#include <string.h>

#include "engine/base/memory.h"
#include "games/rbg/rbg_reader.h"

static struct rbg_frame *rbg_expand_top(const struct rbg_reader *r)
{
	return &r->frames[r->frame_count - 1];
}

static void rbg_expand_count(struct rbg_reader *r, const struct rbg_token *t)
{
	if (++r->steps > RBG_STEPS_MAX)
		rbg_fail(r, (struct rbg_place) { t->place.offset, rbg_expand_top(r)->call },
			 "the macros expand to more than %d tokens", RBG_STEPS_MAX);
}

static void rbg_expand_push(struct rbg_reader *r, struct rbg_frame f)
{
	r->frames = xgrow(r->frames, (size_t)r->frame_count, sizeof *r->frames);
	r->frames[r->frame_count++] = f;
}

static bool rbg_expand_meets_tilde(const struct rbg_reader *r, const struct rbg_slice *s)
{
	return s->begin < s->end && r->tokens[s->begin].type == TOKEN_TILDE;
}

/* Returns true if what ends before the rest of the top slice is glued to what follows. */
static bool rbg_expand_is_sticky(const struct rbg_reader *r)
{
	const struct rbg_frame *f = rbg_expand_top(r);
	return f->slice.begin < f->slice.end ? rbg_expand_meets_tilde(r, &f->slice) : f->sticky;
}

/* Passes a '~', if the top slice goes on with one. */
static void rbg_expand_pass_tilde(struct rbg_reader *r)
{
	struct rbg_frame *f = rbg_expand_top(r);
	if (!rbg_expand_meets_tilde(r, &f->slice))
		return;
	const struct rbg_token *tilde = &r->tokens[f->slice.begin++];
	if (f->slice.begin == f->slice.end || rbg_expand_meets_tilde(r, &f->slice))
		rbg_fail(r, (struct rbg_place) { tilde->place.offset, f->call },
			 "a name must follow '~'");
}

/* Leaves a slice that was read. Returns true if nothing is glued to its end. */
static bool rbg_expand_leave(struct rbg_reader *r)
{
	struct rbg_frame left = r->frames[--r->frame_count];
	r->argument_count = left.mark;
	if (r->frame_count)
		rbg_expand_pass_tilde(r);
	return !left.sticky;
}

/* Glues a token to another. */
static void rbg_expand_glue(struct rbg_reader *r, struct rbg_token *t,
			    const struct rbg_token *other)
{
	struct text both = { 0 };
	struct rbg_token glued = { .place = t->place };
	rbg_spell(r, t, &both);
	rbg_spell(r, other, &both);
	if (rbg_scan(r, both.bytes, both.length, &glued) != both.length)
		rbg_fail(r, t->place,
			 "'~' makes '%s' here, which is neither a name nor a number nor a sign",
			 both.bytes);
	*t = glued;
	text_free(&both);
}

/* Reads an argument of a macro call up to the ';' or ')' behind it. Returns the type of that. */
static int rbg_expand_argument(struct rbg_reader *r)
{
	struct rbg_frame *f = rbg_expand_top(r);
	struct rbg_slice argument = f->slice;
	for (int depth = 0; f->slice.begin < f->slice.end && !r->failed;) {
		const struct rbg_token *t = &r->tokens[f->slice.begin++];
		bool ends = !depth && (t->type == TOKEN_SEMICOLON || t->type == TOKEN_ROUND_END);
		depth += (t->type == TOKEN_ROUND) - (t->type == TOKEN_ROUND_END);
		rbg_expand_count(r, t);
		if (!ends)
			continue;
		argument.end = f->slice.begin - 1;
		r->arguments = xgrow(r->arguments, (size_t)r->argument_count, sizeof *r->arguments);
		r->arguments[r->argument_count++] = argument;
		return t->type;
	}
	return TOKEN_END;
}

/* Reads the arguments of a call of a macro, which stands at a place. */
static void rbg_expand_arguments(struct rbg_reader *r, struct rbg_place place, const char *name)
{
	struct rbg_frame *f = rbg_expand_top(r);
	int end = TOKEN_SEMICOLON;
	if (f->slice.begin == f->slice.end || r->tokens[f->slice.begin].type != TOKEN_ROUND) {
		rbg_fail(r, place, "macro '%s' needs arguments: expected '(' behind its name",
			 name);
		return;
	}
	f->slice.begin++;
	while (end == TOKEN_SEMICOLON && !r->failed)
		end = rbg_expand_argument(r);
	if (end != TOKEN_ROUND_END)
		rbg_fail(r, place, "the arguments of macro '%s' have no ')'", name);
}

/* Returns the first of the macros of a name that a slice sees, NULL if there is none. Later definitions stand first. */
static const struct rbg_macro *rbg_expand_find(const struct rbg_reader *r, int32_t macro,
					       int32_t order)
{
	while (macro >= 0 && r->macros[macro].body.order >= order)
		macro = r->macros[macro].next;
	return macro >= 0 ? &r->macros[macro] : NULL;
}

/* Fails because none of the macros that a slice sees takes so many arguments. */
static void rbg_expand_refuse(struct rbg_reader *r, const struct rbg_macro *m,
			      struct rbg_place place, const char *name, int32_t arity)
{
	struct text arities = { 0 };
	int32_t order = rbg_expand_top(r)->slice.order;
	for (; m; m = rbg_expand_find(r, m->next, order))
		text_printf(&arities, "%s%d", arities.length ? " or " : "", m->arity);
	rbg_fail(r, place, "macro '%s' takes %s argument%s, not %d", name, arities.bytes,
		 &"s"[strcmp(arities.bytes, "1") == 0], arity);
	text_free(&arities);
}

/* Goes to the text of a macro. The top slice stands behind its name. */
static void rbg_expand_call(struct rbg_reader *r, const struct rbg_macro *first,
			    const struct rbg_token *name)
{
	int32_t mark = r->argument_count;
	const struct rbg_slice *caller = &rbg_expand_top(r)->slice;
	struct rbg_place place = { name->place.offset, rbg_expand_top(r)->call };
	const char *text = r->names.list[name->value].text;
	if (first->arity)
		rbg_expand_arguments(r, place, text);
	const struct rbg_macro *m = first;
	while (m && m->arity != r->argument_count - mark)
		m = rbg_expand_find(r, m->next, caller->order);
	if (!m)
		rbg_expand_refuse(r, first, place, text, r->argument_count - mark);
	if (!m || r->failed)
		return;
	struct rbg_frame f = { m->body, rbg_source_call(r->source, place), mark,
			       rbg_expand_is_sticky(r) };
	f.slice.arguments = mark;
	rbg_expand_push(r, f);
}

/* Goes to the text of an argument. The top slice stands behind its name. */
static void rbg_expand_replace(struct rbg_reader *r, int argument)
{
	const struct rbg_frame *top = rbg_expand_top(r);
	struct rbg_slice slice = r->arguments[top->slice.arguments + argument];
	rbg_expand_push(r, (struct rbg_frame) { slice, top->call, r->argument_count,
						rbg_expand_is_sticky(r) });
}

/* Takes a token that stands for itself. `held` is what is glued to it, TOKEN_END if nothing is. Returns true if nothing is glued to
 * its end. */
static bool rbg_expand_take(struct rbg_reader *r, const struct rbg_token *t, struct rbg_token *held)
{
	bool is_sticky = rbg_expand_is_sticky(r);
	struct rbg_token taken = *t;
	taken.place.call = rbg_expand_top(r)->call;
	if (held->type == TOKEN_END)
		*held = taken;
	else
		rbg_expand_glue(r, held, &taken);
	rbg_expand_pass_tilde(r);
	return !is_sticky;
}

/* Passes one token of the top slice. Returns true if `held` is a whole token. */
static bool rbg_expand_step(struct rbg_reader *r, struct rbg_token *held)
{
	struct rbg_frame *f = rbg_expand_top(r);
	const struct rbg_token *t = &r->tokens[f->slice.begin++];
	const struct rbg_macro *m = t->type == TOKEN_NAME
					    ? rbg_expand_find(r, r->names.list[t->value].macro,
							      f->slice.order)
					    : NULL;
	rbg_expand_count(r, t);
	if (t->type == TOKEN_TILDE)
		rbg_fail(r, (struct rbg_place) { t->place.offset, f->call },
			 "a name must stand before '~'");
	else if (t->argument >= 0)
		rbg_expand_replace(r, t->argument);
	else if (m)
		rbg_expand_call(r, m, t);
	else
		return rbg_expand_take(r, t, held);
	return false;
}

void rbg_advance(struct rbg_reader *r)
{
	struct rbg_token held = { .type = TOKEN_END };
	bool is_whole = false;
	while (r->frame_count && !r->failed && !is_whole) {
		const struct rbg_slice *s = &rbg_expand_top(r)->slice;
		if (s->begin < s->end)
			is_whole = rbg_expand_step(r, &held);
		else
			is_whole = rbg_expand_leave(r) && held.type != TOKEN_END;
	}
	const struct rbg_token *last = &r->tokens[r->parts[r->part].end - 1];
	if (held.type == TOKEN_END || r->failed)
		held = (struct rbg_token) { .type = TOKEN_END,
					    .place = { last->place.offset + last->length, -1 } };
	r->token = held;
}

void rbg_begin(struct rbg_reader *r, enum rbg_keyword part)
{
	r->part = part;
	r->frame_count = r->argument_count = 0;
	rbg_expand_push(r, (struct rbg_frame) { r->parts[part], -1, 0, false });
	rbg_advance(r);
}
