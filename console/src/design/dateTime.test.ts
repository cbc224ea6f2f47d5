import { expect, test } from "vitest";
import { signedIn } from "../testing/render";
import { epochOf, formatDate, formatDateTime, readDay, readMinute } from "./dateTime";

test("times are shown in the viewer's zone, Lagos where none is known", () => {
  expect(formatDateTime("2026-11-21T23:30:00Z")).toBe("2026-11-22 00:30");
  signedIn({ zone: "America/New_York" });
  expect(formatDateTime("2026-11-21T23:30:00Z")).toBe("2026-11-21 18:30");
  expect(formatDate("2026-11-21T23:30:00Z")).toBe("2026-11-21");
  expect(formatDateTime("soon")).toBe("-");
});

test("a day is read as people write it, and there is no 31st of June", () => {
  expect(readDay("2026-11-21")).toBe("2026-11-21");
  expect(readDay(" 2026/1/5 ")).toBe("2026-01-05");
  for (const none of ["", "21-11-2026", "11/21/2026", "2026-06-31", "2026-13-01", "2026-11"]) {
    expect(readDay(none), none).toBeNull();
  }
});

test("a time is read with its day", () => {
  expect(readMinute("2026-11-21 9:05")).toBe("2026-11-21 09:05");
  expect(readMinute("2026-11-21T17:00")).toBe("2026-11-21 17:00");
  for (const none of ["2026-11-21", "2026-11-21 24:00", "2026-11-21 9:60", "2026-02-30 09:00", "09:00"]) {
    expect(readMinute(none), none).toBeNull();
  }
});

test("seconds are shown where steps follow each other within a minute", () => {
  const at = "2026-11-21T08:00:07.123Z";
  expect(formatDateTime(at, "Africa/Lagos", { seconds: true })).toBe("2026-11-21 09:00:07");
  expect(formatDateTime(at, "Africa/Lagos")).toBe("2026-11-21 09:00");
});

test("a minute of a zone is the same moment everywhere, also beside a change of the clocks", () => {
  expect(epochOf("2026-11-25 21:00", "Africa/Lagos")).toBe(Date.UTC(2026, 10, 25, 20) / 1_000);
  expect(epochOf("2026-03-29 00:30", "Europe/London")).toBe(Date.UTC(2026, 2, 29, 0, 30) / 1_000);
  expect(epochOf("2026-03-29 02:30", "Europe/London")).toBe(Date.UTC(2026, 2, 29, 1, 30) / 1_000);
  // The clocks go from 01:00 to 02:00.
  expect(epochOf("2026-03-29 01:30", "Europe/London")).toBeNull();
  expect(epochOf("soon", "Africa/Lagos")).toBeNull();
});
