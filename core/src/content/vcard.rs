//! Business cards as vCard 2.1, for port 9204 of a telephone.
//!
//! `FN` is left out: version 2.1 does not ask for it, it says what `N` says, and it would often cost a second page.
//!
//! Invariant: every line is ASCII, ends in CRLF and is at most 76 octets long; what does not fit so travels as
//! quoted-printable UTF-8.

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// Destination port 9204 (vCard) and no source port.
pub const PORTS: (u16, u16) = (0x23F4, 0);

/// The longest line, without its end (RFC 2045 and vCard 2.1).
const LINE_MAX: usize = 76;

/// A business card. All fields are required of a message; one read from a form may lack some.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Vcard {
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// Organisation.
    pub company: String,
    /// Title in it.
    pub job_title: String,
    /// Telephone number, as it is to be shown.
    pub telephone: String,
    /// E-mail address.
    pub email: String,
}

impl Vcard {
    /// The fields under their names in the API, in the order of the form.
    pub fn fields(&self) -> [(&'static str, &str); 6] {
        [
            ("first_name", &self.first_name),
            ("last_name", &self.last_name),
            ("company", &self.company),
            ("job_title", &self.job_title),
            ("telephone", &self.telephone),
            ("email", &self.email),
        ]
    }

    /// Checks that the card can be sent.
    ///
    /// # Errors
    /// `All vCard fields are required`, naming the first field that is blank; a control character in a field.
    pub fn check(&self) -> Result<()> {
        if let Some((field, _)) = self.fields().into_iter().find(|(_, value)| value.trim().is_empty()) {
            return Err(Error::field(field, "vcard_fields_required", "All vCard fields are required"));
        }
        match self.fields().into_iter().find(|(_, value)| value.contains(char::is_control)) {
            Some((field, _)) => Err(Error::field(
                field,
                "control_character",
                format!(
                    "The field {field} holds a line end or another control character. Write it in one line"
                ),
            )),
            None => Ok(()),
        }
    }

    /// Appends the card as vCard 2.1.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend(b"BEGIN:VCARD\r\nVERSION:2.1\r\n");
        property("N", &format!("{};{}", component(&self.last_name), component(&self.first_name)), out);
        property("ORG", &component(&self.company), out);
        property("TITLE", &self.job_title, out);
        property("TEL", &self.telephone, out);
        property("EMAIL", &self.email, out);
        out.extend(b"END:VCARD\r\n");
    }
}

/// One of the components of a value that `;` divides.
fn component(value: &str) -> String {
    value.replace('\\', "\\\\").replace(';', "\\;")
}

fn property(name: &str, value: &str, out: &mut Vec<u8>) {
    let printable = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if printable && name.len() + 1 + value.len() <= LINE_MAX {
        out.extend([name.as_bytes(), b":", value.as_bytes(), b"\r\n"].concat());
        return;
    }
    let start = out.len();
    out.extend(name.as_bytes());
    if !value.is_ascii() {
        out.extend(b";CHARSET=UTF-8");
    }
    out.extend(b";ENCODING=QUOTED-PRINTABLE:");
    quoted_printable(value, start, out);
    out.extend(b"\r\n");
}

/// Appends a value as quoted-printable (RFC 2045, section 6.7); the line it goes on begins at `line`.
fn quoted_printable(value: &str, mut line: usize, out: &mut Vec<u8>) {
    for (place, byte) in value.bytes().enumerate() {
        let last = place + 1 == value.len();
        let literal = matches!(byte, b'!'..=b'<' | b'>'..=b'~') || (byte == b' ' && !last);
        let len = if literal { 1 } else { 3 };
        // One column is kept for the soft line break's own `=`.
        if out.len() - line + len >= LINE_MAX {
            out.extend(b"=\r\n");
            line = out.len();
        }
        if literal {
            out.push(byte);
        } else {
            out.extend(format!("={byte:02X}").into_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn card() -> Vcard {
        Vcard {
            first_name: "Ada".into(),
            last_name: "Obi".into(),
            company: "Talk Ltd".into(),
            job_title: "Engineer".into(),
            telephone: "+2348031234567".into(),
            email: "ada@example.com".into(),
        }
    }

    fn encoded(card: &Vcard) -> String {
        let mut out = Vec::new();
        card.encode(&mut out);
        String::from_utf8(out).unwrap()
    }

    /// A card as a telephone reads it: soft line breaks joined, octets unquoted, the components of a name parted.
    fn read_back(text: &str) -> Vcard {
        let mut lines = text.split_terminator("\r\n");
        let mut card = Vcard::default();
        while let Some(line) = lines.next() {
            let (head, value) = line.split_once(':').unwrap();
            let mut value = value.to_owned();
            if head.ends_with("QUOTED-PRINTABLE") {
                while let Some(begun) = value.strip_suffix('=') {
                    value = begun.to_owned() + lines.next().unwrap();
                }
                value = unquoted(&value);
            }
            match head.split(';').next().unwrap() {
                "N" => [card.last_name, card.first_name] = components(&value).try_into().unwrap(),
                "ORG" => [card.company] = components(&value).try_into().unwrap(),
                "TITLE" => card.job_title = value,
                "TEL" => card.telephone = value,
                "EMAIL" => card.email = value,
                other => assert!(["BEGIN", "VERSION", "END"].contains(&other), "{line}"),
            }
        }
        card
    }

    fn unquoted(value: &str) -> String {
        let mut parts = value.split('=');
        let mut octets = parts.next().unwrap().as_bytes().to_vec();
        for part in parts {
            octets.push(u8::from_str_radix(&part[..2], 16).unwrap());
            octets.extend(&part.as_bytes()[2..]);
        }
        String::from_utf8(octets).unwrap()
    }

    fn components(value: &str) -> Vec<String> {
        let mut components = vec![String::new()];
        let mut signs = value.chars();
        while let Some(sign) = signs.next() {
            match sign {
                ';' => components.push(String::new()),
                '\\' => components.last_mut().unwrap().extend(signs.next()),
                sign => components.last_mut().unwrap().push(sign),
            }
        }
        components
    }

    #[test]
    fn a_plain_card_is_written_line_by_line() {
        assert_eq!(
            encoded(&card()),
            "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Obi;Ada\r\nORG:Talk Ltd\r\nTITLE:Engineer\r\nTEL:+2348031234567\r\n\
             EMAIL:ada@example.com\r\nEND:VCARD\r\n"
        );
    }

    #[test]
    fn semicolons_in_names_are_escaped() {
        let card = Vcard { last_name: "A;B\\".into(), company: "X; Y".into(), ..card() };
        let text = encoded(&card);
        assert!(text.contains("N:A\\;B\\\\;Ada\r\n") && text.contains("ORG:X\\; Y\r\n"), "{text}");
    }

    #[test]
    fn letters_beyond_ascii_are_quoted() {
        let text = encoded(&Vcard { job_title: "Ọba=1 ".into(), ..card() });
        assert!(
            text.contains("TITLE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E1=BB=8Cba=3D1=20\r\n"),
            "{text}"
        );
    }

    #[test]
    fn long_lines_are_broken_softly() {
        let card = Vcard { company: "Long name ".repeat(12).trim().to_owned(), ..card() };
        let text = encoded(&card);
        assert!(text.lines().all(|line| line.len() <= 76), "{text}");
        assert!(text.contains("ORG;ENCODING=QUOTED-PRINTABLE:Long name") && text.contains("=\r\n"), "{text}");
        assert_eq!(read_back(&text), card);
    }

    #[test]
    fn a_blank_field_is_named() {
        let error = Vcard { job_title: " ".into(), ..card() }.check().unwrap_err();
        assert!(
            matches!(&error, Error::Rule { field: Some("job_title"), message, .. } if message == "All vCard fields are required")
        );
        assert!(card().check().is_ok());
        assert_eq!(Vcard { email: "a\nb".into(), ..card() }.check().unwrap_err().code(), "control_character");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(fields in prop::array::uniform6("[!-~éọ😀]([ -~éọ😀]{0,90}[!-~éọ😀])?")) {
            let [first_name, last_name, company, job_title, telephone, email] = fields;
            let card = Vcard { first_name, last_name, company, job_title, telephone, email };
            let text = encoded(&card);
            prop_assert!(text.is_ascii());
            prop_assert!(text.split("\r\n").all(|line| line.len() <= LINE_MAX));
            prop_assert_eq!(read_back(&text), card);
        }
    }
}
