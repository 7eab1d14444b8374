//! Training data: `sabi selfplay` and `data_tools` as a user meets them.

mod failures;
mod helpers;
mod selfplay;
mod tools;
