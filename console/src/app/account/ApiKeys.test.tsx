import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import ApiKeys from "./ApiKeys";

const apiKey = (id: number, name: string, purpose: string | null) => ({
  id,
  name,
  prefix: "td_abc",
  scopes: ["send"],
  purpose,
  created_at: "2026-11-01T08:00:00Z",
});

async function openDialog() {
  signedIn();
  answers("get", "/api/api-keys", { api_keys: [], total: 0 });
  const bodies: unknown[] = [];
  const made = { key: "td_secret", api_key: apiKey(1, "shop", null), message: "Keep it" };
  answers("post", "/api/api-keys", made, 201, async (request) => {
    bodies.push(await request.json());
  });
  const { user } = show(<ApiKeys />);
  await user.click((await screen.findAllByRole("button", { name: "New API key" }))[0] as HTMLElement);
  const dialog = await screen.findByRole("dialog", { name: "New API key" });
  await user.type(within(dialog).getByLabelText("Name"), "shop");
  return { user, dialog: within(dialog), bodies };
}

test("the list says what each key's messages are for", async () => {
  signedIn();
  answers("get", "/api/api-keys", {
    api_keys: [apiKey(1, "sign-in", "otp"), apiKey(2, "shop", "promotional"), apiKey(3, "nightly", null)],
    total: 3,
  });
  show(<ApiKeys />);
  const row = async (name: string) => (await screen.findByText(name)).closest("tr") as HTMLElement;
  expect(await row("sign-in")).toHaveTextContent("Codes");
  expect(await row("shop")).toHaveTextContent("Advertising");
  expect(await row("nightly")).not.toHaveTextContent(/Codes|Advertising|Alerts/);
});

test("a key that may send is made with what its messages are for", async () => {
  const { user, dialog, bodies } = await openDialog();
  expect(dialog.queryByLabelText("Messages are for")).toBeNull();
  await user.click(dialog.getByRole("checkbox", { name: /^Send/ }));
  const choice = dialog.getByLabelText("Messages are for");
  expect(choice).toHaveDisplayValue("As set for the sender and the account");
  await user.selectOptions(choice, "Codes");
  expect(choice).toHaveAccessibleDescription(/no opt-out ends them/);
  await user.click(dialog.getByRole("button", { name: "Create key" }));
  expect(await screen.findByText("td_secret")).toBeVisible();
  expect(bodies).toEqual([{ name: "shop", scopes: ["read", "send"], purpose: "otp" }]);
});

test("nothing is said of it by a key that may not send after all", async () => {
  const { user, dialog, bodies } = await openDialog();
  const send = dialog.getByRole("checkbox", { name: /^Send/ });
  await user.click(send);
  await user.selectOptions(dialog.getByLabelText("Messages are for"), "Advertising");
  await user.click(send);
  await user.click(dialog.getByRole("button", { name: "Create key" }));
  expect(await screen.findByText("td_secret")).toBeVisible();
  expect(bodies).toEqual([{ name: "shop", scopes: ["read"] }]);
});
