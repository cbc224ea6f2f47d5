// What both roles see of one campaign is the same, in words and figures.
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import CampaignList from "../admin/campaigns/CampaignList";
import DeliveryReports from "../app/campaigns/DeliveryReports";
import { showAdmin } from "./admin";
import { campaignOf } from "./campaign";
import { show, signedIn } from "./render";
import { answers } from "./server";

const campaign = campaignOf(
  { delivered: 4, undelivered: 2, rejected: 1, submitting: 1 },
  { total_charges: 47, captured: 30.5, released: 4.5, refunded: 9, reserved: 12, msg: "Practice at five" },
);

/** The row's cells by their columns' names. */
async function rowOf(text: string): Promise<Record<string, string>> {
  const row = (await screen.findByText(text)).closest("tr") as HTMLElement;
  const cells = within(row).getAllByRole("cell");
  const named = cells.map((cell) => [cell.getAttribute("data-label") ?? "", cell.textContent ?? ""]);
  return Object.fromEntries(named.filter(([name]) => name !== ""));
}

test("the figures of a campaign are the same for its customer and for administrators", async () => {
  answers("get", "/api/get-campaign-history", { campaigns: [campaign], total: 1 });
  answers("get", "/admin/get-all-camapaign-history", { campaigns: [campaign], total: 1 });
  signedIn();
  const customers = show(<DeliveryReports />);
  const seen = await rowOf("Practice at five");
  customers.unmount();
  showAdmin(<CampaignList />, "campaign-history");
  const shown = await rowOf("Practice at five");
  expect(seen.Cost).toBe("₦33.50₦12.00 reserved");
  expect(shown.Cost).toBe(seen.Cost);
  expect(shown.Recipients).toBe(seen.Recipients);
  expect(shown.Failed).toBe(seen.Failed);
  expect(seen.Delivered).toContain(shown.Delivered);
});
