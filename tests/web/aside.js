// SPDX-License-Identifier: MIT
//
// Positions beside the game: what follows a move.
"use strict";

const assert = require("node:assert/strict");
const { choose_game, hands, moves, open, person, play_squares, record, squares, status, wait_for_moves, wait_for_status } = require("./lib.js");

const line = page => page.$$eval("#aside-moves button", all => all.map(node => node.textContent));
const ask = async (page, square, hand = hands.mouse) => {
	await page.keyboard.press("f");
	await wait_for_status(page, /What if\? Choose a move/);
	await hand.square(page, square);
	await page.waitForSelector("#aside:not([hidden])");
};
const close = async (page, key) => {
	await page.keyboard.press(key);
	await page.waitForSelector("#aside", { state: "hidden" });
};

module.exports = {
	async "what if: a bad move is refuted step by step, what it costs is told, and the game stays as it is"() {
		const page = await open({ white: person });
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["A1", "B2", "C1"]);
		assert.ok(await page.isHidden("#what-if")); // while one plays
		await page.keyboard.press("a");
		await page.waitForSelector(".mark");
		const before = await squares(page), text = await record(page);
		await ask(page, "C3");
		assert.equal(await page.textContent("#aside-title"), "If O plays C3");
		assert.match(await page.textContent("#aside-text"), /^C3: blunder, a draw became a loss/);
		assert.deepEqual(await line(page), ["Position", "C3", "B1"]);
		await wait_for_status(page, /^O: C3\. X to move$/);
		assert.equal(await page.getAttribute("#what-if", "aria-pressed"), "true");
		await page.keyboard.press("r");
		await wait_for_status(page, /^X: B1\. X wins$/);
		assert.equal(await squares(page), before.replace(/^X\.X(.....)\./, "XXX$1O"));
		assert.ok(await page.isDisabled("#on"));
		// The board takes no move beside the game.
		await page.click('[data-square="A3"]', { force: true });
		await wait_for_status(page, /^Go back to the position first\.$/);
		await page.click("#aside-moves li:first-child button");
		await wait_for_status(page, /^X: C1\. O to move$/);
		assert.equal(await squares(page), before);
		await page.keyboard.press("End");
		await wait_for_status(page, /X wins$/);
		await page.focus("#aside-close");
		await page.keyboard.press("Enter");
		await page.waitForSelector("#aside", { state: "hidden" });
		assert.ok(await page.evaluate(() => document.querySelector("#board").contains(document.activeElement)));
		assert.equal(await squares(page), before);
		assert.deepEqual(await moves(page), ["A1", "B2", "C1"]);
		assert.equal((await record(page)).replace(/V\[.*?\]/g, ""), text.replace(/V\[.*?\]/g, ""));
		await page.waitForSelector(".mark"); // the analysis goes on

		// The best move costs nothing. The key ends both the question and its line.
		await ask(page, "B1", hands.keys);
		assert.match(await page.textContent("#aside-text"), /^B1: .*It costs nothing/);
		await close(page, "f");
		await page.keyboard.press("f");
		await wait_for_status(page, /What if/);
		await page.keyboard.press("f");
		await wait_for_status(page, /^X: C1\. O to move$/);
		await play_squares(page, ["B1"]);
		assert.deepEqual(await moves(page), ["A1", "B2", "C1", "B1"]);
		assert.deepEqual(page.faults, []);
	},

	async "what if: the line is kept as a variation, and its record is right"() {
		const page = await open({ white: person, settings: { analysis: true } });
		await choose_game(page, "pentago standard");
		await hands.mouse.square(page, "B2");
		await hands.mouse.turn(page, "S");
		await wait_for_moves(page, ["B2S"]);
		await page.keyboard.press("f");
		await wait_for_status(page, /What if/);
		await hands.mouse.square(page, "E5");
		await hands.mouse.turn(page, "T");
		await page.waitForSelector("#aside:not([hidden])");
		const [, ...made] = await line(page);
		assert.ok(made[0] === "E5T" && made.length >= 3, made.join());
		await page.keyboard.press("r");
		await page.waitForSelector("#aside-moves li:nth-child(3) [aria-current]");
		const second = await squares(page);
		await page.click("#aside-keep");
		await wait_for_moves(page, ["B2S", ...made]);
		await page.waitForSelector('#moves [data-ply="3"][aria-current]');
		assert.equal(await squares(page), second);
		// Another line from the same position becomes a variation of this one.
		await page.click('#moves [data-ply="1"]');
		await page.waitForSelector('#moves [data-ply="1"][aria-current]');
		await page.keyboard.press("f");
		await wait_for_status(page, /What if/);
		await hands.mouse.square(page, "E2");
		await hands.mouse.turn(page, "U");
		await page.waitForSelector("#aside:not([hidden])");
		await page.click("#aside-keep");
		await page.waitForSelector("#moves .branches button");
		assert.equal((await moves(page))[1], "E2U");
		const text = await record(page), other = await open({ white: person });
		await other.click("#open-file");
		await other.fill("#sgf", text);
		await other.click("#load-sgf");
		await other.waitForSelector("#moves .branches button");
		assert.deepEqual(await moves(other), ["B2S", ...made]);
		assert.deepEqual([page.faults, other.faults], [[], []]);
	},

	async "what if: the board plays the line by itself and returns to the position"() {
		const page = await open({ white: person, settings: { analysis: true }, reducedMotion: "no-preference" });
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["A1", "B2", "C1"]);
		await page.evaluate(() => {
			window.seen = [];
			new MutationObserver(() => {
				const text = document.querySelector("#aside:not([hidden]) [aria-current]")?.textContent;
				if (text && text !== window.seen.at(-1))
					window.seen.push(text);
			}).observe(document.querySelector("#aside"), { attributes: true, subtree: true, childList: true });
		});
		await ask(page, "C3");
		await page.waitForFunction(() => window.seen.length === 3);
		assert.deepEqual(await page.evaluate(() => window.seen), ["C3", "B1", "Position"]);
		await wait_for_status(page, /^X: C1\. O to move$/);
		assert.ok(await page.isVisible("#aside-keep"));
		await close(page, "Escape");
		assert.deepEqual(page.faults, []);
	},

	async "what if by finger in Japanese on a phone: no English words, nothing too wide; another game ends it"() {
		const page = await open({ white: person, settings: { language: "ja", analysis: true }, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
		await choose_game(page, "othello standard");
		await page.tap("#what-if");
		await wait_for_status(page, /手を選んでください/);
		await hands.finger.square(page, "D3");
		if (/もう一度/.test(await status(page)))
			await hands.finger.square(page, "D3");
		await page.waitForSelector("#aside:not([hidden])");
		await page.tap("#aside-moves li:last-child button");
		await page.waitForSelector("#aside-moves li:last-child [aria-current]");
		assert.doesNotMatch(await page.textContent("#aside"), /[A-Za-z]{2}|undefined/);
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
		for (const height of await page.$$eval("#aside button", all => all.map(node => node.offsetHeight)))
			assert.ok(height >= 44, height);
		await page.tap("#new");
		await page.waitForSelector("#aside", { state: "hidden" });
		await wait_for_status(page, /^黒の番です$/);
		assert.deepEqual(page.faults, []);
	},
};
