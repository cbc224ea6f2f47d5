import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers, problem, server } from "../../testing/server";
import OwnNumbers from "./OwnNumbers";

type Form = Record<string, FormDataEntryValue>;

const number = (phone_number: string, status: string) => ({
  id: Number(phone_number.slice(-4)),
  user_id: 7,
  username: "ada",
  phone_number,
  status,
  created_at: "2026-11-21T08:00:00Z",
});

function numbers(...rows: object[]) {
  answers("get", "/api/get-own-number", { "Own-Number": rows, total: rows.length });
}

/** Answers each call to the voice endpoint by its form, and keeps the keys and forms. */
function voiceCalls(answer: (form: Form, at: number) => HttpResponse<object> | Response) {
  const seen: { key: string | null; form: Form }[] = [];
  server.use(
    http.post("*/api/voice-call", async ({ request }) => {
      const form = Object.fromEntries(await request.formData());
      seen.push({ key: request.headers.get("Idempotency-Key"), form });
      return answer(form, seen.length);
    }),
  );
  return seen;
}

beforeEach(() => {
  signedIn();
  numbers();
  answers("get", "/api/get-own-price", { "OWN-UNIT-PRICE": [{ value: 0.2 }] });
  answers("get", "/api/get-voice-unit-price", {
    "VOICE-UNIT-PRICE": [{ value: 0.5 }],
    "VOICE-UNIT-PRICE-NAIRA": [{ value: 9 }],
  });
  const balances = { "espees-balance": 5, espees_reserved: 0, paystack_balance: 100, paystack_reserved: 0 };
  answers("get", "/api/get-espee-balance", balances);
});

test("a phone is called at a price that is known before, its code is entered, and it is verified", async () => {
  const seen = voiceCalls((form) => {
    if (!form.validation_code) return HttpResponse.json({ message: "Code sent" });
    numbers(number("2348031234567", "verified"));
    return HttpResponse.json({ message: "Own number verified" });
  });
  const { user } = show(<OwnNumbers />);
  expect(await screen.findByText("0.20000 ESPEES a pulse")).toBeVisible();
  expect(screen.getByText("₦9.00000 a pulse")).toBeVisible();
  await user.type(screen.getByLabelText("Phone number"), "0803 123 4567");
  await user.click(screen.getByRole("radio", { name: /Naira balance/ }));
  await user.click(screen.getByRole("button", { name: "Call me with a code" }));
  expect(await screen.findByText("Code sent")).toBeVisible();
  expect(screen.getByRole("button", { name: /^Call me again in (60|59|58) s$/ })).toBeDisabled();
  await user.type(await screen.findByLabelText("Digit 1 of 6"), "123456");
  expect(await screen.findByText("Own number verified")).toBeVisible();
  const row = await screen.findByRole("row", { name: /\+234 803 123 4567/ });
  expect(row).toHaveTextContent("Verified");
  expect(seen.map((it) => it.form)).toEqual([
    { own_number: "0803 123 4567", payment_method: "paystack" },
    { own_number: "0803 123 4567", validation_code: "123456" },
  ]);
  // The next one begins with an empty form.
  expect(screen.getByLabelText("Phone number")).toHaveValue("");
});

test("what is missing is said before anything is asked, and what the daemon refuses is said at its field", async () => {
  const seen = voiceCalls(() => {
    const errors = [{ field: "own_number", code: "number_taken", message: "This number is another user's" }];
    return HttpResponse.json(problem(400, "validation", "x", { errors }), { status: 400 });
  });
  const { user } = show(<OwnNumbers />);
  await screen.findByText("₦9.00000 a pulse");
  await user.click(screen.getByRole("button", { name: "Call me with a code" }));
  expect(await screen.findByText("Please enter your phone number")).toBeVisible();
  expect(screen.getByText("Payment method is required")).toBeVisible();
  expect(seen).toHaveLength(0);
  await user.type(screen.getByLabelText("Phone number"), "08031234567");
  await user.click(screen.getByRole("radio", { name: /ESPEES/ }));
  await user.click(screen.getByRole("button", { name: "Call me with a code" }));
  expect(await screen.findByText("This number is another user's")).toBeVisible();
  expect(screen.getByLabelText("Phone number")).toBeInvalid();
});

test("a request that met with silence is asked again under its key, so that one call is paid", async () => {
  const seen = voiceCalls((_, at) =>
    at === 1 ? HttpResponse.error() : HttpResponse.json({ message: "Code sent" }),
  );
  const { user } = show(<OwnNumbers />);
  await screen.findByText("₦9.00000 a pulse");
  await user.type(screen.getByLabelText("Phone number"), "08031234567");
  await user.click(screen.getByRole("radio", { name: /ESPEES/ }));
  await user.click(screen.getByRole("button", { name: "Call me with a code" }));
  expect(await screen.findByText(/Talkdrum cannot be reached/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Call me with a code" }));
  expect(await screen.findByLabelText("Digit 1 of 6")).toBeVisible();
  expect(seen).toHaveLength(2);
  expect(seen[0]?.key).toBe(seen[1]?.key);
});

test("a code of an earlier call can be entered, and a wrong one is said at the digits", async () => {
  const seen = voiceCalls(() => {
    const errors = [{ field: "validation_code", code: "code_wrong", message: "That is not the code" }];
    return HttpResponse.json(problem(400, "validation", "x", { errors }), { status: 400 });
  });
  const { user } = show(<OwnNumbers />);
  await user.click(await screen.findByRole("button", { name: "I have a code" }));
  expect(await screen.findByText("Please enter your phone number")).toBeVisible();
  await user.type(screen.getByLabelText("Phone number"), "08031239101");
  await user.click(screen.getByRole("button", { name: "I have a code" }));
  const form = within(await screen.findByRole("form", { name: "Enter the code" }));
  expect(form.queryByRole("button", { name: /Call me again/ })).toBeNull();
  await user.click(form.getByRole("button", { name: "Verify" }));
  expect(await form.findByText("Please enter the 6-digit code")).toBeVisible();
  expect(seen).toHaveLength(0);
  await user.type(form.getByLabelText("Digit 1 of 6"), "654321");
  expect(await form.findByText("That is not the code")).toBeVisible();
  expect(seen[0]?.form).toEqual({ own_number: "08031239101", validation_code: "654321" });
  await user.click(form.getByRole("button", { name: "Back" }));
  expect(await screen.findByLabelText("Phone number")).toHaveValue("08031239101");
});

test("it is told how the call goes, and what is given back where it was not answered", async () => {
  const call = { id: 4, message: "The phone rings", over: false, currency: "naira", refunded: 0 };
  voiceCalls(() => HttpResponse.json({ message: "Code sent", details: call }));
  answers("get", "/api/own-number-calls/4", call);
  const { user } = show(<OwnNumbers />);
  await screen.findByText("₦9.00000 a pulse");
  await user.type(screen.getByLabelText("Phone number"), "08031239101");
  await user.click(screen.getByRole("radio", { name: /Naira balance/ }));
  await user.click(screen.getByRole("button", { name: "Call me with a code" }));
  expect(await screen.findByText(/The phone rings\./)).toBeVisible();
  const end = { ...call, message: "The call was not answered: busy", over: true, refunded: 9.005 };
  answers("get", "/api/own-number-calls/4", end);
  const told = await screen.findByText(/The call was not answered: busy\./, {}, { timeout: 4_000 });
  expect(told).toHaveTextContent("₦9.005 was refunded.");
});

test("a number is withdrawn after a question that says what pauses", async () => {
  numbers(number("2348031234567", "verified"));
  const withdrawn: string[] = [];
  server.use(
    http.delete("*/api/own-numbers/:number", ({ params }) => {
      withdrawn.push(String(params.number));
      numbers();
      const message = "Number withdrawn: no more calls show it; 1 campaign that calls from it is paused";
      return HttpResponse.json({ message, campaigns_paused: 1 });
    }),
  );
  const { user } = show(<OwnNumbers />);
  await user.click(await screen.findByRole("button", { name: "Withdraw +234 803 123 4567" }));
  const question = within(await screen.findByRole("dialog", { name: "Withdraw +234 803 123 4567?" }));
  expect(question.getByText(/campaigns that call from it pause/)).toBeVisible();
  expect(withdrawn).toEqual([]);
  await user.click(question.getByRole("button", { name: "Withdraw" }));
  expect(await screen.findByText(/1 campaign that calls from it is paused/)).toBeVisible();
  expect(await screen.findByText("No own numbers yet")).toBeVisible();
  expect(withdrawn).toEqual(["2348031234567"]);
});
