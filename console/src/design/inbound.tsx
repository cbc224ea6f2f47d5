// What came of a message that a handset sent: a STOP is an opt-out.
import { StatusChip } from "./shown";

const EFFECTS: Record<string, readonly [words: string, tone: "error" | "success" | "neutral"]> = {
  stop: ["Opted out", "error"],
  start: ["Opted in again", "success"],
  none: ["None", "neutral"],
};

export function InboundEffect({ action }: { action: string | null | undefined }) {
  if (!action) return <StatusChip status="not looked at yet" tone="neutral" />;
  const [words, tone] = EFFECTS[action] ?? [action, "neutral"];
  return action === "none" ? <span>-</span> : <StatusChip status={words} tone={tone} />;
}
