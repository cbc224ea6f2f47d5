import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { campaignOf } from "../../testing/campaign";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import DeliveryReports from "./DeliveryReports";

test("the time that the period is of is shown, and that of the sending where it is another", async () => {
  signedIn();
  const scheduled = { status: "scheduled", msg: "Later", scheduled_at: "2026-11-22T09:00:00Z" } as const;
  const campaigns = [
    campaignOf({ queued: 1 }, { id: 1, ...scheduled }),
    campaignOf({ delivered: 1 }, { id: 2, msg: "At once", started_at: "2026-11-21T08:00:20Z" }),
  ];
  answers("get", "/api/get-campaign-history", { campaigns, total: 2 });
  show(<DeliveryReports />);
  const at = async (text: string) => {
    const row = (await screen.findByText(text)).closest("tr") as HTMLElement;
    return within(row)
      .getAllByRole("cell")
      .find((it) => it.dataset.label === "Confirmed")?.textContent;
  };
  expect(await at("Later")).toBe("2026-11-21 09:00goes out 2026-11-22 10:00");
  expect(await at("At once")).toBe("2026-11-21 09:00");
});
