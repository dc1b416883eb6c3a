// SPDX-License-Identifier: MIT
//
// The AND/OR tree of the last search: one node with its children, and the path that leads to it. The board shows its position.
// The numbers of the analysis give way to it.
import { $, element, pair, set_text } from "./dom.js";
import { colour_name, move_name, settings, t, view } from "./state.js";
import { node_text } from "./reasons.js";
import { percent, proof_of, short } from "./scores.js";
import { go_down, step_aside } from "./play.js";

const number = n => n === null ? "∞" : short(n);
const numbers_text = it => it ? `${number(it.proof)} / ${number(it.disproof)}` : "–";

// What is proven of a node, else its value, from the view of a colour.
function value_text(node, colour) {
	const proof = proof_of(node, colour);
	if (proof)
		return t[proof];
	const value = node.value === null ? "" : `${percent(node.value, colour)}%`;
	const { least, most } = colour === "black" ? { least: node.lower, most: node.upper } : { least: -node.upper, most: -node.lower };
	const bound = least === 0 ? `≥ ${t.draw}` : most === 0 ? `≤ ${t.draw}` : "";
	return [value, bound].filter(Boolean).join(", ") || "–";
}

// The columns of a table of nodes: name and text of a cell. Numbers that no node has are left out.
function columns_of(nodes, colour) {
	/** @type {{ name: string, text: Function, is_pale: Function, proof?: Function }[]} */
	const columns = [];
	for (const name of ["win", "draw"])
		if (nodes.some(node => node[name]))
			columns.push({ name: t[name], text: node => numbers_text(node[name]), is_pale: node => node[name]?.stored === false });
	if (nodes.some(node => node.visits))
		columns.push({ name: t.visits, text: node => node.visits ? short(node.visits) : "–", is_pale: () => false });
	columns.push({ name: t.value, text: node => value_text(node, colour), is_pale: () => false, proof: node => proof_of(node, colour) });
	return columns;
}

// The best moves first: those whose proof, or disproof where all moves count, seems easiest.
function ranked({ kind, children }) {
	const effort = numbers => (kind === "or" ? numbers?.proof : numbers?.disproof) ?? Number.MAX_VALUE;
	return [...children].sort((a, b) => effort(a.win) - effort(b.win) || effort(a.draw) - effort(b.draw) || b.visits - a.visits);
}

let drawn = null; // the node in the table, and the language

export function show_proofs() {
	const tree = view.aside?.kind === "tree" ? view.aside : null, key = tree && [tree.told[tree.step], settings.language];
	$("proofs").hidden = !tree;
	$("explore").hidden = !view.has_tree;
	$("explore").setAttribute("aria-pressed", String(Boolean(tree)));
	if (key?.every((it, i) => it === drawn?.[i]))
		return;
	drawn = key;
	if (tree)
		draw(tree);
}

function draw({ nodes, told, step }) {
	const node = told[step], colour = node.for, had_focus = $("proofs").contains(document.activeElement);
	set_text($("proofs-title"), t.proofs(colour_name(colour)));
	$("crumbs").replaceChildren(...nodes.map((it, i) => {
		const button = element("button", { className: "small", onclick: () => step_aside(i) }, i ? move_name(it.move) : t.the_position);
		if (i === step)
			button.setAttribute("aria-current", "step");
		return element("li", {}, button);
	}));
	const { text, lang } = node_text(node, settings.language);
	set_text($("proof-text"), text);
	$("proof-text").lang = lang;
	const [root] = told;
	$("proofs-none").hidden = Boolean(root.win || root.draw || root.visits);
	set_text($("proofs-none"), t.proofs_none);
	const columns = columns_of([node, ...node.children], colour);
	$("proof-numbers").replaceChildren(pair(t.node, t.nodes_of[node.kind]), ...columns.map(({ name, text: tell }) => pair(name, tell(node))));
	const table = $("children");
	table.hidden = !node.children.length;
	table.tHead.rows[0].replaceChildren(...[t.move, ...columns.map(({ name }) => name)].map(name => element("th", { scope: "col" }, name)));
	table.tBodies[0].replaceChildren(...ranked(node).map(child => element("tr", {},
		element("td", {}, element("button", { onclick: () => go_down(child.move) }, move_name(child.move), element("small", {}, t.nodes_of[child.kind]))),
		...columns.map(({ text: tell, is_pale, proof }) => {
			const cell = element("td", { className: is_pale(child) ? "pale" : "" }, tell(child));
			if (proof?.(child))
				cell.dataset.proof = proof(child);
			return cell;
		}))));
	$("children-frame").scrollTop = 0;
	if (had_focus)
		(table.querySelector("button") ?? $("crumbs").querySelector("[aria-current]")).focus({ preventScroll: true });
}
