// Who is signed in: the specification's profile summary.
import Avatar from "@mui/material/Avatar";
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { profileQuery } from "../../api/queries";
import { useSession } from "../../api/session";
import { DateTime } from "../../design/values";
import { Panel } from "./Panel";

export function ProfilePanel() {
  const profile = useQuery(profileQuery());
  // Shown from the session until the daemon answers, and when it does not.
  const user = useSession()?.user ?? profile.data?.user;
  if (!user) return <Skeleton variant="rounded" height={120} />;
  return (
    <Panel title="Your profile">
      <Box
        sx={{
          display: "flex",
          flexDirection: { xs: "column", lg: "row" },
          alignItems: { lg: "center" },
          columnGap: 5,
          rowGap: 1.5,
          mt: 1.5,
        }}
      >
        <Box sx={{ display: "flex", alignItems: "center", gap: 1.5 }}>
          <Avatar
            src={user.avatar ?? undefined}
            alt=""
            sx={{ width: 48, height: 48, bgcolor: "primary.light", color: "text.primary", fontWeight: 700 }}
          >
            {(user.name || user.username).charAt(0).toUpperCase()}
          </Avatar>
          <Box sx={{ minWidth: 0 }}>
            <Typography sx={{ fontWeight: 650, overflowWrap: "anywhere" }}>
              {user.name || user.username}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              Administrator
            </Typography>
          </Box>
        </Box>
        <Box
          component="dl"
          sx={{
            flex: 1,
            display: { xs: "grid", lg: "flex" },
            flexWrap: "wrap",
            justifyContent: "space-between",
            columnGap: 3,
            rowGap: 0.75,
            m: 0,
          }}
        >
          <Row name="User name">{user.username}</Row>
          <Row name="E-mail">{user.email}</Row>
          <Row name="Phone">{user.phone_number ? `+${user.phone_number}` : "-"}</Row>
          <Row name="Last sign-in">
            <DateTime value={user.last_login_at} />
          </Row>
          <Row name="Since">
            <DateTime value={user.created_at} />
          </Row>
        </Box>
      </Box>
    </Panel>
  );
}

/** A line of name and value; where there is room, the value below its name. */
function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box sx={{ display: { xs: "flex", lg: "block" }, justifyContent: "space-between", gap: 2 }}>
      <Typography component="dt" variant="body2" color="textSecondary">
        {name}
      </Typography>
      <Typography
        component="dd"
        variant="body2"
        sx={{ m: 0, textAlign: { xs: "right", lg: "left" }, overflowWrap: "anywhere" }}
      >
        {children}
      </Typography>
    </Box>
  );
}
