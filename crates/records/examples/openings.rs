//! Prints the openings and castles of each game in files and folders; with `--check` how far they
//! agree with the names that the records give: headers `戦型：…`, `先手の囲い：…`, comments `▲戦型：…`, and
//! file names.
//!
//! `cargo run -p sabi-records --example openings -- [--check] [--table FILE] tests/fixtures/records`

use sabi_records::{BadGames, Formation, FormationTable, Game, read_tree, record_files};
use sabi_shogi::Color;
use std::collections::BTreeMap;
use std::path::Path;
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut check, mut paths, mut table) = (false, Vec::new(), None);
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--check" => check = true,
            "--table" => {
                table = Some(FormationTable::default().with(&fs::read_to_string(words.next().unwrap_or_default())?)?)
            }
            _ => paths.push(word),
        }
    }
    let table = table.unwrap_or_else(|| FormationTable::standard().clone());
    let (mut bad, mut agreement) = (BadGames::default(), Agreement::default());
    for path in paths.iter().flat_map(record_files) {
        let path = path?;
        for game in read_tree(&path) {
            match game {
                Ok(game) if check => agreement.add(&path, &game, &table),
                Ok(game) => print(&game, &table),
                Err(error) => bad.note(&error),
            }
        }
    }
    if check {
        agreement.print();
    }
    if bad.total() > 0 {
        eprintln!("{bad}");
    }
    Ok(())
}

fn print(game: &Game, table: &FormationTable) {
    for (side, formations) in ["▲", "△"].into_iter().zip(table.formations(game)) {
        let counted = formations.iter().filter(|one| one.replaced != Some(one.ply));
        let listed: Vec<String> = counted.map(|one| format!("{} ({})", one.japanese, one.ply)).collect();
        println!("{side}{}", listed.join("、"));
    }
    println!();
}

/// What a record says: whose it is, `None` for one of both; and after how many moves, where told.
struct Label {
    side: Option<Color>,
    name: String,
    ply: Option<usize>,
}

/// Other spellings of the same name.
const SAME: [(&str, &str); 11] = [
    ("向飛車", "向かい飛車"),
    ("相振飛車", "相振り飛車"),
    ("陽動振飛車", "陽動振り飛車"),
    ("相矢倉", "矢倉"),
    ("相矢倉模様", "矢倉"),
    ("矢倉模様", "矢倉"),
    ("飛先換腰掛銀", "角換わり腰掛け銀"),
    ("角交換腰掛銀", "角換わり腰掛け銀"),
    ("四間対居飛穴", "四間飛車"),
    ("四間対急戦", "四間飛車"),
    ("四間対その他", "四間飛車"),
];

/// A name without colour marks, with full-width digits.
fn plain(name: &str) -> String {
    let wide = |c: char| if c.is_ascii_digit() { char::from_u32(c as u32 + 0xfee0).unwrap_or(c) } else { c };
    name.trim().chars().filter(|c| !"▲△".contains(*c)).map(wide).collect()
}

fn labels(path: &Path, game: &Game) -> Vec<Label> {
    let mut labels = Vec::new();
    let mut add = |side, names: &str, ply| {
        for name in names.split([',', '、', 'v', 's']).map(plain) {
            let sides = [("先手", Color::Black), ("後手", Color::White)];
            let told = sides.into_iter().find_map(|(word, color)| Some((Some(color), name.strip_prefix(word)?)));
            let (side, name) = told.unwrap_or((side, &name));
            let name = SAME.iter().find(|(other, _)| *other == name).map_or(name, |(_, same)| same).to_owned();
            labels.push(Label { side, name, ply });
        }
    };
    let read = |line: &str| -> Option<(Option<Color>, String)> {
        let (head, names) = line.split_once('：')?;
        let side = match head.trim_end_matches("戦型").trim_end_matches("囲い") {
            "" if head == "戦型" => None,
            "▲" | "先手の" => Some(Color::Black),
            "△" | "後手の" => Some(Color::White),
            _ => return None,
        };
        head.ends_with(['型', 'い']).then(|| (side, names.to_owned()))
    };
    for (ply, line) in
        game.comments.iter().enumerate().flat_map(|(ply, lines)| lines.iter().map(move |line| (ply, line)))
    {
        if let Some((side, names)) = read(line) {
            add(side, &names, Some(ply));
        }
    }
    let text = String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
    for (side, names) in text.lines().filter(|line| !line.starts_with('*')).filter_map(read) {
        add(side, &names, None);
    }
    // Each name of a side once, with its ply where there is one.
    let mut once: Vec<Label> = Vec::new();
    for label in labels {
        if !once.iter().any(|other| other.side == label.side && other.name == label.name) {
            once.push(label);
        }
    }
    if once.iter().any(|label| label.side.is_some())
        && let Some(name) = path.file_stem().and_then(|stem| stem.to_str()).map(plain)
        && !once.iter().any(|label| label.name == name)
    {
        once.push(Label { side: None, name, ply: None });
    }
    once
}

/// By name: how often it is given, found too, found at the same ply, and found where it is not given.
#[derive(Default)]
struct Count {
    given: usize,
    found: usize,
    plies: usize,
    same: usize,
    extra: usize,
}

#[derive(Default)]
struct Agreement {
    counts: BTreeMap<(bool, String), Count>,
    /// What differs.
    lines: Vec<String>,
    /// Names found, with whether the record names sides; for those that records give.
    found: Vec<(bool, String, String)>,
}

impl Agreement {
    fn add(&mut self, path: &Path, game: &Game, table: &FormationTable) {
        let labels = labels(path, game);
        let formations = table.formations(game);
        let is_known = |name: &str| table.names().any(|(_, japanese, _)| japanese == name);
        for Label { side, name, ply } in labels.iter().filter(|label| is_known(&label.name)) {
            let own = Color::ALL.into_iter().filter(|&color| side.is_none_or(|side| side == color));
            let found: Option<&Formation> = own.flat_map(|color| &formations[color]).find(|one| one.japanese == *name);
            let count = self.counts.entry((side.is_some(), name.clone())).or_default();
            count.given += 1;
            count.found += usize::from(found.is_some());
            match (found, ply) {
                (Some(found), Some(ply)) => {
                    count.plies += 1;
                    count.same += usize::from(found.ply.abs_diff(*ply) <= 2);
                    if found.ply.abs_diff(*ply) > 2 {
                        self.lines.push(format!(
                            "at another ply: {name} {} instead of {ply}: {}",
                            found.ply,
                            path.display()
                        ));
                    }
                }
                (None, _) => {
                    let what = side.map_or("", |side| ["▲", "△"][side]);
                    self.lines.push(format!("missing: {what}{name} {ply:?}: {}", path.display()));
                }
                _ => {}
            }
        }
        let names_sides = labels.iter().any(|label| label.side.is_some());
        let names_game = labels.iter().any(|label| label.side.is_none());
        for color in Color::ALL {
            for one in &formations[color] {
                let is_given = |sides: bool| {
                    labels.iter().any(|label| {
                        label.name == one.japanese
                            && label.side.is_some() == sides
                            && label.side.is_none_or(|side| side == color)
                    })
                };
                let line = |what: &str| {
                    format!("{what}: {}{} {}: {}", ["▲", "△"][color], one.japanese, one.ply, path.display())
                };
                if names_sides && one.replaced != Some(one.ply) && !is_given(true) {
                    self.found.push((true, one.japanese.clone(), line("more")));
                }
                let is_special = labels.iter().any(|label| one.japanese.contains(&label.name));
                if names_game && !names_sides && one.replaced.is_none() && !is_special && !is_given(false) {
                    self.found.push((false, one.japanese.clone(), line("more in game")));
                }
            }
        }
    }

    fn print(mut self) {
        for (sides, name, line) in self.found {
            if let Some(count) = self.counts.get_mut(&(sides, name)) {
                count.extra += 1;
                self.lines.push(line);
            }
        }
        self.lines.sort();
        self.lines.iter().for_each(|line| println!("{line}"));
        for sides in [false, true] {
            let (mut given, mut found, mut extra) = (0, 0, 0);
            println!(
                "\n{}: name, given, found, within 2 plies, found elsewhere",
                if sides { "by side" } else { "by game" }
            );
            for ((_, name), count) in self.counts.iter().filter(|((of, _), _)| *of == sides) {
                println!("{name}\t{}\t{}\t{}/{}\t{}", count.given, count.found, count.same, count.plies, count.extra);
                given += count.given;
                found += count.found;
                extra += count.extra;
            }
            println!("all\t{given}\t{found}\t{:.1} %\t{extra}", 100.0 * found as f64 / given.max(1) as f64);
        }
    }
}
