// SPDX-License-Identifier: MIT
//
// Games that are kept: variations, records, links, positions, storage.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { assert_engine_agrees, choose_game, engine, hands, moves, open, out, person, play_squares, record, shared, squares, wait_for_moves, wait_for_status, wait_for_turn } = require("./lib.js");

module.exports = {
	async "Go with a handicap: a record in which Black moves twice is read, walked through and continued"() {
		const page = await open({ white: person });
		await page.click("#open-file");
		await page.fill("#sgf", "(;GM[1]FF[4]SZ[9]KM[0.5]HA[2]AB[gc][cg];W[ee];B[ec];B[gg];W[cc])");
		await page.click("#load-sgf");
		await page.waitForFunction(() => document.querySelectorAll("#moves [data-ply]").length === 4);
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

	async "records in other formats than SGF are pasted and opened"() {
		const page = await open({ white: person });
		const read = async (text, expected) => {
			await page.click("#open-file");
			await page.fill("#sgf", text);
			await page.click("#load-sgf");
			await page.waitForFunction(count => document.querySelectorAll("#moves [data-ply]").length === count, expected.length);
			assert.deepEqual(await moves(page), expected);
		};
		await read("f5d6c3d3c4", ["F5", "D6", "C3", "D3", "C4"]);
		await read("1. F5 D6\n2. C3", ["F5", "D6", "C3"]);
		await read("(;GM[Othello]PB[ann]PW[bob]TY[8]B[F5]W[D6];)", ["F5", "D6"]);
		assert.match(await record(page), /PB\[ann\]PW\[bob\]/);
		const wthor = Buffer.alloc(84);
		Buffer.from([20, 5, 12, 31, 1, 0, 0, 0, 0, 0, 213, 7]).copy(wthor);
		Buffer.from([3, 0, 12, 1, 13, 0, 36, 32, 56, 64, 33]).copy(wthor, 16);
		await page.click("#open-file");
		await page.setInputFiles("#sgf-file", { name: "WTH_2005.wtb", mimeType: "application/octet-stream", buffer: wthor });
		await page.waitForFunction(() => document.querySelectorAll("#moves [data-ply]").length === 3);
		assert.match(await record(page), /PB\[player 268\]PW\[player 13\]EV\[tournament 3\]DT\[2005\]/);
		assert.deepEqual(page.faults, []);
	},

	async "undo, redo, back to any move, another way from there"() {
		const page = await open({ white: person });
		await play_squares(page, ["D3", "C3", "C4", "E3"]);
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
		await page.click("#analyse");
		await page.click("#graph svg", { position: { x: 45, y: 40 } });
		await wait_for_status(page, /after move 1 of 4/);
		await hands.mouse.square(page, "E3");
		await wait_for_status(page, /White: E3/);
		assert.deepEqual(await moves(page), ["D3", "E3"]);
		await page.click("#promote");
		await page.waitForSelector("#promote:disabled");
		await assert_engine_agrees(page);
	},

	async "another move earlier in the game begins a variation: nothing is lost, and mouse and keys walk through them"() {
		const page = await open({ white: person });
		await play_squares(page, ["D3", "C3", "C4", "E3"]);
		assert.ok(await page.isHidden("#branch-tools"));
		const back = async (...plies) => {
			for (const n of plies) {
				await page.keyboard.press("u");
				await page.waitForSelector(n ? `#moves [data-ply="${n}"][aria-current]` : "#first:disabled");
			}
		};
		await back(3, 2, 1);
		await play_squares(page, ["E3", "F3"]);
		await wait_for_moves(page, ["D3", "E3", "F3"]);
		const branches = () => page.$$eval("#moves .branches button", all => all.map(node => node.textContent.replace(/^.*: /, "")));
		assert.deepEqual(await branches(), ["1…C3 C4 E3"]);
		assert.equal(await page.textContent("#moves .branches button"), "Variation, White: 1…C3 C4 E3");

		await page.click("#moves .branches button");
		await wait_for_moves(page, ["D3", "C3", "C4", "E3"]);
		await wait_for_status(page, /^White: C3\. .*after move 2 of 4/);
		assert.deepEqual(await branches(), ["1…E3 F3"]);
		await page.keyboard.press("]");
		await wait_for_moves(page, ["D3", "E3", "F3"]);
		await page.keyboard.press("[");
		await wait_for_moves(page, ["D3", "C3", "C4", "E3"]);
		assert.ok(await page.isDisabled("#promote")); // it is the main line

		// The way on is the one that was followed last. The same move again begins nothing.
		await page.keyboard.press("]");
		await wait_for_moves(page, ["D3", "E3", "F3"]);
		await back(1, 0);
		await page.keyboard.press("End");
		await wait_for_status(page, /^Black: F3/);
		await back(2, 1);
		await play_squares(page, ["C3"]);
		await wait_for_moves(page, ["D3", "C3", "C4", "E3"]);
		assert.equal((await branches()).length, 1);

		// A variation inside a variation, then all of it after a reload.
		await page.keyboard.press("r");
		await wait_for_status(page, /^Black: C4/);
		await back(2);
		await play_squares(page, ["B3"]);
		await wait_for_moves(page, ["D3", "C3", "B3"]);
		assert.deepEqual(await branches(), ["1…E3 F3", "2.C4 E3"]);
		await page.reload();
		await wait_for_moves(page, ["D3", "C3", "B3"]);
		assert.deepEqual(await branches(), ["1…E3 F3", "2.C4 E3"]);
		assert.match(await record(page), /;B\[dc\]\n\(;W\[cc\]\n\(;B\[cd\];W\[ec\]\)\n\(;B\[bc\]\)\)\n\(;W\[ec\];B\[fc\]\)\)\n$/);
		await page.click("#promote");
		await page.waitForSelector("#promote:disabled");
		assert.match(await record(page), /;B\[dc\]\n\(;W\[cc\]\n\(;B\[bc\]\)/);
		await assert_engine_agrees(page);
		assert.deepEqual(page.faults, []);
	},

	async "SGF: players, result, comments and variations are read and written; what cannot be read is told"() {
		const page = await open({ white: person });
		const text = "(;FF[4]GM[2]SZ[8]PB[Ann \\] B]PW[Lee]EV[Cup]DT[2026-01-02]RE[B+R]C[Who wins?]" +
			"\n;B[dc]C[The first\nmove \\[so\\]];W[cc]V[-0.25]\n(;B[cd];W[ec])(;B[bc]C[or this])(;B[aa]C[illegal]))";
		await page.click("#open-file");
		await page.fill("#sgf", text);
		await page.click("#load-sgf");
		await wait_for_moves(page, ["D3", "C3", "C4", "E3"]);
		await wait_for_status(page, /^1 variation could not be read/);
		assert.equal(await page.textContent("#about-game"), "Ann ] B – Lee · B+R · Cup · 2026-01-02");
		assert.equal(await page.getAttribute("#analyse", "aria-pressed"), "true"); // a record is for viewing
		assert.equal(await page.textContent("#player-black .name"), "Ann ] B");
		assert.ok(await page.isHidden("#player-black .who"));
		await page.click('#moves [data-ply="1"]');
		await page.waitForFunction(() => document.querySelector("#comment").value === "The first\nmove [so]");
		await page.click("#first");
		await page.waitForFunction(() => document.querySelector("#comment").value === "Who wins?");
		await page.fill("#comment", "A \\ and a ] :");
		await page.click("#end");
		await wait_for_status(page, /Black to move|White resigns/);
		await page.click("#analyse");
		await wait_for_status(page, /White resigns, Black wins/);
		const written = await record(page);
		assert.match(written, /PB\[Ann \\\] B\]PW\[Lee\]EV\[Cup\]DT\[2026-01-02\]RE\[B\+R\]/);
		assert.match(written, /C\[A \\\\ and a \\\] \\:\]/);

		// What was written is read again as the same.
		const another = await open({ white: person });
		await another.click("#open-file");
		await another.fill("#sgf", written);
		await another.click("#load-sgf");
		await wait_for_moves(another, ["D3", "C3", "C4", "E3"]);
		const plain = text => text.replace(/V\[[-.\d]+\]/g, "");
		assert.equal(plain(await record(another)), plain(written));
		assert.deepEqual([page.faults, another.faults], [[], []]);
	},

	async "a link carries game, line and position; a bad one changes nothing"() {
		const page = await open({ white: person });
		await choose_game(page, "go standard");
		await page.selectOption("#size", "5 5");
		await page.waitForFunction(() => document.querySelectorAll(".square").length === 25);
		await play_squares(page, ["B3", "C3", "A2"]);
		await page.keyboard.press("u");
		await wait_for_status(page, /after move 2 of 3/);
		await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		await page.click("#open-file");
		await page.click("#copy-link");
		await page.waitForFunction(() => document.querySelector("#copy-link").textContent === "Copied");
		await page.keyboard.press("Escape");
		const link = await page.evaluate(() => navigator.clipboard.readText());
		assert.match(link, /^http:.*#game=go&rules=standard&size=5x5&.*moves=bB3\.wC3\.bA2&at=2$/);
		const another = await open({ white: person });
		await play_squares(another, ["D3"]);
		for (const bad of ["#game=mahjong&rules=standard&moves=be4", "#nonsense", "#game=othello&rules=standard&moves=bA1"]) {
			await another.evaluate(bad => {
				document.querySelector("#status").textContent = ""; // what is said next is of this link
				location.hash = bad;
			}, bad);
			await wait_for_status(another, /This link holds no game|rror|not|illegal|unknown/);
			await another.waitForFunction(() => location.hash === "");
			// Some bad links begin a game before they are refused; it is then offered to take that back.
			const offered = another.waitForSelector("#restore", { state: "visible" }).catch(() => null);
			await Promise.race([wait_for_moves(another, ["D3"]), offered]);
			if (await another.isVisible("#restore"))
				await another.click("#restore");
			await wait_for_moves(another, ["D3"]);
		}
		await another.goto(link);
		await wait_for_status(another, /after move 2 of 3/);
		assert.deepEqual(await moves(another), ["B3", "C3", "A2"]);
		assert.equal(await another.inputValue("#size"), "5 5");
		assert.equal(await squares(another), await squares(page));
		assert.equal(await another.evaluate(() => location.hash), "");
		await another.keyboard.press("r"); // the game can be played on, and a reload keeps it
		await wait_for_status(another, /^Black: A2/);
		await another.reload();
		await wait_for_moves(another, ["B3", "C3", "A2"]);
	},

	async "two tabs that go on with one game lose no move"() {
		const page = await open({ white: person });
		await play_squares(page, ["D3", "C3"]);
		const another = await page.context().newPage();
		await another.addInitScript(kept => { sessionStorage.yomi ??= kept; }, await page.evaluate(() => sessionStorage.yomi)); // as a duplicated tab
		await another.goto(shared.server.url);
		await another.waitForSelector('[aria-label^="C3, White"]');
		await play_squares(another, ["C4"]);
		await play_squares(page, ["B3"]);
		await wait_for_moves(page, ["D3", "C3", "B3"]);
		assert.deepEqual(await page.$$eval("#moves .branches button", all => all.map(node => node.textContent)), ["Variation, Black: 2.C4"]);
	},

	async "recent games are kept, opened again and forgotten; damaged ones vanish, and there is a limit"() {
		const page = await open({ white: person });
		await play_squares(page, ["D3", "C3"]);
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["B2"]);
		await page.evaluate(() => {
			const one = JSON.parse(Object.entries(localStorage).find(([key, text]) => key.startsWith("yomi-game:") && text.includes("othello"))[1]);
			for (let i = 0; i < 60; i++)
				localStorage[`yomi-game:old${i}`] = JSON.stringify({ ...one, id: `old${i}`, time: i });
			localStorage["yomi-game:bad1"] = "{";
			localStorage["yomi-game:bad2"] = JSON.stringify({ ...one, id: "bad2", time: Date.now(), nodes: [[7]] });
			localStorage["yomi-game:bad3"] = JSON.stringify({ id: "another", time: 1 });
		});
		await page.keyboard.press("n");
		await wait_for_moves(page, []);
		await play_squares(page, ["A1"]);
		const kept = await page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith("yomi-game:")));
		assert.equal(kept.length, 40);
		assert.ok(!kept.includes("yomi-game:bad1") && !kept.includes("yomi-game:bad3"));
		await page.keyboard.press("o");
		const listed = await page.$$eval("#recent .open", all => all.map(node => node.textContent));
		assert.match(listed[0], /^Tic-tac-toe, 1 move, /);
		assert.match(listed[1], /^Othello, 2 moves, /);
		assert.equal(listed.length, 38); // neither the current game nor the damaged one
		await page.click("#recent li:nth-child(3) .drop");
		assert.equal(await page.$$eval("#recent .open", all => all.length), 37);
		await page.click("#recent li:nth-child(2) .open");
		await page.waitForFunction(() => !document.querySelector("dialog[open]"));
		await wait_for_moves(page, ["D3", "C3"]);
		assert.equal(await page.inputValue("#game"), "othello standard");
		await page.keyboard.press("z");
		await wait_for_moves(page, ["A1"]);
		assert.deepEqual(page.faults, []);
	},

	async "no game is lost: what a key, a choice or another move replaces comes back"() {
		const page = await open({ white: person });
		await play_squares(page, ["D3", "C3", "C4", "E3"]);
		assert.ok(await page.isHidden("#restore"));
		await page.keyboard.press("n");
		await wait_for_moves(page, []);
		assert.match(await page.textContent("#restore"), /Othello, 4 moves/);
		await page.click("#restore");
		await wait_for_moves(page, ["D3", "C3", "C4", "E3"]);
		assert.ok(await page.isHidden("#restore"));

		// Another game, and a reload of the page.
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["B2"]);
		await page.reload();
		await page.waitForSelector('[aria-label^="B2, X"]');
		await page.keyboard.press("z");
		await wait_for_moves(page, ["D3", "C3", "C4", "E3"]);
		await page.keyboard.press("z"); // the game that was left comes back
		await wait_for_moves(page, ["B2"]);
		await page.waitForSelector('[aria-label^="B2, X"]');

		// A loaded game or position.
		await page.click("#open-file");
		await page.fill("#position", "XX.\nOO.\n... X");
		await page.click("#set-position");
		await page.waitForFunction(() => !document.querySelector("dialog[open]"));
		await page.keyboard.press("z");
		await wait_for_moves(page, ["B2"]);
		await page.click("#open-file");
		await page.fill("#sgf", "(;FF[4]GM[2];B[d3];W[c3])");
		await page.click("#load-sgf");
		await wait_for_moves(page, ["D3", "C3"]);
		await page.keyboard.press("z");
		await wait_for_moves(page, ["B2"]);
		await assert_engine_agrees(page);
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
		await another.waitForFunction(() => document.querySelectorAll("#moves [data-ply]").length === 3);
		assert.deepEqual(await moves(another), await moves(page));
		assert.equal(await squares(another), before);
		assert.equal(await another.inputValue("#game"), "pentago tajima");
		assert.equal((await record(another)).replace(/V\[[-.\d]+\]/g, ""), text); // it is analysed meanwhile

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
		// Its moves show the corner that turns, and which way: B2V turns the top right one clockwise.
		assert.deepEqual(await page.$eval('#moves [data-ply="1"] .turn-picture', node =>
			[[...node.querySelectorAll("i")].findIndex(it => it.className === "turning"), node.lastChild.textContent]), [1, "↻"]);
	},

	async "a page whose storage is damaged, old or forbidden has a board"() {
		const game = { id: "x", time: 1, game: "othello", rules: "standard", size: null, komi: null, start: null, info: {}, head: "", nodes: [[-1, "b", ""]], at: 0 };
		const session = more => JSON.stringify({ game: { ...game, ...more }, left: [] });
		const whole = [["{bad", "{bad"], ["[]", "7"], ["null", "null"], ['{"players":{}}', '{"game":{"nodes":[1]},"left":[{}]}'],
			['{"language":"fr","theme":1,"seed":-1,"shown":"x","players":{"black":{"yomi":"no"}}}', session({ at: 3 })],
			["{}", session({ nodes: [[-1, "b", "", { score: "x" }]] })], ["{}", session({ nodes: [[-1, "b", ""], [7, "b", "D3"]], at: 1 })],
			['{"analysis_search":"gone"}', session({ game: "mahjong" })],
			["{}", session({ start: "nonsense X", nodes: [[-1, "b", ""], [0, "b", "D3"]] })],
			["{}", session({ nodes: [[-1, "b", ""], [0, "w", "Z9"]], at: 1 })]];
		for (const [kept, session] of [...whole, [null, null]]) {
			const context = await shared.browser.newContext({ locale: "en-GB" }), page = await context.newPage(), faults = [];
			page.on("pageerror", error => faults.push(error.message));
			await page.addInitScript(([kept, session]) => {
				if (kept === null)
					for (const name of ["localStorage", "sessionStorage"])
						Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
				else if (!sessionStorage.seen) {
					sessionStorage.seen = "1";
					localStorage.yomi = kept;
					localStorage["yomi-game:x"] = session;
					sessionStorage.yomi = session;
				}
			}, [kept, session]);
			for (let load = 0; load < 2; load++) {
				await page.goto(shared.server.url);
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
};
