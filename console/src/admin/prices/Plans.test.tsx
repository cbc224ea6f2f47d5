import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers, problem, server } from "../../testing/server";
import Rates from "./Rates";

const BRITAIN = { prefix: "44", network: null, espees: null, naira: 60, updated_at: "2026-11-01T08:00:00Z" };
const GOLD = { name: "gold", rates: [{ ...BRITAIN, naira: 50 }], users: 2 };
const OLD = { name: "old", rates: [{ ...BRITAIN, prefix: "33" }], users: 0 };

const listOf = (plans: object[], version = "v1") => ({ rates: [BRITAIN], plans, total: 1, version });

let sent: object[];
/** What the history was asked for. */
let searched: (string | null)[];

function saves(now: () => object, refusal: () => HttpResponse<object> | null = () => null) {
  server.use(
    http.put("*/admin/rates", async ({ request }) => {
      sent.push((await request.json()) as object);
      const refused = refusal();
      if (refused) return refused;
      // From now on it is what is read.
      answers("get", "/admin/rates", now());
      return HttpResponse.json({ changed: 1, rates: now(), message: "1 price changed" });
    }),
  );
}

beforeEach(() => {
  sent = [];
  searched = [];
  answers("get", "/admin/rates", listOf([GOLD, OLD]));
  const change = {
    id: 1,
    at: BRITAIN.updated_at,
    username: "root",
    price: "RATE gold +44 mtn for otp naira",
  };
  const history = { prices: [{ ...change, before: null, after: 50 }], total: 1 };
  answers("get", "/admin/price-history", history, 200, (request) => {
    searched.push(new URL(request.url).searchParams.get("q"));
  });
});

const unsaved = () => screen.getByRole("region", { name: "Unsaved changes", hidden: true });
const chooser = () => screen.findByLabelText("List");

test("the address names the plan that is shown, with its users and its history", async () => {
  showAdmin(<Rates />, "rates", "?plan=gold");
  const table = await screen.findByRole("table", { name: "Rates of the plan gold" });
  expect(await within(table).findByRole("row", { name: /\+44/ })).toHaveTextContent("₦50.00000");
  expect(await chooser()).toHaveDisplayValue("gold (2 users)");
  expect(screen.getByRole("button", { name: "Remove plan" })).toBeDisabled();
  expect(screen.getByText(/2 users have it: .* It can be removed when it is taken from them/)).toBeVisible();
  expect(await screen.findByText("Plan gold: +44, MTN, codes, Naira")).toBeVisible();
  expect(searched).toContain("RATE gold +");
});

test("a new plan starts from a copy, and only what changed is sent", async () => {
  saves(() => listOf([GOLD, OLD, { name: "silver", rates: [BRITAIN], users: 0 }], "v2"));
  const { user } = showAdmin(<Rates />, "rates");
  await screen.findByRole("row", { name: /\+44/ });
  await user.click(screen.getByRole("button", { name: "New plan" }));
  const dialog = await screen.findByRole("dialog", { name: "New rate plan" });
  await user.type(within(dialog).getByLabelText("Name"), "Gold");
  await user.click(within(dialog).getByRole("button", { name: "Add plan" }));
  await waitFor(() => expect(dialog).toHaveTextContent("There is a plan gold already"));
  await user.clear(within(dialog).getByLabelText("Name"));
  await user.type(within(dialog).getByLabelText("Name"), "Silver");
  expect(within(dialog).getByLabelText("Start from")).toHaveDisplayValue(
    "A copy of the rates for all (1 rate)",
  );
  await user.click(within(dialog).getByRole("button", { name: "Add plan" }));
  expect(await screen.findByRole("table", { name: "Rates of the plan silver" })).toHaveTextContent(
    "₦60.00000New",
  );
  expect(unsaved()).toHaveTextContent("1 price is new. In the plan silver.");
  await user.click(await screen.findByRole("button", { name: "Save rates" }));
  const asked = await screen.findByRole("dialog", { name: "Change the rates?" });
  expect(asked).toHaveTextContent("The plan silver is new.");
  expect(within(asked).getByRole("listitem")).toHaveTextContent("Plan silver:+44, Naira");
  await user.click(within(asked).getByRole("button", { name: "Change the rates" }));
  const rates = (naira: number, prefix = "44") => [
    { prefix, network: null, purpose: null, espees: null, naira },
  ];
  await waitFor(() =>
    expect(sent).toEqual([
      {
        purposes: true,
        plans: [
          { name: "gold", rates: rates(50) },
          { name: "old", rates: rates(60, "33") },
          { name: "silver", rates: rates(60) },
        ],
        expect: "v1",
      },
    ]),
  );
  await waitFor(async () => expect(await chooser()).toHaveDisplayValue("silver (no users)"));
});

test("a plan that no user has is removed after a question, and can be kept until it is saved", async () => {
  saves(() => listOf([GOLD], "v2"));
  const { user } = showAdmin(<Rates />, "rates", "?plan=old");
  const remove = async () => {
    await user.click(await screen.findByRole("button", { name: "Remove plan" }));
    const question = await screen.findByRole("dialog", { name: "Remove the plan old?" });
    await user.click(within(question).getByRole("button", { name: "Remove plan" }));
  };
  await screen.findByRole("row", { name: /\+33/ });
  await remove();
  await user.click(await screen.findByRole("button", { name: "Keep plan" }));
  expect(screen.queryByRole("region", { name: "Unsaved changes", hidden: true })).toBeNull();
  await remove();
  await user.click(await screen.findByRole("button", { name: "Save rates" }));
  const asked = await screen.findByRole("dialog", { name: "Change the rates?" });
  expect(asked).toHaveTextContent("The plan old is removed.");
  await user.click(within(asked).getByRole("button", { name: "Change the rates" }));
  await waitFor(() => expect(sent).toMatchObject([{ plans: [{ name: "gold" }] }]));
  await waitFor(async () => expect(await chooser()).toHaveDisplayValue("For all"));
});

test("a plan that users have is not left without rates", async () => {
  const { user } = showAdmin(<Rates />, "rates", "?plan=gold");
  await user.click(await screen.findByRole("button", { name: "Remove the rate of +44" }));
  expect(unsaved()).toHaveTextContent(
    "2 users have the plan gold: leave a rate in it, or take it from them first.",
  );
  expect(screen.getByRole("button", { name: "Save rates" })).toBeDisabled();
  await user.click(screen.getByRole("button", { name: "Undo the change of the rate of +44" }));
  expect(screen.queryByRole("region", { name: "Unsaved changes", hidden: true })).toBeNull();
});

test("that the rates were changed meanwhile is said once, and what was changed of each list is kept", async () => {
  const refused = problem(409, "rates_changed", "The rates were changed meanwhile: look again");
  saves(
    () => listOf([]),
    () => HttpResponse.json(refused, { status: 409 }) as HttpResponse<object>,
  );
  const { user } = showAdmin(<Rates />, "rates");
  await user.click(await screen.findByRole("button", { name: "Remove the rate of +44" }));
  await user.selectOptions(await chooser(), "old");
  await user.click(await screen.findByRole("button", { name: "Remove the rate of +33" }));
  expect(unsaved()).toHaveTextContent("2 prices are removed. In the rates for all and the plan old.");
  await user.click(screen.getByRole("button", { name: "Save rates" }));
  const confirm = await screen.findByRole("button", { name: "Change the rates" });
  answers("get", "/admin/rates", listOf([{ ...OLD, rates: [...OLD.rates, BRITAIN] }], "v2"));
  let most = 0;
  const watch = new MutationObserver(() => {
    most = Math.max(most, screen.queryAllByText(/The rates were changed meanwhile/).length);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  await user.click(confirm);
  expect(await screen.findByText(/nothing of yours was saved/)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  watch.disconnect();
  expect(most).toBe(1);
  expect(unsaved()).toHaveTextContent("2 prices are removed. In the rates for all and the plan old.");
  const table = screen.getByRole("table", { name: "Rates of the plan old" });
  expect(await within(table).findByRole("row", { name: /\+44/ })).toHaveTextContent("₦60.00000");
});
