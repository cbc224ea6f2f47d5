import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { draftDaemon } from "../../testing/drafts";
import { QUOTE } from "../../testing/quote";
import { show, signedIn } from "../../testing/render";
import { answers, problem, server } from "../../testing/server";
import { EMPTY, fieldsOf, partsOf, stored } from "./draft";
import ComposePage from "./Page";
import * as voice from "./voice/draft";

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

test("what it is for is sent where it is chosen, and the quote tells what it is", async () => {
  const sent: (FormDataEntryValue | null)[] = [];
  server.use(
    http.post("*/api/send-text-sms", async ({ request }) => {
      const purpose = (await request.formData()).get("purpose");
      sent.push(purpose);
      return HttpResponse.json({
        details: { ...QUOTE, purpose: purpose ?? "transactional" },
        message: "",
      });
    }),
  );
  const { user } = show(<ComposePage />);
  const choice = screen.getByLabelText("What it is for");
  expect(choice).toHaveDisplayValue("As set for the sender and the account");
  const send = screen.getByRole("button", { name: "Send message" });
  await user.click(send);
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("ForAlerts and receipts");
  await user.click(within(dialog).getByRole("button", { name: "No, Cancel" }));
  await user.selectOptions(choice, "Advertising");
  expect(choice).toHaveAccessibleDescription(/^STOP ends it/);
  await user.click(send);
  expect(await screen.findByText("Advertising", { selector: "dd" })).toBeVisible();
  expect(sent).toEqual([null, "promotional"]);
});

test("a purpose that no route takes is said at the choice", async () => {
  const message = "No route takes otp messages of this kind";
  const refused = {
    ...problem(400, "purpose_not_carried", message),
    errors: [{ field: "purpose", code: "purpose_not_carried", message }],
  };
  answers("post", "/api/send-text-sms", refused, 400);
  const { user } = show(<ComposePage />);
  const choice = screen.getByLabelText("What it is for");
  await user.selectOptions(choice, "Codes");
  await user.click(screen.getByRole("button", { name: "Send message" }));
  expect(await screen.findByText(message)).toBeVisible();
  expect(choice).toHaveAccessibleDescription(message);
});

test("drafts of before have no purpose, and a copy is for what the campaign was for", () => {
  const { purpose: _, ...before } = { ...EMPTY, message: "Hello" };
  const kept = stored.read(JSON.stringify({ ...before, columns: [], files: [] }));
  expect(kept?.written).toMatchObject({ message: "Hello", purpose: "" });
  const form = { sms_type: "text", senderid: "A", payment_method: "espees", groups: [], audience: [] };
  expect(fieldsOf({ ...form, purpose: "promotional" }).purpose).toBe("promotional");
  expect(voice.fieldsOf({ ...form, sms_type: "voice", purpose: "otp" }).purpose).toBe("otp");
  expect(partsOf({ ...EMPTY, purpose: "otp" }, []).purpose).toBe("otp");
  expect(partsOf(EMPTY, []).purpose).toBeUndefined();
  expect(voice.partsOf({ ...voice.EMPTY, purpose: "promotional" }, []).purpose).toBe("promotional");
});
