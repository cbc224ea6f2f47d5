// /dashboard/own-numbers: phones of the customer's that calls can come from. Each is verified by a call, and can be withdrawn.
import Button from "@mui/material/Button";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import type { Column } from "../../design/DataTable";
import { ListPage } from "../../design/ListPage";
import { formatPhone } from "../../design/phone";
import { useTableState } from "../../design/tableState";
import { toast } from "../../design/toasts";
import { DateTime, StatusChip } from "../../design/values";
import { numbersKey, type OwnNumber, ownNumbersQuery, withdraw } from "./numbers";
import { Verification } from "./Verification";

const COLUMNS: Column<OwnNumber>[] = [
  { key: "number", label: "Number", cell: (it) => <b>{formatPhone(it.phone_number)}</b> },
  { key: "status", label: "Status", phone: "status", cell: (it) => <StatusChip status={it.status} /> },
  { key: "since", label: "Since", cell: (it) => <DateTime value={it.created_at} /> },
];

export default function OwnNumbers() {
  const client = useQueryClient();
  const state = useTableState();
  const result = useQuery(ownNumbersQuery(state.query));
  const [leaving, setLeaving] = useState<OwnNumber | null>(null);
  const withdrawing = useMutation({
    mutationFn: ({ phone_number }: OwnNumber) => withdraw(phone_number),
    onSuccess: async ({ message }) => {
      toast.success(message);
      setLeaving(null);
      await client.invalidateQueries({ queryKey: numbersKey() });
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });
  const columns: Column<OwnNumber>[] = [
    ...COLUMNS,
    {
      key: "withdraw",
      label: "Withdraw",
      align: "right",
      actions: true,
      cell: (it) => (
        <Button
          size="small"
          color="error"
          onClick={() => setLeaving(it)}
          aria-label={`Withdraw ${formatPhone(it.phone_number)}`}
        >
          Withdraw
        </Button>
      ),
    },
  ];
  return (
    <ListPage
      title="Own Numbers"
      text="Phones of yours that your calls can come from. Each is verified by a call that speaks a six-digit code."
      above={<Verification />}
      label="Your own numbers"
      columns={columns}
      result={result}
      state={state}
      empty={{
        title: "No own numbers yet",
        text: "Verify a phone above: from then on you can choose it for your calls.",
      }}
    >
      <ConfirmDialog
        open={leaving !== null}
        danger
        title={`Withdraw ${leaving ? formatPhone(leaving.phone_number) : "this number"}?`}
        confirm="Withdraw"
        busy={withdrawing.isPending}
        onConfirm={() => leaving && withdrawing.mutate(leaving)}
        onClose={() => setLeaving(null)}
      >
        No more calls show it, and campaigns that call from it pause. To use it again you verify it by another
        call, which is charged.
      </ConfirmDialog>
    </ListPage>
  );
}
