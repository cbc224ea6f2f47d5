//! Reading the configuration so that all of its faults are found, not only the first.
//!
//! Each key is read by itself first. What cannot be used is left out, and the rest is checked as a whole.

use std::collections::HashMap;

use anyhow::Context as _;
use config::{Config, ConfigError, Environment, File, FileFormat, Map, Value, ValueKind};
use toml::de::DeTable;

use super::faults::{BadConfiguration, Faults};
use super::source::{PREFIX, SEPARATOR, Sources, line};
use super::{Overrides, Settings};

/// How often keys are left out to find more faults: more than there are settings of one section.
const ROUNDS: usize = 100;
/// Stands for a name or kind that cannot be read; what it is about is not checked further.
pub(super) const UNREADABLE: &str = "?";

/// What was read, right or wrong.
#[derive(Debug)]
pub struct Reading {
    /// The settings; those at fault are as if they were not set.
    settings: Settings,
    faults: Faults,
    sources: Sources,
}

impl Reading {
    /// Reads file, environment and flags. `None` for `environment` is the process's.
    pub(super) fn new(overrides: &Overrides, environment: Option<HashMap<String, String>>) -> Self {
        let environment = environment.unwrap_or_else(of_process);
        let mut faults = Faults::default();
        let text = faults.check("", text(overrides)).unwrap_or_default();
        let sources = Sources::new(overrides, &text, &environment);
        let built = faults.check("", build(overrides, &text, environment)).unwrap_or_default();
        let mut settings = checked(built, &mut faults);
        settings.source = overrides.clone();
        Self { settings, faults, sources }
    }

    /// The settings, for further checks; those at fault are as if they were not set.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Takes over what further checks of these settings found. What is wrong already is not said again.
    pub fn add(&mut self, found: Faults) {
        self.faults.merge(found);
    }

    /// The settings, when nothing is wrong with them.
    ///
    /// # Errors
    /// Every fault, with its place.
    pub fn finish(self) -> Result<Settings, BadConfiguration> {
        let Self { settings, faults, sources } = self;
        faults.finish(|path| sources.place(path)).map(|()| settings)
    }
}

impl Settings {
    /// Says of faults of these settings where they come from.
    ///
    /// # Errors
    /// Every fault, with its place.
    pub fn refuse(&self, faults: Faults) -> Result<(), BadConfiguration> {
        if faults.is_empty() {
            return Ok(());
        }
        let text = text(&self.source).unwrap_or_default();
        let sources = Sources::new(&self.source, &text, &of_process());
        faults.finish(|path| sources.place(path))
    }
}

fn of_process() -> HashMap<String, String> {
    // The value of a variable that is no text is not asked for.
    let text = |word: std::ffi::OsString| word.to_string_lossy().into_owned();
    std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect()
}

fn text(overrides: &Overrides) -> anyhow::Result<String> {
    let Some(file) = &overrides.file else { return Ok(String::new()) };
    let text = std::fs::read_to_string(file).context("the configuration file cannot be read")?;
    if let Err(error) = DeTable::parse(&text) {
        let at = error.span().map_or(1, |span| line(&text, span.start));
        anyhow::bail!("line {at} is no TOML: {}", error.message());
    }
    Ok(text)
}

fn build(
    overrides: &Overrides,
    text: &str,
    environment: HashMap<String, String>,
) -> Result<Map<String, Value>, ConfigError> {
    let variables = Environment::with_prefix(PREFIX).prefix_separator(SEPARATOR).separator(SEPARATOR);
    let data_dir = overrides.data_dir.as_ref().map(|path| path.to_string_lossy().into_owned());
    let built = Config::builder()
        .add_source(File::from_str(text, FileFormat::Toml))
        .add_source(variables.source(Some(environment)))
        .set_override_option("server.data_dir", data_dir)?
        .set_override_option("server.listen", overrides.listen.clone())?
        .set_override_option("database.url", overrides.database.clone())?
        .build()?;
    built.cache.into_table()
}

/// The settings without what cannot be used.
fn checked(mut table: Map<String, Value>, faults: &mut Faults) -> Settings {
    each_key_by_itself(&mut table, faults);
    let mut settings = faults.check("", settings_of(&table)).unwrap_or_default();
    for _ in 0..ROUNDS {
        let mut found = Faults::default();
        settings.check_rules(faults, &mut found);
        let leave_out = faults.merge(found);
        if leave_out.iter().filter(|path| remove(&mut table, path)).count() == 0 {
            break;
        }
        settings = faults.check("", settings_of(&table)).unwrap_or_default();
    }
    settings
}

fn settings_of(table: &Map<String, Value>) -> Result<Settings, ConfigError> {
    Value::new(None, table.clone()).try_deserialize()
}

/// Removes keys that are unknown or have a value of a wrong type.
fn each_key_by_itself(table: &mut Map<String, Value>, faults: &mut Faults) {
    let mut sections: Vec<String> = table.keys().cloned().collect();
    sections.sort();
    for section in sections {
        let Some(value) = table.get_mut(&section) else { continue };
        let of = |value: Value| -> Map<String, Value> { [(section.clone(), value)].into() };
        let is_table = settings_of(&of(Value::new(None, Map::<String, Value>::new()))).is_ok();
        match &mut value.kind {
            ValueKind::Table(keys) if is_table => keys.retain(|key, value| {
                let alone: Map<String, Value> = [(key.clone(), value.clone())].into();
                read_alone(&of(Value::new(None, alone)), &section, key, faults)
            }),
            ValueKind::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    each_key_of_element(item, &section, index, faults);
                }
            }
            _ => {}
        }
        if let Err(error) = settings_of(&of(value.clone())) {
            faults.add(&section, &sentence(&section, error), false);
            table.remove(&section);
        }
    }
}

/// The same for an element of `[[carriers]]` or `[[routes]]`. One that is nothing without what is wrong keeps its place, so
/// that the others keep their numbers.
fn each_key_of_element(item: &mut Value, section: &str, index: usize, faults: &mut Faults) {
    let path = format!("{section}.{index}");
    let list = |item: Map<String, Value>| -> Map<String, Value> {
        [(section.to_owned(), Value::new(None, vec![Value::new(None, item)]))].into()
    };
    let mut keys = match &item.kind {
        ValueKind::Table(keys) => keys.clone(),
        _ => Map::new(),
    };
    let needed = needed(section, &keys);
    keys.retain(|key, value| {
        let mut alone = needed.clone();
        alone.insert(key.clone(), value.clone());
        read_alone(&list(alone), &path, key, faults)
    });
    if let Err(error) = settings_of(&list(keys.clone())) {
        if !faults.is_at_fault(&path) {
            faults.add(&path, &format!("[[{section}]] {}: {}", index + 1, plain(error)), false);
        }
        keys = needed;
    }
    item.kind = ValueKind::Table(keys);
}

/// What an element of a list cannot be read without.
fn needed(section: &str, keys: &Map<String, Value>) -> Map<String, Value> {
    let names: &[&str] = if section == "routes" { &["carrier"] } else { &["name", "kind"] };
    let usual = |name: &str| keys.get(name).filter(|it| matches!(it.kind, ValueKind::String(_))).cloned();
    let of = |name: &str| usual(name).unwrap_or_else(|| Value::new(None, UNREADABLE));
    names.iter().map(|name| ((*name).to_owned(), of(name))).collect()
}

/// Whether a key can be read; its fault is noted when it cannot.
fn read_alone(alone: &Map<String, Value>, section: &str, key: &str, faults: &mut Faults) -> bool {
    match settings_of(alone) {
        Ok(_) => true,
        Err(error) => {
            let path = format!("{section}.{key}");
            faults.add(&path, &sentence(&path, error), true);
            false
        }
    }
}

fn sentence(path: &str, error: ConfigError) -> String {
    let what = plain(error);
    // The list of all keys of a section helps less than the one that was meant.
    let Some((_, known)) = what.split_once(", expected ").filter(|_| what.starts_with("unknown field"))
    else {
        return format!("{path}: {what}");
    };
    let key = path.rsplit('.').next().unwrap_or(path);
    let known = known.split('`').skip(1).step_by(2);
    let near = known.map(|name| (distance(key, name), name)).min().filter(|(far, _)| *far <= 2);
    match near {
        Some((_, name)) => format!("{path}: there is no such key; did you mean {name}?"),
        None => format!("{path}: there is no such key"),
    }
}

/// What a value has against it, without the key that the parser adds.
fn plain(error: ConfigError) -> String {
    match error {
        ConfigError::At { error, .. } => plain(*error),
        ConfigError::Type { unexpected, expected, .. } => {
            format!("invalid type: {unexpected}, expected {expected}")
        }
        ConfigError::NotFound(key) => {
            let name = key.rsplit([']', '.']).next().unwrap_or(&key);
            format!("`{name}` is missing")
        }
        other => other.to_string(),
    }
}

/// How many letters must be added, left out or changed to make one word of the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.bytes().enumerate() {
            let changed = before + usize::from(a != b);
            before = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(before + 1);
        }
    }
    row[other.len()]
}

/// Takes a key out; false when it is not set.
fn remove(table: &mut Map<String, Value>, path: &str) -> bool {
    match path.split_once('.') {
        None => table.remove(path).is_some(),
        Some((section, rest)) => match table.get_mut(section).map(|value| &mut value.kind) {
            Some(ValueKind::Table(keys)) => remove(keys, rest),
            Some(ValueKind::Array(items)) => {
                let Some((index, rest)) = rest.split_once('.') else { return false };
                let item = index.parse::<usize>().ok().and_then(|index| items.get_mut(index));
                match item.map(|item| &mut item.kind) {
                    Some(ValueKind::Table(keys)) => remove(keys, rest),
                    _ => false,
                }
            }
            _ => false,
        },
    }
}
