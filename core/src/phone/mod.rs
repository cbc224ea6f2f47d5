//! Phone numbers: what a person or a spreadsheet wrote goes in, E.164 comes out, or a reject with its reason.

mod msisdn;

pub use msisdn::Msisdn;
