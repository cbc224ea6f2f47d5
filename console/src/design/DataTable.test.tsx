import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ApiProblem } from "../api/problem";
import { show } from "../testing/render";
import { type Column, DataTable } from "./DataTable";
import { useTableState } from "./tableState";

interface Row {
  id: number;
}
const columns: Column<Row>[] = [{ key: "id", label: "Number", cell: (row) => `row ${row.id}`, sort: "id" }];
const idle = { isFetching: false, isError: false, error: null, refetch: vi.fn() };

interface PageProps {
  result: Partial<Parameters<typeof DataTable<Row>>[0]["result"]>;
  failure?: string;
}

function Page({ result, failure }: PageProps) {
  const state = useTableState();
  return (
    <DataTable
      label="Rows"
      columns={columns}
      rowKey={(row) => row.id}
      result={{ ...idle, data: undefined, ...result }}
      state={state}
      failure={failure}
      empty={<p>Nothing yet</p>}
    />
  );
}

test("page, size and order are in the address, and another size starts at the first page", async () => {
  const { user, where } = show(<Page result={{ data: { rows: [{ id: 1 }], total: 500 } }} />, {
    at: "/x?page=3&q=ada",
  });
  expect(screen.getByText("41-60 of 500")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Next page" }));
  expect(where()).toBe("/x?page=4&q=ada");
  expect(screen.getByRole("columnheader", { name: "Number" })).not.toHaveAttribute("aria-sort");
  await user.click(screen.getByRole("button", { name: "Number" }));
  expect(where()).toBe("/x?q=ada&sort=id&order=desc");
  expect(screen.getByRole("columnheader", { name: "Number" })).toHaveAttribute("aria-sort", "descending");
  await user.selectOptions(screen.getByRole("combobox", { name: "Rows" }), "60");
  expect(where()).toBe("/x?q=ada&sort=id&order=desc&per_page=60");
});

test("an empty list says what to do, and has no pager", () => {
  show(<Page result={{ data: { rows: [], total: 0 } }} />);
  expect(screen.getByText("Nothing yet")).toBeVisible();
  expect(screen.queryByRole("navigation", { name: "Pages" })).toBeNull();
});

test("a failure can be tried again", async () => {
  const refetch = vi.fn();
  const { user } = show(
    <Page result={{ isError: true, error: new ApiProblem(500, "x", "It broke"), refetch }} />,
  );
  expect(screen.getByRole("alert")).toHaveTextContent("It broke");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(refetch).toHaveBeenCalledOnce();
});

test("the end of a session is no failure of a list", async () => {
  const ended = { isError: true, error: new ApiProblem(401, "token_expired", "Log in again") };
  const { user } = show(<Page result={ended} failure="Failed to load rows" />);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  // In the place of the list alone: the console says why the session ended.
  expect(screen.getAllByText("Failed to load rows")).toHaveLength(1);
});
