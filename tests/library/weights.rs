//! Weight files: round trip and error messages.

use proptest::prelude::*;
use sabi::eval::{Evaluation, Weight, Weights};
use std::fs;
use std::path::Path;

/// Random weights from a few bytes that `proptest` can shrink.
fn any_weights() -> impl Strategy<Value = Weights> {
    let weight = || prop_oneof![Just(0), Just(i16::MIN), Just(i16::MAX), any::<i16>()];
    proptest::collection::vec((weight(), weight()), Weights::COUNT).prop_map(|pairs| {
        let mut weights = Weights::zero();
        for (index, (middle, end)) in pairs.into_iter().enumerate() {
            *weights.get_mut(index).unwrap() = Weight::new(middle, end);
        }
        weights
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn weights_round_trip(weights in any_weights(), origin in any::<String>()) {
        let json = weights.to_json(&origin);
        prop_assert_eq!(&Weights::from_json(json.as_bytes()).unwrap(), &weights);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(value["origin"].as_str(), Some(origin.as_str()));
    }

    #[test]
    fn damaged_weights_never_panic(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut json = Weights::untuned().to_json("by hand").into_bytes();
        let at = at.index(json.len() - 2);
        if cut {
            json.truncate(at);
            prop_assert!(Weights::from_json(&json).is_err());
        } else {
            json[at] = byte;
            // Another digit gives other weights; whatever is read can be written.
            if let Ok(weights) = Weights::from_json(&json) {
                prop_assert_eq!(Weights::from_json(weights.to_json("").as_bytes()).unwrap(), weights);
            }
        }
    }
}

#[test]
fn weights_file_layout() {
    let json = Weights::untuned().to_json("set \"by hand\"\nin an evening");
    let lines: Vec<&str> = json.lines().collect();
    let head = [
        "{",
        r#"  "format": "sabi weights","#,
        r#"  "version": 1,"#,
        r#"  "origin": "set \"by hand\"\nin an evening","#,
    ];
    assert_eq!(lines[..4], head);
    let at = lines.iter().position(|line| *line == r#"    "tempo": ["#).expect("the last term");
    assert_eq!(lines[at..], [r#"    "tempo": ["#, "      [[51, 94]]", "    ]", "  }", "}"]);
    // One row of a term per line.
    let rows: usize = Weights::blocks().iter().map(|block| block.rows).sum();
    assert_eq!(lines.iter().filter(|line| line.trim_start().starts_with("[[")).count(), rows);
}

#[test]
fn term_order_and_whitespace_are_ignored() {
    let weights = Weights::untuned();
    // This map sorts by name.
    let value: serde_json::Value = serde_json::from_str(&weights.to_json("")).unwrap();
    for text in [value.to_string(), format!("{value:#}"), format!(" \r\n\t{value}\n\n")] {
        assert_eq!(Weights::from_json(text.as_bytes()).unwrap(), weights);
    }
}

/// Error message after one replacement in the file of the untuned weights.
fn fault(old: &str, new: &str) -> String {
    let json = Weights::untuned().to_json("by hand");
    assert!(json.contains(old), "{old:?} is not in the file");
    match Weights::from_json(json.replacen(old, new, 1).as_bytes()) {
        Ok(_) => panic!("{new:?} for {old:?} was taken"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_name_the_term() {
    const TEMPO: &str = "[[51, 94]]";
    for (old, new, reported) in [
        (TEMPO, "[[51, 94.5]]", "'tempo': "),
        (TEMPO, "[[51, 94.0]]", "'tempo': "),
        (TEMPO, "[[51, 1e2]]", "'tempo': "),
        (TEMPO, "[[51, 32768]]", "'tempo': "),
        (TEMPO, "[[-32769, 94]]", "'tempo': "),
        (TEMPO, "[[51, 99999999999999999999999]]", "'tempo': "),
        (TEMPO, "[[51, \"94\"]]", "'tempo': "),
        (TEMPO, "[[51, null]]", "'tempo': "),
        (TEMPO, "[[51]]", "'tempo': "),
        (TEMPO, "[[51, 94, 0]]", "'tempo': "),
        (TEMPO, "[51, 94]", "'tempo': "),
        (TEMPO, "[[51, 94], [51, 94]]", "'tempo': 2 columns instead of 1 in row 0"),
        (TEMPO, "[]", "'tempo': 0 columns instead of 1 in row 0"),
        (TEMPO, "", "'tempo': 0 rows instead of 1"),
        (TEMPO, "[[51, 94]], [[51, 94]]", "'tempo': 2 rows instead of 1"),
        ("\"tempo\"", "\"temper\"", "there is no term 'temper'"),
        ("\"tempo\"", "\"castle\"", "the term 'castle' is there twice"),
        (",\n    \"tempo\": [\n      [[51, 94]]\n    ]", "", "the term 'tempo' is missing"),
        ("    \"tempo\": [\n", "    \"more\": 1, \"tempo\": [\n", "there is no term 'more'"),
        ("\"terms\": {", "\"terms\": { \"material\": { \"a\": 1 }, ", "'material': "),
    ] {
        let said = fault(old, new);
        assert!(said.contains(reported), "{new:?}: {said}");
        // The line number is included where it is useful.
        assert!(said.contains(" at line ") && said.matches(" at line ").count() == 1, "{new:?}: {said}");
    }
}

#[test]
fn rejects_other_files() {
    for (old, new, reported) in [
        ("sabi weights", "sabi weight", "not a weight file"),
        ("\"sabi weights\"", "1", "not a weight file"),
        ("\"format\"", "\"formats\"", "not a weight file"),
        ("\"version\": 1", "\"version\": 2", "its version is 2, not 1"),
        ("  \"version\": 1,\n", "", "its version is 0, not 1"),
        ("\"version\": 1", "\"version\": \"1\"", "invalid type"),
        ("\"version\": 1", "\"version\": 1, \"version\": 1", "duplicate field `version`"),
        ("\"origin\": \"by hand\",", "", "missing field `origin`"),
        ("\"by hand\"", "7", "invalid type"),
        ("\"origin\"", "\"note\": 1, \"origin\"", "unknown field `note`"),
        ("  }\n}\n", "  }\n}\n}\n", "trailing characters"),
        ("  }\n}\n", "  }\n}\nmore", "trailing characters"),
        ("  }\n}\n", "  }\n", "EOF"),
        ("  }\n}\n", "  },\n}\n", "trailing comma"),
    ] {
        let said = fault(old, new);
        assert!(said.contains(reported), "{new:?}: {said}");
    }
    let deep = "[".repeat(100_000);
    for (text, reported) in [
        ("", "EOF"),
        ("  \n", "EOF"),
        ("weights", "does not begin"),
        ("[\"sabi weights\", 1, \"\", {}]", "does not begin"),
        ("null", "does not begin"),
        ("{}", "does not begin"),
        ("{", "EOF"),
        ("\u{feff}{}", "does not begin"),
        ("{\"format\": \"sabi weights\", \"version\": 1, \"origin\": \"\"}", "missing field `terms`"),
        ("{\"format\": \"sabi weights\", \"version\": 1, \"origin\": \"\", \"terms\": []}", "the terms by name"),
        ("{\"format\": \"sabi weights\", \"version\": 1, \"origin\": \"\", \"terms\": {}}", "'material' is missing"),
        (&format!("{{\"format\": {deep}"), "recursion limit"),
        (&" ".repeat((4 << 20) + 1), "longer than 4 MiB"),
    ] {
        let said = Weights::from_json(text.as_bytes()).expect_err(text).to_string();
        assert!(said.contains(reported), "{:?}: {said}", text.chars().take(40).collect::<String>());
    }
    assert!(Weights::from_json(b"{\"format\": \"\xff\"}").is_err());
}

#[test]
fn reads_regular_files_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.json");
    let reported = |path: &Path| Weights::read(path).unwrap_err().to_string();
    assert!(Weights::read(&path).is_err());
    // PowerShell writes a byte order mark.
    fs::write(&path, format!("\u{feff}{}", Weights::untuned().to_json(""))).unwrap();
    assert!(matches!(Evaluation::read(&path, None).unwrap(), Evaluation::HandCrafted(_)));
    assert_eq!(Weights::read(&path).unwrap(), Weights::untuned());
    assert!(reported(folder.path()).contains("not a file"));
    // One byte too many.
    fs::File::create(&path).unwrap().set_len((4 << 20) + 1).unwrap();
    assert!(reported(&path).contains("longer than"));
    if cfg!(unix) {
        assert!(reported(Path::new("/dev/zero")).contains("not a file"));
    }
}

#[test]
fn blocks_cover_the_table() {
    let mut end = 0;
    for block in Weights::blocks() {
        assert_eq!(block.start, end, "{}", block.name);
        end = block.end();
        assert_eq!(end - block.start, block.rows * block.columns);
        assert_eq!(block.at(block.rows - 1, block.columns - 1), end - 1);
    }
    assert_eq!(end, Weights::COUNT);
    for block in Weights::blocks() {
        for (row, column) in (0..block.rows).flat_map(|row| (0..block.columns).map(move |column| (row, column))) {
            let (index, name) = (block.at(row, column), format!("{}.{row}.{column}", block.name));
            assert_eq!((Weights::index_of(&name), Weights::group(index)), (Some(index), Some(block.group)));
            assert_eq!(Weights::name(index), Some(name));
        }
    }
    assert_eq!(Weights::name(Weights::COUNT), None);
    for bad in ["", "hand", "hand.0", "hand.7.0", "hand.0.19", "hand.0.0.0", "hands.0.0", "hand.-1.0"] {
        assert_eq!(Weights::index_of(bad), None, "{bad}");
    }
}
