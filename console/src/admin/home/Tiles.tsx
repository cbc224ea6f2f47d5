// The four figures an operator looks at first.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { failedOf } from "../../design/campaign/outcomes";
import { count } from "../../design/count";
import { duration } from "../../design/duration";
import { networkName } from "../../design/network";
import { deliveryRate } from "../../design/share";
import { DateTime } from "../../design/values";
import type { Figures } from "./figures";

/** Above it a queue is worth a look: a campaign's first message leaves within a moment. */
const QUEUE_AGE_LATE_S = 300;

export function Tiles({ figures }: { figures: Figures | undefined }) {
  const traffic = figures?.traffic;
  const open = figures?.open_campaigns;
  const failed = traffic ? failedOf(traffic) : 0;
  return (
    <Box
      sx={{
        display: "grid",
        gap: 2,
        gridTemplateColumns: { xs: "repeat(2, 1fr)", lg: "repeat(4, 1fr)" },
      }}
    >
      <Tile title="Messages" value={traffic && count(traffic.ordered)}>
        {traffic && `in ${count(traffic.campaigns)} ${traffic.campaigns === 1 ? "campaign" : "campaigns"}`}
      </Tile>
      <Tile
        title="Delivery rate"
        value={traffic && deliveryRate(traffic)}
        late={(traffic?.delivered_per_mille ?? 1000) < 800}
      >
        {traffic &&
          (traffic.delivered + failed === 0
            ? "no receipts yet"
            : `${count(traffic.delivered)} delivered, ${count(failed)} failed, ${count(traffic.awaited)} awaited`)}
      </Tile>
      <Tile
        title="Queue age"
        value={figures && duration(figures.queue_age_s)}
        late={(figures?.queue_age_s ?? 0) > QUEUE_AGE_LATE_S}
      >
        {figures &&
          (figures.oldest_unsent_at ? (
            <>
              oldest waits since <DateTime value={figures.oldest_unsent_at} />
            </>
          ) : (
            waitsForBreakers(figures)
          ))}
      </Tile>
      <Tile title="Campaigns sending" value={open && count(open.sending)}>
        {open && `${count(open.scheduled)} scheduled, ${count(open.paused)} paused`}
      </Tile>
    </Box>
  );
}

/** What waits where nothing could be sent at once: promotional messages to networks that are not delivered to. */
function waitsForBreakers({ carriers }: Figures): string {
  const held = carriers.flatMap((it) => it.breakers ?? []).filter((it) => it.waiting > 0);
  const wait = held.map((it) => `${count(it.waiting)} for ${networkName(it.network)}`);
  return wait.length === 0 ? "nothing waits" : `a breaker holds ${wait.join(", ")}`;
}

interface TileProps {
  title: string;
  value: string | undefined;
  late?: boolean;
  children: ReactNode;
}

function Tile({ title, value, late, children }: TileProps) {
  return (
    <Card component="section" aria-label={title} sx={{ p: { xs: 2, sm: 2.5 }, minWidth: 0 }}>
      <Typography component="h2" variant="body2" color="textSecondary" sx={{ fontWeight: 600 }}>
        {title}
      </Typography>
      <Typography
        component="p"
        sx={{
          mt: 0.5,
          fontSize: { xs: "1.375rem", sm: "1.75rem" },
          fontWeight: 700,
          letterSpacing: "-0.02em",
          lineHeight: 1.25,
          fontVariantNumeric: "tabular-nums",
          color: late ? "warning.main" : undefined,
        }}
      >
        {value ?? <Skeleton width="60%" />}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ minHeight: 20 }}>
        {children}
      </Typography>
    </Card>
  );
}
