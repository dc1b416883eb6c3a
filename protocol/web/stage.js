// SPDX-License-Identifier: MIT
//
// The board and what is under it: the position, the marks of an analysis, the state of the game in words.
import { $, set_text } from "./dom.js";
import { COLOURS, SWAP, colour_name, game, has_ended, lost_by, other, settings, shown_node, t, title_of, view } from "./state.js";
import { exact_text, proof_of, score_of, score_text, short, unit, worth } from "./scores.js";
import { play } from "./play.js";
import { is_blocked, wrong_move } from "./puzzle.js";
import { recent_game } from "./store.js";
import { hint_text } from "./reasons.js";

const MERIT_SPAN = 0.4; // moves this much worse than the best one (of -1 .. 1) have the coldest colour
const TRIED = 1000;     // with this many visits a move shows its number, however many the best move has

const board_words = () => ({ ...t, black: colour_name("black"), white: colour_name("white") });

// Makes a board of another form if the position needs one. Returns true then.
export function make_board() {
	const { position } = game.at, key = JSON.stringify([position.game, position.board]);
	if (view.board_key === key)
		return false;
	const board = view.board = new YomiBoard($("board"), position.board, board_words());
	view.board_key = key;
	board.say(board_words());
	$("stage").dataset.game = position.game;
	$("stage").toggleAttribute("data-pen", position.board.pen);
	board.onmove = play;
	board.onrefuse = square => {
		if (view.aside?.kind === "line")
			say(t.aside_blocked);
		else if (is_blocked(game.at) && wrong_move(game.at))
			say(t.puzzle_blocked);
		else if (view.search?.kind !== "move")
			say(t.not_legal(square));
	};
	board.onpending = clicks => {
		show_board();
		const next = [...board.choices.keys()].filter(click => board.indices.has(click));
		// A man that has come to an empty square may remove another one.
		const removes = board.is_empty(clicks.at(-1)) && !next.some(click => board.is_empty(click));
		say(clicks.length === 0 ? "" : !next.length ? t.choose_turn : removes ? t.choose_removed : t.choose_square);
	};
	board.onaim = square => say(t.aim(square));
	return true;
}

export const name_board = () => view.board?.say(board_words());

// --- the position and its marks ---

export function show_board() {
	const at = shown_node(), { position, report } = at;
	const busy = view.aside?.kind === "line" || view.search?.kind === "move" || (lost_by() && !settings.analysis) || is_blocked(at);
	const looking = settings.analysis && report;
	view.board.show({
		squares: position.squares, side: position.side, last: position.last, over: position.over,
		runs: position.runs, legal: busy || position.over ? [] : position.legal, hints: settings.hints,
		before: at.parent?.position?.squares, move: at.move, clicks: { ...at.parent?.position?.clicks, ...report?.clicks, ...position.clicks },
		marks: looking ? settings.shown !== "none" ? marks_of(report, position) : [] : hint_marks(at),
		line: at !== game.at ? [] : view.pinned ?? (looking && settings.line && report.line ? report.line : []),
	});
}

// The moves that the second and third step of a hint name.
function hint_marks({ hint, position }) {
	if (view.hinted !== game.at || !hint || hint.told < 2)
		return [];
	const moves = hint.told === 2 ? hint.lesson.candidates : [hint.lesson.best.move], { begun } = view.board;
	const clicks = moves.map(move => position.clicks[move] ?? []).filter(all => begun.every((click, i) => click === all[i]));
	return [...new Set(clicks.map(all => all[begun.length]))].filter(Boolean).map(click =>
		({ click, text: "?", heat: 1, share: 1, proof: null, best: false }));
}

// Tells the step of the hint in words.
export function tell_hint() {
	const { hint } = game.at;
	if (view.hinted !== game.at || !hint)
		return;
	const square = view.board.target_of(hint.lesson.best.move);
	const [x, y] = square === undefined ? [] : view.board.centre(square);
	say(hint_text(hint, settings.language, square === undefined ? null : [y / view.board.height, x / view.board.width]));
}

// One mark for each next click, with the value of its best move.
function marks_of(it, position) {
	const choices = new Map(), colour = position.to_move, { begun } = view.board;
	if (!it.moves.length)
		return [];
	const next_of = move => {
		const clicks = position.clicks[move] ?? [];
		return begun.every((click, i) => click === clicks[i]) ? clicks[begun.length] : undefined;
	};
	for (const move of it.moves) {
		const click = next_of(move.move);
		if (click)
			choices.set(click, choices.get(click) ?? []).get(click).push(move);
	}
	const counts = new Map();
	for (const click of position.legal.map(next_of))
		counts.set(click, (counts.get(click) ?? 0) + 1);
	const sums = [...choices].map(([click, moves]) => ({ click, moves, visits: moves.reduce((n, m) => n + m.visits, 0) }));
	const most = Math.max(1, ...sums.map(sum => sum.visits));
	const rank = move => ({ win: 3, draw: 1, loss: 0 })[proof_of(move, colour)] ?? 2;
	const best_of = moves => moves.reduce((a, b) => rank(b) > rank(a) ? b : a); // the engine lists its best move first
	const value_of = move => worth(score_of(move), colour);
	const most_worth = value_of(best_of(it.moves));
	// 1: as good as the best move; 0: worse by MERIT_SPAN or more, or unknown.
	const heat = move => Math.min(Math.max(1 - (most_worth - value_of(move)) / MERIT_SPAN, 0), 1) || 0;
	const best_here = sums.length ? best_of(sums.flatMap(sum => sum.moves)) : null;
	const marks = sums.map(({ click, moves, visits }) => {
		const best = best_of(moves);
		// Without a win the click is proven only if all its moves are.
		const proof = moves.length === counts.get(click) || rank(best) === 3 ? proof_of(best, colour) : null;
		return { click, proof, visits, heat: heat(best), share: visits / most,
			best: moves.includes(begun.length ? best_here : it.moves[0]), text: mark_text(best, proof, visits, most, colour) };
	});
	return marks.filter(mark => mark.proof || mark.visits > Math.min(most / 300, TRIED / 3));
}

function mark_text(move, proof, visits, most, colour) {
	const count = short(visits), score = score_of(move);
	if (settings.shown === "visits")
		return proof ? `${t[proof]}\n${count}` : count;
	if (proof) {
		const points = exact_text(score, colour);
		return points ? `${t[proof]}\n${points}` : t[proof];
	}
	if (visits < Math.min(most / 100, TRIED) || !score)
		return "";
	const value = score_text(score, colour).replace("%", "");
	return visits ? `${value}\n${count}` : value;
}

// --- the state in words ---

// What a move did to the other side's stones: { turned, captured }. Only stones that were turned become the mover's.
function taken_by({ color, parent, position }) {
	const before = parent.position?.squares, after = position?.squares;
	const [own, others] = color === "black" ? ["black", "white"] : ["white", "black"];
	const count = (squares, side) => [...squares].filter(content => view.board.owner(content) === side).length;
	const more = (from, to, side) => count(to, side) - count(from, side);
	const lost = before && after ? more(after, before, others) : 0;
	return lost <= 0 ? {} : more(before, after, own) > lost ? { turned: lost } : { captured: lost };
}

function result_text({ position, reason, lost }) {
	if (lost)
		return (reason === "time" ? t.timed_out : t.resigned)(colour_name(lost), colour_name(other(lost)));
	if (position.winner === "draw")
		return t.drawn;
	return t.won(colour_name(position.winner), position.unit && Math.abs(position.score), unit());
}

export const winner = () => lost_by() ? other(lost_by()) : game.at.position.winner;

let notice = ""; // message shown once instead of the state

export function say(text) {
	notice = text;
	show_state();
}

function state_text() {
	const at = shown_node(), { position } = at, mover = colour_name(position.to_move);
	if (position.over || at.lost)
		return result_text(at);
	if (view.asks)
		return t.choose_what_if;
	if (view.search?.kind === "move")
		return t.thinking(colour_name(view.search.colour));
	if (position.pass)
		return t.must_pass(mover);
	return position.legal.includes(SWAP) ? t.may_swap(mover, colour_name(other(position.to_move))) : t.to_move(mover);
}

function move_words(node) {
	if (!node.parent)
		return [];
	const { turned, captured } = taken_by(node), words = [];
	const told = { PASS: t.passed, [SWAP]: t.swapped }[node.move] ?? t.played;
	words.push(told(colour_name(node.color), node.move));
	if (turned)
		words.push(t.turned(turned));
	if (captured && node.move !== SWAP)
		words.push(t.captured(captured));
	return words;
}

export function show_state() {
	const { at } = game, node = shown_node(), { position } = node;
	if (!at.position)
		return;
	const words = notice ? [notice] : [...move_words(node), state_text()], ended = has_ended(), moving = view.search?.kind === "move";
	notice = "";
	const count = at.line().length - 1;
	if (at.ply < count && !view.aside)
		words.push(`(${t.looking_back(at.ply, count)})`);
	set_text($("status"), words.join(" "));
	document.title = `${state_text()} – ${title_of(game.game)} – yomi`;
	for (const colour of COLOURS) {
		const card = $(`player-${colour}`), stone = colour === "black" ? "X" : "O";
		card.classList.toggle("turn", !ended && position.to_move === colour);
		card.classList.toggle("winner", ended && winner() === colour);
		// The players of a record stand there while it is analysed.
		const name = game.puzzle ? (colour === game.puzzle.side ? t.person : "yomi") : settings.analysis ? game.info[colour === "black" ? "PB" : "PW"] ?? "" : "";
		card.classList.toggle("named", Boolean(name));
		set_text(card.querySelector(".name"), name);
		card.classList.toggle("busy", moving && view.search.colour === colour);
		card.querySelector(".count").textContent = position.unit === "discs" ? position.squares.split(stone).length - 1 : "";
	}
	show_buttons(position, ended, moving, count);
	$("ending").hidden = settings.analysis || game.puzzle !== null || !ended || at.ply < count;
	set_text($("ending-title"), ended ? ending_text() : "");
}

// The result for the one person who played, or for all who look on.
function ending_text() {
	const people = COLOURS.filter(colour => !settings.players[colour].yomi);
	if (people.length !== 1 || winner() === "draw")
		return result_text(game.at);
	return winner() === people[0] ? t.you_won : t.you_lost;
}

function show_buttons(position, ended, moving, count) {
	const { at } = game, set = (id, on) => { $(id).disabled = !on; };
	const { aside } = view, done = aside?.step ?? at.ply, all = aside ? aside.nodes.length - 1 : count;
	set("first", done > 0);
	set("back", done > 0);
	set("on", done < all);
	set("end", done < all);
	set("take", at.ply > 0 || lost_by());
	set("resign", !ended && !settings.analysis && !game.puzzle);
	set("go", !position.over && !(ended && !settings.analysis) && !game.puzzle);
	set("hint", !ended && !moving && !position.pass && !is_blocked(at));
	$("hint").hidden = settings.analysis || !view.explains;
	set("what-if", !at.position.over);
	$("what-if").hidden = !settings.analysis || !view.explains;
	set("review", count > 0);
	$("pass").hidden = !position.legal.includes("PASS") || ended || moving || is_blocked(at) || aside?.kind === "line";
	$("swap").hidden = !position.legal.includes(SWAP) || ended || moving || is_blocked(at) || aside?.kind === "line";
	set_text($("go").lastElementChild, moving ? t.now : t.go);
	set_text($("review"), view.review ? t.reviewing : t.review);
	$("hints").setAttribute("aria-pressed", String(settings.hints));
	$("analyse").setAttribute("aria-pressed", String(settings.analysis));
	document.body.classList.toggle("analysing", settings.analysis);
}

// The game that `restore` brings back.
export function show_restore() {
	const left = recent_game(view.left.at(-1));
	$("restore").hidden = !left;
	set_text($("restores"), left ? t.restores(title_of(left.game), left.nodes.length - 1) : "");
}
