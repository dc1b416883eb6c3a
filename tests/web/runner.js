// SPDX-License-Identifier: MIT
//
// Runs checks, which are functions by their names, of the page of a server. ONLY=WORDS runs those whose name has these words.
"use strict";

const launch = require("./browser.js");
const { Server, shared } = require("./lib.js");

module.exports = async (checks, server) => {
	const only = process.env.ONLY;
	const browser = shared.browser = await launch();
	shared.server = server;
	const run = async check => {
		let why = "";
		try {
			await check();
		} catch (error) {
			why = error.message.split("\n").slice(0, 12).join(" / ") + (process.env.V ? error.stack : "");
		}
		for (const context of browser.contexts())
			await context.close();
		for (const own of Server.running) // servers that a failed check left running
			if (own !== shared.server)
				await own.stop();
		return why;
	};
	let passed = 0, failed = 0, unsteady = 0;
	for (const [name, check] of Object.entries(checks)) {
		if (only && !name.includes(only))
			continue;
		const begun = Date.now(), first = await run(check);
		// The first check that fails runs once more: a busy machine may have kept the browser from something in time.
		const why = first && !unsteady++ ? await run(check) : first;
		if (first)
			console.log(`${why ? "failed" : "failed at first, then ok:"} ${name}: ${first}`);
		else
			console.log(`ok ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
		if (why)
			failed++;
		else
			passed++;
	}
	await browser.close();
	await shared.server.stop();
	console.log(`${passed} passed, ${failed} failed`);
	process.exit(failed ? 1 : 0);
};

process.on("exit", () => {
	for (const { process } of Server.running)
		process.kill("SIGKILL");
});
