// The administrators' room: react-admin at /dashboard/admin, role admin only; others go to /login.
import { Admin, localStorageStore } from "react-admin";
import { Navigate } from "react-router-dom";
import { useSession } from "../api/session";
import { SandboxRibbon } from "../design/Sandbox";
import { darkTheme, lightTheme } from "../design/theme";
import { authProvider } from "./authProvider";
import { dataProvider } from "./dataProvider";

const store = localStorageStore(undefined, "talkdrum");

export default function AdminRoom() {
  if (useSession()?.user.role !== "admin") return <Navigate to="/login" replace />;
  return (
    <>
      <Admin
        basename="/dashboard/admin"
        title="Talkdrum"
        authProvider={authProvider}
        dataProvider={dataProvider}
        lightTheme={lightTheme}
        darkTheme={darkTheme}
        store={store}
        disableTelemetry
        requireAuth
      />
      <SandboxRibbon />
    </>
  );
}
