//! The administrator's settings: typed keys over text values; prices and rates, public texts, secrets.
//!
//! Invariants: a setting that was never set is neither zero nor empty but unset, and what needs it fails with an error
//! that names it; a secret is stored sealed, and only its last four characters are shown.

mod price;
mod price_list;
mod pricing_html;
mod rate;
mod secret;
mod text;
mod vault;

pub use price::{Price, PriceKey, UnitPrices, price, require_price, set_price, unit_prices, voice_price};
pub use price_list::{PriceList, change_prices, price_list, price_version};
pub use pricing_html::clean_write_up;
pub(crate) use rate::RateTable;
pub use rate::{
    ALL_RATES_MAX, PLANS_MAX, PageRates, RATES_MAX, RateCache, RateId, RatesChange, RatesOf, change_rates,
    give_plan, plan_of, plans_of, rates, rates_with_plan, users_by_plan,
};
pub use secret::{SecretKey, SecretSetting, require_secret, secret, secret_setting, set_secret, unreadable};
pub use text::{TextKey, clear_text, set_text, text};
pub use vault::{KEY_BYTES, Sealed, Secret, Vault};
