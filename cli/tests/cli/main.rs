//! The command as scripts and people meet it: the real binary against a stand-in for the daemon, its output compared
//! with what was agreed on, word for word.

#[cfg(test)]
mod canary;
#[cfg(test)]
mod careful;
#[cfg(test)]
mod contacts;
#[cfg(test)]
mod dependencies;
#[cfg(test)]
mod dnd;
#[cfg(test)]
mod doubt;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod follow;
#[cfg(test)]
mod help;
#[cfg(test)]
mod json;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod operations;
mod own_number;
#[cfg(test)]
mod payments;
#[cfg(test)]
mod platform;
#[cfg(test)]
mod send;
#[cfg(test)]
mod session;
#[cfg(test)]
mod stand_in;
#[cfg(test)]
mod talkdrum;
#[cfg(test)]
mod voice;
