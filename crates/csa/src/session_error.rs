//! Errors that interrupt a game.

use std::io;

/// Why a connection is closed.
#[derive(Debug, thiserror::Error)]
pub(super) enum SessionError {
    #[error("no connection: {0}")]
    Connect(io::Error),
    #[error("connection lost: {0}")]
    Closed(String),
    #[error("timeout while waiting for {0}")]
    Timeout(&'static str),
    #[error("login rejected: wrong user or password, or the user is logged in already")]
    Login,
    #[error("protocol error of the server: {0}")]
    Protocol(String),
    #[error("interrupted by the user")]
    Interrupted,
}
