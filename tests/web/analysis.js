// SPDX-License-Identifier: MIT
//
// Analysis: numbers, colours, candidates, the evaluation of all moves.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { Server, choose_game, engine, hands, moves, open, person, play_squares, playable, player, wait_for_status } = require("./lib.js");

module.exports = {
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
		await play_squares(page, ["B2", "A1", "C1"]);
		await page.keyboard.press("a");
		await page.waitForFunction(() => document.querySelectorAll('.mark[data-proof="loss"]').length > 0 &&
			document.querySelectorAll('.mark[data-proof="draw"]').length === 1);
		await page.selectOption("#analysis-search", "dfpn");
		await page.waitForSelector("#proof:not([hidden]) svg");
		assert.match(await page.textContent("#proof"), /Proof number (∞|\d).*Disproof number (∞|\d)/);
		await page.waitForSelector('#candidates [data-proof="draw"]');
		assert.deepEqual(page.faults, []);
	},

	async "openings: the name while one plays, in both languages; in analysis the moves that books know"() {
		const page = await open({ white: person, settings: { analysis_search: "mcts" } });
		const name = text => page.waitForFunction(text => {
			const { hidden, textContent } = document.getElementById("opening");
			return text ? !hidden && textContent === text : hidden;
		}, text);
		await name("");
		await play_squares(page, ["F5", "D6"]);
		await name("Opening: Perpendicular");
		await play_squares(page, ["C3", "D3", "C4"]);
		await name("Opening: Tiger");
		assert.equal(await page.isVisible("#books-card"), false);
		await page.click("#open-settings");
		await page.selectOption("#language", "ja");
		await page.keyboard.press("Escape");
		await name("定石:虎");
		await choose_game(page, "pentago standard");
		await name("");
		assert.deepEqual(page.faults, []);
		await page.context().close();

		// The own book has the games that were added. A click plays the move.
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), "yomi-book-"));
		fs.writeFileSync(path.join(folder, "othello-standard-8x8.lines"), "F5 D6 C3\tB+4\nF5 D6 C5\tW+2\nF5 F6 E6\t0\nF5 F4\t?\n");
		const server = await Server.start(0, `--own_book=${folder}`);
		const own = await open({ white: person, url: server.url, settings: { analysis: true, analysis_search: "mcts" } });
		await play_squares(own, ["F5"]);
		const rows = () => own.$$eval("#books tbody tr", all => all.map(row => [...row.cells].map(cell => cell.textContent)));
		await own.waitForFunction(() => document.querySelectorAll("#books tbody tr").length === 3);
		assert.deepEqual((await rows()).map(([move, , games, mean]) => [move, games, mean]),
			[["D6", "2: 1 / 0 / 1", "−1"], ["F4", "1: 0 / 0 / 0", ""], ["F6", "1: 0 / 1 / 0", "±0"]]);
		assert.match((await rows())[0][1], /^[+−]0\.\d+$/);
		assert.equal(await own.textContent("#books-results"), "Games: Black / drawn / White");
		await own.click("#books tbody tr:nth-child(3) button");
		await own.waitForFunction(() => document.querySelectorAll("#moves [data-ply]").length === 2);
		assert.deepEqual(await moves(own), ["F5", "F6"]);
		// A damaged file is reported, and the game's book is still there.
		fs.writeFileSync(path.join(folder, "othello-standard-8x8.lines"), "F5 D9\tB+4\n");
		await own.click("#first");
		await own.waitForFunction(() => /line 1: move 2, D9, is not legal$/.test(document.getElementById("books-error").textContent));
		assert.deepEqual((await rows()).map(([move, , games]) => [move, games]), [["D3", ""], ["C4", ""], ["F5", ""], ["E6", ""]]);
		assert.deepEqual(own.faults, []);
		await server.stop();
		fs.rmSync(folder, { recursive: true });
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

	async "candidates are those of the position, also of one that was analysed before; a line is pinned and released"() {
		const page = await open({ white: person, settings: { analysis: true } });
		await page.waitForSelector("#candidates button");
		await hands.mouse.square(page, "D3");
		await page.waitForFunction(() => document.querySelector("#chance-of").textContent.startsWith("White") &&
			document.querySelectorAll("#candidates tbody tr").length === 3);
		const legal = await playable(page);
		for (const move of await page.$$eval("#candidates button", all => all.map(node => node.textContent)))
			assert.ok(legal.includes(move), move);
		await page.click("#candidates tr:nth-child(2) button");
		await page.waitForSelector('#candidates tr:nth-child(2) [aria-pressed="true"]');
		await page.click('#candidates [aria-pressed="true"]');
		await page.waitForFunction(() => !document.querySelector('#candidates [aria-pressed="true"]'));

		// Two steps at once: the first one's search gives way to the second.
		await play_squares(page, [(await playable(page))[0]]);
		await page.evaluate(() => {
			for (let n = 0; n < 2; n++)
				document.querySelector("#back").click();
		});
		await wait_for_status(page, /^Black to move/);
		await page.keyboard.press("r");
		await page.waitForFunction(() => document.querySelector("#chance-of").textContent.startsWith("White") &&
			document.querySelectorAll("#candidates tbody tr").length === 3);

		// The table of an earlier position is there before its analysis begins again.
		await page.evaluate(() => {
			window.requestAnimationFrame = () => {};
		});
		await page.keyboard.press("u");
		await page.waitForFunction(() => document.querySelector("#chance-of").textContent.startsWith("Black") &&
			document.querySelectorAll("#candidates tbody tr").length === 4);
		assert.deepEqual(page.faults, []);
	},

	async "df-pn: a tree of what it expects, and each number on a scale of its own"() {
		const page = await open({ white: person, settings: { analysis: true, analysis_search: "dfpn", tree: true } });
		await choose_game(page, "pentago standard");
		await page.waitForFunction(() => document.querySelectorAll("#tree .node").length > 3);
		// Proof numbers of very different sizes, one of them constant.
		const heights = await page.evaluate(async () => {
			const place = document.createElement("figure"), { course } = await import("/charts.js");
			course(place, { show: String, series: [{ name: "a", values: [1e6, 1.1e6, 3e6] }, { name: "b", values: [1, 1, 1] },
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

	async "mistakes are found by what they cost; the better move is shown as a variation"() {
		const page = await open({ white: person });
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["B2", "A2", "A1", "C3", "C1"]);
		assert.ok(await page.isHidden("#next-mistake"));
		await page.click("#review");
		await page.waitForFunction(() => document.querySelector("#review").textContent === "Evaluate all moves" &&
			[...document.querySelectorAll("#moves small")].every(node => node.textContent));
		assert.deepEqual(await page.$$eval("#moves [data-ply]", all => all.map(node => node.dataset.kind)), ["", "blunder", "", "", ""]);
		await page.keyboard.press("m");
		await wait_for_status(page, /^O: A2\./);
		assert.equal(await page.textContent("#verdict"), "O’s A2 is a blunder: a proven draw became a loss.");
		assert.match(await page.textContent("#better"), /^Better: [AC][13]/);
		await page.keyboard.press("b");
		await wait_for_status(page, /^O: [AC][13]\./);
		assert.equal(await page.textContent("#moves .branches button"), "Variation, O: 1…A2 A1 C3 C1");
		assert.ok(await page.isHidden("#verdict"));

		// Costs in points and in percent, from the view of the side that moved.
		const judged = await page.evaluate(async () => {
			const { judge } = await import("/scores.js");
			const score = (value, points, proven = false) => ({ value, score: points, proven, exact: proven });
			const cost = (before, after, color, best = "B1") => judge({ parent: { score: before, best: { move: best, line: [] } }, score: after, color, move: "A1" });
			return [cost(score(null, 3), score(null, -2.5), "black"), cost(score(null, 3), score(null, 2), "black"), cost(score(null, 3), score(null, 12), "white"),
				cost(score(0.4, 9), score(0, 0), "black"), cost(score(-0.4, 0), score(0.3, 0), "black"), cost(score(1, 14, true), score(1, 4, true), "black"),
				cost(score(null, 3), score(null, -9), "black", "A1"), cost(null, score(0, 0), "black")].map(it => it && `${it.kind}: ${it.cost}`);
		});
		assert.deepEqual(judged, ["mistake: it costs 5.5 points", null, "mistake: it costs 9 points", "blunder: it costs 20 % of the win rate", null,
			"blunder: it costs 10 points", null, null]);
		assert.deepEqual(page.faults, []);
	},

	async "what was better and why is told without a search, on a phone beside the board, in both languages"() {
		const game = ["A1", "B2", "B1", "C1", "A2", "A3"], review = async page => {
			await page.click("#end-review");
			await page.waitForFunction(() => !document.querySelector("#next-mistake").hidden &&
				[...document.querySelectorAll("#moves small")].every(node => node.textContent));
			await page.click("#next-mistake");
			await page.waitForFunction(() => document.querySelector("#moves [aria-current]")?.dataset.ply === "5");
			return page.textContent("#verdict");
		};
		const page = await open({ white: person });
		await choose_game(page, "tictactoe standard");
		await play_squares(page, game);
		const asked = [];
		page.on("request", r => asked.push(r.postData() ?? ""));
		assert.equal(await review(page), "X’s A2 is a blunder: a proven draw became a loss. Better was A3: it stops O's win with A3; X threatens to win with A2.");
		assert.ok(!asked.some(text => text.includes("yomi-explain")), "no search");
		assert.equal(await page.evaluate(() => document.querySelector("#judged").parentElement.className), "card");

		const phone = await open({ white: person, settings: { language: "ja" }, viewport: { width: 360, height: 740 }, hasTouch: true });
		await choose_game(phone, "tictactoe standard");
		for (const [n, square] of game.entries()) {
			await hands.finger.square(phone, square);
			await phone.waitForFunction(n => document.querySelectorAll("#moves [data-ply]").length > n, n);
		}
		assert.equal(await review(phone), "XのA2は大きなミスです。証明済みの引分が負けになりました。最善はA3でした。OのA3での勝ちを防ぎます。Xは次にA2での勝ちを狙います。");
		const [board, tools, judged, analysis, width] = await phone.evaluate(() => [...["#board", ".tools", "#verdict", "#analysis"].map(name =>
			document.querySelector(name).getBoundingClientRect()), document.documentElement.scrollWidth]);
		assert.ok(tools.bottom <= judged.top && judged.bottom < analysis.top && judged.bottom - board.top < 740, "board and verdict are seen together");
		assert.equal(width, 360);
		assert.deepEqual([...page.faults, ...phone.faults], []);
	},

	async "all moves are evaluated, and graph and list have their scores"() {
		const page = await open({ white: person });
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["B2", "A1", "C1", "A3", "A2"]);
		await page.click("#review");
		await page.waitForFunction(() => document.querySelector("#review").textContent === "Evaluate all moves" &&
			[...document.querySelectorAll("#moves small")].every(node => node.textContent));
		assert.deepEqual(await page.$$eval("#moves small", all => all.map(node => node.textContent)),
			["draw", "draw", "draw", "draw", "draw"]);
		assert.ok(await page.$("#graph .curve"));

		// The page waits for a search without a first value. The end of the game shows its result.
		const late = await open({ white: person, settings: { analysis_search: "montecarlo" } });
		await late.evaluate(() => {
			const parse = JSON.parse;
			JSON.parse = text => {
				const value = parse(text);
				return value?.seconds < 1.2 && !value.played ? { ...value, value: null, score: null, lower: -1, upper: 1 } : value;
			};
		});
		await choose_game(late, "tictactoe standard");
		await play_squares(late, ["A1", "B1", "A2", "B2", "A3"]);
		await late.click("#review");
		await late.waitForFunction(() => document.querySelector("#review").textContent === "Stop");
		await late.waitForFunction(() => document.querySelector("#review").textContent === "Evaluate all moves");
		const scores = await late.$$eval("#moves small", all => all.map(node => node.textContent));
		assert.ok(scores.every(Boolean) && scores.at(-1) === "win", scores.join());
	},

	async "every fact that the engine tells has a Japanese sentence with its names and numbers"() {
		const page = await open({ white: person, settings: { language: "ja" } });
		const source = fs.readFileSync(path.join(__dirname, "../../engine/rules/fact.c"), "utf8");
		const rows = [...source.matchAll(/\[FACT_\w+\] = \{\s*-?\d,\s*"(\w+)",\s*((?:"[^"]*"\s*)+)\}/g)].map(([, key, text]) => ({ key, text }));
		assert.equal(rows.length, source.match(/^\t\[FACT_/gm).length);
		const texts = await page.evaluate(async keys => {
			const { explanation } = await import("/reasons.js");
			const worth = { value: null, score: null, lower: -1, upper: 1 };
			return keys.map(key => explanation({ side: "black", move: "A1", worth, answer: [], best: { move: "A1", worth, line: ["A1"],
				facts: [{ key, side: "black", numbers: [77, 88], count: 1, names: ["C3"], text: "no sentence" }] }, facts: [] }, "ja", "")[0].text);
		}, rows.map(row => row.key));
		rows.forEach(({ key, text }, i) => {
			assert.doesNotMatch(texts[i], /[A-Za-z]{2}|undefined/, key);
			for (const [place, value] of [[/\{q\}/, "C3"], [/\{n\}/, "77"], [/\{m\}/, "88"]])
				assert.equal(texts[i].includes(value), place.test(text), `${key}: ${texts[i]}`);
			for (const [place, value] of [[/\{s\}/, "黒"], [/\{o\}/, "白"]])
				assert.ok(texts[i].includes(value) || !place.test(text), `${key}: ${texts[i]}`);
		});
		assert.deepEqual(page.faults, []);
	},

	async "an explanation follows the language of the page; in Japanese it has no English words"() {
		const page = await open({ white: person });
		const lines = () => page.$$eval("#reasons li", all => all.map(node => `${node.lang} ${node.textContent}`));
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["A1", "B2", "C1", "C3"]);
		await page.keyboard.press("a");
		await page.waitForSelector("#why:not([hidden])");
		await page.keyboard.press("e");
		await page.waitForSelector('#reasons [lang="en"]');
		assert.match((await lines())[0], /^en C3: blunder/);
		await page.click("#open-settings");
		await page.selectOption("#language", "ja");
		await page.waitForSelector('#reasons [lang="ja"]', { state: "attached" });
		const told = await lines();
		assert.match(told[0], /^ja C3:大きなミスです。.*次にXがB1ですぐに勝てます。/);
		assert.match(told[1], /^ja 最善はB1:.*XのB1での勝ちを防ぎます。/);
		assert.doesNotMatch(told.map(line => line.slice(3)).join(), /[A-Za-z]{2}/);
		assert.deepEqual(page.faults, []);
	},

	async "a hint tells more with each press: where, candidates on the board, the best move and why; a move ends it"() {
		const page = await open({ white: person });
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["A1", "B2", "C1"]);
		await page.keyboard.press("h");
		await wait_for_status(page, /^A threat must be stopped; look at the top\./);
		assert.equal(await page.$$eval(".mark", all => all.length), 0);
		await page.focus("#hint");
		await page.keyboard.press("Enter");
		await wait_for_status(page, /^The best move is (one of|B1)/);
		assert.ok(await page.$$eval(".mark", all => all.length > 0 && all.length <= 3));
		await page.keyboard.press("Enter");
		await wait_for_status(page, /^The best move is B1: it stops X's win with B1/);
		assert.equal(await page.$$eval(".mark", all => all.length), 1);
		assert.doesNotMatch(await page.textContent("#status"), /%/);
		await play_squares(page, ["B1"]);
		assert.equal(await page.$$eval(".mark", all => all.length), 0);
		await page.keyboard.press("u");
		await wait_for_status(page, /^X: C1\./);
		assert.equal(await page.$$eval(".mark", all => all.length), 0);
		await page.keyboard.press("h");
		await wait_for_status(page, /^A threat must be stopped; look at the top\./);
		assert.deepEqual(page.faults, []);
	},

	async "a hint that is asked for while another one is searched waits for it, and counts; a move ends both"() {
		const page = await open({ white: person, black: player(false, { limit: 300000 }) });
		const is_asked = () => page.waitForRequest(r => r.method() === "POST" && /yomi-explain/.test(r.postData() ?? ""));
		const press = async () => {
			await Promise.all([is_asked(), page.keyboard.press("h")]);
			await page.keyboard.press("h");
		};
		await press();
		await wait_for_status(page, /^The best move is (one of|[A-H])/);
		await play_squares(page, ["D3", "C3"]);
		await press();
		await play_squares(page, ["C4"]);
		await wait_for_status(page, /^Black: C4\./);
		assert.equal(await page.$$eval(".mark", all => all.length), 0);
		assert.deepEqual(page.faults, []);
	},
};
