// SPDX-License-Identifier: MIT
//
// A small stand-in for `yomi web`: it serves the pages and the HTTP API with games of its own, so that the page is
// tested with boards that no game of yomi may have. It plays the first legal move, and logs the commands.
//
//	stones    on the lines of a board of three sizes, two passes end it; a single stone whose neighbours are all the
//	          other side's is captured; Black's score is the difference in stones, minus komi (6.5)
//	walkers   on 5x4 squares, a stone steps straight or diagonally ahead; who reaches the other edge wins
"use strict";

const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");

const web = path.join(__dirname, "../../protocol/web");
const LETTERS = "ABCDEFGHJKLMNOPQRST", PASS = "PASS";
const count = n => Array.from({ length: n }, (_, i) => i);
const other = stone => stone === "X" ? "O" : "X";

class Rules {
	komi = null;

	constructor(rows, cols) {
		this.rows = rows;
		this.cols = cols;
		this.names = count(rows * cols).map(i => LETTERS[i % cols] + (rows - Math.floor(i / cols)));
	}

	board(more) {
		return { kind: "squares", color: "wood", pen: false, falls: false, columns: [...LETTERS.slice(0, this.cols)],
			numbers: count(this.rows).map(row => this.rows - row), dots: [], block: null, turns: [], ...more };
	}

	beside(i, steps) {
		const row = Math.floor(i / this.cols), col = i % this.cols;
		return steps.map(([down, right]) => [row + down, col + right]).filter(([r, c]) => r >= 0 && r < this.rows && c >= 0 && c < this.cols)
			.map(([r, c]) => r * this.cols + c);
	}
}

class Stones extends Rules {
	static sizes = [[9, 9], [13, 13], [19, 19]];
	komi = 6.5;
	unit = "points";

	layout() {
		const middle = (this.rows - 1) / 2;
		return this.board({ kind: "intersections", dots: [[middle, middle]] });
	}

	start() {
		return { squares: ".".repeat(this.rows * this.cols), side: "X", passes: 0 };
	}

	moves({ squares, passes }) {
		return passes === 2 ? [] : [...count(squares.length).filter(i => squares[i] === ".").map(i => [this.names[i]]), []];
	}

	play({ squares, side, passes }, [name]) {
		if (!name)
			return { squares, side: other(side), passes: passes + 1 };
		const all = [...squares], at = this.names.indexOf(name), cross = [[0, 1], [1, 0], [0, -1], [-1, 0]];
		all[at] = side;
		for (const i of this.beside(at, cross))
			if (all[i] === other(side) && this.beside(i, cross).every(j => all[j] === side))
				all[i] = ".";
		return { squares: all.join(""), side: other(side), passes: 0 };
	}

	score({ squares, passes }) {
		return passes === 2 ? squares.split("X").length - squares.split("O").length - this.komi : null;
	}
}

class Walkers extends Rules {
	static sizes = [[4, 5]];
	unit = null;

	layout() {
		return this.board();
	}

	start() {
		return { squares: "OOOOO..........XXXXX", side: "X" };
	}

	moves(state) {
		const { squares, side } = state, down = side === "X" ? -1 : 1;
		if (this.score(state) !== null)
			return [];
		return count(20).filter(i => squares[i] === side).flatMap(i => this.beside(i, [[down, 0], [down, -1], [down, 1]])
			.filter(to => squares[to] === "." || (squares[to] !== side && to % 5 !== i % 5)).map(to => [this.names[i], this.names[to]]));
	}

	play({ squares, side }, [from, to]) {
		const all = [...squares];
		all[this.names.indexOf(from)] = ".";
		all[this.names.indexOf(to)] = side;
		return { squares: all.join(""), side: other(side) };
	}

	score({ squares }) {
		return squares.slice(0, 5).includes("X") ? 1 : squares.slice(15).includes("O") ? -1 : null;
	}
}

const GAMES = { stones: Stones, walkers: Walkers };
const colour_of = side => side === "X" ? "black" : "white";

class Session {
	constructor(emit) {
		this.emit = emit; // (event, data)
		this.name = "stones";
		this.begin(...Stones.sizes[0]);
	}

	begin(rows, cols) {
		this.rules = new GAMES[this.name](rows, cols);
		this.states = [this.rules.start()];
		this.made = [];
	}

	legal(state) {
		return this.rules.moves(state).map(clicks => [clicks.join("") || PASS, clicks]);
	}

	play(text) {
		const state = this.states.at(-1), found = this.legal(state).find(([name]) => name === text);
		if (!found)
			throw new Error("illegal move");
		this.made.push({ color: colour_of(state.side), move: text });
		this.states.push(this.rules.play(state, found[1]));
	}

	position(at) {
		const { rules, name } = this, state = this.states[at], score = rules.score(state), legal = this.legal(state);
		const last = at > 0 && this.legal(this.states[at - 1]).find(([text]) => text === this.made[at - 1].move)[1].at(-1);
		return { game: name, title: name, rules: "standard", unit: rules.unit, rows: rules.rows, cols: rules.cols, komi: rules.komi, squares: state.squares,
			side: state.side, to_move: colour_of(state.side), over: score !== null, score,
			winner: score === null ? null : score > 0 ? "black" : score < 0 ? "white" : "draw", board: rules.layout(), moves: this.made, at,
			legal: legal.map(([text]) => text), clicks: Object.fromEntries(legal), last: last || null, runs: [], pass: false,
			position: `${state.squares} ${state.side}`, can_undo: at > 0 };
	}

	report() {
		const state = this.states.at(-1), [[move, clicks]] = this.legal(state), next = this.rules.play(state, clicks);
		const answer = this.legal(next)[0], line = [move, ...answer ? [answer[0]] : []];
		return { side: colour_of(state.side), seconds: 0.1, playouts: 10, nodes: 0, rate: 100, value: 0.1, score: 1.5, lower: -1, upper: 1, exact: false,
			book: false, depth: 2, fill: 0, memory: 1, proof: null, disproof: null, line, clicks: Object.fromEntries([[move, clicks], ...answer ? [answer] : []]),
			moves: [{ move, visits: 10, value: 0.1, score: 1.5, lower: -1, upper: 1, exact: false, line, line_visits: [10, 5] }] };
	}

	// Returns the answer to a command.
	run(command, id) {
		const [name, ...args] = command.split(" "), json = value => JSON.stringify(value);
		switch (name) {
		case "yomi-games":
			return json(Object.entries(GAMES).map(([game, own]) => ({ game, title: game, rules: ["standard"], rows: own.sizes[0][0], cols: own.sizes[0][1],
				sizes: own.sizes, komis: own.sizes.map(([rows, cols]) => new own(rows, cols).komi) })));
		case "param":
			return args.length ? "" : "[list/first] search first\n[string] threads 1\n[string] time 1";
		case "set_game":
			this.name = args[0];
			return this.begin(...GAMES[this.name].sizes[0]) ?? "";
		case "boardsize":
			return this.begin(Number(args[1]), Number(args[0])) ?? "";
		case "clear_board":
			return this.begin(this.rules.rows, this.rules.cols) ?? "";
		case "komi":
			if (Math.abs(args[0]) > 100)
				throw new Error("syntax error");
			if (this.rules.komi !== null)
				this.rules.komi = Number(args[0]);
			return "";
		case "play":
			return this.play(args[1]) ?? "";
		case "undo":
			this.made.pop();
			this.states.pop();
			return "";
		case "yomi-position":
			return json(this.position(args.length ? Number(args[0]) : this.made.length));
		case "yomi-genmove": {
			const report = this.report();
			this.play(report.line[0]);
			return json({ ...report, played: report.line[0] });
		}
		case "yomi-analyze":
			this.emit("line", { id, text: json(this.report()) });
			this.stop = () => this.emit("answer", { id, ok: true, text: "" });
			return null;
		case "known_command":
			return String(["yomi-explain", "yomi-facts"].includes(args[0]));
		case "yomi-facts":
			return json([{ key: "near", tone: "for", side: "black", numbers: [0, 0], names: [], count: 0, squares: [], text: `it follows ${this.made.length} moves` }]);
		case "yomi-explain":
			return json({ move: args[0], text: [`${args[0]}: after ${this.made.length} moves`, "it is near the edge"] });
		case "printsgf":
			return "(;GM[1])";
		default:
			throw new Error("unknown command");
		}
	}

	// Reads a line with its number. Any line ends an analysis.
	read(line) {
		const [, id, command] = /^(\d+) (.*)$/.exec(line) ?? [];
		this.stop?.();
		this.stop = null;
		if (!command)
			return;
		let answer;
		try {
			answer = { ok: true, text: this.run(command, Number(id)) };
		} catch (error) {
			answer = { ok: false, text: error.message };
		}
		if (answer.text !== null)
			this.emit("answer", { id: Number(id), ...answer });
	}
}

// Returns the server's address, the commands it got, and how to close it.
async function start() {
	const sessions = new Map(), commands = [];
	const server = http.createServer((request, response) => {
		const [, kind, id, what] = request.url.split("/");
		if (kind !== "game") {
			const file = path.join(web, kind || "index.html"), types = { html: "text/html; charset=utf-8", css: "text/css", js: "text/javascript" };
			response.writeHead(fs.existsSync(file) ? 200 : 404, { "Content-Type": types[file.split(".").at(-1)] ?? "text/plain" });
			response.end(fs.existsSync(file) ? fs.readFileSync(file) : "");
		} else if (!id) {
			const game = { stream: null, session: null };
			game.session = new Session((event, data) => game.stream?.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
			sessions.set(String(sessions.size + 1), game);
			response.writeHead(201, { "Content-Type": "application/json" });
			response.end(JSON.stringify({ game: String(sessions.size) }));
		} else if (what === "events") {
			response.writeHead(200, { "Content-Type": "text/event-stream" });
			response.write(":\n\n");
			sessions.get(id).stream = response;
		} else {
			let body = "";
			request.on("data", data => { body += data; });
			request.on("end", () => {
				for (const line of body.split("\n").filter(Boolean)) {
					commands.push(line.replace(/^\d+ /, ""));
					sessions.get(id).session.read(line);
				}
				response.writeHead(204).end();
			});
		}
	});
	await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${server.address().port}/`, commands, close: () => server.closeAllConnections() ?? server.close() };
}

module.exports = { start };
