mod canary;
mod dnd;
mod earlier;
mod form;
mod plans;
mod purpose;
mod quota;
mod rates;
mod times;

use std::io::{Cursor, Error as IoError, Read};
use std::time::Duration;

use talkdrum_api::kind::Kind;
use talkdrum_api::money::Currency;
use talkdrum_api::purpose::Purpose;

use super::*;
use crate::campaign::confirm::QuoteTarget;
use crate::campaign::report::explain;
use crate::campaign::settlement;
use crate::contact::suppression::{self, SuppressionScope};
use crate::content::{Content, FieldNames};
use crate::model::account::id::UserId;
use crate::model::campaign::audience_chunk::{CHUNK_SIZE, Chunk};
use crate::model::campaign::id::ChunkId;
use crate::model::contact::id::GroupId;
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::reason::PlatformReason;
use crate::model::message::status::MessageStatus;
use crate::model::page::RecordScope as Seen;
use crate::routing::{RouteCarrier, RouteConfig};
use crate::store::Store;
use crate::store::campaign::audience::NewAudience;
use crate::store::contact::{self, group, suppression as lists};
use crate::testing::campaign::{
    Fixture, NOW, numbers, opt_out, route_carrier, set_price, set_price_of, user_with,
};
use crate::{args, both_databases};

async fn refused(fixture: &Fixture, change: impl FnOnce(&mut Form)) -> Error {
    let mut form = fixture.form("Hello", "08031234567");
    change(&mut form);
    fixture.campaigns.quote(form).await.unwrap_err()
}

fn file(text: impl Into<String>) -> RecipientSource {
    RecipientSource::file(Cursor::new(text.into()))
}

async fn set_status(store: &Store, user: UserId, status: &'static str) {
    store
        .write(Lane::Interactive, (user, status), |tx, (user, status)| {
            Box::pin(tx.run_exactly(1, "UPDATE users SET status = $2 WHERE id = $1", args![*user, *status]))
        })
        .await
        .unwrap();
}

/// A group of a user with these numbers, and for each a name and a city.
async fn group(store: &Store, user: UserId, name: &'static str, people: &[(i64, &str, &str)]) -> GroupId {
    let batch = contact::ContactBatch::of(
        people.iter().map(|one| one.0).collect(),
        people.iter().map(|one| Some(one.1.to_owned())).collect(),
        vec![None; people.len()],
        people.iter().map(|one| Some(format!("{{\"city\":\"{}\"}}", one.2))).collect(),
    );
    store
        .write(Lane::Interactive, (user, name, batch), |tx, (user, name, batch)| {
            Box::pin(async move {
                let id = group::insert(tx, *user, name, name, "", NOW).await?.unwrap();
                group::set_columns(tx, id, "[\"city\"]").await?;
                contact::merge(tx, id, batch, NOW).await?;
                Ok(id)
            })
        })
        .await
        .unwrap()
}

both_databases! {
    async fn groups_are_recipients_whose_contacts_fill_merge_fields(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let first = [(2_348_031_234_567, "Ada", "Lagos"), (2_348_031_234_568, "Musa", "Kano")];
        let first = group(&store, fixture.user, "a", &first).await;
        let second = [(2_348_031_234_567, "Ada again", "Jos"), (2_348_031_234_569, "Efe", "Warri")];
        let second = group(&store, fixture.user, "b", &second).await;
        let form = || {
            let mut form = fixture.form("Dear {name} of {city}", "");
            form.sources = vec![RecipientSource::group(first), RecipientSource::group(second)];
            form
        };
        let quote = fixture.campaigns.quote(form()).await.unwrap();
        assert_eq!((quote.total_contacts, quote.total_duplicates_removed), (3, 1));
        assert_eq!(quote.message, "Dear Ada of Lagos");
        // Posted again without the quote's id, the same groups are the same form.
        let confirmed = fixture.confirm(QuoteTarget::Form(Box::new(form()))).await.unwrap();
        assert_eq!(confirmed.quote_id, QuoteId(quote.quote_id));
        let mut plain = fixture.form("Hello", "08031234567, 08051234567");
        plain.sources.push(RecipientSource::group(first));
        assert_eq!(fixture.campaigns.quote(plain).await.unwrap().total_contacts, 3);
        let mut unknown = fixture.form("Dear {street}", "");
        unknown.sources = vec![RecipientSource::group(first)];
        assert_eq!(fixture.campaigns.quote(unknown).await.unwrap_err().code(), "unknown_merge_field");
        let stranger = user_with(&store, "eve", "0").await;
        let theirs = group(&store, stranger, "c", &[(2_348_031_234_567, "x", "y")]).await;
        for id in [theirs, GroupId(999)] {
            let error = refused(&fixture, |form| form.sources = vec![RecipientSource::group(id)]).await;
            assert_eq!(error.code(), "not_found");
        }
    }

    async fn a_quote_stands_on_the_lists_of_opt_outs_as_they_are(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let pricing = async || {
            let key = PriceKey::sms(Currency::Espees).name();
            let tx = &mut store.read().await.unwrap();
            (table::pricing(tx, (fixture.user, "WEBSMS"), (key, "none")).await.unwrap().unwrap(), lists::scopes(tx, fixture.user.0).await.unwrap())
        };
        let (first, none) = pricing().await;
        assert_eq!((first.status, none.len()), (UserStatus::Active, 0));
        assert_eq!(first.opt_outs.map(|list| (list.scope, list.version)), [(0, 0), (fixture.user.0, 0)]);
        for digits in [2_348_031_234_566, 2_348_031_234_567, 2_348_031_234_568] {
            opt_out(&store, SuppressionScope::User(fixture.user), digits).await;
        }
        opt_out(&store, SuppressionScope::Platform, 2_348_031_234_569).await;
        let input = (SuppressionScope::User(fixture.user), crate::phone::Msisdn::from_digits(2_348_031_234_567).unwrap());
        let taken = store.write(Lane::Interactive, input, |tx, (scope, number)| {
            Box::pin(suppression::remove(tx, *scope, *number))
        });
        assert!(taken.await.unwrap());
        let (pricing, mut lists) = pricing().await;
        lists.sort_by_key(|list| list.scope);
        assert_eq!(pricing.opt_outs.to_vec(), lists);
        assert!(table::pricing(&mut store.read().await.unwrap(), (UserId(999), "WEBSMS"), ("x", "y")).await.unwrap().is_none());
    }

    async fn recipients_abroad_are_rejected_until_they_have_a_price_and_cost_that(store: Store) {
        let fixture = Fixture::open(&store, "200").await;
        let (home, abroad) = ("08031234567, 08051234567", "+447911123456, 08031234567");
        let quote = fixture.quote("Hello", abroad).await;
        assert_eq!((quote.total_contacts, quote.total_invalid, quote.abroad_contacts), (1, 1, 0));
        let reject = &quote.rejects[0];
        assert_eq!((reject.value.as_str(), reject.code.as_str()), ("447911123456", "no_price"));
        assert_eq!(reject.reason, "No price is set for +44");
        assert_eq!(fixture.campaigns.quote_rejects(fixture.user, QuoteId(quote.quote_id)).await.unwrap().len(), 1);
        assert_eq!((quote.total_charges, quote.abroad_unit_price), ("2.5".parse().unwrap(), None));
        let error = refused(&fixture, |form| form.sources = RecipientSource::text("+14155552671".into()).into_iter().collect());
        assert!(error.await.to_string().contains("No price is set for +1"));

        let key = PriceKey::sms_abroad(Currency::Naira);
        set_price_of(&store, fixture.user, key, "40").await;
        assert_eq!(fixture.quote("Hello", home).await.abroad_unit_price, None);
        // Two pages each.
        let quote = fixture.quote(&"x".repeat(157), abroad).await;
        assert_eq!((quote.total_contacts, quote.total_invalid), (2, 0));
        assert_eq!((quote.abroad_contacts, quote.abroad_pages, quote.total_pages), (1, 2, 4));
        assert_eq!((quote.unit_price, quote.abroad_unit_price), ("2.5".parse().unwrap(), Some("40".parse().unwrap())));
        assert_eq!(quote.total_charges, "85".parse().unwrap());
        // The price that was quoted holds.
        set_price_of(&store, fixture.user, key, "90").await;
        let shown = fixture.campaigns.find_quote(fixture.user, QuoteId(quote.quote_id)).await.unwrap();
        assert_eq!((shown.abroad_unit_price, shown.total_charges), (Some("40".parse().unwrap()), quote.total_charges));
        let campaign = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0];
        assert_eq!(fixture.balance().await, "115".parse().unwrap());
        let chunks: Vec<(ChunkId, i64, Option<i64>)> = fixture.tx().await
            .all("SELECT id, charge_micros, unit_price_micros FROM campaign_chunks WHERE campaign_id = $1 \
                  ORDER BY charge_micros", args![campaign]).await.unwrap();
        let charges: Vec<_> = chunks.iter().map(|(_, charge, price)| (*charge, *price)).collect();
        assert_eq!(charges, [(5_000_000, None), (80_000_000, Some(40_000_000))]);
        fixture.assert_ledger_adds_up().await;
        // Both are claimed, and the one abroad is refused: its own price comes back.
        let refused = crate::model::message::id::MessageId::new(chunks[1].0, 0);
        let outcome = MessageOutcome {
            error: Some("0xb".into()),
            ..MessageOutcome::by_platform(refused, MessageStatus::Rejected, PlatformReason::Unfit, Some(NOW))
        };
        store.write(Lane::Background, outcome, |tx, outcome| Box::pin(async move {
            tx.run_exactly(1, "UPDATE campaign_chunks SET cursor = 1 WHERE id = $1", args![outcome.message.chunk()]).await?;
            settlement::settle(tx, std::slice::from_ref(outcome), NOW).await.map(|_| ())
        })).await.unwrap();
        assert_eq!(fixture.balance().await, "195".parse().unwrap());
        let message = explain::message(&mut fixture.tx().await, Seen::All, refused, &fixture.campaigns.networks).await.unwrap();
        assert_eq!(message.message.price, "80".parse().unwrap());
        fixture.assert_ledger_adds_up().await;
    }

    async fn a_quote_tells_what_it_costs_to_the_micro_unit(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quote = fixture.quote(&"x".repeat(157), "08031234567, 08021234567 0805 123 4567, 803").await;
        assert_eq!((quote.total_contacts, quote.total_invalid, quote.total_pages), (3, 1, 6));
        assert_eq!((quote.pages, quote.segments, quote.total_segments), ((2, 2), (1, 1), 3));
        assert_eq!(quote.total_charges, "15".parse().unwrap());
        assert_eq!(quote.charges_per_run, quote.total_charges);
        assert_eq!((quote.balance, quote.balance_after), ("100".parse().unwrap(), "85".parse().unwrap()));
        assert_eq!(quote.networks.iter().map(|(name, n)| (&**name, *n)).collect::<Vec<_>>(),
            [("airtel", 1), ("glo", 1), ("mtn", 1)]);
        assert_eq!((&*quote.route, &*quote.sms_type, &*quote.currency), ("DEFAULT", "text", "naira"));
        assert_eq!(quote.expires_at, (NOW + VALID_FOR).to_rfc3339());
        assert_eq!(quote.rejects[0].value, "803");
        assert_eq!(quote.starts, Vec::<String>::new());
        // Read back it is the same, and the balance is the one of now.
        let again = fixture.campaigns.find_quote(fixture.user, QuoteId(quote.quote_id)).await.unwrap();
        let answer = serde_json::to_value(&quote).unwrap();
        assert_eq!(serde_json::to_value(&again).unwrap(), answer);
        assert_eq!(fixture.balance().await, "100".parse().unwrap(), "a quote takes nothing");
        // Older rows hold the whole answer as their details.
        store
            .write(Lane::Interactive, answer.to_string(), |tx, old| {
                Box::pin(tx.run_exactly(1, "UPDATE quotes SET details = $1", args![old]))
            })
            .await
            .unwrap();
        let again = fixture.campaigns.find_quote(fixture.user, QuoteId(quote.quote_id)).await.unwrap();
        assert_eq!(serde_json::to_value(&again).unwrap(), answer);
    }

    async fn duplicates_are_found_across_text_and_file_whatever_their_form(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let mut form = fixture.form("Hello", "08031234567, +234 803 123 4567");
        form.sources.push(file("2348031234567\r\n08031234568\n8031234568\n"));
        let quote = fixture.campaigns.quote(form).await.unwrap();
        assert_eq!((quote.total_contacts, quote.total_duplicates_removed), (2, 3));
    }

    async fn the_rules_are_told_in_the_order_of_the_specification(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let mut form = fixture.form("", "");
        form.content = Err(Error::field("message", "message_required", "Message is required"));
        (form.sender, form.payment_method) = (Some(" ".into()), None);
        set_status(&store, fixture.user, "inactive").await;
        let said = |form: Form| async { fixture.campaigns.quote(form).await.unwrap_err().to_string() };
        let bad = || {
            let mut form = fixture.form("", "");
            form.content = Err(Error::field("message", "message_required", "Message is required"));
            (form.sender, form.payment_method) = (Some(" ".into()), None);
            form
        };
        assert_eq!(said(bad()).await, "Please Contact Admin to activate your account");
        set_status(&store, fixture.user, "active").await;
        assert_eq!(said(bad()).await, "Sender ID is required");
        let bad = || Form { sender: Some("WEBSMS".into()), ..bad() };
        assert_eq!(said(bad()).await, "Payment method is required");
        let bad = || Form { payment_method: Some("naira".into()), ..bad() };
        assert_eq!(said(bad()).await, "Recipients are required");
        let bad = || Form { sources: RecipientSource::text("0803".into()).into_iter().collect(), ..bad() };
        assert_eq!(said(bad()).await, "Message is required");
    }

    async fn what_cannot_be_sent_is_refused_and_leaves_nothing(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let other_sender = refused(&fixture, |form| form.sender = Some("MYSHOP".into())).await;
        assert!(other_sender.to_string().contains("use WEBSMS"), "{other_sender}");
        assert_eq!(refused(&fixture, |form| form.sender = Some("LONGERTHAN11".into())).await.code(), "sender_too_long");
        assert_eq!(refused(&fixture, |form| form.payment_method = Some("cash".into())).await.code(), "unknown_currency");
        let past = vec![NOW - Duration::from_secs(61)];
        assert_eq!(refused(&fixture, |form| form.times = Ok(past)).await.code(), "time_past");
        let unset = refused(&fixture, |form| form.payment_method = Some("espees".into())).await;
        assert!(unset.code() == "price_unset" && unset.to_string().contains("SMS-UNIT-PRICE"), "{unset}");
        let none = refused(&fixture, |form| form.sources = vec![file("name,phone\nAda,080312345\nObi,x\n")]).await;
        assert_eq!(none.code(), "no_usable_recipients");
        assert!(none.to_string().contains("2 entries were read") && none.to_string().contains("line 2"), "{none}");
        let empty = refused(&fixture, |form| form.sources = vec![file("")]).await;
        assert_eq!(empty.to_string(), "Recipients are required");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM audiences").await, 0);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM quotes").await, 0);
    }

    async fn an_upload_that_breaks_off_leaves_nothing_behind(store: Store) {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(IoError::other("the connection is gone"))
            }
        }
        let fixture = Fixture::open(&store, "100").await;
        // Enough chunks that some are written before the end is missed.
        let start = Cursor::new(numbers(CHUNK_SIZE * 60));
        let error = refused(&fixture, |form| form.sources = vec![RecipientSource::file(start.chain(Broken))]).await;
        assert_eq!(error.code(), "io");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM audiences").await, 0);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM audience_chunks").await, 0);
    }

    async fn a_long_list_is_written_in_chunks_while_it_is_read(store: Store) {
        let fixture = Fixture::open(&store, "0").await;
        let count = CHUNK_SIZE * 40 + 7;
        let mut form = fixture.form("Hello", "");
        form.sources = vec![file(numbers(count))];
        let quote = fixture.campaigns.quote(form).await.unwrap();
        assert_eq!(quote.total_contacts, count as i64);
        assert!(quote.balance_after < Amount::ZERO, "a quote is given without the money for it");
        let rows: Vec<(i64, i64, Vec<u8>)> = fixture.tx().await
            .all("SELECT size, pages, data FROM audience_chunks ORDER BY id", args![]).await.unwrap();
        assert_eq!(rows.len(), 41);
        assert_eq!(rows.iter().map(|row| row.0).sum::<i64>(), count as i64);
        let last = Chunk::decode(&rows[40].2).unwrap();
        assert_eq!((last.len(), last.numbers()[6].digits()), (7, 2_348_030_000_000 + count as u64 - 1));
    }

    async fn merge_fields_are_priced_for_each_recipient_and_only_their_columns_are_kept(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let mut form = fixture.form(&format!("{}{{NAME}}", "x".repeat(150)), "08031234567 08031234570");
        form.sources.push(file(
            "phone,secret,Name\n08031234567,s,Ada\n08031234568,s,Chukwuemeka\n08031234569,s,\n08031234571,s,😀\n",
        ));
        let quote = fixture.campaigns.quote(form).await.unwrap();
        assert_eq!((quote.total_contacts, quote.total_pages, quote.pages), (2, 3, (1, 2)));
        assert_eq!(quote.total_charges, "7.5".parse().unwrap());
        assert!(quote.message.ends_with("xAda"), "{}", quote.message);
        // Typed and in the file: the file's values serve. Typed alone: there is no value.
        assert_eq!((quote.total_duplicates_removed, quote.total_invalid), (1, 3));
        let rejects = fixture.campaigns.quote_rejects(fixture.user, QuoteId(quote.quote_id)).await.unwrap();
        let codes: Vec<_> = rejects.iter().map(|reject| (reject.line, &*reject.code)).collect();
        assert_eq!(codes, [(4, "merge_value_missing"), (5, "not_gsm7"), (1, "merge_value_missing")]);
        let (columns, data): (String, Vec<u8>) = fixture.tx().await
            .one("SELECT a.columns, c.data FROM audiences a JOIN audience_chunks c ON c.audience_id = a.id", args![])
            .await.unwrap();
        assert_eq!(columns, r#"["name"]"#);
        let chunk = Chunk::decode(&data).unwrap();
        assert_eq!(&*chunk.recipient(1).unwrap().fields()[0], "Chukwuemeka");
        assert_eq!((chunk.pages(0), chunk.pages(1)), (1, 2));
    }

    async fn a_field_and_a_title_match_whatever_their_case_spaces_and_underscores(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        for text in ["Pay by {due date}", "Pay by {DUE_DATE}"] {
            for title in ["Due Date", "due_date", " DUE  date "] {
                let mut form = fixture.form(text, "");
                form.sources = vec![file(format!("phone,{title}\n08031234567,Friday\n"))];
                let quote = fixture.campaigns.quote(form).await.unwrap();
                assert_eq!(quote.message, "Pay by Friday", "{text} {title}");
            }
        }
    }

    async fn a_merge_field_that_is_no_column_is_refused_with_the_columns_there_are(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let hello = || Ok(Content::Text { text: "Hi {nmae}".into() });
        let unknown = refused(&fixture, |form| {
            form.content = hello();
            form.sources = vec![file("phone,Name,Town\n08031234567,Ada,Jos\n")];
        }).await;
        assert_eq!(unknown.code(), "unknown_merge_field");
        assert!(unknown.to_string().contains("name, town") && unknown.to_string().contains("{{nmae}}"), "{unknown}");
        let spaced = refused(&fixture, |form| {
            form.content = Ok(Content::Text { text: "Pay by {due date} {first name}".into() });
            form.sources = vec![file("phone,Due_Date,Town\n08031234567,Friday,Jos\n")];
        }).await;
        assert_eq!(spaced.code(), "unknown_merge_field");
        assert!(spaced.to_string().contains("{first_name}"), "{spaced}");
        let none = refused(&fixture, |form| form.content = hello()).await;
        assert_eq!(none.code(), "merge_no_columns");
        assert!(none.to_string().contains("{{nmae}}"), "{none}");
    }

    async fn merge_fields_that_are_not_seen_take_no_room(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let unseen = "\u{200b}".repeat(1_000);
        let table = format!("phone,a,b\n08031234567,{unseen},{unseen}\n08051234567,{unseen},x\n08061234567,p,q\n");
        let mut form = fixture.form("Hi {a}{b}", "");
        form.sources = vec![RecipientSource::file(std::io::Cursor::new(table))];
        let quote = fixture.campaigns.quote(form).await.unwrap();
        assert_eq!((quote.total_contacts, quote.total_pages), (2, 2));
        assert_eq!((&*quote.rejects[0].value, &*quote.rejects[0].code), ("2348031234567", "fields_too_long"));
    }

    async fn chunks_are_cut_by_route_and_numbers_without_one_are_rejects(store: Store) {
        let networks = |carrier: &str, name: &str| RouteConfig {
            carrier: carrier.into(), networks: vec![name.into()], ..RouteConfig::default()
        };
        let carriers = [route_carrier("north"), RouteCarrier { rate: 2, ..route_carrier("south") }];
        let routes = [networks("south", "mtn"), networks("north", "glo")];
        let fixture = Fixture::with_routes(&store, "100", &carriers, &routes).await;
        let quote = fixture.quote("Hello", "08031234567 08051234567 08061234567 08021234567").await;
        assert_eq!((quote.total_contacts, quote.total_invalid), (3, 1));
        assert_eq!(quote.rejects[0].code, "no_route");
        assert_eq!(quote.route, "north, south");
        assert_eq!(quote.estimated_finish, Some((NOW + Duration::from_secs(1)).to_rfc3339()));
        let rows: Vec<(String, i64)> = fixture.tx().await
            .all("SELECT carrier, size FROM audience_chunks ORDER BY carrier", args![]).await.unwrap();
        assert_eq!(rows, [("north".to_owned(), 1), ("south".to_owned(), 2)]);
    }

    async fn an_entry_with_control_characters_is_a_reject_that_can_be_stored(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quote = fixture.quote("Hello", "08031234567, 08\u{0}031").await;
        let rejects = fixture.campaigns.quote_rejects(fixture.user, QuoteId(quote.quote_id)).await.unwrap();
        assert_eq!(rejects.len(), 1);
        assert!(rejects[0].value.chars().all(|c| !c.is_control()), "{:?}", rejects[0].value);
    }

    async fn the_first_thousand_rejects_are_kept_and_the_first_twenty_shown(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quote = fixture.quote("Hello", &format!("08031234567\n{}", "08031\n".repeat(1_500))).await;
        assert_eq!((quote.total_invalid, quote.rejects.len()), (1_500, 20));
        let rejects = fixture.campaigns.quote_rejects(fixture.user, QuoteId(quote.quote_id)).await.unwrap();
        assert_eq!((rejects.len(), rejects[0].line, rejects[999].line), (1_000, 2, 1_001));
    }

    async fn a_charge_beyond_counting_is_refused(store: Store) {
        let fixture = Fixture::open(&store, "0").await;
        set_price(&store, fixture.user, Currency::Naira, "9223372036854").await;
        let error = refused(&fixture, |form| form.sources = vec![file(numbers(2))]).await;
        assert_eq!(error.code(), "amount_out_of_range");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM audiences").await, 0);
    }

    async fn a_quote_is_nobody_elses(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let quote = fixture.quote("Hello", "08031234567").await;
        let other = user_with(&store, "obi", "0").await;
        assert_eq!(fixture.campaigns.find_quote(other, QuoteId(quote.quote_id)).await.unwrap_err().code(), "not_found");
        assert_eq!(fixture.campaigns.quote_rejects(other, QuoteId(quote.quote_id)).await.unwrap_err().code(), "not_found");
    }

    async fn the_same_key_answers_the_same_quote_and_another_form_is_a_conflict(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let keyed = |message: &str| {
            Form { idempotency_key: Some("k1".into()), ..fixture.form(message, "08031234567") }
        };
        let first = fixture.campaigns.quote(keyed("Hello")).await.unwrap();
        let second = fixture.campaigns.quote(keyed("Hello")).await.unwrap();
        assert_eq!(first.quote_id, second.quote_id);
        assert_eq!(fixture.campaigns.quote(keyed("Other")).await.unwrap_err().code(), "idempotency_key_reused");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM quotes").await, 1);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM audiences").await, 1);
    }

    async fn a_full_disk_stops_new_quotes(store: Store) {
        let mut fixture = Fixture::open(&store, "100").await;
        fixture.campaigns.disk = Some(crate::store::operations::disk::DiskGuard::new("/", u64::MAX));
        assert_eq!(refused(&fixture, |_| ()).await.code(), "low_disk");
    }

    async fn expired_quotes_go_with_their_audiences_but_never_the_newest_or_a_confirmed_one(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let confirmed = QuoteId(fixture.quote("One", "08031234567").await.quote_id);
        fixture.confirm(crate::campaign::confirm::QuoteTarget::Quote(confirmed)).await.unwrap();
        fixture.quote("Two", "08031234567, 0").await;
        let newest = fixture.quote("Three", "08031234567").await.quote_id;
        let purge = |now| store.write(Lane::Background, now, |tx, now| Box::pin(expire_quotes(tx, *now)));
        assert_eq!(purge(NOW + VALID_FOR + KEPT_FOR).await.unwrap(), 0, "it may still be asked about");
        fixture.advance(VALID_FOR + KEPT_FOR + Duration::from_millis(1));
        assert_eq!(purge(fixture.campaigns.now()).await.unwrap(), 1);
        assert_eq!(purge(fixture.campaigns.now()).await.unwrap(), 0);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM audiences").await, 2);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM audience_chunks").await, 2);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM quote_rejects").await, 0);
        assert_eq!(fixture.campaigns.find_quote(fixture.user, QuoteId(newest)).await.unwrap().quote_id, newest);
    }

    async fn an_audience_that_a_crash_left_is_removed_once_no_upload_can_own_it(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let kept = fixture.quote("One", "08031234567").await;
        store.write(Lane::Background, fixture.user, |tx, user| {
            Box::pin(async move {
                audience::insert(tx, &[NewAudience { user: *user, columns: &FieldNames::default(), made_at: NOW }]).await
            })
        }).await.unwrap();
        let sweep = |now| store.write(Lane::Background, now, |tx, now| Box::pin(remove_orphans(tx, *now)));
        assert_eq!(sweep(NOW + ORPHAN_AFTER).await.unwrap(), 0);
        assert_eq!(sweep(NOW + ORPHAN_AFTER + Duration::from_millis(1)).await.unwrap(), 1);
        assert!(fixture.campaigns.find_quote(fixture.user, QuoteId(kept.quote_id)).await.is_ok());
    }
}
