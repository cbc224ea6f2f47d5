// One transaction with its reason; of a campaign, with every entry that the campaign made.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Link as To } from "react-router-dom";
import { chargeFacts } from "../../design/CampaignCost";
import { type Currency, currencyOf } from "../../design/money";
import { ErrorState } from "../../design/states";
import { kindOf } from "../../design/transactionKind";
import { DateTime, Money, WholeMoney } from "../../design/values";
import { campaignEntriesQuery, historyOf, reasonOf, type Transaction } from "./history";

interface Props {
  transaction: Transaction;
  onClose: () => void;
}

export function ExplainDialog({ transaction: it, onClose }: Props) {
  const id = useId();
  const currency = currencyOf(it.currency);
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogTitle id={id}>{it.direction === "debit" ? "Why was I charged?" : kindOf(it)}</DialogTitle>
      <DialogContent tabIndex={0}>
        <Stack sx={{ gap: 2.5 }}>
          <Typography>{reasonOf(it)}</Typography>
          {it.status !== "successful" && (
            <Alert severity={it.status === "pending" ? "info" : "warning"} variant="outlined">
              {it.status_details}
            </Alert>
          )}
          <Facts>
            <Fact label="Transaction">{kindOf(it)}</Fact>
            <Fact label="Amount">
              <WholeMoney value={it.price} currency={currency} />
            </Fact>
            {it.balance != null && (
              <Fact label="Balance after it">
                <Money value={it.balance} currency={currency} />
              </Fact>
            )}
            <Fact label="When">
              <DateTime value={it.transaction_date} />
            </Fact>
            <Fact label="Narration">{it.narration || "-"}</Fact>
            <Fact label="Reference">{it.payment_ref}</Fact>
          </Facts>
          {it.campaign_id != null && <OfCampaign id={it.campaign_id} currency={currency} onLeave={onClose} />}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        {it.campaign_id != null && (
          <Button component={To} to={`/dashboard/campaigns/${it.campaign_id}`}>
            Open the campaign
          </Button>
        )}
        <Button variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function OfCampaign({ id, currency, onLeave }: { id: number; currency: Currency; onLeave: () => void }) {
  const result = useQuery(campaignEntriesQuery(id));
  if (result.isError && !result.data) {
    return <ErrorState error={result.error} onRetry={() => void result.refetch()} />;
  }
  if (!result.data) return <Skeleton variant="rounded" height={140} aria-label="Loading" />;
  const { campaign, entries, more } = result.data;
  const money = (value: number) => <WholeMoney value={value} currency={currency} />;
  return (
    <Box component="section" aria-label={`Campaign ${id}`}>
      <Typography variant="h3" component="h3" sx={{ mb: 1 }}>
        Campaign {id}
      </Typography>
      <Facts>
        {chargeFacts(campaign).map((it) => (
          <Fact key={it.name} label={it.name}>
            <WholeMoney value={it.value} currency={currency} />
          </Fact>
        ))}
      </Facts>
      <Stack component="ul" sx={{ listStyle: "none", m: 0, mt: 2, p: 0 }}>
        {entries.map((entry) => (
          <Stack
            key={entry.id}
            component="li"
            direction="row"
            sx={{ gap: 2, py: 1, borderTop: 1, borderColor: "divider", justifyContent: "space-between" }}
          >
            <Box sx={{ minWidth: 0 }}>
              <Typography variant="body2" sx={{ overflowWrap: "anywhere" }}>
                {entry.narration}
              </Typography>
              <Typography variant="body2" color="textSecondary">
                <DateTime value={entry.transaction_date} />
              </Typography>
            </Box>
            <Typography variant="body2" sx={{ fontWeight: 600, whiteSpace: "nowrap" }}>
              {entry.direction === "credit" ? "+" : "-"}
              {money(entry.price)}
            </Typography>
          </Stack>
        ))}
      </Stack>
      {more > 0 && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          <Link component={To} to={historyOf(id)} underline="always" onClick={onLeave}>
            And {more.toLocaleString("en")} more
          </Link>
        </Typography>
      )}
    </Box>
  );
}

function Facts({ children }: { children: ReactNode }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: "grid",
        gridTemplateColumns: { xs: "1fr", sm: "auto 1fr" },
        columnGap: 3,
        rowGap: { xs: 0, sm: 1 },
      }}
    >
      {children}
    </Box>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <Typography component="dt" variant="body2" color="textSecondary" sx={{ pt: { xs: 1, sm: 0.25 } }}>
        {label}
      </Typography>
      <Typography component="dd" sx={{ m: 0, overflowWrap: "anywhere", textAlign: { sm: "right" } }}>
        {children}
      </Typography>
    </>
  );
}
