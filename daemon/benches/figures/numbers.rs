//! Recipients as customers have them: Nigerian numbers in every way of writing, in no order, some twice, a few wrong.

/// What every message says: one page.
pub(crate) const TEXT: &str =
    "Good day. Your order is ready; our store is open until 6 pm. Reply STOP to opt out.";

/// The sender that every account may use.
pub(crate) const SENDER: &str = "WEBSMS";

const PREFIXES: [u64; 10] = [803, 703, 806, 805, 705, 802, 808, 809, 817, 909];

/// A sequence that looks random and is the same every time (Marsaglia's xorshift).
#[derive(Clone, Debug)]
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// A file of `count` different numbers in mixed forms; one line in 200 is a repetition on top, one in 500 is no number.
pub(crate) fn file(count: usize, seed: u64) -> Vec<u8> {
    use std::io::Write as _;
    let mut sequence = Sequence(seed | 1);
    let mut text = Vec::with_capacity(count * 16 + 16);
    text.extend_from_slice(b"phone\n");
    let (mut last, offset) = (0, sequence.next());
    for index in 0..count as u64 {
        let number = national(index, offset);
        // Writing to a Vec cannot fail.
        let _ = match sequence.next() % 5 {
            0 => writeln!(text, "0{number}"),
            1 => writeln!(text, "+234{number}"),
            2 => writeln!(text, "234{number}"),
            3 => writeln!(
                text,
                "0{} {} {}",
                number / 10_000_000,
                format_args!("{:03}", number / 10_000 % 1_000),
                Last4(number)
            ),
            _ => writeln!(text, "+234-{}-{:07}", number / 10_000_000, number % 10_000_000),
        };
        if index % 200 == 199 {
            let _ = writeln!(text, "+234{last}");
        }
        if index % 500 == 499 {
            text.extend_from_slice(b"not a number\n");
        }
        last = number;
    }
    text
}

/// A file of `count` contacts with name and e-mail; one row in 200 comes again, one in 500 is no number, one in 1,000
/// has a broken address.
pub(crate) fn contacts(count: usize, seed: u64) -> Vec<u8> {
    use std::io::Write as _;
    const FIRST: [&str; 8] = ["Ada", "Musa", "Efe", "Ngozi", "Bola", "Ibrahim", "Chinedu", "Amina"];
    const LAST: [&str; 8] = ["Obi", "Bello", "Okonkwo", "Adeyemi", "Eze", "Danjuma", "Balogun", "Nwosu"];
    let mut sequence = Sequence(seed | 1);
    let mut text = Vec::with_capacity(count * 64 + 32);
    text.extend_from_slice(b"name,phone,email\n");
    let offset = sequence.next();
    for index in 0..count as u64 {
        let number = national(index, offset);
        let pick = sequence.next();
        let (first, last) = (FIRST[(pick % 8) as usize], LAST[(pick / 8 % 8) as usize]);
        let at = if index % 1_000 == 999 { " at " } else { "@" };
        // Writing to a Vec cannot fail.
        let _ = writeln!(text, "\"{last}, {first}\",0{number},{first}.{last}{index}{at}example.com");
        if index % 200 == 199 {
            let _ = writeln!(text, "{first},+234{number},");
        }
        if index % 500 == 499 {
            text.extend_from_slice(b"Nobody,not a number,\n");
        }
    }
    text
}

/// The `index`th number: a walk through a prefix's numbers by a step that has no factor in common with their count.
/// Those whose last four digits are 9000 or more are left out: to the sandbox some of them mean a failure.
fn national(index: u64, offset: u64) -> u64 {
    let prefix = PREFIXES[(index % PREFIXES.len() as u64) as usize];
    let place = (index / PREFIXES.len() as u64 * 7_368_787 + offset % 9_000_000) % 9_000_000;
    prefix * 10_000_000 + place / 9_000 * 10_000 + place % 9_000
}

/// The number of a recipient of [`file`], for a search.
pub(crate) fn one(index: u64, seed: u64) -> String {
    let offset = Sequence(seed | 1).next();
    format!("0{}", national(index, offset))
}

struct Last4(u64);

impl std::fmt::Display for Last4 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}", self.0 % 10_000)
    }
}
