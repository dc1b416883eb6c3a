// SPDX-License-Identifier: MIT
//
// The analysis beside the board: numbers, candidates, proof numbers, the top of the search tree.
import { $, element, pair, set_text } from "./dom.js";
import { course, tree } from "./charts.js";
import { colour_name, game, move_name, settings, t, view } from "./state.js";
import { height, is_lead, percent, proof_of, score_of, score_text, short, unit } from "./scores.js";
import { show_board } from "./stage.js";
import { show_scores } from "./moves.js";

const CANDIDATES = 7; // moves in the list
const REST = 2;       // rest after drawing a report, as a multiple of the time that it took

// Draws the latest report in the next frame. On a slow machine a frame may take longer than the time between two
// reports. So the page then rests in proportion to the duration of the frame, and answers input meanwhile.
let drawing = false;
export function draw_report() {
	if (drawing)
		return;
	drawing = true;
	requestAnimationFrame(() => {
		const drawn = game.at.report, begun = performance.now();
		show_report();
		setTimeout(() => setTimeout(() => {
			drawing = false;
			if (game.at.report !== drawn)
				draw_report();
		}, REST * (performance.now() - begun)));
	});
}

export function show_report() {
	const it = settings.analysis ? game.at.report : null;
	$("analysis").hidden = !settings.analysis;
	$("tree-card").hidden = !settings.analysis || !settings.tree || !it;
	$("analysis-body").hidden = !it || view.aside?.kind === "tree"; // the explorer takes its place
	$("analysis-empty").hidden = Boolean(it);
	if (!it || !game.at.position)
		return;
	show_scores();
	show_board();
	const colour = it.side;
	set_text($("visits-of"), it.playouts ? t.visits : t.nodes);
	show_numbers(it);
	const counts = it.moves.some(move => is_lead(score_text(score_of(move), colour)));
	set_text($("chance-of"), counts ? t.lead_of(colour_name(colour), unit()) : t.chance_of(colour_name(colour)));
	show_candidates(it, colour);
	$("proof").hidden = it.course.length === 0;
	if (it.course.length)
		course($("proof"), { show: short, series: [{ name: t.proof, values: it.course.map(c => c[0]) },
			{ name: t.disproof, values: it.course.map(c => c[1]) }] });
	if (settings.tree)
		tree($("tree"), { side: colour, label: t.tree, show: short, moves: it.moves.map(move => ({ ...move, proof: proof_of(move, colour) })) });
}

function show_numbers(it) {
	const numbers = [
		[t.playouts, it.playouts ? short(it.playouts) : null],
		[t.rate, it.rate ? short(it.rate) : null],
		[t.nodes, it.nodes ? short(it.nodes) : null],
		[t.depth, it.depth || null],
		[t.time, `${it.seconds.toFixed(1)} s`],
		[t.memory, it.fill === null ? null : t.of_memory(Math.round(it.fill * it.memory), it.memory)],
	];
	const list = $("numbers"), known = numbers.filter(([, value]) => value !== null), names = known.map(([name]) => name);
	if ([...list.querySelectorAll("dt")].map(node => node.textContent).join() !== names.join())
		list.replaceChildren(...names.map(name => pair(name, "")));
	known.forEach(([, value], i) => set_text(list.children[i].lastChild, value));
}

// Rows are reused, so that the focus stays on its button.
function show_candidates(it, colour) {
	const body = $("candidates").tBodies[0], count = Math.min(it.moves.length, CANDIDATES);
	while (body.rows.length > count)
		body.lastChild.remove();
	while (body.rows.length < count)
		body.append(element("tr", {}, element("td", {}, element("button")), element("td", { className: "chance" }, element("i"), ""),
			element("td", { className: "count" }), element("td", { className: "line" })));
	[...body.rows].forEach((row, i) => {
		const move = it.moves[i], score = score_of(move), proof = proof_of(move, colour);
		const [button, chance, visits, line] = [row.cells[0].firstChild, ...[...row.cells].slice(1)];
		row.classList.toggle("best", i === 0);
		set_text(button, move_name(move.move));
		button.setAttribute("aria-pressed", String(view.pinned?.[0] === move.move));
		chance.firstChild.style.setProperty("--part", `${score ? percent(height(score), colour) : 0}%`);
		set_text(chance.lastChild, score ? score_text(score, colour) : "–");
		chance.dataset.proof = proof ?? "";
		chance.title = proof ? t.proven(t[proof]) : "";
		set_text(visits, move.visits ? short(move.visits) : "–");
		set_text(line, move.line.slice(1, 6).join(" "));
	});
}

// A click on a candidate pins its line; a second click releases it.
export function pin_candidate(index) {
	const line = game.at.report?.moves[index]?.line;
	view.pinned = line && view.pinned?.[0] !== line[0] ? line : null;
	show_report();
}
