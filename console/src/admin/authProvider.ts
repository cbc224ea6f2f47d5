// react-admin's view of the one session of this tab (src/api/session). Signing in happens at /login, and a session that the
// daemon ended is ended by src/api/client: nothing is decided here a second time.
import type { AuthProvider } from "react-admin";
import { session } from "../api/session";

export type Permissions = "admin" | "user" | undefined;

const role = () => session.get()?.user.role as Permissions;

export const authProvider: AuthProvider = {
  login: () => Promise.reject(new Error("Sign in at /login")),
  logout: () => Promise.resolve(role() === "admin" ? false : "/login"),
  checkAuth: () =>
    role() === "admin" ? Promise.resolve() : Promise.reject({ redirectTo: "/login", message: false }),
  // A 401 has ended the session already; a 403 is shown where it was asked, not punished.
  checkError: () => Promise.resolve(),
  getPermissions: () => Promise.resolve(role()),
  // Every administrator may do everything that a resource of the table can do.
  canAccess: () => Promise.resolve(role() === "admin"),
  getIdentity: () => {
    const user = session.get()?.user;
    return user
      ? Promise.resolve({
          id: user.id,
          fullName: user.name || user.username,
          avatar: user.avatar ?? undefined,
        })
      : Promise.reject(new Error("No user is signed in"));
  },
};
