import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import { Link as RouterLink } from "react-router-dom";
import { count } from "../count";
import type { SendWords } from "../sendWords";
import { useTableState } from "../tableState";
import { StatusChip } from "../values";
import type { Breakdown } from "./breakdown";
import { type Campaign, groups } from "./outcomes";
import { Panel } from "./Panel";
import { LIST, NO_REASON, NOTHING_SAID } from "./Recipients";

interface Props {
  campaign: Campaign;
  breakdown: Breakdown;
  words: SendWords;
  /** Where a list of its recipients is sent to; where the viewer may. */
  sendAddress: ((list: string) => string) | undefined;
}

/** On a phone the reason says enough. */
const WIDE = { display: { xs: "none", sm: "table-cell" } };

/** What the daemon calls reasons that are too many to be told one by one: they have no list of their own. */
const SEVERAL = "Other reasons";

/** Why messages or calls failed, most frequent first, in the daemon's words. Each leads to the list of its own. */
export function Reasons({ campaign, breakdown, words, sendAddress }: Props) {
  const { id, counts } = campaign;
  const list = useTableState({ filters: ["status", "number", "reason"] });
  const open = (status: string, reason: string | null | undefined) => {
    list.setFilters({ status, number: "", reason: reason === SEVERAL ? "" : (reason ?? NO_REASON) });
    document.getElementById(LIST)?.scrollIntoView({ block: "start" });
  };
  return (
    <Panel
      title={`Why some were not ${words.Reached.toLowerCase()}`}
      aside={
        sendAddress &&
        (campaign.resendable ?? groups(counts).failed) > 0 && (
          <Button
            component={RouterLink}
            to={sendAddress(`campaign:${id}:failed`)}
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
              <TableCell>
                <Link
                  component="button"
                  type="button"
                  onClick={() => open(it.status, it.reason)}
                  aria-label={
                    it.reason === SEVERAL
                      ? `List all that are ${it.status}`
                      : `List the ${it.status} ${words.many}: ${it.reason ?? NOTHING_SAID}`
                  }
                  sx={{ textAlign: "left", font: "inherit" }}
                >
                  {it.reason ?? NOTHING_SAID}
                </Link>
              </TableCell>
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
