//! All targets in one libFuzzer program; the environment variable `SABI_FUZZ_TARGET` selects one.
//! Without it, targets and seed fixtures are listed.

#![no_main]

mod targets;

use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;
use targets::{TARGETS, Target};

/// The selected target.
fn selected() -> &'static Target {
    static SELECTED: OnceLock<&Target> = OnceLock::new();
    SELECTED.get_or_init(|| {
        let name = std::env::var("SABI_FUZZ_TARGET").unwrap_or_default();
        TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| {
            TARGETS.iter().for_each(|target| println!("{} {}", target.name, target.fixtures.unwrap_or_default()));
            std::process::exit(2)
        })
    })
}

fuzz_target!(init: { selected(); }, |bytes: &[u8]| (selected().check)(bytes));
