//! A made-up game, judged.
