//! What the SMSC does wrong, and how to ask for it on a command line.
//!
//! The default is a faultless SMSC.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

/// A probability, in parts per million.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chance(u32);

impl Chance {
    /// Never.
    pub const NEVER: Self = Self(0);
    /// Always.
    pub const ALWAYS: Self = Self(1_000_000);

    /// So many in a million; more is always.
    pub const fn per_million(parts: u32) -> Self {
        Self(if parts > 1_000_000 { 1_000_000 } else { parts })
    }

    /// Parts per million.
    pub const fn parts(self) -> u32 {
        self.0
    }
}

impl FromStr for Chance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("`{text}` is no probability: write 0 to 1, like 0.01");
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if fraction.len() > 6 || !fraction.bytes().all(|octet| octet.is_ascii_digit()) {
            return Err(wrong());
        }
        let whole: u32 = whole.parse().map_err(|_| wrong())?;
        let fraction: u32 = format!("{fraction:0<6}").parse().map_err(|_| wrong())?;
        match whole.checked_mul(1_000_000).and_then(|whole| whole.checked_add(fraction)) {
            Some(parts) if parts <= 1_000_000 => Ok(Self(parts)),
            _ => Err(wrong()),
        }
    }
}

/// How message ids are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum IdBase {
    /// In decimal.
    #[default]
    Decimal,
    /// In hexadecimal, upper case.
    Hex,
}

/// How receipts say what they say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ReceiptForm {
    /// By text and by TLVs.
    #[default]
    Both,
    /// By text only.
    Text,
    /// By TLVs only.
    Tlv,
}

/// What the SMSC does wrong. All of it follows from the seed and the order of messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Faults {
    /// Milliseconds before a submit_sm is answered
    #[arg(long, default_value_t = 0)]
    pub answer_delay_ms: u32,
    /// Up to so many milliseconds more, at random
    #[arg(long, default_value_t = 0)]
    pub answer_jitter_ms: u32,
    /// Milliseconds before a receipt is sent
    #[arg(long, default_value_t = 0)]
    pub receipt_delay_ms: u32,
    /// Up to so many milliseconds more, at random
    #[arg(long, default_value_t = 0)]
    pub receipt_jitter_ms: u32,
    /// Milliseconds after the first message before any receipt is sent, as after an outage
    #[arg(long, default_value_t = 0)]
    pub receipt_outage_ms: u32,
    /// Probability that a message is accepted but never answered
    #[arg(long, default_value = "0")]
    pub lose_answers: Chance,
    /// Probability that a message is neither taken nor answered
    #[arg(long, default_value = "0")]
    pub drop_submits: Chance,
    /// Probability that a receipt is never sent
    #[arg(long, default_value = "0")]
    pub lose_receipts: Chance,
    /// Probability that a receipt is sent twice
    #[arg(long, default_value = "0")]
    pub duplicate_receipts: Chance,
    /// Probability that a receipt is sent before the answer to its message
    #[arg(long, default_value = "0")]
    pub early_receipts: Chance,
    /// Probability that a receipt is overtaken by later ones
    #[arg(long, default_value = "0")]
    pub reorder_receipts: Chance,
    /// Submissions a second beyond which they are throttled; 0 is no limit
    #[arg(long, default_value_t = 0)]
    pub rate_max: u32,
    /// Hang up after every so many submissions; 0 is never
    #[arg(long, default_value_t = 0)]
    pub disconnect_every: u64,
    /// Probability, at each submission, of hanging up
    #[arg(long, default_value = "0")]
    pub disconnect: Chance,
    /// Refuse binds with this command_status; 0 is to accept them
    #[arg(long, default_value_t = 0)]
    pub refuse_binds: u32,
    /// How ids are written in answers
    #[arg(long, value_enum, default_value_t = IdBase::Decimal)]
    pub answer_ids: IdBase,
    /// How ids are written in receipts
    #[arg(long, value_enum, default_value_t = IdBase::Decimal)]
    pub receipt_ids: IdBase,
    /// Digits to which ids are filled with leading zeros
    #[arg(long, default_value_t = 0)]
    pub id_width: u8,
    /// How receipts say what they say
    #[arg(long, value_enum, default_value_t = ReceiptForm::Both)]
    pub receipt_form: ReceiptForm,
}

/// The command line of the SMSC.
#[derive(Clone, Debug, clap::Args)]
pub struct SmscArgs {
    /// Address to listen on
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub host: IpAddr,
    /// TCP port to listen on; 0 picks a free one
    #[arg(long, default_value_t = 2775)]
    pub port: u16,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The only system_id that may bind; without it anyone may
    #[arg(long)]
    pub system_id: Option<String>,
    /// The password it must give
    #[arg(long, requires = "system_id")]
    pub password: Option<String>,
    /// Receipts outstanding on one bind
    #[arg(long, default_value_t = 1_000)]
    pub receipt_window: u32,
    /// Remember every submission, to count duplicates (costs memory)
    #[arg(long)]
    pub audit: bool,
    /// What it does wrong
    #[command(flatten)]
    pub faults: Faults,
}

/// How the SMSC is set up.
#[derive(Clone, Debug)]
pub struct SmscOptions {
    /// Where it listens; port 0 picks a free one.
    pub listen: SocketAddr,
    /// Seed of everything random.
    pub seed: u64,
    /// The only `(system_id, password)` that may bind.
    pub credentials: Option<(String, String)>,
    /// Receipts outstanding on one bind, at least 1.
    pub receipt_window: u32,
    /// Whether every submission is remembered.
    pub audit: bool,
    /// The first message id.
    pub first_id: u64,
    /// What it does wrong.
    pub faults: Faults,
}

impl Default for SmscOptions {
    /// A faultless SMSC on a free port of loopback.
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            seed: 1,
            credentials: None,
            receipt_window: 1_000,
            audit: false,
            first_id: 1,
            faults: Faults::default(),
        }
    }
}

impl From<SmscArgs> for SmscOptions {
    fn from(args: SmscArgs) -> Self {
        Self {
            listen: SocketAddr::from((args.host, args.port)),
            seed: args.seed,
            credentials: args.system_id.map(|system_id| (system_id, args.password.unwrap_or_default())),
            receipt_window: args.receipt_window.max(1),
            audit: args.audit,
            first_id: 1,
            faults: args.faults,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        smsc: SmscArgs,
    }

    #[test]
    fn a_bare_command_line_is_a_faultless_smsc() {
        let options = SmscOptions::from(Line::parse_from(["sandbox"]).smsc);
        assert_eq!(options.listen.to_string(), "127.0.0.1:2775");
        assert_eq!(options.faults, Faults::default());
    }

    #[test]
    fn faults_are_asked_for_by_name() {
        let line =
            ["sandbox", "--port", "0", "--seed", "9", "--answer-delay-ms", "20", "--lose-answers", "0.01"];
        let args =
            Line::parse_from(line.into_iter().chain(["--answer-ids", "hex", "--receipt-form", "text"])).smsc;
        assert_eq!((args.seed, args.faults.answer_delay_ms), (9, 20));
        assert_eq!(args.faults.lose_answers, Chance::per_million(10_000));
        assert_eq!((args.faults.answer_ids, args.faults.receipt_form), (IdBase::Hex, ReceiptForm::Text));
    }

    #[test]
    fn a_probability_is_between_0_and_1() {
        for (text, parts) in
            [("0", 0), ("1", 1_000_000), ("0.5", 500_000), ("1.0", 1_000_000), ("0.000001", 1)]
        {
            assert_eq!(text.parse(), Ok(Chance(parts)), "{text}");
        }
        for text in ["1.1", "2", "-0.1", "", "x", "0.0000001", "4294967296", "0.5.5"] {
            assert!(text.parse::<Chance>().is_err(), "{text}");
        }
    }
}
