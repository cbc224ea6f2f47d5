import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { saveReports } from "../../design/campaign/reports";
import { signedIn } from "../../testing/render";
import { server } from "../../testing/server";
import { recipients, titleOf } from "./SentMessages";

test("the reports of a period are one file, which the daemon makes of what was asked for", async () => {
  signedIn();
  const asked: string[] = [];
  server.use(
    http.get("*/api/delivery-reports/export", ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.text("campaign_id,to,status\r\n2,2348031230001,delivered\r\n");
    }),
  );
  const made: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    made.push(blob as Blob);
    return "blob:test";
  });
  await saveReports({ from: "2026-11-01", type: "text" });
  expect(asked).toEqual(["?type=text&from=2026-11-01"]);
  expect(await made[0]?.text()).toContain("2,2348031230001,delivered");
});

test("a file that breaks off is none, so that it is not taken for complete", async () => {
  signedIn();
  server.use(http.get("*/api/delivery-reports/export", () => HttpResponse.error()));
  const made = vi.spyOn(URL, "createObjectURL");
  await expect(saveReports({})).rejects.toThrow("Talkdrum cannot be reached");
  expect(made).not.toHaveBeenCalled();
});

test("a row says to whom and what, also where there is no text", () => {
  expect(recipients({ contacts: "2348031230001,2348031230002", no_of_contacts: 1_000 })).toBe(
    "+234 803 123 0001 and 999 more",
  );
  expect(recipients({ contacts: "2348031230001", no_of_contacts: 1 })).toBe("+234 803 123 0001");
  const row = { msg: "x", wap_title: "Our prices", first_name: "Ada", last_name: "Obi" };
  expect(titleOf({ ...row, type: "wap" })).toBe("Our prices");
  expect(titleOf({ ...row, type: "vcard" })).toBe("Card of Ada Obi");
  expect(titleOf({ ...row, type: "text" })).toBe("x");
});
