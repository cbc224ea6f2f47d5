// The public room: no MUI, its own small style sheets.
import { Link, Outlet } from "react-router-dom";
import { Mark } from "../design/Logo";
import { MaintenanceGate } from "../design/Maintenance";
import { SandboxRibbon } from "../design/Sandbox";

export function SiteLayout() {
  return (
    <MaintenanceGate>
      <header>
        <Link to="/">
          <Mark /> Talkdrum
        </Link>{" "}
        <Link to="/auth/login">Login/Register</Link>
      </header>
      <Outlet />
      <SandboxRibbon />
    </MaintenanceGate>
  );
}
