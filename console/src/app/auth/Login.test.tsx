import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { session } from "../../api/session";
import { show } from "../../testing/render";
import { answers, problem } from "../../testing/server";
import AdminLogin from "./AdminLogin";
import Login from "./Login";

beforeEach(() => answers("get", "/api/kingschat/options", { enabled: false }));

test("what is missing is said in the specification's words, and nothing is asked", async () => {
  const { user } = show(<Login />);
  await user.click(screen.getByRole("button", { name: "Log in" }));
  expect(await screen.findByText("Email is required")).toBeVisible();
  expect(screen.getByText("Password is required")).toBeVisible();
  await user.type(screen.getByLabelText("Email or user name"), "ada@");
  expect(await screen.findByText("Email address is invalid")).toBeVisible();
});

test("a refusal is said beside the form", async () => {
  const text = "The user name or the password is wrong";
  answers("post", "/api/login", problem(401, "wrong_credentials", text), 401);
  const { user } = show(<Login />);
  await user.type(screen.getByLabelText("Email or user name"), "ada");
  await user.type(screen.getByLabelText("Password"), "wrong{Enter}");
  expect(await screen.findByText(text)).toBeVisible();
  expect(session.get()).toBeNull();
});

test("a sign-in begins the session and goes to the dashboard", async () => {
  answers("post", "/api/login", {
    token: "t",
    authorization: { token: "t", type: "bearer" },
    user: { id: 1, role: "user", name: "Ada", username: "ada" },
    message: "Logged in Successfully",
  });
  const { user, where } = show(<Login />, { at: "/auth/login" });
  await user.type(screen.getByLabelText("Email or user name"), "ada");
  await user.type(screen.getByLabelText("Password"), "secret-words{Enter}");
  await waitFor(() => expect(where()).toBe("/dashboard"));
  expect(session.get()?.token).toBe("t");
  expect(await screen.findByText("Logged in Successfully")).toBeVisible();
});

test("an address that is not proven asks for the code from the mailbox", async () => {
  const message = "A 6-digit code was sent to your email address: enter it to sign in";
  answers("post", "/api/login", { requires_email_verification: true, message });
  let sent: unknown;
  answers(
    "post",
    "/api/verify/email",
    { token: "t", user: { id: 1, role: "user", name: "Ada", username: "ada" }, message: "" },
    200,
    async (request) => {
      sent = await request.json();
    },
  );
  const { user, where } = show(<Login />, { at: "/auth/login" });
  await user.type(screen.getByLabelText("Email or user name"), "ada");
  await user.type(screen.getByLabelText("Password"), "secret-words{Enter}");
  expect(await screen.findByText(message)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Verify" }));
  expect(await screen.findByText("Enter all 6 digits")).toBeVisible();
  await user.click(screen.getByLabelText("Digit 1 of 6"));
  await user.paste("123456");
  await waitFor(() => expect(where()).toBe("/dashboard"));
  expect(sent).toEqual({ username: "ada", code: "123456" });
});

test("each door names the other", () => {
  const page = show(<Login />);
  expect(screen.getByRole("link", { name: "Administrators log in here" })).toHaveAttribute("href", "/login");
  page.unmount();
  show(<AdminLogin />);
  expect(screen.getByRole("link", { name: "Log in to your account" })).toHaveAttribute("href", "/auth/login");
});
