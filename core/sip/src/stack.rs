//! The SIP stack under a trunk and under the callee: transactions and dialogs of `rsipstack`, which appears in no public
//! signature of this package.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use rsipstack::EndpointBuilder;
use rsipstack::dialog::dialog_layer::DialogLayer;
use rsipstack::sip::{Header, HostWithPort, Scheme, Uri};
use rsipstack::transaction::TransactionReceiver;
use rsipstack::transaction::endpoint::{EndpointInnerRef, EndpointOption, TargetLocator};
use rsipstack::transport::TransportLayer;
use rsipstack::transport::udp::UdpConnection;
use tokio_util::sync::CancellationToken;

/// What is answered, here and there.
pub(crate) fn allow() -> Header {
    Header::Allow("INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO".into())
}

/// Tells whom messages are taken from.
pub(crate) type Whitelist = Box<dyn Fn(IpAddr) -> bool + Send + Sync>;

/// An endpoint that is being served.
pub(crate) struct Stack {
    pub(crate) endpoint: EndpointInnerRef,
    pub(crate) dialogs: Arc<DialogLayer>,
    /// Where others reach it.
    pub(crate) address: SocketAddr,
    stop: CancellationToken,
}

impl Stack {
    /// Binds a UDP socket and serves it. `external` is the address that others reach it at, where that is another one.
    /// The receiver brings the requests that belong to no transaction yet.
    pub(crate) async fn start(
        listen: SocketAddr,
        external: Option<IpAddr>,
        locator: Option<Box<dyn TargetLocator>>,
        whitelist: Option<Whitelist>,
    ) -> io::Result<(Self, TransactionReceiver)> {
        let stop = CancellationToken::new();
        // Bound by hand first: behind NAT the port has to be known before the stack is told its outer address.
        let socket = tokio::net::UdpSocket::bind(listen).await?;
        let bound = socket.local_addr()?;
        let address = SocketAddr::new(external.unwrap_or(bound.ip()), bound.port());
        let connection =
            UdpConnection::from_socket(Arc::new(socket), external.map(|_| address), Some(stop.clone()))
                .await
                .map_err(io::Error::other)?;
        let transport = TransportLayer::new(stop.clone());
        transport.add_transport(connection.into());
        if let Some(whitelist) = whitelist {
            transport.set_whitelist(move |address| std::future::ready(whitelist(address)));
        }
        let mut builder = EndpointBuilder::new();
        builder
            .with_user_agent(concat!("Talkdrum/", env!("CARGO_PKG_VERSION")))
            .with_transport_layer(transport)
            .with_cancel_token(stop.clone())
            // Without a suffix of ours, the stack would name its own maker in each Call-ID.
            .with_option(EndpointOption {
                callid_suffix: Some("talkdrum".into()),
                timerc: RINGING_MAX,
                ..EndpointOption::default()
            });
        if let Some(locator) = locator {
            builder.with_target_locator(locator);
        }
        let endpoint = builder.build();
        let incoming = endpoint.incoming_transactions().map_err(io::Error::other)?;
        let inner = endpoint.inner.clone();
        tokio::spawn(async move { endpoint.serve().await });
        let dialogs = Arc::new(DialogLayer::new(inner.clone()));
        Ok((Self { endpoint: inner, dialogs, address, stop }, incoming))
    }

    /// `sip:user@` this endpoint.
    pub(crate) fn contact(&self, user: &str) -> Uri {
        uri(user, HostWithPort::from(self.address))
    }

    /// Ends it; nothing is sent or received after.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        self.stop();
    }
}

/// `sip:user@host`.
pub(crate) fn uri(user: &str, host: HostWithPort) -> Uri {
    let auth = (!user.is_empty()).then(|| rsipstack::sip::Auth { user: user.into(), password: None });
    Uri { scheme: Some(Scheme::Sip), auth, host_with_port: host, ..Uri::default() }
}

/// When the stack itself gives up ringing (Timer C): after every trunk's own time for it.
const RINGING_MAX: Duration = Duration::from_secs(600);
