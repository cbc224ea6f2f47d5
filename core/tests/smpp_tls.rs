//! The SMPP carrier over TLS: it speaks to an SMSC whose certificate it can trust, and to no other.
//!
//! The certificate, its key and its authority in `smpp_tls/` were made for this test; the authority's key is gone.

#![expect(clippy::unwrap_used, reason = "what fails in a test's rig fails the test")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use talkdrum_api::kind::Kind;
use talkdrum_core::carrier::smpp::{SmppCarrier, SmppConfig, SmppDeps};
use talkdrum_core::carrier::{Event, Health, SmsCarrier, Submission, Verdict};
use talkdrum_core::content::{Body, Encoding, Part};
use talkdrum_core::model::message::id::MessageId;
use talkdrum_core::phone::Msisdn;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

const PATIENCE: Duration = Duration::from_secs(20);

fn file(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/smpp_tls")).join(name)
}

/// An SMSC over TLS that says yes to everything. Returns its port.
async fn start_smsc() -> u16 {
    let chain = CertificateDer::pem_file_iter(file("cert.pem")).unwrap().map(Result::unwrap).collect();
    let key = PrivateKeyDer::from_pem_file(file("key.pem")).unwrap();
    let server =
        rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(server));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            tokio::spawn(async move {
                let mut length = [0; 4];
                while stream.read_exact(&mut length).await.is_ok() {
                    let mut pdu = vec![0; u32::from_be_bytes(length) as usize - 4];
                    stream.read_exact(&mut pdu).await.unwrap();
                    let answer =
                        [&[0, 0, 0, 18, 0x80][..], &pdu[1..4], &[0; 4], &pdu[8..12], b"7\0"].concat();
                    stream.write_all(&answer).await.unwrap();
                }
            });
        }
    });
    port
}

fn config(port: u16) -> SmppConfig {
    SmppConfig {
        name: "tls".into(),
        port,
        system_id: "talkdrum".into(),
        tls: true,
        tls_ca_file: Some(file("ca.pem")),
        tls_server_name: Some("smsc.test".into()),
        ..SmppConfig::default()
    }
}

#[tokio::test]
async fn a_message_goes_out_over_tls() {
    let (carrier, mut events) = SmppCarrier::start(config(start_smsc().await), SmppDeps::default()).unwrap();
    tokio::time::timeout(PATIENCE, carrier.ready()).await.unwrap();
    let parts = vec![Part { data: b"Hi".as_slice().into() }];
    let body =
        Body { kind: Kind::Text, encoding: Encoding::Gsm7, flash: false, ports: None, parts, call: None };
    carrier.submit(vec![Submission {
        message: MessageId(1),
        to: Msisdn::from_digits(2_348_031_234_567).unwrap(),
        from: "Talkdrum".into(),
        body: Arc::new(body),
        parts_done: 0,
        tries: 0,
        caller: None,
        expires_at: None,
    }]);
    let batch = tokio::time::timeout(PATIENCE, events.recv()).await.unwrap().unwrap();
    assert!(
        matches!(&batch[..], [Event::Answer(answer)] if answer.verdict == Verdict::Accepted),
        "{batch:?}"
    );
    carrier.close(PATIENCE).await;
}

#[tokio::test]
async fn a_certificate_for_another_name_is_not_trusted() {
    let other = SmppConfig { tls_server_name: Some("other.test".into()), ..config(start_smsc().await) };
    let (carrier, _events) = SmppCarrier::start(other, SmppDeps::default()).unwrap();
    let deadline = Instant::now() + PATIENCE;
    loop {
        match carrier.health() {
            Health::Connecting { reason } if reason.contains("certificate") => break,
            health => assert!(Instant::now() < deadline && health != Health::Up, "{health:?}"),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn an_authority_file_without_certificates_is_an_error_at_the_start() {
    let broken = SmppConfig { tls_ca_file: Some(file("key.pem")), ..config(1) };
    let error = SmppCarrier::start(broken, SmppDeps::default()).unwrap_err().to_string();
    assert!(error.contains("tls_ca_file"), "{error}");
}
