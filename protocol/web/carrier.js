// SPDX-License-Identifier: MIT
//
// Carries lines to a session of `yomi web`, and its events back. Lines go by POST, one request after the other, so that they
// arrive in order; events come as server-sent events. Each carrier has its own game on the server.
//
// site/carrier.js has the same class with a session inside the browser. Both call these functions of the link:
//
//	opened()              connected to a session in an unknown state
//	lost(reason, delay)   the connection broke: the server's error text, or ""; after `delay` ms it may connect again
//	hear()                there is a sign of life
//	answer(data)          the answer of a command: { id, ok, text }
//	line(data)            a line that a command streams before: { id, text }
const RETRY = 1000; // ms between two attempts
const AT_ONCE = 20; // ms between attempts if only the game was gone
export const BODY_MAX = 60000; // characters of a request; the server takes 65,536 bytes, and lines are ASCII

// Tells the server that a game is needed no more.
const drop = game => navigator.sendBeacon(`/game/${game}/end`);

export class Carrier {
	constructor(link) {
		this.link = link;
		this.game = null;
		this.events = null;
		this.attempt = 0; // to connect; what answers to an earlier one comes too late
		this.lines = [];
		this.posting = this.connecting = false;
	}

	get open() {
		return this.events?.readyState === EventSource.OPEN;
	}

	// True while the server owes an answer to a request.
	get is_owed() {
		return this.connecting || this.posting;
	}

	// Creates a game if there is none, and opens its stream of events.
	async connect() {
		this.connecting = true;
		const attempt = ++this.attempt;
		try {
			if (!this.game) {
				const answer = await fetch("/game", { method: "POST" });
				this.link.hear();
				const body = await answer.json();
				if (attempt !== this.attempt) {
					if (answer.ok)
						drop(body.game);
					return;
				}
				if (!answer.ok)
					return this.lost(body.error);
				this.game = body.game;
			}
		} catch {
			if (attempt === this.attempt)
				this.lost();
			return;
		}
		const events = this.events = new EventSource(`/game/${this.game}/events`);
		events.onopen = () => {
			this.connecting = false;
			this.link.opened();
		};
		events.onerror = () => {
			// A closed stream means that the server has dropped the game.
			const is_gone = events.readyState === EventSource.CLOSED;
			if (is_gone)
				this.game = null;
			this.lost("", is_gone ? AT_ONCE : RETRY);
		};
		events.addEventListener("taken", () => {
			this.game = null; // another page has taken over its stream
			this.lost();
		});
		for (const name of ["answer", "line"])
			events.addEventListener(name, event => this.link[name](JSON.parse(event.data)));
	}

	lost(reason = "", delay = RETRY) {
		this.link.lost(reason, delay);
	}

	// Closes the stream. The server keeps the game for a while.
	close() {
		this.attempt++;
		this.connecting = false;
		this.events?.close();
		this.lines = [];
	}

	// Tells the server that the page closes, so that it can drop the game.
	end() {
		if (this.game)
			drop(this.game);
		this.game = null;
	}

	// Returns the next lines that fit into a request together.
	next_lines() {
		let count = 0, size = 0;
		while (count < this.lines.length && (count === 0 || size + this.lines[count].length < BODY_MAX))
			size += this.lines[count++].length + 1;
		return this.lines.splice(0, count);
	}

	// Lines written at the same time share one request.
	async send(line) {
		this.lines.push(line);
		if (this.posting)
			return;
		this.posting = true;
		await null;
		while (this.lines.length) {
			const body = this.next_lines().join("\n") + "\n", game = this.game;
			try {
				const answer = await fetch(`/game/${game}`, { method: "POST", body, headers: { "Content-Type": "text/plain" } });
				this.link.hear();
				if (answer.ok)
					continue;
				if (answer.status === 404)
					this.game = null;
				this.lost((await answer.json().catch(() => ({}))).error);
			} catch {
				this.lost();
			}
		}
		this.posting = false;
	}

	// Asks for what the server always answers at once.
	probe() {
		return fetch("/", { method: "HEAD", cache: "no-store" });
	}
}
