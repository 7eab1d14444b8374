//! The option table: every option is declared here, checked, set and documented by its row.

use super::Level;
use super::option_row::{check, filename, machine_spin, row, spin, text};
use super::option_values::{HASH_RULE, THREADS_RULE, default_hash_mb, default_threads};
use super::{BookOptions, EvalOptions, MateOptions, MateUnit, OptionError, OptionKind, OptionRow, Options};
use crate::eval::EvalType;
use crate::machine::{MATE_HASH_MB, MAX_THREADS};
use crate::search::{Resources, Settings};
use crate::table::Policy;
use sabi_books::Selection;
use sabi_shogi::{EnteringKingRule, MAX_PLY, NonPromotions, excerpt};

/// A combo option: the default, the names of an enum's values, and the setter.
macro_rules! combo {
    ($default:literal, $enum:ident { $($name:literal => $value:ident),+ $(,)? }, $set:expr) => {
        OptionKind::Combo {
            default: $default,
            choices: &[$(($name, |options| {
                let set: fn(&mut Options, $enum) = $set;
                set(options, $enum::$value)
            })),+],
        }
    };
}

/// The options shown to users: first what a player changes, by subject, then what experiments need.
const ROWS: &[OptionRow] = &[
    row(
        "Threads",
        machine_spin(default_threads, THREADS_RULE, 1..=MAX_THREADS, |o, n| o.resources.threads = size(n)),
        "Search threads, usefully up to the number of processor cores. With one thread the search is deterministic.",
        "探索スレッド数。CPU のコア数までが有効。1 なら探索結果は毎回同じになる。",
    ),
    row(
        "USI_Hash",
        machine_spin(default_hash_mb, HASH_RULE, 1..=1 << 20, |o, mb| o.resources.hash_mb = size(mb)),
        "Size of the transposition table in MB; on Linux up to 2 MB more, for huge pages. Applied by the next \
         `isready` or `go`; if the allocation fails, the old table is kept, or at the start a smaller one used.",
        "置換表の大きさ（MB）。Linux ではラージページのために最大 2MB 増えることがある。\
         次の `isready` か `go` で確保する。確保に失敗したときは今までの置換表を使い続け、\
         起動直後ならより小さいものを使う。",
    ),
    row("USI_OwnBook", check(true, |o, yes| o.book.own_book = yes), "Play book moves.", "定跡の手を指す。"),
    row(
        "BookFile",
        filename(|o, name| o.book.file = name.to_owned()),
        "Opening book: SHOB, YaneuraOu `.db` or `.ybb`, Apery `.bin`, `.sbk`, or JSON, recognised by content. A \
         relative name is looked up in the engine's folder, then in the working folder. Empty: the embedded book. \
         `no_book`: none. A book in use may be replaced by another file, but not modified in place; `isready` opens \
         the new one.",
        "定跡ファイル。SHOB、やねうら王の `.db` と `.ybb`、Apery の `.bin`、`.sbk`、JSON を中身から判別する。\
         相対パスはエンジンのフォルダ、次に作業フォルダで探す。空なら内蔵の定跡。`no_book` なら定跡なし。\
         使用中の定跡は別のファイルに置き換えてよいが、中身を書き換えてはならない。\
         `isready` で新しいファイルを開く。",
    ),
    row(
        "Level",
        spin(0, 0..=Level::HIGHEST as i64, set_level),
        "Playing strength from 1 (beginner) to 20: a short search, and a random choice among moves not much worse \
         than the best. Each level scores about two thirds against the one below. `go infinite` is not affected. 0: \
         full strength.",
        "強さ。1（初心者）から 20 まで。短い探索をして、最善手と大差のない手から無作為に選ぶ。\
         1 段階下のレベルにおよそ 3 回に 2 回勝つ。`go infinite`（検討）には影響しない。0 なら全力。",
    ),
    row(
        "MultiPV",
        spin(1, 1..=600, |o, n| o.search.multi_pv = size(n)),
        "Number of best lines to search and show. More than one weakens play. The lines of book moves are all shown.",
        "探索して表示する候補手の数。2 以上では棋力が落ちる。定跡の候補手は常にすべて表示する。",
    ),
    row(
        "USI_Ponder",
        check(false, |o, yes| o.ponder = yes),
        "Whether the engine may ponder. The GUI starts pondering with `go ponder`.",
        "先読み（相手番での思考）を許すか。先読みは GUI が `go ponder` で始める。",
    ),
    row(
        "Stochastic_Ponder",
        check(false, |o, yes| o.stochastic_ponder = yes),
        "Ponder on all moves of the opponent instead of the reply to the expected one. The GUI sends the same \
         commands.",
        "先読みで、予想した相手の手ではなく相手のすべての手を考える。GUI の送るコマンドは変わらない。",
    ),
    row(
        "NetworkDelay",
        spin(120, 0..=60_000, |o, ms| o.search.time.network_delay = count(ms)),
        "Milliseconds reserved per move for network latency: before the end of the time and, at most 500 of them, \
         before the end of a full second.",
        "通信の遅れに備えて 1 手ごとに残す時間（ミリ秒）。持ち時間や秒読みが切れる前に残す。\
         秒の切り替わりの前にも、最大 500 ミリ秒まで残す。",
    ),
    row(
        "NetworkDelay2",
        spin(1120, 0..=60_000, |o, ms| o.search.time.network_delay2 = count(ms)),
        "Maximum milliseconds reserved where being late loses the game: at most a tenth of the time left for the \
         move, and at least `NetworkDelay`, up to a quarter of it.",
        "時間切れ負けになる場面で残す時間の上限（ミリ秒）。残すのはその手に使える時間の 10 分の 1 まで。\
         ただしその時間の 4 分の 1 までなら、少なくとも `NetworkDelay` を残す。",
    ),
    row(
        "MinimumThinkingTime",
        spin(2000, 0..=100_000, |o, ms| o.search.time.minimum = count(ms)),
        "Minimum milliseconds per move, `NetworkDelay` included, where the clock allows it; not for a book move or a \
         mate, nor, without `RoundUpToFullSecond`, for a single legal move, nor with a limit of depth or nodes, or a \
         `Level`.",
        "1 手の最小思考時間（ミリ秒）。`NetworkDelay` を含み、持ち時間が許す限り守る。\
         定跡の手と詰みの手には適用しない。`RoundUpToFullSecond` がなければ合法手が 1 つだけのときにも、\
         また深さやノード数の制限があるときと `Level` を使うときにも適用しない。",
    ),
    row(
        "SlowMover",
        spin(100, 1..=1000, |o, percent| o.search.time.slow_mover = count(percent)),
        "Percentage of the usual time per move to use.",
        "1 手に使う時間の割合（%）。100 が標準。",
    ),
    row(
        "RoundUpToFullSecond",
        check(false, |o, yes| o.search.time.round_up = yes),
        "Round thinking time up to the full second. For clocks that drop fractions of a second, such as those of \
         floodgate and other CSA servers; elsewhere it wastes time.",
        "思考時間を秒単位に切り上げる。\
         floodgate などの CSA サーバーのように 1 秒未満を切り捨てる対局時計のためのもの。\
         それ以外では時間の無駄になる。",
    ),
    row(
        "EvalFile",
        filename(|o, name| o.eval.file = name.to_owned()),
        "Evaluation file: a network (`nn.bin`: HalfKP, HalfKA, K+P, SFNN and others) or weights in JSON, recognised \
         by content. A relative name is looked up in the engine's folder, then in the working folder. Loaded by \
         `isready`, and by `go` after a change; a new evaluation clears tables and histories. On error the current \
         evaluation is kept. Empty: `nn.bin` in `EvalDir`, else the embedded one (`EvalType`).",
        "評価関数ファイル。ニューラルネットワーク（`nn.bin`。HalfKP、HalfKA、K+P、SFNN など）か JSON の重みで、\
         中身から判別する。相対パスはエンジンのフォルダ、次に作業フォルダで探す。`isready` で、\
         変更後は `go` でも読み込む。評価関数が変わると置換表と履歴を消去する。\
         読み込めないときは今の評価関数のまま。空なら `EvalDir` の `nn.bin`、なければ内蔵のもの（`EvalType`）。",
    ),
    row(
        "EvalDir",
        text(|o, name| o.eval.folder = name.to_owned()),
        "Folder of a relative `EvalFile`; without `EvalFile` its `nn.bin` is used.",
        "相対パスの `EvalFile` を探すフォルダ。`EvalFile` が空ならここの `nn.bin` を使う。",
    ),
    row(
        "EvalType",
        combo!("network", EvalType { "network" => Network, "hand" => HandCrafted }, |o, value| o.eval.which = value),
        "Embedded evaluation, if no file is given: the network, or the weaker hand-crafted one with readable terms \
         (`eval`).",
        "評価関数ファイルを指定しないときに使う内蔵の評価関数。ニューラルネットワークか、\
         項目を読める（`eval`）が弱い手作りの評価関数。",
    ),
    row(
        "FV_SCALE",
        spin(0, 0..=128, |o, n| o.eval.scale = i32::try_from(n).ok().filter(|&n| n > 0)),
        "Divisor of the output of the network `EvalFile`: larger values give smaller scores. 0: the value in \
         `eval_options.txt` next to the network, such as `FV_SCALE=24`, else measured, so that the search margins fit \
         networks with any output size.",
        "ネットワーク `EvalFile` の出力を割る値。大きいほど評価値は小さくなる。0 なら、\
         ネットワークと同じフォルダの `eval_options.txt` の値（`FV_SCALE=24` など）。それもなければ測定して、\
         どんな出力のネットワークにも探索の枝刈りの幅が合うようにする。",
    ),
    row(
        "EnteringKingRule",
        combo!("CSARule27", EnteringKingRule {
            "NoEnteringKing" => None,
            "CSARule24" => Points24,
            "CSARule24H" => Points24Handicap,
            "CSARule27" => Points27,
            "CSARule27H" => Points27Handicap,
            "TryRule" => Try,
        }, |o, value| o.search.entering_king = value),
        "How an entering king wins: by declaration under the 24 or 27 point rule (H: pieces missing in a handicap \
         game count for the giver), or by reaching the enemy king's start square.",
        "入玉のルール。24 点法または 27 点法による入玉宣言（H は、駒落ちで上手の落とした駒を点数に数えるもの）、\
         あるいは敵玉の初期位置に玉が達すると勝ちになるトライルール。`NoEnteringKing` は入玉による勝ちなし。",
    ),
    row(
        "MaxMovesToDraw",
        spin(0, 0..=100_000, |o, n| o.search.max_moves = limit(n)),
        "The game is a draw after this many moves; the last of them may still mate. 0: no limit.",
        "この手数に達したら引き分けとする。最後の手で詰ませるのは有効。0 なら制限なし。",
    ),
    row(
        "ResignValue",
        spin(NEVER_RESIGN, 1..=NEVER_RESIGN, set_resign),
        "Resign when behind by this many centipawns. 99999: only when mated.",
        "評価値（歩 1 枚が 100）がこの値だけ不利になったら投了する。99999 なら詰まされるまで投了しない。",
    ),
    row(
        "DrawValueBlack",
        spin(-2, -10_000..=10_000, |o, cp| o.search.draw_value[0] = cp as i32),
        "Value of a draw in centipawns when the engine plays Black.",
        "エンジンが先手のときの引き分け（千日手など）の評価値（歩 1 枚が 100）。",
    ),
    row(
        "DrawValueWhite",
        spin(-2, -10_000..=10_000, |o, cp| o.search.draw_value[1] = cp as i32),
        "Value of a draw in centipawns when the engine plays White.",
        "エンジンが後手のときの引き分け（千日手など）の評価値（歩 1 枚が 100）。",
    ),
    row(
        "BookDir",
        text(|o, name| o.book.folder = name.to_owned()),
        "Folder of a relative `BookFile`. Empty: also the folder `book` in either of its places.",
        "相対パスの `BookFile` を探すフォルダ。空なら、\
         エンジンのフォルダと作業フォルダの中の `book` フォルダでも探す。",
    ),
    row(
        "BookMoves",
        spin(60, 0..=10_000, |o, n| o.book.criteria.last_ply = unsigned(n)),
        "Last ply of the game played from the book.",
        "定跡を使う手数。対局のこの手数目までは定跡の手を指す。",
    ),
    row(
        "BookSelection",
        combo!("weighted", Selection {
            "best" => Best,
            "weighted" => Weighted,
            "uniform" => Uniform,
        }, |o, value| o.book.criteria.selection = value),
        "Choice among book moves: highest expected score, random by weight, or uniformly random. The expected score \
         is the search score, or the win rate with 30 draws added, or the mean of both. `weighted` is uniform in a \
         YaneuraOu or Apery book without `ConsiderBookMoveCount`.",
        "定跡の手の選び方。期待勝率が最も高い手（`best`）、重みに比例した抽選（`weighted`）、\
         等確率の抽選（`uniform`）。期待勝率は、探索の評価値によるもの、引き分け 30 局を加えた勝率、\
         または両者の平均。やねうら王と Apery の定跡では、\
         `ConsiderBookMoveCount` がなければ `weighted` も等確率になる。",
    ),
    row(
        "ConsiderBookMoveCount",
        check(false, |o, yes| o.book.by_count = yes),
        "Whether the counts of a YaneuraOu or Apery book are its weights for `BookSelection` `weighted`. Other books \
         have weights anyway.",
        "やねうら王と Apery の定跡で、`BookSelection` が `weighted` のとき採択回数を重みとして使う。\
         ほかの定跡では常に重みを使う。",
    ),
    row(
        "BookEvalDiff",
        spin(30, 0..=99_999, |o, cp| o.book.criteria.max_loss = cp as i32),
        "Maximum loss in centipawns of a book move: in a YaneuraOu or Apery book against the one with the largest \
         count, then score; in others against the best one that the other limits allow, where the book has scores.",
        "定跡の手の評価値の差の上限（歩 1 枚が 100）。\
         やねうら王と Apery の定跡では採択回数（同数なら評価値）が最も大きい手との差、\
         ほかの定跡ではほかの条件を満たす手のうち評価値が最も高い手との差。差がこれを超える手は指さない。",
    ),
    row(
        "BookEvalBlackLimit",
        spin(0, -99_999..=99_999, |o, cp| o.book.criteria.min_score[0] = cp as i32),
        "Minimum score in centipawns of a book move for Black. An unknown score is 0 in a YaneuraOu or Apery book; in \
         others it passes.",
        "先手番で指す定跡の手の評価値の下限（歩 1 枚が 100）。評価値のない手は、\
         やねうら王と Apery の定跡では 0 とみなし、ほかの定跡では除外しない。",
    ),
    row(
        "BookEvalWhiteLimit",
        spin(-140, -99_999..=99_999, |o, cp| o.book.criteria.min_score[1] = cp as i32),
        "Minimum score in centipawns of a book move for White, as for Black.",
        "後手番で指す定跡の手の評価値の下限（歩 1 枚が 100）。評価値のない手は先手番と同じ扱い。",
    ),
    row(
        "BookDepthLimit",
        spin(0, 0..=99_999, |o, plies| o.book.criteria.min_depth = u16::try_from(plies).unwrap_or(u16::MAX)),
        "Minimum search depth: in a YaneuraOu or Apery book that of the move with the largest count, then score, else \
         no move of the position is played; in others that of each move, where the book has depths. 0: no limit.",
        "定跡の手の探索深さの下限。\
         やねうら王と Apery の定跡では採択回数（同数なら評価値）が最も大きい手の深さを調べ、\
         足りなければその局面の手はどれも指さない。ほかの定跡では深さのある手を 1 手ずつ調べる。0 なら制限なし。",
    ),
    row(
        "BookMinShare",
        spin(10, 0..=100, |o, percent| o.book.criteria.min_share = unsigned(percent)),
        "Minimum weight of a book move in percent of the largest, not in YaneuraOu and Apery books.",
        "定跡の手の重みの下限。最も重い手に対する割合（%）。やねうら王と Apery の定跡には適用しない。",
    ),
    row(
        "BookMinGames",
        spin(1, 0..=1_000_000, |o, n| o.book.criteria.min_games = unsigned(n)),
        "Minimum number of games of a book move, where the book has numbers of games; counts of YaneuraOu and Apery \
         books are not.",
        "定跡の手の対局数の下限。対局数のある定跡だけに適用する。\
         やねうら王と Apery の定跡の採択回数は対局数とはみなさない。",
    ),
    row(
        "NarrowBook",
        check(false, |o, yes| o.book.criteria.narrow = yes),
        "Skip book moves with less than a tenth of the weights of all.",
        "その局面の重みの合計の 10 分の 1 に満たない定跡の手を指さない。",
    ),
    row(
        "BookIgnoreRate",
        spin(0, 0..=100, |o, percent| o.book.ignore_rate = unsigned(percent)),
        "Percentage of book positions, chosen at random, that are searched instead.",
        "定跡に載っている局面で、定跡を使わずに探索する確率（%）。",
    ),
    row(
        "IgnoreBookPly",
        check(true, |o, yes| o.book.ignore_ply = yes),
        "Match book positions with any move number. Only YaneuraOu books have move numbers.",
        "定跡の局面を手数に関係なく一致させる。手数があるのはやねうら王の定跡だけ。",
    ),
    row(
        "FlippedBook",
        check(true, |o, yes| o.book.flipped = yes),
        "Also look up the rotated position with the sides exchanged.",
        "先後を入れ替えて盤を 180 度回した局面でも定跡を引く。",
    ),
    row(
        "BookOnTheFly",
        check(false, |o, yes| o.book.on_the_fly = yes),
        "Search a sorted `.db` on disk instead of loading it, for books of gigabytes.",
        "ソート済みの `.db` をメモリに読み込まず、ディスク上で検索する。数 GB の定跡向け。",
    ),
    row(
        "BookPvMoves",
        spin(8, 1..=MAX_PLY as i64, |o, plies| o.book.line_plies = size(plies)),
        "Maximum PV length of a book move.",
        "定跡の手の読み筋を表示する手数の上限。",
    ),
    row(
        "BookLearning",
        check(false, |o, yes| o.book.learning = yes),
        "At `gameover`, append the game up to its last book move, with the result, to the learning file next to the \
         book (`.learn` added to its name), for `book_tools learn`.",
        "`gameover` のとき、最後の定跡の手までの棋譜を結果とともに、\
         定跡と同じフォルダの学習ファイル（定跡の名前に `.learn` を付けたもの）に追記する。\
         `book_tools learn` で使う。",
    ),
    row(
        "ConsiderationMode",
        check(false, |o, yes| o.search.consideration = yes),
        "For analysis: extend the PV from the transposition table, and output no bounds.",
        "検討向け。読み筋を置換表から延ばし、上界・下界の評価値を出力しない。",
    ),
    row(
        "PvInterval",
        spin(300, 0..=100_000, |o, ms| o.search.report_interval = count(ms)),
        "Minimum milliseconds between two PV outputs. 0: output everything.",
        "読み筋を出力する間隔の最小値（ミリ秒）。0 ならすべて出力する。",
    ),
    row(
        "OutputFailLHPV",
        check(true, |o, yes| o.search.report_bounds = yes.then_some(Settings::BOUNDS_AFTER)),
        "Output the PV on fail high and fail low (`lowerbound`, `upperbound`), from three seconds on and with \
         `MultiPV` 1.",
        "fail high、fail low のときにも読み筋を出力する（`lowerbound`、`upperbound`）。3 秒後から、\
         `MultiPV` が 1 のときだけ。",
    ),
    row(
        "DepthLimit",
        spin(0, 0..=MAX_PLY as i64, |o, plies| o.depth_limit = limit(plies)),
        "Maximum search depth. 0: no limit.",
        "探索の深さの上限。0 なら制限なし。",
    ),
    row(
        "NodesLimit",
        spin(0, 0..=1_000_000_000_000, |o, n| o.nodes_limit = Some(count(n)).filter(|&n| n > 0)),
        "Maximum number of nodes, as in `go nodes`: the first iteration is finished, within 10,000 nodes. 0: no limit.",
        "探索ノード数の上限。`go nodes` と同じく、最初の反復は 10,000 ノード以内なら最後まで行う。0 なら制限なし。",
    ),
    row(
        "GenerateAllLegalMoves",
        check(false, set_non_promotions),
        "Also search non-promotions, which are rarely better. For mate problems; costs strength.",
        "めったに得のない不成も探索する。詰将棋向け。棋力は落ちる。",
    ),
    row(
        "MateHash",
        spin(MATE_HASH_MB, 1..=1 << 20, |o, mb| o.mate.hash_mb = size(mb)),
        "Memory of `go mate` in MB, allocated by the next `go mate`.",
        "`go mate` で使うメモリの大きさ（MB）。次の `go mate` で確保する。",
    ),
    row(
        "MateShortest",
        check(true, |o, yes| o.mate.shortest = yes),
        "`go mate` searches for the shortest mate. Otherwise it returns the first mate found.",
        "`go mate` で最短の詰みを探す。`false` なら最初に見つけた詰みを返す。",
    ),
    row(
        "MateLimitUnit",
        combo!("milliseconds", MateUnit { "milliseconds" => Milliseconds, "plies" => Plies }, |o, value| o.mate.unit = value),
        "Unit of the number in `go mate N`: time, as in the protocol, or the mate length, as sent by some clients.",
        "`go mate N` の数値の単位。プロトコルどおりの時間か、一部のクライアントが送る詰みの手数。",
    ),
    row(
        "Clear_Hash",
        OptionKind::Button { press: |o| o.clear_hash_count = o.clear_hash_count.wrapping_add(1) },
        "Clear tables and histories, at once or after the running search.",
        "置換表と履歴を消去する。探索中なら探索が終わってから。",
    ),
    row(
        "DebugLogFile",
        filename(|o, name| o.debug_log = name.to_owned()),
        "Log file to which all input, output and internal messages are appended, with timestamps. A relative name is \
         looked up in the engine's folder, then in the working folder. Only an empty file or an older log is \
         continued. Empty: no log.",
        "すべての入出力と内部メッセージを時刻付きで追記するログファイル。相対パスはエンジンのフォルダ、\
         次に作業フォルダで探す。空のファイルか以前のログにだけ追記する。空ならログなし。",
    ),
    row(
        "BookPrefill",
        check(false, |o, yes| o.book.prefill = yes),
        "Before a search, store book lines near the position in the transposition table, as move ordering hints; not \
         limited by `BookMoves`.",
        "探索の前に、その局面に近い定跡の手順を置換表に入れ、指し手の並べ替えの手掛かりにする。\
         `BookMoves` の制限は受けない。",
    ),
    row(
        "HashPolicy",
        combo!("depth-and-age", Policy {
            "always" => Always,
            "depth-preferred" => DepthPreferred,
            "age-based" => AgeBased,
            "depth-and-age" => DepthAndAge,
            "exact-preferred" => ExactPreferred,
        }, |o, value| o.resources.hash_policy = value),
        "Replacement policy of the transposition table: any entry, the shallowest, the oldest, by depth and age, or \
         that with exact scores preferred. A change keeps the entries.",
        "置換表の置き換え方。常に置き換える、浅いものから、古いものから、深さと古さから、または正確な評価値を残す。\
         変更しても中身は残る。",
    ),
    row(
        "HashLevel2",
        spin(0, 0..=1 << 20, |o, mb| o.resources.second_mb = size(mb)),
        "Size in MB of a second table level for replaced entries in compact form. 0: none.",
        "置換表から追い出されたエントリーを縮めて残す 2 段目の表の大きさ（MB）。0 ならなし。",
    ),
    row(
        "EvalHash",
        spin(0, 0..=1 << 20, |o, mb| o.resources.eval_mb = size(mb)),
        "Size in MB of the evaluation cache. It affects only the speed; docs/hash.md says when it helps. 0: none.",
        "評価値のキャッシュの大きさ（MB）。速度だけに影響する。効果のある場合は docs/hash.md にある。0 ならなし。",
    ),
    row(
        "EvalHashPolicy",
        combo!("depth-preferred", Policy {
            "always" => Always,
            "depth-preferred" => DepthPreferred,
            "aging" => AgeBased,
            "two-tier" => TwoTier,
        }, |o, value| o.resources.eval_policy = value),
        "Replacement policy of the evaluation cache: any entry, that of the shallowest node, the oldest, or two-tier: \
         some slots by depth, the others always.",
        "評価値のキャッシュの置き換え方。常に置き換える、浅いノードのものから、古いものから、\
         または 2 段（一部は深さで、残りは常に）。",
    ),
    row(
        "TableStats",
        check(false, |o, yes| o.search.statistics = yes),
        "Collect table statistics, output as `info string` after each search.",
        "置換表の統計をとり、探索のたびに `info string` で出力する。",
    ),
    row(
        "BookSeed",
        spin(0, 0..=1_000_000_000, |o, n| o.book.seed = Some(count(n)).filter(|&n| n > 0)),
        "Random seed of the book choice and of `Level`, from the start of the engine or a change of this option on, \
         for reproducible games. 0: another seed at each start.",
        "定跡の選択と `Level` に使う乱数の種。エンジンの起動か、この値の変更から有効で、同じ対局を再現できる。\
         0 なら起動のたびに変わる。",
    ),
];

/// Below every score.
const NEVER_RESIGN: i64 = 99_999;

fn set_level(options: &mut Options, number: i64) {
    options.level = u8::try_from(number).ok().and_then(Level::new);
}

fn set_resign(options: &mut Options, cp: i64) {
    options.resign = if cp < NEVER_RESIGN { i32::try_from(cp).ok() } else { None };
}

fn set_non_promotions(options: &mut Options, all: bool) {
    options.search.non_promotions = if all { NonPromotions::All } else { NonPromotions::Sensible };
}

fn count(number: i64) -> u64 {
    number.max(0).unsigned_abs()
}

fn size(number: i64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

fn unsigned(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

/// A limit where 0 means none.
fn limit(number: i64) -> Option<u32> {
    Some(unsigned(number)).filter(|&number| number > 0)
}

/// The options shown to users, in order of declaration.
pub fn options() -> impl Iterator<Item = &'static OptionRow> {
    ROWS.iter()
}

/// All options of this build: with the feature `tune` also the search parameters.
pub fn rows() -> impl Iterator<Item = &'static OptionRow> {
    #[cfg(not(feature = "tune"))]
    let tunables = std::iter::empty();
    #[cfg(feature = "tune")]
    let tunables = {
        static ROWS: std::sync::LazyLock<Vec<OptionRow>> = std::sync::LazyLock::new(|| {
            crate::search::TUNABLES.iter().map(|tunable| row(tunable.name, OptionKind::Tune(tunable), "", "")).collect()
        });
        ROWS.iter()
    };
    options().chain(tunables)
}

/// The row of an option. Names are case-insensitive.
///
/// # Errors
/// When it does not exist.
pub fn find(name: &str) -> Result<&'static OptionRow, OptionError> {
    rows().find(|row| row.name.eq_ignore_ascii_case(name)).ok_or_else(|| OptionError::Unknown(excerpt(name)))
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            resources: Resources::new(1, 1),
            clear_hash_count: 0,
            ponder: false,
            stochastic_ponder: false,
            level: None,
            resign: None,
            depth_limit: None,
            nodes_limit: None,
            mate: MateOptions::default(),
            debug_log: String::new(),
            debug: false,
            eval: EvalOptions::default(),
            book: BookOptions::default(),
            search: Settings::default(),
        };
        // A test sets every default: they are valid.
        for row in self::options().filter(|row| !matches!(row.kind, OptionKind::Button { .. })) {
            let _ = row.apply(&mut options, row.kind.default_text().as_deref());
        }
        options
    }
}

impl Options {
    /// These options with one of them set. Names are case-insensitive.
    ///
    /// # Errors
    /// When the option does not exist or the value is invalid.
    pub fn with(&self, name: &str, value: Option<&str>) -> Result<Self, OptionError> {
        let row = find(name)?;
        let mut next = self.clone();
        row.apply(&mut next, value)?;
        Ok(next)
    }
}

const HEAD: &str = "\
# Options

Set an option with `setoption name NAME value VALUE`; names are matched without case. An option may be set at any time, also
during a search: it takes effect at the next `go` (`DebugLogFile`: at once; `Clear_Hash`: at once or after the running search).
`getoption NAME` shows the current value, `getoption` all. This page is rendered from the engine's own table by `sabi options`
([in Japanese](usi_options.ja.md) with `--lang ja`).

| Name | Type | Default | Values | What it does |
|---|---|---|---|---|
";

const JAPANESE_HEAD: &str = "\
# オプション

オプションは `setoption name 名前 value 値` で設定します（名前の大文字・小文字は区別しません）。いつ設定してもよく、探索中なら次の `go`
から有効になります（`DebugLogFile` は直ちに、`Clear_Hash` は直ちにまたは探索が終わってから）。`getoption 名前` で現在の値を、`getoption`
ですべての値を表示します。このページは `sabi options --lang ja` がエンジンの表から書き出したものです（[英語版](usi_options.md)）。

| 名前 | 型 | 既定値 | 値 | 説明 |
|---|---|---|---|---|
";

/// `usi_options.md` or, in Japanese, `usi_options.ja.md`.
pub fn options_page(japanese: bool) -> String {
    let head = if japanese { JAPANESE_HEAD } else { HEAD };
    let lines = options().map(|row| row.page_line(japanese));
    std::iter::once(head.to_owned()).chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn parses_buttons_and_strings() {
        let options = Options::default();
        for (value, presses) in [(None, 1), (Some(""), 1)] {
            let pressed = options.with("Clear_Hash", value).unwrap();
            assert_eq!(pressed.clear_hash_count, options.clear_hash_count + presses);
        }
        let rejected = OptionError::ButtonValue { name: "Clear_Hash", value: "x".to_owned() };
        assert_eq!(options.with("Clear_Hash", Some("x")), Err(rejected));
        let options = options.with("BookDir", Some("a  b")).unwrap();
        assert_eq!(options.book.folder, "a  b");
        assert_eq!(options.with("BookDir", Some("<empty>")).unwrap().book.folder, "");
        let rejected = OptionError::NoValue { name: "BookDir", valid: "a text".to_owned() };
        assert_eq!(options.with("BookDir", None), Err(rejected));
    }

    #[test]
    fn option_rows_are_valid() {
        let mut names = HashSet::new();
        for row in options() {
            assert!(names.insert(row.name.to_lowercase()), "{} twice", row.name);
            assert!(!row.name.contains(' ') && row.name.is_ascii());
            assert!(row.english.ends_with('.') && row.english.is_ascii(), "{}", row.name);
            let is_japanese = row.japanese.ends_with('。') && !row.japanese.contains(['(', ')']);
            assert!(is_japanese, "{}", row.name);
            match row.kind {
                OptionKind::Spin { default, min, max, .. } => assert!((min..=max).contains(&default), "{}", row.name),
                OptionKind::MachineSpin { default, min, max, .. } => {
                    assert!((min..=max).contains(&default()), "{}", row.name);
                }
                OptionKind::Combo { default, choices } => {
                    assert!(choices.iter().any(|&(name, _)| name == default), "{}", row.name);
                    assert!(choices.iter().all(|(name, _)| !name.contains(' ')), "{}", row.name);
                }
                _ => {}
            }
        }
    }

    #[test]
    fn defaults_equal_search_defaults() {
        assert_eq!(Options::default().search, Settings::default());
        let default = Options::default().resources;
        assert_eq!(default, Resources::new(default.hash_mb, default.threads));
    }

    #[test]
    fn every_option_has_effect_and_default() {
        let default = Options::default();
        for row in options() {
            let other = match row.kind {
                OptionKind::Check { default, .. } => (!default).to_string(),
                OptionKind::Spin { default, min, max, .. } => {
                    if default == max { min } else { default + 1 }.to_string()
                }
                OptionKind::MachineSpin { default, .. } => (default() + 1).to_string(),
                OptionKind::Combo { default, choices } => {
                    choices.iter().find(|&&(name, _)| name != default).expect("a choice").0.to_owned()
                }
                OptionKind::Text { .. } | OptionKind::Filename { .. } => "a b".to_owned(),
                OptionKind::Button { .. } => continue,
                #[cfg(feature = "tune")]
                OptionKind::Tune(_) => continue,
            };
            let changed = default.with(&row.name.to_uppercase(), Some(&other)).unwrap();
            assert_ne!(changed, default, "{} does nothing", row.name);
            assert_eq!(changed.with(row.name, row.kind.default_text().as_deref()), Ok(default.clone()), "{}", row.name);
        }
    }

    #[test]
    fn everyday_options_are_first_and_experimental_ones_last() {
        let names: Vec<_> = options().map(|row| row.name).collect();
        let first = ["Threads", "USI_Hash", "USI_OwnBook", "BookFile", "Level", "MultiPV", "USI_Ponder"];
        assert_eq!(names[..first.len()], first);
        let last = &names[names.len() - 7..];
        assert_eq!(
            last,
            ["BookPrefill", "HashPolicy", "HashLevel2", "EvalHash", "EvalHashPolicy", "TableStats", "BookSeed"]
        );
    }

    #[test]
    fn rejects_invalid_values() {
        let options = Options::default();
        assert_eq!(options.with("NoSuch", Some("1")), Err(OptionError::Unknown("NoSuch".to_owned())));
        for (name, value) in
            [("Threads", "0"), ("Threads", "513"), ("Threads", ""), ("USI_Ponder", "maybe"), ("EnteringKingRule", "28")]
        {
            assert!(matches!(options.with(name, Some(value)), Err(OptionError::Value { .. })), "{name} {value}");
        }
        assert_eq!(
            options.with("MultiPV", None),
            Err(OptionError::NoValue { name: "MultiPV", valid: "1 to 600".to_owned() })
        );
        let message = |value| options.with("Clear_Hash", value).map_err(|error| error.to_string());
        assert_eq!(message(Some("now")), Err("Clear_Hash takes no value, not 'now'".to_owned()));
    }

    #[test]
    fn special_numbers_mean_none() {
        let options = Options::default();
        assert_eq!(
            (options.resign, options.depth_limit, options.nodes_limit, options.search.max_moves),
            (None, None, None, None)
        );
        let options = options.with("ResignValue", Some("1500")).unwrap().with("MaxMovesToDraw", Some("256")).unwrap();
        assert_eq!((options.resign, options.search.max_moves), (Some(1500), Some(256)));
    }
}
