// What a quote comes to, for the foot of its dialog: in sight however long the lines above are.
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router-dom";
import { amountOf, currencyOf, formatWhole, micros } from "./money";

/** What the summary reads of a quote. */
interface Quote {
  currency: string;
  total_charges: number;
  total_contacts: number;
  /** Below zero where the balance does not pay for it. */
  balance_after: number;
  /** Of calls: the most that one is billed; what is not used is refunded. */
  pulses?: number | null;
}

/** Whether the balance pays for the quote. */
export function isShort(quote: Quote): boolean {
  return (micros(quote.balance_after) ?? 0n) < 0n;
}

export function QuoteSummary({ quote }: { quote: Quote }) {
  const currency = currencyOf(quote.currency);
  const short = isShort(quote);
  const missing = amountOf(-(micros(quote.balance_after) ?? 0n));
  return (
    <Box
      role="group"
      aria-label="What it costs"
      sx={{ px: 3, pt: 1.5, borderTop: 1, borderColor: "divider" }}
    >
      <Box
        component="dl"
        sx={{
          m: 0,
          display: "grid",
          columnGap: 2,
          rowGap: 0.25,
          gridTemplateColumns: { xs: "1fr auto", sm: "1.3fr 1fr 1.3fr" },
        }}
      >
        <Figure name={quote.pulses ? "Total, at most" : "Total"} large>
          {formatWhole(quote.total_charges, currency)}
        </Figure>
        <Figure name="Contacts">{quote.total_contacts.toLocaleString("en")}</Figure>
        <Figure name="Balance after" tone={short ? "error.main" : undefined}>
          {formatWhole(quote.balance_after, currency)}
        </Figure>
      </Box>
      {short && (
        <Typography variant="body2" role="alert" sx={{ mt: 0.75 }}>
          <Box component="b" sx={{ color: "error.main" }}>
            You need {formatWhole(missing, currency)} more.
          </Box>{" "}
          <Link
            component={RouterLink}
            to={currency === "naira" ? "/dashboard/fund-with-paystack" : "/dashboard/buy-sms-online"}
            underline="always"
          >
            Fund your account
          </Link>
          ; what you wrote is kept.
        </Typography>
      )}
    </Box>
  );
}

/** On a phone a line of name and figure; where there is room, the figure below its name. */
function Figure(props: { name: string; large?: boolean; tone?: string; children: ReactNode }) {
  return (
    <Box
      sx={{
        display: { xs: "grid", sm: "block" },
        gridColumn: { xs: "1 / -1", sm: "auto" },
        gridTemplateColumns: "subgrid",
        alignItems: "baseline",
      }}
    >
      <Typography component="dt" variant="body2" color="textSecondary">
        {props.name}
      </Typography>
      <Typography
        component="dd"
        sx={{
          m: 0,
          textAlign: { xs: "right", sm: "left" },
          color: props.tone,
          fontWeight: 700,
          fontSize: props.large ? { xs: "1.375rem", sm: "1.5rem" } : { xs: "1.0625rem", sm: "1.25rem" },
          fontVariantNumeric: "tabular-nums",
          whiteSpace: "nowrap",
          lineHeight: 1.3,
        }}
      >
        {props.children}
      </Typography>
    </Box>
  );
}
