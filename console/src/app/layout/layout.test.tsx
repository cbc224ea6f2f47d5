import { render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { usePlace } from "../../design/place";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import { Announcements } from "./Announcements";
import { halves, repeated } from "./banners";
import { Menu } from "./Menu";
import { activeEntry } from "./menu";

test("announcements are dealt in halves, the upper one rounded up, and one alone is repeated three times", () => {
  expect(halves([1, 2, 3])).toEqual({ upper: [1, 2], lower: [3] });
  expect(halves([])).toEqual({ upper: [], lower: [] });
  expect(repeated(["a"])).toEqual(["a", "a", "a"]);
  expect(repeated(["a", "b"])).toEqual(["a", "b"]);
});

test("the menu highlights the entry of the page, also of pages below it", () => {
  expect(activeEntry("/dashboard")).toBe("/dashboard");
  expect(activeEntry("/dashboard/phonebook/3")).toBe("/dashboard/phonebook");
  expect(activeEntry("/dashboard/campaigns/12")).toBe("/dashboard/sent-messages");
  expect(activeEntry("/dashboard/voice-reports")).toBe("/dashboard/voice-reports");
  expect(activeEntry("/dashboard/unheard-of")).toBe("");
});

test("while a campaign of calls is open, the menu marks the voice reports", async () => {
  signedIn();
  function Place() {
    usePlace("/dashboard/voice-reports");
    return null;
  }
  const at = "/dashboard/campaigns/12";
  const page = show(<Menu admin={false} onChoose={() => undefined} onLogOut={() => undefined} />, { at });
  expect(screen.getByRole("link", { current: "page" })).toHaveTextContent("Sent Messages");
  const place = render(<Place />);
  expect(screen.getByRole("link", { current: "page" })).toHaveTextContent("Voice Reports");
  place.unmount();
  expect(screen.getByRole("link", { current: "page" })).toHaveTextContent("Sent Messages");
  page.unmount();
});

test("a group of the menu folds and stays so; that of the page is open", async () => {
  signedIn();
  const menu = <Menu admin={false} onChoose={() => undefined} onLogOut={() => undefined} />;
  const page = show(menu, { at: "/dashboard/pricing" });
  await page.user.click(screen.getByRole("button", { name: "Contacts" }));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Phonebook" })).toBeNull());
  page.unmount();
  const again = show(menu, { at: "/dashboard/pricing" });
  expect(screen.queryByRole("link", { name: "Phonebook" })).toBeNull();
  again.unmount();
  show(menu, { at: "/dashboard/phonebook" });
  expect(screen.getByRole("link", { name: "Phonebook" })).toHaveAttribute("aria-current", "page");
  localStorage.removeItem("menu.folded");
});

test("a banner can be paused and dismissed", async () => {
  signedIn();
  const at = "2026-11-01T08:00:00Z";
  const list = [{ id: 1, announcement: "New rates", is_active: 1, created_at: at, updated_at: at }];
  answers("get", "/api/get/announcement", { data: { Announcement: list }, Announcement: list, total: 1 });
  const { user } = show(<Announcements half="upper" />);
  await user.click(await screen.findByRole("button", { name: "Pause the announcements" }));
  expect(screen.getByRole("button", { name: "Let the announcements run" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Dismiss the announcements" }));
  expect(screen.queryByText("New rates")).toBeNull();
});
