import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { session } from "../../api/session";
import { show } from "../../testing/render";
import { answers, problem } from "../../testing/server";
import Register from "./Register";
import { REGISTERING, registering } from "./registration";
import VerifyRegistration from "./VerifyRegistration";

beforeEach(() => answers("get", "/api/kingschat/options", { enabled: false }));

async function fill(user: ReturnType<typeof show>["user"], again = "long-enough") {
  await user.type(screen.getByLabelText("Your name or business"), "Ada Obi");
  await user.type(screen.getByLabelText("Username"), "ada");
  await user.type(screen.getByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Phone number"), "08031234567");
  await user.type(screen.getByLabelText("Password"), "long-enough");
  await user.type(screen.getByLabelText("Password again"), again);
  await user.click(screen.getByRole("button", { name: "Create account" }));
}

test("each missing field is named", async () => {
  const { user } = show(<Register />);
  await user.click(screen.getByRole("button", { name: "Create account" }));
  for (const name of ["Name", "Username", "Email", "Phone number", "Password"]) {
    expect(await screen.findByText(`${name} is required`)).toBeVisible();
  }
});

test("what the daemon would refuse is marked before it is asked, all at once", async () => {
  const { user } = show(<Register />);
  await user.type(screen.getByLabelText("Username"), "a!");
  await user.type(screen.getByLabelText("Email"), "ada@");
  await user.type(screen.getByLabelText("Phone number"), "none");
  await user.type(screen.getByLabelText("Password"), "short");
  await user.click(screen.getByRole("button", { name: "Create account" }));
  expect(await screen.findByText("Name is required")).toBeVisible();
  for (const text of [
    "Use 3 to 32 letters, digits, dots, dashes or underscores",
    "Email address is invalid",
    "Write a phone number such as 08031234567",
    "Use at least 8 characters",
  ]) {
    expect(screen.getByText(text)).toBeVisible();
  }
});

test("the password is typed twice alike", async () => {
  const { user } = show(<Register />);
  await fill(user, "something else");
  expect(await screen.findByText("Passwords do not match")).toBeVisible();
});

test("what the daemon says of a field stands at the field", async () => {
  const errors = [{ field: "username", message: "Username is already taken" }];
  answers("post", "/api/register/start", problem(400, "username_taken", "x", { errors }), 400);
  const { user } = show(<Register />);
  await fill(user);
  expect(await screen.findByText("Username is already taken")).toBeVisible();
  expect(screen.getByLabelText("Username")).toBeInvalid();
});

test("a registration goes on to the code, and the code to the sign-in", async () => {
  answers("post", "/api/register/start", { message: "Code sent", resend_after_s: 60, valid_for_s: 600 });
  const first = show(<Register />, { at: "/auth/register" });
  await fill(first.user);
  await waitFor(() => expect(first.where()).toBe("/auth/verify-reg"));
  expect(registering()).toEqual({ phone: "08031234567", afterS: 60 });
  first.unmount();

  let sent: unknown;
  answers("post", "/api/register/verify", { user: {}, message: "Verified" }, 201, async (request) => {
    sent = await request.json();
  });
  const { user, where } = show(<VerifyRegistration />, { at: "/auth/verify-reg" });
  expect(screen.getByRole("button", { name: /Send another code in/ })).toBeDisabled();
  await user.click(screen.getByRole("button", { name: "Verify" }));
  expect(await screen.findByText("Please enter the 6-digit code")).toBeVisible();
  await user.click(screen.getByLabelText("Digit 1 of 6"));
  await user.paste("246810");
  await waitFor(() => expect(where()).toBe("/auth/login"));
  expect(sent).toEqual({ phone_number: "08031234567", code: "246810" });
});

test("a user name that is taken is replaced after the code", async () => {
  session.keep(REGISTERING, JSON.stringify({ phone: "08031234567", afterS: 0 }));
  const errors = [{ field: "username", message: "Username is already taken" }];
  answers("post", "/api/register/verify", problem(400, "username_taken", "x", { errors }), 400);
  const { user, where } = show(<VerifyRegistration />, { at: "/auth/verify-reg" });
  await user.click(screen.getByLabelText("Digit 1 of 6"));
  await user.paste("246810");
  expect(await screen.findByText("Username is already taken")).toBeVisible();
  let sent: unknown;
  answers("post", "/api/register/verify", { user: {}, message: "Verified" }, 201, async (request) => {
    sent = await request.json();
  });
  await user.type(screen.getByLabelText("Another user name"), "ada.obi");
  await user.click(screen.getByRole("button", { name: "Verify" }));
  await waitFor(() => expect(where()).toBe("/auth/login"));
  expect(sent).toEqual({ phone_number: "08031234567", code: "246810", username: "ada.obi" });
});

test("without a registration in this tab the number is asked for", async () => {
  const { user } = show(<VerifyRegistration />);
  await user.click(screen.getByRole("button", { name: "Verify" }));
  expect(await screen.findByText("Please enter your phone number")).toBeVisible();
});
