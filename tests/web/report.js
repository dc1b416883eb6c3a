// SPDX-License-Identifier: MIT
//
// The page of `yomi report`, opened as a file in a real browser: it loads nothing, replays games, narrows the list and
// saves plots.
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");

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

async function main() {
	const flags = process.getuid() === 0 ? ["--no-sandbox"] : [];
	const where = ["chromium", "chromium-browser", "google-chrome"].map(name =>
		spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim()).find(Boolean);
	const browser = await chromium.launch({ executablePath: where, args: flags });
	const games = path.join(out, "report.sgf"), file = path.join(out, "report.html");
	write_games(games);
	const made = spawnSync(yomi, ["report", games, "--output", file], { encoding: "utf8" });
	assert.equal(made.stderr, "");
	let page;

	const checks = {
		async "the first games are shown, at their ends"() {
			assert.equal(await page.locator(".match").count(), 2);
			const [first, second] = await page.locator(".match").all();
			assert.equal(await squares(first), "O..XXXO..");
			assert.match(await first.locator(".words").textContent(), /5\. C2.*expects \+1\.00 for Black.*that is it/s);
			assert.equal((await squares(second)).replaceAll(".", "").length, 4);
			assert.equal(await first.locator(".players bdi").first().textContent(), HOSTILE);
			assert.equal(await page.locator("main img, bdi script").count(), 0);
		},

		async "a game is played through by keys, buttons and its graph"() {
			const match = page.locator(".match").first();
			await match.locator(".games tbody tr").nth(1).click();
			assert.equal(await squares(match), "OOXXXOOXX");
			await match.locator(".record button").first().click();
			assert.equal(await squares(match), "....X....");
			await page.keyboard.press("ArrowRight");
			assert.equal(await squares(match), "O...X....");
			await page.keyboard.press("End");
			assert.equal(await squares(match), "OOXXXOOXX");
			await page.keyboard.press("Home");
			assert.equal(await squares(match), ".........");
			await match.getByRole("button", { name: "On", exact: true }).click();
			await match.getByRole("button", { name: "On", exact: true }).click();
			assert.equal(await squares(match), "O...X....");
			await match.getByRole("button", { name: "Back" }).click();
			assert.equal(await squares(match), "....X....");
			const { width, height } = await match.locator(".graph").boundingBox();
			await match.locator(".graph").click({ position: { x: width - 1, y: height / 2 } });
			assert.equal(await squares(match), "OOXXXOOXX");
			assert.match(page.url(), /#g2\.9$/);
		},

		async "a game goes on by itself"() {
			const match = page.locator(".match").first();
			await match.locator(".games tbody tr").nth(2).click();
			await match.getByRole("button", { name: "Play" }).click();
			await match.getByRole("button", { name: "Play" }).waitFor(); // the replay has reached the end
			assert.equal(await squares(match), "..X..O...");
			assert.match(await match.locator(".sides").textContent(), /White wins \(died\)/);
		},

		async "the moves at which games were lost lead there"() {
			const match = page.locator(".match").first();
			await match.locator(".drops a").first().click();
			assert.match(page.url(), /#g1\.4$/);
			assert.equal(await squares(match), "O..XX.O..");
			const again = await open_page(browser, file, { hash: "#g1.3" });
			assert.equal(await squares(again.locator(".match").first()), "O..XX....");
			await again.context().close();
		},

		async "the list of games is narrowed"() {
			const match = page.locator(".match").first(), rows = match.locator(".games tbody tr:visible");
			assert.equal(await rows.count(), 3);
			await match.getByRole("combobox", { name: "Winner" }).selectOption("B");
			assert.equal(await rows.count(), 1);
			assert.equal(await match.locator("output").textContent(), "1 of 3");
			await match.getByRole("combobox", { name: "Winner" }).selectOption("any");
			await match.getByRole("textbox", { name: "Opening" }).fill("1");
			assert.equal(await rows.count(), 2);
			await match.getByRole("combobox", { name: "Black" }).selectOption("B");
			assert.equal(await rows.count(), 1);
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
