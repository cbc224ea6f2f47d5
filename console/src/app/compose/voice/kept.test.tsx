import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { draftDaemon } from "../../../testing/drafts";
import { show, signedIn } from "../../../testing/render";
import { answers } from "../../../testing/server";
import VoicePage from "./Page";

test("a draft of calls is kept with its file, and goes on after a reload", async () => {
  const user = signedIn();
  answers("get", "/api/user-profile", { user, scopes: [], signed_in_with: "session" });
  answers("get", "/api/get/group", { groups: [], total: 0 });
  answers("get", "/api/get-voice-records", { audioUrls: [], total: 0 });
  answers("get", "/api/get-own-number", { "Own-Number": [], total: 0 });
  answers("get", "/api/get-virtual-number", { "virtual-Number": [], total: 0 });
  answers("get", "/api/get-voice-unit-price", { "VOICE-UNIT-PRICE": [], "VOICE-UNIT-PRICE-NAIRA": [] });
  answers("get", "/api/get-espee-balance", { "espees-balance": 5, espees_reserved: 0, paystack_balance: 0 });
  answers("post", "/api/recipients/check", {
    total_contacts: 2,
    total_duplicates_removed: 0,
    total_invalid: 0,
    total_suppressed: 0,
    networks: {},
    number_columns: [],
    unread_columns: [],
    notices: [],
  });
  const daemon = draftDaemon();
  const page = show(<VoicePage />);
  await page.user.type(screen.getByRole("textbox", { name: "Voice Message" }), "Practice at five");
  const list = new File(["08031234567\n08031234568\n"], "choir.csv");
  await page.user.upload(screen.getByLabelText("File of recipients"), list);
  await waitFor(() => expect(daemon.drafts.get(1)?.files).toHaveLength(1));
  expect(daemon.drafts.get(1)).toMatchObject({ form: "call", title: "Practice at five" });
  expect(await screen.findByText("Saved")).toBeVisible();
  page.unmount();
  show(<VoicePage />);
  expect(await screen.findByText("2 contacts in all")).toBeVisible();
  expect(screen.getByText("choir.csv")).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Voice Message" })).toHaveValue("Practice at five");
});
