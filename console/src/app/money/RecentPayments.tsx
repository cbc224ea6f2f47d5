// The payments that were begun here, so that one whose return got lost can still be paid or confirmed.
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { currencyOf, formatWhole } from "../../design/money";
import { ErrorState } from "../../design/states";
import { DateTime, StatusChip } from "../../design/values";
import { isOpen, type Payment, type Provider, paymentsQuery } from "./payments";

const SHOWN = 5;
/** The daemon's statuses in the payer's words. */
const STATUSES: Record<string, [words: string, tone: "success" | "warning" | "error" | "neutral"]> = {
  initiated: ["Not paid yet", "warning"],
  pending: ["Waiting", "warning"],
  settled: ["Paid", "success"],
  failed: ["Failed", "error"],
  expired: ["Expired", "neutral"],
  mismatch: ["Needs a look", "error"],
};

interface Props {
  provider: Provider;
  busy: string | null;
  onCheck: (reference: string) => void;
}

export function RecentPayments({ provider, busy, onCheck }: Props) {
  const result = useQuery(paymentsQuery(provider));
  if (result.isError && !result.data) {
    return (
      <Card>
        <ErrorState error={result.error} onRetry={() => void result.refetch()} />
      </Card>
    );
  }
  return (
    <Card component="section" aria-labelledby="recent" sx={{ p: { xs: 2, sm: 2.5 } }}>
      <Typography id="recent" variant="h2" sx={{ mb: 1 }}>
        Recent payments
      </Typography>
      {!result.data && <Skeleton height={60} />}
      {result.data?.length === 0 && (
        <Typography color="textSecondary">
          None yet. What you begin is listed here until it is paid.
        </Typography>
      )}
      <Stack component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {result.data?.slice(0, SHOWN).map((it) => (
          <Row key={it.id} payment={it} busy={busy === it.payment_ref} onCheck={onCheck} />
        ))}
      </Stack>
    </Card>
  );
}

function Row({
  payment,
  busy,
  onCheck,
}: {
  payment: Payment;
  busy: boolean;
  onCheck: (reference: string) => void;
}) {
  const [words, tone] = STATUSES[payment.status] ?? [payment.status, "neutral"];
  return (
    <Stack
      component="li"
      sx={{ py: 1.5, gap: 0.75, borderTop: 1, borderColor: "divider", "&:first-of-type": { borderTop: 0 } }}
    >
      <Stack
        direction="row"
        sx={{ alignItems: "center", justifyContent: "space-between", gap: 1, flexWrap: "wrap" }}
      >
        <Typography sx={{ fontWeight: 650, fontVariantNumeric: "tabular-nums" }}>
          {formatWhole(payment.amount, currencyOf(payment.currency))}
        </Typography>
        <StatusChip status={words} tone={tone} />
      </Stack>
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
        <DateTime value={payment.created_at} />, {payment.payment_ref}
      </Typography>
      {isOpen(payment) && (
        <Stack direction="row" sx={{ gap: 1 }}>
          {payment.payment_url && (
            <Button size="small" variant="outlined" href={payment.payment_url}>
              Pay now
            </Button>
          )}
          <Button
            size="small"
            loading={busy}
            onClick={() => onCheck(payment.payment_ref)}
            aria-label={`Check payment ${payment.payment_ref}`}
          >
            Check
          </Button>
        </Stack>
      )}
    </Stack>
  );
}
