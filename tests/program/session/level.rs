//! `Level`: playing strength.

use std::collections::HashSet;

use super::client::{Client, TIMEOUT, ms};
use super::info::Score;
use super::positions::{BUSY, GAME_MATE_IN_THREE, MATE_IN_ONE, MATE_IN_THREE};
use super::thought::Thought;

fn levels_told(thought: &Thought) -> Vec<String> {
    thought.strings().into_iter().filter(|string| string.starts_with("level")).collect()
}

#[test]
fn low_level_varies() {
    let mut engine = Client::ready_with(&[("USI_OwnBook", "false"), ("Level", "1")]);
    // A quiet position: in a sharp one most moves lose at once.
    let board = engine.position("startpos moves 7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i6h 4a3b");
    let mut played = HashSet::new();
    for _ in 0..30 {
        let thought = engine.go(&board, "btime 600000 wtime 600000");
        assert_eq!(levels_told(&thought), ["level 1"]);
        assert_eq!(thought.variations().len(), 1);
        assert_eq!(thought.variations()[0].pv[0], thought.best());
        assert!(thought.took < ms(2000), "{:?}", thought.took);
        played.insert(thought.best().to_owned());
    }
    assert!(played.len() > 3, "{played:?}");
}

#[test]
fn every_level_mates_in_one() {
    let mut engine = Client::ready_with(&[("USI_OwnBook", "false")]);
    for level in 0..=20 {
        engine.set("Level", &level.to_string());
        assert_eq!(engine.think(MATE_IN_ONE, "movetime 100").best(), "G*5b", "{level}");
    }
}

#[test]
fn every_level_mates_in_three() {
    let mut engine = Client::ready_with(&[("USI_OwnBook", "false")]);
    for level in 1..=20 {
        engine.set("Level", &level.to_string());
        for position in [MATE_IN_THREE, GAME_MATE_IN_THREE] {
            let board = engine.position(position);
            let thought = engine.go(&board, "movetime 100");
            assert_eq!(thought.score(), Score::Winning(Some(3)), "{level}: {position}");
            assert_eq!(thought.variations()[0].pv[0], thought.best(), "{level}");
        }
    }
}

#[test]
fn seed_repeats_the_game() {
    let options = [("USI_OwnBook", "false"), ("Level", "3"), ("BookSeed", "5")];
    let mut games = [(); 2].map(|()| {
        let mut engine = Client::ready_with(&options);
        let board = engine.position(BUSY);
        (0..10).map(|_| engine.go(&board, "nodes 2000").best().to_owned()).collect::<Vec<_>>()
    });
    let second = games[1].split_off(0);
    assert_eq!(games[0], second);
    let mut engine = Client::ready_with(&options);
    let board = engine.position(BUSY);
    engine.send("go infinite");
    std::thread::sleep(ms(500));
    engine.send("stop");
    let thought = engine.bestmove(&board, TIMEOUT);
    assert_eq!(levels_told(&thought), [""; 0]);
    assert!(thought.nodes() > 5000);
}
