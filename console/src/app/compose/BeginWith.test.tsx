import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { draftDaemon } from "../../testing/drafts";
import { CHECK } from "../../testing/quote";
import { show, signedIn } from "../../testing/render";
import { answers, problem } from "../../testing/server";
import { EMPTY, stored } from "./draft";
import ComposePage from "./Page";
import VoicePage from "./voice/Page";

let daemon: ReturnType<typeof draftDaemon>;
let asked: FormData[];

beforeEach(() => {
  signedIn();
  asked = [];
  answers("get", "/api/get-sender-id", { senderId: [{ sender_id: "SHOP" }], total: 1 });
  answers("get", "/api/get-sms-unit-price", { "SMS-UNIT-PRICE": [], "SMS-UNIT-PRICE-IN-NAIRA": [] });
  const balances = { "espees-balance": 5, espees_reserved: 0, paystack_balance: 0, paystack_reserved: 0 };
  answers("get", "/api/get-espee-balance", balances);
  const groups = [{ id: 5, group_name: "Choir", contacts_count: 3, columns: [] }];
  answers("get", "/api/get/group", { groups, total: 1 });
  answers("get", "/api/get/group/contacts/5", { contacts: [], total: 0 });
  const check = { ...CHECK, total_contacts: 1_811, columns: ["name"] };
  answers("post", "/api/recipients/check", check, 200, async (request) => {
    asked.push(await request.formData());
  });
  daemon = draftDaemon();
});

const at = (query: string) => show(<ComposePage />, { at: `/dashboard/compose-sms?${query}` });
const message = () => screen.getByRole("textbox", { name: "Message" });
const lists = () => screen.findByRole("list", { name: "Earlier lists" });

test("an empty form begins with the lists of its address, which the daemon counts", async () => {
  const { user } = at("audience=campaign%3A7%3Afailed&group=5");
  expect(within(await lists()).getByText("Those whom campaign 7 did not reach")).toBeVisible();
  expect(await screen.findByText("1,811 contacts in all")).toBeVisible();
  expect(screen.getByText("Choir, 3 contacts")).toBeVisible();
  expect(asked.at(-1)?.getAll("audience")).toEqual(["campaign:7:failed"]);
  // Its merge fields, too.
  expect(screen.getByRole("button", { name: "Insert name" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Remove Those whom campaign 7 did not reach" }));
  expect(screen.queryByRole("list", { name: "Earlier lists" })).toBeNull();
});

test("what is being written is not mixed with them: it is asked for, and stays as a draft", async () => {
  stored.save({ ...EMPTY, recipients: "08031234567", message: "Half a thought" });
  const { user } = at("audience=import%3A9");
  await user.click(await screen.findByRole("button", { name: "Begin a new one" }));
  expect(within(await lists()).getByText("The numbers of import 9")).toBeVisible();
  expect(message()).toHaveValue("");
  expect(screen.getByLabelText("Recipients")).toHaveValue("");
  expect([...daemon.drafts.values()].map((it) => it.title)).toContain("Half a thought");
});

test("who goes on with what is written gets none of them", async () => {
  stored.save({ ...EMPTY, message: "Half a thought" });
  const { user } = at("audience=import%3A9");
  await user.click(await screen.findByRole("button", { name: "Go on with this one" }));
  await waitFor(() => expect(screen.queryByText(/You are writing another message/)).toBeNull());
  expect(message()).toHaveValue("Half a thought");
  expect(screen.queryByRole("list", { name: "Earlier lists" })).toBeNull();
});

test("a campaign is copied with its text, sender, groups and the rest of its recipients", async () => {
  answers("get", "/api/campaigns/7/form", {
    sms_type: "flash",
    senderid: "SHOP",
    payment_method: "espees",
    message: "Dear {name}",
    digits: [],
    groups: [5],
    audience: ["campaign:7"],
  });
  at("campaign=7");
  await waitFor(() => expect(message()).toHaveValue("Dear {name}"));
  expect(screen.getByRole("button", { name: "Flash" })).toHaveAttribute("aria-pressed", "true");
  expect(screen.getByText("Choir, 3 contacts")).toBeVisible();
  expect(within(await lists()).getByText("The recipients of campaign 7")).toBeVisible();
  expect(screen.getByRole("combobox", { name: "Sender ID" })).toHaveTextContent("SHOP");
});

test("calls are copied with what is said and what is asked", async () => {
  answers("get", "/api/get-own-number", { "Own-Number": [], total: 0 });
  answers("get", "/api/get-virtual-number", { "virtual-Number": [], total: 0 });
  answers("get", "/api/get-voice-unit-price", { "VOICE-UNIT-PRICE": [], "VOICE-UNIT-PRICE-NAIRA": [] });
  answers("get", "/api/campaigns/7/form", {
    sms_type: "voice",
    senderid: "WEBSMS",
    payment_method: "espees",
    ttsMsg: "Do you come?",
    ttsVoice: "us-male",
    digits: [{ key: "1", label: "yes" }],
    plays: 2,
    groups: [],
    audience: ["campaign:7"],
  });
  show(<VoicePage />, { at: "/dashboard/text-to-speech?campaign=7" });
  await waitFor(() =>
    expect(screen.getByRole("textbox", { name: "Voice Message" })).toHaveValue("Do you come?"),
  );
  expect(screen.getByDisplayValue("yes")).toBeVisible();
  expect(within(await lists()).getByText("The recipients of campaign 7")).toBeVisible();
});

test("a campaign that is not there is told, and the page goes on without", async () => {
  answers("get", "/api/campaigns/7/form", problem(404, "not_found", "There is no such campaign"), 404);
  const { user } = at("campaign=7");
  expect(await screen.findByText(/Campaign 7 could not be read/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Go on without" }));
  expect(screen.queryByText(/Campaign 7 could not be read/)).toBeNull();
});
