/* SPDX-License-Identifier: MIT
 *
 * Reads rules: the steps, the lists of names, and what all parts need to read tokens and to fail.
 */
#include "games/rbg/rbg_reader.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/suggestion.h"

/* --- messages --- */

void rbg_fail(struct rbg_reader *r, struct rbg_place place, const char *format, ...)
{
	va_list arguments;
	if (r->failed)
		return;
	va_start(arguments, format);
	rbg_source_explain(r->source, place, r->error, format, arguments);
	va_end(arguments);
	r->failed = true;
	r->token = (struct rbg_token) { .type = TOKEN_END, .place = place };
}

/* Writes what is wrong with a name that means nothing. */
static void rbg_reader_suggest(const struct rbg_reader *r, const struct rbg_name *name,
			       enum rbg_meaning meaning, struct text *out)
{
	struct suggestion s;
	if (name->macro >= 0) {
		text_puts(out,
			  ", a macro; a macro must be defined before the definition that uses it");
		return;
	}
	suggestion_begin(&s, name->text);
	for (int32_t i = 0; i < r->names.count; i++)
		if (r->names.list[i].meaning == meaning || r->names.list[i].macro >= 0)
			suggestion_consider(&s, r->names.list[i].text);
	text_puts(out, ", which is not defined");
	if (s.best)
		text_printf(out, "; did you mean '%s'?", s.best);
}

void rbg_fail_expected(struct rbg_reader *r, const char *what, enum rbg_meaning meaning)
{
	static const char *const kinds[] = { "", "the player ", "the piece ", "the variable ",
					     "the direction " };
	const struct rbg_token *t = &r->token;
	const struct rbg_name *name = t->type == TOKEN_NAME ? &r->names.list[t->value] : NULL;
	struct text found = { 0 };
	text_printf(&found, "%s'",
		    name                       ? kinds[name->meaning]
		    : t->type == TOKEN_KEYWORD ? "the keyword "
					       : "");
	rbg_spell(r, t, &found);
	text_putc(&found, '\'');
	if (name && meaning != MEANS_NOTHING && name->meaning == MEANS_NOTHING)
		rbg_reader_suggest(r, name, meaning, &found);
	rbg_fail(r, t->place, "expected %s, found %s", what,
		 t->type == TOKEN_END ? "the end of the definition" : found.bytes);
	text_free(&found);
}

/* --- tokens --- */

bool rbg_accept(struct rbg_reader *r, enum rbg_token_type type)
{
	if (r->token.type != type)
		return false;
	rbg_advance(r);
	return true;
}

bool rbg_expect(struct rbg_reader *r, enum rbg_token_type type)
{
	struct rbg_token wanted = { .type = (uint8_t)type };
	struct text what = { 0 };
	if (rbg_accept(r, type))
		return true;
	text_putc(&what, '\'');
	rbg_spell(r, &wanted, &what);
	text_putc(&what, '\'');
	rbg_fail_expected(r, what.bytes, MEANS_NOTHING);
	text_free(&what);
	return false;
}

void rbg_enter(struct rbg_reader *r)
{
	if (++r->depth > RBG_DEPTH_MAX)
		rbg_fail(r, r->token.place, "more than %d brackets and operators nest here",
			 RBG_DEPTH_MAX);
}

void rbg_leave(struct rbg_reader *r)
{
	r->depth--;
}

const struct rbg_name *rbg_named(const struct rbg_reader *r, enum rbg_meaning meaning)
{
	const struct rbg_name *name = &r->names.list[r->token.value];
	return r->token.type == TOKEN_NAME && name->meaning == meaning ? name : NULL;
}

/* --- names --- */

/* Refuses a second meaning of a name. A macro of that name is none: it only hides the other meaning in the definitions behind it. */
static void rbg_reader_compare(struct rbg_reader *r, const struct rbg_name *name)
{
	static const char *const kinds[] = { "", "a player", "a piece", "a variable",
					     "a direction" };
	struct text where = { 0 };
	if (name->meaning == MEANS_NOTHING)
		return;
	rbg_source_locate(r->source, name->place.offset, &where);
	rbg_fail(r, r->token.place, "'%s' is already %s, at %s", name->text, kinds[name->meaning],
		 where.bytes);
	text_free(&where);
}

char *rbg_declare(struct rbg_reader *r, enum rbg_meaning meaning, int32_t index, const char *what)
{
	if (r->token.type != TOKEN_NAME) {
		rbg_fail_expected(r, what, MEANS_NOTHING);
		return NULL;
	}
	struct rbg_name *name = &r->names.list[r->token.value];
	rbg_reader_compare(r, name);
	if (r->failed)
		return NULL;
	name->meaning = meaning;
	name->index = index;
	name->place = r->token.place;
	char *text = xstrdup(name->text);
	rbg_advance(r);
	return text;
}

/* Reads the largest value of a variable or score, in brackets. */
static int32_t rbg_reader_most(struct rbg_reader *r)
{
	rbg_expect(r, TOKEN_ROUND);
	int32_t most = r->token.value;
	if (r->token.type != TOKEN_NUMBER || !most)
		rbg_fail_expected(r, "a number from 1 on", MEANS_NOTHING);
	rbg_advance(r);
	rbg_expect(r, TOKEN_ROUND_END);
	return most;
}

static void rbg_reader_add_variable(struct rbg_reader *r, enum rbg_meaning meaning,
				    const char *what)
{
	struct rbg_rules *rules = r->rules;
	if (rules->variable_count == RBG_VARIABLES_MAX)
		rbg_fail(r, r->token.place, "a game has at most %d variables and scores",
			 RBG_VARIABLES_MAX);
	char *name = rbg_declare(r, meaning, rules->variable_count, what);
	if (name)
		rules->variables[rules->variable_count++] = (struct rbg_variable) {
			name, rbg_reader_most(r)
		};
}

static void rbg_reader_player(struct rbg_reader *r)
{
	struct rbg_rules *rules = r->rules;
	int player = rules->variable_count;
	if (player == RBG_PLAYERS)
		rbg_fail(r, r->token.place,
			 "only games of two players can be played; this is a third one");
	rbg_reader_add_variable(r, MEANS_PLAYER, "the name of a player");
	if (rules->variable_count > player)
		rules->players[player] = xstrdup(rules->variables[player].name);
}

static void rbg_reader_piece(struct rbg_reader *r)
{
	struct rbg_rules *rules = r->rules;
	if (rules->piece_count == RBG_PIECES_MAX)
		rbg_fail(r, r->token.place, "a game has at most %d pieces", RBG_PIECES_MAX);
	char *name = rbg_declare(r, MEANS_PIECE, rules->piece_count, "the name of a piece");
	if (name)
		rules->pieces[rules->piece_count++] = name;
}

static void rbg_reader_variable(struct rbg_reader *r)
{
	rbg_reader_add_variable(r, MEANS_VARIABLE, "the name of a variable");
}

/* Reads a list. Commas may follow each other, as macros without text leave them. */
static void rbg_reader_list(struct rbg_reader *r, enum rbg_keyword part,
			    void (*read)(struct rbg_reader *))
{
	rbg_begin(r, part);
	while (r->token.type != TOKEN_END) {
		if (rbg_accept(r, TOKEN_COMMA))
			continue;
		read(r);
		if (r->token.type != TOKEN_END)
			rbg_expect(r, TOKEN_COMMA);
	}
}

void rbg_read_names(struct rbg_reader *r)
{
	rbg_reader_list(r, KEYWORD_PLAYERS, rbg_reader_player);
	if (r->rules->variable_count < RBG_PLAYERS)
		rbg_fail(r, r->token.place,
			 "only games of two players can be played; expected another one");
	rbg_reader_list(r, KEYWORD_PIECES, rbg_reader_piece);
	if (!r->rules->piece_count)
		rbg_fail(r, r->token.place, "a game needs a piece, also for empty squares");
	if (r->parts[KEYWORD_VARIABLES].begin >= 0)
		rbg_reader_list(r, KEYWORD_VARIABLES, rbg_reader_variable);
}

/* --- all --- */

static void rbg_reader_free(struct rbg_reader *r)
{
	rbg_names_free(&r->names);
	free(r->tokens);
	free(r->notes);
	free(r->macros);
	free(r->frames);
	free(r->arguments);
	text_free(&r->guide);
}

static struct rbg_rules *rbg_rules_create(struct rbg_source *source)
{
	struct rbg_rules *rules = xcalloc(1, sizeof *rules);
	rules->source = source;
	rules->squares = xcalloc(GAME_SQUARES_MAX, sizeof *rules->squares);
	memset(rules->owners, -1, sizeof rules->owners);
	return rules;
}

void rbg_rules_free(struct rbg_rules *rules)
{
	if (!rules)
		return;
	for (int i = 0; i < RBG_PLAYERS; i++)
		free(rules->players[i]);
	for (int i = 0; i < rules->piece_count; i++) {
		free(rules->pieces[i]);
		free(rules->pictures[i]);
	}
	for (int i = 0; i < rules->variable_count; i++)
		free(rules->variables[i].name);
	for (int i = 0; i < rules->square_count; i++)
		free(rules->squares[i].name);
	for (int i = 0; i < rules->direction_count; i++)
		free(rules->directions[i]);
	free(rules->squares);
	free(rules->neighbors);
	free(rules->terms);
	free(rules->title);
	free(rules->guide);
	rbg_source_free(rules->source);
	free(rules);
}

struct rbg_rules *rbg_read(const char *name, const char *text, size_t length, struct text *error)
{
	static void (*const steps[])(struct rbg_reader *) = { rbg_tokenize,   rbg_define,
							      rbg_read_names, rbg_read_board,
							      rbg_read_rules, rbg_read_notes,
							      rbg_lay_out };
	bool fits = length <= RBG_LENGTH_MAX;
	struct rbg_reader r = { .source = rbg_source_create(name, text, fits ? length : 0),
				.error = error };
	r.rules = rbg_rules_create(r.source);
	if (!fits)
		rbg_fail(&r, (struct rbg_place) { 0, -1 }, "a text has at most %d bytes",
			 RBG_LENGTH_MAX);
	for (size_t i = 0; i < sizeof steps / sizeof *steps && !r.failed; i++)
		steps[i](&r);
	rbg_reader_free(&r);
	if (!r.failed)
		return r.rules;
	rbg_rules_free(r.rules);
	return NULL;
}
