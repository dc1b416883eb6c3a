/* SPDX-License-Identifier: MIT
 *
 * What the parts of rbg_read() share: names, tokens, macros, and the token that is read next. One thread at a time for each reader.
 *
 * The first error is kept. After it every token is TOKEN_END, so that all loops over tokens end; functions need not ask for it.
 */
#ifndef GAMES_RBG_RBG_READER_H
#define GAMES_RBG_RBG_READER_H

#include "games/rbg/rbg_source.h"

#define RBG_NAME_MAX   63        /* most characters of a name */
#define RBG_NUMBER_MAX 1000000   /* largest number */
#define RBG_LENGTH_MAX (1 << 24) /* most bytes of a text */
#define RBG_NAMES_MAX  (1 << 20) /* most different names, with those that `~` glues */
#define RBG_STEPS_MAX  (1 << 22) /* most tokens that macros may pass */
#define RBG_DEPTH_MAX  256       /* most nested brackets and operators */

/* --- names --- */

/* The first names. */
enum rbg_keyword {
	KEYWORD_PLAYERS,
	KEYWORD_PIECES,
	KEYWORD_VARIABLES,
	KEYWORD_BOARD,
	KEYWORD_RULES,
	KEYWORD_RECTANGLE,
	KEYWORD_HEXAGON,
	KEYWORD_CUBOID,
	KEYWORDS
};
#define RBG_PARTS (KEYWORD_RULES + 1)

enum rbg_meaning { MEANS_NOTHING, MEANS_PLAYER, MEANS_PIECE, MEANS_VARIABLE, MEANS_DIRECTION };

struct rbg_name {
	char *text;
	uint32_t hash;
	int32_t macro;    /* the last macro of this name, -1: none */
	int32_t argument; /* of the macro that is being defined; else -1 */
	int32_t vertex;   /* a square of this name, -1: none */
	int32_t index;    /* of the player, piece, variable or direction */
	enum rbg_meaning meaning;
	struct rbg_place place; /* of its declaration */
};

struct rbg_names {
	struct rbg_name *list;
	int32_t count;
	int32_t *slots; /* `room` of them, a power of 2: 1 + the number of a name, 0: empty */
	int32_t room;
};

/* Returns the number of a name, which it adds if it is new. */
int32_t rbg_names_add(struct rbg_names *, const char *text, size_t length);
void rbg_names_free(struct rbg_names *);

/* --- tokens --- */

enum rbg_token_type {
	TOKEN_END,
	TOKEN_NAME,
	TOKEN_KEYWORD,
	TOKEN_NUMBER,
	/* Signs, in the order of `rbg_signs`. */
	TOKEN_HASH,
	TOKEN_TILDE,
	TOKEN_ROUND,
	TOKEN_ROUND_END,
	TOKEN_SQUARE,
	TOKEN_SQUARE_END,
	TOKEN_CURLY,
	TOKEN_CURLY_END,
	TOKEN_PLUS,
	TOKEN_MINUS,
	TOKEN_STAR,
	TOKEN_SLASH,
	TOKEN_CARET,
	TOKEN_PERIOD,
	TOKEN_COMMA,
	TOKEN_SEMICOLON,
	TOKEN_COLON,
	TOKEN_ASSIGN,
	TOKEN_LESS,
	TOKEN_GREATER,
	TOKEN_SET,     /* [$ */
	TOKEN_COMPARE, /* {$ */
	TOKEN_CAN,     /* {? */
	TOKEN_CANNOT,  /* {! */
	TOKEN_EQUAL,
	TOKEN_NOT_EQUAL,
	TOKEN_LESS_OR_EQUAL,
	TOKEN_GREATER_OR_EQUAL,
	TOKEN_ARROW,
	TOKEN_KEEPER, /* ->> */
	TOKEN_TYPES
};

struct rbg_token {
	uint8_t type;
	int8_t argument; /* in the text of a macro: the argument that the name stands for, -1: none */
	int32_t value;   /* a name's or keyword's number, or the number itself */
	int32_t length; /* in bytes */
	struct rbg_place place;
};

/* A comment `//yomi ...`: the bytes after //yomi. */
struct rbg_note {
	int32_t begin, end;
};

/* --- macros --- */

/* Tokens in a text, and what its names stand for. */
struct rbg_slice {
	int32_t begin, end;
	int32_t order;     /* of the definition that has it; it sees the macros of those before */
	int32_t arguments; /* of the macro that has it: the first of rbg_reader.arguments */
};

struct rbg_macro {
	struct rbg_slice body;
	int32_t next; /* another macro of the same name, -1: none */
	int32_t arity;
	int32_t offset; /* of its definition */
};

/* A slice that is being read. */
struct rbg_frame {
	struct rbg_slice slice; /* what is left of it */
	int32_t call;           /* the macro call that it belongs to */
	int32_t mark;           /* the number of arguments before it */
	bool sticky;            /* `~` glues its last token to what follows */
};

struct rbg_reader {
	struct rbg_source *source;
	struct rbg_rules *rules;
	struct text *error;
	bool failed;

	struct rbg_names names;
	struct rbg_token *tokens;
	int32_t token_count;
	struct rbg_note *notes;
	int32_t note_count;

	struct rbg_macro *macros;
	int32_t macro_count;
	/* The definitions that are no macros; begin -1: missing. */
	struct rbg_slice parts[RBG_PARTS];

	/* The part that is read, and its next token. */
	enum rbg_keyword part;
	struct rbg_token token;
	struct rbg_frame *frames;
	int32_t frame_count;
	struct rbg_slice *arguments;
	int32_t argument_count;
	int32_t steps;
	int depth;  /* of brackets and operators around the token */
	int checks; /* {? } and {! } around it */

	struct text guide;
	/* Comments place squares of a graph; the last place of such a comment. */
	bool is_placed;
	struct rbg_place placed;
};

/* --- messages; only the first counts --- */

__attribute__((format(PRINTF, 3, 4))) void rbg_fail(struct rbg_reader *, struct rbg_place,
						    const char *format, ...);

/* Says that something else than the token was expected. `meaning`: names of which kind to suggest for an unknown name. */
void rbg_fail_expected(struct rbg_reader *, const char *what, enum rbg_meaning);

/* Writes a token as in the text. */
void rbg_spell(const struct rbg_reader *, const struct rbg_token *, struct text *);

/* --- steps of rbg_read(), in this order --- */

/* Cuts the text into tokens and finds notes. */
void rbg_tokenize(struct rbg_reader *);
/* Finds the definitions. */
void rbg_define(struct rbg_reader *);
/* Read the definitions. */
void rbg_read_names(struct rbg_reader *);
void rbg_read_board(struct rbg_reader *);
void rbg_read_rules(struct rbg_reader *);
void rbg_read_notes(struct rbg_reader *);
/* Lays the squares on yomi's board. */
void rbg_lay_out(struct rbg_reader *);

/* --- for these --- */

/* Reads the token at the start of the bytes; its place must be set. Returns its length, 0 and an error if there is none. */
size_t rbg_scan(struct rbg_reader *, const char *bytes, size_t length, struct rbg_token *);

/* Begins to read a definition. The token is its first one, with macros expanded, TOKEN_END after the last. */
void rbg_begin(struct rbg_reader *, enum rbg_keyword part);
void rbg_advance(struct rbg_reader *);

/* Returns true and advances if the token has a type. */
bool rbg_accept(struct rbg_reader *, enum rbg_token_type);
/* The same, with an error if it has not. */
bool rbg_expect(struct rbg_reader *, enum rbg_token_type);

/* Begin and end something that nests. */
void rbg_enter(struct rbg_reader *);
void rbg_leave(struct rbg_reader *);

/* Gives the token, which must be a name, its meaning, and advances. Returns a copy of its text; NULL if there is an error. `what`:
 * "a piece". */
char *rbg_declare(struct rbg_reader *, enum rbg_meaning, int32_t index, const char *what);

/* Returns the name of the token if it means that, else NULL. */
const struct rbg_name *rbg_named(const struct rbg_reader *, enum rbg_meaning);

#endif
