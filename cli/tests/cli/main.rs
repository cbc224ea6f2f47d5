//! The command as scripts and people meet it: the real binary against a stand-in for the daemon, its output compared
//! with what was agreed on, word for word.

mod follow;
mod help;
mod lists;
mod send;
mod session;
mod stand_in;
mod talkdrum;
