// SPDX-License-Identifier: MIT
//
// A puzzle on the board: a game that begins with its position. A person plays the side to move, yomi the other one. `game.puzzle`
// has the engine's { number, side, komi, value, moves, solution }: the side that wins or draws, komi or null, "win" or "draw", its
// moves up to a win or null, and the moves of both sides.
//
// Each move of the person gets a verdict: "right" if it keeps the result, else "wrong".
import { game, settings } from "./state.js";

const own_moves = node => node.path().slice(1).filter(({ color }) => color === game.puzzle.side);

export const last_own = node => own_moves(node).at(-1) ?? null;
export const wrong_move = node => own_moves(node).find(({ verdict }) => verdict === "wrong") ?? null;

// The move of the solution that follows a node; null at its end and off the solution.
export function next_of_solution(node) {
	const { solution } = game.puzzle;
	return node.path().slice(1).every(({ move }, i) => move === solution[i]) ? solution[node.ply] ?? null : null;
}

export const is_reached = ({ winner }) => winner === game.puzzle.side || (winner === "draw" && game.puzzle.value === "draw");

// If nobody knows how many moves a win takes, the end of the solution counts.
export function is_solved(node) {
	const own = own_moves(node), { solution, moves } = game.puzzle, { position } = node;
	return own.length > 0 && own.every(({ verdict }) => verdict === "right") &&
		(position.over ? is_reached(position) : moves === null && own.length >= Math.ceil(solution.length / 2));
}

// True if yomi must judge the person's last move or answer it. `is_new`: the person has just made it, perhaps again.
export function needs_answer(node, is_new) {
	if (!game.puzzle || settings.analysis || !last_own(node) || is_solved(node))
		return false;
	const { over, to_move } = node.position, { verdict } = last_own(node);
	return over ? !verdict || (verdict === "right" && !is_reached(node.position)) :
		to_move !== game.puzzle.side && (is_new || !node.children.length);
}

// True if the person may not move: a move was wrong, or it is yomi's turn.
export const is_blocked = node => Boolean(game.puzzle) && !settings.analysis &&
	(node.position.to_move !== game.puzzle.side || Boolean(wrong_move(node)));

// Judges a move by the answer of yomi-explain. What is not proven counts as kept unless the search sees a blunder.
export function is_kept({ worth, loss }) {
	const { side, value } = game.puzzle, wanted = value === "win" ? 1 : 0;
	const [least, most] = side === "black" ? [worth.lower, worth.upper] : [-worth.upper, -worth.lower];
	return least >= wanted || (most >= wanted && loss.size !== "blunder");
}

// The name under which the browser keeps that a puzzle is solved. Numbers may change, positions do not.
export const puzzle_name = position => `${game.game} ${game.rules} ${position}`;
