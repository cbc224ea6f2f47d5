// The first page of the dashboard: six tiles, then what happened lately; for a new account, what is to be done first.
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../api/session";
import { PageHeader } from "../../design/PageHeader";
import { ErrorState } from "../../design/states";
import { ActivityPanel } from "./ActivityPanel";
import { lastCampaignsQuery } from "./activity";
import { FirstSteps } from "./FirstSteps";
import { LastCampaigns } from "./LastCampaigns";
import { LowBalance } from "./LowBalance";
import { ScheduledPanel } from "./ScheduledPanel";
import { Tiles } from "./Tiles";

export default function Home() {
  const user = useSession()?.user;
  // One time for all of the page: a day begins for its parts together.
  const [now] = useState(Date.now);
  const last = useQuery(lastCampaignsQuery());
  const sent = (last.data?.total ?? 0) > 0;
  // Said while it is tried again, too: the button to do so has the keyboard.
  const [failure, setFailure] = useState(last.error);
  if (last.error && last.error !== failure) setFailure(last.error);
  return (
    <>
      <PageHeader title="Dashboard" text={user ? `Welcome, ${user.name || user.username}.` : undefined} />
      {sent && <LowBalance />}
      <Tiles />
      {user && last.data && <FirstSteps user={user} sent={sent} />}
      {failure && !last.data && (
        <ErrorState
          error={failure}
          title="Your campaigns could not be loaded"
          onRetry={() => void last.refetch()}
        />
      )}
      {sent && (
        <Box
          sx={{
            display: "grid",
            gap: 2,
            mt: 2,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 2fr) minmax(0, 1fr)" },
            alignItems: "start",
          }}
        >
          <ActivityPanel now={now} />
          <ScheduledPanel />
          <Box sx={{ gridColumn: { lg: "1 / -1" }, minWidth: 0 }}>
            <LastCampaigns campaigns={last.data?.campaigns ?? []} />
          </Box>
        </Box>
      )}
    </>
  );
}
