// Amount and narration, then away to the provider's page.
import { zodResolver } from "@hookform/resolvers/zod";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import InputAdornment from "@mui/material/InputAdornment";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Link as To } from "react-router-dom";
import { z } from "zod";
import { freshKey } from "../../api/client";
import { type SmsPrices, smsPricesQuery } from "../../api/queries";
import { session, useSession } from "../../api/session";
import { FormField, placeProblem } from "../../design/form";
import { FormAlert } from "../../design/states";
import { useToasts } from "../../design/toasts";
import { amountField, plainAmount } from "./amount";
import { INACTIVE, type Provider, REFERENCE_KEYS, type StartedPayment } from "./payments";

interface Props {
  provider: Provider;
  unit: string;
  decimals: number;
  /** Where it says what the money is for, the provider's page shows it. */
  narrationRequired: boolean;
  submit: string;
  begin: (amount: string, narration: string, key: string) => Promise<StartedPayment>;
  /** Counts confirmed payments: each empties the form. */
  paid: number;
}

export function FundForm({ provider, unit, decimals, narrationRequired, submit, begin, paid }: Props) {
  const inactive = useSession()?.user.status === "inactive";
  const [refused, setRefused] = useState<string | null>(null);
  const toasts = useToasts();
  const shape = z.object({
    amount: amountField(decimals),
    narration: narrationRequired ? z.string().trim().min(1, "Narration is required") : z.string().trim(),
  });
  const { control, handleSubmit, setError, reset } = useForm<z.infer<typeof shape>>({
    resolver: zodResolver(shape),
    defaultValues: { amount: "", narration: "" },
  });
  useEffect(() => {
    if (paid > 0) reset();
  }, [paid, reset]);

  const beginning = useMutation({
    mutationFn: (values: { amount: string; narration: string }) =>
      begin(plainAmount(values.amount, decimals) ?? "", values.narration, freshKey()),
    onSuccess: ({ reference, url }) => {
      session.keep(REFERENCE_KEYS[provider], reference);
      window.location.assign(url);
    },
    onError: (problem) => {
      const text = placeProblem(problem, setError, ["amount", "narration"], { price: "amount" });
      setRefused(text);
      if (text) toasts.error(text);
    },
  });

  return (
    <Card sx={{ p: { xs: 2, sm: 3 } }}>
      <form
        noValidate
        aria-label={submit}
        onSubmit={(event) => {
          event.preventDefault();
          toasts.begin();
          if (inactive) {
            toasts.error(INACTIVE);
            return;
          }
          setRefused(null);
          void handleSubmit((values) => beginning.mutate(values))(event);
        }}
      >
        <Useless provider={provider} />
        <FormAlert text={refused} />
        <Stack sx={{ gap: 2 }}>
          <FormField
            name="amount"
            control={control}
            label="Amount"
            autoComplete="off"
            slotProps={{
              htmlInput: { inputMode: "decimal" },
              input: { startAdornment: <InputAdornment position="start">{unit}</InputAdornment> },
            }}
          />
          <FormField
            name="narration"
            control={control}
            label={narrationRequired ? "Narration" : "Narration (if you like)"}
            helperText="What it is for, in your words: it is in your history"
            slotProps={{ htmlInput: { maxLength: 200 } }}
          />
          <Button
            type="submit"
            variant="contained"
            size="large"
            loading={beginning.isPending || beginning.isSuccess}
            sx={{ alignSelf: "flex-start" }}
          >
            {submit}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

const PRICE = { espees: "SMS-UNIT-PRICE", paystack: "SMS-UNIT-PRICE-IN-NAIRA" } as const;

/** Said before paying: without a price, the currency pays for no message. */
function Useless({ provider }: { provider: Provider }) {
  const prices = useQuery(smsPricesQuery()).data;
  const set = (name: keyof SmsPrices) => (prices?.[name]?.length ?? 0) > 0;
  if (!prices || set(PRICE[provider])) return null;
  const other = provider === "espees" ? "paystack" : "espees";
  const [name, otherName] = provider === "espees" ? ["ESPEES", "Naira"] : ["Naira", "ESPEES"];
  return (
    <Alert severity="warning" variant="outlined" sx={{ mb: 2.5 }}>
      No price in {name} is set: messages cannot be paid for in {name} now.
      {set(PRICE[other]) && (
        <>
          {" "}
          <Link
            component={To}
            to={other === "espees" ? "/dashboard/buy-sms-online" : "/dashboard/fund-with-paystack"}
          >
            Fund your {otherName} account
          </Link>{" "}
          instead.
        </>
      )}
    </Alert>
  );
}
