import { act, screen } from "@testing-library/react";
import { useNavigate } from "react-router-dom";
import { expect, test } from "vitest";
import { show } from "../testing/render";
import { type TableState, useTableState } from "./tableState";

/** A page of two tables, as it was last drawn. */
let drawn: { reports: TableState; people: TableState; back: () => void };

function Page() {
  const navigate = useNavigate();
  drawn = {
    reports: useTableState({ filters: ["type", "from", "to"] }),
    people: useTableState({ prefix: "people_", filters: ["group"] }),
    back: () => void navigate(-1),
  };
  return <p>{JSON.stringify(drawn.reports.filters)}</p>;
}

test("changes faster than the page is drawn undo nothing, of this table or of another", async () => {
  const { where } = show(<Page />, { at: "/x?from=2026-11-01&to=2026-11-02&page=3" });
  const { reports, people } = drawn;
  await act(async () => {
    reports.setFilters({ from: "", to: "" });
    people.setFilter("group", "4");
    people.setPage(2);
    reports.setFilter("type", "flash");
  });
  expect(where()).toBe("/x?people_group=4&people_page=2&type=flash");
  expect(screen.getByText('{"type":"flash","from":"","to":""}')).toBeVisible();
  expect([drawn.people.filters, drawn.people.page]).toEqual([{ group: "4" }, 2]);
});

test("what was asked for at an address is not asked for again when one comes back to it", async () => {
  const { where } = show(<Page />, { at: "/x?type=flash" });
  await act(async () => drawn.people.setPage(2));
  expect(where()).toBe("/x?type=flash&people_page=2");
  await act(async () => drawn.back());
  expect(where()).toBe("/x?type=flash");
  await act(async () => drawn.reports.setFilter("type", "text"));
  expect(where()).toBe("/x?type=text");
});
