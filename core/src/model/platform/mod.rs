//! What the platform itself keeps: its trail, its notices, where it is served.

pub mod audit;
pub mod data_class;
pub mod id;
pub mod installation;
pub mod notice;
