use super::*;

const FIVE: NonZeroU32 = NonZeroU32::new(5).unwrap();

#[test]
fn an_address_that_tries_too_often_waits_and_others_do_not() {
    let limiter = AddressLimiter::new(NonZeroU32::MIN, FIVE);
    let greedy = "203.0.113.7".parse().unwrap();
    (0..5).for_each(|_| limiter.check(greedy).unwrap());
    assert_eq!(limiter.check(greedy).unwrap_err().status(), 429);
    limiter.check("203.0.113.8".parse().unwrap()).unwrap();
}

#[test]
fn one_subscriber_has_a_whole_ipv6_network() {
    let address = |text: &str| subscriber(text.parse().unwrap());
    assert_eq!(address("2001:db8:1:2:3::4"), address("2001:db8:1:2:ffff::1"));
    assert_ne!(address("2001:db8:1:2::1"), address("2001:db8:1:3::1"));
    assert_eq!(address("::ffff:203.0.113.7"), address("203.0.113.7"));
}

#[test]
fn the_wider_networks_of_ipv6_have_bounds_of_their_own() {
    let limiter = AddressLimiter::new(NonZeroU32::MIN, FIVE);
    let address = |subnet: u32| format!("2001:db8:1:{subnet:x}::1").parse::<IpAddr>().unwrap();
    // All of one /56, five times each: what four addresses get.
    let taken =
        (0..8).flat_map(|subnet| [subnet; 5]).filter(|subnet| limiter.check(address(*subnet)).is_ok());
    assert_eq!(taken.count(), 20);
    // Then /56 after /56 of the same /48: what sixteen addresses get, with those above.
    let taken = (1..16).flat_map(|net| (0..4).flat_map(move |subnet| [net * 0x100 + subnet; 5]));
    assert_eq!(taken.filter(|subnet| limiter.check(address(*subnet)).is_ok()).count(), 60);
    limiter.check("2001:db8:2::1".parse().unwrap()).unwrap();
    limiter.check("203.0.113.7".parse().unwrap()).unwrap();
}

#[test]
fn who_signed_in_lately_keeps_a_place_whatever_strangers_do() {
    let limiter = AddressLimiter::new(NonZeroU32::MIN, FIVE);
    let home: IpAddr = "2001:db8:1:7::9".parse().unwrap();
    limiter.signed_in(home);
    for stranger in 0..REMEMBERED as u32 + 10 {
        let _ = limiter.check(IpAddr::V4(stranger.into()));
    }
    for subnet in 8..20 {
        let _ = limiter.check(format!("2001:db8:1:{subnet:x}::1").parse().unwrap());
    }
    assert_eq!(limiter.check("2001:db8:1:1::9".parse().unwrap()).unwrap_err().status(), 429);
    (0..5).for_each(|_| limiter.check(home).unwrap());
    assert_eq!(limiter.check(home).unwrap_err().status(), 429, "by itself it has a bound, too");
}

#[test]
fn a_stranger_who_uses_up_an_account_does_not_lock_out_the_address_that_signed_in_to_it() {
    let limiter = AccountLimiter::new(NonZeroU32::MIN, FIVE);
    let [home, stranger]: [IpAddr; 2] = ["198.51.100.2", "203.0.113.7"].map(|text| text.parse().unwrap());
    limiter.signed_in(&["ada", "ada@example.com"], home);
    (0..5).for_each(|_| limiter.check("Ada", stranger).unwrap());
    assert_eq!(limiter.check("ada", stranger).unwrap_err().status(), 429);
    for name in [" ADA", "ada@example.com"] {
        (0..5).for_each(|_| limiter.check(name, home).unwrap());
        assert_eq!(limiter.check(name, home).unwrap_err().status(), 429, "it may not guess for ever either");
    }
    limiter.check("eve", home).unwrap();
}

#[test]
fn who_signed_in_lately_is_remembered_within_bounds() {
    let mut lately = Lately::default();
    for pair in 0..3 * REMEMBERED as u64 {
        lately.note(pair);
        assert!(lately.new.len() + lately.old.len() <= REMEMBERED);
        assert!(lately.knows(pair) && lately.knows(pair.saturating_sub(REMEMBERED as u64 / 2 - 1)));
    }
    assert!(!lately.knows(0));
}

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
