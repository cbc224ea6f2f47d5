//! The names that files have at their owners', as they are shown.

/// The last part of a name that a client gave, in one line of at most so many characters; empty for none.
pub fn shown(given: Option<&str>, chars_max: usize) -> String {
    let last = given.unwrap_or_default().rsplit(['/', '\\']).next().unwrap_or_default();
    in_one_line(last, chars_max)
}

/// A text in one line of at most so many characters.
pub fn in_one_line(text: &str, chars_max: usize) -> String {
    let plain = text.replace(char::is_control, " ");
    plain.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(chars_max).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_without_its_folder_and_in_one_line() {
        assert_eq!(shown(Some("C:\\lists\\may\n 1.csv"), 200), "may 1.csv");
        assert_eq!(shown(Some("/home/ada/may.csv"), 3), "may");
        assert_eq!(shown(None, 200), "");
    }
}
