// SPDX-License-Identifier: MIT
//
// The engine of the site, in a worker: it passes on what site/carrier.js sends to the program (site.c), and what the program answers.
//
// The worker receives no message while a search runs. But it can ask for an address, and wait for the answer. So each message
// brings addresses of blobs, which the page revokes when it sends more.
"use strict";

importScripts("version.js", "yomi.js");

const IDLE = 500; // ms without a message after which the engine reads the game's files

let any = "";   // gone if there are further lines
let stop = "";  // gone if there is an interruption among them
let known = ""; // the `stop` of an interruption that a search has noticed
let timer = 0, idle = 0, stepping = false, keeps = false, program = null;

const ask = (address, type = "") => {
	const request = new XMLHttpRequest();
	request.open("GET", address, false);
	request.responseType = type;
	request.send();
	return request;
};

function is_gone(address) {
	try {
		ask(address);
		return false;
	} catch {
		return true;
	}
}

function heard(ends_by_line) {
	if (ends_by_line)
		return any && is_gone(any);
	if (!stop || stop === known || !is_gone(stop))
		return false;
	known = stop;
	return true;
}

// Reads a file of the site that the program does not hold, and keeps it for when there is no server (offline.js).
function read(path) {
	const name = path.replace(/.*\//, ""), address = `${name}?${FILES[name]}`, { status, response } = ask(address, "arraybuffer");
	if (status !== 200)
		throw new Error(`${path}: ${status}`);
	self.caches?.open("files").then(cache => cache.put(address, new Response(response)));
	return new Uint8Array(response);
}

// Keeps the files of the other games, too, one after the other.
async function keep() {
	if (keeps || !self.caches || navigator.connection?.saveData)
		return;
	keeps = true;
	const cache = await caches.open("files");
	for (const [name, hash] of Object.entries(FILES))
		if (!await cache.match(`${name}?${hash}`))
			await cache.add(`${name}?${hash}`);
}

function again(ms) {
	clearInterval(timer);
	timer = ms ? setInterval(() => program.ccall("site_again"), ms) : 0;
}

// Lets messages in between searches.
function step() {
	stepping = program.ccall("site_step", "boolean");
	if (stepping)
		setTimeout(step);
}

onmessage = ({ data }) => {
	// A search that has noticed the interruption has ended already.
	const lines = data.ended && data.ended === known ? data.lines.replaceAll("# interrupt\n", "") : data.lines;
	({ any, stop } = data);
	program.ccall("site_input", null, ["string"], [lines]);
	clearTimeout(idle);
	idle = setTimeout(() => {
		program.ccall("site_get_ready");
		keep().catch(() => { keeps = false; }); // without a server, the next time
	}, IDLE);
	if (!stepping) {
		stepping = true;
		setTimeout(step);
	}
};

yomi({ read, heard, again, send: text => postMessage(text) }).then(ready => {
	program = ready;
	program.ccall("site_init");
	program.ccall("site_begin");
	postMessage("");
}).catch(error => setTimeout(() => { throw error; })); // so that the page hears of it
