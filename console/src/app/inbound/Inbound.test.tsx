import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { incomplete } from "../../testing/rows";
import { answers } from "../../testing/server";
import Inbound from "./Inbound";

test("a customer sees how much of a long reply never came, and of a whole one nothing of the kind", async () => {
  signedIn();
  const whole = { ...incomplete, id: 2, text: "When do you open?", parts_missing: 0 };
  answers("get", "/api/inbound-messages", { messages: [incomplete, whole], total: 2 });
  show(<Inbound />, { at: "/dashboard/inbound-messages" });
  expect(await screen.findByText(/\[…\] and tomorrow/)).toHaveTextContent("1 of 3 parts never came");
  expect(screen.getAllByText(/never came/)).toHaveLength(1);
});
