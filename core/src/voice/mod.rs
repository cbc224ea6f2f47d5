//! Voice: texts that are spoken ([`speech`]), recordings ([`recording`]) and where they are kept ([`library`]), both as clips
//! ([`clip`]); what the calls of campaigns say ([`script`], [`campaign_clip`]); and single calls ([`single_call`]), of which
//! some try a clip on its author ([`test_call`]).

pub mod campaign_clip;
pub mod clip;
pub mod library;
pub mod recording;
mod resample;
pub mod script;
pub mod single_call;
pub mod speech;
pub mod test_call;
