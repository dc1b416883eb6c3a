// SPDX-License-Identifier: MIT
//
// The connection to the engine. It sends GTP lines by POST, one request after the other, so that they
// arrive in order. Answers come back as server-sent events. Each link has its own game on the server.
//
// If the connection breaks, all waiting commands are rejected. When there is a connection again, to the same game or a
// new one, `onopen` is called. The user of the link must then send the whole state again.
const RETRY = 1000; // ms between two attempts
export const BODY_MAX = 60000; // characters of a request; the server takes 65,536 bytes, and lines are ASCII
const AT_ONCE = 20; // ms between attempts if only the game was gone
const LOOK = 500;     // ms between two checks that the server still answers
const SILENCE = 2000; // ms to wait for an answer before a ping; after the same time again the server counts as silent
const BEAT = 10000;   // ms without a word between two pings of an idle connection

export class Lost extends Error {}    // the connection broke before an answer came
export class Refused extends Error {} // the engine answered with an error: the message

// Tells the server that a game is needed no more.
const drop = game => navigator.sendBeacon(`/game/${game}/end`);

export class Link {
	onopen = null; // (): connected, the session is in an unknown state
	onlost = null; // (reason): the server's error text, or ""
	onbusy = null; // (is_busy): true if a command that should be quick takes long, false when it is answered
	onsilence = null; // (is_silent): true if an answer is overdue for some seconds, false when the server answers again

	constructor() {
		this.game = null;
		this.events = null;
		this.waiting = new Map(); // command number -> { resolve, reject, report, since }
		this.number = 0;
		this.attempt = 0; // to connect; what answers to an earlier one comes too late
		this.lines = [];
		this.posting = false;
		this.asleep = false;
		this.connecting = false;
		this.heard = Date.now();
		this.silent = this.probing = this.busy = false;
		setInterval(() => this.look(), LOOK);
	}

	get open() {
		return this.events?.readyState === EventSource.OPEN;
	}

	// Creates a game if there is none, and opens its stream of events.
	async connect() {
		clearTimeout(this.timer);
		if (this.asleep)
			return;
		this.expect();
		this.connecting = true;
		const attempt = ++this.attempt;
		try {
			if (!this.game) {
				const answer = await fetch("/game", { method: "POST" });
				this.hear();
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
			this.hear();
			this.onopen?.();
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
			events.addEventListener(name, () => this.hear());
		events.addEventListener("answer", event => {
			const { id, ok, text } = JSON.parse(event.data);
			const wait = this.waiting.get(id);
			this.waiting.delete(id);
			if (ok)
				wait?.resolve(text);
			else
				wait?.reject(new Refused(text));
		});
		events.addEventListener("line", event => {
			const { id, text } = JSON.parse(event.data);
			this.waiting.get(id)?.report?.(JSON.parse(text));
		});
	}

	lost(reason = "", delay = RETRY) {
		this.hang_up();
		this.onlost?.(reason);
		this.timer = setTimeout(() => this.connect(), delay);
	}

	hang_up() {
		clearTimeout(this.timer);
		this.attempt++;
		this.connecting = this.silent = false;
		this.events?.close();
		this.lines = [];
		for (const wait of this.waiting.values())
			wait.reject(new Lost());
		this.waiting.clear();
	}

	// Sends a command. Returns a promise of its answer. `report` gets each object that the command streams before;
	// the next command ends the stream.
	send(command, report) {
		if (!this.open)
			return Promise.reject(new Lost());
		const number = ++this.number;
		this.expect();
		const answer = new Promise((resolve, reject) => this.waiting.set(number, { resolve, reject, report, since: Date.now() }));
		this.lines.push(`${number} ${command}`);
		this.post();
		return answer;
	}

	// Ends a running search. It answers at once with its best result so far.
	interrupt() {
		this.lines.push("# interrupt");
		this.post();
	}

	// Returns the next lines that fit into a request together.
	next_lines() {
		let count = 0, size = 0;
		while (count < this.lines.length && (count === 0 || size + this.lines[count].length < BODY_MAX))
			size += this.lines[count++].length + 1;
		return this.lines.splice(0, count);
	}

	// Lines written at the same time share one request.
	async post() {
		if (this.posting)
			return;
		this.posting = true;
		await null;
		while (this.lines.length) {
			const body = this.next_lines().join("\n") + "\n", game = this.game;
			try {
				const answer = await fetch(`/game/${game}`, { method: "POST", body, headers: { "Content-Type": "text/plain" } });
				this.hear();
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

	get is_owed() {
		return !this.asleep && (this.connecting || this.posting || this.probing || this.waiting.size > 0);
	}

	// Starts the clock for an expected answer.
	expect() {
		if (!this.is_owed)
			this.heard = Date.now();
	}

	hear() {
		this.heard = Date.now();
		if (this.silent) {
			this.silent = false;
			this.onsilence?.(false);
		}
	}

	// Sends a request that the server always answers at once.
	probe() {
		this.expect();
		this.probing = true;
		fetch("/", { method: "HEAD", cache: "no-store" }).finally(() => { this.probing = false; }).then(() => this.hear(), () => {});
	}

	// A search may be quiet for long, and an idle connection says nothing. So the server is asked from time to time.
	look() {
		const now = Date.now(), quiet = now - this.heard, { is_owed } = this;
		if (!this.probing && !this.asleep && (is_owed ? quiet >= SILENCE : this.open && quiet >= BEAT))
			this.probe();
		else if (is_owed && quiet >= 2 * SILENCE && !this.silent) {
			this.silent = true;
			this.onsilence?.(true);
		}
		const is_busy = [...this.waiting.values()].some(({ report, since }) => !report && now - since >= LOOK);
		if (is_busy !== this.busy) {
			this.busy = is_busy;
			this.onbusy?.(is_busy);
		}
	}

	// A hidden page closes its stream, because browsers allow few connections to one server.
	sleep() {
		this.asleep = true;
		this.hang_up();
	}

	wake() {
		if (!this.asleep)
			return;
		this.asleep = false;
		this.connect();
	}

	// Tells the server that the page closes, so that it can drop the game.
	end() {
		if (this.game)
			drop(this.game);
		this.game = null;
		this.sleep();
	}
}
