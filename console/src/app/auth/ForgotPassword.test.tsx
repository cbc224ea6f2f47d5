import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "../../testing/render";
import { answers } from "../../testing/server";
import ForgotPassword from "./ForgotPassword";

test("what still signs in after a new password is said with it, in one toast", async () => {
  answers("post", "/api/password/forgot", { message: "A code was sent to it", resend_after_s: 60 });
  answers("post", "/api/password/reset", {
    message: "Your password is changed: sign in with the new one",
    total_api_keys: 2,
    kingschat_linked: true,
  });
  const { user } = show(<ForgotPassword />);
  await user.type(screen.getByLabelText("Email"), "ada@example.com");
  await user.click(screen.getByRole("button", { name: "Send the code" }));
  await user.type(await screen.findByLabelText("Digit 1 of 6"), "123456");
  await user.type(screen.getByLabelText("New password"), "a-long-enough-password");
  await user.type(screen.getByLabelText("New password again"), "a-long-enough-password");
  await user.click(screen.getByRole("button", { name: "Set the password" }));
  const said =
    "Your password is changed: sign in with the new one. API keys that still work: 2. Revoke what you do not know. " +
    "A KingsChat account is linked and still logs in.";
  expect(await screen.findByText(said)).toBeVisible();
  expect(document.querySelectorAll(".toast .notistack-MuiContent")).toHaveLength(1);
});
