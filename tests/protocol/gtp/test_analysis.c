/* SPDX-License-Identifier: MIT
 *
 * Streamed analysis as clients read it: the lines of a running search, and what ends them. The searches have no
 * limit or a work limit, so the speed of the machine does not matter. Check's timeout fails a stream that does
 * not begin or end. Refused requests are in a transcript.
 */
#include <math.h>

#include "engine/search/common/algorithm.h"
#include "games/games.h"
#include "tests/protocol/talk.h"
#include "tests/tested.h"

#define ENDLESS "--threads 1 --memory 16 --seed 1 "
#define PASS    "XO.............................................................."

struct info {
	char move[MOVE_TEXT_MAX], proof[8];
	double visits, winrate, lcb, prior, utility, lead, deviation; /* NAN: missing */
	int depth;
	bool exact;
	int line_count, visits_count; /* numbers of visits along the line */
	char line[PV_MAX][MOVE_TEXT_MAX];
	double line_visits[PV_MAX];
	int owner_count;
	double owners[GAME_SQUARES_MAX]; /* after the move */
};

struct infos {
	int count;
	struct info move[GAME_MOVES_MAX];
	bool has_root;
	struct info root;
	int owner_count;
	double owners[GAME_SQUARES_MAX];
};

static double read_number(const char *text)
{
	char *end;
	double x = strtod(text, &end);
	if (end == text || *end)
		ck_abort_msg("'%s' is no number", text);
	return x;
}

/* Reads one pair of key and value. The command determines the form of the numbers. */
static void read_pair(struct info *info, const char *key, const char *value, bool is_lz)
{
	double scale = 1;
	if (strcmp(key, "proof") == 0) {
		snprintf(info->proof, sizeof info->proof, "%s", value);
		return;
	}
	if (strcmp(key, "exact") == 0) {
		ck_assert_str_eq(value, "true");
		info->exact = true;
		return;
	}
	bool is_share = strcmp(key, "winrate") == 0 || strcmp(key, "lcb") == 0 ||
			strcmp(key, "prior") == 0;
	if (is_share) {
		/* Clients tell the two forms apart by the decimal point. */
		if (is_lz != !strchr(value, '.'))
			ck_abort_msg("%s %s", key, value);
		scale = is_lz ? 1e4 : 1;
	}
	double x = read_number(value) / scale;
	if (is_share && !(x >= 0 && x <= 1))
		ck_abort_msg("%s %s", key, value);
	if (strcmp(key, "visits") == 0)
		info->visits = x;
	else if (strcmp(key, "winrate") == 0)
		info->winrate = x;
	else if (strcmp(key, "lcb") == 0)
		info->lcb = x;
	else if (strcmp(key, "prior") == 0)
		info->prior = x;
	else if (strcmp(key, "utility") == 0 && !is_lz)
		info->utility = x;
	else if (strcmp(key, "depth") == 0)
		info->depth = (int)x;
	else if (strcmp(key, "scoreLead") == 0 && !is_lz)
		info->lead = x;
	else if (strcmp(key, "scoreStdev") == 0 && !is_lz)
		info->deviation = x;
	else if (strcmp(key, "scoreMean") != 0 || is_lz)
		ck_abort_msg("key '%s'", key);
}

static void info_init(struct info *info)
{
	*info = (struct info) { .visits = NAN,
				.winrate = NAN,
				.lcb = NAN,
				.prior = NAN,
				.utility = NAN,
				.lead = NAN,
				.deviation = NAN };
}

/* Checks the numbers that every line must have. */
static void check_info(const struct info *info, bool is_lz)
{
	ck_assert(info->visits >= 0 && !isnan(info->winrate));
	ck_assert(isnan(info->utility) == is_lz);
	if (!is_lz)
		ck_assert_double_eq_tol(info->utility, 2 * info->winrate - 1, 2e-6);
}

static void read_owner(double *owners, int *count, const char *word)
{
	ck_assert_int_lt(*count, GAME_SQUARES_MAX);
	owners[*count] = read_number(word);
	if (!(fabs(owners[*count]) <= 1) || strcmp(word, "-0.000") == 0)
		ck_abort_msg("%s is no owner", word);
	++*count;
}

/* Reads a line of `info` from the command of this name. */
static struct infos *read_infos(const char *text, const char *command)
{
	static struct infos infos;
	bool is_lz = strncmp(command, "lz-", 3) == 0;
	enum { PAIRS, LINE, VISITS, MOVE_OWNERS, OWNERS } part = PAIRS;
	char *line = strdup(text), *save, *word, *value;
	struct info *info = &infos.root;
	infos.count = 0;
	infos.has_root = false;
	infos.owner_count = 0;
	ck_assert_msg(strncmp(text, "info move ", 10) == 0, "'%s'", text);
	ck_assert_str_eq(line + strlen(line) - 1, "\n");
	for (word = strtok_r(line, " \n", &save); word; word = strtok_r(NULL, " \n", &save)) {
		if (strcmp(word, "info") == 0 || strcmp(word, "rootInfo") == 0) {
			infos.has_root = *word == 'r';
			ck_assert(infos.has_root || infos.count < GAME_MOVES_MAX);
			info = infos.has_root ? &infos.root : &infos.move[infos.count++];
			info_init(info);
			part = PAIRS;
			continue;
		}
		if (strcmp(word, "pv") == 0 || strcmp(word, "pvVisits") == 0) {
			part = part == PAIRS ? LINE : VISITS;
			continue;
		}
		if (strcmp(word, "ownership") == 0 || strcmp(word, "movesOwnership") == 0) {
			ck_assert(!is_lz);
			part = *word == 'o' ? OWNERS : MOVE_OWNERS;
			continue;
		}
		if (part == OWNERS) {
			read_owner(infos.owners, &infos.owner_count, word);
			continue;
		}
		if (part == MOVE_OWNERS) {
			read_owner(info->owners, &info->owner_count, word);
			continue;
		}
		if (part == VISITS) {
			if (info->visits_count == info->line_count)
				ck_abort_msg("more visits than moves");
			info->line_visits[info->visits_count++] = read_number(word);
			continue;
		}
		if (part == LINE) {
			if (info->line_count == PV_MAX)
				ck_abort_msg("a line is too long");
			snprintf(info->line[info->line_count++], MOVE_TEXT_MAX, "%s", word);
			continue;
		}
		value = strtok_r(NULL, " \n", &save);
		if (!value)
			ck_abort_msg("'%s' has no value", word);
		if (strcmp(word, "move") == 0)
			snprintf(info->move, sizeof info->move, "%s", value);
		else if (strcmp(word, "order") == 0)
			ck_assert_int_eq((int)read_number(value), infos.count - 1);
		else
			read_pair(info, word, value, is_lz);
	}
	free(line);
	for (int i = 0; i < infos.count; i++) {
		const struct info *m = &infos.move[i];
		check_info(m, is_lz);
		ck_assert(m->lcb <= m->winrate && !isnan(m->prior));
		ck_assert_int_ge(m->line_count, 1);
		ck_assert_str_eq(m->line[0], m->move);
		/* One assertion for each would be slow. */
		bool is_new = true;
		for (int j = 0; j < i; j++)
			is_new &= strcmp(m->move, infos.move[j].move) != 0;
		ck_assert(is_new);
	}
	if (infos.has_root)
		check_info(&infos.root, is_lz);
	return &infos;
}

/* Checks that every line consists of legal moves. */
static void check_lines(const struct infos *infos, const struct record *r)
{
	for (int i = 0; i < infos->count; i++) {
		struct record copy;
		record_init(&copy, r->game);
		record_copy(&copy, r);
		for (int j = 0; j < infos->move[i].line_count; j++) {
			const char *text = infos->move[i].line[j];
			struct move move;
			bool is_legal = game_parse(r->game, &copy.now, text, &move) == MOVE_OK;
			if (!is_legal || strcmp(text, "PASS") == 0)
				ck_abort_msg("%s", text);
			record_play(&copy, move);
		}
		record_free(&copy);
	}
}

/* Starts a command that streams. */
__attribute__((format(printf, 2, 3))) static void begin(struct talk *t, const char *format, ...)
{
	char line[256];
	va_list args;
	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	tell(t, "%s\n", line);
	ck_assert_str_eq(hear_line(t), "=\n");
}

/* Reads the rest of a stream. Returns its last line before the blank line, "" if there is none. */
static const char *hear_last(struct talk *t)
{
	static char last[1 << 16];
	const char *line;
	*last = '\0';
	while (strcmp(line = hear_line(t), "\n") != 0)
		snprintf(last, sizeof last, "%s", line);
	return last;
}

/* Ends an analysis. Checks that only the answer to `name` follows. */
static void stop(struct talk *t)
{
	tell(t, "\n");
	hear_last(t);
	ask_for("yomi", t, "name");
}

static const char *const analyses[] = { "analyze", "lz-analyze", "kata-analyze" };

/* --- what a stream says --- */

START_TEST(values_and_lines)
{
	struct talk t;
	struct record r;
	const char *game = tested_game(_i)->name;
	if (game_find(game, NULL) != tested_game(_i))
		return;
	record_init(&r, game_find(game, NULL));
	talk_start(&t, ENDLESS);
	ask_for("", &t, "set_game %s", game);
	for (int i = 0; i < 3; i++) {
		begin(&t, "%s b 1 rootInfo true", analyses[i]);
		double visits = 0;
		for (int j = 0; j < 4; j++) {
			const struct infos *infos = read_infos(hear_line(&t), analyses[i]);
			check_lines(infos, &r);
			ck_assert(infos->has_root && infos->root.visits >= visits);
			visits = infos->root.visits;
			double sum = 0, priors = 0;
			for (int k = 0; k < infos->count; k++) {
				sum += infos->move[k].visits;
				priors += infos->move[k].prior;
				ck_assert_int_eq(infos->move[k].visits_count, 0);
			}
			ck_assert(sum <= visits && priors > 0 && priors < 1.02);
		}
		stop(&t);
	}
	record_free(&r);
	talk_end(&t);
}
END_TEST

/* Searches that know only a score report it as a lead, with a matching winrate. */
START_TEST(every_search_streams)
{
	struct talk t;
	struct record r;
	record_init(&r, &game_othello);
	talk_start(&t, ENDLESS "--game othello");
	for (int i = 0; algorithms[i]; i++) {
		ask_for("", &t, "param search %s", algorithms[i]->name);
		begin(&t, "kata-analyze b 1 minmoves 4");
		const struct infos *infos;
		/* The first report may come before the first depth is done. */
		do {
			infos = read_infos(hear_line(&t), "kata-");
			check_lines(infos, &r);
			ck_assert_int_eq(infos->count, 4);
		} while (algorithms[i] == &algorithm_alphabeta && isnan(infos->move[0].lead));
		for (int j = 0; j < infos->count; j++) {
			const struct info *m = &infos->move[j];
			if (!isnan(m->lead) && m->lead != 0)
				ck_assert_int_eq(m->lead > 0, m->winrate > 0.5);
		}
		stop(&t);
		begin(&t, "lz-analyze b 1 allow b f5,c4 1");
		infos = read_infos(hear_line(&t), "lz-");
		check_lines(infos, &r);
		for (int j = 0; j < infos->count; j++)
			ck_assert(strstr("F5 C4", infos->move[j].move));
		stop(&t);
	}
	record_free(&r);
	talk_end(&t);
}
END_TEST

/* Proven results are marked, for the side to move. */
START_TEST(proofs)
{
	static const struct {
		const char *position, *proof;
		double winrate;
	} rows[] = {
		{ "XX.OO.... X", "win", 1 },    { "XX.OO.X.. O", "win", 1 },
		{ "O.O..XOXX X", "loss", 0 },   { "X.X..OXO. O", "loss", 0 },
		{ "XOXXOOOX. X", "draw", 0.5 },
	};
	struct talk t;
	talk_start(&t, ENDLESS "--game tictactoe");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ask_for("", &t, "position %s", rows[i].position);
		for (int j = 0; j < 3; j++) {
			begin(&t, "%s 1 rootInfo true", analyses[j]);
			const struct infos *infos;
			/* A report may come before the proof. */
			do
				infos = read_infos(hear_line(&t), analyses[j]);
			while (!*infos->move[0].proof);
			ck_assert_str_eq(infos->move[0].proof, rows[i].proof);
			ck_assert_double_eq(infos->move[0].winrate, rows[i].winrate);
			ck_assert_double_eq(infos->move[0].lcb, rows[i].winrate);
			ck_assert_double_eq(infos->root.winrate, rows[i].winrate);
			stop(&t);
		}
	}
	talk_end(&t);
}
END_TEST

/* The score of every move in discs for the side to move, with its depth or marked as exact. */
START_TEST(scores_of_all_moves)
{
	struct talk t;
	talk_start(&t, ENDLESS "--game othello");
	begin(&t, "kata-analyze 1 minmoves 4");
	/* There is none before the search starts. */
	for (int depth = 0; depth < 6;) {
		const struct infos *infos = read_infos(hear_line(&t), "kata-");
		ck_assert_int_eq(infos->count, 4);
		ck_assert_int_ge(infos->move[0].depth, depth);
		depth = infos->move[0].depth;
		for (int i = 0; i < 4; i++) {
			ck_assert(!infos->move[i].exact);
			ck_assert(!isnan(infos->move[i].lead) || depth <= 1);
		}
	}
	stop(&t);
	ask_for("", &t,
		"position XXXXXXXOXXXXXXOOXXXXXOOOXXXXOOOOXXXOOOOOXXOOOOOO.XOOOOOO..OOOO.. O");
	const struct infos *infos;
	begin(&t, "kata-analyze 1");
	do {
		infos = read_infos(hear_line(&t), "kata-");
	} while (infos->count < 2 || !infos->move[0].exact || !infos->move[1].exact);
	ck_assert_str_eq(infos->move[0].move, "A8");
	ck_assert_str_eq(infos->move[1].move, "A7");
	ck_assert_double_eq(infos->move[0].lead, -14);
	ck_assert_double_eq(infos->move[1].lead, -24);
	for (int i = 0; i < 2; i++)
		ck_assert_str_eq(infos->move[i].proof, "loss");
	stop(&t);
	talk_end(&t);
}
END_TEST

/* White is almost lost. The winrate is that of the side to move. */
START_TEST(values_of_the_side_to_move)
{
	struct talk t;
	talk_start(&t, ENDLESS "--game othello --search mcts --evaluator off --solver off");
	static const char board[] = "........"
				    "........"
				    "..XXX..."
				    "..XXXX.."
				    "..XXXO.."
				    "..XXX..."
				    "........"
				    "........";
	for (int i = 0; i < 2; i++) {
		ask_for("", &t, "position %s %c", board, "XO"[i]);
		begin(&t, "kata-analyze 1 rootInfo true");
		const struct infos *infos;
		/* The first playouts say little. */
		do {
			infos = read_infos(hear_line(&t), "kata-");
		} while (infos->root.visits < 500);
		ck_assert_int_eq(infos->move[0].winrate > 0.5, i == 0);
		ck_assert_int_eq(infos->root.winrate > 0.5, i == 0);
		stop(&t);
	}
	talk_end(&t);
}
END_TEST

/* --- Go: scores and owners --- */

#define WALL   "..X..XO....X..XO....X..XO....X..XO....X..XO....X..XO....X..XO....X..XO....X..XO.."
#define BEHIND 36 /* A5, in the middle of the area behind the left wall */

/* Walls of Black and White on a board of 81 squares; Black has more. All numbers are those of the side to move. The second search of
 * a position has the same estimate. */
START_TEST(owners_of_the_side_to_move)
{
	double first[81];
	struct talk t;
	talk_start(&t, "--game go --threads 1 --memory 16 --seed 1 --playouts 500");
	for (int i = 0; i < 4; i++) {
		int sign = i < 2 ? 1 : -1;
		static struct infos infos;
		const char *line;
		double sum = 0;
		ask_for("", &t, "position " WALL " %c", i < 2 ? 'X' : 'O');
		begin(&t,
		      "kata-search_analyze rootInfo true ownership true minmoves 20 maxmoves 20");
		while (strncmp(line = hear_line(&t), "info", 4) == 0)
			infos = *read_infos(line, "kata-");
		ck_assert_str_eq(hear_line(&t), "\n");
		ck_assert_int_eq(infos.count, 20);
		ck_assert_int_eq(infos.owner_count, 81);
		for (int k = 0; k < 81; k++)
			sum += sign * infos.owners[k];
		ck_assert_double_gt(sum, 10);
		ck_assert_double_gt(sign * infos.owners[BEHIND], 0.5);
		if (i % 2 == 0)
			memcpy(first, infos.owners, sizeof first);
		ck_assert_mem_eq(first, infos.owners, sizeof first);
		ck_assert(sign * infos.root.lead > 0 && infos.root.deviation > 1);
		for (int k = 0; k < infos.count; k++) {
			const struct info *m = &infos.move[k];
			ck_assert(!isnan(m->lead) && m->deviation == infos.root.deviation);
			ck_assert_int_eq(m->owner_count, 0);
		}
	}
	talk_end(&t);
}
END_TEST

/* A higher winrate is never a lower score. */
START_TEST(scores_follow_winrates)
{
	struct talk t;
	talk_start(&t, ENDLESS "--game go --size 5");
	begin(&t, "analyze b 1");
	for (int line = 0; line < 5; line++) {
		const struct infos *infos = read_infos(hear_line(&t), "analyze");
		for (int i = 0; i < infos->count; i++)
			for (int j = 0; j < i; j++) {
				const struct info *a = &infos->move[i], *b = &infos->move[j];
				if ((a->winrate - b->winrate) * (a->lead - b->lead) < 0)
					ck_abort_msg("%s and %s", a->move, b->move);
			}
	}
	stop(&t);
	talk_end(&t);
}
END_TEST

/* The owners after each of the ten best moves. */
START_TEST(owners_after_moves)
{
	struct talk t;
	talk_start(&t, "--game go --threads 1 --memory 16 --seed 1 --playouts 500");
	ask_for("", &t, "position " WALL " X");
	const struct infos *infos;
	begin(&t, "kata-analyze b 1 minmoves 20 movesOwnership true ownership true "
		  "pvVisits true");
	for (int line = 0; line < 10; line++) {
		infos = read_infos(hear_line(&t), "kata-");
		ck_assert_int_gt(infos->count, 11);
		ck_assert_int_eq(infos->owner_count, 81);
		for (int i = 0; i < infos->count; i++)
			ck_assert_int_eq(infos->move[i].owner_count, i < 10 ? 81 : 0);
	}
	stop(&t);
	/* Leela Zero's form has none. */
	begin(&t, "lz-genmove_analyze b ownership true movesOwnership true rootInfo true");
	infos = read_infos(hear_line(&t), "lz-");
	ck_assert(infos->owner_count == 0 && isnan(infos->root.lead));
	hear_last(&t);
	/* The next position has an estimate of its own. */
	begin(&t, "kata-genmove_analyze w ownership true maxmoves 1");
	infos = read_infos(hear_line(&t), "kata-");
	ck_assert_int_eq(infos->owner_count, 81);
	ck_assert_double_lt(infos->owners[BEHIND], -0.5);
	hear_last(&t);
	/* Other games have no owners. */
	ask_for("", &t, "set_game othello");
	begin(&t, "kata-search_analyze b ownership true movesOwnership true");
	infos = read_infos(hear_line(&t), "kata-");
	ck_assert(infos->owner_count == 0 && infos->move[0].owner_count == 0);
	ck_assert(isnan(infos->move[0].deviation));
	hear_last(&t);
	talk_end(&t);
}
END_TEST

/* In the frame the moves that begin with one play are one entry, which has the visits and priors of all. */
START_TEST(plays_have_sums)
{
	static char last[1 << 16];
	struct talk t;
	double visits = 0, priors = 0;
	talk_start(&t, "--game pentago --frame 1 --threads 1 --seed 1 --playouts 2000");
	begin(&t, "kata-search_analyze b minmoves 288 rootInfo true");
	for (const char *line; *(line = hear_line(&t)) == 'i';)
		snprintf(last, sizeof last, "%s", line);
	hear_last(&t);
	const struct infos *infos = read_infos(last, "kata-");
	ck_assert_int_eq(infos->count, 36);
	for (int i = 0; i < infos->count; i++) {
		visits += infos->move[i].visits;
		priors += infos->move[i].prior;
	}
	ck_assert_double_gt(visits, 1000);
	ck_assert_double_eq(visits, infos->root.visits);
	ck_assert_double_eq_tol(priors, 1, 1e-4);
	talk_end(&t);
}
END_TEST

/* --- which moves --- */

START_TEST(how_many_moves)
{
	struct talk t;
	talk_start(&t, ENDLESS "--game othello --search random");
	for (int i = 1; i <= 5; i++) {
		begin(&t, "kata-analyze b 1 minmoves %d", i);
		ck_assert_int_eq(read_infos(hear_line(&t), "kata-")->count, i < 4 ? i : 4);
		stop(&t);
	}
	ask_for("", &t, "param search montecarlo");
	for (int i = 0; i <= 5; i++) {
		begin(&t, "kata-analyze b 1 maxmoves %d minmoves 5", i);
		int count = read_infos(hear_line(&t), "kata-")->count;
		ck_assert_int_eq(count, i < 1 ? 1 : i < 4 ? i : 4);
		stop(&t);
	}
	talk_end(&t);
}
END_TEST

/* A move has at least as many visits as the moves after it. */
START_TEST(visits_along_lines)
{
	struct talk t;
	talk_start(&t, ENDLESS "--game othello --search mcts");
	for (int i = 0; i < 2; i++) {
		begin(&t, "kata-analyze b interval 1 pvVisits true ownership true");
		const struct infos *infos = read_infos(hear_line(&t), "kata-");
		ck_assert(!infos->has_root);
		for (int j = 0; j < infos->count; j++) {
			const struct info *m = &infos->move[j];
			ck_assert_double_eq(m->line_visits[0], m->visits);
			ck_assert_int_eq(m->visits_count, i ? 1 : m->line_count);
			for (int k = 1; k < m->visits_count; k++)
				ck_assert(m->line_visits[k] > 0 &&
					  m->line_visits[k] <= m->line_visits[k - 1]);
		}
		stop(&t);
		/* This search does not count visits along lines. */
		ask_for("", &t, "param search montecarlo");
	}
	talk_end(&t);
}
END_TEST

/* The moves that the keys leave, in any order. */
static void check_moves(struct talk *t, const char *keys, const char *expected)
{
	begin(t, "kata-analyze b 1 minmoves 300 %s", keys);
	const struct infos *infos = read_infos(hear_line(t), "kata-");
	size_t length = 0;
	for (int i = 0; i < infos->count; i++) {
		ck_assert_msg(strstr(expected, infos->move[i].move), "%s: %s", keys,
			      infos->move[i].move);
		length += strlen(infos->move[i].move) + (i > 0);
	}
	ck_assert_msg(length == strlen(expected), "%s: %d moves", keys, infos->count);
	stop(t);
}

START_TEST(keys_leave_moves_out)
{
	struct talk t;
	talk_start(&t, ENDLESS "--game othello");
	check_moves(&t, "", "D3 C4 F5 E6");
	check_moves(&t, "avoid b d3,F5 1", "C4 E6");
	check_moves(&t, "avoid b D3 1 avoid black C4 30", "F5 E6");
	check_moves(&t, "allow b D3,C4,A1 1", "D3 C4");
	check_moves(&t, "allow b D3 1 allow b E6 1", "D3 E6");
	check_moves(&t, "allow b D3,E6 1 avoid b D3 1", "E6");
	/* These keys change nothing: the other side's moves, depth 0, illegal moves, a pass. */
	check_moves(&t, "avoid w D3,C4,F5,E6 1", "D3 C4 F5 E6");
	check_moves(&t, "allow w D3 1", "D3 C4 F5 E6");
	check_moves(&t, "avoid b D3 0", "D3 C4 F5 E6");
	check_moves(&t, "avoid b A1,H8,D4,pass 9", "D3 C4 F5 E6");
	/* In Pentago a square stands for its eight turns. */
	ask_for("", &t, "set_game pentago");
	check_moves(&t, "allow b A1,B2S 1", "A1S A1T A1U A1V A1W A1X A1Y A1Z B2S");
	check_moves(&t, "allow b A1 1 avoid b a1s,a1t,a1u,a1v,a1w,a1x 1", "A1Y A1Z");
	/* In the frame a move is two plays. A line has both. */
	ask_for("", &t, "boardsize 8");
	check_moves(&t, "allow b B7,C7 1", "B7 C7");
	check_moves(&t, "allow b B7,C7 1 avoid b C7 1", "B7");
	ask_for("", &t, "play b B7");
	check_moves(&t, "allow b A3,C8 1", "A3 C8");
	begin(&t, "kata-analyze b 1 maxmoves 1");
	const struct infos *infos = read_infos(hear_line(&t), "kata-");
	for (int i = 0; i < infos->move[0].line_count; i++) {
		bool is_turn = strpbrk(infos->move[0].line[i], "AH18");
		ck_assert_int_eq(is_turn, i % 2 == 0);
	}
	stop(&t);
	talk_end(&t);
}
END_TEST

/* Each of 512 moves may have its own key, for both sides. A much longer request is refused. */
START_TEST(long_requests_are_refused)
{
	static const char key[] = " avoid b A1 1";
	enum { KEYS = 2 * 512, MANY = 2 * KEYS + KEYS / 2 };
	static char keys[MANY * (sizeof key - 1) + 1];
	struct talk t;
	talk_start(&t, ENDLESS "--game othello");
	for (int i = 0; i < KEYS; i++)
		strcat(keys, key);
	tell(&t, "kata-analyze b 1%s\n", keys);
	ck_assert_str_eq(hear_line(&t), "=\n");
	stop(&t);
	for (int i = KEYS; i < MANY; i++)
		strcat(keys, key);
	ask_for("? syntax error", &t, "kata-analyze b 1%s", keys);
	talk_end(&t);
}
END_TEST

/* --- what ends a stream --- */

START_TEST(any_line_ends_it)
{
	static const char *const lines[] = { "",   "   ",    "# a comment", "# interrupt",
					     "\r", "\t\x01", "name",        "3 nosuch" };
	static const char *const answers[] = { "", "", "",           "",
					       "", "", "= yomi\n\n", "?3 unknown command\n\n" };
	struct talk t;
	talk_start(&t, ENDLESS "--game othello");
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		for (int j = 0; j < 3; j++) {
			begin(&t, "%s b 0", analyses[j]);
			read_infos(hear_line(&t), analyses[j]);
			tell(&t, "%s\n", lines[i]);
			hear_last(&t);
			if (*answers[i])
				hear_exactly(&t, answers[i]);
			ask_for("yomi", &t, "name");
		}
	}
	/* Lines that have arrived before; each gets its answer. */
	tell(&t, "1 kata-analyze b 1\n2 lz-analyze b 1\n3 name\n");
	hear_exactly(&t, "=1\n\n");
	hear_exactly(&t, "=2\n\n");
	hear_exactly(&t, "=3 yomi\n\n");
	/* A line without its end does not count. */
	begin(&t, "kata-analyze b 1");
	tell(&t, "na");
	for (int i = 0; i < 3; i++)
		read_infos(hear_line(&t), "kata-");
	tell(&t, "me\n");
	hear_last(&t);
	hear_exactly(&t, "= yomi\n\n");
	begin(&t, "kata-analyze b 1");
	tell(&t, "quit\n");
	hear_last(&t);
	hear_exactly(&t, "=\n\n");
	talk_end(&t);
}
END_TEST

START_TEST(the_end_of_input_ends_it)
{
	for (int i = 0; i < 2; i++) {
		struct talk t;
		talk_start(&t, ENDLESS);
		begin(&t, i ? "kata-analyze b 1"
			    : "set_game tictactoe\nposition XXXOO.... O\n"
			      "kata-analyze b 1");
		if (i == 0) {
			hear_exactly(&t, "\n=\n\n");
			ck_assert_str_eq(hear_line(&t), "=\n");
		} else {
			read_infos(hear_line(&t), "kata-");
		}
		talk_hang_up(&t);
		hear_last(&t);
		talk_end(&t);
	}
}
END_TEST

START_TEST(a_signal_ends_it)
{
	struct talk t;
	talk_start(&t, ENDLESS);
	begin(&t, "kata-analyze b 1");
	read_infos(hear_line(&t), "kata-");
	kill(t.child, SIGINT);
	hear_last(&t);
	ask_for("yomi", &t, "name");
	talk_end(&t);
}
END_TEST

/* After the search has ended by itself, its result is repeated. */
START_TEST(results_are_repeated_after_the_search)
{
	struct talk t;
	talk_start(&t, ENDLESS "--game tictactoe --search random");
	begin(&t, "kata-analyze b 1");
	char first[8192];
	snprintf(first, sizeof first, "%s", hear_line(&t));
	read_infos(first, "kata-");
	for (int i = 0; i < 5; i++)
		ck_assert_str_eq(hear_line(&t), first);
	tell(&t, "5 name\n");
	hear_last(&t);
	hear_exactly(&t, "=5 yomi\n\n");
	ask_for("yomi", &t, "name");
	talk_end(&t);
}
END_TEST

/* --- passes and ends --- */

/* The record has the implied pass during the analysis, but not after it. */
START_TEST(implied_passes)
{
	struct talk t;
	talk_start(&t, ENDLESS "--game othello");
	ask_for("", &t, "position " PASS " O");
	for (int i = 0; i < 3; i++) {
		begin(&t, "%s b 1", analyses[i]);
		ck_assert_str_eq(read_infos(hear_line(&t), analyses[i])->move[0].move, "C1");
		stop(&t);
		ask_for("", &t, "move_history");
		ask_for(PASS " O", &t, "position");
		begin(&t, "%s 1", analyses[i]);
		const struct infos *infos = read_infos(hear_line(&t), analyses[i]);
		ck_assert_int_eq(infos->count, 1);
		ck_assert_str_eq(infos->move[0].move, "pass");
		ck_assert_str_eq(infos->move[0].line[0], "pass");
		stop(&t);
	}
	begin(&t, "lz-genmove_analyze w 1");
	ck_assert_str_eq(hear_line(&t), "play pass\n");
	ck_assert_str_eq(hear_line(&t), "\n");
	ask_for("white PASS", &t, "move_history");
	begin(&t, "lz-genmove_analyze b 1");
	ck_assert_str_eq(hear_last(&t), "play C1\n");
	/* The game is over. */
	for (int i = 0; i < 3; i++) {
		begin(&t, "%s b 1", analyses[i]);
		ck_assert(!talk_is_heard(&t, 50));
		tell(&t, "\n");
		ck_assert_str_eq(hear_line(&t), "\n");
		begin(&t, "%s w 1", analyses[i]);
		kill(t.child, SIGINT);
		ck_assert_str_eq(hear_line(&t), "\n");
	}
	ask_for("yomi", &t, "name");
	ask_for("B+64", &t, "final_score");
	talk_end(&t);
}
END_TEST

/* --- moves --- */

static const char *const moves[] = { "genmove_analyze", "lz-genmove_analyze",
				     "kata-genmove_analyze", "kata-search_analyze",
				     "kata-search_analyze_cancellable" };

/* Each writes its last result and its move. Only the first three commands play it. */
START_TEST(moves_end_streams)
{
	struct talk t;
	talk_start(&t, "--game othello --threads 1 --seed 1 --playouts 2000");
	for (int i = 0; i < 5; i++) {
		char found[MOVE_TEXT_MAX], expected[16 + MOVE_TEXT_MAX],
			history[16 + MOVE_TEXT_MAX];
		ask_for("", &t, "clear_board");
		begin(&t, "%s b 1 maxmoves 2 avoid b D3,C4 1", moves[i]);
		const char *line;
		int count = 0;
		while (strncmp(line = hear_line(&t), "info", 4) == 0) {
			const struct infos *infos = read_infos(line, moves[i]);
			count = infos->count;
			snprintf(found, sizeof found, "%s", infos->move[0].move);
		}
		ck_assert_int_eq(count, 2);
		ck_assert(strcmp(found, "F5") == 0 || strcmp(found, "E6") == 0);
		snprintf(expected, sizeof expected, "play %s\n", found);
		ck_assert_str_eq(line, expected);
		ck_assert_str_eq(hear_line(&t), "\n");
		snprintf(history, sizeof history, "%s%s", i < 3 ? "black " : "",
			 i < 3 ? found : "");
		ask_for(history, &t, "move_history");
	}
	ask_for("", &t, "clear_board");
	ask_for("", &t, "param resign 1");
	begin(&t, "lz-genmove_analyze b");
	ck_assert_str_eq(hear_last(&t), "play resign\n");
	ask_for("", &t, "move_history");
	talk_end(&t);
}
END_TEST

/* Lines that come during the search wait. */
START_TEST(moves_end_before_the_next_line_runs)
{
	struct talk t;
	talk_start(&t, "--game othello --search mcts --threads 1 --seed 1 --playouts 20000 "
		       "--early_stop off");
	for (int i = 0; i < 4; i++) {
		ask_for("", &t, "clear_cache");
		ask_for("", &t, "clear_board");
		tell(&t, "1 %s b 1 rootInfo true\n\n# comment\n2 name\n", moves[i]);
		ck_assert_str_eq(hear_line(&t), "=1\n");
		double visits = 0;
		const char *line;
		while (strncmp(line = hear_line(&t), "info", 4) == 0)
			visits = read_infos(line, moves[i])->root.visits;
		/* The last position of the line may have no visits. */
		ck_assert_double_ge(visits, 19990);
		ck_assert_int_eq(strncmp(line, "play ", 5), 0);
		ck_assert_str_eq(hear_line(&t), "\n");
		hear_exactly(&t, "=2 yomi\n\n");
	}
	talk_end(&t);
}
END_TEST

START_TEST(cancelled)
{
	static const char *const lines[] = { "", "# a comment", "# interrupt", "name" };
	struct talk t;
	talk_start(&t, ENDLESS "--game othello --time 1000000");
	for (int i = 0; i < 4; i++) {
		tell(&t, "7 kata-search_cancellable b\n%s\n", lines[i]);
		hear_exactly(&t, "=7 cancelled\n\n");
		if (*lines[i] == 'n')
			hear_exactly(&t, "= yomi\n\n");
		begin(&t, "kata-search_analyze_cancellable b 1");
		read_infos(hear_line(&t), "kata-");
		tell(&t, "%s\n", lines[i]);
		ck_assert_str_eq(hear_last(&t), "play cancelled\n");
		if (*lines[i] == 'n')
			hear_exactly(&t, "= yomi\n\n");
		ask_for("", &t, "move_history");
	}
	/* The implied pass is taken back, too. */
	ask_for("", &t, "position " PASS " O");
	ask_for("", &t, "param search alphabeta");
	tell(&t, "kata-search_cancellable b\nmove_history\n");
	hear(&t);
	hear_exactly(&t, "=\n\n");
	/* They also end by themselves, and the end of input does not cancel them. */
	ask_for("", &t, "clear_board");
	ask_for("", &t, "param playouts 1000");
	const char *move = ask(&t, "kata-search_cancellable b");
	ck_assert(strstr("D3 C4 F5 E6", move) && *move);
	tell(&t, "kata-search_cancellable b\n");
	talk_hang_up(&t);
	move = text_of(hear(&t));
	ck_assert(strstr("D3 C4 F5 E6", move) && *move);
	talk_end(&t);
}
END_TEST

/* Other commands cannot be cancelled, but a client may end their search early. */
START_TEST(searches_may_end_early)
{
	struct talk t;
	talk_start(&t, ENDLESS "--game othello --time 1000000");
	tell(&t, "kata-search b\n# interrupt\n");
	const char *move = text_of(hear(&t));
	ck_assert(strstr("D3 C4 F5 E6", move) && *move);
	begin(&t, "kata-genmove_analyze b 1");
	read_infos(hear_line(&t), "kata-");
	tell(&t, "# interrupt\n");
	char made[32], last[64];
	snprintf(last, sizeof last, "%.60s", hear_last(&t));
	ck_assert_int_eq(sscanf(last, "play %31s\n", made), 1);
	snprintf(last, sizeof last, "black %.31s", made);
	ask_for(last, &t, "move_history");
	talk_end(&t);
}
END_TEST

/* A slow reader gets whole lines only. Lines for which there is no room are dropped. */
START_TEST(slow_reader_gets_whole_lines)
{
	struct talk t;
	talk_start(&t, ENDLESS "--game pentago --search montecarlo");
	begin(&t, "kata-analyze b 1 minmoves 288");
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(read_infos(hear_line(&t), "kata-")->count, 288);
	usleep(500000);
	for (int i = 0; i < 50; i++)
		ck_assert_int_eq(read_infos(hear_line(&t), "kata-")->count, 288);
	stop(&t);
	talk_end(&t);
}
END_TEST

int main(void)
{
	int game_count = 0;
	while (tested_game(game_count))
		game_count++;
	Suite *suite = suite_create("analysis");
	TCase *cases = tcase_create("analysis");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, values_and_lines, 0, game_count);
	tcase_add_test(cases, every_search_streams);
	tcase_add_test(cases, proofs);
	tcase_add_test(cases, scores_of_all_moves);
	tcase_add_test(cases, values_of_the_side_to_move);
	tcase_add_test(cases, owners_of_the_side_to_move);
	tcase_add_test(cases, scores_follow_winrates);
	tcase_add_test(cases, owners_after_moves);
	tcase_add_test(cases, plays_have_sums);
	tcase_add_test(cases, how_many_moves);
	tcase_add_test(cases, visits_along_lines);
	tcase_add_test(cases, keys_leave_moves_out);
	tcase_add_test(cases, long_requests_are_refused);
	tcase_add_test(cases, any_line_ends_it);
	tcase_add_test(cases, the_end_of_input_ends_it);
	tcase_add_test(cases, a_signal_ends_it);
	tcase_add_test(cases, results_are_repeated_after_the_search);
	tcase_add_test(cases, implied_passes);
	tcase_add_test(cases, moves_end_streams);
	tcase_add_test(cases, moves_end_before_the_next_line_runs);
	tcase_add_test(cases, cancelled);
	tcase_add_test(cases, searches_may_end_early);
	tcase_add_test(cases, slow_reader_gets_whole_lines);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
