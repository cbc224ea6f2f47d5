use super::*;

fn carrier(name: &str, kinds: &[Kind], rate: u32) -> RouteCarrier {
    RouteCarrier { name: name.into(), kinds: kinds.to_vec(), rate, ..RouteCarrier::default() }
}

fn route(carrier: &str) -> RouteConfig {
    RouteConfig { carrier: carrier.into(), ..RouteConfig::default() }
}

fn router(carriers: Vec<RouteCarrier>, routes: &[RouteConfig]) -> Result<Router> {
    Router::new(carriers, routes, NetworkTable::builtin())
}

fn chosen(plan: &Plan, digits: u64) -> Option<&str> {
    let number = Msisdn::from_digits(digits).unwrap();
    let network = NetworkTable::builtin().lookup(number);
    let way = plan.decide(number, network, 1).ok()?;
    Some(&*plan.carriers()[usize::from(plan.decisions()[usize::from(way)].carrier)].name)
}

#[test]
fn a_purpose_that_no_route_for_texts_takes_is_warned_of() {
    let carriers = || {
        let texts =
            RouteCarrier { name: "text".into(), kinds: Kind::SMS.to_vec(), ..RouteCarrier::default() };
        let calls =
            RouteCarrier { name: "trunk".into(), kinds: vec![Kind::Voice], ..RouteCarrier::default() };
        vec![texts, calls]
    };
    let route = |carrier: &str, purposes: &[Purpose]| RouteConfig {
        carrier: carrier.into(),
        purposes: purposes.to_vec(),
        ..RouteConfig::default()
    };
    let warning =
        |routes: &[RouteConfig]| Router::new(carriers(), routes, NetworkTable::builtin()).unwrap().warning();
    use Purpose::{Otp, Promotional, Transactional};
    // Without routes the first carrier takes everything; a platform of calls alone needs none for texts.
    for fine in [
        vec![],
        vec![route("text", &[])],
        vec![route("text", &[Promotional]), route("text", &[Otp, Transactional])],
        vec![route("trunk", &[Promotional])],
    ] {
        assert_eq!(warning(&fine), None, "{fine:?}");
    }
    let no_codes = warning(&[route("text", &[Promotional, Transactional]), route("trunk", &[])]).unwrap();
    assert!(no_codes.contains("with the purpose otp: they are refused"), "{no_codes}");
    let calls_only = RouteConfig { kinds: vec![Kind::Voice], ..route("text", &[]) };
    let one = warning(&[route("text", &[Promotional]), calls_only]).unwrap();
    assert!(one.contains("transactional and otp"), "{one}");
}

#[test]
fn calls_go_to_the_first_trunk_unless_a_route_leads_to_one() {
    let trunks = vec![
        carrier("sms", &Kind::SMS, 0),
        carrier("one", &[Kind::Voice], 0),
        carrier("two", &[Kind::Voice], 0),
    ];
    let texts = RouteConfig { carrier: "sms".into(), ..RouteConfig::default() };
    let to_two = RouteConfig { carrier: "two".into(), ..RouteConfig::default() };
    let carrier_of = |routes: &[RouteConfig], kind| {
        let plan = router(trunks.clone(), routes)
            .unwrap()
            .plan(kind, Purpose::Transactional, "WEBSMS", None)
            .unwrap();
        plan.decisions()
            .iter()
            .map(|way| plan.carriers()[usize::from(way.carrier)].name.to_string())
            .collect::<Vec<_>>()
    };
    for routes in [&[][..], std::slice::from_ref(&texts)] {
        assert_eq!(carrier_of(routes, Kind::Voice), ["one"]);
        assert_eq!(carrier_of(routes, Kind::Text), ["sms"]);
    }
    let both = [to_two, texts];
    assert_eq!(carrier_of(&both, Kind::Voice), ["two"]);
    assert_eq!(carrier_of(&both, Kind::Text), ["sms"]);
}

#[test]
fn without_routes_the_first_carrier_of_the_kind_takes_everything_as_default() {
    let carriers = vec![carrier("a", &[Kind::Text], 0), carrier("b", &Kind::SMS, 0)];
    let router = router(carriers, &[]).unwrap();
    let text = router.plan(Kind::Text, Purpose::Transactional, "WEBSMS", None).unwrap();
    assert_eq!(chosen(&text, 2_348_031_234_567), Some("a"));
    assert_eq!(text.label(&[1, 0]), "DEFAULT");
    assert_eq!(
        chosen(&router.plan(Kind::Vcard, Purpose::Transactional, "WEBSMS", None).unwrap(), 447_911_123_456),
        Some("b")
    );
}

#[test]
fn the_first_route_that_fits_wins_and_all_its_conditions_hold() {
    let carriers =
        vec![carrier("a", &Kind::SMS, 0), carrier("b", &Kind::SMS, 0), carrier("c", &[Kind::Text], 0)];
    let routes = [
        RouteConfig { kinds: vec![Kind::Flash], ..route("b") },
        RouteConfig { networks: vec!["MTN".into()], prefixes: vec!["234803".into()], ..route("c") },
        RouteConfig { networks: vec!["mtn".into(), "glo".into()], ..route("b") },
        RouteConfig { prefixes: vec!["+44".into()], ..route("a") },
    ];
    let router = router(carriers, &routes).unwrap();
    let text = router.plan(Kind::Text, Purpose::Transactional, "WEBSMS", None).unwrap();
    assert_eq!(chosen(&text, 2_348_031_234_567), Some("c"));
    assert_eq!(chosen(&text, 2_348_061_234_567), Some("b"));
    assert_eq!(chosen(&text, 447_911_123_456), Some("a"));
    assert_eq!(chosen(&text, 33_612_345_678), None, "no route leads there");
    assert_eq!(text.label(&[0, 3, 1]), "b, c");
    assert_eq!(
        chosen(&router.plan(Kind::Flash, Purpose::Transactional, "WEBSMS", None).unwrap(), 33_612_345_678),
        Some("b")
    );
    // A route to a carrier that cannot take the kind is passed over.
    assert_eq!(
        chosen(&router.plan(Kind::Vcard, Purpose::Transactional, "WEBSMS", None).unwrap(), 2_348_031_234_567),
        Some("b")
    );
}

#[test]
fn a_kind_nobody_carries_is_refused_with_the_kinds_there_are() {
    let error = router(vec![carrier("a", &[Kind::Text, Kind::Flash], 0)], &[])
        .unwrap()
        .plan(Kind::Vcard, Purpose::Transactional, "WEBSMS", None)
        .unwrap_err();
    assert_eq!(error.code(), "kind_not_carried");
    assert!(error.to_string().contains("text, flash"), "{error}");
    assert_eq!(
        router(vec![], &[])
            .unwrap()
            .plan(Kind::Text, Purpose::Transactional, "WEBSMS", None)
            .unwrap_err()
            .code(),
        "no_carrier"
    );
}

#[test]
fn a_route_to_nowhere_is_refused_at_start_with_what_is_wrong() {
    let try_one =
        |route: RouteConfig| router(vec![carrier("a", &Kind::SMS, 0)], &[route]).unwrap_err().to_string();
    assert!(try_one(route("b")).contains("no carrier named 'b'"));
    assert!(try_one(RouteConfig { networks: vec!["mtm".into()], ..route("a") }).contains("'mtm'"));
    for prefix in ["0803", "", "23a", "1234567890123456"] {
        let said = try_one(RouteConfig { prefixes: vec![prefix.into()], ..route("a") });
        assert!(said.contains("is no prefix"), "{said}");
    }
}

#[test]
fn a_question_needs_a_line_that_tells_keys_and_one_that_repeats() {
    let code = |keys, repeats, plays| {
        let trunk = RouteCarrier { keys, repeats, ..carrier("trunk", &[Kind::Voice], 0) };
        let plan = router(vec![trunk], &[])
            .unwrap()
            .plan(Kind::Voice, Purpose::Transactional, "WEBSMS", None)
            .unwrap();
        plan.check_question(plays).err().map(|error| error.code())
    };
    assert_eq!(code(false, false, 1), Some("keys_not_carried"));
    assert_eq!((code(true, false, 1), code(true, true, 3)), (None, None));
    assert_eq!(code(true, false, 2), Some("plays_not_carried"));
}

#[test]
fn carriers_work_side_by_side_and_an_unknown_rate_is_assumed() {
    let carriers = vec![carrier("a", &Kind::SMS, 100), carrier("b", &Kind::SMS, 0)];
    let plan =
        router(carriers, &[]).unwrap().plan(Kind::Text, Purpose::Transactional, "WEBSMS", None).unwrap();
    assert_eq!(plan.duration_ms(&[250, 0], 0), 2_500);
    assert_eq!(plan.duration_ms(&[1, 50_000], 0), 10_000);
    assert_eq!(plan.duration_ms(&[0, 0], 0), 0);
}

#[test]
fn what_a_carrier_cannot_take_goes_to_the_next_or_is_refused_before_it_costs() {
    let short = RouteCarrier { max_parts: 1, ..carrier("short", &Kind::SMS, 0) };
    let digits = RouteCarrier { numeric_senders_only: true, ..carrier("digits", &Kind::SMS, 0) };
    let number = Msisdn::from_digits(2_348_031_234_567).unwrap();
    let network = NetworkTable::builtin().lookup(number);
    let both = router(vec![short.clone(), digits.clone()], &[route("short"), route("digits")]).unwrap();
    let plan = both.plan(Kind::Text, Purpose::Transactional, "32811", None).unwrap();
    assert_eq!((plan.decide(number, network, 1), plan.decide(number, network, 2)), (Ok(0), Ok(1)));
    let plan = both.plan(Kind::Text, Purpose::Transactional, "WEBSMS", None).unwrap();
    assert_eq!(plan.decide(number, network, 2), Err(NoRoute::TooLong));
    let error = router(vec![digits], &[])
        .unwrap()
        .plan(Kind::Text, Purpose::Transactional, "WEBSMS", None)
        .unwrap_err();
    assert_eq!(error.code(), "sender_not_carried");
    let named = RouteConfig { senders: vec!["mybank".into()], ..route("short") };
    let router = router(vec![short, carrier("rest", &Kind::SMS, 0)], &[named, route("rest")]).unwrap();
    assert_eq!(
        chosen(&router.plan(Kind::Text, Purpose::Transactional, "MyBank", None).unwrap(), number.digits()),
        Some("short")
    );
    assert_eq!(
        chosen(&router.plan(Kind::Text, Purpose::Transactional, "WEBSMS", None).unwrap(), number.digits()),
        Some("rest")
    );
}

#[test]
fn numbers_that_must_not_be_disturbed_are_refused_or_go_around() {
    let listed = Msisdn::from_digits(2_348_031_234_567).unwrap();
    let list = Arc::new(DndSnapshot::of([listed]));
    let carriers = vec![carrier("promo", &Kind::SMS, 0), carrier("corporate", &[Kind::Text], 0)];
    let ask = |dnd: &str, kind: Kind| {
        let routes = [RouteConfig { dnd: Some(dnd.into()), promotional: true, ..route("promo") }];
        let plan = router(carriers.clone(), &routes)?.plan(
            kind,
            Purpose::Transactional,
            "WEBSMS",
            Some(Arc::clone(&list)),
        )?;
        let network = NetworkTable::builtin().lookup(listed);
        let free = Msisdn::from_digits(2_348_031_234_568).unwrap();
        let straight = plan.decide(free, network, 1).map(|way| plan.decisions()[usize::from(way)]);
        assert_eq!(
            straight,
            Ok(RouteDecision { carrier: 0, promotional: true, minds_dnd: true, spares: SpareCarriers::NONE })
        );
        Ok::<_, Error>(plan.decide(listed, network, 1).map(|way| plan.decisions()[usize::from(way)]))
    };
    assert_eq!(ask("refuse", Kind::Text).unwrap(), Err(NoRoute::Dnd));
    let around =
        RouteDecision { carrier: 1, promotional: true, minds_dnd: false, spares: SpareCarriers::NONE };
    assert_eq!(ask("reroute:corporate", Kind::Text).unwrap(), Ok(around));
    assert_eq!(ask("reroute:corporate", Kind::Flash).unwrap(), Err(NoRoute::Dnd), "it cannot take flash");
    assert_eq!(ask("reroute:nobody", Kind::Text).unwrap_err().code(), "bad_route");
    assert_eq!(ask("ignore", Kind::Text).unwrap_err().code(), "bad_route");
}

#[test]
fn a_route_takes_the_purposes_that_it_names() {
    let meant = RouteConfig { purposes: vec![Purpose::Otp, Purpose::Transactional], ..route("bank") };
    let carriers = || vec![carrier("bank", &Kind::SMS, 0), carrier("rest", &Kind::SMS, 0)];
    let number = 2_348_031_234_567;
    let both = router(carriers(), &[meant.clone(), route("rest")]).unwrap();
    let taken = Purpose::ALL.map(|purpose| {
        chosen(&both.plan(Kind::Text, purpose, "WEBSMS", None).unwrap(), number).unwrap().to_owned()
    });
    assert_eq!(taken, ["rest", "bank", "bank"]);
    let one = router(carriers(), &[meant]).unwrap();
    let refused = one.plan(Kind::Text, Purpose::Promotional, "WEBSMS", None).unwrap_err();
    assert_eq!(refused.code(), "purpose_not_carried");
}

#[test]
fn what_is_promotional_waits_everywhere_and_codes_nowhere() {
    let waits = |routes: &[RouteConfig]| {
        let router = router(vec![carrier("a", &Kind::SMS, 0)], routes).unwrap();
        Purpose::ALL.map(|purpose| {
            router.plan(Kind::Text, purpose, "WEBSMS", None).unwrap().decisions()[0].promotional
        })
    };
    assert_eq!(waits(&[]), [true, false, false]);
    assert_eq!(waits(&[route("a")]), [true, false, false]);
    let slow = RouteConfig { promotional: true, ..route("a") };
    assert_eq!(waits(&[slow]), [true, true, false], "what says nothing waits as before");
}

#[test]
fn codes_go_to_numbers_that_must_not_be_disturbed() {
    let listed = Msisdn::from_digits(2_348_031_234_567).unwrap();
    let list = Arc::new(DndSnapshot::of([listed]));
    let routes = [RouteConfig { dnd: Some("refuse".into()), ..route("a") }];
    let router = router(vec![carrier("a", &Kind::SMS, 0)], &routes).unwrap();
    let refused = Purpose::ALL.map(|purpose| {
        let plan = router.plan(Kind::Text, purpose, "WEBSMS", Some(Arc::clone(&list))).unwrap();
        let minds_dnd = plan.decisions()[0].minds_dnd;
        (minds_dnd, plan.decide(listed, NetworkTable::builtin().lookup(listed), 1).err())
    });
    assert_eq!(refused, [(true, Some(NoRoute::Dnd)), (true, Some(NoRoute::Dnd)), (false, None)]);
}

#[test]
fn the_other_carriers_of_a_route_take_over_what_they_may_take() {
    let carriers = vec![
        carrier("main", &Kind::SMS, 0),
        RouteCarrier { max_parts: 2, ..carrier("short", &[Kind::Text, Kind::Unicode], 0) },
        RouteCarrier { numeric_senders_only: true, ..carrier("numeric", &Kind::SMS, 0) },
        carrier("around", &Kind::SMS, 0),
    ];
    let spares = vec!["short".to_owned(), "numeric".to_owned()];
    let routes = [RouteConfig { spares, dnd: Some("reroute:around".into()), ..route("main") }];
    let listed = Msisdn::from_digits(2_348_031_234_567).unwrap();
    let free = Msisdn::from_digits(2_348_031_234_568).unwrap();
    let dnd = Some(Arc::new(DndSnapshot::of(vec![listed])));
    let takes_over = |kind, sender: &str, number, segments| {
        let plan = router(carriers.clone(), &routes).unwrap();
        let plan = plan.plan(kind, Purpose::Transactional, sender, dnd.clone()).unwrap();
        let network = NetworkTable::builtin().lookup(number);
        let decision = plan.decisions()[usize::from(plan.decide(number, network, segments).unwrap())];
        let carrier = plan.carriers()[usize::from(decision.carrier)].name.to_string();
        (
            carrier,
            decision.spares.names(plan.carriers()).map_or_else(String::new, |names| names.replace('\n', " ")),
        )
    };
    let of = |carrier: &str, spares: &str| (carrier.to_owned(), spares.to_owned());
    assert_eq!(takes_over(Kind::Text, "12345", free, 2), of("main", "short numeric"));
    assert_eq!(
        takes_over(Kind::Text, "12345", free, 3),
        of("main", "numeric"),
        "too long for the first of them"
    );
    assert_eq!(takes_over(Kind::Text, "WEBSMS", free, 2), of("main", "short"), "the other takes no letters");
    assert_eq!(takes_over(Kind::Text, "WEBSMS", free, 3), of("main", ""));
    assert_eq!(takes_over(Kind::Flash, "WEBSMS", free, 1), of("main", ""), "a kind that none of them takes");
    assert_eq!(
        takes_over(Kind::Text, "12345", listed, 1),
        of("around", ""),
        "they take no numbers that are rerouted"
    );
    let plan = router(carriers.clone(), &routes).unwrap();
    let plan = plan.plan(Kind::Text, Purpose::Transactional, "12345", dnd.clone()).unwrap();
    assert_eq!(plan.label(&[4, 0, 0, 1]), "main then short then numeric, around");
    let may_carry = router(carriers.clone(), &routes).unwrap();
    let may_carry = may_carry.may_carry(free, NetworkTable::builtin().lookup(free), Purpose::Transactional);
    let names: Vec<&str> = may_carry.iter().map(|carrier| &*carrier.name).collect();
    assert_eq!(names, ["main", "around", "short", "numeric"], "what each of them charges counts");
}

#[test]
fn a_route_whose_carriers_cannot_take_over_from_each_other_is_refused() {
    let carriers = vec![
        carrier("a", &[Kind::Text], 0),
        carrier("b", &[Kind::Text], 0),
        carrier("flash", &[Kind::Flash], 0),
        carrier("trunk", &[Kind::Voice], 0),
    ];
    let why = |first: &str, spares: &[&str]| {
        let spares = spares.iter().map(|name| (*name).to_owned()).collect();
        let tried = router(carriers.clone(), &[RouteConfig { spares, ..route(first) }]);
        tried.map_or_else(|error| error.to_string(), |_| String::new())
    };
    assert_eq!(why("a", &["b"]), "");
    assert!(why("a", &["c"]).contains("no carrier named 'c'"));
    assert!(why("a", &["b", "b"]).contains("the carrier 'b' twice"));
    assert!(why("a", &["a"]).contains("the carrier 'a' twice"));
    assert!(why("a", &["trunk"]).contains("`failover`") && why("trunk", &["a"]).contains("`failover`"));
    assert!(why("a", &["flash"]).contains("'flash' takes no kind"));
    let many: Vec<RouteCarrier> = (0..9).map(|it| carrier(&format!("c{it}"), &[Kind::Text], 0)).collect();
    let with = |count: usize| {
        let spares = (1..=count).map(|it| format!("c{it}")).collect();
        router(many.clone(), &[RouteConfig { spares, ..route("c0") }]).is_ok()
    };
    assert!(with(7) && !with(8));
}
