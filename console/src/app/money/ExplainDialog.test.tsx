import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import { ExplainDialog } from "./ExplainDialog";
import type { Transaction } from "./history";

const CHARGE: Transaction = {
  id: "9-debit",
  user_id: 1,
  username: "ada",
  payment_ref: "campaign:7",
  price: 9,
  currency: "naira",
  kind: "reserve",
  direction: "debit",
  status: "successful",
  status_details: "Successful",
  transaction_date: "2027-01-04T08:00:00Z",
  narration: "campaign 7: 2 messages",
  balance: 91,
  campaign_id: 7,
};

test("a charge is explained by the entries of its campaign, asked for by the campaign", async () => {
  signedIn();
  const asked: string[] = [];
  answers("get", "/api/campaigns/7", {
    campaign: {
      id: 7,
      currency: "naira",
      total_charges: 9,
      captured: 4.5,
      released: 4.5,
      refunded: 0,
      reserved: 0,
    },
  });
  const release = { ...CHARGE, id: "12-credit", kind: "release", direction: "credit", price: 4.5 };
  const history = {
    transactions: [{ ...release, narration: "1 message that was not sent" }, CHARGE],
    total: 5,
    is_cut: false,
    beyond: null,
  };
  answers("get", "/api/get-transaction-history", history, 200, (request) => {
    asked.push(new URL(request.url).searchParams.get("campaign_id") ?? "");
  });
  const { user, where } = show(<ExplainDialog transaction={CHARGE} onClose={() => undefined} />);
  expect(await screen.findByText("1 message that was not sent")).toBeVisible();
  expect(screen.getByRole("dialog")).toHaveTextContent("Confirmed price");
  expect(asked).toEqual(["7"]);
  await user.click(screen.getByRole("link", { name: "And 3 more" }));
  expect(where()).toBe("/dashboard/transaction-history?campaign_id=7");
});

test("no sum of a charge is cut, and balances have two decimals", async () => {
  signedIn();
  const sums = { captured: 0.015, released: 0, refunded: 0, reserved: 0 };
  answers("get", "/api/campaigns/7", {
    campaign: { id: 7, currency: "espees", total_charges: 0.015, ...sums },
  });
  const charge = { ...CHARGE, currency: "espees", price: 0.015, balance: 4.985 };
  answers("get", "/api/get-transaction-history", {
    transactions: [charge],
    total: 1,
    is_cut: false,
    beyond: null,
  });
  show(<ExplainDialog transaction={charge} onClose={() => undefined} />);
  expect(await screen.findByText("-", { selector: "p" })).toHaveTextContent("-0.015 ESPEES");
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent("Amount0.015 ESPEESBalance after it4.98 ESPEES");
  expect(dialog).toHaveTextContent("Confirmed price0.015 ESPEES");
});
