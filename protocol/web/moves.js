// SPDX-License-Identifier: MIT
//
// The moves of the current line, the variations that branch off it, their scores as a graph, and the comment.
import { $, element, set_text } from "./dom.js";
import { graph } from "./charts.js";
import { COLOURS, colour_name, game, move_name, settings, t, view } from "./state.js";
import { explanation, facts_text } from "./reasons.js";
import { height, is_lead, judge, percent, score_text, unit } from "./scores.js";
import { go_to } from "./play.js";

const BRANCH_MOVES = 4; // moves of a variation that are listed

let drawn = []; // the rows of the list: { key, item, buttons }, with the node of each button

export function show_moves() {
	const list = $("moves"), line = game.at.line(), was_here = list.contains(document.activeElement), before = drawn;
	drawn = rows_of(line).map((row, n) => {
		const key = row_key(row);
		return before[n]?.key === key ? before[n] : draw_row(row, n + 1, key);
	});
	drawn.forEach(({ item }, n) => {
		if (list.children[n] !== item)
			list.insertBefore(item, list.children[n] ?? null);
	});
	while (list.children.length > drawn.length)
		list.lastChild.remove();
	for (const [node, button] of buttons())
		if (node === game.at)
			button.setAttribute("aria-current", "true");
		else if (button.hasAttribute("aria-current"))
			button.removeAttribute("aria-current");
	const current = list.querySelector("[aria-current]");
	list.scrollTop = current ? current.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
	if (was_here)
		current?.focus({ preventScroll: true });
	const branches = line.some(node => node.siblings().length > 1);
	$("branch-tools").hidden = !branches;
	$("promote").disabled = game.at.is_main;
	show_about();
	show_scores();
}

const buttons = () => drawn.flatMap(it => it.buttons);

const nodes_in = row => COLOURS.flatMap(colour => row[colour] ?? []);
const branches_of = row => nodes_in(row).flatMap(node => node.siblings().filter(it => it !== node));

// A row is drawn anew if this changes. In long games most rows stay, which saves most of the time.
const row_key = row => [settings.language, view.board_key, ...nodes_in(row).map(node => [node.id, Boolean(node.comment)]),
	...branches_of(row).map(node => [node.id, branch_words(node)])].join();

function draw_row(row, number, key) {
	const made = nodes_in(row).map(node => [node, move_button(node)]), branches = branches_of(row).map(node => branch_button(node, number));
	const item = element("li", {}, element("span", { textContent: number }),
		...COLOURS.map(colour => made.find(([node]) => node === row[colour])?.[1] ?? element("span")),
		...branches.length ? [element("div", { className: "branches" }, ...branches)] : []);
	return { key, item, buttons: made };
}

// Two moves a row; a side that moves twice begins another row.
function rows_of(line) {
	const rows = [];
	let row = null;
	for (const node of line.slice(1)) {
		if (!row || node.color === "black" || row[node.color]) {
			row = {};
			rows.push(row);
		}
		row[node.color] = node;
	}
	return rows;
}

function move_button(node) {
	const button = element("button", { className: node.color, onclick: () => go_to(node) }, move_name(node.move), ...turn_picture(node), element("small"));
	button.dataset.ply = node.ply;
	button.classList.toggle("noted", Boolean(node.comment));
	return button;
}

// The turn of a move as a picture: which corner of the board turns, and which way. The letter of a turn ends the move.
function turn_picture({ move }) {
	const turn = view.board.layout.turns.find(({ letter }) => letter === move.at(-1));
	if (!turn)
		return [];
	const corner = (turn.row > 0 ? 2 : 0) + (turn.col > 0 ? 1 : 0);
	return [element("span", { className: "turn-picture", ariaHidden: "true" },
		element("span", { className: "corners" }, ...[0, 1, 2, 3].map(i => element("i", { className: i === corner ? "turning" : "" }))),
		turn.clockwise ? "↻" : "↺")];
}

// The first moves of a variation.
function branch_words(node) {
	const nodes = [node];
	while (nodes.length < BRANCH_MOVES && nodes.at(-1).following)
		nodes.push(nodes.at(-1).following);
	return nodes.map(({ move }) => move_name(move)).join(" ") + (nodes.at(-1).following ? " …" : "");
}

// A variation, from row `number` on.
function branch_button(node, number) {
	return element("button", { className: node.color, onclick: () => go_to(node) },
		element("span", { className: "hidden", textContent: t.variation(colour_name(node.color)) }),
		element("small", { textContent: node.color === "black" ? `${number}.` : `${number}…` }), branch_words(node));
}

// Players, event and date of a record, and the comment on the position.
function show_about() {
	const { PB, PW, EV, DT } = game.info, { result } = game.root.main_end();
	const about = [PB || PW ? `${PB ?? "?"} – ${PW ?? "?"}` : "", result, EV, DT].filter(Boolean);
	$("about-game").hidden = !about.length || !(PB || PW || EV || DT);
	set_text($("about-game"), about.join(" · "));
	$("comment-label").hidden = !settings.analysis && !game.at.comment;
	if ($("comment") !== document.activeElement || $("comment").dataset.node !== String(game.at.id))
		$("comment").value = game.at.comment;
	$("comment").dataset.node = game.at.id;
}

// While one plays there are no numbers.
export function show_scores() {
	const line = game.at.line();
	for (const [node, button] of buttons()) {
		const kind = settings.analysis ? judge(node)?.kind ?? "" : "";
		set_text(button.lastChild, settings.analysis ? score_text(node.score, node.color) : "");
		if (button.dataset.kind !== kind)
			button.dataset.kind = kind;
	}
	show_verdict(line);
	$("graph").hidden = $("balance").hidden = !settings.analysis;
	if (!settings.analysis)
		return;
	const values = line.map(node => height(node.score));
	graph($("graph"), { values, at: game.at.ply, pick: ply => go_to(line[ply]), label: t.graph(colour_name("black")), top: colour_name("black"), low: colour_name("white") });
	$("graph").classList.toggle("none", values.every(v => v === undefined));
	$("graph").dataset.none = t.graph_none;
	show_balance(game.at.score);
}

// What the last move cost, and what was better.
function show_verdict(line) {
	const { at } = game, verdict = settings.analysis ? judge(at) : null, best = at.parent?.best;
	$("verdict").hidden = !verdict;
	$("better").hidden = !verdict || !best;
	if (verdict) {
		const reasons = at.parent.reasons?.move === best?.move ? at.parent.reasons?.facts ?? [] : [];
		set_text($("verdict"), t.verdict(colour_name(at.color), move_name(at.move), t.kinds[verdict.kind], verdict.cost) +
			(reasons.length ? t.because(move_name(best.move), facts_text(reasons, settings.language)) : ""));
		set_text($("better"), best ? t.better(best.line.map(move_name).join(" ")) : "");
	}
	$("why").hidden = !settings.analysis || !view.explains || !at.parent;
	$("reasons").hidden = !settings.analysis || !at.lesson;
	show_reasons(at.lesson ? explanation(at.lesson, settings.language, unit()) : []);
	$("next-mistake").hidden = !settings.analysis || !line.some(is_mistake);
}

// In one column what was wrong stands below the board, so that one sees both.
export function place_judged() {
	const narrow = matchMedia("(max-width: 900px), (max-height: 520px) and (min-aspect-ratio: 4/3)");
	const place = () => (narrow.matches ? $("restore") : $("moves")).before($("judged"));
	narrow.addEventListener("change", place);
	place();
}

function show_reasons(reasons) {
	const list = $("reasons");
	if ([...list.children].map(node => node.textContent).join() !== reasons.map(it => it.text).join())
		list.replaceChildren(...reasons.map(({ text, lang }) => element("li", { textContent: text, lang })));
}

const is_mistake = node => ["mistake", "blunder"].includes(judge(node)?.kind);

// The next mistake of the current line; after the last one the first.
export function next_mistake() {
	const line = game.at.line(), mistakes = line.filter(is_mistake);
	return mistakes.find(node => node.ply > game.at.ply) ?? mistakes[0] ?? null;
}

// The bar shows both shares, with the number of the side that is ahead.
function show_balance(score) {
	const chance = score ? percent(height(score), "black") : 50, text = score_text(score, "black");
	const balance = $("balance"), ahead = chance < 50 ? "white" : "black";
	balance.classList.toggle("unknown", !score);
	balance.style.setProperty("--black", `${chance}%`);
	balance.setAttribute("aria-label", score ? (is_lead(text) ? t.lead : t.balance)(colour_name("black"), text, unit()) : t.no_balance);
	set_text(balance.lastChild, score_text(score, ahead));
	balance.lastChild.className = ahead;
}
