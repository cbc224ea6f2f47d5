// What both roles see of one campaign is the same, in words and figures.
import { screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test } from "vitest";
import CampaignList from "../admin/campaigns/CampaignList";
import CampaignOfAny from "../admin/campaigns/CampaignPage";
import CampaignOfOwn from "../app/campaigns/CampaignPage";
import DeliveryReports from "../app/campaigns/DeliveryReports";
import { showAdmin } from "./admin";
import { campaignOf } from "./campaign";
import { show, signedIn } from "./render";
import { answers, problem } from "./server";

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

test("one campaign's page says the same to its customer and to administrators", async () => {
  answers("get", "/api/campaigns/:id", { campaign });
  answers("get", "/api/campaigns/:id/messages", { messages: [], total: 0 });
  answers("get", "/api/quotes/:id", problem(404, "not_found", "No such quote"), 404);
  const network = { network: "mtn", ordered: 8, delivered: 4, awaited: 0, unknown: 0 };
  answers("get", "/api/campaigns/:id/breakdown", {
    bucket_s: 1,
    buckets: [],
    networks: [{ ...network, undelivered: 2, rejected: 1, expired: 0 }],
    reasons: [{ status: "undelivered", reason: "The phone was off", count: 2 }],
  });
  const regions = ["In figures", "Outcomes", "By network", "Why some were not delivered", "Cost"];
  const said = async () => {
    await screen.findByRole("table", { name: "Reasons" });
    // Only its customer sends to who got nothing.
    const textOf = (name: string) => screen.getByRole("region", { name }).textContent;
    return regions.map((name) => textOf(name)?.replace("Send to these", ""));
  };
  signedIn();
  const customers = show(<CampaignOfOwn />, {
    at: "/dashboard/campaigns/12",
    path: "/dashboard/campaigns/:id",
  });
  const seen = await said();
  customers.unmount();
  showAdmin(
    <Routes>
      <Route path="/dashboard/admin/campaign-history/:id" element={<CampaignOfAny />} />
    </Routes>,
    "campaign-history/12",
  );
  expect(await said()).toEqual(seen);
  expect(seen[0]).toContain("₦33.50");
  expect(screen.getByRole("link", { name: "ada" })).toHaveAttribute(
    "href",
    "/dashboard/admin/manage-users/user/7",
  );
});

test("a reason lists the messages that ended so", async () => {
  const asked: string[] = [];
  answers("get", "/api/campaigns/:id", { campaign });
  answers("get", "/api/campaigns/:id/messages", { messages: [], total: 0 }, 200, (request) => {
    asked.push(new URL(request.url).searchParams.get("status") ?? "");
  });
  answers("get", "/api/quotes/:id", problem(404, "not_found", "No such quote"), 404);
  const reasons = [{ status: "undelivered", reason: "The phone was off", count: 2 }];
  answers("get", "/api/campaigns/:id/breakdown", { bucket_s: 1, buckets: [], networks: [], reasons });
  signedIn();
  const { user, where } = show(<CampaignOfOwn />, {
    at: "/dashboard/campaigns/12",
    path: "/dashboard/campaigns/:id",
  });
  await user.click(await screen.findByRole("button", { name: /The phone was off/ }));
  expect(where()).toContain("status=undelivered");
  expect(asked).toContain("undelivered");
});
