//! An SMSC that speaks SMPP 3.4 on loopback: the sandbox's carrier, and what tests and benchmarks send to.
//!
//! Faultless, it delivers everything but numbers with a meaning (last four digits 9001 rejected, 9002 undelivered,
//! 9003 expired, 9004 no receipt, 9005 throttled once); every fault is asked for, and repeatable by its seed.
//!
//! Of a message only its pending receipt is kept, in 12 octets, unless an audit was asked for.

mod args;
mod connection;
mod counters;
mod dice;
mod mailbox;
mod pdu;
mod policy;
mod schedule;

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::{CancellationToken, DropGuard};

pub use self::args::{Chance, Faults, IdBase, ReceiptForm, SmscArgs, SmscOptions};
pub use self::counters::Counts;
pub use self::mailbox::FromHandset;

use self::connection::Connection;
use self::counters::{Audit, Counters};
use self::mailbox::{Mailbox, Senders, lock};
use self::policy::Policy;

/// Settings that running connections follow.
#[derive(Clone, Debug)]
struct Control {
    faults: Arc<Faults>,
    /// Raised to hang up on everybody.
    kicks: u64,
}

/// What connections share.
#[derive(Debug)]
struct House {
    started: Instant,
    first_id: u64,
    messages: AtomicU32,
    receipt_window: u32,
    credentials: Option<(String, String)>,
    policy: Policy,
    counters: Counters,
    audit: Audit,
    senders: Senders,
    mailboxes: Mutex<HashMap<Box<[u8]>, Arc<Mailbox>>>,
    /// The current minute as receipts write it, and the second at which it was written.
    date: Mutex<(u64, [u8; 10])>,
}

impl House {
    fn new(options: &SmscOptions) -> Self {
        Self {
            started: Instant::now(),
            first_id: options.first_id,
            messages: AtomicU32::new(0),
            receipt_window: options.receipt_window.max(1),
            credentials: options.credentials.clone(),
            policy: Policy::new(options.seed),
            counters: Counters::default(),
            audit: Audit::new(options.audit),
            senders: Senders::default(),
            mailboxes: Mutex::default(),
            date: Mutex::new((u64::MAX, *b"0000000000")),
        }
    }

    fn millis(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn nanos(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn until(&self, millis: u64) -> Duration {
        Duration::from_millis(millis).saturating_sub(self.started.elapsed())
    }

    /// The place of the next message after the first id.
    fn next_message(&self) -> u32 {
        self.messages.fetch_add(1, Ordering::Relaxed)
    }

    fn mailbox(&self, system_id: &[u8]) -> Arc<Mailbox> {
        Arc::clone(lock(&self.mailboxes).entry(system_id.into()).or_default())
    }

    /// `YYMMDDhhmm` in UTC.
    fn date(&self) -> [u8; 10] {
        let second = self.started.elapsed().as_secs();
        let mut date = lock(&self.date);
        if date.0 != second {
            let text = jiff::Timestamp::now().strftime("%y%m%d%H%M").to_string();
            *date = (second, text.as_bytes().try_into().unwrap_or(*b"0000000000"));
        }
        date.1
    }
}

/// A running SMSC; it stops when it is dropped.
#[derive(Debug)]
pub struct Smsc {
    house: Arc<House>,
    local_addr: SocketAddr,
    control: watch::Sender<Control>,
    _running: DropGuard,
}

impl Smsc {
    /// Starts an SMSC on the current runtime.
    ///
    /// # Errors
    /// When the address cannot be listened on.
    pub async fn bind(options: SmscOptions) -> io::Result<Self> {
        let listener = TcpListener::bind(options.listen).await?;
        let local_addr = listener.local_addr()?;
        let house = Arc::new(House::new(&options));
        let faults = Arc::new(options.faults);
        let (control, seen) = watch::channel(Control { faults, kicks: 0 });
        let token = CancellationToken::new();
        tokio::spawn(accept(listener, Arc::clone(&house), seen, token.clone()));
        Ok(Self { house, local_addr, control, _running: token.drop_guard() })
    }

    /// Where it listens.
    pub const fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// Changes what it does wrong, from now on.
    pub fn set_faults(&self, faults: Faults) {
        self.control.send_modify(|control| control.faults = Arc::new(faults));
    }

    /// What it does wrong now.
    pub fn faults(&self) -> Faults {
        Faults::clone(&self.control.borrow().faults)
    }

    /// Hangs up on everybody.
    pub fn disconnect_all(&self) {
        self.control.send_modify(|control| control.kicks += 1);
    }

    /// Sends a message from a handset to the client that is bound as `system_id`, or to the next one that binds.
    pub fn send_from_handset(&self, system_id: &str, message: &FromHandset) {
        self.house.mailbox(system_id.as_bytes()).put_inbound(message);
    }

    /// What it saw so far.
    pub fn counts(&self) -> Counts {
        self.house.counters.counts()
    }

    /// Receipts that wait to be sent, those outstanding not counted.
    pub fn receipts_waiting(&self) -> usize {
        lock(&self.house.mailboxes).values().map(|mailbox| mailbox.len()).sum()
    }

    /// How often a submit_sm to a number arrived, whatever became of it. Always 0 without an audit.
    pub fn times_seen(&self, number: u64) -> u32 {
        self.house.audit.times_seen(number)
    }

    /// How often a submit_sm to a number was accepted. Always 0 without an audit.
    pub fn times_accepted(&self, number: u64) -> u32 {
        self.house.audit.times_accepted(number)
    }

    /// Accepted submissions whose destination, sender and text had been accepted before. Always 0 without an audit.
    pub fn duplicates(&self) -> u64 {
        self.house.audit.duplicates()
    }
}

async fn accept(
    listener: TcpListener,
    house: Arc<House>,
    control: watch::Receiver<Control>,
    stop: CancellationToken,
) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    // Without it, answers are only slower.
                    let _ = stream.set_nodelay(true);
                    let mut control = control.clone();
                    control.mark_unchanged();
                    connections.spawn(Connection::new(Arc::clone(&house), stream, control).serve());
                }
                // Out of descriptors, most likely: wait for a connection to close.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
        }
    }
}

/// Runs an SMSC as `talkdrumd sandbox` does, until `shutdown`. Ids begin at the time of day, so that they do not repeat
/// over restarts.
///
/// # Errors
/// When the address cannot be listened on.
pub async fn run(args: SmscArgs, shutdown: CancellationToken) -> io::Result<()> {
    let now = jiff::Timestamp::now().as_millisecond();
    let first_id = u64::try_from(now).unwrap_or(0) << 10;
    let smsc = Smsc::bind(SmscOptions { first_id, ..SmscOptions::from(args) }).await?;
    tracing::info!(address = %smsc.local_addr(), "the sandbox SMSC listens");
    shutdown.cancelled().await;
    tracing::info!(counts = ?smsc.counts(), "the sandbox SMSC stops");
    Ok(())
}
