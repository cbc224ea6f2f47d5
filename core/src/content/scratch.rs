//! Buffers of measuring and encoding.

/// Buffers that measuring and encoding use again and again: one for each worker, passed from recipient to recipient.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) value: String,
    pub(super) title: String,
    pub(super) url: String,
    pub(super) octets: Vec<u8>,
}
