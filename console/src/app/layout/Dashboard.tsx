// The customer's room: top bar, menu, announcements, and the page. Any signed-in user; others go to the first page.
import Close from "@mui/icons-material/Close";
import Box from "@mui/material/Box";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { Navigate, Outlet, useLocation, useNavigate } from "react-router-dom";
import { logOut, profileQuery, smsPricesQuery } from "../../api/queries";
import { returnTo } from "../../api/returnTo";
import { type User, useSession } from "../../api/session";
import { MaintenanceGate } from "../../design/Maintenance";
import { PageSkeleton } from "../../design/states";
import { ThemeRoot } from "../../design/ThemeRoot";
import { BAR, TopBar } from "../../design/TopBar";
import { DRAWER_WIDTH } from "../../design/tokens";
import { Announcements } from "./Announcements";
import { Balances } from "./Balances";
import { Menu } from "./Menu";
import { Search } from "./Search";

export default function Dashboard() {
  const current = useSession();
  const { pathname, search } = useLocation();
  const [cameIn] = useState(current !== null);
  if (!current) {
    // Who logs out has asked for no page; who comes without a session has.
    if (!cameIn) returnTo.keep(pathname + search);
    return <Navigate to="/" replace />;
  }
  return (
    <ThemeRoot>
      <MaintenanceGate>
        <Frame user={current.user} />
      </MaintenanceGate>
    </ThemeRoot>
  );
}

function Frame({ user }: { user: User }) {
  const wide = useMediaQuery("(min-width: 900px)", { noSsr: true });
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? wide;
  const admin = user.role === "admin";
  const navigate = useNavigate();
  const client = useQueryClient();
  useQuery(profileQuery());
  useQuery({ ...smsPricesQuery(), enabled: !admin });

  const leave = () => {
    void logOut(client);
    navigate("/");
  };
  const choose = () => {
    // The specification: on small screens the menu closes after a choice, for non-admins.
    if (!wide && !admin) setChosen(false);
  };

  return (
    <Box sx={{ minHeight: "100vh" }}>
      <a className="skip-link" href="#page">
        Skip to the page
      </a>
      {/* Above the menu where that stands beside the page, below it where it lies over the page. */}
      <TopBar home="/dashboard" open={open} onMenu={() => setChosen(!open)} above={wide} wraps>
        <Box sx={{ ml: "auto" }}>
          <Search />
        </Box>
        {!admin && <Balances />}
      </TopBar>
      <Drawer
        variant={wide ? "persistent" : "temporary"}
        open={open}
        onClose={() => setChosen(false)}
        slotProps={{ paper: wide ? {} : { "aria-label": "Menu" } }}
        sx={{
          "& .MuiDrawer-paper": { width: DRAWER_WIDTH, pt: wide ? `${BAR}px` : 0, borderColor: "divider" },
        }}
      >
        {!wide && (
          <Box sx={{ display: "flex", justifyContent: "flex-end", px: 1, pt: 1 }}>
            <IconButton aria-label="Close the menu" onClick={() => setChosen(false)}>
              <Close />
            </IconButton>
          </Box>
        )}
        <Menu admin={admin} onChoose={choose} onLogOut={leave} />
      </Drawer>
      <Box
        sx={{
          ml: wide && open ? `${DRAWER_WIDTH}px` : 0,
          transition: "margin-left 180ms ease",
          minHeight: `calc(100vh - ${BAR}px)`,
          display: "flex",
          flexDirection: "column",
        }}
      >
        {!admin && <Announcements half="upper" />}
        <Box
          component="main"
          id="page"
          tabIndex={-1}
          sx={{
            flex: 1,
            width: "100%",
            maxWidth: 1240,
            mx: "auto",
            px: { xs: 2, sm: 3 },
            pt: { xs: 3, sm: 4 },
            pb: 10,
            outline: "none",
          }}
        >
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </Box>
        {!admin && <Announcements half="lower" />}
      </Box>
    </Box>
  );
}
