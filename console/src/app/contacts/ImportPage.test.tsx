import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers, server } from "../../testing/server";
import ImportPage from "./ImportPage";

const DONE = {
  id: 3,
  file_name: "market.csv",
  target: "group",
  group_id: 8,
  status: "completed",
  columns: { phones: ["Phone"], unread: [], notices: [], name: [], fields: [] },
  rows_read: 2_000,
  valid: 2_020,
  added: 2_020,
  updated: 0,
  unchanged: 0,
  duplicates: 10,
  invalid: 2,
  warnings: 0,
  created_at: "2026-11-21T08:00:00Z",
};

test("an import names its group, counts numbers apart from rows, and lists the first rejects", async () => {
  signedIn();
  answers("get", "/api/imports/3", { import: DONE });
  const group = { id: 8, group_name: "Market", description: "", contacts_count: 2_020, columns: [] };
  answers("get", "/api/get/group/8", { group });
  const rejects =
    'line,value,code,reason\n7,12345,too_short,It has too few digits\n9,"a,b",no_digits,No digit\n';
  server.use(http.get("*/api/imports/3/rejects", () => new HttpResponse(rejects)));
  show(<ImportPage />, { at: "/dashboard/phonebook/imports/3", path: "/dashboard/phonebook/imports/:id" });
  expect(await screen.findByText("market.csv, 2,030 numbers in 2,000 rows, into “Market”")).toBeVisible();
  expect(await screen.findByText("It has too few digits")).toBeVisible();
  expect(screen.getByText("a,b")).toBeVisible();
});
