import { screen } from "@testing-library/react";
import { createRef } from "react";
import { beforeEach, expect, test } from "vitest";
import { QUOTE } from "../../testing/quote";
import { show, signedIn } from "../../testing/render";
import { Confirmation } from "./Confirmation";

beforeEach(() => signedIn());

const line = (prefix: string | null, pages: number) => ({
  prefix,
  network: null,
  contacts: pages,
  pages,
  unit_price: 0.01,
  charges: pages / 100,
});

async function dialogOf(rates: (typeof QUOTE)["rates"]) {
  const none = () => undefined;
  show(
    <Confirmation
      quote={{ ...QUOTE, rates }}
      busy={false}
      problem={null}
      opener={createRef()}
      onConfirm={none}
      onClose={none}
    />,
  );
  return screen.findByRole("dialog");
}

test("one price of a page is told in a line", async () => {
  expect(await dialogOf([line("234", 2)])).toHaveTextContent("How it adds up2 pages at 0.01000 ESPEES");
});

test("a price that holds for what the messages are for alone says so", async () => {
  const dialog = await dialogOf([{ ...line("234", 2), network: "mtn", purpose: "otp" }]);
  expect(dialog).toHaveTextContent("How it adds upNigeria, MTN, codes0.02 ESPEES2 pages at 0.01000 ESPEES");
});

test("several are told by destination, and many of them by a click", async () => {
  const prefixes = ["44", "1", "33", "49", "31", "32", "27", "254", "233"];
  const dialog = await dialogOf([...prefixes.map((it, at) => line(it, 20 - at)), line(null, 30)]);
  expect(dialog).toHaveTextContent(
    "How it adds upElsewhere0.30 ESPEES30 pages at 0.01000 ESPEES+440.20 ESPEES",
  );
  expect(screen.getByText("4 more destinations")).toBeVisible();
  expect(screen.getByText("+32").closest("details")).not.toHaveAttribute("open");
  expect(screen.getByText("+31").closest("details")).toBeNull();
});
