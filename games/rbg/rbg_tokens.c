/* SPDX-License-Identifier: MIT
 *
 * From text to tokens.
 */
#include <ctype.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "games/rbg/rbg_reader.h"

/* In the order of rbg_keyword. */
static const char *const rbg_keywords[KEYWORDS] = { "players", "pieces",    "variables", "board",
						    "rules",   "rectangle", "hexagon",   "cuboid" };

/* From TOKEN_HASH on. */
static const char *const rbg_signs[TOKEN_TYPES - TOKEN_HASH] = {
	"#", "~", "(", ")", "[", "]",  "{",  "}",  "+",  "-",  "*",  "/",  "^",  ".",  ",",
	";", ":", "=", "<", ">", "[$", "{$", "{?", "{!", "==", "!=", "<=", ">=", "->", "->>"
};

#define NOTE "//yomi"

static size_t rbg_scan_name(struct rbg_reader *r, const char *bytes, size_t length,
			    struct rbg_token *t)
{
	size_t n = 0;
	while (n < length && isalnum((unsigned char)bytes[n]))
		n++;
	if (n > RBG_NAME_MAX)
		rbg_fail(r, t->place, "a name has at most %d characters", RBG_NAME_MAX);
	else if (r->names.count >= RBG_NAMES_MAX)
		rbg_fail(r, t->place, "there are more than %d names", RBG_NAMES_MAX);
	if (r->failed)
		return 0;
	t->value = rbg_names_add(&r->names, bytes, n);
	t->type = t->value < KEYWORDS ? TOKEN_KEYWORD : TOKEN_NAME;
	return n;
}

static size_t rbg_scan_number(struct rbg_reader *r, const char *bytes, size_t length,
			      struct rbg_token *t)
{
	size_t n = 0;
	t->type = TOKEN_NUMBER;
	t->value = 0;
	for (; n < length && isdigit((unsigned char)bytes[n]); n++) {
		t->value = 10 * t->value + bytes[n] - '0';
		if (t->value > RBG_NUMBER_MAX) {
			rbg_fail(r, t->place, "a number is at most %d", RBG_NUMBER_MAX);
			return 0;
		}
	}
	return n;
}

/* Finds the longest sign. */
static size_t rbg_scan_sign(struct rbg_reader *r, const char *bytes, size_t length,
			    struct rbg_token *t)
{
	size_t best = 0;
	for (int i = 0; i < TOKEN_TYPES - TOKEN_HASH; i++) {
		size_t n = strlen(rbg_signs[i]);
		if (n > best && n <= length && memcmp(bytes, rbg_signs[i], n) == 0) {
			best = n;
			t->type = (uint8_t)(TOKEN_HASH + i);
		}
	}
	if (!best && strchr("$?!", *bytes))
		rbg_fail(r, t->place, "'%c' must follow %s'{' directly", *bytes,
			 *bytes == '$' ? "'[' or " : "");
	else if (!best && *bytes > ' ' && *bytes <= '~')
		rbg_fail(r, t->place, "unexpected '%c'", *bytes);
	else if (!best)
		rbg_fail(r, t->place, "unexpected character");
	return best;
}

size_t rbg_scan(struct rbg_reader *r, const char *bytes, size_t length, struct rbg_token *t)
{
	t->argument = -1;
	size_t n = isalpha((unsigned char)*bytes)   ? rbg_scan_name(r, bytes, length, t)
		   : isdigit((unsigned char)*bytes) ? rbg_scan_number(r, bytes, length, t)
						    : rbg_scan_sign(r, bytes, length, t);
	t->length = (int32_t)n;
	return n;
}

/* Keeps the text of a comment for yomi. */
static void rbg_tokens_note(struct rbg_reader *r, int32_t begin, int32_t end)
{
	const char *text = r->source->text + begin;
	int32_t skipped = (int32_t)strlen(NOTE);
	if (end - begin < skipped || memcmp(text, NOTE, strlen(NOTE)) != 0 ||
	    isalnum((unsigned char)text[skipped]))
		return;
	r->notes = xgrow(r->notes, (size_t)r->note_count, sizeof *r->notes);
	r->notes[r->note_count++] = (struct rbg_note) { begin + skipped, end };
}

/* Returns the end of a comment. */
static int32_t rbg_tokens_comment(struct rbg_reader *r, int32_t begin)
{
	const char *text = r->source->text;
	bool is_line = text[begin + 1] == '/';
	int32_t end = begin + 2;
	while (end < r->source->length &&
	       (is_line ? text[end] != '\n' : text[end] != '*' || text[end + 1] != '/'))
		end++;
	if (is_line)
		rbg_tokens_note(r, begin, end);
	else if (end == r->source->length)
		rbg_fail(r, (struct rbg_place) { begin, -1 }, "the comment has no end");
	else
		end += 2;
	return end;
}

/* Returns the first byte from `at` on that is neither white space nor in a comment. */
static int32_t rbg_tokens_skip(struct rbg_reader *r, int32_t at)
{
	const char *text = r->source->text;
	for (;;) {
		while (at < r->source->length && strchr(" \t\r\n", text[at]))
			at++;
		if (text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*'))
			return at;
		at = rbg_tokens_comment(r, at);
	}
}

/* Returns true if a character, which a text has at a place, separates words, ends lines or has a picture. */
static bool rbg_tokens_is_text(uint32_t character, const char *at)
{
	if (character == '\r')
		return at[1] == '\n';
	return character == '\t' || character == '\n' ||
	       (character >= ' ' && (character < 0x7f || character > 0x9f));
}

/* Refuses bytes that are no text. */
static void rbg_tokens_check(struct rbg_reader *r)
{
	const struct rbg_source *s = r->source;
	for (int32_t i = 0, n; i < s->length && !r->failed; i += n) {
		uint32_t character = 0;
		n = (int32_t)utf8_read(s->text + i, &character);
		if (!n)
			rbg_fail(r, (struct rbg_place) { i, -1 }, "the text is not UTF-8");
		else if (!rbg_tokens_is_text(character, s->text + i))
			rbg_fail(r, (struct rbg_place) { i, -1 },
				 "the text has a control character");
	}
}

void rbg_tokenize(struct rbg_reader *r)
{
	const struct rbg_source *s = r->source;
	int32_t at = (int32_t)utf8_mark(s->text, (size_t)s->length);
	for (int i = 0; i < KEYWORDS; i++)
		rbg_names_add(&r->names, rbg_keywords[i], strlen(rbg_keywords[i]));
	rbg_tokens_check(r);
	for (at = rbg_tokens_skip(r, at); at < s->length && !r->failed;
	     at = rbg_tokens_skip(r, at)) {
		r->tokens = xgrow(r->tokens, (size_t)r->token_count, sizeof *r->tokens);
		struct rbg_token *t = &r->tokens[r->token_count++];
		t->place = (struct rbg_place) { at, -1 };
		at += (int32_t)rbg_scan(r, s->text + at, (size_t)(s->length - at), t);
	}
}

void rbg_spell(const struct rbg_reader *r, const struct rbg_token *t, struct text *out)
{
	if (t->type == TOKEN_NAME || t->type == TOKEN_KEYWORD)
		text_puts(out, r->names.list[t->value].text);
	else if (t->type == TOKEN_NUMBER)
		text_printf(out, "%d", t->value);
	else if (t->type >= TOKEN_HASH)
		text_puts(out, rbg_signs[t->type - TOKEN_HASH]);
}
