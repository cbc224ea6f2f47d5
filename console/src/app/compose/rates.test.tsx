import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { draftDaemon } from "../../testing/drafts";
import { CHECK } from "../../testing/quote";
import { onPhone, show, signedIn } from "../../testing/render";
import { answers, problem, server } from "../../testing/server";
import { EMPTY, stored } from "./draft";
import ComposePage from "./Page";

const PRICE = (value: number) => [{ id: 1, value, updated_at: "2026-11-01T00:00:00Z" }];
const RATES = [
  { prefix: "234", network: "mtn", espees: null, naira: 4.2, updated_at: null },
  { prefix: "44", network: null, espees: 0.08, naira: 60, updated_at: null },
];
const line = (currency: string, prefix: string, contacts: number, unit_price: number) => ({
  currency,
  prefix,
  network: null,
  contacts,
  unit_price,
});

beforeEach(() => {
  signedIn();
  answers("get", "/api/get-sender-id", { senderId: [], total: 0 });
  answers("get", "/api/get/group", { groups: [], total: 0 });
  draftDaemon();
  answers("get", "/api/rates", { rates: RATES, total: 2, version: "v1" });
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": PRICE(0.3),
    "SMS-UNIT-PRICE-IN-NAIRA": PRICE(4.5),
    "SMS-ABROAD-UNIT-PRICE": PRICE(1),
  });
  answers("get", "/api/get-espee-balance", {
    "espees-balance": 50,
    espees_reserved: 0,
    paystack_balance: 2_000,
  });
});

const price = () => screen.getByRole("region", { name: "Price" });

/** A page that was left with this written on it. */
function written(
  recipients: string,
  payment_method: "paystack" | "espees" = "paystack",
  purpose: "" | "otp" = "",
) {
  stored.save({ ...EMPTY, recipients, message: "Half a thought", payment_method, purpose });
  return show(<ComposePage />);
}

test("where there are rates, the daemon counts what is typed, and each is estimated at its own", async () => {
  answers("post", "/api/recipients/check", {
    ...CHECK,
    total_contacts: 4,
    networks: { mtn: 1, glo: 1, abroad: 2 },
    rates: [
      line("espees", "234", 2, 0.3),
      line("naira", "234", 1, 4.5),
      line("naira", "234", 1, 4.2),
      line("naira", "44", 1, 60.000001),
    ],
  });
  onPhone();
  written("08031234567, 08051234567, +447911123456, +33612345678");
  expect(await within(price()).findByText(/^About ₦68.700001/)).toBeVisible();
  expect(price()).toHaveTextContent(
    "for 3 contacts, 1 of them abroad. 1 contact abroad is left out: no price is set for it.",
  );
  expect(screen.getByRole("group", { name: "Price and sending" })).toHaveTextContent(
    "for 3 contacts, 1 of them abroad",
  );
  expect(screen.getByText("₦4.20 – ₦60.000001 to each")).toBeVisible();
  expect(screen.getAllByText(/a page in Nigeria; some destinations differ/)).toHaveLength(2);
});

test("until the daemon has counted them nothing is promised, nor where it cannot", async () => {
  let refuse: (() => void) | undefined;
  const refused = new Promise<void>((done) => {
    refuse = done;
  });
  server.use(
    http.post("*/api/recipients/check", async () => {
      await refused;
      return HttpResponse.json(problem(503, "busy", "Too many at once"), { status: 503 });
    }),
  );
  written("08031234567");
  expect(await within(price()).findByText("Counting the recipients.")).toBeVisible();
  expect(screen.queryByText(/to each/)).toBeNull();
  refuse?.();
  expect(
    await within(price()).findByText(/are counted when you go on: then comes the exact price/),
  ).toBeVisible();
  expect(price()).not.toHaveTextContent("About");
});

test("where none of them has a price it is said, and whether the other balance has one", async () => {
  const check = { ...CHECK, total_contacts: 2, networks: { abroad: 2 } };
  answers("post", "/api/recipients/check", { ...check, rates: [line("espees", "33", 2, 1)] });
  written("+33612345678, +33612345679");
  expect(
    await within(price()).findByText(/^All 2 contacts are abroad, and no price is set for such/),
  ).toHaveTextContent("or pay from the other balance, which has one.");
});

test("a test to the own phone costs the rate of where that is, and of what it is for", async () => {
  signedIn({ phone_number: "2348031234567" });
  const asked: unknown[] = [];
  const sent: { max_charge?: number }[] = [];
  server.use(
    http.post("*/api/recipients/check", async ({ request }) => {
      const body = await request.text();
      asked.push(body);
      const isCode = body.includes("otp");
      const rates = [line("espees", "234", 1, 0.3), line("naira", "234", 1, isCode ? 4.2 : 3)];
      return HttpResponse.json({ ...CHECK, total_contacts: 1, rates });
    }),
    http.post("*/api/messages", async ({ request }) => {
      sent.push((await request.json()) as { max_charge?: number });
      return HttpResponse.json({ message: "SMS Sent", details: {}, text: "", balance: 1 });
    }),
  );
  const { user } = written("08051234567", "paystack", "otp");
  await within(price()).findByText(/^About ₦4.20/);
  await user.click(within(price()).getByRole("button", { name: "Send a test to me" }));
  const dialog = await screen.findByRole("dialog");
  await waitFor(() => expect(dialog).toHaveTextContent("costs ₦4.20, like any other message"));
  expect(asked.at(-1)).toContain("2348031234567");
  await user.click(within(dialog).getByRole("button", { name: "Send the test" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.max_charge).toBe(4.2);
});
