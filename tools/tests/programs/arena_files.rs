//! The configurations in `arena` match the engine.

use sabi::search::TUNABLES;

/// If this fails: `cd arena && ./space ENGINE > space.yaml`, with a build that has the feature
/// `tune`.
#[test]
fn spsa_space_matches_search_parameters() {
    let space = include_str!("../../../arena/space.yaml");
    let lines: Vec<&str> = space.lines().filter(|line| line.starts_with("  - {id: ")).collect();
    assert_eq!(lines.len(), TUNABLES.len());
    for (line, tunable) in lines.iter().zip(TUNABLES.iter()) {
        let (name, default) = (tunable.name, tunable.default);
        let target = format!("{{id: {name}, target: {{option: {name}, value_encoding: integer}}, value_type: int, ");
        let range = format!("initial: {default}, bounds: {{min: {}, max: {}}}, ", tunable.min, tunable.max);
        assert!(line.contains(&(target + &range)), "{name}: {line}");
    }
}
