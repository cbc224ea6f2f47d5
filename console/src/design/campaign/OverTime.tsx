import Box from "@mui/material/Box";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useMemo } from "react";
import { count } from "../count";
import type { SendWords } from "../sendWords";
import { type Breakdown, type Timeline, timeline } from "./breakdown";
import { Swatch } from "./OutcomeBar";
import { Panel } from "./Panel";
import { clock, stepName, TimeChart } from "./TimeChart";

/** Outcomes over time: columns, and their figures in a table beside. */
export function OverTime({ breakdown, words }: { breakdown: Breakdown; words: SendWords }) {
  const line = useMemo(() => timeline(breakdown), [breakdown]);
  if (line.columns.length < 2) return <Panel title="Over time">{atOnce(line, words)}</Panel>;
  const busy = line.columns.filter((it) => it.delivered + it.failed > 0);
  return (
    <Panel
      title="Over time"
      aside={
        <Typography variant="body2" color="textSecondary" component="div" sx={{ display: "flex", gap: 2 }}>
          <span>
            <Swatch group="delivered" />
            {words.Reached}
          </span>
          <span>
            <Swatch group="failed" />
            Failed
          </span>
        </Typography>
      }
    >
      <TimeChart timeline={line} reached={words.Reached} />
      <Box component="details" sx={{ mt: 1.5, "& summary": { cursor: "pointer", fontWeight: 600, py: 0.5 } }}>
        <summary>The same as a table</summary>
        <Box
          sx={{ maxHeight: 300, overflow: "auto", mt: 1 }}
          role="region"
          aria-label="Over time, in figures"
          tabIndex={0}
        >
          <Table size="small" aria-label="Outcomes over time">
            <TableHead>
              <TableRow>
                <TableCell>From, for {stepName(line.step_s)}</TableCell>
                <TableCell align="right">{words.Reached}</TableCell>
                <TableCell align="right">Failed</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {busy.map((it) => (
                <TableRow key={it.at}>
                  <TableCell sx={{ fontVariantNumeric: "tabular-nums" }}>
                    {clock(it.at, line.step_s)}
                  </TableCell>
                  <TableCell align="right">{count(it.delivered)}</TableCell>
                  <TableCell align="right">{count(it.failed)}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      </Box>
    </Panel>
  );
}

function atOnce({ columns: [only], step_s }: Timeline, words: SendWords) {
  return (
    <Typography color="textSecondary">
      {only
        ? `All outcomes so far came within ${stepName(step_s)}, at ${clock(only.at, step_s)}.`
        : words.isCall
          ? "No call is over yet."
          : "No receipt has come yet."}
    </Typography>
  );
}
