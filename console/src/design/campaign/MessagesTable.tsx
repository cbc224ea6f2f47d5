// Single messages and calls as a table: those of a campaign, those that failed, those to a number.

import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link as To } from "react-router-dom";
import { type Column, DataTable } from "../DataTable";
import type { Currency } from "../money";
import { networkName } from "../network";
import { formatPhone } from "../phone";
import { callerName } from "../sendWords";
import type { TableState } from "../tableState";
import { DateTime, None, StatusChip, WholeMoney } from "../values";
import { headQuery } from "./head";
import type { MessageRow } from "./outcomes";

const to = (address: (id: number) => string): Column<MessageRow> => ({
  key: "to",
  label: "Number",
  cell: (row) => (
    <Link
      component={To}
      to={address(row.id)}
      sx={{ fontWeight: 600, whiteSpace: "nowrap" }}
      title="What happened and what it cost"
    >
      {formatPhone(row.to)}
    </Link>
  ),
});

const STATUS: Column<MessageRow> = {
  key: "status",
  label: "Status",
  phone: "figure",
  cell: (row) => <StatusChip status={row.status} />,
};

const REASON: Column<MessageRow> = {
  key: "reason",
  label: "Why",
  phone: "plain",
  width: "26%",
  cell: (row) => row.reason ?? <None />,
};

const NETWORK: Column<MessageRow> = {
  key: "network",
  label: "Network",
  phone: "plain",
  cell: (row) => networkName(row.network),
};

const AT: Column<MessageRow> = {
  key: "at",
  label: "When",
  phone: "plain",
  cell: (row) => <DateTime value={row.done_at ?? row.submitted_at} />,
};

const CAMPAIGN: Column<MessageRow> = {
  key: "campaign",
  label: "Message",
  phone: "plain",
  width: "28%",
  cell: (row) => <Said row={row} />,
};

/** What the message said, and the way to its campaign. */
function Said({ row }: { row: MessageRow }) {
  const text = useQuery(headQuery(row.campaign_id)).data?.msg;
  return (
    <Box sx={{ minWidth: { sm: 160 } }}>
      {text && (
        <Box
          component="span"
          title={text}
          sx={{
            display: "-webkit-box",
            WebkitLineClamp: 1,
            WebkitBoxOrient: "vertical",
            overflow: "hidden",
            overflowWrap: "anywhere",
          }}
        >
          {text}
        </Box>
      )}
      <Link component={To} to={`/dashboard/campaigns/${row.campaign_id}`} variant="body2">
        {row.call ? callerName(row.senderid) : row.senderid}, no. {row.campaign_id}
      </Link>
    </Box>
  );
}

/** Within a campaign its currency is known and itself need not be named. */
function columns(currency: Currency | null, address: (id: number) => string): Column<MessageRow>[] {
  if (!currency) return [to(address), CAMPAIGN, STATUS, REASON, NETWORK, AT];
  const price: Column<MessageRow> = {
    key: "price",
    label: "Price",
    align: "right",
    cell: (row) => <WholeMoney value={row.price} currency={currency} />,
  };
  return [to(address), NETWORK, STATUS, REASON, price, AT];
}

interface Props {
  label: string;
  currency?: Currency;
  /** Where a message is explained; on the customer's own page unless said otherwise. */
  address?: (id: number) => string;
  result: Parameters<typeof DataTable<MessageRow>>[0]["result"];
  state: TableState;
  empty: ReactNode;
  toolbar?: ReactNode;
}

const customers = (id: number) => `/dashboard/messages/${id}`;

export function MessagesTable({ currency, address = customers, ...rest }: Props) {
  return <DataTable {...rest} columns={columns(currency ?? null, address)} rowKey={(row) => row.id} />;
}
