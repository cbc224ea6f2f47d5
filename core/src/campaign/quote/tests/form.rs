//! Which forms are the same.

use super::*;
use crate::model::campaign::canary::{CanarySize, CanaryTerms};
use crate::time::Time;

#[test]
fn the_hash_of_a_form_changes_with_whatever_it_says() {
    let terms = |sender: &str, text: &str, times: &[Time]| Terms {
        user: UserId(1),
        kind: Kind::Text,
        sender: sender.into(),
        currency: Currency::Naira,
        purpose: None,
        content: Content::Text { text: text.into() },
        times: times.to_vec(),
        canary: None,
    };
    let hash = |terms: Terms, sources: &[[u8; 32]]| terms.hash(sources).unwrap();
    let with_canary = |size, delivery, wait_s| {
        let canary = Some(CanaryTerms { size, seeds: Vec::new(), delivery, wait_s });
        hash(Terms { canary, ..terms("A", "x", &[]) }, &[[1; 32]])
    };
    let base = hash(terms("A", "x", &[]), &[[1; 32]]);
    assert_eq!(base, hash(terms("A", "x", &[]), &[[1; 32]]));
    let others = [
        hash(terms("B", "x", &[]), &[[1; 32]]),
        hash(terms("A", "y", &[]), &[[1; 32]]),
        hash(terms("A", "x", &[Time(1)]), &[[1; 32]]),
        hash(terms("A", "x", &[]), &[[2; 32]]),
        hash(terms("A", "x", &[]), &[[1; 32], [1; 32]]),
        hash(Terms { currency: Currency::Espees, ..terms("A", "x", &[]) }, &[[1; 32]]),
        hash(Terms { kind: Kind::Flash, ..terms("A", "x", &[]) }, &[[1; 32]]),
        hash(Terms { purpose: Some(Purpose::Otp), ..terms("A", "x", &[]) }, &[[1; 32]]),
        hash(Terms { purpose: Some(Purpose::Promotional), ..terms("A", "x", &[]) }, &[[1; 32]]),
        with_canary(CanarySize::Recipients(5), 80, 600),
    ];
    let canary = with_canary(CanarySize::Recipients(5), 80, 600);
    let others_with_canary = [
        with_canary(CanarySize::Recipients(6), 80, 600),
        with_canary(CanarySize::Percent(5), 80, 600),
        with_canary(CanarySize::Recipients(5), 81, 600),
        with_canary(CanarySize::Recipients(5), 80, 601),
    ];
    assert!(others_with_canary.iter().all(|other| *other != canary));
    for other in others {
        assert_ne!(base, other);
    }
}
