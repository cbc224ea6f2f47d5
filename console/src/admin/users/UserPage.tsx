// One user: who it is, what can be done with the account, and six tabs of what it has done.

import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useGetOne } from "react-admin";
import { Link, useParams } from "react-router-dom";
import { PageHeader } from "../../design/PageHeader";
import { ErrorState, PageSkeleton } from "../../design/states";
import { DateTime, Money, StatusChip } from "../../design/values";
import { addressOf } from "../address";
import { MessageDialog } from "../form/MessageDialog";
import { UserCodes } from "./Codes";
import type { UserDetails } from "./details";
import { UserLegalHold } from "./LegalHold";
import { UserLimits } from "./Limits";
import { UserPurpose } from "./Purpose";
import { UserRatePlan } from "./RatePlan";
import { DeleteUser, UserStatusButton } from "./UserActions";
import { UserFields } from "./UserFields";
import { UserTabs } from "./UserTabs";

export default function UserPage() {
  const { id = "" } = useParams();
  const { data, isPending, error, refetch } = useGetOne<UserDetails>("user-details", { id: Number(id) });
  if (error) {
    return (
      <>
        <PageHeader title="User" back={BACK} />
        <ErrorState error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  return isPending ? <PageSkeleton /> : <UserView details={data} />;
}

const BACK = { to: addressOf("manage-users"), label: "All users" };

function UserView({ details }: { details: UserDetails }) {
  const [messaging, setMessaging] = useState(false);
  const [showing, setShowing] = useState(false);
  const { user } = details;
  const gone = Boolean(details.deleted_at);
  return (
    <>
      <PageHeader
        title={user.username}
        text={
          <>
            {user.name} <StatusChip status={gone ? "deleted" : user.status} />{" "}
            {user.role === "admin" && <StatusChip status="administrator" tone="info" />}
          </>
        }
        back={BACK}
      />
      <Box
        sx={{
          display: "grid",
          gap: { xs: 1, sm: 2 },
          mb: 3,
          gridTemplateColumns: { xs: "repeat(2, minmax(0, 1fr))", lg: "repeat(4, minmax(0, 1fr))" },
        }}
      >
        <Figure title="ESPEES balance">
          <Money value={user.espee_balance} currency="espees" />
        </Figure>
        <Figure title="Naira balance">
          <Money value={user.paystack_balance} currency="naira" />
        </Figure>
        <Figure title="Last login">
          <DateTime value={user.last_login_at} none="Never" />
        </Figure>
        <Figure title="Since">
          <DateTime value={user.created_at} />
        </Figure>
      </Box>
      <Box
        sx={{
          display: { xs: "grid", sm: "flex" },
          gridTemplateColumns: "repeat(2, minmax(0, 1fr))",
          flexWrap: "wrap",
          gap: 1,
          mb: 3,
          "& > .MuiButton-root": { px: { xs: 1, sm: 2.25 } },
        }}
      >
        <Button variant="outlined" onClick={() => setShowing(true)}>
          Details
        </Button>
        {!gone && (
          <>
            <Button variant="outlined" onClick={() => setMessaging(true)}>
              Message User
            </Button>
            <Button variant="outlined" component={Link} to={`${addressOf("assign-espees")}?user=${user.id}`}>
              Assign ESPEES
            </Button>
            <Button variant="outlined" component={Link} to={`${addressOf("assign-naira")}?user=${user.id}`}>
              Assign Naira
            </Button>
            <UserStatusButton details={details} />
            <DeleteUser details={details} />
          </>
        )}
      </Box>
      {!gone && user.role !== "admin" && (
        <>
          <UserLimits id={user.id} name={user.username} />
          <UserPurpose id={user.id} name={user.username} purpose={details.purpose ?? null} />
          <UserCodes id={user.id} name={user.username} allowed={details.codes_allowed ?? true} />
          <UserRatePlan id={user.id} name={user.username} plan={details.rate_plan ?? null} />
        </>
      )}
      <UserLegalHold id={user.id} name={user.username} hold={details.legal_hold ?? null} />
      <UserTabs details={details} />
      <UserFields
        user={user}
        deletedAt={details.deleted_at}
        open={showing}
        onClose={() => setShowing(false)}
      />
      <MessageDialog to={user} open={messaging} onClose={() => setMessaging(false)} />
    </>
  );
}

function Figure({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Card component="section" aria-label={title} sx={{ p: { xs: 1.5, sm: 2 } }}>
      <Typography variant="body2" color="textSecondary">
        {title}
      </Typography>
      <Typography
        component="p"
        sx={{
          fontSize: { xs: "0.9375rem", sm: "1.25rem" },
          fontWeight: 650,
          mt: 0.5,
          // Two tiles stand side by side on a phone: what is long goes on a second line.
          "& span, & time": { whiteSpace: "normal !important", overflowWrap: "anywhere" },
        }}
      >
        {children}
      </Typography>
    </Card>
  );
}
