import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import Profile from "./Profile";

test("a new number and a new address each wait for their code, one after the other", async () => {
  const user = signedIn();
  const bodies: Record<string, unknown>[] = [];
  const keep = async (request: Request) =>
    void bodies.push((await request.json()) as Record<string, unknown>);
  answers("get", "/api/user-profile", { user, scopes: [], signed_in_with: "session" });
  answers("get", "/api/get-last-sent-message", {});
  answers("get", "/api/get-espee-balance", {
    "espees-balance": 1,
    paystack_balance: 2,
    espees_reserved: 0,
    paystack_reserved: 0,
  });
  const both = {
    message: "Codes sent",
    requires_email_verification: true,
    requires_phone_verification: true,
    user,
  };
  answers("post", "/api/edit-profile", both);
  const done = {
    message: "Confirmed",
    requires_email_verification: false,
    requires_phone_verification: false,
    user,
  };
  answers("post", "/api/confirm-email", done, 200, keep);
  answers("post", "/api/confirm-phone", done, 200, keep);
  const { user: person } = show(<Profile />);
  await person.click(await screen.findByRole("button", { name: "Edit profile" }));
  await person.type(screen.getByLabelText("Phone number"), "8");
  await person.type(screen.getByLabelText("Email"), "g");
  await person.click(screen.getByRole("button", { name: "Save" }));
  await person.type(await screen.findByLabelText("Six-digit code"), "123456");
  expect(screen.getByRole("dialog", { name: "Confirm your new email" })).toBeVisible();
  await person.click(screen.getByRole("button", { name: "Confirm" }));
  expect(await screen.findByRole("dialog", { name: "Confirm your new phone number" })).toBeVisible();
  await person.type(screen.getByLabelText("Six-digit code"), "654321");
  await person.click(screen.getByRole("button", { name: "Confirm" }));
  await screen.findByRole("button", { name: "Edit profile" });
  expect(bodies).toEqual([{ code: "123456" }, { code: "654321" }]);
}, 20_000);
