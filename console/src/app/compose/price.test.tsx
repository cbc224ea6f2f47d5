import { screen, waitFor, within } from "@testing-library/react";
import { delay, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { draftDaemon } from "../../testing/drafts";
import { CHECK, QUOTE } from "../../testing/quote";
import { onPhone, show, signedIn } from "../../testing/render";
import { answers, server } from "../../testing/server";
import { EMPTY, stored } from "./draft";
import ComposePage from "./Page";

const PRICE = (value: number) => [{ id: 1, value, updated_at: "2026-11-01T00:00:00Z" }];

beforeEach(() => {
  signedIn();
  answers("get", "/api/get-sender-id", { senderId: [], total: 0 });
  answers("get", "/api/get/group", { groups: [], total: 0 });
  draftDaemon();
  answers("post", "/api/recipients/check", CHECK);
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": PRICE(0.3),
    "SMS-UNIT-PRICE-IN-NAIRA": PRICE(4.5),
  });
  answers("get", "/api/get-espee-balance", {
    "espees-balance": 0.5,
    espees_reserved: 0,
    paystack_balance: 20,
  });
});

const price = () => screen.getByRole("region", { name: "Price" });

async function written(recipients = "08031234567, 08031234568") {
  const { user } = show(<ComposePage />);
  await user.click(screen.getByRole("textbox", { name: "Message" }));
  await user.paste("Half a thought");
  await user.click(screen.getByRole("textbox", { name: "Recipients" }));
  await user.paste(recipients);
  return user;
}

test("beside the form stand the price, the balance and what is left of it", async () => {
  const user = await written();
  await user.click(await screen.findByRole("radio", { name: /Naira balance/ }));
  expect(await within(price()).findByText(/^About ₦9.00/)).toBeVisible();
  expect(price()).toHaveTextContent("Balance₦20.00Left, about₦11.00");
  expect(within(price()).getByRole("button", { name: "Send message" })).toBeEnabled();
});

test("a balance has two decimals here as everywhere", async () => {
  const balances = { "espees-balance": 0, espees_reserved: 0, paystack_balance: 100.005 };
  answers("get", "/api/get-espee-balance", balances);
  const user = await written();
  await user.click(await screen.findByRole("radio", { name: /₦100.00/ }));
  await waitFor(() => expect(price()).toHaveTextContent("Balance₦100.00Left, about₦91.005"));
});

test("each time is a whole send in the estimate, and without a message there is none", async () => {
  const user = await written();
  await user.click(await screen.findByRole("radio", { name: /Naira balance/ }));
  await user.click(screen.getByRole("switch", { name: "Send later" }));
  expect(await within(price()).findByText(/^About ₦9.00/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Add another time" }));
  await user.click(screen.getByLabelText("Send at (2)"));
  await user.paste("2030-01-01 10:00");
  expect(await within(price()).findByText(/^About ₦18.00/)).toBeVisible();
  expect(price()).toHaveTextContent("for 2 contacts, 2 times");
  await user.clear(screen.getByRole("textbox", { name: "Message" }));
  expect(await within(price()).findByText(/^It is estimated here/)).toBeVisible();
});

test("what is missing is said with the way to add it", async () => {
  const user = await written();
  await user.click(await screen.findByRole("radio", { name: /ESPEES/ }));
  expect(await within(price()).findByText(/You need about 0.10 ESPEES more/)).toBeVisible();
  expect(within(price()).getByRole("link", { name: "Fund your account" })).toHaveAttribute(
    "href",
    "/dashboard/buy-sms-online",
  );
});

const bar = () => screen.getByRole("group", { name: "Price and sending" });

test("a phone's bar says of the price what the estimate above it says", async () => {
  onPhone();
  answers("post", "/api/recipients/check", { ...CHECK, total_contacts: 3, networks: { mtn: 2, abroad: 1 } });
  const user = await written("08031234567, 08031234568, +14155550100");
  await user.click(await screen.findByRole("radio", { name: /Naira balance/ }));
  expect(await within(price()).findByText(/^About ₦9.00/)).toBeVisible();
  expect(price()).toHaveTextContent("for 2 contacts. 1 contact abroad is left out");
  expect(bar()).toHaveTextContent(/About ₦9.00for 2 contacts(?!,)/);
  await user.click(screen.getByRole("switch", { name: "Send later" }));
  await user.click(screen.getByRole("button", { name: "Add another time" }));
  await user.click(screen.getByLabelText("Send at (2)"));
  await user.paste("2030-01-01 10:00");
  expect(await within(bar()).findByText("for 2 contacts, 2 times")).toBeVisible();
  expect(price()).toHaveTextContent("for 2 contacts, 2 times.");
});

test("where all are abroad without a price it is said that nothing would be sent, and what to do", async () => {
  onPhone();
  answers("post", "/api/recipients/check", { ...CHECK, total_contacts: 2, networks: { abroad: 2 } });
  const user = await written("+14155550100, +14155550101");
  await user.click(await screen.findByRole("radio", { name: /Naira balance/ }));
  expect(
    await within(price()).findByText(
      "All 2 contacts are abroad, and no price is set for numbers abroad: nothing would be sent. Add numbers in Nigeria, or ask us to set one.",
    ),
  ).toBeVisible();
  expect(bar()).toHaveTextContent(/No price abroadfor 2 contacts, 2 of them abroad(?!,)/);
});

test("from a balance that has no price at home nothing is sold, nor is it recommended", async () => {
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": [],
    "SMS-UNIT-PRICE-IN-NAIRA": PRICE(4.5),
    "SMS-ABROAD-UNIT-PRICE": PRICE(2),
  });
  stored.save({
    ...EMPTY,
    recipients: "+14155550100",
    message: "Half a thought",
    payment_method: "paystack",
  });
  const { unmount } = show(<ComposePage />);
  expect(await within(price()).findByText(/nothing would be sent/)).toHaveTextContent(
    "or ask us to set one.",
  );
  unmount();
  signedIn({ phone_number: "14155550100" });
  stored.save({ ...EMPTY, recipients: "+14155550100", message: "Half a thought", payment_method: "espees" });
  const { user } = show(<ComposePage />);
  expect(await within(price()).findByText("No price is known for this balance.")).toBeVisible();
  await screen.findByText("1 number understood");
  expect(price()).not.toHaveTextContent("About");
  await user.click(within(price()).getByRole("button", { name: "Send a test to me" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("is set for this balance");
  expect(within(dialog).getByRole("button", { name: "Send the test" })).toBeDisabled();
});

test("a phone's bar counts those abroad, too, where the balance has no price at all", async () => {
  onPhone();
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": [],
    "SMS-UNIT-PRICE-IN-NAIRA": PRICE(4.5),
  });
  stored.save({
    ...EMPTY,
    recipients: "+14155550100, +14155550101",
    message: "Half a thought",
    payment_method: "espees",
  });
  show(<ComposePage />);
  expect(await within(price()).findByText("No price is known for this balance.")).toBeVisible();
  await screen.findByText("2 numbers understood");
  expect(bar()).toHaveTextContent("No price knownfor 2 contacts, 2 of them abroad");
});

test("while prices are awaited none is said to be unknown", async () => {
  server.use(http.get("*/api/get-sms-unit-price", () => delay("infinite")));
  stored.save({ ...EMPTY, message: "Half a thought", payment_method: "espees" });
  show(<ComposePage />);
  expect(await within(price()).findByText(/^It is estimated here/)).toBeVisible();
});

test("a phone's bar says what is wrong, and about how much more is needed, as the price above it does", async () => {
  onPhone();
  stored.save({ ...EMPTY, recipients: "08031234567, 08031234568", message: "Hi", payment_method: "espees" });
  const { user } = show(<ComposePage />);
  expect(await within(bar()).findByText("About 0.10 ESPEES more needed")).toBeVisible();
  await user.click(screen.getByRole("textbox", { name: "Message" }));
  await user.paste("x".repeat(1_000));
  expect(await within(price()).findByText("The message is too long to be sent.")).toBeVisible();
  expect(bar()).toHaveTextContent("Message too long");
});

/** One that is counted with the quote alone. */
function largeFile(): File {
  const file = new File(["08031234569\n"], "large.csv", { type: "text/csv" });
  return Object.defineProperty(file, "size", { value: 25_000_000 });
}

test("a phone's bar denies no recipients that only the daemon can count", async () => {
  onPhone();
  const { user } = show(<ComposePage />);
  expect(await within(bar()).findByText("No recipients yet")).toBeVisible();
  await user.upload(screen.getByLabelText("File of recipients"), largeFile());
  expect(await within(bar()).findByText("Counted when you go on")).toBeVisible();
  await user.click(await screen.findByRole("radio", { name: /Naira balance/ }));
  await user.click(screen.getByRole("textbox", { name: "Recipients" }));
  await user.paste("+14155550100");
  expect(await screen.findByText("1 number understood")).toBeVisible();
  expect(within(bar()).getByText("Counted when you go on")).toBeVisible();
  expect(price()).toHaveTextContent("Files and lists are counted when you go on");
});

test("a phone's bar says how many they are once files are counted", async () => {
  onPhone();
  const { user } = show(<ComposePage />);
  await user.upload(
    screen.getByLabelText("File of recipients"),
    new File(["08031234567\n08031234568\n"], "two.csv", { type: "text/csv" }),
  );
  expect(await within(bar()).findByText("Counting the recipients")).toBeVisible();
  await waitFor(() => expect(bar()).toHaveTextContent("for 2 contacts"));
  // What is missing now is something else.
  expect(price()).toHaveTextContent("It is estimated here once there are a message");
});

test("what a quote says of the times is no warning of the columns", async () => {
  const ofTimes = "Sending takes about 9 hours, and 6 hours are left before the quiet hours";
  const ofColumn = "The column 'Phone 2' also holds numbers: not read";
  const columns = { number_columns: ["Phone 1"], unread_columns: ["Phone 2"] };
  const details = { ...QUOTE, ...columns, notices: [ofColumn, ofTimes] };
  answers("post", "/api/send-text-sms", { details, message: "" });
  stored.save({ ...EMPTY, message: "Half a thought", payment_method: "espees" });
  const { user } = show(<ComposePage />);
  await user.upload(screen.getByLabelText("File of recipients"), largeFile());
  await user.click(screen.getByRole("button", { name: "Send message" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent(ofTimes);
  await user.click(within(dialog).getByRole("button", { name: "No, Cancel" }));
  await waitFor(() => expect(screen.queryByText(`${ofTimes}.`)).toBeNull());
  expect(screen.getByText(`${ofColumn}.`)).toBeVisible();
});

test("a column that is not read is warned of after the quote, however its title is written", async () => {
  const title = `Phone of\n${"the guardian ".repeat(6)}`;
  const notice = `The column '${title.replace("\n", "").slice(0, 60)}' also holds numbers: not read`;
  const columns = { number_columns: ["Phone 1"], unread_columns: [title] };
  answers("post", "/api/send-text-sms", {
    details: { ...QUOTE, ...columns, notices: [notice] },
    message: "",
  });
  stored.save({ ...EMPTY, message: "Half a thought", payment_method: "espees" });
  const { user } = show(<ComposePage />);
  await user.upload(screen.getByLabelText("File of recipients"), largeFile());
  await user.click(screen.getByRole("button", { name: "Send message" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "No, Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText(`${notice}.`)).toBeVisible();
  expect(screen.queryByText(/The numbers of several columns are read/)).toBeNull();
  // What is chosen is no warning any more.
  const group = within(screen.getByRole("group", { name: "Columns with the numbers" }));
  await user.click(group.getByRole("checkbox", { name: /^Phone of/ }));
  expect(await screen.findByText("The numbers of several columns are read.")).toBeVisible();
  await user.click(group.getByRole("checkbox", { name: "Phone 1" }));
  expect(await screen.findByText("The numbers of the chosen columns are read.")).toBeVisible();
});
