/* SPDX-License-Identifier: MIT
 *
 * Comments for yomi: `//yomi KEY: TEXT`. Most texts are words `NAME=VALUE`.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "games/rbg/rbg_reader.h"

#define OWNER_NONE 2

/* A word NAME=VALUE of a note. */
struct rbg_setting {
	struct rbg_place name_place, place; /* of the name and of the value */
	const char *name, *value;
};

static struct rbg_place rbg_notes_place(int32_t offset)
{
	return (struct rbg_place) { offset, -1 };
}

/* The name of a setting. */
static const struct rbg_name *rbg_notes_name(struct rbg_reader *r, const struct rbg_setting *s)
{
	int32_t name = rbg_names_add(&r->names, s->name, strlen(s->name));
	return &r->names.list[name];
}

/* Returns the piece that a setting names, NULL and an error if there is none. */
static const struct rbg_name *rbg_notes_piece(struct rbg_reader *r, const struct rbg_setting *s)
{
	const struct rbg_name *name = rbg_notes_name(r, s);
	if (name->meaning == MEANS_PIECE)
		return name;
	rbg_fail(r, s->name_place, "expected a piece");
	return NULL;
}

static void rbg_notes_letter(struct rbg_reader *r, const struct rbg_setting *s)
{
	const struct rbg_name *piece = rbg_notes_piece(r, s);
	if (!piece)
		return;
	if (strlen(s->value) != 1 || *s->value < '!' || *s->value > '~' || *s->value == ':')
		rbg_fail(r, s->place, "expected one letter or sign other than ':'");
	for (int i = 0; i < r->rules->piece_count; i++)
		if (i != piece->index && r->rules->letters[i] == *s->value)
			rbg_fail(r, s->place, "the piece '%s' has the letter '%c', too",
				 r->rules->pieces[i], *s->value);
	r->rules->letters[piece->index] = *s->value;
}

static void rbg_notes_owner(struct rbg_reader *r, const struct rbg_setting *s)
{
	const struct rbg_name *piece = rbg_notes_piece(r, s);
	if (!piece)
		return;
	for (int i = 0; i < RBG_PLAYERS; i++)
		if (strcmp(s->value, r->rules->players[i]) == 0) {
			r->rules->owners[piece->index] = (int8_t)i;
			return;
		}
	if (strcmp(s->value, "none") != 0)
		rbg_fail(r, s->place, "expected '%s', '%s' or 'none'", r->rules->players[0],
			 r->rules->players[1]);
	r->rules->owners[piece->index] = OWNER_NONE;
}

static void rbg_notes_picture(struct rbg_reader *r, const struct rbg_setting *s)
{
	const struct rbg_name *piece = rbg_notes_piece(r, s);
	if (!piece)
		return;
	free(r->rules->pictures[piece->index]);
	r->rules->pictures[piece->index] = xstrdup(s->value);
}

/* VALUE is row,column; the top left place is 1,1. */
static void rbg_notes_square(struct rbg_reader *r, const struct rbg_setting *s)
{
	const struct rbg_name *name = rbg_notes_name(r, s);
	char *end;
	long row = strtol(s->value, &end, 10), col = *end == ',' ? strtol(end + 1, &end, 10) : 0;
	if (name->vertex < 0)
		rbg_fail(r, s->name_place, "expected a square of a graph");
	else if (*end || row < 1 || col < 1 || row > GAME_SIDE_MAX || col > GAME_SIDE_MAX)
		rbg_fail(r, s->place, "expected a row and a column from 1 to %d, such as 1,2",
			 GAME_SIDE_MAX);
	if (r->failed)
		return;
	r->rules->squares[name->vertex].row = (int)row;
	r->rules->squares[name->vertex].col = (int)col;
	r->is_placed = true;
	r->placed = s->place;
}

/* Calls a function for each word of a text that begins at an offset. The text is changed. */
static void rbg_notes_settings(struct rbg_reader *r, char *text, int32_t offset,
			       void (*set)(struct rbg_reader *, const struct rbg_setting *))
{
	char *rest = text, *word;
	while ((word = text_cut(&rest, " \t\r")) && !r->failed) {
		char *value = strchr(word, '=');
		int32_t at = offset + (int32_t)(word - text);
		if (!*word)
			continue;
		if (!value || value == word || !value[1]) {
			rbg_fail(r, rbg_notes_place(at), "expected NAME=VALUE");
			return;
		}
		*value++ = '\0';
		struct rbg_setting s = { rbg_notes_place(at),
					 rbg_notes_place(offset + (int32_t)(value - text)), word,
					 value };
		set(r, &s);
	}
}

static void rbg_notes_title(struct rbg_reader *r, const char *text, int32_t offset)
{
	if (!*text)
		rbg_fail(r, rbg_notes_place(offset), "expected a title");
	if (r->rules->title)
		rbg_fail(r, rbg_notes_place(offset), "there is another title");
	else
		r->rules->title = xstrdup(text);
}

/* Uses the text of a key, which begins at an offset. */
static void rbg_notes_use(struct rbg_reader *r, const char *key, char *text,
			  struct rbg_place key_place, int32_t offset)
{
	static const struct {
		const char *key;
		void (*set)(struct rbg_reader *, const struct rbg_setting *);
	} keys[] = { { "letters", rbg_notes_letter },
		     { "owner", rbg_notes_owner },
		     { "picture", rbg_notes_picture },
		     { "place", rbg_notes_square } };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(key, keys[i].key) == 0) {
			rbg_notes_settings(r, text, offset, keys[i].set);
			return;
		}
	if (strcmp(key, "title") == 0)
		rbg_notes_title(r, text, offset);
	else if (strcmp(key, "guide") == 0)
		text_printf(&r->guide, "%s\n", text);
	else
		rbg_fail(r, key_place,
			 "expected title, letters, owner, picture, place or guide, and ':'");
}

static bool rbg_notes_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void rbg_notes_read(struct rbg_reader *r, struct rbg_note note)
{
	const char *source = r->source->text;
	while (note.begin < note.end && rbg_notes_is_blank(source[note.begin]))
		note.begin++;
	while (note.begin < note.end && rbg_notes_is_blank(source[note.end - 1]))
		note.end--;
	int32_t colon = note.begin;
	while (colon < note.end && source[colon] != ':')
		colon++;
	int32_t begin = colon < note.end ? colon + 1 : colon;
	while (begin < note.end && rbg_notes_is_blank(source[begin]))
		begin++;
	char *key = xstrndup(source + note.begin, (size_t)(colon - note.begin));
	char *text = xstrndup(source + begin, (size_t)(note.end - begin));
	rbg_notes_use(r, colon < note.end ? key : "", text, rbg_notes_place(note.begin), begin);
	free(key);
	free(text);
}

void rbg_read_notes(struct rbg_reader *r)
{
	for (int32_t i = 0; i < r->note_count && !r->failed; i++)
		rbg_notes_read(r, r->notes[i]);
	if (r->guide.length)
		r->rules->guide = text_take(&r->guide);
}
