// A word before the money is gone, to those who send: no balance buys a hundred pages any more.
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { type Balances, balancesQuery, type SmsPrices, smsPricesQuery } from "../../api/queries";
import { count } from "../../design/count";
import { micros } from "../../design/money";

/** Fewer pages than this are few. */
const FEW = 100n;

/** How many pages the better of both balances buys; null where no price is set, or pages are free. */
export function pagesLeft(balances: Balances, prices: SmsPrices): bigint | null {
  const pairs = [
    [balances["espees-balance"], prices["SMS-UNIT-PRICE"][0]?.value],
    [balances.paystack_balance, prices["SMS-UNIT-PRICE-IN-NAIRA"]?.[0]?.value],
  ] as const;
  let most: bigint | null = null;
  for (const [balance, price] of pairs) {
    if (price === undefined) continue;
    const [has, each] = [micros(balance) ?? 0n, micros(price) ?? 0n];
    if (each <= 0n) return null;
    const pages = has > 0n ? has / each : 0n;
    if (most === null || pages > most) most = pages;
  }
  return most;
}

export function LowBalance() {
  const balances = useQuery(balancesQuery()).data;
  const prices = useQuery(smsPricesQuery()).data;
  const left = balances && prices ? pagesLeft(balances, prices) : null;
  if (left === null || left >= FEW) return null;
  return (
    <Alert
      severity="warning"
      variant="outlined"
      sx={{ mb: 2, alignItems: "center" }}
      action={
        <Button component={Link} to="/dashboard/fund-with-paystack" color="inherit" size="small">
          Add credit
        </Button>
      }
    >
      {left === 0n
        ? "Your balance does not buy a page any more."
        : `Your balance buys ${count(Number(left))} more ${left === 1n ? "page" : "pages"} of text.`}
    </Alert>
  );
}
