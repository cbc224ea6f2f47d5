import { ThemeProvider } from "@mui/material/styles";
import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { lightTheme } from "../theme";
import type { Series } from "./barsOf";
import { ShareBars } from "./ShareBars";
import { StackedBars } from "./StackedBars";

const SERIES: readonly Series[] = [
  { key: "delivered", label: "Delivered", colour: (theme) => theme.palette.success.main },
  { key: "failed", label: "Failed", colour: (theme) => theme.palette.error.main },
];

const ROWS = [
  { name: "mtn", delivered: 1_200, failed: 3 },
  { name: "glo", delivered: 0, failed: 0 },
  { name: "airtel", delivered: 9, failed: 1 },
];

function columns() {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(340);
  return render(
    <ThemeProvider theme={lightTheme}>
      <StackedBars
        label="Some columns"
        rows={ROWS}
        series={SERIES}
        height={200}
        tick={(name) => name}
        title={(name) => name.toUpperCase()}
      />
    </ThemeProvider>,
  );
}

const tip = () => document.querySelector("[data-tip]")?.textContent ?? null;

test("columns are read one by one with the keyboard, and by a screen reader alike", async () => {
  columns();
  const user = userEvent.setup();
  const chart = screen.getByRole("slider", { name: "Some columns" });
  await user.tab();
  expect(chart).toHaveFocus();
  expect(chart).toHaveAttribute("aria-valuetext", "MTN: Delivered 1,200, Failed 3");
  await user.keyboard("{End}");
  expect(tip()).toBe("AIRTELDelivered9Failed1");
  expect(chart).toHaveAttribute("aria-valuetext", "AIRTEL: Delivered 9, Failed 1");
  await user.keyboard("{ArrowRight}");
  expect(tip()).toContain("AIRTEL");
  await user.keyboard("{ArrowLeft}");
  expect(tip()).toContain("GLO");
  await user.keyboard("{Escape}");
  expect(tip()).toBeNull();
  // It goes on from where it was.
  await user.keyboard("{ArrowLeft}");
  expect(tip()).toContain("GLO");
  await user.tab();
  expect(tip()).toBeNull();
});

test("the column under the pointer is told, and none beside the axis", () => {
  columns();
  const chart = screen.getByRole("slider");
  fireEvent.pointerMove(chart, { clientX: 100, clientY: 50 });
  expect(tip()).toContain("MTN");
  fireEvent.pointerMove(chart, { clientX: 330, clientY: 50 });
  expect(tip()).toContain("AIRTEL");
  fireEvent.pointerMove(chart, { clientX: 10, clientY: 50 });
  expect(tip()).toBeNull();
  fireEvent.pointerMove(chart, { clientX: 330, clientY: 50 });
  fireEvent.pointerLeave(chart);
  expect(tip()).toBeNull();
});

test("a finger that taps leaves its tip, and one that scrolls the page none", () => {
  columns();
  const chart = screen.getByRole("slider");
  const finger = { clientX: 100, clientY: 50, pointerType: "touch" };
  fireEvent.pointerDown(chart, finger);
  fireEvent.pointerLeave(chart, finger);
  expect(tip()).toContain("MTN");
  fireEvent.pointerDown(chart, finger);
  fireEvent.pointerCancel(chart, finger);
  fireEvent.pointerLeave(chart, finger);
  expect(tip()).toBeNull();
});

test("both axes have labels, and a little of something is seen", () => {
  const { container } = columns();
  const texts = [...container.querySelectorAll("svg text")].map((it) => it.textContent);
  expect(texts).toEqual(["0", "500", "1K", "1.5K", "mtn", "glo", "airtel"]);
  const heights = [...container.querySelectorAll("[data-bar]")].map((it) =>
    Number(it.getAttribute("height")),
  );
  expect(heights).toHaveLength(4);
  for (const height of heights) expect(height).toBeGreaterThanOrEqual(1);
});

test("shares lie over an axis of percents, and a tip has figures and shares", async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(340);
  const { container } = render(
    <ThemeProvider theme={lightTheme}>
      <ShareBars label="Some rows" rows={ROWS} series={SERIES} title={(name) => name.toUpperCase()} />
    </ThemeProvider>,
  );
  const texts = [...container.querySelectorAll("svg text")].map((it) => it.textContent);
  expect(texts).toEqual(["0%", "25%", "50%", "75%", "100%", "MTN", "GLO", "None", "AIRTEL"]);
  // Where there is nothing it says so, beside the axis as at the tip.
  expect([...container.querySelectorAll("[data-bar]")]).toHaveLength(4);
  const user = userEvent.setup();
  await user.tab();
  const chart = screen.getByRole("slider");
  expect(chart).toHaveAttribute("aria-orientation", "vertical");
  expect(chart).toHaveAttribute("aria-valuenow", "3");
  await user.keyboard("{ArrowDown}");
  expect(tip()).toBe("GLONone");
  expect(chart).toHaveAttribute("aria-valuenow", "2");
  await user.keyboard("{ArrowUp}");
  expect(tip()).toContain("MTN");
  expect(chart).toHaveAttribute("aria-valuenow", "3");
  await user.keyboard("{ArrowLeft}");
  expect(chart).toHaveAttribute("aria-valuenow", "2");
  await user.keyboard("{ArrowRight}");
  expect(chart).toHaveAttribute("aria-valuenow", "3");
  await user.keyboard("{Home}");
  expect(chart).toHaveAttribute("aria-valuenow", "1");
  await user.keyboard("{End}");
  expect(chart).toHaveAttribute("aria-valuenow", "3");
  await user.keyboard("{Home}");
  expect(tip()).toBe("AIRTELDelivered9 (90.0%)Failed1 (10.0%)");
  expect(screen.getByRole("slider")).toHaveAttribute(
    "aria-valuetext",
    "AIRTEL: Delivered 9 (90.0%), Failed 1 (10.0%)",
  );
});

test("without rows there are no shares to draw, and columns are nothing to move through", () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(340);
  const given = { rows: [], series: SERIES, title: (name: string) => name };
  const { container } = render(
    <ThemeProvider theme={lightTheme}>
      <ShareBars label="No rows" {...given} />
    </ThemeProvider>,
  );
  expect(container).toBeEmptyDOMElement();
  render(
    <ThemeProvider theme={lightTheme}>
      <StackedBars label="No columns" {...given} height={200} tick={(name) => name} />
    </ThemeProvider>,
  );
  expect(screen.queryByRole("slider")).toBeNull();
  expect(screen.getByRole("img", { name: "No columns" })).not.toHaveAttribute("tabindex");
});

test("up and down go through columns to what is later and earlier", async () => {
  columns();
  const user = userEvent.setup();
  await user.tab();
  await user.keyboard("{ArrowUp}");
  expect(tip()).toContain("GLO");
  await user.keyboard("{PageUp}");
  expect(tip()).toContain("AIRTEL");
  await user.keyboard("{ArrowDown}");
  expect(tip()).toContain("GLO");
});
