// SPDX-License-Identifier: MIT
//
// What a visitor of the page of `yomi web` does first, in a real Firefox, headless: plays games against yomi, analyses, and stops an
// endless search. Prints a line for each.
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const puppeteer = require("puppeteer-core");
const { PATIENCE, Server, person, player } = require("./lib.js");

const executablePath = ["firefox-esr", "firefox"].map(name =>
	spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim()).find(Boolean);
const quick = player(true, { limit: 8 });

// Opens the page with stored settings of an earlier visit.
async function visit(page, url, white) {
	await page.goto(url);
	await page.evaluate(kept => { localStorage.yomi = JSON.stringify(kept); }, { seed: 1, players: { black: person, white } });
	await page.reload();
	await page.waitForSelector(".square.playable");
}

async function choose(page, name) {
	await page.select("#game", name);
	await page.waitForSelector(`[data-game="${name.split(" ")[0]}"] .yomi-board`);
}

const wait_for_plies = (page, count) => page.waitForFunction(least => document.querySelectorAll("#moves [data-ply]").length >= least, {}, count);

const checks = {
	async "yomi answers in three games"(page, url) {
		await visit(page, url, quick);
		for (const name of ["othello standard", "gomoku freestyle", "go standard"]) {
			await choose(page, name);
			for (const count of [2, 4]) {
				await page.waitForFunction(() => document.querySelector(".player.turn .who").value === "person");
				await page.click(".square.playable");
				await wait_for_plies(page, count);
			}
		}
	},

	async "an analysis shows moves"(page, url) {
		await visit(page, url, quick);
		await page.click("#analyse");
		await page.waitForSelector("#candidates .count");
	},

	async "a tap ends an endless search"(page, url) {
		await visit(page, url, player(true, { limit: 1e12 }));
		await page.click(".square.playable");
		await page.waitForFunction(() => document.querySelector("#status").textContent.includes("thinking"));
		await page.click("#go");
		await wait_for_plies(page, 2);
	},
};

async function main() {
	const server = await Server.start();
	const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, protocolTimeout: PATIENCE });
	let failed = 0;
	for (const [name, check] of Object.entries(checks)) {
		const context = await browser.createBrowserContext(), page = await context.newPage(), faults = [];
		page.setDefaultTimeout(PATIENCE);
		page.on("pageerror", error => faults.push(error.message));
		const why = await check(page, server.url).then(() => assert.deepEqual(faults, [])).then(() => "", error => error.message);
		console.log(why ? `failed Firefox: ${name}: ${why}` : `ok Firefox: ${name}`);
		failed += why ? 1 : 0;
		await context.close();
	}
	await browser.close();
	await server.stop();
	process.exitCode = failed ? 1 : 0;
}

main();
