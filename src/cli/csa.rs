//! `sabi csa`: games on CSA servers.

use crate::engine::{Answer, Engine, EngineListener, GameOutcome, InfoMessage, Options, Task};
use crate::search::{GameClock, Limits, PonderHit, Report, TimeControl};
use anyhow::{Context, bail, ensure};
use clap::Args;
use sabi_csa::{Client, Config, EngineAnswer, EngineOutput, EngineOutputs, GameRules, TurnTime};
use sabi_files::{read_regular, replace_with_bytes, without_bom};
use sabi_records::GameResult;
use sabi_shogi::{Bound, Color, Position};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

#[derive(Args)]
pub struct CsaArguments {
    /// Configuration in TOML, or JSON if the name ends in .json; see docs/servers.md
    #[arg(long, value_name = "FILE", default_value = "csa.toml")]
    config: PathBuf,
    /// Write a sample configuration there, if there is no such file
    #[arg(long, conflicts_with = "check")]
    init: bool,
    /// Prepare the engine, log in and out, and play nothing
    #[arg(long)]
    check: bool,
}

impl CsaArguments {
    /// Plays the configured games. Ctrl-C quits after the current game, a second one aborts it.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.init {
            return self.write_sample(out);
        }
        let in_file = || format!("cannot use '{}'", self.config.display());
        let config = self.read().with_context(in_file)?;
        let player = Player::of(&config).with_context(in_file)?;
        let client = Client::new(config, io::stdout(), |outputs| player.start(outputs))?;
        let quit_handle = client.quit_handle();
        ctrlc::set_handler(move || quit_handle.interrupt()).context("cannot listen to Ctrl-C")?;
        if self.check {
            return Ok(client.check()?);
        }
        client.play()?;
        Ok(())
    }

    fn write_sample(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let name = self.config.display();
        ensure!(
            !self.config.extension().is_some_and(|it| it.eq_ignore_ascii_case("json")),
            "the sample is TOML, not JSON: '{name}'"
        );
        ensure!(!self.config.try_exists()?, "'{name}' exists and is left as it is");
        replace_with_bytes(&self.config, Config::SAMPLE.as_bytes())
            .with_context(|| format!("cannot write '{name}'"))?;
        Ok(writeln!(out, "wrote '{name}': enter user and password, then try it with --check")?)
    }

    fn read(&self) -> anyhow::Result<Config> {
        let bytes = match read_regular(&self.config) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                bail!("there is no such file; --init writes a sample")
            }
            bytes => bytes?,
        };
        let text = str::from_utf8(without_bom(&bytes)).context("it is not UTF-8")?;
        let is_json = self.config.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        Ok(if is_json { Config::from_json(text)? } else { Config::from_toml(text)? })
    }
}

/// The options of the engine, and which of them the rules of a game may set.
struct Player {
    options: Options,
    sets_rounding: bool,
    sets_max_moves: bool,
}

impl Player {
    /// The configured options, and defaults that suit servers.
    fn of(config: &Config) -> anyhow::Result<Self> {
        let mut options = Options { ponder: true, ..Options::default() };
        options.search.time.network_delay = config.latency_margin;
        options.search.time.network_delay2 = config.latency_margin + 1000;
        for (name, value) in config.options() {
            options = options.with(name, Some(&value)).map_err(|error| anyhow::anyhow!("options: {error}"))?;
        }
        let (sets_rounding, sets_max_moves) = (!config.sets("RoundUpToFullSecond"), !config.sets("MaxMovesToDraw"));
        Ok(Self { options, sets_rounding, sets_max_moves })
    }

    fn start(self, outputs: EngineOutputs) -> io::Result<Box<dyn sabi_csa::Engine>> {
        let engine = Engine::new(Arc::new(Outputs(outputs)))?;
        Ok(Box::new(ServerEngine { engine, player: self }))
    }
}

/// Hands what the client needs of the engine's output to it.
struct Outputs(EngineOutputs);

impl EngineListener for Outputs {
    fn report(&self, report: &Report) {
        if report.multi_pv == 1 && report.bound == Bound::Exact {
            self.0(EngineOutput::Line(report.score, report.pv.clone()));
        }
    }

    fn note(&self, note: &InfoMessage) {
        self.0(EngineOutput::Note(note.to_string()));
    }

    fn finished(&self, answer: &Answer) {
        self.0(match *answer {
            Answer::Ready => EngineOutput::Ready,
            Answer::Best { best, ponder } => EngineOutput::Answer(EngineAnswer::Move { best, ponder }),
            Answer::Resign => EngineOutput::Answer(EngineAnswer::Resign),
            Answer::Declare => EngineOutput::Answer(EngineAnswer::Declare),
            _ => return,
        });
    }
}

/// The engine as the client sees it.
struct ServerEngine {
    engine: Engine,
    player: Player,
}

fn time_control(time: TurnTime) -> TimeControl {
    match time {
        TurnTime::Fixed(ms) => TimeControl::MoveTime(ms),
        TurnTime::Clock { remaining, increment, byoyomi } => {
            TimeControl::Clock(GameClock { remaining, increment, byoyomi })
        }
    }
}

impl sabi_csa::Engine for ServerEngine {
    fn prepare(&mut self, rules: GameRules, new_game: bool) {
        let mut options = self.player.options.clone();
        if self.player.sets_rounding {
            options.search.time.round_up = rules.drops_fractions;
        }
        if self.player.sets_max_moves {
            options.search.max_moves = rules.max_moves;
        }
        self.engine.set_options(options);
        if new_game {
            self.engine.new_game();
        }
        self.engine.prepare();
    }

    fn ponders(&self) -> bool {
        self.engine.options().ponder
    }

    fn search(&mut self, position: Position, start: Instant, time: TurnTime, ponder: bool) {
        self.engine.position = position;
        let limits = Limits { time: time_control(time), ponder, ..Limits::unlimited(start) };
        self.engine.start(Task::Search(limits));
    }

    fn ponder_hit(&mut self, at: Instant, time: TurnTime) {
        // A ponder search is known to run here.
        self.engine.ponder_hit(PonderHit { at, time: Some(time_control(time)) });
    }

    fn stop(&mut self) {
        self.engine.stop();
    }

    fn game_over(&mut self, position: Position, us: Color, result: GameResult) {
        self.engine.position = position;
        self.engine.game_over(match result {
            GameResult::Unknown => None,
            GameResult::Draw => Some(GameOutcome::Draw),
            won if won == GameResult::won_by(us) => Some(GameOutcome::Win),
            _ => Some(GameOutcome::Lose),
        });
    }

    fn shut_down(self: Box<Self>) {
        self.engine.shut_down();
    }
}
