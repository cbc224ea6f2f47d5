import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers, problem, server } from "../../testing/server";
import { UserRatePlan } from "./RatePlan";

const RATES = [{ prefix: "44", network: null, espees: null, naira: 50 }];
const plan = (name: string) => ({ name, rates: RATES, users: 0 });

let sent: string[];

function gives(answer: () => HttpResponse<object>) {
  server.use(
    http.put("*/admin/users/7/rate-plan", async ({ request }) => {
      sent.push(await request.text());
      return answer();
    }),
  );
}

beforeEach(() => {
  sent = [];
  answers("get", "/admin/rates", {
    rates: [],
    plans: [plan("gold"), plan("silver")],
    total: 0,
    version: "v1",
  });
});

const open = async (user: ReturnType<typeof showAdmin>["user"]) => {
  await user.click(screen.getByRole("button", { name: "Change plan" }));
  const dialog = await screen.findByRole("dialog", { name: "Rate plan of ada" });
  await within(dialog).findByRole("option", { name: "gold (1 rate)" });
  return dialog;
};

test("a user is given a plan", async () => {
  gives(() => HttpResponse.json({ user_id: 7, plan: "gold" }) as HttpResponse<object>);
  const { user } = showAdmin(<UserRatePlan id={7} name="ada" plan={null} />, "user-details");
  expect(screen.getByText("None: the rates for all.")).toBeVisible();
  const dialog = await open(user);
  expect(dialog).toHaveTextContent("quotes that stand keep their price");
  await user.selectOptions(within(dialog).getByLabelText("Plan"), "gold");
  await user.click(within(dialog).getByRole("button", { name: "Save plan" }));
  expect(await screen.findByText("ada has the plan gold")).toBeVisible();
  expect(sent.map((it) => JSON.parse(it))).toEqual([{ plan: "gold" }]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("it is taken by an empty one, and the plan leads to its rates", async () => {
  gives(() => HttpResponse.json({ user_id: 7, plan: null }) as HttpResponse<object>);
  const { user } = showAdmin(<UserRatePlan id={7} name="ada" plan="gold" />, "user-details");
  expect(screen.getByRole("link", { name: "gold" })).toHaveAttribute(
    "href",
    "/dashboard/admin/rates?plan=gold",
  );
  const dialog = await open(user);
  expect(within(dialog).getByLabelText("Plan")).toHaveDisplayValue("gold (1 rate)");
  await user.selectOptions(within(dialog).getByLabelText("Plan"), "None: the rates for all");
  await user.click(within(dialog).getByRole("button", { name: "Save plan" }));
  expect(await screen.findByText("ada has the rates for all")).toBeVisible();
  expect(sent.map((it) => JSON.parse(it))).toEqual([{ plan: "" }]);
});

test("a plan that is gone is said at the field", async () => {
  const message = "There is no rate plan 'gold'";
  const refused = {
    ...problem(400, "unknown_plan", message),
    errors: [{ field: "plan", code: "unknown_plan", message }],
  };
  gives(() => HttpResponse.json(refused, { status: 400 }) as HttpResponse<object>);
  const { user } = showAdmin(<UserRatePlan id={7} name="ada" plan={null} />, "user-details");
  const dialog = await open(user);
  await user.selectOptions(within(dialog).getByLabelText("Plan"), "gold");
  await user.click(within(dialog).getByRole("button", { name: "Save plan" }));
  await waitFor(() => expect(within(dialog).getByLabelText("Plan")).toHaveAccessibleDescription(message));
});
