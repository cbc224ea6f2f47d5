//! What was done about an administrator's order to the carriers, as it is stored with the order.

use serde::{Deserialize, Serialize};

id! {
    /// The number of an order to the carriers of all daemons, in the order in which they were given.
    CarrierOrderId
}

/// What a reload changed at the daemon that was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReloadReport {
    /// Carriers that are new.
    pub started: Vec<String>,
    /// Carriers whose settings changed: they drain and restart.
    pub changed: Vec<String>,
    /// Carriers that go on untouched.
    pub unchanged: Vec<String>,
    /// Carriers that are not configured any more: they drain and end.
    pub removed: Vec<CarrierGone>,
    /// Whether the routes changed.
    pub routes_changed: bool,
    /// Other settings that changed in the file, which need a restart.
    pub needs_restart: Vec<String>,
    /// In words.
    pub message: String,
}

/// A carrier that is not configured any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarrierGone {
    /// Its name.
    pub name: String,
    /// Messages that still wait for it.
    pub waiting: i64,
}

/// What a reroute moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RerouteReport {
    /// Messages that go by another carrier now.
    pub moved: Vec<MovedTo>,
    /// Messages that stay, and why.
    pub kept: Vec<KeptFor>,
    /// The platform's own text messages that go by another carrier now.
    pub notices: i64,
    /// In words.
    pub message: String,
}

/// Messages that go by another carrier now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedTo {
    /// That carrier.
    pub carrier: String,
    /// How many.
    pub messages: i64,
}

/// Messages that stay where they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFor {
    /// Why.
    pub reason: String,
    /// How many.
    pub messages: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_as_they_were_stored() {
        // With the daemons, which are asked again each time.
        let before = r#"{"started":["a"],"changed":[],"unchanged":["b"],"removed":[{"name":"c","waiting":3}],"routes_changed":true,"needs_restart":["server.port"],"daemons":[],"message":"Started: a"}"#;
        let report = ReloadReport {
            started: vec!["a".to_owned()],
            changed: Vec::new(),
            unchanged: vec!["b".to_owned()],
            removed: vec![CarrierGone { name: "c".to_owned(), waiting: 3 }],
            routes_changed: true,
            needs_restart: vec!["server.port".to_owned()],
            message: "Started: a".to_owned(),
        };
        assert_eq!(serde_json::from_str::<ReloadReport>(before).unwrap(), report);
        assert_eq!(serde_json::to_string(&report).unwrap(), before.replace(r#""daemons":[],"#, ""));
        let before = r#"{"moved":[{"carrier":"b","messages":2}],"kept":[{"reason":"no route","messages":1}],"notices":4,"message":"6 messages were led elsewhere, 1 stay"}"#;
        let report = RerouteReport {
            moved: vec![MovedTo { carrier: "b".to_owned(), messages: 2 }],
            kept: vec![KeptFor { reason: "no route".to_owned(), messages: 1 }],
            notices: 4,
            message: "6 messages were led elsewhere, 1 stay".to_owned(),
        };
        assert_eq!(serde_json::from_str::<RerouteReport>(before).unwrap(), report);
        assert_eq!(serde_json::to_string(&report).unwrap(), before);
    }
}
