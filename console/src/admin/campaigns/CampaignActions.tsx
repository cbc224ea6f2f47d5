// Pause, resume and cancel: of one campaign as buttons, of several as bulk actions. Each is asked first.
import Pause from "@mui/icons-material/PauseOutlined";
import PlayArrow from "@mui/icons-material/PlayArrowOutlined";
import Stop from "@mui/icons-material/StopOutlined";
import { useDataProvider } from "react-admin";
import { ActionButton } from "../action";
import type { TalkdrumProvider } from "../dataProvider";
import { BulkAction } from "../list/bulk";
import { type Campaign, CONSEQUENCES, canCancel, canPause, canResume } from "./campaign";

const ACTIONS = [
  {
    action: "pause",
    label: "Pause",
    icon: <Pause />,
    can: canPause,
    danger: false,
    said: CONSEQUENCES.pause,
    done: "paused",
  },
  {
    action: "resume",
    label: "Resume",
    icon: <PlayArrow />,
    can: canResume,
    danger: false,
    said: CONSEQUENCES.resume,
    done: "resumed",
  },
  {
    action: "cancel",
    label: "Cancel",
    icon: <Stop />,
    can: canCancel,
    danger: true,
    said: CONSEQUENCES.cancel,
    done: "cancelled",
  },
] as const;

/** What can be done to it now; nothing where it is over. */
export function CampaignActions({ campaign, size }: { campaign: Campaign; size?: "small" | "medium" }) {
  return ACTIONS.filter((it) => it.can(campaign)).map((it) => (
    <ActionButton
      key={it.action}
      resource="campaign-history"
      action={it.action}
      target={{ id: campaign.id, data: undefined }}
      label={it.label}
      ariaLabel={`${it.label} campaign ${campaign.id}`}
      icon={size === "medium" ? it.icon : undefined}
      size={size}
      danger={it.danger}
      ask={{
        title: `${it.label} campaign #${campaign.id} of ${campaign.username}?`,
        body: it.said([campaign]),
        confirm: it.action === "cancel" ? "Cancel the campaign" : it.label,
      }}
    />
  ));
}

export function BulkCampaignActions() {
  const provider = useDataProvider<TalkdrumProvider>();
  return ACTIONS.map((it) => (
    <BulkAction<Campaign>
      key={it.action}
      label={it.label}
      icon={it.icon}
      danger={it.danger}
      can={it.can}
      each={(row) => provider.act("campaign-history", it.action, { id: row.id, data: undefined })}
      title={(count) => `${it.label} ${count === 1 ? "1 campaign" : `${count} campaigns`}?`}
      body={(rows) => it.said(rows)}
      said={(count) => `${count === 1 ? "1 campaign" : `${count} campaigns`} ${it.done}`}
    />
  ));
}
