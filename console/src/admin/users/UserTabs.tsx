// The six tabs of a user: the newest hundred of each, paged here, and the way to the rest.

import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import MuiLink from "@mui/material/Link";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { Link, useSearchParams } from "react-router-dom";
import { type Column, DataTable } from "../../design/DataTable";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { filtered } from "../address";
import { MESSAGES, NUMBERS, OWN_NUMBERS, SENDER_IDS, TRANSACTIONS, VOICE } from "./columns";
import type { UserDetails } from "./details";

const TABS = [
  { key: "messages", label: "Messages", total: "campaigns" },
  { key: "voice", label: "Voice SMS", total: "voice_sms" },
  { key: "transactions", label: "Transactions", total: "transactions" },
  { key: "sender-ids", label: "Sender ID", total: "sender_ids" },
  { key: "virtual-numbers", label: "Virtual Number", total: "virtual_numbers" },
  { key: "own-numbers", label: "Own Number", total: "own_numbers" },
] as const;

export function UserTabs({ details }: { details: UserDetails }) {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((it) => it.key === params.get("tab")) ?? TABS[0];
  return (
    <>
      <Tabs
        value={tab.key}
        onChange={(_event, to: string) => setParams({ tab: to }, { replace: true })}
        variant="scrollable"
        scrollButtons="auto"
        aria-label="What the user has"
        sx={{ mb: 2 }}
      >
        {TABS.map(({ key, label, total }) => (
          <Tab
            key={key}
            value={key}
            id={`tab-${key}`}
            aria-controls={`panel-${key}`}
            label={`${label} (${details.totals[total].toLocaleString("en")})`}
          />
        ))}
      </Tabs>
      {TABS.map(({ key }) => (
        <Box
          key={key}
          role="tabpanel"
          id={`panel-${key}`}
          aria-labelledby={`tab-${key}`}
          hidden={key !== tab.key}
        >
          {key === tab.key && <Panel tab={key} details={details} />}
        </Box>
      ))}
    </>
  );
}

function Panel({ tab, details }: { tab: (typeof TABS)[number]["key"]; details: UserDetails }) {
  const { user, totals } = details;
  const name = user.username;
  switch (tab) {
    case "messages":
      return (
        <Rows
          label="Messages"
          rows={details.campaigns}
          columns={MESSAGES}
          total={totals.campaigns}
          all={filtered("campaign-history", { user_id: String(user.id) })}
          none={`${name} has sent nothing yet`}
        />
      );
    case "voice":
      return (
        <Rows
          label="Voice SMS"
          rows={details.voice_sms}
          columns={VOICE}
          total={totals.voice_sms}
          all={filtered("campaign-history", { user_id: String(user.id), type: "voice" })}
          none={`${name} has made no calls yet`}
        />
      );
    case "transactions":
      return (
        <Rows
          label="Transactions"
          rows={details.transactions}
          columns={TRANSACTIONS}
          total={totals.transactions}
          all={filtered("transactions", { user_id: String(user.id) })}
          none={`No money of ${name} has moved yet`}
        />
      );
    case "sender-ids":
      return (
        <Rows
          label="Sender IDs"
          rows={details.sender_ids}
          columns={SENDER_IDS}
          total={totals.sender_ids}
          all={filtered("approve-sender-id", { q: name })}
          none={`${name} has asked for no sender ID`}
        />
      );
    case "virtual-numbers":
      return (
        <Rows
          label="Virtual numbers"
          rows={details.virtual_numbers}
          columns={NUMBERS}
          total={totals.virtual_numbers}
          all={filtered("approve-virtualNumber", { q: name })}
          none={`${name} has no virtual number`}
        />
      );
    case "own-numbers":
      return (
        <Rows
          label="Own numbers"
          rows={details.own_numbers}
          columns={OWN_NUMBERS}
          total={totals.own_numbers}
          all={filtered("own-numbers", { q: name })}
          none={`${name} has verified no number`}
        />
      );
  }
}

interface RowsProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  total: number;
  /** Where all of them are, where this page has only the newest. */
  all?: string;
  none: string;
}

function Rows<Row extends { id: number | string }>({
  label,
  rows,
  columns,
  total,
  all,
  none,
}: RowsProps<Row>) {
  const state = useTableState();
  const start = (state.page - 1) * state.perPage;
  const result = {
    data: { rows: rows.slice(start, start + state.perPage), total: rows.length },
    isFetching: false,
    isError: false,
    error: null,
    refetch: () => undefined,
  };
  return (
    <>
      {total > rows.length && (
        <Alert severity="info" variant="outlined" sx={{ mb: 2 }}>
          The newest {rows.length.toLocaleString("en")} of {total.toLocaleString("en")}.{" "}
          {all && (
            <MuiLink component={Link} to={all}>
              Show them all
            </MuiLink>
          )}
        </Alert>
      )}
      <DataTable
        label={label}
        columns={columns}
        rowKey={(row) => row.id}
        result={result}
        state={state}
        empty={<EmptyState title={none} text="It is shown here as soon as there is something." />}
      />
    </>
  );
}
