// SPDX-License-Identifier: MIT
//
// The page's texts in English and Japanese. A text with values is a function. `errors` translates messages of the
// engine: pairs of pattern and text, of which the first match counts; `other_error` wraps all others. `guides` has the
// rules by game and rule set; without an entry the page shows the engine's own text.
"use strict";

const PENTAGO_JA = `盤は 3x3 の区画四つからなります。黒(X)が先に打ちます。
一手は二つの動作です。自分の色の石を空いたマスに置き、それから区画を一つ、
90 度回します。必ず回します。空の区画を回してもかまいません。
石を五つ並べた側の勝ちです。

手はマスと、回し方の文字で書きます:c3t

     A B C   D E F
   +-------+-------+
 1 |       |       |
 2 | S   T | U   V |     S U W Y は反時計回り、
 3 |       |       |     T V X Z は時計回りに、その区画を回します。
   +-------+-------+
 4 |       |       |
 5 | Y   Z | W   X |
 6 |       |       |
   +-------+-------+

C3T は C3 に石を置き、左上の区画を時計回りに回します。

   1 X . . .             1 X . . .             1 . X X .
   2 X . . .     C3      2 X . . .     T       2 . . . .
   3 . . . .    ---->    3 . . X .    ---->    3 X . . .
     A B C D               A B C D               A B C D
`;

const YomiText = {
	en: {
		game: "Game", size: "Size", komi: "Komi", new_game: "New game", file: "Game record", page_settings: "Settings and keys", close: "Close",
		language: "Language", theme: "Colours", theme_auto: "like the system", theme_light: "light", theme_dark: "dark",
		board: "Board", black: "Black", white: "White", person: "Person", settings: "Engine settings",
		kind: "Player",
		level_name: n => n === 0 ? "full strength" : n === 1 ? "1 – a child’s first game" : `${n}`,
		search: "Search", threads: "Threads", budget: "Limit per move", seconds: "seconds", playouts_unit: "playouts",
		first: "First position", back: "Undo: one move back", on: "Redo: one move forward", end: "Last position",
		take: "Take back", pass: "Pass", swap: "Swap", resign: "Resign", hints: "Legal moves", how_to_play: "Rules", go: "Play for me", now: "Move now", analyse: "Analyse",
		analysis: "Analysis", analysis_empty: "Press Analyse to see yomi’s view of every move.",
		shown: "Shown", shown_chance: "win rate", shown_score: "score", shown_visits: "visits", shown_none: "nothing",
		show_line: "Line", show_tree: "Tree", move: "Move", visits: "Visits", expected: "Expected line",
		chance_of: colour => `${colour} wins`, lead_of: (colour, unit) => `${colour}, ${unit}`, record: "Moves", review: "Evaluate all moves", reviewing: "Stop",
		playouts: "Playouts", rate: "Per second", nodes: "Nodes", memory: "Tree memory", depth: "Depth", time: "Time",
		of_memory: (used, all) => `${used} of ${all} MiB`,
		proof: "Proof number", disproof: "Disproof number",
		tree: "The top of the search tree", tree_about: "Thicker branches have more visits.",
		win: "win", draw: "draw", loss: "loss", proven: what => `proven ${what}`,
		load: "Load this text", load_file: "Choose a file …", copy: "Copy", copied: "Copied", save: "Download",
		position: "Position", set_position: "Start from here",
		position_help: "X is Black, O is White, . is empty. Write the rows from the top, then the side to move.",
		letters: "Letter keys are shortcuts", seed: "Random seed (0: new each time)",
		about: "The engine runs on this machine. The page sends nothing anywhere else.",
		empty: "empty", legal: "legal move", last: "last move",
		corner: ["top left", "top right", "bottom right", "bottom left"],
		turn: (corner, clockwise) => `Turn ${corner} ${clockwise ? "clockwise" : "counter-clockwise"}`,
		to_move: colour => `${colour} to move`, thinking: colour => `${colour}: yomi is thinking`,
		must_pass: colour => `${colour} has no move and must pass`,
		may_swap: (colour, other) => `${colour} to move, or Swap: take over ${other}’s stone`,
		swapped: colour => `${colour} swaps: the stone is ${colour}’s now.`, base: n => `base ${n}`,
		choose_turn: "Now turn a quadrant: choose an arrow", choose_square: "Now choose where it goes",
		aim: square => `${square}: touch again to play`,
		played: (colour, move) => `${colour}: ${move}.`, passed: colour => `${colour} passes.`,
		turned: n => n === 1 ? "1 disc turned." : `${n} discs turned.`,
		captured: n => n === 1 ? "1 stone captured." : `${n} stones captured.`,
		won: (colour, by) => by ? `${colour} wins by ${by}` : `${colour} wins`, drawn: "A draw",
		resigned: (colour, other) => `${colour} resigns, ${other} wins`,
		not_legal: square => `${square} is not a legal move`,
		looking_back: (n, all) => `after move ${n} of ${all}`,
		graph: colour => `${colour}’s score over the game`, graph_none: "Scores appear here when yomi moves or analyses.",
		balance: (colour, percent) => `Win rate of ${colour}: ${percent}`, lead: (colour, score, unit) => `${colour}: ${score} ${unit}`,
		no_balance: "Win rate: unknown",
		connecting: "Connecting to yomi …",
		restore: "Restore the previous game", restores: (name, moves) => `(${name}, ${moves === 1 ? "1 move" : `${moves} moves`})`,
		report_of: (move, colour) => `Before move ${move}: yomi’s view of ${colour}’s moves`,
		line_before: move => `The line that yomi expected before move ${move}. Press the board to return.`,
		errors: [], other_error: message => message,
		lost: "The connection to yomi is lost. Your game is kept and continues when yomi is back. Trying again …",
		silent: "yomi has not answered for some seconds. Waiting …", refused: why => `yomi: ${why}. Trying again …`,
		key_board: "choose a square", key_play: "play on this square", key_turn: "turn a quadrant directly",
		key_escape: "take the stone back; close", arrows: "Arrows", enter: "Enter",
		rules: {
			standard: "standard", tajima: "Tajima", openspiel: "OpenSpiel", anti: "fewer discs win", freestyle: "freestyle",
			rex: "Rex: joining one's edges loses",
		},
		units: {},
		games: { tictactoe: "Tic-tac-toe", connectfour: "Connect Four", loa: "Lines of Action" },
		guides: {},
	},
	ja: {
		game: "ゲーム", size: "盤の大きさ", komi: "コミ", new_game: "新しい対局", file: "棋譜", page_settings: "設定とキー操作", close: "閉じる",
		language: "言語", theme: "配色", theme_auto: "システムに合わせる", theme_light: "明るい", theme_dark: "暗い",
		board: "盤", black: "黒", white: "白", person: "人", settings: "エンジンの設定",
		kind: "打ち手",
		level_name: n => n === 0 ? "最強" : n === 1 ? "1 – はじめての子ども" : `${n}`,
		search: "探索", threads: "スレッド", budget: "一手の制限", seconds: "秒", playouts_unit: "プレイアウト",
		first: "最初へ", back: "一手戻す", on: "一手進める", end: "最後へ",
		take: "待った", pass: "パス", swap: "スワップ", resign: "投了", hints: "合法手", how_to_play: "ルール", go: "代わりに打つ", now: "すぐ打つ", analyse: "検討",
		analysis: "検討", analysis_empty: "「検討」を押すと、yomi が各手をどう読んでいるかが表示されます。",
		shown: "表示", shown_chance: "勝率", shown_score: "点差", shown_visits: "訪問数", shown_none: "なし",
		show_line: "読み筋", show_tree: "木", move: "手", visits: "訪問数", expected: "読み筋",
		chance_of: colour => `${colour}の勝率`, lead_of: (colour, unit) => `${colour}の${unit}差`, record: "手順", review: "全手を評価", reviewing: "評価をやめる",
		playouts: "プレイアウト", rate: "毎秒", nodes: "ノード", memory: "木のメモリ", depth: "深さ", time: "時間",
		of_memory: (used, all) => `${used} / ${all} MiB`,
		proof: "証明数", disproof: "反証数",
		tree: "探索木の上部", tree_about: "太い枝ほど多く訪問されています。",
		win: "勝ち", draw: "引分", loss: "負け", proven: what => `${what}(証明済み)`,
		load: "読み込む", load_file: "ファイルを選ぶ…", copy: "コピー", copied: "コピーしました", save: "保存",
		position: "局面", set_position: "ここから始める",
		position_help: "X は黒、O は白、. は空き。上の段から順に、最後に手番を書きます。",
		letters: "文字キーを使う", seed: "乱数の種(0 は毎回別)",
		about: "ルールも思考も、すべてこのコンピューター上のエンジンによるものです。外部には何も送りません。",
		empty: "空き", legal: "打てます", last: "最後の手",
		corner: ["左上", "右上", "右下", "左下"],
		turn: (corner, clockwise) => `${corner}を${clockwise ? "時計回り" : "反時計回り"}に回す`,
		to_move: colour => `${colour}の番です`, thinking: colour => `${colour}:yomi が考えています`,
		must_pass: colour => `${colour}は打てる所がなく、パスです`,
		may_swap: (colour, other) => `${colour}の番です。「スワップ」で${other}の石を自分の石にもできます`,
		swapped: colour => `${colour}がスワップし、石は${colour}のものになりました。`, base: n => `一辺 ${n}`,
		choose_turn: "回す区画の矢印を選んでください", choose_square: "行き先を選んでください",
		aim: square => `${square}:もう一度触れると打ちます`,
		played: (colour, move) => `${colour}:${move}。`, passed: colour => `${colour}はパスしました。`,
		turned: n => `${n}個返しました。`,
		captured: n => `${n}個取りました。`,
		won: (colour, by, unit) => by ? `${colour}の${by}${unit}勝ち` : `${colour}の勝ち`, drawn: "引き分け",
		resigned: (colour, other) => `${colour}が投了、${other}の勝ち`,
		not_legal: square => `${square}には打てません`,
		looking_back: (n, all) => `${all}手中${n}手目`,
		graph: colour => `${colour}の形勢の推移`, graph_none: "エンジンの手や検討で得た評価が、ここに表示されます。",
		balance: (colour, percent) => `${colour}の勝率:${percent}`, lead: (colour, score, unit) => `${colour}:${score}${unit}`,
		no_balance: "勝率:不明",
		connecting: "yomi に接続しています…",
		restore: "前の対局に戻す", restores: (name, moves) => `(${name}、${moves}手)`,
		report_of: (move, colour) => `${move}手目の前:${colour}の手に対する yomi の読み`,
		line_before: move => `${move}手目の前の読み筋です。盤を押すと元に戻ります。`,
		errors: [
			[/^no game begins here$/, "棋譜の始まりが見つかりません"],
			[/^the game has no end$/, "棋譜が途中で切れています"],
			[/is another game$/, "別のゲームの棋譜です"],
			[/^the game is unknown/, "どのゲームの棋譜か分かりません"],
			[/^unknown game (.*)$/, "知らないゲームです:$1"],
			[/^size (.*) is (?:not that of .*|that of no game)$/, "盤の大きさ $1 が違います"],
			[/^move (\d+), (.*), is not legal$/, "$1手目の $2 は打てません"],
			[/^unexpected '(.)'$/, "余分な文字があります:$1"],
			[/^'(.*)' is not a point$/, "盤の座標ではありません:$1"],
			[/^property (.*) has no value$/, "$1 に値がありません"],
			[/^a position is set up after the first move$/, "手順の途中に局面の設定があります"],
			[/the board has the wrong number of squares$/, "マスの数が違います"],
			[/a square is X, O, '\.' or '-'$/, "マスは X、O、. で書いてください"],
			[/the side is X or O$/, "手番は X か O で書いてください"],
			[/X has as many stones as O, or one more$/, "X の数は O と同じか、一つだけ多くなければなりません"],
			[/by the number of stones it is the other side's turn$/, "石の数と手番が合いません"],
			[/already has (?:three|five) in a row$/, "手番の側がすでに一列に並べています"],
			[/there is no disc on the board$/, "盤に石がありません"],
			[/^syntax error$/, "書き方が正しくありません"],
			[/^illegal move$/, "その手は打てません"],
			[/^too many games/, "対局が多すぎます。ほかのタブの対局を閉じてください"],
			[/^too many/, "要求が多すぎます"],
		],
		other_error: message => `エンジンのエラー「${message}」`,
		lost: "yomi との接続が切れました。対局は保存されていて、接続が戻ると続けられます。再接続しています…",
		silent: "yomi からしばらく返事がありません。待っています…", refused: why => `yomi:${why}。再試行しています…`,
		key_board: "盤上を動く", key_play: "そこに打つ", key_turn: "左上から時計回りの順に、区画をすぐ回す",
		key_escape: "置いた石を取り上げる、閉じる", arrows: "矢印キー", enter: "Enter",
		rules: {
			standard: "標準", tajima: "田島", openspiel: "OpenSpiel", anti: "少ない方が勝ち", freestyle: "長連も勝ち",
			rex: "レックス（つないだ方が負け）",
		},
		units: { discs: "石", points: "目", stones: "石" },
		games: {
			othello: "オセロ", go: "囲碁", tictactoe: "三目並べ", pentago: "ペンタゴ", connectfour: "四目並べ", gomoku: "五目並べ",
			hex: "ヘックス", havannah: "ハバナ", breakthrough: "ブレイクスルー", knightthrough: "ナイトスルー",
			loa: "ラインズ・オブ・アクション",
		},
		guides: {
			"othello standard": `石は表が黒、裏が白です。黒が先に打ちます。

縦、横、斜めのどれかの向きで、相手の石を自分の石ではさむように置きます。
はさんだ石はすべて裏返します。一つも裏返せない所には打てません。

初めの局面です。黒が打てる四か所は * です。D3 は D4 の石を返します。

     A B C D E F G H
   1 . . . . . . . . 1
   2 . . . . . . . . 2
   3 . . . * . . . . 3     X  黒
   4 . . * O X . . . 4     O  白
   5 . . . X O * . . 5
   6 . . . . * . . . 6
   7 . . . . . . . . 7
   8 . . . . . . . . 8

打てる所がないときはパスします。打てるときはパスできません。
どちらも打てなくなれば終わりです。石の多い側の勝ちです。
点数は石数の差で、空きマスは勝った側に数えます。

手は列と行で書きます。左上から数えます:d3
`,
			"othello anti": `石の打ち方は普通のオセロと同じです。黒が先に打ちます。

縦、横、斜めのどれかの向きで、相手の石を自分の石ではさむように置きます。
はさんだ石はすべて裏返します。一つも裏返せない所には打てません。
打てる所がないときはパスします。打てるときはパスできません。

どちらも打てなくなれば終わりです。石の少ない側の勝ちです。
点数は石数の差で、空きマスは勝った側に数えます。
隅の石は裏返らないので、ここでは隅を取ると損です。

手は列と行で書きます。左上から数えます:d3
`,
			"tictactoe standard": `X が先に打ちます。交互に、空いたマスに印を置きます。
縦、横、斜めのどれかに三つ並べた側の勝ちです。
並ばないまま埋まれば引き分けです。

     A B C
   1 X X . 1     X の番で、C1 に打てば勝ちです。
   2 O O . 2
   3 . . . 3

手は列と行で書きます。左上から数えます:b2
`,
			"hex hex": `黒(X)が先に打ちます。交互に、空いたマスに石を一つ置きます。
石は動かせず、取られることもありません。
黒は上の辺と下の辺を、白(O)は左の辺と右の辺を、自分の石でつなげば勝ちです。
引き分けはありません。

     A B C D E
   1  . . X . .  1
    2  O O X O .  2      X は上と下をつなぎました。
     3  . X O O .  3     C2 は C1、D1、B2、D2、B3、C3 と隣り合います。
      4  . X X . .  4
       5  . . X . .  5

先手が有利なので、白の最初の手は swap-pieces にもできます。
黒の石を取り除き、長い対角線で折り返したマスに白石を置きます(B4 は D2 になります)。
次は黒の番です。

手は列と行で書きます。左上が a1 です:d3
`,
			"hex rex": `レックスは負けるが勝ちのヘックスです。黒(X)が先に打ちます。
交互に、空いたマスに石を一つ置きます。
黒は上の辺と下の辺を、白(O)は左の辺と右の辺を、自分の石でつなぐと負けです。
引き分けはありません。

白の最初の手は swap-pieces にもできます。
黒の石を取り除き、長い対角線で折り返したマスに白石を置きます(B4 は D2 になります)。

手は列と行で書きます。左上が a1 です:d3
`,
			"connectfour standard": `X が先に打ちます。交互に、七つの列のどれかへ上から石を落とします。
石はその列の一番下の空きマスに止まります。
縦、横、斜めのどれかに四つ並べた側の勝ちです。
並ばないまま埋まれば引き分けです。

     A B C D E F G
   6 . . . . . . . 6
   5 . . . . . . . 5
   4 . . . . . . . 4
   3 . . . O . . . 3     X の番で、C1 に打てば勝ちです:C1 D1 E1 F1
   2 . . . X O O . 2
   1 . . . X X X O 1

手は石が止まるマスです。左下から数えます:d1
列だけでも、その列のほかの空きマスでもかまいません:d
`,
			"gomoku freestyle": `黒(X)が先に打ちます。交互に、空いた点に石を置きます。
縦、横、斜めのどれかに五つ以上並べた側の勝ちです。
並ばないまま盤が埋まれば引き分けです。

     D E F G H J K
   9 . . . . O . . 9
   8 . . X X X . . 8     黒の番で、J8 に打てば勝ちです。四つ並び、両端の
   7 . . O . . O . 7     E8 と K8 が空くので、白は片方しか止められません。

手は列と行です。行は下から数えます。I の列はありません:h8
`,
			"gomoku standard": `黒(X)が先に打ちます。交互に、空いた点に石を置きます。
縦、横、斜めのどれかにちょうど五つ並べた側の勝ちです。六つ以上の並びは
勝ちになりません。並ばないまま盤が埋まれば引き分けです。

手は列と行です。行は下から数えます。I の列はありません:h8
`,
			"breakthrough standard": `黒(X)は下の二段、白(O)は上の二段に駒を並べます。黒が先手です。
駒は一マス前、または斜め前の空いたマスに進みます。斜め前に敵がいれば取れます。
まっすぐ前の敵は取れません。横や後ろには動けません。
いちばん奥の段に着いた側、または敵をすべて取った側の勝ちです。引き分けはありません。

     A B C D E
   5 O . O O . 5
   4 . . . . X 4     X の番で、E4D5(敵を取る)か E4E5 で勝ちです。
   3 . O . . . 3
   2 X . X . . 2
   1 X X . X . 1

手は、駒のマスと行き先のマスです。左下から数えます:d2e3
`,
			"breakthrough openspiel": `ルールはブレイクスルーと同じです。駒は一マス前か斜め前に進み、斜め前の敵だけを
取れます。いちばん奥の段に着いた側、または敵をすべて取った側の勝ちです。

手の名前は OpenSpiel のものです。一段目は上にあり、黒(X)は下の二段から
上へ進みます。敵を取る手には星が付きます。

手は、駒のマスと行き先のマスです:c5d4 e4f3*
`,
			"knightthrough standard": `黒(X)は下の二段、白(O)は上の二段に駒を並べます。黒が先手です。
駒はチェスのナイトのように、前へだけ跳びます。一段前で二列隣、または二段前で
一列隣のマスです。間の駒は飛び越え、行き先の敵を取ります。
いちばん奥の段に着いた側、または敵をすべて取った側の勝ちです。引き分けはありません。

     A B C D E
   5 O . O O . 5
   4 . O . . . 4
   3 . . . X . 3     X の番で、D3C5(敵を取る)か D3E5 で勝ちです。
   2 X . X . . 2
   1 X X . X . 1

手は、駒のマスと行き先のマスです。左下から数えます:d2e4
`,
			"loa standard": `黒(X)が先手です。駒は縦、横、斜めに、その列の全体にある両方の駒の数と
同じだけ進みます。自分の駒は飛び越えられますが、敵の駒は飛び越えられません。
行き先に敵がいれば取ります。自分の駒がすべてつながった側の勝ちです。斜めの隣も
つながりです。一つだけの駒はつながっています。両方がつながれば、動かした側の
勝ちです。動かせる駒がなければパスします。同じ手番の同じ局面が三度目に現れると
引き分けです。

     A B C D E F G H
   8 . X X X X X X . 8
   7 O . . . . . . O 7     B の列には駒が二つ:B1 は B3 へ進めます。
   6 O . . . . . . O 6     一段目には六つ:B1 は H1 へ進めます。
   5 O . . . . . . O 5     B1 から H7 への斜めには二つ:B1 は D3 へ
   4 O . . . . . . O 4     進めます。
   3 O . . . . . . O 3
   2 O . . . . . . O 2
   1 . X X X X X X . 1

手は、駒のマスと行き先のマスです。左下から数えます:b1b3
`,
			"go standard": `黒(X)が先に打ちます。交互に、空いた点に石を置くか、パスします。

線でつながった同じ色の石は一つの連です。連に接する空いた点が呼吸点です。
呼吸点のない連は取られ、盤から除かれます。相手の石を先に、それから自分の石を
調べます。自分の石の呼吸点がなくなる手は打てません。

     A B C D
   4 . X O X       白の呼吸点は B2 の一つだけです。
   3 X O O X       黒は B2 に打って、白の三子を取れます。
   2 . . X .
   1 . X . .

盤上のすべての石が、その対局で前にあったのと同じ形になる手は打てません。
たとえばコウでは、一子を取られた直後に取り返せません。

続けて二回パスすると終わりです。盤上の石はすべて生きているものと数えます。
死んだ石は、取り上げるまで打ちます。点数は、自分の石の数と、自分の石だけに
囲まれた空点の数の和です。白はコミも得ます。

手は列と行で書きます。左下から数え、I の列はありません:d4
`,
			"havannah standard": `六角形の盤に、交互に石を置きます。黒(X)が先です。石は動きません。
つながった自分の色の石で、次のどれかを先に作った側の勝ちです。

リング    一つ以上のマスを囲む輪。中は空きでも、どちらの石でもかまいません
ブリッジ  盤の六つの隅のうち、二つを結ぶ石のつながり
フォーク  盤の六つの辺のうち、三つに届く石のつながり。隅は辺に入りません

     D E F G
    1 X X . O 1
   2 . X . O . 2       一辺 4 の盤です。白は隅の G1 と D7 を結んで、
  3 . . X O . . 3      ブリッジで勝ちました。
 4 . . . O . . . 4
  5 X . . O . . G
   6 X . . O . F
    7 . . X O E
       A B C D

どれもできないまま盤が埋まれば引き分けです。
白は最初の手の代わりに、黒の最初の石を自分の石にできます(スワップ):swap-pieces

手は列と行で書きます。上から数えます:d4
`,
			"pentago standard": PENTAGO_JA + `
置いて五つ以上並べば、回さずにその場で勝ちです。回した後に五つ並んでいる側は、
相手が回したときでも勝ちです。両方が並んでいれば引き分けです。
盤が埋まれば引き分けです。
`,
			"pentago openspiel": PENTAGO_JA + `
並びは回した後にだけ数えます。五つ並んでいる側は、相手が回したときでも
勝ちです。両方が並んでいれば引き分けです。盤が埋まれば引き分けです。
`,
			"pentago tajima": PENTAGO_JA + `
並びは、置いた後と回した後に数えます。各側の数は、六つの並びの数と、
その一部でない五つの並びの数の和です。多い側の勝ちです。同じなら続けます。
同じ数のまま盤が埋まれば引き分けです。
`,
		},
	},
};
