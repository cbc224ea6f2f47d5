import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { signedIn } from "../../testing/render";
import { answers, server } from "../../testing/server";
import { campaignOf } from "./campaign.fixture";
import { saveReports } from "./reports";
import { recipients, titleOf } from "./SentMessages";

test("the reports of several campaigns are one file with one first line", async () => {
  signedIn();
  const campaigns = [campaignOf({ delivered: 1 }, { id: 2 }), campaignOf({ delivered: 1 }, { id: 1 })];
  answers("get", "/api/get-campaign-history", { campaigns, total: 2 });
  server.use(
    http.get("*/api/campaigns/:id/export", ({ params }) =>
      HttpResponse.text(`to,status\r\n23480${String(params.id)},delivered\r\n`),
    ),
  );
  const made: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    made.push(blob as Blob);
    return "blob:test";
  });
  const read = vi.fn();
  await saveReports({}, read);
  expect(await made[0]?.text()).toBe("to,status\r\n234802,delivered\r\n234801,delivered\r\n");
  expect(read.mock.calls).toEqual([
    [0, 2],
    [1, 2],
  ]);
});

test("a campaign that breaks off breaks the file off: nobody takes it for complete", async () => {
  signedIn();
  answers("get", "/api/get-campaign-history", { campaigns: [campaignOf({ delivered: 1 })], total: 1 });
  server.use(http.get("*/api/campaigns/:id/export", () => HttpResponse.error()));
  const made = vi.spyOn(URL, "createObjectURL");
  await expect(saveReports({}, () => undefined)).rejects.toThrow("Talkdrum cannot be reached");
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
