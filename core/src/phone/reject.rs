//! Why a piece of text is no recipient: a stable code for programs, a sentence for people.

use std::fmt;

words! {
    /// Why a piece of text cannot be a recipient.
    #[derive(PartialOrd, Ord, Hash)]
    RejectReason {
        /// A row has content, its phone field has none.
        Empty = "empty",
        /// There is no digit in it.
        NoDigits = "no_digits",
        /// Letters or signs stand among the digits.
        NotANumber = "not_a_number",
        /// Fewer digits than any number of its country.
        TooShort = "too_short",
        /// More digits than any number of its country.
        TooLong = "too_long",
        /// A Nigerian mobile number that lacks one digit: the commonest typing error.
        NineDigits = "nine_digits",
        /// No number of its country begins like this.
        Invalid = "invalid",
        /// No country has this calling code.
        UnknownCountry = "unknown_country",
        /// `00` and Nigeria's `009` read it as two different valid numbers.
        Ambiguous = "ambiguous",
        /// A fixed line, which takes no SMS.
        Landline = "landline",
        /// A toll-free, premium, shared-cost, universal-access or voicemail number.
        NotMobile = "not_mobile",
        /// Spreadsheet notation whose mantissa has fewer digits than the number: `8.03E+09`.
        SpreadsheetRounded = "spreadsheet_rounded",
        /// A quotation mark that opens a field and never closes it.
        UnterminatedQuote = "unterminated_quote",
        /// A field above 4 KiB.
        FieldTooLong = "field_too_long",
        /// A row above 64 KiB.
        RowTooLong = "row_too_long",
        /// A row with more than 64 columns.
        TooManyColumns = "too_many_columns",
    }
}

impl RejectReason {
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
    fn a_rounded_number_is_blamed_on_the_spreadsheet() {
        assert!(RejectReason::SpreadsheetRounded.to_string().contains("The spreadsheet rounded it"));
        assert!(RejectReason::NineDigits.to_string().contains("nine digits"));
    }
}
