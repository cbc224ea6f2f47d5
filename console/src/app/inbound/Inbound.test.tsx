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

test("STOP ALL is told from STOP, and neither from what only names it", async () => {
  signedIn();
  const reply = (id: number, text: string, action: string) => ({
    ...incomplete,
    id,
    text,
    action,
    parts_missing: 0,
  });
  const messages = [
    reply(1, " stop-all! ", "stop"),
    reply(2, "StopAll", "stop"),
    reply(3, "Stop.", "stop"),
    reply(4, "Stop all of it", "none"),
  ];
  answers("get", "/api/inbound-messages", { messages, total: 4 });
  show(<Inbound />, { at: "/dashboard/inbound-messages" });
  const row = async (text: string) => (await screen.findByText(text)).closest("tr") as HTMLElement;
  expect(await row("stop-all!")).toHaveTextContent("Opted out of all but codes");
  expect(await row("StopAll")).toHaveTextContent("Opted out of all but codes");
  expect(await row("Stop.")).toHaveTextContent(/Opted out(?! of)/);
  expect(await row("Stop all of it")).not.toHaveTextContent("Opted out");
});
