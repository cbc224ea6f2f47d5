// Where messages go: recipients and delivery by network, and the busiest senders with what became of their messages.
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { failedOf } from "../../design/campaign/outcomes";
import { count } from "../../design/count";
import { networkName } from "../../design/network";
import { deliveryRate, share } from "../../design/share";
import { STACKED } from "../../design/stacked";
import type { Figures } from "./figures";
import { Panel } from "./Panel";

const NONE = "No campaign started in this time.";

export function NetworkPanel({ figures }: { figures: Figures | undefined }) {
  const networks = figures?.networks ?? [];
  const all = networks.reduce((sum, it) => sum + it.ordered, 0);
  return (
    <Panel title="Networks" aside={all > 0 ? `${count(all)} recipients` : undefined}>
      {!figures && <Skeleton variant="rounded" height={120} />}
      {figures && networks.length === 0 && <Typography color="textSecondary">{NONE}</Typography>}
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0, mt: 1 }}>
        {networks.map((it) => (
          <Box component="li" key={it.network} sx={{ mb: 1.5, "&:last-child": { mb: 0 } }}>
            <Box sx={{ display: "flex", gap: 1, mb: 0.5 }}>
              <Typography variant="body2" sx={{ flex: 1, fontWeight: 600 }}>
                {networkName(it.network)}
              </Typography>
              <Typography variant="body2" sx={{ fontVariantNumeric: "tabular-nums" }}>
                {count(it.ordered)}
              </Typography>
              <Typography
                variant="body2"
                color="textSecondary"
                sx={{ minWidth: 48, textAlign: "right", fontVariantNumeric: "tabular-nums" }}
              >
                {share(it.ordered, all)}
              </Typography>
            </Box>
            <Typography
              variant="body2"
              color="textSecondary"
              sx={{ mb: 0.5, fontVariantNumeric: "tabular-nums" }}
            >
              {delivery(it)}
            </Typography>
            <Box aria-hidden sx={{ height: 6, borderRadius: 3, bgcolor: "divider" }}>
              <Box
                sx={{
                  height: 6,
                  borderRadius: 3,
                  bgcolor: "primary.main",
                  width: `${all > 0 ? Math.max(1, (it.ordered * 100) / all) : 0}%`,
                }}
              />
            </Box>
          </Box>
        ))}
      </Box>
    </Panel>
  );
}

/** How many of those of which it is known arrived. */
function delivery(it: Figures["networks"][number]): string {
  if (it.delivered_per_mille == null) return "No receipt yet";
  return `${deliveryRate(it)} delivered, ${count(failedOf(it))} failed, ${count(it.awaited)} awaited`;
}

export function SenderPanel({ figures }: { figures: Figures | undefined }) {
  const senders = figures?.senders ?? [];
  return (
    <Panel title="Busiest senders" flush wide>
      {!figures && <Skeleton variant="rounded" height={120} sx={{ mx: 2.5, mb: 2.5 }} />}
      {figures && senders.length === 0 && (
        <Typography color="textSecondary" sx={{ px: 2.5, pb: 2.5 }}>
          {NONE}
        </Typography>
      )}
      {senders.length > 0 && (
        <Box sx={STACKED}>
          <Table size="small" aria-label="Busiest senders">
            <TableHead>
              <TableRow>
                <TableCell sx={{ pl: 2.5 }}>Sender</TableCell>
                <TableCell align="right">Messages</TableCell>
                <TableCell align="right">Delivered</TableCell>
                <TableCell align="right">Failed</TableCell>
                <TableCell align="right" sx={{ pr: 2.5 }}>
                  Rate
                </TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {senders.map((it) => (
                <TableRow key={it.sender}>
                  <TableCell sx={{ pl: 2.5, fontWeight: 600 }} data-phone="title">
                    {it.sender}
                  </TableCell>
                  <TableCell align="right" data-phone="labelled" data-label="Messages">
                    {count(it.ordered)}
                  </TableCell>
                  <TableCell align="right" data-phone="labelled" data-label="Delivered">
                    {count(it.delivered)}
                  </TableCell>
                  <TableCell align="right" data-phone="labelled" data-label="Failed">
                    {count(failedOf(it))}
                  </TableCell>
                  <TableCell
                    align="right"
                    data-phone="figure"
                    sx={{ pr: 2.5, fontVariantNumeric: "tabular-nums" }}
                  >
                    {deliveryRate(it)}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
    </Panel>
  );
}
