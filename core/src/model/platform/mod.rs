//! What the platform itself keeps: its trail, its notices, where it is served.

pub mod audit;
pub mod data_class;
pub mod installation;
pub mod notice;
