// Carrier health at a glance; the carriers' own page has the rest and the actions.

import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { Link as To } from "react-router-dom";
import { HEALTH_TONES, toneOf } from "../../design/carrier";
import { count } from "../../design/count";
import { StatusChip } from "../../design/values";
import { addressOf } from "../address";
import type { Figures } from "./figures";
import { Panel } from "./Panel";

export function CarrierPanel({ figures }: { figures: Figures | undefined }) {
  return (
    <Panel
      title="Carriers"
      aside={
        <Link component={To} to={addressOf("carriers")}>
          All carriers
        </Link>
      }
      flush
    >
      {!figures && <Skeleton variant="rounded" height={60} sx={{ mx: 2.5, mb: 2.5 }} />}
      {figures?.carriers.length === 0 && (
        <Typography color="textSecondary" sx={{ px: 2.5, pb: 2.5 }}>
          No carrier is configured: nothing can be sent. Add one to the configuration file.
        </Typography>
      )}
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {figures?.carriers.map((it) => (
          <Box
            component="li"
            key={it.name}
            sx={{ borderTop: 1, borderColor: "divider", px: 2.5, py: 1.25, display: "flex", gap: 1.5 }}
          >
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Typography sx={{ fontWeight: 600 }}>
                {it.name}{" "}
                <Typography component="span" variant="body2" color="textSecondary">
                  {it.kind}
                </Typography>
              </Typography>
              <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
                {it.reason ?? unmatched(it.unmatched_receipts)}
              </Typography>
            </Box>
            <Box>
              <StatusChip status={it.health} tone={toneOf(HEALTH_TONES, it.health)} />
            </Box>
          </Box>
        ))}
      </Box>
    </Panel>
  );
}

function unmatched(receipts: number): string {
  if (receipts === 0) return "all receipts matched";
  return receipts === 1
    ? "1 receipt matches no message yet"
    : `${count(receipts)} receipts match no message yet`;
}
