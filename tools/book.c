/* SPDX-License-Identifier: MIT
 *
 * yomi-book: the command line of tools/book/builder.h, confirm.h, prover.h and own.h.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/system.h"
#include "engine/rules/images.h"
#include "engine/rules/own_book.h"
#include "engine/search/algorithms.h"
#include "games/games.h"
#include "protocol/program/program.h"
#include "tools/book/builder.h"
#include "tools/book/confirm.h"
#include "tools/book/own.h"
#include "tools/book/prover.h"
#include "tools/lib/path.h"

#define JOURNAL_MAX 64
#define COUNT_MAX   1e9
#define UNSET       (-1) /* the default depends on the game */

/* The command line. */
struct yomi_book_command_line {
	struct book_settings settings;
	const char *rules, *size;
	bool confirms;
	const char *game, *own_book;
	bool text;
	int columns;
};

static const struct program program;

/* Returns what a game lacks for a book, or NULL. */
static const char *lacked(const struct game *g)
{
	struct options usual;
	options_init(&usual);
	if (!images_have_stones(g))
		return "books cannot store its positions";
	if (g->steps.frees_squares)
		return "its moves leave as many squares empty as before";
	if (g->score.unit && algorithm_chosen(&usual, g) != &algorithm_alphabeta)
		return "its search finds results, not scores";
	return NULL;
}

/* Writes the path of a journal. Rules and sizes other than the usual ones have their own. */
static void name_journal(char journal[JOURNAL_MAX], const char *kind, const struct game *g)
{
	if (game_find(g->name, NULL) == g)
		snprintf(journal, JOURNAL_MAX, "build/%s-%s.tsv", kind, g->name);
	else
		snprintf(journal, JOURNAL_MAX, "build/%s-%s-%s-%dx%d.tsv", kind, g->name, g->rules,
			 g->board.cols, g->board.rows);
}

static int yomi_book_run(const struct arguments *arguments)
{
	const struct yomi_book_command_line *a = arguments->values;
	struct book_settings s = a->settings;
	char journal[JOURNAL_MAX];
	const struct game *g = program_game(&program, arguments->words[0], a->rules, a->size);
	if (!g)
		return EXIT_USAGE;
	const char *lacks = lacked(g);
	if (lacks)
		return program_complain(&program, "%s cannot have a book: %s", g->name, lacks);
	if (a->confirms && !g->book)
		return program_complain(&program, "%s has no book to confirm", g->name);
	s.game = g;
	s.output = arguments->words[1];
	if (s.proven && !g->solver)
		return program_complain(&program, "%s has no exact solver", g->name);
	if (s.proven && a->confirms)
		return program_complain(&program, "--proven and --confirm exclude each other");
	if (s.step == UNSET)
		s.step = g->score.unit ? 0.5 : 0.02;
	if (s.equal == UNSET)
		s.equal = g->score.unit ? 0.5 : 0.01;
	if (!s.journal) {
		name_journal(journal, a->confirms ? "confirm" : "book", g);
		s.journal = journal;
	}
	if (!s.proven) {
		if (path_is_same(s.output, s.journal))
			return program_complain(
				&program, "journal and OUTPUT are the same file: %s", s.output);
		path_make_folders(s.journal, false);
	}
	(s.proven ? prover_run : a->confirms ? confirm_run : builder_run)(&s);
	return 0;
}

/* --- the user's own book --- */

/* Calls one of the modes with the folder of the book. */
static int run_own(const struct arguments *arguments, const char *game,
		   int (*use)(const char *folder, const struct game *, const struct arguments *))
{
	const struct yomi_book_command_line *a = arguments->values;
	const struct game *g = program_game(&program, game, a->rules, a->size);
	char *usual = system_folder(SYSTEM_DATA);
	const char *folder = a->own_book ? a->own_book : usual;
	int status = EXIT_USAGE;
	if (g && folder)
		status = use(folder, g, arguments);
	else if (g)
		program_complain(&program, "there is no home folder; give --own_book=FOLDER");
	free(usual);
	return status;
}

static int yomi_book_add(const char *folder, const struct game *g, const struct arguments *a)
{
	const struct yomi_book_command_line *values = a->values;
	const struct import_wish wish = { .game = g, .columns = values->columns };
	return own_add(folder, &wish, a->words, a->count);
}

static int yomi_book_show(const char *folder, const struct game *g, const struct arguments *a)
{
	return own_show(folder, g, a->words + 1, a->count - 1);
}

static int export(const char *folder, const struct game *g, const struct arguments *a)
{
	const struct yomi_book_command_line *values = a->values;
	return own_export(folder, g, values->text);
}

static int run_add(const struct arguments *a)
{
	return run_own(a, ((const struct yomi_book_command_line *)a->values)->game, yomi_book_add);
}

static int yomi_book_run_show(const struct arguments *a)
{
	return run_own(a, a->words[0], yomi_book_show);
}

static int run_export(const struct arguments *a)
{
	return run_own(a, a->words[0], export);
}

#define BUILDER_OPTIONS                                                                            \
	"rules size positions depth step equal confirm proven seconds work threads memory journal"

static const struct mode modes[] = {
	{ .name = "",
	  .args_min = 2,
	  .args_max = 2,
	  .args = "GAME OUTPUT",
	  .options = BUILDER_OPTIONS,
	  .run = yomi_book_run },
	{ .name = "add",
	  .args_min = 1,
	  .args_max = INT_MAX,
	  .args = "FILE...",
	  .help = "add games and lines to your own book",
	  .details =
		  "FILE has games in SGF, GGF, WTHOR, PGN, PSQ or rec, openings of Gomocup, is a "
		  "database of yomi-match, or has a line of moves on each line, with a tab and the "
		  "result behind it (B+4, W+4, B+, W+, 0) if that is known. Variations of a game "
		  "in SGF are added as lines without a result. A game that is in the book already "
		  "is not added again. yomi plays from the book with --own_book=FOLDER; the "
		  "command yomi-explore, `book` at the terminal and the page show what it knows.",
	  .options = "game rules size columns own_book",
	  .run = run_add },
	{ .name = "show",
	  .args_min = 1,
	  .args_max = INT_MAX,
	  .args = "GAME [MOVE...]",
	  .help = "list the moves that books know after MOVEs, with scores and results",
	  .details = "book is the score in the book of the game, score the mean of your games, "
		     "both for the side to move.",
	  .options = "rules size own_book",
	  .run = yomi_book_run_show },
	{ .name = "export",
	  .args_min = 1,
	  .args_max = 1,
	  .args = "GAME",
	  .help = "print your own book in SGF with variations",
	  .options = "rules size own_book text",
	  .run = run_export },
	{ 0 },
};

#define AT(field) offsetof(struct yomi_book_command_line, field)

static const struct flag flags[] = {
	{ "rules", FLAG_RULES, AT(rules), "RULES", "rule set of the game", .group = "Book" },
	{ "size", FLAG_SIZE, AT(size), "SIZE", "size of the board: N or COLUMNSxROWS" },
	{ "positions", FLAG_INT, AT(settings.positions), "COUNT",
	  "maximum number of positions to search (default 20000)", 1, COUNT_MAX },
	{ "depth", FLAG_INT, AT(settings.depth), "MOVES",
	  "first search all positions up to this many moves from the start (default 0)", 0, 1000 },
	{ "step", FLAG_REAL, AT(settings.step), "NUMBER",
	  "positions are searched in the order of their cost: what the moves before them give "
	  "away, plus this for each move (default 0.5 points; 0.02 if only the result counts)",
	  0, 1000 },
	{ "equal", FLAG_REAL, AT(settings.equal), "NUMBER",
	  "a move is as good as the best if it gives away at most this (default 0.5 points; 0.01 "
	  "if only the result counts)",
	  0, 1000 },
	{ "confirm", FLAG_SET, AT(confirms), NULL,
	  "search no new positions; keep only the moves of the current book that two searches with "
	  "different seeds confirm. In both, the move must give away at most --equal" },
	{ "proven", FLAG_INT, AT(settings.proven), "MOVES",
	  "solve instead of search: one proven best move for each position within the first so "
	  "many moves that a player who follows the book can meet, as Black or as White. Lost "
	  "positions are searched. Uses only --work and --memory",
	  1, 1000 },
	{ "seconds", FLAG_REAL, AT(settings.seconds), "SECONDS", "time for this run (default 3600)",
	  0, COUNT_MAX, .group = "Search" },
	{ "work", FLAG_INT, AT(settings.work), "COUNT",
	  "playouts or nodes of each search (default 200000)", 1, COUNT_MAX },
	{ "threads", FLAG_INT, AT(settings.threads), "COUNT",
	  "positions searched at a time (default 2)", 1, 256 },
	{ "memory", FLAG_INT, AT(settings.memory), "MIB", "memory of each search (default 256)", 1,
	  1 << 20 },
	{ "journal", FLAG_TEXT, AT(settings.journal), "FILE",
	  "file of results; the next run continues from it. It belongs to one game and one "
	  "evaluation (default build/book-GAME.tsv; with --confirm build/confirm-GAME.tsv)" },
	{ "own_book", FLAG_TEXT, AT(own_book), "FOLDER",
	  "folder of your own book, with a file for each game, rule set and size (default "
	  "~/.local/share/yomi, or yomi in $XDG_DATA_HOME)",
	  .group = "Your own book" },
	{ "game", FLAG_GAME, AT(game), "GAME",
	  "add: the game of files that name none (default othello)" },
	{ "columns", FLAG_CHOICE, AT(columns), NULL,
	  "add: letters of the columns of Gomoku in lines of moves: without I, as in GTP (no-i), "
	  "with it (with-i), or as the file tells (auto, default)",
	  .choices = import_columns },
	{ "text", FLAG_SET, AT(text), NULL, "export: print the lines as they are kept" },
	{ 0 },
};

static const char *const usages[] = { "add FILE... [OPTION...]", "show GAME [MOVE...] [OPTION...]",
				      "export GAME [OPTION...]", NULL };

static const struct note notes[] = {
	{ "Examples", NULL, "A book for Othello; the second run continues the first:" },
	{ NULL, NULL,
	  "    yomi book othello othello.book --seconds=3600 --journal=othello.tsv\n"
	  "    yomi book othello othello.book --seconds=3600 --journal=othello.tsv" },
	{ NULL, NULL, "Your own games as a book:" },
	{ NULL, NULL,
	  "    yomi book add games.sgf match.db\n"
	  "    yomi book show othello f5 d6\n"
	  "    yomi --own_book=$HOME/.local/share/yomi" },
	{ "See also", NULL, "yomi(1), yomi-train(1)" },
	{ 0 },
};

static const struct program program = {
	.name = "yomi-book",
	.summary = "build the opening book of a game, or keep your own",
	.description = "Searches the first moves of a game, the likely moves of good players "
		       "deepest, and writes the best moves to OUTPUT. A later run with the same "
		       "journal continues it.\n\n"
		       "The modes add, show and export keep a book of your own: games and lines of "
		       "moves with their results.",
	.usages = usages,
	.modes = modes,
	.flags = flags,
	.notes = notes,
	.size = sizeof(struct yomi_book_command_line),
};

int main(int argc, char **argv)
{
	struct yomi_book_command_line a = {
		.settings = { .seconds = 3600,
			      .work = 200000,
			      .positions = 20000,
			      .step = UNSET,
			      .equal = UNSET,
			      .memory = 256,
			      .threads = 2 },
	};
	return program_run(&program, &a, argc, argv);
}
