//! Value types that the store and the services share: statuses, outcomes, counts, ledger terms, users. No SQL, no IO.

pub mod api_key;
pub mod audience_chunk;
pub mod audit;
pub mod carrier;
pub mod carrier_order;
pub mod chat_refusal;
pub mod code_purpose;
pub mod contact;
pub mod delivery_counts;
pub mod file_name;
pub mod installation;
pub mod ledger;
pub mod message_id;
pub mod notice;
pub mod outcome;
pub mod page;
pub mod pause;
pub mod payment;
pub mod quote_details;
pub mod reason;
pub mod receipt_state;
pub mod sender;
pub mod status;
pub mod user;
pub mod webhook_endpoint;
pub mod webhook_event;
