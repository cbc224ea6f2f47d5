// The administrators' room: react-admin at /dashboard/admin, role admin only; others go to /login.
import { useMemo, useState } from "react";
import { Admin } from "react-admin";
import { Navigate, useLocation } from "react-router-dom";
import { makeQueryClient } from "../api/queries";
import { returnTo } from "../api/returnTo";
import { useSession } from "../api/session";
import { useNight } from "../design/scheme";
import { darkTheme, lightTheme } from "../design/theme";
import { authProvider } from "./authProvider";
import { dataProvider } from "./dataProvider";
import { AdminLayout } from "./layout/AdminLayout";
import { NotFound } from "./layout/NotFound";
import { Notifications } from "./layout/Notifications";
import { i18nProvider } from "./messages";
import { adminRoutes, Index } from "./routes";
import { adminStore } from "./store";

export default function AdminApp() {
  const user = useSession()?.user;
  // One cache an administrator: the next one in this tab sees nothing of it.
  const client = useMemo(() => (user?.id === undefined ? undefined : freshCache()), [user?.id]);
  const admin = user?.role === "admin";
  const night = useNight();
  const [cameIn] = useState(admin);
  const { pathname, search } = useLocation();
  // After logging out, or when the session expires, the administrator is sent to the home page.
  if (!admin) {
    if (!cameIn && !user) returnTo.keep(pathname + search);
    return <Navigate to={cameIn ? "/" : "/login"} replace />;
  }
  return (
    <Admin
      basename="/dashboard/admin"
      title="Talkdrum"
      authProvider={authProvider}
      dataProvider={dataProvider}
      queryClient={client}
      i18nProvider={i18nProvider}
      // One of both, as the switch says: react-admin keeps a choice of its own otherwise.
      theme={night ? darkTheme : lightTheme}
      lightTheme={night ? darkTheme : lightTheme}
      darkTheme={null}
      store={adminStore}
      dashboard={Index}
      layout={AdminLayout}
      catchAll={NotFound}
      notification={Notifications}
      loginPage={false}
      disableTelemetry
      requireAuth
    >
      {adminRoutes}
    </Admin>
  );
}

/** react-admin shows what it has and asks again whenever a page opens: what was just changed is never shown as it was. */
function freshCache() {
  const client = makeQueryClient();
  const { queries, mutations } = client.getDefaultOptions();
  client.setDefaultOptions({ queries: { ...queries, staleTime: 0 }, mutations });
  return client;
}
