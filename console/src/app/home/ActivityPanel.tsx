// 14 days of what was delivered and what failed, the rate, and what it cost.
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { colourOf } from "../../design/campaign/OutcomeBar";
import { Panel } from "../../design/campaign/Panel";
import type { Series } from "../../design/chart/barsOf";
import { Legend } from "../../design/chart/Legend";
import { StackedBars } from "../../design/chart/StackedBars";
import { count } from "../../design/count";
import { deliveryRate } from "../../design/share";
import { ErrorState } from "../../design/states";
import { WholeMoney } from "../../design/values";
import { type Activity, activityOf, activityQuery, DAYS, isCut } from "./activity";

const HEIGHT = 190;

const SERIES: readonly Series[] = [
  { key: "delivered", label: "Delivered", colour: (theme) => colourOf(theme, "delivered") },
  { key: "failed", label: "Failed", colour: (theme) => colourOf(theme, "failed") },
];

export function ActivityPanel({ now }: { now: number }) {
  const { data, isError, error, refetch } = useQuery(activityQuery());
  const activity = useMemo(() => data && activityOf(data.campaigns, now), [data, now]);
  const cut = data !== undefined && isCut(data.campaigns, data.total, now);
  return (
    <Panel title={`The last ${DAYS} days`} aside={<Legend series={SERIES} />}>
      {isError && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!activity && !isError && <Skeleton variant="rounded" height={HEIGHT + 70} />}
      {activity && (
        <>
          <Sums activity={activity} />
          <StackedBars
            label={summary(activity)}
            rows={activity.days.map((it) => ({ ...it, name: it.day }))}
            series={SERIES}
            height={HEIGHT}
            tick={(day) => day.slice(5)}
            title={(day) => day}
          />
          <AsTable activity={activity} />
          {cut && (
            <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
              Of the newest {count(data.campaigns.length)} campaigns; older ones are in the delivery reports.
            </Typography>
          )}
        </>
      )}
    </Panel>
  );
}

function summary({ days, delivered }: Activity): string {
  const failed = days.reduce((sum, it) => sum + it.failed, 0);
  return `${count(delivered)} delivered and ${count(failed)} failed in ${DAYS} days. The table has every day.`;
}

function Sums({ activity }: { activity: Activity }) {
  const { charged } = activity;
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        mb: 2,
        display: "grid",
        gap: 1.5,
        gridTemplateColumns: { xs: "repeat(2, minmax(0, 1fr))", sm: "repeat(3, minmax(0, 1fr))" },
      }}
    >
      <Sum name="Messages and calls">{count(activity.messages)}</Sum>
      <Sum name="Delivery rate">{deliveryRate(activity.ended)}</Sum>
      <Sum name="Charged">
        {charged.length === 0 && "Nothing"}
        {charged.map((it) => (
          <Box key={it.currency}>
            <WholeMoney value={it.value} currency={it.currency} />
          </Box>
        ))}
      </Sum>
    </Box>
  );
}

function Sum({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Typography component="dt" variant="body2" color="textSecondary">
        {name}
      </Typography>
      <Typography
        component="dd"
        sx={{
          m: 0,
          fontSize: "1.25rem",
          fontWeight: 700,
          fontVariantNumeric: "tabular-nums",
          lineHeight: 1.35,
        }}
      >
        {children}
      </Typography>
    </div>
  );
}

function AsTable({ activity }: { activity: Activity }) {
  const busy = activity.days.filter((it) => it.delivered + it.failed > 0).reverse();
  if (busy.length === 0) return null;
  return (
    <Box component="details" sx={{ mt: 1, "& summary": { cursor: "pointer", fontWeight: 600, py: 0.5 } }}>
      <summary>The same as a table</summary>
      <Table size="small" aria-label={`The last ${DAYS} days`}>
        <TableHead>
          <TableRow>
            <TableCell>Day</TableCell>
            <TableCell align="right">Delivered</TableCell>
            <TableCell align="right">Failed</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {busy.map((it) => (
            <TableRow key={it.day}>
              <TableCell>{it.day}</TableCell>
              <TableCell align="right">{count(it.delivered)}</TableCell>
              <TableCell align="right">{count(it.failed)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
