//! Configuration of a client, from TOML or JSON.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Configuration of a client.
///
/// ```
/// let text = "host = 'localhost'\nuser = 'me'\npassword = 'secret'\n[options]\nThreads = 2";
/// let config = sabi_csa::Config::from_toml(text)?;
/// assert_eq!(config.options().next(), Some(("Threads", "2".to_owned())));
/// # Ok::<(), sabi_csa::ConfigError>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Server name.
    pub(super) host: String,
    #[serde(default = "default_port")]
    pub(super) port: u16,
    pub(super) user: String,
    password: Option<Password>,
    /// Environment variable with the password.
    password_env: Option<String>,
    /// Game name, prefixed to the password on floodgate-type servers.
    game: Option<String>,
    /// Number of games; 0: unlimited.
    #[serde(default)]
    pub(super) games: u32,
    /// Whether to log out and in again after each game.
    #[serde(default = "yes")]
    pub(super) login_every_game: bool,
    /// Folder of the records.
    #[serde(default = "default_folder")]
    pub(super) records: PathBuf,
    /// Log file, in addition to standard output.
    pub(super) log: Option<PathBuf>,
    /// Whether to send score and PV with each move (floodgate comments).
    #[serde(default)]
    pub(super) comments: bool,
    /// Network delay per move, in milliseconds.
    #[serde(default = "default_margin")]
    pub latency_margin: u64,
    /// Idle seconds before an empty line is sent.
    #[serde(default = "default_keep_alive")]
    pub(super) keep_alive: u64,
    #[serde(default)]
    pub(super) reconnect: Reconnect,
    /// USI options of the engine.
    #[serde(default)]
    options: BTreeMap<String, OptionValue>,
}

/// Reconnection: delay of `first` seconds, doubled each time up to `most`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Reconnect {
    first: u64,
    most: u64,
    /// Maximum failures in a row; 0: unlimited.
    pub(super) tries: u32,
}

impl Default for Reconnect {
    fn default() -> Self {
        Self { first: 5, most: 600, tries: 0 }
    }
}

impl Reconnect {
    /// The delay after this many failures in a row.
    pub(super) fn pause(&self, failures: u32) -> Duration {
        let factor = 1_u64.checked_shl(failures.saturating_sub(1)).unwrap_or(u64::MAX);
        Duration::from_secs(self.first.saturating_mul(factor).min(self.most))
    }
}

const fn default_port() -> u16 {
    4081
}

const fn default_margin() -> u64 {
    500
}

const fn default_keep_alive() -> u64 {
    60
}

const fn yes() -> bool {
    true
}

fn default_folder() -> PathBuf {
    "records".into()
}

/// A password, never shown in messages.
#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "password: it must be a text in quotes")]
enum Password {
    Text(String),
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Value of a USI option.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected true, false, a whole number or a text for an option")]
enum OptionValue {
    Check(bool),
    Spin(i64),
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(value) => value.fmt(f),
            Self::Spin(value) => value.fmt(f),
            Self::Text(value) => f.write_str(value),
        }
    }
}

/// Why a configuration is rejected.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ConfigError {
    #[error("line {line}: {message}")]
    Toml { line: usize, message: String },
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("{0}: {1}")]
    Value(&'static str, String),
}

impl Config {
    /// A sample in TOML, for floodgate.
    pub const SAMPLE: &str = include_str!("../sample.toml");

    /// Parses TOML.
    ///
    /// # Errors
    /// When it is invalid, has unknown or missing keys, or invalid values.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(|error| {
            // The error itself would quote the line, possibly with the password.
            let start = error.span().map_or(0, |span| span.start);
            let line = text.bytes().take(start).filter(|&byte| byte == b'\n').count() + 1;
            ConfigError::Toml { line, message: error.message().to_owned() }
        })?;
        config.checked()
    }

    /// Parses JSON.
    ///
    /// # Errors
    /// Those of [`Config::from_toml`].
    pub fn from_json(text: &str) -> Result<Self, ConfigError> {
        serde_json::from_str::<Self>(text)?.checked()
    }

    fn checked(self) -> Result<Self, ConfigError> {
        let wrong = |key, reason: &str| Err(ConfigError::Value(key, reason.to_owned()));
        let is_word = |text: &str| !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
        let Reconnect { first, most, .. } = self.reconnect;
        if !is_word(&self.host) {
            return wrong("host", "it must be the name or address of a server");
        }
        if self.port == 0 {
            return wrong("port", "it must be 1 to 65535");
        }
        if !is_word(&self.user) {
            return wrong("user", "it must be one word");
        }
        if self.game.as_ref().is_some_and(|game| !is_word(game) || game.contains(',')) {
            return wrong("game", "it must be one word without a comma, such as floodgate-300-10F");
        }
        if !(1..=600).contains(&self.keep_alive) {
            return wrong("keep_alive", "it must be 1 to 600 seconds");
        }
        if self.latency_margin > 59_000 {
            return wrong("latency_margin", "it must be 0 to 59000 milliseconds");
        }
        if first == 0 || most < first || most > 86_400 {
            return wrong("reconnect", "it must hold that 1 <= first <= most <= 86400");
        }
        if !is_word(&self.password()?) {
            return wrong("password", "it must be one word");
        }
        Ok(self)
    }

    fn password(&self) -> Result<String, ConfigError> {
        let wrong = |reason: String| ConfigError::Value("password", reason);
        match (&self.password, &self.password_env) {
            (Some(Password::Text(password)), None) => Ok(password.clone()),
            (None, Some(name)) => {
                std::env::var(name).map_err(|_| wrong(format!("the environment variable {name} is not set")))
            }
            (Some(_), Some(_)) => Err(wrong("give it, or password_env, but not both".to_owned())),
            (None, None) => Err(wrong("it is missing; give it, or the name of a variable as password_env".to_owned())),
        }
    }

    /// The secret, and the full login line.
    pub(super) fn login(&self) -> Result<(String, String), ConfigError> {
        let password = self.password()?;
        let game = self.game.as_ref().map_or_else(String::new, |game| format!("{game},"));
        let line = format!("LOGIN {} {game}{password}", self.user);
        Ok((password, line))
    }

    /// Whether an option is configured.
    pub fn sets(&self, option: &str) -> bool {
        self.options.keys().any(|name| name.eq_ignore_ascii_case(option))
    }

    /// The configured USI options of the engine: names and values.
    pub fn options(&self) -> impl Iterator<Item = (&str, String)> {
        self.options.iter().map(|(name, value)| (name.as_str(), value.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: &str = "host = 'localhost'\nuser = 'sabi'\npassword = 'hunter2'\n";

    #[test]
    fn defaults_suit_servers() {
        let config = Config::from_toml(LEAST).unwrap();
        assert_eq!((config.port, config.games, config.comments, config.login_every_game), (4081, 0, false, true));
        assert_eq!(config.login().unwrap(), ("hunter2".to_owned(), "LOGIN sabi hunter2".to_owned()));
        assert_eq!((config.latency_margin, config.options().count()), (500, 0));
        let more = format!(
            "{LEAST}game = 'floodgate-300-10F'\n[options]\nUSI_Ponder = false\nThreads = 2\nNetworkDelay = 7\n"
        );
        let config = Config::from_toml(&more).unwrap();
        assert_eq!(config.login().unwrap().1, "LOGIN sabi floodgate-300-10F,hunter2");
        let options: Vec<_> = config.options().collect();
        assert_eq!(
            options,
            [("NetworkDelay", "7"), ("Threads", "2"), ("USI_Ponder", "false")]
                .map(|(name, value)| (name, value.to_owned()))
        );
        assert!(config.sets("threads") && !config.sets("MultiPV"));
        let json = r#"{"host": "h", "user": "u", "password": "p", "options": {"Threads": 3}}"#;
        assert_eq!(Config::from_json(json).unwrap().options().collect::<Vec<_>>(), [("Threads", "3".to_owned())]);
    }

    #[test]
    fn sample_is_valid() {
        let (variable, other) = ("password_env = \"FLOODGATE_PASSWORD\"", "password = 'hunter2'");
        assert!(Config::SAMPLE.contains(variable));
        let config = Config::from_toml(&Config::SAMPLE.replace(variable, other)).unwrap();
        assert_eq!(config.login().unwrap().1, "LOGIN my-engine floodgate-300-10F,hunter2");
    }

    #[test]
    fn errors_are_one_line() {
        for (text, message) in [
            ("user = 'a'\npassword = 'b'", "missing field `host`"),
            ("host = 'a'\nuser = 'b'", "password: it is missing"),
            (&format!("{LEAST}prot = 1"), "line 4: unknown field `prot`"),
            (&format!("{LEAST}port = 0"), "port: it must be 1 to 65535"),
            (&format!("{LEAST}port = 65536"), "line 4:"),
            (&format!("{LEAST}game = 'a,b'"), "game: it must be one word"),
            (&format!("{LEAST}keep_alive = 0"), "keep_alive: it must be 1 to 600"),
            (&format!("{LEAST}latency_margin = 60000"), "latency_margin: it must be 0 to 59000"),
            (&format!("{LEAST}[reconnect]\nfirst = 9\nmost = 8"), "reconnect: it must hold"),
            (&format!("{LEAST}[options]\nThreads = 1.5"), "expected true, false, a whole number or a text"),
            (&format!("{LEAST}password_env = 'HOME'"), "but not both"),
            ("host = 'a'\nuser = 'b'\npassword_env = 'NO_SUCH_VARIABLE'", "NO_SUCH_VARIABLE is not set"),
            ("host = 'a b'\nuser = 'b'\npassword = 'c'", "host: it must be"),
            ("host = ", "line 1:"),
        ] {
            let error = Config::from_toml(text).unwrap_err().to_string();
            assert!(error.contains(message) && !error.contains('\n'), "{text}: {error}");
        }
    }

    /// Error messages never contain the password.
    #[test]
    fn messages_hide_the_password() {
        for line in [
            "password = 31337",
            "password = s31337",
            "password = 31337.5",
            "password = 's31337",
            "password = 's31337' x",
            "password = ['s31337']",
            "password = { a = 's31337' }",
            "password = 's 31337'",
            "password = 2026-01-31T31:33:7",
            "password = 's31337'\npassword = 's31337'",
            "password = 's31337'\nport = 0",
        ] {
            let error = Config::from_toml(&format!("host = 'a'\nuser = 'b'\n{line}\n")).unwrap_err();
            assert!(!error.to_string().contains("31337"), "{line}: {error}");
            assert!(!format!("{error:?}").contains("31337"), "{line}: {error:?}");
        }
        for value in ["31337", "[\"s31337\"]", "{\"s31337\": 1}", "\"s 31337\"", "s31337", "31337.5"] {
            let text = format!("{{\"host\": \"a\", \"user\": \"b\", \"password\": {value}}}");
            let error = Config::from_json(&text).unwrap_err();
            assert!(!error.to_string().contains("31337"), "{value}: {error}");
        }
        let config = Config::from_toml("host = 'a'\nuser = 'b'\npassword = 's31337'").unwrap();
        assert!(!format!("{config:?}").contains("31337"));
    }

    #[test]
    fn reconnect_delay_doubles_to_limit() {
        let reconnect = Reconnect { first: 5, most: 60, tries: 0 };
        let pauses: Vec<u64> = (1..=6).map(|failures| reconnect.pause(failures).as_secs()).collect();
        assert_eq!(pauses, [5, 10, 20, 40, 60, 60]);
        assert_eq!(reconnect.pause(u32::MAX).as_secs(), 60);
    }
}
