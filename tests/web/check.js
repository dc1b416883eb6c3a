// SPDX-License-Identifier: MIT
//
// User actions on the page, in a real browser. Each check is a function of a fresh page or of the browser.
// Engines have one thread, a seed and a playout limit, so every run plays the same games. Checks wait for events,
// never for a fixed time.
//
// The file is long because all checks share one browser and the helpers above them.
"use strict";

const assert = require("node:assert/strict");
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { chromium } = require("playwright-core");

const yomi = process.env.YOMI, out = process.argv[2];
const PATIENCE = 60000; // ms; on an idle machine everything happens at once

// --- the program ---

// Returns its answers to GTP lines.
function engine(lines) {
	const { stdout } = spawnSync(yomi, ["--no-config"], { input: lines.join("\n") + "\n", encoding: "utf8" });
	return stdout.split("\n\n").filter(Boolean).map(text => text.trim().replace(/^= */, "").trim());
}

class Server {
	static running = new Set();

	static async start(port = 0, ...flags) {
		const server = new Server();
		server.process = spawn(yomi, ["web", String(port), "--no-config", "--memory=256", ...flags], { stdio: ["ignore", "pipe", "inherit"] });
		Server.running.add(server);
		server.process.once("exit", () => Server.running.delete(server));
		server.url = await new Promise((resolve, reject) => {
			let text = "";
			server.process.stdout.on("data", data => (text += data).includes("\n") && resolve(text.trim()));
			server.process.on("exit", () => reject(new Error("yomi web has ended")));
		});
		server.port = Number(new URL(server.url).port);
		return server;
	}

	async stop() {
		const ended = new Promise(resolve => this.process.once("exit", resolve));
		this.process.kill("SIGTERM");
		await ended;
	}
}

// Sends a request with any headers, as no browser would.
function request(port, { method = "GET", path = "/", headers = {}, body = "" }) {
	return new Promise((resolve, reject) => {
		const req = http.request({ host: "127.0.0.1", port, method, path, headers, setHost: !("Host" in headers) }, res => {
			let text = "";
			res.on("data", data => { text += data; });
			res.on("end", () => resolve({ code: res.statusCode, headers: res.headers, text }));
		});
		req.on("error", reject);
		req.end(body);
	});
}

// --- the page ---

let browser, server;

const player = (yomi, more = {}) => ({ yomi, level: 0, search: "mcts", threads: 1, limit: 60, unit: "playouts", ...more });
const person = player(false);

// Opens the page with stored settings of an earlier visit.
async function open({ black = person, white = player(true), settings = {}, url = server.url, ...context } = {}) {
	const own = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", reducedMotion: "reduce",
		...context });
	const page = await own.newPage();
	page.setDefaultTimeout(PATIENCE);
	page.faults = [];
	page.on("pageerror", error => page.faults.push(error.message));
	page.on("console", message => message.type() === "error" && page.faults.push(message.text()));
	await page.addInitScript(kept => localStorage.yomi ??= JSON.stringify(kept), { seed: 1, players: { black, white }, ...settings });
	await page.goto(url);
	await page.waitForSelector(".square");
	return page;
}

const status = page => page.textContent("#status");
const moves = page => page.$$eval("#moves button", all => all.map(node => node.firstChild.textContent));
const playable = page => page.$$eval(".square.playable", all => all.map(node => node.dataset.square));
const wait_for_status = (page, pattern) => page.waitForFunction(([source]) =>
	new RegExp(source).test(document.querySelector("#status").textContent), [pattern.source]);

// The position on the page, in the format of `position`.
const squares = page => page.$$eval(".square", all => all.map(node =>
	/, (Black|X)\b/.test(node.ariaLabel) ? "X" : /, (White|O)\b/.test(node.ariaLabel) ? "O" : ".").join(""));

// The person to move; "" while yomi thinks, "over" at the end.
const turn_of = page => page.evaluate(() => {
	if (/wins|A draw/.test(document.querySelector("#status").textContent))
		return "over";
	const card = document.querySelector(".player.turn");
	return card && card.querySelector(".who").value === "person" ? card.id.slice("player-".length) : "";
});

async function wait_for_turn(page, count) {
	await page.waitForFunction(count => {
		const card = document.querySelector(".player.turn");
		return document.querySelectorAll("#moves button").length >= count &&
			(/wins|A draw/.test(document.querySelector("#status").textContent) || card?.querySelector(".who").value === "person");
	}, count);
	return turn_of(page);
}

const choose_game = async (page, name) => {
	await page.selectOption("#game", name);
	await page.waitForSelector(`[data-game="${name.split(" ")[0]}"] .yomi-board`);
};

// Ways to play a square and a turn.
const hands = {
	mouse: {
		square: (page, square) => page.click(`[data-square="${square}"]`),
		turn: (page, letter) => page.click(`[data-turn="${letter}"]`),
		pass: page => page.click("#pass"),
	},
	finger: {
		square: (page, square) => page.tap(`[data-square="${square}"]`),
		turn: (page, letter) => page.tap(`[data-turn="${letter}"]`),
		pass: page => page.tap("#pass"),
	},
	keys: {
		async square(page, square) {
			const names = await page.$$eval(".square", all => all.map(node => node.dataset.square));
			const cols = new Set(names.map(name => name[0])).size;
			const at = name => [names.indexOf(name) % cols, Math.floor(names.indexOf(name) / cols)];
			await page.keyboard.press("ArrowUp"); // gives the board the focus
			const focused = () => page.evaluate(() => document.activeElement.dataset.square);
			let [col, row] = at(await focused());
			const [to_col, to_row] = at(square);
			for (; col !== to_col; col += Math.sign(to_col - col))
				await page.keyboard.press(to_col > col ? "ArrowRight" : "ArrowLeft");
			for (; row !== to_row; row += Math.sign(to_row - row))
				await page.keyboard.press(to_row > row ? "ArrowDown" : "ArrowUp");
			assert.equal(await focused(), square);
			await page.keyboard.press("Enter");
		},
		async turn(page, letter) {
			// The order of the arrows around the board is that of their letters.
			for (let i = 0; i < 8 && await page.evaluate(() => document.activeElement.dataset.turn) !== letter; i++)
				await page.keyboard.press("ArrowRight");
			await page.keyboard.press("Enter");
		},
		pass: page => page.keyboard.press("p"),
	},
};

// Plays the first legal move until the end, with each turn in rotation. yomi checks every position.
async function play_whole_game(page, name, hand) {
	await choose_game(page, name);
	for (let n = 0; await wait_for_turn(page, n) !== "over"; ) {
		assert.ok(n < 100, "the game ends");
		n = (await moves(page)).length + 1;
		const squares = await playable(page);
		if (squares.length === 0) {
			await hand.pass(page);
			continue;
		}
		await hand.square(page, squares[n % squares.length]);
		if (await page.$(".turn.open"))
			await hand.turn(page, "STUVWXYZ"[n % 8]);
	}
	await assert_engine_agrees(page);
	assert.deepEqual(page.faults, []);
}

async function record(page) {
	await page.click("#open-file");
	await page.waitForFunction(() => document.querySelector("#sgf").value.startsWith("("));
	const text = await page.inputValue("#sgf");
	await page.keyboard.press("Escape");
	return text;
}

async function assert_engine_agrees(page) {
	const [, position, score] = engine([`yomi-loadsgf ${encodeURIComponent(await record(page))}`, "yomi-position", "final_score"]);
	const told = JSON.parse(position);
	assert.equal(await squares(page), told.squares);
	assert.deepEqual(told.moves.map(m => m.move), (await moves(page)).map(m => m.toUpperCase()));
	if (!told.over)
		return;
	const text = await status(page), [winner, by] = score.split("+");
	assert.match(text, score === "0" ? /A draw$/ : winner === "B" ? /(Black|X) wins/ : /(White|O) wins/);
	if (by > 1)
		assert.ok(text.endsWith(`by ${by}`), text);
}

// --- the checks ---

const checks = {
	async "the page loads nothing from elsewhere, and without a complaint"() {
		const own = await browser.newContext(), page = await own.newPage(), asked = [], faults = [];
		page.on("request", r => asked.push(new URL(r.url())));
		page.on("console", message => faults.push(message.text()));
		page.on("pageerror", error => faults.push(error.message));
		const answer = await page.goto(server.url);
		await page.waitForSelector(".square");
		for (const url of asked)
			assert.ok(url.protocol === "data:" || url.origin === new URL(server.url).origin, url.href);
		assert.deepEqual(faults, []);
		assert.match(answer.headers()["content-security-policy"], /default-src 'none'; script-src 'self'; style-src 'self'/);
		const took = await page.evaluate(() => performance.getEntriesByType("navigation")[0].loadEventEnd);
		console.log(`# loaded in ${took.toFixed(0)} ms`);
		await own.close();
	},

	"a whole game of Othello by mouse": async () => play_whole_game(await open(), "othello standard", hands.mouse),
	"a whole game of Tic-tac-toe by mouse": async () => play_whole_game(await open(), "tictactoe standard", hands.mouse),
	"a whole game of Pentago by mouse": async () => play_whole_game(await open(), "pentago standard", hands.mouse),
	"a whole game of Othello by keys": async () => play_whole_game(await open(), "othello standard", hands.keys),
	"a whole game of Tic-tac-toe by keys": async () => play_whole_game(await open(), "tictactoe standard", hands.keys),
	"a whole game of Pentago by keys, Tajima's rules, as White": async () => play_whole_game(
		await open({ black: player(true), white: person }), "pentago tajima", hands.keys),
	"a whole game of Connect Four by mouse": async () => play_whole_game(await open(), "connectfour standard", hands.mouse),
	"a whole game of Connect Four by keys, as White": async () => play_whole_game(
		await open({ black: player(true), white: person }), "connectfour standard", hands.keys),
	"two persons, OpenSpiel's rules": async () => play_whole_game(await open({ white: person }), "pentago openspiel", hands.mouse),

	async "Go: captures, ko, passes, komi, another size; the record goes to another page"() {
		const page = await open({ white: person }), play = async (square, text) => {
			await hands.mouse.square(page, square);
			await wait_for_status(page, text);
		};
		await choose_game(page, "go standard");
		assert.equal(await page.inputValue("#size"), "9 9");
		await page.selectOption("#size", "5 5");
		await page.waitForFunction(() => document.querySelectorAll(".square").length === 25);
		for (const [square, colour] of [["B3", "Black"], ["C3", "White"], ["A2", "Black"], ["D2", "White"], ["B1", "Black"], ["C1", "White"]])
			await play(square, new RegExp(`^${colour}: ${square}\\. `));
		await play("C2", /^Black: C2\. White to move$/);
		await play("B2", /^White: B2\. 1 stone captured\. Black to move$/);
		assert.ok(!(await playable(page)).includes("C2")); // a ko
		await page.click('[data-square="C2"]', { force: true });
		await wait_for_status(page, /C2 is not a legal move/);
		await play("E5", /^Black: E5\. /);
		await play("A5", /^White: A5\. /);
		await play("C2", /^Black: C2\. 1 stone captured\. White to move$/);
		await page.fill("#komi", "0.5");
		await page.keyboard.press("Tab");
		await page.click("#pass");
		await wait_for_status(page, /^White passes\. Black to move$/);
		await page.click("#pass");
		await wait_for_status(page, /^Black passes\. (Black|White) wins by \d+\.5$/);
		await assert_engine_agrees(page);
		const text = await record(page), result = (await status(page)).replace(/^.*passes\. /, "");
		assert.match(text, /KM\[0\.5\]/);
		const another = await open();
		await another.click("#open-file");
		await another.fill("#sgf", text);
		await another.click("#load-sgf");
		await another.waitForFunction(() => document.querySelectorAll("#moves button").length === 13);
		assert.ok((await status(another)).endsWith(result), await status(another));
		assert.deepEqual([await another.inputValue("#size"), await another.inputValue("#komi")], ["5 5", "0.5"]);
		assert.deepEqual([page.faults, another.faults], [[], []]);
	},

	async "Go on 19x19 by finger: yomi answers, and its analysis is shown"() {
		const page = await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
		await choose_game(page, "go standard");
		await page.selectOption("#size", "19 19");
		await page.waitForFunction(() => document.querySelectorAll(".square").length === 361);
		assert.equal(await page.$$eval(".dot", all => all.length), 9);
		for (let n = 1; n < 10; n += 2) {
			const square = ["Q16", "D4", "Q4", "D16", "K10"][(n - 1) / 2], free = (await playable(page)).includes(square) ? square : "K3";
			await page.tap(`[data-square="${free}"]`);
			await wait_for_status(page, /touch again/);
			await page.tap(`[data-square="${free}"]`);
			assert.equal(await wait_for_turn(page, n + 1), "black");
		}
		// A tap is answered while the analysis runs and its marks are drawn.
		await page.tap("#analyse");
		for (const [n, wanted] of ["C10", "R10"].entries()) {
			await page.waitForSelector(".mark");
			assert.ok(await page.$$eval(".mark", all => all.length) <= 24);
			const free = await playable(page), square = free.includes(wanted) ? wanted : free[0];
			await page.tap(`[data-square="${square}"]`);
			await wait_for_status(page, /touch again/);
			await page.tap(`[data-square="${square}"]`);
			assert.equal(await wait_for_turn(page, 12 + 2 * n), "black");
			assert.equal((await moves(page))[10 + 2 * n], square);
		}
		await page.waitForSelector(".mark");
		await assert_engine_agrees(page);
		assert.deepEqual(page.faults, []);
	},

	async "Go with a handicap: a record in which Black moves twice is read, walked through and continued"() {
		const page = await open({ white: person });
		await page.click("#open-file");
		await page.fill("#sgf", "(;GM[1]FF[4]SZ[9]KM[0.5]HA[2]AB[gc][cg];W[ee];B[ec];B[gg];W[cc])");
		await page.click("#load-sgf");
		await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 4);
		assert.deepEqual(await moves(page), ["E5", "E7", "G3", "C7"]);
		const end = await squares(page);
		for (let n = 3; n >= 0; n--) {
			await page.keyboard.press("u");
			await wait_for_status(page, new RegExp(`after move ${n} of 4`));
			assert.equal((await squares(page)).replaceAll(".", "").length, 2 + n);
		}
		await page.click("#end");
		await wait_for_status(page, /^White: C7\. Black to move$/);
		assert.equal(await squares(page), end);
		await hands.mouse.square(page, "E3");
		await wait_for_status(page, /^Black: E3\. White to move$/);
		await page.reload();
		await page.waitForSelector('[aria-label^="E3, Black"]');
		assert.deepEqual(await moves(page), ["E5", "E7", "G3", "C7", "E3"]);
		await assert_engine_agrees(page);
		assert.deepEqual(page.faults, []);
	},

	async "whole games by finger on a phone, nothing wider than it"() {
		const page = await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
		for (const name of ["othello standard", "pentago standard", "tictactoe standard", "connectfour standard"]) {
			await play_whole_game(page, name, hands.finger);
			assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360, `${name}: too wide`);
			// Touch targets are as large as a fingertip, as far as eight squares in 360 pixels allow.
			const side = await page.$eval(".square", node => node.getBoundingClientRect().width);
			assert.ok(side >= 34, `${name}: squares of ${side}`);
		}
		for (const size of await page.$$eval(".tools button", all => all.filter(n => n.offsetParent).map(n => n.offsetHeight)))
			assert.ok(size >= 44, `a button of ${size}`);
	},

	async "yomi plays both sides, and goes back no further than one looks"() {
		const page = await open({ black: player(true), white: player(true, { search: "alphabeta", limit: 500 }) });
		await choose_game(page, "tictactoe standard");
		await wait_for_status(page, /wins|A draw/);
		await assert_engine_agrees(page);
		const all = (await moves(page)).length;
		await page.click("#back");
		await wait_for_status(page, new RegExp(`after move ${all - 1} of ${all}`));
		assert.equal((await moves(page)).length, all);
	},

	async "undo, redo, back to any move, another way from there"() {
		const page = await open({ white: person });
		for (const square of ["D3", "C3", "C4", "E3"])
			await hands.mouse.square(page, square).then(() => page.waitForSelector(`[aria-label^="${square}, "][aria-label*="last"]`));
		assert.deepEqual(await moves(page), ["D3", "C3", "C4", "E3"]);
		const all = await squares(page);
		await page.keyboard.press("u");
		await wait_for_status(page, /after move 3 of 4/);
		await page.keyboard.press("u");
		await page.keyboard.press("u");
		await wait_for_status(page, /after move 1 of 4/);
		assert.equal(await squares(page), JSON.parse(engine(["play b D3", "yomi-position"])[1]).squares);
		await page.keyboard.press("r");
		await wait_for_status(page, /after move 2 of 4/);
		await page.click("#end");
		await wait_for_status(page, /Black to move$/);
		assert.equal(await squares(page), all);
		await page.click('#moves [data-ply="1"]');
		await wait_for_status(page, /after move 1 of 4/);
		await page.click("#first");
		await wait_for_status(page, /after move 0 of 4/);
		await page.click("#graph svg", { position: { x: 45, y: 40 } });
		await wait_for_status(page, /after move 1 of 4/);
		await hands.mouse.square(page, "E3");
		await wait_for_status(page, /White: E3/);
		assert.deepEqual(await moves(page), ["D3", "E3"]);
		await assert_engine_agrees(page);
	},

	async "no game is lost: what a key, a choice or another move replaces comes back"() {
		const page = await open({ white: person });
		const play = async list => {
			for (const square of list)
				await hands.mouse.square(page, square).then(() => page.waitForSelector(`[aria-label^="${square}, "][aria-label*="last"]`));
		};
		const wait_for_moves = list => page.waitForFunction(list =>
			[...document.querySelectorAll("#moves button")].map(node => node.firstChild.textContent).join() === list, list.join());
		await play(["D3", "C3", "C4", "E3"]);
		assert.ok(await page.isHidden("#restore"));
		await page.keyboard.press("n");
		await wait_for_moves([]);
		assert.match(await page.textContent("#restore"), /Othello, 4 moves/);
		await page.click("#restore");
		await wait_for_moves(["D3", "C3", "C4", "E3"]);
		assert.ok(await page.isHidden("#restore"));

		// A different move, three moves back.
		for (let i = 3; i > 0; i--) {
			await page.keyboard.press("u");
			await wait_for_status(page, new RegExp(`after move ${i} of 4`));
		}
		await play(["E3"]);
		await wait_for_moves(["D3", "E3"]);

		// Another game, and a reload of the page.
		await choose_game(page, "tictactoe standard");
		await play(["B2"]);
		await page.reload();
		await page.waitForSelector('[aria-label^="B2, X"]');
		await page.keyboard.press("z");
		await wait_for_moves(["D3", "E3"]);
		await page.keyboard.press("z");
		await wait_for_moves(["D3", "C3", "C4", "E3"]);
		await wait_for_status(page, /after move 1 of 4/);
		await page.keyboard.press("z"); // the replaced line comes back
		await wait_for_moves(["B2"]);
		await page.waitForSelector('[aria-label^="B2, X"]');

		// A loaded game or position.
		await page.click("#open-file");
		await page.fill("#position", "XX.\nOO.\n... X");
		await page.click("#set-position");
		await page.waitForFunction(() => !document.querySelector("dialog[open]"));
		await page.keyboard.press("z");
		await wait_for_moves(["B2"]);
		await page.click("#open-file");
		await page.fill("#sgf", "(;FF[4]GM[2];B[d3];W[c3])");
		await page.click("#load-sgf");
		await wait_for_moves(["D3", "C3"]);
		await page.keyboard.press("z");
		await wait_for_moves(["B2"]);
		await assert_engine_agrees(page);
	},

	async "take back, resign, a new game, a move made for me"() {
		const page = await open();
		await hands.mouse.square(page, "D3");
		assert.equal(await wait_for_turn(page, 2), "black");
		await page.click("#take");
		await wait_for_status(page, /^Black to move \(after move 0 of 2\)/);
		await hands.mouse.square(page, "C4");
		await wait_for_status(page, /^White: .* Black to move$/);
		assert.equal((await moves(page))[0], "C4");
		assert.equal((await moves(page)).length, 2);
		await page.click("#go");
		await wait_for_turn(page, 4);
		assert.equal((await moves(page)).length, 4);
		await page.keyboard.press("q");
		await wait_for_status(page, /Black resigns, White wins/);
		assert.deepEqual(await playable(page), []);
		await page.keyboard.press("n");
		await wait_for_status(page, /^Black to move$/);
		assert.deepEqual(await moves(page), []);
	},

	async "a search that takes long is ended: at once by `Move now`, without a move by taking back"() {
		const page = await open({ white: player(true, { limit: 1e12 }) });
		await hands.mouse.square(page, "D3");
		await wait_for_status(page, /yomi is thinking/);
		await page.click("#go");
		await wait_for_turn(page, 2);
		await hands.mouse.square(page, (await playable(page))[0]);
		await wait_for_status(page, /yomi is thinking/);
		await page.click("#take");
		await wait_for_status(page, /after move 2 of 3/);
		assert.equal((await moves(page)).length, 3);
		await assert_engine_agrees(await open({ url: server.url })); // other clients are served meanwhile
	},

	async "what a side is played by reaches the engine, and what the program was started with holds"() {
		const own = await Server.start(0, "--game=pentago", "--rules=tajima", "--time=0.05");
		const context = await browser.newContext({ locale: "en-GB" }), page = await context.newPage();
		page.setDefaultTimeout(PATIENCE);
		const sent = [];
		page.on("request", r => r.method() === "POST" && sent.push(...(r.postData() ?? "").split("\n").map(line => line.replace(/^\d+ /, ""))));
		await page.goto(own.url);
		await page.waitForSelector('[data-game="pentago"] .yomi-board');
		assert.equal(await page.inputValue("#game"), "pentago tajima");
		await page.selectOption("#player-white .who", "1");
		await page.click("#player-white summary");
		await page.selectOption("#player-white .search", "alphabeta");
		await page.fill("#player-white .threads", "1");
		await page.keyboard.press("Escape");
		assert.equal(await page.evaluate(() => document.activeElement.tagName), "SUMMARY");
		await hands.mouse.square(page, "B2");
		await hands.mouse.turn(page, "T");
		await wait_for_turn(page, 2);
		for (const line of ["search alphabeta", "threads 1", "level 1", "time 0.05", "playouts 0"])
			assert.ok(sent.includes(`param ${line}`), line);
		await own.stop();
	},

	async "legal moves on demand, the last move, what it changed, and what is no move"() {
		const page = await open({ white: person });
		assert.equal(await page.$$eval(".hint", all => all.length), 0);
		await page.keyboard.press("l");
		await page.waitForSelector(".hint");
		assert.equal(await page.$$eval(".hint", all => all.length), 4);
		await page.click("[data-square=A1]", { force: true });
		await wait_for_status(page, /A1 is not a legal move/);
		await hands.mouse.square(page, "D3");
		await page.waitForSelector(".last .ring");
		assert.equal(await page.$$eval(".last .changed", all => all.length), 1);
		await wait_for_status(page, /^Black: D3\. 1 disc turned\. White to move$/);
	},

	async "discs are seen flipping and quadrants turning, unless one likes less motion"() {
		const count = page => page.evaluate(() => document.getAnimations().filter(a =>
			a.effect.target.closest(".yomi-board") && !(a instanceof CSSTransition)).length);
		const slow = page => page.evaluate(() => {
			const play = Element.prototype.animate;
			Element.prototype.animate = function (frames, options) {
				return play.call(this, frames, { ...options, duration: 1e6 });
			};
		});
		for (const [motion, some] of [["no-preference", true], ["reduce", false]]) {
			const page = await open({ white: person, reducedMotion: motion });
			await slow(page);
			await hands.mouse.square(page, "D3");
			await wait_for_status(page, /White to move/);
			assert.equal(await count(page) > 0, some);
			await choose_game(page, "pentago standard");
			await hands.mouse.square(page, "A1");
			await hands.mouse.turn(page, "T");
			await page.waitForSelector('[aria-label="C1, Black, last move"]');
			assert.equal(await count(page) > 0, some);
			assert.equal(await page.$$eval(".turned", all => all.length), 1);
		}

		// The animation of the user's move ends before yomi's move appears.
		const page = await open({ reducedMotion: "no-preference" });
		await slow(page);
		await hands.mouse.square(page, "D3");
		await page.waitForSelector("#player-white.busy");
		await page.waitForTimeout(300); // by now yomi has answered
		assert.equal((await moves(page)).length, 1);
		await page.evaluate(() => document.getAnimations().filter(a => a.effect.target.closest(".yomi-board"))
			.forEach(a => a.finish()));
		await wait_for_turn(page, 2);
	},

	async "analysis: heat map, numbers, line, tree; proofs; off again"() {
		const page = await open({ white: person, settings: { tree: true, analysis_search: "mcts" } });
		await page.keyboard.press("a");
		await page.waitForSelector('.mark text');
		const visits = () => page.$$eval("#candidates .count", all => all.map(node => node.textContent));
		await page.waitForFunction(() => document.querySelectorAll("#candidates tbody tr").length === 4);
		const first = await visits();
		await page.waitForFunction(first => document.querySelector("#candidates .count").textContent !== first, first[0]);
		assert.deepEqual(await page.$$eval("#numbers dt", all => all.map(node => node.textContent)),
			["Playouts", "Per second", "Depth", "Time", "Tree memory"]);
		assert.equal(await page.$$eval(".mark", all => all.length), 4);
		await page.waitForFunction(() => document.querySelectorAll(".line .ghost, .line .badge").length >= 2);
		assert.ok(await page.$$eval("#tree circle", all => all.length) > 8);
		await page.click('#candidates tbody tr:nth-child(2) button');
		await page.waitForSelector('#candidates [aria-pressed="true"]');
		await page.selectOption("#shown", "none");
		await page.waitForFunction(() => !document.querySelector(".mark"));
		await page.selectOption("#shown", "chance");

		// Analysis follows the game.
		await hands.mouse.square(page, "D3");
		await page.waitForFunction(() => document.querySelector("#chance-of").textContent === "White wins" &&
			document.querySelectorAll(".mark").length === 3);
		await page.keyboard.press("a");
		await page.waitForFunction(() => !document.querySelector(".mark"));
		assert.equal(await page.getAttribute("#analyse", "aria-pressed"), "false");

		// Proofs by mcts and df-pn.
		await choose_game(page, "tictactoe standard");
		for (const square of ["B2", "A1", "C1"])
			await hands.mouse.square(page, square).then(() => page.waitForSelector(`[aria-label^="${square}, "][aria-label*="last"]`));
		await page.keyboard.press("a");
		await page.waitForFunction(() => document.querySelectorAll('.mark[data-proof="loss"]').length > 0 &&
			document.querySelectorAll('.mark[data-proof="draw"]').length === 1);
		await page.selectOption("#analysis-search", "dfpn");
		await page.waitForSelector("#proof:not([hidden]) svg");
		assert.match(await page.textContent("#proof"), /Proof number (∞|\d).*Disproof number (∞|\d)/);
		await page.waitForSelector('#candidates [data-proof="draw"]');
		assert.deepEqual(page.faults, []);
	},

	async "reports that come faster than frames are drawn together; unchanged parts stay"() {
		const page = await open({ white: person });
		await page.evaluate(() => {
			window.frames_held = [];
			window.requestAnimationFrame = draw => frames_held.push(draw);
			window.reports = [];
			const parse = JSON.parse;
			JSON.parse = text => {
				const value = parse(text);
				if (value?.moves && "playouts" in value)
					reports.push(value);
				return value;
			};
		});
		const drawn = () => page.evaluate(() => {
			frames_held.splice(0).forEach(draw => draw());
			const shown = [...document.querySelectorAll("#candidates button")].map(node => node.textContent);
			return { shown, last: reports.at(-1).moves.map(it => it.move) };
		});
		const wait_for_reports = count => page.waitForFunction(count => reports.length >= count && frames_held.length > 0, count, { polling: 20 });
		await page.click("#analyse");
		await wait_for_reports(5);
		assert.equal(await page.evaluate(() => frames_held.length), 1);
		assert.equal(await page.$$eval(".mark", all => all.length), 0);
		const first = await drawn();
		assert.equal(first.shown.length, 4);
		assert.deepEqual(first.shown, first.last);
		await page.evaluate(() => document.querySelectorAll(".mark, .numbers div").forEach(node => { node.kept = true; }));
		await wait_for_reports(await page.evaluate(() => reports.length) + 3);
		const next = await drawn();
		assert.deepEqual(next.shown, next.last);
		assert.ok(await page.evaluate(() => [...document.querySelectorAll(".mark, .numbers div")].every(node => node.kept)));
		assert.deepEqual(page.faults, []);
	},

	async "the colour of a move is its worth, by any search, and the numbers of a line can be read"() {
		const page = await open({ white: person, settings: { analysis: true, analysis_search: "alphabeta", shown: "score" } });
		const game = ["D3", "C3"];
		for (const square of game)
			await hands.mouse.square(page, square).then(() => page.waitForSelector(`[aria-label^="${square}, "][aria-label*="last"]`));
		// The best move has the warmest colour. A move that loses many discs is cold, however many nodes it took.
		for (const search of ["alphabeta", "mcts"]) {
			await page.selectOption("#analysis-search", search);
			await page.waitForFunction(() => document.querySelectorAll("#candidates tbody tr").length === 4 &&
				document.querySelectorAll(".mark").length > 2 && document.querySelector("#candidates button").textContent === "C4" &&
				[...document.querySelectorAll("#candidates .chance")].every(cell => /\d/.test(cell.textContent)));
			const heats = await page.$$eval(".mark circle", all => all.map(node => parseFloat(node.style.getPropertyValue("--heat"))));
			const best = await page.$eval(".mark.best circle", node => parseFloat(node.style.getPropertyValue("--heat")));
			assert.equal(best, 100, search);
			assert.ok(heats.filter(heat => heat > 60).length === 1, `${search}: ${heats}`);
		}

		for (const colorScheme of ["light", "dark"])
			for (const name of ["othello standard", "pentago standard", "tictactoe standard"]) {
				await page.emulateMedia({ colorScheme });
				await choose_game(page, name);
				const layout = JSON.parse(engine([`set_game ${name.split(" ")[0]}`, "yomi-position"])[1]).board;
				const seen = await page.evaluate(layout => {
					const place = document.createElement("div"), turns = layout.turns.length ? ["S"] : [];
					document.body.append(place);
					const board = new YomiBoard(place, layout);
					board.show({ squares: ".".repeat(layout.numbers.length * layout.columns.length), legal: [], side: "X", line: ["first", "second"],
						clicks: { first: ["A1", ...turns], second: ["B1", ...turns] },
						marks: ["A1", "B1"].map(click => ({ click, text: "50", heat: 1, share: 1 })) });
					const all = [...place.querySelectorAll(".badge")].map(badge => ["circle", "text"].map(part =>
						getComputedStyle(badge.querySelector(part)).fill));
					place.remove();
					return all;
				}, layout);
				assert.equal(seen.length, 2);
				for (const pair of seen) {
					const [ground, ink] = pair.map(colour => colour.match(/\d+/g).slice(0, 3).reduce((sum, v) => sum + Number(v), 0) / 765);
					assert.ok(Math.abs(ground - ink) > 0.7, `${name}, ${colorScheme}: ${pair}`);
				}
			}
	},

	async "a score that is rounded to nothing has no sign"() {
		const page = await open({ white: person });
		await page.evaluate(() => {
			const parse = JSON.parse;
			JSON.parse = text => {
				const value = parse(text);
				for (const one of value?.moves ?? [])
					Object.assign(one, "score" in one ? { value: null, score: -0.04, lower: -1, upper: 1 } : {});
				return value;
			};
		});
		await page.click("#analyse");
		await page.waitForFunction(() => document.querySelectorAll("#candidates .chance").length === 4);
		assert.deepEqual(await page.$$eval("#candidates .chance", all => all.map(node => node.textContent)), ["±0.0", "±0.0", "±0.0", "±0.0"]);
	},

	async "after yomi's move the table says whose moves they are; a line of it is seen where it began"() {
		const page = await open();
		await hands.mouse.square(page, "D3");
		await wait_for_turn(page, 2);
		await wait_for_status(page, /^White: .* Black to move$/);
		const after = await squares(page);
		assert.match(await page.textContent("#report-of"), /^Before move 2: .* White’s moves$/);
		await page.click("#candidates button");
		await wait_for_status(page, /expected before move 2/);
		assert.equal(await squares(page), JSON.parse(engine(["play b D3", "yomi-position"])[1]).squares);
		assert.deepEqual(await playable(page), []);
		assert.ok(await page.$$eval(".line > *", all => all.length) > 1);
		await page.click("[data-square=A1]", { force: true });
		await wait_for_status(page, /Black to move$/);
		assert.equal(await squares(page), after);
		await page.click("#candidates button");
		await wait_for_status(page, /expected before move 2/);
		await page.click("#candidates button");
		await wait_for_status(page, /Black to move$/);
		await hands.mouse.square(page, (await playable(page))[0]);
		await wait_for_turn(page, 4);
		await page.keyboard.press("a");
		await page.waitForSelector(".mark");
		assert.ok(await page.isHidden("#report-of"));
		assert.deepEqual(page.faults, []);
	},

	async "the row that has won is marked"() {
		const page = await open({ white: person });
		await choose_game(page, "tictactoe standard");
		for (const square of ["A1", "B1", "B2", "A2", "C3"])
			await hands.mouse.square(page, square).then(() => page.waitForSelector(`[aria-label^="${square}, "][aria-label*="last"]`));
		await wait_for_status(page, /X wins/);
		const ends = await page.$$eval(".run:not(.casing)", all => all.map(node => ["x1", "y1", "x2", "y2"].map(name => Number(node.getAttribute(name)))));
		const at = square => page.$eval(`[data-square=${square}]`, node => [Number(node.getAttribute("x")) + 47, Number(node.getAttribute("y")) + 47]);
		assert.deepEqual(ends, [[...await at("A1"), ...await at("C3")]]);
		await page.keyboard.press("u");
		await page.waitForFunction(() => !document.querySelector(".run"));
		// Six in a row count as one row; a row of each colour is two.
		for (const [position, runs] of [["XXXXXX/OOOO../....../....../....../....OO X", 1], ["XXXXX./OOOOO./....../....../....../...... X", 2]]) {
			await choose_game(page, "pentago standard");
			await page.click("#open-file");
			await page.fill("#position", position.replaceAll("/", "\n"));
			await page.click("#set-position");
			await page.waitForFunction(n => document.querySelectorAll(".run:not(.casing)").length === n, runs);
			await page.waitForFunction(() => !document.querySelector("dialog[open]"));
		}
	},

	async "the rules of each game, in the page's language"() {
		const page = await open({ white: person });
		for (const [name, words] of [["othello standard", /A move that turns nothing is illegal/], ["tictactoe standard", /without such a line is a draw/],
			["pentago tajima", /lines of six/], ["pentago openspiel", /Lines count only after the turn/]]) {
			await choose_game(page, name);
			await page.click("#open-rules");
			await page.waitForSelector("#rules-dialog[open]");
			assert.match(await page.textContent("#rules-text"), words);
			await page.keyboard.press("Escape");
			await page.waitForFunction(() => !document.querySelector("dialog[open]"));
		}
		// Every rule set has a translation.
		const known = await page.evaluate(() => Object.keys(YomiText.ja.guides));
		const listed = await page.$$eval("#game option", all => all.map(option => option.value));
		assert.deepEqual(known.sort(), listed.sort());
	},

	async "df-pn: a tree of what it expects, and each number on a scale of its own"() {
		const page = await open({ white: person, settings: { analysis: true, analysis_search: "dfpn", tree: true } });
		await choose_game(page, "pentago standard");
		await page.waitForFunction(() => document.querySelectorAll("#tree .node").length > 3);
		// Proof numbers of very different sizes, one of them constant.
		const heights = await page.evaluate(() => {
			const place = document.createElement("figure");
			YomiCharts.course(place, { show: String, series: [{ name: "a", values: [1e6, 1.1e6, 3e6] }, { name: "b", values: [1, 1, 1] },
				{ name: "c", values: [1, 4, null] }] });
			return [...place.querySelectorAll("path")].map(path => {
				const ys = path.getAttribute("d").slice(1).split("L").map(point => Number(point.split(" ")[1]));
				return Math.max(...ys) - Math.min(...ys);
			});
		});
		assert.deepEqual(heights.map(Math.round), [44, 0, 44]);
	},

	async "analysis of Pentago: squares, then turns; discs where alpha-beta counts them"() {
		const page = await open({ white: person, settings: { analysis: true } });
		await choose_game(page, "pentago standard");
		await page.waitForFunction(() => document.querySelectorAll(".mark").length > 3);
		const best = await page.$eval("#candidates button", node => node.textContent);
		await hands.mouse.square(page, best.slice(0, 2));
		await page.waitForSelector(".turn.marked.best");
		await page.keyboard.press("Escape");
		await page.waitForFunction(() => !document.querySelector(".turn.open"));
		await choose_game(page, "othello standard");
		await page.selectOption("#shown", "score");
		await page.selectOption("#analysis-search", "alphabeta");
		await page.waitForFunction(() => document.querySelector("#chance-of").textContent === "Black, discs" &&
			[...document.querySelectorAll("#candidates .chance")].every(cell => /^[+−±]\d/.test(cell.textContent)));
	},

	async "all moves are evaluated, and graph and list have their scores"() {
		const page = await open({ white: person });
		await choose_game(page, "tictactoe standard");
		for (const square of ["B2", "A1", "C1", "A3", "A2"])
			await hands.mouse.square(page, square).then(() => page.waitForSelector(`[aria-label^="${square}, "][aria-label*="last"]`));
		await page.click("#review");
		await page.waitForFunction(() => document.querySelector("#review").textContent === "Evaluate all moves" &&
			[...document.querySelectorAll("#moves small")].every(node => node.textContent));
		assert.deepEqual(await page.$$eval("#moves small", all => all.map(node => node.textContent)),
			["draw", "draw", "draw", "draw", "draw"]);
		assert.ok(await page.$("#graph .curve"));

		// The page waits for a search without a first value. The end of the game shows its result.
		const late = await open({ white: person });
		await late.evaluate(() => {
			const parse = JSON.parse;
			JSON.parse = text => {
				const value = parse(text);
				return value?.seconds < 1.2 && !value.played ? { ...value, value: null, score: null, lower: -1, upper: 1 } : value;
			};
		});
		await choose_game(late, "tictactoe standard");
		await late.selectOption("#analysis-search", "montecarlo");
		for (const square of ["A1", "B1", "A2", "B2", "A3"])
			await hands.mouse.square(late, square).then(() => late.waitForSelector(`[aria-label^="${square}, "][aria-label*="last"]`));
		await late.click("#review");
		await late.waitForFunction(() => document.querySelector("#review").textContent === "Stop");
		await late.waitForFunction(() => document.querySelector("#review").textContent === "Evaluate all moves");
		const scores = await late.$$eval("#moves small", all => all.map(node => node.textContent));
		assert.ok(scores.every(Boolean) && scores.at(-1) === "win", scores.join());
	},

	async "a game's record: saved, loaded in another page, pasted, refused"() {
		const page = await open({ white: person });
		await choose_game(page, "pentago tajima");
		for (const [square, turn] of [["A1", "T"], ["B2", "V"], ["F6", "X"]]) {
			const n = (await moves(page)).length;
			await hands.mouse.square(page, square);
			await hands.mouse.turn(page, turn);
			await wait_for_turn(page, n + 1);
		}
		const before = await squares(page), text = await record(page);
		await page.click("#open-file");
		await page.waitForFunction(() => document.querySelector("#sgf").value.startsWith("("));
		const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-sgf")]);
		assert.equal(download.suggestedFilename(), "yomi-pentago.sgf");
		const file = path.join(out, "saved.sgf");
		await download.saveAs(file);
		assert.equal(fs.readFileSync(file, "utf8"), text);

		const another = await open();
		await another.click("#open-file");
		await another.setInputFiles("#sgf-file", file);
		await another.waitForFunction(() => document.querySelectorAll("#moves button").length === 3);
		assert.deepEqual(await moves(another), await moves(page));
		assert.equal(await squares(another), before);
		assert.equal(await another.inputValue("#game"), "pentago tajima");
		assert.equal(await record(another), text);

		await another.click("#open-file");
		for (const [bad, why] of [["(;FF[4]GM[7];B[aa])", /./], ["<img src=x onerror=alert(1)>", /./], ["", /./]]) {
			await another.fill("#sgf", bad);
			await another.click("#load-sgf");
			await another.waitForFunction(() => document.querySelector("#sgf-error").textContent);
			assert.match(await another.textContent("#sgf-error"), why);
			assert.equal(await another.textContent("#position-error"), "");
			await another.evaluate(() => { document.querySelector("#sgf-error").textContent = ""; });
		}
		assert.equal(await squares(another), before);
		await another.fill("#sgf", "(;FF[4]GM[2]C[<script>alert\\]</script>];B[d3];W[c3])");
		await another.click("#load-sgf");
		await another.waitForFunction(() => !document.querySelector("dialog[open]"));
		assert.deepEqual(await moves(another), ["D3", "C3"]);
		assert.deepEqual(another.faults, []);
	},

	async "a position typed in rows, or refused; the game goes on from it and is kept with it"() {
		const page = await open({ white: person });
		await choose_game(page, "tictactoe standard");
		await page.click("#open-file");
		await page.fill("#position", "XX.\nOO.\n... X");
		await page.click("#set-position");
		await page.waitForFunction(() => !document.querySelector("dialog[open]"));
		assert.equal(await squares(page), "XX.OO....");
		await page.click("#open-file");
		await page.fill("#position", "XXX\nOO.\n... Q");
		await page.click("#set-position");
		await page.waitForFunction(() => document.querySelector("#position-error").textContent);
		assert.equal(await page.textContent("#sgf-error"), "");
		await page.keyboard.press("Escape");
		await hands.mouse.square(page, "C2");
		await wait_for_status(page, /O to move/);
		await page.reload();
		await page.waitForSelector('[aria-label^="C2, X"]');
		assert.equal(await squares(page), "XX.OOX...");
		await page.click("#back");
		await wait_for_status(page, /^X to move/);
		assert.equal(await squares(page), "XX.OO....");
	},

	async "a page that is loaded again has its game and its settings"() {
		const page = await open();
		await choose_game(page, "pentago openspiel");
		await hands.mouse.square(page, "B2");
		await hands.mouse.turn(page, "V");
		await wait_for_turn(page, 2);
		const before = [await squares(page), await moves(page)];
		await page.reload();
		await page.waitForSelector(".square");
		await wait_for_turn(page, 2);
		assert.deepEqual([await squares(page), await moves(page)], before);
		assert.equal(await page.inputValue("#game"), "pentago openspiel");
	},

	async "a lost connection is shown; the game goes on when there is one again"() {
		let own = await Server.start();
		const page = await open({ url: own.url });
		await hands.mouse.square(page, "D3");
		await wait_for_turn(page, 2);
		const before = await squares(page);
		const { port } = own;
		await own.stop();
		await page.waitForSelector("#offline:not([hidden])");
		assert.match(await page.textContent("#offline"), /connection to yomi is lost/);
		assert.ok(await page.$("main[inert]"));
		own = await Server.start(port);
		await page.waitForSelector("#offline", { state: "hidden" });
		assert.equal(await squares(page), before);
		await hands.mouse.square(page, (await playable(page))[0]);
		await wait_for_turn(page, 4);
		await assert_engine_agrees(page);

		// The same while yomi thinks.
		await page.click("#player-white summary");
		await page.fill("#player-white .limit", "1000000000000");
		await page.click("#status");
		await hands.mouse.square(page, (await playable(page))[0]);
		await wait_for_status(page, /thinking/);
		await own.stop();
		await page.waitForSelector("#offline:not([hidden])");
		own = await Server.start(port);
		await page.waitForSelector("#offline", { state: "hidden" });
		await wait_for_status(page, /thinking/);
		await page.click("#go");
		await wait_for_turn(page, 6);
		await assert_engine_agrees(page);
		await own.stop();
	},

	async "without a server nothing is lost or pretended; a server that does not answer is told of"() {
		let own = await Server.start();
		const page = await open({ url: own.url, white: person });
		await hands.mouse.square(page, "D3");
		await wait_for_status(page, /White to move/);
		const { port } = own;
		await own.stop();
		await page.waitForSelector("#offline:not([hidden])");
		for (const key of ["n", "o", "u"])
			await page.keyboard.press(key);
		for (const id of ["new", "game", "open-file"])
			assert.ok(await page.isDisabled(`#${id}`), id);
		assert.equal(await page.$("dialog[open]"), null);
		assert.deepEqual(await moves(page), ["D3"]);
		own = await Server.start(port);
		await page.waitForSelector("#offline", { state: "hidden" });
		await page.waitForSelector("#new:enabled");
		assert.deepEqual(await moves(page), ["D3"]);
		await wait_for_status(page, /White to move/);

		// A stopped process accepts connections but sends nothing.
		own.process.kill("SIGSTOP");
		await hands.mouse.square(page, "C3");
		await page.waitForSelector("#offline:not([hidden])");
		assert.match(await page.textContent("#offline"), /not answered/);
		own.process.kill("SIGCONT");
		await page.waitForSelector("#offline", { state: "hidden" });
		await wait_for_status(page, /White: C3/);
		await page.keyboard.press("a");
		await page.waitForSelector(".mark");
		own.process.kill("SIGSTOP");
		await page.waitForSelector("#offline:not([hidden])");
		own.process.kill("SIGCONT");
		await page.waitForSelector("#offline", { state: "hidden" });
		assert.deepEqual(page.faults.filter(text => !/ERR_|Failed to load/.test(text)), []);
		await own.stop();
	},

	async "a page whose storage is damaged, old or forbidden has a board"() {
		const line = { game: "othello", rules: "standard", start: null, moves: [], cursor: 0, scores: [], resigned: null };
		const whole = [["{bad", "{bad"], ["[]", "7"], ["null", "null"], ['{"players":{}}', '{"line":{"moves":[1]},"left":[{}]}'],
			['{"language":"fr","theme":1,"seed":-1,"shown":"x","players":{"black":{"yomi":"no"}}}', JSON.stringify({ line: { ...line, cursor: 3 } })],
			["{}", JSON.stringify({ line: { ...line, scores: ["x"] } })],
			['{"analysis_search":"gone"}', JSON.stringify({ line: { ...line, game: "chess" } })],
			["{}", JSON.stringify({ line: { ...line, start: "nonsense X", moves: [{ color: "black", move: "D3" }] } })],
			["{}", JSON.stringify({ line: { ...line, moves: [{ color: "white", move: "Z9" }], cursor: 1 } })]];
		for (const [kept, session] of [...whole, [null, null]]) {
			const context = await browser.newContext({ locale: "en-GB" }), page = await context.newPage(), faults = [];
			page.on("pageerror", error => faults.push(error.message));
			await page.addInitScript(([kept, session]) => {
				if (kept === null)
					for (const name of ["localStorage", "sessionStorage"])
						Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
				else if (!sessionStorage.seen) {
					sessionStorage.seen = "1";
					localStorage.yomi = kept;
					sessionStorage.yomi = session;
				}
			}, [kept, session]);
			for (let load = 0; load < 2; load++) {
				await page.goto(server.url);
				await page.waitForSelector(".square.playable");
				await page.waitForSelector("#new:enabled");
			}
			await page.click("#new");
			await wait_for_status(page, /^Black to move$/);
			assert.equal(await page.inputValue("#game"), "othello standard");
			await hands.mouse.square(page, "D3");
			await page.waitForSelector('[aria-label^="D3, Black"]');
			assert.deepEqual(faults, [], kept);
			await context.close();
		}
	},

	async "a page that nobody sees makes room for others, and goes on when it is looked at"() {
		const own = await Server.start(0, "--clients=1");
		const page = await open({ url: own.url, white: person, settings: { analysis: true } });
		const hide = hidden => page.evaluate(hidden => {
			Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
			document.dispatchEvent(new Event("visibilitychange"));
		}, hidden);
		await hands.mouse.square(page, "D3");
		await page.waitForSelector(".mark");
		const context = await browser.newContext({ locale: "en-GB" }), another = await context.newPage();
		await another.goto(own.url);
		await another.waitForSelector("#offline:not([hidden])");
		await hide(true);
		await another.waitForSelector(".square");
		await another.close();
		const seconds = () => page.textContent("#numbers div:nth-last-child(2) dd"), last = await seconds();
		await hide(false);
		await page.waitForFunction(last => document.querySelector("#numbers div:nth-last-child(2) dd").textContent !== last, last);
		await hands.mouse.square(page, "C3");
		await wait_for_status(page, /^White: C3\. 1 disc turned\. Black to move$/);
		await own.stop();
	},

	async "two tabs play and analyse apart; one that is closed makes room"() {
		const own = await Server.start(0, "--clients=2");
		const [a, b] = [await open({ url: own.url, settings: { analysis: true }, white: person }),
			await open({ url: own.url, settings: { analysis: true }, white: person })];
		await choose_game(b, "pentago standard");
		await hands.mouse.square(a, "D3");
		await a.waitForFunction(() => document.querySelector("#chance-of").textContent === "White, discs" && document.querySelector(".mark text"));
		await b.waitForFunction(() => document.querySelector("#chance-of").textContent === "Black wins" && document.querySelector(".mark text"));
		assert.deepEqual([await moves(a), await moves(b)], [["D3"], []]);

		const context = await browser.newContext({ locale: "en-GB" }), c = await context.newPage();
		await c.goto(own.url);
		await c.waitForSelector("#offline:not([hidden])");
		assert.match(await c.textContent("#offline"), /too many games/);
		await a.close({ runBeforeUnload: false });
		await c.waitForSelector(".square");
		await own.stop();
	},

	async "a hostile page can neither read nor change anything"() {
		const victim = await open({ white: person });
		const [asked] = await Promise.all([victim.waitForRequest(r => r.url().endsWith("/events")), victim.reload()]);
		const id = asked.url().split("/").at(-2);
		await victim.waitForSelector(".square");
		const evil = http.createServer((req, res) => {
			res.setHeader("Content-Type", "text/html");
			res.end("<!DOCTYPE html><title>evil</title>");
		});
		await new Promise(resolve => evil.listen(0, "127.0.0.1", resolve));
		const page = await (await browser.newContext()).newPage();
		for (const host of ["127.0.0.1", "localhost"]) {
			await page.goto(`http://${host}:${evil.address().port}/`);
			const seen = await page.evaluate(async ([url, id]) => {
				const result = {};
				const attempt = async (name, work) => {
					result[name] = await work().then(String, () => "refused");
				};
				await attempt("new game", () => fetch(`${url}game`, { method: "POST" }).then(r => r.text()));
				await attempt("read", () => fetch(url).then(r => r.text()));
				await attempt("play", () => fetch(`${url}game/${id}`, { method: "POST", body: "play b d3\n" }).then(r => r.text()));
				await attempt("delete", () => fetch(`${url}game/${id}`, { method: "DELETE" }).then(r => r.text()));
				await attempt("events", () => new Promise((resolve, reject) => {
					const events = new EventSource(`${url}game/${id}/events`);
					events.onopen = () => resolve("open");
					events.onerror = reject;
				}));
				await attempt("script", () => new Promise((resolve, reject) => {
					const script = document.createElement("script");
					script.onload = () => resolve("loaded");
					script.onerror = reject;
					script.src = `${url}board.js`;
					document.body.append(script);
				}));
				// Requests that a browser sends without a preflight; the page cannot read the answers.
				await fetch(`${url}game/${id}`, { method: "POST", mode: "no-cors", body: "play b d3\n" }).catch(() => {});
				navigator.sendBeacon(`${url}game/${id}/end`);
				return result;
			}, [server.url, id]);
			assert.deepEqual(seen, Object.fromEntries(Object.keys(seen).map(name => [name, "refused"])));
			// The page in a frame.
			const frame = await page.evaluate(url => new Promise(resolve => {
				const node = document.createElement("iframe");
				node.onload = () => resolve(node);
				node.src = url;
				document.body.append(node);
			}).then(() => true), server.url);
			assert.ok(frame);
			assert.equal(await page.frames()[1].$(".square"), null);
		}
		await hands.mouse.square(victim, "D3");
		await wait_for_status(victim, /^Black: D3\. 1 disc turned\. White to move$/);
		assert.deepEqual(victim.faults, []);
		evil.close();

		// A host name that resolves to this machine.
		const { port } = server;
		for (const headers of [{ Host: `rebound.example:${port}` }, { Host: "" }, { Host: `127.0.0.1.example:${port}` },
			{ Host: `127.0.0.1:${port}`, Origin: "http://evil.example" }, { Host: `127.0.0.1:${port}`, Origin: "null" },
			{ Host: `127.0.0.1:${port}`, "Sec-Fetch-Site": "cross-site" }])
			for (const [method, where] of [["POST", "/game"], ["GET", `/game/${id}/events`], ["POST", `/game/${id}`]])
				assert.ok([400, 403].includes((await request(port, { method, path: where, headers })).code), JSON.stringify(headers));
		const rebound = await chromium.launch({ executablePath: browser.path, args: [...browser.flags,
			"--host-resolver-rules=MAP rebound.example 127.0.0.1"] });
		const there = await rebound.newPage();
		assert.equal((await there.goto(`http://rebound.example:${port}/`)).status(), 403);
		assert.equal(await there.evaluate(() => fetch("/game", { method: "POST" }).then(r => r.status)), 403);
		await rebound.close();
	},

	async "what is refused is said in the page's language, beside what was read"() {
		const page = await open({ locale: "ja-JP", white: person });
		await page.click("#open-file");
		for (const [id, field, text] of [["load-sgf", "sgf", "(;GM[7];B[aa])"], ["load-sgf", "sgf", "x"], ["load-sgf", "sgf", "(;GM[2];B[a1])"],
			["load-sgf", "sgf", "(;GM[2];B[d3]"], ["load-sgf", "sgf", ""], ["set-position", "position", "X O"], ["set-position", "position", ".".repeat(64) + " Q"]]) {
			await page.fill(`#${field}`, text);
			await page.click(`#${id}`);
			const error = `#${field}-error`;
			await page.waitForFunction(id => document.querySelector(id).textContent, error);
			assert.doesNotMatch((await page.textContent(error)).replace(/SGF/g, ""), /[A-Za-z]{3}/, text);
			assert.equal(await page.textContent(field === "sgf" ? "#position-error" : "#sgf-error"), "");
		}
	},

	async "a phone on its side shows the whole board and what it is played with"() {
		for (const [width, height] of [[740, 360], [844, 390]]) {
			const page = await open({ viewport: { width, height }, hasTouch: true, isMobile: true, white: person });
			for (const name of ["othello standard", "pentago standard", "tictactoe standard"]) {
				await choose_game(page, name);
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
				for (const id of ["board", "status", "player-black", "player-white", "take", "analyse"]) {
					const box = await page.$eval(`#${id}`, node => node.getBoundingClientRect().toJSON());
					assert.ok(box.top >= 0 && box.bottom <= height && box.right <= width, `${name}, ${id}: ${JSON.stringify(box)}`);
				}
				const side = await page.$eval(".square", node => node.getBoundingClientRect().width);
				assert.ok(side >= 28, `${name}: squares of ${side}`);
			}
		}
	},

	async "where the system forces its colours, Black and White differ and the best is seen"() {
		for (const colorScheme of ["light", "dark"]) {
			const page = await open({ forcedColors: "active", colorScheme, white: person });
			const [black, white] = await page.$$eval(".player .stone", all => all.map(node => getComputedStyle(node).backgroundColor));
			assert.notEqual(black, white);
			const [share, ground] = await page.evaluate(() => ["#balance i", "#balance"].map(id => getComputedStyle(document.querySelector(id)).backgroundColor));
			assert.notEqual(share, ground);
			assert.notEqual(await page.$eval(".player.turn", node => getComputedStyle(node).outlineStyle), "none");
		}
	},

	async "Japanese and English, light and dark, as the browser likes and as one chooses"() {
		const page = await open({ locale: "ja-JP", colorScheme: "dark", white: person });
		const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
		const dark = await ground();
		assert.equal(await status(page), "黒の番です");
		assert.equal(await page.getAttribute("html", "lang"), "ja");
		assert.equal(await page.getAttribute("[data-square=D3]", "aria-label"), "D3, 空き, 打てます");
		const words = await page.$$eval("[data-t], .who option, .empty", all => all.map(node => node.textContent));
		assert.deepEqual(words.filter(text => /[A-Za-z]{3}/.test(text.replace(/yomi|SGF/g, ""))), []);
		await page.click("#open-settings");
		await page.selectOption("#language", "en");
		await page.selectOption("#theme", "light");
		assert.notEqual(await ground(), dark);
		await page.keyboard.press("Escape");
		assert.equal(await status(page), "Black to move");
		await page.reload();
		await page.waitForSelector(".square");
		assert.equal(await status(page), "Black to move");
		assert.notEqual(await ground(), dark);
	},

	async "text stands out from its ground, light and dark"() {
		for (const colorScheme of ["light", "dark"]) {
			const page = await open({ colorScheme, settings: { analysis: true } });
			await hands.mouse.square(page, "D3");
			await wait_for_turn(page, 2);
			await page.waitForSelector(".mark text");
			assert.deepEqual(await page.evaluate(() => {
				const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
				const rgb = colour => {
					canvas.clearRect(0, 0, 1, 1);
					canvas.fillStyle = colour;
					canvas.fillRect(0, 0, 1, 1);
					return [...canvas.getImageData(0, 0, 1, 1).data];
				};
				// Contrast by the Web Content Accessibility Guidelines, 1 to 21.
				const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
					.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
				const faint = [];
				for (const node of document.querySelectorAll("body *:not(svg *):not(.balance *)")) {
					if (!node.checkVisibility() || node.disabled || ![...node.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
						continue;
					let ground = node;
					while (rgb(getComputedStyle(ground).backgroundColor)[3] < 255)
						ground = ground.parentElement;
					const [a, b] = [node, ground].map((n, i) => light(rgb(getComputedStyle(n)[i ? "backgroundColor" : "color"]))).sort((a, b) => a - b);
					if ((b + 0.05) / (a + 0.05) < 4.5)
						faint.push(`${node.tagName} ${node.textContent}`);
				}
				return faint;
			}), []);
		}
	},

	async "the arrow keys are the board's when a game has been chosen"() {
		const page = await open({ white: person });
		await page.focus("#game");
		await choose_game(page, "pentago standard");
		await page.waitForFunction(() => document.activeElement.matches(".square"));
		await page.keyboard.press("ArrowDown");
		assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "A2");
		assert.equal(await page.inputValue("#game"), "pentago standard");
	},

	async "every control has a name, and every key works and is listed; letters can be turned off"() {
		const page = await open({ white: person });
		const nameless = await page.$$eval("button, select, input, textarea, summary, [role=button], [role=img]", all => all.filter(node => {
			const label = node.getAttribute("aria-label") || node.labels?.[0]?.textContent || node.textContent;
			return node.checkVisibility() && !label.trim();
		}).map(node => node.outerHTML));
		assert.deepEqual(nameless, []);
		await page.keyboard.press("?");
		await page.waitForSelector("#settings-dialog[open]");
		const listed = await page.$$eval("#keys kbd", all => all.map(node => node.textContent));
		for (const key of await page.$$eval("[data-key]", all => all.map(node => node.dataset.key)))
			assert.ok(listed.includes(key), key);
		await page.click("#letters");
		await page.keyboard.press("Escape");
		await page.keyboard.press("l");
		assert.equal(await page.getAttribute("#hints", "aria-pressed"), "false");
		await page.keyboard.press("ArrowDown"); // moves the focus to the board
		await page.keyboard.press("ArrowDown");
		assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "A2");
		await choose_game(page, "pentago standard");
		await hands.keys.square(page, "C3");
		assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Turn top left counter-clockwise");
		await page.keyboard.press("v");
		await wait_for_status(page, /Black: C3V/);
	},
};

async function main() {
	const flags = process.getuid() === 0 ? ["--no-sandbox"] : []; // root has no sandbox
	const where = ["chromium", "chromium-browser", "google-chrome"].map(name =>
		spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim()).find(Boolean);
	const only = process.env.ONLY;
	browser = await chromium.launch({ executablePath: where, args: flags });
	browser.path = where;
	browser.flags = flags;
	server = await Server.start(0, "--clients=16");
	let passed = 0, failed = 0;
	for (const [name, check] of Object.entries(checks)) {
		if (only && !name.includes(only))
			continue;
		const begun = Date.now();
		try {
			await check();
			passed++;
			console.log(`ok ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
		} catch (error) {
			failed++;
			console.log(`failed ${name}: ${error.message.split("\n").slice(0, 12).join(" / ")}${process.env.V ? error.stack : ""}`);
		}
		for (const context of browser.contexts())
			await context.close();
		for (const own of Server.running) // servers that a failed check left running
			if (own !== server)
				await own.stop();
	}
	await browser.close();
	await server.stop();
	console.log(`${passed} passed, ${failed} failed`);
	process.exit(failed ? 1 : 0);
}

process.on("exit", () => {
	for (const { process } of Server.running)
		process.kill("SIGKILL");
});

main();
