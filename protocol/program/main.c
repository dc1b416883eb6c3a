/* SPDX-License-Identifier: MIT
 *
 * The program yomi: its modes and flags, and main().
 */
#include <event2/event.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/disk.h"
#include "engine/base/kernel.h"
#include "engine/evaluation/board_net.h"
#include "engine/rules/own_book.h"
#include "engine/rules/perft.h"
#include "engine/rules/swap.h"
#include "games/games.h"
#include "protocol/carriers/listen.h"
#include "protocol/carriers/loop.h"
#include "protocol/carriers/stdio.h"
#include "protocol/gomocup/gomocup.h"
#include "protocol/gtp/commands.h"
#include "protocol/nboard/nboard.h"
#include "protocol/program/bench.h"
#include "protocol/program/flags.h"
#include "protocol/program/library.h"
#include "protocol/program/puzzles.h"
#include "protocol/program/review.h"
#include "protocol/program/solve.h"
#include "protocol/program/tables.h"
#include "protocol/program/tools.h"
#include "protocol/program/verify.h"
#include "protocol/session/command.h"
#include "protocol/session/line.h"
#include "protocol/session/session.h"
#include "protocol/terminal/terminal.h"
#include "protocol/web/web.h"

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

static const char *const colors[] = { "auto", "always", "never", NULL };

#define PROTOCOL_UNKNOWN (-1) /* --protocol is not given */

static const char *const protocols[] = { "gtp", "nboard", "gomocup", NULL };
static const struct protocol *const *const protocol_lists[] = { protocols_gtp, protocols_nboard,
								protocols_gomocup };

static const struct program program;

/* --- the modes --- */

/* Returns false after a message if the user's own book of this game cannot be used. A folder that is not there yet is an
 * empty book. */
static bool check_own_book(const char *folder, const struct game *g)
{
	struct disk_file found;
	if (folder && disk_look(folder, &found) && found.kind != DISK_FOLDER)
		return program_complain(&program, "--own_book: %s is not a folder", folder), false;
	struct own_book *book = folder ? own_book_create(folder) : NULL;
	char why[REASON_MAX];
	bool good = !book || own_book_load(book, g, why);
	own_book_destroy(book);
	return good || (program_complain(&program, "--own_book: %s", why), false);
}

static int run_listen(const struct yomi_flags *s, const struct start *start)
{
	if (start->commands)
		return program_complain(&program, "--command and --listen exclude each other");
	return listen_run(start, &s->serving);
}

static int run_web(const struct arguments *a)
{
	const struct yomi_flags *s = a->values;
	const struct game *g = program_game(&program, s->game, s->rules, s->size);
	struct start start = {
		.game = g,
		.options = &a->options,
		.settings = &a->settings,
		.log = s->log,
		.own_book = s->own_book,
	};
	struct serving serving = s->serving;
	if (!g || !check_own_book(s->own_book, g))
		return EXIT_USAGE;
	serving.address = a->count ? a->words[0] : WEB_ADDRESS;
	serving.yields = a->count == 0;
	return web_run(&start, &serving);
}

/* By default only terminals get colours, unless NO_COLOR is set (https://no-color.org). */
static bool wants_colors(int choice)
{
	const char *no_color = getenv("NO_COLOR");
	if (choice != COLOR_AUTO)
		return choice == COLOR_ALWAYS;
	return terminal_is_there() && !(no_color && *no_color);
}

static int run_gtp(const struct arguments *a)
{
	const struct yomi_flags *s = a->values;
	const struct game *g = program_game(&program, s->game, s->rules, s->size);
	struct session_settings settings = a->settings;
	struct start start = { .game = g,
			       .options = &a->options,
			       .settings = &settings,
			       .log = s->log,
			       .own_book = s->own_book,
			       .commands = s->commands };
	if (!g || !check_own_book(s->own_book, g))
		return EXIT_USAGE;
	start.protocols = s->protocol == PROTOCOL_UNKNOWN ? protocols_all
							  : protocol_lists[s->protocol];
	if (s->gogui)
		settings.frame = settings.live_gfx = true;
	if (s->serving.address)
		return run_listen(s, &start);
	start.colors = wants_colors(s->color);
	bool is_for_people = start.protocols == protocols_all || start.protocols == protocols_gtp;
	return terminal_is_there() && is_for_people ? terminal_run(&start, !s->no_board)
						    : stdio_run(&start);
}

/* KataGo's clients play Go and do not name the game. So the config file's game does not count. */
static int run_analysis(const struct arguments *a)
{
	const struct yomi_flags *s = a->values;
	bool has_game = arguments_have(a, "game");
	const struct game *g = program_game(&program, has_game ? s->game : "go",
					    has_game || arguments_have(a, "rules") ? s->rules
										   : NULL,
					    has_game || arguments_have(a, "size") ? s->size : NULL);
	struct start start = { .game = g, .options = &a->options, .log = s->log };
	return g ? katago_run(&start, &s->katago) : EXIT_USAGE;
}

static int run_perft(const struct arguments *a)
{
	const struct yomi_flags *s = a->values;
	static struct perft perft;
	static char text[PERFT_TEXT_MAX];
	struct state start;
	const char *reason = NULL;
	int depth;
	const struct game *g = program_game(&program, a->words[0], s->rules, s->size);
	if (!g)
		return EXIT_USAGE;
	if (!line_int(a->words[1], &depth) || depth < 1 || depth > PERFT_DEPTH_MAX)
		return program_complain(&program, "the depth is a number from 1 to %d",
					PERFT_DEPTH_MAX);
	g->start(g, &start);
	if (a->count > 2)
		reason = a->count == 4 ? game_setup(g, &start, a->words[2], a->words[3])
				       : "type a position as BOARD SIDE";
	if (reason)
		return program_complain(&program, "%s", reason);
	if (g->swap && a->settings.swap == SWAP_ALWAYS)
		g->swap->allow(g, &start, true);
	perft_count(g, &start, depth, &perft);
	perft_format(&perft, text);
	puts(text);
	return 0;
}

static int run_bench(const struct arguments *a)
{
	const struct yomi_flags *s = a->values;
	return s->signature ? bench_signatures() : bench_run();
}

#define DETAILS_POSITION                                                                           \
	"BOARD has the squares from the top left, row by row: `X` or `*` for Black, `O` for "      \
	"White, `.` or `-` for an empty square, `:` for a square off the board (Havannah). SIDE "  \
	"is the side to move, `X` or `O`."

#define DETAILS_FILE                                                                               \
	"FILE is SGF, GGF, WTHOR, PGN, PSQ, rec, an opening of Gomocup, or has lines of moves; "   \
	"--number "                                                                                \
	"chooses a game of several."

static const struct mode modes[] = {
	{ .name = "gtp",
	  .args = "",
	  .help = "speak GTP on standard input and output (the default)",
	  .details =
		  "On a terminal, type moves, simple commands or GTP; `help` lists them. You can "
		  "edit and recall lines. Tab completes commands, options and files. Games are "
		  "kept when yomi ends; `continue` goes on with one. A status line shows what the "
		  "search has found, and the board is drawn after every move. ^C ends a search or "
		  "clears the line; on an empty line it says how to leave, and a second ^C leaves. "
		  "^D on an empty line leaves, during a search when it ends.\n\n"
		  "The line `# interrupt` and the signal SIGINT end a running search; yomi then "
		  "plays the best move found so far. SIGINT while no search runs, and SIGTERM, end "
		  "the program. At the end of input, yomi finishes the queued commands first.\n\n"
		  "With `--listen` yomi serves clients of a socket instead. Each client has its "
		  "own game. Clients share the threads and the memory and cannot raise these "
		  "options. They use no files unless `--listen-files` is given. Every user of this "
		  "machine can connect, and with `--listen-anywhere` every machine of the network: "
		  "nothing is encrypted, and there is no password. Standard error names the "
		  "address when clients can connect.",
	  .run = run_gtp },
	{ .name = "web",
	  .args_max = 1,
	  .refuses = "listen command",
	  .args = "[ADDRESS]",
	  .help = "play and analyse in a browser",
	  .details =
		  "Serves a page with a board and prints its address. ADDRESS is 127.0.0.1:PORT, "
		  "[::1]:PORT or PORT; port 0 is any free port. Without ADDRESS it is " WEB_ADDRESS
		  ", or any free port if that one is taken. With `--listen-anywhere` and "
		  "0.0.0.0:PORT other machines reach the page; there is no password.\n\n"
		  "Each page has its own game. Closing the page stops its search. The server "
		  "answers only requests to its IP address or to localhost, and none from pages of "
		  "other sites.",
	  .usual = "game rules size level time threads memory search clients idle listen-anywhere "
		   "log network kernel help",
	  .run = run_web },
	{ .name = KATAGO_MODE,
	  .args = "",
	  .refuses = "listen command",
	  .help = "speak KataGo's JSON analysis protocol on standard input and output",
	  .details = "Each line of the input is a query: one JSON object with a game and the turns "
		     "to analyse, as KataGo's analysis engine reads it. Each answer is one JSON "
		     "object on a line. Answers come in any order. At the end of input, yomi "
		     "finishes the queries first.\n\n"
		     "Several positions are searched at once; they share --threads and --memory. "
		     "maxVisits or maxTime in a query limits its searches; without them --playouts "
		     "or --time does.\n\n"
		     "The game is Go unless --game names another. KataGo's options -model, "
		     "-human-model and -config are ignored; -analysis-threads, -override-config "
		     "and -quit-without-waiting may have one dash, too.",
	  .usual = "game rules analysis-threads override-config quit-without-waiting search time "
		   "threads memory seed log network kernel help",
	  .run = run_analysis },
	{ .name = "solve",
	  .args_min = 1,
	  .args_max = INT_MAX,
	  .args = "GAME [BOARD SIDE]...",
	  .help = "find the exact value of positions",
	  .details = "Prints win, draw or loss for the side to move, a line of play that keeps the "
		     "value, and in games with points the score.\n\n" DETAILS_POSITION
		     " Instead, moves from the start may be given in one word: `f5d6c3`, and in "
		     "Connect Four the numbers of columns: `4455`. Without BOARD the positions are "
		     "read from --file or standard input, one a line. There, `#`, `;` and `%` "
		     "begin a comment, and in lines with tabs the first column as long as a board "
		     "is read, and the side after it. What is behind a position, such as its known "
		     "value, is ignored.\n\n"
		     "The game's own solver finds the value if memory suffices; in Pentago and "
		     "Connect Four df-pn tries first. Otherwise alphabeta finds it in Othello, "
		     "df-pn in other games. With --search, only the search that it names is used. "
		     "--time limits the time for each position (default: no limit). The line of "
		     "play may take as much time again.\n\n"
		     "--capture asks whether a chain of Go is captured or safe. The answer is true "
		     "for the whole board and every superko, unless --area restricts it.\n\n"
		     "SIGINT prints what is known and ends the program. The exit status is 1 if a "
		     "position was not solved or not verified.\n\n"
		     "This mode keeps nothing when it ends. yomi-solve(1) finds the result of one "
		     "position over days or on many machines, continues when it was interrupted, "
		     "and writes a certificate of the proof.",
	  .options = "rules size komi file all capture area json verify exact search threads "
		     "memory time nodes seed swap network kernel",
	  .run = solve_run },
	{ .name = "review",
	  .args_min = 1,
	  .args_max = 1,
	  .args = "FILE",
	  .help = "find the mistakes of a recorded game, with better moves and reasons",
	  .details = "Searches each position of a game in FILE. " DETAILS_FILE
		     " Prints a line for each mistake: what it cost, the better move and why, and "
		     "below it what may follow the move. A cost is a proven result that became a "
		     "worse one, points of the score, or win rate. Then come the accuracy of each "
		     "side and its mistakes by size.\n\n"
		     "An inaccuracy costs at least 2 points or 5 % of the win rate, a mistake 5 "
		     "points or 10 %, a blunder 10 points, 20 % or a proven result. The accuracy "
		     "is the mean over the moves: 100 % for a move that costs nothing, 0 % for a "
		     "blunder, and in proportion between them.\n\n"
		     "Each search takes --time seconds (default 1) or the work of --playouts, "
		     "--nodes or --depth. With --seed, --threads=1 and a limit of work, every run "
		     "prints the same.\n\n"
		     "--output writes the record with comments, marks of bad moves and the better "
		     "lines as variations. It keeps what a record in SGF has.",
	  .options = "game rules size columns number output worst json time playouts nodes depth "
		     "search exact threads memory seed network kernel",
	  .run = review_run },
	{ .name = "puzzles",
	  .args_max = 1,
	  .args = "[GAME]",
	  .help = "make puzzles: positions in which exactly one move keeps a win or draw",
	  .details = "Prints positions from games of weak searches against themselves. In each, "
		     "exactly one move keeps a proven win or draw; all other moves lose it. Each "
		     "has a task such as \"Black to play and win in 3\", the position in the form "
		     "of `yomi solve`, the solution and a reason. The moves that follow are the "
		     "fastest win and the longest defence, if they are known.\n\n"
		     "With --file the puzzles are the mistakes of a recorded game: positions in "
		     "which a player missed the only move.\n\n"
		     "A proof search (alphabeta in Othello, df-pn in other games) proves each "
		     "result with at most --nodes nodes (default 5000). One thread is used unless "
		     "--threads is given, so that --seed repeats the puzzles. --output writes them "
		     "in SGF, too.\n\n"
		     "On a terminal, `yomi` plays a puzzle: type `position` with the position, or "
		     "`puzzle` for one that is part of the program.",
	  .options = "rules size columns file number count output json nodes threads memory seed "
		     "kernel",
	  .run = puzzles_run },
	{ .name = "verify",
	  .args_min = 1,
	  .args_max = 1,
	  .args = "FILE",
	  .help = "check a certificate of yomi-solve",
	  .details =
		  "Plays through the proof in FILE by the rules alone, without search, and prints "
		  "what is proven and how many positions were visited. The file is not trusted. If "
		  "it proves less than it claims, the first position without a proof is printed "
		  "and the exit status is 1; it is 2 if the file cannot be read.",
	  .options = "memory kernel",
	  .run = verify_run },
	{ .name = "perft",
	  .args_min = 2,
	  .args_max = 4,
	  .args = "GAME DEPTH [BOARD SIDE]",
	  .help = "count the move sequences of each length up to DEPTH",
	  .details = DETAILS_POSITION " Without BOARD, counting starts at the initial position.",
	  .options = "rules size swap kernel",
	  .run = run_perft },
	{ .name = "games",
	  .args = "",
	  .help = "list the games",
	  .details = "The games of the program, then files with rules: those in the program, those "
		     "in the folder that $YOMI_GAMES names, and those in ~/.local/share/yomi/games. "
		     "A file of a folder replaces one of the program with its name.",
	  .run = library_run_games },
	{ .name = "check",
	  .args_min = 1,
	  .args_max = 1,
	  .args = "FILE",
	  .help = "check a file with the rules of a game",
	  .details = "FILE has rules in the language Regular Boardgames (NAME.rbg), or is the name "
		     "of an installed one. Prints where the rules are wrong, or what they say: "
		     "players, board, pieces, how many moves a position has, how long random games "
		     "are and who wins them, whether a game can fail to end, and what no player "
		     "could ever do. The exit status is 1 if the rules are wrong.",
	  .run = library_run_check },
	{ .name = "bench",
	  .args = "",
	  .help = "measure the speed of games and searches",
	  .details = "The last lines are the signatures of the games: numbers that change only if "
		     "the searches do. They are the same on every machine.",
	  .options = "kernel signature",
	  .run = run_bench },
	{ 0 },
};

/* --- the flags --- */

#define AT(field) offsetof(struct yomi_flags, field)

static const struct flag flags[] = {
	{ "game", FLAG_GAME, AT(game), "GAME",
	  "the game to start with, or a file with its rules (NAME.rbg). review: the game of a FILE "
	  "that names none",
	  .group = "Game options", .in_config = true },
	{ "rules", FLAG_RULES, AT(rules), "RULES", "rule set of the game", .in_config = true },
	{ "size", FLAG_SIZE, AT(size), "SIZE",
	  "size of the board, in games with several: N or COLUMNSxROWS", .in_config = true },
	{ "command", FLAG_LINES, AT(commands), "LINE",
	  "run this GTP command first; may be given several times",
	  .group = "Input and output options" },
	{ "log", FLAG_TEXT, AT(log), "FILE", "append all input and output, with times, to FILE",
	  .in_config = true },
	{ "own_book", FLAG_TEXT, AT(own_book), "FOLDER",
	  "play from your own book (yomi book add) before the game's book: the moves after which "
	  "its games went at least even for the side to move, in proportion to their number. The "
	  "folder that yomi book uses is ~/.local/share/yomi",
	  .in_config = true },
	{ "protocol", FLAG_CHOICE, AT(protocol), NULL,
	  "protocol to speak (default: detected from the first line)", .choices = protocols,
	  .in_config = true },
	{ "gogui", FLAG_SET, AT(gogui), NULL, "GoGui mode: same as --frame --live_gfx" },
	{ "color", FLAG_CHOICE, AT(color), NULL,
	  "colour boards; auto (default): on a terminal, unless NO_COLOR is set", .choices = colors,
	  .in_config = true },
	{ "no-board", FLAG_SET, AT(no_board), NULL,
	  "on a terminal, do not draw the board after every move" },
	{ "listen", FLAG_TEXT, AT(serving.address), "ADDRESS",
	  "serve GTP on a socket: 127.0.0.1:PORT, [::1]:PORT or PORT; port 0 is any free port",
	  .group = "Server options" },
	{ "listen-anywhere", FLAG_SET, AT(serving.anywhere), NULL,
	  "allow an address that other machines can reach" },
	{ "listen-files", FLAG_SET, AT(serving.files), NULL,
	  "allow clients to read and write files" },
	{ "clients", FLAG_INT, AT(serving.clients), "COUNT",
	  "maximum number of clients or web games; they share the memory (default 8)", 1,
	  SERVER_CLIENTS_MAX },
	{ "line-max", FLAG_INT, AT(serving.line_max), "BYTES",
	  "maximum line length in bytes (default 1048576)", 64, (double)SESSION_LINE_MAX },
	{ "idle", FLAG_INT, AT(serving.idle), "SECONDS",
	  "disconnect a client after this many idle seconds, and drop a web game that no page has "
	  "open (default 3600). 0: never",
	  0, 1000000 },
	{ "analysis-threads", FLAG_INT, AT(katago.workers), "COUNT",
	  "number of positions to search at once (default: as --threads)", 1, KATAGO_WORKERS_MAX,
	  .group = "Options of analysis" },
	{ "override-config", FLAG_TEXT, AT(katago.settings), "NAME=VALUE,...",
	  "settings of all queries, as in their overrideSettings: options of the engine, "
	  "maxVisits, maxTime, analysisPVLen, reportAnalysisWinratesAs=BLACK (default), WHITE or "
	  "SIDETOMOVE" },
	{ "quit-without-waiting", FLAG_SET, AT(katago.leaves), NULL,
	  "at the end of input, leave without finishing the queries" },
	{ "file", FLAG_TEXT, AT(file), "FILE",
	  "solve: the positions in FILE, one a line; puzzles: those that were missed in the game "
	  "in FILE",
	  .group = "Options of solve, review and puzzles", .named_only = true },
	{ "number", FLAG_INT, AT(number), "NUMBER",
	  "review and puzzles: the game in FILE, counted from 1 (default 1)", 1, LINE_INT_MAX,
	  .named_only = true },
	{ "all", FLAG_SET, AT(all), NULL,
	  "also print the value of every move, in games with points its score",
	  .named_only = true },
	{ "capture", FLAG_TEXT, AT(capture), "VERTEX",
	  "in Go: find out whether the stones on this point are captured or safe",
	  .named_only = true },
	{ "area", FLAG_TEXT, AT(area), "VERTEX,...",
	  "both sides of --capture play only on these points, or pass (default: the points that "
	  "matter)",
	  .named_only = true },
	{ "komi", FLAG_REAL, AT(komi), "POINTS",
	  "solve: the points that White gets in Go (default: those of the rules)", -GAME_SCORE_MAX,
	  GAME_SCORE_MAX, .named_only = true },
	{ "json", FLAG_SET, AT(json), NULL, "print one JSON object a line", .named_only = true },
	{ "output", FLAG_TEXT, AT(output), "FILE",
	  "write SGF to FILE. review: the game with comments, marks and variations; puzzles: the "
	  "puzzles",
	  .named_only = true },
	{ "count", FLAG_INT, AT(count), "COUNT", "puzzles: how many to make (default 5)", 1,
	  PUZZLES_MAX, .named_only = true },
	{ "worst", FLAG_SET, AT(worst), NULL, "review: print the worst mistakes first",
	  .named_only = true },
	{ "verify", FLAG_SET, AT(verify), NULL,
	  "check the proof by the rules alone, down to finished games. The side whose result is "
	  "claimed makes one move in each position, the other side all moves. Takes a quarter of "
	  "the memory and at most --time again. Draws take far longer than the search",
	  .named_only = true },
	{ "network", FLAG_TEXT, AT(network), "FILE",
	  "evaluate by the network in FILE, which `yomi train` has made, in all sizes of its game; "
	  "mcts and union use it",
	  .group = "Networks" },
	{ "kernel", FLAG_CHOICE, AT(kernel), NULL,
	  "processor instructions to use; auto (default): the fastest that this processor has. All "
	  "give equal results",
	  .choices = kernel_names, .group = "Options for tests" },
	{ "signature", FLAG_SET, AT(signature), NULL, "bench: print only the signatures",
	  .named_only = true },
	{ 0 },
};

static const struct tool tools[] = {
	{ "match", "play matches of GTP engines, or check one engine" },
	{ "report", "make a web page about a match" },
	{ "train", "train the evaluation of a game by self-play" },
	{ "book", "build the opening book of a game, or keep your own" },
	{ "openings", "make level openings for matches" },
	{ 0 },
};

/* --- the man page --- */

static const struct note notes[] = {
	{ "Files", "$XDG_CONFIG_HOME/yomi/config",
	  "The user's config file, if `XDG_CONFIG_HOME` is an absolute path. Otherwise:" },
	{ NULL, "~/.config/yomi/config",
	  "The modes `gtp`, `web` and `analysis` read it; the other modes do not, with or without "
	  "`--no-config`. Use `--no-config` where the user's settings must have no effect, for "
	  "example in matches between versions." },
	{ NULL, NULL,
	  "A line of the file is `name = value`, with the name of an option without dashes. Blank "
	  "lines are ignored. `#` at the beginning of a word starts a comment. If a name occurs "
	  "several times, the last line counts. The command line overrides the file. If it names "
	  "another game, the rules and the size in the file do not count. If a line is wrong, yomi "
	  "prints the file and the line and does not start. Allowed are all options of the engine "
	  "and",
	  .config_flags = true },
	{ NULL, "$XDG_STATE_HOME/yomi/history",
	  "The lines typed on terminals; `~/.local/state/yomi/history` if `XDG_STATE_HOME` is not "
	  "set." },
	{ NULL, "$XDG_STATE_HOME/yomi/games",
	  "The last 100 games of terminals, in SGF; the command `continue` goes on with one." },
	{ NULL, "$XDG_DATA_HOME/yomi/games",
	  "Your files with rules, NAME.rbg; `~/.local/share/yomi/games` if `XDG_DATA_HOME` is not "
	  "set. `--game=NAME` plays one, `yomi games` lists them. Those in the folder that "
	  "`YOMI_GAMES` names come first." },
	{ NULL, "~/.editrc", "Key bindings, see editrc(5)." },
	{ "Environment", "NO_COLOR",
	  "If it is set, boards have no colours, unless `--color` asks for them." },
	{ NULL, "TERM",
	  "If it is unset or `dumb`, there is no line editing, and yomi writes the same as to a "
	  "program." },
	{ "Exit status", "0", "The input has ended, the client said `quit`, or the work is done." },
	{ NULL, "1",
	  "Output, log or history could not be written, the system refused something, `solve` did "
	  "not solve or not verify a position, `review` failed, `puzzles` found none, or `verify` "
	  "found a hole in a proof." },
	{ NULL, "2",
	  "The command line or the config file is wrong, or a file cannot be read; standard error "
	  "says why." },
	{ NULL, "127", "A tool is not installed." },
	{ "Examples", NULL, "A move of Pentago, and the board:" },
	{ NULL, NULL,
	  "    yomi --game pentago --command \"genmove b\" --command showboard </dev/null" },
	{ NULL, NULL,
	  "The engine's command in a graphical interface, for Othello with five seconds a move:" },
	{ NULL, NULL, "    yomi --game othello --time 5" },
	{ NULL, NULL, "In a match on one machine, the same moves every time:" },
	{ NULL, NULL, "    yomi --no-config --threads 1 --playouts 20000 --seed 1" },
	{ NULL, NULL, "A config file:" },
	{ NULL, NULL,
	  "    # two cores are for other programs\n"
	  "    threads = 6\n"
	  "    memory  = 1024    # MiB\n"
	  "    game    = pentago\n"
	  "    rules   = tajima" },
	{ "See also", NULL,
	  "yomi-match(1), yomi-report(1), yomi-train(1), yomi-book(1), yomi-openings(1), "
	  "yomi-solve(1), gtp-rhino(6), quarry(6)" },
	{ NULL, NULL, "The draft of GTP, version 2: https://www.lysator.liu.se/~gunnar/gtp/" },
	{ 0 },
};

/* --- main --- */

static void main_print_versions(FILE *out)
{
	fprintf(out, "kernel: %s, fastest: %s\nlibraries: libevent_core %s\n",
		kernel_names[kernel_used()], kernel_names[kernel_best()], event_get_version());
}

/* Selects the kernel of --kernel and the network of --network. Returns false after an error message if this processor cannot
 * run it, or if the file is not a network. */
static bool main_prepare(const struct arguments *a)
{
	const struct yomi_flags *s = a->values;
	char why[REASON_MAX];
	if (s->kernel != KERNEL_AUTO && !kernel_choose((enum kernel)s->kernel)) {
		program_complain(&program, "this processor cannot run the kernel %s, only %s",
				 kernel_names[s->kernel], kernel_names[kernel_best()]);
		return false;
	}
	if (s->network && !board_net_load(s->network, games, why)) {
		program_complain(&program, "%s", why);
		return false;
	}
	return true;
}

static const struct program program = {
	.name = "yomi",
	.summary = "GTP engine for",
	.description = "yomi plays board games for two players: behind a graphical interface, in a "
		       "tournament or a script by GTP (the Go Text Protocol, version 2), at a "
		       "terminal, and in a browser. A terminal has simple commands of its own: "
		       "type `help` there.\n\n"
		       "Options may stand anywhere, as `--name=value` or `--name value`. The GTP "
		       "command `param` changes the engine's options later.",
	.modes = modes,
	.flags = flags,
	.tools = tools,
	.usual = "game rules size level search time threads memory ponder seed command listen "
		 "verbose help version",
	.notes = notes,
	.size = sizeof(struct yomi_flags),
	.is_engine = true,
	.command_at = commands_at,
	.prepare = main_prepare,
	.print_versions = main_print_versions,
};

int main(int argc, char **argv)
{
	struct yomi_flags line = {
		.serving = { .clients = SERVER_CLIENTS,
			     .line_max = SERVER_LINE_MAX,
			     .idle = SERVER_IDLE },
		.protocol = PROTOCOL_UNKNOWN,
		.count = PUZZLES_COUNT,
		.number = 1,
	};
	loop_init();
	commands_use(tables_commands);
	if (argc > 1 && strcmp(argv[1], KATAGO_MODE) == 0)
		argc = 2 + katago_words(argc - 2, argv + 2);
	return program_run(&program, &line, argc, argv);
}
