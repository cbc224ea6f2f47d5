//! What people answered by key to the question of calls.

use talkdrum_api::call::PollAnswer;

use super::{Align, Table};

/// The answers for people, with their shares of the calls that were answered.
pub(crate) fn answer_table(answers: &[PollAnswer]) -> Table {
    let heads =
        [("Answer", Align::Left), ("Key", Align::Left), ("Calls", Align::Right), ("Share", Align::Right)];
    let mut table = Table::with_heads(heads);
    for it in answers {
        let share =
            it.per_mille.map_or_else(|| "-".to_owned(), |share| format!("{}.{}%", share / 10, share % 10));
        // What is no key of the question has words for its key.
        let key = if it.key.len() == 1 { it.key.clone() } else { "-".to_owned() };
        table.row(vec![it.label.clone(), key, it.count.to_string(), share]);
    }
    table
}

/// `Yes 2, No 1`: those that were given.
pub(crate) fn answers_in_short(answers: Option<&[PollAnswer]>) -> String {
    let given = answers.unwrap_or_default().iter().filter(|it| it.count > 0);
    given.map(|it| format!("{} {}", it.label, it.count)).collect::<Vec<_>>().join(", ")
}
