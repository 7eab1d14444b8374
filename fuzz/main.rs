//! All targets in one program for libFuzzer; the environment variable `SABI_FUZZ_TARGET` names one. Where it names none, they are
//! listed, with their fixtures.

#![no_main]

mod targets;

use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;
use targets::{TARGETS, Target};

/// The target that was asked for.
fn chosen() -> &'static Target {
    static CHOSEN: OnceLock<&Target> = OnceLock::new();
    CHOSEN.get_or_init(|| {
        let name = std::env::var("SABI_FUZZ_TARGET").unwrap_or_default();
        TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| {
            TARGETS.iter().for_each(|target| println!("{} {}", target.name, target.fixtures.unwrap_or_default()));
            std::process::exit(2)
        })
    })
}

fuzz_target!(init: { chosen(); }, |bytes: &[u8]| (chosen().check)(bytes));
