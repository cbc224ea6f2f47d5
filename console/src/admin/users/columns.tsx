// The columns of the six tabs of a user.
import Box from "@mui/material/Box";
import type { components } from "../../api/schema";
import { CampaignCost } from "../../design/CampaignCost";
import type { Column } from "../../design/DataTable";
import { currencyOf } from "../../design/money";
import { Signed } from "../../design/Signed";
import { kindOf } from "../../design/transactionKind";
import { DateTime, Money, StatusChip } from "../../design/values";
import type { VoiceReport } from "../../design/voiceReport";
import { Phone } from "../list/cells";
import { VOICE_COLUMNS } from "../list/voiceColumns";

type Schemas = components["schemas"];

const text = (words: string) => <Box sx={{ maxWidth: 320, overflowWrap: "anywhere" }}>{words}</Box>;
const count = (number: number | undefined) => (number ?? 0).toLocaleString("en");

export const MESSAGES: Column<Schemas["Campaign"]>[] = [
  {
    key: "created_at",
    label: "Confirmed",
    phone: "plain",
    cell: (row) => <DateTime value={row.created_at} />,
  },
  { key: "senderid", label: "Sender ID", phone: "plain", cell: (row) => row.senderid },
  { key: "msg", label: "Message", phone: "title", cell: (row) => text(row.msg || row.sms_type) },
  { key: "total", label: "Recipients", align: "right", cell: (row) => count(row.total_contacts) },
  { key: "sent", label: "Delivered", align: "right", cell: (row) => count(row.counts.delivered) },
  { key: "failed", label: "Failed", align: "right", cell: (row) => count(row.no_of_failed_contacts) },
  {
    key: "charges",
    label: "Cost",
    align: "right",
    phone: "figure",
    cell: (row) => <CampaignCost campaign={row} />,
  },
  { key: "status", label: "Status", phone: "status", cell: (row) => <StatusChip status={row.status} /> },
];

export const VOICE: Column<VoiceReport>[] = [
  ...VOICE_COLUMNS,
  { key: "created_at", label: "When", phone: "plain", cell: (row) => <DateTime value={row.created_at} /> },
];

export const TRANSACTIONS: Column<Schemas["Transaction"]>[] = [
  {
    key: "transaction_date",
    label: "When",
    phone: "plain",
    cell: (row) => <DateTime value={row.transaction_date} />,
  },
  { key: "narration", label: "Narration", phone: "title", cell: (row) => text(row.narration || kindOf(row)) },
  { key: "payment_ref", label: "Reference", phone: "plain", cell: (row) => text(row.payment_ref) },
  {
    key: "price",
    label: "Amount",
    align: "right",
    phone: "figure",
    cell: (row) => <Signed of={row} />,
  },
  {
    key: "balance",
    label: "Balance after",
    align: "right",
    phone: "hidden",
    cell: (row) =>
      row.balance == null ? "-" : <Money value={row.balance} currency={currencyOf(row.currency)} />,
  },
  {
    key: "status",
    label: "Status",
    phone: "status",
    cell: (row) => (
      <span title={row.status_details}>
        <StatusChip status={row.status} tone={row.status === "successful" ? "success" : undefined} />
      </span>
    ),
  },
];

export const SENDER_IDS: Column<Schemas["SenderIdRecord"]>[] = [
  { key: "sender_id", label: "Sender ID", cell: (row) => row.sender_id },
  { key: "status", label: "Status", cell: (row) => <StatusChip status={row.status} /> },
  { key: "created_at", label: "Requested", cell: (row) => <DateTime value={row.created_at} /> },
];

export const NUMBERS: Column<Schemas["VirtualNumber"]>[] = [
  {
    key: "virtual_num",
    label: "Virtual number",
    cell: (row) => (row.virtual_num ? <Phone value={row.virtual_num} /> : "Not assigned yet"),
  },
  { key: "status", label: "Status", cell: (row) => <StatusChip status={row.status} /> },
  { key: "created_at", label: "Requested", cell: (row) => <DateTime value={row.created_at} /> },
];

export const OWN_NUMBERS: Column<Schemas["OwnNumber"]>[] = [
  { key: "phone_number", label: "Number", cell: (row) => <Phone value={row.phone_number} /> },
  { key: "status", label: "Status", cell: (row) => <StatusChip status={row.status} /> },
  { key: "created_at", label: "Added", cell: (row) => <DateTime value={row.created_at} /> },
];
