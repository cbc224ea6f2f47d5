//! Sockets for audio.

use std::io;
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::UdpSocket;

/// Gives out the even ports of a range in turn, so that a port rests before another call has it: packets of the call
/// before may still be under way.
#[derive(Debug)]
pub(crate) struct Ports {
    listen: IpAddr,
    range: Option<RangeInclusive<u16>>,
    turn: AtomicUsize,
}

impl Ports {
    pub(crate) fn new(listen: IpAddr, range: Option<RangeInclusive<u16>>) -> Self {
        Self { listen, range, turn: AtomicUsize::new(0) }
    }

    /// A socket on the next port that is free.
    pub(crate) async fn bind(&self) -> io::Result<UdpSocket> {
        let Some(range) = &self.range else {
            return UdpSocket::bind((self.listen, 0)).await;
        };
        let even: Vec<u16> = range.clone().filter(|port| port % 2 == 0).collect();
        let mut refused = io::Error::from(io::ErrorKind::AddrInUse);
        for _ in &even {
            let turn = self.turn.fetch_add(1, Ordering::Relaxed);
            match UdpSocket::bind((self.listen, even[turn % even.len()])).await {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => refused = error,
                bound => return bound,
            }
        }
        Err(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn ports_are_even_taken_in_turn_and_end() {
        let taken = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        let middle = taken.local_addr().unwrap().port() & !1;
        let ports =
            Ports::new([127, 0, 0, 1].into(), Some(middle.saturating_sub(4)..=middle.saturating_add(5)));
        let mut sockets = Vec::new();
        while let Ok(socket) = ports.bind().await {
            assert_eq!(socket.local_addr().unwrap().port() % 2, 0);
            sockets.push(socket);
        }
        assert!(sockets.len() <= 5, "{}", sockets.len());
        if let Some(first) = sockets.first() {
            let port = first.local_addr().unwrap().port();
            sockets.remove(0);
            assert_eq!(ports.bind().await.unwrap().local_addr().unwrap().port(), port, "free again");
        }
    }
}
