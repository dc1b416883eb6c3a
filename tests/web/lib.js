// SPDX-License-Identifier: MIT
//
// What the checks of the page share: the program, the server, and what a user sees and does on the page.
"use strict";

const assert = require("node:assert/strict");
const { spawn, spawnSync } = require("node:child_process");
const http = require("node:http");

process.env.XDG_DATA_HOME = "/nonexistent"; // the own book of whoever runs the checks
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

const shared = { browser: null, server: null }; // of all checks

const player = (yomi, more = {}) => ({ yomi, level: 0, search: "mcts", threads: 1, limit: 60, unit: "playouts", ...more });
const person = player(false);

// Opens the page with stored settings of an earlier visit.
async function open({ black = person, white = player(true), settings = {}, url = shared.server.url, ...context } = {}) {
	const own = await shared.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", reducedMotion: "reduce",
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
const moves = page => page.$$eval("#moves [data-ply]", all => all.map(node => node.firstChild.textContent));
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
		return document.querySelectorAll("#moves [data-ply]").length >= count &&
			(/wins|A draw/.test(document.querySelector("#status").textContent) || card?.querySelector(".who").value === "person");
	}, count);
	return turn_of(page);
}

const choose_game = async (page, name) => {
	await page.selectOption("#game", name);
	await page.waitForSelector(`[data-game="${name.split(" ")[0]}"] .yomi-board`);
};

// Plays squares by mouse, one after the other.
async function play_squares(page, list) {
	for (const square of list) {
		await hands.mouse.square(page, square);
		await page.waitForSelector(`[aria-label^="${square}, "][aria-label*="last"]`);
	}
}

const wait_for_moves = (page, list) => page.waitForFunction(list =>
	[...document.querySelectorAll("#moves [data-ply]")].map(node => node.firstChild.textContent).join() === list, list.join());

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
	if (await page.isVisible("#open-menu"))
		await page.click("#open-menu");
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

module.exports = { PATIENCE, Server, assert_engine_agrees, choose_game, engine, hands, moves, open, out, person, play_squares, play_whole_game, playable,
	player, record, request, shared, squares, status, turn_of, wait_for_moves, wait_for_status, wait_for_turn };
