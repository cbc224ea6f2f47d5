// What was just sent, followed until nothing is left to send.
import CloseOutlined from "@mui/icons-material/CloseOutlined";
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import IconButton from "@mui/material/IconButton";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import type { Confirmed } from "../../api/confirmQuote";
import { useEvents } from "../../api/events";
import { balancesQuery } from "../../api/queries";
import { FirstFare } from "../../design/campaign/FirstRecipients";
import { needsAdmin, needsOwner } from "../../design/campaign/held";
import { isOfFirst, reasonOf } from "../../design/campaign/reasonOf";
import { counted } from "../../design/count";
import { DateTime, StatusChip } from "../../design/values";
import { type Campaign, followEvents, followQuery, isOver } from "./calls";

/** Runs that are followed one by one. */
const FOLLOWED = 5;

function headline(campaigns: Campaign[]): string {
  if (campaigns.some(needsOwner)) return "Your campaign has stopped: you decide how it goes on";
  if (campaigns.some(needsAdmin)) return "Your campaign waits for the administrator";
  if (campaigns.every((it) => it.status === "completed")) return "Your campaign is sent";
  if (campaigns.every(isOver)) return "Your campaign has ended";
  if (campaigns.every((it) => it.scheduled_at)) return "Your campaign is scheduled";
  return "Your campaign is on its way";
}

export function SendProgress({ confirmed, onClose }: { confirmed: Confirmed; onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: "center" });
  }, []);
  const begun = confirmed.campaigns.length > 0 ? confirmed.campaigns : [confirmed.details];
  const client = useQueryClient();
  // Of several runs one is sent now: the others wait for their time.
  const [sending, setSending] = useState(begun.find((it) => it.status === "sending"));
  const streams = useEvents(
    sending ? `campaign ${sending.id}` : null,
    (signal) => followEvents(sending?.id ?? 0, signal),
    ({ data }) => {
      const { campaign } = JSON.parse(data) as { campaign: Campaign };
      client.setQueryData<Campaign>(followQuery(campaign).queryKey, (now) => ({ ...now, ...campaign }));
    },
  );
  const followed = useQueries({
    queries: begun.slice(0, FOLLOWED).map((it) => ({
      ...followQuery(it, streams && it.id === sending?.id),
      enabled: !isOver(it),
    })),
  });
  const campaigns = begun.map((it, at) => followed[at]?.data ?? it);
  const now = campaigns.find((it) => it.status === "sending");
  if (now?.id !== sending?.id) setSending(now);
  return (
    <Card component="section" aria-label="What you sent" sx={{ p: { xs: 2, sm: 3 }, mb: 3 }}>
      <Box sx={{ display: "flex", alignItems: "flex-start", gap: 1 }}>
        <Typography variant="h2" ref={heading} tabIndex={-1} sx={{ flex: 1, outline: "none" }}>
          {headline(campaigns)}
        </Typography>
        <IconButton aria-label="Close what you sent" onClick={onClose} sx={{ mt: -1, mr: -1 }}>
          <CloseOutlined />
        </IconButton>
      </Box>
      {campaigns.slice(0, FOLLOWED).map((campaign) => (
        <Progress key={campaign.id} now={campaign} />
      ))}
      {campaigns.length > FOLLOWED && (
        <Link component={RouterLink} to="/dashboard/sent-messages" variant="body2">
          and {campaigns.length - FOLLOWED} more
        </Link>
      )}
    </Card>
  );
}

function Progress({ now }: { now: Campaign }) {
  const client = useQueryClient();
  const { queued, submitting, delivered } = now.counts;
  const handed = Math.max(0, now.total_contacts - queued - submitting);
  const done = now.total_contacts === 0 ? 100 : Math.floor((handed * 100) / now.total_contacts);
  const over = isOver(now);
  const isUndecided = now.canary?.state === "running" || needsOwner(now);
  const failed = now.no_of_failed_contacts ?? 0;
  useEffect(() => {
    // What was not accepted is refunded.
    if (over) void client.invalidateQueries({ queryKey: balancesQuery().queryKey });
  }, [over, client]);
  const said = [`${handed.toLocaleString("en")} of ${counted(now.total_contacts, "message")} submitted`];
  if (delivered > 0) said.push(`${delivered.toLocaleString("en")} delivered`);
  if (failed > 0) said.push(`${failed.toLocaleString("en")} failed`);
  return (
    <Box sx={{ mt: 1.5 }}>
      <Box
        sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5, rowGap: 0.5, mb: 1 }}
      >
        <StatusChip status={now.status} />
        <Typography variant="body2" aria-live="polite" sx={{ flex: 1, minWidth: 200 }}>
          {now.status === "scheduled" && now.scheduled_at ? (
            <>
              {counted(now.total_contacts, "message")} at <DateTime value={now.scheduled_at} />
            </>
          ) : (
            said.join(", ")
          )}
        </Typography>
        <Link
          component={RouterLink}
          to={`/dashboard/campaigns/${now.id}`}
          variant="body2"
          sx={{ fontWeight: 600 }}
        >
          Open campaign {now.id}
        </Link>
      </Box>
      {now.status !== "scheduled" && (
        <LinearProgress
          variant="determinate"
          value={done}
          aria-label={`Campaign ${now.id}: handed to the carrier`}
          sx={{ height: 6, borderRadius: 1 }}
        />
      )}
      {isUndecided && (
        <Box sx={{ mt: 1.5 }}>
          <FirstFare campaign={now} />
        </Box>
      )}
      {!isOfFirst(now) && reasonOf(now) && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          {reasonOf(now)}
        </Typography>
      )}
    </Box>
  );
}
