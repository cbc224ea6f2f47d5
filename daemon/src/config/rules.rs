//! What the types of the settings do not say: ranges, addresses, names that must be unique or exist, and files that must be
//! there.

use talkdrum_core::notice::check_mail;
use talkdrum_core::routing::Router;

use super::carrier::{CarrierPlan, CarrierSection, Line, check_failover};
use super::faults::Faults;
use super::read::UNREADABLE;
use super::{RouteSection, Settings};

impl Settings {
    /// Checks what can be told without serving. `known` are the faults of keys that were left out, which explain others.
    pub(super) fn check_rules(&self, known: &Faults, found: &mut Faults) {
        found.check_section("server", self.check_public_url());
        found.check_section("dispatch", self.check_lease());
        found.check_section("retention", self.retention.days());
        found.check_section("limits", self.limits.campaign_limits());
        found.check_section("payment", self.payment.config("http://127.0.0.1", None));
        let mail = self.mail.config().and_then(|mail| Ok(mail.map(|mail| check_mail(&mail)).transpose()?));
        // What one key of it lacks depends on the others: only its first fault is told.
        if !known.is_at_fault("mail") {
            found.check_section("mail", mail);
        }
        found.check_section("notices", self.notices.check());
        found.check_section("kingschat", self.kingschat.client());
        found.check_section("voice", self.voice.engine());
        found.check_section("voice", self.voice.recording_limits());
        found.check_section("voice", self.voice.prefixes());
        found.check_section("voice", self.voice.call_terms());
        found.check("quiet_hours", self.hours());
        self.check_carrier_sections(known, found);
        self.check_route_names(found);
    }

    fn check_public_url(&self) -> anyhow::Result<()> {
        let Some(url) = &self.server.public_url else { return Ok(()) };
        let is_http = reqwest::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        anyhow::ensure!(is_http, "server.public_url '{url}' is no address such as https://sms.example.com");
        Ok(())
    }

    fn check_lease(&self) -> anyhow::Result<()> {
        anyhow::ensure!(self.dispatch.lease_s.get() >= 3, "dispatch.lease_s is less than 3 seconds");
        Ok(())
    }

    fn check_carrier_sections(&self, known: &Faults, found: &mut Faults) {
        let mut plans = Vec::new();
        let readable = |it: &&CarrierSection| it.name != UNREADABLE && it.kind != UNREADABLE;
        for (index, carrier) in self.carriers.iter().enumerate().filter(|(_, it)| readable(it)) {
            let path = format!("carriers.{index}");
            let named = format!("{path}.name");
            if carrier.name.trim().is_empty() {
                found.add(&named, &format!("carrier {}: 'name' is empty", index + 1), false);
            }
            if self.carriers[..index].iter().any(|other| other.name == carrier.name) {
                let sentence = format!("there are two carriers called '{}': names must differ", carrier.name);
                found.add(&named, &sentence, false);
            }
            match carrier.plan() {
                Ok(plan) => plans.push((index, plan)),
                Err(error) => note_plan(carrier, &path, &format!("{error:#}"), known, found),
            }
        }
        for (index, plan) in &plans {
            if let Line::HttpVoice(config) = &plan.line {
                let public_url = self.server.public_url.as_deref();
                found.check(&format!("carriers.{index}"), config.check_reach(public_url));
            }
        }
        // What a carrier cannot be for another is known only where both can be read.
        if plans.len() < self.carriers.len() {
            return;
        }
        let plans: Vec<CarrierPlan> = plans.into_iter().map(|(_, plan)| plan).collect();
        for (index, plan) in plans.iter().enumerate() {
            found.check(&format!("carriers.{index}.failover"), check_failover(plan, &plans));
        }
    }

    fn has_carrier(&self, name: &str) -> bool {
        self.carriers.iter().any(|carrier| carrier.name == name)
    }

    fn check_route_names(&self, found: &mut Faults) {
        for (index, route) in self.routes.iter().enumerate().filter(|(_, it)| it.carrier != UNREADABLE) {
            let mut note = |key: &str, says: &str| {
                found.add(&format!("routes.{index}{key}"), &format!("route {}: {says}", index + 1), false);
            };
            match (route.carrier.is_empty(), route.carriers.is_empty()) {
                (true, true) => {
                    let sentence = format!("[[routes]] {}: `carrier` is missing", index + 1);
                    found.add(&format!("routes.{index}"), &sentence, false);
                    continue;
                }
                (false, false) => note(".carriers", "give `carrier` or `carriers`, not both"),
                _ => {}
            }
            let key = if route.carriers.is_empty() { ".carrier" } else { ".carriers" };
            for name in route.names().iter().filter(|name| !self.has_carrier(name)) {
                note(key, &format!("there is no carrier called '{name}'"));
            }
        }
    }

    /// Checks that the files are there that carriers name. A daemon starts without them, and those carriers stay down.
    pub fn check_carrier_files(&self, found: &mut Faults) {
        for (index, carrier) in self.carriers.iter().enumerate() {
            let Ok(plan) = carrier.plan() else { continue };
            if let Err(error) = plan.check_files() {
                let sentence = format!("{error:#}");
                found.add(&at_key(&format!("carriers.{index}"), carrier, &sentence), &sentence, false);
            }
        }
    }

    /// The carriers of these settings and the routes to them.
    ///
    /// # Errors
    /// A carrier that cannot be read; a route that names a network, prefix or kind that does not exist.
    pub fn router(&self) -> anyhow::Result<Router> {
        let carriers = self.carriers.iter().map(|carrier| Ok(carrier.plan()?.route_carrier()));
        let routes = self.routes.iter().map(RouteSection::config).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Router::new(carriers.collect::<anyhow::Result<_>>()?, &routes, &self.dispatch.networks()?)?)
    }

    /// Checks what carriers and routes need once they are used: secrets of their own, and networks, prefixes and kinds that
    /// exist.
    pub fn check_to_use_carriers(&self, found: &mut Faults) {
        let mut carriers = Vec::new();
        for (index, carrier) in self.carriers.iter().enumerate() {
            let path = format!("carriers.{index}");
            found.check(&path, carrier.check_secrets());
            let Ok(plan) = carrier.plan() else { continue };
            carriers.push(plan.route_carrier());
        }
        let networks = found.check("dispatch.networks_file", self.dispatch.networks());
        // A route to a carrier that cannot be read is no fault of the route.
        let (Some(networks), true) = (networks, carriers.len() == self.carriers.len()) else { return };
        let routable = |route: &&RouteSection| route.names().iter().all(|name| self.has_carrier(name));
        for (index, route) in self.routes.iter().enumerate().filter(|(_, route)| routable(route)) {
            let checked = route.config().and_then(|route| {
                Ok(Router::new(carriers.clone(), std::slice::from_ref(&route), &networks).map(drop)?)
            });
            let path = format!("routes.{index}");
            if let Err(error) = checked {
                found.add(&path, &format!("route {}: {error:#}", index + 1), false);
            }
        }
        let routes: anyhow::Result<Vec<_>> =
            self.routes.iter().filter(routable).map(RouteSection::config).collect();
        // Each may be right, and all of them too many.
        if let Ok(routes) = routes
            && !found.is_at_fault("routes")
        {
            found.check("routes", Router::new(carriers, &routes, &networks));
        }
    }
}

/// Notes why a carrier cannot be used. What its parser refuses is one key, and can be left out to find the next.
fn note_plan(carrier: &CarrierSection, path: &str, sentence: &str, known: &Faults, found: &mut Faults) {
    let is_parsers = ["unknown field", "unknown variant", "invalid type", "invalid value"]
        .iter()
        .any(|words| sentence.contains(words));
    if is_parsers {
        let quoted = |key: &&String| sentence.contains(&format!("unknown field `{key}`"));
        let without = |key: &&String| {
            let mut rest = carrier.clone();
            rest.options.remove(key.as_str());
            rest.plan().map_or_else(|error| format!("{error:#}") != sentence, |_| true)
        };
        let keys = || carrier.options.keys();
        if let Some(key) = keys().find(quoted).or_else(|| keys().find(without)) {
            found.add(&format!("{path}.{key}"), &with_key(key, sentence), true);
            return;
        }
    }
    // That a key is missing which was left out is no news.
    if known.left_out(path).any(|key| sentence.contains(&format!("`{key}`"))) {
        return;
    }
    found.add(&at_key(path, carrier, sentence), sentence, false);
}

/// A sentence of a parser that does not say which key it is about, with the key.
fn with_key(key: &str, sentence: &str) -> String {
    let is_said = sentence.contains(&format!("`{key}`"));
    if is_said { sentence.to_owned() } else { format!("{sentence}, for `{key}`") }
}

/// The key of a carrier that a sentence names first; the carrier where it names none that is set.
fn at_key(path: &str, carrier: &CarrierSection, sentence: &str) -> String {
    let words = sentence.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_');
    let key = words.into_iter().find(|word| word.contains('_') && carrier.options.contains_key(*word));
    let quoted = || sentence.split('`').skip(1).step_by(2).find(|key| carrier.options.contains_key(*key));
    key.or_else(quoted).map_or_else(|| path.to_owned(), |key| format!("{path}.{key}"))
}
