//! What goes to the terminal: data to stdout in the format that was asked for, everything else to stderr. Nothing
//! outside this room and `progress` writes to either.

mod answers;
mod column;
mod file;
mod outcome;
mod plain;
mod quote;
mod table;

use std::io::Write;

use serde::Serialize;

pub(crate) use answers::{answer_table, answers_in_short};
pub(crate) use column::{Cell, Column, Columns, rows_for_people};
pub(crate) use file::{OutputFile, holds_rejects, is_same_file, is_stdin, refuse_existing};
pub(crate) use outcome::outcome_table;
pub(crate) use quote::{QUOTE_COLUMNS, currency_label, quote_table};
pub(crate) use table::{Align, Table};

use crate::args::Format;
use crate::exit::{Exit, Failure, Result};
use crate::zone::Zone;

/// Where data and notes go, and how they look.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// The format of data.
    pub(crate) format: Format,
    /// Whether notes and progress are left out.
    pub(crate) quiet: bool,
    /// Whether files that exist are written over.
    pub(crate) force: bool,
    /// The columns that are asked for.
    pub(crate) columns: Columns,
    /// In which zone times are shown.
    pub(crate) zone: Zone,
}

impl Output {
    /// Prints a list: a table with a line that counts what is not shown, the API's own answer, one object a line, or CSV.
    pub(crate) fn list<T: Serialize>(
        &self,
        json: &str,
        rows: &[T],
        total: i64,
        columns: &[Column<T>],
    ) -> Result<()> {
        let chosen = self.columns.of(columns)?;
        match self.format {
            Format::Json => self.line(json),
            Format::Jsonl => self.json_lines(rows),
            Format::Csv => self.bytes(&column::csv_text(rows, &chosen)),
            Format::Table => {
                let fitting = match Table::width() {
                    Some(width) if !self.columns.are_named() => {
                        column::fitting(rows, &chosen, &self.zone, width)
                    }
                    _ => chosen.len(),
                };
                let (shown, left_out) = chosen.split_at(fitting.min(chosen.len()));
                self.data(&column::rows_table(rows, shown, &self.zone).render())?;
                if !left_out.is_empty() {
                    let names: Vec<&str> = left_out.iter().map(|column| column.name).collect();
                    self.note(&format!(
                        "not shown, as the terminal is narrow: {} (--columns)",
                        names.join(", ")
                    ));
                }
                let shown = i64::try_from(rows.len()).unwrap_or(i64::MAX);
                if total > shown {
                    self.note(&format!("{shown} of {total} shown: --page and --per-page show others"));
                }
                Ok(())
            }
        }
    }

    /// Prints one thing: its columns one below the other, or as in [`Self::list`].
    pub(crate) fn record<T: Serialize>(&self, json: &str, value: &T, columns: &[Column<T>]) -> Result<()> {
        let chosen = self.columns.of(columns)?;
        match self.format {
            Format::Json => self.line(json),
            Format::Jsonl => self.json_lines(std::slice::from_ref(value)),
            Format::Csv => self.bytes(&column::csv_text(std::slice::from_ref(value), &chosen)),
            Format::Table => self.data(&column::record_table(value, &chosen, &self.zone).render()),
        }
    }

    /// Says below a table of which moment its figures are, as they go on changing: `at`, RFC 3339, and how far some are
    /// behind it, where they are.
    pub(crate) fn as_of(&self, at: &str, behind: &str) -> Result<()> {
        let behind = if behind.is_empty() { String::new() } else { format!("\n{behind}") };
        match self.format {
            Format::Table if self.quiet => Ok(()),
            Format::Table => self.line(&format!("\nAs of {}{behind}", self.zone.show_seconds(at))),
            Format::Json | Format::Jsonl | Format::Csv => Ok(()),
        }
    }

    /// Prints the sentence an action ends with; nothing when quiet, the API's answer when JSON was asked for.
    pub(crate) fn done(&self, json: &str, sentence: &str) -> Result<()> {
        match self.format {
            Format::Json | Format::Jsonl => self.line(json),
            Format::Table | Format::Csv if self.quiet => Ok(()),
            Format::Table | Format::Csv => self.line(sentence),
        }
    }

    /// Whether data is to be printed for people.
    pub(crate) fn is_table(&self) -> bool {
        self.format == Format::Table
    }

    /// Prints rows as JSON, one a line.
    pub(crate) fn json_lines<T: Serialize>(&self, rows: &[T]) -> Result<()> {
        let mut text = String::new();
        for row in rows {
            text.push_str(&to_json(row)?);
            text.push('\n');
        }
        self.data(&text)
    }

    /// Prints rows as CSV with a header.
    pub(crate) fn csv<T>(&self, rows: &[T], columns: &[Column<T>]) -> Result<()> {
        self.bytes(&column::csv_text(rows, &self.columns.of(columns)?))
    }

    /// Prints a line of data.
    pub(crate) fn line(&self, text: &str) -> Result<()> {
        self.data(&format!("{text}\n"))
    }

    /// Prints data: what a terminal would obey in it is shown, see [`plain`](plain::plain).
    pub(crate) fn data(&self, text: &str) -> Result<()> {
        let mut out = anstream::stdout().lock();
        out.write_all(plain::plain(text).as_bytes())?;
        Ok(out.flush()?)
    }

    /// Writes raw bytes of data, for downloads.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<()> {
        let mut out = std::io::stdout().lock();
        out.write_all(bytes)?;
        Ok(out.flush()?)
    }

    /// Tells a person something beside the data, unless quiet.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            to_stderr(&format!("{}\n", plain::plain(text)));
        }
    }

    /// Says how something failed in the midst of the command, which goes on.
    pub(crate) fn failure(&self, failure: &Failure) {
        print_failure(self.format, failure);
    }

    /// Tells a person something that must not be missed.
    pub(crate) fn warn(&self, text: &str) {
        to_stderr(&format!("\x1b[1;33mwarning:\x1b[0m {}\n", plain::plain(text)));
    }
}

/// Prints how the command failed: for people, or for programs that read JSON.
pub(crate) fn print_failure(format: Format, failure: &Failure) {
    if matches!(format, Format::Json | Format::Jsonl) && failure.exit != Exit::Done {
        let json = to_json(&failure.json()).unwrap_or_default();
        return to_stderr(&format!("{}\n", plain::plain(&json)));
    }
    if failure.message.is_empty() {
        return;
    }
    let mut text = format!("\x1b[1;31merror:\x1b[0m {}\n", plain::plain(&failure.message));
    for field in failure.fields() {
        text.push_str(&plain::plain(&format!("  {}: {}\n", field.field, field.message)));
    }
    if let Some(hint) = &failure.hint {
        text.push_str(&format!("\x1b[1;36mhint:\x1b[0m {}\n", plain::plain(hint)));
    }
    to_stderr(&text);
}

/// A value as JSON, on one line.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Failure::failed(format!("cannot write JSON: {error}")))
}

/// An object of JSON texts, written without reading them again: amounts stay digit for digit.
pub(crate) fn json_object(members: &[(&str, String)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(name, text)| format!("{}:{text}", serde_json::Value::from(*name))).collect();
    format!("{{{}}}", members.join(","))
}

/// When stderr is closed the error cannot be reported.
fn to_stderr(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}
