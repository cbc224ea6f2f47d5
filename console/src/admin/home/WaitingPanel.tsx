// What waits for a person, most urgent first, each with the way to where it is decided.

import CheckCircleOutlined from "@mui/icons-material/CheckCircleOutlined";
import ChevronRight from "@mui/icons-material/ChevronRight";
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { Link } from "react-router-dom";
import { count } from "../../design/count";
import { addressOf, filtered } from "../address";
import type { Figures, Waiting } from "./figures";
import { Panel } from "./Panel";

interface Entry {
  number: number;
  one: string;
  many: string;
  text: string;
  to: string;
  urgent?: boolean;
}

export function entries(figures: Figures, waiting: Waiting): Entry[] {
  const down = figures.carriers.filter((it) => it.health !== "up").length;
  const all: Entry[] = [
    {
      number: down,
      one: "carrier is not up",
      many: "carriers are not up",
      text: "Messages of its routes wait, go by another carrier, or come back refused; or their receipts alone do not come in.",
      to: addressOf("carriers"),
      urgent: true,
    },
    {
      number: figures.unknown_messages,
      one: "message is unknown",
      many: "messages are unknown",
      text: "It is not known whether they were sent: settle them as sent, refunded or sent again.",
      to: addressOf("unknown-messages"),
      urgent: true,
    },
    {
      number: waiting.payments,
      one: "payment does not match",
      many: "payments do not match",
      text: "Another amount was paid than asked for: credit what is due.",
      to: filtered("payments", { status: "mismatch" }),
      urgent: true,
    },
    {
      number: waiting.senders,
      one: "sender ID waits for approval",
      many: "sender IDs wait for approval",
      text: "Their owners were told 10 minutes to 24 hours.",
      to: filtered("approve-sender-id", { status: "pending" }),
    },
    {
      number: waiting.numbers,
      one: "virtual number is requested",
      many: "virtual numbers are requested",
      text: "Assign a number, or delete the request.",
      to: filtered("approve-virtualNumber", { status: "pending" }),
    },
    {
      number: figures.open_campaigns.paused,
      one: "campaign is paused",
      many: "campaigns are paused",
      text: "Their money stays reserved until they are resumed or cancelled.",
      to: filtered("campaign-history", { status: "paused" }),
    },
  ];
  return all.filter((it) => it.number > 0);
}

interface Props {
  figures: Figures | undefined;
  waiting: Waiting | undefined;
}

export function WaitingPanel({ figures, waiting }: Props) {
  const shown = figures && waiting && entries(figures, waiting);
  return (
    <Panel title="Waiting for you" flush>
      {!shown && (
        <Box sx={{ px: 2.5, pb: 2 }}>
          <Skeleton width="70%" />
          <Skeleton width="50%" />
        </Box>
      )}
      {shown?.length === 0 && (
        <Box sx={{ display: "flex", alignItems: "center", gap: 1, px: 2.5, pb: 2.5, color: "success.main" }}>
          <CheckCircleOutlined fontSize="small" aria-hidden />
          <Typography sx={{ color: "text.primary" }}>Nothing waits for a decision.</Typography>
        </Box>
      )}
      {shown && shown.length > 0 && (
        <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
          {shown.map((it) => (
            <Box component="li" key={it.to} sx={{ borderTop: 1, borderColor: "divider" }}>
              <Box
                component={Link}
                to={it.to}
                sx={{
                  display: "flex",
                  alignItems: "center",
                  gap: 2,
                  px: 2.5,
                  py: 1.25,
                  color: "text.primary",
                  textDecoration: "none",
                  "&:hover": { bgcolor: "action.hover" },
                }}
              >
                <Typography
                  component="span"
                  sx={{
                    minWidth: 44,
                    fontSize: "1.25rem",
                    fontWeight: 700,
                    fontVariantNumeric: "tabular-nums",
                    color: it.urgent ? "error.main" : "warning.main",
                  }}
                >
                  {count(it.number)}
                </Typography>
                <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
                  <Typography component="span" sx={{ display: "block", fontWeight: 600 }}>
                    {it.number === 1 ? it.one : it.many}
                  </Typography>
                  <Typography component="span" variant="body2" color="textSecondary">
                    {it.text}
                  </Typography>
                </Box>
                <ChevronRight aria-hidden sx={{ color: "text.secondary" }} />
              </Box>
            </Box>
          ))}
        </Box>
      )}
    </Panel>
  );
}
