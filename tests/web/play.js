// SPDX-License-Identifier: MIT
//
// Playing and looking: whole games, moves, rules, the look of the page.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const { PATIENCE, Server, assert_engine_agrees, choose_game, hands, moves, open, person, play_squares, play_whole_game, playable, player, record, shared, status, wait_for_status, wait_for_turn } = require("./lib.js");

module.exports = {
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
		await another.waitForFunction(() => document.querySelectorAll("#moves [data-ply]").length === 13);
		assert.ok((await status(another)).endsWith(result), await status(another));
		assert.deepEqual([await another.inputValue("#size"), await another.inputValue("#komi")], ["5 5", "0.5"]);
		assert.deepEqual([page.faults, another.faults], [[], []]);
	},

	async "Go: each size has its own komi until one chooses, also after a reload"() {
		const page = await open({ white: person }), wait_for = (size, komi) => page.waitForFunction(([size, komi]) =>
			document.querySelector("#size").value === size && document.querySelector("#komi").value === komi, [size, komi]);
		await choose_game(page, "go standard");
		await page.selectOption("#size", "5 5");
		await wait_for("5 5", "0");
		await page.reload();
		await wait_for("5 5", "0");
		await page.selectOption("#size", "9 9");
		await wait_for("9 9", "7");
		await page.fill("#komi", "0.5");
		await page.keyboard.press("Tab");
		await page.waitForFunction(() => Object.values(sessionStorage).some(text => text.includes('"komi":0.5')));
		await page.reload();
		await wait_for("9 9", "0.5");
		await page.selectOption("#size", "19 19");
		await wait_for("19 19", "7.5");
		assert.deepEqual(page.faults, []);
	},

	async "Go on 19x19 by finger: yomi answers; analysis is shown while one plays on"() {
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
			await page.waitForFunction(n => document.querySelectorAll("#moves [data-ply]").length === n && document.querySelector(".mark"), 10 + n);
			assert.ok(await page.$$eval(".mark", all => all.length) <= 24);
			const free = await playable(page), square = free.includes(wanted) ? wanted : free[0];
			await page.tap(`[data-square="${square}"]`);
			await wait_for_status(page, /touch again/);
			await page.tap(`[data-square="${square}"]`);
			await page.waitForFunction(n => document.querySelectorAll("#moves [data-ply]").length === n, 11 + n);
			assert.equal((await moves(page))[10 + n], square);
		}
		await page.waitForSelector(".mark");
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
		for (const [name, size] of await page.$$eval("button, select, summary, input:not([type=checkbox]), .check", all =>
			all.filter(n => n.offsetParent).map(n => [n.id || n.textContent, n.offsetHeight])))
			assert.ok(size >= 44, `${name} is ${size} pixels high`);
	},

	async "on a phone no button is narrower than its words, in either language"() {
		const page = await open({ white: person, settings: { analysis_search: "alphabeta" }, viewport: { width: 360, height: 740 } });
		const narrow = () => page.$$eval("button, .button", all => all.filter(n => n.offsetParent && n.scrollWidth > n.clientWidth).map(n => n.id || n.textContent));
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["A1", "A2", "B1", "C1"]);
		await page.click("#back");
		await play_squares(page, ["C3"]); // a variation
		await page.click("#review");
		await page.waitForSelector("#next-mistake:not([hidden])");
		await page.waitForFunction(() => document.querySelector("#review").textContent === "Evaluate all moves");
		for (const language of ["en", "ja"]) {
			await page.click("#open-menu");
			assert.deepEqual(await narrow(), [], `${language}, menu`);
			await page.click("#open-settings");
			await page.selectOption("#language", language);
			await page.keyboard.press("Escape");
			assert.ok(await page.isVisible("#next-mistake") && await page.isVisible("#promote"));
			assert.deepEqual(await narrow(), [], language);
			await page.click("#open-menu");
			await page.click("#open-file");
			assert.deepEqual(await narrow(), [], `${language}, game record`);
			await page.keyboard.press("Escape");
		}
		assert.deepEqual(page.faults, []);
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
		await page.click("#take"); // yomi answers the same move again
		await wait_for_status(page, /^Black to move \(after move 0 of 2\)/);
		await hands.mouse.square(page, "C4");
		await wait_for_status(page, /^White: .* Black to move$/);
		await page.click("#go");
		await wait_for_turn(page, 4);
		assert.equal((await moves(page)).length, 4);
		await page.keyboard.press("q");
		await wait_for_status(page, /Black resigns, White wins/);
		assert.deepEqual(await playable(page), []);
		await page.click("#take"); // the game goes on
		await wait_for_status(page, /Black to move$/);
		assert.equal((await moves(page)).length, 4);
		await page.keyboard.press("q");
		await wait_for_status(page, /Black resigns/);
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
		// `Move now` counts before the search has reached the engine, too.
		await page.evaluate(() => new MutationObserver((_, observer) => {
			if (/thinking/.test(document.querySelector("#status").textContent)) {
				observer.disconnect();
				document.querySelector("#go").click();
			}
		}).observe(document.querySelector("#status"), { childList: true, characterData: true, subtree: true }));
		await hands.mouse.square(page, (await playable(page))[0]);
		await wait_for_turn(page, 4);
		await assert_engine_agrees(await open({ url: shared.server.url })); // other clients are served meanwhile
	},

	async "yomi thinks on after what one looks up meanwhile, also about a move that was taken back"() {
		const page = await open({ white: player(true, { limit: 1e12 }) }), think = async () => {
			await hands.mouse.square(page, "D3");
			await wait_for_status(page, /yomi is thinking/);
		};
		await think();
		await page.click("#go");
		await wait_for_turn(page, 2);
		await page.click("#take");
		await wait_for_status(page, /after move 0 of 2/);
		await think();
		await page.keyboard.press("a");
		await page.waitForSelector(".mark");
		await page.keyboard.press("a");
		await wait_for_status(page, /yomi is thinking/);
		await page.click("#go");
		await wait_for_turn(page, 2);
		assert.deepEqual(page.faults, []);
	},

	async "what a side is played by reaches the engine, and what the program was started with holds"() {
		const own = await Server.start(0, "--game=pentago", "--rules=tajima", "--time=0.05");
		const context = await shared.browser.newContext({ locale: "en-GB" }), page = await context.newPage();
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

	async "playing and analysing are two modes: no numbers and yomi's answers, or numbers and none"() {
		const page = await open({ white: player(true) });
		assert.match(await page.title(), /^Black to move – [Oo]thello/);
		await hands.mouse.square(page, "D3");
		await wait_for_turn(page, 2);
		for (const id of ["analysis", "balance", "graph", "comment-label"])
			assert.ok(await page.isHidden(`#${id}`), id);
		assert.deepEqual(await page.$$eval("#moves small", all => all.map(node => node.textContent).filter(Boolean)), []);
		assert.equal(await page.$$eval(".mark", all => all.length), 0);
		await page.keyboard.press("a");
		await page.waitForSelector(".mark");
		for (const id of ["analysis", "balance", "graph", "comment"])
			assert.ok(await page.isVisible(`#${id}`), id);
		assert.ok(await page.$$eval("#moves small", all => all.some(node => node.textContent))); // yomi's own score was kept
		await hands.mouse.square(page, (await playable(page))[0]);
		await page.waitForFunction(() => document.querySelector("#chance-of").textContent.startsWith("White") && document.querySelector(".mark"));
		assert.equal((await moves(page)).length, 3);
		assert.ok(await page.isDisabled("#resign"));
		await page.keyboard.press("a");
		await wait_for_turn(page, 4);
		assert.ok(await page.isHidden("#analysis"));
		assert.equal(await page.$eval("#player-white .who", node => node.selectedOptions[0].textContent), "yomi full strength");
		assert.match(await page.$eval("#player-white .who", node => node.options[3].textContent), /^yomi 3 – novice, Elo [0-9]+$/);
		assert.equal(await page.textContent("#player-white .rank"), "");
		await page.selectOption("#player-white .who", "3");
		await page.waitForFunction(() => /^novice, Elo [0-9]+$/.test(document.querySelector("#player-white .rank").textContent));
		for (const [width, height] of [[360, 740], [740, 360], [1440, 900]]) {
			await page.setViewportSize({ width, height });
			assert.ok(await page.$eval("#player-white .rank", node => node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight), "nothing is cut");
		}
		assert.deepEqual(page.faults, []);
	},

	async "at the end: the result, a review, a rematch, the other side"() {
		const page = await open({ white: player(true) });
		await hands.mouse.square(page, "D3");
		await wait_for_turn(page, 2);
		assert.ok(await page.isHidden("#ending"));
		await page.keyboard.press("q");
		await page.waitForSelector("#ending:not([hidden])");
		assert.equal(await page.textContent("#ending-title"), "yomi has won");
		assert.match(await page.title(), /^Black resigns, White wins/);
		assert.match(await record(page), /PB\[Person\]PW\[yomi\]RE\[W\+R\]/);
		await page.click("#swap-sides");
		await page.waitForSelector("#ending", { state: "hidden" });
		assert.equal(await wait_for_turn(page, 1), "white"); // yomi is Black now
		assert.equal(await page.$eval("#player-white .who", node => node.value), "person");
		await page.keyboard.press("q");
		await page.waitForSelector("#ending:not([hidden])");
		await page.click("#rematch");
		await page.waitForSelector("#ending", { state: "hidden" });
		assert.equal(await wait_for_turn(page, 1), "white");
		await page.keyboard.press("q");
		await page.click("#end-review");
		await page.waitForFunction(() => document.querySelector("#review").textContent === "Evaluate all moves" &&
			document.querySelector("#analyse").ariaPressed === "true" && document.querySelector("#moves small").textContent);
		assert.ok(await page.isHidden("#ending"));

		// Two persons: the result names the side. The game can be looked through.
		await page.keyboard.press("a");
		await choose_game(page, "tictactoe standard");
		await page.selectOption("#player-black .who", "person");
		await page.keyboard.press("n");
		await play_squares(page, ["A1", "B1", "A2", "B2", "A3"]);
		await page.waitForSelector("#ending:not([hidden])");
		assert.equal(await page.textContent("#ending-title"), "X wins");
		await page.click("#back");
		await page.waitForSelector("#ending", { state: "hidden" });
		assert.deepEqual(page.faults, []);
	},

	async "clocks: they run while one plays, count the increment, and end the game"() {
		const page = await open({ white: person, settings: { clock: [3, 2] } });
		await page.evaluate(() => {
			const now = performance.now.bind(performance);
			let ahead = 0;
			performance.now = () => now() + ahead;
			window.pass = seconds => { ahead += 1000 * seconds; };
		});
		const clock = colour => page.textContent(`#player-${colour} .clock`);
		const wait_for_clock = (colour, pattern) => page.waitForFunction(([colour, source]) =>
			new RegExp(source).test(document.querySelector(`#player-${colour} .clock:not([hidden])`)?.textContent), [colour, pattern.source]);
		assert.equal(await clock("black"), "3:00");
		await page.evaluate(() => pass(50)); // before the first move no time passes
		await hands.mouse.square(page, "D3");
		await wait_for_status(page, /White to move/);
		await page.evaluate(() => pass(60));
		await wait_for_clock("white", /^(2:00|1:5\d)$/);
		assert.equal(await clock("black"), "3:00");
		await hands.mouse.square(page, "C3");
		await wait_for_status(page, /Black to move/);
		assert.match(await clock("white"), /^(2:0[012]|1:5\d)$/);
		await page.keyboard.press("a"); // analysis takes no time
		await page.waitForSelector(".mark");
		await page.evaluate(() => pass(600));
		await page.keyboard.press("a");
		await wait_for_clock("black", /^(3:00|2:[45]\d)$/);
		await page.evaluate(() => pass(600));
		await wait_for_status(page, /Black is out of time, White wins/);
		assert.equal(await clock("black"), "0:00.0");
		assert.match(await record(page), /RE\[W\+T\]/);
		for (let i = 0; i < 2; i++) { // a new game while a clock runs
			await page.click("#new");
			await wait_for_status(page, /Black to move/);
			assert.equal(await clock("white"), "3:00");
			await hands.mouse.square(page, "D3");
			await wait_for_status(page, /White to move/);
		}
		await page.evaluate(() => pass(60));
		await page.reload(); // gives no time back
		await wait_for_status(page, /White to move/);
		await wait_for_clock("white", /^(2:00|1:5\d)$/);
		assert.equal(await clock("black"), "3:00");
		assert.deepEqual(page.faults, []);
	},

	async "a sound with each move, if one wants it"() {
		const page = await open({ white: person });
		await page.evaluate(() => {
			window.sounds = 0;
			const begin = OscillatorNode.prototype.start;
			OscillatorNode.prototype.start = function (...args) {
				sounds++;
				return begin.apply(this, args);
			};
		});
		await play_squares(page, ["D3"]);
		assert.equal(await page.evaluate(() => sounds), 0);
		await page.click("#open-settings");
		await page.click("#sound");
		await page.keyboard.press("Escape");
		await play_squares(page, ["C3"]);
		await page.keyboard.press("u");
		await wait_for_status(page, /after move 1 of 2/);
		assert.equal(await page.evaluate(() => sounds), 1);
	},

	async "what has won is marked: a row, or a connection"() {
		const page = await open({ white: person });
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["A1", "B1", "B2", "A2", "C3"]);
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
		await choose_game(page, "hex hex");
		await page.selectOption("#size", "3 3");
		await page.waitForFunction(() => document.querySelectorAll(".square").length === 9);
		await play_squares(page, ["B1", "A1", "B2", "A2", "B3"]);
		await page.waitForFunction(() => document.querySelectorAll(".run:not(.casing)").length === 2);
		assert.deepEqual(page.faults, []);
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
		const known = await page.evaluate(async () => Object.keys((await import("/guides.js")).guides.ja));
		const listed = await page.$$eval("#game option", all => all.map(option => option.value));
		assert.deepEqual(known.sort(), listed.sort());
	},

	async "what is refused is said in the page's language, beside what was read"() {
		const page = await open({ locale: "ja-JP", white: person });
		await page.click("#open-file");
		for (const [id, field, text] of [["load-sgf", "sgf", "(;GM[7];B[aa])"], ["load-sgf", "sgf", "x"], ["load-sgf", "sgf", "(;GM[2];B[a1])"],
			["load-sgf", "sgf", "(;GM[2];B[d3];Q"], ["load-sgf", "sgf", ""], ["load-sgf", "sgf", "(;GM[2]SZ[9];B[dc])"],
			["load-sgf", "sgf", "(;GM[2]SZ[8]C[" + "x".repeat(70000)], ["set-position", "position", "X O"], ["set-position", "position", ".".repeat(64) + " Q"]]) {
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
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, name);
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
		const scrollbar = () => page.$eval("#settings-dialog", node => getComputedStyle(node).scrollbarColor);
		const dark_bar = await scrollbar();
		await page.selectOption("#theme", "light");
		assert.notEqual(await ground(), dark);
		assert.notEqual(await scrollbar(), dark_bar); // "auto" may be white in the dark
		await page.keyboard.press("Escape");
		assert.equal(await status(page), "Black to move");
		await page.reload();
		await page.waitForSelector(".square");
		assert.equal(await status(page), "Black to move");
		assert.notEqual(await ground(), dark);
	},

	async "text stands out from its ground, light and dark"() {
		for (const colorScheme of ["light", "dark"]) {
			const page = await open({ colorScheme, white: person, settings: { analysis: true } });
			await play_squares(page, ["D3", "C3", "C4"]);
			await page.keyboard.press("u");
			await page.waitForSelector('#moves [data-ply="2"][aria-current]');
			await play_squares(page, ["B3"]);
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
					if (!node.checkVisibility() || node.closest(":disabled") || ![...node.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
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

	async "axe finds nothing: playing, analysing, at the end, in the dialogs, in a puzzle, beside the game, light and dark"() {
		const source = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
		for (const colorScheme of ["light", "dark"]) {
			const page = await open({ colorScheme, white: person, settings: { tree: true } });
			await page.evaluate(source);
			const assert_clean = async what => assert.deepEqual(await page.evaluate(async () => (await axe.run(document, { resultTypes: ["violations"] }))
				.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)), [], `${what}, ${colorScheme}`);
			await play_squares(page, ["D3", "C3", "C4"]);
			await page.keyboard.press("u");
			await page.waitForSelector('#moves [data-ply="2"][aria-current]');
			await play_squares(page, ["B3"]);
			await assert_clean("playing");
			await page.keyboard.press("a");
			await page.waitForSelector("#tree svg");
			await assert_clean("analysing");
			await page.keyboard.press("f");
			await hands.mouse.square(page, (await playable(page))[0]);
			await page.waitForSelector("#aside:not([hidden])");
			await assert_clean("what if");
			await page.keyboard.press("d");
			await page.waitForSelector("#proofs:not([hidden])");
			await page.click("#children button");
			await page.waitForSelector("#crumbs li:nth-child(2)");
			await assert_clean("the proof");
			await page.keyboard.press("a");
			await page.waitForSelector("#analysis", { state: "hidden" });
			await page.keyboard.press("q");
			await page.waitForSelector("#ending:not([hidden])");
			await assert_clean("at the end");
			await page.keyboard.press("n");
			await wait_for_status(page, /^Black to move$/);
			for (const [key, dialog] of [["o", "file"], ["?", "settings"], ["i", "rules"], ["c", "puzzles"]]) {
				await page.keyboard.press(key);
				await page.waitForSelector(`#${dialog}-dialog[open]`);
				await assert_clean(dialog);
				await page.keyboard.press("Escape");
			}
			await page.click("#player-white summary");
			await assert_clean("a player");
			await choose_game(page, "connectfour standard");
			await page.keyboard.press("c");
			await page.click("#puzzles li:nth-child(2) button");
			await page.waitForSelector("#puzzle:not([hidden])");
			await hands.mouse.square(page, "A6");
			await page.waitForSelector("#puzzle.wrong");
			await assert_clean("a puzzle");
		}
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
