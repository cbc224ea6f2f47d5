//! The socket: TCP without delay, and TLS over it where the carrier wants it.
//!
//! No octet is written but through here, and TLS never falls back to plain text.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::config::SmppConfig;
use crate::error::{Error, Result};

/// How to reach the carrier.
#[derive(Clone)]
pub(super) struct Dialer {
    host: String,
    port: u16,
    tls: Option<(TlsConnector, ServerName<'static>)>,
}

impl std::fmt::Debug for Dialer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { host, port, tls } = self;
        f.debug_struct("Dialer").field("host", host).field("port", port).field("tls", &tls.is_some()).finish()
    }
}

impl Dialer {
    /// Reads the authorities to trust.
    ///
    /// # Errors
    /// When they cannot be read, or the server's name is none.
    pub(super) fn new(config: &SmppConfig) -> Result<Self> {
        let tls = if config.tls { Some(tls(config)?) } else { None };
        Ok(Self { host: config.host.clone(), port: config.port, tls })
    }

    /// Connects; the caller limits the time.
    pub(super) async fn dial(&self) -> io::Result<Wire> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        stream.set_nodelay(true)?;
        let Some((connector, name)) = &self.tls else { return Ok(Wire::Plain(stream)) };
        connector.connect(name.clone(), stream).await.map(|stream| Wire::Tls(Box::new(stream)))
    }
}

impl SmppConfig {
    /// Reads the files that it names, as starting would.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn check_files(&self) -> Result<()> {
        self.password()?;
        Dialer::new(self).map(drop)
    }
}

fn tls(config: &SmppConfig) -> Result<(TlsConnector, ServerName<'static>)> {
    let refuse = |what: String| Error::rule("carrier_config", format!("Carrier `{}`: {what}", config.name));
    let mut roots = RootCertStore::empty();
    for certificate in authorities(config)? {
        roots.add(certificate).map_err(|error| refuse(format!("an authority cannot be trusted: {error}")))?;
    }
    if roots.is_empty() {
        return Err(refuse("no authority to trust was found: set `tls_ca_file`".to_owned()));
    }
    let name = config.tls_server_name.clone().unwrap_or_else(|| config.host.clone());
    let name = ServerName::try_from(name)
        .map_err(|_| refuse("`tls_server_name` is not a host name or address".to_owned()))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| refuse(format!("TLS cannot be set up: {error}")))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok((TlsConnector::from(Arc::new(client)), name))
}

fn authorities(config: &SmppConfig) -> Result<Vec<CertificateDer<'static>>> {
    let Some(file) = &config.tls_ca_file else { return Ok(rustls_native_certs::load_native_certs().certs) };
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    read.map_err(|error| {
        let name = &config.name;
        let message = format!(
            "Carrier `{name}`: `tls_ca_file` {} is no PEM file of certificates: {error}",
            file.display()
        );
        Error::rule("carrier_config", message)
    })
}

/// A connected socket.
#[derive(Debug)]
pub(super) enum Wire {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Self::Tls(stream) => Pin::new(stream).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(cx, buf),
            Self::Tls(stream) => Pin::new(stream).poll_write(cx, buf),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Self::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
