// What the customer writes on the page of calls. Invariant: faults are told in the order and the words of the
// specification, as the daemon tells them.
import { z } from "zod";
import { epochOf, viewerZone } from "../../../design/dateTime";
import type { CallerKind } from "../../../design/unitPrice";
import { VOICES, type Voice } from "../../../design/voices";
import { type Audience, INACTIVE, isUnaddressed, timesFault, timesOf } from "../audience";
import type { FilledForm } from "../draft";
import { firstFaults, firstFields, firstOf, firstParts, firstVisible, NO_FIRST_CALLS } from "../first";
import { type Storage, storageOf } from "../storage";

const fields = z.object({
  /** The specification's types: a text that is spoken, an MP3, a recording that was kept. */
  type: z.enum(["TTS", "voice", "past"]),
  ttsMsg: z.string(),
  ttsVoice: z.enum(VOICES.map((it) => it.code) as [Voice, ...Voice[]]),
  /** The id of a recording, which stays the same while its address changes; empty for none. */
  audioUrl: z.string(),
  /** `own_number 234...` or `virtual_number 234...`; empty for the platform's number. */
  caller: z.string(),
  recipients: z.string(),
  groups: z.array(z.number()),
  // Drafts of before have none, and no purpose.
  audience: z.array(z.string()).default([]),
  purpose: z.enum(["", "promotional", "transactional", "otp"]).default(""),
  ...firstFields(NO_FIRST_CALLS),
  /** Whether a question is asked, which keys answer. */
  asks: z.boolean(),
  digits: z.array(z.object({ key: z.string(), label: z.string() })),
  /** How often it is played while no key is pressed. */
  plays: z.enum(["1", "2", "3"]),
  payment_method: z.enum(["", "espees", "paystack"]),
  later: z.boolean(),
  times: z.array(z.string()),
});

type Fields = z.infer<typeof fields>;

export type CallType = Fields["type"];

export interface VoiceDraft extends Fields, Audience {
  /** The MP3, which is not kept. */
  audioFile: File | null;
}

/** The label of calls, preset by the specification. Phones show a number, not this. */
const LABEL = "WEBSMS";

const BLANK: Fields = {
  type: "TTS",
  ttsMsg: "",
  ttsVoice: "uk-female",
  audioUrl: "",
  caller: "",
  recipients: "",
  groups: [],
  audience: [],
  purpose: "",
  ...NO_FIRST_CALLS,
  asks: false,
  digits: [],
  plays: "1",
  payment_method: "",
  later: false,
  times: [],
};

export const EMPTY: VoiceDraft = { ...BLANK, audioFile: null };

const kept = storageOf<Fields>("voice", {
  form: "call",
  fields,
  empty: BLANK,
  choices: ["type", "ttsVoice", "caller", "payment_method"],
  titleOf: ({ type, ttsMsg }) => (type === "TTS" ? ttsMsg : "Calls with a recording"),
});

/** Without the MP3. */
export const stored: Storage<VoiceDraft> = {
  ...kept,
  load: () => ({ ...kept.load(), audioFile: null }),
  blankOf: (written) => ({ ...kept.blankOf(written), audioFile: null }),
  read: (text) => {
    const read = kept.read(text);
    return read && { ...read, written: { ...read.written, audioFile: null } };
  },
};

/** The fields of a campaign's form, as the daemon answers them. A recording that is gone is to be chosen again. */
export function fieldsOf(form: FilledForm): Partial<VoiceDraft> {
  const { ttsMsg, ttsVoice, audioUrl, own_number, virtual_number, digits = [], plays } = form;
  const { type, ttsVoice: voice, plays: times, payment_method, purpose } = fields.shape;
  const caller = own_number
    ? `own_number ${own_number}`
    : virtual_number && `virtual_number ${virtual_number}`;
  return {
    type: type.parse(ttsMsg == null ? "past" : "TTS"),
    ttsMsg: ttsMsg ?? "",
    ttsVoice: voice.catch(BLANK.ttsVoice).parse(ttsVoice),
    audioUrl: audioUrl ?? "",
    caller: caller ?? "",
    asks: digits.length > 0,
    digits,
    plays: times.catch("1").parse(String(plays ?? 1)),
    payment_method: payment_method.catch("").parse(form.payment_method),
    groups: form.groups,
    audience: form.audience,
    purpose: purpose.catch("").parse(form.purpose),
    ...firstOf(form, NO_FIRST_CALLS),
  };
}

export interface VoiceError {
  field: keyof VoiceDraft | null;
  text: string;
}

/** Whether there is anything to say; the specification's text where there is not. */
export function clipFault(
  draft: VoiceDraft,
): { field: "ttsMsg" | "audioFile" | "audioUrl"; text: string } | null {
  if (draft.type === "TTS" && draft.ttsMsg.trim() === "") {
    return { field: "ttsMsg", text: "Voice Message is required" };
  }
  if (draft.type === "voice" && !draft.audioFile) return { field: "audioFile", text: "Voice is required" };
  if (draft.type === "past" && draft.audioUrl === "") {
    return { field: "audioUrl", text: "Past audio file is required" };
  }
  return null;
}

/** The keys that can answer a question, in the order of a phone. 9 always opts out. */
export const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "0", "*", "#"] as const;
/** The most keys of a question, and the most characters of what one stands for. */
export const KEYS_MAX = 10;
export const LABEL_MAX = 40;

/** What is wrong with a question's keys. */
function digitsFault({ asks, digits }: Pick<VoiceDraft, "asks" | "digits">): string | null {
  if (!asks) return null;
  if (digits.length === 0) return "Say which keys answer the question, or do not ask one";
  const unsaid = digits.find(({ label }) => label.trim() === "" || [...label.trim()].length > LABEL_MAX);
  if (unsaid) return `The label of key ${unsaid.key} must have 1 to ${LABEL_MAX} characters`;
  const twice = digits.find(({ key }, at) => digits.findIndex((it) => it.key === key) !== at);
  return twice ? `Key ${twice.key} is used twice` : null;
}

/** The rules that a draft breaks, one a field, in the specification's order. */
export function errorsOf(draft: VoiceDraft, active: boolean, files: number): VoiceError[] {
  if (!active) return [{ field: null, text: INACTIVE }];
  const faults: VoiceError[] = [];
  const want = (field: keyof VoiceDraft, text: string) => void faults.push({ field, text });
  const unsaid = clipFault(draft);
  if (unsaid) faults.push(unsaid);
  if (isUnaddressed(draft, files)) want("recipients", "Recipients are required");
  if (draft.payment_method === "") want("payment_method", "Payment method is required");
  const skipped = timesOf(draft).find((time) => epochOf(time) === null);
  const untimed = timesFault(draft) ?? (skipped && `The clocks of ${viewerZone()} leave out ${skipped}`);
  if (untimed) want("times", untimed);
  const unanswerable = digitsFault(draft);
  if (unanswerable) want("digits", unanswerable);
  faults.push(...firstFaults(draft));
  return faults;
}

/** The specification's text. */
export const NO_MP3 = "Please select a valid MP3 file.";

/** Whether a file calls itself an MP3. What is in it is found out by the daemon. */
export function isMp3({ name, type }: Pick<File, "name" | "type">): boolean {
  return /\.mp3$/i.test(name) && (type === "" || /^audio\/(mpeg|mp3|x-mpeg|x-mp3)$/.test(type));
}

/** The fields that are on the page for the draft's type, and can show what is wrong with them. */
export function visibleFields(draft: VoiceDraft): (keyof VoiceDraft)[] {
  const said = { TTS: ["ttsMsg", "ttsVoice"], voice: ["audioFile"], past: ["audioUrl"] } as const;
  return [
    ...said[draft.type],
    "digits",
    "plays",
    "recipients",
    "caller",
    "purpose",
    "payment_method",
    ...firstVisible(draft),
    "times",
  ];
}

/** The number that calls come from. */
export function callerOf({ caller }: Pick<VoiceDraft, "caller">): { kind: CallerKind; number: string } {
  const [kind, number] = caller.split(" ");
  if ((kind === "own_number" || kind === "virtual_number") && number) return { kind, number };
  return { kind: "plain", number: "" };
}

/** The form's parts. Fields of other types stay behind. */
export function partsOf(
  draft: VoiceDraft,
  files: readonly File[],
  columns: readonly string[] = [],
): Record<string, unknown> {
  const { kind, number } = callerOf(draft);
  const said = {
    TTS: { ttsMsg: draft.ttsMsg, ttsVoice: draft.ttsVoice },
    voice: { audioFile: draft.audioFile },
    past: { audioUrl: draft.audioUrl },
  };
  return {
    type: draft.type,
    defaultId: LABEL,
    ...said[draft.type],
    contacts: draft.recipients.trim() ? draft.recipients : undefined,
    file: files,
    column: columns,
    groups: draft.groups,
    audience: draft.audience,
    purpose: draft.purpose || undefined,
    ...firstParts(draft),
    payment_method: draft.payment_method,
    startTime: timesOf(draft).map((time) => epochOf(time)),
    ...(kind === "plain" ? {} : { [kind]: number }),
    ...(draft.asks
      ? { digits: draft.digits.map(({ key, label }) => `${key}=${label.trim()}`), plays: draft.plays }
      : {}),
  };
}
