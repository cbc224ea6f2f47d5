// A contact as its form has it, and what of it the daemon is told: an empty name or address is removed there, and a
// field that is removed has to be said.
import { z } from "zod";
import type { Contact } from "./phonebook";

export const contactShape = z.object({
  phone: z.string().trim().min(1, "Please provide a phone number."),
  name: z.string().trim(),
  email: z.string().trim(),
  fields: z.array(
    z
      .object({ name: z.string().trim(), value: z.string().trim() })
      .refine((it) => it.name !== "" || it.value === "", { path: ["name"], message: "Give the field a name" })
      .refine((it) => !it.name.includes("="), { path: ["name"], message: "A name has no =" }),
  ),
});

export type ContactValues = z.infer<typeof contactShape>;

/** The form at its opening: the contact's own fields, and the other columns of its group to be filled in. */
export function valuesOf(contact: Contact | undefined, columns: readonly string[]): ContactValues {
  const own = contact?.fields ?? {};
  const names = [...new Set([...columns, ...Object.keys(own)])];
  return {
    phone: contact ? `+${contact.phone}` : "",
    name: contact?.name ?? "",
    email: contact?.email ?? "",
    fields: names.map((name) => ({ name, value: String(own[name] ?? "") })),
  };
}

export function bodyOf({ phone, name, email, fields }: ContactValues, before?: Contact) {
  const given = new Map(fields.filter((it) => it.name !== "").map((it) => [it.name, it.value]));
  const field = [...given].filter(([, value]) => value !== "").map(([key, value]) => `${key}=${value}`);
  if (!before) return { phone, name, email, field };
  for (const key of Object.keys(before.fields)) if (!given.get(key)) field.push(`${key}=`);
  return { phone, name, email, field };
}
