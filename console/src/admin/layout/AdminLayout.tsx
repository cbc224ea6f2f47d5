// What surrounds every page of the administration: top bar, menu in the specification's groups, the page. No announcements
// and no balances here.
import Refresh from "@mui/icons-material/Refresh";
import Box from "@mui/material/Box";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useQueryClient } from "@tanstack/react-query";
import { Component, type ReactNode, Suspense, useState } from "react";
import { useLoading, useRefresh } from "react-admin";
import { useLocation } from "react-router-dom";
import { logOut } from "../../api/queries";
import { useSession } from "../../api/session";
import { Reauthentication } from "../../design/Reauthentication";
import { ErrorState, PageSkeleton } from "../../design/states";
import { BAR, TopBar } from "../../design/TopBar";
import { DRAWER_WIDTH } from "../../design/tokens";
import { forgetAdmin } from "../store";
import { AdminMenu } from "./AdminMenu";
import { Search } from "./Search";

export function AdminLayout({ children }: { children: ReactNode }) {
  const wide = useMediaQuery("(min-width: 900px)", { noSsr: true });
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? wide;
  const client = useQueryClient();
  const leave = () => {
    forgetAdmin();
    void logOut(client);
  };
  const { pathname } = useLocation();

  return (
    <Box sx={{ minHeight: "100vh" }}>
      <a className="skip-link" href="#page">
        Skip to the page
      </a>
      <TopBar home="/dashboard/admin" open={open} onMenu={() => setChosen(!open)} above>
        <AtItsEnd />
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
        <AdminMenu onLogOut={leave} />
      </Drawer>
      <Box
        component="main"
        id="page"
        tabIndex={-1}
        sx={{
          ml: wide && open ? `${DRAWER_WIDTH}px` : 0,
          transition: "margin-left 180ms ease",
          outline: "none",
          px: { xs: 2, sm: 3 },
          pt: { xs: 3, sm: 4 },
          pb: 10,
        }}
      >
        <Box sx={{ maxWidth: 1320, mx: "auto" }}>
          <Broken key={pathname}>
            <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
          </Broken>
        </Box>
      </Box>
      <Reauthentication />
    </Box>
  );
}

/** Of the top bar. */
function AtItsEnd() {
  const user = useSession()?.user;
  const refresh = useRefresh();
  const loading = useLoading();
  return (
    <>
      <Box sx={{ ml: "auto" }}>
        <Search />
      </Box>
      <Typography
        variant="body2"
        color="textSecondary"
        noWrap
        sx={{ display: { xs: "none", sm: "block" }, maxWidth: 240 }}
      >
        {user?.name || user?.username}, administrator
      </Typography>
      <Tooltip title="Load again">
        <span>
          <IconButton aria-label="Load again" onClick={() => refresh()} disabled={loading}>
            <Refresh />
          </IconButton>
        </span>
      </Tooltip>
    </>
  );
}

/** A page that broke, alone: the menu goes on working. */
class Broken extends Component<{ children: ReactNode }, { thrown: unknown }> {
  override state: { thrown: unknown } = { thrown: null };

  static getDerivedStateFromError(thrown: unknown) {
    return { thrown };
  }

  override render() {
    if (this.state.thrown === null) return this.props.children;
    return <ErrorState error={this.state.thrown} onRetry={() => this.setState({ thrown: null })} />;
  }
}
