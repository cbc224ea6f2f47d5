import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { draftDaemon } from "../../testing/drafts";
import { show, signedIn } from "../../testing/render";
import { answers, server } from "../../testing/server";
import { EMPTY, stored } from "./draft";
import ComposePage from "./Page";

interface Kept {
  id: number;
  name: string;
  text: string;
}

let kept: Kept[];

beforeEach(() => {
  signedIn();
  answers("get", "/api/get-sender-id", { senderId: [], total: 0 });
  answers("get", "/api/get/group", { groups: [], total: 0 });
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": [{ value: 0.01 }],
    "SMS-UNIT-PRICE-IN-NAIRA": [{ value: 4.5 }],
  });
  const balances = { "espees-balance": 5, espees_reserved: 0, paystack_balance: 0, paystack_reserved: 0 };
  answers("get", "/api/get-espee-balance", balances);
  draftDaemon();
  kept = [{ id: 1, name: "Sale", text: "Dear {name}, come" }];
  server.use(
    http.get("*/api/templates", () => HttpResponse.json({ templates: kept })),
    http.post("*/api/templates", async ({ request }) => {
      const template = { id: 2, ...((await request.json()) as Omit<Kept, "id">) };
      kept.push(template);
      return HttpResponse.json({ message: "Template saved", template }, { status: 201 });
    }),
    http.put("*/api/templates/:id", async ({ request, params }) => {
      const template = { id: Number(params.id), ...((await request.json()) as Omit<Kept, "id">) };
      kept = kept.map((it) => (it.id === template.id ? template : it));
      return HttpResponse.json({ message: "Template saved", template });
    }),
    http.delete("*/api/templates/:id", ({ params }) => {
      kept = kept.filter((it) => it.id !== Number(params.id));
      return HttpResponse.json({ message: "Template deleted" });
    }),
  );
});

const message = () => screen.getByRole("textbox", { name: "Message" });

test("a template is put into the message, and can be deleted", async () => {
  const { user } = show(<ComposePage />);
  expect(screen.getByRole("button", { name: "Save as template" })).toBeDisabled();
  await user.click(screen.getByRole("button", { name: "Use a template" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Use a template" }));
  await user.click(await dialog.findByRole("button", { name: /^Sale/ }));
  expect(message()).toHaveValue("Dear {name}, come");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Use a template" }));
  await user.click(await screen.findByRole("button", { name: "Delete the template Sale" }));
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  await waitFor(() => expect(kept).toEqual([]));
  expect(await screen.findByText(/You have no templates yet/)).toBeVisible();
});

test("what is written is kept under a name; under one that is there, in its place", async () => {
  stored.save({ ...EMPTY, message: "Come on Sunday" });
  const { user } = show(<ComposePage />);
  const save = async (name: string, button: string) => {
    await user.click(screen.getByRole("button", { name: "Save as template" }));
    await user.type(await screen.findByRole("textbox", { name: "Name" }), name);
    await user.click(screen.getByRole("button", { name: button }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  };
  await save("Sunday", "Save");
  expect(kept.at(-1)).toEqual({ id: 2, name: "Sunday", text: "Come on Sunday" });
  await save("sale", "Replace");
  expect(kept).toHaveLength(2);
  expect(kept[0]).toEqual({ id: 1, name: "sale", text: "Come on Sunday" });
});

test("a test goes to one's own phone as an ordinary message, once its price is agreed to", async () => {
  signedIn({ phone_number: "2348031230001" });
  stored.save({ ...EMPTY, message: "Dear {name|friend}, come", payment_method: "espees" });
  const sent: unknown[] = [];
  answers(
    "post",
    "/api/messages",
    { details: {}, text: "", balance: 4.99, message: "SMS Sent" },
    200,
    async (request) => {
      sent.push(await request.json());
    },
  );
  const { user } = show(<ComposePage />);
  await screen.findByText("0.01000 ESPEES a page");
  await user.click(screen.getByRole("button", { name: "Send a test to me" }));
  const dialog = await screen.findByRole("dialog", { name: "Send a test to your own phone?" });
  expect(dialog).toHaveTextContent("+234 803 123 0001");
  expect(dialog).toHaveTextContent("costs 0.01 ESPEES");
  expect(sent).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Send the test" }));
  expect(await screen.findByText("SMS Sent")).toBeVisible();
  expect(sent).toEqual([
    {
      sms_type: "text",
      senderid: "WEBSMS",
      payment_method: "espees",
      contacts: "2348031230001",
      message: "Dear friend, come",
      max_charge: 0.01,
    },
  ]);
  // The form is still there to be sent.
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(message()).toHaveValue("Dear {name|friend}, come");
});

test("a test that waits for the end of the quiet hours says until when, as other pages do", async () => {
  signedIn({ phone_number: "2348031230001" });
  stored.save({ ...EMPTY, message: "Come", payment_method: "espees" });
  const delayed_start = "2026-11-22T07:00:00Z";
  const message = `SMS waits for the end of the quiet hours, ${delayed_start}`;
  answers("post", "/api/messages", { details: {}, text: "", balance: 4.99, delayed_start, message });
  const { user } = show(<ComposePage />);
  await screen.findByText("0.01000 ESPEES a page");
  await user.click(screen.getByRole("button", { name: "Send a test to me" }));
  const dialog = await screen.findByRole("dialog", { name: "Send a test to your own phone?" });
  expect(dialog).not.toHaveTextContent("at once");
  await user.click(within(dialog).getByRole("button", { name: "Send the test" }));
  expect(await screen.findByText("SMS waits for the end of the quiet hours, 2026-11-22 08:00")).toBeVisible();
});
