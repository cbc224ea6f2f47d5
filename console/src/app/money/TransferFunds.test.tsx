import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers, problem, server } from "../../testing/server";
import TransferFunds from "./TransferFunds";

const BALANCES = { "espees-balance": 10, paystack_balance: 0, espees_reserved: 0, paystack_reserved: 0 };

async function ask(user: ReturnType<typeof show>["user"]) {
  await user.type(screen.getByLabelText("Recipient username"), "eve");
  await user.type(screen.getByLabelText("Amount"), "2.5");
  await user.click(screen.getByRole("button", { name: "Transfer" }));
}

test("an inactive account is told whom to ask, and nothing is asked of the daemon", async () => {
  signedIn({ status: "inactive" });
  answers("get", "/api/get-espee-balance", BALANCES);
  const { user } = show(<TransferFunds />);
  await ask(user);
  expect(await screen.findByText("Please contact admin to activate your account")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("after a silence the dialog stays, and confirming again is the same transfer", async () => {
  signedIn();
  answers("get", "/api/get-espee-balance", BALANCES);
  const keys: (string | null)[] = [];
  const bodies: unknown[] = [];
  server.use(
    http.post("*/api/transfer-fund", async ({ request }) => {
      keys.push(request.headers.get("Idempotency-Key"));
      bodies.push(await request.json());
      if (keys.length === 1) return HttpResponse.error();
      return HttpResponse.json({
        message: "Transfer successful",
        reference: "r",
        currency: "espees",
        balance: 7.5,
      });
    }),
  );
  const { user } = show(<TransferFunds />);
  await ask(user);
  expect(screen.getByRole("dialog")).toHaveTextContent("2.50 ESPEES goes from your account to eve");
  await user.click(screen.getByRole("button", { name: "Yes, transfer" }));
  expect(await screen.findByText(/cannot be reached/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Yes, transfer" }));
  expect(await screen.findByText("Transfer successful: 2.50 ESPEES to eve")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  expect(bodies[1]).toEqual({ recipient_username: "eve", amount: "2.5", currency: "espees" });
}, 20_000);

test("a transfer to a name that takes none says so at the name", async () => {
  signedIn();
  answers("get", "/api/get-espee-balance", BALANCES);
  answers("post", "/api/transfer-fund", problem(400, "transfer_failed", "Transfer failed"), 400);
  const { user } = show(<TransferFunds />);
  await ask(user);
  await user.click(screen.getByRole("button", { name: "Yes, transfer" }));
  expect(await screen.findByText("Transfer failed")).toBeVisible();
  expect(await screen.findByText(/No active customer takes transfers under this username/)).toBeVisible();
});
