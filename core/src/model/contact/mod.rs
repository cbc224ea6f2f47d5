//! How opt-outs came about, and where imports of contacts stand.

pub mod id;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::model::contact::id::ImportId;

/// What is noted with an opt-out by key.
pub const OPT_OUT_KEY_NOTE: &str = "Pressed 9 in a call";

words! {
    /// How a number was added to a list of opt-outs.
    OptOutSource {
        /// Typed.
        Manual = "manual",
        /// It answered STOP, or pressed 9 in a call.
        Stop = "stop",
        /// From a file.
        Import = "import",
        /// The carrier reported it.
        Carrier = "carrier",
    }
}

words! {
    /// What an import fills.
    ImportTarget {
        /// A group of contacts.
        Group = "group",
        /// A list of opt-outs.
        OptOuts = "optouts",
    }
}

words! {
    /// Where an import stands.
    ImportStatus {
        /// Its file is read.
        Running = "running",
        /// All of its file was taken.
        Completed = "completed",
        /// It ended before that.
        Failed = "failed",
        /// It was cut off, and may go on.
        Interrupted = "interrupted",
    }
}

impl ImportStatus {
    /// Whether it never changes again.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

/// Which column of an imported file was taken for what, as it is stored with the import. An import that has not seen its
/// columns has none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileColumns {
    /// The column with the numbers; not there when the file is a list.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub phone: Option<String>,
    /// All columns with numbers that were read: the one above, and others that were asked for.
    #[serde(default)]
    pub phones: Vec<String>,
    /// Columns that also hold numbers and were not read.
    #[serde(default)]
    pub unread: Vec<String>,
    /// The columns with the name: one, or first and last.
    #[serde(default)]
    pub name: Vec<String>,
    /// The column with the address.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub email: Option<String>,
    /// Merge fields, under the names that messages use.
    #[serde(default)]
    pub fields: Vec<String>,
}

impl FileColumns {
    /// As they are stored.
    pub(crate) fn to_json(&self) -> Result<String> {
        serde_json::to_string(self)
            .map_err(|error| Error::Corrupt(format!("columns cannot be written: {error}")))
    }

    /// As they were stored with an import.
    pub(crate) fn from_json(text: &str, import: ImportId) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| {
            Error::Corrupt(format!("the columns of import {import} cannot be read: {error}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_as_they_were_ever_stored() {
        let titles = |titles: &[&str]| titles.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let columns = FileColumns {
            phone: Some("Phone".to_owned()),
            phones: titles(&["Phone", "Mobile"]),
            unread: titles(&["Office"]),
            name: titles(&["First", "Last"]),
            email: Some("Mail".to_owned()),
            fields: titles(&["city"]),
        };
        // With the notices, which are made of the columns when they are shown.
        let before = r#"{"phone":"Phone","phones":["Phone","Mobile"],"unread":["Office"],"notices":[],"name":["First","Last"],"email":"Mail","fields":["city"]}"#;
        assert_eq!(FileColumns::from_json(before, ImportId(1)).unwrap(), columns);
        assert_eq!(columns.to_json().unwrap(), before.replace(r#""notices":[],"#, ""));
        assert_eq!(FileColumns::from_json("{}", ImportId(1)).unwrap(), FileColumns::default());
        let oldest = r#"{"phone":"Phone","name":[],"fields":[]}"#;
        assert_eq!(FileColumns::from_json(oldest, ImportId(1)).unwrap().phone.as_deref(), Some("Phone"));
        assert!(FileColumns::from_json("", ImportId(7)).unwrap_err().to_string().contains("import 7"));
    }
}
