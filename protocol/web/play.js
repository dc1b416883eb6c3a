// SPDX-License-Identifier: MIT
//
// What happens to the game. Every action changes the state first. Then tell() sends the engine the difference. Changes run one
// after the other (act). A change ends the running search. Afterwards the next search begins: in play the engine's move if
// it plays the side to move, in analysis the analysis.
//
// This part knows no document. Displays are told through `hooks`.
import { Lost, Refused } from "./link.js";
import { ask_hint, ask_lesson, ask_line, ask_puzzles, ask_tree, judge_puzzle, learn_reasons } from "./lessons.js";
import { is_solved, last_own, needs_answer, puzzle_name } from "./puzzle.js";
import { adopt, ask, forget_options, forget_told, learn, link, options_of, send, set_options, tell, told_move } from "./engine.js";
import { COLOURS, error_text, fresh_game, game, has_ended, is_worth_keeping, keep, move_name, new_tree, other, settings, t, unpack_game, view } from "./state.js";
import { learn_sgf, link_game, read_record } from "./records.js";
import { score_of } from "./scores.js";
import { keep_solved, recent_game, solved_puzzles } from "./store.js";

const REPORTS = 15;         // hundredths of a second between reports
const REVIEW_SECONDS = 0.6; // time for each move when all moves are evaluated
const REVIEW_PATIENCE = 5;  // seconds after which the evaluation goes on without a value
const SMALL_BOARD = 100;    // squares of the largest board on which every move may have a mark
const MARKS = 24;           // moves in a report on larger boards, the best ones
const LEFT_MAX = 20;        // games that can be restored one after the other
const MOVES_TO_COME = 30, INCREMENT_SHARE = 0.8, TIME_LEAST = 0.01; // with a clock: moves, share of the increment, seconds
const HINT_STEPS = 3;       // what to look for and where; candidates; the best move and why
const LINE_KEPT = 6;        // moves of the best line that are stored

export const hooks = {
	moved() {}, // the game may be at another node: the clocks go on
	settled() {}, // the game has changed, and the engine knows it
	changed() {}, // something around the board has changed
	stepped() {}, // the board shows another position beside the game
	reported() {}, // a search has something new
	said(_text) {}, // a message for the user
	async rested() {}, // resolves when the board's animation has ended
};

// --- changes, one after the other ---

let chain = Promise.resolve();
// yomi owes a move at these nodes until it has made it or the game is elsewhere. A search that another action ends leaves it owed.
let asked = null;     // the node where the engine moves, even for a person's side
let answers = null;   // the node that a person's move has led to, perhaps one that had been made before
const hints = new Set(); // those that are asked for and not told yet

// After a lost connection the whole state is sent again. If the engine refuses a command, the page shows the reason
// and takes over the engine's record.
async function on_trouble(error) {
	if (error instanceof Lost)
		return;
	if (!(error instanceof Refused)) {
		console.error(error);
		return;
	}
	try {
		await adopt();
		await settle();
		hooks.said(error_text(error.message));
	} catch {
		forget_told();
	}
}

// Ends the running search, applies a change, and starts the next search. A line beside the game ends, unless `keeps_aside`.
// `waits`: the change that runs now keeps its search.
export function act(change, { reviewing = false, keeps_aside = false, waits = false } = {}) {
	if (view.review && !reviewing)
		stop_review();
	if (!waits) {
		hints.clear();
		stop_search();
	}
	chain = chain.then(() => {
		stop_search(); // one that an earlier change has begun
		return view.search?.done;
	}).then(() => {
		view.asks = false;
		if (!keeps_aside)
			view.aside = null;
	}).then(change).then(settle).catch(on_trouble);
	return chain;
}

function stop_search() {
	if (!view.search || view.search.dropped)
		return;
	view.search.dropped = true;
	link.interrupt();
}

async function settle() {
	if (!link.open)
		return;
	if (settings.analysis && view.explains)
		await learn_reasons(game.at);
	await tell();
	const node = game.at.follow();
	const [position, sgf, books, before] = await Promise.all([ask("yomi-position"), send("printsgf"), view.explores ? ask("yomi-explore") : null,
		node.parent && !node.parent.position ? ask(`yomi-position ${node.ply - 1}`) : null]);
	node.position = position;
	node.books = books;
	await count_puzzles(position);
	if (before)
		node.parent.position = before;
	if (position.over)
		node.score = { value: Math.sign(position.score), score: position.score, proven: true, exact: true };
	learn_sgf(node, sgf);
	if (game.puzzle && is_solved(node))
		keep_solved(puzzle_name(game.start));
	view.pinned = null;
	if (view.hinted !== node)
		view.hinted = null;
	hooks.moved();
	keep();
	hooks.settled();
	next_search();
	if (document.hidden && view.search?.kind !== "move")
		link.sleep();
}

let counted = ""; // the game and rules whose puzzles were counted

// An engine that refuses has no puzzles.
async function count_puzzles({ game: name, rules, rows, cols }) {
	const key = [name, rules].join(" ");
	if (counted !== key)
		view.puzzle_boards = await ask("yomi-puzzles").catch(error => {
			if (!(error instanceof Refused))
				throw error;
			return [];
		});
	counted = key;
	view.puzzles = view.puzzle_boards.find(it => it.rows === rows && it.cols === cols)?.count ?? 0;
}

// The connection is there, perhaps to a new session.
export function begin() {
	forget_told();
	forget_options();
	return act(async () => {
		if (!view.games.length)
			await learn();
	}, { keeps_aside: true });
}

// --- searches ---

function next_search() {
	const { at } = game, { position, children } = at, player = settings.players[position.to_move];
	if (asked !== at)
		asked = null;
	if (answers !== at)
		answers = null;
	const moves = !game.puzzle && (asked || (!settings.analysis && !view.review && (answers || !children.length) && player.yomi));
	if (needs_answer(at, answers !== null))
		act(() => answer_puzzle(at));
	else if (has_ended() && (position.over || !settings.analysis))
		next_review();
	else if (moves)
		start_search("move", player);
	else if (settings.analysis && !view.aside)
		start_search("analysis", { ...player, search: settings.analysis_search, level: 0, threads: null });
}

function start_search(kind, player) {
	const node = game.at, colour = node.position.to_move;
	const own = view.search = { kind, colour, node, dropped: false, hurried: false, course: [], done: null };
	own.done = (async () => {
		await set_options(options_of(player, kind === "move" ? time_share(colour) : Infinity));
		if (own.dropped)
			return;
		const amount = node.position.squares.length > SMALL_BOARD ? `${REPORTS} ${MARKS}` : REPORTS;
		const sent = send(kind === "move" ? `yomi-genmove ${colour} ${amount}` : `yomi-analyze ${amount}`,
			it => !own.dropped && on_report(own, it));
		if (own.hurried)
			link.interrupt();
		const answer = await sent;
		if (kind === "move")
			await take_move(own, JSON.parse(answer));
	})().then(() => {
		view.search = null;
		if (own.dropped)
			return; // the action that dropped it goes on
		if (kind === "move")
			act(() => {});
		else
			next_review(); // the search found everything
	}, error => {
		view.search = null;
		if (error instanceof Refused)
			asked = answers = null;
		act(() => Promise.reject(error));
	});
	hooks.changed();
}

// Seconds that a side may take for a move if it plays with a clock.
function time_share(colour) {
	if (!settings.clock || !game.left)
		return Infinity;
	return Math.max(game.left[colour] / MOVES_TO_COME + INCREMENT_SHARE * settings.clock[1], TIME_LEAST);
}

// The engine's move.
async function take_move(own, last) {
	const { node, colour } = own, move = last.played, resigns = move === "resign";
	if (!resigns)
		told_move({ color: colour, move });
	if (!document.hidden)
		await hooks.rested();
	if (own.dropped)
		return;
	on_report(own, last);
	asked = answers = null;
	if (resigns)
		return give_up(colour, "resign");
	const score = score_of(last.moves.find(it => it.move === move) ?? { value: null, score: null, lower: -1, upper: 1 });
	game.at = node.add(colour, move).follow();
	game.at.score ??= score;
}

function on_report(own, it) {
	const { node } = own, score = score_of(it), [best] = it.moves;
	if (it.proof !== null || it.disproof !== null)
		own.course = [...own.course.slice(-119), [it.proof, it.disproof]];
	node.report = { ...it, course: own.course };
	if (score)
		node.score = score;
	if (best)
		node.best = { move: best.move, line: best.line.slice(0, LINE_KEPT) };
	if (it.seconds >= (score ? REVIEW_SECONDS : REVIEW_PATIENCE) || score?.proven)
		next_review();
	hooks.reported();
}

// --- moves ---

export function play(move) {
	if (view.asks)
		return what_if(move);
	if (view.aside?.kind === "tree")
		return go_down(move);
	return act(() => {
		// An earlier change may have made the move illegal.
		const { legal, to_move } = game.at.position;
		if (!legal.includes(move))
			return;
		game.at = answers = game.at.add(to_move, move).follow();
	});
}

// Goes to a node. `to` may be a function; it is called when the change runs, and may return null.
export function go_to(to, how) {
	return act(() => {
		const node = typeof to === "function" ? to() : to;
		if (node?.path()[0] === game.root) // an earlier change may have begun another game
			game.at = node.follow();
	}, how);
}

export const go_first = () => view.aside ? step_aside(0) : go_to(game.root);
export const go_back = () => view.aside ? step_aside(view.aside.step - 1) : go_to(() => game.at.parent);
export const go_on = () => view.aside ? step_aside(view.aside.step + 1) : go_to(() => game.at.following);
export const go_end = () => view.aside ? step_aside(Infinity) : go_to(() => game.at.line().at(-1));
export const go_branch = step => go_to(() => game.at.branch(step));

// Goes back to the last position where a person was to move. A side that has given up goes on, with a new clock.
export function take_back() {
	const people = game.puzzle ? [game.puzzle.side] : COLOURS.filter(colour => !settings.players[colour].yomi);
	return go_to(() => {
		let node = game.at;
		if (node.lost) {
			Object.assign(node, { lost: null, reason: null, result: "" });
			game.left = null;
			return node;
		}
		do
			node = node.parent ?? node;
		while (node.parent && people.length === 1 && node.following.color !== people[0]);
		return node;
	});
}

// Shows what was better than the last move, as a variation.
export const play_better = () => go_to(() => {
	const { parent, color } = game.at;
	return parent?.best ? parent.add(color, parent.best.move) : null;
});

// Asks the engine what the last move was worth, and why.
export const explain = () => act(async () => {
	const node = game.at;
	if (node.parent)
		node.lesson = await ask_lesson(node.parent, node.color, node.move, settings.analysis_search);
});

// Helps with the next move, each time more. A step that would tell the best move is left out. Leaving the position ends
// the hint. A hint waits for the one before it, so that each counts.
export function hint() {
	const own = {}, done = act(() => hints.has(own) ? give_hint() : null, { waits: hints.size > 0 });
	hints.add(own);
	return done.finally(() => hints.delete(own));
}

async function give_hint() {
	const node = game.at;
	if (has_ended() || node.position.pass)
		return;
	if (view.hinted !== node && node.hint)
		node.hint.told = 0;
	if (!node.hint) {
		const lesson = await ask_hint(node);
		if (!lesson)
			return;
		node.hint = { lesson, told: 0 };
	}
	view.hinted = node;
	const { told, lesson } = node.hint;
	node.hint.told = told === 1 && lesson.candidates.length === 1 ? HINT_STEPS : Math.min(told + 1, HINT_STEPS);
}

// --- what follows a move ---

// The user's next move is a question. Again: no more, and the line of the last question goes away.
export const ask_what_if = () => view.asks || view.aside?.kind === "line" ? leave_aside() : act(() => { view.asks = true; });

export const leave_aside = () => act(() => {});

function what_if(move) {
	hooks.said(t.looks_ahead(move_name(move)));
	return act(async () => {
		const node = game.at, told = node.position.legal.includes(move) ? await ask_line(node, move) : null;
		if (told)
			view.aside = { kind: "line", step: 1, plays: false, ...told };
	});
}

// Opens the tree of the last search at the current position; again: closes it. No search runs meanwhile.
export const explore = () => view.aside?.kind === "tree" ? leave_aside() : act(async () => { view.aside = await ask_tree(null, null); });

// Goes down in the tree.
export const go_down = move => act(async () => {
	const { aside } = view;
	if (aside?.kind !== "tree" || !aside.nodes[aside.step].position.legal.includes(move))
		return;
	view.aside = aside.nodes[aside.step + 1]?.move === move ? { ...aside, step: aside.step + 1 } : await ask_tree(aside, move);
}, { keeps_aside: true });

// Shows another position of those beside the game. `plays`: it goes on by itself.
export function step_aside(to, plays = false) {
	const { aside } = view;
	if (!aside)
		return; // a change has ended it, and is not shown yet
	aside.step = Math.min(Math.max(to, 0), aside.nodes.length - 1);
	aside.plays = plays;
	hooks.stepped();
}

// Adds the line to the game as a variation, and goes to the position of it that was shown.
export function keep_aside() {
	if (!view.aside)
		return;
	const { nodes, step } = view.aside, made = [nodes[0]];
	view.aside = null;
	act(() => {
		for (const { color, move } of nodes.slice(1))
			made.push(made.at(-1).add(color, move));
		game.at = made.at(-1).follow(); // so the engine writes the whole line as SGF
	});
	go_to(() => made[Math.max(step, 1)]);
}

export const promote = () => act(() => game.at.promote());

function give_up(colour, reason) {
	Object.assign(game.at, { lost: colour, reason, result: `${colour === "black" ? "W" : "B"}+${reason === "time" ? "T" : "R"}` });
}

// The person who is to move gives up, or the one who waits for yomi.
export function resign() {
	const colour = game.at.position.to_move;
	const loser = settings.players[colour].yomi && !settings.players[other(colour)].yomi ? other(colour) : colour;
	return act(() => give_up(loser, "resign"));
}

// A move may have been made meanwhile.
export const lose_on_time = colour => act(() => {
	if (game.at.position.to_move === colour && !has_ended() && game.left?.[colour] <= 0)
		give_up(colour, "time");
});

// The engine moves once for the side to move; if it is already thinking, its search ends now.
export function go() {
	if (view.search?.kind === "move") {
		view.search.hurried = true; // it may not have been sent yet
		return link.interrupt();
	}
	return act(() => { asked = game.at; });
}

// --- games ---

// The current game stays among the recent games, and can be restored.
function leave_game() {
	if (!is_worth_keeping())
		return;
	keep();
	view.left = [...view.left.filter(id => id !== game.id), game.id].slice(-LEFT_MAX);
}

export function new_game(change = {}) {
	return act(() => {
		leave_game();
		const komi = "size" in change ? null : game.komi; // another board has its own
		Object.assign(game, fresh_game(), { komi }, change);
	});
}

// Opens a puzzle of the current board. The game before stays where new_game() leaves it.
function begin_puzzle({ number, position, side, komi, value, moves, solution }) {
	leave_game();
	settings.analysis = false;
	Object.assign(game, fresh_game(), { start: position, puzzle: { number, side, komi, value, moves, solution } });
}

export const open_puzzle = puzzle => act(() => begin_puzzle(puzzle));

// Opens the next puzzle that is not solved yet; the next one of all if all are solved.
export const next_puzzle = () => act(async () => {
	if (!game.puzzle)
		return;
	const all = await ask_puzzles(), { number } = game.puzzle, solved = solved_puzzles();
	const next = [...all.slice(number), ...all.slice(0, number)];
	begin_puzzle(next.find(({ position }) => !solved.has(puzzle_name(position))) ?? next[0]);
});

// Judges the person's move and answers it.
async function answer_puzzle(node) {
	if (game.at !== node || settings.analysis)
		return;
	if (!document.hidden)
		await hooks.rested();
	const own = last_own(node);
	if (own.verdict && node.following) {
		game.at = node.following.follow();
		return;
	}
	const judged = await judge_puzzle(node);
	if (!judged)
		return; // the action that ended the search goes on
	own.verdict = judged.verdict;
	own.lesson = judged.lesson ?? own.lesson;
	if (judged.answer)
		game.at = node.add(node.position.to_move, judged.answer).follow();
}

export function rematch(is_swapped) {
	const { players } = settings;
	if (is_swapped)
		[players.black, players.white] = [players.white, players.black];
	settings.analysis = false;
	return new_game({ start: game.start });
}

// Exchanges the game with the last one that was left. The current game becomes the oldest, so that repeating this reaches
// every game.
export function restore() {
	return act(() => {
		const { id } = game, is_kept = is_worth_keeping();
		keep();
		for (let last = view.left.pop(); last; last = view.left.pop()) {
			const kept = unpack_game(recent_game(last));
			if (!kept)
				continue;
			if (is_kept)
				view.left.unshift(id);
			Object.assign(game, kept);
			return;
		}
	});
}

// Opens one of the recent games.
export function open_game(id) {
	return act(() => {
		const kept = unpack_game(recent_game(id));
		if (!kept || id === game.id)
			return;
		leave_game();
		view.left = view.left.filter(it => it !== id);
		Object.assign(game, kept);
	});
}

export const set_mode = analyses => act(() => {
	settings.analysis = analyses;
	asked = null;
});

export function set_komi(komi) {
	return act(() => {
		game.komi = komi;
		for (const node of game.root.all())
			Object.assign(node, { score: null, best: null, position: null, report: null });
	});
}

// --- all moves evaluated ---

export function start_review() {
	settings.analysis = true;
	return go_to(() => {
		view.review = true;
		return game.root;
	}, { reviewing: true });
}

function next_review() {
	if (!view.review || view.search?.dropped)
		return;
	if (game.at.following)
		return void go_to(game.at.following, { reviewing: true });
	stop_review();
}

function stop_review() {
	view.review = false;
	hooks.changed();
}

// --- records and positions ---

// Lets the engine read another game or position. If it refuses, or the connection breaks, throws the error and changes nothing.
async function replace(read) {
	let failure = null;
	await act(async () => {
		forget_told();
		try {
			await read();
		} catch (error) {
			failure = error;
			if (!(error instanceof Refused))
				throw error;
		}
	});
	if (failure)
		throw failure;
}

// A loaded game is for viewing. Resolves to what could not be read, and what was guessed.
export async function load_record(text) {
	let read;
	await replace(async () => {
		read = await read_record(text);
		leave_game();
		Object.assign(game, fresh_game(), read.game);
		settings.analysis = true;
	});
	return read;
}

// The text may have one row per line.
export function set_position(text) {
	const words = text.trim().split(/\s+/), side = words.pop(), start = `${words.join("")} ${side}`;
	return replace(async () => {
		await send(`position ${start}`);
		leave_game();
		Object.assign(game, fresh_game(), { start });
	});
}

// Opens the game of a link. The engine checks all its moves.
export function open_link(fragment) {
	const linked = link_game(fragment);
	if (!linked)
		return null;
	const { ply, moves, ...it } = linked;
	return act(async () => {
		leave_game();
		Object.assign(game, fresh_game(), new_tree(), it);
		settings.analysis = true;
		for (const { color, move } of moves)
			game.at = game.at.add(color, move);
		await tell();
		learn_sgf(game.at, await send("printsgf"));
		game.at = game.at.path()[ply];
	});
}
