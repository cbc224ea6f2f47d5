//! What the stand-in answers to the commands of the table.

use serde_json::{Value, json};

use crate::talkdrum::quote;

pub(super) fn group() -> Value {
    json!({
        "id": 5, "group_name": "Customers", "description": "", "contacts_count": 1, "columns": [],
        "created_at": "2027-01-04T08:00:00Z", "updated_at": "2027-01-04T08:00:00Z",
    })
}

pub(super) fn template() -> Value {
    json!({
        "id": 5, "name": "Sale", "text": "Come", "created_at": "2027-01-04T08:00:00Z",
        "updated_at": "2027-01-04T08:00:00Z",
    })
}

pub(super) fn recording() -> Value {
    json!({
        "id": 5, "name": "Hello", "audioFileUrl": "http://elsewhere/api/recordings/5/audio?expires=1&signature=x",
        "length_ms": 2000, "loudness": "good", "loudness_dbfs": -20, "bytes": 32000, "used_at": null,
        "created_at": "2027-01-04T08:00:00Z",
    })
}

pub(super) fn voice_test(over: bool) -> Value {
    json!({
        "id": 3, "to": "2348031234567", "from": null, "carrier": null, "status": "calling", "outcome": null,
        "over": over, "message": "", "attempts": 1, "length_ms": 1000, "created_at": "", "ringing_at": null,
        "answered_at": null, "ended_at": null, "seconds": 0, "heard_ms": 0, "digits": "", "code": null, "ended_by": null,
    })
}

pub(super) fn own_number_call(over: bool) -> Value {
    json!({
        "id": 3, "phone_number": "2348031234567", "from": null, "status": "calling", "outcome": null, "over": over,
        "message": "", "attempts": 1, "currency": "naira", "unit_price": 9, "pulses": 1, "charged": 9, "refunded": 0,
        "created_at": "", "code_expires_at": "", "ringing_at": null, "answered_at": null, "ended_at": null, "seconds": 0,
    })
}

/// An import that rejected a row.
pub(super) fn import() -> Value {
    json!({
        "id": 9, "target": "group", "group_id": 5, "status": "completed", "error": null,
        "columns": {"phone": null, "name": [], "email": null, "fields": []}, "rows_read": 2, "valid": 1, "added": 1,
        "updated": 0, "unchanged": 0, "duplicates": 0, "invalid": 1, "warnings": 0,
        "created_at": "2027-01-04T08:00:00Z", "finished_at": "2027-01-04T08:00:01Z",
    })
}

/// No price is set.
pub(super) fn prices() -> Value {
    let none = json!([]);
    json!({
        "SMS-UNIT-PRICE": none, "SMS-UNIT-PRICE-IN-NAIRA": none, "SMS-ABROAD-UNIT-PRICE": none,
        "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": none, "VOICE-UNIT-PRICE": none,
        "VOICE-UNIT-PRICE-NAIRA": none, "VIRTUAL-UNIT-PRICE": none, "OWN-UNIT-PRICE": none, "version": "v",
    })
}

/// The quote of a kind, for later when the call says so.
pub(super) fn quote_of(kind: &str, line: &str) -> Value {
    let mut quote = quote();
    quote["sms_type"] = json!(kind);
    if line.contains("/schedule-") {
        quote["starts"] = json!(["2030-01-31T09:30:00.000Z"]);
    }
    quote
}
