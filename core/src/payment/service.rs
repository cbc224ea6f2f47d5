//! What payments are made with: the database, the providers, their keys, time and randomness.

use std::sync::Arc;

use super::config::PaymentConfig;
use super::{Payment, Provider, paystack};
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::money::payment::PaymentId;
use crate::model::money::payment::PaymentMode;
use crate::settings::{Secret, SecretKey, TextKey, Vault, secret, text};
use crate::store::Store;
use crate::store::money::payment as rows;
use crate::time::Clock;

/// Begins, settles and checks payments.
#[derive(Clone, Debug)]
pub struct PaymentService {
    pub(super) store: Store,
    pub(super) http: reqwest::Client,
    pub(super) vault: Vault,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) config: Arc<PaymentConfig>,
}

/// The keys of stand-ins.
const SANDBOX_PAYSTACK: &str = "sk_test_sandbox";
const SANDBOX_ESPEES: &str = "sandbox";
const SANDBOX_WALLET: &str = "0x0000000000000000000000000000000000000001";

impl PaymentService {
    /// A payments. `http` follows no redirects and has limits of time.
    pub fn new(
        store: Store,
        http: reqwest::Client,
        vault: Vault,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        config: PaymentConfig,
    ) -> Self {
        Self { store, http, vault, clock, entropy, config: Arc::new(config) }
    }

    /// The payment with our reference, or ESPEES' own, if it is this user's.
    ///
    /// # Errors
    /// Not found, also for another user's.
    pub async fn find(&self, provider: Provider, reference: &str, user: UserId) -> Result<Payment> {
        let found =
            rows::by_either_reference(&mut self.store.read().await?, provider, reference.trim()).await?;
        found.filter(|payment| payment.user_id == user).ok_or(Error::NotFound("payment"))
    }

    /// The payment with this id.
    pub async fn by_id(&self, id: PaymentId) -> Result<Payment> {
        rows::by_id(&mut self.store.read().await?, id).await?.ok_or(Error::NotFound("payment"))
    }

    /// Our secret key at Paystack.
    pub async fn paystack_key(&self) -> Result<Secret> {
        self.key(SecretKey::PaystackSecretKey, Provider::Paystack, SANDBOX_PAYSTACK).await
    }

    /// The same; `None` while it is not set.
    pub(super) async fn known_paystack_key(&self) -> Result<Option<Secret>> {
        self.known_key(SecretKey::PaystackSecretKey, SANDBOX_PAYSTACK).await
    }

    pub(super) async fn espees_key(&self) -> Result<Secret> {
        self.key(SecretKey::EspeeApiKey, Provider::Espees, SANDBOX_ESPEES).await
    }

    async fn key(&self, key: SecretKey, provider: Provider, stand_in: &str) -> Result<Secret> {
        self.known_key(key, stand_in).await?.ok_or_else(|| unset(provider, key.name()))
    }

    async fn known_key(&self, key: SecretKey, stand_in: &str) -> Result<Option<Secret>> {
        let found = secret(&mut self.store.read().await?, &self.vault, key).await?;
        let found = found.filter(|secret| !secret.is_empty());
        Ok(found.or_else(|| self.config.sandbox_keys.then(|| Secret::new(stand_in))))
    }

    /// Where ESPEES go.
    pub(super) async fn wallet_address(&self) -> Result<String> {
        let found = text(&mut self.store.read().await?, TextKey::WalletAddress).await?;
        match found.map(|text| text.value.trim().to_owned()).filter(|text| !text.is_empty()) {
            Some(address) => Ok(address),
            None if self.config.sandbox_keys => Ok(SANDBOX_WALLET.to_owned()),
            None => Err(unset(Provider::Espees, TextKey::WalletAddress.name())),
        }
    }

    /// Whether the provider's key moves real money. ESPEES has no other.
    pub(super) async fn mode(&self, provider: Provider) -> Result<PaymentMode> {
        match provider {
            Provider::Paystack => Ok(paystack::mode(&self.paystack_key().await?)),
            Provider::Espees if self.config.sandbox_keys => Ok(PaymentMode::Test),
            Provider::Espees => Ok(PaymentMode::Live),
        }
    }
}

fn unset(provider: Provider, what: &str) -> Error {
    Error::unavailable(
        "payment_not_set_up",
        format!(
            "{} payments are not set up yet: an administrator must enter {what} first",
            provider.currency().label()
        ),
    )
}
