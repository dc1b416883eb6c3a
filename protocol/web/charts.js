// SPDX-License-Identifier: MIT
//
// The charts beside the board. Each function draws plain numbers as an SVG.
//
//	graph(element, { values, at, pick, label })  Black's value after 0, 1, ... moves: -1 .. 1 or undefined
//	course(element, { series })                  series over time: [{ name, values }], each with its own logarithmic scale
//	tree(element, { moves, side, ... })          the search tree; the width of a branch shows its visits
const SVG = "http://www.w3.org/2000/svg";
const LEAST_SPAN = Math.log10(2); // minimum height of a course: a factor of 2

function make(name, attributes, parent) {
	const node = document.createElementNS(SVG, name);
	for (const key in attributes)
		node.setAttribute(key, attributes[key]);
	parent?.append(node);
	return node;
}

function text(parent, x, y, words, attributes) {
	make("text", { x, y, ...attributes }, parent).textContent = words;
}

export function graph(element, { values, at, pick, label, top, low }) {
	const width = 400, height = 96, pad = 8, count = Math.max(values.length - 1, 10);
	const x = ply => pad + ply * (width - 2 * pad) / count, y = value => height / 2 - value * (height / 2 - pad);
	const svg = make("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
	make("line", { class: "middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 }, svg);
	const known = [...values.entries()].filter(([, value]) => value !== undefined);
	if (known.length) {
		const line = known.map(([ply, value]) => `${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
		make("path", { class: "area", d: `M${x(known[0][0])} ${height / 2}L${line}L${x(known.at(-1)[0])} ${height / 2}Z` }, svg);
		make("path", { class: "curve", d: `M${line}` }, svg);
	}
	make("line", { class: "now", x1: x(at), x2: x(at), y1: 2, y2: height - 2 }, svg);
	if (values[at] !== undefined)
		make("circle", { class: "point", cx: x(at), cy: y(values[at]), r: 4 }, svg);
	text(svg, 6, 13, top);
	text(svg, 6, height - 6, low);
	svg.addEventListener("click", event => {
		const box = svg.getBoundingClientRect();
		const ply = Math.round(((event.clientX - box.left) / box.width * width - pad) / (width - 2 * pad) * count);
		pick(Math.min(Math.max(ply, 0), values.length - 1));
	});
	element.replaceChildren(svg);
}

export function course(element, { series, show }) {
	const width = 400, height = 56;
	const svg = make("svg", { class: "course", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
	const words = document.createElement("figcaption");
	series.forEach(({ name, values }, i) => {
		const step = (width - 8) / Math.max(values.length - 1, 1);
		const known = values.map((v, n) => [n, Math.log10(v)]).filter(([, v]) => Number.isFinite(v));
		const logs = known.map(([, v]) => v), least = Math.min(...logs), span = Math.max(Math.max(...logs) - least, LEAST_SPAN);
		const middle = (Math.max(...logs) + least) / 2;
		const points = known.map(([n, v]) => [(4 + n * step).toFixed(1), (height / 2 - (height - 12) * (v - middle) / span).toFixed(1)]);
		if (points.length) {
			make("path", { class: `series-${i}`, d: `M${points.map(p => p.join(" ")).join("L")}` }, svg);
			make("circle", { class: `series-${i}`, cx: points.at(-1)[0], cy: points.at(-1)[1], r: 3 }, svg);
		}
		const label = document.createElement("span");
		label.className = `series-${i}`;
		label.textContent = `${name} ${values.at(-1) === null ? "∞" : show(values.at(-1))}`;
		words.append(label);
	});
	element.replaceChildren(words, svg);
}

// Rows are the moves with most visits; columns are the moves of their lines.
export function tree(element, { moves, side, label, show }) {
	const rows = moves.slice(0, 7), columns = 5, wide = 74, high = 36, left = 22;
	const width = left + columns * wide + 6, height = Math.max(rows.length, 1) * high + 6;
	const svg = make("svg", { class: "tree", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
	// If the search does not count visits, all branches have one width.
	const counted = rows.some(move => move.visits > 0);
	const most = Math.max(1, ...rows.map(move => move.visits)), root = [10, height / 2];
	const thick = visits => 1 + 9 * Math.sqrt(visits / most), radius = visits => 3.5 + 7 * Math.sqrt(visits / most);
	const edges = make("g", { class: "edges" }, svg), nodes = make("g", {}, svg);
	make("circle", { class: `node ${side}`, cx: root[0], cy: root[1], r: 9 }, nodes);
	rows.forEach((move, row) => {
		let [x, y] = root, black = side === "black";
		move.line.slice(0, columns).forEach((name, depth) => {
			const visits = move.line_visits?.[depth] ?? move.visits;
			if (counted && visits <= 0)
				return;
			const [to_x, to_y] = [left + depth * wide + 20, 3 + high * (row + 0.5)], bend = (x + to_x) / 2;
			const proof = depth === 0 && move.proof ? move.proof : "";
			make("path", { d: `M${x} ${y}C${bend} ${y} ${bend} ${to_y} ${to_x} ${to_y}`, "stroke-width": thick(visits).toFixed(1),
				"data-proof": proof }, edges);
			make("circle", { class: `node ${black ? "black" : "white"}`, cx: to_x, cy: to_y, r: radius(visits).toFixed(1) }, nodes);
			text(nodes, to_x + 12, to_y - 8, name);
			if (counted)
				text(nodes, to_x + 12, to_y + 9, show(visits), { class: "small" });
			[x, y] = [to_x, to_y];
			black = !black;
		});
	});
	element.replaceChildren(svg);
}
