// SPDX-License-Identifier: MIT
//
// Puzzles: right and wrong moves, what is solved, every board that has some.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { choose_game, engine, hands, moves, open, person, play_squares, playable, squares, status, wait_for_moves, wait_for_status } = require("./lib.js");

const all = fs.readFileSync(path.join(__dirname, "../../protocol/lessons/puzzles.jsonl"), "utf8").trim().split("\n").map(line => JSON.parse(line));
const board_of = ({ game, rules, rows, cols }) => `${game} ${rules} ${rows} ${cols}`;
const puzzles_of = board => all.filter(it => board_of(it) === board);

const on_board = ({ position }) => position.split(" ")[0].replaceAll(":", "").length;

// What is clicked for each move of a line after a puzzle's position.
function clicks_of({ game, rules, rows, cols, position, side }, line) {
	const other = side === "black" ? "white" : "black";
	const plays = line.flatMap((move, i) => [`play ${i % 2 ? other : side} ${move}`, "yomi-position"]);
	const sizes = JSON.parse(engine(["yomi-games"])[0]).find(it => it.game === game).sizes;
	const answers = engine([`set_game ${game}`, `param rules ${rules}`, sizes.length > 1 ? `boardsize ${cols} ${rows}` : "name",
		`position ${position}`, "yomi-position", ...plays]);
	return line.map((move, i) => JSON.parse(answers[4 + 2 * i]).clicks[move]);
}

async function open_puzzle(page, number, click = selector => page.click(selector)) {
	await click("#open-puzzles");
	await page.waitForSelector("#puzzles-dialog[open] li");
	await click(`#puzzles li:nth-child(${number}) button`);
	await page.waitForFunction(number => document.querySelector("#puzzle-title").textContent.includes(` ${number} of`), number);
}

const told = page => page.textContent("#puzzle-told");
const solved = page => page.waitForSelector("#puzzle.solved");

async function play_clicks(page, hand, clicks) {
	if (!clicks.length)
		return hand.pass(page);
	for (const click of clicks)
		await (/^[A-Z]$/.test(click) ? hand.turn(page, click) : hand.square(page, click));
}

// Plays the person's moves of the solution.
async function solve(page, puzzle, hand) {
	const clicks = clicks_of(puzzle, puzzle.solution);
	for (let i = 0; i < clicks.length; i += 2) {
		await play_clicks(page, hand, clicks[i]);
		await page.waitForFunction(n => document.querySelectorAll("#moves [data-ply]").length >= n, Math.min(i + 2, clicks.length));
	}
	await solved(page);
}

module.exports = {
	async "a puzzle: a wrong move is refuted and taken back, the right ones are answered, the next one is offered"() {
		const page = await open({ white: person });
		await choose_game(page, "tictactoe standard");
		await play_squares(page, ["B2", "A1", "C1"]);
		const puzzles = puzzles_of("tictactoe standard 3 3"), number = puzzles.findIndex(it => it.moves === 3) + 1, puzzle = puzzles[number - 1];
		await open_puzzle(page, number);
		const side = { black: "X", white: "O" }[puzzle.side], other = side === "X" ? "O" : "X";
		assert.equal(await page.textContent("#puzzle-title"), `Puzzle ${number} of ${puzzles.length}: ${side} to play and win in 3`);
		assert.equal(`${await squares(page)} ${side}`, puzzle.position);

		// No move wins but that of the solution.
		for (const wrong of (await playable(page)).filter(move => move !== puzzle.solution[0]).slice(0, 2)) {
			await hands.mouse.square(page, wrong);
			await page.waitForSelector("#puzzle.wrong");
			const [own, answer] = await moves(page);
			assert.equal(own, wrong);
			assert.ok((await told(page)).startsWith(`${wrong} does not win. ${other} answers ${answer}.`), await told(page));
			// The board takes no move until it is taken back.
			assert.deepEqual(await playable(page), []);
			await page.click(`[data-square="${puzzle.solution[0]}"]`, { force: true });
			if (answer !== puzzle.solution[0])
				await wait_for_status(page, /This move was wrong/);
			await page.focus("#puzzle-again");
			await page.keyboard.press("Enter");
			await page.waitForFunction(() => !document.querySelector("#puzzle.wrong"));
			assert.equal(await told(page), "");
			assert.ok(await page.evaluate(() => document.querySelector("#board").contains(document.activeElement)));
		}
		await solve(page, puzzle, hands.mouse);
		assert.equal(await told(page), "Solved!");
		assert.ok(await page.isHidden("#ending"));
		await page.click("#open-puzzles");
		await page.waitForSelector("#puzzles-dialog[open]");
		assert.deepEqual(await page.$$eval("#puzzles li", items => items.map(item => /solved/.test(item.textContent)).flatMap((is, i) => is ? [i + 1] : [])), [number]);
		await page.keyboard.press("Escape");
		await page.click("#puzzle-next");
		await page.waitForFunction(n => document.querySelector("#puzzle-title").textContent.startsWith(`Puzzle ${n} of`), number % puzzles.length + 1);

		// The game before is still there.
		await page.keyboard.press("z");
		await wait_for_moves(page, ["B2", "A1", "C1"]);
		assert.ok(await page.isHidden("#puzzle"));
		assert.ok(await page.isHidden("#restore"));
		assert.deepEqual(page.faults, []);
	},

	async "a puzzle of Go has its own komi; the game before keeps its one"() {
		const page = await open({ white: person });
		await choose_game(page, "go standard");
		await page.selectOption("#size", "5 5");
		await page.waitForFunction(() => document.querySelectorAll(".square").length === 25);
		await page.fill("#komi", "24");
		await page.press("#komi", "Enter");
		await play_squares(page, ["C3"]);
		const puzzles = puzzles_of("go standard 5 5"), number = puzzles.findIndex(it => it.side === "black") + 1;
		await open_puzzle(page, number);
		assert.ok(await page.isHidden("#komi"));
		await solve(page, puzzles[number - 1], hands.mouse);
		await page.keyboard.press("z");
		await wait_for_moves(page, ["C3"]);
		assert.equal(await page.inputValue("#komi"), "24");
		assert.deepEqual(page.faults, []);
	},

	async "on wide and low screens the header of Go is one row, too"() {
		for (const [width, height] of [[1440, 900], [1280, 800], [740, 360]])
			for (const language of ["en", "ja"]) {
				const page = await open({ white: person, settings: { language }, viewport: { width, height } });
				await choose_game(page, "go standard");
				await page.waitForSelector("#open-puzzles:not([hidden])");
				const tops = await page.$$eval("header button, header select, header input", all => all.filter(node => node.offsetParent)
					.map(node => Math.round(node.getBoundingClientRect().top + node.offsetHeight / 2)));
				assert.ok(Math.max(...tops) - Math.min(...tops) <= 2, `${width}, ${language}: ${tops}`);
				assert.deepEqual(page.faults, []);
			}
	},

	async "on a phone the header is one row, and its menu has what does not fit"() {
		for (const [width, height] of [[360, 740], [320, 640], [430, 932]])
			for (const language of ["en", "ja"]) {
				const page = await open({ white: person, settings: { language }, viewport: { width, height }, hasTouch: true, isMobile: true });
				for (const [game, size] of [["breakthrough standard", "8 8"], ["hex hex", "6 6"], ["go standard", "19 19"]]) {
					await choose_game(page, game);
					await page.selectOption("#size", size);
					await page.waitForFunction(n => document.querySelectorAll(".square").length === n, Number(size.split(" ")[0]) ** 2);
					await page.waitForSelector("#open-puzzles:not([hidden])");
					const boxes = await page.$$eval("header button, header select, header input", all => all.filter(node => node.offsetParent)
						.map(node => ({ id: node.id, ...node.getBoundingClientRect().toJSON() })));
					assert.deepEqual(boxes.map(box => box.id).filter(id => id !== "komi"), ["game", "size", "new", "open-puzzles", "open-menu"]);
					for (const { id, top, width, height } of boxes) {
						assert.equal(top, boxes[0].top, `${id} is in another row`);
						assert.ok(width >= 44 && height >= 44, `${id}: ${width} x ${height}`);
					}
					assert.ok(boxes.at(-1).right <= width && await page.evaluate(() => document.documentElement.scrollWidth) <= width);
				}
				for (const id of ["rules", "file", "settings"]) {
					await page.tap("#open-menu");
					await page.tap(`#open-${id}`);
					await page.waitForSelector(`#${id}-dialog[open]`);
					assert.ok(await page.isHidden("#menu"), "the menu closes");
					await page.keyboard.press("Escape");
					await page.waitForFunction(() => !document.querySelector("dialog[open]"));
				}
				assert.deepEqual(page.faults, []);
			}
	},

	async "the shortest puzzle of every board is solved: by mouse, keys and finger"() {
		const boards = [...new Set(all.map(board_of))];
		assert.ok(boards.length >= 14);
		const context = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
		const pages = [["mouse", await open()], ["keys", await open()], ["finger", await open(context)]];
		for (const [i, board] of boards.entries()) {
			const [game, rules, rows, cols] = board.split(" "), [name, page] = pages[i % 3];
			const hexagons = ["hex", "havannah"].includes(game); // keys go another way there
			await choose_game(page, `${game} ${rules}`);
			if (await page.isVisible("#size")) {
				await page.selectOption("#size", `${rows} ${cols}`);
				await page.waitForFunction(n => document.querySelectorAll(".square").length === n, on_board(puzzles_of(board)[0]));
			}
			await page.waitForSelector("#open-puzzles:not([hidden])");
			const puzzles = puzzles_of(board), least = Math.min(...puzzles.map(it => it.solution.length));
			const puzzle = puzzles.find(it => it.solution.length === least);
			await open_puzzle(page, puzzles.indexOf(puzzle) + 1, name === "finger" ? selector => page.tap(selector) : undefined);
			const hand = name !== "finger" ? hands[hexagons ? "mouse" : name] : { ...hands.finger,
				async square(own, square) { // on small squares the first touch aims
					await hands.finger.square(own, square);
					if (/touch again/.test(await status(own)))
						await hands.finger.square(own, square);
				} };
			await solve(page, puzzle, hand);
			assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${board}: too wide`);
		}
		for (const [, page] of pages)
			assert.deepEqual(page.faults, []);
	},

	async "a puzzle without a number of moves ends with its solution"() {
		const page = await open(), puzzles = puzzles_of("loa standard 8 8"), at = puzzles.findIndex(it => it.value === "draw");
		assert.equal(puzzles[at].moves, null);
		await choose_game(page, "loa standard");
		await open_puzzle(page, at + 1);
		assert.match(await page.textContent("#puzzle-title"), / to play and draw$/);
		await solve(page, puzzles[at], hands.mouse);
		await wait_for_moves(page, puzzles[at].solution);
		assert.match(await status(page), /to move$/);
		assert.deepEqual(await playable(page), []);
		assert.deepEqual(page.faults, []);
	},

	async "another move that keeps the result counts; one that does not is wrong, also late"() {
		const page = await open({ settings: { analysis_search: "montecarlo" } });
		await choose_game(page, "tictactoe standard");
		// A puzzle whose third move may be another one, but not any.
		const puzzles = puzzles_of("tictactoe standard 3 3"), found = puzzles.filter(it => it.value === "draw").map(puzzle => {
			const { position, side, solution } = puzzle, sign = side === "black" ? 1 : -1;
			const begin = ["set_game tictactoe", `position ${position}`, `play ${side} ${solution[0]}`, `play ${side === "black" ? "white" : "black"} ${solution[1]}`];
			const { legal } = JSON.parse(engine([...begin, "yomi-position"]).at(-1));
			const worths = engine([...begin, ...legal.map(move => `yomi-explain ${move}`)]).slice(begin.length).map(text => JSON.parse(text).worth);
			assert.ok(worths.every(({ lower, upper }) => lower === upper));
			return { puzzle, keeps: legal.filter((move, i) => sign * worths[i].value >= 0 && move !== solution[2]),
				loses: legal.filter((_, i) => sign * worths[i].value < 0) };
		});
		const { puzzle, keeps, loses } = found.find(it => it.keeps.length && it.loses.length), [first, answer] = puzzle.solution;
		await open_puzzle(page, puzzles.indexOf(puzzle) + 1);
		await hands.mouse.square(page, first);
		await wait_for_moves(page, [first, answer]);
		await hands.mouse.square(page, loses[0]);
		await page.waitForSelector("#puzzle.wrong");
		assert.match(await told(page), new RegExp(`^${loses[0]} loses the draw\\. `));
		await page.keyboard.press("t");
		await page.waitForSelector('#moves [data-ply="2"][aria-current]');
		await hands.mouse.square(page, keeps[0]);
		await page.waitForFunction(move => [...document.querySelectorAll("#moves [data-ply]")].map(node => node.firstChild.textContent)[2] === move &&
			document.querySelectorAll("#moves [data-ply]").length === 4, keeps[0]);
		assert.ok(await page.isHidden("#puzzle-again"));
		assert.equal(await told(page), "");
		assert.deepEqual(page.faults, []);
	},

	async "puzzles are offered where there are some; a reload keeps the puzzle, what went wrong, and what is solved"() {
		const page = await open();
		assert.ok(await page.isVisible("#open-puzzles"));
		await choose_game(page, "pentago openspiel");
		assert.ok(await page.isHidden("#open-puzzles"));
		await page.keyboard.press("c");
		assert.ok(await page.isHidden("#puzzles-dialog"));
		// Hex has some on other boards.
		await choose_game(page, "hex hex");
		await page.click("#open-puzzles");
		await page.waitForSelector("#puzzles-dialog[open]");
		assert.equal(await page.$$eval("#puzzles li", all => all.length), 0);
		assert.deepEqual(await page.$$eval("#puzzle-boards button", all => all.map(node => node.textContent)), ["5×5", "6×6", "7×7"]);
		await page.click("#puzzle-boards button:has-text('6×6')");
		await page.waitForSelector("#puzzles-dialog[open] li");
		assert.equal(await page.$$eval("#puzzles li", all => all.length), puzzles_of("hex hex 6 6").length);
		assert.equal(await page.inputValue("#size"), "6 6");
		await page.keyboard.press("Escape");

		await choose_game(page, "connectfour standard");
		const puzzles = puzzles_of("connectfour standard 6 7"), short = puzzles.findIndex(it => it.moves === 2), puzzle = puzzles[short];
		await page.keyboard.press("c");
		await page.waitForSelector("#puzzles-dialog[open] li");
		await page.focus(`#puzzles li:nth-child(${short + 1}) button`);
		await page.keyboard.press("Enter");
		await page.waitForSelector("#puzzle:not([hidden])");
		const wrong = (await playable(page)).find(square => square[0] !== puzzle.solution[0][0]);
		await hands.keys.square(page, wrong);
		await page.waitForSelector("#puzzle.wrong");
		const text = await told(page), made = await moves(page);
		await page.reload();
		await page.waitForSelector("#puzzle.wrong");
		assert.ok(text.startsWith(await told(page)));
		assert.deepEqual(await moves(page), made);
		await page.keyboard.press("t");
		await page.waitForFunction(() => !document.querySelector("#puzzle.wrong"));

		// A hint knows the solution, however weak the search is.
		const best = new RegExp(`^The best move is ${puzzle.solution[0]}`);
		for (let n = 0; n < 3 && !best.test(await status(page)); n++) {
			const before = await status(page);
			await page.keyboard.press("h");
			await page.waitForFunction(text => document.querySelector("#status").textContent !== text, before);
		}
		assert.match(await status(page), best);
		await solve(page, puzzle, hands.keys);
		await page.reload();
		await solved(page);

		// The next puzzle is one that is not solved; with all solved it is the next one of all.
		await page.evaluate(names => { localStorage["yomi-solved"] = JSON.stringify(names); },
			puzzles.filter((_, i) => i !== 0).map(it => `${it.game} ${it.rules} ${it.position}`));
		await page.keyboard.press("j");
		await page.waitForFunction(() => document.querySelector("#puzzle-title").textContent.startsWith("Puzzle 1 of"));
		await page.evaluate(() => { localStorage["yomi-solved"] = "damaged"; });
		await page.keyboard.press("j");
		await page.waitForFunction(() => document.querySelector("#puzzle-title").textContent.startsWith("Puzzle 2 of"));
		await page.keyboard.press("n");
		await page.waitForSelector("#puzzle", { state: "hidden" });
		assert.deepEqual(page.faults, []);
	},

	async "puzzles in Japanese have no English words; analysing a puzzle answers no move"() {
		const page = await open({ settings: { language: "ja" } });
		await choose_game(page, "connectfour standard");
		await page.click("#open-puzzles");
		await page.waitForSelector("#puzzles li");
		assert.doesNotMatch(await page.textContent("#puzzles-dialog"), /[A-Za-z]{2}/);
		await page.click("#puzzles li:nth-child(2) button");
		await page.waitForSelector("#puzzle:not([hidden])");
		const wrong = (await playable(page)).find(square => square[0] !== puzzles_of("connectfour standard 6 7")[1].solution[0][0]);
		await hands.mouse.square(page, wrong);
		await page.waitForSelector("#puzzle.wrong");
		assert.match(await told(page), /では勝てません。黒の応手は/);
		assert.doesNotMatch(await page.textContent("#puzzle"), /[A-Za-z]{2}|undefined/);
		await page.keyboard.press("t");
		await page.waitForFunction(() => !document.querySelector("#puzzle.wrong"));
		await page.keyboard.press("a");
		await page.waitForSelector(".mark");
		const free = (await playable(page)).find(square => square[0] !== wrong[0]);
		await hands.mouse.square(page, free);
		await page.waitForFunction(() => document.querySelectorAll("#moves [data-ply]").length === 1);
		await page.waitForSelector(".mark");
		assert.equal((await moves(page)).length, 1);
		assert.ok(await page.isHidden("#puzzle-again"));
		assert.deepEqual(page.faults, []);
	},
};
