import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { show, signedIn } from "../testing/render";
import { type Hit, numberIn, Palette, pagesBy } from "./Palette";

const PAGES: Hit[] = [
  { group: "Message", label: "Sent Messages", to: "/sent" },
  { group: "Credit", label: "Transfer Funds", to: "/transfer" },
  { group: "Contacts", label: "Phonebook", to: "/phonebook" },
];

test("pages are found by any words of their name and group, and numbers in any form", () => {
  expect(pagesBy(PAGES, "mess").map((it) => it.to)).toEqual(["/sent"]);
  expect(pagesBy(PAGES, "credit fun").map((it) => it.to)).toEqual(["/transfer"]);
  expect(pagesBy(PAGES, "").length).toBe(3);
  expect(numberIn("+234 803 123-4567")).toBe("+2348031234567");
  expect(numberIn("12345")).toBeNull();
  expect(numberIn("Sale 08031234567")).toBeNull();
});

test("Ctrl-K opens the box, arrows choose, Enter goes there and Escape closes", async () => {
  signedIn();
  const find = vi.fn((text: string) =>
    Promise.resolve([
      { group: "Campaign 12", label: `About ${text}`, about: "10 messages", to: "/campaigns/12" },
    ]),
  );
  const { user, where } = show(<Palette pages={PAGES} find={find} hint="Find a page" />);
  await user.keyboard("{Control>}k{/Control}");
  const box = await screen.findByRole("combobox", { name: "Find a page" });
  expect(box).toHaveFocus();
  await user.type(box, "sent");
  const list = screen.getByRole("listbox", { name: "Found" });
  expect(await within(list).findByRole("option", { name: /About sent/ })).toBeVisible();
  expect(within(list).getByRole("option", { name: /Sent Messages/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await user.keyboard("{ArrowDown}");
  expect(within(list).getByRole("option", { name: /About sent/ })).toHaveAttribute("aria-selected", "true");
  expect(box).toHaveAttribute(
    "aria-activedescendant",
    within(list).getByRole("option", { name: /About sent/ }).id,
  );
  await user.keyboard("{Enter}");
  expect(where()).toBe("/campaigns/12");
});

test("what finds nothing says so", async () => {
  signedIn();
  const { user } = show(<Palette pages={PAGES} find={() => Promise.resolve([])} hint="Find a page" />);
  await user.click(screen.getByRole("button", { name: "Find anything" }));
  await user.type(await screen.findByRole("combobox"), "zzzz");
  expect(await screen.findByText("Nothing found.")).toBeVisible();
});
