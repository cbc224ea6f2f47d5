//! The settings of an SMPP carrier, as they stand under `[[carriers]]` with `kind = "smpp"`.
//!
//! Every habit in which SMSCs differ is a setting here and nowhere else. Invariant: a configuration that passed
//! [`SmppConfig::validate`] needs no further check.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::carrier::ConfigSecret;
use crate::error::{Error, Result};

/// Which binds make up a connection (SMPP 3.4, 2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub enum BindMode {
    /// One session both ways.
    #[default]
    #[serde(rename = "transceiver")]
    Transceiver,
    /// Two sessions: one that submits, one that takes receipts and inbound messages.
    #[serde(rename = "transmitter+receiver")]
    TransmitterReceiver,
    /// One session that only submits: receipts come another way, or not at all.
    #[serde(rename = "transmitter")]
    Transmitter,
}

/// What the carrier means by data_coding 0, its default alphabet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Alphabet {
    /// GSM 03.38, one septet an octet.
    #[default]
    Gsm7,
    /// ISO 8859-1; what it lacks (Greek capitals, the euro) is sent as `?`.
    Latin1,
    /// ASCII; what it lacks is sent as `?`.
    Ascii,
}

/// How the parts of a long message are tied together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Concatenation {
    /// User data header with an 8-bit reference (3GPP TS 23.040, 9.2.3.24.1).
    #[default]
    Udh8,
    /// User data header with a 16-bit reference; parts are cut one septet shorter.
    Udh16,
    /// The TLVs sar_msg_ref_num, sar_total_segments and sar_segment_seqnum.
    Sar,
    /// One submit_sm with all of it in message_payload: one reference and one receipt for the whole message.
    Payload,
}

/// How class 0 is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub enum FlashMode {
    /// data_coding 0xF0; UCS-2 by 0x18.
    #[default]
    #[serde(rename = "0xF0", alias = "0xf0")]
    ClassF0,
    /// data_coding 0x10; UCS-2 by 0x18.
    #[serde(rename = "0x10")]
    Class10,
    /// The TLV dest_addr_subunit = 1 beside the usual data_coding.
    #[serde(rename = "dest_addr_subunit")]
    DestAddrSubunit,
}

/// The data_coding of WAP push and vCard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub enum BinaryCoding {
    /// 0x04, octets.
    #[default]
    #[serde(rename = "0x04")]
    Octets,
    /// 0xF5, octets of class 1.
    #[serde(rename = "0xF5", alias = "0xf5")]
    Class1,
}

/// How the carrier writes its message ids in answers and in receipts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MessageIdFormat {
    /// Both alike: compared as text, whatever the case, without leading zeros.
    #[default]
    Raw,
    /// Decimal in both.
    Decimal,
    /// Hexadecimal in both.
    Hex,
    /// Hexadecimal in submit_sm_resp, decimal in receipts.
    HexSubmit,
    /// Decimal in submit_sm_resp, hexadecimal in receipts.
    HexDeliver,
}

/// Where a receipt's id and state are taken from when it has both TLVs and text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReceiptSource {
    /// The TLVs where present, else the text.
    #[default]
    Auto,
    /// Only receipted_message_id and message_state.
    Tlv,
    /// Only the text.
    Text,
}

/// What goes into validity_period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Validity {
    /// The message's expiry, absolute in UTC (`YYMMDDhhmmss000+`).
    #[default]
    Absolute,
    /// The time left, relative (`YYMMDDhhmmss000R`).
    Relative,
    /// Nothing: the carrier's own default.
    None,
}

/// The settings of one SMPP carrier. Times are in milliseconds.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct SmppConfig {
    /// The label of reports and metrics.
    pub name: String,
    /// Host name or address of the SMSC.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// Who we are to the SMSC, up to 15 characters.
    pub system_id: String,
    /// The password. SMPP allows 8 characters; longer ones are sent as they are, for many SMSCs take them.
    pub password: ConfigSecret,
    /// A file with the password on its first line, instead of `password`.
    pub password_file: Option<PathBuf>,
    /// system_type of the bind, up to 12 characters; usually empty.
    pub system_type: String,
    /// address_range of the bind; usually empty.
    pub address_range: String,
    /// interface_version of the bind: 0x34 is SMPP 3.4.
    pub interface_version: u8,
    /// Which binds make up a connection.
    pub bind: BindMode,
    /// How many connections, 1 to 64.
    pub binds: u8,
    /// submit_sm outstanding on one bind, 1 to 65,536.
    pub window: u32,
    /// submit_sm a second over all binds; 0 is as fast as the carrier takes them.
    pub rate: u32,
    /// Speak TLS.
    pub tls: bool,
    /// PEM file of the authorities to trust instead of the system's.
    pub tls_ca_file: Option<PathBuf>,
    /// The name the SMSC's certificate must have, if it is not `host`.
    pub tls_server_name: Option<String>,
    /// service_type of submit_sm, up to 5 characters.
    pub service_type: String,
    /// Type of number of every sender; unset: 5 for names, 3 for short codes, 1 for numbers.
    pub source_ton: Option<u8>,
    /// Numbering plan of every sender; unset: 0 for names and short codes, 1 for numbers.
    pub source_npi: Option<u8>,
    /// Senders of up to so many digits are short codes.
    pub short_code_digits_max: u8,
    /// Type of number of destinations.
    pub dest_ton: u8,
    /// Numbering plan of destinations.
    pub dest_npi: u8,
    /// Write destinations with a leading `+`.
    pub dest_plus: bool,
    /// What data_coding 0 means.
    pub alphabet: Alphabet,
    /// How parts are tied together. WAP push and vCard always use a user data header.
    pub concatenation: Concatenation,
    /// How flash messages are marked.
    pub flash: FlashMode,
    /// data_coding of WAP push and vCard.
    pub binary: BinaryCoding,
    /// esm_class of every submit_sm; 0x40 (UDHI) is added where there is a header. 0x03 is store and forward.
    pub esm_class: u8,
    /// protocol_id.
    pub protocol_id: u8,
    /// priority_flag, 0 to 3.
    pub priority: u8,
    /// registered_delivery: 1 asks for a receipt, 2 for failures only, 0 for none; 0x10 adds intermediate ones.
    pub registered_delivery: u8,
    /// What goes into validity_period.
    pub validity: Validity,
    /// How ids are written.
    pub message_id: MessageIdFormat,
    /// Where a receipt's id and state are taken from.
    pub receipts: ReceiptSource,
    /// Take a deliver_sm with a receipt's text for a receipt although its esm_class does not say so. A handset
    /// could forge such a text, so it is off by default.
    pub receipts_without_esm_class: bool,
    /// The carrier's clock in receipt texts, minutes east of UTC.
    pub receipt_utc_offset_minutes: i16,
    /// Silence after which an enquire_link is sent.
    pub enquire_link_ms: u64,
    /// How long a connection attempt may take.
    pub connect_timeout_ms: u64,
    /// How long an answer may take.
    pub response_timeout_ms: u64,
    /// First wait before connecting again; doubled each time, with jitter.
    pub reconnect_min_ms: u64,
    /// Longest wait before connecting again.
    pub reconnect_max_ms: u64,
    /// First pause of a bind that was throttled; doubled while throttling goes on.
    pub throttle_pause_ms: u64,
    /// Longest pause of a throttled bind.
    pub throttle_pause_max_ms: u64,
}

impl Default for SmppConfig {
    fn default() -> Self {
        Self {
            name: String::new(),
            host: "127.0.0.1".to_owned(),
            port: 2775,
            system_id: String::new(),
            password: ConfigSecret::default(),
            password_file: None,
            system_type: String::new(),
            address_range: String::new(),
            interface_version: 0x34,
            bind: BindMode::Transceiver,
            binds: 1,
            window: 10,
            rate: 0,
            tls: false,
            tls_ca_file: None,
            tls_server_name: None,
            service_type: String::new(),
            source_ton: None,
            source_npi: None,
            short_code_digits_max: 6,
            dest_ton: 1,
            dest_npi: 1,
            dest_plus: false,
            alphabet: Alphabet::Gsm7,
            concatenation: Concatenation::Udh8,
            flash: FlashMode::ClassF0,
            binary: BinaryCoding::Octets,
            esm_class: 0,
            protocol_id: 0,
            priority: 0,
            registered_delivery: 1,
            validity: Validity::Absolute,
            message_id: MessageIdFormat::Raw,
            receipts: ReceiptSource::Auto,
            receipts_without_esm_class: false,
            receipt_utc_offset_minutes: 0,
            enquire_link_ms: 30_000,
            connect_timeout_ms: 10_000,
            response_timeout_ms: 60_000,
            reconnect_min_ms: 1_000,
            reconnect_max_ms: 60_000,
            throttle_pause_ms: 1_000,
            throttle_pause_max_ms: 30_000,
        }
    }
}

impl SmppConfig {
    /// Whether a receipt is asked for of each message that is delivered.
    pub const fn asks_for_receipts(&self) -> bool {
        self.registered_delivery & 3 == 1
    }

    /// Checks what the types do not.
    ///
    /// # Errors
    /// The first rule that is broken, naming the setting and what to write instead.
    pub fn validate(&self) -> Result<()> {
        let refuse = |field: &'static str, says: &str| {
            let name = &self.name;
            Err(Error::field(field, "carrier_config", format!("Carrier `{name}`: `{field}` {says}")))
        };
        let text = |value: &str, max: usize| value.len() <= max && !value.contains('\0');
        if self.name.trim().is_empty() {
            return refuse("name", "is missing: give the carrier a label");
        }
        if self.host.trim().is_empty() || self.port == 0 {
            return refuse("host", "and `port` must name the SMSC");
        }
        if self.system_id.is_empty() || !text(&self.system_id, 15) {
            return refuse("system_id", "must have 1 to 15 characters");
        }
        if !text(self.password.reveal(), 64) {
            return refuse("password", "has more than 64 characters");
        }
        if self.password_file.is_some() && !self.password.reveal().is_empty() {
            return refuse("password_file", "and `password` are both set: keep one");
        }
        if !text(&self.system_type, 12) || !text(&self.address_range, 40) || !text(&self.service_type, 5) {
            return refuse("system_type", "takes 12, `address_range` 40, `service_type` 5 characters");
        }
        if !(1..=64).contains(&self.binds) {
            return refuse("binds", "must be 1 to 64");
        }
        if !(1..=65_536).contains(&self.window) {
            return refuse("window", "must be 1 to 65536");
        }
        if self.priority > 3 {
            return refuse("priority", "must be 0 to 3");
        }
        if self.receipt_utc_offset_minutes.abs() > 14 * 60 {
            return refuse("receipt_utc_offset_minutes", "must lie within 14 hours");
        }
        self.validate_times(refuse)
    }

    fn validate_times(&self, refuse: impl Fn(&'static str, &str) -> Result<()>) -> Result<()> {
        if self.enquire_link_ms == 0 || self.response_timeout_ms == 0 || self.connect_timeout_ms == 0 {
            return refuse("response_timeout_ms", "and the other times must not be 0");
        }
        if self.reconnect_min_ms == 0 || self.reconnect_min_ms > self.reconnect_max_ms {
            return refuse("reconnect_min_ms", "must be above 0 and at most `reconnect_max_ms`");
        }
        if self.throttle_pause_ms == 0 || self.throttle_pause_ms > self.throttle_pause_max_ms {
            return refuse("throttle_pause_ms", "must be above 0 and at most `throttle_pause_max_ms`");
        }
        Ok(())
    }

    /// The password, from its setting or its file.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be read.
    pub fn password(&self) -> Result<ConfigSecret> {
        let Some(file) = &self.password_file else { return Ok(self.password.clone()) };
        let text = std::fs::read_to_string(file).map_err(|source| {
            Error::io(format!("Carrier `{}`: reading password_file {}", self.name, file.display()), source)
        })?;
        Ok(ConfigSecret::new(text.lines().next().unwrap_or_default()))
    }

    pub(super) const fn response_timeout(&self) -> Duration {
        Duration::from_millis(self.response_timeout_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valid() -> SmppConfig {
        SmppConfig { name: "main".into(), system_id: "talkdrum".into(), ..SmppConfig::default() }
    }

    fn parse(json: serde_json::Value) -> std::result::Result<SmppConfig, serde_json::Error> {
        serde_json::from_value(json)
    }

    #[test]
    fn the_settings_of_the_handbook_are_understood_and_the_rest_has_defaults() {
        let config = parse(serde_json::json!({
            "name": "main", "host": "127.0.0.1", "port": 2775, "system_id": "talkdrum", "password": "secret",
            "window": 100, "binds": 1, "rate": 0, "bind": "transmitter+receiver", "flash": "0x10",
            "message_id": "hex-submit", "concatenation": "sar", "alphabet": "latin1", "binary": "0xF5",
        }))
        .unwrap();
        assert_eq!(config.bind, BindMode::TransmitterReceiver);
        assert_eq!(config.message_id, MessageIdFormat::HexSubmit);
        assert_eq!((config.flash, config.binary), (FlashMode::Class10, BinaryCoding::Class1));
        assert_eq!(config.interface_version, 0x34);
        config.validate().unwrap();
    }

    #[test]
    fn an_unknown_setting_is_refused() {
        let error = parse(serde_json::json!({ "name": "main", "windw": 10 })).unwrap_err();
        assert!(error.to_string().contains("windw"), "{error}");
    }

    #[test]
    fn a_password_never_shows() {
        let config = SmppConfig { password: ConfigSecret::new("hunter2"), ..valid() };
        assert!(!format!("{config:?}").contains("hunter2"));
        assert!(!serde_json::to_string(&config).unwrap().contains("hunter2"));
    }

    #[test]
    fn a_password_file_gives_its_first_line() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("password");
        std::fs::write(&file, "s3cret\nnot this\n").unwrap();
        let config = SmppConfig { password_file: Some(file), ..valid() };
        assert_eq!(config.password().unwrap().reveal(), "s3cret");
    }

    #[test]
    fn what_cannot_be_spoken_is_refused_with_the_setting_named() {
        let broken = [
            ("name", SmppConfig { name: " ".into(), ..valid() }),
            ("system_id", SmppConfig { system_id: "a-name-far-too-long".into(), ..valid() }),
            ("window", SmppConfig { window: 0, ..valid() }),
            ("binds", SmppConfig { binds: 0, ..valid() }),
            ("reconnect_min_ms", SmppConfig { reconnect_min_ms: 9, reconnect_max_ms: 8, ..valid() }),
            ("throttle_pause_ms", SmppConfig { throttle_pause_ms: 0, ..valid() }),
        ];
        for (field, config) in broken {
            let error = config.validate().unwrap_err().to_string();
            assert!(error.contains(field), "{field}: {error}");
        }
        valid().validate().unwrap();
    }
}
