//! Compact games: round trip and damage.

use super::samples::{playout, read_all};
use proptest::prelude::*;
use sabi_files::crc32;
use sabi_records::{
    EndReason, Fault, Game, GameResult, PackError, RecordError,
    sabg::{Block, Blocks, GameFile, GameFileError, SabgError, Writer},
};
use sabi_shogi::{Position, STARTPOS_SFEN, Score};
use std::fs;
use std::io::Cursor;
use std::path::Path;

const STARTS: [&str; 3] = [
    STARTPOS_SFEN,
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 87",
];

/// A random game; every third move has no score.
fn game(seed: u64) -> Game {
    let mut game = playout(STARTS[seed as usize % 3], seed as usize * 7 % 40, seed);
    game.scores.iter_mut().step_by(3).for_each(|score| *score = None);
    game.end = [EndReason::Resign, EndReason::Adjudication, EndReason::MaxMoves][seed as usize % 3];
    game
}

/// A file with one block for each list of seeds.
fn file(blocks: &[&[u64]]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let mut archive = GameFile::open(&path, "nodes 1\n", |_| {}).unwrap();
    for seeds in blocks {
        archive.add(&block(seeds)).unwrap();
    }
    assert_eq!(archive.bytes, fs::metadata(&path).unwrap().len());
    fs::read(path).unwrap()
}

fn block(seeds: &[u64]) -> Block {
    let mut block = Block::default();
    seeds.iter().for_each(|&seed| block.push(seed, &game(seed)).unwrap());
    block
}

fn blocks(bytes: &[u8]) -> Result<Vec<Result<Block, RecordError>>, RecordError> {
    Ok(Blocks::new("games.sabg", Cursor::new(bytes.to_vec()))?.collect())
}

/// Number, start, moves, scores, result and end reason.
fn reported(game: &Game) -> String {
    format!("{} {:?} {:?} {:?}", game.usi(), game.scores, game.result, game.end)
}

/// Numbers of the games read, each compared with its source, and the number of errors.
fn readable_games(bytes: &[u8]) -> (Vec<u64>, usize) {
    let mut faults = 0;
    let numbers = read_all("games.sabg", bytes).into_iter().filter_map(|read| match read {
        Ok(read) => {
            let number = read.headers.event.as_deref().unwrap().strip_prefix("game ").unwrap().parse().unwrap();
            assert_eq!(reported(&read), reported(&game(number)));
            Some(number)
        }
        Err(_) => {
            faults += 1;
            None
        }
    });
    (numbers.collect(), faults)
}

#[test]
fn round_trip() {
    let seeds: Vec<u64> = (0..600).chain([u64::MAX, 1 << 63]).collect();
    let mut writer = Writer::new(Vec::new(), "a text\nin two lines").unwrap();
    seeds.iter().for_each(|&seed| writer.push(seed, &game(seed % 600)).unwrap());
    let bytes = writer.finish().unwrap();
    let read = Blocks::new("games", Cursor::new(bytes.clone())).unwrap();
    assert_eq!(read.settings, "a text\nin two lines");
    let numbers: Vec<u64> =
        read.flat_map(|block| block.unwrap().games().map(|game| game.number).collect::<Vec<_>>()).collect();
    assert_eq!(numbers, seeds);
    for name in ["games.sabg", "games", "games.SABG"] {
        let games = read_all(name, &bytes);
        assert_eq!(games.len(), seeds.len());
        for (at, (read, seed)) in games.iter().zip(&seeds).enumerate() {
            let read = read.as_ref().unwrap();
            assert_eq!(reported(read), reported(&game(seed % 600)), "{seed}");
            assert_eq!((read.line, read.headers.event.clone()), (at + 1, Some(format!("game {seed}"))));
        }
    }
}

#[test]
fn fast_iteration_agrees_with_game() {
    for seed in 0..60 {
        let block = block(&[seed]);
        let stored = block.game(0).unwrap();
        let mut seen = Vec::new();
        stored.replay(|position, mv, score| seen.push((position.sfen(), mv, score))).unwrap();
        let expected: Vec<_> =
            game(seed).training_positions().map(|known| (known.position.sfen(), known.mv, known.score)).collect();
        assert_eq!(seen, expected);
        assert_eq!(reported(&stored.game().unwrap()), reported(&game(seed)));
    }
}

#[test]
fn score_deltas_take_one_byte() {
    let mut even = playout(STARTPOS_SFEN, 300, 5);
    let length = |game: &Game| {
        let mut writer = Writer::new(Vec::new(), "").unwrap();
        writer.push(1, game).unwrap();
        writer.finish().unwrap().len() as f64 / game.moves.len() as f64
    };
    let wild = length(&even);
    (0..even.scores.len()).for_each(|at| even.scores[at] = Some(Score::cp(at as i32 * 37 % 60)));
    let calm = length(&even);
    assert!(calm < 3.3 && wild > 4.0, "{calm} {wild}");
}

#[test]
fn truncation_anywhere() {
    let parts: [&[u64]; 3] = [&[1, 2, 3], &[4], &[5, 6]];
    let bytes = file(&parts);
    let ends: Vec<usize> = (0..=3).map(|count| file(&parts[..count]).len()).collect();
    for length in 0..=bytes.len() {
        let (numbers, faults) = readable_games(&bytes[..length]);
        let whole = ends.iter().filter(|&&end| end <= length).count();
        let expected: Vec<u64> = parts.iter().take(whole.saturating_sub(1)).copied().flatten().copied().collect();
        assert_eq!(numbers, expected, "{length}");
        assert_eq!(faults, usize::from(!ends.contains(&length)), "{length}");
    }
}

#[test]
fn detects_any_flipped_bit() {
    let bytes = file(&[&[1, 2, 3], &[4], &[5, 6]]);
    for at in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[at / 8] ^= 1 << (at % 8);
        let (numbers, faults) = readable_games(&changed);
        assert!(faults == 1 && numbers.len() < 6, "bit {at}: {numbers:?}");
    }
}

#[test]
fn reads_blocks_after_damage() {
    let [first, second] = [file(&[&[1, 2, 3]]).len(), file(&[&[1, 2, 3], &[4]]).len()];
    let mut bytes = file(&[&[1, 2, 3], &[4], &[5, 6]]);
    bytes[second - 1] ^= 1;
    assert_eq!(readable_games(&bytes), (vec![1, 2, 3, 5, 6], 1));
    let faults: Vec<_> = blocks(&bytes).unwrap().into_iter().filter_map(Result::err).collect();
    assert!(matches!(faults[0].fault, Fault::Sabg(SabgError::Checksum { games: 1 })) && faults[0].line == 4);
    // With a damaged block header the next block cannot be located.
    bytes[first + 5] ^= 1;
    assert_eq!(readable_games(&bytes), (vec![1, 2, 3], 1));
}

/// A file with one block and valid checksums.
fn forged(games: u32, raw: &[u8], raw_length: usize) -> Vec<u8> {
    let packed = lz4_flex::block::compress(raw);
    let mut head = b"BLCK".to_vec();
    for number in [games, raw_length as u32, packed.len() as u32, crc32(&packed)] {
        head.extend(number.to_le_bytes());
    }
    head.extend(crc32(&head).to_le_bytes());
    [file(&[]), head, packed].concat()
}

#[test]
fn rejects_invalid_content_with_valid_checksum() {
    // Number 0, a draw without a reason, one move from the start position: 7g7f without a score.
    let sound = [0, 0, 1, 0, 0x3b, 0x1e, 0];
    assert_eq!(read_all("a.sabg", forged(1, &sound, 7)).remove(0).unwrap().usi(), "startpos moves 7g7f");
    for (games, raw, why) in [
        (2, sound.to_vec(), "something ends too early"),
        (0, sound.to_vec(), "something follows its last score"),
        (1, sound[..6].to_vec(), "something ends too early"),
        (1, [&sound[..], &[0]].concat(), "something follows its last score"),
        (1, vec![0, 11 << 2, 0, 0], "unknown end of a game"),
        (1, vec![0, 0, 0x91, 0x4e, 0], "a game is too long"),
        (1, vec![0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], "a number is too long"),
        (1, vec![0, 0, 1, 2, 0x3b, 0x1e, 0], "unknown kind of start position"),
        (1, vec![0, 0, 1, 0, 0xff, 0xff, 0], "invalid move"),
        (1, vec![0, 0, 1, 0, 0x3b, 0x1e, 0xff, 0xff, 0x7f], "a score is out of range"),
        (1, vec![0, 0, 1, 0, 0x3a, 0x1e, 0], "move 1 '7g7e' is illegal: the piece does not move like that"),
        (1, [&[0, 0, 0, 1][..], &[0; 32], &[1]].concat(), "both kings on"),
        (1, [&[0, 0, 0, 1][..], &[0; 32], &[0]].concat(), "the move number of a start position is out of range"),
    ] {
        let read = read_all("a.sabg", forged(games, &raw, raw.len()));
        assert_eq!(read.len(), 1, "{why}");
        let message = read[0].as_ref().expect_err(why);
        assert!(message.contains(why), "{message} instead of {why}");
    }
    for (games, length, why) in
        [(1, 8, "cannot be unpacked"), (1, 6, "cannot be unpacked"), (9, 7, "the head of a block")]
    {
        let message = read_all("a.sabg", forged(games, &sound, length)).remove(0).unwrap_err();
        assert!(message.contains(why), "{message}");
    }
    // Implausible lengths are rejected.
    let message = read_all("a.sabg", forged(1, &sound, u32::MAX as usize)).remove(0).unwrap_err();
    assert!(message.contains("the head of a block is damaged"), "{message}");
}

#[test]
fn rejects_other_headers() {
    let mut newer = file(&[]);
    newer[8] = 2;
    for (bytes, why) in [
        (Vec::new(), "not a file of compact games"),
        (b"SABIGAM".to_vec(), "not a file of compact games"),
        (b"startpos moves 7g7f\n".to_vec(), "not a file of compact games"),
        (newer, "its version is 2, this program reads version 1"),
        (b"SABIGAME\x01\0\0\0\xff\xff\xff\xff".to_vec(), "its header is damaged"),
    ] {
        let message = read_all("a.sabg", &bytes).remove(0).unwrap_err();
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn rejects_unrepresentable_games() {
    let mut block = Block::default();
    let two_kings_missing = Game::new(Position::from_sfen("4k4/9/9/9/9/9/9/9/9 w - 1").unwrap());
    if let Err(error) = block.push(1, &two_kings_missing) {
        assert!(matches!(error, PackError::DoesNotFit));
    }
    let mut long = Game::new(Position::startpos());
    let mv = "7g7f".parse().unwrap();
    (0..10_001).for_each(|_| long.push(mv, None, None));
    assert!(matches!(Block::default().push(1, &long), Err(PackError::TooLong(10_000))));
    assert!(Writer::new(Vec::new(), &"x".repeat(70_000)).is_err());
}

fn open(path: &Path, settings: &str) -> Result<(GameFile, Vec<u64>), GameFileError> {
    let mut numbers = Vec::new();
    let archive = GameFile::open(path, settings, |game| numbers.push(game.number))?;
    Ok((archive, numbers))
}

#[test]
fn appending_removes_truncated_block() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sabg");
    let whole = file(&[&[1, 2], &[3]]);
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let (mut archive, numbers) = open(&path, "nodes 1\n").unwrap();
        assert!([1, 2, 3].starts_with(&numbers.iter().map(|&number| number as i32).collect::<Vec<_>>()));
        if numbers.is_empty() {
            archive.add(&block(&[1, 2])).unwrap();
        }
        archive.add(&block(&[3])).unwrap();
        assert!(fs::read(&path).unwrap() == whole, "{length}");
    }
}

#[test]
fn other_files_are_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sabg");
    let mut damaged = file(&[&[1, 2], &[3]]);
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    for (bytes, settings, why) in [
        (file(&[&[1]]), "nodes 2\n", "made with other settings: 'nodes 1' there, 'nodes 2' here"),
        (file(&[&[1]]), "nodes 1\nhash 2\n", "'nothing' there, 'hash 2' here"),
        (b"startpos\n".to_vec(), "nodes 1\n", "not a file of compact games"),
        (damaged, "nodes 1\n", "the checksum of a block with 1 games is wrong"),
    ] {
        fs::write(&path, &bytes).unwrap();
        let message = open(&path, settings).map(|(_, numbers)| numbers).unwrap_err().to_string();
        assert!(message.contains(why), "{message}");
        assert!(fs::read(&path).unwrap() == bytes);
    }
    assert!(matches!(open(&folder.path().join("no/games"), ""), Err(GameFileError::Io { .. })));
}

#[test]
fn file_is_locked_exclusively() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sabg");
    let _first = open(&path, "").unwrap();
    assert!(matches!(open(&path, ""), Err(GameFileError::Io { .. })));
}

/// Blocks written to a file without a name would be lost.
#[test]
fn replaced_file_gets_no_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sabg");
    let (mut archive, _) = open(&path, "nodes 1\n").unwrap();
    archive.add(&block(&[1])).unwrap();
    fs::rename(&path, folder.path().join("other.sabg")).unwrap();
    let message = archive.add(&block(&[2])).unwrap_err().to_string();
    assert!(message.contains("removed or replaced"), "{message}");
    #[cfg(unix)]
    {
        let other = file(&[&[3]]);
        fs::write(&path, &other).unwrap();
        assert!(archive.add(&block(&[2])).is_err());
        assert!(fs::read(&path).unwrap() == other);
    }
}

#[test]
fn fingerprints_are_distinct() {
    let block = block(&(0..200).collect::<Vec<_>>());
    let stored: Vec<_> = block.games().collect();
    for (at, game) in stored.iter().enumerate() {
        for other in &stored[..at] {
            let same = (game.start, game.moves) == (other.start, other.moves);
            assert_eq!(game.fingerprint() == other.fingerprint(), same);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn scores_round_trip(scores in proptest::collection::vec(proptest::option::of(-32_001..=32_001i32), 0..60), seed: u64) {
        let mut game = playout(STARTS[seed as usize % 3], scores.len(), seed);
        let length = game.moves.len();
        game.scores = scores[..length].iter().map(|score| score.map(Score::raw)).collect();
        game.result = GameResult::Draw;
        game.end = EndReason::Impasse;
        let mut writer = Writer::new(Vec::new(), "").unwrap();
        writer.push(seed, &game).unwrap();
        let read = read_all("games", writer.finish().unwrap()).remove(0).unwrap();
        prop_assert_eq!(reported(&read), reported(&game));
    }

    #[test]
    fn random_bytes_never_panic(raw in proptest::collection::vec(any::<u8>(), 0..200), games in 0..20u32) {
        for game in read_all("a.sabg", forged(games, &raw, raw.len())).into_iter().flatten() {
            game.last_position();
        }
    }
}
