//! Business cards: the six fields the API takes, out of a `.vcf` file of version 2.1 or 3.0.

/// The fields of a card, under their names in the API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Card {
    pub(crate) first_name: String,
    pub(crate) last_name: String,
    pub(crate) company: String,
    pub(crate) job_title: String,
    pub(crate) telephone: String,
    pub(crate) email: String,
}

impl Card {
    /// Reads the first card of a file; `None` if there is none.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut card = Self::default();
        let mut inside = false;
        for line in unfold(text) {
            let Some((property, value)) = line.split_once(':') else { continue };
            let name = property.split(';').next().unwrap_or_default();
            // A group, as in `item1.TEL`, is no part of the name.
            let name = name.rsplit('.').next().unwrap_or_default().to_ascii_uppercase();
            match (inside, name.as_str()) {
                (false, "BEGIN") => inside = value.trim().eq_ignore_ascii_case("VCARD"),
                (true, "END") => return Some(card),
                (true, name) => card.take(name, value),
                (false, _) => {}
            }
        }
        None
    }

    /// The form fields.
    pub(crate) fn fields(self) -> [(&'static str, String); 6] {
        [
            ("first_name", self.first_name),
            ("last_name", self.last_name),
            ("company", self.company),
            ("job_title", self.job_title),
            ("telephone", self.telephone),
            ("email", self.email),
        ]
    }

    /// Takes a property; of repeated ones the first that says something counts.
    fn take(&mut self, name: &str, value: &str) {
        let mut parts = components(value).into_iter();
        let mut first = || parts.next().unwrap_or_default();
        match name {
            "N" => {
                fill(&mut self.last_name, first());
                fill(&mut self.first_name, first());
            }
            "ORG" => fill(&mut self.company, first()),
            "TITLE" => fill(&mut self.job_title, unescape(value)),
            "TEL" => fill(&mut self.telephone, value.trim().trim_start_matches("tel:").to_owned()),
            "EMAIL" => fill(&mut self.email, unescape(value)),
            _ => {}
        }
    }
}

fn fill(field: &mut String, value: String) {
    if field.is_empty() {
        *field = value;
    }
}

/// Joins folded lines: a line that begins with a blank continues the one before.
fn unfold(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        match (line.strip_prefix([' ', '\t']), lines.last_mut()) {
            (Some(rest), Some(last)) => last.push_str(rest),
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

/// Cuts a value at the semicolons that are not escaped.
fn components(value: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut escaped = false;
    for character in value.chars() {
        if character == ';' && !escaped {
            parts.push(String::new());
            continue;
        }
        escaped = character == '\\' && !escaped;
        if let Some(last) = parts.last_mut() {
            last.push(character);
        }
    }
    parts.iter().map(|part| unescape(part)).collect()
}

/// Undoes `\,` `\;` `\\` and `\n`.
fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut escaped = false;
    for character in value.trim().chars() {
        match (escaped, character) {
            (false, '\\') => escaped = true,
            (true, 'n' | 'N') => {
                text.push(' ');
                escaped = false;
            }
            (_, other) => {
                text.push(other);
                escaped = false;
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_of_a_phone_is_read_whatever_its_version() {
        let text = "\u{feff}BEGIN:VCARD\r\nVERSION:3.0\r\nN:Okafor;Ada;;;\r\nFN:Ada Okafor\r\n\
                    ORG:Okafor\\, Sons\\; Co;Sales\r\nTITLE:Head of\r\n  Sales\r\n\
                    item1.TEL;TYPE=CELL:+234 803 123 4567\r\nTEL:0700\r\nEMAIL;INTERNET:ada@example.com\r\n\
                    END:VCARD\r\n";
        let card = Card::read(text).unwrap();
        let values: Vec<String> = card.fields().into_iter().map(|(_, value)| value).collect();
        assert_eq!(
            values,
            ["Ada", "Okafor", "Okafor, Sons; Co", "Head of Sales", "+234 803 123 4567", "ada@example.com"]
        );
    }

    #[test]
    fn what_is_no_card_is_none() {
        assert_eq!(Card::read("phone,name\n08031234567,Ada\n"), None);
        assert_eq!(Card::read("BEGIN:VCARD\nN:Okafor;Ada\n"), None);
    }
}
