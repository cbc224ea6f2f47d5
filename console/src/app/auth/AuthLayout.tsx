// The room of sign-in and sign-up: one card on a quiet page. Maintenance closes it, but for the administrators' door.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import { Link, Outlet, useLocation } from "react-router-dom";
import { Mark } from "../../design/Logo";
import { MaintenanceGate } from "../../design/Maintenance";
import { SandboxBadge } from "../../design/Sandbox";
import { ThemeRoot } from "../../design/ThemeRoot";

export default function AuthLayout() {
  const { pathname } = useLocation();
  return (
    <ThemeRoot>
      {pathname === "/login" ? (
        <Frame />
      ) : (
        <MaintenanceGate>
          <Frame />
        </MaintenanceGate>
      )}
    </ThemeRoot>
  );
}

function Frame() {
  return (
    <Box sx={{ minHeight: "100vh", display: "flex", flexDirection: "column", px: 2, pb: 8 }}>
      <Box
        component="header"
        sx={{
          py: { xs: 3, sm: 5 },
          display: "flex",
          flexDirection: "column",
          alignItems: "center",
          gap: 1.5,
          minHeight: 132,
        }}
      >
        <Box
          component={Link}
          to="/"
          sx={{
            display: "inline-flex",
            alignItems: "center",
            gap: 1.25,
            color: "primary.main",
            textDecoration: "none",
          }}
        >
          <Mark size={32} />
          <Box component="span" sx={{ color: "text.primary", fontSize: "1.375rem", fontWeight: 700 }}>
            Talkdrum
          </Box>
        </Box>
        <SandboxBadge />
      </Box>
      <Box component="main" sx={{ width: "100%", maxWidth: 460, mx: "auto" }}>
        <Card sx={{ p: { xs: 2.5, sm: 4 } }}>
          <Outlet />
        </Card>
      </Box>
    </Box>
  );
}
