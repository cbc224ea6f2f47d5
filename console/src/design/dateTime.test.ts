import { expect, test } from "vitest";
import { signedIn } from "../testing/render";
import { formatDate, formatDateTime } from "./dateTime";

test("times are shown in the viewer's zone, Lagos where none is known", () => {
  expect(formatDateTime("2026-11-21T23:30:00Z")).toBe("2026-11-22 00:30");
  signedIn({ zone: "America/New_York" });
  expect(formatDateTime("2026-11-21T23:30:00Z")).toBe("2026-11-21 18:30");
  expect(formatDate("2026-11-21T23:30:00Z")).toBe("2026-11-21");
  expect(formatDateTime("soon")).toBe("-");
});
