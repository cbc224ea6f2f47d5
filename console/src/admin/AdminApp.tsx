// The administrators' room: react-admin at /dashboard/admin, role admin only; others go to /login. Of react-admin's own
// frame, menus and sign-in nothing is used, nor loaded.
import { useMemo, useState } from "react";
import { CoreAdminContext, CoreAdminUI, useResetErrorBoundaryOnLocationChange } from "react-admin";
import { Navigate, useLocation } from "react-router-dom";
import { makeQueryClient } from "../api/queries";
import { returnTo } from "../api/returnTo";
import { useSession } from "../api/session";
import { ErrorState, PageSkeleton } from "../design/states";
import { ThemeRoot } from "../design/ThemeRoot";
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
  const [cameIn] = useState(admin);
  const { pathname, search } = useLocation();
  // After logging out, or when the session expires, the administrator is sent to the home page.
  if (!admin) {
    if (!cameIn && !user) returnTo.keep(pathname + search);
    return <Navigate to={cameIn ? "/" : "/login"} replace />;
  }
  return (
    <CoreAdminContext
      basename="/dashboard/admin"
      authProvider={authProvider}
      dataProvider={dataProvider}
      queryClient={client}
      i18nProvider={i18nProvider}
      store={adminStore}
    >
      <ThemeRoot>
        <CoreAdminUI
          title="Talkdrum"
          dashboard={Index}
          layout={AdminLayout}
          catchAll={NotFound}
          loading={PageSkeleton}
          error={Broken}
          accessDenied={NotFound}
          authenticationError={NotFound}
          loginPage={false}
          disableTelemetry
          requireAuth
        >
          {adminRoutes}
        </CoreAdminUI>
        <Notifications />
      </ThemeRoot>
    </CoreAdminContext>
  );
}

/** Where the frame itself breaks; a page that does is caught within it. */
function Broken({
  error,
  resetErrorBoundary,
}: {
  error: Error;
  resetErrorBoundary: (...why: unknown[]) => void;
}) {
  useResetErrorBoundaryOnLocationChange(resetErrorBoundary);
  return <ErrorState error={error} onRetry={() => resetErrorBoundary()} />;
}

/** react-admin shows what it has and asks again whenever a page opens: what was just changed is never shown as it was. */
function freshCache() {
  const client = makeQueryClient();
  const { queries, mutations } = client.getDefaultOptions();
  client.setDefaultOptions({ queries: { ...queries, staleTime: 0 }, mutations });
  return client;
}
