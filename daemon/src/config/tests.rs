use std::collections::HashMap;

use super::*;

fn load_from(
    overrides: &Overrides,
    environment: Option<HashMap<String, String>>,
) -> Result<Settings, BadConfiguration> {
    Reading::new(overrides, environment).finish()
}

fn file(text: &str) -> (tempfile::TempDir, Overrides) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("talkdrum.toml");
    std::fs::write(&path, text).unwrap();
    (dir, Overrides { file: Some(path), ..Overrides::default() })
}

fn environment(pairs: &[(&str, &str)]) -> Option<HashMap<String, String>> {
    Some(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
}

#[test]
fn without_anything_the_documented_defaults_hold() {
    let settings = load_from(&Overrides::default(), environment(&[])).unwrap();
    assert_eq!(settings.server.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.server.data_dir, PathBuf::from("./data"));
    assert_eq!(settings.database_url(), "sqlite://./data/talkdrum.db");
    assert_eq!(settings.session.inactive_minutes.get(), 720);
}

#[test]
fn flags_overrule_the_environment_and_the_environment_the_file() {
    let (_dir, mut overrides) = file(
        "[server]\nlisten = '127.0.0.1:1'\n[session]\ndays = 3\ninactive_minutes = 5\n[limits]\nlogin_burst = 7\n",
    );
    let variables = environment(&[
        ("TALKDRUM__SERVER__LISTEN", "127.0.0.1:2"),
        ("TALKDRUM__SESSION__INACTIVE_MINUTES", "6"),
        ("TALKDRUM__SERVER__TRUSTED_PROXIES", "10.0.0.1, ::1"),
        ("TALKDRUM_UNRELATED", "x"),
    ]);
    let settings = load_from(&overrides, variables.clone()).unwrap();
    assert_eq!(settings.server.listen.to_string(), "127.0.0.1:2");
    assert_eq!(settings.session.inactive_minutes.get(), 6);
    assert_eq!(settings.session.days.get(), 3);
    assert_eq!(settings.limits.login_burst.get(), 7);
    assert_eq!(settings.server.trusted_proxies.len(), 2);
    overrides.listen = Some("127.0.0.1:3".into());
    assert_eq!(load_from(&overrides, variables).unwrap().server.listen.to_string(), "127.0.0.1:3");
}

#[test]
fn an_unknown_key_is_refused_by_name_wherever_it_stands() {
    let (_dir, overrides) = file("[server]\nlisen = '127.0.0.1:1'\n");
    let refused = format!("{:#}", load_from(&overrides, environment(&[])).unwrap_err());
    assert!(refused.contains("lisen"), "{refused}");
    let variables = environment(&[("TALKDRUM__LIMITS__BODYKIB", "1")]);
    let refused = format!("{:#}", load_from(&Overrides::default(), variables).unwrap_err());
    assert!(refused.contains("bodykib"), "{refused}");
}

#[test]
fn a_file_that_is_not_there_and_a_value_that_makes_no_sense_are_refused() {
    let missing = Overrides { file: Some("/nonexistent/talkdrum.toml".into()), ..Overrides::default() };
    assert!(load_from(&missing, environment(&[])).is_err());
    let (_dir, overrides) = file("[session]\ndays = 0\n");
    assert!(load_from(&overrides, environment(&[])).is_err());
    let (_dir, overrides) = file("[[routes]]\ncarrier = 'nobody'\n");
    let refused = format!("{:#}", load_from(&overrides, environment(&[])).unwrap_err());
    assert!(refused.contains("nobody"), "{refused}");
}

#[test]
fn the_example_shows_every_kind_of_carrier_and_can_be_used_as_it_is() {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/config/talkdrum.toml"));
    let overrides = Overrides { file: Some(file), ..Overrides::default() };
    let settings = load_from(&overrides, environment(&[])).unwrap();
    let kinds: Vec<&str> = settings.carriers.iter().map(|carrier| carrier.kind.as_str()).collect();
    for kind in talkdrum_core::carrier::http::KINDS {
        assert!(kinds.contains(&kind), "{kind}");
    }
    let plans = settings.carrier_plans().unwrap();
    let agreed = plans.iter().find(|plan| plan.policy.cost.is_some()).unwrap();
    let routed = agreed.route_carrier();
    assert_eq!((routed.refund_undelivered, routed.max_parts), (Some(true), 6));
    assert!(kinds.contains(&SIP) && kinds.contains(&HTTP_VOICE));
    assert!(masked(&settings).unwrap().contains("signature_secret = \"********\""));
    assert!(!masked(&settings).unwrap().contains("change-me"));
}

/// Each setting that has a value by default stands in its section of the example, in use or behind a `#`.
#[test]
fn the_example_shows_every_default() {
    let example = include_str!("../../../examples/config/talkdrum.toml");
    let sections: HashMap<&str, Vec<&str>> = example
        .split("\n[")
        .filter_map(|section| section.split_once(']'))
        .map(|(name, keys)| (name, keys.lines().filter_map(|line| line.split_once(" = ")).map(|it| it.0)))
        .map(|(name, keys)| (name, keys.map(|key| key.trim_start_matches(['#', ' '])).collect()))
        .collect();
    let defaults = masked(&load_from(&Overrides::default(), environment(&[])).unwrap()).unwrap();
    let mut missing = Vec::new();
    for (section, values) in &defaults.parse::<toml::Table>().unwrap() {
        let Some(values) = values.as_table() else { continue };
        let shown = sections.get(section.as_str());
        let is_shown = |key: &str| shown.is_some_and(|shown| shown.contains(&key));
        missing.extend(values.keys().filter(|key| !is_shown(key)).map(|key| format!("{section}.{key}")));
    }
    assert_eq!(missing, [""; 0]);
}

#[test]
fn a_time_of_retention_is_a_day_at_least_and_none_keeps() {
    let (_dir, overrides) = file("[retention]\ntexts_days = 90\ninbound_days = 0\n");
    let refused = format!("{:#}", load_from(&overrides, environment(&[])).unwrap_err());
    assert!(refused.contains("retention.inbound_days is not between 1 and 36500"), "{refused}");
    let (_dir, overrides) = file("[retention]\ntexts_days = 90\n");
    let days = load_from(&overrides, environment(&[])).unwrap().retention.days().unwrap();
    assert_eq!((days.texts, days.numbers, days.receipts, days.inbound), (Some(90), None, None, None));
    let warning = |text| {
        let (_dir, overrides) = file(text);
        load_from(&overrides, environment(&[])).unwrap().retention.warning()
    };
    assert_eq!(warning("[retention]\nnumbers_days = 90\n"), None);
    assert!(warning("[retention]\nnumbers_days = 89\n").unwrap().contains("STOP"));
}

#[test]
fn a_mail_server_is_taken_before_anything_runs_and_a_wrong_sender_is_named() {
    let (_dir, overrides) = file("[mail]\nhost = 'smtp.example.com'\nfrom = 'Talkdrum <a@example.com>'\n");
    load_from(&overrides, environment(&[])).unwrap();
    let (_dir, overrides) = file("[mail]\nhost = 'smtp.example.com'\nfrom = 'nobody'\n");
    let refused = format!("{:#}", load_from(&overrides, environment(&[])).unwrap_err());
    assert!(refused.contains("mail.from"), "{refused}");
}

#[test]
fn a_breaker_is_read_with_its_defaults_and_refused_where_it_could_not_judge() {
    let carrier = "[[carriers]]\nname = 'main'\nkind = 'smpp'\nhost = '127.0.0.1'\nport = 2775\nsystem_id = 'drum'\n\
                   password = 'x'\n";
    let read = |rest: &str| {
        let (_dir, overrides) = file(&format!("{carrier}{rest}\n"));
        load_from(&overrides, environment(&[])).map(|settings| settings.carrier_plans().unwrap())
    };
    let breaker = read("breaker = { floor = 60 }").unwrap()[0].policy.breaker.unwrap();
    assert_eq!((breaker.floor, breaker.sample, breaker.window_s), (60, 200, 600));
    assert_eq!((breaker.probe, breaker.probe_every_s), (20, 300));
    assert_eq!(read("").unwrap()[0].policy.breaker, None);
    for (wrong, says) in [
        ("breaker = { floor = 0 }", "`breaker.floor` must be from 1 to 99, and is 0"),
        ("breaker = { floor = 60, window_s = 5 }", "`breaker.window_s` must be from 60 to 86400, and is 5"),
        ("breaker = { sample = 50 }", "floor"),
        ("breaker = { floor = 60, flor = 5 }", "flor"),
        ("breaker = { floor = 60 }\nbind = 'transmitter'", "`breaker` judges by receipts"),
    ] {
        let refused = format!("{:#}", read(wrong).unwrap_err());
        assert!(refused.contains("'main'") && refused.contains(says), "{refused}");
    }
}

#[test]
fn a_trunk_is_read_and_what_it_has_not_is_refused_in_a_sentence() {
    let trunk = "[[carriers]]\nname = 'trunk'\nkind = 'sip'\nhost = 'sip.example.com'\n\
                 caller_id = '2342012345678'\nchannels = 30\n";
    let (_dir, overrides) = file(trunk);
    let plans = load_from(&overrides, environment(&[])).unwrap().carrier_plans().unwrap();
    assert!(matches!(&plans[0].line, Line::Sip(config) if config.channels.get() == 30));
    assert_eq!(
        plans[0].route_carrier().kinds,
        [talkdrum_api::kind::Kind::Voice],
        "no text message is routed to it"
    );
    for (wrong, says) in [
        ("chanels = 30", "chanels"),
        ("max_parts = 2", "`max_parts` is about text messages"),
        ("breaker = { floor = 60 }", "`breaker` is about text messages"),
        ("unknown_then = 'capture'", "`unknown_then` must be keep or release"),
        ("kinds = ['text']", "`kinds` is about text messages"),
        ("attempts = 0", "`attempts` must be from 1"),
        ("retry_after_s = 90000", "`retry_after_s` must be from 1 to 86400"),
        ("failover = ['trunk']", "`failover` names the carrier itself"),
        ("failover = ['other']", "`failover` names 'other', which is no carrier of calls"),
    ] {
        let (_dir, overrides) = file(&format!("{trunk}{wrong}\n"));
        let refused = format!("{:#}", load_from(&overrides, environment(&[])).unwrap_err());
        assert!(refused.contains("trunk") && refused.contains(says), "{refused}");
    }
    let (_dir, overrides) = file(&format!(
        "{trunk}cost = {{ currency = 'NGN', pulse = '2.5' }}\nunknown_after_s = 3600\nunknown_then = 'release'\n"
    ));
    let settings = load_from(&overrides, environment(&[])).unwrap();
    let plans = settings.carrier_plans().unwrap();
    assert_eq!(plans[0].policy.cost.as_ref().unwrap().of("mtn").to_string(), "2.5");
    assert!(plans[0].policy.unknown().is_some());
    let (_dir, overrides) = file(&format!("{trunk}username = 'a'\npassword = 'change-me-1'\n"));
    let settings = load_from(&overrides, environment(&[])).unwrap();
    let refused = settings.carriers[0].check_secrets().unwrap_err().to_string();
    assert!(refused.contains("'trunk': `password` is that of the example"), "{refused}");
    let second = trunk.replace("'trunk'", "'second'");
    let (_dir, overrides) = file(&format!("{trunk}failover = ['second']\n{second}failover = ['trunk']\n"));
    let plans = load_from(&overrides, environment(&[])).unwrap().carrier_plans().unwrap();
    assert_eq!(plans[0].failover(), ["second"]);
    let (_dir, overrides) = file(&format!("{trunk}failover = ['second', 'second']\n{second}"));
    let refused = format!("{:#}", load_from(&overrides, environment(&[])).unwrap_err());
    assert!(refused.contains("names 'second' twice"), "{refused}");
    let (_dir, overrides) = file("[voice]\nprefixes = ['0803']\n");
    let refused = format!("{:#}", load_from(&overrides, environment(&[])).unwrap_err());
    assert!(refused.contains("voice.prefixes") && refused.contains("'0803'"), "{refused}");
}

#[test]
fn a_provider_of_calls_is_read_and_refused_where_it_could_not_fetch_what_it_plays() {
    let provider = "[[carriers]]\nname = 'dialler'\nkind = 'http-voice'\nurl = 'https://voice.example.com/calls'\n\
                    body = '{\"to\":\"{to}\",\"play\":\"{audio_url}\"}'\ncaller_id = '2342012345678'\nchannels = 30\n\
                    hook_secret = '0123456789abcdef'\n";
    let call = "[carriers.call]\nid = 'id'\nstatus = 'status'\nstatuses = { completed = 'answered' }\n";
    let server = "[server]\npublic_url = 'https://sms.example.com'\n";
    let (_dir, overrides) = file(&format!("{server}{provider}{call}"));
    let plans = load_from(&overrides, environment(&[])).unwrap().carrier_plans().unwrap();
    assert!(matches!(&plans[0].line, Line::HttpVoice(config) if config.channels() == 30));
    let routed = plans[0].route_carrier();
    assert_eq!((routed.kinds, routed.channels), (vec![talkdrum_api::kind::Kind::Voice], 30));
    let own = format!("{provider}public_url = 'https://sms.example.com'\n{call}");
    let (_dir, overrides) = file(&own);
    load_from(&overrides, environment(&[])).unwrap();
    // What a quote over the trunk promises holds over the one that takes over.
    let trunk = "[[carriers]]\nname = 'trunk'\nkind = 'sip'\nhost = 'sip.example.com'\ncaller_id = '2342012345678'\n\
                 channels = 30\nfailover = ['dialler']\n";
    let with_keys = format!("{call}digits = 'keys'\n");
    for (text, says) in [
        (format!("{server}{trunk}{provider}{call}"), "does not tell pressed keys"),
        (format!("{server}{trunk}{provider}{with_keys}"), "does not play a question again"),
    ] {
        let (_dir, overrides) = file(&text);
        let refused = format!("{:#}", load_from(&overrides, environment(&[])).unwrap_err());
        assert!(refused.contains(says), "{refused}");
    }
    let repeating = provider.replace("\"}'", "\",\"plays\":{plays}}'");
    let (_dir, overrides) = file(&format!("{server}{trunk}{repeating}{with_keys}"));
    load_from(&overrides, environment(&[])).unwrap();
    for (text, says) in [
        (format!("{provider}{call}"), "`server.public_url` is not set"),
        (format!("{server}{provider}kinds = ['text']\n{call}"), "`kinds` is about text messages"),
        (format!("{server}{provider}chanels = 3\n{call}"), "chanels"),
        (format!("{server}{provider}"), "`call.status` is missing"),
    ] {
        let (_dir, overrides) = file(&text);
        let refused = format!("{:#}", load_from(&overrides, environment(&[])).unwrap_err());
        assert!(refused.contains("dialler") && refused.contains(says), "{refused}");
    }
}

#[test]
fn carriers_keep_the_keys_of_their_kind() {
    let (_dir, overrides) = file(
        "[[carriers]]\nname = 'main'\nkind = 'smpp'\nhost = '127.0.0.1'\nport = 2775\nsystem_id = 'drum'\npassword = 'x'\n\
         [[routes]]\ncarrier = 'main'\nnetworks = ['mtn']\n",
    );
    let settings = load_from(&overrides, environment(&[])).unwrap();
    assert_eq!(settings.carriers[0].name, "main");
    assert_eq!(settings.carriers[0].options["port"].as_integer(), Some(2775));
    assert_eq!(settings.routes[0].networks, ["mtn"]);
    assert_eq!(settings.routes[0].names(), ["main"]);
    let plans = settings.carrier_plans().unwrap();
    assert!(matches!(&plans[0].line, Line::Smpp(config) if config.system_id == "drum"));
    for wrong in ["kind = 'pigeon'", "kind = 'smpp'\nsystem_id = 'drum'\nwindov = 5", "kind = 'smpp'"] {
        let (_dir, overrides) = file(&format!("[[carriers]]\nname = 'main'\n{wrong}\n"));
        let refused = format!("{:#}", load_from(&overrides, environment(&[])).unwrap_err());
        assert!(refused.to_lowercase().contains("carrier"), "{refused}");
    }
}

/// Every sentence about a configuration, the file's name left out of it.
fn sentences(overrides: &Overrides, variables: &[(&str, &str)]) -> Vec<String> {
    let refused = load_from(overrides, environment(variables)).unwrap_err();
    let file = overrides.file.as_ref().map(|file| file.display().to_string()).unwrap_or_default();
    refused.sentences().iter().map(|it| it.replace(&file, "FILE")).collect()
}

#[test]
fn everything_that_is_wrong_is_told_with_its_line_its_variable_or_its_flag() {
    let (_dir, mut overrides) = file(
        "[server]\nlisen = '127.0.0.1:1'\npublic_url = 'ftp://x'\n\
         [session]\ndays = 0\ninactive_minutes = 'long'\n\
         [payment]\nnaira_min = 'much'\nespees_url = 'ftp://x'\n\
         [sever]\na = 1\n\
         [voice]\nengines = 65\ntext_chars = 20000\npulse = 'x'\n\
         [mail]\nfrom = 'a@example.com'\n\
         [dispatch]\nlease_s = 2\n",
    );
    overrides.listen = Some("nowhere".into());
    let variables = [("TALKDRUM__LIMITS__BODY_KB", "1"), ("TALKDRUM__LIMITS__CONTACTS", "many")];
    let told = sentences(&overrides, &variables);
    for expected in [
        "FILE:2: server.lisen: there is no such key; did you mean listen?",
        "--listen: server.listen: invalid socket address syntax",
        "FILE:3: server.public_url 'ftp://x' is no address such as https://sms.example.com",
        "FILE:5: session.days: invalid value: integer `0`, expected a nonzero u32",
        "FILE:6: session.inactive_minutes: invalid type: string \"long\", expected an integer",
        "FILE:8: payment.naira_min 'much' is no amount",
        "FILE:9: payment.espees_url 'ftp://x' is no address of the web",
        "FILE:10: sever: there is no such key; did you mean server?",
        "FILE:13: voice.engines is more than 64",
        "FILE:14: voice.text_chars is more than 10000",
        "FILE:15: voice.pulse: ",
        "FILE:16: mail.host is not set",
        "FILE:19: dispatch.lease_s is less than 3 seconds",
        "TALKDRUM__LIMITS__BODY_KB: limits.body_kb: there is no such key; did you mean body_kib?",
        "TALKDRUM__LIMITS__CONTACTS: limits.contacts: invalid type: string \"many\", expected an integer",
    ] {
        assert!(told.iter().any(|it| it.starts_with(expected)), "{expected}\n{told:#?}");
    }
    assert_eq!(told.len(), 15, "{told:#?}");
}

#[test]
fn every_carrier_and_route_is_read_whatever_is_wrong_with_the_one_before() {
    let (_dir, overrides) = file(
        "[[carriers]]\nname = 'a'\nkind = 'smpp'\nhost = 'x'\nsystem_id = 'd'\nwindov = 5\nport = 'x'\nbinds = 65\n\
         [[carriers]]\nkind = 'smpp'\n\
         [[carriers]]\nname = 'b'\nkind = 'kannel'\nurl = 'http://x'\nusername = 'u'\npassword = 'p'\ntimeout_ms = 'x'\n\
         usernam = 'x'\n\
         [[carriers]]\nname = 'c'\nkind = 'pigeon'\n\
         [[routes]]\ncarrier = 'a'\nnetwork = ['mtn']\n\
         [[routes]]\ncarrier = 'd'\n\
         [[routes]]\nnetworks = ['mtn']\n",
    );
    let told = sentences(&overrides, &[]);
    for expected in [
        ("FILE:6: ", "unknown field `windov`"),
        ("FILE:7: ", "`port`"),
        ("FILE:8: ", "`binds` must be 1 to 64"),
        ("FILE:9: ", "[[carriers]] 2: `name` is missing"),
        ("FILE:17: ", "for `timeout_ms`"),
        ("FILE:18: ", "unknown field `usernam`"),
        ("FILE:19: ", "the kind 'pigeon' is not known"),
        ("FILE:24: ", "routes.0.network: there is no such key; did you mean networks?"),
        ("FILE:26: ", "there is no carrier called 'd'"),
        ("FILE:27: ", "[[routes]] 3: `carrier` is missing"),
    ] {
        let is_told = told.iter().any(|it| it.starts_with(expected.0) && it.contains(expected.1));
        assert!(is_told, "{expected:?}\n{told:#?}");
    }
    assert_eq!(told.len(), 10, "{told:#?}");
}

#[test]
fn a_file_that_is_no_toml_is_told_by_its_line_and_shows_nothing_of_it() {
    let (_dir, overrides) = file("[server]\n\npassword = hunter2\n");
    let told = sentences(&overrides, &[("TALKDRUM__LIMITS__CONTACTS", "many")]);
    assert!(told[0].starts_with("FILE: line 3 is no TOML"), "{told:?}");
    assert!(!told[0].contains("hunter2") && told.len() == 2, "{told:?}");
    let missing = Overrides { file: Some("/nonexistent/talkdrum.toml".into()), ..Overrides::default() };
    let told = sentences(&missing, &[]);
    assert!(told[0].starts_with("FILE: the configuration file cannot be read: No such file"), "{told:?}");
}

#[test]
fn a_secret_that_is_no_text_is_refused_without_being_shown() {
    let carrier =
        "[[carriers]]\nname = 'a'\nkind = 'smpp'\nhost = 'x'\nsystem_id = 'd'\npassword = 55667788\n";
    let (_dir, overrides) = file(carrier);
    let told = load_from(&overrides, environment(&[])).unwrap_err().to_string();
    assert!(told.contains(":6: carrier 'a': `password` must be text: put it in quotes"), "{told}");
    assert!(!told.contains("55667788"), "{told}");
}

#[test]
fn what_carriers_and_routes_need_once_they_are_used_is_found_for_each_of_them() {
    let smpp = |name: &str, rest: &str| {
        format!("[[carriers]]\nname = '{name}'\nkind = 'smpp'\nhost = 'x'\nsystem_id = 'd'\n{rest}\n")
    };
    let (_dir, overrides) = file(&format!(
        "{}{}{}[[routes]]\ncarrier = 'a'\nkinds = ['fax']\n[[routes]]\ncarrier = 'b'\nnetworks = ['moon']\n",
        smpp("a", "password_file = '/nonexistent/a'"),
        smpp("b", "password_file = '/nonexistent/b'"),
        smpp("c", "password = 'change-me-1'"),
    ));
    let settings = load_from(&overrides, environment(&[])).unwrap();
    let mut faults = Faults::default();
    settings.check_to_use_carriers(&mut faults);
    settings.check_carrier_files(&mut faults);
    let refused = settings.refuse(faults).unwrap_err();
    let told = refused.sentences();
    let file = overrides.file.as_ref().unwrap().display();
    for (line, says) in [
        (6, "password_file /nonexistent/a: No such file"),
        (12, "password_file /nonexistent/b: No such file"),
        (13, "`password` is that of the example"),
        (19, "names the kind 'fax'"),
        (22, "moon"),
    ] {
        let is_told = told.iter().any(|it| it.starts_with(&format!("{file}:{line}: ")) && it.contains(says));
        assert!(is_told, "{line} {says}\n{told:#?}");
    }
    assert_eq!(told.len(), 5, "{told:#?}");
}

#[test]
fn which_carriers_bring_receipts_is_known_from_their_settings() {
    let smpp = "[[carriers]]\nname = 'main'\nkind = 'smpp'\nhost = '127.0.0.1'\nsystem_id = 'x'\npassword = 'secret-1'\n";
    let http = "[[carriers]]\nname = 'main'\nkind = 'kannel'\nurl = 'https://k.example.com/send'\nusername = 'x'\n\
                password = 'secret-1'\n";
    let infobip =
        "[[carriers]]\nname = 'main'\nkind = 'infobip'\nurl = 'https://i.example.com'\napi_key = 'key-1'\n";
    let termii =
        "[[carriers]]\nname = 'main'\nkind = 'termii'\nurl = 'https://t.example.com'\napi_key = 'key-1'\n";
    for (carrier, more, brings) in [
        (smpp, "", true),
        (smpp, "bind = 'transceiver'\n", true),
        (smpp, "bind = 'transmitter'\n", false),
        (smpp, "registered_delivery = 0\n", false),
        (smpp, "registered_delivery = 1\n", true),
        (smpp, "registered_delivery = 2\n", false),
        (smpp, "registered_delivery = 17\n", true),
        (http, "", false),
        (http, "hook_secret = '0123456789abcdef'\n", true),
        (infobip, "", false),
        (infobip, "poll_s = 30\n", true),
        (infobip, "inbox_poll_s = 30\n", false),
        (termii, "", false),
        (termii, "signature_secret = 'signs-callbacks-1'\n", true),
    ] {
        let (_dir, overrides) = file(&format!("{carrier}{more}"));
        let plans = load_from(&overrides, environment(&[])).unwrap().carrier_plans().unwrap();
        assert_eq!(!plans[0].route_carrier().no_receipts, brings, "{carrier}{more}");
    }
}

#[test]
fn a_route_names_one_carrier_or_several_that_take_over_from_each_other() {
    let carrier = |name: &str| {
        format!(
            "[[carriers]]\nname = '{name}'\nkind = 'smpp'\nhost = '127.0.0.1'\nport = 2775\nsystem_id = 'drum'\n\
             password = 'x'\n"
        )
    };
    let carriers = format!("{}{}", carrier("main"), carrier("spare"));
    let (_dir, overrides) =
        file(&format!("{carriers}[[routes]]\ncarriers = ['main', 'spare']\nnetworks = ['mtn']\n"));
    let settings = load_from(&overrides, environment(&[])).unwrap();
    let config = settings.routes[0].config().unwrap();
    assert_eq!((config.carrier.as_str(), config.spares), ("main", vec!["spare".to_owned()]));
    for (route, says) in [
        ("carrier = 'main'\ncarriers = ['main', 'spare']", "give `carrier` or `carriers`, not both"),
        ("carriers = ['main', 'spere']", "route 1: there is no carrier called 'spere'"),
        ("carriers = []", "[[routes]] 1: `carrier` is missing"),
    ] {
        let (_dir, overrides) = file(&format!("{carriers}[[routes]]\n{route}\n"));
        let told = sentences(&overrides, &[]);
        assert!(told.len() == 1 && told[0].contains(says), "{told:?}");
    }
    let (_dir, overrides) = file(&format!("{carriers}[[routes]]\ncarriers = ['main', 'main']\n"));
    let mut found = Faults::default();
    load_from(&overrides, environment(&[])).unwrap().check_to_use_carriers(&mut found);
    assert!(found.is_at_fault("routes.0"));
}
