//! The merge fields of one row, lent to the sink without a copy.
//!
//! The one invariant: place `i` is the field of merge column `i`; what the row does not have is empty.

/// The merge fields of a row, index-aligned with [`Intake::columns`](super::Intake::columns): the phone is not among
/// them. Empty for lists and prose.
#[derive(Clone, Copy, Debug)]
pub struct RowFields<'a> {
    text: &'a str,
    spans: &'a [Span],
    phone: usize,
    columns: usize,
}

/// Where a field stands in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    /// The text of the field, without blanks around it.
    pub(super) fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default().trim()
    }
}

/// A row of fields that does not come from a table: filled, lent, cleared and filled again.
#[derive(Debug, Default)]
pub struct FieldsBuf {
    text: String,
    spans: Vec<Span>,
}

impl FieldsBuf {
    /// Forgets the fields.
    pub fn clear(&mut self) {
        self.text.clear();
        self.spans.clear();
    }

    /// Adds the next field.
    pub fn push(&mut self, field: &str) {
        let start = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.text.push_str(field);
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.spans.push(Span { start, end });
    }

    /// The fields, all of them merge fields.
    pub fn fields(&self) -> RowFields<'_> {
        RowFields { text: &self.text, spans: &self.spans, phone: self.spans.len(), columns: self.spans.len() }
    }
}

impl<'a> RowFields<'a> {
    /// No merge fields: the input is no table.
    pub const NONE: RowFields<'static> = RowFields { text: "", spans: &[], phone: 0, columns: 0 };

    pub(super) fn new(text: &'a str, spans: &'a [Span], phone: usize, columns: usize) -> Self {
        Self { text, spans, phone, columns }
    }

    /// The field of merge column `index`, without blanks around it; empty where the row has none.
    pub fn get(&self, index: usize) -> &'a str {
        let place = index + usize::from(index >= self.phone);
        match self.spans.get(place) {
            Some(span) if index < self.columns => span.of(self.text),
            _ => "",
        }
    }

    /// All fields in the order of the columns.
    pub fn iter(&self) -> impl Iterator<Item = &'a str> {
        let fields = *self;
        (0..fields.columns).map(move |index| fields.get(index))
    }

    /// How many merge columns there are.
    pub const fn len(&self) -> usize {
        self.columns
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.columns == 0
    }
}
