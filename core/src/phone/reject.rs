//! Why a piece of text is no recipient: a stable code for programs, a sentence for people.
//!
//! The one invariant: codes are never renamed, clients and stored reject files rely on them.

use std::fmt;

/// Why a piece of text cannot be a recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejectReason {
    /// A row has content, its phone field has none.
    Empty,
    /// There is no digit in it.
    NoDigits,
    /// Letters or signs stand among the digits.
    NotANumber,
    /// Fewer digits than any number of its country.
    TooShort,
    /// More digits than any number of its country.
    TooLong,
    /// A Nigerian mobile number that lacks one digit: the commonest typing error.
    NineDigits,
    /// No number of its country begins like this.
    Invalid,
    /// No country has this calling code.
    UnknownCountry,
    /// `00` and Nigeria's `009` read it as two different valid numbers.
    Ambiguous,
    /// A fixed line, which takes no SMS.
    Landline,
    /// A toll-free, premium, shared-cost, universal-access or voicemail number.
    NotMobile,
    /// Spreadsheet notation whose mantissa has fewer digits than the number: `8.03E+09`.
    SpreadsheetRounded,
    /// A quotation mark that opens a field and never closes it.
    UnterminatedQuote,
    /// A field above 4 KiB.
    FieldTooLong,
    /// A row above 64 KiB.
    RowTooLong,
    /// A row with more than 64 columns.
    TooManyColumns,
}

impl RejectReason {
    /// Every reason, in the order of declaration.
    pub const ALL: [Self; 16] = [
        Self::Empty,
        Self::NoDigits,
        Self::NotANumber,
        Self::TooShort,
        Self::TooLong,
        Self::NineDigits,
        Self::Invalid,
        Self::UnknownCountry,
        Self::Ambiguous,
        Self::Landline,
        Self::NotMobile,
        Self::SpreadsheetRounded,
        Self::UnterminatedQuote,
        Self::FieldTooLong,
        Self::RowTooLong,
        Self::TooManyColumns,
    ];

    /// The stable code, for the API and for reject files.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::NoDigits => "no_digits",
            Self::NotANumber => "not_a_number",
            Self::TooShort => "too_short",
            Self::TooLong => "too_long",
            Self::NineDigits => "nine_digits",
            Self::Invalid => "invalid",
            Self::UnknownCountry => "unknown_country",
            Self::Ambiguous => "ambiguous",
            Self::Landline => "landline",
            Self::NotMobile => "not_mobile",
            Self::SpreadsheetRounded => "spreadsheet_rounded",
            Self::UnterminatedQuote => "unterminated_quote",
            Self::FieldTooLong => "field_too_long",
            Self::RowTooLong => "row_too_long",
            Self::TooManyColumns => "too_many_columns",
        }
    }

    /// The reason with this code, as it comes back from the store.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::Empty => "The row has no phone number",
            Self::NoDigits => "There is no digit in it",
            Self::NotANumber => "It is no phone number: letters or signs stand among its digits",
            Self::TooShort => "It has too few digits to be a phone number",
            Self::TooLong => "It has too many digits to be one phone number",
            Self::NineDigits => {
                "It has nine digits: Nigerian mobile numbers have ten after the zero, as in 0803 123 4567"
            }
            Self::Invalid => "No network uses a number that begins like this",
            Self::UnknownCountry => "No country has this calling code",
            Self::Ambiguous => {
                "It can be read as a number of two countries: write it with + and the country code"
            }
            Self::Landline => "It is a landline, which cannot take an SMS",
            Self::NotMobile => "It is a service number, not a mobile phone",
            Self::SpreadsheetRounded => {
                "The spreadsheet rounded it and its last digits are lost: format the column as text and export again"
            }
            Self::UnterminatedQuote => "A quotation mark opens a field and is never closed",
            Self::FieldTooLong => "A field is longer than 4,096 bytes",
            Self::RowTooLong => "The row is longer than 65,536 bytes",
            Self::TooManyColumns => "The row has more than 64 columns",
        }
    }
}

impl fmt::Display for RejectReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_lead_back_to_their_reason() {
        for reason in RejectReason::ALL {
            assert_eq!(RejectReason::from_code(reason.code()), Some(reason));
        }
        assert_eq!(RejectReason::from_code("no_such_code"), None);
    }

    #[test]
    fn a_rounded_number_is_blamed_on_the_spreadsheet() {
        assert!(RejectReason::SpreadsheetRounded.to_string().contains("The spreadsheet rounded it"));
        assert!(RejectReason::NineDigits.to_string().contains("nine digits"));
    }
}
