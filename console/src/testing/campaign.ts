// A campaign for tests, whole; each test says what it is about.
import type { components } from "../api/schema";

type Campaign = components["schemas"]["Campaign"];
type Counts = components["schemas"]["Counts"];

const NOWHERE: Counts = {
  queued: 0,
  submitting: 0,
  submitted: 0,
  delivered: 0,
  undelivered: 0,
  rejected: 0,
  expired: 0,
  unknown: 0,
  cancelled: 0,
  suppressed: 0,
};

export function campaignOf(counts: Partial<Counts>, more: Partial<Campaign> = {}): Campaign {
  const all = { ...NOWHERE, ...counts };
  const total = Object.values(all).reduce((sum, one) => sum + one, 0);
  return {
    id: 12,
    quote_id: 9,
    user_id: 7,
    username: "ada",
    status: "sending",
    status_reason: null,
    sms_type: "text",
    senderid: "WEBSMS",
    msg: "Hello",
    currency: "naira",
    total_contacts: total,
    total_charges: total * 4,
    captured: 0,
    released: 0,
    refunded: 0,
    reserved: total * 4,
    counts: all,
    created_at: "2026-11-21T08:00:00.000Z",
    scheduled_at: null,
    started_at: null,
    completed_at: null,
    ...more,
  };
}
