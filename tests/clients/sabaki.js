// SPDX-License-Identifier: MIT
// Two engines play whole games through Sabaki's library. Like Sabaki, it tells each engine the other's moves by `sync`,
// which sends all missing moves at once, or takes back moves that differ. Between moves there is analysis, which the
// next command stops.
'use strict'

const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const yomi = process.argv[2]
const colors = ['B', 'W']
const analyses = ['analyze', 'lz-analyze', 'kata-analyze']
const genmoves = ['genmove', 'genmove_analyze', 'lz-genmove_analyze', 'kata-genmove_analyze']
const games = [
	{name: 'othello', size: 8, isMove: /^([A-H][1-8]|PASS)$/i},
	{name: 'tictactoe', size: 3, isMove: /^([A-C][1-3]|PASS)$/i},
	{name: 'pentago', size: 6, isMove: /^([A-F][1-6][S-Z]|PASS)$/i},
]

function demand(condition, what) {
	if (!condition) throw new Error(what)
}

class Player {
	constructor(game, seed) {
		this.controller = new Controller(yomi,
			['--game', game.name, '--threads', '1', '--time', '0.05', '--seed', `${seed}`])
		this.tracker = new ControllerStateTracker(this.controller)
		this.controller.start()
		this.exit = new Promise(resolve => this.controller.process.once('exit', resolve))
	}

	async ask(name, ...args) {
		const response = await this.controller.sendCommand({name, args})
		demand(!response.error, `${name} ${args.join(' ')}: ${response.content}`)
		return response.content
	}

	async introduce() {
		const [name, , version, list] = await Promise.all(
			['name', 'version', 'protocol_version', 'list_commands'].map(c => this.ask(c)))
		demand(name === 'yomi' && version === '2', 'who is it?')
		this.commands = list.split('\n')
		for (const c of [...analyses, ...genmoves, 'undo', 'rectangular_boardsize'])
			demand(this.commands.includes(c), `${c} is missing`)
	}

	// Reads info lines until some have come. The next command ends them.
	async analyze(command, color) {
		let lines = 0, stopped
		const response = await this.controller.sendCommand({name: command, args: [color, '2']}, ({line}) => {
			if (!/^info move \S+ visits \d+ .*\bpv \S+/.test(line.replace(/^= */, ''))) return
			if (++lines === 3) stopped = this.ask('protocol_version')
		})
		demand(!response.error && lines >= 3, `${command}: ${response.content}`)
		demand(await stopped === '2', 'the command behind an analysis')
	}

	async move(command, color) {
		const content = await this.ask(command, color, ...(command === 'genmove' ? [] : ['2']))
		return command === 'genmove' ? content : content.split('\n').pop().replace(/^play /, '')
	}

	async leave() {
		await this.controller.stop()
		demand(await this.exit === 0, 'exit status')
	}
}

async function play(game) {
	const players = [new Player(game, 1), new Player(game, 2)]
	const history = []
	const sync = (player, moves) =>
		player.tracker.sync({komi: 6.5, boardsize: [game.size, game.size], history: moves})
	const isPass = i => history.length > i && history[history.length - 1 - i].args[1].toUpperCase() === 'PASS'
	for (const p of players) await p.introduce()
	for (let n = 0; !(isPass(0) && isPass(1)); n++) {
		const color = colors[n % 2], player = players[n % 2]
		// Sometimes the user goes back to an earlier position.
		if (n % 7 === 6) await sync(player, history.slice(0, -3))
		await sync(player, [...history])
		if (n % 5 === 1 && n < 4 * game.size) await player.analyze(analyses[n % 3], color)
		const move = await player.move(genmoves[n % 4], color)
		demand(game.isMove.test(move), `a move is ${move}`)
		history.push({name: 'play', args: [color, move]})
		demand(n < 200, 'the game does not end')
	}
	for (const p of players) await sync(p, [...history])
	const scores = [await players[0].ask('final_score'), await players[1].ask('final_score')]
	demand(/^(0|[BW]\+\d+)$/.test(scores[0]) && scores[0] === scores[1], `scores ${scores}`)
	for (const p of players) await p.leave()
	return `${history.length} moves, ${scores[0]}`
}

async function main() {
	for (const game of games) {
		try {
			console.log(`ok sabaki: ${game.name}, ${await play(game)}`)
		} catch (error) {
			console.log(`failed sabaki: ${game.name}: ${error.message}`)
		}
	}
	process.exit()
}

main()
