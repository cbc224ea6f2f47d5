use super::*;

const PROXY: &str = "127.0.0.1";

/// Whom a request came from, by its peer and its `X-Forwarded-For` lines.
fn seen(peer: &str, lines: &[u8]) -> String {
    let trusted = [PROXY, "::1", "10.0.0.5", "2001:db8::5"].map(|text| text.parse().unwrap());
    let mut headers = HeaderMap::new();
    for line in lines.split(|byte| *byte == b'\n') {
        headers.append("x-forwarded-for", axum::http::HeaderValue::from_bytes(line).unwrap());
    }
    client(peer.parse().unwrap(), &headers, &trusted).to_string()
}

#[test]
fn only_a_trusted_proxy_may_say_for_whom_it_asks() {
    assert_eq!(seen("203.0.113.7", b"198.51.100.2"), "203.0.113.7");
    assert_eq!(seen(PROXY, b"198.51.100.2"), "198.51.100.2");
    let none = client(PROXY.parse().unwrap(), &HeaderMap::new(), &[PROXY.parse().unwrap()]);
    assert_eq!(none.to_string(), PROXY);
}

#[test]
fn what_a_client_writes_itself_is_never_its_address() {
    for (lines, client) in [
        // The client's own word stands at the left.
        (&b"1.1.1.1, 198.51.100.2"[..], "198.51.100.2"),
        (b"nonsense, 198.51.100.2", "198.51.100.2"),
        (b"\xff\xfe, 198.51.100.2", "198.51.100.2"),
        (b", 198.51.100.2", "198.51.100.2"),
        (b"127.0.0.1, 198.51.100.2", "198.51.100.2"),
        (b"10.0.0.5, 1.1.1.1, 198.51.100.2", "198.51.100.2"),
        // Several lines are one, in their order.
        (b"1.1.1.1\n198.51.100.2", "198.51.100.2"),
        (b"1.1.1.1\n198.51.100.2\n10.0.0.5", "198.51.100.2"),
        (b"198.51.100.2\n10.0.0.5, 127.0.0.1", "198.51.100.2"),
        // Trusted hops are passed over.
        (b"1.1.1.1, 198.51.100.2, 10.0.0.5, ::1", "198.51.100.2"),
        (b"198.51.100.2, [2001:db8::5]:443", "198.51.100.2"),
        (b"198.51.100.2, ::ffff:10.0.0.5", "198.51.100.2"),
        (b"10.0.0.5", "10.0.0.5"),
        // What cannot be read ends the chain at the proxy that wrote it.
        (b"1.1.1.1, unknown", PROXY),
        (b"1.1.1.1, unknown, 10.0.0.5", "10.0.0.5"),
        (b"1.1.1.1, ", PROXY),
        (b"1.1.1.1\n", PROXY),
        (b"1.1.1.1, 010.1.1.1", PROXY),
        (b"1.1.1.1, \xff", PROXY),
    ] {
        assert_eq!(seen(PROXY, lines), client, "{}", lines.escape_ascii());
    }
}

#[test]
fn an_address_is_read_in_every_way_that_proxies_write_it() {
    for (written, read) in [
        ("198.51.100.2", Some("198.51.100.2")),
        ("\t198.51.100.2 ", Some("198.51.100.2")),
        ("198.51.100.2:55123", Some("198.51.100.2")),
        ("::ffff:198.51.100.2", Some("198.51.100.2")),
        ("2001:db8::1", Some("2001:db8::1")),
        ("[2001:db8::1]", Some("2001:db8::1")),
        ("[2001:db8::1]:443", Some("2001:db8::1")),
        ("fe80::1%eth0", Some("fe80::1")),
        ("[fe80::1%25eth0]:80", Some("fe80::1")),
        ("[::ffff:198.51.100.2]:80", Some("198.51.100.2")),
        ("", None),
        ("unknown", None),
        ("_hidden", None),
        ("198.51.100.2:", None),
        ("198.51.100.2:x", None),
        ("198.51.100.2:99999", None),
        ("198.51.100", None),
        ("198.51.100.2%eth0", None),
        ("[198.51.100.2]", None),
        ("[2001:db8::1", None),
        ("[2001:db8::1]443", None),
        ("[2001:db8::1]:", None),
        ("2001:db8::1]:443", None),
        ("fe80::1%", None),
        ("\"198.51.100.2\"", None),
        ("198.51.100.2 198.51.100.3", None),
    ] {
        assert_eq!(hop(written.as_bytes()), read.map(|read| read.parse().unwrap()), "{written}");
    }
}
