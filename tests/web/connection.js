// SPDX-License-Identifier: MIT
//
// The connection: servers that go and come back, tabs, hostile pages.
"use strict";

const assert = require("node:assert/strict");
const http = require("node:http");
const launch = require("./browser.js");
const { Server, assert_engine_agrees, choose_game, hands, moves, open, person, playable, record, request, shared, squares, wait_for_status, wait_for_turn } = require("./lib.js");

module.exports = {
	async "the page loads nothing from elsewhere, and without a complaint"() {
		const own = await shared.browser.newContext(), page = await own.newPage(), asked = [], faults = [];
		page.on("request", r => asked.push(new URL(r.url())));
		page.on("console", message => faults.push(message.text()));
		page.on("pageerror", error => faults.push(error.message));
		const answer = await page.goto(shared.server.url);
		await page.waitForSelector(".square");
		for (const url of asked)
			assert.ok(url.protocol === "data:" || url.origin === new URL(shared.server.url).origin, url.href);
		assert.deepEqual(faults, []);
		assert.match(answer.headers()["content-security-policy"], /default-src 'none'; script-src 'self'; style-src 'self'/);
		const took = await page.evaluate(() => performance.getEntriesByType("navigation")[0].loadEventEnd);
		console.log(`# loaded in ${took.toFixed(0)} ms`);
		await own.close();
	},

	async "a lost connection is shown; the game goes on when there is one again"() {
		let own = await Server.start();
		const page = await open({ url: own.url });
		await hands.mouse.square(page, "D3");
		await wait_for_turn(page, 2);
		const before = await squares(page);
		const { port } = own;
		await own.stop();
		await page.waitForSelector("#offline:not([hidden])");
		assert.match(await page.textContent("#offline"), /connection to yomi is lost/);
		assert.ok(await page.$("main[inert]"));
		own = await Server.start(port);
		await page.waitForSelector("#offline", { state: "hidden" });
		assert.equal(await squares(page), before);
		await hands.mouse.square(page, (await playable(page))[0]);
		await wait_for_turn(page, 4);
		await assert_engine_agrees(page);

		// The same while yomi thinks.
		await page.click("#player-white summary");
		await page.fill("#player-white .limit", "1000000000000");
		await page.click("#status");
		await hands.mouse.square(page, (await playable(page))[0]);
		await wait_for_status(page, /thinking/);
		await own.stop();
		await page.waitForSelector("#offline:not([hidden])");
		own = await Server.start(port);
		await page.waitForSelector("#offline", { state: "hidden" });
		await wait_for_status(page, /thinking/);
		await page.click("#go");
		await wait_for_turn(page, 6);
		await assert_engine_agrees(page);
		await own.stop();
	},

	async "without a server nothing is lost or pretended; a server that does not answer is told of"() {
		let own = await Server.start();
		const page = await open({ url: own.url, white: person });
		await hands.mouse.square(page, "D3");
		await wait_for_status(page, /White to move/);
		const { port } = own;
		await own.stop();
		await page.waitForSelector("#offline:not([hidden])");
		for (const key of ["n", "i", "u"])
			await page.keyboard.press(key);
		for (const id of ["new", "game", "open-rules"])
			assert.ok(await page.isDisabled(`#${id}`), id);
		assert.equal(await page.$("dialog[open]"), null);
		assert.match(await record(page), /;B\[dc\]\)/); // a game can be saved, but none be read
		await page.keyboard.press("o");
		for (const id of ["load-sgf", "set-position", "sgf-file"])
			assert.ok(await page.isDisabled(`#${id}`), id);
		await page.keyboard.press("Escape");
		assert.deepEqual(await moves(page), ["D3"]);
		own = await Server.start(port);
		await page.waitForSelector("#offline", { state: "hidden" });
		await page.waitForSelector("#new:enabled");
		assert.deepEqual(await moves(page), ["D3"]);
		await wait_for_status(page, /White to move/);

		// A stopped process accepts connections but sends nothing.
		own.process.kill("SIGSTOP");
		await hands.mouse.square(page, "C3");
		await page.waitForSelector("#offline:not([hidden])");
		assert.match(await page.textContent("#offline"), /not answered/);
		await page.waitForSelector('main[aria-busy="true"]');
		own.process.kill("SIGCONT");
		await page.waitForSelector("#offline", { state: "hidden" });
		await page.waitForSelector('main[aria-busy="false"]');
		await wait_for_status(page, /White: C3/);

		// A page that asks for nothing finds out, too.
		await page.evaluate(() => {
			const now = Date.now;
			let ahead = 0;
			Date.now = () => now() + ahead;
			window.pass = seconds => { ahead += 1000 * seconds; };
		});
		own.process.kill("SIGSTOP");
		await page.evaluate(() => pass(10));
		await page.waitForSelector("#offline:not([hidden])");
		assert.match(await page.textContent("#offline"), /not answered/);
		own.process.kill("SIGCONT");
		await page.waitForSelector("#offline", { state: "hidden" });
		await page.keyboard.press("a");
		await page.waitForSelector(".mark");
		own.process.kill("SIGSTOP");
		await page.waitForSelector("#offline:not([hidden])");
		own.process.kill("SIGCONT");
		await page.waitForSelector("#offline", { state: "hidden" });
		assert.deepEqual(page.faults.filter(text => !/ERR_|Failed to load/.test(text)), []);
		await own.stop();
	},

	async "a page that nobody sees makes room for others, and goes on when it is looked at"() {
		const own = await Server.start(0, "--clients=1");
		const page = await open({ url: own.url, white: person, settings: { analysis: true } });
		const hide = hidden => page.evaluate(hidden => {
			Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
			document.dispatchEvent(new Event("visibilitychange"));
		}, hidden);
		await hands.mouse.square(page, "D3");
		await page.waitForSelector(".mark");
		const context = await shared.browser.newContext({ locale: "en-GB" }), another = await context.newPage();
		await another.goto(own.url);
		await another.waitForSelector("#offline:not([hidden])");
		await hide(true);
		await another.waitForSelector(".square");
		await another.close();
		const seconds = () => page.textContent("#numbers div:nth-last-child(2) dd"), last = await seconds();
		await hide(false);
		await page.waitForFunction(last => document.querySelector("#numbers div:nth-last-child(2) dd").textContent !== last, last);
		await hands.mouse.square(page, "C3");
		await wait_for_status(page, /^White: C3\. 1 disc turned\. Black to move$/);
		await own.stop();
	},

	async "a page that is hidden before it knows its game leaves none behind"() {
		const own = await Server.start(0, "--clients=1");
		const context = await shared.browser.newContext({ locale: "en-GB" }), page = await context.newPage();
		let release = null;
		const made = new Promise(resolve => page.route("**/game", async route => {
			const response = await route.fetch();
			const released = new Promise(resolve => { release = resolve; });
			resolve();
			await released;
			await route.fulfill({ response });
		}));
		await page.goto(own.url);
		await made;
		await page.evaluate(() => {
			Object.defineProperty(document, "hidden", { value: true });
			document.dispatchEvent(new Event("visibilitychange"));
		});
		const ended = page.waitForRequest(/\/game\/.*\/end$/);
		release();
		await ended;
		await open({ url: own.url });
		await own.stop();
	},

	async "two tabs play and analyse apart; one that is closed makes room"() {
		const own = await Server.start(0, "--clients=2");
		const [a, b] = [await open({ url: own.url, settings: { analysis: true }, white: person }),
			await open({ url: own.url, settings: { analysis: true }, white: person })];
		await choose_game(b, "pentago standard");
		await hands.mouse.square(a, "D3");
		await a.waitForFunction(() => document.querySelector("#chance-of").textContent === "White, discs" && document.querySelector(".mark text"));
		await b.waitForFunction(() => document.querySelector("#chance-of").textContent === "Black wins" && document.querySelector(".mark text"));
		assert.deepEqual([await moves(a), await moves(b)], [["D3"], []]);

		const context = await shared.browser.newContext({ locale: "en-GB" }), c = await context.newPage();
		await c.goto(own.url);
		await c.waitForSelector("#offline:not([hidden])");
		assert.match(await c.textContent("#offline"), /too many games/);
		await a.close({ runBeforeUnload: false });
		await c.waitForSelector(".square");
		await own.stop();
	},

	async "a hostile page can neither read nor change anything"() {
		const victim = await open({ white: person });
		const [asked] = await Promise.all([victim.waitForRequest(r => r.url().endsWith("/events")), victim.reload()]);
		const id = asked.url().split("/").at(-2);
		await victim.waitForSelector(".square");
		const evil = http.createServer((req, res) => {
			res.setHeader("Content-Type", "text/html");
			res.end("<!DOCTYPE html><title>evil</title>");
		});
		await new Promise(resolve => evil.listen(0, "127.0.0.1", resolve));
		const page = await (await shared.browser.newContext()).newPage();
		for (const host of ["127.0.0.1", "localhost"]) {
			await page.goto(`http://${host}:${evil.address().port}/`);
			const seen = await page.evaluate(async ([url, id]) => {
				const result = {};
				const attempt = async (name, work) => {
					result[name] = await work().then(String, () => "refused");
				};
				await attempt("new game", () => fetch(`${url}game`, { method: "POST" }).then(r => r.text()));
				await attempt("read", () => fetch(url).then(r => r.text()));
				await attempt("play", () => fetch(`${url}game/${id}`, { method: "POST", body: "play b d3\n" }).then(r => r.text()));
				await attempt("delete", () => fetch(`${url}game/${id}`, { method: "DELETE" }).then(r => r.text()));
				await attempt("events", () => new Promise((resolve, reject) => {
					const events = new EventSource(`${url}game/${id}/events`);
					events.onopen = () => resolve("open");
					events.onerror = reject;
				}));
				await attempt("script", () => new Promise((resolve, reject) => {
					const script = document.createElement("script");
					script.onload = () => resolve("loaded");
					script.onerror = reject;
					script.src = `${url}board.js`;
					document.body.append(script);
				}));
				// Requests that a browser sends without a preflight; the page cannot read the answers.
				await fetch(`${url}game/${id}`, { method: "POST", mode: "no-cors", body: "play b d3\n" }).catch(() => {});
				navigator.sendBeacon(`${url}game/${id}/end`);
				return result;
			}, [shared.server.url, id]);
			assert.deepEqual(seen, Object.fromEntries(Object.keys(seen).map(name => [name, "refused"])));
			// The page in a frame.
			const frame = await page.evaluate(url => new Promise(resolve => {
				const node = document.createElement("iframe");
				node.onload = () => resolve(node);
				node.src = url;
				document.body.append(node);
			}).then(() => true), shared.server.url);
			assert.ok(frame);
			assert.equal(await page.frames()[1].$(".square"), null);
		}
		await hands.mouse.square(victim, "D3");
		await wait_for_status(victim, /^Black: D3\. 1 disc turned\. White to move$/);
		assert.deepEqual(victim.faults, []);
		evil.close();

		// A host name that resolves to this machine.
		const { port } = shared.server;
		for (const headers of [{ Host: `rebound.example:${port}` }, { Host: "" }, { Host: `127.0.0.1.example:${port}` },
			{ Host: `127.0.0.1:${port}`, Origin: "http://evil.example" }, { Host: `127.0.0.1:${port}`, Origin: "null" },
			{ Host: `127.0.0.1:${port}`, "Sec-Fetch-Site": "cross-site" }])
			for (const [method, where] of [["POST", "/game"], ["GET", `/game/${id}/events`], ["POST", `/game/${id}`]])
				assert.ok([400, 403].includes((await request(port, { method, path: where, headers })).code), JSON.stringify(headers));
		const rebound = await launch("--host-resolver-rules=MAP rebound.example 127.0.0.1");
		const there = await rebound.newPage();
		assert.equal((await there.goto(`http://rebound.example:${port}/`)).status(), 403);
		assert.equal(await there.evaluate(() => fetch("/game", { method: "POST" }).then(r => r.status)), 403);
		await rebound.close();
	},
};
