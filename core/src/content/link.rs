//! The link of a WAP push: an absolute http or https address that a telephone can open.
//!
//! Invariant: a link that passed [`check`] is printable ASCII without anything RFC 3986 forbids, so that it can go into
//! a WBXML string as it is.

use std::fmt::Write as _;

use super::error::ContentError;

/// Checks a link.
///
/// # Errors
/// [`ContentError::Link`] with a sentence on what to write instead.
pub fn check(link: &str) -> Result<(), ContentError> {
    let wrong = |what: String| Err(ContentError::Link(what));
    if let Some(c) = link.chars().find(|c| !is_allowed(*c)) {
        return wrong(format!(
            "The WAP URL holds {}, which no link may: write it percent-encoded, for example %20 for a space",
            super::gsm7::Named(&[c])
        ));
    }
    let Some(rest) = scheme(link, "https://").or_else(|| scheme(link, "http://")) else {
        return wrong("The WAP URL must begin with http:// or https://".to_owned());
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if !is_host(host) {
        return wrong(
            "The WAP URL has no host a telephone can reach: write it as in https://www.example.com/offer"
                .to_owned(),
        );
    }
    Ok(())
}

/// What stands behind a scheme, whose case does not matter.
pub(super) fn scheme<'a>(link: &'a str, scheme: &str) -> Option<&'a str> {
    let (head, rest) = link.split_at_checked(scheme.len())?;
    head.eq_ignore_ascii_case(scheme).then_some(rest)
}

fn is_allowed(c: char) -> bool {
    c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}')
}

fn is_host(host: &str) -> bool {
    if host.starts_with('[') {
        return host.contains("]") && host.contains(':');
    }
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    let label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
            && !label.starts_with('-')
    };
    let name = name.strip_suffix('.').unwrap_or(name);
    name.contains('.')
        && name.split('.').all(label)
        && port.bytes().all(|b| b.is_ascii_digit())
        && port.len() <= 5
}

/// Appends a value to a link. A value at the start is the beginning of the link and stays as it is. Behind that, all but
/// the unreserved characters of RFC 3986 are percent-encoded, so that no value ends its parameter or adds another.
pub(super) fn push_value(value: &str, link: &mut String) {
    let value = value.trim();
    if link.is_empty() {
        link.push_str(value);
        return;
    }
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            link.push(char::from(byte));
        } else {
            // Writing into a String cannot fail.
            let _ = write!(link, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_http_or_https_with_a_host() {
        for link in [
            "http://www.example.com/",
            "https://example.ng",
            "HTTPS://Example.ng:8443/a?b=c&d=%20#e",
            "http://10.0.0.1/x",
            "http://[::1]/",
            "https://user@shop.example.com?x",
        ] {
            assert_eq!(check(link), Ok(()), "{link}");
        }
    }

    #[test]
    fn what_is_no_link_is_refused_with_a_way_out() {
        let reason = |link: &str| check(link).unwrap_err().to_string();
        for link in ["www.example.com", "ftp://example.com", "example", "javascript:alert(1)", ""] {
            assert_eq!(reason(link), "The WAP URL must begin with http:// or https://");
        }
        for link in
            ["http://", "http:///x", "https://localhost", "http://a..b/", "http://a.b:x/", "http://-a.b"]
        {
            assert!(reason(link).contains("no host"), "{link}");
        }
        assert!(reason("http://a.b/c d").contains("U+0020"));
        assert!(reason("http://a.b/é").contains("'é' (U+00E9)"));
        assert!(reason("http://a.b/\n").contains("percent-encoded"));
    }

    #[test]
    fn a_value_is_percent_encoded_unless_it_is_the_link() {
        let mut link = String::new();
        push_value(" https://a.ng/x?y ", &mut link);
        push_value("A & B/é", &mut link);
        assert_eq!(link, "https://a.ng/x?yA%20%26%20B%2F%C3%A9");
    }
}
