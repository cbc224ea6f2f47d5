import { expect, test } from "vitest";
import { deliveryRate, share } from "./share";

test("a part is rounded to a tenth of a percent, and is never all or nothing while it is not", () => {
  expect(share(1, 3)).toBe("33.3%");
  expect(share(2, 3)).toBe("66.7%");
  expect(share(1, 100_000)).toBe("<0.1%");
  expect(share(99_999, 100_000)).toBe("99.9%");
  expect(share(0, 7)).toBe("0%");
  expect(share(7, 7)).toBe("100%");
  expect(share(0, 0)).toBe("0%");
});

test("shares of a whole add up to it within their last digit", () => {
  const parts = [4_563, 2_911, 1_717, 802, 7];
  const shown = parts.map((it) => Number(share(it, 10_000).slice(0, -1)));
  expect(Math.abs(shown.reduce((sum, it) => sum + it, 0) - 100)).toBeLessThanOrEqual(0.25);
});

test("a delivery rate counts only the messages whose end is known", () => {
  expect(deliveryRate({ delivered: 996, undelivered: 3, rejected: 1, expired: 0 })).toBe("99.6%");
  expect(deliveryRate({ delivered: 0, undelivered: 0, rejected: 0, expired: 0 })).toBe("-");
});
