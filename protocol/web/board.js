// SPDX-License-Identifier: MIT
//
// YomiBoard: an SVG board for mouse, touch and keyboard. It knows no game: yomi describes the board and the moves
// (`board` and `clicks` in the answers of yomi-position and yomi-analyze, see protocol/README.md). ground.js draws the empty board.
//
//	const board = new YomiBoard(element, position.board);
//	board.show({ squares: "....X...", legal: ["C3S", ...], clicks: { C3S: ["C3", "S"], ... } });
//	board.onmove = move => ...;
//
// show() draws the whole position at once. The animation that follows changes nothing, so another show() may come
// at any time. Members (all except the first are optional):
//
//	squares   'X' Black, 'O' White, letters of other pieces, '.' empty, ':' off the board, row by row from the top left
//	legal     legal moves; without them the board takes no input
//	clicks    what is clicked for each move in turn: names of squares, then the letter of a turn
//	hints     true: mark the legal squares
//	last      the square of the last move's stone
//	before    the squares before the last move: changed stones are marked, and animated if the board showed them
//	move      the last move; it is marked and animated, too
//	over      true if the game has ended; then a last move that only placed a stone had no turn
//	runs      rows of stones that ended the game, or pairs of a connection, each a list of squares; a line is drawn through each
//	side      'X' or 'O': the side to move, and the colour of the next stone
//	line      expected moves, drawn as numbered stones
//	marks     [{ click, text, heat, share, proof, best }]: one or two lines of text on a square, the first line on the
//	          arrow of a turn and on the squares of a large board; heat 0 .. 1 sets the colour; share 0 .. 1 is the
//	          size of a mark without text; proof is "win", "draw" or "loss"
//
// A piece that moves from square to square is clicked and then its target, or dragged there. The same piece again takes the
// choice back, another piece takes its place.
//
// A click that leaves one move, of which only the turn is missing, plays it. On squares that are smaller than a
// fingertip a first touch aims, and a second one plays.
"use strict";

const YomiBoard = (() => {
	const { make, CELL } = YomiGround;
	const DRAG_FROM = 8;      // pixels; a shorter way is a click
	const FINGER = 24;        // pixels; squares that are smaller cannot be hit
	const LINE_MOVES = 6, LINE_TURNS = 2; // moves of the line that are drawn, without and with turns

	// The edges of the board clockwise, and the direction of an arrow beside each that turns clockwise.
	const EDGES = ["left", "top", "right", "bottom"];
	const ANGLES = { left: -90, top: 0, right: 90, bottom: 180 };

	const WORDS = {
		board: "Board", empty: "empty", black: "Black", white: "White", legal: "can be played", last: "last move",
		corner: ["top left", "top right", "bottom right", "bottom left"],
		turn: (corner, clockwise) => `Turn ${corner} ${clockwise ? "clockwise" : "counter-clockwise"}`,
	};

	// Each attribute or text that is set anew costs style and paint, even if it is the same.
	function set(node, name, value) {
		if (node.getAttribute(name) !== String(value))
			node.setAttribute(name, value);
	}

	function set_text(node, text) {
		if (node.textContent !== text)
			node.textContent = text;
	}

	class Board extends YomiGround {
		onmove = null;    // (move): the user chose a legal move
		onpending = null; // (clicks): the user has begun a move with these; empty: no more
		onrefuse = null;  // (square): the user chose a square without a legal move
		onaim = null;     // (square): a touch on a small square, which must be repeated

		constructor(element, layout, words) {
			super(layout);
			this.words = { ...WORDS, ...words };
			this.view = { squares: ".".repeat(this.rows * this.cols), legal: [], clicks: {} };
			this.begun = [];           // the clicks of a move so far
			this.choices = new Map();  // its next click -> legal moves
			this.first = new Map();    // the same for a move that has not begun
			this.aim = -1;             // the square of the last touch
			this.cursor = this.places.indexOf(true);
			this.wish = NaN;           // where the cursor was when it last moved along a row
			this.animations = [];
			this.layers = {};
			this.marks = new Map(); // the square of a mark -> its nodes
			for (const name of ["last", "hints", "marks", "line"])
				this.layers[name] = make("g", { class: name, "aria-hidden": "true" }, this.svg);
			this.draw_squares();
			this.draw_turns();
			this.svg.addEventListener("keydown", event => this.on_key(event));
			this.svg.addEventListener("pointerdown", event => this.on_down(event));
			this.say(this.words);
			element.replaceChildren(this.svg);
		}

		// Sets the words for screen readers. Called when the language changes.
		say(words) {
			this.words = { ...this.words, ...words };
			this.svg.setAttribute("aria-label", this.words.board);
			this.name_squares();
			for (const { node, row, col, clockwise } of this.turns) {
				const corner = row > 0 ? (col > 0 ? 2 : 3) : col > 0 ? 1 : 0;
				node.setAttribute("aria-label", this.words.turn(this.words.corner[corner], clockwise));
			}
		}

		// --- moves ---

		clicks_of(move) {
			return this.view.clicks[move] ?? [];
		}

		// The squares that a move names.
		squares_of(move) {
			return this.clicks_of(move).filter(click => this.indices.has(click)).map(name => this.indices.get(name));
		}

		// The square where the stone of a move comes to lie: the one before a shot, or else the last one that was empty, after which
		// the move may name what it removes. Where none was, the last one. Undefined without squares.
		target_of(move, contents = [...this.view.squares]) {
			const squares = this.squares_of(move), shoots = squares.length > 2 && this.layout.pieces?.some(({ side }) => !side);
			return shoots ? squares.at(-2) : squares.findLast(i => contents[i] === ".") ?? squares.at(-1);
		}

		// The same of moves one after another. Squares that a move names are then empty, but for its stone.
		targets_of(moves) {
			const contents = [...this.view.squares];
			return moves.map(move => {
				const target = this.target_of(move, contents);
				for (const i of this.squares_of(move))
					contents[i] = i === target ? this.view.side : ".";
				return target;
			});
		}

		// The turn of a move, undefined if it has none.
		turn_of(move) {
			const clicks = this.clicks_of(move);
			return this.turns.find(turn => clicks.includes(turn.letter));
		}

		// Who has what stands on a square: "black", "white", null for a piece of nobody; undefined if it is empty.
		owner(content) {
			return this.layout.pieces ? this.layout.pieces.find(piece => piece.letter === content)?.side : { X: "black", O: "white" }[content];
		}

		is_empty(name) {
			return this.view.squares[this.indices.get(name)] === ".";
		}

		// The letter of a piece of the side that moves, "X" or "O", as the move has it on its first square, or that of its first piece.
		letter_of(side, move_begins) {
			const colour = side === "X" ? "black" : "white", content = this.view.squares[this.indices.get(move_begins)];
			return this.owner(content) === colour ? content : this.layout.pieces?.find(piece => piece.side === colour)?.letter ?? side;
		}

		// The legal moves that begin with some clicks, by their next click.
		choices_after(begun) {
			const choices = new Map();
			for (const move of this.view.legal) {
				const clicks = this.clicks_of(move), next = clicks[begun.length];
				if (!next || !begun.every((click, i) => click === clicks[i]))
					continue;
				if (!choices.has(next))
					choices.set(next, []);
				choices.get(next).push(move);
			}
			return choices;
		}

		// The click that a square stands for: where stones fall, the choice of its column.
		click_at(index) {
			const name = this.names[index];
			if (!this.layout.falls || this.choices.has(name))
				return name;
			return [...this.choices.keys()].find(click => this.indices.get(click) % this.cols === index % this.cols) ?? name;
		}

		// --- squares and arrows ---

		draw_squares() {
			const group = make("g", { class: "squares" }, this.svg);
			this.stones = [];
			this.squares = this.names.map((name, i) => {
				this.stones.push(null);
				if (!this.places[i])
					return null;
				const [x, y] = this.centre(i), attributes = { class: "square", role: "button", tabindex: i === this.cursor ? 0 : -1, "data-square": name };
				const node = this.hexes ?
					make("polygon", { ...attributes, points: this.hex_corners([x, y], CELL / Math.sqrt(3) - 2).join(" ") }, group) :
					this.graph ? make("circle", { ...attributes, cx: x, cy: y, r: 40 }, group) :
					make("rect", { ...attributes, x: x - 47, y: y - 47, width: 94, height: 94, rx: 14 }, group);
				node.addEventListener("click", event => this.is_meant(i, event) && this.choose(i));
				node.addEventListener("focus", () => this.set_cursor(i));
				return node;
			});
		}

		// An arrow for each turn, beside its area: of the two outer edges of a corner, the arrow clockwise has the second.
		draw_turns() {
			const group = make("g", { class: "turns" }, this.svg);
			this.turns = this.layout.turns.map(turn => {
				const outer = { left: turn.col === 0, top: turn.row === 0, right: turn.col + turn.cols === this.cols,
					bottom: turn.row + turn.rows === this.rows };
				const first = EDGES.findIndex((edge, i) => outer[edge] && outer[EDGES[(i + 1) % 4]]);
				const edge = EDGES[(first + (turn.clockwise ? 1 : 0)) % 4];
				const part = this.parts.find(({ row, col }) => row === turn.row && col === turn.col);
				const it = { ...turn, edge, part, box: this.box(turn), angle: ANGLES[edge] + (turn.clockwise ? 0 : 180) };
				it.node = this.draw_arrow(it, group);
				return it;
			});
		}

		draw_arrow(turn, group) {
			const [x, y] = this.turn_place(turn, 46), upright = turn.edge === "left" || turn.edge === "right";
			const size = Math.min(1, (upright ? turn.box.height : turn.box.width) / 300);
			const node = make("g", { class: "turn", role: "button", tabindex: -1, "data-turn": turn.letter,
				transform: `translate(${x} ${y}) scale(${size})` }, group);
			const [w, h] = upright ? [72, 264] : [264, 72];
			make("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 30 }, node);
			// It curves outwards, along the path of the area's corner.
			const outside = turn.clockwise ? 1 : -1;
			make("path", { d: `M-92 ${8 * outside}Q0 ${-20 * outside} 88 ${6 * outside}M66 ${-20 + 6 * outside}L90 ` +
				`${7 * outside}L62 ${18 + 6 * outside}`, transform: `rotate(${turn.angle})` }, node);
			make("text", {}, node);
			node.addEventListener("click", () => this.take(turn.letter));
			for (const [name, on] of [["pointerenter", true], ["pointerleave", false], ["focus", true], ["blur", false]])
				node.addEventListener(name, () => this.lean(turn, on));
			return node;
		}

		// --- a position ---

		show(view) {
			const before = this.view;
			this.view = { legal: [], marks: [], line: [], clicks: {}, ...view };
			const begins = move => this.begun.every((click, i) => click === this.clicks_of(move)[i]);
			if (this.begun.length && !this.view.legal.some(begins))
				this.set_begun([]);
			this.first = this.choices_after([]);
			this.choices = this.choices_after(this.begun);
			if (this.view.squares !== before.squares) {
				this.aim = -1;
				this.animations.forEach(animation => animation.cancel());
				this.animations = [];
				this.show_stones();
				if (view.move && before.squares === view.before)
					this.move_stones(view.before, view.move);
				this.begun_here = false;
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
				if (this.stones[i]?.colour === squares[i] || !this.exists[i])
					continue;
				this.stones[i]?.node.remove();
				this.stones[i] = ".:".includes(squares[i]) ? null :
					{ colour: squares[i], node: this.stone(i, squares[i], this.homes[i]) };
			}
		}

		stone(index, colour, parent, extra = "") {
			const [x, y] = this.centre(index), side = this.owner(colour) ?? "neutral", black = side === "black";
			const node = make("g", { class: `stone ${side} ${extra}` }, parent);
			if (this.layout.kind === "boxes")
				return this.pencil(index, colour, node);
			if (side === "neutral") {
				if (this.layout.pieces?.find(piece => piece.letter === colour)?.name !== "nothing")
					make("rect", { class: "body", x: x - 36, y: y - 36, width: 72, height: 72, rx: 10 }, node);
				return node;
			}
			if (this.layout.pen) {
				if (black)
					make("path", { class: "pen", d: `M${x - 27} ${y - 27}L${x + 27} ${y + 27}M${x + 27} ${y - 27}L${x - 27} ${y + 27}`,
						pathLength: 2 }, node);
				else
					make("circle", { class: "pen", cx: x, cy: y, r: 29, pathLength: 2, transform: `rotate(-90 ${x} ${y})` }, node);
				return node;
			}
			const r = this.places[index] ? { squares: 41, intersections: 46, holes: 37, hexagons: 40, graph: 37 }[this.layout.kind] : 30;
			make("circle", { class: "shadow", cx: x, cy: y + 3.5, r: r + 0.5 }, node);
			make("circle", { class: "body", cx: x, cy: y, r, fill: `url(#${this.id}-${black ? "black" : "white"})` }, node);
			// Pieces of one name look alike.
			const own = this.layout.pieces?.filter(piece => piece.side === side) ?? [];
			const { name } = own.find(piece => piece.letter === colour) ?? {};
			if (own.length > 2)
				make("text", { class: "letter", x, y: y + 15 }, node).textContent = own.find(piece => piece.name === name).letter.toUpperCase();
			else if (name === "king")
				make("path", { class: "crown", d: `M${x - 20} ${y + 15}L${x - 24} ${y - 12}L${x - 10} ${y}L${x} ${y - 19}L${x + 10} ${y}L${x + 24} ${y - 12}L${x + 20} ${y + 15}Z` }, node);
			return node;
		}

		// A line between two dots, or a box in the colour of its owner.
		pencil(index, colour, node) {
			const [x, y] = this.centre(index), row = Math.floor(index / this.cols), away = YomiGround.CELL - 20;
			if (row % 2 && index % this.cols % 2) {
				make("rect", { class: "body", x: x - away, y: y - away, width: 2 * away, height: 2 * away, rx: 14 }, node);
				return node;
			}
			const [dx, dy] = row % 2 ? [0, away + 4] : [away + 4, 0];
			make("line", { class: `pencil ${this.owner(colour) ? "" : "drawn"}`, x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy }, node);
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
		move_stones(before, move) {
			const squares = this.squares_of(move), turn = this.turn_of(move), dropped = this.dropped;
			this.dropped = false;
			if (dropped || !squares.length || !this.svg.animate || matchMedia("(prefers-reduced-motion: reduce)").matches)
				return;
			if (turn) {
				const placed_only = [...this.view.squares].every((c, i) => i === squares[0] || c === before[i]);
				if (!this.view.over || !placed_only)
					this.turn_part(turn);
				return;
			}
			this.stones.forEach((stone, i) => {
				if (stone?.colour === before[i] || (!stone && ".:".includes(before[i])))
					return;
				if (stone && (before[i] === "." || i === squares.at(-1)))
					this.place_stone(i, stone, squares);
				else if (stone)
					this.flip_stone(i, stone, before[i], squares.at(-1));
				else if (i !== squares[0]) // a stone that moves leaves its square at once
					this.remove_stone(i, before[i]);
			});
		}

		turn_part(turn) {
			const { part, box, clockwise } = turn, from = `rotate(${clockwise ? -90 : 90}deg)`, back = `rotate(${clockwise ? 90 : -90}deg)`;
			const timing = { delay: this.begun_here ? 0 : 220, duration: 520 };
			if (part) {
				this.svg.insertBefore(part.node, this.layers.last); // draw it above its neighbours while it turns
				this.animate(part.node, [{ transform: from }, { transform: "none" }],
					{ ...timing, box: "view-box", origin: `${box.cx}px ${box.cy}px` });
			}
			this.stones.forEach((stone, i) => {
				if (stone && this.is_in(i, turn))
					this.animate(stone.node, [{ transform: back }, { transform: "none" }], timing); // the highlight stays at the top
			});
			this.animate(this.layers.last, [{ opacity: 0 }, { opacity: 0 }], { duration: timing.delay + timing.duration });
			const landed = this.stones[this.indices.get(this.view.last)]?.node;
			if (landed && !this.begun_here)
				this.animate(landed.lastChild, [{ opacity: 0 }, { opacity: 1 }], { duration: 160 });
		}

		// A new stone is written, falls, comes along the squares of its move, or appears. A neutral one comes from the square before.
		place_stone(i, { node, colour }, squares) {
			const at = squares.lastIndexOf(i), way = squares.slice(this.owner(colour) ? 0 : Math.max(at - 1, 0), at + 1);
			const [x, y] = this.centre(i);
			const fall = (Math.floor(i / this.cols) + 1) * CELL;
			if (this.layout.pen)
				this.animate(node.firstChild, [{ strokeDashoffset: 2 }, { strokeDashoffset: 0 }], { duration: 320 });
			else if (this.layout.falls)
				this.animate(node, [{ transform: `translateY(${-fall}px)` }, { transform: "none" }],
					{ duration: 90 + 25 * Math.sqrt(fall), easing: "ease-in" });
			else if (way.length > 1)
				this.animate(node, way.map(square => this.centre(square)).map(([from_x, from_y]) => ({ transform: `translate(${from_x - x}px, ${from_y - y}px)` })),
					{ duration: 260 * (way.length - 1) });
			else
				this.animate(node, [{ transform: "scale(.6)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 140 });
		}

		remove_stone(i, colour) {
			const old = this.stone(i, colour, this.homes[i], "leaving");
			this.animate(old, [{ opacity: 1 }, { opacity: 0 }], { delay: 90, duration: 220 })
				.finished.catch(() => {}).then(() => old.remove());
		}

		flip_stone(i, { node }, colour, from) {
			const distance = Math.max(Math.abs(Math.floor(i / this.cols) - Math.floor(from / this.cols)),
				Math.abs(i % this.cols - from % this.cols));
			const delay = 90 + 60 * distance, half = 130, old = this.stone(i, colour, node.parentNode, "leaving");
			this.animate(old, [{ transform: "none" }, { transform: "scaleX(.02)" }],
				{ delay, duration: half, easing: "ease-in" }).finished.catch(() => {}).then(() => old.remove());
			this.animate(node, [{ transform: "scaleX(0)" }, { transform: "none" }],
				{ delay: delay + half, duration: half, easing: "ease-out" });
		}

		show_last() {
			const layer = this.layers.last, view = this.view, turn = view.move && this.turn_of(view.move);
			layer.replaceChildren();
			const changed = turn ? [] : [...view.before ?? ""].entries();
			for (const [i, colour] of changed) {
				const [cx, cy] = this.centre(i);
				if (this.places[i] && colour !== "." && colour !== view.squares[i])
					make("circle", { class: "changed", cx, cy, r: 8 }, layer);
			}
			// All casings lie below the lines, so that the parts of a connection join.
			for (const name of ["run casing", "run"])
				for (const run of view.runs ?? []) {
					const [x1, y1] = this.centre(this.indices.get(run[0])), [x2, y2] = this.centre(this.indices.get(run.at(-1)));
					make("line", { class: name, x1, y1, x2, y2 }, layer);
				}
			const index = this.indices.get(view.last);
			if (index !== undefined) {
				const [cx, cy] = this.centre(index), black = this.owner(view.squares[index]) === "black";
				make("circle", { class: `ring ${black ? "on-black" : "on-white"}`, cx, cy, r: this.layout.pen ? 44 : 17 }, layer);
			}
			if (turn)
				this.draw_turn(layer, turn, "", "turned");
		}

		// A small arrow at the outer edge of the frame.
		draw_turn(layer, turn, text, name) {
			const [x, y] = this.turn_place(turn, 26);
			const node = make("g", { class: name, transform: `translate(${x} ${y})` }, layer);
			make("path", { d: "M-46 0H44M28 -13L46 0L28 13", transform: `rotate(${turn.angle})` }, node);
			if (text) {
				make("circle", { r: 19 }, node);
				make("text", {}, node).textContent = text;
			}
		}

		show_overlays() {
			const { line } = this.layers, view = this.view;
			line.replaceChildren();
			for (const { node } of this.turns) {
				node.lastChild.textContent = "";
				node.removeAttribute("data-proof");
				node.classList.remove("marked", "best");
			}
			this.show_begun();
			this.show_hints();
			const marked = new Set(), line_drawn = this.begun.length ? [] : view.line.slice(0, this.turns.length ? LINE_TURNS : LINE_MOVES);
			const targets = this.targets_of(line_drawn), crossed = new Set(targets);
			const old = this.marks;
			this.marks = new Map();
			for (const mark of view.marks)
				if (mark.text || !crossed.has(this.indices.get(mark.click)))
					this.show_mark(mark, marked, old);
			for (const [i, { node }] of old)
				if (!this.marks.has(i))
					node.remove();
			this.show_line(line_drawn, targets, marked);
		}

		show_hints() {
			const clicks = this.view.hints || this.begun.length ? [...this.choices.keys()] : [];
			const hinted = clicks.filter(click => this.indices.has(click)), key = [...this.begun, "", ...hinted].join();
			if (key === this.hinted)
				return;
			this.hinted = key;
			this.layers.hints.replaceChildren(...hinted.map(click => {
				const [cx, cy] = this.centre(this.indices.get(click));
				const is_taken = this.begun.length && this.stones[this.indices.get(click)];
				return make("circle", is_taken ? { class: "hint taken", cx, cy, r: 45 } : { class: "hint", cx, cy, r: 11 });
			}));
		}

		// The stone that has been placed or aimed at, or a ring on the stone that has been chosen.
		show_begun() {
			this.ghosts?.forEach(node => node.remove());
			this.ghosts = [];
			const squares = this.begun.filter(click => this.indices.has(click)).map(name => this.indices.get(name));
			for (const i of this.aim >= 0 ? [...squares, this.aim] : squares) {
				const [cx, cy] = this.centre(i);
				this.ghosts.push(this.view.squares[i] === "." ? this.stone(i, this.letter_of(this.view.side, this.begun[0]), this.homes[i], "ghost") :
					make("circle", { class: "chosen", cx, cy, r: 47 }, this.layers.last));
			}
		}

		// A mark keeps the nodes that its square had in `old`.
		show_mark(mark, marked, old) {
			const i = this.indices.get(mark.click), lines = (mark.text ?? "").split("\n");
			if (i === undefined) {
				const node = this.turns.find(({ letter }) => letter === mark.click)?.node;
				if (!node?.classList.contains("open"))
					return;
				node.lastChild.textContent = lines[0];
				node.classList.add("marked");
				node.classList.toggle("best", Boolean(mark.best));
				if (mark.proof)
					node.setAttribute("data-proof", mark.proof);
				return;
			}
			if (this.begun.length && !this.choices.has(mark.click))
				return;
			if (lines[0])
				marked.add(i);
			const parts = old.get(i) ?? this.new_mark(i), [, y] = this.centre(i);
			const small = this.crowded ? "" : lines[1] ?? "", heat = `${Math.round(100 * mark.heat)}%`;
			this.marks.set(i, parts);
			set(parts.spot, "r", lines[0] ? 42 : 6 + 12 * mark.share);
			if (parts.heat !== heat)
				parts.spot.style.setProperty("--heat", parts.heat = heat);
			if (mark.proof)
				set(parts.node, "data-proof", mark.proof);
			else
				parts.node.removeAttribute("data-proof");
			parts.node.classList.toggle("best", Boolean(mark.best));
			this.set_line(parts, "value", lines[0], small ? y - 8 : y);
			this.set_line(parts, "small", small, y + 19);
			parts.value?.classList.toggle("long", lines[0].length > 3);
		}

		new_mark(i) {
			const [cx, cy] = this.centre(i), node = make("g", { class: "mark" }, this.layers.marks);
			return { node, spot: make("circle", { cx, cy }, node), x: cx };
		}

		// Sets a line of a mark's text. A line without text has no node.
		set_line(parts, name, text, y) {
			if (!text) {
				parts[name]?.remove();
				parts[name] = undefined;
				return;
			}
			parts[name] ??= make("text", { x: parts.x, class: name }, parts.node);
			set(parts[name], "y", y);
			set_text(parts[name], text);
		}

		// An expected stone shows its number; if the square has a mark, the number moves to the corner.
		show_line(moves, targets, taken) {
			let black = this.view.side === "X";
			moves.forEach((move, n) => {
				const i = targets[n], turn = this.turn_of(move);
				if (i !== undefined) {
					const [x, y] = this.centre(i), colour = this.letter_of(black ? "X" : "O", this.clicks_of(move)[0]);
					const words = { class: black ? "on-black" : "on-white" };
					if (taken.has(i)) {
						const [away, size] = this.crowded ? [40, 1.4] : [33, 1];
						const badge = make("g", { class: `badge ${words.class}`,
							transform: `translate(${x + away} ${y - away}) scale(${size})` }, this.layers.line);
						make("circle", { r: 17 }, badge);
						make("text", {}, badge).textContent = n + 1;
					} else {
						this.stone(i, colour, this.layers.line, "ghost");
						make("text", { ...words, x, y, "font-size": this.layout.pen ? 25 : this.crowded ? 50 : 38 }, this.layers.line).textContent = n + 1;
					}
					taken.add(i);
					if (turn)
						this.draw_turn(this.layers.line, turn, String(n + 1), "to-turn");
				}
				black = !black;
			});
		}

		word_of(content) {
			const piece = this.layout.pieces?.find(({ letter }) => letter === content), owner = this.owner(content);
			if (content === ".")
				return this.words.empty;
			return [...owner ? [this.words[owner]] : [], ...piece ? [this.words.pieces?.[piece.name] ?? piece.name] : []].join(" ");
		}

		name_squares() {
			const { squares, last, legal } = this.view, words = this.words;
			this.squares.forEach((node, i) => {
				if (!node)
					return;
				const name = this.names[i], click = this.click_at(i), playable = this.choices.has(click) || this.first.has(click);
				const what = [name, this.word_of(squares[i])];
				if (playable && click === name && legal)
					what.push(words.legal);
				if (name === last)
					what.push(words.last);
				set(node, "aria-label", what.join(", "));
				node.classList.toggle("playable", playable);
				set(node, "aria-disabled", !playable);
			});
		}

		// --- choosing a move ---

		// Returns false for the first touch of a square that is too small to hit.
		is_meant(index, event) {
			const click = this.click_at(index);
			if (event.pointerType !== "touch" || this.aim === index || !this.choices.has(click) ||
				this.squares[index].getBoundingClientRect().width >= FINGER)
				return true;
			this.aim = index;
			this.set_cursor(index);
			this.show_overlays();
			this.onaim?.(click);
			return false;
		}

		choose(index) {
			const click = this.click_at(index);
			this.set_cursor(index);
			if (this.choices.has(click))
				this.take(click);
			else if (this.begun.at(-1) === click)
				this.end();
			else if (this.first.has(click))
				this.begin_again(click);
			else
				this.onrefuse?.(this.names[index]);
		}

		// A second click on the last square plays the move that ends there; without one, the user begins again.
		end() {
			const move = this.view.legal.find(it => this.clicks_of(it).join() === this.begun.join());
			if (move)
				this.play(move);
			else
				this.set_begun([]);
		}

		begin_again(click) {
			this.set_begun([]);
			this.take(click);
		}

		// Adds a click to the move.
		take(click) {
			const begun = [...this.begun, click], moves = this.choices.get(click) ?? [];
			const is_whole = move => this.clicks_of(move).slice(begun.length).every(next => !this.indices.has(next));
			if (moves.length === 1 && is_whole(moves[0]))
				this.play(moves[0]);
			else if (moves.length)
				this.set_begun(begun);
		}

		play(move) {
			const focused = this.svg.contains(document.activeElement);
			this.begun_here = this.begun.length > 0; // the stone is already shown: turn its area at once
			this.set_begun([]);
			if (focused)
				this.focus();
			this.onmove?.(move);
		}

		// Sets the clicks of a move that has begun.
		set_begun(begun) {
			if (begun.join() === this.begun.join())
				return;
			this.begun = begun;
			this.aim = -1;
			this.choices = this.choices_after(begun);
			let turning = false;
			for (const turn of this.turns) {
				const open = this.choices.has(turn.letter);
				turning ||= open;
				turn.node.classList.toggle("open", open);
				turn.node.setAttribute("tabindex", open ? 0 : -1);
				if (!open)
					this.lean(turn, false);
			}
			this.svg.classList.toggle("turning", turning);
			this.show_overlays();
			this.name_squares();
			this.onpending?.(begun);
		}

		// Tilts an area in the direction of the arrow under the pointer.
		lean({ part, letter, clockwise }, on) {
			const angle = on && this.choices.has(letter) ? (clockwise ? 7 : -7) : 0;
			if (part)
				part.node.style.transform = angle ? `rotate(${angle}deg)` : "";
		}

		// --- dragging a piece: with a mouse or a pen; a finger scrolls, and taps ---

		square_under(x, y) {
			return this.squares.indexOf(document.elementFromPoint(x, y));
		}

		on_down(event) {
			const from = this.squares.indexOf(event.target), name = this.names[from];
			if (from < 0 || event.button || event.pointerType === "touch" || !(this.first.get(name) ?? []).some(move => this.clicks_of(move).length > 1 &&
				this.indices.has(this.clicks_of(move)[1])) || !this.stones[from])
				return;
			const start = [event.clientX, event.clientY], { node } = this.stones[from];
			const scale = this.width / this.svg.getBoundingClientRect().width;
			let dragged = false;
			const move = ({ clientX, clientY }) => {
				const dx = clientX - start[0], dy = clientY - start[1];
				if (!dragged && Math.hypot(dx, dy) < DRAG_FROM)
					return;
				if (!dragged) {
					dragged = true;
					this.set_begun([]);
					this.take(name);
					this.svg.classList.add("dragging");
					this.homes[from].append(node); // above the others
				}
				node.style.transform = `translate(${dx * scale}px, ${dy * scale}px)`;
			};
			const stop = () => {
				document.removeEventListener("pointermove", move);
				document.removeEventListener("pointerup", drop);
				document.removeEventListener("pointercancel", stop);
				this.svg.classList.remove("dragging");
				node.style.transform = "";
			};
			const drop = ({ clientX, clientY }) => {
				const to = this.square_under(clientX, clientY);
				stop();
				if (!dragged || to === from) // the click that follows takes the choice back
					return;
				if (to < 0 || !this.choices.has(this.names[to]))
					return this.set_begun([]);
				this.dropped = true;
				this.set_cursor(to);
				this.take(this.names[to]);
			};
			document.addEventListener("pointermove", move);
			document.addEventListener("pointerup", drop);
			document.addEventListener("pointercancel", stop);
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
			const on_turn = this.turns.findIndex(({ node }) => node === event.target);
			const letter = this.turns.find(turn => turn.letter === event.key.toUpperCase())?.letter;
			if (event.ctrlKey || event.altKey || event.metaKey)
				return;
			if (step) {
				if (on_turn >= 0)
					this.next_turn(on_turn, step[0] + step[1]);
				else
					this.move_cursor(step);
			} else if (event.key === "Enter" || event.key === " ") {
				if (on_turn >= 0) {
					this.take(this.turns[on_turn].letter);
				} else {
					this.choose(this.cursor);
					this.turns.find(({ node }) => node.classList.contains("open"))?.node.focus({ preventScroll: true });
				}
			} else if (event.key === "Escape" && this.begun.length) {
				this.set_begun([]);
				this.focus();
			} else if (this.begun.length && letter) {
				this.take(letter);
			} else {
				return;
			}
			event.preventDefault();
			event.stopPropagation();
		}

		move_cursor([down, right]) {
			const next = Math.floor(this.cursor / this.cols) + down;
			let row = next, col = this.cursor % this.cols + right;
			while (this.graph && down && !this.has(row, col) && row >= 0 && row < this.rows)
				row += down;
			if (down && (this.hexes || !this.has(row, col)))
				return this.move_across(next);
			while (!this.has(row, col) && col >= 0 && col < this.cols)
				col += right;
			if (!this.has(row, col))
				return;
			this.set_cursor(row * this.cols + col);
			this.wish = this.centre(this.cursor)[0];
			this.focus();
		}

		// Goes to the next row where it has no square above or below this one: of two neighbours to the one nearer to the column of
		// pixels in which the cursor was before it began to go up or down. So the way up and down is straight.
		move_across(row) {
			const [x] = this.centre(this.cursor), wish = Math.abs(x - this.wish) <= CELL ? this.wish : x;
			const near = this.layout.columns.map((_, col) => col).filter(col => this.has(row, col) && Math.abs(this.centre(row * this.cols + col)[0] - x) <= CELL);
			const away = col => Math.abs(this.centre(row * this.cols + col)[0] - wish);
			if (!near.length)
				return;
			this.set_cursor(row * this.cols + near.reduce((best, col) => away(col) < away(best) - 1 ? col : best));
			this.wish = wish;
			this.focus();
		}

		// The order around the board follows the letters; it begins and ends at the left.
		next_turn(from, by) {
			const count = this.turns.length;
			for (let i = 1; i <= count; i++) {
				const { node } = this.turns[(from + by * i + count * count) % count];
				if (node.classList.contains("open"))
					return node.focus({ preventScroll: true });
			}
		}
	}
	return Board;
})();
