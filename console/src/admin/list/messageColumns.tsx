// What every list of messages shows of one.

import Link from "@mui/material/Link";
import { Link as To } from "react-router-dom";
import type { components } from "../../api/schema";
import type { Column } from "../../design/DataTable";
import { currencyOf } from "../../design/money";
import { networkName } from "../../design/network";
import { purposeName } from "../../design/purpose";
import { callerName } from "../../design/sendWords";
import { DateTime, StatusChip, WholeMoney } from "../../design/values";
import { addressOf } from "../address";
import { CampaignLink, Phone, TwoLines, UserLink } from "./cells";

export type Message = components["schemas"]["MessageRow"];

/** A sentence, which the other columns would squeeze to a word a line. */
const REASON = { display: "inline-block", minWidth: 180 } as const;

/** `currency`: of all rows alike, where they are of one campaign; then campaign and user are not repeated. */
export function messageColumns({ currency }: { currency?: string } = {}): Column<Message>[] {
  const whose: Column<Message>[] = [
    {
      key: "username",
      label: "User",
      cell: (row) => <UserLink id={row.user_id} name={row.username} />,
    },
    { key: "campaign_id", label: "Campaign", cell: (row) => <CampaignLink id={row.campaign_id} /> },
  ];
  return [
    {
      key: "to",
      label: "Number",
      cell: (row) => <TwoLines first={<Phone value={row.to} />} second={networkName(row.network)} />,
    },
    ...(currency ? [] : whose),
    {
      key: "senderid",
      label: "Sender",
      cell: (row) => (
        <TwoLines
          first={row.call ? callerName(row.senderid) : row.senderid}
          second={purposeName(row.purpose)}
        />
      ),
    },
    {
      key: "status",
      label: "Status",
      phone: "status",
      cell: (row) =>
        row.reason ? (
          <TwoLines
            first={<StatusChip status={row.status} />}
            second={<span style={REASON}>{row.reason}</span>}
          />
        ) : (
          <StatusChip status={row.status} />
        ),
    },
    {
      key: "price",
      label: "Price",
      align: "right",
      phone: "figure",
      cell: (row) => <WholeMoney value={row.price} currency={currencyOf(currency ?? row.currency)} />,
    },
    {
      key: "submitted_at",
      label: "Submitted",
      phone: "plain",
      cell: (row) => <DateTime value={row.submitted_at} />,
    },
    { key: "done_at", label: "Receipt", cell: (row) => <DateTime value={row.done_at} /> },
    {
      key: "why",
      label: "Explanation",
      actions: true,
      cell: (row) => (
        <Link
          component={To}
          to={addressOf(`messages/${row.id}`)}
          aria-label={`Explain the ${row.call ? "call" : "message"} to ${row.to}`}
        >
          Explain
        </Link>
      ),
    },
  ];
}
