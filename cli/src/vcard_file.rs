//! Reading a `.vcf` file, version 2.1, 3.0 (RFC 2426) or 4.0 (RFC 6350), into the fields of a card.
//!
//! Tolerant of what address books write: groups (`item1.TEL`), properties in any case, folded lines, quoted-printable
//! in any character set, photographs in between. The first card of a file is taken; of several numbers or addresses the
//! preferred one, else the first.
//!
//! Invariant: nothing is made up. What the file does not say stays empty, for the form to ask.

use std::borrow::Cow;

/// The fields of a business card.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Card {
    first_name: String,
    last_name: String,
    company: String,
    job_title: String,
    telephone: String,
    email: String,
}

impl Card {
    /// The fields under their names in the API's form.
    pub(crate) fn into_fields(self) -> [(&'static str, String); 6] {
        [
            ("first_name", self.first_name),
            ("last_name", self.last_name),
            ("company", self.company),
            ("job_title", self.job_title),
            ("telephone", self.telephone),
            ("email", self.email),
        ]
    }
}

/// The fields of the first card in a file; what it does not say is empty. `None` when the text holds no card.
pub(crate) fn parse(file: &str) -> Option<Card> {
    let file = file.trim_start_matches('\u{FEFF}');
    let old = is_2_1(file);
    let lines = unfold(file, old);
    let mut lines = lines.iter().filter_map(|line| Property::parse(line, old));
    lines.find(|line| line.is("BEGIN") && line.value.trim().eq_ignore_ascii_case("VCARD"))?;
    let mut card = Reader::default();
    for line in lines.take_while(|line| !line.is("END")) {
        card.take(&line);
    }
    Some(card.finish())
}

/// Whether the file's first version is 2.1, which folds and escapes by other rules than its successors.
fn is_2_1(file: &str) -> bool {
    file.lines()
        .find_map(|line| line.split_once(':').filter(|(name, _)| name.trim().eq_ignore_ascii_case("VERSION")))
        .is_some_and(|(_, version)| version.trim() == "2.1")
}

/// The logical lines of a file. Version 2.1 folds before a space that is part of the value, the later ones put the
/// space in; a soft line break of quoted-printable is left in place for its decoder.
fn unfold(file: &str, old: bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut soft = false;
    for line in file.lines() {
        match lines.last_mut() {
            Some(last) if soft => {
                last.push('\n');
                last.push_str(line);
            }
            Some(last) if line.starts_with([' ', '\t']) => {
                last.push_str(if old { line } else { &line[1..] });
            }
            _ => lines.push(line.to_owned()),
        }
        soft = line.ends_with('=') && lines.last().is_some_and(|last| is_quoted(last));
    }
    lines
}

fn is_quoted(line: &str) -> bool {
    line.split(':').next().is_some_and(|head| head.to_ascii_uppercase().contains("QUOTED-PRINTABLE"))
}

/// A logical line: `group.NAME;PARAMETER=value:value`.
struct Property<'a> {
    name: &'a str,
    parameters: Vec<&'a str>,
    value: Cow<'a, str>,
    /// Version 2.1: nothing is escaped but within components.
    old: bool,
}

impl<'a> Property<'a> {
    /// `None` for a line without a name, and for a value that is no text.
    fn parse(line: &'a str, old: bool) -> Option<Self> {
        let (head, value) = line.split_at(colon(line)?);
        let value = &value[1..];
        let mut parameters = head.split(';');
        let name = parameters.next()?.trim();
        let name = name.rsplit('.').next().unwrap_or(name);
        let mut property = Self { name, parameters: parameters.collect(), value: Cow::Borrowed(value), old };
        match property.parameter("ENCODING").as_deref() {
            Some("QUOTED-PRINTABLE") => property.value = property.unquoted(value).into(),
            Some("B" | "BASE64") => return None,
            _ => {}
        }
        Some(property)
    }

    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// A parameter in upper case. Version 2.1 may leave out the names of types and encodings.
    fn parameter(&self, name: &str) -> Option<String> {
        let named = self.parameters.iter().find_map(|parameter| {
            let (key, value) = parameter.split_once('=')?;
            key.trim().eq_ignore_ascii_case(name).then(|| value.trim_matches(['"', ' ']).to_ascii_uppercase())
        });
        named.or_else(|| {
            let bare =
                |known: &str| self.parameters.iter().any(|given| given.trim().eq_ignore_ascii_case(known));
            let encodings = ["QUOTED-PRINTABLE", "BASE64"];
            encodings.into_iter().find(|known| name == "ENCODING" && bare(known)).map(str::to_owned)
        })
    }

    fn is_preferred(&self) -> bool {
        self.parameters.iter().any(|parameter| {
            let parameter = parameter.to_ascii_uppercase();
            match parameter.split_once('=') {
                None => parameter.trim() == "PREF",
                Some(("TYPE", types)) => {
                    types.trim_matches('"').split(',').any(|given| given.trim() == "PREF")
                }
                Some((name, rank)) => name == "PREF" && rank.trim_matches('"') == "1",
            }
        })
    }

    fn unquoted(&self, value: &str) -> String {
        let octets = decode_quoted_printable(value);
        let label = self.parameter("CHARSET").unwrap_or_default();
        let charset = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::UTF_8);
        charset.decode(&octets).0.into_owned()
    }

    /// The value's components, unescaped.
    fn components(&self) -> Vec<String> {
        let mut components = vec![String::new()];
        let mut chars = self.value.chars();
        while let Some(c) = chars.next() {
            let c = match c {
                ';' => {
                    components.push(String::new());
                    continue;
                }
                '\\' => unescape(chars.next()),
                other => Cow::Owned(other.to_string()),
            };
            if let Some(last) = components.last_mut() {
                last.push_str(&c);
            }
        }
        components.iter().map(|component| one_line(component)).collect()
    }

    /// The value of a property without components.
    fn text(&self) -> String {
        if self.old {
            return one_line(&self.value);
        }
        let mut text = String::with_capacity(self.value.len());
        let mut chars = self.value.chars();
        while let Some(c) = chars.next() {
            if c == '\\' { text.push_str(&unescape(chars.next())) } else { text.push(c) }
        }
        one_line(&text)
    }
}

/// The colon that ends the name and its parameters: one in a quoted parameter does not.
fn colon(line: &str) -> Option<usize> {
    let mut quoted = false;
    line.char_indices().find_map(|(at, c)| {
        quoted ^= c == '"';
        (c == ':' && !quoted).then_some(at)
    })
}

/// What a backslash and the character behind it stand for.
fn unescape(c: Option<char>) -> Cow<'static, str> {
    match c {
        None => Cow::Borrowed("\\"),
        Some('n' | 'N') => Cow::Borrowed(" "),
        Some(c @ (';' | ',' | ':' | '\\')) => Cow::Owned(c.to_string()),
        Some(c) => Cow::Owned(format!("\\{c}")),
    }
}

/// A value as a form's field holds it: trimmed, in one line.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_owned()
}

fn decode_quoted_printable(value: &str) -> Vec<u8> {
    let mut octets = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'=', [b'\n', after @ ..]) => rest = after,
            (b'=', [high, low, after @ ..]) => match (nibble(*high), nibble(*low)) {
                (Some(high), Some(low)) => {
                    octets.push(high << 4 | low);
                    rest = after;
                }
                _ => octets.push(b'='),
            },
            (b'=', []) => {}
            (other, _) => octets.push(*other),
        }
    }
    octets
}

fn nibble(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[derive(Default)]
struct Reader {
    card: Card,
    formatted: String,
    telephone_preferred: bool,
    email_preferred: bool,
}

impl Reader {
    fn take(&mut self, line: &Property<'_>) {
        let card = &mut self.card;
        match line.name.to_ascii_uppercase().as_str() {
            "N" => {
                let mut components = line.components().into_iter();
                card.last_name = components.next().unwrap_or_default();
                card.first_name = components.next().unwrap_or_default();
            }
            "FN" => self.formatted = line.text(),
            "ORG" => card.company = line.components().into_iter().next().unwrap_or_default(),
            "TITLE" => card.job_title = line.text(),
            "TEL" => prefer(&mut card.telephone, &mut self.telephone_preferred, line, "tel:"),
            "EMAIL" => prefer(&mut card.email, &mut self.email_preferred, line, "mailto:"),
            _ => {}
        }
    }

    /// A card without `N`, as version 4.0 allows, has its names from `FN`: the last word is the family's.
    fn finish(mut self) -> Card {
        if self.card.first_name.is_empty() && self.card.last_name.is_empty() {
            let (first, last) = self.formatted.rsplit_once(' ').unwrap_or((&self.formatted, ""));
            self.card.first_name = first.trim().to_owned();
            self.card.last_name = last.to_owned();
        }
        self.card
    }
}

/// Takes the first value, or the first that is preferred.
fn prefer(field: &mut String, preferred: &mut bool, line: &Property<'_>, scheme: &str) {
    if field.is_empty() || (line.is_preferred() && !*preferred) {
        *preferred = line.is_preferred();
        *field = without_scheme(&line.text(), scheme);
    }
}

/// The number or address of a URI: `tel:+234-803;ext=5` is `+234-803`.
fn without_scheme(value: &str, scheme: &str) -> String {
    match value.split_at_checked(scheme.len()) {
        Some((head, rest)) if head.eq_ignore_ascii_case(scheme) => {
            rest.split([';', '?']).next().unwrap_or(rest).to_owned()
        }
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(fields: [&str; 6]) -> Card {
        let [first_name, last_name, company, job_title, telephone, email] = fields.map(str::to_owned);
        Card { first_name, last_name, company, job_title, telephone, email }
    }

    #[test]
    fn version_2_1_is_read() {
        let file = "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;QUOTED-PRINTABLE:=E1=BB=8C=\r\nla;Ad=C3=A1\r\n\
                    ORG;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Caf=E9;Sales\r\nTITLE:Chief\r\n  cook\r\n\
                    TEL;HOME:0801\r\nTEL;CELL;PREF:+234803\r\nEMAIL;INTERNET:a@b.ng\r\nEND:VCARD\r\n";
        assert_eq!(parse(file).unwrap(), card(["Adá", "Ọla", "Café", "Chief  cook", "+234803", "a@b.ng"]));
    }

    #[test]
    fn version_3_0_is_read() {
        let file = "BEGIN:VCARD\nVERSION:3.0\nN:Obi\\; Jr;Ada;;;\nFN:Ada Obi\nORG:Talk\\, Ltd;R&D\nTITLE:Long ti\n tle\n\
                    PHOTO;ENCODING=b;TYPE=JPEG:AAAA\n  BBBB\nitem1.TEL;TYPE=HOME:1\nitem2.TEL;type=CELL,pref:2\n\
                    EMAIL;TYPE=INTERNET:a@b.ng\nEND:VCARD\n";
        assert_eq!(parse(file).unwrap(), card(["Ada", "Obi; Jr", "Talk, Ltd", "Long title", "2", "a@b.ng"]));
    }

    #[test]
    fn version_4_0_is_read() {
        let file = "\u{FEFF}BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada Nneka Obi\r\nORG:Talk\r\nTITLE:Engineer\\nand more\r\n\
                    TEL;VALUE=uri;TYPE=\"voice,home\":tel:+1;ext=5\r\nTEL;VALUE=uri;PREF=1;TYPE=\"cell:x\":tel:+2348031234567\r\n\
                    EMAIL:mailto:a@b.ng\r\nEND:VCARD\r\n";
        assert_eq!(
            parse(file).unwrap(),
            card(["Ada Nneka", "Obi", "Talk", "Engineer and more", "+2348031234567", "a@b.ng"])
        );
    }

    #[test]
    fn only_the_first_card_is_taken_and_gaps_stay_empty() {
        let file = "BEGIN:VCARD\nVERSION:3.0\nN:;Ada\nEND:VCARD\nBEGIN:VCARD\nN:Obi;Eze\nORG:X\nEND:VCARD\n";
        assert_eq!(parse(file).unwrap(), card(["Ada", "", "", "", "", ""]));
    }

    #[test]
    fn a_file_without_a_card_is_refused() {
        for file in ["", "name,phone\nAda,0803", "VERSION:3.0"] {
            assert_eq!(parse(file), None, "{file}");
        }
    }

    #[test]
    fn damaged_quoting_is_taken_as_it_stands() {
        assert_eq!(decode_quoted_printable("a=ZZ=4=\nb="), b"a=ZZ=4b");
    }
}
