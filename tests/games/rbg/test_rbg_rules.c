/* SPDX-License-Identifier: MIT
 *
 * Rules as text: what macros, expressions, boards and comments become; where errors are and what they say; texts that try to take
 * long or to crash.
 */
#include "games/rbg/rbg_rules.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/rng.h"
#include "engine/base/text.h"
#include "tests/games/rbg/valid_rules.h"
#include "tests/suite.h"

#define COUNT(LIST) ((int)(sizeof(LIST) / sizeof(LIST)[0]))

/* Six lines; what follows begins in the seventh. */
#define HEAD                                                                                       \
	"#players = white(100), black(50)\n"                                                       \
	"#pieces = e, w, b\n"                                                                      \
	"#variables = turn(9)\n"                                                                   \
	"#board = rectangle(up, down, left, right,\n"                                              \
	"  [e, b]\n"                                                                               \
	"  [w, e])\n"
#define NAMES "#players = white(100), black(50)\n#pieces = e, w, b\n#rules = .\n"

static struct rbg_rules *read_good(const char *text)
{
	struct text error = { 0 };
	struct rbg_rules *r = rbg_read("t.rbg", text, strlen(text), &error);
	ck_assert_msg(r, "%s", error.bytes);
	ck_assert_ptr_null(valid_rules_fault(r));
	ck_assert_ptr_null(error.bytes);
	return r;
}

/* Returns the error of a text, which the caller frees. */
static char *read_bad(const char *text, size_t length)
{
	struct text error = { 0 };
	struct rbg_rules *r = rbg_read("t.rbg", text, length, &error);
	ck_assert_ptr_null(r);
	ck_assert_ptr_nonnull(error.bytes);
	return text_take(&error);
}

/* --- terms as text: ( ) around sequences, choices and operations --- */

static void print_term(const struct rbg_rules *r, int32_t term, struct text *out);

static void print_children(const struct rbg_rules *r, const struct rbg_term *t, const char *between,
			   struct text *out)
{
	for (int32_t i = t->child; i >= 0; i = r->terms[i].next) {
		print_term(r, i, out);
		if (r->terms[i].next >= 0)
			text_puts(out, between);
	}
}

static void print_in(const struct rbg_rules *r, const struct rbg_term *t, const char *begin,
		     const char *between, const char *end, struct text *out)
{
	text_puts(out, begin);
	print_children(r, t, between, out);
	text_puts(out, end);
}

static void print_pieces(const struct rbg_rules *r, uint64_t pieces, struct text *out)
{
	text_putc(out, '{');
	for (int i = 0; i < r->piece_count; i++)
		if (pieces >> i & 1)
			text_printf(out, "%s%s", out->bytes[out->length - 1] == '{' ? "" : ",",
				    r->pieces[i]);
	text_putc(out, '}');
}

static void print_term(const struct rbg_rules *r, int32_t term, struct text *out)
{
	static const char *const relations[] = { "==", "!=", "<", "<=", ">", ">=" };
	static const char *const operators[] = { "+", "-", "*", "/" };
	const struct rbg_term *t = &r->terms[term];
	switch (t->kind) {
	case RBG_SEQUENCE:
		print_in(r, t, "(", " ", ")", out);
		break;
	case RBG_CHOICE:
		print_in(r, t, "(", "+", ")", out);
		break;
	case RBG_REPEAT:
		print_in(r, t, "", "", "*", out);
		break;
	case RBG_GO:
		text_puts(out, r->directions[t->value]);
		break;
	case RBG_ON:
		print_pieces(r, t->pieces, out);
		break;
	case RBG_PUT:
		text_printf(out, "[%s]", r->pieces[t->value]);
		break;
	case RBG_SET:
		text_printf(out, "[$%s=", r->variables[t->value].name);
		print_in(r, t, "", "", "]", out);
		break;
	case RBG_COMPARE:
		print_in(r, t, "{$", relations[t->relation], "}", out);
		break;
	case RBG_CAN:
		print_in(r, t, "{?", "", "}", out);
		break;
	case RBG_CANNOT:
		print_in(r, t, "{!", "", "}", out);
		break;
	case RBG_TURN:
		text_printf(out, "->%s", t->value == RBG_KEEPER ? ">" : r->players[t->value]);
		break;
	case RBG_WAIT:
		text_putc(out, '.');
		break;
	case RBG_NUMBER:
		text_printf(out, "%d", t->value);
		break;
	case RBG_VARIABLE:
		text_puts(out, r->variables[t->value].name);
		break;
	case RBG_COUNT:
		text_printf(out, "#%s", r->pieces[t->value]);
		break;
	default:
		print_in(r, t, "(", operators[t->kind - RBG_ADD], ")", out);
	}
}

static void assert_rules(const char *text, const char *wanted)
{
	struct text printed = { 0 };
	struct rbg_rules *r = read_good(text);
	print_term(r, r->root, &printed);
	ck_assert_str_eq(printed.bytes, wanted);
	text_free(&printed);
	rbg_rules_free(r);
}

static const struct {
	const char *text, *wanted;
} expressions[] = {
	{ HEAD "#rules = up", "up" },
	{ HEAD "#rules = up down", "(up down)" },
	{ HEAD "#rules = up + down left + right", "(up+(down left)+right)" },
	{ HEAD "#rules = ((up))", "up" },
	{ HEAD "#rules = up* (down + left)*", "(up* (down+left)*)" },
	{ HEAD "#rules = up^3", "(up up up)" },
	{ HEAD "#rules = (up + left)^2 down^1", "(((up+left) (up+left)) down)" },
	{ HEAD "#rules = ((up [e])^2)*", "((up [e]) (up [e]))*" },
	{ HEAD "#rules = {e} {w,b} {}", "({e} {w,b} {})" },
	{ HEAD "#rules = [e] [w,b]", "([e] ([w]+[b]))" },
	{ HEAD "#rules = [$ turn=1] [$ turn=2, white=3]", "([$turn=1] ([$turn=2] [$white=3]))" },
	{ HEAD "#rules = {? up} {! up + down}", "({?up} {!(up+down)})" },
	{ HEAD "#rules = ->white up ->black ->> .", "(->white up ->black ->> .)" },
	{ HEAD "#rules = ->>* .^2", "(->>* (. .))" },
	{ HEAD "#rules = {$ turn == 1} {$ turn != white}", "({$turn==1} {$turn!=white})" },
	{ HEAD "#rules = {$ e < 1} {$ e <= w} {$ 1 > 2} {$ b >= 0}",
	  "({$#e<1} {$#e<=#w} {$1>2} {$#b>=0})" },
	{ HEAD "#rules = [$ turn = 1 + 2 + 3]", "[$turn=((1+2)+3)]" },
	{ HEAD "#rules = [$ turn = 9 - 2 - 3]", "[$turn=((9-2)-3)]" },
	/* The reference binds '-' more tightly than '+', and '/' more tightly than '*'. */
	{ HEAD "#rules = [$ turn = 9 + 2 - 3 + 4]", "[$turn=((9+(2-3))+4)]" },
	{ HEAD "#rules = [$ turn = 6 * 5 / 3 * 2]", "[$turn=((6*(5/3))*2)]" },
	{ HEAD "#rules = [$ turn = (1 + e) * (2 - turn) / 2]", "[$turn=((1+#e)*((2-turn)/2))]" },
	{ HEAD "/* no * rules // here */ #rules = // nor here: )\n up", "up" },
	/* The order is free. */
	{ "#rules = up #board = rectangle(up, d, l, r, [e]) #pieces = e #players = a(1), b(1)",
	  "up" },
	/* Commas in lists may follow each other. */
	{ "#none = #players = a(1),,b(1), #pieces = ,e,none,f, #variables = ,\n"
	  "#board = rectangle(u,d,l,r,[e,f]) #rules = {e,f}",
	  "{e,f}" },
};

START_TEST(expressions_become_terms)
{
	assert_rules(expressions[_i].text, expressions[_i].wanted);
}
END_TEST

static const struct {
	const char *text, *wanted;
} expansions[] = {
	{ HEAD "#go = up left #rules = go go", "(up left up left)" },
	{ HEAD "#go(a) = a a #rules = go(up) go(left down)", "(up up left down left down)" },
	{ HEAD "#two(a; b) = a + b #rules = two(up; two(left; right))", "(up+left+right)" },
	{ HEAD "#f(a) = a down #f(a; b) = a up b #rules = f(left) f(left; right)",
	  "(left down left up right)" },
	{ HEAD "#f(a; b) = up a b #rules = f(;) f(left;) f(;right)", "(up up left up right)" },
	{ HEAD "#f(a) = up a #rules = f()", "up" },
	/* An argument hides a macro and a name. */
	{ HEAD "#two = up up #f(two; up) = two up #rules = f(left; right)", "(left right)" },
	/* A macro hides a name behind its definition only. */
	{ HEAD "#old = up #up = down #rules = old up", "(up down)" },
	/* An argument sees the macros of the definition where it stands. */
	{ HEAD "#f(a) = a #left = down #g = f(left) #rules = g", "down" },
	/* Brackets in arguments protect ';'. */
	{ HEAD "#f(a; b) = a b #g(a) = a #rules = f((up + g(left)); g((right)))",
	  "((up+left) right)" },
	{ HEAD "#f(dir) = (dir {e})* dir #g(dir) = f(dir) f(dir dir) #rules = g(up)",
	  "((up {e})* up (up up {e})* up up)" },
	/* Names, keywords, numbers and signs are glued. */
	{ "#all(c) = c~Pawn, c~1 #players = white(1), black(1) #pieces = all(w), all(b)\n"
	  "#board = rectangle(u,d,l,r,[wPawn, b1]) #f(c) = {c~Pawn} [c~1] #rules = f(w) f(b)",
	  "({wPawn} [w1] {bPawn} [b1])" },
	{ HEAD "#f(a; b) = {$ turn == a~b~7} #rules = f(1; 0)", "{$turn==107}" },
	{ HEAD "#f(a) = a~p + le~ft #rules = f(u)", "(up+left)" },
	{ HEAD "#f(a; b) = a~b #rules = f(u; p) f(; up) f(up;) f(down u; p left)",
	  "(up up up down up left)" },
	{ HEAD "#f(a; b; c) = left a~b~c right #rules = f(;;) f(u;;p) f(;up;)",
	  "(left right left up right left up right)" },
	{ HEAD "#none = #f(a) = a~none~p #rules = f(u)", "up" },
	{ HEAD "#f(a) = -~>white ->~> #rules = f(up)", "(->white ->>)" },
	{ "#shape(a) = rect~a #players = a(1), b(1) #pieces = e\n"
	  "#board = shape(angle)(u, d, l, r, [e]) #rules = u",
	  "u" },
	/* Every token of a glued list but the last and the first stands for itself. */
	{ HEAD "#f = left le #g = ft right #h = f~g #rules = h", "(left left right)" },
};

START_TEST(macros_are_replaced)
{
	assert_rules(expansions[_i].text, expansions[_i].wanted);
}
END_TEST

/* --- boards --- */

static int find_name(char *const *names, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	ck_abort_msg("no %s", name);
}

/* The neighbours of a square as text: those by number, '-' where there is none. */
static void assert_neighbors(const struct rbg_rules *r, int square, const char *wanted)
{
	struct text found = { 0 };
	for (int i = 0; i < r->direction_count; i++) {
		int to = r->neighbors[i * r->square_count + square];
		if (to < 0)
			text_puts(&found, i ? " -" : "-");
		else
			text_printf(&found, "%s%d", i ? " " : "", to);
	}
	ck_assert_str_eq(found.bytes, wanted);
	text_free(&found);
}

static void assert_size(const struct rbg_rules *r, int squares, int rows, int cols)
{
	ck_assert_int_eq(r->square_count, squares);
	ck_assert_int_eq(r->rows, rows);
	ck_assert_int_eq(r->cols, cols);
}

static void assert_square(const struct rbg_rules *r, int square, int row, int col)
{
	ck_assert_int_eq(r->squares[square].row, row);
	ck_assert_int_eq(r->squares[square].col, col);
}

START_TEST(a_rectangle_has_holes)
{
	struct rbg_rules *r = read_good(
		NAMES "#board = rectangle(up,down,left,right, [ ,w, ] [e, ,b] [,e,])");
	ck_assert_int_eq(r->shape, RBG_RECTANGLE);
	ck_assert_int_eq(r->block, 0);
	ck_assert_int_eq(r->direction_count, 4);
	assert_size(r, 4, 3, 3);
	assert_square(r, 0, 0, 1);
	assert_square(r, 2, 1, 2);
	ck_assert_int_eq(r->squares[0].piece, 1);
	ck_assert_int_eq(r->squares[2].piece, 2);
	for (int i = 0; i < 4; i++)
		assert_neighbors(r, i, "- - - -");
	rbg_rules_free(r);
	r = read_good(NAMES "#board = rectangle(up,down,left,right, [e,e,e] [e, ,e])");
	assert_neighbors(r, 0, "- 3 - 1");
	assert_neighbors(r, 1, "- - 0 2");
	assert_neighbors(r, 4, "2 - - -");
	ck_assert_str_eq(r->directions[2], "left");
	rbg_rules_free(r);
}
END_TEST

START_TEST(a_cuboid_has_layers_side_by_side)
{
	struct rbg_rules *r = read_good(NAMES "#board = cuboid(up,down,left,right,front,back,\n"
					      "[[e,w,b] [e,e,e]] [[b,b,b] [e,,e]])");
	ck_assert_int_eq(r->shape, RBG_CUBOID);
	ck_assert_int_eq(r->block, 3);
	assert_size(r, 11, 2, 6);
	assert_square(r, 5, 1, 2);
	assert_square(r, 6, 0, 3);
	assert_square(r, 10, 1, 5);
	assert_neighbors(r, 0, "- 3 - 1 6 -");
	assert_neighbors(r, 2, "- 5 1 - 8 -");
	assert_neighbors(r, 4, "1 - 3 5 - -");
	assert_neighbors(r, 10, "8 - - - - 5");
	rbg_rules_free(r);
}
END_TEST

/* Neighbours in each direction lie one step of yomi's hexagons away, in opposite directions opposite steps. */
static void assert_hexagons(const struct rbg_rules *r)
{
	int down[6] = { 0 }, right[6] = { 0 }, seen[3][3] = { 0 };
	for (int d = 0; d < 6; d++) {
		for (int i = 0; i < r->square_count; i++) {
			int to = r->neighbors[d * r->square_count + i];
			if (to < 0)
				continue;
			int row = r->squares[to].row - r->squares[i].row,
			    col = r->squares[to].col - r->squares[i].col;
			ck_assert((!down[d] && !right[d]) || (down[d] == row && right[d] == col));
			ck_assert(abs(row) <= 1 && abs(col) <= 1 && abs(row + col) <= 1);
			down[d] = row;
			right[d] = col;
			ck_assert_int_eq(r->neighbors[(d + 3) % 6 * r->square_count + to], i);
		}
		ck_assert_int_eq(seen[down[d] + 1][right[d] + 1]++, 0);
	}
	for (int d = 0; d < 3; d++)
		ck_assert(down[d] == -down[d + 3] && right[d] == -right[d + 3]);
	ck_assert_int_eq(seen[1][1], 0);
}

/* Appends rows of these lengths, from `first` to `widest` and down to `last`. */
static void print_hexagon(struct text *out, int first, int widest, int last)
{
	text_puts(out, NAMES "#board = hexagon(NW, NE, E, SE, SW, W, ");
	for (int row = 0, length = first; row <= 2 * widest - first - last; row++) {
		text_puts(out, "[e");
		for (int i = 1; i < length; i++)
			text_puts(out, ",e");
		text_puts(out, "]\n");
		length += row < widest - first ? 1 : -1;
	}
	text_putc(out, ')');
}

static const struct {
	int first, widest, last, squares, rows, cols;
} hexagons[] = {
	{ 1, 11, 1, 121, 11, 11 },                        /* a rhombus of Hex */
	{ 1, 20, 1, 400, 20, 20 }, { 3, 5, 3, 19, 5, 5 }, /* a hexagon of base 3 */
	{ 5, 9, 5, 61, 9, 9 },     { 4, 4, 1, 10, 4, 4 }, /* triangles */
	{ 1, 4, 4, 10, 4, 4 },     { 2, 4, 3, 12, 4, 4 }, { 1, 6, 5, 26, 6, 6 },
};

START_TEST(hexagons_are_turned)
{
	struct text text = { 0 };
	print_hexagon(&text, hexagons[_i].first, hexagons[_i].widest, hexagons[_i].last);
	struct rbg_rules *r = read_good(text.bytes);
	ck_assert_int_eq(r->shape, RBG_HEXAGON);
	assert_size(r, hexagons[_i].squares, hexagons[_i].rows, hexagons[_i].cols);
	assert_hexagons(r);
	rbg_rules_free(r);
	text_free(&text);
}
END_TEST

START_TEST(a_hexagon_has_neighbors)
{
	struct rbg_rules *r = read_good(
		NAMES "#board = hexagon(NW, NE, E, SE, SW, W, [e,e] [w, ,b] [e,e])");
	assert_size(r, 6, 3, 3);
	/* The upper row is half a hexagon further right than the row below it. */
	assert_square(r, 0, 0, 1);
	assert_square(r, 2, 1, 0);
	assert_square(r, 3, 1, 2);
	assert_square(r, 4, 2, 0);
	assert_neighbors(r, 0, "- - 1 - 2 -");
	assert_neighbors(r, 1, "- - - 3 - 0");
	assert_neighbors(r, 2, "- 0 - 4 - -");
	assert_neighbors(r, 5, "- 3 - - - 4");
	rbg_rules_free(r);
}
END_TEST

#define SQUARE_GRAPH                                                                               \
	"#board = a[e]{right: b, down: c} b[w]{left: a} d[e]{up: b, left: c} c[e]{up: a, right: "  \
	"d}"

START_TEST(a_graph_lies_as_its_directions_say)
{
	struct rbg_rules *r = read_good(NAMES SQUARE_GRAPH);
	ck_assert_int_eq(r->shape, RBG_GRAPH);
	assert_size(r, 4, 2, 2);
	ck_assert_str_eq(r->squares[2].name, "d");
	ck_assert_int_eq(r->squares[1].piece, 1);
	assert_square(r, 0, 0, 0);
	assert_square(r, 1, 0, 1);
	assert_square(r, 2, 1, 1);
	assert_square(r, 3, 1, 0);
	int right = find_name(r->directions, r->direction_count, "right");
	ck_assert_int_eq(r->neighbors[right * r->square_count + 3], 2);
	ck_assert_int_eq(r->neighbors[right * r->square_count + 1], -1);
	rbg_rules_free(r);
}
END_TEST

START_TEST(a_graph_without_such_directions_is_a_list)
{
	struct rbg_rules *r = read_good(
		NAMES "#board = a[e]{x: b} b[w]{x: c} c[e]{x: d} d[e]{x: e} e[e]{x: a}");
	assert_size(r, 5, 2, 3);
	assert_square(r, 4, 1, 1);
	rbg_rules_free(r);
	/* A ring of three squares to the right has no place. */
	r = read_good(NAMES "#board = a[e]{right: b} b[w]{right: c} c[e]{right: a}");
	assert_size(r, 3, 2, 2);
	rbg_rules_free(r);
	/* Two squares would lie on each other. */
	r = read_good(NAMES "#board = a[e]{right: b, down: c} b[w]{down: d} c[e]{right: f} d[e]{x: "
			    "a} f[e]{x: a}");
	assert_size(r, 5, 2, 3);
	rbg_rules_free(r);
	/* Not all are reached. */
	r = read_good(NAMES "#board = a[e]{right: b} b[e]{left: a} c[e]{right: a}");
	assert_size(r, 3, 2, 2);
	rbg_rules_free(r);
}
END_TEST

START_TEST(comments_place_a_graph)
{
	struct rbg_rules *r = read_good(
		"//yomi place: a=2,3 b=7,2\n//yomi place: c=3,3 d=4,12\n" NAMES SQUARE_GRAPH);
	assert_size(r, 4, 6, 11);
	assert_square(r, 0, 0, 1);
	assert_square(r, 1, 5, 0);
	assert_square(r, 2, 2, 10);
	rbg_rules_free(r);
}
END_TEST

/* --- names and comments --- */

START_TEST(names_keep_their_order)
{
	struct rbg_rules *r = read_good(HEAD "#rules = .");
	ck_assert_str_eq(r->players[0], "white");
	ck_assert_str_eq(r->players[1], "black");
	ck_assert_int_eq(r->variable_count, 3);
	ck_assert_str_eq(r->variables[1].name, "black");
	ck_assert_int_eq(r->variables[1].most, 50);
	ck_assert_str_eq(r->variables[2].name, "turn");
	ck_assert_int_eq(r->variables[2].most, 9);
	ck_assert_str_eq(r->pieces[0], "e");
	ck_assert_str_eq(r->pieces[2], "b");
	ck_assert_ptr_null(r->title);
	ck_assert_ptr_null(r->guide);
	ck_assert_ptr_null(r->pictures[1]);
	ck_assert_int_eq(r->letters[1], 0);
	ck_assert_int_eq(r->owners[1], -1);
	rbg_rules_free(r);
}
END_TEST

START_TEST(comments_tell_what_yomi_shows)
{
	struct rbg_rules *r = read_good(
		"\xef\xbb\xbf//yomi title: Zug \xc3\xbc"
		"ber Zug \r\n"
		"//yomi letters: w=P  b=p e=.\t\r\n"
		"//yomi guide: One.\n//yomi owner: w=white b=black e=none\n"
		"//yomi guide:\n //yomi guide:   Two: two.  \n"
		"// yomi title: no\n//yomi2 title: no\n/* //yomi title: no */\n"
		"//yomi picture: w=king\n" HEAD "#rules = up //yomi picture: b=man");
	ck_assert_str_eq(r->title, "Zug \xc3\xbc"
				   "ber Zug");
	ck_assert_str_eq(r->guide, "One.\n\nTwo: two.\n");
	ck_assert_mem_eq(r->letters, ".Pp", 4);
	ck_assert_int_eq(r->owners[0], 2);
	ck_assert_int_eq(r->owners[1], 0);
	ck_assert_int_eq(r->owners[2], 1);
	ck_assert_ptr_null(r->pictures[0]);
	ck_assert_str_eq(r->pictures[1], "king");
	ck_assert_str_eq(r->pictures[2], "man");
	rbg_rules_free(r);
}
END_TEST

/* --- errors --- */

#define BOARD(ROWS) NAMES "#board = rectangle(up, down, left, right, " ROWS ")"

static const struct {
	const char *text, *wanted;
} errors[] = {
	{ "", "1:1: there is no #players" },
	{ "up", "1:1: expected '#' and a definition, found 'up'" },
	{ "#", "1:2: expected players, pieces, variables, board, rules or the name of a macro, "
	       "found the end of the definition" },
	{ "#players", "1:9: expected '=', found the end of the definition" },
	{ "#hexagon = 1", "1:2: expected players, pieces, variables, board, rules or the name of a "
			  "macro, found the keyword 'hexagon'" },
	{ "#players = a(1), b(1)\n#pieces = e\n#rules = .", "1:1: there is no #board" },
	{ "#pieces = e\n#rules = .\n#board = v[e]{d:v}", "1:1: there is no #players" },
	{ HEAD "", "1:1: there is no #rules" },
	{ HEAD "#rules = up\n#board = e", "8:2: this is a second #board" },
	{ HEAD "#rules = \"up\"", "7:10: unexpected '\"'" },
	{ HEAD "#rules = up_down", "7:12: unexpected '_'" },
	{ HEAD "#rules = [ $ turn = 1]", "7:12: '$' must follow '[' or '{' directly" },
	{ HEAD "#rules = {e ! up}", "7:13: '!' must follow '{' directly" },
	{ HEAD "#rules = up /* down", "7:13: the comment has no end" },
	{ HEAD "#rules = up\001", "7:12: the text has a control character" },
	{ HEAD "#rules = up // \302\200", "7:16: the text has a control character" },
	{ HEAD "#rules = up // \377", "7:16: the text is not UTF-8" },
	{ HEAD "#rules = 1000001", "7:10: a number is at most 1000000" },
	{ HEAD "#rules = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	  "7:10: a name has at most 63 characters" },
	{ "#players = white(100)\n#pieces = e\n#rules = .\n#board = v[e]{d:v}",
	  "1:22: only games of two players can be played; expected another one" },
	{ "#players = a(1), b(1),\n  c(1)\n#pieces = e\n#rules = .\n#board = v[e]{d:v}",
	  "2:3: only games of two players can be played; this is a third one" },
	{ "#players = a(1), b\n#pieces = e\n#rules = .\n#board = v[e]{d:v}",
	  "1:19: expected '(', found the end of the definition" },
	{ "#players = a(1), b(0)\n#pieces = e\n#rules = .\n#board = v[e]{d:v}",
	  "1:20: expected a number from 1 on, found '0'" },
	{ "#players = a(1) b(1)\n#pieces = e\n#rules = .\n#board = v[e]{d:v}",
	  "1:17: expected ',', found 'b'" },
	{ "#players = a(1), b(1)\n#pieces = \n#rules = .\n#board = v[e]{d:v}",
	  "2:10: a game needs a piece, also for empty squares" },
	{ "#players = a(1), b(1)\n#pieces = e, board\n#rules = .\n#board = v[e]{d:v}",
	  "2:14: expected the name of a piece, found the keyword 'board'" },
	{ "#players = a(1), b(1)\n#pieces = e, a\n#rules = .\n#board = v[e]{d:v}",
	  "2:14: 'a' is already a player, at t.rbg:1:12" },
	{ "#players = a(1), b(1)\n#pieces = e\n#variables = e(3)\n#rules = .\n#board = v[e]{d:v}",
	  "3:14: 'e' is already a piece, at t.rbg:2:11" },
	{ "#players = a(1), b(1)\n#pieces = e\n#rules = .\n#board = v[e]{a:v}",
	  "4:15: 'a' is already a player, at t.rbg:1:12" },
	{ BOARD("[e, x]"), "4:47: expected a piece, found 'x', which is not defined" },
	{ BOARD("[e, e] [e]"), "4:50: this row has length 1, the rows before have length 2" },
	{ BOARD("[e e]"), "4:46: expected ']', found the piece 'e'" },
	{ BOARD("[]"), "4:44: expected a piece or ',', found ']'" },
	{ BOARD("[,]"), "4:47: the board has no squares" },
	{ BOARD("[e,e,e,e,e,e,e,e,e,e,e,e,e,e,e,e,e,e,e,e,e]"),
	  "4:43: this row has length 21; a board has at most 20 columns" },
	{ BOARD("[e][e][e][e][e][e][e][e][e][e][e][e][e][e][e][e][e][e][e][e][e]"),
	  "4:103: a board has at most 20 rows" },
	{ NAMES "#board = rectangle(up, down, left, up, [e])",
	  "4:36: 'up' is already a direction, at t.rbg:4:20" },
	{ NAMES "#board = rectangle(up, down, left, [e])",
	  "4:36: expected the name of a direction, found '['" },
	{ NAMES "#board = rectangle(up, down, left, right, [e]) [e]",
	  "4:48: expected the end of the board, found '['" },
	{ NAMES "#board = hexagon(k, l, m, n, o, p,\n[e] [e,e] [e,e])",
	  "5:11: this row has length 2, the row before has length 2; the rows of a hexagon grow by "
	  "one up to the widest, then shrink by one" },
	{ NAMES "#board = hexagon(k, l, m, n, o, p,\n[e,e] [e] [e,e])",
	  "5:11: this row has length 2, the row before has length 1; the rows of a hexagon grow by "
	  "one up to the widest, then shrink by one" },
	{ NAMES "#board = cuboid(k, l, m, n, o, p,\n[[e] [e]]\n[[e]])",
	  "6:1: the number of rows is 1 in this layer, 2 in the layers before" },
	{ NAMES "#board = cuboid(k, l, m, n, o, "
		"p,\n[[e,e,e]][[e,e,e]][[e,e,e]][[e,e,e]][[e,e,e]][[e,e,e]][[e,e,e]])",
	  "4:2: a board of 1 by 21 squares is too large; a side has at most 20" },
	{ NAMES "#board = square(e)", "4:16: expected '[', found '('" },
	{ NAMES "#board = v[e]{d: u}", "4:15: there is no square 'u'" },
	{ NAMES "#board = v[e]{d: v, d: v}",
	  "4:21: this square has another neighbour in direction 'd'" },
	{ NAMES "#board = v[e]{d: v} v[e]{d: v}", "4:21: there is another square 'v'" },
	{ NAMES "#board = v[e]{}", "4:15: expected the name of a direction, found '}'" },
	{ HEAD "#f(a; a) = a\n#rules = up", "7:7: the macro has another argument 'a'" },
	{ HEAD "#f(a b) = a\n#rules = up", "7:6: expected ';' or ')', found 'b'" },
	{ HEAD "#f\n#rules = up", "7:3: expected '=' or '(', found the end of the definition" },
	{ HEAD "#f = up\n#f = down\n#rules = up",
	  "8:2: macro 'f' is already defined at t.rbg:7:2" },
	{ HEAD "#f = up\n#f(a) = down\n#rules = up",
	  "8:2: macro 'f' is already defined at t.rbg:7:2; it cannot have arguments in one "
	  "definition only" },
	{ HEAD "#f(a) = a\n#rules = f",
	  "8:10: macro 'f' needs arguments: expected '(' behind its name" },
	{ HEAD "#f(a) = a\n#rules = f(up", "8:10: the arguments of macro 'f' have no ')'" },
	{ HEAD "#f(a) = a #f(a; b) = a\n#rules = f(up; down; left)",
	  "8:10: macro 'f' takes 2 or 1 arguments, not 3" },
	{ HEAD "#rules = turn2 #turn2 = up",
	  "7:10: expected a direction, found 'turn2', a macro; a macro must be defined before the "
	  "definition that uses it" },
	{ HEAD "#f = f up\n#rules = f", "7:6: expected a direction, found 'f', a macro; a macro "
					"must be defined before the definition that uses it" },
	{ HEAD "#rules = u~p", "7:11: '~' glues names only in macros" },
	{ HEAD "#f = ~up\n#rules = f", "7:6: a name must stand before '~'" },
	{ HEAD "#f = up~\n#rules = f", "7:8: a name must follow '~'" },
	{ HEAD "#f = u~~p\n#rules = f", "7:7: a name must follow '~'" },
	{ HEAD "#f = 1~up\n#rules = f",
	  "7:6: '~' makes '1up' here, which is neither a name nor a number nor a sign" },
	{ HEAD "#rules =", "7:9: expected an action, found the end of the definition" },
	{ HEAD "#rules = up + ", "7:14: expected an action, found the end of the definition" },
	{ HEAD "#rules = ()", "7:11: expected an action, found ')'" },
	{ HEAD "#rules = (up", "7:13: expected ')', found the end of the definition" },
	{ HEAD "#rules = up)", "7:12: expected an action, '+' or the end of the rules, found ')'" },
	{ HEAD "#rules = lefft",
	  "7:10: expected a direction, found 'lefft', which is not defined; did you mean 'left'?" },
	{ HEAD "#rules = e", "7:10: expected a direction, found the piece 'e'" },
	{ HEAD "#turn2(a) = a #rules = trun2(up)", "7:24: expected a direction, found 'trun2', "
						   "which is not defined; did you mean 'turn2'?" },
	{ HEAD "#rules = up 3",
	  "7:13: expected an action, '+' or the end of the rules, found '3'" },
	{ HEAD "#rules = up^",
	  "7:13: expected a number from 1 on, found the end of the definition" },
	{ HEAD "#rules = up^0", "7:13: expected a number from 1 on, found '0'" },
	{ HEAD "#rules = {e}*", "7:13: only a direction or something in ( ) can be repeated" },
	{ HEAD "#rules = up^2*", "7:14: only a direction or something in ( ) can be repeated" },
	{ HEAD "#rules = [e", "7:12: expected ']', found the end of the definition" },
	{ HEAD "#rules = []", "7:11: expected a piece, found ']'" },
	{ HEAD "#rules = [up]", "7:11: expected a piece, found the direction 'up'" },
	{ HEAD "#rules = [e,]", "7:13: expected a piece, found ']'" },
	{ HEAD "#rules = [$ e = 1]", "7:13: expected a variable or a player, found the piece 'e'" },
	{ HEAD "#rules = [$ turn == 1]", "7:18: expected '=', found '=='" },
	{ HEAD "#rules = [$ turn = -1]",
	  "7:20: expected a number, a variable, a player or a piece, found '-'" },
	{ HEAD "#rules = [$ turn = up]",
	  "7:20: expected a number, a variable, a player or a piece, found the direction 'up'" },
	{ HEAD "#rules = [w, $ turn = 1]", "7:14: '$' must follow '[' or '{' directly" },
	{ HEAD "#rules = {$ turn}",
	  "7:17: expected '==', '!=', '<', '<=', '>' or '>=', found '}'" },
	{ HEAD "#rules = {$ turn < 1, e < 2}", "7:21: expected '}', found ','" },
	{ HEAD "#rules = {$ turn = 1}",
	  "7:18: expected '==', '!=', '<', '<=', '>' or '>=', found '='" },
	{ HEAD "#rules = {e, trun}", "7:14: expected a piece, found 'trun', which is not defined" },
	{ HEAD "#rules = ->e", "7:12: expected a player, found the piece 'e'" },
	{ HEAD "#rules = ->", "7:12: expected a player, found the end of the definition" },
	{ HEAD "#rules = {? up ->>}", "7:16: the turn cannot change inside {? } or {! }" },
	{ HEAD "#rules = up, down",
	  "7:12: expected an action, '+' or the end of the rules, found ','" },
	{ "//yomi title:\n" HEAD "#rules = .", "1:14: expected a title" },
	{ "//yomi\n" HEAD "#rules = .",
	  "1:7: expected title, letters, owner, picture, place or guide, and ':'" },
	{ "//yomi colour: red\n" HEAD "#rules = .",
	  "1:8: expected title, letters, owner, picture, place or guide, and ':'" },
	{ "//yomi title: A\n//yomi title: B\n" HEAD "#rules = .", "2:15: there is another title" },
	{ "//yomi letters: w\n" HEAD "#rules = .", "1:17: expected NAME=VALUE" },
	{ "//yomi letters: w=P x=p\n" HEAD "#rules = .", "1:21: expected a piece" },
	{ "//yomi letters: w=P b=P\n" HEAD "#rules = .",
	  "1:23: the piece 'w' has the letter 'P', too" },
	{ "//yomi letters: w=PP\n" HEAD "#rules = .",
	  "1:19: expected one letter or sign other than ':'" },
	{ "//yomi owner: w=whit\n" HEAD "#rules = .", "1:17: expected 'white', 'black' or 'none'" },
	{ "//yomi picture: up=king\n" HEAD "#rules = .", "1:17: expected a piece" },
	{ "//yomi place: w=1,1\n" HEAD "#rules = .", "1:15: expected a square of a graph" },
	{ "//yomi place: v=1\n" NAMES "#board = v[e]{d:v}",
	  "1:17: expected a row and a column from 1 to 20, such as 1,2" },
	{ "//yomi place: v=1,1\n" NAMES "#board = v[e]{d:u} u[e]{d:v}",
	  "1:17: the comments give square 'u' no place" },
	{ "//yomi place: v=1,1 u=1,1\n" NAMES "#board = v[e]{d:u} u[e]{d:v}",
	  "1:23: the comments give two squares the same place" },
};

/* Compares the first line of a message. */
START_TEST(errors_have_a_place_and_a_reason)
{
	char *error = read_bad(errors[_i].text, strlen(errors[_i].text));
	*strchr(error, '\n') = '\0';
	ck_assert_int_eq(strncmp(error, "t.rbg:", 6), 0);
	ck_assert_str_eq(error + 6, errors[_i].wanted);
	free(error);
}
END_TEST

/* A message shows the line, a caret and the macro calls. */
static const struct {
	const char *text, *wanted;
} messages[] = {
	{ HEAD "#rules = up\n\t+ {e} lefft + up", "t.rbg:8:8: expected a direction, found 'lefft', "
						  "which is not defined; did you mean 'left'?\n"
						  "    \t+ {e} lefft + up\n"
						  "    \t      ^" },
	{ HEAD "#f(a) = a up\n#g(a) = f(a) + 1\n#rules = up + g(e)",
	  "t.rbg:9:17: expected a direction, found the piece 'e'\n"
	  "    #rules = up + g(e)\n"
	  "                    ^\n"
	  "    in macro f, called at t.rbg:8:9\n"
	  "    in macro g, called at t.rbg:9:15" },
	{ "/* \xc3\xbc */ #players = 7\n#pieces = e\n#rules = .\n#board = a[e]{b: a}",
	  "t.rbg:1:20: expected the name of a player, found '7'\n"
	  "    /* ? */ #players = 7\n"
	  "                       ^" },
	/* Long lines are cut, long chains of calls, too. */
	{ HEAD
	  "#a = 1 #b = a #c = b #d = c #f = d #g = f #h = g #i = h #j = i #k = j\n#rules = up k",
	  "t.rbg:7:6: expected an action, '+' or the end of the rules, found '1'\n"
	  "    #a = 1 #b = a #c = b #d = c #f = d \n"
	  "         ^\n"
	  "    in macro a, called at t.rbg:7:13\n"
	  "    in macro b, called at t.rbg:7:20\n"
	  "    in macro c, called at t.rbg:7:27\n"
	  "    in macro d, called at t.rbg:7:34\n"
	  "    in macro f, called at t.rbg:7:41\n"
	  "    in macro g, called at t.rbg:7:48\n"
	  "    in macro h, called at t.rbg:7:55\n"
	  "    in macro i, called at t.rbg:7:62\n"
	  "    in 2 more macros" },
	{ HEAD "#rules = down down down down down down down down down down down down down down "
	       "down down down (down {e}",
	  "t.rbg:7:104: expected ')', found the end of the definition\n"
	  "    ... down down down down down down down down down down down down (down {e}\n"
	  "                                                                             ^" },
};

START_TEST(messages_show_the_place)
{
	char *error = read_bad(messages[_i].text, strlen(messages[_i].text));
	ck_assert_str_eq(error, messages[_i].wanted);
	free(error);
}
END_TEST

START_TEST(later_checks_can_show_places)
{
	struct rbg_rules *r = read_good(HEAD "#f(a) = up a\n#rules = ->>\n  f([w])");
	struct text error = { 0 };
	for (int i = 0; i < r->term_count; i++)
		if (r->terms[i].kind == RBG_PUT)
			rbg_explain(r, r->terms[i].place, &error, "the piece %d",
				    r->terms[i].value);
	ck_assert_str_eq(error.bytes, "t.rbg:9:6: the piece 1\n"
				      "      f([w])\n"
				      "         ^\n"
				      "    in macro f, called at t.rbg:9:3");
	text_free(&error);
	rbg_rules_free(r);
}
END_TEST

/* --- texts that try to take long, or to crash --- */

static void print_times(struct text *out, const char *part, int count)
{
	for (int i = 0; i < count; i++)
		text_puts(out, part);
}

#define MANY 200000

static const struct {
	const char *begin, *part;
	int count;
	const char *middle, *end; /* the end as often as the part */
	const char *wanted;       /* NULL: no error */
} many[] = {
	{ "#rules = ", "(", 255, "up", ")", NULL },
	{ "#rules = ", "(", 256, "up", "", "expected ')'" },
	{ "#rules = ", "(", MANY, "up", ")", "nest" },
	{ "#rules = ", "{?", MANY, "up", "}", "nest" },
	{ "#rules = {$ 1 < ", "(", MANY, "1", ")", "nest" },
	{ "#rules = {$ 1 < 1", " + 1", 255, "}", "", NULL },
	{ "#rules = {$ 1 < 1", " + 1", MANY, "}", "", "nest" },
	{ "#rules = ", "{$ 1 + 1 < (1 + 1)}", MANY / 10, "", "", NULL },
	{ "#rules = up", " up", MANY, "", "", NULL },
	{ "#rules = up", " + up", MANY, "", "", NULL },
	{ "#rules = up", " + up", 1 << 20, "", "", "terms" },
	{ "#rules = up", " up^1000", 1000, "", "", NULL },
	{ "#rules = up^1000000", "", 0, "", "", NULL },
	{ "#rules = ", "(", 2, "up^1000", ")^1000", "terms" },
	{ "#rules = ", "(", 200, "up left", ")^2", "terms" },
	{ "#f(a) = a a #rules = ", "f(", 15, "up", ")", NULL },
	{ "#f(a) = a a #rules = ", "f(", 30, "up", ")", "expand to more" },
	{ "#f(a) = #rules = up ", "f(", MANY, "", "", "have no ')'" },
	{ "#f(a) = #rules = up ", "f(", MANY, "", ")", NULL },
	{ "#f(a) = a #rules = ", "f(", 1000, "up", ")", NULL },
	{ "#f(a) = a #rules = ", "f(", MANY, "up", ")", "expand to more" },
	{ "#rules = up #f(a", "; a", MANY, ")", "", "another argument" },
	{ "#rules = up", " #f(a) = b", MANY, "", "", "already defined" },
	{ "", "#", MANY, "", "", "expected players" },
	{ "#rules = up ", "/**/", MANY, "", "", NULL },
	{ "#rules = up\n", "//yomi guide: line\n", MANY, "", "", NULL },
	{ "#rules = up\n//yomi letters: ", "w=P ", MANY, "", "", NULL },
	{ "#rules = up ", "/*", MANY, "", "", "no end" },
	{ "#rules = ", "x", MANY, "", "", "63 characters" },
	{ "#rules = ", "9", MANY, "", "", "at most 1000000" },
	{ "#rules = ", " 9", MANY, "", "", "expected an action" },
	{ "#rules = ", "->white", MANY, "", "", NULL },
	{ "#f = ", "~", MANY, " #rules = f", "", "before '~'" },
	{ "#rules = up {", "e,", MANY, "e}", "", NULL },
	{ "#rules = up [", "e,", MANY, "e]", "", NULL },
};

/* Reads a text with an error, or without one if none is wanted. Frees the text. */
static void assert_read(struct text *text, const char *wanted)
{
	struct text error = { 0 };
	struct rbg_rules *r = rbg_read("t.rbg", text->bytes, text->length, &error);
	ck_assert_msg(!r == (wanted != NULL), "%s", error.bytes);
	ck_assert(r ? !valid_rules_fault(r) : strstr(error.bytes, wanted) != NULL);
	rbg_rules_free(r);
	text_free(text);
	text_free(&error);
}

START_TEST(many_parts_take_a_short_time)
{
	struct text text = { 0 };
	text_printf(&text, HEAD "%s", many[_i].begin);
	print_times(&text, many[_i].part, many[_i].count);
	text_puts(&text, many[_i].middle);
	print_times(&text, many[_i].end, many[_i].count);
	assert_read(&text, many[_i].wanted);
}
END_TEST

/* A macro for each number, which calls the one before it in some way. Returns the text. */
static void print_macros(struct text *out, int count, const char *first, const char *other,
			 const char *end)
{
	text_printf(out, HEAD "#m0 = %s\n", first);
	for (int i = 1; i <= count; i++) {
		text_printf(out, "#m%d = ", i);
		for (const char *c = other; *c; c++)
			if (*c == '@')
				text_printf(out, "m%d", i - 1);
			else
				text_putc(out, *c);
		text_putc(out, '\n');
	}
	text_printf(out, "#rules = %s m%d", end, count);
}

static const struct {
	int count;
	const char *first, *other, *end;
	const char *wanted; /* NULL: no error */
} chains[] = {
	{ 17, "up", "@ @", "", NULL },
	{ 60, "up", "@ @", "", "terms" },
	{ 60, "", "@ @", "up", "expand to more" },
	{ 60, "a", "@~@", "", "63 characters" },
	{ 20000, "up", "@", "", NULL },
	{ 20000, "1", "@", "", "    in 19993 more macros" },
	{ 20000, "up", "(@)", "", "nest" },
	{ 200, "up", "(@)", "", NULL },
	{ 60, "", "@~@", "up", "expand to more" },
};

START_TEST(chains_of_macros_take_a_short_time)
{
	struct text text = { 0 };
	print_macros(&text, chains[_i].count, chains[_i].first, chains[_i].other, chains[_i].end);
	assert_read(&text, chains[_i].wanted);
}
END_TEST

START_TEST(limits_of_names_are_told)
{
	static const struct {
		const char *begin, *end, *wanted;
		int count;
	} lists[] = {
		{ "#players = a(1), b(1) #rules = . #board = s[n0]{d: s} #pieces = ", "", NULL,
		  64 },
		{ "#players = a(1), b(1) #rules = . #board = s[n0]{d: s} #pieces = ", "",
		  "at most 64 pieces", 65 },
		{ "#players = a(1), b(1) #rules = . #board = s[e]{d: s} #pieces = e #variables = ",
		  "(1)", NULL, 62 },
		{ "#players = a(1), b(1) #rules = . #board = s[e]{d: s} #pieces = e #variables = ",
		  "(1)", "at most 64 variables and scores", 63 },
		{ "#players = a(1), b(1) #rules = . #pieces = e #board = s[e]{d: s, ", ": s", NULL,
		  63 },
		{ "#players = a(1), b(1) #rules = . #pieces = e #board = s[e]{d: s, ", ": s",
		  "at most 64 directions", 64 },
	};
	for (int i = 0; i < COUNT(lists); i++) {
		struct text text = { 0 };
		text_puts(&text, lists[i].begin);
		for (int n = 0; n < lists[i].count; n++)
			text_printf(&text, "%sn%d%s", n ? ", " : "", n, lists[i].end);
		text_puts(&text, strstr(lists[i].begin, "d: s, ") ? "}" : "");
		assert_read(&text, lists[i].wanted);
	}
}
END_TEST

START_TEST(a_board_has_400_squares)
{
	for (int squares = 400; squares <= 401; squares++) {
		struct text text = { 0 }, error = { 0 };
		text_puts(&text, NAMES "#board = ");
		for (int i = 0; i < squares; i++)
			text_printf(&text, "s%d[e]{next: s%d}\n", i, (i + 1) % squares);
		struct rbg_rules *r = rbg_read("t.rbg", text.bytes, text.length, &error);
		ck_assert_int_eq(!r, squares > 400);
		ck_assert(r ? r->rows == 20 && r->cols == 20 && !valid_rules_fault(r)
			    : strstr(error.bytes, "at most 400 squares") != NULL);
		rbg_rules_free(r);
		text_free(&text);
		text_free(&error);
	}
}
END_TEST

START_TEST(a_text_may_have_any_bytes)
{
	static const char nul[] = HEAD "#rules = \0up";
	char *error = read_bad(nul, sizeof nul - 1);
	ck_assert_ptr_nonnull(strstr(error, "t.rbg:7:10: the text has a control character"));
	free(error);
	size_t length = ((size_t)1 << 24) + 1;
	char *large = xmalloc(length);
	memset(large, ' ', length);
	error = read_bad(large, length);
	ck_assert_ptr_nonnull(strstr(error, "at most 16777216 bytes"));
	free(error);
	error = read_bad(large, length - 1);
	ck_assert_ptr_nonnull(strstr(error, "there is no #players"));
	free(error);
	free(large);
	error = read_bad(NULL, 0);
	ck_assert_ptr_nonnull(strstr(error, "there is no #players"));
	free(error);
}
END_TEST

/* Words that are put into texts. */
static const char *const words[] = { "#",           "~",       "(",       ")",      "[",
				     "]",           "[$",      "{$",      "{?",     "{!",
				     "{",           "}",       "+",       "*",      "^",
				     "->",          "->>",     ",",       ";",      "=",
				     "up",          "white",   "e",       "turn",   "1",
				     "1000000",     "//yomi ", "//",      "/*",     "\n",
				     "\n#rules = ", "#f = ",   "f",       "f(",     "rectangle(",
				     "hexagon(",    "cuboid(", "players", "place:", "\xc3" };

/* Replaces up to `cut` bytes of a text at a place. */
static void replace(struct text *t, size_t at, size_t cut, const char *with, size_t length)
{
	struct text changed = { 0 };
	cut = cut < t->length - at ? cut : t->length - at;
	text_write(&changed, t->bytes, at);
	text_write(&changed, with, length);
	text_write(&changed, t->bytes + at + cut, t->length - at - cut);
	text_free(t);
	*t = changed;
}

/* Cuts, puts a word, or copies a part. */
static void change(struct text *t, struct rng *rng)
{
	size_t at = rng_below(rng, (uint32_t)t->length + 1),
	       cut = rng_below(rng, 4) ? 0 : rng_below(rng, 12);
	const char *word = words[rng_below(rng, COUNT(words))];
	if (rng_below(rng, 3) || t->length < 2) {
		replace(t, at, cut, word, rng_below(rng, 5) ? strlen(word) : 0);
		return;
	}
	size_t from = rng_below(rng, (uint32_t)t->length - 1),
	       length = 1 + rng_below(rng, (uint32_t)(t->length - from));
	char *part = xstrndup(t->bytes + from, length < 60 ? length : 60);
	replace(t, at, cut, part, strlen(part));
	free(part);
}

START_TEST(changed_texts_are_read_or_refused)
{
	static const char *const texts[] = {
		HEAD "#any = (up* + down*)(left* + right*)\n"
		     "#turn2(me; my; other) = ->me any {e} [my] ->> ({? up {my}} [$ me=100, "
		     "turn=turn+1] ->> {} + {! up^2 {my}})\n"
		     "#rules = (turn2(white; w; b) turn2(black; b; w))*",
		NAMES "#e3 = e, w, b\n#board = hexagon(NW,NE,E,SE,SW,W, [e3] [e,e3] [e3])",
		NAMES "#layer(a) = [[a,e][e,a]]\n#board = cuboid(up,down,left,right,front,back, "
		      "layer(w) layer(b))",
		"//yomi title: Ring\n//yomi letters: e=. w=X\n//yomi owner: w=white e=none\n//yomi "
		"place: a=1,1 b=1,2 c=2,1\n" NAMES
		"#to(v) = down: v, up: v~v\n#board = a[e]{to(b)} b[w]{up: c} c[b]{up: a} bb[e]{up: "
		"a}",
	};
	struct rng rng;
	rng_seed(&rng, 20);
	for (int i = 0, good = 0, all = suite_times(40000); i < all || !good; i++) {
		struct text text = { 0 }, error = { 0 };
		text_puts(&text, texts[rng_below(&rng, COUNT(texts))]);
		for (uint32_t n = rng_below(&rng, 4); n-- > 0;)
			change(&text, &rng);
		struct rbg_rules *r = rbg_read("t.rbg", text.bytes, text.length, &error);
		if (r)
			ck_assert_msg(!valid_rules_fault(r), "%s", text.bytes);
		else
			ck_assert_msg(error.bytes && strncmp(error.bytes, "t.rbg:", 6) == 0 &&
					      strchr(error.bytes, '^'),
				      "%s", text.bytes);
		good += r != NULL;
		rbg_rules_free(r);
		text_free(&text);
		text_free(&error);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rbg_rules");
	TCase *cases = tcase_create("rbg_rules");
	tcase_add_loop_test(cases, expressions_become_terms, 0, COUNT(expressions));
	tcase_add_loop_test(cases, macros_are_replaced, 0, COUNT(expansions));
	tcase_add_test(cases, a_rectangle_has_holes);
	tcase_add_test(cases, a_cuboid_has_layers_side_by_side);
	tcase_add_loop_test(cases, hexagons_are_turned, 0, COUNT(hexagons));
	tcase_add_test(cases, a_hexagon_has_neighbors);
	tcase_add_test(cases, a_graph_lies_as_its_directions_say);
	tcase_add_test(cases, a_graph_without_such_directions_is_a_list);
	tcase_add_test(cases, comments_place_a_graph);
	tcase_add_test(cases, names_keep_their_order);
	tcase_add_test(cases, comments_tell_what_yomi_shows);
	tcase_add_loop_test(cases, errors_have_a_place_and_a_reason, 0, COUNT(errors));
	tcase_add_loop_test(cases, messages_show_the_place, 0, COUNT(messages));
	tcase_add_test(cases, later_checks_can_show_places);
	tcase_add_loop_test(cases, many_parts_take_a_short_time, 0, COUNT(many));
	tcase_add_loop_test(cases, chains_of_macros_take_a_short_time, 0, COUNT(chains));
	tcase_add_test(cases, limits_of_names_are_told);
	tcase_add_test(cases, a_board_has_400_squares);
	tcase_add_test(cases, a_text_may_have_any_bytes);
	tcase_add_test(cases, changed_texts_are_read_or_refused);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
