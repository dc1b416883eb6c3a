// SPDX-License-Identifier: MIT
//
// Carries lines to a session inside the browser, and its events back: protocol/web/carrier.js says what the link and a carrier are to
// each other. Here a worker has the session (worker.js). It ends with the connection.
const RETRY = 1000; // ms between two attempts
export const BODY_MAX = 60000; // characters of a line, as on a server

// Where the page is not secure there is no such thing, and nothing is kept for when there is no server.
navigator.serviceWorker?.register("offline.js");

// An address whose blob is there until it is revoked.
const mark = () => URL.createObjectURL(new Blob());

export class Carrier {
	open = false;

	constructor(link) {
		this.link = link;
		this.worker = null;
		this.lines = [];
		this.any = mark();
		this.stop = mark();
	}

	// True while the worker starts.
	get is_owed() {
		return Boolean(this.worker) && !this.open;
	}

	connect() {
		this.close();
		const worker = this.worker = new Worker("worker.js");
		worker.onerror = event => {
			event.preventDefault();
			this.link.lost(event.message ?? "", RETRY);
		};
		worker.onmessage = ({ data }) => {
			if (worker !== this.worker)
				return;
			if (data)
				this.take(data);
			else {
				this.open = true;
				this.link.opened();
			}
		};
	}

	take(events) {
		for (const [, name, data] of events.matchAll(/^event: (\w+)\ndata: (.*)$/gm))
			this.link[name](JSON.parse(data));
	}

	close() {
		this.open = false;
		this.worker?.terminate();
		this.worker = null;
		this.lines = [];
	}

	end() {
		this.close();
	}

	// Lines written at the same time share a message.
	async send(line) {
		this.lines.push(line);
		if (this.lines.length > 1)
			return;
		await null;
		if (this.open && this.lines.length)
			this.post(this.lines.map(text => `${text}\n`).join(""), this.lines.includes("# interrupt"));
		this.lines = [];
	}

	post(lines, interrupts) {
		const { any, stop } = this;
		this.any = mark();
		if (interrupts)
			this.stop = mark();
		this.worker.postMessage({ lines, any: this.any, stop: this.stop, ended: interrupts ? stop : "" });
		URL.revokeObjectURL(any);
		if (interrupts)
			URL.revokeObjectURL(stop);
	}

	// The worker cannot answer during a search, and cannot vanish.
	async probe() {}
}
