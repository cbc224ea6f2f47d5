import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers } from "../../testing/server";
import MarginList from "./MarginList";

test("what a page earns below a hundredth is not cut away", async () => {
  const margin = {
    ...{ day: "2026-11-21", carrier: "main", network: "mtn", messages: 3, segments: 3 },
    ...{ currency: "espees", revenue: 0.045, cost_currency: "espees", cost: 0.0125, margin: 0.0325 },
  };
  answers("get", "/admin/margins", { margins: [margin], total: 1 });
  showAdmin(<MarginList />, "margins");
  for (const sum of ["0.045 ESPEES", "0.0125 ESPEES", "0.0325 ESPEES"]) {
    expect(await screen.findByText(sum)).toBeVisible();
  }
});
