import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { show, signedIn } from "../testing/render";
import { answers, problem } from "../testing/server";
import { ContactEntries } from "./ContactEntries";
import Landing from "./Landing";
import { Prices } from "./Prices";
import { SiteLayout } from "./SiteLayout";

const value = (text: string) => [{ value: text, updated_at: "2026-11-01T08:00:00Z" }];

function contacts(email: string, phone: string, address: string) {
  answers("get", "/api/get-contact-email", { "Contact-email": email ? value(email) : [] });
  answers("get", "/api/get-contact-phone", { "Contact-phone": phone ? value(phone) : [] });
  answers("get", "/api/get-contact-address", { "Contact-address": address ? value(address) : [] });
}

const price = (amount: number) => [{ value: amount, updated_at: "2026-11-01T08:00:00Z" }];
type Record = ReturnType<typeof price>;
const page = (naira: Record, espees: Record) => ({
  "SMS-UNIT-PRICE": espees,
  "SMS-UNIT-PRICE-IN-NAIRA": naira,
  "SMS-ABROAD-UNIT-PRICE": [],
  "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": [],
});
const pulse = (naira: Record) => ({
  "VOICE-UNIT-PRICE": [],
  "SMS-UNIT-PRICE": [],
  "VOICE-UNIT-PRICE-NAIRA": naira,
});

beforeEach(() => {
  contacts("", "", "");
  answers("get", "/api/get-maintenance-status", { maintenance_mode: "0", message: "" });
  answers("get", "/api/get-sms-unit-price", page([], []));
  answers("get", "/api/get-voice-unit-price", pulse([]));
  answers("get", "/api/rates", { rates: [], total: 0, version: "" });
  answers("get", "/api/kingschat/options", { enabled: true });
  answers("get", "/readyz", { ready: true, notes: [], sandbox: false });
});

test("the sections have the ids that the header links to, and the figures of the specification", () => {
  const { container } = show(<Landing />);
  for (const id of ["about-us", "stats", "service", "faq", "testimonials", "contact"]) {
    expect(container.querySelector(`#${id}`)).toBeInTheDocument();
  }
  const stats = within(screen.getByRole("region", { name: "In figures" }));
  for (const figure of ["100,000", "765", "6,532", "99%"]) expect(stats.getByText(figure)).toBeVisible();
  expect(screen.getByRole("heading", { name: "Why Choose Us" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Learn More" })).toHaveAttribute("href", "/#about-us");
});

test("the price list is the one that is set, and a sum is reckoned exactly", async () => {
  answers("get", "/api/get-sms-unit-price", page(price(3.495), price(0.01)));
  answers("get", "/api/get-voice-unit-price", pulse(price(9)));
  const { user } = show(<Prices />);
  const prices = within(await screen.findByRole("region", { name: "What it costs" }));
  expect(prices.getByRole("row", { name: /SMS in Nigeria/ })).toHaveTextContent("₦3.495000.01000 ESPEES");
  expect(prices.queryByText("SMS abroad")).toBeNull();
  expect(prices.queryByText("SMS by destination")).toBeNull();
  expect(prices.getByRole("status")).toHaveTextContent("₦34,950.00or 100.00 ESPEES");
  await user.selectOptions(prices.getByLabelText("Pages each"), "2");
  expect(prices.getByRole("status")).toHaveTextContent("₦69,900.00");
  await user.clear(prices.getByLabelText("Recipients"));
  await user.type(prices.getByLabelText("Recipients"), "2.5");
  expect(prices.getByRole("status")).toHaveTextContent("Write a whole number of recipients");
  await user.selectOptions(prices.getByLabelText("What"), "Voice, answered calls only");
  expect(prices.getByLabelText("Pulses each")).toBeVisible();
});

test("rates are listed by destination, and a send to one of them is reckoned", async () => {
  answers("get", "/api/get-sms-unit-price", page(price(4.5), price(0.01)));
  const rates = [
    { prefix: "234", network: "mtn", naira: 4.200001, espees: null, updated_at: null },
    { prefix: "44", network: null, naira: 60, espees: 0.08, updated_at: null },
  ];
  answers("get", "/api/rates", { rates, total: 2, version: "v1" });
  const { user } = show(<Prices />);
  const mtn = await screen.findByRole("row", { name: /Nigeria, MTN/ });
  expect(mtn).toHaveTextContent("₦4.2000010.01000 ESPEES");
  expect(screen.getByRole("row", { name: /\+44/ })).toHaveTextContent("₦60.000000.08000 ESPEES");
  const prices = within(screen.getByRole("region", { name: "What it costs" }));
  await user.selectOptions(prices.getByLabelText("What"), "SMS to Nigeria, MTN");
  expect(prices.getByRole("status")).toHaveTextContent("₦42,000.01or 100.00 ESPEES");
});

test("a destination says what codes cost there, and what is sold for codes alone is listed and not reckoned", async () => {
  answers("get", "/api/get-sms-unit-price", page(price(4.5), price(0.01)));
  const rates = [
    { prefix: "234", network: "mtn", purpose: "otp", naira: 5, espees: null, updated_at: null },
    { prefix: "44", network: null, purpose: "otp", naira: 60, espees: null, updated_at: null },
  ];
  answers("get", "/api/rates", { rates, total: 2, version: "v1" });
  const { user } = show(<Prices />);
  const list = within(await screen.findByRole("region", { name: "SMS by destination" }));
  expect(list.getAllByRole("row").map((it) => it.textContent)).toEqual([
    "ToNairaESPEES",
    "Nigeria, MTN₦4.500000.01000 ESPEES",
    "Codes₦5.000000.01000 ESPEES",
    "+44--",
    "Codes₦60.00000-",
  ]);
  expect(list.getByRole("rowheader", { name: "+44: Codes" })).toBeVisible();
  const prices = within(screen.getByRole("region", { name: "What it costs" }));
  await user.selectOptions(prices.getByLabelText("What"), "SMS to Nigeria, MTN");
  expect(prices.getByRole("status")).toHaveTextContent(
    "₦45,000.00or 100.00 ESPEESCodes: ₦50,000.00 or 100.00 ESPEES",
  );
  expect(prices.queryByRole("option", { name: "SMS to +44" })).toBeNull();
});

test("where no price is set nothing is said of prices", async () => {
  const { container } = show(<Landing />);
  await screen.findAllByText("N/A");
  expect(container.querySelector("#prices")).toBeNull();
});

test("what the operator has not set says N/A", async () => {
  show(<ContactEntries />);
  expect(screen.getAllByLabelText("Loading")).toHaveLength(3);
  expect(await screen.findAllByText("N/A")).toHaveLength(3);
});

test("what is set can be pressed", async () => {
  contacts("help@talk.example", "+234 803 123 4567", "@talkdrum");
  show(<ContactEntries />);
  expect(await screen.findByRole("link", { name: "help@talk.example" })).toHaveAttribute(
    "href",
    "mailto:help@talk.example",
  );
  expect(screen.getByRole("link", { name: "+234 803 123 4567" })).toHaveAttribute(
    "href",
    "sms:+2348031234567",
  );
  expect(screen.getByText("@talkdrum")).toBeVisible();
});

test("the bar on top names no contact that is not set", async () => {
  const page = show(<SiteLayout />);
  const bar = within(screen.getByRole("complementary", { name: "Contact" }));
  expect(await bar.findByText(/with the price before you pay/)).toBeVisible();
  expect(bar.queryByText("N/A")).toBeNull();
  page.unmount();
  contacts("help@talk.example", "", "");
  show(<SiteLayout />);
  expect(await screen.findByRole("link", { name: "help@talk.example" })).toBeVisible();
});

test("contact details that cannot be had say N/A too", async () => {
  answers("get", "/api/get-contact-email", problem(404, "x", "x"), 404);
  show(<ContactEntries />);
  expect(await screen.findAllByText("N/A")).toHaveLength(3);
});

test("the header leads to the sections and the sign-in, and to the dashboard once signed in", async () => {
  const { unmount } = show(<SiteLayout />);
  const main = within(screen.getByRole("navigation", { name: "Main" }));
  for (const [label, href] of [
    ["Home", "/"],
    ["About", "/#about-us"],
    ["Service", "/#service"],
    ["Contact", "/#contact"],
  ] as const) {
    expect(main.getByRole("link", { name: label })).toHaveAttribute("href", href);
  }
  expect(screen.getAllByRole("link", { name: "Login/Register" })[0]).toHaveAttribute("href", "/auth/login");
  expect((await screen.findAllByRole("button", { name: "Login with KingsChat" }))[0]).toBeVisible();
  expect(screen.getByText(new RegExp(`© ${new Date().getFullYear()}.*Powered by`))).toBeVisible();
  unmount();
  signedIn();
  show(<SiteLayout />);
  expect(screen.getAllByRole("link", { name: "Dashboard" })[0]).toHaveAttribute("href", "/dashboard");
});

test("maintenance closes the site to visitors and not to administrators", async () => {
  answers("get", "/api/get-maintenance-status", { maintenance_mode: "1", message: "Back at nine" });
  const { unmount } = show(<SiteLayout />);
  expect(await screen.findByRole("heading", { name: "We'll Be Back Soon" })).toBeVisible();
  expect(screen.getByText("Back at nine")).toBeVisible();
  unmount();
  signedIn({ role: "admin" });
  show(<SiteLayout />);
  expect(await screen.findByRole("navigation", { name: "Main" })).toBeVisible();
});
