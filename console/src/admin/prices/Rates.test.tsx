import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers, problem, server } from "../../testing/server";
import Rates from "./Rates";

const AT = "2026-11-01T08:00:00Z";
const BRITAIN = { prefix: "44", network: null, espees: 0.08, naira: 60, updated_at: AT };
const MTN = { prefix: "234", network: "mtn", espees: null, naira: 4.2, updated_at: AT };

const listOf = (rates: readonly object[], version = "v1") => ({ rates, total: rates.length, version });

/** What was sent to be saved. */
let sent: { rates: object[]; expect: string }[];

function saves(now: () => object, refusal?: () => HttpResponse<object> | null) {
  server.use(
    http.put("*/admin/rates", async ({ request }) => {
      sent.push((await request.json()) as (typeof sent)[number]);
      const refused = refusal?.();
      if (refused) return refused;
      return HttpResponse.json({ changed: 1, rates: now(), message: "1 price changed" });
    }),
  );
}

beforeEach(() => {
  sent = [];
  answers("get", "/admin/rates", listOf([MTN, BRITAIN]));
  answers("get", "/admin/price-history", { prices: [], total: 0 });
});

type User = ReturnType<typeof showAdmin>["user"];

async function add(user: User, fields: Record<string, string>) {
  await user.click((await screen.findAllByRole("button", { name: "Add a rate" }))[0] as HTMLElement);
  const dialog = await screen.findByRole("dialog", { name: "New rate" });
  for (const [name, text] of Object.entries(fields)) {
    const field = within(dialog).getByLabelText(name);
    await user.click(field);
    await user.paste(text);
  }
  await user.click(within(dialog).getByRole("button", { name: "Add" }));
  return dialog;
}

/** Also while a dialog fades. */
const unsaved = () => screen.getByRole("region", { name: "Unsaved changes", hidden: true });

test("rates are added, changed and removed, and saved together after they were told", async () => {
  saves(() => listOf([BRITAIN], "v2"));
  const { user } = showAdmin(<Rates />, "rates");
  const row = await screen.findByRole("row", { name: /\+44/ });
  expect(row).toHaveTextContent("AllAll0.08000 ESPEES₦60.00000");
  await add(user, { Prefix: "+1", "A page in ESPEES": "0.03" });
  await user.click(await screen.findByRole("button", { name: "Remove the rate of Nigeria, MTN" }));
  await user.click(screen.getByRole("button", { name: "Edit the rate of +44" }));
  const dialog = await screen.findByRole("dialog", { name: "Rate of +44" });
  const naira = within(dialog).getByLabelText("A page in Naira");
  expect(naira).toHaveValue("60");
  await user.clear(naira);
  await user.type(naira, "600");
  await user.click(within(dialog).getByRole("button", { name: "Change" }));
  await waitFor(() =>
    expect(unsaved()).toHaveTextContent("1 price is new, 1 price changes, 1 price is removed."),
  );
  await user.click(await screen.findByRole("button", { name: "Save rates" }));
  const asked = await screen.findByRole("dialog", { name: "Change the rates?" });
  const told = within(asked).getAllByRole("listitem");
  expect(told[0]).toHaveTextContent("+44, Naira₦60.00000→₦600.00000+900 %");
  expect(told[2]).toHaveTextContent("+1, ESPEES0.03000 ESPEES");
  expect(told[1]).toHaveTextContent("Nigeria, MTN, Naira₦4.20000→removed");
  expect(asked).toHaveTextContent("1 price changes by more than 50 %. Check where the decimal point is.");
  expect(sent).toEqual([]);
  // What is asked again after it is saved.
  answers("get", "/admin/rates", listOf([BRITAIN], "v2"));
  await user.click(within(asked).getByRole("button", { name: "Change the rates" }));
  await waitFor(() =>
    expect(sent).toEqual([
      {
        purposes: true,
        rates: [
          { prefix: "1", network: null, purpose: null, espees: 0.03, naira: null },
          { prefix: "44", network: null, purpose: null, espees: 0.08, naira: 600 },
        ],
        expect: "v1",
      },
    ]),
  );
  await waitFor(() =>
    expect(screen.queryByRole("region", { name: "Unsaved changes", hidden: true })).toBeNull(),
  );
  expect(screen.queryByRole("row", { name: /MTN/ })).toBeNull();
});

test("what is wrong with a rate is said at its field", async () => {
  const { user } = showAdmin(<Rates />, "rates");
  await screen.findByRole("row", { name: /\+44/ });
  const dialog = await add(user, { Prefix: "0044" });
  expect(dialog).toHaveTextContent("Write digits from the calling code on");
  expect(dialog).toHaveTextContent("Give a price in ESPEES, in Naira or in both");
  await user.clear(within(dialog).getByLabelText("Prefix"));
  await user.type(within(dialog).getByLabelText("Prefix"), "234");
  await user.type(within(dialog).getByLabelText("Network"), "MTN");
  await user.type(within(dialog).getByLabelText("A page in Naira"), "4,5");
  await user.click(within(dialog).getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog).toHaveTextContent("There is a rate of Nigeria, MTN already"));
  expect(dialog).toHaveTextContent("Write a number such as 4.5");
});

test("where another changed the rates meanwhile nothing is lost, and theirs are shown", async () => {
  const refused = problem(409, "rates_changed", "The rates were changed meanwhile");
  const late = [HttpResponse.json(refused, { status: 409 }) as HttpResponse<object>];
  const FRANCE = { ...BRITAIN, prefix: "33" };
  saves(
    () => listOf([BRITAIN, FRANCE], "v3"),
    () => late.pop() ?? null,
  );
  const { user } = showAdmin(<Rates />, "rates");
  await user.click(await screen.findByRole("button", { name: "Remove the rate of Nigeria, MTN" }));
  await user.click(await screen.findByRole("button", { name: "Save rates" }));
  answers("get", "/admin/rates", listOf([MTN, FRANCE, BRITAIN], "v2"));
  await user.click(await screen.findByRole("button", { name: "Change the rates" }));
  expect(await screen.findByText(/The rates were changed meanwhile, and nothing of yours/)).toBeVisible();
  expect(await screen.findByRole("row", { name: /\+33/ })).toBeVisible();
  expect(unsaved()).toHaveTextContent("1 price is removed.");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(await screen.findByRole("button", { name: "Save rates" }));
  await user.click(await screen.findByRole("button", { name: "Change the rates" }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.expect).toBe("v2");
  expect(sent[1]?.rates).toMatchObject([{ prefix: "33" }, { prefix: "44" }]);
});

test("what the daemon refuses is said in the question, which stays", async () => {
  const refusal = problem(400, "unknown_network", "'nitel' (+234) is no network of the table of prefixes");
  saves(
    () => listOf([]),
    () => HttpResponse.json(refusal, { status: 400 }) as HttpResponse<object>,
  );
  const { user } = showAdmin(<Rates />, "rates");
  await screen.findByRole("row", { name: /\+44/ });
  await add(user, { Prefix: "234", Network: "nitel", "A page in Naira": "4" });
  await user.click(await screen.findByRole("button", { name: "Save rates" }));
  await user.click(await screen.findByRole("button", { name: "Change the rates" }));
  const asked = await screen.findByRole("dialog", { name: "Change the rates?" });
  await waitFor(() => expect(asked).toHaveTextContent("'nitel' (+234) is no network"));
  expect(unsaved()).toHaveTextContent("1 price is new.");
});

const csv = (text: string) => new File([text], "rates.csv", { type: "text/csv" });

test("a file tells what it would change before it is put into the list, and saves nothing", async () => {
  saves(() => listOf([]));
  const { user } = showAdmin(<Rates />, "rates");
  await screen.findByRole("row", { name: /\+44/ });
  const input = screen.getByLabelText("File of rates");
  await user.upload(input, csv("prefix,network,espees,naira\n44,,0.08,90\n1,,0.03,\n"));
  const dialog = await screen.findByRole("dialog", { name: "rates.csv" });
  expect(dialog).toHaveTextContent("2 rates in the file. 1 price is new, 1 price changes.");
  expect(dialog).toHaveTextContent("+44, Naira₦60.00000→₦90.00000+50 %");
  await user.click(within(dialog).getByLabelText("Remove 1 rate that is not in the file"));
  expect(dialog).toHaveTextContent("Nigeria, MTN, Naira₦4.20000→removed");
  await user.click(within(dialog).getByRole("button", { name: "Put into the list" }));
  await waitFor(() => expect(unsaved()).toHaveTextContent("1 price is removed."));
  expect(await screen.findByRole("row", { name: /\+1/ })).toHaveTextContent("New");
  expect(sent).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Discard" }));
  expect(screen.queryByRole("row", { name: /\+1/ })).toBeNull();
});

test("of a file with faults nothing is taken, and each is told by its line", async () => {
  const { user } = showAdmin(<Rates />, "rates");
  await screen.findByRole("row", { name: /\+44/ });
  const input = screen.getByLabelText("File of rates");
  await user.upload(input, csv("prefix,network,espees,naira\n1,,0.03,\n0044,,1,\n"));
  const dialog = await screen.findByRole("dialog", { name: "rates.csv" });
  expect(dialog).toHaveTextContent("1 line is wrong.");
  expect(within(dialog).getByRole("listitem")).toHaveTextContent("Line 3: '0044' is no prefix");
  expect(within(dialog).getByRole("button", { name: "Put into the list" })).toBeDisabled();
});

test("a destination has a rate for all messages and others for some of them", async () => {
  saves(() => listOf([]));
  const codes = { ...BRITAIN, purpose: "otp", espees: null, naira: 70 };
  answers("get", "/admin/rates", listOf([MTN, BRITAIN, codes]));
  const { user } = showAdmin(<Rates />, "rates");
  expect(await screen.findByRole("row", { name: /\+44 All Codes/ })).toHaveTextContent("₦70.00000");
  await user.click(screen.getAllByRole("button", { name: "Add a rate" })[0] as HTMLElement);
  const added = within(await screen.findByRole("dialog", { name: "New rate" }));
  await user.type(added.getByLabelText("Prefix"), "44");
  await user.type(added.getByLabelText("A page in Naira"), "50");
  expect(added.getByLabelText("For")).toHaveDisplayValue("All");
  await user.selectOptions(added.getByLabelText("For"), "Codes");
  await user.click(added.getByRole("button", { name: "Add" }));
  expect(await added.findByText("There is a rate of +44, codes already")).toBeVisible();
  await user.selectOptions(added.getByLabelText("For"), "Advertising");
  await user.click(added.getByRole("button", { name: "Add" }));
  await user.click(await screen.findByRole("button", { name: "Edit the rate of +44, codes" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Rate of +44, codes" }));
  expect(dialog.getByLabelText("For")).toHaveDisplayValue("Codes");
  await user.selectOptions(dialog.getByLabelText("For"), "Alerts and receipts");
  await user.click(dialog.getByRole("button", { name: "Change" }));
  await user.click(await screen.findByRole("button", { name: "Save rates" }));
  const asked = await screen.findByRole("dialog", { name: "Change the rates?" });
  expect(asked).toHaveTextContent("+44, codes, Naira₦70.00000→removed");
  await user.click(within(asked).getByRole("button", { name: "Change the rates" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.rates).toEqual([
    { prefix: "234", network: "mtn", purpose: null, espees: null, naira: 4.2 },
    { prefix: "44", network: null, purpose: null, espees: 0.08, naira: 60 },
    { prefix: "44", network: null, purpose: "promotional", espees: null, naira: 50 },
    { prefix: "44", network: null, purpose: "transactional", espees: null, naira: 70 },
  ]);
});

test("a search finds the rates of a number", async () => {
  const { user } = showAdmin(<Rates />, "rates");
  await screen.findByRole("row", { name: /\+44/ });
  await user.type(screen.getByLabelText("Search by prefix or network"), "0 447911{Enter}");
  await waitFor(() => expect(screen.getByText("No rate found")).toBeVisible());
  await user.clear(screen.getByLabelText("Search by prefix or network"));
  await user.type(screen.getByLabelText("Search by prefix or network"), "+44 7911{Enter}");
  await waitFor(() => expect(screen.queryByRole("row", { name: /MTN/ })).toBeNull());
  expect(screen.getByRole("row", { name: /\+44/ })).toBeVisible();
});

test("the history of rates is told by destination and currency", async () => {
  const asked: (string | null)[] = [];
  const change = { at: AT, username: "root" };
  const prices = [
    { ...change, id: 1, price: "RATE +44 naira", before: 60, after: 75 },
    { ...change, id: 2, price: "RATE +234 mtn espees", before: 0.02, after: null },
    { ...change, id: 3, price: "RATE +234 glo for otp naira", before: 5, after: 6 },
    { ...change, id: 4, price: "RATE +44 for promotional naira", before: 7, after: 8 },
  ];
  answers("get", "/admin/price-history", { prices, total: 4 }, 200, (request) => {
    asked.push(new URL(request.url).searchParams.get("q"));
  });
  showAdmin(<Rates />, "rates");
  expect(await screen.findByRole("row", { name: /\+44, Naira/ })).toHaveTextContent("₦60.00000₦75.00000");
  const mtn = screen.getByRole("row", { name: /Nigeria, MTN, ESPEES/ });
  expect(mtn).toHaveTextContent("0.02000 ESPEESnot set");
  expect(screen.getByRole("row", { name: /Nigeria, Glo, codes, Naira/ })).toHaveTextContent(
    "₦5.00000₦6.00000",
  );
  expect(screen.getByRole("row", { name: /\+44, advertising, Naira/ })).toHaveTextContent("₦7.00000₦8.00000");
  expect(asked).toEqual(["RATE +"]);
});
