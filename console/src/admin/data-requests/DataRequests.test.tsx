import { readFileSync } from "node:fs";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, test, vi } from "vitest";
import * as client from "../../api/client";
import { session } from "../../api/session";
import { showAdmin } from "../../testing/admin";
import { answers, problem, server } from "../../testing/server";
import DataRequests from "./DataRequests";
import { erase } from "./erasure";
import { TABLES } from "./tables";

afterEach(() => vi.restoreAllMocks());

const NUMBER = "2348031234567";

const MESSAGES = {
  table: "messages",
  class: "texts",
  count: 10_000,
  has_more: true,
  on_erase: "masked",
  rows: [
    {
      id: 41,
      campaign_id: 9,
      to: NUMBER,
      senderid: "WEBSMS",
      network: "mtn",
      status: "delivered",
      reason: null,
      price: "4.50",
      currency: "naira",
      user_id: 7,
      username: "ada",
      submitted_at: "2026-11-21T08:00:00Z",
    },
  ],
};
const CONTACTS = {
  table: "contacts",
  class: "numbers",
  count: 1,
  has_more: false,
  on_erase: "removed",
  rows: [{ user_id: 7, number: 2348031234567, name: "Chidi", email: "", fields: { city: "Jos" } }],
};
const ACCOUNT = {
  table: "users",
  class: "account",
  count: 1,
  has_more: false,
  on_erase: "kept",
  rows: [{ username: "chidi", phone_number: NUMBER }],
};
const SUBJECT = { number: NUMBER, on_dnd_list: false, tables: [MESSAGES, CONTACTS, ACCOUNT] };

/** The page, with a number searched for; answers of `subjects` in order, the last one for good. */
async function search(typed: string, ...subjects: object[]) {
  const asked: string[] = [];
  server.use(
    http.get("*/admin/subjects/:number", ({ params }) => {
      asked.push(String(params.number));
      return HttpResponse.json(subjects[Math.min(asked.length, subjects.length) - 1]);
    }),
  );
  const shown = showAdmin(<DataRequests />, "data-requests");
  await shown.user.type(screen.getByLabelText("Phone number"), `${typed}{Enter}`);
  return { ...shown, asked };
}

/** Answers of the daemon to erasing, in order; what it was sent. */
function erasing(...answersInOrder: [body: object, status?: number][]) {
  const sent: unknown[] = [];
  server.use(
    http.post("*/admin/subjects/:number/erase", async ({ request, params }) => {
      sent.push([params.number, await request.json()]);
      const [body, status = 200] = answersInOrder[sent.length - 1] ?? [{}, 500];
      return HttpResponse.json(body as Record<string, unknown>, { status });
    }),
  );
  return sent;
}

async function confirm(user: Awaited<ReturnType<typeof search>>["user"]) {
  await user.click(await screen.findByRole("button", { name: "Erase…" }));
  const dialog = await screen.findByRole("dialog");
  const button = within(dialog).getByRole("button", { name: "Erase" });
  expect(button).toBeDisabled();
  await user.type(within(dialog).getByLabelText(`Type ${NUMBER} to confirm`), NUMBER);
  await user.click(button);
}

test("every table that the daemon searches is there in words", () => {
  const places = `${process.cwd()}/../core/src/store/subject/places.rs`;
  const searched = [...readFileSync(places, "utf8").matchAll(/place!\(\s*"(\w+)"/g)].map(([, it]) => it);
  expect(searched.length).toBeGreaterThan(20);
  expect(Object.keys(TABLES)).toEqual(["messages", ...searched]);
});

test("a number in any form is looked up, and never stands in the address", async () => {
  const { user, asked, where } = await search("0803 123-4567", SUBJECT);
  expect(await screen.findByRole("heading", { name: "+234 803 123 4567" })).toBeVisible();
  expect(asked).toEqual(["08031234567"]);
  expect(where()).toBe("/dashboard/admin/data-requests");
  const messages = screen.getByRole("button", { name: /Messages and calls/ });
  expect(messages).toHaveTextContent("10,000 or more records");
  expect(messages).toHaveTextContent("Number goes");
  expect(screen.getByRole("button", { name: /^Accounts/ })).toHaveTextContent("1 recordStays");
  await user.click(messages);
  const row = within(await screen.findByRole("list", { name: "First rows" }));
  expect(row.getByText("₦4.50")).toBeVisible();
  expect(row.getByText("MTN")).toBeVisible();
  expect(row.getByText("2026-11-21 09:00")).toBeVisible();
  expect(row.getByRole("link", { name: "41" })).toHaveAttribute("href", "/dashboard/admin/messages/41");
  expect(row.getByRole("link", { name: "ada" })).toHaveAttribute(
    "href",
    "/dashboard/admin/manage-users/user/7",
  );
  expect(row.queryByText("Reason")).toBeNull();
  await user.click(messages);
  await user.click(screen.getByRole("button", { name: /^Contacts/ }));
  expect(await screen.findByText("Jos")).toBeVisible();
  expect(screen.getByText("City")).toBeVisible();
});

test("what is no number is not asked for, and the daemon's reason stands at the field", async () => {
  const { user, asked } = await search("hello", SUBJECT);
  const field = screen.getByLabelText("Phone number");
  expect(field).toHaveAccessibleDescription(/Type a phone number/);
  expect(asked).toEqual([]);
  answers("get", "/admin/subjects/:number", problem(404, "not_found", "'0000000' is no number"), 404);
  await user.clear(field);
  await user.type(field, "0000000{Enter}");
  await waitFor(() => expect(field).toHaveAccessibleDescription("'0000000' is no number"));
  expect(screen.getByText("Whose number?")).toBeVisible();
});

test("of a number that nothing is held about it is said, and whether it is on the Do-Not-Disturb list", async () => {
  await search("08031234567", { number: NUMBER, on_dnd_list: true, tables: [] });
  expect(await screen.findByText("Nothing is held about +234 803 123 4567")).toBeVisible();
  expect(screen.getByText(/Do-Not-Disturb list/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Export" })).toBeEnabled();
  expect(screen.queryByRole("button", { name: "Erase…" })).toBeNull();
});

test("the export is named by the last four digits, and one that was cut off is not kept", async () => {
  const saved = vi.spyOn(client, "saveFile").mockImplementation(() => undefined);
  let lines = '{"number":"2348031234567"}\n';
  server.use(http.get("*/admin/subjects/:number/export", () => HttpResponse.text(lines)));
  const { user } = await search("08031234567", SUBJECT);
  await user.click(await screen.findByRole("button", { name: "Export" }));
  expect(await screen.findByText("The file was cut off. Export it again.")).toBeVisible();
  expect(saved).not.toHaveBeenCalled();
  lines += '{"complete":true}\n';
  await user.click(screen.getByRole("button", { name: "Export" }));
  await waitFor(() => expect(saved.mock.calls[0]?.[1]).toBe("data-about-4567.jsonl"));
});

test("a number is erased call by call, each from where the last one ended, and looked up again", async () => {
  const { user, asked } = await search("08031234567", SUBJECT, { ...SUBJECT, tables: [ACCOUNT] });
  const sent = erasing(
    [{ number: NUMBER, tables: [{ table: "messages", rows: 3 }], next: "contacts:0:41", is_clean: false }],
    [
      {
        number: NUMBER,
        tables: [
          { table: "messages", rows: 2 },
          { table: "contacts", rows: 1 },
        ],
        next: null,
        is_clean: true,
      },
    ],
  );
  await confirm(user);
  expect(await screen.findByText("+234 803 123 4567 was erased from 6 records")).toBeVisible();
  expect(screen.getByText("Messages and calls: 5 records")).toBeVisible();
  expect(screen.queryByText(/Free places/)).toBeNull();
  expect(sent).toEqual([
    [NUMBER, {}],
    [NUMBER, { from: "contacts:0:41" }],
  ]);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Erase…" })).toBeNull());
  expect(asked).toEqual(["08031234567", NUMBER]);
});

test("what is erased and what stays is said before, and the number can be opted out first", async () => {
  const sent: unknown[] = [];
  answers("post", "/admin/optouts", { message: "Added" }, 201, async (it) => void sent.push(await it.json()));
  const { user } = await search("08031234567", SUBJECT);
  await user.click(await screen.findByRole("button", { name: "Erase…" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/10,001 or more records/)).toBeVisible();
  const parts = ["What is erased", "What stays"].map((name) => dialog.getByRole("region", { name }));
  expect(parts[0]).toHaveTextContent(/Messages and calls, 10,000 or more records.*Contacts, 1 record/);
  expect(parts[1]).toHaveTextContent("Accounts, 1 record. Stays with the account.");
  await user.click(dialog.getByRole("button", { name: "Opt it out" }));
  expect(await dialog.findByText(/is opted out for all customers/)).toBeVisible();
  expect(sent).toEqual([expect.objectContaining({ phone: NUMBER, reach: "all" })]);
});

test("a refusal stands there in the daemon's words, and nothing is looked up again", async () => {
  const { user, asked } = await search("08031234567", SUBJECT);
  const words = "Messages to this number are not over: wait until their campaigns and receipts are";
  erasing([problem(409, "messages_open", words), 409]);
  await confirm(user);
  const alert = await screen.findByText("+234 803 123 4567 was not erased");
  expect(alert.parentElement).toHaveTextContent(words);
  expect(await screen.findByRole("button", { name: "Erase…" })).toBeEnabled();
  expect(asked).toEqual(["08031234567"]);
});

test("what breaks off in between says what was erased, and goes on when it is tried again", async () => {
  const { user } = await search("08031234567", SUBJECT);
  const sent = erasing(
    [{ number: NUMBER, tables: [{ table: "messages", rows: 3 }], next: "contacts:0:7", is_clean: false }],
    [problem(503, "unavailable", "The daemon stops"), 503],
    [
      {
        number: NUMBER,
        tables: [],
        next: null,
        stays: [{ table: "notices", rows: 1 }],
        is_clean: false,
      },
    ],
  );
  await confirm(user);
  expect(await screen.findByText("+234 803 123 4567 is erased in part")).toBeVisible();
  expect(screen.getByText("Messages and calls: 3 records")).toBeVisible();
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("+234 803 123 4567: nothing more can be erased yet")).toBeVisible();
  expect(screen.getByText(/Free places/)).toBeVisible();
  const notOver = screen.getByRole("list", { name: "Not over" });
  expect(notOver).toHaveTextContent("1 record");
  expect(sent).toHaveLength(3);
});

test("opt-outs that are erased already leave nothing to erase", async () => {
  const row = { scope: 0, number: "erased", source: "stop", reach: "all", note: "" };
  const optOuts = { ...ACCOUNT, table: "suppressions", on_erase: "digest", rows: [row] };
  const { user } = await search("08031234567", { ...SUBJECT, tables: [optOuts] });
  await user.click(await screen.findByRole("button", { name: /^Opt-outs/ }));
  expect(await screen.findByText(/Erased already/)).toBeVisible();
  expect(screen.getByText("STOP, or key 9 in a call")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Erase…" })).toBeNull();
});

test("an erasure ends when the administrator who began it has signed out", async () => {
  showAdmin(<p>any page</p>, "data-requests");
  const sent = erasing([{ number: NUMBER, tables: [], next: "contacts", is_clean: false }]);
  await expect(erase(NUMBER, () => session.clear())).rejects.toThrow("You signed out meanwhile.");
  expect(sent).toHaveLength(1);
});
