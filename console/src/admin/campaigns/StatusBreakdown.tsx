// Where a campaign's messages are: one bar, and every status with its count and what it means.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import type { Theme } from "@mui/material/styles";
import Typography from "@mui/material/Typography";
import type { components } from "../../api/schema";
import { CALL_MEANINGS, wordsOf } from "../../design/sendWords";

type Counts = components["schemas"]["Counts"];

interface MessageStatus {
  status: keyof Counts;
  label: string;
  meaning: string;
  colour: (theme: Theme) => string;
}

/** In the order they are drawn. Every status of the daemon is here once, so the bar adds up to the recipients. */
export const MESSAGE_STATUSES: readonly MessageStatus[] = [
  {
    status: "delivered",
    label: "Delivered",
    meaning: "on the handset",
    colour: (theme) => theme.palette.primary.main,
  },
  {
    status: "submitted",
    label: "Submitted",
    meaning: "accepted by the carrier, receipt awaited",
    colour: (theme) => theme.palette.info.main,
  },
  {
    status: "submitting",
    label: "Submitting",
    meaning: "handed to the carrier, its answer awaited",
    colour: (theme) => theme.palette.info.light,
  },
  {
    status: "queued",
    label: "Queued",
    meaning: "waiting to be sent",
    colour: (theme) => theme.palette.divider,
  },
  {
    status: "undelivered",
    label: "Undelivered",
    meaning: "accepted, and not deliverable",
    colour: (theme) => theme.palette.error.main,
  },
  {
    status: "rejected",
    label: "Rejected",
    meaning: "rejected by the carrier, refunded",
    colour: (theme) => theme.palette.error.main,
  },
  {
    status: "expired",
    label: "Expired",
    meaning: "not delivered in time",
    colour: (theme) => theme.palette.error.main,
  },
  {
    status: "unknown",
    label: "Unknown",
    meaning: "it is not known whether it was sent",
    colour: (theme) => theme.palette.warning.main,
  },
  {
    status: "cancelled",
    label: "Cancelled",
    meaning: "never sent, refunded",
    colour: (theme) => theme.palette.text.disabled,
  },
  {
    status: "suppressed",
    label: "Suppressed",
    meaning: "the number opted out or is on the Do-Not-Disturb list, refunded",
    colour: (theme) => theme.palette.text.disabled,
  },
];

interface Props {
  counts: Counts;
  total: number;
  /** The campaign's `sms_type`. */
  kind: string;
}

export function StatusBreakdown({ counts, total, kind }: Props) {
  const meanings = wordsOf(kind).isCall ? CALL_MEANINGS : {};
  const shown = MESSAGE_STATUSES.filter((it) => counts[it.status] > 0);
  return (
    <Card component="section" aria-label="Outcomes" sx={{ p: 2.5 }}>
      <Typography component="h2" variant="h2" sx={{ fontSize: "1.0625rem", mb: 1.5 }}>
        {total.toLocaleString("en")} {total === 1 ? "recipient" : "recipients"}
      </Typography>
      <Box
        aria-hidden
        sx={{ display: "flex", gap: "2px", height: 14, borderRadius: 1, overflow: "hidden", mb: 2 }}
      >
        {shown.map((it) => (
          <Box
            key={it.status}
            sx={(theme) => ({ flexGrow: counts[it.status], minWidth: 3, bgcolor: it.colour(theme) })}
          />
        ))}
      </Box>
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {shown.map((it) => (
          <Box
            component="li"
            key={it.status}
            sx={{ display: "flex", alignItems: "baseline", gap: 1, py: 0.5 }}
          >
            <Box
              aria-hidden
              sx={(theme) => ({
                width: 10,
                height: 10,
                borderRadius: 0.5,
                bgcolor: it.colour(theme),
                flexShrink: 0,
              })}
            />
            <Typography component="span" sx={{ fontWeight: 600, flex: "0 0 auto" }}>
              {it.label}
            </Typography>
            <Typography component="span" variant="body2" color="textSecondary" sx={{ flex: 1 }}>
              {meanings[it.status] ?? it.meaning}
            </Typography>
            <Typography component="span" sx={{ fontVariantNumeric: "tabular-nums" }}>
              {counts[it.status].toLocaleString("en")}
            </Typography>
          </Box>
        ))}
      </Box>
    </Card>
  );
}
