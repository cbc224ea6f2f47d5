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
