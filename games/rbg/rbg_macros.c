/* SPDX-License-Identifier: MIT
 *
 * Definitions: where each begins and ends, and the arguments of macros.
 */
#include "engine/base/memory.h"
#include "games/rbg/rbg_reader.h"

#define ARITY_MAX 64

/* The definition that is being read. */
struct rbg_definition {
	struct rbg_reader *reader;
	int32_t at, end; /* tokens */
	int32_t order;
};

/* Returns the next token of the definition, or its end. */
static struct rbg_token rbg_macros_peek(const struct rbg_definition *d)
{
	if (d->at < d->end && !d->reader->failed)
		return d->reader->tokens[d->at];
	const struct rbg_token *last = &d->reader->tokens[d->at - 1];
	return (struct rbg_token) { .type = TOKEN_END,
				    .place = { last->place.offset + last->length, -1 } };
}

static bool rbg_macros_accept(struct rbg_definition *d, enum rbg_token_type type)
{
	bool is_it = rbg_macros_peek(d).type == type;
	d->at += is_it;
	return is_it;
}

/* Says what is missing after a macro's name. */
static void rbg_macros_fail(struct rbg_definition *d, const char *what)
{
	d->reader->token = rbg_macros_peek(d);
	rbg_fail_expected(d->reader, what, MEANS_NOTHING);
}

/* Reads the name of an argument. */
static void rbg_macros_argument(struct rbg_definition *d, int32_t index)
{
	struct rbg_token t = rbg_macros_peek(d);
	struct rbg_name *names = d->reader->names.list;
	if (!rbg_macros_accept(d, TOKEN_NAME))
		rbg_macros_fail(d, "the name of an argument");
	else if (index >= ARITY_MAX)
		rbg_fail(d->reader, t.place, "a macro has at most %d arguments", ARITY_MAX);
	else if (names[t.value].argument >= 0)
		rbg_fail(d->reader, t.place, "the macro has another argument '%s'",
			 names[t.value].text);
	else
		names[t.value].argument = index;
}

/* Reads the names of arguments in brackets, if there are any. Returns their number. */
static int32_t rbg_macros_arguments(struct rbg_definition *d)
{
	int32_t count = 0;
	if (!rbg_macros_accept(d, TOKEN_ROUND))
		return 0;
	do
		rbg_macros_argument(d, count++);
	while (rbg_macros_accept(d, TOKEN_SEMICOLON));
	if (!rbg_macros_accept(d, TOKEN_ROUND_END))
		rbg_macros_fail(d, "';' or ')'");
	return count;
}

/* Refuses a second macro that a call could mean as well. */
static void rbg_macros_compare(struct rbg_definition *d, const struct rbg_macro *m,
			       const struct rbg_name *name)
{
	struct text where = { 0 };
	for (int32_t i = name->macro; i >= 0; i = d->reader->macros[i].next) {
		const struct rbg_macro *other = &d->reader->macros[i];
		if (other->arity && m->arity && other->arity != m->arity)
			continue;
		text_clear(&where);
		rbg_source_locate(d->reader->source, other->offset, &where);
		if (other->arity == m->arity)
			rbg_fail(d->reader, (struct rbg_place) { m->offset, -1 },
				 "macro '%s' is already defined at %s", name->text, where.bytes);
		else
			rbg_fail(d->reader, (struct rbg_place) { m->offset, -1 },
				 "macro '%s' is already defined at %s; it cannot have arguments in "
				 "one definition only",
				 name->text, where.bytes);
		break;
	}
	text_free(&where);
}

/* Marks the arguments in the text of a macro, or forgets their names. */
static void rbg_macros_mark(struct rbg_definition *d, int32_t begin, int32_t first, int32_t end)
{
	struct rbg_reader *r = d->reader;
	for (int32_t i = first; i < end; i++)
		if (r->tokens[i].type == TOKEN_NAME)
			r->tokens[i].argument = (int8_t)r->names.list[r->tokens[i].value].argument;
	for (int32_t i = begin; i < first; i++)
		if (r->tokens[i].type == TOKEN_NAME)
			r->names.list[r->tokens[i].value].argument = -1;
}

/* Reads a macro behind its name. */
static void rbg_macros_define(struct rbg_definition *d, const struct rbg_token *name)
{
	struct rbg_reader *r = d->reader;
	int32_t begin = d->at, arity = rbg_macros_arguments(d);
	if (!rbg_macros_accept(d, TOKEN_ASSIGN))
		rbg_macros_fail(d, arity ? "'='" : "'=' or '('");
	rbg_macros_mark(d, begin, d->at, d->end);
	struct rbg_macro m = { .body = { d->at, d->end, d->order, 0 },
			       .next = r->names.list[name->value].macro,
			       .arity = arity,
			       .offset = name->place.offset };
	rbg_macros_compare(d, &m, &r->names.list[name->value]);
	r->macros = xgrow(r->macros, (size_t)r->macro_count, sizeof *r->macros);
	r->names.list[name->value].macro = r->macro_count;
	r->macros[r->macro_count++] = m;
}

/* Reads a part behind its name. */
static void rbg_macros_part(struct rbg_definition *d, const struct rbg_token *name)
{
	struct rbg_reader *r = d->reader;
	if (!rbg_macros_accept(d, TOKEN_ASSIGN))
		rbg_macros_fail(d, "'='");
	if (r->parts[name->value].begin >= 0)
		rbg_fail(r, name->place, "this is a second #%s", r->names.list[name->value].text);
	for (int32_t i = d->at; i < d->end; i++)
		if (r->tokens[i].type == TOKEN_TILDE)
			rbg_fail(r, r->tokens[i].place, "'~' glues names only in macros");
	r->parts[name->value] = (struct rbg_slice) { d->at, d->end, d->order, 0 };
}

static void rbg_macros_definition(struct rbg_definition *d)
{
	if (!rbg_macros_accept(d, TOKEN_HASH)) {
		rbg_macros_fail(d, "'#' and a definition");
		return;
	}
	struct rbg_token name = rbg_macros_peek(d);
	d->at++;
	if (name.type == TOKEN_NAME) {
		rbg_macros_define(d, &name);
	} else if (name.type == TOKEN_KEYWORD && name.value < RBG_PARTS) {
		rbg_macros_part(d, &name);
	} else {
		d->at--;
		rbg_macros_fail(d,
				"players, pieces, variables, board, rules or the name of a macro");
	}
}

void rbg_define(struct rbg_reader *r)
{
	struct rbg_definition d = { .reader = r };
	for (int i = 0; i < RBG_PARTS; i++)
		r->parts[i].begin = -1;
	while (d.end < r->token_count && !r->failed) {
		d.at = d.end++;
		while (d.end < r->token_count && r->tokens[d.end].type != TOKEN_HASH)
			d.end++;
		rbg_macros_definition(&d);
		d.order++;
	}
	for (int i = 0; i < RBG_PARTS; i++)
		if (i != KEYWORD_VARIABLES && r->parts[i].begin < 0)
			rbg_fail(r, (struct rbg_place) { 0, -1 }, "there is no #%s",
				 r->names.list[i].text);
}
