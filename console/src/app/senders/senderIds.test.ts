import { expect, test } from "vitest";
import { requestShape, senderIdError, senderIdsOf } from "./senderIds";

const said = (...texts: string[]) =>
  requestShape
    .safeParse({ sender_ids: texts.map((text) => ({ text })) })
    .error?.issues.map((it) => [it.path[1], it.message]);

test("a request needs one sender id at least", () => {
  expect(said("", " ")).toEqual([[0, "Please add a sender ID"]]);
  expect(said("", "SHOP")).toBeUndefined();
  expect(senderIdsOf({ sender_ids: [{ text: " My Shop " }, { text: "" }] })).toEqual(["My Shop"]);
});

test("eleven characters with spaces, or fourteen digits", () => {
  expect(senderIdError("My Shop Ltd")).toBeNull();
  expect(said("SHOP", "TWELVE CHARS")).toEqual([[1, "Sender ID cannot be more than 11 characters."]]);
  expect(senderIdError("12345678901234")).toBeNull();
  expect(senderIdError("123456789012345")).toBe("Sender ID cannot be more than 14 digits.");
});
