// /dashboard/own-numbers: phones of the customer's that calls can come from. Each is proven by a call.
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Column, DataTable } from "../../design/DataTable";
import { PageHeader } from "../../design/PageHeader";
import { formatPhone } from "../../design/phone";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { DateTime, StatusChip } from "../../design/values";
import { type OwnNumber, ownNumbersQuery } from "./numbers";
import { Verification, type Waiting } from "./Verification";

export default function OwnNumbers() {
  const state = useTableState();
  const result = useQuery(ownNumbersQuery(state.query));
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const columns: Column<OwnNumber>[] = [
    { key: "number", label: "Number", cell: (it) => <b>{formatPhone(it.phone_number)}</b> },
    { key: "status", label: "Status", phone: "status", cell: (it) => <StatusChip status={it.status} /> },
    { key: "since", label: "Since", cell: (it) => <DateTime value={it.created_at} /> },
    {
      key: "actions",
      label: "Actions",
      actions: true,
      align: "right",
      cell: ({ status, phone_number }) =>
        status === "pending" && (
          <Button
            size="small"
            variant="outlined"
            aria-label={`Enter the code of ${formatPhone(phone_number)}`}
            onClick={() => setWaiting({ number: `+${phone_number}`, calledNow: false })}
          >
            Enter code
          </Button>
        ),
    },
  ];
  return (
    <>
      <PageHeader
        title="Own Numbers"
        text="Phones of yours that your calls can come from. Each is verified by a call that speaks a six-digit code."
      />
      <Verification waiting={waiting} onWaiting={setWaiting} />
      <DataTable
        label="Your own numbers"
        columns={columns}
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
