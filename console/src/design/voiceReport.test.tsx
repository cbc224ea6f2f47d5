import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "../testing/render";
import { hereOf } from "./RecordingPlayer";
import { againIn, Failed, numbersOf, Refunded, type VoiceReport } from "./voiceReport";

test("failed calls show their numbers, and how many more there are", async () => {
  const report = { no_of_failed_contacts: 3, failed_contacts: "2348031239104,2348031239101" };
  const { user } = show(<Failed report={report as VoiceReport} />);
  await user.click(screen.getByRole("button", { name: "3 failed: show the numbers" }));
  const shown = await screen.findByRole("dialog", { name: "Calls that failed" });
  expect(shown).toHaveTextContent("+234 803 123 9104");
  expect(shown).toHaveTextContent("and 1 more");
});

test("a list is read again while calls go on", () => {
  expect(againIn([{ status: "completed" }, { status: "sending" }])).toBe(3_000);
  expect(againIn([{ status: "completed" }])).toBe(false);
  expect(againIn(undefined)).toBe(false);
  expect(numbersOf("")).toEqual([]);
});

test("a recording is played from where the page is from", () => {
  expect(hereOf("https://sms.example.com/api/recordings/4/audio?expires=1&signature=a")).toBe(
    "/api/recordings/4/audio?expires=1&signature=a",
  );
});

test("nothing refunded and nothing failed is as expected, and takes no room on a phone", () => {
  const report = { currency: "naira", no_of_failed_contacts: 0, failed_contacts: "" };
  const { container } = show(
    <>
      <Failed report={report as VoiceReport} />
      <Refunded report={{ ...report, refunded_amount: 0 } as VoiceReport} />
      <Refunded report={{ ...report, refunded_amount: 9 } as VoiceReport} />
    </>,
  );
  const usual = [...container.querySelectorAll("[data-usual]")].map((it) => it.textContent);
  expect(usual).toEqual(["0", "₦0.00"]);
  expect(container).toHaveTextContent("₦9.00");
});
