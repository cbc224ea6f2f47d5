import { expect, test } from "vitest";
import { ApiProblem } from "../../api/problem";
import { session } from "../../api/session";
import { signedIn } from "../../testing/render";
import { type Draft, EMPTY, errorsOf, partsOf, stored, tellsFailure } from "./draft";

const fault = (draft: Partial<Draft>, active = true, files = 0) =>
  errorsOf({ ...EMPTY, ...draft }, active, files)[0]?.text ?? null;

test("every field that is wrong is marked at once", () => {
  const marked = (draft: Partial<Draft>) =>
    errorsOf({ ...EMPTY, ...draft }, true, 0).map((it) => [it.field, it.text]);
  expect(marked({})).toEqual([
    ["payment_method", "Payment method is required"],
    ["recipients", "Recipients are required"],
    ["message", "Message is required"],
  ]);
  const ready = { payment_method: "espees", recipients: "08031234567" } as const;
  expect(marked({ ...ready, kind: "wap-push" }).map(([field]) => field)).toEqual(["wap_title", "wap_url"]);
  expect(marked({ ...ready, kind: "vcard" })).toHaveLength(6);
});

test("a business card needs an email address and a telephone number that can be used", () => {
  const card = { first_name: "A", last_name: "B", company: "C", job_title: "D" };
  const ready = { payment_method: "espees", recipients: "08031234567", kind: "vcard", ...card } as const;
  expect(errorsOf({ ...EMPTY, ...ready, telephone: "0803 123 4567", email: "ada@" }, true, 0)).toEqual([
    { field: "email", text: "Email address is invalid" },
  ]);
  expect(errorsOf({ ...EMPTY, ...ready, telephone: "call me", email: "a@b.ng" }, true, 0)).toEqual([
    { field: "telephone", text: "Telephone is invalid: write digits, as 08031234567 or +2348031234567" },
  ]);
});

test("the first fault is told in the specification's order", () => {
  expect(fault({ senderid: "" }, false)).toBe("Please Contact Admin to activate your account");
  expect(fault({ senderid: " " })).toBe("Sender ID is required");
  expect(fault({})).toBe("Payment method is required");
  const paid = { payment_method: "espees" } as const;
  expect(fault(paid)).toBe("Recipients are required");
  const to = { ...paid, recipients: "08031234567" };
  expect(fault(to)).toBe("Message is required");
  expect(fault({ ...paid, groups: [1] })).toBe("Message is required");
  expect(fault(paid, true, 1)).toBe("Message is required");
  expect(fault({ ...to, kind: "wap-push", wap_title: "x" })).toBe(
    "WAP title and URL are required for WAP push messages",
  );
  const card = { first_name: "A", last_name: "B", company: "C", job_title: "D", telephone: "08031234567" };
  expect(fault({ ...to, kind: "vcard", ...card })).toBe("All vCard fields are required");
  expect(fault({ ...to, kind: "vcard", ...card, email: "f@g.ng" })).toBeNull();
  expect(fault({ ...to, message: "Hi", later: true })).toContain("Time is required");
  const later = { ...to, message: "Hi", later: true };
  expect(fault({ ...later, times: ["2030-01-31 09:30", "tomorrow"] })).toContain("'tomorrow' is no time");
  expect(fault({ ...later, times: ["2030-01-31 09:30", ""] })).toBeNull();
  expect(fault({ ...to, message: "Hi" })).toBeNull();
});

test("only the fields of the kind are sent, under the names of the API", () => {
  const draft: Draft = { ...EMPTY, message: "Hi", wap_title: "t", times: ["2030-01-31T09:30"] };
  expect(partsOf(draft, [])).toMatchObject({ message: "Hi", time: [] });
  expect(partsOf({ ...draft, kind: "unicode", later: true }, [])).toMatchObject({
    msg: "Hi",
    time: ["2030-01-31 09:30"],
  });
  expect(partsOf({ ...draft, kind: "wap-push" }, [])).not.toHaveProperty("message");
});

test("a draft survives a reload, and a damaged one is none", () => {
  signedIn();
  stored.save({ ...EMPTY, message: "half a thought" });
  expect(stored.load().message).toBe("half a thought");
  for (const damaged of ["{", "7", '{"groups":"all"}']) {
    session.keepDraft("compose", damaged);
    expect(stored.load()).toEqual(EMPTY);
  }
});

test("a draft outlives a session that ended by itself, for its own account alone", () => {
  const written = { ...EMPTY, message: "half a thought" };
  signedIn({ id: 7 });
  stored.save(written);
  session.end("expired");
  expect(session.outlived()).toBe(true);
  signedIn({ id: 7 });
  expect(stored.load()).toEqual(written);
  expect(session.outlived()).toBe(true);
  session.end("expired");
  signedIn({ id: 8 });
  expect(stored.load()).toEqual(EMPTY);
  signedIn({ id: 7 });
  expect(stored.load()).toEqual(EMPTY);
});

test("signing out leaves no draft, and a form in which nothing was written is none", () => {
  signedIn();
  stored.save({ ...EMPTY, message: "half a thought" });
  session.clear();
  expect(sessionStorage.length).toBe(0);
  signedIn();
  stored.save({ ...EMPTY, payment_method: "espees" });
  session.end("expired");
  expect(session.outlived()).toBe(false);
});

test("of a card that is scheduled only a refusal of status 400 has the specification's words", () => {
  const refusal = (status: number) => new ApiProblem(status, "x", "No");
  expect(tellsFailure({ kind: "vcard", later: true }, refusal(400))).toBe(true);
  expect(tellsFailure({ kind: "vcard", later: true }, refusal(403))).toBe(false);
  expect(tellsFailure({ kind: "vcard", later: false }, refusal(403))).toBe(true);
  expect(tellsFailure({ kind: "text", later: true }, refusal(0))).toBe(true);
});
