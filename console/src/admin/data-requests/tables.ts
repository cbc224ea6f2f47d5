// The daemon's tables in words: what each holds about a number, and what becomes of that when the number is erased.
import type { components } from "../../api/schema";
import { count, counted } from "../../design/count";

export type Subject = components["schemas"]["Subject"];
export type SubjectTable = components["schemas"]["SubjectTable"];

interface Words {
  name: string;
  holds: string;
  /** What becomes of it, where that is not what the words of its kind say. */
  erased?: string;
}

const WITH_THE_ACCOUNT = "Stays with the account. It goes when the account does.";

export const TABLES: Readonly<Record<string, Words>> = {
  messages: {
    name: "Messages and calls",
    holds: "What customers sent to the number, what became of it and what it cost",
    erased:
      "The number, the recipient's own fields and a text that went to this number alone are erased. Status, times and price stay, so that charges and reports remain right.",
  },
  contacts: { name: "Contacts", holds: "The number in customers' phonebooks, with name and other fields" },
  contact_import_rejects: {
    name: "Rejected rows of imports",
    holds: "Rows of uploaded files that could not be added to a phonebook, as they were written",
  },
  suppressions: {
    name: "Opt-outs",
    holds: "Lists of numbers that must not be written to",
    erased:
      "Stays in force. A code takes the number's place, by which the platform knows it again but cannot show it. Notes are erased.",
  },
  quote_rejects: {
    name: "Rejected recipients",
    holds: "Recipients of a campaign that were no valid numbers, as they were typed",
  },
  campaigns: {
    name: "Campaigns sent from the number",
    holds: "Campaigns whose sender is this number",
    erased: "Stays: it is the customer's sender.",
  },
  drafts: { name: "Drafts", holds: "Messages that customers began to write and did not send" },
  inbound_messages: {
    name: "Inbound messages",
    holds: "What was sent from the number, or to it where it is a customer's",
    erased: "Removed, but for messages that are not handled yet: erase again two days later.",
  },
  inbound_parts: {
    name: "Parts of inbound messages",
    holds: "Pieces of long messages that are put together",
    erased: "Removed, but for messages that are not put together yet: erase again two days later.",
  },
  receipts_unmatched: {
    name: "Unmatched receipts",
    holds: "Delivery receipts for which no message was found yet",
  },
  receipt_callbacks: {
    name: "Receipt addresses",
    holds: "Addresses of customers' programs that will be called when a receipt comes",
  },
  receipt_calls: {
    name: "Receipt calls",
    holds: "Receipts that are on their way to customers' programs",
  },
  webhook_events: {
    name: "Webhook events",
    holds: "What customers' programs were told about the number",
  },
  users: { name: "Accounts", holds: "The account that has this number", erased: WITH_THE_ACCOUNT },
  registrations: { name: "Registrations", holds: "Accounts that were begun with the number" },
  phone_changes: {
    name: "Changes of phone number",
    holds: "Accounts that are changing to this number",
    erased: WITH_THE_ACCOUNT,
  },
  codes: { name: "Codes", holds: "Codes to sign in or confirm with that are still valid" },
  code_sends: { name: "Codes sent", holds: "When codes were sent to the number" },
  notices: {
    name: "Notices",
    holds: "What the platform itself wrote to the number",
    erased: "Removed, but for notices that are not sent yet: erase again two days later.",
  },
  own_numbers: {
    name: "Own numbers",
    holds: "The number as a customer's own sender",
    erased: WITH_THE_ACCOUNT,
  },
  virtual_numbers: {
    name: "Virtual numbers",
    holds: "The number as a customer's virtual number",
    erased: WITH_THE_ACCOUNT,
  },
  own_number_calls: {
    name: "Verification calls",
    holds: "Calls by which a customer verified an own number",
  },
  voice_test_calls: { name: "Test calls", holds: "Calls by which a customer tried a voice message" },
  audit: { name: "Audit trail", holds: "Entries of the audit trail that name the number" },
};

/** One that has no words yet is called as the daemon calls it. */
export const tableName = (table: string) => TABLES[table]?.name ?? sentence(table);

/** What becomes of rows, by the daemon's word for it: on a chip, and in a sentence. */
const OUTCOMES: Readonly<Record<string, { chip: string; text: string }>> = {
  removed: { chip: "Goes", text: "Removed." },
  masked: { chip: "Number goes", text: "The number is replaced by the word “erased”; the rest stays." },
  digest: { chip: "Stays as a code", text: "A code takes the number's place." },
  kept: { chip: "Stays", text: "Stays as it is." },
};

export const outcomeChip = ({ on_erase }: SubjectTable) => OUTCOMES[on_erase]?.chip ?? sentence(on_erase);

export function outcomeText(of: SubjectTable): string {
  if (isErasedAlready(of))
    return "Erased already: a code stands for the number, and the opt-out stays in force.";
  return TABLES[of.table]?.erased ?? OUTCOMES[of.on_erase]?.text ?? sentence(of.on_erase);
}

/** Whether erasing the number changes something in a table. */
export const isErasable = (of: SubjectTable) => of.on_erase !== "kept" && !isErasedAlready(of);

/** Opt-outs are found by their code when the number is erased: where all of them are shown, whether all are so. */
const isErasedAlready = ({ on_erase, count, rows }: SubjectTable) =>
  on_erase === "digest" &&
  count === rows.length &&
  rows.every((row: Record<string, unknown>) => row.number === "erased");

/** `1 record`, `10,000 or more records`. */
export function records(value: number, hasMore = false): string {
  return hasMore ? `${count(value)} or more records` : counted(value, "record");
}

/** A name of the daemon's as people write it: `user_id` is `User id`. */
export function sentence(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a file about a number is called: it may be sent on, so that it names the last four digits alone. */
export const fileName = (number: string) => `data-about-${number.slice(-4)}.jsonl`;
