// /dashboard/virtual-numbers: numbers of the platform that are the customer's, and the request for one.
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import type { Column } from "../../design/DataTable";
import { ListPage } from "../../design/ListPage";
import { formatPhone } from "../../design/phone";
import { FormAlert } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { DateTime, StatusChip } from "../../design/values";
import { numbersKey, type VirtualNumber, virtualNumbersQuery } from "./numbers";
import { PulsePrice } from "./PulsePrice";

const COLUMNS: Column<VirtualNumber>[] = [
  {
    key: "number",
    label: "Number",
    cell: (it) => (it.virtual_num ? <b>{formatPhone(it.virtual_num)}</b> : "Not assigned yet"),
  },
  { key: "status", label: "Status", phone: "status", cell: (it) => <StatusChip status={it.status} /> },
  { key: "requested", label: "Requested", cell: (it) => <DateTime value={it.created_at} /> },
];

export default function VirtualNumbers() {
  const state = useTableState();
  const result = useQuery(virtualNumbersQuery(state.query));
  const client = useQueryClient();
  const [received, setReceived] = useState<string | null>(null);
  const requesting = useMutation({
    mutationFn: () => ask(api.POST("/api/request-virtual-number")),
    onMutate: () => setReceived(null),
    onSuccess: async ({ message }) => {
      setReceived(message);
      await client.invalidateQueries({ queryKey: numbersKey() });
    },
  });
  return (
    <ListPage
      title="Virtual Numbers"
      text={
        <>
          Numbers of the platform that your calls can come from. A request costs nothing, and an administrator
          assigns the number. <PulsePrice of="virtual_number" />
        </>
      }
      actions={
        <Button variant="contained" loading={requesting.isPending} onClick={() => requesting.mutate()}>
          Request a virtual number
        </Button>
      }
      above={
        <>
          <div aria-live="polite">
            {received && (
              <Alert severity="success" variant="outlined" sx={{ mb: 2.5 }} onClose={() => setReceived(null)}>
                {received}
              </Alert>
            )}
          </div>
          <FormAlert text={requesting.isError ? messageOf(requesting.error) : null} />
        </>
      }
      label="Your virtual numbers"
      columns={COLUMNS}
      result={result}
      state={state}
      empty={{
        title: "No virtual numbers yet",
        text: "Until you have one, your calls come from the platform's number or from a phone of your own.",
        action: { label: "Verify your own number", to: "/dashboard/own-numbers" },
      }}
    />
  );
}
