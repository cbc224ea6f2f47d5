//! Kannel on the same work: HTTP in, the same SMSC, receipts to an HTTP sink; beside it Talkdrum with as many messages.
//!
//! Both are measured in one run against SMSCs of the same make, so that their ratio means something.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::ensure;
use axum::Router;
use axum::extract::State;
use axum::routing::get;

use crate::campaign;
use crate::load::Connection;
use crate::numbers;
use crate::process::{Process, free_port};
use crate::rig::{Plan, Rig, WINDOW, start_smsc, wait_for_port};
use crate::table::{Figure, Goal, Peer, Unit, grouped};
use crate::{Setup, say};

/// Messages through each.
const MESSAGES: usize = 20_000;
/// When no receipt came for so long, no more will.
const GIVEN_UP: Duration = Duration::from_secs(5);
/// Connections to its HTTP interface.
const CONNECTIONS: usize = 20;

/// Kannel at work.
#[derive(Debug)]
struct Kannel {
    bearerbox: Process,
    smsbox: Process,
    _smsc: Process,
    port: u16,
    sink: u16,
    receipts: Arc<AtomicUsize>,
}

/// What Kannel did.
#[derive(Clone, Copy, Debug)]
struct Sent {
    /// From the first request to the last receipt that came.
    seconds: f64,
    /// CPU seconds of both its processes.
    cpu: f64,
    /// Receipts that never came.
    lost: usize,
}

/// Measures both.
pub(crate) async fn measure(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    if !["/usr/sbin/bearerbox", "/usr/sbin/smsbox"].iter().all(|program| Path::new(program).exists()) {
        figures.push(Figure::missing("Kannel on the same work", "it is not installed (Debian: kannel)"));
        return Ok(());
    }
    let dir = tempfile::tempdir()?;
    let kannel = Kannel::start(setup, dir.path()).await?;
    let sent = kannel.send(MESSAGES).await?;
    drop(kannel);
    say("measuring: talkdrum on the same");
    let rig = Rig::start(&setup.programs, &Plan::default()).await?;
    let cost = campaign::run(&rig, MESSAGES, 13).await?;
    rig.close()?;
    let at = |what: &str| format!("{} messages beside Kannel: {what}", grouped(MESSAGES as f64));
    let (theirs, rate) = (sent.cpu * 1e6 / MESSAGES as f64, MESSAGES as f64 / sent.seconds);
    figures.extend([
        Figure::new(at("CPU a message with receipt"), Unit::Micros, Goal::Shown, cost.micros())
            .beside(Peer::Here("Kannel", theirs))
            .note(format!(
                "{:.0} times as much for Kannel: by HTTP, receipts to HTTP, nothing stored, {} receipts lost; Talkdrum \
                 stores all, and lost none",
                theirs / cost.micros(),
                sent.lost
            )),
        Figure::new(at("rate with receipts"), Unit::PerSecond, Goal::ShownRate, cost.rate())
            .beside(Peer::Here("Kannel", rate)),
    ]);
    Ok(())
}

impl Kannel {
    async fn start(setup: &Setup, dir: &Path) -> anyhow::Result<Self> {
        let (smsc_port, admin, inner, port) = (free_port()?, free_port()?, free_port()?, free_port()?);
        let smsc = start_smsc(&setup.programs, smsc_port, &[], dir)?;
        wait_for_port(smsc_port).await?;
        let receipts = Arc::new(AtomicUsize::new(0));
        let sink = sink(Arc::clone(&receipts)).await?;
        let config = dir.join("kannel.conf");
        std::fs::write(&config, settings(smsc_port, admin, inner, port))?;
        let bearerbox = Process::start(
            Command::new("/usr/sbin/bearerbox").arg("-v").arg("4").arg(&config),
            &dir.join("log"),
        )?;
        wait_for_port(inner).await?;
        let smsbox = Process::start(
            Command::new("/usr/sbin/smsbox").arg("-v").arg("4").arg(&config),
            &dir.join("log"),
        )?;
        wait_for_port(port).await?;
        // The bind to the SMSC has no port to wait for.
        tokio::time::sleep(Duration::from_secs(2)).await;
        Ok(Self { bearerbox, smsbox, _smsc: smsc, port, sink, receipts })
    }

    fn cpu(&self) -> f64 {
        self.bearerbox.cpu() + self.smsbox.cpu()
    }

    /// Sends so many and waits for their receipts.
    async fn send(&self, count: usize) -> anyhow::Result<Sent> {
        let (before, start) = (self.cpu(), Instant::now());
        let next = Arc::new(AtomicUsize::new(0));
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..CONNECTIONS {
            let (next, port, sink) = (Arc::clone(&next), self.port, self.sink);
            tasks.spawn(async move {
                let mut connection = Connection::open(port).await?;
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return anyhow::Ok(());
                    }
                    connection.ask(&request(&numbers::one(index as u64, 1), sink)).await?;
                }
            });
        }
        while let Some(sent) = tasks.join_next().await {
            sent??;
        }
        let (mut came, mut last) = (0, Instant::now());
        while came < count && last.elapsed() < GIVEN_UP {
            let now = self.receipts.load(Ordering::Relaxed);
            if now > came {
                (came, last) = (now, Instant::now());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        ensure!(came > count / 2, "Kannel passed on {came} of {count} receipts only");
        let seconds = last.duration_since(start).as_secs_f64();
        Ok(Sent { seconds, cpu: self.cpu() - before, lost: count - came })
    }
}

fn request(number: &str, sink: u16) -> String {
    format!(
        "GET /cgi-bin/sendsms?username=figures&password=figures&from=Figures&to={number}\
         &text=Good+day.+Your+order+is+ready%3B+our+store+is+open+until+6+pm.+Reply+STOP+to+opt+out.\
         &dlr-mask=3&dlr-url=http%3A%2F%2F127.0.0.1%3A{sink}%2Fdlr HTTP/1.1\r\nhost: localhost\r\n\r\n"
    )
}

/// An HTTP server that counts what Kannel tells it.
async fn sink(receipts: Arc<AtomicUsize>) -> anyhow::Result<u16> {
    let count = async |State(receipts): State<Arc<AtomicUsize>>| {
        receipts.fetch_add(1, Ordering::Relaxed);
        "ok"
    };
    let router = Router::new().route("/dlr", get(count)).with_state(receipts);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    let port = listener.local_addr()?.port();
    tokio::spawn(axum::serve(listener, router).into_future());
    Ok(port)
}

fn settings(smsc: u16, admin: u16, inner: u16, port: u16) -> String {
    format!(
        "group = core\nadmin-port = {admin}\nadmin-password = figures\nsmsbox-port = {inner}\nlog-level = 4\n\
         dlr-storage = internal\nbox-allow-ip = \"127.0.0.1\"\n\n\
         group = smsc\nsmsc = smpp\nsmsc-id = main\nhost = 127.0.0.1\nport = {smsc}\nsmsc-username = figures\n\
         smsc-password = figures\nsystem-type = \"\"\ntransceiver-mode = true\nmax-pending-submits = {WINDOW}\n\n\
         group = smsbox\nbearerbox-host = 127.0.0.1\nsendsms-port = {port}\nlog-level = 4\n\n\
         group = sendsms-user\nusername = figures\npassword = figures\n\n\
         group = sms-service\nkeyword = default\ntext = \"no\"\n"
    )
}
