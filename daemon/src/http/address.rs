//! The address of the client, as our trusted proxies report it.

use std::net::{IpAddr, Ipv6Addr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};

use super::unread::Remote;
use crate::problem::ApiError;
use crate::state::AppState;

/// The address of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<AppState> for ClientAddress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        Ok(Self(of(&parts.extensions, &parts.headers, app)))
    }
}

/// The address of the client that sent a request.
pub(super) fn of(extensions: &Extensions, headers: &HeaderMap, app: &AppState) -> IpAddr {
    let peer = extensions
        .get::<ConnectInfo<Remote>>()
        .map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |ConnectInfo(Remote(peer))| peer.ip().to_canonical());
    client(peer, headers, &app.trusted_proxies)
}

/// The client that a trusted proxy names in `X-Forwarded-For`.
///
/// Each proxy adds the address that it was called from at the end, so the hops are read from there: a trusted one vouches
/// for the hop before it, and the first that is not trusted is the client. What stands before that one is the client's
/// own word and is not read. Where a hop cannot be read, the chain ends at the trusted proxy that wrote it: its clients
/// then share one allowance, and none of them can choose an address.
fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|proxy| proxy.to_canonical() == address);
    let lines = headers.get_all("x-forwarded-for").iter().rev();
    let mut hops = lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b',')).map(hop);
    let mut known = peer;
    while is_trusted(known)
        && let Some(Some(hop)) = hops.next()
    {
        known = hop;
    }
    known
}

/// An address as proxies write it: with or without a port, IPv6 with or without brackets and a zone.
fn hop(bytes: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(bytes).ok()?.trim();
    let (host, port) = match text.strip_prefix('[') {
        Some(bracketed) => bracketed.split_once(']')?,
        // One colon stands before a port, several are an IPv6 address.
        None if text.matches(':').count() == 1 => text.split_at(text.find(':')?),
        None => (text, ""),
    };
    if !port.is_empty() {
        port.strip_prefix(':')?.parse::<u16>().ok()?;
    }
    let (address, zone) = host.split_once('%').map_or((host, None), |(address, zone)| (address, Some(zone)));
    let address: IpAddr = address.parse().ok()?;
    let is_written_right = match address {
        IpAddr::V4(_) => zone.is_none() && !text.starts_with('['),
        IpAddr::V6(_) => zone.is_none_or(|zone| !zone.is_empty()),
    };
    is_written_right.then(|| address.to_canonical())
}

#[cfg(test)]
mod tests;
