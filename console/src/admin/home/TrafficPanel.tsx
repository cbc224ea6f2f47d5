// Traffic by the hour: a chart, and the same as a table for screen readers and exact numbers.
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { lazy, Suspense, useMemo, useState } from "react";
import { count } from "../../design/count";
import { DateTime } from "../../design/values";
import { everyHour, type Figures, type Hour } from "./figures";
import { Panel } from "./Panel";
import { SERIES } from "./series";

// recharts is the heaviest part of the page: it comes after the figures.
const TrafficChart = lazy(() => import("./TrafficChart"));

const HEIGHT = 240;

export function TrafficPanel({ figures, now }: { figures: Figures | undefined; now: number }) {
  const [asTable, setAsTable] = useState(false);
  const hours = useMemo(() => (figures ? everyHour(figures, now) : []), [figures, now]);
  const busy = hours.some((it) => it.ordered > 0);
  return (
    <Panel
      title="Traffic by hour"
      aside={
        busy && (
          <Button size="small" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? "Show as a picture" : "Show as a table"}
          </Button>
        )
      }
    >
      {!figures && <Skeleton variant="rounded" height={HEIGHT} sx={{ mt: 1 }} />}
      {figures && !busy && (
        <Typography color="textSecondary" sx={{ py: 6, textAlign: "center" }}>
          No campaign started in this time.
        </Typography>
      )}
      {busy && asTable && <HoursTable hours={hours} />}
      {busy && !asTable && (
        <>
          <Legend />
          <Box role="img" aria-label={summary(hours)} sx={{ height: HEIGHT }}>
            <Suspense fallback={<Skeleton variant="rounded" height={HEIGHT} />}>
              <TrafficChart hours={hours} height={HEIGHT} />
            </Suspense>
          </Box>
        </>
      )}
    </Panel>
  );
}

function summary(hours: Hour[]): string {
  const top = hours.reduce((most, it) => (it.ordered > most.ordered ? it : most));
  const all = hours.reduce((sum, it) => sum + it.ordered, 0);
  return `${count(all)} messages in ${hours.length} hours, most in the hour of ${top.hour.slice(11, 16)} UTC: ${count(top.ordered)}. The table has every hour.`;
}

function Legend() {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mb: 1.5, mt: 0.5 }}>
      {SERIES.map((it) => (
        <Box key={it.key} sx={{ display: "flex", alignItems: "center", gap: 0.75 }}>
          <Box
            aria-hidden
            sx={(theme) => ({ width: 10, height: 10, borderRadius: 0.5, bgcolor: it.colour(theme) })}
          />
          <Typography variant="body2" color="textSecondary">
            {it.label}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

function HoursTable({ hours }: { hours: Hour[] }) {
  const shown = hours.filter((it) => it.ordered > 0).reverse();
  return (
    <Box
      sx={{ maxHeight: HEIGHT + 40, overflow: "auto", mx: -2.5 }}
      tabIndex={0}
      role="region"
      aria-label="Hours with traffic"
    >
      <Table size="small" stickyHeader>
        <TableHead>
          <TableRow>
            <TableCell>Hour</TableCell>
            <TableCell align="right">Messages</TableCell>
            {SERIES.map((it) => (
              <TableCell key={it.key} align="right">
                {it.label}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {shown.map((hour) => (
            <TableRow key={hour.hour}>
              <TableCell>
                <DateTime value={hour.hour} />
              </TableCell>
              <TableCell align="right">{count(hour.ordered)}</TableCell>
              {SERIES.map((it) => (
                <TableCell key={it.key} align="right">
                  {count(hour[it.key])}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
