//! Rows of running the daemon: locks, disks, backups, generations, daemons and peers, purges, idempotency keys.

pub mod backup;
pub mod daemon;
pub mod disk;
pub mod generation;
pub mod idempotency;
pub mod installation;
pub mod last_check;
pub mod lock;
pub mod peer;
pub mod purge;
pub mod trusted_clock;
