// SPDX-License-Identifier: MIT
//
// The page of `yomi report`, opened as a file in a real browser: it loads nothing, replays games, narrows the list and
// saves plots.
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const launch = require("./browser.js");

const yomi = process.env.YOMI, out = process.argv[2];
const HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";

// Games of Tic-tac-toe and Pentago by players with this name; the last one ends by resignation.
function write_games(file) {
	const head = (kind, black, white, result, opening) => `(;GN[yomi ${kind} standard]PB[${black}]PW[${white}]EV[some ${HOSTILE}]` +
		`RE[${result}]YOMI[opening ${opening}][opening-moves 1][paired 1]`;
	fs.writeFileSync(file, [
		head("tictactoe", HOSTILE, "plain", "B+1", 1) + ";B[b2];W[a1]V[.3]YT[.5];B[a2]V[.5]YT[.1];W[a3]V[-.9]YT[1];B[c2]V[1]C[that is it])",
		head("tictactoe", "plain", HOSTILE, "0", 1) + ";B[b2];W[a1];B[a2];W[c2];B[c1];W[a3];B[b3];W[b1];B[c3])",
		head("tictactoe", HOSTILE, "plain", "W+F", 2) + "[end died][detail <b>exit</b> status 1];B[c1];W[c2])",
		head("pentago", "a", "b", "W+R", 1) + ";B[b2t];W[c3s];B[a1v];W[f6y])",
	].join("\n"));
}

async function open_page(browser, file, options = {}) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", acceptDownloads: true,
		...options });
	const page = await context.newPage();
	page.wrong = [];
	page.on("pageerror", error => page.wrong.push(error.message));
	page.on("console", message => page.wrong.push(message.text()));
	page.on("dialog", dialog => {
		page.wrong.push(`dialog: ${dialog.message()}`);
		dialog.dismiss();
	});
	page.on("request", request => {
		if (!/^(file|blob):/.test(request.url()))
			page.wrong.push(`asks for ${request.url()}`);
	});
	await page.goto(`file://${file}${options.hash ?? ""}`);
	return page;
}

// The stones on a match's board, read from the labels for screen readers.
function squares(match) {
	return match.locator(".yomi-board .square").evaluateAll(nodes => nodes.map(node =>
		({ Black: "X", White: "O" })[node.getAttribute("aria-label").split(", ")[1]] ?? ".").join(""));
}

// Waits until the stones on a match's board are these: games are unpacked when they are opened.
async function shows(match, expected) {
	for (let tries = 0; tries < 100 && await squares(match) !== expected; tries++)
		await match.page().waitForTimeout(20);
	assert.equal(await squares(match), expected);
}

// Short games of Tic-tac-toe, so many that they fill several blocks. The last one differs.
function write_many(file, count) {
	const game = i => `(;GN[yomi tictactoe standard]PB[${i % 2 ? "b" : "a"}]PW[${i % 2 ? "a" : "b"}]RE[B+1]YOMI[opening ${1 + (i >> 1)}]` +
		`[opening-moves 1][paired 1];B[${["b2", "a1", "c3"][(i >> 1) % 3]}];W[a2];B[${i === count - 1 ? "c2" : "b1"}];W[c1])`;
	fs.writeFileSync(file, Array.from({ length: count }, (_, i) => game(i)).join("\n"));
}

// The least contrast of text and ground in a page's elements, and where it is. Colours are read from a canvas.
function least_contrast(page, selector) {
	return page.evaluate(selector => {
		const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
		const over = (colors) => {
			context.clearRect(0, 0, 1, 1);
			for (const color of colors) {
				context.fillStyle = color;
				context.fillRect(0, 0, 1, 1);
			}
			return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
		};
		const light = rgb => rgb.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
			.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
		const worst = { contrast: 21, where: "" };
		for (const node of document.querySelectorAll(selector)) {
			const grounds = [];
			for (let at = node; at; at = at.parentElement)
				grounds.unshift(getComputedStyle(at).backgroundColor);
			const [a, b] = [light(over(grounds)), light(over([...grounds, getComputedStyle(node).color]))];
			const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			if (contrast < worst.contrast)
				Object.assign(worst, { contrast, where: `${node.className} ${node.textContent}` });
		}
		return worst;
	}, selector);
}

// A page of a match of several engines, with all shares of points in the crosstable.
function write_table(file) {
	const games = [];
	for (let share = 0; share <= 8; share++)
		for (let i = 0; i < 8; i++)
			games.push(`(;GN[yomi tictactoe standard]PB[a]PW[p${share}]RE[${i < share ? "B+1" : "W+1"}]YOMI[opening ${i + 1}]` +
				`[opening-moves 1][paired 0]` + (i < share ? ";B[b2];W[a1];B[a2];W[a3];B[c2])" : ";B[b2];W[a1];B[c3];W[a2];B[b3];W[a3])"));
	fs.writeFileSync(file, games.join("\n"));
}

async function main() {
	const browser = await launch();
	const games = path.join(out, "report.sgf"), file = path.join(out, "report.html");
	write_games(games);
	const made = spawnSync(yomi, ["report", games, "--output", file], { encoding: "utf8" });
	assert.equal(made.stderr, "");
	let page;
	const make = (name, write, ...args) => {
		const from = path.join(out, `${name}.sgf`), to = path.join(out, `${name}.html`);
		write(from, ...args);
		assert.equal(spawnSync(yomi, ["report", from, "--output", to], { encoding: "utf8" }).stderr, "");
		return to;
	};

	const checks = {
		async "the first games are shown, at their ends"() {
			assert.equal(await page.locator(".match").count(), 2);
			const [first, second] = await page.locator(".match").all();
			await shows(first, "O..XXXO..");
			assert.match(await first.locator(".words").textContent(), /5\. C2.*expects \+1\.00 for Black.*that is it/s);
			await second.locator(".words b").first().waitFor();
			assert.equal((await squares(second)).replaceAll(".", "").length, 4);
			assert.equal(await first.locator(".players bdi").first().textContent(), HOSTILE);
			assert.equal(await page.locator("main img, bdi script").count(), 0);
		},

		async "a game is played through by keys, buttons and its graph"() {
			const match = page.locator(".match").first();
			await match.locator(".games tbody tr").nth(1).click();
			await shows(match, "OOXXXOOXX");
			await match.locator(".record button").first().click();
			await shows(match, "....X....");
			await page.keyboard.press("ArrowRight");
			await shows(match, "O...X....");
			await page.keyboard.press("End");
			await shows(match, "OOXXXOOXX");
			await page.keyboard.press("Home");
			await shows(match, ".........");
			await match.getByRole("button", { name: "On", exact: true }).click();
			await match.getByRole("button", { name: "On", exact: true }).click();
			await shows(match, "O...X....");
			await match.getByRole("button", { name: "Back" }).click();
			await shows(match, "....X....");
			const { width, height } = await match.locator(".chart").boundingBox();
			await match.locator(".chart").click({ position: { x: width - 1, y: height / 2 } });
			await shows(match, "OOXXXOOXX");
			assert.match(page.url(), /#g2\.9$/);
		},

		async "a game goes on by itself"() {
			const match = page.locator(".match").first();
			await match.locator(".games tbody tr").nth(2).click();
			await match.getByRole("button", { name: "Play" }).click();
			await match.getByRole("button", { name: "Play" }).waitFor(); // the replay has reached the end
			await shows(match, "..X..O...");
			assert.match(await match.locator(".sides").textContent(), /White wins \(died\)/);
		},

		async "the moves at which games were lost lead there"() {
			const match = page.locator(".match").first();
			await match.locator(".drops a").first().click();
			assert.match(page.url(), /#g1\.4$/);
			await shows(match, "O..XX.O..");
			const again = await open_page(browser, file, { hash: "#g1.3" });
			await shows(again.locator(".match").first(), "O..XX....");
			await again.context().close();
		},

		async "the list of games is narrowed"() {
			const match = page.locator(".match").first(), rows = match.locator(".games tbody tr:visible");
			assert.equal(await rows.count(), 3);
			await match.getByRole("combobox", { name: "Winner" }).selectOption("B");
			assert.equal(await rows.count(), 1);
			assert.equal(await match.locator("output").textContent(), "1 of 3 games; the others are left out");
			await match.getByRole("combobox", { name: "Winner" }).selectOption("any");
			await match.getByRole("textbox", { name: "Opening" }).fill("1");
			assert.equal(await rows.count(), 2);
			await match.getByRole("combobox", { name: "Black" }).selectOption("B");
			assert.equal(await rows.count(), 1);
		},

		async "games of all blocks are unpacked on demand, the last one that was asked for is shown"() {
			const many = await open_page(browser, make("many", write_many, 70)), match = many.locator(".match");
			assert.equal(await many.locator("script.block").count(), 3);
			assert.equal(await match.locator(".games tbody tr").count(), 70);
			await match.locator(".games tbody tr").last().click();
			await shows(match, "X.OO.X...");
			await many.evaluate(() => [...document.querySelectorAll(".games tbody tr")].slice(0, 40).forEach(row => row.click()));
			await match.locator(".games tbody tr[aria-current]").filter({ hasText: /^40/ }).waitFor();
			assert.deepEqual(many.wrong, []);
			await many.context().close();
		},

		async "openings are sorted by any column"() {
			const many = await open_page(browser, make("many", write_many, 70));
			const column = i => many.locator(`.openings tbody td:nth-child(${i})`).allTextContents();
			assert.deepEqual(await column(1), ["1", "2", "3"]);
			const head = many.locator(".openings th", { hasText: "Games" }), sort = head.getByRole("button");
			await many.locator(".openings").getByRole("button", { name: "Moves" }).click();
			assert.deepEqual(await column(2), ["A1", "B2", "C3"]);
			await many.locator(".openings").getByRole("button", { name: "Moves" }).click();
			assert.deepEqual(await column(2), ["C3", "B2", "A1"]);
			await sort.click();
			assert.deepEqual(await column(3), ["22", "24", "24"]);
			assert.equal(await head.getAttribute("aria-sort"), "ascending");
			await many.context().close();
		},

		async "texts have contrast, and every column has a head"() {
			const table = make("table", write_table);
			for (const colorScheme of ["light", "dark"]) {
				const shown = await open_page(browser, table, { colorScheme });
				assert.ok(await shown.locator(".cross td[class^=heat]").count() >= 18);
				for (const at of [shown, await open_page(browser, file, { colorScheme })]) {
					const worst = await least_contrast(at, "td, td small, td b, th, th button, .chip, p, p small, p span, label, button, a, code, output");
					assert.ok(worst.contrast >= 4.5, `${colorScheme}: ${worst.contrast.toFixed(2)} at ${worst.where}`);
					const heads = await at.locator("thead th").allTextContents();
					assert.ok(heads.length > 10 && heads.every(text => text.trim()), heads.join("|"));
					await at.context().close();
				}
			}
		},

		async "paper shows all games, or says how many are left out"() {
			const many = await open_page(browser, make("many", write_many, 70));
			await many.emulateMedia({ media: "print" });
			const list = many.locator(".games .tall"), last = many.locator(".games tbody tr").last();
			assert.ok(await list.evaluate(node => node.scrollHeight <= node.clientHeight + 1));
			assert.ok(await last.isVisible());
			assert.equal(await many.locator("output").textContent(), "70 of 70 games");
			await many.locator(".filters [name=opening]").evaluate(input => {
				input.value = "1";
				input.dispatchEvent(new Event("input", { bubbles: true }));
			});
			assert.match(await many.locator("output").textContent(), /^24 of 70 games; the others are left out$/);
			assert.ok(await many.locator("output").isVisible());
			assert.ok(await many.getByLabel("Winner").isHidden());
			await many.context().close();
		},

		async "fingers find targets of 44 pixels"() {
			const phone = await open_page(browser, file, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
			await phone.locator(".record button").first().waitFor();
			const small = await phone.evaluate(() => [...document.querySelectorAll("button, select, .filters input, .games tbody tr, td a")]
				.filter(node => node.checkVisibility()).map(node => [node, node.getBoundingClientRect()])
				.filter(([, box]) => box.height < 43.5 || box.width < 24).map(([node, box]) => `${node.outerHTML.slice(0, 60)} ${box.height}`));
			assert.deepEqual(small, []);
			assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 360);
			await phone.context().close();
		},

		async "plots are saved as drawings that need nothing else"() {
			const buttons = await page.locator(".save").all();
			assert.ok(buttons.length >= 5);
			for (const button of buttons) {
				const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
				assert.match(download.suggestedFilename(), /^[a-z]+\.svg$/);
				const saved = path.join(out, "plot.svg"), from = await download.path();
				fs.copyFileSync(from, saved);
				const text = fs.readFileSync(saved, "utf8");
				assert.ok(!/class=|var\(|light-dark|href/.test(text));
				const drawing = await open_page(browser, saved);
				assert.equal(await drawing.evaluate(() => document.documentElement.nodeName), "svg");
				assert.ok(await drawing.evaluate(() => document.querySelectorAll("text").length) > 2);
				assert.deepEqual(drawing.wrong, []);
				await drawing.context().close();
			}
		},

		async "it is light or dark"() {
			const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
			const light = await ground();
			await page.getByRole("button", { name: "Dark" }).click();
			assert.notEqual(await ground(), light);
			await page.getByRole("button", { name: "Light" }).click();
			assert.equal(await ground(), light);
			const dark = await open_page(browser, file, { colorScheme: "dark" });
			assert.notEqual(await dark.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), light);
			await dark.context().close();
		},

		async "it fits on a telephone"() {
			const small = await open_page(browser, file, { viewport: { width: 360, height: 740 } });
			assert.equal(await small.evaluate(() => document.documentElement.scrollWidth), 360);
			const { width } = await small.locator(".yomi-board").first().boundingBox();
			assert.ok(width > 280);
			assert.deepEqual(small.wrong, []);
			await small.context().close();
		},
	};

	let passed = 0, failed = 0;
	for (const [name, check] of Object.entries(checks)) {
		page = await open_page(browser, file);
		try {
			await check();
			assert.deepEqual(page.wrong, []);
			passed++;
			console.log(`ok report: ${name}`);
		} catch (error) {
			failed++;
			console.log(`failed report: ${name}: ${error.message.split("\n").slice(0, 12).join(" / ")}`);
		}
		await page.context().close();
	}
	await browser.close();
	console.log(`${passed} passed, ${failed} failed`);
	process.exit(failed ? 1 : 0);
}

main();
