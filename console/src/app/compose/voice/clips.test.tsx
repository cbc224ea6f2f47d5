import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { draftDaemon } from "../../../testing/drafts";
import { show, signedIn } from "../../../testing/render";
import { answers, problem, server } from "../../../testing/server";
import { EMPTY, stored } from "./draft";
import VoicePage from "./Page";

const recording = (id: number, name: string) => ({
  id,
  name,
  audioFileUrl: `/api/recordings/${id}/audio?signed`,
  bytes: 16_000,
  length_ms: 2_000,
  loudness: "good",
  loudness_dbfs: -18,
  created_at: "2026-11-21T08:00:00Z",
});

const call = (more: object = {}) => ({
  id: 5,
  to: "2348031234567",
  status: "calling",
  message: "The call is being placed",
  over: false,
  attempts: 1,
  length_ms: 4_000,
  heard_ms: 0,
  seconds: 0,
  digits: "",
  created_at: "2026-11-21T08:00:00Z",
  ...more,
});

beforeEach(() => {
  draftDaemon();
  signedIn();
  answers("get", "/api/get/group", { groups: [], total: 0 });
  answers("get", "/api/get-own-number", { "Own-Number": [], total: 0 });
  answers("get", "/api/get-virtual-number", { "virtual-Number": [], total: 0 });
  answers("get", "/api/get-voice-unit-price", { "VOICE-UNIT-PRICE": [], "VOICE-UNIT-PRICE-NAIRA": [] });
  const balances = { "espees-balance": 5, espees_reserved: 0, paystack_balance: 0, paystack_reserved: 0 };
  answers("get", "/api/get-espee-balance", balances);
});

test("who has no number of their own is shown the ways to one", async () => {
  show(<VoicePage />);
  expect(await screen.findByRole("link", { name: "verify a phone of your own" })).toHaveAttribute(
    "href",
    "/dashboard/own-numbers",
  );
  expect(screen.getByRole("link", { name: "request a virtual number" })).toHaveAttribute(
    "href",
    "/dashboard/virtual-numbers",
  );
});

test("a test call is told in words until it is over", async () => {
  stored.save({ ...EMPTY, ttsMsg: "Hello", ttsVoice: "us-male" });
  let asked: unknown;
  server.use(
    http.post("*/api/voice-test", async ({ request }) => {
      asked = await request.json();
      return HttpResponse.json(call());
    }),
  );
  answers("get", "/api/voice-test/5", call({ status: "ringing", message: "The phone rings" }));
  const { user } = show(<VoicePage />);
  const button = await screen.findByRole("button", { name: "Call me" });
  await user.click(button);
  expect(await screen.findByText(/The phone rings\./)).toHaveTextContent("+234 803 123 4567");
  expect(asked).toEqual({ ttsMsg: "Hello", ttsVoice: "us-male" });
  expect(button).toBeDisabled();
  const end = { status: "ended", over: true, outcome: "answered", answered_at: "2026-11-21T08:00:09Z" };
  const message = "The call was answered, and they hung up after 3 s";
  answers("get", "/api/voice-test/5", call({ ...end, message, heard_ms: 3_000, digits: "1" }));
  expect(
    await screen.findByText(
      /hung up after 3 s\. 3 s of 4 s were played, and 1 was pressed\./,
      {},
      { timeout: 4_000 },
    ),
  ).toBeVisible();
  expect(button).toBeEnabled();
});

test("a test call without a text says so, and one without a verified phone leads to the profile", async () => {
  answers("post", "/api/voice-test", problem(409, "phone_unverified", "Verify your phone first"), 409);
  const { user } = show(<VoicePage />);
  await user.click(await screen.findByRole("button", { name: "Call me" }));
  expect(await screen.findByText("Voice Message is required")).toBeVisible();
  expect(screen.queryByText("Verify your phone first")).toBeNull();
  await user.type(screen.getByRole("textbox", { name: "Voice Message" }), "Hello");
  await user.click(screen.getByRole("button", { name: "Call me" }));
  expect(await screen.findByText(/Verify your phone first/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Open your profile" })).toHaveAttribute(
    "href",
    "/dashboard/profile-summary",
  );
});

test("an MP3 is kept before it is called out, and its recording is played", async () => {
  stored.save({ ...EMPTY, type: "voice" });
  answers("post", "/api/recordings", { recording: recording(31, "jingle"), message: "Recording added" });
  let asked: unknown;
  server.use(
    http.post("*/api/voice-test", async ({ request }) => {
      asked = await request.json();
      return HttpResponse.json(call({ over: true, status: "ended", message: "The call was not answered" }));
    }),
  );
  const over = call({ over: true, status: "ended", message: "The call was not answered" });
  answers("get", "/api/voice-test/5", over);
  const { user, container } = show(<VoicePage />);
  await user.click(await screen.findByRole("button", { name: "Call me" }));
  expect(await screen.findByText("Voice is required")).toBeVisible();
  const input = container.querySelector<HTMLInputElement>('input[accept*="mpeg"]');
  await user.upload(input as HTMLInputElement, new File(["x"], "jingle.mp3", { type: "audio/mpeg" }));
  await user.click(screen.getByRole("button", { name: "Call me" }));
  expect(await screen.findByText(/The call was not answered\./)).toBeVisible();
  expect(asked).toEqual({ audioUrl: "31" });
});

test("a recording is deleted once it is confirmed, and is no longer chosen", async () => {
  stored.save({ ...EMPTY, type: "past", audioUrl: "31" });
  answers("get", "/api/get-voice-records", {
    audioUrls: [recording(32, "news"), recording(31, "jingle")],
    total: 2,
  });
  const { user } = show(<VoicePage />);
  expect(await screen.findByRole("radio", { name: /jingle/ })).toBeChecked();
  await user.click(screen.getByRole("button", { name: "Delete jingle" }));
  let deleted = 0;
  answers("delete", "/api/recordings/31", { message: "Recording deleted" }, 200, () => {
    deleted += 1;
    answers("get", "/api/get-voice-records", { audioUrls: [recording(32, "news")], total: 1 });
  });
  const dialog = await screen.findByRole("dialog", { name: "Delete jingle?" });
  expect(deleted).toBe(0);
  await user.click(within(dialog).getByRole("button", { name: "Delete recording" }));
  expect(await screen.findByText("Recording deleted")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("radio", { name: /jingle/ })).toBeNull());
  expect(deleted).toBe(1);
  await user.click(await screen.findByRole("button", { name: "Send voice message" }));
  expect(await screen.findAllByText("Past audio file is required")).not.toHaveLength(0);
});

test("a recording that a campaign still plays stays, and the daemon says why", async () => {
  stored.save({ ...EMPTY, type: "past" });
  answers("get", "/api/get-voice-records", { audioUrls: [recording(31, "jingle")], total: 1 });
  const why = "Campaign 9 plays this recording: delete it when that is over or cancelled";
  answers("delete", "/api/recordings/31", problem(409, "recording_in_use", why), 409);
  const { user } = show(<VoicePage />);
  await user.click(await screen.findByRole("button", { name: "Delete jingle" }));
  await user.click(await screen.findByRole("button", { name: "Delete recording" }));
  expect(await screen.findByText(why)).toBeVisible();
  expect(await screen.findByRole("radio", { name: /jingle/ })).toBeInTheDocument();
});
