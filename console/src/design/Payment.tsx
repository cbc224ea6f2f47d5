// What it is paid from: two balances side by side, each with the price of a unit. The field `payment_method` of the form
// around it.
import Box from "@mui/material/Box";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId } from "react";
import { useController, useFormContext } from "react-hook-form";
import { type Balances, balancesQuery } from "../api/queries";
import { micros } from "./money";
import { useFailure } from "./toasts";
import { CURRENCY, type PaymentMethod, type UnitPrices, unitPrice } from "./unitPrice";
import { Money } from "./values";

const METHODS: { method: PaymentMethod; label: string }[] = [
  { method: "espees", label: "ESPEES" },
  { method: "paystack", label: "Naira balance" },
];

/** The specification's text. */
const PRICES_FAILED = "Failed to get Unit Price.";

/** What is in the balance that a method pays from, in units; undefined while it is not known. */
export function balanceOf(balances: Balances | undefined, method: PaymentMethod): number | undefined {
  return method === "espees" ? balances?.["espees-balance"] : balances?.paystack_balance;
}

/** The one method that can pay: it has a price, and either money in it or no other that has a price. */
function onlyMethod(prices: UnitPrices | undefined, balances: Balances | undefined): PaymentMethod | null {
  if (!prices || !balances) return null;
  const priced = METHODS.map((it) => it.method).filter((it) => prices[it] !== null);
  const funded = priced.filter((it) => (micros(balanceOf(balances, it) ?? 0) ?? 0n) > 0n);
  const able = funded.length > 0 ? funded : priced;
  return able.length === 1 ? (able[0] ?? null) : null;
}

interface Props {
  /** Undefined while they are not known. */
  prices: UnitPrices | undefined;
  /** Why they are not. */
  failure: unknown;
  /** What the prices are of, such as `page`. */
  unit: string;
}

export function Payment({ prices, failure, unit }: Props) {
  const { control } = useFormContext<{ payment_method: "" | PaymentMethod }>();
  const { field, fieldState } = useController({ name: "payment_method", control });
  const balances = useQuery(balancesQuery()).data;
  const id = useId();
  useFailure(failure, PRICES_FAILED);
  const only = onlyMethod(prices, balances);
  const { value, onChange } = field;
  useEffect(() => {
    if (only && value === "") onChange(only);
  }, [only, value, onChange]);
  return (
    <FormControl error={fieldState.invalid} fullWidth>
      <FormLabel id={id} sx={{ mb: 1 }}>
        Payment method
      </FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={field.value}
        onChange={field.onChange}
        sx={{ display: "grid", gap: 1.5, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}
      >
        {METHODS.map(({ method, label }, at) => {
          const price = prices?.[method] ?? null;
          const balance = balanceOf(balances, method);
          const chosen = field.value === method;
          return (
            <FormControlLabel
              key={method}
              value={method}
              // A price that is not known yet may be there.
              disabled={price === null && prices !== undefined}
              control={
                <Radio
                  slotProps={at === 0 ? { input: { ref: field.ref } } : undefined}
                  sx={{ alignSelf: "flex-start" }}
                />
              }
              sx={{
                m: 0,
                p: 1,
                pr: 2,
                border: 1,
                borderRadius: 1,
                borderColor: chosen ? "primary.main" : "divider",
                backgroundColor: chosen ? "primary.light" : undefined,
              }}
              label={
                <Box sx={{ py: 0.75 }}>
                  <Typography component="span" sx={{ display: "block", fontWeight: 600 }}>
                    {label}
                  </Typography>
                  <Typography component="span" variant="body2" sx={{ display: "block" }}>
                    {balance === undefined ? "Balance not known" : "Balance "}
                    {balance !== undefined && <Money value={balance} currency={CURRENCY[method]} />}
                  </Typography>
                  <Typography component="span" variant="body2" sx={{ display: "block" }}>
                    {price !== null && `${unitPrice(price, method)} a ${unit}`}
                    {failure !== null && !prices && PRICES_FAILED}
                    {price === null && prices && "No price is set: sending is not possible"}
                  </Typography>
                </Box>
              }
            />
          );
        })}
      </RadioGroup>
      {fieldState.error && <FormHelperText>{fieldState.error.message}</FormHelperText>}
    </FormControl>
  );
}
