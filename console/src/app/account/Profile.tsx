// Who is signed in, what the account has, and the way to change it.
import EditOutlined from "@mui/icons-material/EditOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { balancesQuery, lastSentQuery, profileQuery } from "../../api/queries";
import type { User } from "../../api/session";
import { PageHeader } from "../../design/PageHeader";
import { formatPhone } from "../../design/phone";
import { Reauthentication } from "../../design/Reauthentication";
import { SectionNav } from "../../design/SectionNav";
import { ErrorState, PageSkeleton } from "../../design/states";
import { DateTime, Money, StatusChip } from "../../design/values";
import { LINKS } from "./account";
import { CodeDialog, type Waiting } from "./CodeDialog";
import { Picture } from "./Picture";
import { ProfileDialog } from "./ProfileDialog";

export default function Profile() {
  const profile = useQuery(profileQuery());
  const [editing, setEditing] = useState(false);
  /** Asked for one after the other. */
  const [waiting, setWaiting] = useState<Waiting[]>([]);
  const user = profile.data?.user;
  return (
    <>
      <PageHeader
        title="Profile Summary"
        actions={
          user && (
            <Button variant="contained" startIcon={<EditOutlined />} onClick={() => setEditing(true)}>
              Edit profile
            </Button>
          )
        }
      />
      <SectionNav label="Profile" links={LINKS} />
      {!user && !profile.isError && <PageSkeleton />}
      {!user && profile.isError && (
        <Card>
          <ErrorState error={profile.error} onRetry={() => void profile.refetch()} />
        </Card>
      )}
      {user && <Summary user={user} />}
      {editing && user && (
        <ProfileDialog user={user} onClose={() => setEditing(false)} onWaiting={setWaiting} />
      )}
      {waiting[0] && (
        <CodeDialog key={waiting[0].what} waiting={waiting[0]} onClose={() => setWaiting(waiting.slice(1))} />
      )}
      <Reauthentication />
    </>
  );
}

function Summary({ user }: { user: User }) {
  const balances = useQuery(balancesQuery()).data;
  const lastSent = useQuery(lastSentQuery()).data;
  return (
    <Stack sx={{ gap: 2.5 }}>
      {user.status === "inactive" && (
        <Alert severity="warning" variant="outlined">
          Your account is inactive: you can look at everything, but not send, fund or transfer. Please contact
          admin to activate your account.
        </Alert>
      )}
      <Card sx={{ p: { xs: 2, sm: 3 } }}>
        <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 3, alignItems: { sm: "center" } }}>
          <Picture user={user} />
          <Box sx={{ minWidth: 0, flex: 1 }}>
            <Stack direction="row" sx={{ gap: 1.5, alignItems: "center", flexWrap: "wrap" }}>
              <Typography variant="h2" sx={{ overflowWrap: "anywhere" }}>
                {user.name || user.username}
              </Typography>
              <StatusChip status={user.status} />
            </Stack>
            <Typography color="textSecondary">{user.username}</Typography>
          </Box>
        </Stack>
        <Facts>
          <Fact label="Email">
            {user.email}
            {user.email_verified === false && " (not verified)"}
          </Fact>
          <Fact label="Phone number">{user.phone_number ? formatPhone(user.phone_number) : "-"}</Fact>
          <Fact label="Gender">{user.gender || "-"}</Fact>
          <Fact label="Time zone">{user.zone ?? "Africa/Lagos"}</Fact>
          <Fact label="Member since">
            <DateTime value={user.created_at} />
          </Fact>
          <Fact label="Last login">
            <DateTime value={user.last_login_at} />
          </Fact>
        </Facts>
      </Card>
      <Card component="section" aria-labelledby="money" sx={{ p: { xs: 2, sm: 3 } }}>
        <Typography id="money" variant="h2">
          Account
        </Typography>
        <Facts>
          <Fact label="ESPEES balance">
            {balances ? <Money value={balances["espees-balance"]} currency="espees" /> : "-"}
          </Fact>
          <Fact label="Naira balance">
            {balances ? <Money value={balances.paystack_balance} currency="naira" /> : "-"}
          </Fact>
          <Fact label="Last message sent">
            <DateTime value={lastSent?.last_sent_message_time} none="None yet" />
          </Fact>
        </Facts>
        <Stack direction="row" sx={{ gap: 1, mt: 2.5, flexWrap: "wrap" }}>
          <Button component={Link} to="/dashboard/transaction-history" variant="outlined">
            Transaction history
          </Button>
          <Button component={Link} to="/dashboard/sent-messages" variant="outlined">
            Sent messages
          </Button>
        </Stack>
      </Card>
    </Stack>
  );
}

function Facts({ children }: { children: ReactNode }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        mt: 2.5,
        display: "grid",
        gap: 2,
        gridTemplateColumns: "repeat(auto-fill, minmax(210px, 1fr))",
      }}
    >
      {children}
    </Box>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography component="dt" variant="body2" color="textSecondary">
        {label}
      </Typography>
      <Typography component="dd" sx={{ m: 0, fontWeight: 600, overflowWrap: "anywhere" }}>
        {children}
      </Typography>
    </Box>
  );
}
