//! The life of one link: connect, bind, run the session, and connect again after a growing, jittered wait.
//!
//! Invariant: a bind refused for its credentials is tried again only after [`REFUSED_PAUSE`], and while no session
//! sends, submissions are answered as unsent at once.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use super::command::{
    BIND_RECEIVER, BIND_TRANSCEIVER, BIND_TRANSMITTER, BindRequest, ESME_ROK, GENERIC_NACK, RESPONSE,
    is_bind_hopeless, put_bind, reason,
};
use super::frame::Frames;
use super::session::{End, Session};
use super::shared::{Link, LinkStatus, Role, Shared};
use super::template::Templates;
use super::trace_line;
use super::wire::Wire;
use crate::time::backoff::Backoff;

/// The wait after a bind that was refused for its credentials.
const REFUSED_PAUSE: Duration = Duration::from_mins(10);

/// Why there is no session.
#[derive(Debug)]
enum Failure {
    /// The connection may be tried again.
    Passing(String),
    /// The credentials are wrong, as far as the carrier knows: it is tried again rarely, so that no account is locked.
    Hopeless(String),
}

/// Runs the link until the carrier closes.
pub(super) async fn run(shared: Arc<Shared>, index: usize) {
    let Some(link) = shared.links.get(index) else { return };
    let config = &shared.config;
    let mut templates = Templates::default();
    let mut backoff = Backoff::new(
        Duration::from_millis(config.reconnect_min_ms),
        Duration::from_millis(config.reconnect_max_ms),
    );
    loop {
        let reason = match while_down(&shared, link, connect(&shared, link)).await {
            None => return,
            Some(Ok((wire, frames))) => {
                tracing::info!(carrier = config.name, link = index, "bound");
                link.set_status(LinkStatus::Up, shared.clock.now());
                let end = Session::new(&shared, link, &mut templates, wire, frames).run().await;
                backoff.reset();
                match end {
                    End::Closed => "unbound".to_owned(),
                    End::Lost(reason) => reason,
                }
            }
            Some(Err(Failure::Passing(reason))) => reason,
            Some(Err(Failure::Hopeless(reason))) => {
                tracing::error!(carrier = config.name, link = index, reason, wait = ?REFUSED_PAUSE, "stopped");
                link.set_status(LinkStatus::Stopped(reason), shared.clock.now());
                if while_down(&shared, link, tokio::time::sleep(REFUSED_PAUSE)).await.is_none() {
                    return;
                }
                continue;
            }
        };
        let wait = backoff.jittered(&*shared.entropy);
        if !shared.queue.closing().is_cancelled() {
            tracing::warn!(carrier = config.name, link = index, reason, ?wait, "not connected");
        }
        link.set_status(LinkStatus::Connecting(reason), shared.clock.now());
        if while_down(&shared, link, tokio::time::sleep(wait)).await.is_none() {
            return;
        }
    }
}

/// Waits for something while this link has no session; `None` if the carrier closes.
async fn while_down<T>(shared: &Shared, link: &Link, future: impl Future<Output = T>) -> Option<T> {
    let mut future = std::pin::pin!(future);
    loop {
        tokio::select! {
            biased;
            () = shared.queue.closing().cancelled() => return None,
            output = &mut future => return Some(output),
            () = link.bell.rung() => shared.return_unsent().await,
        }
    }
}

async fn connect(shared: &Shared, link: &Link) -> Result<(Wire, Frames), Failure> {
    let config = &shared.config;
    let place = format!("{}:{}", config.host, config.port);
    let mut wire = match timeout(Duration::from_millis(config.connect_timeout_ms), shared.dialer.dial()).await
    {
        Ok(Ok(wire)) => wire,
        Ok(Err(error)) => return Err(Failure::Passing(format!("{place} cannot be reached: {error}"))),
        Err(_) => return Err(Failure::Passing(format!("{place} does not answer"))),
    };
    let mut frames = Frames::default();
    match timeout(config.response_timeout(), bind(shared, link, &mut wire, &mut frames)).await {
        Ok(outcome) => outcome.map(|()| (wire, frames)),
        Err(_) => Err(Failure::Passing(format!("{place} does not answer the bind"))),
    }
}

async fn bind(shared: &Shared, link: &Link, wire: &mut Wire, frames: &mut Frames) -> Result<(), Failure> {
    let config = &shared.config;
    let lost =
        |error: std::io::Error| Failure::Passing(format!("the connection broke while binding: {error}"));
    let id = match link.role {
        Role::Transceiver => BIND_TRANSCEIVER,
        Role::Transmitter => BIND_TRANSMITTER,
        Role::Receiver => BIND_RECEIVER,
    };
    let request = BindRequest {
        id,
        system_id: &config.system_id,
        password: shared.password.reveal(),
        system_type: &config.system_type,
        interface_version: config.interface_version,
        address_range: &config.address_range,
    };
    let mut octets = Vec::new();
    put_bind(&mut octets, request, 1);
    for line in trace_line::outgoing(&octets) {
        shared.trace.note(|| line);
    }
    wire.write_all(&octets).await.map_err(lost)?;
    wire.flush().await.map_err(lost)?;
    loop {
        let next = frames.next().map_err(|bad| {
            Failure::Passing(format!("the answer to the bind has {} octets: this is no SMSC", bad.0))
        })?;
        if let Some((header, body)) = next {
            shared.trace.note(|| trace_line::incoming(header, body));
        }
        match next.map(|(header, _)| header) {
            Some(header) if header.id == id | RESPONSE || header.id == GENERIC_NACK => {
                return judge(header.status);
            }
            Some(_) => {}
            None => match wire.read(frames.space()).await.map_err(lost)? {
                0 => return Err(Failure::Passing("the carrier hung up at the bind".to_owned())),
                count => frames.filled(count),
            },
        }
    }
}

fn judge(status: u32) -> Result<(), Failure> {
    if status == ESME_ROK {
        return Ok(());
    }
    let words = format!("the carrier refused the bind: {} (0x{status:02X})", reason(status));
    if is_bind_hopeless(status) {
        return Err(Failure::Hopeless(format!(
            "{words}; check system_id, password and system_type. It is tried again in {} minutes, and at once after \
             'talkdrum carriers reload' where they were changed",
            REFUSED_PAUSE.as_secs() / 60
        )));
    }
    Err(Failure::Passing(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bind_refused_for_its_credentials_is_hopeless() {
        assert!(judge(0).is_ok());
        assert!(matches!(judge(0x0E), Err(Failure::Hopeless(reason)) if reason.contains("password")));
        assert!(matches!(judge(0x08), Err(Failure::Passing(_))));
        assert!(matches!(judge(0x0D), Err(Failure::Passing(_))), "an SMSC that starts");
    }
}
