//! The deadline of a client that does not read its answers: its connection is closed, and what was held for it is free.
//!
//! Time counts only while an answer waits for the client: an idle connection, and an event stream with nothing to say,
//! may stay. Each byte that the client takes gives time back, so that a slow reader is served and a stalled one is not.

use std::future::Future as _;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::limit::{ANSWER_BYTES_A_SECOND, UNREAD_FOR};

/// Accepts connections that are closed when their client does not read.
#[derive(Debug)]
pub(crate) struct Connections(pub(crate) TcpListener);

impl Listener for Connections {
    type Io = Connection<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY was not set");
        }
        (Connection::new(stream, UNREAD_FOR), address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

/// Who is at the other end of the connection: the client, or a proxy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remote(pub(crate) SocketAddr);

impl Connected<IncomingStream<'_, Connections>> for Remote {
    fn connect_info(stream: IncomingStream<'_, Connections>) -> Self {
        Self(*stream.remote_addr())
    }
}

/// A connection with the time that its client has left for reading.
#[derive(Debug)]
pub(crate) struct Connection<S> {
    stream: S,
    /// The most time that is left.
    patience: Duration,
    left: Duration,
    /// Since when a write waits.
    waits_since: Option<Instant>,
    /// Made when a write first waits.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<S> Connection<S> {
    fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, left: patience, waits_since: None, deadline: None }
    }

    /// Counts the result of a write.
    fn note(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => {
                if let Some(since) = self.waits_since.take() {
                    self.left = self.left.saturating_sub(since.elapsed());
                }
                if self.left < self.patience {
                    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
                    let earned = Duration::from_secs(1) * bytes / ANSWER_BYTES_A_SECOND;
                    self.left = self.left.saturating_add(earned).min(self.patience);
                }
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(failed) => Poll::Ready(failed),
            Poll::Pending => {
                let left = self.left;
                let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep_until(Instant::now())));
                if self.waits_since.is_none() {
                    let now = Instant::now();
                    self.waits_since = Some(now);
                    deadline.as_mut().reset(now + left);
                }
                ready!(deadline.as_mut().poll(cx));
                tracing::info!("a client did not read its answer: its connection is closed");
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = into.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, into);
        // The next request may be another client's: proxies share their connections.
        if read.is_ready() && into.filled().len() > before && this.waits_since.is_none() {
            this.left = this.patience;
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.note(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(cx, pieces);
        this.note(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
    use tokio::time::{sleep, timeout};

    use super::*;

    const PIECE: usize = 4 << 10;
    const PATIENCE: Duration = Duration::from_millis(500);
    const LONG: Duration = Duration::from_secs(20);

    /// A connection that takes one piece at a time, and its client.
    fn connection() -> (Connection<DuplexStream>, DuplexStream) {
        let (stream, client) = duplex(PIECE);
        (Connection::new(stream, PATIENCE), client)
    }

    #[tokio::test]
    async fn a_client_that_reads_nothing_or_next_to_nothing_is_cut_off() {
        for every in [None, Some(PATIENCE / 5)] {
            let (mut connection, mut client) = connection();
            let reading = tokio::spawn(async move {
                let Some(every) = every else { return std::future::pending().await };
                while client.read_u8().await.is_ok() {
                    sleep(every).await;
                }
            });
            let started = Instant::now();
            let written =
                timeout(LONG, connection.write_all(&[0; 4 * PIECE])).await.expect("it ends by itself");
            assert_eq!(written.unwrap_err().kind(), io::ErrorKind::TimedOut, "{every:?}");
            assert!(started.elapsed() >= PATIENCE);
            reading.abort();
        }
    }

    #[tokio::test]
    async fn a_slow_client_and_an_idle_connection_are_not_cut_off() {
        let (mut connection, mut client) = connection();
        let pieces = 40;
        let reading = tokio::spawn(async move {
            let mut piece = vec![0; PIECE];
            for _ in 0..pieces {
                client.read_exact(&mut piece).await.unwrap();
                sleep(PATIENCE / 20).await;
            }
            client
        });
        let started = Instant::now();
        connection.write_all(&vec![0; pieces * PIECE]).await.unwrap();
        assert!(started.elapsed() > PATIENCE, "as a whole it took longer than that");
        let mut client = reading.await.unwrap();
        sleep(PATIENCE * 2).await;
        connection.write_all(&[7]).await.unwrap();
        assert_eq!(client.read_u8().await.unwrap(), 7);
    }
}
