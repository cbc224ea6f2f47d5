import Box from "@mui/material/Box";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import type { Series } from "../chart/barsOf";
import { Legend } from "../chart/Legend";
import { ShareBars } from "../chart/ShareBars";
import { count } from "../count";
import { networkName } from "../network";
import type { SendWords } from "../sendWords";
import { share } from "../share";
import { STACKED } from "../stacked";
import { type Breakdown, groupsOf } from "./breakdown";
import { colourOf, Swatch } from "./OutcomeBar";
import { GROUPS, sumOf } from "./outcomes";
import { Panel } from "./Panel";

interface Props {
  breakdown: Breakdown;
  words: SendWords;
  over: boolean;
  /** The whole campaign's figures are newer. */
  behind: boolean;
}

/** Outcomes by network: a bar for each, and the figures in a table. */
export function Networks({ breakdown, words, over, behind }: Props) {
  const outcomes = breakdown.networks.map((it) => ({ name: it.network, ...groupsOf(it, over) }));
  const series = GROUPS.filter(({ group }) => outcomes.some((it) => it[group] > 0)).map(
    ({ group, label }): Series => ({
      key: group,
      label: group === "delivered" ? words.Reached : label,
      colour: (theme) => colourOf(theme, group),
    }),
  );
  return (
    <Panel
      title="By network"
      aside={
        behind && (
          <Typography variant="body2" color="textSecondary">
            A moment behind, counted again soon
          </Typography>
        )
      }
    >
      <Legend series={series} />
      <Box sx={{ mt: 1, mb: 1.5 }}>
        <ShareBars
          label="Outcomes by network. The table has every figure"
          rows={outcomes}
          series={series}
          title={networkName}
        />
      </Box>
      <Box
        sx={{ overflowX: "auto", mx: { xs: -2, sm: 0 }, ...STACKED }}
        role="region"
        aria-label="Outcomes by network"
        tabIndex={0}
      >
        <Table size="small" aria-label="Outcomes by network" sx={{ "& th, & td": { px: { xs: 1, sm: 2 } } }}>
          <TableHead>
            <TableRow>
              <TableCell>Network</TableCell>
              <TableCell align="right">{words.Many}</TableCell>
              <TableCell align="right" sx={{ whiteSpace: "nowrap" }}>
                <Swatch group="delivered" />
                {words.Reached}
              </TableCell>
              <TableCell align="right" sx={{ whiteSpace: "nowrap" }}>
                <Swatch group="failed" />
                Failed
              </TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {breakdown.networks.map((it) => {
              const { network } = it;
              const groups = groupsOf(it, over);
              const all = sumOf(groups);
              return (
                <TableRow key={network}>
                  <TableCell sx={{ fontWeight: 600 }} data-phone="title">
                    {networkName(network)}
                  </TableCell>
                  <TableCell align="right" data-phone="labelled" data-label={words.Many}>
                    {count(all)}
                  </TableCell>
                  <TableCell align="right" sx={{ whiteSpace: "nowrap" }} data-phone="figure">
                    <Box component="span" sx={{ "@media (min-width: 640px)": { display: "none" } }}>
                      {words.Reached}{" "}
                    </Box>
                    {count(groups.delivered)} ({share(groups.delivered, all)})
                  </TableCell>
                  <TableCell align="right" data-phone="labelled" data-label="Failed">
                    {count(groups.failed)}
                  </TableCell>
                </TableRow>
              );
            })}
          </TableBody>
        </Table>
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
        Networks are told by the number's prefix: ported numbers may be with another.
      </Typography>
    </Panel>
  );
}
