// What the customer writes on the compose page. Invariant: faults are told in the specification's order
// and words.
import { z } from "zod";
import { ApiProblem } from "../../api/problem";
import type { components } from "../../api/schema";
import { INACTIVE, isUnaddressed, timesFault, timesOf } from "./audience";
import type { Card } from "./content/octets";
import { firstFaults, firstFields, firstOf, firstParts, firstVisible, NO_FIRST } from "./first";
import { storageOf } from "./storage";

export type FilledForm = components["schemas"]["FilledForm"];

const draft = z.object({
  senderid: z.string(),
  recipients: z.string(),
  groups: z.array(z.number()),
  // Drafts of before have none, and no purpose.
  audience: z.array(z.string()).default([]),
  purpose: z.enum(["", "promotional", "transactional", "otp"]).default(""),
  ...firstFields(NO_FIRST),
  kind: z.enum(["text", "flash", "unicode", "wap-push", "vcard"]),
  message: z.string(),
  wap_title: z.string(),
  wap_url: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  company: z.string(),
  job_title: z.string(),
  telephone: z.string(),
  email: z.string(),
  payment_method: z.enum(["", "espees", "paystack"]),
  later: z.boolean(),
  /** As they are written, in the account's zone; only `YYYY-MM-DD HH:mm` passes. */
  times: z.array(z.string()),
});

export type Draft = z.infer<typeof draft>;

export const DEFAULT_SENDER = "WEBSMS";

export const CARD_FIELDS: readonly { name: keyof Card; label: string; autoComplete?: string }[] = [
  { name: "first_name", label: "First name" },
  { name: "last_name", label: "Last name" },
  { name: "company", label: "Company" },
  { name: "job_title", label: "Job title" },
  { name: "telephone", label: "Telephone" },
  { name: "email", label: "Email" },
];

export const EMPTY: Draft = {
  senderid: DEFAULT_SENDER,
  recipients: "",
  groups: [],
  audience: [],
  purpose: "",
  ...NO_FIRST,
  kind: "text",
  message: "",
  wap_title: "",
  wap_url: "",
  first_name: "",
  last_name: "",
  company: "",
  job_title: "",
  telephone: "",
  email: "",
  payment_method: "",
  later: false,
  times: [],
};

/** Who sends and what pays usually stay the same. */
export const stored = storageOf("compose", {
  form: "sms",
  fields: draft,
  empty: EMPTY,
  choices: ["senderid", "payment_method"],
  titleOf: ({ kind, message, wap_title, first_name, last_name }) => {
    if (kind === "vcard") return `${first_name} ${last_name}`.trim();
    return kind === "wap-push" ? wap_title : message;
  },
});

/** The fields of a campaign's form, as the daemon answers them. */
export function fieldsOf(form: FilledForm): Partial<Draft> {
  const { sms_type, senderid, payment_method, groups, audience, message } = form;
  const card = Object.fromEntries(CARD_FIELDS.map(({ name }) => [name, form[name] ?? ""]));
  return {
    senderid,
    kind: draft.shape.kind.catch("text").parse(sms_type),
    payment_method: draft.shape.payment_method.catch("").parse(payment_method),
    message: message ?? "",
    wap_title: form.wap_title ?? "",
    wap_url: form.wap_url ?? "",
    ...card,
    groups,
    audience,
    purpose: draft.shape.purpose.catch("").parse(form.purpose),
    ...firstOf(form, NO_FIRST),
  };
}

export interface DraftError {
  field: keyof Draft | null;
  text: string;
}

/** The rules that a draft breaks, one a field, in the specification's order. */
export function errorsOf(draft: Draft, active: boolean, files: number): DraftError[] {
  // Nothing else helps before that.
  if (!active) return [{ field: null, text: INACTIVE }];
  const blank = (field: keyof Draft) => String(draft[field]).trim() === "";
  const faults: DraftError[] = [];
  const want = (field: keyof Draft, text: string) => void faults.push({ field, text });
  if (blank("senderid")) want("senderid", "Sender ID is required");
  if (blank("payment_method")) want("payment_method", "Payment method is required");
  if (isUnaddressed(draft, files)) want("recipients", "Recipients are required");
  if (draft.kind === "wap-push") {
    for (const field of ["wap_title", "wap_url"] as const) {
      if (blank(field)) want(field, "WAP title and URL are required for WAP push messages");
    }
  } else if (draft.kind === "vcard") {
    faults.push(...cardErrors(draft));
  } else if (blank("message")) want("message", "Message is required");
  const untimed = timesFault(draft);
  if (untimed) want("times", untimed);
  faults.push(...firstFaults(draft));
  return faults;
}

const EMAIL = z.email();
const TELEPHONE = /^\+?\d[\d\s().-]{2,}$/;

function cardErrors(draft: Draft): DraftError[] {
  const faults: DraftError[] = [];
  for (const { name } of CARD_FIELDS) {
    const value = draft[name].trim();
    if (value === "") faults.push({ field: name, text: "All vCard fields are required" });
    else if (name === "telephone" && !TELEPHONE.test(value)) {
      const text = "Telephone is invalid: write digits, as 08031234567 or +2348031234567";
      faults.push({ field: name, text });
    } else if (name === "email" && !EMAIL.safeParse(value).success) {
      faults.push({ field: name, text: "Email address is invalid" });
    }
  }
  return faults;
}

/** The specification's text. */
export const SENDING_FAILED = "Error in sending Message";

/** Whether a refusal is told in that text: of a card that is scheduled only a 400 is. */
export function tellsFailure(draft: Pick<Draft, "kind" | "later">, problem: unknown): boolean {
  if (draft.kind !== "vcard" || !draft.later) return true;
  return problem instanceof ApiProblem && problem.status === 400;
}

/** The fields that are on the page for the draft's kind of message, and can show what is wrong with them. */
export function visibleFields(draft: Draft): (keyof Draft)[] {
  const { kind } = draft;
  const always: (keyof Draft)[] = [
    "senderid",
    "recipients",
    "purpose",
    "payment_method",
    ...firstVisible(draft),
    "times",
  ];
  if (kind === "wap-push") return [...always, "wap_title", "wap_url"];
  return kind === "vcard" ? [...always, ...CARD_FIELDS.map((it) => it.name)] : [...always, "message"];
}

/** The form's parts. Fields of other kinds stay behind. */
export function partsOf(
  draft: Draft,
  files: readonly File[],
  columns: readonly string[] = [],
): Record<string, unknown> {
  const { kind } = draft;
  const card = Object.fromEntries(CARD_FIELDS.map(({ name }) => [name, draft[name]]));
  return {
    senderid: draft.senderid,
    payment_method: draft.payment_method,
    contacts: draft.recipients.trim() ? draft.recipients : undefined,
    file: files,
    column: columns,
    groups: draft.groups,
    audience: draft.audience,
    purpose: draft.purpose || undefined,
    ...firstParts(draft),
    ...(kind === "text" || kind === "flash" ? { message: draft.message } : {}),
    ...(kind === "unicode" ? { msg: draft.message } : {}),
    ...(kind === "wap-push" ? { wap_title: draft.wap_title, wap_url: draft.wap_url } : {}),
    ...(kind === "vcard" ? card : {}),
    time: timesOf(draft),
  };
}
