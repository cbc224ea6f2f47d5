// What both doors share: ask, and either begin the session or ask for the code from the mailbox.
import { z } from "zod";
import { api, ask } from "../../api/client";
import { landingOf } from "../../api/returnTo";
import type { components } from "../../api/schema";

export type SignedIn = components["schemas"]["SignedIn"];
export type LoginKind = "user" | "admin";

export const credentials = z.object({
  email: z
    .string()
    .trim()
    .min(1, "Email is required")
    // A user name has no @ and is taken as well.
    .refine((it) => !it.includes("@") || z.email().safeParse(it).success, "Email address is invalid"),
  password: z.string().min(1, "Password is required"),
});

export type Credentials = z.infer<typeof credentials>;

export async function signIn(door: LoginKind, { email, password }: Credentials) {
  const body = { email: "", username: email.trim(), password };
  return door === "admin"
    ? ask(api.POST("/admin/admin-login", { body }))
    : ask(api.POST("/api/login", { body }));
}

export function verifyEmail(username: string, code: string): Promise<SignedIn> {
  return ask(api.POST("/api/verify/email", { body: { username, code } }));
}

/** Where a session begins. */
export function homeOf(user: { role: string }, door: LoginKind): string {
  return landingOf(user, door === "admin" && user.role === "admin" ? "/dashboard/admin" : "/dashboard");
}
