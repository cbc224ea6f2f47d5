// The first recipients of a campaign: how they fare, and so whether the rest goes out.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import { useTheme } from "@mui/material/styles";
import Typography from "@mui/material/Typography";
import { useEffect, useState } from "react";
import type { components } from "../../api/schema";
import { count } from "../count";
import { remaining } from "../duration";
import { wordsOf } from "../sendWords";
import { StatusChip } from "../values";
import { firstFared, firstFigures, needsOwner } from "./held";
import type { Campaign } from "./outcomes";
import { Panel } from "./Panel";
import { DECIDE } from "./reasonOf";

type First = components["schemas"]["CampaignCanary"];

/** As a part of the campaign's page; nothing where it has none. */
export function FirstRecipients({ campaign }: { campaign: Campaign }) {
  const { canary } = campaign;
  if (!canary) return null;
  const { words, tone } = STATES[canary.state] ?? { words: canary.state };
  return (
    <Panel title="First recipients" aside={<StatusChip status={words} tone={tone} />}>
      <FirstFare campaign={campaign} />
    </Panel>
  );
}

const STATES: Record<string, { words: string; tone: "info" | "success" | "error" | "neutral" }> = {
  running: { words: "The rest waits", tone: "info" },
  passed: { words: "Passed", tone: "success" },
  failed: { words: "Not passed", tone: "error" },
  resumed: { words: "Sent all the same", tone: "neutral" },
  stopped: { words: "Ended before", tone: "neutral" },
};

/** How they fare, in a sentence and a bar. */
export function FirstFare({ campaign }: { campaign: Campaign }) {
  const { canary } = campaign;
  const now = useNow(canary?.until ?? null);
  if (!canary) return null;
  const told = firstWords(campaign, now);
  const isOpen = canary.state === "running" || canary.state === "failed";
  return (
    <>
      {needsOwner(campaign) ? (
        <Alert severity="warning" variant="outlined" sx={{ mb: isOpen ? 2 : 0 }}>
          {told} {DECIDE}
        </Alert>
      ) : (
        <Typography variant="body2" sx={{ mb: isOpen ? 1.5 : 0 }}>
          {told}
        </Typography>
      )}
      {isOpen && <Bar first={canary} campaign={campaign} />}
    </>
  );
}

/** A clock, while a time is waited for. */
function useNow(until: string | null): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!until) return;
    setNow(Date.now());
    const clock = window.setInterval(() => setNow(Date.now()), 5_000);
    return () => window.clearInterval(clock);
  }, [until]);
  return now;
}

/** Where they are, in a sentence or two. */
export function firstWords(campaign: Campaign, now: number): string {
  const { canary: first, status, sms_type } = campaign;
  if (!first) return "";
  const words = wordsOf(sms_type);
  const all = `the first ${words.of(first.size)}`;
  const passes = `The rest waits until ${count(first.needed)} of ${all} ${first.needed === 1 ? "is" : "are"} ${words.reached}`;
  const fared = firstFared(campaign);
  switch (first.state) {
    case "running":
      if (status === "paused") return `${passes}. The time for it starts again when the campaign goes on.`;
      if (status === "scheduled" || !first.until) return `${passes}.`;
      return `${passes}. ${awaited(first.until, now, words.reached)}`;
    case "passed":
      return `${fared}: the rest was let go.`;
    case "resumed":
      return `Too few got through, and the rest was let go all the same. By now ${fared}.`;
    case "stopped":
      return `The campaign ended before it was known: ${fared}.`;
    default:
      if (first.delivered >= first.needed) {
        return `Too few of ${all} were ${words.reached} in time. By now ${fared}.`;
      }
      return `Too few got through: ${fared}. Nothing more is ${words.sent}.`;
  }
}

function awaited(until: string, now: number, reached: string): string {
  const left = Math.ceil((Date.parse(until) - now) / 1_000);
  if (left <= 0) return "It is decided in a moment.";
  return `It has ${remaining(left)} left; what is not ${reached} by then counts as failed.`;
}

/** Delivered, failed, and what is not known yet, with a mark at what is needed. */
function Bar({ first, campaign }: { first: First; campaign: Campaign }) {
  const { palette } = useTheme();
  const { size, delivered, failed, needed } = first;
  const words = wordsOf(campaign.sms_type);
  const part = (value: number) => `${Math.min(100, (value * 100) / Math.max(1, size))}%`;
  const open = Math.max(0, size - delivered - failed);
  const figures = [
    { name: words.Reached, value: delivered, colour: palette.success.main },
    { name: "Failed", value: failed, colour: palette.error.main },
    { name: "Not known yet", value: open, colour: palette.divider },
  ];
  return (
    <>
      <Box
        role="img"
        aria-label={`First recipients: ${firstFigures(campaign)}`}
        sx={{ position: "relative", py: 0.5 }}
      >
        <Box
          sx={{
            display: "flex",
            gap: "2px",
            height: 12,
            borderRadius: 6,
            overflow: "hidden",
            backgroundColor: "divider",
          }}
        >
          {figures.slice(0, 2).map(({ name, value, colour }) => (
            <Box
              key={name}
              sx={{
                width: part(value),
                backgroundColor: colour,
                transition: "width 400ms",
                "@media (prefers-reduced-motion: reduce)": { transition: "none" },
              }}
            />
          ))}
        </Box>
        <Box
          sx={{
            position: "absolute",
            top: 0,
            bottom: 0,
            left: part(needed),
            width: 3,
            ml: "-3px",
            borderRadius: 1,
            backgroundColor: "text.primary",
          }}
        />
      </Box>
      <Box
        component="dl"
        sx={{
          m: 0,
          mt: 1,
          display: "flex",
          flexWrap: "wrap",
          columnGap: 3,
          rowGap: 0.5,
          fontSize: "0.875rem",
        }}
      >
        {[...figures, { name: "Needed", value: needed, colour: palette.text.primary }].map((it) => (
          <Box key={it.name} sx={{ display: "flex", alignItems: "baseline", gap: 0.75 }}>
            <Box
              component="dt"
              sx={{
                color: "text.secondary",
                "&::before": {
                  content: '""',
                  display: "inline-block",
                  width: it.name === "Needed" ? 3 : 10,
                  height: 10,
                  mr: 0.75,
                  borderRadius: "3px",
                  backgroundColor: it.colour,
                  border: 1,
                  borderColor: it.name === "Not known yet" ? "text.secondary" : it.colour,
                },
              }}
            >
              {it.name}
            </Box>
            <Box component="dd" sx={{ m: 0, fontWeight: 600, fontVariantNumeric: "tabular-nums" }}>
              {count(it.value)}
            </Box>
          </Box>
        ))}
      </Box>
    </>
  );
}
