// What it costs, as far as the page knows, what is left then, and the button: in sight beside the form where there is room,
// else below it. On a phone the button is in the bar at the lower edge of the screen.
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type Ref, useEffect, useRef } from "react";
import { Link as To } from "react-router-dom";
import { balancesQuery } from "../../api/queries";
import { amountOf, micros } from "../../design/money";
import { balanceOf } from "../../design/Payment";
import { FormAlert } from "../../design/states";
import { CURRENCY, charge, type PaymentMethod } from "../../design/unitPrice";
import { Money, WholeMoney } from "../../design/values";
import { Section } from "./Section";

interface Props {
  method: "" | PaymentMethod;
  /** What it costs by what the page knows, in micro-units; null while it knows too little. */
  estimate: bigint | null;
  /** Of how many the estimate is, and what comes next. */
  hint: ReactNode;
  /** What is read instead while a quote is awaited. */
  asking: string | false;
  refused: string | null;
  submit: string;
  /** Null where the button is in the bar. */
  send: Ref<HTMLButtonElement> | null;
  /** Below the button. */
  children: ReactNode;
}

export function Price({ method, estimate, hint, asking, refused, submit, send, children }: Props) {
  const alert = useRef<HTMLDivElement>(null);
  // The bar's button may be pressed far above.
  useEffect(() => {
    if (refused && send === null) alert.current?.scrollIntoView({ block: "center" });
  }, [refused, send]);
  return (
    <Section title="Price">
      <Typography component="div" variant="body2" color="textSecondary" aria-live="polite">
        {asking || (
          <>
            {estimate !== null && method && (
              <Box
                component="span"
                sx={{
                  display: "block",
                  typography: "h1",
                  color: "text.primary",
                  fontVariantNumeric: "tabular-nums",
                  overflowWrap: "anywhere",
                }}
              >
                About {charge(estimate, method)}{" "}
              </Box>
            )}
            {hint}
          </>
        )}
      </Typography>
      {method && <Left method={method} estimate={estimate} />}
      <div ref={alert}>
        <FormAlert text={refused} />
      </div>
      <Stack sx={{ gap: 1.5, mt: 2 }}>
        {send !== null && (
          <Button ref={send} type="submit" variant="contained" size="large" loading={asking !== false}>
            {submit}
          </Button>
        )}
        {children}
      </Stack>
    </Section>
  );
}

/** The balance that pays, and what an estimate leaves of it, in micro-units; null while they are not known. */
export function useLeft(method: "" | PaymentMethod, estimate: bigint | null) {
  const balances = useQuery(balancesQuery()).data;
  const balance = method ? micros(balanceOf(balances, method) ?? "") : null;
  return { balance, left: balance === null || estimate === null ? null : balance - estimate };
}

/** The balance that pays, and what is left of it. */
function Left({ method, estimate }: { method: PaymentMethod; estimate: bigint | null }) {
  const { balance, left } = useLeft(method, estimate);
  if (balance === null) return null;
  return (
    <>
      <Box
        component="dl"
        sx={{
          display: "grid",
          gridTemplateColumns: "1fr auto",
          gap: 0.5,
          m: 0,
          mt: 1.5,
          pt: 1.5,
          borderTop: 1,
          borderColor: "divider",
          typography: "body2",
          "& dd": { m: 0, textAlign: "right" },
        }}
      >
        <dt>Balance</dt>
        <dd>
          <Money value={amountOf(balance)} currency={CURRENCY[method]} />
        </dd>
        {left !== null && left >= 0n && (
          <>
            <dt>Left, about</dt>
            <dd>
              <WholeMoney value={amountOf(left)} currency={CURRENCY[method]} />
            </dd>
          </>
        )}
      </Box>
      <Typography variant="body2" color="error" role="status">
        {left !== null && left < 0n && (
          <>
            You need about {charge(-left, method)} more.{" "}
            <Link component={To} to={FUNDING[method]} underline="always" color="inherit">
              Fund your account
            </Link>
          </>
        )}
      </Typography>
    </>
  );
}

const FUNDING: Record<PaymentMethod, string> = {
  espees: "/dashboard/buy-sms-online",
  paystack: "/dashboard/fund-with-paystack",
};
