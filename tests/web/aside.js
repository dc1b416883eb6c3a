// SPDX-License-Identifier: MIT
//
// Positions beside the game: what follows a move, and the tree of the last search.
"use strict";

const assert = require("node:assert/strict");
const { choose_game, engine, hands, moves, open, person, play_squares, playable, record, squares, status, wait_for_moves, wait_for_status } = require("./lib.js");

const line = page => page.$$eval("#aside-moves button", all => all.map(node => node.textContent));
const ask = async (page, square, hand = hands.mouse) => {
	await page.keyboard.press("f");
	await wait_for_status(page, /What if\? Choose a move/);
	await hand.square(page, square);
	await page.waitForSelector("#aside:not([hidden])");
};
const crumbs = page => page.$$eval("#crumbs button", all => all.map(node => node.textContent));
const child = (page, move) => page.locator("#children button", { hasText: new RegExp(`^${move}(OR|AND|end|終局)$`) });
const children = page => page.$$eval("#children button", all => all.map(node => node.firstChild.textContent));
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
		assert.match(await page.textContent("#aside-text"), /^C3: blunder, (a draw became a loss|win rate \d+ % to 0 %)/);
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
		await page.dblclick("#aside-keep");
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

	async "the proof of a search is walked through: by clicks, on the board, by keys; the game stays as it is"() {
		const page = await open({ white: person, settings: { analysis: true, analysis_search: "dfpn" } });
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["A1", "A2", "B1", "B2"]);
		await page.waitForSelector('#candidates [data-proof="win"]');
		const before = await squares(page), told = JSON.parse(engine(["set_game tictactoe", `position ${before} X`, "param search dfpn", "param threads 1",
			"yomi-search", "yomi-tree"]).at(-1));
		await page.keyboard.press("d");
		await page.waitForSelector("#proofs:not([hidden])");
		assert.equal(await page.textContent("#proofs-title"), "Proof explorer: can X win?");
		assert.equal(await page.textContent("#proof-text"), told.text);
		assert.equal(await page.textContent("#proof-numbers"), "NodeORwin0 / ∞draw0 / ∞Valuewin");
		assert.deepEqual((await children(page)).sort(), told.children.map(it => it.move).sort());
		assert.equal(await page.textContent("#children tbody tr"), "C1end0 / ∞0 / ∞win");
		assert.ok(await page.isHidden("#analysis-body"));

		await child(page, "A3").focus();
		await page.keyboard.press("Enter");
		await wait_for_status(page, /^X: A3\. O to move$/);
		assert.deepEqual(await crumbs(page), ["Position", "A3"]);
		assert.equal(await squares(page), before.replace(/^(.{6})\./, "$1X"));
		assert.match(await page.textContent("#proof-numbers"), /^NodeAND/);
		assert.match(await page.textContent("#proof-text"), /^O is to move, so X needs every move to be one after which it (wins|does not lose): the proof number \d/);
		assert.deepEqual((await children(page)).sort(), ["B3", "C1", "C2", "C3"]);
		assert.ok(await page.evaluate(() => document.querySelector("#children").contains(document.activeElement)));
		await hands.mouse.square(page, "C2"); // a move on the board goes down, too
		await wait_for_status(page, /^O: C2\. O wins$/);
		assert.deepEqual(await crumbs(page), ["Position", "A3", "C2"]);
		assert.equal(await page.textContent("#proof-text"), "The game is over: O wins.");
		assert.equal(await page.textContent("#proof-numbers"), "Nodeendwin∞ / 0draw∞ / 0Valueloss");
		assert.ok(await page.isHidden("#children"));
		await page.keyboard.press("u");
		await wait_for_status(page, /^X: A3\. O to move$/);
		await page.keyboard.press("r");
		await wait_for_status(page, /O wins$/);
		await page.click("#crumbs button");
		await wait_for_status(page, /^O: B2\. X to move$/);
		await child(page, "C1").click();
		await wait_for_status(page, /^X: C1\. X wins$/);
		assert.deepEqual(await crumbs(page), ["Position", "C1"]);

		await page.keyboard.press("d");
		await page.waitForSelector("#proofs", { state: "hidden" });
		assert.equal(await squares(page), before);
		assert.deepEqual(await moves(page), ["A1", "A2", "B1", "B2"]);
		assert.ok(await page.isVisible("#analysis-body"));
		// A question closes the tree, and so does another position.
		await page.keyboard.press("d");
		await page.waitForSelector("#proofs:not([hidden])");
		await ask(page, "C3");
		assert.ok(await page.isHidden("#proofs"));
		await page.keyboard.press("d");
		await page.waitForSelector("#proofs:not([hidden])");
		assert.ok(await page.isHidden("#aside"));
		await page.click('#moves [data-ply="1"]');
		await page.waitForSelector("#proofs", { state: "hidden" });
		await wait_for_status(page, /^X: A1\./);
		assert.deepEqual(page.faults, []);
	},

	async "the tree of UCT has visits and values, and rests while one looks; on a phone, by finger"() {
		const page = await open({ white: person, settings: { analysis: true, analysis_search: "mcts" }, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
		await page.waitForFunction(() => document.querySelectorAll("#candidates tbody tr").length === 4);
		await page.tap("#explore");
		await page.waitForSelector("#proofs:not([hidden])");
		assert.deepEqual(await page.$$eval("#children th", all => all.map(node => node.textContent)), ["Move", "Visits", "Value"]);
		assert.deepEqual((await children(page)).sort(), (await playable(page)).sort());
		const text = await page.textContent("#proof-text");
		assert.match(text, /^Black is to move, and no proof numbers are known; UCT's \d+ visits give Black the value/);
		const [move] = await children(page);
		await child(page, move).tap();
		await page.waitForSelector("#crumbs li:nth-child(2) [aria-current]");
		assert.match(await page.textContent("#proof-numbers"), /^NodeANDVisits\d.*Value\d+%$/);
		await page.tap("#crumbs button");
		await page.waitForSelector("#crumbs li:nth-child(1) [aria-current]");
		assert.equal(await page.textContent("#proof-text"), text);
		await child(page, move).tap(); // a node that was seen is the same again
		await page.waitForSelector("#crumbs li:nth-child(2) [aria-current]");
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
		for (const height of await page.$$eval("#proofs button, #explore", all => all.map(node => node.offsetHeight)))
			assert.ok(height >= 44, height);
		await page.tap("#explore");
		await page.waitForSelector("#proofs", { state: "hidden" });
		await page.waitForFunction(() => document.querySelector("#analysis-body").offsetParent && document.querySelector(".mark"));
		assert.deepEqual(page.faults, []);
	},

	async "a search without a tree says so, and which searches have one"() {
		const page = await open({ white: person, settings: { analysis: true, analysis_search: "alphabeta" } });
		await page.waitForSelector("#candidates button");
		await page.keyboard.press("d");
		await page.waitForSelector("#proofs:not([hidden])");
		assert.equal(await page.textContent("#proof-text"), "The last search has kept nothing about this position.");
		const note = await page.textContent("#proofs-none");
		assert.ok(await page.isVisible("#proofs-none"));
		for (const name of note.match(/\b(dfpn|mcts)\b/g)) {
			await page.selectOption("#analysis-search", name);
			await page.waitForSelector("#proofs", { state: "hidden" });
			await page.waitForFunction(is_uct => is_uct ? /Playouts/.test(document.querySelector("#numbers").textContent) :
				document.querySelector("#proof:not([hidden]) svg"), name === "mcts");
			await page.keyboard.press("d");
			await page.waitForSelector("#proofs:not([hidden])");
			assert.ok(await page.isHidden("#proofs-none"), name);
			await page.keyboard.press("d");
			await page.waitForSelector("#proofs", { state: "hidden" });
		}
		assert.deepEqual(page.faults, []);
	},

	async "every kind of node has a Japanese sentence with its numbers"() {
		const page = await open({ white: person, settings: { language: "ja", analysis: true, analysis_search: "dfpn" } });
		const open_numbers = { proof: 77, disproof: 88, stored: true }, base = { for: "black", visits: 0, value: null, lower: -1, upper: 1, win: open_numbers, draw: open_numbers };
		const nodes = [
			[{ kind: "or", side: "black" }, /黒の番.*勝つ手.*77.*88/], [{ kind: "and", side: "white" }, /白の番.*黒が勝つ.*77.*88/],
			[{ kind: "or", side: "black", win: { proof: null, disproof: 0, stored: true }, draw: { ...open_numbers, stored: false } }, /負けない手.*77.*88.*初めの数/],
			[{ kind: "or", side: "black", win: null, draw: null }, /何も残していません/],
			[{ kind: "and", side: "white", win: null, draw: null, visits: 99, value: -0.25 }, /白の番.*分かっていません.*99回.*-0\.25/],
			[{ kind: "or", side: "white", for: "white", lower: -1, upper: -1 }, /白の番.*白の勝ち/], [{ kind: "and", side: "white", lower: 0, upper: 0 }, /引き分け/],
			[{ kind: "end", side: null, lower: 1, upper: 1 }, /終局.*黒の勝ち/],
		];
		const texts = await page.evaluate(async all => {
			const { node_text } = await import("/reasons.js");
			return all.map(node => node_text(node, "ja").text);
		}, nodes.map(([node]) => ({ ...base, ...node })));
		nodes.forEach(([, pattern], i) => {
			assert.match(texts[i], pattern);
			assert.doesNotMatch(texts[i].replace(/df-pn|UCT/g, ""), /[A-Za-z]{2}/);
		});
		await choose_game(page, "connectfour standard");
		await page.waitForSelector("#candidates button");
		await page.keyboard.press("d");
		await page.waitForSelector("#proofs:not([hidden])");
		assert.doesNotMatch((await page.textContent("#proofs")).replace(/df-?pn|UCT|mcts|AND|OR/g, ""), /[A-Za-z]{2}|undefined/);
		assert.deepEqual(page.faults, []);
	},
};
