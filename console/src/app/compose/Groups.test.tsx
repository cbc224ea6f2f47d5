import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { draftDaemon } from "../../testing/drafts";
import { show, signedIn } from "../../testing/render";
import { answers, server } from "../../testing/server";
import { groupsQuery } from "./calls";
import { EMPTY, stored } from "./draft";
import ComposePage from "./Page";

const group = (id: number, group_name: string, contacts_count: number) => ({
  id,
  group_name,
  contacts_count,
  columns: [],
});

beforeEach(() => {
  signedIn();
  answers("get", "/api/get-sender-id", { senderId: [], total: 0 });
  answers("get", "/api/get-sms-unit-price", { "SMS-UNIT-PRICE": [], "SMS-UNIT-PRICE-IN-NAIRA": [] });
  const balances = { "espees-balance": 5, espees_reserved: 0, paystack_balance: 0, paystack_reserved: 0 };
  answers("get", "/api/get-espee-balance", balances);
  for (const id of [5, 6, 9]) answers("get", `/api/get/group/contacts/${id}`, { contacts: [], total: 0 });
  draftDaemon();
});

const picker = () => screen.findByRole("combobox", { name: "Contact groups" });

test("groups are found by name, chosen with their sizes, shown as chips, and taken away again by keyboard", async () => {
  const groups = [group(5, "Choir", 3), group(6, "Customers of Jos", 1_811), group(7, "Empty", 0)];
  answers("get", "/api/get/group", { groups, total: 3 });
  const { user } = show(<ComposePage />);
  const box = await picker();
  await user.click(box);
  const list = within(await screen.findByRole("listbox"));
  expect(list.getAllByRole("option").map((it) => it.textContent)).toEqual([
    "Choir 3 contacts",
    "Customers of Jos 1,811 contacts",
    "Empty 0 contacts",
  ]);
  expect(list.getByRole("option", { name: /Empty/ })).toHaveAttribute("aria-disabled", "true");
  await user.type(box, "c");
  await user.keyboard("{ArrowDown}{Enter}{ArrowDown}{Enter}");
  expect(screen.getByText("Choir, 3 contacts")).toBeVisible();
  expect(screen.getByText("Customers of Jos, 1,811 contacts")).toBeVisible();
  expect(await screen.findByRole("option", { name: /Choir/ })).toHaveAttribute("aria-selected", "true");
  await user.keyboard("{Escape}{Escape}{Backspace}");
  await waitFor(() => expect(screen.queryByText("Customers of Jos, 1,811 contacts")).toBeNull());
  expect(screen.getByText("Choir, 3 contacts")).toBeVisible();
});

test("a group of the address that is not listed yet stays chosen when another is", async () => {
  answers("get", "/api/get/group", { groups: [group(5, "Choir", 3)], total: 1 });
  const { user } = show(<ComposePage />, { at: "/dashboard/compose-sms?group=9" });
  await waitFor(() => expect(stored.load().groups).toEqual([9]));
  await user.click(await picker());
  await user.click(await screen.findByRole("option", { name: /Choir/ }));
  await waitFor(() => expect(stored.load().groups).toEqual([9, 5]));
});

test("a group that was just made is looked for again, and goes with the message", async () => {
  let groups = [group(5, "Choir", 3)];
  server.use(http.get("*/api/get/group", () => HttpResponse.json({ groups, total: groups.length })));
  const { client, unmount } = show(<ComposePage />);
  await waitFor(() => expect(client.getQueryData(groupsQuery().queryKey)).toEqual(groups));
  unmount();
  // As for some seconds in life, what was read a moment ago is not read again by itself.
  client.setQueryDefaults(groupsQuery().queryKey, { staleTime: Number.POSITIVE_INFINITY });
  groups = [...groups, group(9, "New", 4)];
  show(<ComposePage />, { at: "/dashboard/compose-sms?group=9", client });
  expect(await screen.findByText("New, 4 contacts")).toBeVisible();
});

test("a group that is gone is named, not left out in silence, and goes by a click", async () => {
  stored.save({ ...EMPTY, groups: [9, 5], message: "Hello" });
  answers("get", "/api/get/group", { groups: [group(5, "Choir", 3)], total: 1 });
  const { user } = show(<ComposePage />);
  const alert = await screen.findByText(/A group that was chosen here does not exist any more/);
  expect(stored.load().groups).toEqual([9, 5]);
  await user.click(within(alert).getByRole("button", { name: "Leave it out" }));
  await waitFor(() => expect(stored.load().groups).toEqual([5]));
  expect(screen.queryByText(/does not exist any more/)).toBeNull();
});

test("who has no groups is told where they are made", async () => {
  answers("get", "/api/get/group", { groups: [], total: 0 });
  show(<ComposePage />);
  expect(await screen.findByRole("link", { name: "Open the phonebook" })).toBeVisible();
});
