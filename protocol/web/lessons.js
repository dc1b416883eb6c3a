// SPDX-License-Identifier: MIT
//
// Questions to the engine about moves and positions. They run within a change of play.js, so that no search runs meanwhile. The
// game is the same afterwards, and the change's end tells the engine so.
import { ask, options_of, set_options, tell } from "./engine.js";
import { game, settings, view } from "./state.js";
import { Node } from "./tree.js";
import { is_kept, is_reached, last_own, next_of_solution } from "./puzzle.js";

const LINE_MOST = 8, LINE_LEAST = 3; // moves of a line that follows a move

// Does something with the engine at another node.
async function with_engine_at(node, work) {
	await tell(node);
	return work();
}

// Asks about a move in a position, "" for the best move; `search` null: the program's default search. Resolves to null if the
// user's next action ended the search.
export async function ask_lesson(position, colour, move, search = null) {
	const own = view.search = { kind: "explanation", colour, node: game.at, dropped: false, course: [], done: null };
	try {
		const lesson = await with_engine_at(position, async () => {
			await set_options(options_of({ ...settings.players[colour], search, level: 0, threads: null }, Infinity));
			return ask(`yomi-explain ${move}`.trim());
		});
		return own.dropped ? null : lesson;
	} finally {
		view.search = null;
	}
}

// What speaks for the best move that a search has found before the last move, without a search. It stays until another one is best.
export async function learn_reasons(node) {
	const before = node.parent, move = before?.best?.move;
	if (!move || move === node.move || before.reasons?.move === move)
		return;
	before.reasons = { move, facts: await with_engine_at(before, () => ask(`yomi-facts ${move}`)) };
}

// The best move and why. In a puzzle it is the move of the solution.
export async function ask_hint(node) {
	const colour = node.position.to_move, known = game.puzzle ? next_of_solution(node) : null;
	const lesson = await ask_lesson(node, colour, known ?? "", game.puzzle ? null : settings.analysis_search);
	if (!lesson || !known || lesson.best.move === known)
		return lesson;
	const { worth, facts, answer, candidates } = lesson;
	return { ...lesson, best: { move: known, worth, facts, line: [known, ...answer] },
		candidates: [known, ...candidates.filter(it => it !== known)].slice(0, 3) };
}

// A node after another one that is not in the tree, with its position.
async function node_beside(parent, move) {
	const node = new Node(parent, parent.position.to_move, move);
	node.position = await with_engine_at(node, () => ask("yomi-position"));
	return node;
}

// Asks what follows a move. Resolves to the answer of yomi-explain and the nodes from `node` on; null if the user's next action
// ended the search. If the engine has proven the result without a long line, the line goes on with the best moves.
export async function ask_line(node, move) {
	const lesson = await ask_lesson(node, node.position.to_move, move), nodes = [node];
	if (!lesson)
		return null;
	let line = [move, ...lesson.answer];
	for (;;) {
		for (const it of line.slice(0, LINE_MOST + 1 - nodes.length))
			nodes.push(await node_beside(nodes.at(-1), it));
		const last = nodes.at(-1), { over, pass, to_move } = last.position;
		if (over || nodes.length > LINE_LEAST)
			return { lesson, nodes };
		const next = pass ? null : await ask_lesson(last, to_move, "");
		if (!pass && !next)
			return null;
		line = next?.best.line ?? ["PASS"];
	}
}

// The path that goes on from a position beside the game by a move, or begins at the current one. Each node has what the last search
// has kept about it.
export async function ask_tree(aside, move) {
	const nodes = aside ? aside.nodes.slice(0, aside.step + 1) : [game.at], told = aside ? aside.told.slice(0, nodes.length) : [];
	if (move)
		nodes.push(await node_beside(nodes.at(-1), move));
	await tell();
	told.push(await ask(["yomi-tree", ...nodes.slice(1).map(node => node.move)].join(" ")));
	return { kind: "tree", nodes, told, step: nodes.length - 1 };
}

// Judges the person's last move in a puzzle. Resolves to { verdict, lesson, answer }, with null for what is not needed; null if
// the user's next action ended the search.
export async function judge_puzzle(node) {
	const own = last_own(node), { position } = node;
	if (position.over)
		return { verdict: is_reached(position) ? "right" : "wrong", lesson: null, answer: null };
	const known = next_of_solution(own.parent) === own.move, answer = known ? next_of_solution(node) : null;
	if (answer || (known && game.puzzle.moves === null)) // without a number of moves the solution's end is the puzzle's
		return { verdict: "right", lesson: null, answer };
	const lesson = await ask_lesson(own.parent, own.color, own.move);
	if (!lesson)
		return null;
	// Only one first move is right.
	const verdict = known || (own.ply > 1 && is_kept(lesson)) ? "right" : "wrong";
	const reply = position.pass ? "PASS" : lesson.answer[0] ?? (await ask_lesson(node, position.to_move, ""))?.best.move;
	return reply ? { verdict, lesson, answer: reply } : null;
}

// All puzzles of the game's board.
export async function ask_puzzles() {
	await tell();
	return Promise.all(Array.from({ length: view.puzzles }, (_, i) => ask(`yomi-puzzle ${i + 1}`)));
}
