import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers, server } from "../../testing/server";
import { PriceHistory } from "./PriceHistory";
import { PriceSetting } from "./PriceSetting";
import { priceChange, signed } from "./priceChange";

test("a change is told in percent, and beyond half it is steep", () => {
  expect(priceChange("4.5", "45")).toMatchObject({ tenths: 9_000n, steep: true });
  expect(priceChange(4.5, "5")).toMatchObject({ tenths: 111n, steep: false });
  expect(priceChange("4", "1")).toMatchObject({ tenths: -750n, steep: true });
  expect(priceChange("9", "4.42")).toMatchObject({ tenths: -508n, steep: true });
  expect(priceChange("9", "13.502")).toMatchObject({ tenths: 500n, steep: false });
  expect(priceChange("9", "13.51")).toMatchObject({ tenths: 501n, steep: true });
  expect(priceChange("9", "4.5")).toMatchObject({ tenths: -500n, steep: false });
  expect(priceChange("0", "4")).toMatchObject({ tenths: null, steep: true });
  expect(priceChange("4.5", "4.50")).toBeNull();
  expect(priceChange(null, "4.5")).toMatchObject({ before: null, tenths: null, steep: false });
  expect(priceChange(null, "")).toBeNull();
});

test("a price of nothing is told to be free of charge before it is set, the first one, too", async () => {
  const set = [{ value: 4.5, updated_at: "2026-11-01T08:00:00Z" }];
  for (const records of [[], set]) {
    answers("get", "/admin/get-prices", { "SMS-UNIT-PRICE-IN-NAIRA": records });
    const { user, unmount } = showAdmin(
      <PriceSetting price="SMS-UNIT-PRICE-IN-NAIRA" title="SMS" unit="one page" currency="naira" />,
      "set-paystack-unit-price",
    );
    const field = await screen.findByLabelText(/Price in Naira/);
    await waitFor(() => expect(field).toHaveValue(records === set ? "4.5" : ""));
    await user.clear(field);
    await user.type(field, "0");
    await user.click(screen.getByRole("button", { name: "Save unit price" }));
    const dialog = await screen.findByRole("dialog", { name: /the price\?$/ });
    expect(dialog).toHaveTextContent("This makes it free of charge.");
    expect(dialog).not.toHaveTextContent("decimal point");
    unmount();
  }
});

test("percents are told to a tenth", () => {
  expect(signed(9_000n)).toBe("+900 %");
  expect(signed(-509n)).toBe("-50.9 %");
  expect(signed(4n)).toBe("+0.4 %");
  expect(signed(0n)).toBe("less than 0.1 %");
});

test("a first price is asked about, too", async () => {
  const set: unknown[] = [];
  answers("get", "/admin/get-prices", { "SMS-UNIT-PRICE-IN-NAIRA": [] });
  server.use(
    http.post("*/admin/set-sms-unit-price-naira", async ({ request }) => {
      set.push(await request.json());
      return HttpResponse.json({ message: "Unit Price updated successfully!" });
    }),
  );
  const { user } = showAdmin(
    <PriceSetting price="SMS-UNIT-PRICE-IN-NAIRA" title="SMS" unit="one page" currency="naira" />,
    "set-paystack-unit-price",
  );
  await user.type(await screen.findByLabelText(/Price in Naira/), "450");
  await user.click(screen.getByRole("button", { name: "Save unit price" }));
  const dialog = await screen.findByRole("dialog", { name: "Set the price?" });
  expect(dialog).toHaveTextContent("₦450.00000");
  expect(set).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Set the price" }));
  await waitFor(() => expect(set).toHaveLength(1));
});

test("a price that was set is changed only after old and new were shown side by side", async () => {
  const set: unknown[] = [];
  answers("get", "/admin/get-prices", {
    "SMS-UNIT-PRICE-IN-NAIRA": [{ value: 4.5, updated_at: "2026-11-01T08:00:00Z" }],
  });
  server.use(
    http.post("*/admin/set-sms-unit-price-naira", async ({ request }) => {
      set.push(await request.json());
      return HttpResponse.json({ message: "Unit Price updated successfully!" });
    }),
  );
  const { user } = showAdmin(
    <PriceSetting price="SMS-UNIT-PRICE-IN-NAIRA" title="SMS" unit="one page" currency="naira" />,
    "set-paystack-unit-price",
  );
  const field = await screen.findByLabelText(/Price in Naira/);
  await user.clear(field);
  await user.type(field, "45");
  await user.click(screen.getByRole("button", { name: "Save unit price" }));
  const dialog = await screen.findByRole("dialog", { name: "Change the price?" });
  expect(dialog).toHaveTextContent("₦4.50000");
  expect(dialog).toHaveTextContent("₦45.00000");
  expect(dialog).toHaveTextContent("+900 %");
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(set).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Save unit price" }));
  await user.click(await screen.findByRole("button", { name: "Change the price" }));
  await waitFor(() => expect(set).toHaveLength(1));
});

test("the history shows prices as the quote does, in their currency", async () => {
  const change = { id: 1, at: "2026-11-21T08:00:00Z", username: "root" };
  answers("get", "/admin/price-history", {
    prices: [
      { ...change, price: "SMS-UNIT-PRICE-IN-NAIRA", before: 4.5, after: 5 },
      { ...change, id: 2, price: "VOICE-UNIT-PRICE", before: null, after: 0.02 },
    ],
    total: 2,
  });
  showAdmin(
    <PriceHistory prices={["SMS-UNIT-PRICE-IN-NAIRA", "VOICE-UNIT-PRICE"]} />,
    "set-paystack-unit-price",
  );
  const row = await screen.findByRole("row", { name: /SMS, Naira/ });
  expect(row).toHaveTextContent("₦4.50000₦5.00000");
  expect(screen.getByRole("row", { name: /Voice, ESPEES/ })).toHaveTextContent("not set0.02000 ESPEES");
});
