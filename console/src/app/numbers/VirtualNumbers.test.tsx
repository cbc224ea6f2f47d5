import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers, problem } from "../../testing/server";
import VirtualNumbers from "./VirtualNumbers";

const row = (id: number, virtual_num: string | null, status: string) => ({
  id,
  user_id: 7,
  username: "ada",
  virtual_num,
  status,
  created_at: "2026-11-21T08:00:00Z",
});

function numbers(...rows: object[]) {
  answers("get", "/api/get-virtual-number", { "virtual-Number": rows, total: rows.length });
}

beforeEach(() => {
  signedIn();
  answers("get", "/api/get-virtual-price", { "VIRTUAL-UNIT-PRICE": [{ value: 0.3 }] });
  answers("get", "/api/get-voice-unit-price", {
    "VOICE-UNIT-PRICE": [],
    "VOICE-UNIT-PRICE-NAIRA": [{ value: 9 }],
  });
});

test("a number is requested, waits, and another request is refused in the daemon's words", async () => {
  numbers();
  const { user } = show(<VirtualNumbers />);
  expect(await screen.findByText("No virtual numbers yet")).toBeVisible();
  expect(await screen.findByText(/Calls from it cost 0.30000 ESPEES or ₦9.00000 a pulse/)).toBeVisible();
  answers("post", "/api/request-virtual-number", { message: "Your request was received" }, 200, () =>
    numbers(row(1, null, "pending")),
  );
  await user.click(screen.getByRole("button", { name: "Request a virtual number" }));
  expect(await screen.findByText("Your request was received")).toBeVisible();
  expect(await screen.findByRole("row", { name: /Not assigned yet Pending/ })).toBeVisible();
  const again = problem(400, "virtual_number_requested", "You asked for one already");
  answers("post", "/api/request-virtual-number", again, 400);
  await user.click(screen.getByRole("button", { name: "Request a virtual number" }));
  expect(await screen.findByText("You asked for one already")).toBeVisible();
  expect(screen.queryByText("Your request was received")).toBeNull();
});

test("an assigned number is written as people read it", async () => {
  numbers(row(1, "2342012345678", "approved"));
  show(<VirtualNumbers />);
  expect(await screen.findByRole("row", { name: /\+234 201 234 5678 Approved/ })).toBeVisible();
});
