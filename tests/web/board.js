// SPDX-License-Identifier: MIT
//
// Boards of any shape in a real browser, without yomi: YomiBoard draws layouts of the form that yomi-position has, and
// takes moves by mouse, finger and keys; the whole page plays the games of fake.js.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const launch = require("./browser.js");
const fake = require("./fake.js");

const web = path.join(__dirname, "../../protocol/web");
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

// --- layouts ---

const count = n => Array.from({ length: n }, (_, i) => i);
const layout = (rows, cols, more = {}) => ({ kind: "squares", color: "green", pen: false, falls: false,
	columns: [..."ABCDEFGHJKLMNOPQRST"].slice(0, cols), numbers: count(rows).map(row => rows - row), dots: [], block: null, turns: [], ...more });

// Go's board with star points.
function go(size) {
	const near = size < 13 ? 2 : 3, lines = [near, size - 1 - near, ...size % 2 ? [(size - 1) / 2] : []];
	const dots = lines.flatMap(row => lines.map(col => [row, col]));
	return layout(size, size, { kind: "intersections", color: "wood", dots: size < 7 ? [] : dots });
}

const four = layout(6, 7, { kind: "holes", color: "blue", falls: true });
const chess = layout(8, 8, { color: "wood" });
const corners = [["S", false, 0, 0], ["T", true, 0, 0], ["U", false, 0, 2], ["V", true, 0, 2], ["W", false, 2, 2], ["X", true, 2, 2],
	["Y", false, 2, 0], ["Z", true, 2, 0]];
const blocks = layout(4, 4, { kind: "holes", color: "wood", block: [2, 2],
	turns: corners.map(([letter, clockwise, row, col]) => ({ letter, clockwise, row, col, rows: 2, cols: 2 })) });
// A rhombus of hexagons, whose sides Black and White join, and a hexagon of hexagons.
const rhombus = size => layout(size, size, { kind: "hexagons", color: "wood", joins: true, columns: [..."ABCDEFGHIJKLMNOPQRS"].slice(0, size),
	numbers: count(size).map(row => row + 1) });
function hexagon(base) {
	const side = 2 * base - 1, sum = i => i % side + Math.floor(i / side);
	return { ...rhombus(side), joins: false, shape: count(side * side).map(i => sum(i) < base - 1 || sum(i) > 3 * (base - 1) ? ":" : ".").join("") };
}
// Boxes between dots, as Dots and boxes has them.
const boxes = n => layout(2 * n + 1, 2 * n + 1, { kind: "boxes", color: "paper", numbers: count(2 * n + 1).map(row => row + 1),
	shape: count((2 * n + 1) ** 2).map(i => Math.floor(i / (2 * n + 1)) % 2 || i % (2 * n + 1) % 2 ? "." : ":").join(""),
	pieces: [{ letter: "X", side: "black", name: "box" }, { letter: "O", side: "white", name: "box" }, { letter: "L", side: null, name: "line" }] });
// A chequered board with men and kings, as English draughts has it.
const chequered = layout(8, 8, { shape: ":.:.:.:..:.:.:.:".repeat(4), pieces: [{ letter: "x", side: "black", name: "man" }, { letter: "X", side: "black", name: "king" },
	{ letter: "o", side: "white", name: "man" }, { letter: "O", side: "white", name: "king" }] });
// Pieces that move and shoot, as in Amazons: a move ends with a square that it blocks.
const arrows = layout(4, 4, { color: "wood", pieces: [{ letter: "X", side: "black", name: "amazon" }, { letter: "O", side: "white", name: "amazon" },
	{ letter: "A", side: null, name: "arrow" }] });
// A graph of places with names of their own, and a man in hand of each side above and below it.
const ring = layout(5, 3, { kind: "graph", color: "wood", shape: ".::....:....::.", hand: [0, 14],
	names: ["O1", "O2", "O3", "NW", "N", "NE", "W", "", "E", "SW", "S", "SE", "X1", "X2", "X3"],
	links: [[3, 4], [4, 5], [5, 8], [8, 11], [11, 10], [10, 9], [9, 6], [6, 3]] });
// Points that lines link, as in nine men's morris; the men in hand lie above and below them.
const lines = ["A7D7G7", "B6D6F6", "C5D5E5", "A4B4C4", "E4F4G4", "C3D3E3", "B2D2F2", "A1D1G1", "A7A4A1", "B6B4B2", "C5C4C3", "D7D6D5", "D3D2D1", "E5E4E3",
	"F6F4F2", "G7G4G1"].map(line => line.match(/../g));
const rings = (() => {
	const all = count(81).map(i => i < 9 ? `O${i + 1}` : i >= 72 ? `X${i - 71}` : "-ABCDEFG-"[i % 9] + (8 - Math.floor(i / 9)));
	const here = all.map((name, i) => i < 9 || i >= 72 || lines.flat().includes(name) ? name : "");
	return layout(9, 9, { kind: "graph", color: "wood", names: here, shape: here.map(name => name ? "." : ":").join(""), hand: [...count(9), ...count(9).map(i => 72 + i)],
		links: lines.flatMap(([a, b, c]) => [[a, b], [b, c]]).map(pair => pair.map(name => here.indexOf(name))),
		pieces: [{ letter: "X", side: "black", name: "man" }, { letter: "O", side: "white", name: "man" }] });
})();
// The squares with men on these points and so many in hand.
const men = (black, white, hand) => rings.names.map((name, i) => i < 9 ? (i < hand ? "O" : ".") : i >= 72 ? (i - 72 < hand ? "X" : ".") : !name ? ":" :
	black.includes(name) ? "X" : white.includes(name) ? "O" : ".").join("");
const names = ({ columns, numbers }) => numbers.flatMap(number => columns.map(letter => letter + number));

// A view in which each empty square is a move.
function open_view(layout, squares = ".".repeat(names(layout).length)) {
	const legal = [...names(layout).filter((_, i) => squares[i] === "."), "PASS"];
	return { squares, side: "X", legal, clicks: Object.fromEntries(legal.map(name => [name, name === "PASS" ? [] : [name]])) };
}

// A view with moves of these clicks: [["A2", "B3"], ...].
const view_of = (squares, moves) => ({ squares, side: "X", legal: moves.map(clicks => clicks.join("")),
	clicks: Object.fromEntries(moves.map(clicks => [clicks.join(""), clicks])) });

// --- the page ---

let browser, server;

// The whole page, with the games of fake.js. Both sides are persons, unless `white` is a player.
async function open_page({ white, settings, ...context } = {}) {
	const own = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", reducedMotion: "reduce", ...context });
	const page = await own.newPage(), player = yomi => ({ yomi, level: 0, search: "first", threads: 1, limit: 1, unit: "time" });
	page.setDefaultTimeout(30000);
	page.faults = [];
	page.on("pageerror", error => page.faults.push(error.message));
	page.on("console", message => message.type() === "error" && page.faults.push(message.text()));
	await page.addInitScript(kept => localStorage.yomi ??= JSON.stringify(kept), { players: { black: player(false), white: player(Boolean(white)) }, ...settings });
	server.commands.length = 0;
	await page.goto(server.url);
	await page.waitForSelector(".square.playable");
	return page;
}

const wait_for_status = (page, pattern) => page.waitForFunction(([source]) =>
	new RegExp(source).test(document.querySelector("#status").textContent), [pattern.source]);

async function open(layout, view, context = {}) {
	const own = await browser.newContext({ viewport: { width: 900, height: 900 }, reducedMotion: "reduce", ...context });
	const page = await own.newPage();
	page.setDefaultTimeout(30000);
	page.faults = [];
	page.on("pageerror", error => page.faults.push(error.message));
	await page.setContent('<!DOCTYPE html><meta name="viewport" content="width=device-width, initial-scale=1"><body style="margin:10px"><div id="board"></div>');
	await page.addStyleTag({ path: path.join(web, "board.css") });
	for (const name of ["ground.js", "board.js"])
		await page.addScriptTag({ path: path.join(web, name) });
	await page.evaluate(([layout, view]) => {
		window.played = [];
		window.said = [];
		window.board = new YomiBoard(document.querySelector("#board"), layout);
		board.onmove = move => played.push(move);
		board.onrefuse = square => said.push(`not ${square}`);
		board.onaim = square => said.push(`aim ${square}`);
		board.onpending = clicks => said.push(`begun ${clicks.join(" ")}`);
		board.show(view);
	}, [layout, view]);
	return page;
}

const show = (page, view) => page.evaluate(view => board.show(view), view);
const played = page => page.evaluate(() => played.splice(0));
const said = page => page.evaluate(() => said.splice(0));
const click = (page, square) => page.click(`[data-square="${square}"]`, { force: true });
const label = (page, square) => page.getAttribute(`[data-square="${square}"]`, "aria-label");
const centre = (page, selector) => page.$eval(selector, node => {
	const { x, y, width, height } = node.getBoundingClientRect();
	return [x + width / 2, y + height / 2];
});
const focused = page => page.evaluate(() => document.activeElement.dataset.square ?? document.activeElement.dataset.turn);

// Nothing is drawn outside the board, labels keep clear of squares and of each other, and each square is on top.
async function assert_drawn(page) {
	assert.deepEqual(await page.evaluate(() => {
		const wrong = [], box = node => node.getBoundingClientRect(), frame = box(document.querySelector(".yomi-board"));
		const squares = [...document.querySelectorAll(".square")], labels = [...document.querySelectorAll(".labels text")];
		const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
		for (const node of [...squares, ...labels, ...document.querySelectorAll(".dot, .lines, .hole, .field")]) {
			const { left, right, top, bottom } = box(node);
			if (left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom)
				wrong.push(`outside: ${node.outerHTML}`);
		}
		labels.forEach((node, i) => {
			// The height of a line of text is more than that of its capitals.
			const { left, right, top, bottom } = box(node), ink = { left, right, top: top + (bottom - top) / 5, bottom: bottom - (bottom - top) / 5 };
			if (labels.some((other, j) => j > i && meet(ink, box(other))))
				wrong.push(`label on a label: ${node.textContent}`);
			if (squares.some(square => meet(ink, box(square))))
				wrong.push(`label on a square: ${node.textContent}`);
		});
		for (const node of squares) {
			node.scrollIntoView({ block: "nearest" });
			const { x, y, width, height } = box(node);
			if (document.elementFromPoint(x + width / 2, y + height / 2) !== node)
				wrong.push(`hidden: ${node.dataset.square}`);
		}
		return wrong;
	}), []);
}

// --- the checks ---

const checks = {
	async "boards of every shape are drawn, on a screen and on a phone"() {
		for (const it of [go(19), go(13), go(9), go(2), four, chess, blocks, layout(2, 4), layout(10, 3), layout(12, 12, { block: [3, 4] }),
			layout(3, 3, { pen: true, color: "paper" }), layout(19, 19, { color: "paper" }), layout(19, 5, { kind: "holes" })])
			for (const context of [{}, PHONE]) {
				const page = await open(it, open_view(it), context);
				assert.deepEqual(await page.$$eval(".square", all => all.map(node => node.dataset.square)), names(it));
				await assert_drawn(page);
				const { columns, numbers } = it, labels = await page.$$eval(".labels text", all => all.map(node => node.textContent));
				assert.deepEqual(labels, [...columns, ...numbers].flatMap(text => [String(text), String(text)]));
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
				if (context === PHONE) {
					const side = await page.$eval(".labels text", node => node.getBoundingClientRect().height);
					assert.ok(side > 9, `labels of ${side} pixels on ${columns.length} columns`);
				}
				await page.context().close();
			}
	},

	async "boards of hexagons: hexagons that touch, labels at the ends of rows and columns"() {
		for (const [it, cells, labels] of [[hexagon(4), 37, 7 + 4 + 7 + 4], [hexagon(10), 271, 19 + 10 + 19 + 10], [rhombus(3), 9, 12], [rhombus(11), 121, 44],
			[rhombus(19), 361, 76]])
			for (const context of [{}, PHONE]) {
				const page = await open(it, open_view(it, it.shape), context);
				const there = names(it).filter((_, i) => it.shape?.[i] !== ":");
				assert.deepEqual(await page.$$eval(".square", all => all.map(node => node.dataset.square)), there);
				assert.equal(there.length, cells);
				assert.equal((await page.$$(".labels text")).length, labels);
				assert.deepEqual(await page.evaluate(() => {
					const wrong = [], box = node => node.getBoundingClientRect(), frame = box(document.querySelector(".frame"));
					const middle = node => [box(node).x + box(node).width / 2, box(node).y + box(node).height / 2];
					const cells = [...document.querySelectorAll(".square")], marks = [...document.querySelectorAll(".labels text")];
					const size = box(cells[0]).width;
					for (const node of marks) {
						const [x, y] = middle(node), { left, right, top, bottom } = box(node);
						if (cells.some(cell => Math.hypot(middle(cell)[0] - x, middle(cell)[1] - y) < size / 2 + (right - left) / 2))
							wrong.push(`label on a hexagon: ${node.textContent}`);
						if (marks.some(other => other !== node && Math.hypot(middle(other)[0] - x, middle(other)[1] - y) < (right - left) / 2))
							wrong.push(`label on a label: ${node.textContent}`);
						if (left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom)
							wrong.push(`label outside: ${node.textContent}`);
					}
					for (const node of cells) {
						node.scrollIntoView({ block: "nearest" });
						if (document.elementFromPoint(...middle(node)) !== node)
							wrong.push(`hidden: ${node.dataset.square}`);
					}
					return wrong;
				}), []);
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
				await page.context().close();
			}
	},

	async "boxes between dots: lines reach from dot to dot, boxes have the colour of their owner"() {
		const squares = ":L:.:LOL..:L:.:.....:.:.:", page = await open(boxes(2), open_view(boxes(2), squares));
		await assert_drawn(page);
		assert.equal((await page.$$(".part .dot")).length, 9);
		assert.equal((await page.$$(".square")).length, 16);
		assert.deepEqual([await page.$$(".pencil.drawn"), await page.$$(".white .body"), await page.$$(".black .body")].map(all => all.length), [4, 1, 0]);
		assert.match(await label(page, "B1"), /line/);
		const gap = await page.evaluate(() => {
			const line = document.querySelector(".pencil.drawn").getBoundingClientRect(), dots = [...document.querySelectorAll(".part .dot")].slice(0, 2);
			return Math.abs(line.width - (dots[1].getBoundingClientRect().x - dots[0].getBoundingClientRect().x)) / line.width;
		});
		assert.ok(gap < 0.25, `a line ends ${gap} before its dots`);
		await click(page, "D1");
		assert.deepEqual(await played(page), ["D1"]);
		await page.context().close();
	},

	async "chequered: light squares, crowns of kings, captures square by square"() {
		const squares = ":.:.:.:..:.:.:x::.:.:.:..:.:x:.::.:o:.:..:.:.:.::.:.:.:OX:.:.:.:";
		const page = await open(chequered, { ...view_of(squares, [["D4", "F6", "H8"], ["H2", "G3"]]), side: "O" });
		await assert_drawn(page);
		assert.deepEqual([await page.$$(".light"), await page.$$(".square"), await page.$$(".white .crown"), await page.$$(".black .crown")].map(all => all.length),
			[32, 32, 1, 1]);
		assert.match(await label(page, "E5"), /Black man/);
		assert.match(await label(page, "H2"), /White king/);
		for (const square of ["D4", "F6", "H8"])
			await click(page, square);
		assert.deepEqual(await played(page), ["D4F6H8"]);
		assert.deepEqual(await said(page), ["begun D4", "begun D4 F6", "begun "]);
		// A piece that has begun to move is drawn where it will stand; the other one takes its place.
		await click(page, "H2");
		assert.equal((await page.$$(".ghost")).length, 0);
		await click(page, "D4");
		await click(page, "F6");
		assert.equal((await page.$$(".ghost.white")).length, 1);
		await page.keyboard.press("Escape");
		// Keys skip light squares, and go straight up.
		const way = [];
		for (const key of ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown"]) {
			await page.keyboard.press(key);
			way.push(await focused(page));
		}
		assert.deepEqual(way, ["H6", "F6", "E7", "F8", "F8", "E7"]);
		await page.context().close();
	},

	async "arrows: moves of three clicks, blocks that belong to nobody, the expected move is where the piece goes"() {
		const moves = [["A1", "A3", "A1"], ["A1", "A3", "C3"], ["A1", "B1", "C1"]];
		const page = await open(arrows, { ...view_of("...O......A.X...", moves), line: ["A1A3C3"] });
		await assert_drawn(page);
		assert.deepEqual([await page.$$(".neutral .body"), await page.$$(".black .body"), await page.$$(".white .body")].map(all => all.length), [1, 2, 1]);
		assert.match(await label(page, "C2"), /arrow/);
		assert.equal(await page.$eval(".line text", node => Number(node.getAttribute("y"))), await page.$eval("[data-square=A3]", node => Number(node.getAttribute("y")) + 47));
		for (const square of ["A1", "A3", "A1"])
			await click(page, square);
		assert.deepEqual(await played(page), ["A1A3A1"]);
		await page.context().close();
	},

	async "graphs: places with names, lines between them, men in hand, and what a move removes"() {
		const moves = [["NW", "W"], ["NE", "SW"]];
		const page = await open(ring, { ...view_of("O::XX..:.O..::X", moves), line: ["NESW"] });
		assert.deepEqual(await page.$$eval(".square", all => all.map(node => node.dataset.square)), ["NW", "N", "NE", "W", "E", "SW", "S", "SE"]);
		assert.deepEqual(await page.$$eval(".labels text", all => all.map(node => node.textContent)), ["NW", "N", "NE", "W", "E", "SW", "S", "SE"]);
		assert.equal((await page.$eval(".lines", node => node.getAttribute("d"))).match(/M/g).length, 8);
		// Men in hand are smaller than those on the board, of which one is expected.
		assert.deepEqual(await page.$$eval(".stone .body", all => all.map(node => Number(node.getAttribute("r"))).sort()), [30, 30, 37, 37, 37, 37]);
		// The expected man comes to NE; SW is what it removes.
		const centre = await page.$eval("[data-square=NE]", node => Number(node.getAttribute("cy")));
		assert.equal(await page.$eval(".line text", node => Number(node.getAttribute("y"))), centre);
		await click(page, "NW");
		await click(page, "W");
		assert.deepEqual(await played(page), ["NWW"]);
		await page.context().close();
	},

	async "a large graph: nothing lies upon something else on a screen or a phone, keys, expected moves"() {
		const before = men(["A7", "D7", "B2"], ["A1", "D1", "F4"], 6), points = [...new Set(lines.flat())];
		const view = view_of(before, [["G7", "A1"], ["G7", "D1"], ["G7", "F4"], ["C3"], ["G4"]]);
		for (const context of [{}, PHONE]) {
			const page = await open(rings, view, context);
			await assert_drawn(page);
			assert.deepEqual((await page.$$eval(".square", all => all.map(node => node.dataset.square))).sort(), points.sort());
			assert.deepEqual((await page.$$eval(".labels text", all => all.map(node => node.textContent))).sort(), points);
			assert.deepEqual([await page.$$(".stone.black"), await page.$$(".stone.white")].map(all => all.length), [9, 9]);
			assert.equal(await page.$eval(".lines", node => node.getAttribute("d").split("M").length - 1), 32);
			// Nothing lies upon something else: men in hand beside the field, men beside the names of points.
			assert.deepEqual(await page.evaluate(() => {
				const box = node => node.getBoundingClientRect(), field = box(document.querySelector(".field"));
				const bodies = [...document.querySelectorAll(".body")].map(box), inside = bodies.filter(({ top, bottom }) => top > field.top && bottom < field.bottom);
				return [inside.length, bodies.filter(({ top, bottom }) => bottom < field.top || top > field.bottom).length];
			}), [6, 12]);
			await click(page, "G7");
			assert.deepEqual([await page.$$(".ghost.black"), await page.$$(".hint.taken")].map(all => all.length), [1, 3]);
			await click(page, "D1");
			assert.deepEqual(await played(page), ["G7D1"]);
			await click(page, "C3");
			assert.deepEqual(await played(page), ["C3"]);
			await page.context().close();
		}
		// Keys go straight to the next point, also over the middle.
		const page = await open(rings, view), way = [];
		await page.focus('[data-square="A7"]');
		for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"]) {
			await page.keyboard.press(key);
			way.push(await focused(page));
		}
		assert.deepEqual(way, ["A4", "B4", "C4", "E4", "E5", "D5", "D3", "D2", "D1", "D1"]);
		// After the move: a ring on the man, a dot where one was removed, none in the hand. Expected moves are where men go.
		await show(page, { squares: men(["A7", "D7", "B2", "G7"], ["A1", "F4"], 6).replace("XXXXXX...", "XXXXX...."), before, move: "G7D1", last: "G7", side: "O",
			legal: ["C5"], clicks: { G7D1: ["G7", "D1"], C5: ["C5"], B6C5: ["B6", "C5"], F4F6A7: ["F4", "F6", "A7"] }, line: ["C5", "B6C5", "F4F6A7"] });
		assert.deepEqual([await page.$$(".ring"), await page.$$(".changed"), await page.$$(".part .stone")].map(all => all.length), [1, 1, 17]);
		assert.deepEqual(await page.$$eval(".line > text", all => all.map(node => [Number(node.getAttribute("x")), Number(node.getAttribute("y"))])),
			await page.evaluate(() => ["C5", "B6", "F6"].map(name => board.centre(board.indices.get(name)))));
		assert.deepEqual(page.faults, []);
		await page.context().close();
	},

	// The six neighbours of (row, col) touch it: the four orthogonal ones, (row-1, col+1) and (row+1, col-1).
	async "hexagons: six neighbours, corners and sides, colours of the sides to join"() {
		const page = await open(hexagon(4), open_view(hexagon(4), hexagon(4).shape));
		const places = Object.fromEntries(await page.$$eval(".square", all => all.map(node => {
			const { x, y, width, height } = node.getBoundingClientRect();
			return [node.dataset.square, [x + width / 2, y + height / 2]];
		})));
		const away = (a, b) => Math.hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]), step = away("D4", "E4");
		for (const name in places)
			if (name !== "D4")
				assert.equal(away("D4", name) < 1.1 * step, ["D3", "E3", "C4", "E4", "C5", "D5"].includes(name), name);
		assert.equal((await page.$$(".cell.corner")).length, 6);
		assert.equal((await page.$$(".cell.side")).length, 12);
		await page.context().close();
		const hex = await open(rhombus(5), open_view(rhombus(5)));
		assert.equal((await hex.$$(".cell.corner, .cell.side")).length, 0);
		const colours = await hex.$$eval(".sides line", all => all.map(node => [node.getAttribute("class"), Number(node.getAttribute("y1"))]));
		const heights = colours.filter(([name]) => name === "black").map(([, y]) => y);
		assert.ok(Math.max(...heights) - Math.min(...heights) > 300 && new Set(heights.map(y => y > 300)).size === 2);
		assert.equal(colours.filter(([name]) => name === "white").length, 18);
		await hex.context().close();
	},

	async "hexagons: mouse, keys that go straight up and down, fingers"() {
		const it = hexagon(4), page = await open(it, open_view(it, it.shape));
		await click(page, "D4");
		assert.deepEqual(await played(page), ["D4"]);
		await page.focus('[data-square="D4"]');
		const walked = [];
		for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"]) {
			await page.keyboard.press(key);
			walked.push(await focused(page));
		}
		assert.deepEqual(walked, ["D3", "E2", "E1", "E1", "E2", "D3", "E3", "F3", "G3", "F4", "E4"]);
		await page.keyboard.press("Enter");
		assert.deepEqual(await played(page), ["E4"]);
		assert.equal(await label(page, "G1"), "G1, empty, can be played");
		await page.context().close();
		const small = hexagon(10), phone = await open(small, open_view(small, small.shape), PHONE);
		await phone.tap('[data-square="J10"]');
		assert.deepEqual(await played(phone), []);
		await phone.tap('[data-square="J10"]');
		assert.deepEqual(await played(phone), ["J10"]);
		await phone.context().close();
	},

	async "a swapped stone changes its colour; off the board there is nothing"() {
		const it = hexagon(4), at = names(it).indexOf("D4"), put = stone => it.shape.slice(0, at) + stone + it.shape.slice(at + 1);
		const page = await open(it, { ...open_view(it, put("X")), last: "D4" });
		assert.equal((await page.$$(".stone")).length, 1);
		await show(page, { squares: put("O"), before: put("X"), move: "SWAP-PIECES", last: "D4", clicks: { "SWAP-PIECES": [] } });
		assert.equal((await page.$$(".stone.white")).length, 1);
		assert.equal((await page.$$(".stone")).length, 1);
		assert.equal((await page.$$(".ring")).length, 1);
		assert.deepEqual(page.faults, []);
		await page.context().close();
	},

	async "a piece is dragged to its target with the mouse, and back; a capture is marked"() {
		const squares = ["........", "........", "........", "........", "..O.....", ".X......", "........", "........"].join("");
		const page = await open(chess, view_of(squares, [["B3", "A4"], ["B3", "B4"], ["B3", "C4"]]));
		const drag = async (from, to) => {
			const start = await centre(page, `[data-square="${from}"]`), end = await centre(page, `[data-square="${to}"]`);
			await page.mouse.move(...start);
			await page.mouse.down();
			await page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2);
			assert.equal((await page.$$(".hint")).length, 3);
			assert.equal((await page.$$(".hint.taken")).length, 1);
			await page.mouse.move(...end);
			await page.mouse.up();
		};
		await drag("B3", "C4");
		assert.deepEqual(await played(page), ["B3C4"]);
		await drag("B3", "F6");
		assert.deepEqual(await played(page), []);
		assert.equal((await page.$$(".hint")).length, 0);
		await click(page, "B3");
		await click(page, "B3");
		assert.equal((await page.$$(".hint")).length, 0);
		await click(page, "B3");
		await click(page, "B4");
		assert.deepEqual(await played(page), ["B3B4"]);
		assert.deepEqual(page.faults, []);
		await page.context().close();
	},

	async "Go: stones where lines cross, star points, letters without I, row 1 at the bottom"() {
		for (const [size, stars] of [[19, 9], [13, 9], [9, 9], [8, 4], [5, 0]]) {
			const page = await open(go(size), open_view(go(size)));
			assert.equal(await page.$$eval(".dot", all => all.length), stars);
			const path = await page.getAttribute(".lines", "d");
			assert.equal(path.match(/V/g).length, size);
			assert.equal(path.match(/H/g).length, size);
			const [x, y] = await centre(page, '[data-square="A1"]'), [right, top] = await centre(page, `[data-square="${"ABCDEFGHJKLMNOPQRST"[size - 1]}${size}"]`);
			assert.ok(right > x && top < y);
			const lines = await page.$eval(".lines", node => {
				const { left, right, top, bottom } = node.getBoundingClientRect();
				return [left, bottom, right, top];
			});
			[x, y, right, top].forEach((at, i) => assert.ok(Math.abs(at - lines[i]) < 2, `${at} is not on ${lines}`));
			await page.context().close();
		}
		const page = await open(go(19), open_view(go(19)));
		const dots = await page.$$eval(".dot", all => all.map(node => [Number(node.getAttribute("cx")), Number(node.getAttribute("cy"))]));
		const at = await page.$$eval(["D16", "K10", "Q4"].map(name => `[data-square="${name}"]`).join(), all => all.map(node =>
			[Number(node.getAttribute("x")) + 47, Number(node.getAttribute("y")) + 47]));
		for (const point of at)
			assert.ok(dots.some(dot => dot.join() === point.join()), String(point));
	},

	async "a stone is played where one clicks; passes need no square; captured stones are marked"() {
		const it = go(19), all = names(it), page = await open(it, open_view(it));
		for (const square of ["A1", "T19", "K10", "J9"]) {
			await click(page, square);
			assert.deepEqual(await played(page), [square]);
		}
		const before = [...".".repeat(361)];
		before[all.indexOf("A1")] = "O";
		before[all.indexOf("B1")] = "X";
		const after = [...before];
		after[all.indexOf("A1")] = ".";
		after[all.indexOf("A2")] = "X";
		await show(page, { ...open_view(it, before.join("")), side: "X" });
		await click(page, "A1");
		assert.deepEqual([await played(page), await said(page)], [[], ["not A1"]]);
		assert.equal(await label(page, "A1"), "A1, White");
		await show(page, { ...open_view(it, after.join("")), before: before.join(""), move: "A2", last: "A2", clicks: { A2: ["A2"] } });
		assert.equal(await page.$$eval(".changed", all => all.length), 1);
		assert.equal(await label(page, "A2"), "A2, Black, last move");
		assert.equal(await page.$$eval(".stone", all => all.length), 2);
		// Expected moves, with a pass between them, keep their colours.
		await show(page, { ...open_view(it), line: ["Q16", "PASS", "D4", "D16"], clicks: { Q16: ["Q16"], PASS: [], D4: ["D4"], D16: ["D16"] },
			marks: [{ click: "Q16", text: "52\n1.2k", heat: 1, share: 1, best: true }, { click: "D4", text: "", heat: 0, share: 0.2 }] });
		assert.deepEqual(await page.$$eval(".line > text, .line .badge text", all => all.map(node => node.textContent)), ["1", "3", "4"]);
		assert.deepEqual(await page.$$eval(".line .stone", all => all.map(node => node.classList[1])), ["black", "white"]);
		assert.deepEqual(page.faults, []);
	},

	async "a finger plays at once where it can hit a square, and aims first where it cannot"() {
		for (const [it, is_small] of [[go(19), true], [go(9), false], [four, false]]) {
			const page = await open(it, open_view(it), PHONE), square = it === four ? "D1" : "G5", wanted = it === four ? "D6" : "G5";
			const one = it === four ? view_of(".".repeat(42), [["D1"]]) : open_view(it);
			await show(page, one);
			await page.tap(`[data-square="${wanted}"]`);
			if (is_small) {
				assert.deepEqual([await played(page), await said(page)], [[], ["aim G5"]]);
				assert.equal(await page.$$eval(".ghost", all => all.length), 1);
				await page.tap('[data-square="H5"]'); // another one
				assert.deepEqual([await played(page), await said(page)], [[], ["aim H5"]]);
				assert.equal(await page.$$eval(".ghost", all => all.length), 1);
				await page.tap('[data-square="G5"]');
				await page.tap('[data-square="G5"]');
			}
			assert.deepEqual(await played(page), [square]);
			await page.context().close();
		}
	},

	async "keys reach every point, and a screen reader is told what is there"() {
		const it = go(13), page = await open(it, open_view(it));
		await page.evaluate(() => board.focus());
		assert.equal(await focused(page), "A13");
		for (const [key, times] of [["ArrowDown", 12], ["ArrowDown", 1], ["ArrowRight", 8]])
			for (let i = 0; i < times; i++)
				await page.keyboard.press(key);
		assert.equal(await focused(page), "J1");
		assert.equal(await label(page, "J1"), "J1, empty, can be played");
		await page.keyboard.press("Enter");
		assert.deepEqual(await played(page), ["J1"]);
		assert.equal(await page.$$eval('[tabindex="0"]', all => all.length), 1);
		await page.evaluate(() => board.say({ empty: "空き", legal: "打てます" }));
		assert.equal(await label(page, "J1"), "J1, 空き, 打てます");
	},

	async "where stones fall, any square of a column plays there"() {
		const squares = `${".".repeat(35)}...X...`, moves = ["A1", "B1", "C1", "D2", "E1", "F1", "G1"].map(name => [name]);
		const page = await open(four, view_of(squares, moves));
		for (const [square, move] of [["D6", "D2"], ["D2", "D2"], ["D1", "D2"], ["A1", "A1"], ["G6", "G1"]]) {
			await click(page, square);
			assert.deepEqual(await played(page), [move], square);
		}
		assert.equal(await label(page, "D2"), "D2, empty, can be played");
		assert.equal(await label(page, "D5"), "D5, empty");
		assert.equal(await label(page, "D1"), "D1, Black");
		await page.evaluate(() => board.focus());
		for (const key of ["ArrowRight", "ArrowRight", "Enter"]) // from G6, where the last click was, no further
			await page.keyboard.press(key);
		assert.deepEqual(await played(page), ["G1"]);
		// A full column refuses.
		const full = count(6).map(row => (row % 2 ? "X" : "O") + "......").join("");
		await show(page, view_of(full, moves.slice(1)));
		await click(page, "A3");
		assert.deepEqual([await played(page), await said(page)], [[], ["not A3"]]);
		// The stone is seen falling.
		const moving = await open(four, view_of(".".repeat(42), moves), { reducedMotion: "no-preference" });
		await show(moving, { squares, before: ".".repeat(42), move: "D1", clicks: { D1: ["D1"] }, last: "D1" });
		assert.equal(await moving.evaluate(() => document.getAnimations().filter(a =>
			/translateY/.test(JSON.stringify(a.effect.getKeyframes()))).length), 1);
	},

	async "a move from square to square: the stone, then where it goes"() {
		const squares = `${".".repeat(40)}.O......XX......${".".repeat(8)}`; // O on B3, X on A2 and B2
		const moves = [["A2", "A3"], ["A2", "B3"], ["B2", "C3"]], page = await open(chess, view_of(squares, moves));
		await click(page, "A2");
		assert.deepEqual([await played(page), await said(page)], [[], ["begun A2"]]);
		assert.equal(await page.$$eval(".chosen", all => all.length), 1);
		assert.deepEqual(await page.$$eval(".hint", all => all.length), 2);
		assert.equal(await label(page, "B3"), "B3, White, can be played");
		await click(page, "A2"); // put back
		assert.deepEqual(await said(page), ["begun "]);
		assert.equal(await page.$$eval(".chosen, .hint", all => all.length), 0);
		await click(page, "A2");
		await click(page, "B2"); // another stone; with one move only it waits as well
		assert.deepEqual([await played(page), await said(page)], [[], ["begun A2", "begun ", "begun B2"]]);
		await click(page, "C3");
		assert.deepEqual(await played(page), ["B2C3"]);
		await said(page);
		await click(page, "A2");
		await page.keyboard.press("Escape");
		assert.deepEqual(await said(page), ["begun A2", "begun "]);
		assert.equal(await focused(page), "A2");
		for (const key of ["Enter", "ArrowUp", "ArrowRight", "Enter"])
			await page.keyboard.press(key);
		assert.deepEqual(await played(page), ["A2B3"]);
		// While a stone is chosen, the marks are those of its moves.
		const marks = [{ click: "A3", text: "40", heat: 0, share: 1 }, { click: "B2", text: "50", heat: 0, share: 1 }];
		await click(page, "A2");
		await show(page, { ...view_of(squares, moves), marks });
		assert.deepEqual(await page.$$eval(".mark text", all => all.map(node => node.textContent)), ["40"]);
		// The other side's stone is gone and the own one slides.
		const after = `${".".repeat(40)}.X.......X......${".".repeat(8)}`;
		const moving = await open(chess, view_of(squares, moves), { reducedMotion: "no-preference" });
		await show(moving, { squares: after, before: squares, move: "A2B3", clicks: { A2B3: ["A2", "B3"] }, last: "B3" });
		assert.deepEqual(await moving.evaluate(() => document.getAnimations().filter(a => !(a instanceof CSSTransition)).map(a =>
			a.effect.getKeyframes()[0].transform)), [await moving.evaluate(() => {
			const at = name => board.centre(board.indices.get(name));
			return `translate(${at("A2")[0] - at("B3")[0]}px, ${at("A2")[1] - at("B3")[1]}px)`;
		})]);
		assert.deepEqual([page.faults, moving.faults], [[], []]);
	},

	async "pieces of many kinds have letters, those of two do not"() {
		const pieces = ["king", "queen", "pawn"].flatMap(name => [{ letter: name[0].toUpperCase(), side: "black", name }, { letter: name[0], side: "white", name }]);
		pieces.push({ letter: "D", side: "black", name: "queen" }, { letter: "E", side: null, name: "nothing" });
		const page = await open(layout(2, 3, { pieces }), view_of("KqPDE.", []));
		assert.deepEqual(await page.$$eval(".letter", all => all.map(node => node.textContent)), ["K", "Q", "P", "Q"]);
		assert.equal(await page.$(".neutral .body"), null);
		assert.equal(await page.$(".crown"), null);
		assert.deepEqual(page.faults, []);
	},

	async "a move may go through several squares, and may end where another goes on"() {
		const moves = [["A1", "C3"], ["A1", "C3", "E5"]], page = await open(chess, view_of(".".repeat(56) + "X.......", moves));
		for (const square of ["A1", "C3", "E5"])
			await click(page, square);
		assert.deepEqual(await played(page), ["A1C3E5"]);
		for (const square of ["A1", "C3", "C3"])
			await click(page, square);
		assert.deepEqual(await played(page), ["A1C3"]);
	},

	async "blocks and the turns of a small board: every arrow in the frame, at its own place"() {
		const turns = corners.map(([letter]) => letter), moves = names(blocks).flatMap(name => turns.map(turn => [name, turn]));
		for (const context of [{}, PHONE]) {
			const page = await open(blocks, view_of(".".repeat(16), moves), context);
			await assert_drawn(page);
			await click(page, "B3");
			assert.equal(await page.$$eval(".turn.open", all => all.length), 8);
			const boxes = await page.$$eval(".turn rect", all => all.map(node => node.getBoundingClientRect().toJSON()));
			const frame = await page.$eval("svg", node => node.getBoundingClientRect().toJSON());
			boxes.forEach((a, i) => {
				assert.ok(a.left >= frame.left && a.right <= frame.right && a.top >= frame.top && a.bottom <= frame.bottom, turns[i]);
				boxes.forEach((b, j) => assert.ok(i === j || a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom,
					`${turns[i]} lies on ${turns[j]}`));
			});
			// Clockwise around the board from the left, as the letters.
			const angle = ([x, y]) => (Math.atan2(y - (frame.top + frame.bottom) / 2, x - (frame.left + frame.right) / 2) + 2 * Math.PI) % (2 * Math.PI);
			const angles = await Promise.all(turns.map(turn => centre(page, `[data-turn="${turn}"] rect`).then(angle)));
			const from_left = angles.map(a => (a - Math.PI + 2 * Math.PI) % (2 * Math.PI));
			assert.deepEqual(from_left, [...from_left].sort((a, b) => a - b));
			await page.keyboard.press("v");
			assert.deepEqual(await played(page), ["B3V"]);
			await page.context().close();
		}
		// A move whose turn is forced is played by its square.
		const page = await open(blocks, view_of(".".repeat(16), [["A1", "S"], ["B1", "S"], ["B1", "T"]]));
		await click(page, "A1");
		assert.deepEqual(await played(page), ["A1S"]);
		await click(page, "B1");
		assert.deepEqual([await played(page), await page.$$eval(".turn.open", all => all.length)], [[], 2]);
	},

	async "the page: a game with sizes, chosen passes, captures and half points"() {
		const page = await open_page();
		assert.deepEqual(await page.$$eval("#size option", all => all.map(node => node.textContent)), ["9×9", "13×13", "19×19"]);
		assert.equal(await page.$$eval(".square", all => all.length), 81);
		assert.ok(await page.isVisible("#pass"));
		await page.selectOption("#size", "19 19");
		await page.waitForFunction(() => document.querySelectorAll(".square").length === 361);
		for (const command of ["set_game stones", "boardsize 19 19", "clear_board"])
			assert.ok(server.commands.includes(command), command);
		await assert_drawn(page);
		for (const [square, text] of [["T19", /Black: T19\. White to move$/], ["A1", /White: A1/], ["B1", /Black: B1/], ["K10", /White: K10/],
			["A2", /Black: A2\. 1 stone captured\. White to move$/]]) {
			await page.click(`[data-square="${square}"]`);
			await wait_for_status(page, text);
		}
		assert.equal(await label(page, "A1"), "A1, empty, legal move");
		await page.keyboard.press("p");
		await wait_for_status(page, /White passes\. Black to move$/);
		await page.click("#pass");
		await wait_for_status(page, /Black passes\. White wins by 4\.5$/);
		assert.ok(await page.isHidden("#pass"));
		assert.equal(await page.textContent("#player-black .count"), ""); // stones are not the score
		assert.equal(await page.inputValue("#komi"), "6.5");
		await page.fill("#komi", "0.5");
		await page.keyboard.press("Tab");
		await wait_for_status(page, /Black wins by 1\.5$/);
		await page.fill("#komi", "999");
		await page.keyboard.press("Tab");
		await wait_for_status(page, /syntax error/);
		await page.waitForFunction(() => document.querySelector("#komi").value === "0.5");
		await page.click("#back");
		await wait_for_status(page, /Black to move \(after move 6 of 7\)/);

		// A reloaded page has its size again; a new game keeps it, another game has its own.
		await page.reload();
		await page.waitForSelector('[aria-label^="A2, Black"]');
		assert.equal(await page.$$eval(".square", all => all.length), 361);
		assert.equal(await page.inputValue("#size"), "19 19");
		assert.equal(await page.inputValue("#komi"), "0.5");
		await page.click("#new");
		await wait_for_status(page, /^Black to move$/);
		assert.equal(await page.$$eval(".square", all => all.length), 361);
		await page.selectOption("#game", "walkers standard");
		await page.waitForFunction(() => document.querySelectorAll(".square").length === 20);
		assert.ok(await page.isHidden("#size"));
		assert.ok(await page.isHidden("#komi"));
		assert.ok(await page.isHidden("#pass"));
		await page.keyboard.press("z"); // the replaced game, in its size
		await page.waitForFunction(() => document.querySelectorAll(".square").length === 361);
		await wait_for_status(page, /after move 6 of 7/);
		assert.equal(await page.inputValue("#komi"), "0.5");
		assert.deepEqual(page.faults, []);
	},

	async "the page: analysis shows points and lines, and yomi answers"() {
		const page = await open_page({ white: true, settings: { analysis: true, shown: "score" } });
		await page.waitForFunction(() => document.querySelector("#chance-of").textContent === "Black, points");
		assert.deepEqual(await page.$$eval("#candidates button", all => all.map(node => node.textContent)), ["A9"]);
		assert.deepEqual(await page.$$eval(".mark text, .line > text", all => all.map(node => node.textContent)), ["+1.5", "10", "2"]);
		await page.click('[data-square="E5"]');
		await wait_for_status(page, /Black: E5\. White to move$/);
		await page.click("#go");
		await wait_for_status(page, /White: A9\. Black to move$/);
		assert.equal(await label(page, "A9"), "A9, White, last move");
		assert.deepEqual(page.faults, []);
	},

	async "the page: the engine's reasons for a move, and back to the analysis"() {
		const page = await open_page({ settings: { analysis: true } });
		await page.click('[data-square="E5"]');
		await wait_for_status(page, /White to move$/);
		await page.click('[data-square="A1"]');
		await wait_for_status(page, /Black to move$/);
		await page.keyboard.press("e");
		await page.waitForSelector("#reasons li");
		assert.deepEqual(await page.$$eval("#reasons li", all => all.map(node => node.textContent)), ["A1: after 1 moves", "it is near the edge"]);
		await page.waitForSelector(".mark");
		assert.deepEqual(await page.$$eval("#moves [data-ply]", all => all.map(node => node.firstChild.textContent)), ["E5", "A1"]);
		await page.keyboard.press("u");
		await page.waitForSelector("#reasons", { state: "hidden" });
		await page.click("#analyse");
		await page.waitForSelector("#why", { state: "hidden" });
		assert.deepEqual(page.faults, []);
	},

	async "the page: a whole game from square to square, by mouse and keys, in both languages"() {
		const page = await open_page();
		await page.selectOption("#game", "walkers standard");
		await page.waitForFunction(() => document.querySelectorAll(".square").length === 20);
		await page.click('[data-square="B1"]');
		await wait_for_status(page, /^Now choose where it goes$/);
		await page.click('[data-square="C2"]');
		await wait_for_status(page, /^Black: B1C2\. White to move$/);
		await page.keyboard.press("ArrowUp");
		for (const key of ["ArrowUp", "ArrowUp", "Enter", "ArrowDown", "Enter"])
			await page.keyboard.press(key);
		await wait_for_status(page, /^White: C4C3\. Black to move$/);
		await page.click('[data-square="C2"]');
		await page.click('[data-square="C3"]', { force: true }); // straight ahead nothing is captured
		await wait_for_status(page, /C3 is not a legal move/);
		await page.click('[data-square="D3"]');
		await wait_for_status(page, /^Black: C2D3\. White to move$/);
		await page.click('[data-square="C3"]');
		await page.click('[data-square="B2"]');
		await wait_for_status(page, /^White: C3B2\. Black to move$/);
		await page.click('[data-square="A1"]');
		await page.click('[data-square="B2"]');
		await wait_for_status(page, /^Black: A1B2\. 1 stone captured\. White to move$/);
		await page.click("#open-settings");
		await page.selectOption("#language", "ja");
		assert.ok(!(await page.textContent("#keys")).includes("S T U"));
		await page.keyboard.press("Escape");
		assert.equal(await page.textContent("#status"), "黒:A1B2。 1個取りました。 白の番です");
		await page.click('[data-square="A4"]');
		await page.waitForFunction(() => document.querySelector("#status").textContent === "行き先を選んでください");
		await page.click('[data-square="A3"]');
		await page.click('[data-square="D3"]');
		await page.click('[data-square="C4"]');
		await page.waitForFunction(() => /黒の勝ち/.test(document.querySelector("#status").textContent));
		assert.deepEqual(page.faults, []);
	},

	async "the page on a phone: 19x19 by finger, nothing wider than it, and tall boards fit"() {
		const page = await open_page(PHONE);
		await page.selectOption("#size", "19 19");
		await page.waitForFunction(() => document.querySelectorAll(".square").length === 361);
		await page.tap('[data-square="Q16"]');
		await wait_for_status(page, /^Q16: touch again to play$/);
		await page.tap('[data-square="Q16"]');
		await wait_for_status(page, /^Black: Q16\. White to move$/);
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
		for (const viewport of [{ width: 1280, height: 720 }, { width: 740, height: 360 }]) {
			const wide = await open_page({ viewport });
			await wide.evaluate(layout => new YomiBoard(document.querySelector("#board"), layout), layout(19, 5));
			const box = await wide.$eval("#board svg", node => node.getBoundingClientRect().toJSON());
			assert.ok(box.bottom <= viewport.height, JSON.stringify(box));
		}
	},

	async "a mark keeps its nodes; on a crowded board it has one line"() {
		const marked = page => page.$$eval(".mark", all => all.map(node => [node.kept === true, node.dataset.proof ?? "",
			...[...node.querySelectorAll("text")].map(text => text.textContent)]));
		for (const [it, lines] of [[go(9), ["55", "2k"]], [go(19), ["55"]]]) {
			const page = await open(it, open_view(it)), mark = (click, more) => ({ click, text: "50\n1k", heat: 0.5, share: 1, ...more });
			await show(page, { ...open_view(it), marks: [mark("A1"), mark("B1", { proof: "win" }), mark("C1")] });
			await page.$$eval(".mark", all => all.forEach(node => { node.kept = true; }));
			await show(page, { ...open_view(it), marks: [mark("A1", { text: "55\n2k" }), mark("B1", { text: "" }), mark("D1", { proof: "loss" })] });
			assert.deepEqual(await marked(page), [[true, "", ...lines], [true, ""], [false, "loss", ...["50", "1k"].slice(0, lines.length)]]);
			await show(page, { ...open_view(it), marks: [] });
			assert.deepEqual(await marked(page), []);
		}
	},

	async "19x19 is quick: a position with 300 stones and marks is shown in time"() {
		const it = go(19), squares = count(361).map(i => i % 6 === 0 ? "." : i % 2 ? "X" : "O").join(""), page = await open(it, open_view(it));
		const took = await page.evaluate(([view, names]) => {
			const marks = names.filter((_, i) => view.squares[i] === ".").map(click => ({ click, text: "50\n1k", heat: 0.5, share: 1 }));
			board.show({ ...view, marks });
			const begun = performance.now();
			for (let i = 0; i < 10; i++)
				board.show({ ...view, marks });
			return (performance.now() - begun) / 10;
		}, [open_view(it, squares), names(it)]);
		console.log(`# shown in ${took.toFixed(1)} ms`);
		assert.ok(took < 500, `${took} ms`);
		assert.equal(await page.$$eval(".stone", all => all.length), 300);
	},
};

async function main() {
	browser = await launch();
	server = await fake.start();
	let passed = 0, failed = 0;
	for (const [name, check] of Object.entries(checks)) {
		if (process.env.ONLY && !name.includes(process.env.ONLY))
			continue;
		try {
			await check();
			passed++;
			console.log(`ok board: ${name}`);
		} catch (error) {
			failed++;
			console.log(`failed board: ${name}: ${process.env.V ? error.stack : error.message.split("\n").slice(0, 12).join(" / ")}`);
		}
		for (const context of browser.contexts())
			await context.close();
	}
	await browser.close();
	server.close();
	console.log(`${passed} passed, ${failed} failed`);
	process.exit(failed ? 1 : 0);
}

main();
