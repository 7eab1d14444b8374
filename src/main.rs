//! x
use sabi::{position::*, search::*};
fn main() {
    let d: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut s = Searcher::new(64, 1).unwrap();
    for f in [
        STARTPOS_SFEN,
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "ln1g3nl/1r1sk1gb1/p1pppsppp/1p3p3/9/2P1P1P2/PPSP1P1PP/1BG2S1R1/LN2KG1NL b - 21",
    ] {
        let p = Position::from_sfen(f).unwrap();
        let mut l = Limits::unlimited(std::time::Instant::now());
        l.depth = Some(d);
        let o = s.search(&p, &l, &Settings::default(), &Signals::default(), &mut |r| {
            println!(
                "{} {} {:?} {} {:.0}k {:?}",
                r.depth,
                r.seldepth,
                r.score,
                r.nodes,
                r.nodes as f64 / r.time.as_secs_f64() / 1e3,
                r.pv
            )
        });
        println!("{o:?}");
    }
}
