//! Lines of CSV (RFC 4180), harmless to spreadsheets: what one would take for a formula gets an apostrophe in front. Where the
//! decimal sign is a comma, spreadsheets part fields at `;`: what follows one is looked at as a field is.

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
    let mut begins = true;
    for byte in text.bytes() {
        if begins && matches!(byte, b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') {
            out.push(b'\'');
        }
        begins = byte == b';';
        if byte == b'"' {
            out.push(b'"');
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
        for text in ["=1", "+1", "-1", "@x"] {
            assert_eq!(shown(text), row(&format!("'{text}")));
        }
    }
}
