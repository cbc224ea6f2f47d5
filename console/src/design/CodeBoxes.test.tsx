import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { show } from "../testing/render";
import { CodeBoxes, complete } from "./CodeBoxes";

const done = vi.fn();

function Page() {
  const [value, setValue] = useState("");
  return (
    <>
      <CodeBoxes label="Code" value={value} onChange={setValue} onComplete={done} autoFocus />
      <output>{value}</output>
    </>
  );
}

const box = (place: number) => screen.getByLabelText(`Digit ${place} of 6`);

test("typing goes from box to box, one digit each, and tells when all are there", async () => {
  const { user } = show(<Page />);
  await user.type(box(1), "12a3");
  expect(box(1)).toHaveValue("1");
  expect(box(2)).toHaveValue("2");
  expect(box(3)).toHaveValue("3");
  expect(box(4)).toHaveFocus();
  expect(done).not.toHaveBeenCalled();
  await user.keyboard("456");
  expect(done).toHaveBeenCalledExactlyOnceWith("123456");
});

test("a paste fills them all, with whatever stands between the digits", async () => {
  done.mockClear();
  const { user } = show(<Page />);
  await user.click(box(3));
  await user.paste("your code: 987-654");
  expect(done).toHaveBeenCalledExactlyOnceWith("987654");
  expect(box(6)).toHaveFocus();
});

test("Backspace clears the digit, then goes back", async () => {
  const { user } = show(<Page />);
  await user.type(box(1), "123");
  await user.keyboard("{Backspace}");
  expect(box(3)).toHaveFocus();
  expect(box(3)).toHaveValue("");
  await user.keyboard("{Backspace}");
  expect(box(2)).toHaveValue("");
  expect(screen.getByRole("status")).toHaveTextContent("1");
});

test("a code with a hole is not complete", () => {
  expect(complete("12 456")).toBe(false);
  expect(complete("123456")).toBe(true);
});
