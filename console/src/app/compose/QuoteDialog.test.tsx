import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { QUOTE } from "../../testing/quote";
import { show } from "../../testing/render";
import { Confirmation } from "./Confirmation";
import type { Quote } from "./calls";
import type { QuoteDialogProps } from "./QuoteDialog";
import { VoiceConfirmation } from "./voice/Confirmation";

const quote = {
  ...QUOTE,
  total_invalid: 7,
  total_dnd: 2,
  rejects: [{ line: 3, value: "0803123456", code: "too_short", reason: "It has nine digits" }],
  replacements: [
    { from: "“", to: '"', count: 2 },
    { from: "–", to: "-", count: 1 },
  ],
} as unknown as Quote;

const props: QuoteDialogProps = {
  quote,
  busy: false,
  problem: null,
  opener: { current: null },
  onConfirm: () => undefined,
  onClose: () => undefined,
};

test("what is left out and what is replaced are lines of a quote, and open by a click", async () => {
  const { user } = show(<Confirmation {...props} />);
  const rejects = screen.getByText("7 entries left out");
  expect(rejects.closest("summary")).toHaveTextContent(
    "7 entries left out, at no charge, 2 numbers of them on the Do-Not-Disturb list",
  );
  expect(screen.getByText("Line 3, 0803123456: It has nine digits")).not.toBeVisible();
  await user.click(rejects);
  expect(screen.getByText("Line 3, 0803123456: It has nine digits")).toBeVisible();
  expect(screen.getByText("and 6 more")).toBeVisible();
  expect(screen.getByRole("button", { name: "Download rejects.csv" })).toBeVisible();

  const replaced = screen.getByText("3 characters replaced");
  expect(screen.getByText('“ by " (2 times), – by -')).not.toBeVisible();
  await user.click(replaced);
  expect(screen.getByText('“ by " (2 times), – by -')).toBeVisible();
});

test("what is left out of a quote of calls is folded, too", () => {
  show(<VoiceConfirmation {...props} />);
  expect(screen.getByText("7 entries left out").closest("details")).not.toHaveAttribute("open");
});

test("the lines and the foot of a quote say the same of the balance", () => {
  show(<Confirmation {...props} quote={{ ...quote, total_charges: 0.015, balance_after: 9.985 }} />);
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent("Total charge (ESPEES)0.01500 ESPEES");
  expect(dialog.textContent?.match(/Balance after9.985 ESPEES/g)).toHaveLength(2);
});

test("a total charge of more than five decimals is not cut", () => {
  show(<Confirmation {...props} quote={{ ...quote, total_charges: 0.015625 }} />);
  expect(screen.getByRole("dialog")).toHaveTextContent("Total charge (ESPEES)0.015625 ESPEES");
});
