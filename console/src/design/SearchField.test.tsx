import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { show } from "../testing/render";
import { SearchField } from "./SearchField";

function Page({ asked }: { asked: (text: string) => void }) {
  const [value, setValue] = useState("");
  return (
    <SearchField
      label="Search"
      value={value}
      onSearch={(text) => {
        asked(text);
        setValue(text);
      }}
    />
  );
}

test("a search begins after a pause, with all that was typed, and is cleared at once", async () => {
  const asked = vi.fn();
  const { user } = show(<Page asked={asked} />);
  await user.type(screen.getByLabelText("Search"), " ada");
  expect(asked).not.toHaveBeenCalledWith("a");
  await vi.waitFor(() => expect(asked.mock.calls).toEqual([["ada"]]));
  await user.click(screen.getByRole("button", { name: "Clear the search" }));
  expect(asked).toHaveBeenLastCalledWith("");
  expect(screen.getByLabelText("Search")).toHaveValue("");
});
