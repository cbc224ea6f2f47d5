// What is said while the page cannot count the recipients yet: at the price, and in a phone's bar.
import { screen, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import { draftDaemon } from "../../testing/drafts";
import { CHECK } from "../../testing/quote";
import { onPhone, show, signedIn } from "../../testing/render";
import { answers, problem, server } from "../../testing/server";
import { EMPTY, stored } from "./draft";
import ComposePage from "./Page";

const countries = vi.hoisted(() => {
  let arrive = () => {};
  const arrived = new Promise<void>((done) => {
    arrive = done;
  });
  return { arrived, arrive };
});

// Numbers are read with it, and it comes late.
vi.mock("libphonenumber-js/min", async (original) => {
  await countries.arrived;
  return original();
});

const WRITTEN = { ...EMPTY, message: "Half a thought", payment_method: "paystack" } as const;

beforeEach(() => {
  onPhone();
  signedIn();
  answers("get", "/api/get-sender-id", { senderId: [], total: 0 });
  answers("get", "/api/get/group", { groups: [], total: 0 });
  draftDaemon();
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": [],
    "SMS-UNIT-PRICE-IN-NAIRA": [{ value: 4.5 }],
  });
  answers("get", "/api/get-espee-balance", { "espees-balance": 0, paystack_balance: 20 });
});

const price = () => within(screen.getByRole("region", { name: "Price" }));
const bar = () => screen.getByRole("group", { name: "Price and sending" });

test("numbers that cannot be read yet are being counted", async () => {
  stored.save({ ...WRITTEN, recipients: "08031234567" });
  show(<ComposePage />);
  expect(await price().findByText("Counting the recipients.")).toBeVisible();
  expect(bar()).toHaveTextContent("Counting the recipients");
  countries.arrive();
  expect(await price().findByText(/^About ₦4.50/)).toBeVisible();
  expect(bar()).toHaveTextContent("for 1 contact");
});

test("groups are being counted until they are read, and with the quote where they cannot be", async () => {
  server.use(
    http.get("*/api/get/group", async () => {
      await delay(500);
      return HttpResponse.json(problem(500, "internal", "It broke"), { status: 500 });
    }),
  );
  stored.save({ ...WRITTEN, groups: [5] });
  show(<ComposePage />);
  expect(await price().findByText("Counting the recipients.")).toBeVisible();
  expect(bar()).toHaveTextContent("Counting the recipients");
  expect(await price().findByText(/^The recipients are counted when you go on/)).toBeVisible();
  expect(bar()).toHaveTextContent("Counted when you go on");
});

test("where nothing can be used of what was given it is not said that nothing was", async () => {
  answers("post", "/api/recipients/check", {
    ...CHECK,
    total_contacts: 0,
    total_invalid: 500,
    networks: {},
  });
  stored.save(WRITTEN);
  const { user } = show(<ComposePage />);
  expect(bar()).toHaveTextContent("No recipients yet");
  const none = new File(["none\n".repeat(500)], "none.csv", { type: "text/csv" });
  await user.upload(screen.getByLabelText("File of recipients"), none);
  expect(await screen.findByText("0 contacts in all, 500 entries that cannot be used")).toBeVisible();
  expect(bar()).toHaveTextContent("No usable recipients");
  expect(price().getByText(/once there are recipients that can be used/)).toBeVisible();
});

test("a file that is being counted is said to be at the price, too", async () => {
  server.use(
    http.post("*/api/recipients/check", async () => {
      await delay(500);
      return HttpResponse.json(CHECK);
    }),
  );
  stored.save(WRITTEN);
  const { user } = show(<ComposePage />);
  const two = new File(["08031234567\n08031234568\n"], "two.csv", { type: "text/csv" });
  await user.upload(screen.getByLabelText("File of recipients"), two);
  expect(await price().findByText("Counting the recipients.")).toBeVisible();
  expect(bar()).toHaveTextContent("Counting the recipients");
  expect(await price().findByText(/^About ₦9.00/)).toBeVisible();
  expect(bar()).toHaveTextContent("for 2 contacts");
});
