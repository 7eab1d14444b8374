//! `sabi`: the USI engine by default; subcommands for everything else.

use std::process::ExitCode;

fn main() -> ExitCode {
    sabi::cli::main()
}
