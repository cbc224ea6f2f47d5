import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import { draftDaemon } from "../../../testing/drafts";
import { show, signedIn } from "../../../testing/render";
import { answers, problem, server } from "../../../testing/server";
import { EMPTY, stored } from "./draft";
import VoicePage from "./Page";

const quote = {
  quote_id: 31,
  sender_id: "2348031234567",
  message: "Hello",
  sms_type: "voice",
  currency: "naira",
  total_contacts: 1,
  total_duplicates_removed: 0,
  total_invalid: 0,
  total_suppressed: 0,
  total_charges: 18,
  unit_price: 9,
  balance_after: 82,
  length_s: 65,
  pulses: 2,
  pulse: "60/60",
  networks: { mtn: 1 },
  rejects: [],
  starts: [],
  expires_at: "2026-11-21T12:30:00Z",
};

beforeEach(() => {
  draftDaemon();
  signedIn();
  answers("get", "/api/get/group", { groups: [], total: 0 });
  answers("get", "/api/get-own-number", {
    "Own-Number": [{ id: 1, phone_number: "2348031234567", status: "verified" }],
    total: 1,
  });
  answers("get", "/api/get-virtual-number", { "virtual-Number": [], total: 0 });
  answers("get", "/api/get-own-price", { "OWN-UNIT-PRICE": [{ value: 0.2 }] });
  answers("get", "/api/get-voice-unit-price", {
    "VOICE-UNIT-PRICE": [{ value: 0.5 }],
    "VOICE-UNIT-PRICE-NAIRA": [{ value: 9 }],
  });
  const balances = { "espees-balance": 5, espees_reserved: 0, paystack_balance: 100, paystack_reserved: 0 };
  answers("get", "/api/get-espee-balance", balances);
  stored.save({ ...EMPTY, recipients: "08031230001", ttsMsg: "Hello", payment_method: "paystack" });
});

test("a quote is confirmed under its own key, and the reports follow", async () => {
  const seen: [string | null, Record<string, unknown>][] = [];
  server.use(
    http.post("*/api/voice-call", async ({ request }) => {
      const form = Object.fromEntries(await request.formData());
      seen.push([request.headers.get("Idempotency-Key"), form]);
      if (form.quote) return HttpResponse.json({ details: quote, message: "" });
      return HttpResponse.json({ details: { id: 9 }, campaigns: [{ id: 9 }], message: "Voice SMS Sent" });
    }),
  );
  const { user, where } = show(<VoicePage />);
  await user.selectOptions(await screen.findByLabelText("Calls come from"), "own_number 2348031234567");
  // ESPEES are by the number, Naira are not.
  expect(await screen.findByText("0.20000 ESPEES a pulse")).toBeVisible();
  expect(screen.getByText("₦9.00000 a pulse")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send voice message" }));
  const dialog = await screen.findByRole("dialog", { name: "Confirm Campaign Submission" });
  for (const line of [
    "Length1 min 5 s",
    "1 call of at most 2 pulses at",
    "Calls come from+234 803 123 4567",
  ]) {
    expect(dialog).toHaveTextContent(line);
  }
  await user.click(within(dialog).getByRole("button", { name: "Yes, Proceed" }));
  expect(await screen.findByText("Voice SMS Sent")).toBeVisible();
  await waitFor(() => expect(where()).toBe("/dashboard/voice-reports"));
  expect(seen[0]?.[1]).toMatchObject({ quote: "1", type: "TTS", own_number: "2348031234567" });
  expect(seen[1]).toEqual(["confirm-quote-31", { quote_id: "31" }]);
});

test("a refusal is shown at its field, in the daemon's words", async () => {
  const errors = [{ field: "ttsMsg", code: "text_too_long", message: "Say it in 1,600 characters" }];
  answers("post", "/api/voice-call", problem(400, "validation", "x", { errors }), 400);
  const { user } = show(<VoicePage />);
  await user.click(await screen.findByRole("button", { name: "Send voice message" }));
  expect(await screen.findByText("Say it in 1,600 characters")).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Voice Message" })).toBeInvalid();
});

test("where the server cannot speak the browser does, and where neither can it is said", async () => {
  answers("post", "/api/voice-preview", problem(503, "speech_unavailable", "No engine"), 503);
  answers("get", "/api/get-maintenance-status", { maintenance_mode: "0", message: "" });
  const { user } = show(<VoicePage />);
  const listen = await screen.findByRole("button", { name: "Listen" });
  await user.click(listen);
  expect(await screen.findByText("Sorry, your browser does not support text to speech!")).toBeVisible();
  const speak = vi.fn();
  vi.stubGlobal("speechSynthesis", { speak, cancel: vi.fn() });
  vi.stubGlobal(
    "SpeechSynthesisUtterance",
    class {
      lang = "";
      constructor(readonly text: string) {}
    },
  );
  await user.click(listen);
  await waitFor(() => expect(speak.mock.calls[0]?.[0]).toMatchObject({ text: "Hello", lang: "en-GB" }));
  vi.unstubAllGlobals();
});

test("a question is asked by keys that are added and removed, and shown before it is paid for", async () => {
  let form = new FormData();
  const poll = { plays: 2, keys: [{ key: "1", label: "Yes" }] };
  server.use(
    http.post("*/api/voice-call", async ({ request }) => {
      form = await request.formData();
      return HttpResponse.json({ details: { ...quote, poll }, message: "" });
    }),
  );
  const { user } = show(<VoicePage />);
  await user.click(await screen.findByRole("switch", { name: "Ask a question" }));
  expect(screen.getByText(/Pressing 9 always opts out: say so\./)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Remove key 2" }));
  await user.click(screen.getByRole("button", { name: "Add a key" }));
  await user.click(screen.getByRole("button", { name: "Send voice message" }));
  expect(await screen.findByText("The label of key 2 must have 1 to 40 characters")).toBeVisible();
  await user.type(screen.getByLabelText("Key 2 stands for"), "Maybe");
  await user.selectOptions(screen.getByLabelText("Play the question"), "2");
  await user.click(screen.getByRole("button", { name: "Send voice message" }));
  const dialog = await screen.findByRole("dialog", { name: "Confirm Campaign Submission" });
  expect(dialog).toHaveTextContent("Keys1 = Yes; 9 always opts out. Played up to 2 times");
  expect(form.getAll("digits")).toEqual(["1=Yes", "2=Maybe"]);
  expect(form.get("plays")).toBe("2");
});

test("how many calls it is is not said before files are counted", async () => {
  const { user } = show(<VoicePage />);
  const price = screen.getByRole("region", { name: "Price" });
  expect(await within(price).findByText(/1 contact/)).toBeVisible();
  const large = new File(["08031234569\n"], "large.csv", { type: "text/csv" });
  Object.defineProperty(large, "size", { value: 25_000_000 });
  await user.upload(screen.getByLabelText("File of recipients"), large);
  expect(await within(price).findByText(/The most it can cost comes next/)).toBeVisible();
  expect(price).not.toHaveTextContent("contact");
});
