/* SPDX-License-Identifier: MIT
 *
 * The client side of KataGo's analysis protocol, for tests of the real program.
 */
#ifndef TESTS_PROTOCOL_KATAGO_CLIENT_H
#define TESTS_PROTOCOL_KATAGO_CLIENT_H

#include <jansson.h>

#include "tests/protocol/talk.h"

/* A limit that no search of a test reaches: it runs until it is terminated. */
#define ENDLESS "\"maxVisits\":1000000000000"

/* Start of a query for tictactoe, in which no search ends by a proof. */
#define SMALL   "\"boardXSize\":3,\"boardYSize\":3,\"overrideSettings\":{\"search\":\"montecarlo\"}"

static inline void client_start(struct talk *t, const char *options)
{
	char *words = xasprintf("analysis --threads=1 --seed=1 %s", options);
	talk_start(t, words);
	free(words);
}

/* Returns the next answer. The caller releases it. */
static inline json_t *hear_object(struct talk *t)
{
	json_error_t error;
	const char *line = hear_line(t);
	json_t *object = json_loads(line, 0, &error);
	ck_assert_msg(json_is_object(object), "'%s': %s", line, error.text);
	return object;
}

/* Expects a line, without its line feed. */
static inline void hear_text(struct talk *t, const char *text)
{
	char *line = xasprintf("%s\n", text);
	ck_assert_str_eq(hear_line(t), line);
	free(line);
}

static inline const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	ck_assert_msg(text, "no text %s", key);
	return text;
}

static inline double number_at(const json_t *object, const char *key)
{
	const json_t *number = json_object_get(object, key);
	ck_assert_msg(json_is_number(number), "no number %s", key);
	return json_number_value(number);
}

static inline json_t *moves_of(const json_t *answer)
{
	json_t *moves = json_object_get(answer, "moveInfos");
	ck_assert(json_is_array(moves));
	return moves;
}

static inline const json_t *root_of(const json_t *answer)
{
	const json_t *root = json_object_get(answer, "rootInfo");
	ck_assert(json_is_object(root));
	return root;
}

static inline bool is_live(const json_t *answer)
{
	const json_t *live = json_object_get(answer, "isDuringSearch");
	ck_assert(json_is_boolean(live));
	return json_is_true(live);
}

/* Returns the next answer, which must be the last one of this query and turn. */
static inline json_t *hear_last(struct talk *t, const char *id, int turn)
{
	json_t *answer = hear_object(t);
	ck_assert_str_eq(text_at(answer, "id"), id);
	ck_assert_int_eq((int)number_at(answer, "turnNumber"), turn);
	ck_assert(!is_live(answer));
	return answer;
}

#endif
