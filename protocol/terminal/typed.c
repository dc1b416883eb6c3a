/* SPDX-License-Identifier: MIT */
#include "protocol/terminal/typed.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/base/utf8.h"

#define BEHIND    ".,;:!?\"'()[]" /* may stand behind a word */
#define BEFORE    "-/:\\\"'()[]"  /* may stand before a word */
#define AROUND    "\"'()[]"       /* may stand before any word; -5 and /dev are no such words */
#define BETWEEN   ".,;:/>"        /* may stand between moves */
#define DIGITS    "0123456789"
#define SHOWN_MAX 60     /* bytes of a word in a message */
#define FULL_MIN  0xff01 /* the full-width forms of ! to ~ */
#define FULL_MAX  0xff5e
#define FULL_GAP  0xfee0 /* distance of a full-width form from its ASCII character */

void typed_fold(char *line)
{
	static const struct {
		uint32_t from;
		char to;
	} others[] = { { 0x3000, ' ' }, { 0x3001, ',' }, { 0x3002, '.' },
		       { 0x2212, '-' }, { 0x30fc, '-' }, { 0x2019, '\'' } };
	char *to = line;
	size_t n;
	for (const char *at = line; *at; at += n) {
		uint32_t c = 0;
		char ascii = '\0';
		n = utf8_read(at, &c);
		if (c >= FULL_MIN && c <= FULL_MAX)
			ascii = (char)(c - FULL_GAP);
		for (size_t i = 0; i < sizeof others / sizeof *others; i++)
			if (c == others[i].from)
				ascii = others[i].to;
		n = n ? n : 1;
		if (ascii) {
			*to++ = ascii;
		} else {
			memmove(to, at, n);
			to += n;
		}
	}
	*to = '\0';
}

/* Removes signs before a word and behind it. */
static void typed_strip(char *word, const char *signs)
{
	size_t length = strlen(word), before = strspn(word, signs);
	while (length && strchr(BEHIND, word[length - 1]))
		length--;
	if (length <= before)
		return;
	memmove(word, word + before, length - before);
	word[length - before] = '\0';
}

void typed_trim(char *word)
{
	typed_strip(word, BEFORE);
}

void typed_trim_argument(char *word)
{
	typed_strip(word, AROUND);
}

size_t typed_cut(const char *word)
{
	size_t n = strnlen(word, SHOWN_MAX);
	/* No character is cut. */
	while (n && ((unsigned char)word[n] & 0xc0) == 0x80)
		n--;
	return n;
}

void typed_lower(char *word)
{
	for (; *word; word++)
		*word = (char)tolower((unsigned char)*word);
}

/* Returns the first word of the line that has a word, NULL if there is none. A line has a word, then others for it. */
static const char *typed_find(const char *const *lines, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		for (const char *w = lines[i] + strlen(lines[i]) + 1; *w; w += strlen(w) + 1)
			if (strcmp(w, word) == 0)
				return lines[i];
	return NULL;
}

const char *typed_answer(const char *word)
{
	static const char *const lines[] = {
		"continue\0yes\0y\0はい\0",
		"new\0no\0n\0いいえ\0",
	};
	return typed_find(lines, sizeof lines / sizeof *lines, word);
}

const char *typed_command(const char *word)
{
	/* The first word may be empty: what follows is a move. */
	static const char *const lines[] = {
		"\0place\0move\0put\0drop\0column\0col\0",
		"pass\0skip\0p\0パス\0",
		"analyze\0analyse\0analysis\0eval\0evaluate\0解析\0検討\0",
		"auto\0",
		"board\0b\0show\0draw\0print\0display\0drawboard\0printboard\0盤\0盤面\0",
		"continue\0resume\0続き\0",
		"exit\0q\0bye\0leave\0end\0close\0stop\0終了\0",
		"go\0computer\0ai\0",
		"help\0h\0man\0info\0commands\0usage\0ヘルプ\0",
		"hint\0tip\0best\0bestmove\0suggest\0ヒント\0",
		"kept\0games\0",
		"level\0difficulty\0strength\0レベル\0",
		"load\0open\0",
		"moves\0legal\0legalmoves\0",
		"new\0restart\0reset\0start\0begin\0newgame\0rematch\0again\0新規\0",
		"redo\0r\0forward\0やり直し\0",
		"resign\0surrender\0giveup\0投了\0",
		"rules\0rule\0howto\0ルール\0",
		"score\0result\0points\0count\0",
		"time\0thinktime\0",
		"undo\0u\0back\0takeback\0待った\0戻る\0",
		"why\0explain\0なぜ\0",
	};
	return typed_find(lines, sizeof lines / sizeof *lines, word);
}

bool typed_is_columns(const struct game *g, const char *word)
{
	if (!g->board.falls || !*word)
		return false;
	for (; *word; word++)
		if (*word < '1' || *word > '0' + g->board.cols)
			return false;
	return true;
}

/* Returns the text behind the number of a move, such as `1.`, that begins a word. */
static const char *typed_skip_number(const char *word)
{
	size_t digits = strspn(word, DIGITS);
	return digits && word[digits] == '.' ? word + digits + strspn(word + digits, ".") : word;
}

/* Appends a word with the letter of each square before its number. Returns true if a number was first. */
static bool typed_turn(struct text *out, const char *word)
{
	size_t digits = strspn(word, DIGITS);
	bool turns = digits && isalpha((unsigned char)word[digits]);
	for (; turns && digits && isalpha((unsigned char)word[digits]);
	     digits = strspn(word, DIGITS)) {
		text_printf(out, "%c%.*s", word[digits], (int)digits, word);
		word += digits + 1;
	}
	text_puts(out, word);
	return turns;
}

/* Returns true if a word may be part of moves: it has a number, is one letter, or is a move alone, such as a pass. */
static bool typed_is_part(const struct record *r, const char *word)
{
	struct move move;
	return strpbrk(word, DIGITS) || !word[0] || !word[1] ||
	       record_parse(r, word, &move) != MOVE_MALFORMED;
}

/* Returns true if a word only stands between moves. */
static bool typed_is_joint(const char *word)
{
	static const char *const joints[] = { "to", "then", "and" };
	for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
		if (strcasecmp(word, joints[i]) == 0)
			return true;
	return false;
}

/* Appends a word without the signs between its moves. Returns false if it cannot be part of moves. */
static bool typed_add(struct text *out, const struct record *r, const char *word, bool *guessed)
{
	char *clean = xstrdup(typed_skip_number(word)), *to = clean;
	typed_trim(clean);
	bool good = typed_is_part(r, clean);
	if (typed_is_joint(clean)) {
		good = true;
	} else if (typed_is_columns(r->game, clean)) {
		for (const char *c = clean; *c; c++)
			text_putc(out, (char)('a' + *c - '1'));
	} else if (good) {
		for (const char *c = clean; *c; c++) {
			bool joins = c > clean && isalpha((unsigned char)c[-1]) &&
				     isalpha((unsigned char)c[1]);
			if (!strchr(BETWEEN, *c) && (*c != '-' || joins))
				*to++ = *c;
		}
		*to = '\0';
		*guessed |= typed_turn(out, clean);
	}
	free(clean);
	return good;
}

char *typed_moves(const struct record *r, char *const *words, int count, bool *guessed)
{
	bool good = true;
	struct text text = { 0 };
	*guessed = false;
	for (int i = 0; i < count && good; i++)
		good = typed_add(&text, r, words[i], guessed);
	if (good)
		return text_take(&text);
	text_free(&text);
	return NULL;
}

size_t typed_next(const struct record *r, const char *text, enum move_check *check)
{
	char prefix[MOVE_TEXT_MAX + 1];
	struct move move;
	size_t most = strlen(text);
	for (size_t n = most < MOVE_TEXT_MAX ? most : MOVE_TEXT_MAX; n; n--) {
		/* A number is not cut. */
		if (isdigit((unsigned char)text[n - 1]) && isdigit((unsigned char)text[n]))
			continue;
		memcpy(prefix, text, n);
		prefix[n] = '\0';
		*check = record_parse(r, prefix, &move);
		if (*check != MOVE_MALFORMED)
			return n;
	}
	return 0;
}

char *typed_join(char *const *words, int count)
{
	struct text name = { 0 };
	for (int i = 0; i < count; i++)
		for (const char *c = words[i]; *c; c++)
			if (*c != '-')
				text_putc(&name, *c);
	return text_take(&name);
}
