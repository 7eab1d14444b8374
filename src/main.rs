//! `sabi`: the engine speaks USI; subcommands do one thing and end.

use std::process::ExitCode;

fn main() -> ExitCode {
    sabi::cli::main()
}
