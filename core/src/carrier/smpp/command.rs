//! Command ids and statuses of SMPP 3.4 (5.1.2.1, 5.1.3), and the small PDUs that are little but a header.
//!
//! Whatever is written here is one whole PDU whose command_length is its length.

use std::borrow::Cow;

/// The octets of a PDU header.
pub(super) const HEADER: usize = 16;

pub(super) const GENERIC_NACK: u32 = 0x8000_0000;
pub(super) const BIND_RECEIVER: u32 = 0x0000_0001;
pub(super) const BIND_TRANSMITTER: u32 = 0x0000_0002;
pub(super) const SUBMIT_SM: u32 = 0x0000_0004;
pub(super) const SUBMIT_SM_RESP: u32 = 0x8000_0004;
pub(super) const DELIVER_SM: u32 = 0x0000_0005;
pub(super) const DELIVER_SM_RESP: u32 = 0x8000_0005;
pub(super) const UNBIND: u32 = 0x0000_0006;
pub(super) const UNBIND_RESP: u32 = 0x8000_0006;
pub(super) const BIND_TRANSCEIVER: u32 = 0x0000_0009;
pub(super) const OUTBIND: u32 = 0x0000_000B;
pub(super) const ENQUIRE_LINK: u32 = 0x0000_0015;
pub(super) const ENQUIRE_LINK_RESP: u32 = 0x8000_0015;
pub(super) const ALERT_NOTIFICATION: u32 = 0x0000_0102;
pub(super) const DATA_SM: u32 = 0x0000_0103;
pub(super) const DATA_SM_RESP: u32 = 0x8000_0103;

/// Set in the id of every answer.
pub(super) const RESPONSE: u32 = 0x8000_0000;

pub(super) const ESME_ROK: u32 = 0x00;
pub(super) const ESME_RINVCMDLEN: u32 = 0x02;
pub(super) const ESME_RINVCMDID: u32 = 0x03;
pub(super) const ESME_RINVBNDSTS: u32 = 0x04;
pub(super) const ESME_RALYBND: u32 = 0x05;
pub(super) const ESME_RSYSERR: u32 = 0x08;
pub(super) const ESME_RBINDFAIL: u32 = 0x0D;
pub(super) const ESME_RINVPASWD: u32 = 0x0E;
pub(super) const ESME_RINVSYSID: u32 = 0x0F;
pub(super) const ESME_RMSGQFUL: u32 = 0x14;
pub(super) const ESME_RINVSERTYP: u32 = 0x15;
pub(super) const ESME_RINVSYSTYP: u32 = 0x53;
pub(super) const ESME_RTHROTTLED: u32 = 0x58;
pub(super) const ESME_RINVSCHED: u32 = 0x61;
pub(super) const ESME_RX_T_APPN: u32 = 0x64;

/// The fixed part of every PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) id: u32,
    pub(super) status: u32,
    pub(super) sequence: u32,
}

/// What a refused submit_sm is about, and whether it may be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The carrier's load or a fault of it: later it may take the message, and another carrier now.
    CarrierForNow,
    /// The account, the bind or the commands that this carrier allows: another carrier may take the message.
    Carrier,
    /// Later it may be taken, by this carrier.
    ForNow,
    /// The number, the sender, the content, or nothing that is said: no carrier is to take it.
    Message,
}

impl Refused {
    /// What a status says: the one place where this is decided. A sender that a carrier refuses is the message's: it is for
    /// the operator to have it approved there. ESME_RSUBMITFAIL and ESME_RUNKNOWNERR say no reason; filters of content
    /// answer them, too.
    pub(super) const fn by(status: u32) -> Self {
        match status {
            ESME_RTHROTTLED | ESME_RMSGQFUL | ESME_RSYSERR => Self::CarrierForNow,
            ESME_RINVCMDID | ESME_RINVBNDSTS | ESME_RALYBND | ESME_RBINDFAIL | ESME_RINVPASWD
            | ESME_RINVSYSID | ESME_RINVSERTYP | ESME_RINVSYSTYP => Self::Carrier,
            ESME_RINVSCHED | ESME_RX_T_APPN => Self::ForNow,
            _ => Self::Message,
        }
    }

    /// Whether the same carrier may be tried again later; every other status is for good.
    pub(super) const fn is_temporary(self) -> bool {
        matches!(self, Self::CarrierForNow | Self::ForNow)
    }

    /// Whether the reason is the carrier's, so that another may be tried.
    pub(super) const fn is_carriers(self) -> bool {
        matches!(self, Self::CarrierForNow | Self::Carrier)
    }
}

/// Whether a refused bind says that the credentials are wrong. ESME_RBINDFAIL does not: an SMSC that is starting or busy
/// answers it, too.
pub(super) const fn is_bind_hopeless(status: u32) -> bool {
    matches!(status, ESME_RINVPASWD | ESME_RINVSYSID | ESME_RINVSYSTYP)
}

/// A status in words, for reports.
pub(super) fn reason(status: u32) -> Cow<'static, str> {
    let words = match status {
        0x01 => "the message length is invalid",
        0x02 => "the command length is invalid",
        0x03 => "the command is not known to the carrier",
        0x04 => "the bind does not allow this command",
        0x05 => "already bound: close the other connection, or ask for more binds",
        0x06 => "the priority is invalid",
        0x07 => "the registered delivery flag is invalid",
        0x08 => "system error of the carrier",
        0x0A => "the sender is invalid",
        0x0B => "the destination is invalid",
        0x0C => "the message id is invalid",
        0x0D => "bind failed",
        0x0E => "the password is wrong",
        0x0F => "the system_id is not known",
        0x11 => "cancelling failed",
        0x13 => "replacing failed",
        0x14 => "the carrier's queue is full",
        0x15 => "the service type is invalid",
        0x33 => "the number of destinations is invalid",
        0x40 => "the destination flag is invalid",
        0x43 => "the esm_class is invalid",
        0x44 => "distribution lists cannot be used",
        0x45 => "the carrier refused the message",
        0x48 => "the sender's type of number is invalid",
        0x49 => "the sender's numbering plan is invalid",
        0x50 => "the destination's type of number is invalid",
        0x51 => "the destination's numbering plan is invalid",
        0x53 => "the system_type is not known",
        0x54 => "the replace flag is invalid",
        0x55 => "the number of messages is invalid",
        0x58 => "throttled: the carrier's rate limit was exceeded",
        0x61 => "the scheduled time is invalid",
        0x62 => "the validity period is invalid",
        0x63 => "the predefined message is invalid",
        0x64 => "temporary error of the receiver",
        0x65 => "permanent error of the receiver",
        0x66 => "rejected by the receiver",
        0x67 => "query failed",
        0xC0 => "the optional part of the PDU is invalid",
        0xC1 => "an optional parameter is not allowed",
        0xC2 => "the length of a parameter is invalid",
        0xC3 => "an optional parameter is missing",
        0xC4 => "an optional parameter is invalid",
        0xFE => "delivery failed",
        0xFF => "unknown error of the carrier",
        other => return Cow::Owned(format!("the carrier's own error 0x{other:08X}")),
    };
    Cow::Borrowed(words)
}

/// Appends a PDU that is a header alone.
pub(super) fn put_header(out: &mut Vec<u8>, id: u32, status: u32, sequence: u32) {
    out.extend_from_slice(&header_octets(HEADER, id, status, sequence));
}

/// Appends an answer whose body is an empty message_id: deliver_sm_resp and data_sm_resp.
pub(super) fn put_delivery_resp(out: &mut Vec<u8>, id: u32, status: u32, sequence: u32) {
    out.extend_from_slice(&header_octets(HEADER + 1, id, status, sequence));
    out.push(0);
}

/// What a bind says of us.
#[derive(Clone, Copy, Debug)]
pub(super) struct BindRequest<'a> {
    pub(super) id: u32,
    pub(super) system_id: &'a str,
    pub(super) password: &'a str,
    pub(super) system_type: &'a str,
    pub(super) interface_version: u8,
    pub(super) address_range: &'a str,
}

/// Appends a bind. Written by hand since passwords beyond the 8 characters of the standard are common.
pub(super) fn put_bind(out: &mut Vec<u8>, bind: BindRequest<'_>, sequence: u32) {
    let texts = [bind.system_id, bind.password, bind.system_type];
    let length =
        HEADER + texts.iter().map(|text| text.len() + 1).sum::<usize>() + 4 + bind.address_range.len();
    out.extend_from_slice(&header_octets(length, bind.id, ESME_ROK, sequence));
    for text in texts {
        put_c_string(out, text.as_bytes());
    }
    out.extend_from_slice(&[bind.interface_version, 0, 0]);
    put_c_string(out, bind.address_range.as_bytes());
}

/// Appends a C-octet string.
pub(super) fn put_c_string(out: &mut Vec<u8>, text: &[u8]) {
    out.extend_from_slice(text);
    out.push(0);
}

fn header_octets(length: usize, id: u32, status: u32, sequence: u32) -> [u8; HEADER] {
    let mut octets = [0; HEADER];
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    for (place, word) in [length, id, status, sequence].into_iter().enumerate() {
        octets[place * 4..place * 4 + 4].copy_from_slice(&word.to_be_bytes());
    }
    octets
}

#[cfg(test)]
mod tests {
    use rusmpp::decode::DecodeWithLength;
    use rusmpp::{Command, CommandId, CommandStatus, Pdu};
    use tokio_util::bytes::BytesMut;

    use super::*;

    fn decoded(octets: &[u8]) -> Command {
        let length = u32::from_be_bytes(octets[..4].try_into().unwrap()) as usize;
        assert_eq!(length, octets.len());
        Command::decode(&mut BytesMut::from(&octets[4..]), length - 4).unwrap().0
    }

    #[test]
    fn an_enquire_link_is_sixteen_octets() {
        let mut out = Vec::new();
        put_header(&mut out, ENQUIRE_LINK, ESME_ROK, 7);
        assert_eq!(out, [0, 0, 0, 16, 0, 0, 0, 0x15, 0, 0, 0, 0, 0, 0, 0, 7]);
        assert_eq!(decoded(&out).id(), CommandId::EnquireLink);
    }

    #[test]
    fn a_deliver_sm_resp_has_an_empty_message_id() {
        let mut out = Vec::new();
        put_delivery_resp(&mut out, DELIVER_SM_RESP, ESME_ROK, 9);
        let command = decoded(&out);
        assert_eq!((command.id(), command.sequence_number), (CommandId::DeliverSmResp, 9));
    }

    #[test]
    fn a_bind_is_understood_by_another_codec() {
        let mut out = Vec::new();
        let bind = BindRequest {
            id: BIND_TRANSCEIVER,
            system_id: "talkdrum",
            password: "secret08",
            system_type: "VMA",
            interface_version: 0x34,
            address_range: "",
        };
        put_bind(&mut out, bind, 1);
        let command = decoded(&out);
        assert_eq!(command.status, CommandStatus::EsmeRok);
        let Some(Pdu::BindTransceiver(seen)) = command.pdu() else { panic!("{command:?}") };
        assert_eq!(seen.system_id.as_str(), "talkdrum");
        assert_eq!(seen.password.as_str(), "secret08");
        assert_eq!(seen.system_type.as_str(), "VMA");
    }

    #[test]
    fn only_five_statuses_are_temporary() {
        let temporary: Vec<u32> = (0..0x500).filter(|status| Refused::by(*status).is_temporary()).collect();
        assert_eq!(temporary, [0x08, 0x14, 0x58, 0x61, 0x64]);
    }

    #[test]
    fn what_is_about_load_and_account_is_the_carriers_and_what_says_nothing_is_not() {
        let carriers: Vec<u32> = (0..0x500).filter(|status| Refused::by(*status).is_carriers()).collect();
        assert_eq!(carriers, [0x03, 0x04, 0x05, 0x08, 0x0D, 0x0E, 0x0F, 0x14, 0x15, 0x53, 0x58]);
    }

    #[test]
    fn wrong_credentials_are_hopeless_and_a_second_bind_is_not() {
        let hopeless: Vec<u32> = (0..0x500).filter(|status| is_bind_hopeless(*status)).collect();
        assert_eq!(hopeless, [0x0E, 0x0F, 0x53], "0x0D, bind failed, passes: an SMSC that starts says it");
    }
}
