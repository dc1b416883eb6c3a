// SPDX-License-Identifier: MIT
//
// The list of puzzles, and the card of the puzzle on the board.
import { $, element, set_text } from "./dom.js";
import { colour_name, game, move_name, other, settings, size_name, size_of, sizes_of, t, title_of, view } from "./state.js";
import { is_solved, puzzle_name, wrong_move } from "./puzzle.js";
import { refutation } from "./reasons.js";
import { ask_puzzles } from "./lessons.js";
import { act, new_game, open_puzzle } from "./play.js";
import { solved_puzzles } from "./store.js";

const task = ({ side, value, moves }) => t.task(colour_name(side), value, moves);

export function open_puzzles() {
	act(async () => {
		const all = await ask_puzzles(), solved = solved_puzzles();
		set_text($("puzzles-title"), `${t.puzzles}: ${title_of(game.game)}`);
		$("puzzles").replaceChildren(...all.map(puzzle => {
			const is_done = solved.has(puzzle_name(puzzle.position));
			const button = element("button", { onclick: () => choose(puzzle) }, element("span", { className: "number", textContent: puzzle.number }),
				element("span", { textContent: task(puzzle) }), element("span", { className: "done", textContent: is_done ? `✓ ${t.solved}` : "" }));
			if (game.puzzle?.number === puzzle.number)
				button.setAttribute("aria-current", "true");
			return element("li", {}, button);
		}));
		const [rows, cols] = size_of(game), others = view.puzzle_boards.filter(it => it.rows !== rows || it.cols !== cols);
		$("puzzle-boards").hidden = !others.length;
		$("puzzle-boards").replaceChildren(element("span", { textContent: t.puzzle_boards }), ...others.map(it => element("button", {
			textContent: size_name(sizes_of(game.game).find(size => size[0] === it.rows && size[1] === it.cols)), onclick: () => choose_board(it) })));
		$("puzzles-dialog").showModal();
	});
}

// Begins a game on another board and lists its puzzles.
function choose_board({ rows, cols }) {
	$("puzzles-dialog").close();
	new_game({ size: [rows, cols] });
	open_puzzles();
}

async function choose(puzzle) {
	$("puzzles-dialog").close();
	await open_puzzle(puzzle);
	view.board.focus();
}

// What has become of the puzzle in words, "" while it goes on.
function outcome_of(wrong) {
	if (is_solved(game.at))
		return t.puzzle_solved;
	if (!wrong)
		return "";
	const answer = wrong.following, words = [t.puzzle_wrong(move_name(wrong.move), game.puzzle.value)];
	if (answer)
		words.push(t.puzzle_answer(colour_name(other(wrong.color)), move_name(answer.move)));
	return [...words, ...wrong.lesson ? refutation(wrong.lesson, settings.language) : []].join(t.gap);
}

export function show_puzzle() {
	const { puzzle } = game, wrong = puzzle && !settings.analysis ? wrong_move(game.at) : null;
	$("open-puzzles").hidden = !view.puzzle_boards.length;
	$("puzzle").hidden = !puzzle;
	if (!puzzle)
		return;
	const text = outcome_of(wrong), solved = !wrong && text !== "";
	set_text($("puzzle-title"), `${t.puzzle_of(puzzle.number, view.puzzles)} ${task(puzzle)}`);
	set_text($("puzzle-told"), text);
	$("puzzle").classList.toggle("solved", solved);
	$("puzzle").classList.toggle("wrong", Boolean(wrong));
	const had_focus = document.activeElement === $("puzzle-again");
	$("puzzle-again").hidden = !wrong;
	if (had_focus && !wrong)
		view.board.focus();
	$("puzzle-next").classList.toggle("primary", solved);
}
