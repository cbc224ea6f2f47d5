//! The pricing write-up: HTML that an administrator writes and every visitor's browser shows.
//!
//! What is stored has passed the allow-list below; the pages that show it need no check of their own. It
//! loads nothing, runs nothing, submits nothing and styles nothing outside itself.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};

use crate::error::{Error, Result};

/// The longest write-up as it is sent in, in bytes.
const LONGEST_BYTES: usize = 128 * 1024;

/// What a rich-text editor makes of headings, paragraphs, lists, tables and links. No images, frames, forms, styles.
const TAGS: [&str; 35] = [
    "a",
    "b",
    "blockquote",
    "br",
    "caption",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "li",
    "ol",
    "p",
    "pre",
    "s",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "u",
];

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut tags: HashSet<&str> = TAGS.into_iter().collect();
    tags.insert("ul");
    let cells: HashSet<&str> = ["colspan", "rowspan"].into_iter().collect();
    let attributes: HashMap<&str, HashSet<&str>> =
        [("a", ["href"].into_iter().collect()), ("td", cells.clone()), ("th", cells)].into_iter().collect();
    let mut cleaner = Builder::empty();
    cleaner
        .tags(tags)
        .clean_content_tags(["script", "style"].into_iter().collect())
        .tag_attributes(attributes)
        .generic_attributes(HashSet::new())
        .url_schemes(["http", "https", "mailto", "tel"].into_iter().collect())
        .url_relative(UrlRelative::PassThrough)
        .link_rel(Some("noopener noreferrer"));
    cleaner
});

/// The write-up with everything taken out that is not on the allow-list.
///
/// # Errors
/// A rule on `content` when there is none, it is too long, or nothing of it may stay.
pub fn clean_write_up(html: &str) -> Result<String> {
    if html.trim().is_empty() {
        return Err(Error::field("content", "content_required", "Content is required"));
    }
    if html.len() > LONGEST_BYTES {
        return Err(Error::field(
            "content",
            "content_long",
            format!("The write-up has at most {} KiB", LONGEST_BYTES >> 10),
        ));
    }
    let clean = CLEANER.clean(html).to_string();
    if clean.trim().is_empty() {
        return Err(Error::field(
            "content",
            "content_empty",
            "Nothing of this content may be shown: write text",
        ));
    }
    Ok(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_editor_writes_stays() {
        let html = "<h2>Prices</h2><p><strong>4.50</strong> a page, <a href=\"https://example.com\">more</a></p>\
                    <ul><li>MTN</li></ul><table><tbody><tr><td colspan=\"2\">x</td></tr></tbody></table>";
        let clean = clean_write_up(html).unwrap();
        assert_eq!(clean, html.replace("com\">", "com\" rel=\"noopener noreferrer\">"));
    }

    #[test]
    fn what_runs_loads_submits_or_styles_is_taken_out() {
        for (html, left) in [
            ("<p>a<script>alert(1)</script></p>", "<p>a</p>"),
            ("<p onclick=\"x()\">a</p>", "<p>a</p>"),
            ("<p style=\"position:fixed\">a</p>", "<p>a</p>"),
            ("a<img src=\"https://example.com/pixel.gif\">", "a"),
            ("a<form action=\"/x\"><input name=\"y\"></form>", "a"),
            ("a<iframe src=\"//example.com\"></iframe>", "a"),
            ("<a href=\"javascript:alert(1)\">a</a>", "<a rel=\"noopener noreferrer\">a</a>"),
            ("a<style>p{color:red}</style><svg onload=\"x()\"></svg>", "a"),
            ("<p>a<!-- b --></p>", "<p>a</p>"),
        ] {
            assert_eq!(clean_write_up(html).unwrap(), left, "{html}");
        }
    }

    #[test]
    fn nothing_is_no_write_up() {
        assert_eq!(clean_write_up("  ").unwrap_err().to_string(), "Content is required");
        assert_eq!(clean_write_up("<script>x</script>").unwrap_err().code(), "content_empty");
        assert_eq!(clean_write_up(&"x".repeat(LONGEST_BYTES + 1)).unwrap_err().code(), "content_long");
    }
}
