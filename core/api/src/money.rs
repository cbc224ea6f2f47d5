//! Money: an integer count of micro-units (10^-6) with its currency. No floats, checked arithmetic.
//!
//! JSON carries an amount as a number with at most six decimals; [`Amount`] reads and writes that form without
//! ever passing through binary floating point. Paystack's kobo and ESPEES' decimals convert at the edge.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Micro-units in one unit of currency.
pub const MICROS: i64 = 1_000_000;

/// Why a text is no money, or a sum cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// No currency and no payment method has this name.
    #[error("'{0}' is not a payment method: use espees or naira")]
    UnknownCurrency(String),
    /// The text is no decimal, has more than six places, or leaves the range.
    #[error("'{0}' is not an amount: write digits with at most six decimals")]
    NotAnAmount(String),
    /// The result leaves the range of an `i64` of micro-units.
    #[error("The amount is too large to be counted")]
    OutOfRange,
}

impl MoneyError {
    /// The stable code, for problem documents.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownCurrency(_) => "unknown_currency",
            Self::NotAnAmount(_) => "bad_amount",
            Self::OutOfRange => "amount_out_of_range",
        }
    }
}

/// The two currencies a wallet can hold.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Currency {
    /// The digital currency ESPEES.
    Espees,
    /// Nigerian Naira, funded through Paystack.
    Naira,
}

impl Currency {
    /// Both, in the order in which they are shown.
    pub const ALL: [Self; 2] = [Self::Espees, Self::Naira];

    /// The code stored in the database and used by the API: `espees` or `naira`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Espees => "espees",
            Self::Naira => "naira",
        }
    }

    /// The label shown to people: `ESPEES` or `Naira`.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Espees => "ESPEES",
            Self::Naira => "Naira",
        }
    }
}

#[cfg(feature = "sqlx")]
crate::column!(Currency, str, |code| Currency::ALL.into_iter().find(|currency| currency.code() == code));

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Currency {
    type Err = MoneyError;

    /// Reads a currency or a payment method: `espees`, `naira`, or `paystack` (the Naira method), in any case.
    fn from_str(text: &str) -> Result<Self, MoneyError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "espees" | "espee" => Ok(Self::Espees),
            "naira" | "paystack" | "ngn" => Ok(Self::Naira),
            other => Err(MoneyError::UnknownCurrency(other.to_owned())),
        }
    }
}

/// An amount in micro-units of a currency known from the context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(pub i64);

#[cfg(feature = "sqlx")]
crate::column!(Amount, i64, |micros| Some(Amount(micros)));

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The count of micro-units.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// `self + other`, or an error when the sum leaves the range of an `i64` of micro-units.
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        self.0.checked_add(other.0).map(Self).ok_or(MoneyError::OutOfRange)
    }

    /// `self - other`, or an error on overflow. The result may be negative.
    pub fn minus(self, other: Self) -> Result<Self, MoneyError> {
        self.0.checked_sub(other.0).map(Self).ok_or(MoneyError::OutOfRange)
    }

    /// `self * count`, or an error on overflow.
    pub fn times(self, count: u64) -> Result<Self, MoneyError> {
        i64::try_from(count)
            .ok()
            .and_then(|count| self.0.checked_mul(count))
            .map(Self)
            .ok_or(MoneyError::OutOfRange)
    }

    /// The amount with exactly `decimals` places (0 to 6), rounded half away from zero: for people, never for
    /// arithmetic. Balances show two, charges five.
    pub fn to_fixed(self, decimals: u32) -> String {
        let decimals = decimals.min(6);
        let step = 10_i128.pow(6 - decimals);
        let micros = i128::from(self.0);
        let rounded = (micros.abs() + step / 2) / step;
        let scale = 10_i128.pow(decimals);
        let sign = if micros < 0 && rounded != 0 { "-" } else { "" };
        if decimals == 0 {
            return format!("{sign}{rounded}");
        }
        format!("{sign}{}.{:0width$}", rounded / scale, rounded % scale, width = decimals as usize)
    }
}

impl fmt::Display for Amount {
    /// The exact decimal with no trailing zeros: `12.5`, `0.000001`, `-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fixed = self.to_fixed(6);
        f.write_str(fixed.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl FromStr for Amount {
    type Err = MoneyError;

    /// Reads a plain decimal with at most six places. Anything inexact or out of range is refused.
    fn from_str(text: &str) -> Result<Self, MoneyError> {
        let bad = || MoneyError::NotAnAmount(text.to_owned());
        let trimmed = text.trim();
        let (negative, digits) = match trimmed.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches('0');
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty())
            || !plain(whole)
            || !plain(fraction)
            || fraction.len() > 6
        {
            return Err(bad());
        }
        let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| bad())? };
        let fraction: i64 = format!("{fraction:0<6}").parse().map_err(|_| bad())?;
        let micros =
            whole.checked_mul(MICROS).and_then(|micros| micros.checked_add(fraction)).ok_or_else(bad)?;
        Ok(Self(if negative { -micros } else { micros }))
    }
}

impl Serialize for Amount {
    /// Digit for digit: no binary fraction is ever involved.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_string()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

/// Up to here a JSON number that went through binary floating point still names one count of micro-units only.
const EXACT_IN_BINARY: i64 = 1 << 52;

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let (text, is_exact) = match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => (text, true),
            serde_json::Value::Number(number) => match number.as_f64() {
                // Rust writes a fraction in full, with the fewest digits that name it, and never with an exponent.
                Some(fraction) if number.is_f64() => (fraction.to_string(), false),
                _ => (number.to_string(), true),
            },
            other => return Err(D::Error::custom(format!("{other} is not an amount"))),
        };
        let amount: Self = text.parse().map_err(D::Error::custom)?;
        if !is_exact && amount.0.saturating_abs() > EXACT_IN_BINARY {
            return Err(D::Error::custom("an amount this large must be written as text to be exact"));
        }
        Ok(amount)
    }
}

impl utoipa::PartialSchema for Amount {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::Number)
            .description(Some("An amount of money with at most six decimals."))
            .into()
    }
}

impl utoipa::ToSchema for Amount {}

/// An amount with its currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "sqlx", derive(sqlx_macros::FromRow))]
pub struct Money {
    /// How much, in micro-units.
    #[cfg_attr(feature = "sqlx", sqlx(rename = "amount_micros"))]
    pub amount: Amount,
    /// Of what.
    pub currency: Currency,
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.amount, self.currency.label())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_and_write_exactly() {
        for text in ["0", "1", "12.5", "0.000001", "-3.25", "9223372036854.775807"] {
            let amount: Amount = text.parse().unwrap();
            assert_eq!(amount.to_string(), text);
        }
        assert_eq!("1.50".parse::<Amount>().unwrap(), Amount(1_500_000));
        assert_eq!(".5".parse::<Amount>().unwrap(), Amount(500_000));
    }

    #[test]
    fn what_is_inexact_or_no_number_is_refused() {
        for text in ["", ".", "1.0000001", "1e3", "NaN", "1,000", "9223372036854.775808", "--1", "0x10"] {
            assert!(text.parse::<Amount>().is_err(), "{text}");
        }
    }

    #[test]
    fn rounding_is_half_away_from_zero_and_only_for_show() {
        assert_eq!(Amount(1_234_565).to_fixed(5), "1.23457");
        assert_eq!(Amount(-1_005_000).to_fixed(2), "-1.01");
        assert_eq!(Amount(-1).to_fixed(2), "0.00");
        assert_eq!(Amount(2_500_000).to_fixed(0), "3");
    }

    #[test]
    fn json_carries_a_number_without_a_binary_fraction() {
        assert_eq!(serde_json::to_string(&Amount(100_000)).unwrap(), "0.1");
        assert_eq!(serde_json::from_str::<Amount>("0.1").unwrap(), Amount(100_000));
        assert_eq!(serde_json::from_str::<Amount>("\"2.000001\"").unwrap(), Amount(2_000_001));
        assert!(serde_json::from_str::<Amount>("0.12345678").is_err());
        for micros in [1, -1, 10, 123_456_789_000_001, i64::MAX / 3] {
            let json = serde_json::to_string(&Amount(micros)).unwrap();
            let read = serde_json::from_str::<Amount>(&json)
                .or_else(|_| serde_json::from_str(&format!("\"{json}\"")));
            assert_eq!(read.unwrap(), Amount(micros), "{json}");
        }
    }

    #[test]
    fn arithmetic_refuses_to_overflow() {
        assert!(Amount(i64::MAX).plus(Amount(1)).is_err());
        assert!(Amount(i64::MAX).times(2).is_err());
        assert_eq!(Amount(3).times(4).unwrap(), Amount(12));
    }
}
