//! `setoption`: declaration, errors, and when a value takes effect.

use super::client::{Client, STOP_LIMIT, TIMEOUT, ms};
use super::grammar::{Kind, OptionLine};
use super::multipv::assert_blocks;
use super::positions::{BUSY, MATE_IN_ONE};
use super::rules::Board;

/// Name, type, default and values of the options, as documented.
fn documented() -> Vec<[&'static str; 4]> {
    let rows = include_str!("../../../usi_options.md").lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let mut cells = row.split('|').map(|cell| cell.trim_matches([' ', '`']));
        std::array::from_fn(|_| cells.next().expect("a cell"))
    })
    .collect()
}

/// The value a GUI sends for an untouched option.
fn default_of(option: &OptionLine) -> &str {
    if option.default == "<empty>" { "" } else { &option.default }
}

fn declared(engine: &mut Client, name: &str) -> OptionLine {
    let found = engine.options().into_iter().find(|option| option.name == name);
    found.unwrap_or_else(|| panic!("{name} is not declared"))
}

#[test]
fn options_are_declared_as_documented() {
    let (declared, documented) = (Client::spawn().options(), documented());
    // With the feature `tune` the constants of the search follow.
    assert!(declared.len() == documented.len() || cfg!(feature = "tune") && declared.len() > documented.len());
    for (option, [name, kind, default, values]) in declared.iter().zip(documented) {
        let (declared_kind, declared_values) = match &option.kind {
            Kind::Check => ("check", "true or false".to_owned()),
            Kind::Spin { min, max } => ("spin", format!("{min} to {max}")),
            Kind::Combo(vars) => ("combo", vars.join("` `")),
            Kind::Button => ("button", String::new()),
            Kind::Text => ("string", "a text".to_owned()),
            Kind::Filename => ("filename", "a file name".to_owned()),
        };
        assert_eq!([&*option.name, declared_kind, &*declared_values], [name, kind, values]);
        // Where the default depends on the machine, it is described in words.
        assert!(["USI_Hash", "Threads"].contains(&name) || option.default == default, "{name}: {}", option.default);
    }
}

/// Japanese text for the same options.
#[test]
fn options_are_documented_in_japanese() {
    let english = include_str!("../../../usi_options.md").lines().filter(|line| line.starts_with("| `"));
    let japanese = include_str!("../../../usi_options.ja.md").lines().filter(|line| line.starts_with("| `"));
    let cells = |line: &'static str| line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
    let pairs: Vec<_> = english.map(cells).zip(japanese.map(cells)).collect();
    assert_eq!(pairs.len(), documented().len());
    for (english, japanese) in pairs {
        assert_eq!(english[..2], japanese[..2], "name and type");
        assert!(!japanese[4].is_ascii() && english[4].is_ascii(), "{}", english[0]);
    }
}

#[test]
fn getoption_shows_values_as_yaneuraou_does() {
    let mut engine = Client::spawn();
    let names: Vec<_> = engine.options().into_iter().map(|option| option.name).collect();
    let width = names.iter().map(String::len).max().expect("options");
    let line = |name: &str, value: &str| format!("{:<width$} = {value}", format!("Options[{name}]"), width = width + 9);
    for (set, shown) in [
        ("MultiPV value 007", line("MultiPV", "7")),
        ("usi_ponder value TRUE", line("USI_Ponder", "true")),
        ("EnteringKingRule value tryrule", line("EnteringKingRule", "TryRule")),
        ("BookDir value a  b", line("BookDir", "a  b")),
        ("BookDir value <empty>", line("BookDir", "")),
        ("Clear_Hash", line("Clear_Hash", "")),
    ] {
        engine.send(&format!("setoption name {set}"));
        engine.sync();
        let name = set.split(' ').next().expect("a name");
        assert_eq!(engine.replies(&format!("getoption {name}")), [shown], "{set}");
    }
    // A rejected value changes nothing.
    let rejected = engine.replies("setoption name MultiPV value 0");
    assert_eq!((rejected.len(), engine.replies("getoption multipv")), (1, vec![line("MultiPV", "7")]));
    let all = engine.replies("getoption");
    let shown: Vec<_> = all.iter().map(|line| line.split(['[', ']']).nth(1).expect("a name")).collect();
    assert_eq!(shown, names, "in the order of declaration");
    assert!(all.contains(&line("MultiPV", "7")) && all.contains(&line("SlowMover", "100")), "{all:?}");
    assert_eq!(engine.replies("getoption NoSuch"), ["info string getoption: there is no option 'NoSuch'"]);
}

#[test]
fn threads_and_hash_ranges() {
    let mut engine = Client::spawn();
    let options = engine.options();
    let default = |name: &str| {
        let option = options.iter().find(|option| option.name == name).expect("declared");
        default_of(option).parse::<usize>().expect("a number")
    };
    let cores = std::thread::available_parallelism().expect("cores").get();
    assert_eq!(default("Threads"), cores.min(4));
    let hash = default("USI_Hash");
    assert!(hash.is_power_of_two() && (16..=1024).contains(&hash), "{hash} MB");
    // Usually 0.1 s.
    engine.send("isready");
    engine.wait_for("readyok", ms(5000));
}

/// ShogiHome sends every option after `usiok`, touched or not.
#[test]
fn defaults_are_accepted_silently() {
    let mut engine = Client::spawn();
    for option in engine.options() {
        if option.kind != Kind::Button {
            let line = format!("setoption name {} value {}", option.name, default_of(&option));
            assert_eq!(engine.replies(&line), [""; 0], "{line}");
        }
    }
    engine.position("startpos");
    engine.go(&Board::startpos(), "depth 1");
}

#[test]
fn minimum_values_play() {
    let mut engine = Client::spawn();
    for option in engine.options() {
        match option.kind {
            Kind::Spin { min, .. } => engine.set(&option.name, &min.to_string()),
            Kind::Check => engine.set(&option.name, "false"),
            _ => {}
        }
    }
    engine.sync();
    engine.think(BUSY, "movetime 100");
}

#[test]
fn p12_rejects_malformed_setoption() {
    let mut engine = Client::ready();
    for line in ["setoption", "setoption name", "setoption MultiPV 3", "setoption value 3", "setoption name MultiPV"] {
        engine.assert_rejected(line);
    }
    engine.assert_rejected("setoption name USI_Ponder value maybe");
    engine.assert_rejected("setoption name TableStats value 2");
    engine.assert_rejected("setoption name EnteringKingRule value 28");
}

#[test]
fn p12_rejects_values_out_of_range() {
    let mut engine = Client::ready();
    for option in engine.options() {
        let Kind::Spin { min, max } = option.kind else {
            continue;
        };
        let below = (min - 1).to_string();
        let above = (max + 1).to_string();
        for bad in [&below, &above, "abc", "", "1.5", "1e3", "0x10", "1 2", "99999999999999999999"] {
            engine.assert_rejected(&format!("setoption name {} value {bad}", option.name));
        }
    }
}

#[test]
fn rejected_value_keeps_the_old_one() {
    let mut engine = Client::ready_with(&[("MultiPV", "2")]);
    for bad in ["0", "abc", "-3", "999999", ""] {
        engine.assert_rejected(&format!("setoption name MultiPV value {bad}"));
    }
    let thought = engine.think(BUSY, "depth 2");
    assert_blocks(&thought.variations(), 2);
}

#[test]
fn option_names_are_case_insensitive() {
    let mut engine = Client::ready();
    assert_eq!(engine.replies("setoption name multipv value 2"), [""; 0]);
    let thought = engine.think(BUSY, "depth 2");
    assert_blocks(&thought.variations(), 2);
}

/// GUIs send some options to every engine, declared or not.
#[test]
fn undeclared_options_are_reported_once() {
    let mut engine = Client::ready();
    let declared: Vec<_> = engine.options().into_iter().map(|option| option.name).collect();
    for name in ["USI_OwnBook", "BookFile", "EvalDir", "NumberOfThreads", "No_Such_Option", "Skill Level"] {
        if !declared.iter().any(|known| known == name) {
            engine.assert_rejected(&format!("setoption name {name} value 1"));
        }
    }
}

/// ShogiHome delays `setoption` during a search, but not during pondering.
#[test]
fn p04_options_during_a_search() {
    for search in ["go ponder btime 60000 wtime 60000 byoyomi 1000", "go infinite"] {
        let mut engine = Client::ready();
        let board = engine.position(BUSY);
        engine.send_unanswered(search, ms(100));
        for (name, value) in
            [("MultiPV", "3"), ("Threads", "2"), ("USI_Hash", "32"), ("USI_Ponder", "true"), ("Nonsense", "1")]
        {
            engine.set(name, value);
        }
        engine.assert_no_answer(ms(100));
        engine.send("stop");
        // Lines before `stop` belong to this search too, so either MultiPV may show.
        engine.bestmove(&board, STOP_LIMIT);
        engine.assert_settled();
        let thought = engine.go(&board, "depth 2");
        assert_blocks(&thought.variations(), 3);
    }
}

#[test]
fn depth_and_node_limit_options() {
    let mut engine = Client::ready_with(&[("DepthLimit", "2")]);
    let board = engine.position(BUSY);
    assert!(engine.go(&board, "btime 600000 wtime 600000").depth() <= 2);
    engine.set("DepthLimit", "0");
    engine.set("NodesLimit", "3000");
    let thought = engine.go(&board, "btime 600000 wtime 600000");
    assert!(thought.took < ms(5000), "NodesLimit did not end the search");
}

#[test]
fn generate_all_legal_moves() {
    let mut engine = Client::ready_with(&[("GenerateAllLegalMoves", "true")]);
    let thought = engine.think("startpos moves 7g7f 3c3d", "depth 1 searchmoves 8h2b");
    assert_eq!(thought.best(), "8h2b");
}

#[test]
fn entering_king_rules() {
    let mut engine = Client::ready();
    let rule = declared(&mut engine, "EnteringKingRule");
    let Kind::Combo(vars) = rule.kind else { panic!("a combo") };
    assert_eq!(rule.default, "CSARule27");
    for var in vars {
        assert_eq!(engine.replies(&format!("setoption name EnteringKingRule value {var}")), [""; 0]);
        let board = engine.position(MATE_IN_ONE);
        engine.send("go depth 3");
        assert_eq!(engine.bestmove(&board, TIMEOUT).best(), "G*5b", "{var}");
    }
}
