use sabi::{movegen::*,position::*};
fn main(){ let d:u32=std::env::args().nth(1).unwrap().parse().unwrap();
 for m in [PerftMode::List,PerftMode::Bits]{ let mut p=Position::startpos(); let t=std::time::Instant::now(); let n=perft(&mut p,d,m,&||false).unwrap(); let s=t.elapsed().as_secs_f64(); println!("{m:?} {n} {:.3}s {:.1}M/s",s,n as f64/s/1e6);} }
