// Money to another user. It cannot be taken back, so it is asked for twice.
import { zodResolver } from "@hookform/resolvers/zod";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useController, useForm } from "react-hook-form";
import { z } from "zod";
import { asAmount } from "../../api/amount";
import { api, ask, freshKey } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import { balancesQuery } from "../../api/queries";
import { useSession } from "../../api/session";
import { Choice } from "../../design/Choice";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { FormField, placeProblem } from "../../design/form";
import { type Currency, formatMoney, formatWhole } from "../../design/money";
import { PageHeader } from "../../design/PageHeader";
import { useToasts } from "../../design/toasts";
import { amountField, plainAmount } from "./amount";
import { useInvalidateMoney } from "./payments";

/** The specification's texts. */
const INACTIVE = "Please contact admin to activate your account";
const FAILED = "Transfer failed";
/** The daemon does not say which names exist. */
const NO_RECIPIENT =
  "No active customer takes transfers under this username. Check its spelling; nothing left your account.";
/** The specification has no smaller part of either currency; the ledger keeps six decimals. */
const DECIMALS = 6;

const shape = z.object({
  recipient_username: z.string().trim().min(1, "Recipient username is required"),
  amount: amountField(DECIMALS),
  currency: z.enum(["espees", "naira"]),
});
type Values = z.infer<typeof shape>;

const EMPTY: Values = { recipient_username: "", amount: "", currency: "espees" };

interface Asked extends Values {
  /** One transfer, however often it is confirmed. */
  key: string;
}

export default function TransferFunds() {
  const toasts = useToasts();
  const inactive = useSession()?.user.status === "inactive";
  const balances = useQuery(balancesQuery()).data;
  const moved = useInvalidateMoney();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { control, handleSubmit, setError, reset } = useForm<Values>({
    resolver: zodResolver(shape),
    defaultValues: EMPTY,
  });
  const { field: currency } = useController({ name: "currency", control });

  const transferring = useMutation({
    mutationFn: ({ key, ...values }: Asked) =>
      ask(
        api.POST("/api/transfer-fund", {
          body: { ...values, amount: asAmount(values.amount) },
          headers: { "Idempotency-Key": key },
        }),
      ),
    onSuccess: async ({ message }, { amount, currency: unit, recipient_username }) => {
      toasts.success(`${message}: ${formatWhole(amount, unit)} to ${recipient_username}`);
      setAsked(null);
      reset(EMPTY);
      await moved();
    },
    onError: (problem) => {
      if (problem instanceof ApiProblem && problem.code === "transfer_failed") {
        setError("recipient_username", { message: NO_RECIPIENT }, { shouldFocus: true });
      }
      const text = placeProblem(problem, setError, ["recipient_username", "amount", "currency"]);
      toasts.error((problem instanceof ApiProblem && problem.message) || text || FAILED);
      // Without an answer the transfer may have happened: the dialog stays, and confirming again is the same transfer.
      if (problem instanceof ApiProblem && problem.status !== 0) setAsked(null);
    },
  });

  const has: Record<Currency, number | undefined> = {
    espees: balances?.["espees-balance"],
    naira: balances?.paystack_balance,
  };
  const available = has[currency.value];

  return (
    <>
      <PageHeader
        title="Transfer Funds"
        text="Send some of your credit to another user. It is there at once."
      />
      <Card sx={{ p: { xs: 2, sm: 3 }, maxWidth: 560 }}>
        <form
          noValidate
          aria-label="Transfer funds"
          onSubmit={(event) => {
            event.preventDefault();
            toasts.begin();
            if (inactive) {
              toasts.error(INACTIVE);
              return;
            }
            void handleSubmit((values) =>
              setAsked({ ...values, amount: plainAmount(values.amount, DECIMALS) ?? "", key: freshKey() }),
            )(event);
          }}
        >
          <Stack sx={{ gap: 2 }}>
            <FormField
              name="recipient_username"
              control={control}
              label="Recipient username"
              autoComplete="off"
              slotProps={{ htmlInput: { autoCapitalize: "none", spellCheck: false } }}
            />
            <Choice
              label="Funds type"
              name="currency"
              value={currency.value}
              onChange={currency.onChange}
              options={[
                ["espees", "ESPEES"],
                ["naira", "Naira"],
              ]}
              helperText={
                available === undefined ? " " : `You have ${formatMoney(available, currency.value)}`
              }
            />
            <FormField
              name="amount"
              control={control}
              label="Amount"
              autoComplete="off"
              slotProps={{ htmlInput: { inputMode: "decimal" } }}
            />
            <Button type="submit" variant="contained" size="large" sx={{ alignSelf: "flex-start" }}>
              Transfer
            </Button>
          </Stack>
        </form>
      </Card>
      <ConfirmDialog
        open={asked !== null}
        title="Confirm transfer"
        confirm="Yes, transfer"
        cancel="No, cancel"
        busy={transferring.isPending}
        onConfirm={() => asked && transferring.mutate(asked)}
        onClose={() => setAsked(null)}
      >
        {asked && (
          <Stack sx={{ gap: 2 }}>
            <Typography>
              <strong>{formatWhole(asked.amount, asked.currency)}</strong> goes from your account to{" "}
              <strong>{asked.recipient_username}</strong>.
            </Typography>
            <Alert severity="warning" variant="outlined">
              A transfer cannot be taken back. Make sure the username is right.
            </Alert>
          </Stack>
        )}
      </ConfirmDialog>
    </>
  );
}
