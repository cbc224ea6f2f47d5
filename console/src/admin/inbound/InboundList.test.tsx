import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { incomplete } from "../../testing/rows";
import { answers } from "../../testing/server";
import InboundList from "./InboundList";

test("an operator sees how much of a long message never came", async () => {
  answers("get", "/api/inbound-messages", { messages: [incomplete], total: 1 });
  showAdmin(<InboundList />, "inbound-messages");
  expect(await screen.findByText("1 of 3 parts never came: nothing was done about it")).toBeVisible();
  expect(screen.getByRole("link", { name: "ada" })).toBeVisible();
});
