// The first rows of a table as a person reads them: each field under its name, and those that are empty left out.
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link as To } from "react-router-dom";
import { currencyOf } from "../../design/money";
import { networkName } from "../../design/network";
import { optOutSource } from "../../design/optOut";
import { formatPhone } from "../../design/phone";
import { reachName } from "../../design/purpose";
import { DateTime, StatusChip, WholeMoney } from "../../design/values";
import { addressOf } from "../address";
import { CampaignLink, UserLink } from "../list/cells";
import { type SubjectTable, sentence } from "./tables";

type Row = Readonly<Record<string, unknown>>;

/** In characters: of a long text, its beginning. */
const TEXT_MOST = 400;
/** Of what is within a field: fields within fields, and values of a list. */
const DEPTH_MOST = 5;
const VALUES_MOST = 20;

/** Fields in words, in the order in which they are read. Others follow as the daemon orders them. */
const NAMES: Readonly<Record<string, string>> = {
  id: "Message",
  message_id: "Message",
  at: "When",
  to: "Number",
  number: "Number",
  phone: "Number",
  phone_number: "Number",
  virtual_num: "Number",
  name: "Name",
  email: "E-mail address",
  senderid: "Sender",
  sender: "Sender",
  recipient: "Recipient",
  text: "Text",
  status: "Status",
  reason: "Reason",
  code: "Why",
  price: "Price",
  pages: "Pages",
  user_id: "Customer",
  username: "User name",
  group_name: "Group",
  campaign_id: "Campaign",
  scope: "For",
  reach: "Ends",
  source: "Source",
  note: "Note",
  kind: "Type",
  size: "Recipients",
  network: "Network",
  carrier: "Carrier",
  carrier_ref: "Carrier's reference",
  submitted_at: "Submitted",
  received_at: "Received",
  sent_at: "Sent",
  done_at: "Done",
  created_at: "Created",
  updated_at: "Changed",
};
const ORDER = Object.keys(NAMES);

/** Fields that others show: the name with the customer, the currency with the price. */
const SHOWN_WITH_OTHERS = ["username", "currency"];

export function Rows({ of: { table, rows } }: { of: SubjectTable }) {
  return (
    <Box component="ol" aria-label="First rows" sx={{ listStyle: "none", m: 0, p: 0 }}>
      {(rows as Row[]).map((row, at) => (
        <Box
          component="li"
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no key of their own, and never change place
          key={at}
          sx={{ py: 1.25, borderTop: 1, borderColor: "divider" }}
        >
          <Fields of={row} cell={(name) => cellOf(table, row, name)} />
        </Box>
      ))}
    </Box>
  );
}

function Fields({ of: row, cell }: { of: Row; cell: (name: string) => ReactNode }) {
  const names = Object.keys(row)
    .filter(
      (name) => !isEmpty(row[name]) && !(SHOWN_WITH_OTHERS.includes(name) && isShownElsewhere(row, name)),
    )
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: "grid",
        gridTemplateColumns: { xs: "104px minmax(0, 1fr)", sm: "180px minmax(0, 1fr)" },
        columnGap: { xs: 1.5, sm: 2 },
        rowGap: 0.5,
        alignItems: "baseline",
      }}
    >
      {names.map((name) => (
        <Box key={name} sx={{ display: "contents" }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {NAMES[name] ?? sentence(name)}
          </Typography>
          <Box component="dd" sx={{ m: 0, minWidth: 0, overflowWrap: "anywhere", whiteSpace: "pre-line" }}>
            {cell(name)}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

const placeOf = (name: string) => (name in NAMES ? ORDER.indexOf(name) : ORDER.length);

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

const isShownElsewhere = (row: Row, name: string) =>
  name === "username" ? typeof row.user_id === "number" : !isEmpty(row.price);

function cellOf(table: string, row: Row, name: string): ReactNode {
  const value = row[name];
  const isMessage = (name === "id" && table === "messages") || name === "message_id";
  if (isMessage) {
    return (
      <Link component={To} to={addressOf(`messages/${String(value)}`)}>
        {String(value)}
      </Link>
    );
  }
  if (name === "user_id" && typeof value === "number") {
    return <UserLink id={value} name={typeof row.username === "string" ? row.username : null} />;
  }
  if (name === "scope" && typeof value === "number") {
    return value === 0 ? "All customers" : <UserLink id={value} name={null} />;
  }
  if (name === "campaign_id" && typeof value === "number") return <CampaignLink id={value} />;
  if (name === "price" && (typeof value === "number" || typeof value === "string")) {
    return <WholeMoney value={value} currency={currencyOf(String(row.currency ?? ""))} />;
  }
  return plain(name, value, 0);
}

/** A value by the name of its field. */
function plain(name: string, value: unknown, depth: number): ReactNode {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number" || typeof value === "string") return text(name, String(value));
  if (depth >= DEPTH_MOST) return "…";
  if (Array.isArray(value)) {
    return (
      <>
        {value.slice(0, VALUES_MOST).map((it: unknown, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values have no key of their own, and never change place
          <Box key={at}>{plain(name, it, depth + 1)}</Box>
        ))}
        {value.length > VALUES_MOST && "…"}
      </>
    );
  }
  const inner = value as Row;
  return <Fields of={inner} cell={(it) => plain(it, inner[it], depth + 1)} />;
}

/** Fields that are a number, or a name in its place. */
const NUMBERS = [
  "number",
  "to",
  "from",
  "senderid",
  "sender",
  "recipient",
  "caller",
  "destination",
  "phone",
  "phone_number",
  "virtual_num",
];

function text(name: string, value: string): ReactNode {
  if ((name === "at" || name.endsWith("_at")) && !Number.isNaN(Date.parse(value))) {
    return <DateTime value={value} />;
  }
  if (NUMBERS.includes(name) && /^\d{7,15}$/.test(value)) return formatPhone(value);
  if (name === "status") return <StatusChip status={value} />;
  if (name === "network") return networkName(value);
  if (name === "source") return optOutSource(value);
  if (name === "reach") return reachName(value);
  return value.length > TEXT_MOST ? `${value.slice(0, TEXT_MOST)}…` : value;
}
