// Answers to the form of a message, for tests.
import type { components } from "../api/schema";

/** What is counted of recipients. */
export const CHECK = {
  total_contacts: 2,
  total_duplicates_removed: 0,
  total_invalid: 0,
  total_suppressed: 0,
  networks: { mtn: 2 },
  number_columns: [],
  unread_columns: [],
  notices: [],
};

/** What a message to two costs. */
export const QUOTE: components["schemas"]["Quote"] = {
  quote_id: 31,
  route: "DEFAULT",
  sender_id: "WEBSMS",
  message: "Half a thought",
  sms_type: "text",
  currency: "espees",
  encoding: "gsm7",
  total_contacts: 2,
  total_duplicates_removed: 0,
  total_invalid: 0,
  total_suppressed: 0,
  total_pages: 2,
  total_segments: 2,
  total_charges: 0.02,
  charges_per_run: 0.02,
  unit_price: 0.01,
  balance: 5,
  balance_after: 4.98,
  pages: [1, 1],
  segments: [1, 1],
  networks: { mtn: 2 },
  rejects: [],
  replacements: [],
  starts: [],
  expires_at: "2026-11-21T12:30:00Z",
};
