/* SPDX-License-Identifier: MIT
 *
 * Annotations are texts that are inserted into a record at offsets. A variation becomes a sister of the move's node:
 *
 *     ;A;B;C)        ->  ;A(;B;C)(;X;Y))       the bracket before B, the rest where B's tree ends
 *     ;A(;B;C)(;D))  ->  ;A(;B;C)(;X;Y)(;D))   where the tree that begins with B ends
 *
 * At one offset properties of a node come first, then the ends of trees: that of the later node, because its tree lies
 * inside.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "protocol/records/sgf_private.h"

struct insertion {
	size_t at;
	int rank; /* at one offset, the highest comes first */
	char *text;
};

struct annotator {
	const char *text;
	enum sgf_set set;
	const struct record *record;
	struct sgf_nodes nodes;
	struct insertion *list;
	int count;
};

static void insert(struct annotator *a, size_t at, int rank, char *text)
{
	a->list = xgrow(a->list, (size_t)a->count, sizeof *a->list);
	a->list[a->count++] = (struct insertion) { at, rank, text };
}

/* The offset behind a value that begins at `at` with its bracket. */
static size_t skip_value(const struct annotator *a, size_t at)
{
	return (size_t)(sgf_value_skip(a->set, a->text + at) - a->text);
}

/* The offset of the bracket that closes the tree around `at`. */
static size_t annotate_find_end(const struct annotator *a, size_t at)
{
	const char *text = a->text;
	for (int open = 1; text[at];) {
		if (text[at] == '[') {
			at = skip_value(a, at);
			continue;
		}
		open += (text[at] == '(') - (text[at] == ')');
		if (!open)
			break;
		at++;
	}
	return at;
}

/* A value of a property, without its brackets. */
struct annotate_value {
	size_t begin, end;
};

/* Returns true if a node has the property, of which only capitals count. Finds its last value. */
static bool find_property(const struct annotator *a, const struct sgf_node *n, const char *wanted,
			  struct annotate_value *value)
{
	const char *text = a->text;
	char name[8] = "";
	size_t length = 0;
	bool found = false;
	for (size_t at = n->begin + 1; at < n->end;) {
		if (text[at] == '[') {
			size_t begin = at + 1;
			at = skip_value(a, at);
			if (strcmp(name, wanted) == 0) {
				*value = (struct annotate_value) { begin, at - 1 };
				found = true;
			}
			length = 0;
			continue;
		}
		if (isupper((unsigned char)text[at]) && length < sizeof name - 1) {
			name[length++] = text[at];
			name[length] = '\0';
		}
		at++;
	}
	return found;
}

/* Adds a comment, behind the one that the node has. A comment that is there already, from another review, is left out. */
static void add_comment(struct annotator *a, int node, const char *comment)
{
	const struct sgf_node *n = &a->nodes.list[node];
	struct annotate_value value;
	struct text text = { 0 };
	bool has = find_property(a, n, "C", &value);
	char *old = has ? xstrndup(a->text + value.begin, value.end - value.begin) : NULL;
	text_puts(&text, has ? "\n\n" : "C");
	sgf_print_value(&text, comment);
	if (has) {
		/* The text without the brackets of its own. */
		memmove(text.bytes + 2, text.bytes + 3, text.length - 4);
		text.bytes[text.length -= 2] = '\0';
	}
	if (has && strstr(old, text.bytes + 2))
		text_free(&text);
	else
		insert(a, has ? value.end : n->end, a->nodes.count, text.bytes);
	free(old);
}

static void add_mark(struct annotator *a, int node, const char *mark)
{
	static const char *const marks[] = { "BM", "DO", "IT", "TE" };
	struct annotate_value value;
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
		if (find_property(a, &a->nodes.list[node], marks[i], &value))
			return;
	insert(a, a->nodes.list[node].end, a->nodes.count, xstrdup(mark));
}

static void annotate_print_move(const struct annotator *a, struct text *out, const struct state *s,
				struct move m)
{
	bool is_black = (s->side == BLACK) != a->nodes.is_inverted;
	sgf_print_move(out, a->record->game, a->nodes.form, is_black ? 'B' : 'W', s, m);
}

/* Writes a line of moves from the state before move `index` as a tree. */
static char *annotate_print_line(const struct annotator *a, int index,
				 const struct sgf_annotation *n)
{
	struct state s;
	struct text text = { 0 };
	record_state(a->record, index, &s);
	for (int i = 0; i < n->line_count; i++) {
		text_puts(&text, i ? ";" : "(;");
		annotate_print_move(a, &text, &s, n->line[i]);
		if (i == 0 && n->line_mark)
			text_puts(&text, n->line_mark);
		if (i == 0 && n->line_comment) {
			text_puts(&text, "C");
			sgf_print_value(&text, n->line_comment);
		}
		game_play(a->record->game, &s, n->line[i]);
	}
	text_puts(&text, ")");
	return text_take(&text);
}

static size_t annotate_skip_space(const char *text, size_t at)
{
	while (isspace((unsigned char)text[at]))
		at++;
	return at;
}

/* Returns true if a later sister of a node begins with this move. */
static bool has_sister(const struct annotator *a, int node, const char *move)
{
	const char *text = a->text;
	size_t tree = a->nodes.list[node].tree;
	while (tree) {
		size_t end = annotate_find_end(a, tree + 1);
		tree = text[end] ? annotate_skip_space(text, end + 1) : end;
		if (text[tree] != '(')
			return false;
		size_t at = annotate_skip_space(text, tree + 1);
		at = annotate_skip_space(text, at + (text[at] == ';'));
		if (strncmp(text + at, move, strlen(move)) == 0)
			return true;
	}
	return false;
}

/* Returns true if the better line of move `index`, or another one with its first move, is a sister of the node. */
static bool has_line(const struct annotator *a, int node, int index, const struct sgf_annotation *n)
{
	struct state s;
	struct text move = { 0 };
	record_state(a->record, index, &s);
	annotate_print_move(a, &move, &s, n->line[0]);
	bool has = has_sister(a, node, move.bytes);
	text_free(&move);
	return has;
}

/* Adds a sister of a node that is not the root. */
static void add_variation(struct annotator *a, int node, char *line)
{
	const struct sgf_node *list = a->nodes.list;
	int first = node;
	if (list[node].tree) {
		insert(a, annotate_find_end(a, list[node].tree + 1) + 1, node, line);
		return;
	}
	while (first > 0 && !list[first].tree)
		first--;
	insert(a, list[node].begin, node, xstrdup("("));
	insert(a, annotate_find_end(a, list[first].begin), node, xasprintf(")%s", line));
	free(line);
}

static void annotate_move(struct annotator *a, int first, int node, int index,
			  const struct sgf_annotation *n)
{
	if (n->mark)
		add_mark(a, node, n->mark);
	if (n->comment)
		add_comment(a, node, n->comment);
	node = a->nodes.framed ? first : node;
	if (n->line_count && !has_line(a, node, index, n))
		add_variation(a, node, annotate_print_line(a, index, n));
}

/* Returns true if the first one must stand behind the second one. */
static bool is_behind(const struct insertion *a, const struct insertion *b)
{
	return a->at != b->at ? a->at > b->at : a->rank < b->rank;
}

/* Sorts stably: there are few insertions at one offset, and most are sorted already. */
static void annotate_sort(struct annotator *a)
{
	for (int i = 1; i < a->count; i++)
		for (int j = i; j > 0 && is_behind(&a->list[j - 1], &a->list[j]); j--) {
			struct insertion held = a->list[j];
			a->list[j] = a->list[j - 1];
			a->list[j - 1] = held;
		}
}

static char *annotate_print_all(struct annotator *a)
{
	size_t from = 0;
	struct text text = { 0 };
	annotate_sort(a);
	for (int i = 0; i < a->count; i++) {
		text_write(&text, a->text + from, a->list[i].at - from);
		from = a->list[i].at;
		text_puts(&text, a->list[i].text);
		free(a->list[i].text);
	}
	text_puts(&text, a->text + from);
	return text_take(&text);
}

char *sgf_annotate(const char *text, const struct record *record,
		   const struct sgf_annotation *annotations, char why[REASON_MAX])
{
	struct annotator a = { .text = text, .record = record };
	struct record read;
	char *out = NULL;
	record_init(&read, record->game);
	if (!sgf_parse_nodes(&read, text, &a.nodes, why)) {
		record_free(&read);
		free(a.nodes.list);
		return NULL;
	}
	a.set = sgf_find_set(text + a.nodes.list[0].begin + 1);
	if (read.game == record->game && read.count == record->count) {
		int moves = 0, first = 0;
		for (int i = 0; i < a.nodes.count; i++) {
			const struct sgf_node *n = &a.nodes.list[i];
			int index = n->moves - 1;
			if (n->moves == moves)
				continue;
			annotate_move(&a, first + 1, i, index, &annotations[index]);
			moves = n->moves;
			first = i;
		}
		out = annotate_print_all(&a);
	} else {
		strcpy(why, "the text is another game");
	}
	record_free(&read);
	free(a.list);
	free(a.nodes.list);
	return out;
}
