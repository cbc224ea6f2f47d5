import { expect, test } from "vitest";
import { bodyOf, contactShape, valuesOf } from "./contactForm";
import type { Contact } from "./phonebook";

const ada: Contact = {
  id: 1,
  group_id: 2,
  phone: "2348031234567",
  name: "Ada",
  email: "ada@example.com",
  fields: { city: "Lagos" },
  created_at: "",
  updated_at: "",
};

test("a form opens with the contact's fields and the group's other columns", () => {
  expect(valuesOf(ada, ["city", "debt"]).fields).toEqual([
    { name: "city", value: "Lagos" },
    { name: "debt", value: "" },
  ]);
  expect(valuesOf(undefined, ["debt"]).phone).toBe("");
});

test("what was emptied or removed is said, and what has no value is not", () => {
  const values = { ...valuesOf(ada, ["debt"]), email: "", fields: [{ name: "debt", value: "" }] };
  expect(bodyOf(values, ada)).toEqual({
    phone: "+2348031234567",
    name: "Ada",
    email: "",
    field: ["city="],
  });
  expect(bodyOf({ phone: "0803", name: "", email: "", fields: [{ name: "a", value: "b=c" }] })).toEqual({
    phone: "0803",
    name: "",
    email: "",
    field: ["a=b=c"],
  });
});

test("a contact needs a number, and a value a name", () => {
  const { error } = contactShape.safeParse({
    phone: " ",
    name: "",
    email: "",
    fields: [{ name: "", value: "x" }],
  });
  expect(error?.issues.map((it) => it.message)).toEqual([
    "Please provide a phone number.",
    "Give the field a name",
  ]);
});
