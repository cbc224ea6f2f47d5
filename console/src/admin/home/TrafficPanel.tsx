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
import { useMemo, useState } from "react";
import { Legend } from "../../design/chart/Legend";
import { StackedBars } from "../../design/chart/StackedBars";
import { count } from "../../design/count";
import { formatDateTime } from "../../design/dateTime";
import { DateTime } from "../../design/values";
import { everyHour, type Figures, type Hour } from "./figures";
import { Panel } from "./Panel";
import { SERIES } from "./series";

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
          <Box sx={{ mb: 1.5, mt: 0.5 }}>
            <Legend series={SERIES} />
          </Box>
          <StackedBars
            label={summary(hours)}
            rows={hours.map((it) => ({ ...it, name: it.hour }))}
            series={SERIES}
            height={HEIGHT}
            tick={(hour) => formatDateTime(hour).slice(...(hours.length > 48 ? [5] : [11]))}
            title={(hour) => formatDateTime(hour)}
            axis={48}
          />
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
