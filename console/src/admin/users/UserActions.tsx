// Disable, Activate, Delete: each says first, in numbers, what will happen.

import Alert from "@mui/material/Alert";
import { useNavigate } from "react-router-dom";
import { formatMoney } from "../../design/money";
import { Money, WholeMoney } from "../../design/values";
import { ActionButton } from "../action";
import { addressOf } from "../address";
import type { UserDetails } from "./details";

export function UserStatusButton({ details }: { details: UserDetails }) {
  const { user, totals } = details;
  const open = totals.open_campaigns ?? 0;
  const name = user.username;
  if (user.status === "active") {
    return (
      <ActionButton
        key="deactivate"
        resource="manage-users"
        action="deactivate"
        target={{ id: user.id, data: undefined }}
        label="Disable"
        size="medium"
        failed="Failed to deactivate user."
        ask={{
          title: `Disable ${name}?`,
          body: (
            <>
              {name} still signs in and reads, but starts no send, payment or transfer.{" "}
              <Campaigns open={open} /> that are scheduled or sending pause. Payments under way still settle.
              Activate undoes it.
            </>
          ),
        }}
      />
    );
  }
  return (
    <ActionButton
      key="activate"
      resource="manage-users"
      action="activate"
      target={{ id: user.id, data: undefined }}
      label="Activate"
      size="medium"
      failed="Failed to activate user."
      ask={{
        title: `Activate ${name}?`,
        body: (
          <>
            {name} can send and pay again, with a balance of{" "}
            <Money value={user.espee_balance} currency="espees" /> and{" "}
            <Money value={user.paystack_balance} currency="naira" />. <Campaigns open={open} /> wait.
          </>
        ),
      }}
    />
  );
}

export function DeleteUser({ details }: { details: UserDetails }) {
  const navigate = useNavigate();
  const { user, totals } = details;
  const left = [
    ...(user.espee_balance !== 0 ? [formatMoney(user.espee_balance, "espees")] : []),
    ...(user.paystack_balance !== 0 ? [formatMoney(user.paystack_balance, "naira")] : []),
  ].join(" and ");
  const open = totals.open_campaigns ?? 0;
  const name = user.username;
  return (
    <ActionButton
      resource="manage-users"
      action="delete"
      target={{ id: user.id, data: undefined }}
      label="Delete User"
      size="medium"
      danger
      onDone={() => navigate(addressOf("manage-users"))}
      ask={{
        title: `Delete ${name} for good?`,
        confirm: "Delete User",
        typed: name,
        body: (
          <>
            {left.length > 0 && (
              <Alert severity="warning" variant="outlined" sx={{ mb: 2 }}>
                <strong>{left}</strong> of {name} can never be spent or paid out afterwards: it stays in the
                ledger. Transfer or pay it back first.
              </Alert>
            )}
            {name} is signed out of {some(totals.sessions ?? 0, "session")}, and{" "}
            {some(totals.api_keys ?? 0, "API key")} can no longer be used. <Campaigns open={open} /> that are
            not finished are cancelled, and what was not sent of the{" "}
            <WholeMoney value={totals.reserved_naira ?? 0} currency="naira" /> and{" "}
            <WholeMoney value={totals.reserved_espees ?? 0} currency="espees" /> reserved is refunded. Name,
            addresses and contacts are erased. This cannot be undone.
          </>
        ),
      }}
    />
  );
}

function Campaigns({ open }: { open: number }) {
  return <strong>{some(open, "campaign")}</strong>;
}

function some(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count.toLocaleString("en")} ${what}s`;
}
