//! Where settings come from, and which of these places set a key.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Overrides;
use super::faults::is_below;

/// How the names of variables begin that set any key: `TALKDRUM__SECTION__KEY`.
pub(super) const PREFIX: &str = "TALKDRUM";
/// What stands between the words of these names.
pub(super) const SEPARATOR: &str = "__";

/// The places that settings were read from.
#[derive(Debug)]
pub(super) struct Sources {
    /// The configuration file and the lines of its keys.
    file: Option<(PathBuf, BTreeMap<String, usize>)>,
    /// Names of variables by the keys they set.
    variables: BTreeMap<String, String>,
    /// Flags, or the variables that stand for them, by the keys they set.
    flags: BTreeMap<&'static str, String>,
}

impl Sources {
    /// The places of `overrides`, with the text of the file and the environment.
    pub(super) fn new(overrides: &Overrides, text: &str, environment: &HashMap<String, String>) -> Self {
        let prefix = format!("{PREFIX}{SEPARATOR}");
        let variables = environment.keys().filter_map(|name| {
            let key = name.to_uppercase().strip_prefix(&prefix)?.replace(SEPARATOR, ".").to_lowercase();
            Some((key, name.clone()))
        });
        let data_dir = overrides.data_dir.as_ref().map(|path| path.to_string_lossy().into_owned());
        let flags = [
            ("server.data_dir", "TALKDRUM_DATA_DIR", "--data-dir", data_dir),
            ("server.listen", "TALKDRUM_LISTEN", "--listen", overrides.listen.clone()),
            ("database.url", "TALKDRUM_DATABASE_URL", "--database", overrides.database.clone()),
        ];
        let flags = flags.into_iter().filter_map(|(key, variable, flag, set)| {
            let set = set?;
            let is_variable = environment.get(variable).is_some_and(|value| *value == set);
            Some((key, if is_variable { variable } else { flag }.to_owned()))
        });
        Self {
            file: overrides.file.clone().map(|file| (file, lines(text))),
            variables: variables.collect(),
            flags: flags.collect(),
        }
    }

    /// The place that set a key: a flag, a variable, or a line of the file; for a key that is not set, where its section
    /// is. `None` when nothing of the section is set.
    pub(super) fn place(&self, path: &str) -> Option<String> {
        if let Some(flag) = self.flags.get(path) {
            return Some(flag.clone());
        }
        let variable = |path: &str| self.variables.iter().find(|(key, _)| is_below(key, path)).map(|it| it.1);
        if let Some(variable) = variable(path) {
            return Some(variable.clone());
        }
        let mut known = Some(path);
        while let (Some(key), Some((file, lines))) = (known, &self.file) {
            if let Some(line) = lines.get(key) {
                return Some(format!("{}:{line}", file.display()));
            }
            known = key.rsplit_once('.').map(|(parent, _)| parent);
        }
        let section = path.split('.').next().unwrap_or(path);
        variable(section).cloned().or_else(|| self.file.as_ref().map(|(file, _)| file.display().to_string()))
    }
}

/// The line of each key of a file, sections and elements of lists among them.
fn lines(text: &str) -> BTreeMap<String, usize> {
    let mut lines = BTreeMap::new();
    if let Ok(table) = DeTable::parse(text) {
        of_table(text, "", table.get_ref(), &mut lines);
    }
    lines
}

/// The line of a place in a text, counted from one.
pub(super) fn line(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

fn of_table(text: &str, path: &str, table: &DeTable<'_>, lines: &mut BTreeMap<String, usize>) {
    for (key, value) in table {
        let dot = if path.is_empty() { "" } else { "." };
        let path = format!("{path}{dot}{}", key.get_ref());
        lines.insert(path.clone(), line(text, key.span().start));
        of_value(text, &path, value, lines);
    }
}

fn of_value(text: &str, path: &str, value: &Spanned<DeValue<'_>>, lines: &mut BTreeMap<String, usize>) {
    match value.get_ref() {
        DeValue::Table(table) => of_table(text, path, table, lines),
        DeValue::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}.{index}");
                lines.insert(path.clone(), line(text, item.span().start));
                of_value(text, &path, item, lines);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_key_is_what_overrules_all_others() {
        let text = "[server]\nlisten = 'x'\n\n[[carriers]]\nname = 'a'\n[[carriers]]\nname = 'b'\nport = 1\n";
        let overrides = Overrides {
            file: Some("/etc/t.toml".into()),
            listen: Some("y".into()),
            data_dir: Some("/data".into()),
            ..Overrides::default()
        };
        let environment = [
            ("TALKDRUM_LISTEN", "y"),
            ("TALKDRUM_DATA_DIR", "/other"),
            ("TALKDRUM__LIMITS__CONTACTS", "5"),
            ("TALKDRUM__SERVER__SHUTDOWN_S", "x"),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let sources = Sources::new(&overrides, text, &environment);
        let place = |path: &str| sources.place(path).unwrap();
        assert_eq!(place("server.listen"), "TALKDRUM_LISTEN");
        assert_eq!(place("server.data_dir"), "--data-dir", "the flag says something else");
        assert_eq!(place("server.shutdown_s"), "TALKDRUM__SERVER__SHUTDOWN_S");
        assert_eq!(place("server.public_url"), "/etc/t.toml:1");
        assert_eq!(place("carriers.1.port"), "/etc/t.toml:8");
        assert_eq!(place("carriers.1.host"), "/etc/t.toml:6");
        assert_eq!(place("limits.body_kib"), "TALKDRUM__LIMITS__CONTACTS", "the section is there alone");
        assert_eq!(place("mail.from"), "/etc/t.toml");
        let none = Sources::new(&Overrides::default(), "", &HashMap::new());
        assert_eq!(none.place("mail.from"), None);
    }
}
