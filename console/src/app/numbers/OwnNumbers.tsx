// /dashboard/own-numbers: phones of the customer's that calls can come from. Each is verified by a call.
import { useQuery } from "@tanstack/react-query";
import { type Column, DataTable } from "../../design/DataTable";
import { PageHeader } from "../../design/PageHeader";
import { formatPhone } from "../../design/phone";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { DateTime, StatusChip } from "../../design/values";
import { type OwnNumber, ownNumbersQuery } from "./numbers";
import { Verification } from "./Verification";

const COLUMNS: Column<OwnNumber>[] = [
  { key: "number", label: "Number", cell: (it) => <b>{formatPhone(it.phone_number)}</b> },
  { key: "status", label: "Status", phone: "status", cell: (it) => <StatusChip status={it.status} /> },
  { key: "since", label: "Since", cell: (it) => <DateTime value={it.created_at} /> },
];

export default function OwnNumbers() {
  const state = useTableState();
  const result = useQuery(ownNumbersQuery(state.query));
  return (
    <>
      <PageHeader
        title="Own Numbers"
        text="Phones of yours that your calls can come from. Each is verified by a call that speaks a six-digit code."
      />
      <Verification />
      <DataTable
        label="Your own numbers"
        columns={COLUMNS}
        rowKey={(it) => it.id}
        result={result}
        state={state}
        empty={
          <EmptyState
            title="No own numbers yet"
            text="Verify a phone above: from then on you can choose it for your calls."
          />
        }
      />
    </>
  );
}
