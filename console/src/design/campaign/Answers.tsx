// What people answered by key to the question of a campaign of calls.
import Box from "@mui/material/Box";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { count } from "../count";
import { share } from "../share";
import type { Campaign } from "./outcomes";
import { Panel } from "./Panel";

export function Answers({ campaign: { poll } }: { campaign: Pick<Campaign, "poll"> }) {
  if (!poll) return null;
  const all = poll.reduce((sum, it) => sum + it.count, 0);
  return (
    <Panel title="Answers">
      <Table size="small" aria-label="Answers by key" sx={{ "& th, & td": { px: { xs: 1, sm: 2 } } }}>
        <TableHead>
          <TableRow>
            <TableCell>Answer</TableCell>
            <TableCell>Key</TableCell>
            <TableCell sx={{ width: "40%", display: { xs: "none", sm: "table-cell" } }}>Share</TableCell>
            <TableCell align="right">Calls</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {poll.map(({ key, label, count: calls }) => (
            <TableRow key={key}>
              <TableCell sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{label}</TableCell>
              <TableCell>{key.length === 1 ? key : "-"}</TableCell>
              <TableCell sx={{ display: { xs: "none", sm: "table-cell" } }}>
                <Bar part={calls} whole={all} />
              </TableCell>
              <TableCell align="right" sx={{ whiteSpace: "nowrap" }}>
                {count(calls)} ({share(calls, all)})
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
        {all === 0
          ? "No call was answered yet."
          : `The first valid key of each of ${count(all)} answered ${all === 1 ? "call" : "calls"} counts.`}
      </Typography>
    </Panel>
  );
}

/** The figures stand beside it. */
function Bar({ part, whole }: { part: number; whole: number }) {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return (
    <Box aria-hidden sx={{ height: 8, borderRadius: 1, bgcolor: "action.hover", overflow: "hidden" }}>
      <Box sx={{ height: 1, width: `${percent}%`, bgcolor: "primary.main" }} />
    </Box>
  );
}
