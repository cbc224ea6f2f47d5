//! A plain server: what axum and the store give on this machine to requests that only look a token up in memory and
//! read or write one row.
//!
//! It takes the way that Talkdrum's own requests take, through the same runtime and the same store, and
//! knows no layers, users or money; so what it gets is what a small request could get at most.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::{get, post};
use futures::future::BoxFuture;
use talkdrum_core::args;
use talkdrum_core::store::{BatchWrite, Column, Lane, Sql, Store, StoreOptions, Tx};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::load::{Load, Round};

const TOKEN: &str = "a-token-as-long-as-those-of-talkdrum-are";

/// Requests a second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain {
    /// A row read by its key.
    pub(crate) reads: f64,
    /// A row written, those that wait together in one commit.
    pub(crate) writes: f64,
}

/// Measures both with so many connections, each for so long.
pub(crate) async fn measure(connections: u64, duration: Duration) -> anyhow::Result<Plain> {
    let dir = tempfile::tempdir()?;
    let url = format!("sqlite://{}", dir.path().join("plain.db").display());
    let (started, port) = oneshot::channel();
    let (done, over) = oneshot::channel::<()>();
    let server = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(serve(url, started, over))
    });
    let port = port.await.context("the plain server did not start")?;
    let load =
        |round| Load { port, token: TOKEN.into(), round, connections, duration, pause: Duration::ZERO };
    let reads = load(Round::Read("/read".into())).run().await?.per_second;
    let writes = load(Round::Write("/write".into())).run().await?.per_second;
    drop(done);
    tokio::task::spawn_blocking(|| server.join())
        .await?
        .map_err(|_| anyhow::anyhow!("the plain server panicked"))??;
    Ok(Plain { reads, writes })
}

#[derive(Clone)]
struct App(Arc<(Store, HashMap<&'static str, i64>, AtomicU64)>);

async fn serve(
    url: String,
    started: oneshot::Sender<u16>,
    over: oneshot::Receiver<()>,
) -> anyhow::Result<()> {
    let store = Store::open(&StoreOptions::new(url)).await?;
    store.migrate().await?;
    let app = App(Arc::new((store.clone(), HashMap::from([(TOKEN, 1)]), AtomicU64::new(0))));
    let router = Router::new().route("/read", get(read)).route("/write", post(write)).with_state(app);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    // The caller may have given up.
    let _ = started.send(listener.local_addr()?.port());
    let stopping = async {
        let _ = over.await;
    };
    axum::serve(listener, router).with_graceful_shutdown(stopping).await?;
    store.close().await;
    Ok(())
}

fn user(app: &App, headers: &HeaderMap) -> Result<i64, StatusCode> {
    let token = headers.get(header::AUTHORIZATION).and_then(|it| it.to_str().ok()?.strip_prefix("Bearer "));
    token.and_then(|token| app.0.1.get(token)).copied().ok_or(StatusCode::UNAUTHORIZED)
}

async fn read(State(app): State<App>, headers: HeaderMap) -> Result<String, StatusCode> {
    let user = user(&app, &headers)?;
    let mut tx = app.0.0.read().await.map_err(failed)?;
    let sql = "SELECT COUNT(*) FROM settings WHERE key = $1";
    let (count,): (i64,) = tx.one(sql, args![user.to_string()]).await.map_err(failed)?;
    Ok(format!("{{\"count\":{count}}}"))
}

async fn write(State(app): State<App>, headers: HeaderMap) -> Result<String, StatusCode> {
    let user = user(&app, &headers)?;
    let number = app.0.2.fetch_add(1, Ordering::Relaxed);
    app.0.0.write_together(Lane::Interactive, Row(number)).await.map_err(failed)?;
    Ok(format!("{{\"user\":{user}}}"))
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err asks for")]
fn failed(error: talkdrum_core::Error) -> StatusCode {
    tracing::error!(%error, "the plain server failed");
    StatusCode::INTERNAL_SERVER_ERROR
}

/// A row to be written.
#[derive(Debug)]
struct Row(u64);

const WRITE: Sql = Sql::each(
    "INSERT INTO settings (key, value, updated_at) SELECT value ->> 0, 'plain', 1 FROM jsonb_each($1)",
    "INSERT INTO settings (key, value, updated_at) SELECT key, 'plain', 1 FROM UNNEST($1::TEXT[]) AS j(key)",
);

impl BatchWrite for Row {
    type Output = ();

    fn apply_batch<'a>(tx: &'a mut Tx, orders: &'a [Self]) -> BoxFuture<'a, talkdrum_core::Result<Vec<()>>> {
        Box::pin(async move {
            let keys = orders.iter().map(|order| Some(format!("{:016}", order.0))).collect();
            tx.run(WRITE, args![vec![Column::Texts(keys)]]).await?;
            Ok(vec![(); orders.len()])
        })
    }
}
