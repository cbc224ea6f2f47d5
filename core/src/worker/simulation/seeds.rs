//! Which seeds are played: some that are always the same, those that failed once, and some that the day chooses, so that
//! each run looks further.

/// Seeds that are always played.
pub(super) const FIXED: usize = 6;
/// Seeds that failed once and are none of those.
const REGRESSIONS: [u64; 12] = [10, 13, 19, 29, 61, 77, 113, 136, 148, 452, 815, 2_078_601];
/// Seeds that the day chooses.
const OF_THE_DAY: u64 = 3;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// The seeds; with `TALKDRUM_SIMULATIONS` so many from `TALKDRUM_SIMULATIONS_FROM` (1) on, with `TALKDRUM_SEED` that one
/// alone. The day is that of `TALKDRUM_DAY`, counted from 1970, or today.
pub(super) fn all() -> Vec<u64> {
    with(&REGRESSIONS)
}

/// The same without those that failed once: for worlds in which they did not.
pub(super) fn some() -> Vec<u64> {
    with(&[])
}

fn with(regressions: &[u64]) -> Vec<u64> {
    if let Some(seed) = number("TALKDRUM_SEED") {
        return vec![seed];
    }
    if let Some(count) = number("TALKDRUM_SIMULATIONS") {
        let from = number("TALKDRUM_SIMULATIONS_FROM").unwrap_or(1);
        return (from..from + count).collect();
    }
    let day = number("TALKDRUM_DAY").unwrap_or_else(|| {
        let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        since.as_secs() / (24 * 3_600)
    });
    print(&format!("day {day}"));
    let of_the_day = (0..OF_THE_DAY).map(|place| day * 100 + place);
    (1..=FIXED as u64).chain(regressions.iter().copied()).chain(of_the_day).collect()
}

/// Names the seed that is played: the last one named is the one that fails.
pub(super) fn say(seed: u64) {
    print(&format!("seed {seed}"));
}

fn print(line: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes());
}
