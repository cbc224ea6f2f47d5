import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { show } from "../../testing/render";
import { answers } from "../../testing/server";
import AuthLayout from "./AuthLayout";

beforeEach(() => {
  answers("get", "/api/get-maintenance-status", { maintenance_mode: "1", message: "Back at nine" });
  answers("get", "/readyz", { ready: true, notes: [], sandbox: true });
});

test("maintenance closes the customers' door", async () => {
  show(<AuthLayout />, { at: "/auth/register" });
  expect(await screen.findByRole("heading", { name: "We'll Be Back Soon" })).toBeVisible();
  expect(screen.getByText("Back at nine")).toBeVisible();
});

test("the administrators' door stays open", async () => {
  show(<AuthLayout />, { at: "/login" });
  // Whatever the daemon answers about maintenance has come by then.
  expect(await screen.findByText("No real messages, no real money")).toBeVisible();
  expect(screen.queryByText("Back at nine")).toBeNull();
  expect(screen.getByRole("link", { name: "Talkdrum" })).toBeVisible();
});
