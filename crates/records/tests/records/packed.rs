//! Packed training data. Fixtures are generated with cshogi by `tests/fixtures/make_records.py`.

use super::samples::{end, playout, read_all, read_one};
use proptest::prelude::*;
use sabi_records::{Game, GameResult, PackError, PackedFormat, Positions, TrainingPosition, read_file, read_positions};
use sabi_shogi::{Color, HuffmanCodedPos, PackedSfenError, Position, STARTPOS_SFEN, Score};
use std::fs;
use std::path::PathBuf;

const PACKED: &str = include_str!("../../../../tests/fixtures/hcp.tsv");
const FORMATS: [(PackedFormat, &str); 2] = [(PackedFormat::Hcpe, "games.hcpe"), (PackedFormat::Psv, "games.psv")];

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/records/cshogi").join(name)
}

fn bytes_of(hex: &str) -> HuffmanCodedPos {
    HuffmanCodedPos(std::array::from_fn(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap()))
}

fn write(format: PackedFormat, positions: impl IntoIterator<Item = TrainingPosition>) -> Vec<u8> {
    let mut bytes = Vec::new();
    positions.into_iter().for_each(|position| format.write(&mut bytes, &position).unwrap());
    bytes
}

#[test]
fn huffman_codes_match_other_programs() {
    let rows: Vec<(&str, &str)> =
        PACKED.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_once('\t').unwrap()).collect();
    assert!(rows.len() >= 15);
    for (sfen, hex) in rows {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(HuffmanCodedPos::of(&position), Some(bytes_of(hex)), "{sfen}");
        assert_eq!(bytes_of(hex).position(position.ply()).unwrap().sfen(), position.sfen());
    }
    let start = bytes_of("58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c");
    assert_eq!(start.position(1).unwrap().sfen(), STARTPOS_SFEN);
}

#[test]
fn packing_round_trips() {
    let starts: Vec<&str> = PACKED.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
    let mut packed = 0;
    for (seed, start) in (0..).zip(starts.iter().cycle().take(80)) {
        for known in playout(start, 150, seed).training_positions() {
            let Some(bytes) = HuffmanCodedPos::of(&known.position) else {
                assert!(Color::ALL.into_iter().any(|color| known.position.king(color).is_none()));
                continue;
            };
            let again = bytes.position(known.position.ply()).unwrap();
            assert_eq!(again.sfen(), known.position.sfen());
            assert_eq!((again.key(), again.checkers()), (known.position.key(), known.position.checkers()));
            packed += 1;
        }
    }
    assert!(packed > 5_000, "{packed}");
}

#[test]
fn reference_records_round_trip() {
    for (format, name) in FORMATS {
        let bytes = fs::read(fixture(name)).unwrap();
        assert_eq!(bytes.len() % format.record_bytes(), 0);
        let positions: Vec<TrainingPosition> = read_positions(fixture(name)).unwrap().map(Result::unwrap).collect();
        assert_eq!(positions.len(), bytes.len() / format.record_bytes());
        assert_eq!(positions.len(), 229, "as many as cshogi wrote");
        assert_eq!(write(format, positions), bytes);
    }
}

#[test]
fn games_from_positions_round_trip() {
    for (format, name) in FORMATS {
        let games: Vec<Game> = read_file(fixture(name)).map(Result::unwrap).collect();
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [29, 120, 80]);
        assert_eq!(games.iter().map(|game| game.line).collect::<Vec<_>>(), [1, 30, 150]);
        let results: Vec<_> = games.iter().map(end).collect();
        assert_eq!(results, [("black", "resign"), ("draw", "unknown"), ("black", "resign")]);
        let taken_apart = games.iter().flat_map(Game::training_positions);
        assert_eq!(write(format, taken_apart), fs::read(fixture(name)).unwrap());
    }
}

#[test]
fn score_perspective() {
    let mut game = read_one("a.csa", "PI\n+\n+7776FU\n'** 50\n-3334FU\n'** 70\n+2726FU\n%TORYO\n");
    let known: Vec<_> = game.training_positions().map(|known| known.score.map(Score::get)).collect();
    assert_eq!(known, [Some(50), Some(-70), None]);
    for (format, name) in [(PackedFormat::Hcpe, "a.hcpe"), (PackedFormat::Psv, "a.psv")] {
        let again = read_one(name, write(format, game.training_positions()));
        let scores: Vec<_> = again.scores.iter().map(|score| score.map(Score::get)).collect();
        assert_eq!(scores, [Some(50), Some(70), Some(0)]);
        assert_eq!((again.usi(), end(&again)), (game.usi(), ("black", "resign")));
    }
    game.result = GameResult::Unknown;
    let known = game.training_positions().next().unwrap();
    let mut bytes = Vec::new();
    for format in [PackedFormat::Hcpe, PackedFormat::Psv] {
        assert!(matches!(format.write(&mut bytes, &known), Err(PackError::UnknownResult)));
    }
    assert!(bytes.is_empty());
}

#[test]
fn skips_unpackable_position() {
    let game = playout("4k4/9/9/9/9/9/9/9/9 b R2b4g4s4n4l18pr 1", 1, 1);
    for format in [PackedFormat::Hcpe, PackedFormat::Psv] {
        let mut bytes = Vec::new();
        let known = game.training_positions().next().unwrap();
        assert!(matches!(format.write(&mut bytes, &known), Err(PackError::DoesNotFit)), "{}", known.position.sfen());
        assert!(bytes.is_empty());
    }
}

#[test]
fn unconnected_records_are_separate_games() {
    let mut positions: Vec<_> = playout(STARTPOS_SFEN, 6, 3).training_positions().collect();
    positions.remove(3);
    for (format, name) in [(PackedFormat::Hcpe, "a.hcpe"), (PackedFormat::Psv, "a.psv")] {
        let games = read_all(name, write(format, positions.clone()));
        let lengths: Vec<usize> = games.iter().map(|game| game.as_ref().unwrap().moves.len()).collect();
        assert_eq!(lengths, [3, 2]);
    }
}

/// A position has move numbers from 1, records of some programs from 0.
#[test]
fn games_with_move_numbers_from_0() {
    let game = playout(STARTPOS_SFEN, 6, 3);
    let mut bytes = write(PackedFormat::Psv, game.training_positions());
    let size = PackedFormat::Psv.record_bytes();
    for (number, record) in (0u16..).zip(bytes.chunks_mut(size)) {
        record[36..38].copy_from_slice(&number.to_le_bytes());
    }
    assert_eq!(read_one("a.psv", bytes.clone()).usi(), game.usi());
    // The third record repeats the number of the second.
    bytes[2 * size + 36] = 1;
    let lengths: Vec<usize> = read_all("a.psv", bytes).iter().map(|game| game.as_ref().unwrap().moves.len()).collect();
    assert_eq!(lengths, [2, 1, 3]);
}

#[test]
fn format_is_detected_by_content() {
    let root = tempfile::tempdir().unwrap();
    for (format, name) in FORMATS {
        let path = root.path().join("data.bin");
        fs::copy(fixture(name), &path).unwrap();
        assert_eq!(read_file(&path).map(Result::unwrap).count(), 3);
        assert_eq!(read_positions(&path).unwrap().count(), 229);
        let mut bytes = fs::read(&path).unwrap();
        assert_eq!(read_all("data", &bytes).len(), 3);
        bytes.truncate(bytes.len() - format.record_bytes() / 2);
        fs::write(&path, bytes).unwrap();
        let error = read_positions(&path).err().unwrap().to_string();
        assert!(error.ends_with("data.bin: unknown record format"), "{error}");
    }
    assert_eq!(read_positions("no/such/file.hcpe").err().unwrap().line, 0);
    assert!(read_positions(fixture("games.pgn")).is_err());
}

/// A record with one fault.
fn rejected(format: PackedFormat, change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = write(format, playout(STARTPOS_SFEN, 3, 5).training_positions());
    let mut last = bytes.split_off(2 * format.record_bytes());
    change(&mut last);
    bytes.extend(last);
    let read: Vec<_> = Positions::new("a", format, std::io::Cursor::new(bytes)).collect();
    assert_eq!(read.len(), 3);
    assert!(read[..2].iter().all(Result::is_ok));
    read[2].as_ref().unwrap_err().to_string()
}

#[test]
fn errors_have_record_numbers() {
    for (format, result) in [(PackedFormat::Hcpe, 36), (PackedFormat::Psv, 38)] {
        let size = format.record_bytes();
        assert_eq!(rejected(format, |last| last[result] = 3), "a:3: invalid result 3");
        assert_eq!(rejected(format, |last| last[result] = 0xfe), "a:3: invalid result -2");
        assert_eq!(rejected(format, |last| last[34..36].fill(0)), "a:3: the bits 0x0000 are not a move");
        assert_eq!(rejected(format, |last| last[34..36].fill(0xff)), "a:3: the bits 0xffff are not a move");
        assert_eq!(rejected(format, |last| last[..32].fill(0)), "a:3: the packed position is wrong: both kings on 1a");
        for length in 1..size {
            let reported = format!("a:3: the record is truncated after {length} of {size} bytes");
            assert_eq!(rejected(format, |last| last.truncate(length)), reported);
        }
    }
    // 2h1h changes nothing else; 5i5a is out of reach.
    let reported = rejected(PackedFormat::Hcpe, |last| last[34..36].copy_from_slice(&(44u16 << 7 | 36).to_le_bytes()));
    assert!(reported.starts_with("a:3: move 1 '5i5a' is illegal: "), "{reported}");
}

#[test]
fn bad_record_is_skipped() {
    for (format, name) in FORMATS {
        let mut bytes = fs::read(fixture(name)).unwrap();
        let at = 50 * format.record_bytes();
        bytes[at..at + 32].fill(0xff);
        let games = read_all(name, &bytes);
        let lengths: Vec<Option<usize>> =
            games.iter().map(|game| game.as_ref().ok().map(|game| game.moves.len())).collect();
        assert_eq!(lengths, [Some(29), Some(21), None, Some(98), Some(80)]);
        assert_eq!(
            games[2].as_ref().unwrap_err(),
            &format!("{name}:51: the packed position is wrong: invalid king square 127")
        );
    }
}

#[test]
fn rejects_invalid_positions() {
    for bytes in [[0xff; 32], [0xaa; 32], [0x55; 32], [0; 32]] {
        assert!(HuffmanCodedPos(bytes).position(1).is_err());
    }
    let mut start = HuffmanCodedPos::of(&Position::startpos()).unwrap();
    start.0[0] |= 0xfe;
    assert_eq!(start.position(1).unwrap_err(), PackedSfenError::KingSquare(127));
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes: [u8; 32]) {
        if let Ok(position) = HuffmanCodedPos(bytes).position(1) {
            prop_assert!(Position::from_sfen(&position.sfen()).is_ok());
        }
    }

    #[test]
    fn flipped_bits_never_give_the_same_record(
        seed: u64, plies in 1usize..40, bits in prop::collection::vec(any::<prop::sample::Index>(), 1..6)
    ) {
        for (format, name) in FORMATS {
            let mut bytes = write(format, playout(STARTPOS_SFEN, plies, seed).training_positions());
            for bit in &bits {
                let bit = bit.index(8 * bytes.len());
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            for known in Positions::new(name, format, std::io::Cursor::new(bytes.clone())).flatten() {
                prop_assert!(Position::from_sfen(&known.position.sfen()).is_ok());
                prop_assert!(known.position.is_legal(known.mv));
            }
            let moves: usize = read_all(name, bytes).iter().flatten().map(|game| game.moves.len()).sum();
            prop_assert!(moves <= plies);
        }
    }
}
