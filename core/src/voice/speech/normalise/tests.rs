use proptest::prelude::*;

use super::{GROWTH_MAX, normalise};

fn says(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(written, said)| normalise(written) != *said)
        .map(|(written, said)| {
            format!("{written:?}\n  expected {said:?}\n  said     {:?}", normalise(written))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn money_is_said_with_its_currency_and_its_kobo() {
    says(&[
        ("Pay N25,000 today", "Pay twenty-five thousand naira today"),
        ("₦1,500.50", "one thousand five hundred naira, fifty kobo"),
        ("₦1,500.00 only", "one thousand five hundred naira only"),
        ("₦ 500", "five hundred naira"),
        ("N5,000.00CR", "five thousand naira credit"),
        ("NGN1,200.50DR", "one thousand two hundred naira, fifty kobo debit"),
        ("N500", "five hundred naira"),
        ("N 5,000", "five thousand naira"),
        ("#5,000 only", "five thousand naira only"),
        ("NGN 2m", "two million naira"),
        ("NGN2,000,000", "two million naira"),
        ("₦2.5m", "two point five million naira"),
        ("₦3 billion", "three billion naira"),
        ("N50k", "fifty thousand naira"),
        ("50k naira", "fifty thousand naira"),
        ("2m naira", "two million naira"),
        ("5000 NGN", "five thousand naira"),
        ("₦0.50", "fifty kobo"),
        ("50 kobo", "fifty kobo"),
        ("$20", "twenty dollars"),
        ("$1", "one dollar"),
        ("$1.01", "one dollar, one cent"),
        ("£3.99", "three pounds, ninety-nine pence"),
        ("€2", "two euros"),
        ("USD 1,200", "one thousand two hundred dollars"),
        ("(₦500)", "(five hundred naira)"),
        ("-₦500", "minus five hundred naira"),
        ("N500-N1,000", "five hundred naira to one thousand naira"),
        ("₦500 - ₦1,000.", "five hundred naira to one thousand naira."),
        ("Bal:N5,250.75.", "Bal:five thousand two hundred and fifty naira, seventy-five kobo."),
        ("in ₦ or $", "in naira or $"),
        ("N 5000 only", "five thousand naira only"),
        ("Block N 5", "Block N five"),
        ("5000naira", "five thousand naira"),
        ("N5-10k", "five to ten thousand naira"),
    ]);
}

#[test]
fn numbers_are_said_as_they_are_counted() {
    says(&[
        (
            "1,234,567 people",
            "one million two hundred and thirty-four thousand five hundred and sixty-seven people",
        ),
        ("3.14", "three point one four"),
        ("0.5", "zero point five"),
        ("50%", "fifty percent"),
        ("2.5%", "two point five percent"),
        ("10-15%", "ten to fifteen percent"),
        ("5 bags", "five bags"),
        ("1st, 2nd and 3rd", "first, second and third"),
        ("the 21st", "the twenty-first"),
        ("100th", "one hundredth"),
        ("12,34", "twelve, thirty-four"),
        ("-5 degrees", "minus five degrees"),
        ("open 24/7", "open twenty-four seven"),
        ("#7", "number seven"),
        ("25k followers", "twenty-five thousand followers"),
        ("1/2 price", "a half price"),
        ("2 3/4 hours", "two and three quarters hours"),
        ("1/2/2026", "first of February, twenty twenty-six"),
    ]);
}

#[test]
fn telephone_numbers_are_said_digit_by_digit() {
    says(&[
        ("Call 0803 123 4567.", "Call zero eight zero three, one two three, four five six seven."),
        ("08031234567", "zero eight zero three, one two three, four five six seven"),
        ("0803-123-4567", "zero eight zero three, one two three, four five six seven"),
        ("+234 803 123 4567", "plus two three four, eight zero three, one two three, four five six seven"),
        ("+2348031234567", "plus two three four, eight zero three, one two three, four five six seven"),
        ("2348031234567", "two three four, eight zero three, one two three, four five six seven"),
        ("0803 123 4567 5 people", "zero eight zero three, one two three, four five six seven five people"),
        ("Dial *737#", "Dial star seven three seven, hash"),
        ("*901*5000#", "star nine zero one, star five zero zero zero, hash"),
    ]);
}

#[test]
fn codes_and_account_numbers_are_said_digit_by_digit_and_other_numbers_are_not() {
    says(&[
        ("Your code is 123456", "Your code is one two three, four five six"),
        ("Your OTP: 482913.", "Your OTP: four eight two, nine one three."),
        ("PIN 1234", "PIN one two three four"),
        ("123456 is your Talkdrum code", "one two three, four five six is your Talkdrum code"),
        ("Code: 123-456", "Code: one two three, four five six"),
        (
            "We have 123456 users",
            "We have one hundred and twenty-three thousand four hundred and fifty-six users",
        ),
        ("The code costs 5000 naira", "The code costs five thousand naira"),
        ("482913 - your code", "four eight two, nine one three - your code"),
        ("482913. Do not share your OTP", "four eight two, nine one three. Do not share your OTP"),
        ("Use 482913 to verify", "Use four eight two, nine one three to verify"),
        ("G-482913", "G-four eight two, nine one three"),
        ("Pay 50000 naira, then your code", "Pay fifty thousand naira, then your code"),
        ("Balance 50000. Never tell your PIN", "Balance fifty thousand. Never tell your PIN"),
        ("Pay 50000 to confirm your seat", "Pay fifty thousand to confirm your seat"),
        ("Acct no. 0123456789", "account number zero one two, three four five, six seven eight nine"),
        ("A/C 0123456789", "account zero one two, three four five, six seven eight nine"),
        ("account 51234", "account five one two, three four"),
        ("123-456-789", "one two three, four five six, seven eight nine"),
        ("agent 007", "agent zero zero seven"),
        ("<#> 482913 is your code", "four eight two, nine one three is your code"),
        ("your account ending 1234 was", "your account ending one two three four was"),
        ("card ending in 0042.", "card ending in zero zero four two."),
        ("the year ending 2026", "the year ending two thousand and twenty-six"),
        ("Acct ****1234 credited", "account ending one two three four credited"),
        ("Acct:XXXX1234", "account:ending one two three four"),
        ("XX is ten", "XX is ten"),
        ("Win **25,000 naira** today", "Win **twenty-five thousand naira** today"),
        ("**5000 naira", "**five thousand naira"),
        ("***1500.50", "***one thousand five hundred point five zero"),
        ("code XX50", "code XX50"),
    ]);
}

#[test]
fn dates_are_read_day_first() {
    says(&[
        ("12/03/2026", "twelfth of March, twenty twenty-six"),
        ("1-2-26", "first of February, twenty twenty-six"),
        ("2026-03-12", "twelfth of March, twenty twenty-six"),
        ("03/25/2026", "twenty-fifth of March, twenty twenty-six"),
        ("31/02/2026", "thirty-one/zero two/two thousand and twenty-six"),
        ("by 12/03.", "by twelfth of March."),
        ("10/10", "ten/ten"),
        ("40/12", "forty/twelve"),
        ("12 Mar", "twelfth of March"),
        ("12 Mar 2026,", "twelfth of March, twenty twenty-six,"),
        ("12th of March, 2026", "twelfth of March, twenty twenty-six"),
        ("12-Mar-2026", "twelfth of March, twenty twenty-six"),
        ("Mar 12", "twelfth of March"),
        ("March 12th, 2026", "twelfth of March, twenty twenty-six"),
        ("Sept. 1", "first of September"),
        ("29 Feb", "twenty-ninth of February"),
        ("you may 12", "you may twelve"),
        ("in 2026", "in twenty twenty-six"),
        ("2026 bags", "two thousand and twenty-six bags"),
        ("12-15 March", "twelve to fifteenth of March"),
        ("10.0.0.1", "ten point zero point zero point one"),
    ]);
}

#[test]
fn times_have_their_half_of_the_day_and_verses_are_none() {
    says(&[
        ("8:30am", "eight thirty A.M."),
        ("8:30 a.m. today", "eight thirty A.M. today"),
        ("at 8 p.m.", "at eight P.M."),
        ("8am-5pm", "eight A.M. to five P.M."),
        ("20:00", "eight P.M."),
        ("08:05", "eight oh five A.M."),
        ("9:00", "nine o'clock"),
        ("9:45", "nine forty-five"),
        ("12:00", "twelve noon"),
        ("00:00", "twelve midnight"),
        ("0:15", "twelve fifteen A.M."),
        ("23:59:59", "eleven fifty-nine P.M."),
        ("2:1", "two:one"),
        ("25:00", "twenty-five:zero zero"),
        ("John 3:16", "John chapter three verse sixteen"),
        ("Isaiah 14:12-15", "Isaiah chapter fourteen verse twelve to fifteen"),
        ("Psalm 119:105", "Psalm chapter one hundred and nineteen verse one hundred and five"),
        ("Meet John 8:30 pm", "Meet John eight thirty P.M."),
    ]);
}

#[test]
fn abbreviations_and_units_are_said_in_full() {
    says(&[
        ("Mr. Obi & Mrs. Ade", "Mister Obi and Missis Ade"),
        ("Dear Dr Bello", "Dear Doctor Bello"),
        ("12 Broad St. Lagos", "twelve Broad Street Lagos"),
        ("12 Broad St.", "twelve Broad Street."),
        ("at St. Peter's", "at Saint Peter's"),
        ("No. 5", "number five"),
        ("No.5", "number five"),
        ("No 12 Allen Ave.", "number twelve Allen Avenue."),
        ("Say no. Then go", "Say no. Then go"),
        ("fruit, e.g. mangoes", "fruit, for example mangoes"),
        ("i.e. now", "that is now"),
        ("rice, beans etc.", "rice, beans et cetera."),
        ("Your acct was credited", "Your account was credited"),
        ("Drums Ltd.", "Drums Limited."),
        ("5kg of rice", "five kilograms of rice"),
        ("1 kg", "one kilogram"),
        ("1.5GB", "one point five gigabytes"),
        ("30 mins", "thirty minutes"),
        ("500g", "five hundred grams"),
        ("35°C", "thirty-five degrees Celsius"),
    ]);
}

#[test]
fn what_is_no_number_and_no_abbreviation_stays() {
    for text in [
        "We are open on Saturday.",
        "B2B, COVID19 and 4G",
        "https://example.com/2026/03?x=5000",
        "www.example.com",
        "ada2026@example.com",
        "bit.ly/3x4",
        "Sai an jima!",
        "Hi 😀",
        "and/or",
        "N/A",
        "",
    ] {
        assert_eq!(normalise(text), text);
    }
    says(&[
        ("Ẹ káàárọ̀, ẹ kú iṣẹ́", "E káàáro, e kú ise"),
        ("Ɗan'uwa", "Dan'uwa"),
        ("a\r\n\tb\u{0}c", "a\nb c"),
        ("  two   spaces ", "two spaces"),
        ("[[h@'loU]] world", "h@'loU world"),
        ("zero\u{200b}width", "zerowidth"),
    ]);
}

#[test]
fn a_long_text_takes_no_longer_than_its_length() {
    for piece in
        ["1-", "1,234,", "0803 ", "*1", "N1", "code ", "a@", "1.", "12 Mar ", "9", "://", "/a.", "*", "x1"]
    {
        let text = piece.repeat(100_000);
        assert!(normalise(&text).len() <= GROWTH_MAX * text.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_read_and_grows_within_its_bound(text in "\\PC{0,80}") {
        prop_assert!(normalise(&text).len() <= GROWTH_MAX * text.len());
    }

    #[test]
    fn texts_of_numbers_and_signs_are_read_and_grow_within_their_bound(
        text in "(?:[0-9]{1,4}|[NkmG$₦£#%*+.,:/ \\-&@]|N|k|am|st|kg| NGN|Mar |code |St\\. |\\n){0,40}"
    ) {
        let said = normalise(&text);
        prop_assert!(said.len() <= GROWTH_MAX * text.len(), "{text:?} {said:?}");
        prop_assert!(!said.contains(|sign: char| sign == '[' || (sign.is_control() && sign != '\n')));
    }
}
