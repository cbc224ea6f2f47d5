import { screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { show } from "../testing/render";
import { SchemeSwitch } from "./SchemeSwitch";
import { choose, useNight } from "./scheme";

afterEach(() => choose("system"));

function Night() {
  return <p>{useNight() ? "night" : "day"}</p>;
}

test("a choice is kept in this browser and set on the page; the system's is neither", async () => {
  const { user } = show(
    <>
      <SchemeSwitch />
      <Night />
    </>,
  );
  expect(screen.getByRole("radio", { name: "System" })).toBeChecked();
  await user.click(screen.getByRole("radio", { name: "Dark" }));
  expect(document.documentElement.dataset.scheme).toBe("dark");
  expect(localStorage.getItem("scheme")).toBe("dark");
  expect(screen.getByText("night")).toBeVisible();
  await user.click(screen.getByRole("radio", { name: "Light" }));
  expect(screen.getByText("day")).toBeVisible();
  await user.click(screen.getByRole("radio", { name: "System" }));
  expect(document.documentElement.dataset.scheme).toBeUndefined();
  expect(localStorage.getItem("scheme")).toBeNull();
});
