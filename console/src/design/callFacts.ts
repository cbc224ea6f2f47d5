// How a call went, as the pages of both roles show it.
import type { components } from "../api/schema";
import { duration } from "./duration";

type CallDetails = components["schemas"]["CallDetails"];

const ENDED_BY: Record<string, string> = {
  caller: "By the platform, at the end of the message",
  callee: "Hung up by the person called",
  trunk: "By the line",
};

/** Names and values; nothing before the call was tried. */
export function callFacts(call: CallDetails | null | undefined): { name: string; value: string }[] {
  if (!call) return [];
  const facts = [{ name: "Calls tried", value: String(call.attempts) }];
  if (call.answered_at) {
    facts.push(
      { name: "Up for", value: duration(Math.ceil(call.up_ms / 1_000)) },
      { name: "Heard", value: duration(Math.ceil(call.heard_ms / 1_000)) },
      { name: "Keys pressed", value: call.digits || "None" },
      { name: "End", value: ENDED_BY[call.ended_by] ?? call.ended_by },
    );
  }
  if (call.code != null) facts.push({ name: "Code of the trunk", value: String(call.code) });
  return facts;
}
