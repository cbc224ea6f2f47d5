//! Whether a PostgreSQL server can be reached and takes its user: asked once, before any pool waits for connections, so
//! that what fails is told at once.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection as _, Error as SqlxError};
use talkdrum_api::code;

use crate::error::{Error, Result};

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Connects once.
///
/// # Errors
/// `database_unreachable` where it may be another matter in a moment, `database_refused` where a person must change
/// something; both with the server, the database and the user, and never with the password.
pub(crate) async fn connect_once(options: &PgConnectOptions) -> Result<()> {
    let reached = async {
        match PgConnection::connect_with(options).await {
            Ok(connection) => usable_schema(options, connection).await,
            Err(error) => Err(explain(&error).of(options)),
        }
    };
    let silent = || passing(format!("it does not answer within {} seconds", PATIENCE.as_secs())).of(options);
    tokio::time::timeout(PATIENCE, reached).await.unwrap_or_else(|_| Err(silent()))
}

/// Refuses a user who may use no schema: to that user every database looks empty.
async fn usable_schema(options: &PgConnectOptions, mut connection: PgConnection) -> Result<()> {
    let asked = sqlx::query_as("SELECT CAST(current_schema() AS TEXT)").fetch_one(&mut connection).await;
    let (schema,): (Option<String>,) = asked.map_err(|error| explain(&error).of(options))?;
    if schema.is_none() {
        let user = options.get_username();
        let says = format!(
            "'{user}' may use no schema there: as the database's owner, GRANT USAGE, CREATE ON SCHEMA public TO \
             \"{user}\", or correct its search_path"
        );
        return Err(lasting(says).of(options));
    }
    // The answer was all that was wanted; a server that does not say goodbye is no failure.
    let _ = connection.close().await;
    Ok(())
}

/// Why a connection failed.
struct Reason {
    says: String,
    passes: bool,
}

fn passing(says: impl Into<String>) -> Reason {
    Reason { says: says.into(), passes: true }
}

fn lasting(says: impl Into<String>) -> Reason {
    Reason { says: says.into(), passes: false }
}

impl Reason {
    fn of(self, options: &PgConnectOptions) -> Error {
        let says = format!("{}: {}", place(options), self.says);
        match self.passes {
            true => Error::unavailable(code::DATABASE_UNREACHABLE, says),
            false => Error::rule("database_refused", says),
        }
    }
}

/// The server, database and user of an address.
fn place(options: &PgConnectOptions) -> String {
    let user = options.get_username();
    // A password with a slash in it ends the server's part of the address too soon: the rest of it is no name to show.
    let database = options.get_database().unwrap_or(user);
    let database =
        if database.contains('@') { "...: write / and @ of the password as %2F and %40" } else { database };
    let server = match options.get_socket() {
        Some(socket) => format!("{} (port {})", socket.display(), options.get_port()),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    };
    format!("PostgreSQL at {server}, database '{database}', user '{user}'")
}

fn explain(error: &SqlxError) -> Reason {
    match error {
        SqlxError::Io(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
            passing("the connection is refused: does the server run, and does it listen there?")
        }
        // The resolver's errors have no kind of their own.
        SqlxError::Io(error) if error.to_string().contains("lookup") => {
            passing(format!("the host is not known: {error}"))
        }
        // What rustls refuses comes as an error of reading.
        SqlxError::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            lasting(format!("TLS fails: {error}; see sslmode and sslrootcert"))
        }
        SqlxError::Io(error) => passing(format!("it cannot be reached: {error}")),
        SqlxError::Tls(error) => lasting(format!("TLS fails: {error}; see sslmode and sslrootcert")),
        SqlxError::Database(error) => {
            let said = error.message();
            match error.code().as_deref() {
                Some("28P01") => lasting("the password is wrong, or there is no such user"),
                Some("28000") => lasting(format!(
                    "the user is not let in: {said}. Make the role (createuser), or see pg_hba.conf"
                )),
                Some("3D000") => lasting("there is no such database: make it with createdb"),
                Some("42501") => lasting(format!("the user may not do that: {said}")),
                Some("53300") => {
                    passing(format!("there are too many connections: {said}; see max_connections"))
                }
                // What does not speak the protocol, as a pooler that knows no such database.
                Some("08P01") => lasting(said.to_owned()),
                // Shut down, starting, out of something, or broken for the moment.
                Some(code)
                    if code == "XX000" || ["57P", "53", "08"].iter().any(|class| code.starts_with(class)) =>
                {
                    passing(format!("it is not ready: {said}"))
                }
                _ => lasting(said.to_owned()),
            }
        }
        other => lasting(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;
    use crate::args;
    use crate::store::db::postgres::writer::RESTED;
    use crate::store::{Store, StoreOptions};
    use crate::testing::database::{POSTGRES_VARIABLE, PostgresDatabase, on, sibling};

    /// What opening a store at an address says, and under which code.
    async fn refused(url: &str) -> (&'static str, String) {
        let begun = std::time::Instant::now();
        let error = Store::open(&StoreOptions::new(url)).await.map(|_| ()).unwrap_err();
        assert!(begun.elapsed() < PATIENCE * 2, "it is told at once");
        (error.code(), error.to_string())
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_is_told_from_a_host_that_is_not_known() {
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let (code, says) = refused(&format!("postgres://ada:hunter2@127.0.0.1:{port}/talk")).await;
        assert_eq!(code, "database_unreachable");
        let place = format!("PostgreSQL at 127.0.0.1:{port}, database 'talk', user 'ada': ");
        assert!(says.starts_with(&place) && says.contains("refused"), "{says}");
        assert!(!says.contains("hunter2"), "{says}");
        let (code, says) = refused("postgres://ada@db.invalid/talk").await;
        assert_eq!(code, "database_unreachable");
        assert!(says.contains("the host is not known"), "{says}");
    }

    #[tokio::test]
    async fn a_server_that_lets_in_and_never_answers_is_not_waited_for() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut asked = [0; 1024];
            assert!(stream.read(&mut asked).await.unwrap() > 0);
            // Authenticated, and ready for a query.
            stream.write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I").await.unwrap();
            while stream.read(&mut asked).await.unwrap_or(0) > 0 {}
        });
        let (code, says) = refused(&format!("postgres://ada@127.0.0.1:{port}/talk?sslmode=disable")).await;
        assert_eq!(code, "database_unreachable");
        assert!(says.ends_with("it does not answer within 5 seconds"), "{says}");
        server.await.unwrap();
    }

    #[tokio::test]
    async fn a_wrong_password_is_named_and_the_word_itself_is_not() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut startup = [0; 1024];
            assert!(stream.read(&mut startup).await.unwrap() > 0);
            let fields = b"SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user \"ada\"\0\0";
            stream.write_all(b"E").await.unwrap();
            stream.write_all(&u32::try_from(fields.len() + 4).unwrap().to_be_bytes()).await.unwrap();
            stream.write_all(fields).await.unwrap();
        });
        let url = format!("postgres://ada:hunter2@127.0.0.1:{port}/talk?sslmode=disable");
        let (code, says) = refused(&url).await;
        server.await.unwrap();
        assert_eq!(code, "database_refused");
        assert!(says.contains("the password is wrong") && !says.contains("hunter2"), "{says}");
    }

    #[tokio::test]
    async fn a_connection_that_was_lost_while_it_rested_is_replaced() {
        let Ok(server) = std::env::var(POSTGRES_VARIABLE) else { return };
        let database = PostgresDatabase::create(&server).await;
        let store = database.open().await;
        let mut admin = PgConnection::connect(&database.url()).await.unwrap();
        for _ in 0..2 {
            let one: (i64,) =
                store.read().await.unwrap().one("SELECT CAST(1 AS BIGINT)", args![]).await.unwrap();
            assert_eq!(one, (1,));
            on(
                &mut admin,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                            WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )
            .await;
            tokio::time::sleep(RESTED).await;
        }
        admin.close().await.unwrap();
        store.close().await;
        database.drop().await;
    }

    #[tokio::test]
    async fn what_a_server_refuses_is_told_apart() {
        let Ok(server) = std::env::var(POSTGRES_VARIABLE) else { return };
        let database = PostgresDatabase::create(&server).await;
        let url = database.url();
        let options = PgConnectOptions::from_str(&url).unwrap();
        let role = format!("role_{}", options.get_database().unwrap());
        let mut admin = PgConnection::connect(&url).await.unwrap();
        on(&mut admin, &format!("CREATE ROLE {role} LOGIN CONNECTION LIMIT 0")).await;
        let as_user = |user: &str| {
            let (_, rest) = url.split_once('@').unwrap();
            format!("postgres://{user}@{rest}")
        };
        let (code, says) = refused(&as_user(&role)).await;
        assert_eq!(code, "database_unreachable");
        assert!(says.contains("too many connections"), "{says}");
        on(&mut admin, &format!("ALTER ROLE {role} CONNECTION LIMIT -1")).await;
        // It may connect, and sees no table of others.
        let store = Store::open(&StoreOptions::new(as_user(&role))).await.unwrap();
        let error = store.require_current_schema().await.unwrap_err();
        assert!(error.to_string().contains(&format!("may not be read by '{role}'")), "{error}");
        store.close().await;
        on(&mut admin, "REVOKE ALL ON SCHEMA public FROM PUBLIC").await;
        let (code, says) = refused(&as_user(&role)).await;
        assert_eq!(code, "database_refused");
        assert!(says.contains("may use no schema") && says.contains("GRANT USAGE"), "{says}");
        on(
            &mut admin,
            &format!("REVOKE CONNECT ON DATABASE {} FROM PUBLIC", options.get_database().unwrap()),
        )
        .await;
        let (code, says) = refused(&as_user(&role)).await;
        assert_eq!(code, "database_refused");
        assert!(says.contains("the user may not do that: permission denied for database"), "{says}");
        on(&mut admin, &format!("DROP ROLE {role}")).await;
        for (url, expected) in [
            (sibling(&server, "not_there"), "there is no such database"),
            (as_user("not_there"), "the user is not let in: role \"not_there\" does not exist"),
            (format!("{url}&sslmode=require"), "TLS fails"),
        ] {
            let (code, says) = refused(&url).await;
            assert_eq!(code, "database_refused");
            assert!(says.contains(expected), "{says}");
        }
        admin.close().await.unwrap();
        database.drop().await;
    }
}
