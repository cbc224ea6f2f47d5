import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import OptOuts from "./OptOuts";

const optOut = (id: number, phone: string, reach: string, source = "stop") => ({
  id,
  phone,
  reach,
  source,
  note: "",
  created_at: "2026-11-01T08:00:00Z",
});

test("each opt-out says which messages it ends", async () => {
  signedIn();
  answers("get", "/api/optouts", {
    optouts: [optOut(1, "2348030000001", "promotional"), optOut(2, "2348030000002", "all")],
    total: 2,
  });
  show(<OptOuts />);
  expect((await screen.findAllByText("Advertising"))[0]).toBeVisible();
  expect(screen.getAllByText("Everything but codes")[0]).toBeVisible();
});

test("a number that is added ends everything but codes until advertising alone is chosen", async () => {
  signedIn();
  answers("get", "/api/optouts", { optouts: [], total: 0 });
  const bodies: unknown[] = [];
  answers("post", "/api/optouts", { message: "Added" }, 200, async (request) => {
    bodies.push(await request.json());
  });
  const user = userEvent.setup();
  show(<OptOuts />);
  await screen.findByText("No number has opted out");
  await user.click(screen.getAllByRole("button", { name: "Add a number" })[0] as HTMLElement);
  const ends = await screen.findByRole("combobox", { name: "Ends" });
  expect(ends).toHaveTextContent("Everything but codes");
  await user.click(ends);
  await user.click(await screen.findByRole("option", { name: "Advertising" }));
  await user.type(screen.getByRole("textbox", { name: "Phone number" }), "08030000001");
  await user.click(screen.getByRole("button", { name: "Add to opt-outs" }));
  await waitFor(() => expect(bodies).toEqual([{ phone: "08030000001", reach: "promotional", note: "" }]));
});

test.each([
  ["promotional", "stop", "Send advertising to", "asked for no more advertising"],
  ["all", "stop", "Send to", "asked for no more messages but codes"],
  ["promotional", "manual", "Send advertising to", "the number gets your advertising again"],
  ["all", "manual", "Send to", "the number gets your messages again"],
])("before one of %s by %s is removed, it is said what comes again", async (reach, source, title, text) => {
  signedIn();
  answers("get", "/api/optouts", { optouts: [optOut(1, "2348030000001", reach, source)], total: 1 });
  const { user } = show(<OptOuts />);
  await user.click((await screen.findAllByRole("button", { name: /^Remove / }))[0] as HTMLElement);
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveAccessibleName(`${title} +234 803 000 0001 again?`);
  expect(dialog).toHaveTextContent(text);
});
