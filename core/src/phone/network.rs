//! Which network a number was issued to: an editable, dated table of prefixes. A hint, because numbers are ported.
//!
//! The one invariant: the longest prefix wins, and every number has an answer (`other` within Nigeria, `abroad`
//! beyond it, where no row covers it).

use std::sync::LazyLock;

use serde::Deserialize;

use super::Msisdn;
use crate::error::{Error, Result};

/// The table shipped with the platform, dated in each row.
const BUILTIN: &str = include_str!("networks.csv");

/// Four digits after +234: every prefix of that length or less is answered by one look-up.
const DENSE: usize = 10_000;
/// Set in a dense entry under which longer prefixes hide.
const LONGER: u8 = 0x80;
/// Names are counted in seven bits.
const NAMES_MAX: usize = 128;

/// A network of a [`NetworkTable`]: an index from 0 below [`NetworkTable::len`]. Only [`NetworkId::OTHER`] and
/// [`NetworkId::ABROAD`] mean the same in every table; store names, not ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetworkId(pub u8);

impl NetworkId {
    /// A Nigerian number no row covers, or one of the small operators.
    pub const OTHER: Self = Self(0);
    /// A number outside Nigeria no row covers.
    pub const ABROAD: Self = Self(1);
}

/// Prefixes and the networks they belong to.
#[derive(Clone, Debug)]
pub struct NetworkTable {
    names: Vec<String>,
    /// By the first four digits of the national number.
    dense: Vec<u8>,
    /// Longer Nigerian prefixes and all foreign ones, longest first.
    sparse: Vec<Prefix>,
    has_foreign: bool,
    as_of: String,
}

#[derive(Clone, Copy, Debug)]
struct Prefix {
    digits: u64,
    length: u32,
    network: u8,
}

#[derive(Debug, Deserialize)]
struct Row {
    prefix: String,
    network: String,
    as_of: jiff::civil::Date,
}

impl NetworkTable {
    /// The table of Nigerian prefixes shipped with the platform.
    pub fn builtin() -> &'static Self {
        static TABLE: LazyLock<NetworkTable> =
            LazyLock::new(|| NetworkTable::from_csv(BUILTIN).unwrap_or_else(|_| NetworkTable::empty()));
        &TABLE
    }

    /// Reads a table from CSV with the columns `prefix` (E.164 digits), `network` (its name) and `as_of`
    /// (`YYYY-MM-DD`); other columns and lines that begin with `#` are comments.
    ///
    /// # Errors
    /// A rule error that names the line when a prefix is no digits or given twice, a name is missing, a date is
    /// none, or there are more than 126 networks.
    pub fn from_csv(text: &str) -> Result<Self> {
        let mut table = Self::empty();
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .flexible(true)
            .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let mut prefixes = Vec::new();
        let mut newest = None;
        for row in reader.deserialize::<Row>() {
            let row = row.map_err(|error| invalid(&error.to_string()))?;
            newest = newest.max(Some(row.as_of));
            prefixes.push(table.prefix(&row)?);
        }
        table.as_of = newest.map_or_else(String::new, |date| date.to_string());
        table.fill(prefixes)?;
        Ok(table)
    }

    fn empty() -> Self {
        Self {
            names: vec!["other".into(), "abroad".into()],
            dense: vec![NetworkId::OTHER.0; DENSE],
            sparse: Vec::new(),
            has_foreign: false,
            as_of: String::new(),
        }
    }

    /// Checks one row and gives its network an id.
    fn prefix(&mut self, row: &Row) -> Result<Prefix> {
        let given = row.prefix.trim_start_matches('+');
        let plain = !given.is_empty() && given.len() <= 15 && given.bytes().all(|byte| byte.is_ascii_digit());
        let digits = given.parse().ok().filter(|_| plain && !given.starts_with('0')).ok_or_else(|| {
            invalid(&format!(
                "'{}' is not a prefix: write digits with the country code, as in 234803",
                row.prefix
            ))
        })?;
        let name = row.network.to_lowercase();
        if name.is_empty() {
            return Err(invalid(&format!("the prefix {given} has no network name")));
        }
        let place = match self.names.iter().position(|known| *known == name) {
            Some(place) => place,
            None => {
                self.names.push(name);
                self.names.len() - 1
            }
        };
        if place >= NAMES_MAX {
            return Err(invalid("more than 126 networks cannot be told apart"));
        }
        Ok(Prefix { digits, length: given.len() as u32, network: place as u8 })
    }

    /// Lays the prefixes out for look-up: short Nigerian ones over the ranges they cover, short before long.
    fn fill(&mut self, mut prefixes: Vec<Prefix>) -> Result<()> {
        prefixes.sort_by_key(|prefix| (prefix.length, prefix.digits));
        for pair in prefixes.windows(2) {
            if pair[0].digits == pair[1].digits {
                return Err(invalid(&format!("the prefix {} is given twice", pair[0].digits)));
            }
        }
        for prefix in prefixes {
            match national_range(prefix) {
                Some((range, false)) => self.dense[range].fill(prefix.network),
                Some((range, true)) => {
                    self.dense[range].iter_mut().for_each(|entry| *entry |= LONGER);
                    self.sparse.insert(0, prefix);
                }
                None => {
                    self.has_foreign = true;
                    self.sparse.insert(0, prefix);
                }
            }
        }
        Ok(())
    }

    /// The network the number was issued to.
    #[inline]
    pub fn lookup(&self, number: Msisdn) -> NetworkId {
        let national = number.digits().wrapping_sub(super::nigeria::COUNTRY);
        if national >= 10_000_000_000 {
            return self.lookup_abroad(number);
        }
        let entry = self.dense[(national / 1_000_000) as usize];
        if entry & LONGER == 0 {
            return NetworkId(entry);
        }
        self.longest(number).unwrap_or(NetworkId(entry & !LONGER))
    }

    fn lookup_abroad(&self, number: Msisdn) -> NetworkId {
        if let Some(first) = number.first_of_block() {
            return self.lookup(first);
        }
        let row = if self.has_foreign { self.longest(number) } else { None };
        row.unwrap_or(NetworkId::ABROAD)
    }

    #[cold]
    fn longest(&self, number: Msisdn) -> Option<NetworkId> {
        let digits = number.digits();
        let length = digits.checked_ilog10().map_or(0, |log| log + 1);
        let begins = |prefix: &&Prefix| {
            prefix.length <= length && digits / 10_u64.pow(length - prefix.length) == prefix.digits
        };
        self.sparse.iter().find(begins).map(|prefix| NetworkId(prefix.network))
    }

    /// The name of a network: `mtn`, `airtel`, `glo`, `9mobile`, `other`, `abroad`, or as the operator's table says.
    pub fn name(&self, network: NetworkId) -> &str {
        self.names.get(usize::from(network.0)).map_or("other", String::as_str)
    }

    /// The network with this name, as routes and prices write it.
    pub fn id(&self, name: &str) -> Option<NetworkId> {
        self.names.iter().position(|known| known == name).map(|place| NetworkId(place as u8))
    }

    /// How many networks there are, `other` and `abroad` among them: ids are below this.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: `other` and `abroad` are always there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// What numbers of its rows begin with, from the calling code on: the rows longer than seven digits and those abroad, and
    /// where the others change at home, six or seven digits.
    pub fn prefixes(&self) -> impl Iterator<Item = String> {
        let at_home = self.dense.chunks(10).zip(0..).flat_map(|(ten, first): (&[u8], usize)| {
            let are_one = ten.iter().all(|entry| ten.first() == Some(entry));
            let whole = are_one.then(|| format!("234{first:03}"));
            let each = (0..if are_one { 0 } else { 10 }).map(move |last| format!("234{first:03}{last}"));
            whole.into_iter().chain(each)
        });
        at_home.chain(self.sparse.iter().map(|prefix| prefix.digits.to_string()))
    }

    /// The newest date among the rows, `YYYY-MM-DD`; empty for a table without rows.
    pub fn as_of(&self) -> &str {
        &self.as_of
    }
}

/// The dense entries a Nigerian prefix touches, and whether it is longer than they can tell. `None` abroad.
fn national_range(prefix: Prefix) -> Option<(std::ops::Range<usize>, bool)> {
    let national = prefix.length.checked_sub(3)?;
    let scale = 10_u64.pow(national);
    if prefix.digits / scale != 234 {
        return None;
    }
    let digits = prefix.digits % scale;
    if national <= 4 {
        let width = 10_u64.pow(4 - national);
        let start = (digits * width) as usize;
        return Some((start..start + width as usize, false));
    }
    let start = (digits / 10_u64.pow(national - 4)) as usize;
    Some((start..start + 1, true))
}

fn invalid(what: &str) -> Error {
    Error::rule("network_table", format!("The table of network prefixes cannot be used: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(table: &NetworkTable, digits: u64) -> &str {
        table.name(table.lookup(Msisdn::from_digits(digits).unwrap()))
    }

    #[test]
    fn the_builtin_table_reads_and_knows_the_four_networks() {
        let table = NetworkTable::from_csv(BUILTIN).unwrap();
        assert_eq!(table.as_of(), "2026-11-01");
        for (digits, network) in [
            (2_348_031_234_567, "mtn"),
            (2_349_161_234_567, "mtn"),
            (2_348_021_234_567, "airtel"),
            (2_347_081_234_567, "airtel"),
            (2_348_051_234_567, "glo"),
            (2_348_181_234_567, "9mobile"),
            (2_348_041_234_567, "other"),
            (2_349_101_234_567, "other"),
            (447_911_123_456, "abroad"),
            (23_480_312, "abroad"),
        ] {
            assert_eq!(name(&table, digits), network, "{digits}");
        }
        assert_eq!(NetworkTable::builtin().len(), table.len());
    }

    #[test]
    fn an_erased_number_keeps_its_network() {
        let foreign =
            NetworkTable::from_csv(&format!("{BUILTIN}\n44,uk,2026-11-01,\n1,usa,2026-11-01,\n")).unwrap();
        for table in [NetworkTable::from_csv(BUILTIN).unwrap(), foreign] {
            let home = (0..10_000).map(|four| 2_340_000_123_456 + four * 1_000_000);
            for digits in home.filter(|it| *it >= 2_341_000_000_000).chain([447_911_123_456, 14_155_550_123])
            {
                let number = Msisdn::from_digits(digits).unwrap();
                assert_eq!(table.lookup(number.erased()), table.lookup(number), "{digits}");
            }
            let before = Msisdn::from_audience(234_803).unwrap();
            assert_eq!(table.name(table.lookup(before)), "mtn");
            assert_eq!(table.name(table.lookup(Msisdn::ERASED)), "abroad");
        }
    }

    #[test]
    fn the_longest_prefix_wins() {
        let table = NetworkTable::builtin();
        assert_eq!(name(table, 2_347_025_123_456), "mtn");
        assert_eq!(name(table, 2_347_024_123_456), "other");
        let deep = "prefix,network,as_of\n2348031,vip,2026-01-01\n234803,mtn,2026-01-01\n23480312,a,2026-01-01\n\
                    2348031234,b,2026-01-01\n234,all,2026-01-01\n44,uk,2026-01-02\n447911,ukm,2026-01-01\n";
        let table = NetworkTable::from_csv(deep).unwrap();
        assert_eq!(name(&table, 2_348_031_234_567), "b");
        assert_eq!(name(&table, 2_348_031_299_999), "a");
        assert_eq!(name(&table, 2_348_031_999_999), "vip");
        assert_eq!(name(&table, 2_348_039_999_999), "mtn");
        assert_eq!(name(&table, 2_349_039_999_999), "all");
        assert_eq!(name(&table, 447_911_123_456), "ukm");
        assert_eq!(name(&table, 442_079_460_000), "uk");
        assert_eq!(name(&table, 33_612_345_678), "abroad");
        assert_eq!(table.as_of(), "2026-01-02");
        assert_eq!(table.id("uk").map(|id| table.name(id)), Some("uk"));
    }

    #[test]
    fn a_table_with_a_mistake_is_refused_with_its_place() {
        for (rows, word) in [
            ("2348O3,mtn,2026-01-01", "2348O3"),
            ("0803,mtn,2026-01-01", "0803"),
            (",mtn,2026-01-01", "not a prefix"),
            ("234803,,2026-01-01", "no network name"),
            ("234803,mtn,yesterday", "line"),
            ("234803,mtn,2026-01-01\n234803,glo,2026-01-01", "twice"),
            ("234803,mtn", "line"),
        ] {
            let error = NetworkTable::from_csv(&format!("prefix,network,as_of\n{rows}\n")).unwrap_err();
            assert_eq!(error.code(), "network_table");
            assert!(error.to_string().contains(word), "{error}");
        }
    }

    #[test]
    fn there_is_room_for_126_networks_and_no_more() {
        let table = |count: u64| {
            let rows = (0..count).map(|n| format!("{},n{n},2026-01-01\n", 2_347_000 + n));
            NetworkTable::from_csv(&format!("prefix,network,as_of\n{}", rows.collect::<String>()))
        };
        assert_eq!(table(126).unwrap().len(), 128);
        assert!(table(127).is_err());
    }
}
