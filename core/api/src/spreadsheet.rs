//! Lines of CSV (RFC 4180), harmless to spreadsheets: what one would take for a formula gets an apostrophe in front. Where the
//! decimal sign is a comma, spreadsheets part cells at `;`, and quotes after a `,` are letters to them: so what follows a `;`
//! or a line end is looked at as the start of a field is, with or without quotes between. The console's exports do the same.

/// Writes a line.
pub fn push_row<'v>(out: &mut Vec<u8>, fields: impl IntoIterator<Item = &'v str>) {
    for (place, field) in fields.into_iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        push_field(out, field);
    }
    out.extend_from_slice(b"\r\n");
}

/// Writes a text as a field.
pub fn push_field(out: &mut Vec<u8>, text: &str) {
    let quoted = text.bytes().any(|byte| matches!(byte, b',' | b';' | b'"' | b'\r' | b'\n'));
    if quoted {
        out.push(b'"');
    }
    // The byte before, quotes aside. A text begins as what follows a `;` does.
    let mut last = b';';
    for byte in text.bytes() {
        let escaped = match byte {
            b'=' | b'+' | b'-' | b'@' | b'\t' => matches!(last, b';' | b'\r' | b'\n'),
            // After a line end it ends an empty line.
            b'\r' => last == b';',
            _ => false,
        };
        if escaped {
            out.push(b'\'');
        }
        if byte == b'"' {
            out.push(b'"');
        } else {
            last = byte;
        }
        out.push(byte);
    }
    if quoted {
        out.push(b'"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_needed_and_never_a_formula() {
        let shown = |text: &str| {
            let mut out = Vec::new();
            push_row(&mut out, [text, text]);
            String::from_utf8(out).unwrap()
        };
        let row = |field: &str| format!("{field},{field}\r\n");
        assert_eq!(shown("plain"), row("plain"));
        assert_eq!(shown("a,\"b\""), row("\"a,\"\"b\"\"\""));
        assert_eq!(shown("-\n"), row("\"'-\n\""));
        assert_eq!(shown("=HYPERLINK(\"x\",1)"), row("\"'=HYPERLINK(\"\"x\"\",1)\""));
        assert_eq!(shown("a;b"), row("\"a;b\""));
        assert_eq!(shown("a;=1;+2"), row("\"a;'=1;'+2\""));
        assert_eq!(shown("a;\"=1+1;b"), row("\"a;\"\"'=1+1;b\""));
        assert_eq!(shown("\"\"-1"), row("\"\"\"\"\"'-1\""));
        assert_eq!(shown("hi\n=1+1;b"), row("\"hi\n'=1+1;b\""));
        assert_eq!(shown("hi\r\n\r\n\"@x"), row("\"hi\r\n\r\n\"\"'@x\""));
        assert_eq!(shown("\r=1;\r-2"), row("\"'\r'=1;'\r'-2\""));
        assert_eq!(shown("a=1\nb-2;c\"+3"), row("\"a=1\nb-2;c\"\"+3\""));
        for text in ["=1", "+1", "-1", "@x"] {
            assert_eq!(shown(text), row(&format!("'{text}")));
        }
    }
}
