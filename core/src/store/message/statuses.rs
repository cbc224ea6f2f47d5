//! Statuses of messages in statement texts: the columns that count them, their numbers, and sets of them.
//!
//! [`statuses!`] repeats a text for each status of a set. Pieces of the text are literals, `column` (the counter in
//! `campaign_chunks`), `figure` (the counter in the tables of figures), `number` (in `messages.status`), and `{"..."}`,
//! which stands at `Cancelled` only: positions beyond a chunk's cursor are counted in a column of their own.
//!
//! A new status needs a number in [`message_status!`](crate::model::message::status::message_status), a column below, and its
//! place in each set; the tests compare the sets with what [`MessageStatus`](crate::model::message::status::MessageStatus) says.

/// The column of `campaign_chunks` that counts a status.
macro_rules! status_column {
    (Submitted) => {
        "submitted"
    };
    (Delivered) => {
        "delivered"
    };
    (Undelivered) => {
        "undelivered"
    };
    (Rejected) => {
        "rejected"
    };
    (Expired) => {
        "expired"
    };
    (Unknown) => {
        "unknown"
    };
    (Cancelled) => {
        "cancelled"
    };
    (Suppressed) => {
        "suppressed"
    };
}
pub(crate) use status_column;

/// The column of `traffic`, `traffic_open` and `traffic_networks` that counts a status.
macro_rules! status_figure {
    (Submitted) => {
        "awaited"
    };
    ($status:ident) => {
        $crate::store::message::statuses::status_column!($status)
    };
}
pub(crate) use status_figure;

macro_rules! status_piece {
    ($status:ident column) => {
        $crate::store::message::statuses::status_column!($status)
    };
    ($status:ident figure) => {
        $crate::store::message::statuses::status_figure!($status)
    };
    ($status:ident number) => {
        $crate::model::message::status::message_status!($status)
    };
    (Cancelled {$text:literal}) => {
        $text
    };
    ($status:ident {$text:literal}) => {
        ""
    };
    ($status:ident $text:literal) => {
        $text
    };
}
pub(crate) use status_piece;

macro_rules! status_text {
    ($status:ident [$($piece:tt),+]) => {
        concat!($($crate::store::message::statuses::status_piece!($status $piece)),+)
    };
}
pub(crate) use status_text;

macro_rules! status_list {
    ($between:literal $pieces:tt $first:ident $($next:ident)*) => {
        concat!(
            $crate::store::message::statuses::status_text!($first $pieces)
            $(, $between, $crate::store::message::statuses::status_text!($next $pieces))*
        )
    };
}
pub(crate) use status_list;

/// A text for each status of a set: `statuses!(failed, " + ", ["ch.", column])` is
/// `ch.undelivered + ch.rejected + ch.expired`.
macro_rules! statuses {
    // Those that rows have and chunks count, in the order of their numbers.
    (stored, $between:literal, $pieces:tt) => {
        $crate::store::message::statuses::status_list!($between $pieces
            Submitted Delivered Undelivered Rejected Expired Unknown Cancelled Suppressed)
    };
    // What `MessageStatus::is_final` says.
    (settled, $between:literal, $pieces:tt) => {
        $crate::store::message::statuses::status_list!($between $pieces
            Delivered Undelivered Rejected Expired Cancelled Suppressed)
    };
    // What `MessageStatus::is_failure` says.
    (failed, $between:literal, $pieces:tt) => {
        $crate::store::message::statuses::status_list!($between $pieces Undelivered Rejected Expired)
    };
    // What `MessageStatus::is_given_up` says.
    (given_up, $between:literal, $pieces:tt) => {
        $crate::store::message::statuses::status_list!($between $pieces Cancelled Suppressed)
    };
    // What became of those that went to a carrier, for figures: stored, and not given up.
    (carried, $between:literal, $pieces:tt) => {
        $crate::store::message::statuses::status_list!($between $pieces
            Submitted Delivered Undelivered Rejected Expired Unknown)
    };
    // What `MessageStatus::awaits_receipt` says.
    (receiptless, $between:literal, $pieces:tt) => {
        $crate::store::message::statuses::status_list!($between $pieces Submitted)
    };
    // What `MessageStatus::is_unresolved` says.
    (unresolved, $between:literal, $pieces:tt) => {
        $crate::store::message::statuses::status_list!($between $pieces Unknown)
    };
    // What `MessageStatus::outlasts_receipts` says.
    (confirmed, $between:literal, $pieces:tt) => {
        $crate::store::message::statuses::status_list!($between $pieces Delivered)
    };
    // Their receipt may still come: stored, and not settled.
    (awaiting, $between:literal, $pieces:tt) => {
        $crate::store::message::statuses::status_list!($between $pieces Submitted Unknown)
    };
}
pub(crate) use statuses;

#[cfg(test)]
mod tests {
    use crate::model::message::status::MessageStatus as S;
    use crate::store::Lane;
    use crate::{args, both_databases};

    both_databases! {
        async fn the_table_of_messages_takes_every_status_that_is_stored_and_no_other(store: Store) {
            for status in S::ALL.iter().copied() {
                let inserted = store
                    .write(Lane::Background, status, |tx, status| Box::pin(async move {
                        let sql = "INSERT INTO messages (id, status, money) VALUES ($1, $2, 0)";
                        tx.run(sql, args![status.number(), *status]).await
                    }))
                    .await;
                assert_eq!(inserted.is_ok(), status.is_stored(), "{status}: {inserted:?}");
            }
        }
    }

    fn those(wanted: fn(S) -> bool) -> (String, String) {
        let those = || S::ALL.iter().copied().filter(|status| wanted(*status));
        let numbers: Vec<String> = those().map(|status| status.number().to_string()).collect();
        (numbers.join(", "), those().map(S::code).collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn sets_of_statuses_in_statements_are_those_of_the_code() {
        macro_rules! agrees {
            ($set:ident, $wanted:expr) => {
                let texts = (statuses!($set, ", ", [number]), statuses!($set, ", ", [column]));
                assert_eq!((texts.0.to_owned(), texts.1.to_owned()), those($wanted), stringify!($set));
            };
        }
        agrees!(stored, S::is_stored);
        agrees!(settled, S::is_final);
        agrees!(failed, S::is_failure);
        agrees!(given_up, S::is_given_up);
        agrees!(carried, |status| status.is_stored() && !status.is_given_up());
        agrees!(receiptless, S::awaits_receipt);
        agrees!(unresolved, S::is_unresolved);
        agrees!(confirmed, S::outlasts_receipts);
        agrees!(awaiting, |status| status.is_stored() && !status.is_final());
    }

    #[test]
    fn what_a_cancel_left_beyond_the_cursor_is_counted_at_cancelled() {
        let told = statuses!(stored, " ", ["0", { " 0" }]);
        assert_eq!(told, "0 0 0 0 0 0 0 0 0");
        let given_up = statuses!(given_up, ", ", ["ch.", column, { " + ch.tail_cancelled" }]);
        assert_eq!(given_up, "ch.cancelled + ch.tail_cancelled, ch.suppressed");
    }
}
