// Pause, resume, cancel: each says in numbers what will happen, and the daemon's answer what did.
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import { balancesQuery, own } from "../../api/queries";
import { ConfirmDialog } from "../ConfirmDialog";
import { count } from "../count";
import { formatDateTime } from "../dateTime";
import { currencyOf, formatWhole } from "../money";
import { wordsOf } from "../sendWords";
import { toast } from "../toasts";
import { firstFared, needsAdmin, needsOwner } from "./held";
import { campaignKey, isOver } from "./live";
import type { Campaign } from "./outcomes";

type Step = "pause" | "resume" | "cancel";

const WORDS = {
  pause: { title: "Pause this campaign?", confirm: "Pause" },
  resume: { title: "Resume this campaign?", confirm: "Resume" },
  cancel: { title: "Cancel this campaign?", confirm: "Yes, cancel it" },
} as const;

const PATHS = {
  pause: "/api/campaigns/{id}/pause",
  resume: "/api/campaigns/{id}/resume",
  cancel: "/api/campaigns/{id}/cancel",
} as const;

/** `owner`: whose it is, where an administrator decides. */
export function CampaignControls({ campaign, owner }: { campaign: Campaign; owner?: string }) {
  const [asked, setAsked] = useState<Step | null>(null);
  // Kept while the dialog fades.
  const [step, setStep] = useState<Step>("pause");
  const client = useQueryClient();
  const { id } = campaign;
  const take = useMutation({
    mutationFn: (which: Step) => ask(api.POST(PATHS[which], { params: { path: { id } } })),
    onSuccess: ({ message }) => toast.success(message),
    onError: (problem) => toast.error(messageOf(problem)),
    // Also after a refusal: it may be over by now.
    onSettled: () => {
      setAsked(null);
      void client.invalidateQueries({ queryKey: campaignKey(id) });
      void client.invalidateQueries({ queryKey: own("campaigns") });
      void client.invalidateQueries({ queryKey: balancesQuery().queryKey });
    },
  });
  if (isOver(campaign) && asked === null) return null;
  const open = (which: Step) => {
    setStep(which);
    setAsked(which);
  };
  const paused = campaign.status === "paused";
  return (
    <>
      {/* Where an administrator is waited for, the reason above tells it. */}
      {(!needsAdmin(campaign) || owner !== undefined) && (
        <Button variant="outlined" onClick={() => open(paused ? "resume" : "pause")}>
          {paused ? "Resume" : "Pause"}
        </Button>
      )}
      <Button variant="outlined" color="error" onClick={() => open("cancel")}>
        Cancel campaign
      </Button>
      <ConfirmDialog
        open={asked !== null}
        title={WORDS[step].title}
        confirm={WORDS[step].confirm}
        cancel="Leave it"
        danger={step === "cancel"}
        busy={take.isPending}
        onConfirm={() => take.mutate(step)}
        onClose={() => setAsked(null)}
      >
        {consequenceOf(step, campaign, { owner }).map((line) => (
          <Typography key={line} sx={{ mb: 1 }}>
            {line}
          </Typography>
        ))}
      </ConfirmDialog>
    </>
  );
}

/** What a step will do, in numbers. */
export function consequenceOf(
  step: Step,
  campaign: Campaign,
  { now = Date.now(), owner }: { now?: number; owner?: string } = {},
): string[] {
  const { counts } = campaign;
  const words = wordsOf(campaign.sms_type);
  const waiting = words.of(counts.queued);
  const money = formatWhole(campaign.reserved, currencyOf(campaign.currency));
  const away =
    counts.submitting > 0
      ? [
          `${words.of(counts.submitting)} ${counts.submitting === 1 ? "is" : "are"} ${words.isCall ? "on the line already and will go on to the end" : "with the carrier already and will still go out"}.`,
        ]
      : [];
  if (step === "pause") {
    return [`${waiting} will wait until you resume; ${money} stays reserved for this campaign.`, ...away];
  }
  if (step === "resume") {
    const first = campaign.canary;
    const fared = firstFared(campaign);
    // The owner decides what an administrator's hold only put off.
    if (needsAdmin(campaign) && first?.state === "failed") {
      return [
        `The hold is lifted, and nothing is ${words.sent} yet: ${fared}. ${owner ?? "Its owner"} then resumes or cancels it.`,
      ];
    }
    const start = campaign.scheduled_at ? Date.parse(campaign.scheduled_at) : 0;
    const when = start > now ? `at ${formatDateTime(start)}, as scheduled` : "now";
    const lines = [`${waiting} will go out ${when}. They are paid for: nothing more is charged.`];
    if (needsOwner(campaign) && fared) return [`${fared}. The rest goes out all the same.`, ...lines];
    if (first?.state !== "running") return lines;
    return [
      ...lines,
      `The first ${count(first.size)} go before: the rest waits until ${count(first.needed)} of them ${first.needed === 1 ? "is" : "are"} ${words.reached}.`,
    ];
  }
  // What is in flight or unknown holds part of the reserve and settles by itself.
  const held = counts.submitting + counts.unknown;
  const back = held > 0 ? `up to ${money}, less ${count(held)} still unsettled,` : money;
  return [
    `${waiting} will not be ${words.sent}, and ${back} goes back to ${owner ? `${owner}'s` : "your"} wallet at once.`,
    ...away,
    "This cannot be undone.",
  ];
}
