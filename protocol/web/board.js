// SPDX-License-Identifier: MIT
//
// YomiBoard: an SVG board for mouse, touch and keyboard. It knows no rules: it takes positions and legal moves as
// text, in yomi's notation.
//
//	const board = new YomiBoard(element, { game: "pentago", rows: 6, cols: 6 });
//	board.show({ squares: "....X...", legal: ["C3S", ...] });
//	board.onmove = move => ...;
//
// show() draws the whole position at once. The animation that follows changes nothing, so another show() may come
// at any time. Members (all except the first are optional):
//
//	squares   'X' Black, 'O' White, '.' empty, row by row from the top left
//	legal     legal moves; without them the board takes no input
//	hints     true: mark the legal squares
//	last      the square of the last move's stone
//	before    the squares before the last move: changed stones are marked, and animated if the board showed them
//	move      the last move as text; it is marked and animated, too
//	over      true if the game has ended; then a last move that only placed a stone had no turn
//	runs      rows of stones that ended the game, each a list of squares; a line is drawn through each
//	side      'X' or 'O': the side to move, and the colour of the next stone
//	line      expected moves, drawn as numbered stones
//	marks     [{ move, text, heat, share, proof, best }]: one or two lines of text on a square, or on an arrow if the
//	          move has a turn; heat 0 .. 1 sets the colour; share 0 .. 1 is the size of a mark without text; proof is
//	          "win", "draw" or "loss"
//
// A move is a square ("D3"), in Pentago with the letter of a turn ("D3T"): S and T turn the quadrant top left,
// U V top right, W X bottom right, Y Z bottom left; the first letter of each pair is counter-clockwise. A move that
// needs no turn is listed with exactly one letter. So a square with one legal move is played at once.
"use strict";

const YomiBoard = (() => {
	const SVG = "http://www.w3.org/2000/svg";
	const CELL = 100, TURNS = "STUVWXYZ";

	// The place and direction of each turn's arrow: the edge beside the arrow moves that way.
	const ARROWS = [
		{ side: "left", angle: 90 }, { side: "top", angle: 0 }, { side: "top", angle: 180 },
		{ side: "right", angle: 90 }, { side: "right", angle: -90 }, { side: "bottom", angle: 180 },
		{ side: "bottom", angle: 0 }, { side: "left", angle: -90 },
	];

	const WORDS = {
		board: "Board", empty: "empty", black: "Black", white: "White", legal: "can be played", last: "last move",
		corner: ["top left", "top right", "bottom right", "bottom left"],
		turn: (corner, clockwise) => `Turn ${corner} ${clockwise ? "clockwise" : "counter-clockwise"}`,
	};

	let boards = 0;

	function make(name, attributes, parent) {
		const node = document.createElementNS(SVG, name);
		for (const key in attributes)
			node.setAttribute(key, attributes[key]);
		if (parent)
			parent.append(node);
		return node;
	}

	class Board {
		onmove = null;    // (move): the user chose a legal move
		onpending = null; // (square or null): a stone waits for its turn; null: none does
		onrefuse = null;  // (square): the user chose a square without a legal move

		constructor(element, { game, rows, cols, words }) {
			this.game = game;
			this.rows = rows;
			this.cols = cols;
			this.words = { ...WORDS, ...words };
			this.split = game === "pentago" ? { rows: rows / 2, cols: cols / 2 } : null;
			this.margin = this.split ? 92 : game === "tictactoe" ? 50 : 62;
			this.gap = this.split ? 22 : 0;
			this.width = cols * CELL + this.gap + 2 * this.margin;
			this.height = rows * CELL + this.gap + 2 * this.margin;
			this.view = { squares: ".".repeat(rows * cols) };
			this.pending = null;
			this.cursor = 0;
			this.id = `board${++boards}`;
			this.animations = [];

			this.svg = make("svg", { class: `yomi-board ${game}`, viewBox: `0 0 ${this.width} ${this.height}`,
				role: "group" });
			this.draw_ground();
			this.layers = {};
			for (const name of ["last", "marks", "line"])
				this.layers[name] = make("g", { class: name, "aria-hidden": "true" }, this.svg);
			this.draw_squares();
			if (this.split)
				this.draw_arrows();
			this.svg.addEventListener("keydown", event => this.on_key(event));
			this.say(this.words);
			element.replaceChildren(this.svg);
		}

		// Sets the words for screen readers. Called when the language changes.
		say(words) {
			this.words = { ...this.words, ...words };
			this.svg.setAttribute("aria-label", this.words.board);
			this.name_squares();
			this.arrows?.forEach((arrow, turn) => {
				const corner = this.words.corner[turn >> 1];
				arrow.setAttribute("aria-label", this.words.turn(corner, (turn & 1) === 1));
			});
		}

		// --- text and geometry ---

		static parse(move) {
			const match = /^([A-Z])(\d+)([S-Z]?)$/.exec(move);
			return match && { square: match[1] + match[2], row: match[2] - 1, col: match[1].charCodeAt(0) - 65,
				turn: match[3] ? TURNS.indexOf(match[3]) : -1 };
		}

		index(square) {
			const at = Board.parse(square);
			return at ? at.row * this.cols + at.col : -1;
		}

		square(index) {
			return String.fromCharCode(65 + index % this.cols) + (Math.floor(index / this.cols) + 1);
		}

		along(i, half) {
			return this.margin + (i + 0.5) * CELL + (half && i >= half ? this.gap : 0);
		}

		centre(index) {
			return [this.along(index % this.cols, this.split?.cols),
				this.along(Math.floor(index / this.cols), this.split?.rows)];
		}

		// The quadrants in the order of the turns' letters: clockwise from the top left.
		quadrant_of(index) {
			const low = Math.floor(index / this.cols) >= this.split.rows, right = index % this.cols >= this.split.cols;
			return low ? (right ? 2 : 3) : right ? 1 : 0;
		}

		quadrant_centre(quadrant) {
			const right = quadrant === 1 || quadrant === 2, low = quadrant >= 2;
			const size = this.split.cols * CELL;
			return [this.margin + (right ? size + this.gap : 0) + size / 2,
				this.margin + (low ? size + this.gap : 0) + size / 2];
		}

		arrow_place(turn, away) {
			const [x, y] = this.quadrant_centre(turn >> 1);
			switch (ARROWS[turn].side) {
			case "left": return [away, y];
			case "right": return [this.width - away, y];
			case "top": return [x, away];
			default: return [x, this.height - away];
			}
		}

		// --- fixed parts ---

		draw_ground() {
			const defs = make("defs", {}, this.svg);
			for (const colour of ["black", "white"]) {
				const shade = make("radialGradient", { id: `${this.id}-${colour}`, cx: "36%", cy: "30%", r: "75%" }, defs);
				make("stop", { offset: "0", class: `${colour}-light` }, shade);
				make("stop", { offset: "1", class: `${colour}-dark` }, shade);
			}
			const ground = make("g", { class: "ground", "aria-hidden": "true" }, this.svg);
			make("rect", { class: "frame", x: 4, y: 4, width: this.width - 8, height: this.height - 8,
				rx: this.split ? 44 : 26 }, ground);
			const labels = make("g", { class: "labels" }, ground), edge = this.split ? 22 : this.margin / 2;
			const from = this.margin - edge;
			for (let col = 0; col < this.cols; col++)
				for (const y of [from, this.height - from])
					make("text", { x: this.along(col, this.split?.cols), y }, labels).textContent =
						String.fromCharCode(65 + col);
			for (let row = 0; row < this.rows; row++)
				for (const x of [from, this.width - from])
					make("text", { x, y: this.along(row, this.split?.rows) }, labels).textContent = row + 1;

			if (this.split)
				this.draw_quadrants();
			else
				this.draw_lines(ground);
		}

		draw_quadrants() {
			const size = this.split.cols * CELL;
			this.quadrants = [0, 1, 2, 3].map(q => {
				const [x, y] = this.quadrant_centre(q);
				const group = make("g", { class: "quadrant", "aria-hidden": "true" }, this.svg);
				group.style.transformBox = "view-box";
				group.style.transformOrigin = `${x}px ${y}px`;
				make("rect", { class: "block", x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 26 }, group);
				return group;
			});
			this.homes = [...this.view.squares].map((_, i) => {
				const quadrant = this.quadrants[this.quadrant_of(i)], [cx, cy] = this.centre(i);
				make("circle", { class: "hole", cx, cy, r: 39 }, quadrant);
				return quadrant;
			});
		}

		draw_lines(ground) {
			const m = this.margin, right = m + this.cols * CELL, low = m + this.rows * CELL;
			make("rect", { class: "field", x: m, y: m, width: right - m, height: low - m, rx: 4 }, ground);
			let path = "";
			for (let col = 1; col < this.cols; col++)
				path += `M${m + col * CELL} ${m}V${low}`;
			for (let row = 1; row < this.rows; row++)
				path += `M${m} ${m + row * CELL}H${right}`;
			make("path", { class: "lines", d: path }, ground);
			if (this.rows === 8)
				for (const x of [2, 6])
					for (const y of [2, 6])
						make("circle", { class: "dot", cx: m + x * CELL, cy: m + y * CELL, r: 7 }, ground);
			const stones = make("g", { "aria-hidden": "true" }, this.svg);
			this.homes = [...this.view.squares].map(() => stones);
		}

		draw_squares() {
			const group = make("g", { class: "squares" }, this.svg);
			this.stones = [];
			this.squares = [...this.view.squares].map((_, i) => {
				const [x, y] = this.centre(i);
				const node = make("rect", { class: "square", x: x - 47, y: y - 47, width: 94, height: 94, rx: 14,
					role: "button", tabindex: i === this.cursor ? 0 : -1, "data-square": this.square(i) }, group);
				node.addEventListener("click", () => this.choose(i));
				node.addEventListener("focus", () => this.set_cursor(i));
				this.stones.push(null);
				return node;
			});
		}

		draw_arrows() {
			const group = make("g", { class: "turns" }, this.svg);
			this.arrows = ARROWS.map((arrow, turn) => {
				const [x, y] = this.arrow_place(turn, 46);
				const node = make("g", { class: "turn", role: "button", tabindex: -1, "data-turn": TURNS[turn],
					transform: `translate(${x} ${y})` }, group);
				const upright = arrow.angle % 180 !== 0;
				const [w, h] = upright ? [72, 264] : [264, 72];
				make("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 30 }, node);
				// It curves outwards, along the path of the quadrant's corner.
				const outside = { top: 1, right: 1, bottom: -1, left: -1 }[arrow.side] *
					(arrow.angle === 0 || arrow.angle === 90 ? 1 : -1);
				make("path", { d: `M-92 ${8 * outside}Q0 ${-20 * outside} 88 ${6 * outside}M66 ${-20 + 6 * outside}L90 ` +
					`${7 * outside}L62 ${18 + 6 * outside}`, transform: `rotate(${arrow.angle})` }, node);
				make("text", {}, node);
				node.addEventListener("click", () => this.turn(turn));
				for (const [name, on] of [["pointerenter", true], ["pointerleave", false], ["focus", true], ["blur", false]])
					node.addEventListener(name, () => this.lean(turn, on));
				return node;
			});
		}

		// --- a position ---

		show(view) {
			const before = this.view;
			this.view = { legal: [], marks: [], line: [], ...view };
			if (this.pending && !this.view.legal.some(m => m.startsWith(this.pending)))
				this.set_pending(null);
			this.choices = new Map();
			for (const move of this.view.legal) {
				const at = Board.parse(move);
				if (at)
					this.choices.set(at.square, [...(this.choices.get(at.square) ?? []), move]);
			}
			if (this.view.squares !== before.squares) {
				this.animations.forEach(animation => animation.cancel());
				this.animations = [];
				this.show_stones();
				if (view.move && before.squares === view.before)
					this.move_stones(view.before, view.move);
			}
			this.show_last();
			this.show_overlays();
			this.name_squares();
		}

		// Resolves when all animations have ended.
		rest() {
			return Promise.allSettled(this.animations.map(animation => animation.finished));
		}

		show_stones() {
			const squares = this.view.squares;
			for (let i = 0; i < squares.length; i++) {
				if (this.stones[i]?.colour === squares[i])
					continue;
				this.stones[i]?.node.remove();
				this.stones[i] = squares[i] === "." ? null :
					{ colour: squares[i], node: this.stone(i, squares[i], this.homes[i]) };
			}
		}

		stone(index, colour, parent, extra = "") {
			const [x, y] = this.centre(index), black = colour === "X";
			const node = make("g", { class: `stone ${black ? "black" : "white"} ${extra}` }, parent);
			if (this.game === "tictactoe") {
				if (black)
					make("path", { class: "pen", d: `M${x - 27} ${y - 27}L${x + 27} ${y + 27}M${x + 27} ${y - 27}L${x - 27} ${y + 27}`,
						pathLength: 2 }, node);
				else
					make("circle", { class: "pen", cx: x, cy: y, r: 29, pathLength: 2, transform: `rotate(-90 ${x} ${y})` }, node);
				return node;
			}
			const r = this.split ? 37 : 41;
			make("circle", { class: "shadow", cx: x, cy: y + 3.5, r: r + 0.5 }, node);
			make("circle", { class: "body", cx: x, cy: y, r, fill: `url(#${this.id}-${black ? "black" : "white"})` }, node);
			return node;
		}

		animate(node, frames, options) {
			if (frames[0].transform) {
				node.style.transformBox = options.box ?? "fill-box";
				node.style.transformOrigin = options.origin ?? "center";
			}
			const animation = node.animate(frames, { fill: "backwards", easing: "ease-in-out", ...options });
			this.animations.push(animation);
			return animation;
		}

		// Everything is drawn at its final place; the animations start from the old place.
		move_stones(before, text) {
			const move = Board.parse(text), squares = this.view.squares;
			if (!move || !this.svg.animate || matchMedia("(prefers-reduced-motion: reduce)").matches)
				return;
			const placed = move.row * this.cols + move.col;
			if (this.split) {
				if (move.turn < 0 || (this.view.over && [...squares].every((c, i) => i === placed || c === before[i])))
					return;
				const clockwise = move.turn & 1, quadrant = move.turn >> 1;
				const from = `rotate(${clockwise ? -90 : 90}deg)`, back = `rotate(${clockwise ? 90 : -90}deg)`;
				const [x, y] = this.quadrant_centre(quadrant), timing = { delay: this.turned_here ? 0 : 220, duration: 520 };
				const group = this.quadrants[quadrant];
				this.svg.insertBefore(group, this.layers.last); // draw it above its neighbours while it turns
				this.animate(group, [{ transform: from }, { transform: "none" }],
					{ ...timing, box: "view-box", origin: `${x}px ${y}px` });
				this.stones.forEach((stone, i) => {
					if (stone && this.quadrant_of(i) === quadrant)
						this.animate(stone.node, [{ transform: back }, { transform: "none" }], timing); // the highlight stays at the top
				});
				this.animate(this.layers.last, [{ opacity: 0 }, { opacity: 0 }], { duration: timing.delay + timing.duration });
				const landed = this.stones[this.index(this.view.last ?? "")]?.node;
				if (landed && !this.turned_here)
					this.animate(landed.lastChild, [{ opacity: 0 }, { opacity: 1 }], { duration: 160 });
				this.turned_here = false;
				return;
			}
			const size = Math.max(this.rows, this.cols);
			this.stones.forEach((stone, i) => {
				if (!stone || stone.colour === before[i])
					return;
				if (before[i] === ".") {
					const draw = [{ strokeDashoffset: 2 }, { strokeDashoffset: 0 }];
					if (this.game === "tictactoe")
						this.animate(stone.node.firstChild, draw, { duration: 320 });
					else
						this.animate(stone.node, [{ transform: "scale(.6)", opacity: 0 }, { transform: "none", opacity: 1 }],
							{ duration: 140 });
					return;
				}
				const distance = Math.max(Math.abs(Math.floor(i / this.cols) - move.row), Math.abs(i % this.cols - move.col));
				const delay = 90 + 60 * Math.min(distance, size), half = 130;
				const old = this.stone(i, before[i], stone.node.parentNode);
				old.classList.add("leaving");
				this.animate(old, [{ transform: "none" }, { transform: "scaleX(.02)" }],
					{ delay, duration: half, easing: "ease-in" }).finished.catch(() => {}).then(() => old.remove());
				this.animate(stone.node, [{ transform: "scaleX(0)" }, { transform: "none" }],
					{ delay: delay + half, duration: half, easing: "ease-out" });
			});
		}

		show_last() {
			const layer = this.layers.last, view = this.view;
			layer.replaceChildren();
			const changed = this.split ? [] : [...view.before ?? ""].entries();
			for (const [i, colour] of changed) {
				const [cx, cy] = this.centre(i);
				if (colour !== "." && colour !== view.squares[i])
					make("circle", { class: "changed", cx, cy, r: 8 }, layer);
			}
			for (const run of view.runs ?? []) {
				const [x1, y1] = this.centre(this.index(run[0])), [x2, y2] = this.centre(this.index(run.at(-1)));
				for (const name of ["run casing", "run"])
					make("line", { class: name, x1, y1, x2, y2 }, layer);
			}
			const index = view.last ? this.index(view.last) : -1;
			if (index >= 0) {
				const [cx, cy] = this.centre(index), black = view.squares[index] === "X";
				make("circle", { class: `ring ${black ? "on-black" : "on-white"}`, cx, cy, r: this.game === "tictactoe" ? 44 : 17 },
					layer);
			}
			const turn = this.split && view.move ? Board.parse(view.move)?.turn ?? -1 : -1;
			if (turn >= 0)
				this.draw_turn(layer, turn, "", "turned");
		}

		// A small arrow at the outer edge of the frame.
		draw_turn(layer, turn, text, name) {
			const [x, y] = this.arrow_place(turn, 26), { angle } = ARROWS[turn];
			const node = make("g", { class: name, transform: `translate(${x} ${y})` }, layer);
			make("path", { d: "M-46 0H44M28 -13L46 0L28 13", transform: `rotate(${angle})` }, node);
			if (text) {
				make("circle", { r: 19 }, node);
				make("text", {}, node).textContent = text;
			}
		}

		show_overlays() {
			const { marks, line } = this.layers, view = this.view;
			marks.replaceChildren();
			line.replaceChildren();
			this.arrows?.forEach(arrow => {
				arrow.lastChild.textContent = "";
				arrow.removeAttribute("data-proof");
				arrow.classList.remove("marked", "best");
			});
			this.ghost?.remove();
			const waiting = this.pending && this.index(this.pending);
			this.ghost = this.pending && this.stone(waiting, view.side, this.homes[waiting], "ghost");
			if (view.hints && !this.pending)
				for (const square of this.choices.keys()) {
					const [cx, cy] = this.centre(this.index(square));
					make("circle", { class: "hint", cx, cy, r: 11 }, marks);
				}
			const marked = new Set(), line_drawn = this.pending ? [] : view.line.slice(0, this.split ? 2 : 6);
			const crossed = new Set(line_drawn.map(move => Board.parse(move)?.square));
			for (const mark of view.marks)
				if (mark.text || !crossed.has(mark.move))
					this.show_mark(mark, marked);
			this.show_line(line_drawn, marked);
		}

		show_mark(mark, marked) {
			const at = Board.parse(mark.move), i = at.row * this.cols + at.col;
			const lines = (mark.text ?? "").split("\n");
			if (at.turn >= 0) {
				if (at.square !== this.pending)
					return;
				const arrow = this.arrows[at.turn];
				arrow.lastChild.textContent = lines[0];
				arrow.classList.add("marked");
				arrow.classList.toggle("best", Boolean(mark.best));
				if (mark.proof)
					arrow.setAttribute("data-proof", mark.proof);
				return;
			}
			if (this.pending)
				return;
			if (lines[0])
				marked.add(at.square);
			const [x, y] = this.centre(i), node = make("g", { class: "mark" }, this.layers.marks);
			const r = lines[0] ? 42 : 6 + 12 * mark.share;
			const spot = make("circle", { cx: x, cy: y, r }, node);
			spot.style.setProperty("--heat", `${Math.round(100 * mark.heat)}%`);
			if (mark.proof)
				node.setAttribute("data-proof", mark.proof);
			node.classList.toggle("best", Boolean(mark.best));
			if (!lines[0])
				return;
			make("text", { x, y: lines[1] ? y - 8 : y, class: lines[0].length > 3 ? "value long" : "value" }, node).textContent = lines[0];
			if (lines[1])
				make("text", { x, y: y + 19, class: "small" }, node).textContent = lines[1];
		}

		// An expected stone shows its number; if the square has a mark, the number moves to the corner.
		show_line(moves, taken) {
			let black = this.view.side === "X";
			moves.forEach((text, n) => {
				const at = Board.parse(text);
				if (at) {
					const i = at.row * this.cols + at.col, [x, y] = this.centre(i), colour = black ? "X" : "O";
					const words = { class: black ? "on-black" : "on-white" };
					if (taken.has(at.square)) {
						const badge = make("g", { class: `badge ${words.class}`, transform: `translate(${x + 33} ${y - 33})` }, this.layers.line);
						make("circle", { r: 17 }, badge);
						make("text", {}, badge).textContent = n + 1;
					} else {
						this.stone(i, colour, this.layers.line, "ghost");
						make("text", { ...words, x, y, "font-size": this.game === "tictactoe" ? 25 : 38 }, this.layers.line).textContent = n + 1;
					}
					taken.add(at.square);
					if (at.turn >= 0)
						this.draw_turn(this.layers.line, at.turn, String(n + 1), "to-turn");
				}
				black = !black;
			});
		}

		name_squares() {
			const { squares, last, legal } = this.view, words = this.words;
			this.squares.forEach((node, i) => {
				const name = this.square(i), playable = this.choices?.has(name) ?? false;
				const what = [name, { X: words.black, O: words.white, ".": words.empty }[squares[i]]];
				if (playable && legal)
					what.push(words.legal);
				if (name === last)
					what.push(words.last);
				node.setAttribute("aria-label", what.join(", "));
				node.classList.toggle("playable", playable);
				node.setAttribute("aria-disabled", String(!playable));
			});
		}

		// --- choosing a move ---

		choose(index) {
			const square = this.square(index), moves = this.choices?.get(square);
			this.set_cursor(index);
			if (this.pending === square)
				this.set_pending(null);
			else if (!moves)
				this.onrefuse?.(square);
			else if (moves.length === 1)
				this.onmove?.(moves[0]);
			else
				this.set_pending(square);
		}

		// Sets the stone that waits for its turn; null: none.
		set_pending(square) {
			if (this.pending === square)
				return;
			this.pending = square;
			this.svg.classList.toggle("turning", square !== null);
			this.arrows?.forEach((arrow, turn) => {
				const open = square !== null && this.choices.get(square)?.includes(square + TURNS[turn]);
				arrow.classList.toggle("open", Boolean(open));
				arrow.setAttribute("tabindex", open ? 0 : -1);
				if (!open)
					this.lean(turn, false);
			});
			this.show_overlays();
			this.onpending?.(square);
		}

		turn(turn) {
			const move = this.pending + TURNS[turn];
			if (!this.pending || !this.choices.get(this.pending)?.includes(move))
				return;
			const focused = this.svg.contains(document.activeElement);
			this.turned_here = true; // the stone is already shown: turn the quadrant at once
			this.set_pending(null);
			if (focused)
				this.focus();
			this.onmove?.(move);
		}

		// Tilts a quadrant in the direction of the arrow under the pointer.
		lean(turn, on) {
			const angle = on && this.pending ? (turn & 1 ? 7 : -7) : 0;
			this.quadrants[turn >> 1].style.transform = angle ? `rotate(${angle}deg)` : "";
		}

		// --- keyboard ---

		focus() {
			this.squares[this.cursor].focus({ preventScroll: true });
		}

		set_cursor(index) {
			this.squares[this.cursor].setAttribute("tabindex", -1);
			this.cursor = index;
			this.squares[index].setAttribute("tabindex", 0);
		}

		on_key(event) {
			const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
			const on_arrow = this.arrows?.indexOf(event.target) ?? -1;
			if (event.ctrlKey || event.altKey || event.metaKey)
				return;
			if (step) {
				if (on_arrow >= 0)
					this.next_arrow(on_arrow, step[0] + step[1]);
				else
					this.move_cursor(step);
			} else if (event.key === "Enter" || event.key === " ") {
				if (on_arrow >= 0) {
					this.turn(on_arrow);
				} else {
					this.choose(this.cursor);
					if (this.pending)
						this.arrows.find(arrow => arrow.classList.contains("open"))?.focus({ preventScroll: true });
				}
			} else if (event.key === "Escape" && this.pending) {
				this.set_pending(null);
				this.focus();
			} else if (this.pending && event.key.length === 1 && TURNS.includes(event.key.toUpperCase())) {
				this.turn(TURNS.indexOf(event.key.toUpperCase()));
			} else {
				return;
			}
			event.preventDefault();
			event.stopPropagation();
		}

		move_cursor([down, right]) {
			const row = Math.floor(this.cursor / this.cols) + down, col = this.cursor % this.cols + right;
			if (row < 0 || row >= this.rows || col < 0 || col >= this.cols)
				return;
			this.set_cursor(row * this.cols + col);
			this.focus();
		}

		// The order around the board follows the letters; it begins and ends at the left.
		next_arrow(turn, by) {
			for (let i = 1; i <= TURNS.length; i++) {
				const arrow = this.arrows[(turn + by * i + 2 * TURNS.length) % TURNS.length];
				if (arrow.classList.contains("open"))
					return arrow.focus({ preventScroll: true });
			}
		}
	}
	return Board;
})();
