// SPDX-License-Identifier: MIT
//
// YomiGround: the empty board as an SVG, and where its squares are. It draws the layout that yomi describes (`board` in the
// answer of yomi-position, see protocol/README.md): squares, also chequered, intersections, holes, hexagons, boxes between dots or a graph, their labels, and the parts
// between gaps. YomiBoard puts the rest on it.
"use strict";

const YomiGround = (() => {
	const SVG = "http://www.w3.org/2000/svg";
	const CELL = 100, GAP = 22;
	const HEX_ROW = CELL * Math.sqrt(3) / 2; // from a row of hexagons to the next one
	const HEX_RIM = 36;       // the coloured sides of a board of hexagons, half of it below the hexagons
	const LABELS_FROM = 9;    // boards with more rows or columns have larger labels
	const CROWDED_FROM = 15;  // boards with more rows or columns show one line of a mark's text, in larger letters

	const FIELD = 64;         // the field of a graph reaches so far beyond its places; their names stand so far within

	let grounds = 0;

	function make(name, attributes, parent) {
		const node = document.createElementNS(SVG, name);
		for (const key in attributes)
			node.setAttribute(key, attributes[key]);
		if (parent)
			parent.append(node);
		return node;
	}

	class Ground {
		constructor(layout) {
			const { columns, numbers, block, turns, kind, color, pen, shape, names, hand } = layout;
			this.layout = layout;
			this.cols = columns.length;
			this.rows = numbers.length;
			this.hexes = kind === "hexagons";
			this.exists = Array.from({ length: this.rows * this.cols }, (_, i) => shape?.[i] !== ":");
			this.graph = kind === "graph";
			this.places = this.exists.map((exists, i) => exists && !hand?.includes(i)); // without those beside the board
			this.names = names ?? numbers.flatMap(number => columns.map(letter => letter + number));
			this.indices = new Map(this.names.map((name, i) => [name, i]));
			this.block = block ?? [this.rows, this.cols];
			this.crowded = Math.max(this.rows, this.cols) > CROWDED_FROM;
			this.scale = Math.max(1, Math.max(this.rows, this.cols) / LABELS_FROM);
			this.margin = turns.length ? 92 : pen ? 50 : this.graph ? 14 : (kind === "intersections" ? 44 : 62) * this.scale;
			if (this.hexes) {
				this.measure_hexes();
			} else {
				this.width = this.along(this.cols - 1, this.block[1]) + CELL / 2 + this.margin;
				this.height = this.along(this.rows - 1, this.block[0]) + CELL / 2 + this.margin;
			}
			this.id = `board${++grounds}`;
			this.svg = make("svg", {
				class: ["yomi-board", kind, color, ...(pen ? ["pen"] : []), ...(this.crowded ? ["crowded"] : [])].join(" "),
				viewBox: `0 0 ${this.width} ${this.height}`, role: "group" });
			this.draw_ground();
			this.draw_parts();
		}

		// --- geometry ---

		along(i, block) {
			return this.margin + (i + 0.5) * CELL + Math.floor(i / block) * GAP;
		}

		centre(index) {
			return this.hexes ? this.hex_at(Math.floor(index / this.cols), index % this.cols) : [this.along(index % this.cols, this.block[1]), this.along(Math.floor(index / this.cols), this.block[0])];
		}

		// Each row of hexagons begins half a hexagon further right than the row above it. The place may be off the board.
		hex_at(row, col) {
			return [this.left + (col + row / 2 + 0.5) * CELL, this.margin + (row + 2 / 3) * HEX_ROW];
		}

		has(row, col) {
			return row >= 0 && row < this.rows && col >= 0 && col < this.cols && this.places[row * this.cols + col];
		}

		measure_hexes() {
			const all = this.exists.flatMap((exists, i) => exists ? [i % this.cols + Math.floor(i / this.cols) / 2] : []);
			const wide = Math.max(...all) - Math.min(...all) + 1;
			this.crowded = wide > CROWDED_FROM;
			this.scale = Math.max(1, wide / LABELS_FROM);
			this.margin = 60 * this.scale + (this.layout.joins ? HEX_RIM : 0);
			this.left = this.margin - Math.min(...all) * CELL;
			this.width = 2 * this.margin + wide * CELL;
			this.height = 2 * this.margin + (this.rows + 1 / 3) * HEX_ROW;
		}

		// The corners of a hexagon around a point, clockwise from the top one.
		hex_corners(centre, radius) {
			const [x, y] = centre;
			return Array.from({ length: 6 }, (_, i) => {
				const angle = (i - 1.5) * Math.PI / 3;
				return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
			});
		}

		// The rectangle of an area.
		box({ row, col, rows, cols }) {
			const x = this.along(col, this.block[1]) - CELL / 2, y = this.along(row, this.block[0]) - CELL / 2;
			const width = this.along(col + cols - 1, this.block[1]) + CELL / 2 - x;
			const height = this.along(row + rows - 1, this.block[0]) + CELL / 2 - y;
			return { x, y, width, height, cx: x + width / 2, cy: y + height / 2 };
		}

		is_in(index, { row, col, rows, cols }) {
			const r = Math.floor(index / this.cols) - row, c = index % this.cols - col;
			return r >= 0 && r < rows && c >= 0 && c < cols;
		}

		// A point beside the arrow's edge, so far from the edge of the drawing.
		turn_place({ box, edge }, away) {
			return { left: [away, box.cy], right: [this.width - away, box.cy], top: [box.cx, away],
				bottom: [box.cx, this.height - away] }[edge];
		}

		// --- drawing ---

		draw_ground() {
			const defs = make("defs", {}, this.svg);
			for (const colour of ["black", "white"]) {
				const shade = make("radialGradient", { id: `${this.id}-${colour}`, cx: "36%", cy: "30%", r: "75%" }, defs);
				make("stop", { offset: "0", class: `${colour}-light` }, shade);
				make("stop", { offset: "1", class: `${colour}-dark` }, shade);
			}
			const ground = make("g", { class: "ground", "aria-hidden": "true" }, this.svg);
			if (this.hexes)
				return this.draw_hexagons(ground);
			make("rect", { class: "frame", x: 4, y: 4, width: this.width - 8, height: this.height - 8,
				rx: this.layout.block ? 44 : 26 }, ground);
			if (this.graph)
				return;
			const labels = make("g", { class: "labels", "font-size": (this.layout.pen ? 17 : 27) * this.scale }, ground);
			const from = this.margin - (this.layout.turns.length ? 22 : this.margin / 2);
			this.layout.columns.forEach((letter, col) => {
				for (const y of [from, this.height - from])
					make("text", { x: this.along(col, this.block[1]), y }, labels).textContent = letter;
			});
			this.layout.numbers.forEach((number, row) => {
				for (const x of [from, this.width - from])
					make("text", { x, y: this.along(row, this.block[0]) }, labels).textContent = number;
			});
		}

		draw_hexagons(ground) {
			const points = corners => corners.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
			const all = this.names.map((_, i) => i).filter(i => this.exists[i]), size = CELL / Math.sqrt(3);
			make("polygon", { class: "frame", points: points(this.hex_outline(all)) }, ground);
			if (this.layout.joins)
				this.draw_sides(ground, size);
			const cells = make("g", { class: "cells" }, ground);
			for (const i of all)
				make("polygon", { class: `cell ${this.layout.joins ? "" : this.hex_kind(i)}`, points: points(this.hex_corners(this.centre(i), size)) }, cells);
			this.draw_hex_labels(ground);
		}

		// The outline of the frame: around all hexagons and their labels.
		hex_outline(all) {
			const far = all.flatMap(i => this.hex_corners(this.centre(i), this.margin + CELL / 2 - 4));
			const hull = list => {
				const out = [];
				for (const p of list) {
					while (out.length > 1) {
						const [a, b] = out.slice(-2);
						if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 1e-6)
							break;
						out.pop();
					}
					out.push(p);
				}
				return out.slice(0, -1);
			};
			far.sort(([a, b], [c, d]) => a - c || b - d);
			return [...hull(far), ...hull([...far].reverse())];
		}

		// A hexagon with three neighbours is a corner of the board, one with four or five lies on a side.
		hex_kind(index) {
			const row = Math.floor(index / this.cols), col = index % this.cols;
			const near = [[-1, 0], [-1, 1], [0, 1], [1, 0], [1, -1], [0, -1]].filter(([r, c]) => this.has(row + r, col + c)).length;
			return near <= 3 ? "corner" : near < 6 ? "side" : "";
		}

		// The sides that Black joins, at the top and bottom, and those that White joins, in their colours.
		draw_sides(ground, size) {
			const last_row = this.rows - 1, last_col = this.cols - 1, group = make("g", { class: "sides" }, ground);
			const edge = (row, col, from, colour) => {
				const corners = this.hex_corners(this.hex_at(row, col), size), [x1, y1] = corners[from], [x2, y2] = corners[(from + 1) % 6];
				make("line", { class: colour, x1, y1, x2, y2, "stroke-width": HEX_RIM }, group);
			};
			for (let row = 0; row <= last_row; row++) {
				edge(row, 0, 4, "white");
				edge(row, last_col, 1, "white");
				if (row < last_row)
					edge(row, 0, 3, "white");
				if (row > 0)
					edge(row, last_col, 0, "white");
			}
			for (let col = 0; col <= last_col; col++) {
				edge(0, col, 5, "black");
				edge(last_row, col, 2, "black");
				if (col < last_col)
					edge(0, col, 0, "black");
				if (col > 0)
					edge(last_row, col, 3, "black");
			}
		}

		// Numbers stand at the ends of rows, letters at the ends of columns. Where a row ends beside the end of a column, the
		// letter stands there.
		draw_hex_labels(ground) {
			const labels = make("g", { class: "labels", "font-size": 27 * this.scale }, ground);
			const away = CELL / 2 + (this.margin - CELL / 2) / 2 + (this.layout.joins ? HEX_RIM / 4 : 0) + 20;
			const put = (text, row, col, dx, dy) => {
				const [x, y] = this.hex_at(row, col), long = Math.hypot(dx, dy);
				make("text", { x: x + dx / long * away, y: y + dy / long * away }, labels).textContent = text;
			};
			this.layout.columns.forEach((letter, col) => {
				const ends = this.layout.numbers.map((_, row) => row).filter(row => this.has(row, col));
				if (ends[0] === 0)
					put(letter, 0, col, -0.5, -0.866);
				put(letter, ends.at(-1), col, 0.5, 0.866);
			});
			this.layout.numbers.forEach((number, row) => {
				const ends = this.layout.columns.map((_, col) => col).filter(col => this.has(row, col));
				put(number, row, ends[0], -1, 0);
				if (!this.has(row - 1, ends.at(-1) + 1))
					put(number, row, ends.at(-1), 1, 0);
			});
		}

		// The blocks between the gaps. Each holds its stones, so that it can turn with them.
		draw_parts() {
			const [rows, cols] = this.block;
			this.parts = [];
			for (let row = 0; row < this.rows; row += rows)
				for (let col = 0; col < this.cols; col += cols) {
					const node = make("g", { class: "part", "aria-hidden": "true" }, this.svg);
					const part = { row, col, rows, cols, node };
					this.parts.push(part);
					if (this.hexes)
						continue;
					const { cx, cy } = this.box(part);
					node.style.transformBox = "view-box";
					node.style.transformOrigin = `${cx}px ${cy}px`;
					if (this.layout.kind === "holes")
						this.draw_holes(part);
					else if (this.layout.kind === "boxes")
						this.draw_pencil_dots(part);
					else if (this.graph)
						this.draw_graph(part);
					else
						this.draw_lines(part);
				}
			this.homes = this.names.map((_, i) => this.parts.find(part => this.is_in(i, part)).node);
		}

		draw_holes(part) {
			const { x, y, width, height } = this.box(part);
			make("rect", { class: "block", x, y, width, height, rx: 26 }, part.node);
			for (let i = 0; i < this.names.length; i++)
				if (this.is_in(i, part)) {
					const [cx, cy] = this.centre(i);
					make("circle", { class: "hole", cx, cy, r: 39 }, part.node);
				}
		}

		// The dots, and where lines may be drawn between them.
		draw_pencil_dots(part) {
			const { x, y, width, height } = this.box(part), half = CELL / 2;
			let path = "";
			for (let i = 0; i < this.rows; i += 2)
				path += `M${x + half} ${y + half + i * CELL}H${x + width - half}`;
			for (let i = 0; i < this.cols; i += 2)
				path += `M${x + half + i * CELL} ${y + half}V${y + height - half}`;
			make("path", { class: "guide", d: path }, part.node);
			this.names.forEach((_, i) => {
				const [cx, cy] = this.centre(i);
				if (!this.exists[i])
					make("circle", { class: "dot", cx, cy, r: 15 }, part.node);
			});
		}

		// The field of all places, the lines that link them, and below each place on the right its name.
		draw_graph(part) {
			const centres = this.names.map((_, i) => this.centre(i)), all = centres.filter((_, i) => this.places[i]);
			const [left, top] = [0, 1].map(k => Math.min(...all.map(centre => centre[k])) - FIELD);
			const [right, low] = [0, 1].map(k => Math.max(...all.map(centre => centre[k])) + FIELD);
			make("rect", { class: "field", x: left, y: top, width: right - left, height: low - top, rx: 20 }, part.node);
			make("path", { class: "lines", d: this.layout.links.map(pair => `M${pair.map(i => centres[i]).join("L")}`).join("") }, part.node);
			const labels = make("g", { class: "labels", "font-size": 25 * this.scale }, part.node);
			centres.forEach(([cx, cy], i) => {
				if (!this.places[i])
					return;
				make("circle", { class: "dot", cx, cy, r: 10 }, part.node);
				make("text", { x: cx + 34, y: cy + FIELD - 15 }, labels).textContent = this.names[i];
			});
		}

		// Squares between those of play: a chequered board.
		draw_light_squares(part) {
			this.names.forEach((_, i) => {
				const [cx, cy] = this.centre(i);
				if (!this.exists[i] && this.is_in(i, part))
					make("rect", { class: "light", x: cx - CELL / 2, y: cy - CELL / 2, width: CELL, height: CELL }, part.node);
			});
		}

		// Between squares the border of the field stands for the outer lines. Dots are where lines cross.
		draw_lines(part) {
			const { x, y, width, height } = this.box(part), crossing = this.layout.kind === "intersections";
			const inset = crossing ? CELL / 2 : 0, right = x + width - inset, low = y + height - inset;
			if (!crossing)
				make("rect", { class: "field", x, y, width, height, rx: 4 }, part.node);
			this.draw_light_squares(part);
			let path = "";
			for (let col = crossing ? 0 : 1; col < part.cols; col++)
				path += `M${x + inset + col * CELL} ${y + inset}V${low}`;
			for (let row = crossing ? 0 : 1; row < part.rows; row++)
				path += `M${x + inset} ${y + inset + row * CELL}H${right}`;
			make("path", { class: "lines", d: path }, part.node);
			for (const [row, col] of this.layout.dots)
				if (this.is_in(row * this.cols + col, part))
					make("circle", { class: "dot", cx: x + inset + (col - part.col) * CELL, cy: y + inset + (row - part.row) * CELL,
						r: crossing ? 10 * Math.sqrt(this.scale) : 7 }, part.node);
		}
	}
	return Object.assign(Ground, { make, CELL });
})();
