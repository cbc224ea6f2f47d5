import { beforeEach, expect, test } from "vitest";
import { session } from "../../../api/session";
import { signedIn } from "../../../testing/render";
import { keyWords, pulseWords } from "./Confirmation";
import { EMPTY, errorsOf, isMp3, partsOf, stored, type VoiceDraft } from "./draft";

const mp3 = new File(["ID3"], "hello.mp3", { type: "audio/mpeg" });
const ready: Partial<VoiceDraft> = { recipients: "08031230001", payment_method: "paystack" };

const faults = (draft: Partial<VoiceDraft>, active = true, files = 0) =>
  errorsOf({ ...EMPTY, ...draft }, active, files).map(({ field, text }) => [field, text]);

beforeEach(() => void signedIn());

test("what is missing is told in the specification's order, for what is on the page", () => {
  expect(faults({})).toEqual([
    ["ttsMsg", "Voice Message is required"],
    ["recipients", "Recipients are required"],
    ["payment_method", "Payment method is required"],
  ]);
  expect(faults({ ...ready, type: "voice" })).toEqual([["audioFile", "Voice is required"]]);
  expect(faults({ ...ready, type: "past" })).toEqual([["audioUrl", "Past audio file is required"]]);
  expect(faults({ ...ready, type: "voice", audioFile: mp3 })).toEqual([]);
  expect(faults({ ...ready, ttsMsg: "Hi", recipients: "" }, true, 1)).toEqual([]);
  expect(faults({ ...ready, ttsMsg: "Hi" }, false)).toEqual([
    [null, "Please Contact Admin to activate your account"],
  ]);
});

test("times go as seconds since 1970, and one that the clocks leave out is refused", () => {
  const draft = {
    ...EMPTY,
    ...ready,
    ttsMsg: "Hi",
    later: true,
    times: ["2026-12-01 09:00", "2026-12-02 9:00"],
  };
  const at = (day: number) => Date.UTC(2026, 11, day, 8) / 1_000;
  expect(partsOf(draft, []).startTime).toEqual([at(1), at(2)]);
  expect(faults({ ...draft, later: false })).toEqual([]);
  signedIn({ zone: "Europe/London" });
  expect(faults({ ...draft, times: ["2027-03-28 01:30"] })).toEqual([
    ["times", "The clocks of Europe/London leave out 2027-03-28 01:30"],
  ]);
});

test("only what belongs to the type is sent, from the number that was chosen", () => {
  const draft = { ...EMPTY, ...ready, ttsMsg: "Hi", audioUrl: "4", audioFile: mp3 };
  expect(partsOf({ ...draft, caller: "own_number 2348031234567" }, [])).toMatchObject({
    type: "TTS",
    defaultId: "WEBSMS",
    ttsMsg: "Hi",
    ttsVoice: "uk-female",
    own_number: "2348031234567",
  });
  for (const [type, gone] of [
    ["TTS", ["audioFile", "audioUrl", "own_number", "virtual_number"]],
    ["voice", ["ttsMsg", "ttsVoice", "audioUrl"]],
    ["past", ["ttsMsg", "ttsVoice", "audioFile"]],
  ] as const) {
    const parts = partsOf({ ...draft, type }, []);
    for (const name of gone) expect(parts, `${type} without ${name}`).not.toHaveProperty(name);
  }
});

test.each([
  ["hello.mp3", "audio/mpeg", true],
  ["HELLO.MP3", "", true],
  ["hello.wav", "audio/wav", false],
  ["hello.mp3", "audio/wav", false],
  ["numbers.csv", "text/csv", false],
])("%s of type '%s': an MP3 is %s", (name, type, expected) => {
  expect(isMp3({ name, type })).toBe(expected);
});

test("what is written is kept without its file, and choices alone are no draft", () => {
  stored.save({ ...EMPTY, ttsMsg: "Hi", audioFile: mp3 });
  expect(session.draft("voice")).not.toBeNull();
  expect(stored.load()).toEqual({ ...EMPTY, ttsMsg: "Hi" });
  stored.save({ ...EMPTY, payment_method: "espees", ttsVoice: "us-male" });
  expect(session.draft("voice")).toBeNull();
  expect(stored.load()).toEqual({ ...EMPTY, payment_method: "espees", ttsVoice: "us-male" });
});

test("a pulse is said in words", () => {
  expect(pulseWords("60/60")).toBe("Each 60 s begun of a call, counted from its answer");
  expect(pulseWords("30/6")).toBe("The first 30 s, then each 6 s begun, of a call, counted from its answer");
});

test("a question needs keys, each once and with what it stands for", () => {
  const asking = (digits: VoiceDraft["digits"]) => faults({ ...ready, ttsMsg: "Hi", asks: true, digits });
  expect(asking([])).toEqual([["digits", "Say which keys answer the question, or do not ask one"]]);
  expect(asking([{ key: "1", label: " " }])).toEqual([
    ["digits", "The label of key 1 must have 1 to 40 characters"],
  ]);
  const twice = [
    { key: "1", label: "Yes" },
    { key: "1", label: "No" },
  ];
  expect(asking(twice)).toEqual([["digits", "Key 1 is used twice"]]);
  expect(asking([{ key: "#", label: "x".repeat(40) }])).toEqual([]);
  expect(faults({ ...ready, ttsMsg: "Hi", asks: false, digits: twice })).toEqual([]);
});

test("keys go one by one, and only with a question", () => {
  const draft = { ...EMPTY, ...ready, digits: [{ key: "1", label: " Yes " }], plays: "3" as const };
  expect(partsOf(draft, [])).not.toHaveProperty("digits");
  expect(partsOf({ ...draft, asks: true }, [])).toMatchObject({ digits: ["1=Yes"], plays: "3" });
  const keys = [
    { key: "1", label: "Yes" },
    { key: "2", label: "No" },
  ];
  expect(keyWords({ keys, plays: 1 })).toBe("1 = Yes, 2 = No; 9 always opts out");
  expect(keyWords({ keys, plays: 3 })).toBe("1 = Yes, 2 = No; 9 always opts out. Played up to 3 times");
});
