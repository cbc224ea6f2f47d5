// Payments with their provider: those that do not match wait for a person, and any can be asked after again.

import Button from "@mui/material/Button";
import { SelectInput, TextInput, useDataProvider } from "react-admin";
import { Link } from "react-router-dom";
import type { components } from "../../api/schema";
import { currencyOf } from "../../design/money";
import { EmptyState } from "../../design/states";
import { DateTime, StatusChip, WholeMoney } from "../../design/values";
import { ActionButton } from "../action";
import { addressOf } from "../address";
import type { TalkdrumProvider } from "../dataProvider";
import { BulkAction } from "../list/bulk";
import { RowActions, TwoLines, UserLink } from "../list/cells";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";

type Payment = components["schemas"]["Payment"];

const STATUSES = ["initiated", "pending", "settled", "failed", "expired", "mismatch"].map((id) => ({
  id,
  name: id.charAt(0).toUpperCase() + id.slice(1),
}));
const PROVIDERS = [
  { id: "paystack", name: "Paystack" },
  { id: "espees", name: "ESPEES" },
];
const TONES = { settled: "success", mismatch: "error", initiated: "neutral" } as const;

/** What was credited is over; of anything else the provider may know more by now. */
const canRecheck = ({ status }: Pick<Payment, "status">) => status !== "settled";

export default function PaymentList() {
  return (
    <ResourceList
      title="Payments"
      text="Payments that customers started. Mismatch: the amount paid differs from the amount requested. Credit what is due under its reference."
      actions={
        <Button component={Link} to={addressOf("payment-events")} variant="outlined" color="inherit">
          Refunds and disputes
        </Button>
      }
      filters={[
        <ListSearch key="q" source="q" alwaysOn label="Reference, narration or user name" />,
        <SelectInput
          key="status"
          source="status"
          label="Status"
          choices={STATUSES}
          alwaysOn
          emptyText="All"
        />,
        <SelectInput
          key="provider"
          source="provider"
          label="Provider"
          choices={PROVIDERS}
          alwaysOn
          emptyText="All"
        />,
        <TextInput key="user_id" source="user_id" label="User ID or name" />,
      ]}
      empty={
        <EmptyState
          title="No payments yet"
          text="They are listed as soon as a customer begins one. Paystack and ESPEES need their keys first."
        />
      }
    >
      <ResourceTable label="Payments" bulk={<RecheckMany />}>
        <Col<Payment> source="created_at" label="Begun" cell={(row) => <DateTime value={row.created_at} />} />
        <Col<Payment>
          source="username"
          label="User"
          cell={(row) => <UserLink id={row.user_id} name={row.username} />}
        />
        <Col<Payment>
          source="payment_ref"
          label="Reference"
          cell={(row) => (
            <TwoLines
              first={row.payment_ref}
              second={`${providerName(row.provider)}${row.live ? "" : ", test"}`}
            />
          )}
        />
        <Col<Payment>
          source="amount"
          label="Amount"
          align="right"
          cell={(row) => <WholeMoney value={row.amount} currency={currencyOf(row.currency)} />}
        />
        <Col<Payment>
          source="status"
          label="Status"
          cell={(row) => (
            <TwoLines
              first={<StatusChip status={row.status} tone={TONES[row.status as keyof typeof TONES]} />}
              second={row.status_details}
            />
          )}
        />
        <Col<Payment>
          source="settled_at"
          label="Credited"
          cell={(row) => <DateTime value={row.settled_at} />}
        />
        <Col<Payment>
          source="id"
          label="Actions"
          actions
          cell={(row) => (
            <RowActions>
              {canRecheck(row) && (
                <ActionButton
                  resource="payments"
                  action="recheck"
                  target={{ id: row.id, data: undefined }}
                  label="Ask again"
                  ariaLabel={`Ask again: ${providerName(row.provider)} about ${row.payment_ref}`}
                />
              )}
            </RowActions>
          )}
        />
      </ResourceTable>
    </ResourceList>
  );
}

function providerName(provider: string): string {
  return PROVIDERS.find((it) => it.id === provider)?.name ?? provider;
}

function RecheckMany() {
  const provider = useDataProvider<TalkdrumProvider>();
  return (
    <BulkAction<Payment>
      label="Ask again"
      can={canRecheck}
      each={(row) => provider.act("payments", "recheck", { id: row.id, data: undefined })}
      title={(count) =>
        count === 1 ? "Ask the provider about 1 payment?" : `Ask the providers about ${count} payments?`
      }
      body={() => "What was paid is credited, once. What was not stays as it is."}
      said={(count) => (count === 1 ? "1 payment was asked after" : `${count} payments were asked after`)}
    />
  );
}
