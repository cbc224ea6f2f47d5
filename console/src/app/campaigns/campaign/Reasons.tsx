import Button from "@mui/material/Button";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import { Link } from "react-router-dom";
import { composeAddress } from "../../../design/composeAddress";
import { count } from "../../../design/count";
import type { SendWords } from "../../../design/sendWords";
import { StatusChip } from "../../../design/values";
import type { Breakdown } from "../breakdown";
import { type Campaign, groups } from "../outcomes";
import { Panel } from "../Panel";

interface Props {
  campaign: Campaign;
  breakdown: Breakdown;
  words: SendWords;
}

/** On a phone the reason says enough. */
const WIDE = { display: { xs: "none", sm: "table-cell" } };

/** Why messages or calls failed, most frequent first, in the daemon's words. */
export function Reasons({ campaign, breakdown, words }: Props) {
  const { id, sms_type, counts } = campaign;
  return (
    <Panel
      title={`Why some were not ${words.Reached.toLowerCase()}`}
      aside={
        groups(counts).failed > 0 && (
          <Button
            component={Link}
            to={composeAddress(sms_type, { audience: [`campaign:${id}:failed`] })}
            size="small"
            variant="outlined"
          >
            Send to these
          </Button>
        )
      }
    >
      <Table size="small" aria-label="Reasons">
        <TableHead>
          <TableRow>
            <TableCell>Reason</TableCell>
            <TableCell sx={WIDE}>Status</TableCell>
            <TableCell align="right">{words.Many}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {breakdown.reasons.map((it) => (
            <TableRow key={`${it.status} ${it.reason}`}>
              <TableCell>{it.reason || "No reason was given"}</TableCell>
              <TableCell sx={WIDE}>
                <StatusChip status={it.status} />
              </TableCell>
              <TableCell align="right">{count(it.count)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Panel>
  );
}
