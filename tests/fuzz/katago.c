/* SPDX-License-Identifier: MIT
 *
 * Queries of KataGo's analysis protocol, one a line, for every game.
 */
#include "protocol/katago/query.h"

#include "engine/search/common/algorithm.h"
#include "protocol/katago/answer.h"
#include "tests/fuzz/fuzz.h"

/* Messages are whole, and an error is the last one. Returns true if there is an error. */
static bool check_messages(const json_t *messages, const char *id)
{
	bool refused = false;
	for (size_t i = 0; i < json_array_size(messages); i++) {
		const json_t *message = json_array_get(messages, i);
		const char *error = json_string_value(json_object_get(message, "error"));
		const char *warning = json_string_value(json_object_get(message, "warning"));
		const char *field = json_string_value(json_object_get(message, "field"));
		const char *named = json_string_value(json_object_get(message, "id"));
		assert(!refused && (error != NULL) != (warning != NULL));
		assert(field && named && strcmp(named, id) == 0);
		refused |= error != NULL;
	}
	return refused;
}

static void check_line(char *line)
{
	assert(strchr(line, '\n') == line + strlen(line) - 1);
	json_t *object = json_loads(line, 0, NULL);
	assert(json_is_object(object));
	json_decref(object);
	free(line);
}

/* The position is legal; so are the moves that the query allows; and answers about it are whole. */
static void check_job(const struct katago_job *job)
{
	static struct report report;
	struct move all[GAME_MOVES_MAX], some[GAME_MOVES_MAX];
	struct record r;
	job_record(job, &r);
	assert(r.game->valid(r.game, &r.now));
	check_line(answer_nothing(job));
	if (r.now.over) {
		check_line(answer_end(job, &r));
	} else {
		int count = record_moves(&r, all);
		int kept = job_moves(job, &r, all, count, some);
		assert(kept <= count);
		report_clear(&report);
		report.value = 0.5;
		report.playouts = 1;
		for (int i = 0; i < kept; i++) {
			assert(record_is_legal(&r, some[i]));
			report_add(&report, some[i]);
		}
		check_line(answer_report(job, &r, NULL, &report, true));
	}
	record_free(&r);
}

static void check_query(const struct game *g, const json_t *object)
{
	struct query_settings settings = { .line_max = 3 };
	json_t *messages = json_array();
	options_init(&settings.options);
	struct katago_job *jobs = query_read(g, &settings, object, messages), *next;
	const char *id = json_string_value(json_object_get(object, "id"));
	assert(check_messages(messages, id) == !jobs || json_array_size(messages) == 0);
	if (jobs)
		fuzz_check_record(&jobs->query->record);
	for (int i = 0; jobs; i++, jobs = next) {
		next = jobs->next;
		assert(!next || next->turn > jobs->turn);
		if (i < 4)
			check_job(jobs);
		job_free(jobs);
	}
	json_decref(messages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *save;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		json_t *object = json_loads(line, 0, NULL);
		for (int i = 0; games[i] && json_is_string(json_object_get(object, "id")); i++)
			check_query(games[i], object);
		json_decref(object);
	}
	free(text);
	return 0;
}
