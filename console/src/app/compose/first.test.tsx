import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { ApiProblem } from "../../api/problem";
import { draftDaemon } from "../../testing/drafts";
import { QUOTE } from "../../testing/quote";
import { show, signedIn } from "../../testing/render";
import { answers, problem, server } from "../../testing/server";
import { EMPTY, errorsOf, fieldsOf, partsOf, stored } from "./draft";
import { firstFaults, firstParts, firstTerms, inPlainWords, NO_FIRST, plainNotice } from "./first";
import ComposePage from "./Page";
import * as voice from "./voice/draft";

const FIRST = { ...NO_FIRST, first: true };

beforeEach(() => {
  signedIn();
  answers("get", "/api/get-sender-id", { senderId: [], total: 0 });
  answers("get", "/api/get/group", { groups: [], total: 0 });
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": [{ value: 0.01 }],
    "SMS-UNIT-PRICE-IN-NAIRA": [],
  });
  answers("get", "/api/get-espee-balance", { "espees-balance": 5 });
  draftDaemon();
  stored.save({ ...EMPTY, recipients: "08031234567", message: "Hello", payment_method: "espees" });
});

test("nothing is said of a few first unless it is chosen; then the daemon gets it, and the quote tells it", async () => {
  const sent: unknown[] = [];
  server.use(
    http.post("*/api/send-text-sms", async ({ request }) => {
      const form = await request.formData();
      const said = ["canary", "canary_delivery", "canary_wait_s"].map((name) => form.get(name));
      sent.push(said);
      const canary = said[0] ? { size: 50, delivery: 90, wait_s: 300 } : null;
      return HttpResponse.json({ details: { ...QUOTE, canary }, message: "" });
    }),
  );
  const { user } = show(<ComposePage />);
  const send = screen.getByRole("button", { name: "Send message" });
  expect(screen.queryByLabelText("How many first")).toBeNull();
  await user.click(send);
  const plain = await screen.findByRole("dialog");
  expect(plain).not.toHaveTextContent("First recipients");
  await user.click(within(plain).getByRole("button", { name: "No, Cancel" }));

  await user.click(await screen.findByRole("switch", { name: "Send to a few first" }));
  expect(screen.getByLabelText("How many first")).toHaveValue("50");
  expect(screen.getByLabelText("Wait at most")).toHaveValue("10");
  const write = async (label: string, text: string) => {
    await user.clear(screen.getByLabelText(label));
    await user.type(screen.getByLabelText(label), text);
  };
  await write("How many first", "5 %");
  await write("Must be delivered", "90");
  await write("Wait at most", "5");
  await user.click(send);
  expect(
    await screen.findByText(
      "50 people get it first; the rest waits until 45 of these messages were delivered, at most 5 minutes after the last of them was submitted. Otherwise the campaign stops, and you decide how it goes on.",
    ),
  ).toBeVisible();
  expect(sent).toEqual([
    [null, null, null],
    ["5%", "90", "300"],
  ]);
  expect(stored.load()).toMatchObject({ first: true, first_size: "5 %", first_wait: "5" });
});

test("numbers of one's own get it first as well, or alone, and the daemon's words about them are plain", async () => {
  const own = { ...FIRST, first_seeds: " 0805 123 4567 " };
  expect(firstParts(own)).toMatchObject({ canary: "50", canary_seeds: "0805 123 4567" });
  const alone = { ...own, first_size: " " };
  expect(firstFaults(alone)).toEqual([]);
  expect(firstParts(alone)).toEqual({
    canary_seeds: "0805 123 4567",
    canary_delivery: "80",
    canary_wait_s: "600",
  });
  expect(firstFaults({ ...alone, first_seeds: "" })).toEqual([
    { field: "first_size", text: "Say how many get it first, or give numbers of your own" },
  ]);
  const terms = (size: number, seeds: number) =>
    firstTerms({ size, seeds, delivery: 80, wait_s: 600 }, "text", 1);
  expect(terms(52, 2)).toMatch(/^52 people get it first, 2 of them numbers of your own; the rest waits/);
  expect(terms(1, 1)).toMatch(
    /^1 number of your own gets it first; the rest waits until 1 of these messages was/,
  );
  const said = (code: string, message: string) =>
    (inPlainWords(new ApiProblem(422, code, message, [], null, null)) as ApiProblem).message;
  expect(
    said(
      "canary_seed_refused",
      "The canary's number +2348051234567 gets no message: it has opted out. Leave it out",
    ),
  ).toBe("Your number +2348051234567 gets no message: it has opted out. Leave it out");
  expect(said("bad_canary_seeds", "'me' is no number for the canary: not a phone number")).toBe(
    "'me' is no number: not a phone number",
  );
  expect(said("bad_canary_seeds", "A canary has at most 20 numbers of your own")).toBe(
    "Give 1 to 20 numbers of your own, with commas between them",
  );
  const few = "A canary of 50 would be all 20 other recipients: it is the 1 of your own alone";
  expect(plainNotice(few)).toBe(
    "The others are too few to send to 50 first: your own numbers alone get it first",
  );
});

test("what cannot be is said at its field before the daemon is asked", async () => {
  const { user } = show(<ComposePage />);
  await user.click(screen.getByRole("switch", { name: "Send to a few first" }));
  await user.clear(screen.getByLabelText("How many first"));
  await user.type(screen.getByLabelText("How many first"), "few");
  await user.clear(screen.getByLabelText("Wait at most"));
  await user.click(screen.getByRole("button", { name: "Send message" }));
  const size = screen.getByLabelText("How many first");
  expect(size).toHaveAccessibleDescription(
    "Say how many get it first: 1 to 4,096, or a share from 1% to 99%",
  );
  expect(size).toHaveFocus();
  expect(screen.getByLabelText("Wait at most")).toHaveAccessibleDescription(
    "Say how long to wait in whole minutes: 1 to 1,440",
  );
  expect(screen.getByLabelText("Must be delivered")).toBeValid();
});

test("what the daemon refuses is said at its field, in words that customers know", async () => {
  const message = "A canary needs delivery receipts, and none come by the route to some of these recipients";
  const refused = {
    ...problem(400, "canary_needs_receipts", message),
    errors: [{ field: "canary", message }],
  };
  answers("post", "/api/send-text-sms", refused, 400);
  const { user } = show(<ComposePage />);
  await user.click(screen.getByRole("switch", { name: "Send to a few first" }));
  await user.click(screen.getByRole("button", { name: "Send message" }));
  expect(await screen.findByText(/no receipts come from where some of these recipients are/)).toBeVisible();
  expect(screen.getByLabelText("How many first")).toHaveAccessibleDescription(/no receipts come/);
  expect(document.body).not.toHaveTextContent(/canary/i);
});

test("sizes and shares are read within the daemon's bounds", () => {
  const faults = (more: Partial<typeof FIRST>) => firstFaults({ ...FIRST, ...more }).map((it) => it.field);
  expect(faults({})).toEqual([]);
  for (const first_size of ["1", "4096", "4,096", "1%", "99 %"]) expect(faults({ first_size })).toEqual([]);
  for (const first_size of ["", "0", "4097", "0%", "100%", "5.5%", "-5", "5%%", "%"]) {
    expect(faults({ first_size })).toEqual(["first_size"]);
  }
  expect(faults({ first_delivery: "80 %", first_wait: "1440" })).toEqual([]);
  expect(faults({ first_delivery: "101", first_wait: "0" })).toEqual(["first_delivery", "first_wait"]);
  expect(faults({ first: false, first_size: "few" })).toEqual([]);
  expect(firstParts({ ...FIRST, first_size: "1,000" })).toEqual({
    canary: "1000",
    canary_delivery: "80",
    canary_wait_s: "600",
  });
  expect(firstParts(NO_FIRST)).toEqual({});
});

test("drafts of before send to all at once, and calls have a preset of their own", () => {
  const { first, first_size, first_delivery, first_wait, ...before } = { ...EMPTY, message: "Hello" };
  expect([first, first_size, first_delivery, first_wait]).toEqual([false, "50", "80", "10"]);
  const kept = stored.read(JSON.stringify({ ...before, columns: [], files: [] }));
  expect(kept?.written).toMatchObject({ first: false, first_size: "50", first_delivery: "80" });
  const calls = { ...voice.EMPTY, first: true };
  expect(voice.partsOf(calls, [])).toMatchObject({
    canary: "50",
    canary_delivery: "30",
    canary_wait_s: "600",
  });
  expect(partsOf(EMPTY, [])).not.toHaveProperty("canary");
  const bad = { first: true, first_size: "" };
  expect(errorsOf({ ...EMPTY, ...bad }, true, 1).map((it) => it.field)).toContain("first_size");
  expect(voice.errorsOf({ ...voice.EMPTY, ...bad }, true, 1).map((it) => it.field)).toContain("first_size");
  expect(voice.visibleFields(calls)).toContain("first_size");
  expect(voice.visibleFields(voice.EMPTY)).not.toContain("first_size");
});

test("a copy begins with as many first as the campaign did", () => {
  const form = { sms_type: "text", senderid: "A", payment_method: "espees", groups: [], audience: [] };
  const canary = { canary: "40", canary_delivery: 90, canary_wait_s: 90 };
  const copied = { first: true, first_size: "40", first_seeds: "", first_delivery: "90", first_wait: "2" };
  expect(fieldsOf({ ...form, ...canary })).toMatchObject(copied);
  expect(voice.fieldsOf({ ...form, ...canary, sms_type: "voice" })).toMatchObject(copied);
  expect(fieldsOf(form)).toMatchObject(NO_FIRST);
  expect(voice.fieldsOf(form)).toMatchObject({ first: false, first_delivery: "30" });
});

test("the terms of a quote are told in people, of calls as calls, and of several runs as each", () => {
  expect(firstTerms({ size: 1, delivery: 80, wait_s: 90 }, "text", 1)).toBe(
    "1 person gets it first; the rest waits until 1 of these messages was delivered, at most 90 seconds after the last of them was submitted. Otherwise the campaign stops, and you decide how it goes on.",
  );
  expect(firstTerms({ size: 50, delivery: 29, wait_s: 600 }, "voice", 2)).toBe(
    "50 people are called first each time; the rest waits until 15 of them answered, at most 10 minutes after the last of these calls was over. Otherwise the campaign stops, and you decide how it goes on.",
  );
});

test("what the daemon says of a canary is told in words that customers know, and all else as it is", () => {
  expect(
    plainNotice("A canary of 5% would be all 2 recipients: there is none, and all are sent to at once"),
  ).toBe("These recipients are too few to send to 5% first: all get it at once");
  expect(
    plainNotice(
      "The canary is 4096 recipients and not 50%: it has 4096 at most, and fewer where their fields are long",
    ),
  ).toBe("4,096 get it first and not 50%, which is the most there can be");
  expect(plainNotice("Two columns hold numbers")).toBe("Two columns hold numbers");
  const thrown = new Error("x");
  expect(inPlainWords(thrown)).toBe(thrown);
});

test("a confirmation that has to wait for an update of the platform says so in such words", async () => {
  answers("post", "/api/send-text-sms", { details: QUOTE, message: "" });
  const message = "A daemon of an older version is still running, which does not wait for canaries";
  answers("post", "/api/confirm-send-text-sms", problem(409, "canary_not_yet", message), 409);
  const { user } = show(<ComposePage />);
  await user.click(screen.getByRole("button", { name: "Send message" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "Yes, Proceed" }));
  expect(await within(dialog).findByText(/The platform is being updated/)).toBeVisible();
  expect(document.body).not.toHaveTextContent(/canar/i);
});
