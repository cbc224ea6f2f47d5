// What a handset sent, and what came of it: a STOP is an opt-out, and STOP ALL a wider one.
import Box from "@mui/material/Box";
import type { components } from "../api/schema";
import { None, StatusChip } from "./values";

type Inbound = components["schemas"]["InboundMessage"];

const EFFECTS: Record<string, readonly [words: string, tone: "error" | "success" | "neutral"]> = {
  stop: ["Opted out", "error"],
  start: ["Opted in again", "success"],
  none: ["None", "neutral"],
};

/** STOP ALL alone in its message, as the daemon reads it. */
const isStopAll = (text: string) => /^[^\p{L}\p{N}]*stop[^\p{L}\p{N}]*all[^\p{L}\p{N}]*$/iu.test(text);

type Effect = Pick<Inbound, "action" | "text">;

export function InboundEffect({ of: { action, text } }: { of: Effect }) {
  if (!action) return <StatusChip status="not looked at yet" tone="neutral" />;
  // A lone STOP was one of all messages before opt-outs had a reach: of which it was is not said.
  if (action === "stop" && isStopAll(text)) {
    return <StatusChip status="Opted out of all but codes" tone="error" />;
  }
  const [words, tone] = EFFECTS[action] ?? [action, "neutral"];
  return action === "none" ? <None /> : <StatusChip status={words} tone={tone} />;
}

/** The text. What never came of a long message has `[…]` in its place, and how much that is stands below. */
export function InboundText({ of: it }: { of: Pick<Inbound, "text" | "parts_total" | "parts_missing"> }) {
  return (
    <Box component="span" sx={{ display: "block", overflowWrap: "anywhere", whiteSpace: "pre-line" }}>
      {it.text || "-"}
      {it.parts_missing > 0 && (
        <Box component="span" sx={{ display: "block", color: "text.secondary", fontSize: "0.8125rem" }}>
          {it.parts_missing} of {it.parts_total} parts never came: nothing was done about it
        </Box>
      )}
    </Box>
  );
}
