import { render } from "@testing-library/react";
import { ListContextProvider, type ListControllerResult } from "react-admin";
import { expect, test, vi } from "vitest";
import { FilterChanges, useChangeFilters } from "./filters";

test("filters changed faster than they are drawn undo nothing, and what is drawn has the last word", () => {
  let change: ReturnType<typeof useChangeFilters> = () => {};
  const setFilters = vi.fn();
  const Inside = () => {
    change = useChangeFilters();
    return null;
  };
  const list = (filterValues: Record<string, unknown>) => (
    <ListContextProvider value={{ filterValues, setFilters } as unknown as ListControllerResult}>
      <FilterChanges>
        <Inside />
      </FilterChanges>
    </ListContextProvider>
  );
  const { rerender } = render(list({ status: "active", role: "user" }));
  const early = change;
  change({ status: "inactive" });
  early({ q: "ada" });
  expect(setFilters).toHaveBeenLastCalledWith({ status: "inactive", role: "user", q: "ada" }, undefined);
  rerender(list({ status: "active" }));
  change({ q: "bola" }, { q: true });
  expect(setFilters).toHaveBeenLastCalledWith({ status: "active", q: "bola" }, { q: true });
});
