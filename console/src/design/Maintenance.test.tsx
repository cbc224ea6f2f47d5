import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { api } from "../api/client";
import { show, signedIn } from "../testing/render";
import { answers, problem } from "../testing/server";
import { MaintenanceGate } from "./Maintenance";

const status = (on: boolean) =>
  answers("get", "/api/get-maintenance-status", {
    maintenance_mode: on ? "1" : "0",
    message: on ? "Back at nine" : "",
  });

test("a call that is refused for maintenance closes the page before the next poll", async () => {
  signedIn();
  let asked = 0;
  answers("get", "/api/get-maintenance-status", { maintenance_mode: "0", message: "" }, 200, () => {
    asked++;
  });
  show(
    <MaintenanceGate>
      <p>the page</p>
    </MaintenanceGate>,
  );
  await expect.poll(() => asked).toBe(1);
  await expect.poll(() => screen.queryByText("the page")).not.toBeNull();
  status(true);
  answers("get", "/api/user-profile", problem(503, "maintenance", "Back at nine"), 503);
  // The first answer has to have come: a question that is on its way is not asked again.
  await new Promise((next) => setTimeout(next, 50));
  await api.GET("/api/user-profile");
  expect(await screen.findByRole("heading", { name: "We'll Be Back Soon" })).toBeVisible();
  expect(screen.queryByText("the page")).toBeNull();
});

test("an administrator passes", async () => {
  signedIn({ role: "admin" });
  status(true);
  show(
    <MaintenanceGate>
      <p>the page</p>
    </MaintenanceGate>,
  );
  await new Promise((next) => setTimeout(next, 50));
  expect(screen.getByText("the page")).toBeVisible();
});
