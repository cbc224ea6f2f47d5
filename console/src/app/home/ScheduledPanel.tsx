// What goes out by itself, soonest first.
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { Link as To } from "react-router-dom";
import { Panel } from "../../design/campaign/Panel";
import { count } from "../../design/count";
import { wordsOf } from "../../design/sendWords";
import { DateTime } from "../../design/values";
import { scheduledQuery } from "./activity";

export function ScheduledPanel() {
  const { data, isError } = useQuery(scheduledQuery());
  const rest = data ? data.total - data.campaigns.length : 0;
  return (
    <Panel title="Scheduled">
      {!data && !isError && <Skeleton variant="rounded" height={64} />}
      {isError && !data && <Typography>Scheduled campaigns could not be loaded. Reload the page.</Typography>}
      {data?.total === 0 && (
        <Typography color="textSecondary">
          Nothing waits for its time. Under “Send later” a campaign gets a day and a minute, or several.
        </Typography>
      )}
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0, display: "grid", gap: 1.5 }}>
        {data?.campaigns.map((it) => (
          <li key={it.id}>
            <Link
              component={To}
              to={`/dashboard/campaigns/${it.id}`}
              sx={{
                display: "block",
                fontWeight: 600,
                overflow: "hidden",
                textOverflow: "ellipsis",
                whiteSpace: "nowrap",
              }}
            >
              {it.msg || `Campaign ${it.id}`}
            </Link>
            <Typography variant="body2" color="textSecondary">
              <DateTime value={it.scheduled_at} />, {wordsOf(it.sms_type).of(it.total_contacts)}
            </Typography>
          </li>
        ))}
      </Box>
      {rest > 0 && (
        <Link
          component={To}
          to="/dashboard/sent-messages?type=scheduled"
          sx={{ display: "inline-block", mt: 1.5 }}
        >
          {count(rest)} more
        </Link>
      )}
    </Panel>
  );
}
