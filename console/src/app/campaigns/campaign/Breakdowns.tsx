// Outcomes by network, over time and by reason. They are counted from the delivery report in the browser: unasked where
// that is small, on a click where it is not.
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../api/problem";
import { own } from "../../../api/queries";
import { type Breakdown, breakdownOf, DRAWN_MAX, DRAWN_UNASKED, LINE_BYTES } from "../breakdown";
import { isOver, useEvery } from "../live";
import { type Campaign, count } from "../outcomes";
import { Panel } from "../Panel";
import { report } from "../reports";
import { Networks } from "./Networks";
import { OverTime } from "./OverTime";
import { Reasons } from "./Reasons";

const AGAIN_MS = 10_000;

export function Breakdowns({ campaign }: { campaign: Campaign }) {
  const { id, total_contacts, counts } = campaign;
  const small = total_contacts <= DRAWN_UNASKED;
  const [asked, setAsked] = useState(false);
  const begun = total_contacts > counts.queued + counts.submitting;
  const changing = !isOver(campaign) || counts.submitted > 0;
  // Small reports are read anew when something has changed, large ones when somebody asks.
  const stamp = useEvery(JSON.stringify(counts), AGAIN_MS);
  const { data, isError, error, isFetching, refetch } = useQuery({
    queryKey: own("campaigns", "breakdown", id, small ? stamp : "asked"),
    queryFn: async () => breakdownOf(await report(id)),
    enabled: begun && (small || asked),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  if (!begun) return null;
  if (!small && !asked) return <Offer total={total_contacts} onDraw={() => setAsked(true)} />;
  if (!data && isError) {
    return (
      <Panel title="By network and over time">
        <Typography sx={{ mb: 1.5 }} role="alert">
          The report could not be read. {messageOf(error)}
        </Typography>
        <Button variant="outlined" onClick={() => void refetch()}>
          Try again
        </Button>
      </Panel>
    );
  }
  if (!data) {
    return (
      <Panel title="By network and over time">
        {!small && <LinearProgress aria-label="Reading the report" sx={{ mb: 2 }} />}
        <Skeleton variant="rounded" height={180} />
      </Panel>
    );
  }
  return (
    <>
      <Drawn breakdown={data} />
      {!small && changing && (
        <Box>
          <Button variant="outlined" loading={isFetching} onClick={() => void refetch()}>
            Count again
          </Button>
        </Box>
      )}
    </>
  );
}

function Drawn({ breakdown }: { breakdown: Breakdown }) {
  return (
    <>
      <Networks breakdown={breakdown} />
      <OverTime breakdown={breakdown} />
      {breakdown.reasons.length > 0 && <Reasons breakdown={breakdown} />}
    </>
  );
}

function Offer({ total, onDraw }: { total: number; onDraw: () => void }) {
  const megabytes = Math.max(1, Math.round((total * LINE_BYTES) / 1_000_000));
  return (
    <Panel title="By network and over time">
      {total <= DRAWN_MAX ? (
        <>
          <Typography color="textSecondary" sx={{ mb: 1.5 }}>
            To draw these, your browser reads the whole report of {count(total)} messages, about {megabytes}{" "}
            MB.
          </Typography>
          <Button variant="outlined" onClick={onDraw}>
            Draw the charts
          </Button>
        </>
      ) : (
        <Typography color="textSecondary">
          With more than {count(DRAWN_MAX)} messages this is too much for a browser. Download the report and
          count it in a spreadsheet or a program.
        </Typography>
      )}
    </Panel>
  );
}
