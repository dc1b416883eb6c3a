// SPDX-License-Identifier: MIT
//
// The service worker of the site: what was loaded once needs no server any more. version.js, which `make site` writes, has VERSION, a
// hash of all that the page needs at first, SHELL, and the hashes of the files of the games, FILES.
//
// A page and its worker are of one version: a new one waits until no page shows the old one.
"use strict";

importScripts("version.js");

const shell = `shell ${VERSION}`, files = "files";

addEventListener("install", event => event.waitUntil(caches.open(shell).then(cache =>
	cache.addAll(SHELL.map(path => new Request(path, { cache: "no-cache" }))))));

// Deletes what no page needs any more.
addEventListener("activate", event => event.waitUntil((async () => {
	for (const name of await caches.keys())
		if (name !== shell && name !== files)
			await caches.delete(name);
	const cache = await caches.open(files), known = Object.entries(FILES).map(([name, hash]) => new URL(`${name}?${hash}`, location.href).href);
	for (const { url } of await cache.keys())
		if (!known.includes(url))
			await cache.delete(url);
})()));

addEventListener("fetch", event => {
	if (event.request.method === "GET")
		event.respondWith(caches.match(event.request).then(found => found ?? fetch(event.request)));
});
