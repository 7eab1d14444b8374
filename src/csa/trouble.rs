//! Errors that interrupt a game.

use std::io;

/// Why a connection is closed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error("no connection: {0}")]
    Connect(io::Error),
    #[error("the connection is cut: {0}")]
    Closed(String),
    #[error("nothing came in time while waiting for {0}")]
    Silence(&'static str),
    #[error("the server refuses the login: wrong user or password, or the user is logged in already")]
    Login,
    #[error("the game was rejected: {0}")]
    Rejected(String),
    #[error("the server does not keep to the protocol: {0}")]
    Protocol(String),
    #[error("asked to leave")]
    Interrupted,
}
