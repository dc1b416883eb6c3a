/* SPDX-License-Identifier: MIT
 *
 * The rules: from tokens to terms. Functions return a term, -1 if there is an error. The words of the language stand in the order in
 * which they bind: a choice of sequences of items; numbers are sums of differences of products of quotients.
 */
#include "engine/base/memory.h"
#include "games/rbg/rbg_reader.h"

/* Siblings, in order. Zeroed with -1: there are none. */
struct rbg_siblings {
	int32_t first, last;
};
#define NO_SIBLINGS ((struct rbg_siblings) { -1, -1 })

static int32_t rbg_syntax_add(struct rbg_reader *r, struct rbg_term t)
{
	struct rbg_rules *rules = r->rules;
	if (rules->term_count == RBG_TERMS_MAX)
		rbg_fail(r, t.place, "the rules have more than %d terms", RBG_TERMS_MAX);
	if (r->failed)
		return -1;
	t.next = -1;
	rules->terms = xgrow(rules->terms, (size_t)rules->term_count, sizeof *rules->terms);
	rules->terms[rules->term_count] = t;
	return rules->term_count++;
}

static void rbg_syntax_append(struct rbg_reader *r, struct rbg_siblings *s, int32_t term)
{
	if (term < 0)
		return;
	if (s->last < 0)
		s->first = term;
	else
		r->rules->terms[s->last].next = term;
	s->last = term;
}

/* Returns a term with these children. A sequence or choice of one child is that child. */
static int32_t rbg_syntax_join(struct rbg_reader *r, struct rbg_siblings s, struct rbg_term parent)
{
	bool is_list = parent.kind == RBG_SEQUENCE || parent.kind == RBG_CHOICE;
	if (is_list && s.first == s.last && !r->failed)
		return s.first;
	parent.child = s.first;
	return rbg_syntax_add(r, parent);
}

static int32_t rbg_syntax_copy(struct rbg_reader *r, int32_t term)
{
	struct rbg_siblings copies = NO_SIBLINGS;
	for (int32_t i = r->rules->terms[term].child; i >= 0 && !r->failed;
	     i = r->rules->terms[i].next)
		rbg_syntax_append(r, &copies, rbg_syntax_copy(r, i));
	struct rbg_term copy = r->rules->terms[term];
	copy.child = copies.first;
	return rbg_syntax_add(r, copy);
}

/* A term without children. */
static struct rbg_term rbg_syntax_term(const struct rbg_reader *r, enum rbg_kind kind,
				       int32_t value)
{
	return (struct rbg_term) {
		.kind = (uint8_t)kind, .value = value, .child = -1, .place = r->token.place
	};
}

/* Adds such a term, whose only token is the next one. */
static int32_t rbg_syntax_leaf(struct rbg_reader *r, enum rbg_kind kind, int32_t value)
{
	int32_t leaf = rbg_syntax_add(r, rbg_syntax_term(r, kind, value));
	rbg_advance(r);
	return leaf;
}

/* --- numbers --- */

static int32_t rbg_syntax_sum(struct rbg_reader *, int level);

static const struct rbg_name *rbg_syntax_variable(const struct rbg_reader *r)
{
	const struct rbg_name *score = rbg_named(r, MEANS_PLAYER);
	return score ? score : rbg_named(r, MEANS_VARIABLE);
}

static int32_t rbg_syntax_operand(struct rbg_reader *r)
{
	const struct rbg_name *variable = rbg_syntax_variable(r),
			      *piece = rbg_named(r, MEANS_PIECE);
	if (r->token.type == TOKEN_NUMBER)
		return rbg_syntax_leaf(r, RBG_NUMBER, r->token.value);
	if (variable || piece)
		return variable ? rbg_syntax_leaf(r, RBG_VARIABLE, variable->index)
				: rbg_syntax_leaf(r, RBG_COUNT, piece->index);
	if (r->token.type != TOKEN_ROUND) {
		rbg_fail_expected(r, "a number, a variable, a player or a piece", MEANS_VARIABLE);
		return -1;
	}
	rbg_enter(r);
	rbg_advance(r);
	int32_t sum = rbg_syntax_sum(r, 0);
	rbg_expect(r, TOKEN_ROUND_END);
	rbg_leave(r);
	return sum;
}

/* Reads operands of one operator. Operators with a higher level bind more tightly. */
static int32_t rbg_syntax_sum(struct rbg_reader *r, int level)
{
	static const struct {
		enum rbg_token_type type;
		enum rbg_kind kind;
	} operators[] = { { TOKEN_PLUS, RBG_ADD },
			  { TOKEN_MINUS, RBG_SUBTRACT },
			  { TOKEN_STAR, RBG_MULTIPLY },
			  { TOKEN_SLASH, RBG_DIVIDE } };
	if (level == sizeof operators / sizeof *operators)
		return rbg_syntax_operand(r);
	int depth = r->depth;
	struct rbg_term operation = rbg_syntax_term(r, operators[level].kind, 0);
	int32_t left = rbg_syntax_sum(r, level + 1);
	while (rbg_accept(r, operators[level].type)) {
		struct rbg_siblings both = NO_SIBLINGS;
		rbg_enter(r);
		rbg_syntax_append(r, &both, left);
		rbg_syntax_append(r, &both, rbg_syntax_sum(r, level + 1));
		left = rbg_syntax_join(r, both, operation);
	}
	r->depth = depth;
	return left;
}

/* --- items in brackets --- */

/* [piece, piece]: a choice. */
static int32_t rbg_syntax_put(struct rbg_reader *r)
{
	struct rbg_term choice = rbg_syntax_term(r, RBG_CHOICE, 0);
	struct rbg_siblings puts = NO_SIBLINGS;
	do {
		rbg_advance(r);
		const struct rbg_name *piece = rbg_named(r, MEANS_PIECE);
		if (piece)
			rbg_syntax_append(r, &puts, rbg_syntax_leaf(r, RBG_PUT, piece->index));
		else
			rbg_fail_expected(r, "a piece", MEANS_PIECE);
	} while (r->token.type == TOKEN_COMMA);
	rbg_expect(r, TOKEN_SQUARE_END);
	return rbg_syntax_join(r, puts, choice);
}

/* variable = number */
static int32_t rbg_syntax_assign(struct rbg_reader *r)
{
	const struct rbg_name *variable = rbg_syntax_variable(r);
	struct rbg_siblings number = NO_SIBLINGS;
	if (!variable) {
		rbg_fail_expected(r, "a variable or a player", MEANS_VARIABLE);
		return -1;
	}
	struct rbg_term set = rbg_syntax_term(r, RBG_SET, variable->index);
	rbg_advance(r);
	rbg_expect(r, TOKEN_ASSIGN);
	rbg_syntax_append(r, &number, rbg_syntax_sum(r, 0));
	return rbg_syntax_join(r, number, set);
}

/* [$ assignment, assignment]: one after the other. */
static int32_t rbg_syntax_set(struct rbg_reader *r)
{
	struct rbg_term sequence = rbg_syntax_term(r, RBG_SEQUENCE, 0);
	struct rbg_siblings sets = NO_SIBLINGS;
	do {
		rbg_advance(r);
		rbg_syntax_append(r, &sets, rbg_syntax_assign(r));
	} while (r->token.type == TOKEN_COMMA);
	rbg_expect(r, TOKEN_SQUARE_END);
	return rbg_syntax_join(r, sets, sequence);
}

/* {piece, piece}; {}: never. */
static int32_t rbg_syntax_on(struct rbg_reader *r)
{
	struct rbg_term on = rbg_syntax_term(r, RBG_ON, 0);
	rbg_advance(r);
	if (rbg_accept(r, TOKEN_CURLY_END))
		return rbg_syntax_add(r, on);
	do {
		const struct rbg_name *piece = rbg_named(r, MEANS_PIECE);
		if (piece)
			on.pieces |= UINT64_C(1) << piece->index;
		else
			rbg_fail_expected(r, "a piece", MEANS_PIECE);
		rbg_advance(r);
	} while (rbg_accept(r, TOKEN_COMMA));
	rbg_expect(r, TOKEN_CURLY_END);
	return rbg_syntax_add(r, on);
}

/* {$ number relation number} */
static int32_t rbg_syntax_compare(struct rbg_reader *r)
{
	/* In the order of rbg_relation. */
	static const enum rbg_token_type relations[] = { TOKEN_EQUAL,   TOKEN_NOT_EQUAL,
							 TOKEN_LESS,    TOKEN_LESS_OR_EQUAL,
							 TOKEN_GREATER, TOKEN_GREATER_OR_EQUAL };
	enum { RELATIONS = sizeof relations / sizeof *relations };
	struct rbg_term compare = rbg_syntax_term(r, RBG_COMPARE, 0);
	struct rbg_siblings both = NO_SIBLINGS;
	rbg_advance(r);
	rbg_syntax_append(r, &both, rbg_syntax_sum(r, 0));
	while (compare.relation < RELATIONS && r->token.type != relations[compare.relation])
		compare.relation++;
	if (compare.relation == RELATIONS)
		rbg_fail_expected(r, "'==', '!=', '<', '<=', '>' or '>='", MEANS_NOTHING);
	rbg_advance(r);
	rbg_syntax_append(r, &both, rbg_syntax_sum(r, 0));
	rbg_expect(r, TOKEN_CURLY_END);
	return rbg_syntax_join(r, both, compare);
}

/* --- items --- */

static int32_t rbg_syntax_choice(struct rbg_reader *);

/* ( choice ), {? choice} or {! choice} */
static int32_t rbg_syntax_nested(struct rbg_reader *r, enum rbg_token_type end)
{
	rbg_enter(r);
	rbg_advance(r);
	int32_t choice = rbg_syntax_choice(r);
	rbg_expect(r, end);
	rbg_leave(r);
	return choice;
}

static int32_t rbg_syntax_check(struct rbg_reader *r, enum rbg_kind kind)
{
	struct rbg_term check = rbg_syntax_term(r, kind, 0);
	struct rbg_siblings choice = NO_SIBLINGS;
	r->checks++;
	rbg_syntax_append(r, &choice, rbg_syntax_nested(r, TOKEN_CURLY_END));
	r->checks--;
	return rbg_syntax_join(r, choice, check);
}

/* ->player or ->> */
static int32_t rbg_syntax_turn(struct rbg_reader *r)
{
	struct rbg_term turn = rbg_syntax_term(r, RBG_TURN, RBG_KEEPER);
	if (r->checks)
		rbg_fail(r, turn.place, "the turn cannot change inside {? } or {! }");
	if (rbg_accept(r, TOKEN_KEEPER))
		return rbg_syntax_add(r, turn);
	rbg_advance(r);
	const struct rbg_name *player = rbg_named(r, MEANS_PLAYER);
	if (player)
		turn.value = player->index;
	else
		rbg_fail_expected(r, "a player", MEANS_PLAYER);
	rbg_advance(r);
	return rbg_syntax_add(r, turn);
}

static int32_t rbg_syntax_go(struct rbg_reader *r)
{
	const struct rbg_name *direction = rbg_named(r, MEANS_DIRECTION);
	if (direction)
		return rbg_syntax_leaf(r, RBG_GO, direction->index);
	rbg_fail_expected(r, "a direction", MEANS_DIRECTION);
	return -1;
}

/* Reads the number of a power and copies the term. */
static int32_t rbg_syntax_power(struct rbg_reader *r, int32_t term)
{
	struct rbg_term sequence = { .kind = RBG_SEQUENCE, .place = r->rules->terms[term].place };
	struct rbg_siblings copies = { term, term };
	int32_t count = r->token.value;
	if (r->token.type != TOKEN_NUMBER || !count)
		rbg_fail_expected(r, "a number from 1 on", MEANS_NOTHING);
	for (int32_t i = 1; i < count && !r->failed; i++)
		rbg_syntax_append(r, &copies, rbg_syntax_copy(r, term));
	rbg_advance(r);
	return rbg_syntax_join(r, copies, sequence);
}

/* Reads '*' or a power behind a term. */
static int32_t rbg_syntax_suffix(struct rbg_reader *r, int32_t term)
{
	if (r->failed)
		return -1;
	if (rbg_accept(r, TOKEN_CARET))
		return rbg_syntax_power(r, term);
	if (!rbg_accept(r, TOKEN_STAR))
		return term;
	struct rbg_term repeat = { .kind = RBG_REPEAT, .place = r->rules->terms[term].place };
	return rbg_syntax_join(r, (struct rbg_siblings) { term, term }, repeat);
}

/* Reads an item. Returns -1 without an error if the token begins none. */
static int32_t rbg_syntax_item(struct rbg_reader *r)
{
	switch (r->token.type) {
	case TOKEN_NAME:
		return rbg_syntax_suffix(r, rbg_syntax_go(r));
	case TOKEN_ROUND:
		return rbg_syntax_suffix(r, rbg_syntax_nested(r, TOKEN_ROUND_END));
	case TOKEN_ARROW:
	case TOKEN_KEEPER:
		return rbg_syntax_suffix(r, rbg_syntax_turn(r));
	case TOKEN_PERIOD:
		return rbg_syntax_suffix(r, rbg_syntax_leaf(r, RBG_WAIT, 0));
	case TOKEN_SQUARE:
		return rbg_syntax_put(r);
	case TOKEN_SET:
		return rbg_syntax_set(r);
	case TOKEN_CURLY:
		return rbg_syntax_on(r);
	case TOKEN_COMPARE:
		return rbg_syntax_compare(r);
	case TOKEN_CAN:
		return rbg_syntax_check(r, RBG_CAN);
	case TOKEN_CANNOT:
		return rbg_syntax_check(r, RBG_CANNOT);
	default:
		return -1;
	}
}

static int32_t rbg_syntax_sequence(struct rbg_reader *r)
{
	struct rbg_term sequence = rbg_syntax_term(r, RBG_SEQUENCE, 0);
	struct rbg_siblings items = NO_SIBLINGS;
	int32_t item = rbg_syntax_item(r);
	if (item < 0)
		rbg_fail_expected(r, "an action", MEANS_NOTHING);
	for (; item >= 0; item = rbg_syntax_item(r))
		rbg_syntax_append(r, &items, item);
	if (r->token.type == TOKEN_STAR || r->token.type == TOKEN_CARET)
		rbg_fail(r, r->token.place, "only a direction or something in ( ) can be repeated");
	return rbg_syntax_join(r, items, sequence);
}

static int32_t rbg_syntax_choice(struct rbg_reader *r)
{
	struct rbg_term choice = rbg_syntax_term(r, RBG_CHOICE, 0);
	struct rbg_siblings sequences = NO_SIBLINGS;
	do
		rbg_syntax_append(r, &sequences, rbg_syntax_sequence(r));
	while (rbg_accept(r, TOKEN_PLUS));
	return rbg_syntax_join(r, sequences, choice);
}

void rbg_read_rules(struct rbg_reader *r)
{
	rbg_begin(r, KEYWORD_RULES);
	r->rules->root = rbg_syntax_choice(r);
	if (r->token.type != TOKEN_END)
		rbg_fail_expected(r, "an action, '+' or the end of the rules", MEANS_NOTHING);
}
