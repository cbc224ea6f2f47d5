import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { problem, server } from "../../testing/server";
import { UserLegalHold } from "./LegalHold";

const HOLD = { reason: "Court order 17", held_at: "2026-11-28T02:00:00.000Z", held_by: "root" };

test("a hold is put with a reason", async () => {
  const sent: unknown[] = [];
  server.use(
    http.put("*/admin/users/7/legal-hold", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ user_id: 7, legal_hold: HOLD });
    }),
  );
  const { user } = showAdmin(<UserLegalHold id={7} name="ada" hold={null} />, "user-details");
  expect(
    screen.getByText("None: what is past the times of retention, where they are set, is erased."),
  ).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Put hold" }));
  const dialog = await screen.findByRole("dialog", { name: "Put a legal hold on ada" });
  await user.type(within(dialog).getByLabelText(/Reason/), "Court order 17");
  await user.click(within(dialog).getByRole("button", { name: "Put hold" }));
  expect(await screen.findByText("The data of ada is under a hold")).toBeVisible();
  expect(sent).toEqual([{ reason: "Court order 17" }]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("it is shown with its reason and lifted", async () => {
  let lifted = 0;
  server.use(
    http.delete("*/admin/users/7/legal-hold", () => {
      lifted += 1;
      return HttpResponse.json({ user_id: 7, legal_hold: null });
    }),
  );
  const { user } = showAdmin(<UserLegalHold id={7} name="ada" hold={HOLD} />, "user-details");
  expect(screen.getByText(/Court order 17/)).toHaveTextContent("by root");
  await user.click(screen.getByRole("button", { name: "Lift hold" }));
  const dialog = await screen.findByRole("dialog", { name: "Lift the legal hold on ada" });
  expect(dialog).toHaveTextContent("cannot be brought back");
  await user.click(within(dialog).getByRole("button", { name: "Lift hold" }));
  expect(await screen.findByText("The hold on ada is lifted")).toBeVisible();
  expect(lifted).toBe(1);
});

test("what is wrong with the reason is said at the field", async () => {
  const message = "Say why the data must be kept";
  server.use(
    http.put("*/admin/users/7/legal-hold", () =>
      HttpResponse.json(
        {
          ...problem(400, "reason_required", message),
          errors: [{ field: "reason", code: "reason_required", message }],
        },
        { status: 400 },
      ),
    ),
  );
  const { user } = showAdmin(<UserLegalHold id={7} name="ada" hold={null} />, "user-details");
  await user.click(screen.getByRole("button", { name: "Put hold" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByLabelText(/Reason/), " . ");
  await user.click(within(dialog).getByRole("button", { name: "Put hold" }));
  await waitFor(() => expect(within(dialog).getByLabelText(/Reason/)).toHaveAccessibleDescription(message));
});
