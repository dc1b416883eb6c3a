// SPDX-License-Identifier: MIT
//
// The site, served by Python, in a real browser: what the page of `yomi web` does with the server (tests/web) it must do here, too,
// and every game can be played.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const run = require("../web/runner.js");
const { choose_game, engine, hands, moves, open, person, player, record, wait_for_status, wait_for_turn } = require("../web/lib.js");

const folder = process.argv[3];

class Server {
	static async start(files = folder, port = 0) {
		const server = new Server();
		server.process = spawn("python3", ["-u", "-m", "http.server", "-b", "127.0.0.1", "-d", files, String(port)], { stdio: ["ignore", "pipe", "ignore"] });
		process.once("exit", () => server.process.kill("SIGKILL"));
		server.port = await new Promise(resolve => {
			let text = "";
			server.process.stdout.on("data", data => {
				const [, found] = /port (\d+)/.exec(text += data) ?? [];
				if (found)
					resolve(Number(found));
			});
		});
		server.url = `http://127.0.0.1:${server.port}/`;
		return server;
	}

	async stop() {
		const ended = new Promise(resolve => this.process.once("exit", resolve));
		this.process.kill("SIGKILL");
		await ended;
	}
}

const PLIES = 8; // of each game
const quick = player(true, { limit: 8 });

// Waits until a promise of the page is true.
async function until(page, asked, arg) {
	while (!await page.evaluate(asked, arg))
		await page.waitForTimeout(20);
}

const own = {
	async "yomi plays every game"() {
		const page = await open({ black: person, white: quick });
		for (const name of await page.$$eval("#game option", all => all.map(option => option.value))) {
			await choose_game(page, name);
			await page.selectOption("#player-black .who", "0");
			await page.waitForFunction(plies => document.querySelectorAll("#moves [data-ply]").length >= plies ||
				/wins|A draw/.test(document.querySelector("#status").textContent), PLIES);
			await page.selectOption("#player-black .who", "person");
			await page.waitForFunction(() => /wins|A draw/.test(document.querySelector("#status").textContent) ||
				document.querySelector(".player.turn .who").value === "person");
			const [, position] = engine([`yomi-loadsgf ${encodeURIComponent(await record(page))}`, "yomi-position"]);
			assert.deepEqual(JSON.parse(position).moves.map(({ move }) => move.replace(/^SWAP.*/, "SWAP")), (await moves(page)).map(move => move.toUpperCase()), name);
		}
		assert.deepEqual(page.faults, []);
	},

	async "after one visit no game needs a server; a new version replaces the old one"() {
		const copy = fs.mkdtempSync(path.join(os.tmpdir(), "yomi-site-"));
		fs.cpSync(folder, copy, { recursive: true });
		let server = await Server.start(copy);
		const page = await open({ url: server.url, white: quick });
		const play = async () => {
			await page.click("#new");
			await page.waitForFunction(() => !document.querySelector("#moves [data-ply]"));
			await hands.mouse.square(page, "D3");
			await wait_for_turn(page, 2);
		};
		await play();
		await page.evaluate(() => navigator.serviceWorker.ready);
		const files = fs.readFileSync(path.join(copy, "version.js"), "utf8").match(/: "/g).length;
		await until(page, count => caches.open("files").then(cache => cache.keys()).then(all => all.length === count), files);
		await server.stop();
		await page.reload();
		await page.waitForSelector(".square");
		await play();
		await choose_game(page, "gomoku freestyle");
		await page.click(".square.playable");
		await wait_for_turn(page, 2);
		await choose_game(page, "othello standard");
		const before = await page.evaluate(() => caches.keys().then(all => all.find(name => name !== "files")));

		// Another version replaces the first one when no page shows that any more.
		fs.appendFileSync(path.join(copy, "page.css"), "\nmain { --version: 2; }\n");
		const version = path.join(copy, "version.js");
		fs.writeFileSync(version, fs.readFileSync(version, "utf8").replace(/VERSION = "/, "$&2"));
		server = await Server.start(copy, server.port);
		await page.evaluate(() => navigator.serviceWorker.getRegistration().then(found => found.update()));
		await until(page, () => navigator.serviceWorker.getRegistration().then(({ waiting }) => Boolean(waiting)));
		await page.goto("about:blank");
		await page.goto(server.url);
		await until(page, name => caches.keys().then(all => !all.includes(name) && all.length === 2), before);
		await page.reload();
		await page.waitForSelector(".square");
		assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("main")).getPropertyValue("--version")), "2");
		await server.stop();
		await play();
		// There is no server, and about:blank has no storage.
		assert.deepEqual(page.faults.filter(text => !/ERR_CONNECTION_REFUSED|localStorage/.test(text)), []);
		fs.rmSync(copy, { recursive: true });
	},

	async "a tap ends an endless search at once"() {
		const page = await open({ white: player(true, { limit: 1e12 }) });
		// Between the message that interrupts and the next answer.
		await page.evaluate(() => {
			let begun = 0;
			window.pauses = [];
			const post = Worker.prototype.postMessage;
			Worker.prototype.postMessage = function (message) {
				if (!begun && message.ended) {
					begun = performance.now();
					this.addEventListener("message", () => {
						window.pauses.push(performance.now() - begun);
						begun = 0;
					}, { once: true });
				}
				post.call(this, message);
			};
		});
		const names = ["othello standard", "go standard", "gomoku freestyle", "havannah standard", "pentago standard"];
		for (const name of [...names, ...names]) {
			await choose_game(page, name);
			await page.click(".square.playable");
			if (await page.$(".turn.open"))
				await hands.mouse.turn(page, "S");
			await wait_for_status(page, /yomi is thinking/);
			await page.click("#go");
			await page.waitForFunction(() => document.querySelectorAll("#moves [data-ply]").length >= 2);
		}
		// The first time, what the game needs may have been read at the same time.
		console.log(`# searches ended after ${(await page.evaluate(() => window.pauses)).slice(names.length).map(Math.round).join(", ")} ms`);
		assert.deepEqual(page.faults, []);
	},
};

// Watches requests to the server.
const SERVED = "a hint that is asked for while another one is searched waits for it, and counts; a move ends both";
const parts = ["play", "puzzles", "analysis", "aside", "records"].map(name => require(`../web/${name}.js`));
const checks = Object.assign(own, ...parts);
delete checks[SERVED];
Server.start().then(server => run(checks, server));
