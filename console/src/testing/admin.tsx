// Renders a page of the administration as its room does: react-admin's contexts around it, the real data provider.
import type { ReactElement } from "react";
import { AdminContext, memoryStore, ResourceContextProvider } from "react-admin";
import { authProvider } from "../admin/authProvider";
import { dataProvider } from "../admin/dataProvider";
import { makeQueryClient } from "../api/queries";
import { show, signedIn } from "./render";

/** `resource` is the page's address below /dashboard/admin. */
export function showAdmin(page: ReactElement, resource: string, search = "") {
  signedIn({ role: "admin", id: 1, username: "admin" });
  const client = makeQueryClient();
  client.setDefaultOptions({ queries: { retry: false } });
  return show(
    <AdminContext
      authProvider={authProvider}
      dataProvider={dataProvider}
      queryClient={client}
      store={memoryStore()}
    >
      <ResourceContextProvider value={resource}>{page}</ResourceContextProvider>
    </AdminContext>,
    { at: `/dashboard/admin/${resource}${search}` },
  );
}
