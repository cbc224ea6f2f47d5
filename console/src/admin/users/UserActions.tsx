// Disable, Activate, Delete: each says first, in numbers, what will happen.
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { User } from "../../api/session";
import { Money } from "../../design/shown";
import { ActionButton } from "../action";
import { addressOf } from "../layout/menu";

export function SwitchUser({ user }: { user: User }) {
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
            <Effect user={user}>
              {(open) => (
                <>
                  {name} still signs in and reads, but starts no send, payment or transfer.{" "}
                  <Campaigns open={open} /> that are scheduled or sending pause. Payments under way still
                  settle. Activate undoes it.
                </>
              )}
            </Effect>
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
          <Effect user={user}>
            {(open) => (
              <>
                {name} can send and pay again, with a balance of{" "}
                <Money value={user.espee_balance} currency="espees" /> and{" "}
                <Money value={user.paystack_balance} currency="naira" />. <Campaigns open={open} /> wait.
              </>
            )}
          </Effect>
        ),
      }}
    />
  );
}

export function DeleteUser({ user }: { user: User }) {
  const navigate = useNavigate();
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
        body: (
          <Effect user={user}>
            {(open) => (
              <>
                {name} is signed out everywhere and every API key is revoked. <Campaigns open={open} /> that
                are not finished are cancelled, and what was not sent is refunded.{" "}
                <Money value={user.espee_balance} currency="espees" /> and{" "}
                <Money value={user.paystack_balance} currency="naira" /> stay in the ledger and can no longer
                be spent. Name, addresses and contacts are erased. This cannot be undone.
              </>
            )}
          </Effect>
        ),
      }}
    />
  );
}

const OPEN = ["scheduled", "sending", "paused"] as const;

/** How many campaigns of the user are open: undefined until it is known. */
function Effect({ user, children }: { user: User; children: (open: number | undefined) => ReactNode }) {
  const counting = useQuery({
    queryKey: own("open-campaigns", user.id),
    queryFn: async () => {
      const totals = await Promise.all(
        OPEN.map((status) =>
          ask(
            api.GET("/admin/get-all-camapaign-history", {
              params: { query: { user_id: String(user.id), status, page: 1, per_page: 1 } },
            }),
          ),
        ),
      );
      return totals.reduce((sum, { total }) => sum + total, 0);
    },
  });
  return (
    <>
      <Typography component="div" aria-busy={counting.isPending}>
        {children(counting.data)}
      </Typography>
      {counting.isError && (
        <Typography color="error" sx={{ mt: 1 }}>
          How many campaigns are open could not be read.
        </Typography>
      )}
    </>
  );
}

function Campaigns({ open }: { open: number | undefined }) {
  if (open === undefined) return <strong>… campaigns</strong>;
  return <strong>{open === 1 ? "1 campaign" : `${open.toLocaleString("en")} campaigns`}</strong>;
}
