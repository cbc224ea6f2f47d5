// Credits a wallet for a payment that failed to: asks with the balance before and after, and credits once.

import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import MuiLink from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { api, ask, freshKey } from "../../api/client";
import { ApiProblem, messageOf } from "../../api/problem";
import { own } from "../../api/queries";
import type { User } from "../../api/session";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { type Currency, decimal, formatMoney, formatWhole, micros } from "../../design/money";
import { PageHeader } from "../../design/PageHeader";
import { FormAlert } from "../../design/states";
import { useAction } from "../action";
import { userAddress } from "../address";
import { amount as checkAmount } from "../form/validate";
import { UserPicker } from "./UserPicker";

interface Problems {
  user?: string;
  amount?: string;
  payment_ref?: string;
}

export function CreditForm({ currency }: { currency: Currency }) {
  const espees = currency === "espees";
  const words = espees ? "ESPEES" : "Naira";
  const [params] = useSearchParams();
  const named = params.get("user");
  const [chosen, setChosen] = useState<User | null | undefined>(undefined);
  const linked = useQuery({
    queryKey: own("user", named),
    queryFn: () => ask(api.GET("/admin/get-user-details/{id}", { params: { path: { id: Number(named) } } })),
    enabled: named !== null && chosen === undefined,
  });
  const user = chosen === undefined ? (linked.data?.user ?? null) : chosen;
  const [amount, setAmount] = useState("");
  const [reference, setReference] = useState("");
  const [problems, setProblems] = useState<Problems>({});
  const [refused, setRefused] = useState<string | null>(null);
  const [done, setDone] = useState<{ user: User; text: string } | null>(null);
  // Set when it is asked: a second click, and a second try after a silence, are the same credit.
  const [key, setKey] = useState<string | null>(null);

  const assigned = {
    onDone: (answer: { message: string; balance: number }) => {
      if (user)
        setDone({
          user,
          text: `${answer.message}: the balance is ${formatMoney(answer.balance, currency)} now.`,
        });
      setKey(null);
      setAmount("");
      setReference("");
      setChosen(null);
    },
    onFailed: (problem: unknown) => {
      setKey(null);
      const at = (field: string) => (problem instanceof ApiProblem ? problem.field(field) : undefined);
      const fields = { amount: at("amount") ?? at("espees"), payment_ref: at("payment_ref") };
      setProblems(fields);
      if (!fields.amount && !fields.payment_ref) setRefused(messageOf(problem));
    },
  };
  const givingEspees = useAction("manage-users", "assignEspees", assigned);
  const givingNaira = useAction("manage-users", "assignNaira", assigned);
  const giving = espees ? givingEspees : givingNaira;

  const askFirst = () => {
    const none = micros(amount.trim()) === 0n ? "The amount to credit must be more than zero" : undefined;
    const found: Problems = {
      amount: checkAmount(amount, `Kindly input ${words} amount`) ?? none,
      user: user ? undefined : "Kindly input User's ID",
      payment_ref: espees && !reference.trim() ? "Kindly input Payment Ref" : undefined,
    };
    setProblems(found);
    setRefused(null);
    setDone(null);
    if (!Object.values(found).some(Boolean)) setKey(freshKey());
  };

  return (
    <>
      <PageHeader
        title={`Assign ${words}`}
        text={`Credits a user's ${words} balance, to correct a payment that failed. It is written to the ledger and the audit trail.`}
      />
      <Card sx={{ p: { xs: 2, sm: 3 }, maxWidth: 760 }}>
        <FormAlert text={refused} />
        <div aria-live="polite">
          {done && (
            <Alert severity="success" variant="outlined" sx={{ mb: 2 }}>
              {done.text}{" "}
              <MuiLink component={Link} to={`${userAddress(done.user.id)}?tab=transactions`}>
                See {done.user.username}
              </MuiLink>
            </Alert>
          )}
        </div>
        <Stack
          component="form"
          noValidate
          sx={{ gap: 2, alignItems: "stretch" }}
          onSubmit={(event) => {
            event.preventDefault();
            askFirst();
          }}
        >
          <UserPicker user={user} onUser={setChosen} problem={problems.user} />
          <TextField
            label={`Amount in ${words}`}
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
            autoComplete="off"
            slotProps={{ htmlInput: { inputMode: "decimal" } }}
            error={Boolean(problems.amount)}
            helperText={problems.amount ?? "With at most six decimals."}
          />
          <TextField
            label="Payment Ref"
            value={reference}
            onChange={(event) => setReference(event.target.value)}
            autoComplete="off"
            error={Boolean(problems.payment_ref)}
            helperText={
              problems.payment_ref ??
              `The payment it corrects: each reference is credited once.${espees ? "" : " One is made when it is empty."}`
            }
          />
          <Button type="submit" variant="contained" sx={{ alignSelf: "flex-start" }}>
            Assign {words}
          </Button>
        </Stack>
      </Card>
      <ConfirmDialog
        open={key !== null && user !== null}
        title={`Assign ${words}?`}
        confirm={`Assign ${words}`}
        busy={giving.isPending}
        onClose={() => setKey(null)}
        onConfirm={() => {
          if (!user || !key) return;
          const data = { amount: Number(amount.trim()), payment_ref: reference.trim() || undefined, key };
          giving.mutate({ id: user.id, data });
        }}
      >
        {user && key && <Effect user={user} amount={amount.trim()} currency={currency} />}
      </ConfirmDialog>
    </>
  );
}

function Effect({ user, amount, currency }: { user: User; amount: string; currency: Currency }) {
  const before = currency === "espees" ? user.espee_balance : user.paystack_balance;
  const after = (micros(before) ?? 0n) + (micros(amount) ?? 0n);
  return (
    <Typography>
      <strong>{formatWhole(amount, currency)}</strong> for {user.username} (user {user.id}). The balance goes
      from {formatMoney(before, currency)} to about {decimal(after, 2)}. It cannot be taken back here.
    </Typography>
  );
}
