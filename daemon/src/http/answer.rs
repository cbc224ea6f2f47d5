//! Large answers on their way out: counted from when they are built until their last byte is written.
//!
//! The server takes an answer's body at once and holds its bytes until the client has read them. So it is the bytes that
//! hold the room, not the body: both are gone together.

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use futures::{FutureExt as _, StreamExt as _};

use crate::limit::SMALL_ANSWER_BYTES;
use crate::limit::admission::{Admitted, Bodies, HeldRoom};

/// Marks an answer whose bytes are part of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InProgram;

/// Takes room for an answer whose length is known and not small. One that finds none is refused, unless it tells of
/// something that was changed.
pub(super) async fn counted(
    response: Response,
    method: &Method,
    held: &HeldRoom,
    bodies: &Bodies,
) -> Response {
    let length = response.body().size_hint().exact().unwrap_or(0);
    if length <= SMALL_ANSWER_BYTES || response.extensions().get::<InProgram>().is_some() {
        return response;
    }
    let room = match held.room_for_answer(bodies, usize::try_from(length).unwrap_or(usize::MAX)) {
        Ok(Some(room)) => room,
        Ok(None) => return response,
        Err(refused) if method.is_safe() || is_clip(&response) => return refused.into_response(),
        Err(_) => return response,
    };
    let (parts, body) = response.into_parts();
    let mut pieces = body.into_data_stream();
    let body = match pieces.next().now_or_never() {
        Some(Some(Ok(whole))) if whole.len() as u64 == length => Body::from(holding(whole, room)),
        // It comes in pieces: the room is free when the last was taken.
        first => Body::from_stream(futures::stream::iter(first.flatten()).chain(pieces).inspect(move |_| {
            let _ = &room;
        })),
    };
    Response::from_parts(parts, body)
}

/// Whether it is a clip: one that is asked for by POST, and changes nothing.
fn is_clip(response: &Response) -> bool {
    response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == "audio/wav")
}

/// The same bytes, which give the room back when the last copy is dropped.
fn holding(bytes: Bytes, room: Admitted) -> Bytes {
    struct Owner {
        bytes: Bytes,
        _room: Admitted,
    }
    impl AsRef<[u8]> for Owner {
        fn as_ref(&self) -> &[u8] {
            &self.bytes
        }
    }
    Bytes::from_owner(Owner { bytes, _room: room })
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::response::Response;
    use reqwest::Method;
    use talkdrum_core::contact::{NewContact, NewGroup, create, create_group};
    use talkdrum_core::model::account::id::UserId;
    use talkdrum_core::model::account::user::Role;
    use talkdrum_core::platform::quota::Quotas;
    use talkdrum_core::store::Lane;
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::{TcpSocket, TcpStream};

    use super::{InProgram, counted};
    use crate::limit::admission::{Bodies, HeldRoom, Sender};
    use crate::limit::{ANSWERS_AT_ONCE, SMALL_ANSWER_BYTES};
    use crate::testing::{START, TestDaemon};

    const PATH: &str = "/api/get/contact?page=1&per_page=1000";
    /// Bytes of each contact's merge fields, about.
    const CONTACT: usize = 3_900;

    /// A user with a thousand contacts that are as large as contacts can be, and the token.
    async fn with_large_contacts(daemon: &TestDaemon) -> String {
        let user = daemon.user("ada", Role::User).await;
        daemon
            .store()
            .write(Lane::Interactive, user, |tx, user| {
                Box::pin(async move {
                    let group = create_group(tx, *user, &NewGroup::parse("Customers", "")?, START).await?;
                    let fields: Vec<String> =
                        (0..4).map(|n| format!("f{n}={}", "x".repeat(CONTACT / 4))).collect();
                    for n in 0..1_000 {
                        let new = NewContact::parse(&format!("08031{:06}", 200_000 + n), "Ada", "", &fields)?;
                        create(tx, *user, group, (&new, &Quotas::default()), START).await?;
                    }
                    Ok(())
                })
            })
            .await
            .unwrap();
        daemon.login("ada").await
    }

    /// A client that asks for all of them and reads nothing.
    async fn unread(daemon: &TestDaemon, token: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        // Else the two sockets hold what the server should.
        socket.set_recv_buffer_size(16 << 10).unwrap();
        let mut stream = socket.connect(daemon.address()).await.unwrap();
        let head = format!("GET {PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        stream
    }

    async fn until(daemon: &TestDaemon, is_so: impl Fn(usize) -> bool) {
        for _ in 0..1_200 {
            if is_so(daemon.app().bodies.bytes_at_once()) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(25)).await;
        }
        panic!("{} bytes are held", daemon.app().bodies.bytes_at_once());
    }

    #[tokio::test]
    async fn answers_that_are_not_read_are_bounded_for_each_user_and_free_when_their_connection_is_gone() {
        let daemon = TestDaemon::start().await;
        let ada = with_large_contacts(&daemon).await;
        let eve = daemon.signed_in("eve", Role::User).await;
        let mut open = Vec::new();
        for n in 1..=3 {
            open.push(unread(&daemon, &ada).await);
            // The estimate of each has made place for its length before the next is asked for.
            let length = 1_000 * CONTACT;
            until(&daemon, |held| held >= n * length && held < n * (length + length / 3)).await;
        }
        let refused = daemon.get(PATH, &ada).await;
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (429, "too_many_answers"),
            "{}",
            refused.text.len()
        );
        assert_eq!(daemon.get("/api/get/contact?page=1&per_page=20", &ada).await.status, 200);
        assert_eq!(daemon.get("/api/get/contact", &eve).await.status, 200, "another user's");
        drop(open);
        until(&daemon, |held| held == 0).await;
        let read = daemon.get(PATH, &ada).await;
        assert_eq!((read.status, read.json()["contacts"].as_array().unwrap().len()), (200, 1_000));
        until(&daemon, |held| held == 0).await;
        daemon.stop().await;
    }

    #[tokio::test]
    async fn an_answer_that_finds_no_room_is_refused_unless_something_was_changed() {
        let (bodies, held) = (Bodies::default(), HeldRoom::default());
        held.is_for(UserId(1));
        let _all = bodies.admit(Sender::Answer(UserId(1)), ANSWERS_AT_ONCE, false).await.unwrap();
        let mut in_program = Response::new(Body::from(vec![0; SMALL_ANSWER_BYTES as usize + 1]));
        in_program.extensions_mut().insert(InProgram);
        assert_eq!(counted(in_program, &Method::GET, &held, &bodies).await.status(), 200);
        for (method, kind, status) in [
            (Method::GET, "application/json", 429),
            (Method::POST, "application/json", 200),
            // A clip is asked for by POST, and can be asked for again.
            (Method::POST, "audio/wav", 429),
        ] {
            let body = Body::from(vec![0; SMALL_ANSWER_BYTES as usize + 1]);
            let response = Response::builder().header("content-type", kind).body(body).unwrap();
            assert_eq!(counted(response, &method, &held, &bodies).await.status(), status, "{method} {kind}");
        }
    }

    #[tokio::test]
    async fn merge_fields_that_are_too_long_together_are_refused_where_they_are_entered() {
        let daemon = TestDaemon::start().await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let made = daemon.post("/api/create/group", &ada, &[("group_name", "Customers")]).await;
        let group = made.json()["group"]["id"].as_i64().unwrap();
        let field = |name: &str| format!("{name}={}", "x".repeat(1_000));
        let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(field);
        let path = format!("/api/create/contact/group/{group}");
        let mut form =
            vec![("phone", "08031234567"), ("field", &a), ("field", &b), ("field", &c), ("field", &d)];
        let made = daemon.post(&path, &ada, &form).await;
        assert_eq!(made.status, 201, "{}", made.text);
        let id = &made.json()["contact"]["id"];
        let changed = daemon.request(Method::PUT, &format!("/api/update/contact/{id}"), &ada);
        let changed = daemon.send(changed.form(&[("field", &e)])).await;
        assert_eq!((changed.status, changed.code().as_str()), (400, "fields_too_long"));
        form.push(("field", &e));
        form[0].1 = "08031234568";
        let refused = daemon.post(&path, &ada, &form).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, "fields_too_long"));
        daemon.stop().await;
    }
}
