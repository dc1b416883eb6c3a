// SPDX-License-Identifier: MIT
//
// What a report does: plots are saved, tables are sorted, games are listed and narrowed, and played through on a YomiBoard.
// It knows no rules: what each move changes stands in the page. The index of a match has what the list needs. The moves
// are in packed blocks of games at the end of the page (tools/report/pack.h); a block is unpacked when a game of it is
// opened.
"use strict";

(() => {
	const SVG = "http://www.w3.org/2000/svg";
	const MINUS = "\u2212";

	function make(name, attributes, parent) {
		const node = document.createElementNS(SVG, name);
		for (const key in attributes)
			node.setAttribute(key, attributes[key]);
		parent?.append(node);
		return node;
	}

	function element(name, properties, ...children) {
		const node = Object.assign(document.createElement(name), properties);
		node.append(...children);
		return node;
	}

	const signed = x => (x < 0 ? MINUS : "+") + Math.abs(x).toFixed(2);
	const seconds = x => x < 1 ? `${(1000 * x).toFixed(x < 0.01 ? 2 : 0)} ms` : `${x.toFixed(x < 10 ? 2 : 1)} s`;

	// --- light and dark ---

	function begin_theme() {
		const button = document.getElementById("theme"), root = document.documentElement;
		const system = matchMedia("(prefers-color-scheme: dark)");
		const is_dark = () => root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
		const name = () => { button.textContent = is_dark() ? "Light" : "Dark"; };
		button.hidden = false;
		button.addEventListener("click", () => {
			root.dataset.theme = is_dark() ? "light" : "dark";
			name();
		});
		system.addEventListener("change", name);
		name();
	}

	// --- plots as files ---

	const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "font-size",
		"font-family", "font-weight"];

	// Colours and fonts go into the file, which has no style sheet.
	function save(button) {
		const svg = button.closest("figure").querySelector("svg"), copy = svg.cloneNode(true);
		const from = svg.querySelectorAll("*"), to = copy.querySelectorAll("*");
		from.forEach((node, i) => {
			const style = getComputedStyle(node);
			for (const name of STYLES)
				to[i].setAttribute(name, style.getPropertyValue(name));
			to[i].removeAttribute("class");
		});
		const { width, height } = svg.viewBox.baseVal;
		copy.setAttribute("xmlns", SVG);
		copy.setAttribute("width", width);
		copy.setAttribute("height", height);
		const ground = make("rect", { width, height, fill: getComputedStyle(button.closest(".card")).backgroundColor });
		copy.prepend(ground);
		const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
		element("a", { href: url, download: `${button.dataset.name}.svg` }).click();
		setTimeout(() => URL.revokeObjectURL(url), 10000);
	}

	// --- a game ---

	// The positions before and after each move, from what the moves change.
	function positions(start, moves) {
		const all = [start];
		for (const { changes } of moves) {
			const squares = [...all.at(-1)];
			for (const [, index, mark] of changes.matchAll(/(\d+)([XO.])/g))
				squares[index] = mark;
			all.push(squares.join(""));
		}
		return all;
	}

	// The moves of a packed game (tools/report/replay.h) as a list of objects.
	function unfold({ moves, changes, stones, seconds: times, values, notes }) {
		const squares = stones.split(" "), changed = changes.split(" ");
		return moves === "" ? [] : moves.split(" ").map((text, i) => ({
			text, changes: changed[i], stone: squares[i] === "-" ? null : squares[i] === "=" ? text : squares[i],
			seconds: times?.[i] ?? null, value: values?.[i] ?? null, note: notes?.[i + 1] }));
	}

	async function unpack(block) {
		const bytes = Uint8Array.from(atob(block.textContent), letter => letter.charCodeAt(0));
		return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
	}

	// The packed blocks of a match stand behind the script.
	const read = new Promise(resolve => document.readyState === "loading" ?
		document.addEventListener("DOMContentLoaded", resolve) : resolve());

	// The games of one match: what its index says of them, and their moves.
	class Games {
		constructor(match) {
			const { block, resigned, ends, clicks, games } = JSON.parse(match.querySelector(".index").textContent);
			this.size = block;
			this.clicks = clicks;
			this.number = match.id.slice(1);
			this.blocks = new Map();
			this.list = games.map(([id, black, white, points, end, opening, skip, count, detail], i) => ({ id: String(id), black, white,
				points, end: ends[end], opening, skip, count, detail, failed: end > resigned, i }));
			this.by_id = new Map(this.list.map(game => [game.id, game]));
		}

		// Resolves to the moves of a game.
		async moves(game) {
			const n = Math.floor(game.i / this.size);
			if (!this.blocks.has(n)) {
				await read;
				this.blocks.set(n, unpack(document.querySelectorAll(`.block[data-match="${this.number}"]`)[n]));
			}
			return unfold((await this.blocks.get(n))[game.i % this.size]);
		}
	}

	const ICONS = {
		first: "M4 3v12M14 4L9 9l5 5", back: "M11.5 4L6.5 9l5 5", play: "M5 3.5l9 5.5-9 5.5z", pause: "M5.5 4v10M12.5 4v10",
		on: "M6.5 4l5 5-5 5", last: "M14 3v12M4 4l5 5-5 5",
	};

	function icon(name) {
		const svg = make("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" });
		make("path", { d: ICONS[name], fill: name === "play" ? "currentColor" : "none" }, svg);
		return svg;
	}

	let started = false; // before, the address is what the reader has come with

	// Plays through the games of one match.
	class Viewer {
		constructor(match) {
			this.match = match;
			this.games = new Games(match);
			this.start = match.dataset.start;
			this.box = match.querySelector(".viewer");
			this.names = [...match.querySelectorAll(".players tbody tr")].map(row => ({
				chip: row.querySelector(".chip"), name: row.querySelector("bdi").textContent }));
			this.rows = new Map(this.games.list.map(game => [game.id, this.row_of(game)]));
			match.querySelector(".games tbody").append(...this.rows.values());
			this.at = 0;
			this.timer = null;

			this.sides = element("div", { className: "sides" });
			const board = element("div", { className: "board" }), place = element("div");
			this.controls = element("div", { className: "controls" });
			const buttons = [["first", "To the beginning", () => this.go(0)], ["back", "Back", () => this.go(this.at - 1)],
				["play", "Play", () => this.toggle()], ["on", "On", () => this.go(this.at + 1)],
				["last", "To the end", () => this.go(this.moves.length)]];
			for (const [name, words, run] of buttons) {
				const button = element("button", { type: "button", title: words, ariaLabel: words }, icon(name));
				button.addEventListener("click", () => {
					if (name !== "play")
						this.pause();
					run();
				});
				this.controls.append(button);
			}
			board.append(place, this.controls);
			this.record = element("ol", { className: "record" });
			this.graph = element("div", { className: "chart" });
			this.words = element("p", { className: "words" });
			this.words.setAttribute("aria-live", "polite");
			this.box.replaceChildren(this.sides, board, this.record, this.graph, this.words);
			this.board = new YomiBoard(place, JSON.parse(match.querySelector(".layout").textContent));
			this.box.tabIndex = -1;
			match.addEventListener("keydown", event => this.on_key(event));
			new ResizeObserver(() => this.moves && this.show_graph()).observe(this.graph);
			this.graph.addEventListener("click", event => {
				const { left, width } = this.graph.getBoundingClientRect();
				this.pause();
				this.go(Math.round((event.clientX - left) / width * this.moves.length));
			});
		}

		chip(player) {
			return this.names[player].chip.cloneNode(true);
		}

		row_of({ id, black, white, points, end, failed, count, detail }) {
			const cell = (...children) => element("td", {}, ...children);
			const how = cell((failed ? `${end}: ` : "") + detail);
			how.className = "how";
			const row = element("tr", {}, cell(element("a", { href: `#g${id}` }, id)), cell(this.chip(black)), cell(this.chip(white)),
				cell(points === 1 ? "draw" : this.chip(points === 2 ? black : white)), how, cell(String(count)));
			row.cells[3].className = points === 1 ? "draw" : "";
			row.addEventListener("click", event => {
				event.preventDefault();
				this.open(id);
			});
			return row;
		}

		// Shows a game, at its end unless `at` says after which move.
		async open(id, at) {
			this.wanted = id;
			if (this.id !== id) {
				this.pause();
				const game = this.games.by_id.get(id);
				const moves = await this.games.moves(game).catch(error => this.words.append(`The game cannot be unpacked: ${error.message}`));
				if (this.wanted !== id || !moves)
					return; // another game was opened meanwhile, or there is none
				this.id = id;
				this.game = game;
				this.moves = moves;
				this.squares = positions(this.start, this.moves);
				this.show_sides();
				this.show_record();
				this.match.querySelector(".games tr[aria-current]")?.removeAttribute("aria-current");
				const row = this.rows.get(id), list = row.closest(".tall");
				row.setAttribute("aria-current", "true");
				if (row.offsetTop < list.scrollTop + 30 || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight)
					list.scrollTop = row.offsetTop - list.clientHeight / 2;
				this.at = -1;
			}
			this.go(at ?? this.moves.length);
		}

		player(number) {
			const { chip, name } = this.names[number];
			return [" ", chip.cloneNode(true), " ", element("bdi", { textContent: name, title: name })];
		}

		show_sides() {
			const { black, white, points, detail, end } = this.game;
			const how = end === "over" || end === "resigned" ? "" : ` (${end})`;
			const outcome = element("p", { className: "outcome" }, points === 1 ? "draw" : end === "over" && detail ? detail :
				`${points === 2 ? "Black" : "White"} wins${how}`);
			outcome.title = detail;
			this.sides.replaceChildren(element("p", {}, element("i", { className: "b" }), ...this.player(black)), outcome,
				element("p", {}, element("i", { className: "w" }), ...this.player(white)));
		}

		show_record() {
			this.buttons = this.moves.map(({ text, value }, i) => {
				const button = element("button", { type: "button", className: i < this.game.skip ? "book" : "" }, text);
				if (value !== null)
					button.append(element("small", { textContent: signed(value) }));
				button.addEventListener("click", () => {
					this.pause();
					this.go(i + 1);
				});
				return button;
			});
			const lines = [];
			for (let i = 0; i < this.buttons.length; i += 2)
				lines.push(element("li", {}, String(i + 1), ...this.buttons.slice(i, i + 2)));
			this.record.replaceChildren(...lines);
		}

		// Plots the evaluations of both engines: the expected result for Black, who wins at the top.
		show_graph() {
			const width = this.graph.clientWidth || 640, height = 120, pad = 8, n = Math.max(this.moves.length, 1);
			const x = ply => ply * width / n, y = value => height / 2 - value * (height / 2 - pad);
			const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Evaluations of both engines, move by move" });
			if (this.game.skip)
				make("rect", { class: "book", width: x(this.game.skip), height }, svg);
			make("line", { class: "middle", x2: width, y1: height / 2, y2: height / 2 }, svg);
			[this.game.black, this.game.white].forEach((player, side) => {
				const points = this.moves.map(({ value }, i) => [i + 1, value]).filter(([ply, value]) =>
					value !== null && ply % 2 !== side);
				const series = make("g", { class: `s${player % 8}` }, svg);
				if (points.length)
					make("path", { d: "M" + points.map(([ply, value]) => `${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("L") }, series);
				for (const [ply, value] of points)
					if (ply === this.at)
						make("circle", { cx: x(ply), cy: y(value), r: 5 }, series);
			});
			make("line", { class: "now", x1: x(this.at), x2: x(this.at), y2: height }, svg);
			const none = this.moves.every(move => move.value === null);
			make("text", { x: 6, y: 16 }, svg).textContent = none ? "The engines reported no evaluations" : "Black wins";
			if (!none)
				make("text", { x: 6, y: height - 7 }, svg).textContent = "White wins";
			this.graph.replaceChildren(svg);
		}

		show_words() {
			const move = this.moves[this.at - 1];
			this.words.replaceChildren();
			if (!move)
				return this.words.append("Start of the game.");
			const { text, seconds: time, value, note } = move;
			const player = this.at % 2 ? this.game.black : this.game.white;
			this.words.append(this.names[player].chip.cloneNode(true), " ", element("b", { textContent: `${this.at}. ${text}` }));
			if (this.at <= this.game.skip)
				this.words.append(" \u00b7 opening");
			if (time !== null)
				this.words.append(` \u00b7 ${seconds(time)}`);
			if (value !== null)
				this.words.append(` \u00b7 expects ${signed(value)} for Black`);
			if (note)
				this.words.append(element("br"), element("bdi", { textContent: note }));
			if (this.at === this.moves.length)
				this.words.append(element("br"), element("b", { textContent: this.game.detail }));
		}

		go(at) {
			const before = this.at;
			this.at = Math.min(Math.max(at, 0), this.moves.length);
			if (this.at === before)
				return;
			const move = this.moves[this.at - 1], [now, old] = [this.squares[this.at], this.squares[this.at - 1]];
			const over = this.at === this.moves.length;
			this.board.show({ squares: now, before: old, move: move?.text, last: move?.stone, clicks: this.games.clicks, over });
			this.show_graph();
			this.show_words();
			this.buttons[before - 1]?.removeAttribute("aria-current");
			const button = this.buttons[this.at - 1];
			if (button) {
				button.setAttribute("aria-current", "true");
				const top = button.offsetTop - this.record.offsetTop;
				if (top < this.record.scrollTop || top + button.offsetHeight > this.record.scrollTop + this.record.clientHeight)
					this.record.scrollTop = top - this.record.clientHeight / 2;
			} else {
				this.record.scrollTop = 0;
			}
			if (started)
				history.replaceState(null, "", `#g${this.id}.${this.at}`);
		}

		toggle() {
			if (this.timer)
				return this.pause();
			if (this.at === this.moves.length)
				this.go(0);
			this.timer = setInterval(() => {
				this.go(this.at + 1);
				if (this.at === this.moves.length)
					this.pause();
			}, 900);
			this.name_play("pause", "Pause");
		}

		pause() {
			clearInterval(this.timer);
			this.timer = null;
			this.name_play("play", "Play");
		}

		name_play(name, words) {
			const button = this.controls.children[2];
			button.replaceChildren(icon(name));
			button.title = button.ariaLabel = words;
		}

		on_key(event) {
			const at = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.moves?.length }[event.key];
			if (at === undefined || event.altKey || event.ctrlKey || event.metaKey || !this.moves || event.target.closest("input, select"))
				return;
			if (!event.target.closest(".games"))
				return;
			this.pause();
			this.go(at);
			event.preventDefault();
		}
	}

	// --- the list of games ---

	function begin_filters({ match, games, rows }) {
		const form = match.querySelector(".filters");
		const narrow = () => {
			const { won, black, end, opening } = form.elements, number = opening.value.trim();
			let count = 0;
			for (const game of games.list) {
				const winner = ["white", "draw", "black"][game.points], row = rows.get(game.id);
				row.hidden = (won.value && won.value !== String(game[winner] ?? winner)) ||
					(black.value && black.value !== String(game.black)) || (end.value && end.value !== game.end) ||
					(number && number !== String(game.opening));
				count += !row.hidden;
			}
			form.querySelector("output").textContent = count < rows.size ? `${count} of ${rows.size} games; the others are left out` :
				`${count} of ${rows.size} games`;
		};
		form.addEventListener("input", narrow);
		form.addEventListener("submit", event => event.preventDefault());
		narrow();
	}

	// --- tables ---

	// Sorts a table by the column whose head is pressed: up, then down. Points are the share of the games.
	function begin_sorting(table) {
		const body = table.tBodies[0], words = new Intl.Collator("en", { numeric: true });
		const value = (row, i) => row.cells[i].dataset.value ?? row.cells[i].textContent;
		// A cell without a number stands below all numbers.
		const number = text => {
			const found = parseFloat(text.replace("\u2212", "-"));
			return Number.isNaN(found) ? -Infinity : found;
		};
		const compare = (a, b) => number(a) === number(b) ? words.compare(a, b) : number(a) - number(b);
		[...table.tHead.rows[0].cells].forEach((head, i, heads) => {
			const button = element("button", { type: "button" }, ...head.childNodes);
			head.append(button);
			button.addEventListener("click", () => {
				const down = head.ariaSort === "ascending";
				heads.forEach(other => other.removeAttribute("aria-sort"));
				head.setAttribute("aria-sort", down ? "descending" : "ascending");
				const sign = down ? -1 : 1;
				body.append(...[...body.rows].sort((a, b) => sign * compare(value(a, i), value(b, i))));
			});
		});
	}

	begin_theme();
	for (const button of document.querySelectorAll(".save"))
		button.addEventListener("click", () => save(button));
	for (const table of document.querySelectorAll(".sortable"))
		begin_sorting(table);
	const viewers = new Map(), first_games = [];
	for (const match of document.querySelectorAll(".match")) {
		const viewer = new Viewer(match);
		begin_filters(viewer);
		for (const id of viewer.rows.keys())
			viewers.set(id, viewer);
		if (viewer.games.list.length)
			first_games.push(viewer.open(viewer.games.list[0].id));
	}

	// #g7.23: game 7 after its 23rd move.
	async function follow(hash) {
		const [, id, at] = /^#g(\d+)(?:\.(\d+))?$/.exec(hash) ?? [];
		const viewer = viewers.get(id);
		await viewer?.open(id, at === undefined ? undefined : Number(at));
		viewer?.box.scrollIntoView({ block: "nearest" });
	}
	for (const link of document.querySelectorAll(".drops a"))
		link.addEventListener("click", event => {
			event.preventDefault();
			follow(link.getAttribute("href"));
		});
	// Until the first games are shown, the address is what the reader has come with.
	Promise.all([...first_games, follow(location.hash)]).then(() => { started = true; });
	addEventListener("hashchange", () => follow(location.hash));
})();
