// /dashboard/inbound-messages: what handsets sent to this customer's numbers and answered to its messages.
import Button from "@mui/material/Button";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import { type Column, DataTable } from "../../design/DataTable";
import { InboundEffect, InboundText } from "../../design/inbound";
import { PageHeader } from "../../design/PageHeader";
import { formatPhone } from "../../design/phone";
import { SearchField } from "../../design/SearchField";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { DateTime } from "../../design/values";

type Inbound = components["schemas"]["InboundMessage"];

const COLUMNS: Column<Inbound>[] = [
  { key: "at", label: "Received", cell: (it) => <DateTime value={it.received_at} /> },
  { key: "from", label: "From", cell: (it) => <span>{formatPhone(it.from)}</span> },
  { key: "text", label: "Text", width: "40%", cell: (it) => <InboundText of={it} /> },
  { key: "to", label: "To", cell: (it) => <span>{formatPhone(it.to)}</span> },
  { key: "effect", label: "Effect", cell: (it) => <InboundEffect of={it} /> },
];

export default function InboundPage() {
  const state = useTableState();
  const { page, per_page, q } = state.query;
  const result = useQuery({
    queryKey: own("inbound", page, per_page, q),
    queryFn: async () => {
      const query = { page, per_page, ...(q ? { q } : {}) };
      const { messages, total } = await ask(api.GET("/api/inbound-messages", { params: { query } }));
      return { rows: messages, total };
    },
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  return (
    <>
      <PageHeader
        title="Replies"
        text="What people sent to your numbers, or answered to your messages. STOP opts a person out of advertising, STOP ALL of everything but codes."
        actions={
          <Button component={Link} to="/dashboard/phonebook/opt-outs" variant="outlined">
            Opt-outs
          </Button>
        }
      />
      <DataTable
        label="Replies"
        columns={COLUMNS}
        rowKey={(it) => it.id}
        result={result}
        state={state}
        toolbar={<SearchField label="Search number or text" value={state.q} onSearch={state.setQ} />}
        empty={
          state.q ? (
            <EmptyState
              title="No reply matches"
              text="Search for another number, or other words."
              action={{ label: "Show all replies", onClick: () => state.setQ("") }}
            />
          ) : (
            <EmptyState
              title="No replies yet"
              text="Replies to your numbers appear here. People cannot reply to a sender name, only to a number."
              action={{ label: "See delivery reports", to: "/dashboard/delivery-reports" }}
            />
          )
        }
      />
    </>
  );
}
