import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { draftDaemon } from "../../testing/drafts";
import { QUOTE } from "../../testing/quote";
import { show, signedIn } from "../../testing/render";
import { answers, problem, server } from "../../testing/server";
import type { Campaign, Quote } from "./calls";
import { EMPTY, stored } from "./draft";
import ComposePage from "./Page";

const quote: Quote = {
  ...QUOTE,
  message: "Hello",
  total_contacts: 1,
  total_pages: 1,
  total_segments: 1,
  total_charges: 0.01,
  charges_per_run: 0.01,
  balance_after: 4.99,
  networks: { mtn: 1 },
};

const campaign = {
  id: 9,
  status: "completed",
  total_contacts: 1,
  counts: { queued: 0, submitting: 0, delivered: 1 },
} as unknown as Campaign;

beforeEach(() => {
  signedIn();
  answers("get", "/api/get-sender-id", { senderId: [], total: 0 });
  answers("get", "/api/get/group", { groups: [], total: 0 });
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": [{ value: 0.01 }],
    "SMS-UNIT-PRICE-IN-NAIRA": [{ value: 4.5 }],
  });
  const balances = { "espees-balance": 5, espees_reserved: 0, paystack_balance: 0, paystack_reserved: 0 };
  answers("get", "/api/get-espee-balance", balances);
  draftDaemon();
  stored.save({ ...EMPTY, recipients: "08031234567", message: "Hello", payment_method: "espees" });
});

test("a form that met with silence is asked again under the same key", async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post("*/api/send-text-sms", ({ request }) => {
      keys.push(request.headers.get("Idempotency-Key"));
      if (keys.length === 1) return HttpResponse.error();
      if (keys.length === 2) return HttpResponse.json(problem(400, "x", "No"), { status: 400 });
      return HttpResponse.json({ details: quote, message: "" });
    }),
  );
  const { user } = show(<ComposePage />);
  const send = screen.getByRole("button", { name: "Send message" });
  await user.click(send);
  expect(await screen.findByText(/Talkdrum cannot be reached/)).toBeVisible();
  expect(screen.getByText("Error in sending Message")).toBeVisible();
  await user.click(send);
  expect(await screen.findByText("No")).toBeVisible();
  await user.click(send);
  expect(await screen.findByRole("dialog")).toBeVisible();
  expect(keys[0]).toBe(keys[1]);
  // What was answered is over: the next is another question.
  expect(keys[2]).not.toBe(keys[1]);
});

test("a quote is confirmed under its own key, the form is cleared, and the send is followed to its end", async () => {
  const begun = { ...campaign, status: "sending", counts: { queued: 1, submitting: 0, delivered: 0 } };
  answers("get", "/api/campaigns/9", { campaign });
  answers("post", "/api/send-text-sms", { details: quote, message: "" });
  const seen: [string | null, unknown][] = [];
  answers(
    "post",
    "/api/confirm-send-text-sms",
    { details: begun, campaigns: [begun], message: "SMS Sent" },
    200,
    async (request) => {
      seen.push([request.headers.get("Idempotency-Key"), await request.json()]);
    },
  );
  const { user } = show(<ComposePage />);
  await user.click(screen.getByRole("button", { name: "Send message" }));
  const dialog = await screen.findByRole("dialog", { name: "Confirm Campaign Submission" });
  expect(dialog).toHaveTextContent("0.01000 ESPEES");
  expect(dialog).toHaveTextContent("Sending Now");
  await user.click(within(dialog).getByRole("button", { name: "Yes, Proceed" }));
  expect(await screen.findByText("SMS Sent")).toBeVisible();
  expect(await screen.findByRole("heading", { name: "Your campaign is sent" })).toBeVisible();
  expect(screen.getByText(/1 of 1 message submitted, 1 delivered/)).toBeVisible();
  expect(seen).toEqual([["confirm-quote-31", { quote_id: 31 }]]);
  await waitFor(() => expect(screen.getByLabelText("Recipients")).toHaveValue(""));
  // The empty box shows its placeholder: the label is out of the way.
  expect(screen.getByText("Recipients", { selector: "label" })).toHaveAttribute("data-shrink", "true");
});

test("a column of numbers that is not read is said, and read once it is chosen", async () => {
  const table = new File(["Name,Phone 1,Phone 2\nAda,08031234567,08021234567\n"], "two.csv");
  const notices = ["The column 'Phone 2' also holds numbers: not read"];
  const one = { number_columns: ["Phone 1"], unread_columns: ["Phone 2"], notices };
  const counts = { total_contacts: 1, total_duplicates_removed: 0, total_invalid: 0, total_suppressed: 0 };
  const rest = { ...counts, rejects: [], networks: {}, columns: ["name"] };
  const checks: unknown[] = [];
  const quotes: unknown[] = [];
  server.use(
    http.post("*/api/recipients/check", async ({ request }) => {
      const columns = (await request.formData()).getAll("column");
      checks.push(columns);
      const both = { number_columns: ["Phone 1", "Phone 2"], unread_columns: [], notices: [] };
      return HttpResponse.json({ ...rest, ...(columns.length > 0 ? both : one) });
    }),
    http.post("*/api/send-text-sms", async ({ request }) => {
      quotes.push((await request.formData()).getAll("column"));
      const told = quotes.length === 1 ? one : {};
      return HttpResponse.json({ details: { ...quote, ...told }, message: "" });
    }),
  );
  const { user } = show(<ComposePage />);
  await user.upload(screen.getByLabelText("File of recipients"), table);
  const second = await screen.findByRole("checkbox", { name: "Phone 2" }, { timeout: 5_000 });
  expect(screen.getByText(`${notices[0]}.`)).toBeVisible();
  // One column at least is read.
  expect(screen.getByRole("checkbox", { name: "Phone 1" })).toBeDisabled();
  const send = screen.getByRole("button", { name: "Send message" });
  await user.click(send);
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("The column 'Phone 2' also holds numbers: not read.");
  await user.click(within(dialog).getByRole("button", { name: "No, Cancel" }));
  await user.click(second);
  await waitFor(() => expect(checks).toEqual([[], ["Phone 1", "Phone 2"]]), { timeout: 5_000 });
  await waitFor(() => expect(screen.getByRole("checkbox", { name: "Phone 2" })).toBeChecked());
  await user.click(send);
  expect(await screen.findByRole("dialog")).not.toHaveTextContent("not read");
  expect(quotes).toEqual([[], ["Phone 1", "Phone 2"]]);
});

test("an inactive account is told so and asks nothing of the daemon", async () => {
  signedIn({ status: "inactive" });
  const { user } = show(<ComposePage />);
  await user.click(screen.getByRole("button", { name: "Send message" }));
  // The standing notice, and the toast, which comes a moment later.
  await waitFor(() =>
    expect(screen.getAllByText("Please Contact Admin to activate your account")).toHaveLength(2),
  );
});

test("what is paid, for how many, and what is left is in sight beside the buttons", async () => {
  answers("post", "/api/send-text-sms", { details: quote, message: "" });
  const { user } = show(<ComposePage />);
  await user.click(screen.getByRole("button", { name: "Send message" }));
  const sum = within(await screen.findByRole("dialog")).getByRole("group", { name: "What it costs" });
  expect(sum).toHaveTextContent("Total0.01 ESPEES");
  expect(sum).toHaveTextContent("Contacts1");
  expect(sum).toHaveTextContent("Balance after4.99 ESPEES");
});

test("a balance that is too small says how much more is needed, and cannot be confirmed", async () => {
  const dear = { ...quote, total_charges: 7.5, balance_after: -2.5 };
  answers("post", "/api/send-text-sms", { details: dear, message: "" });
  const { user } = show(<ComposePage />);
  await user.click(screen.getByRole("button", { name: "Send message" }));
  const dialog = await screen.findByRole("dialog");
  const sum = within(dialog).getByRole("group", { name: "What it costs" });
  expect(sum).toHaveTextContent("You need 2.50 ESPEES more");
  expect(within(sum).getByRole("link", { name: "Fund your account" })).toHaveAttribute(
    "href",
    "/dashboard/buy-sms-online",
  );
  expect(within(dialog).getByRole("button", { name: "Yes, Proceed" })).toBeDisabled();
});

test("the only payment method that can pay is chosen, and one without a price cannot be", async () => {
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": [],
    "SMS-UNIT-PRICE-IN-NAIRA": [{ value: 4.5 }],
  });
  stored.save({ ...EMPTY, recipients: "08031234567", message: "Hello" });
  show(<ComposePage />);
  await waitFor(() => expect(screen.getByRole("radio", { name: /Naira balance/ })).toBeChecked());
  expect(screen.getByRole("radio", { name: /ESPEES/ })).toBeDisabled();
});

test("where both could pay, the one with money in it is chosen", async () => {
  stored.save({ ...EMPTY, recipients: "08031234567", message: "Hello" });
  show(<ComposePage />);
  await waitFor(() => expect(screen.getByRole("radio", { name: /ESPEES/ })).toBeChecked());
});
