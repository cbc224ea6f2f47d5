// react-admin's view of the one session of this tab (src/api/session). Signing in happens at /login.
import type { AuthProvider } from "react-admin";
import { api } from "../api/client";
import { session } from "../api/session";

export const authProvider: AuthProvider = {
  login: () => Promise.reject(new Error("Sign in at /login")),

  async logout() {
    const token = session.get()?.token;
    session.clear();
    if (token) {
      await api.POST("/api/logout", { headers: { Authorization: `Bearer ${token}` } }).catch(() => undefined);
    }
    // The specification: logging out returns to the first page.
    return "/";
  },

  checkAuth: () =>
    session.get()?.user.role === "admin" ? Promise.resolve() : Promise.reject({ redirectTo: "/login" }),

  // The client has ended the session already where an answer said so; a 403 is shown, not punished.
  checkError: () => (session.get() ? Promise.resolve() : Promise.reject({ redirectTo: "/" })),

  getPermissions: () => Promise.resolve(session.get()?.user.role),

  getIdentity: () => {
    const user = session.get()?.user;
    return user
      ? Promise.resolve({ id: user.id, fullName: user.name, avatar: user.avatar ?? undefined })
      : Promise.reject(new Error("Nobody is signed in"));
  },
};
