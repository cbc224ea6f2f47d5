import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "../testing/render";
import { usePart } from "./part";

const Dialog = ({ name }: { name: string }) => <p>the dialog of {name}</p>;

test("a part that did not come is told and fetched again by the next press, and once by two", async () => {
  let asked = 0;
  const load = async () => {
    asked += 1;
    if (asked === 1) throw new TypeError("Failed to fetch dynamically imported module");
    return { default: Dialog };
  };
  function Page() {
    const { Component, isLoading, want } = usePart(load);
    return Component ? (
      <Component name="Ada" />
    ) : (
      <button type="button" data-loading={isLoading} onClick={() => void want()}>
        Open
      </button>
    );
  }
  const { user } = show(<Page />);
  await user.click(screen.getByRole("button", { name: "Open" }));
  expect(
    await screen.findByText(/This could not be loaded. Check your connection and try again/),
  ).toBeVisible();
  await waitFor(() => expect(screen.getByRole("button")).toHaveAttribute("data-loading", "false"));
  await user.dblClick(screen.getByRole("button", { name: "Open" }));
  expect(await screen.findByText("the dialog of Ada")).toBeVisible();
  expect(asked).toBe(2);
});
