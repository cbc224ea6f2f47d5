// Outcomes by network, over time and by reason, as the daemon counted them.
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { messageOf } from "../../api/problem";
import { own } from "../../api/queries";
import { wordsOf } from "../sendWords";
import { breakdown } from "./breakdown";
import { isOver, useThrottled } from "./live";
import { Networks } from "./Networks";
import { OverTime } from "./OverTime";
import type { Campaign } from "./outcomes";
import { Panel } from "./Panel";
import { Reasons } from "./Reasons";

/** What still moves is counted for each answer: a large campaign is asked about less often. */
const AGAIN_MS = 10_000;
const AGAIN_LARGE_MS = 30_000;
const LARGE = 10_000;
/** Once nothing is left to send, figures that have stood still for so long are counted at once: they are the last. */
const SETTLED_MS = 3_000;

interface Props {
  campaign: Campaign;
  /** Where a list of its recipients is sent to; where the viewer may. */
  sendAddress: ((list: string) => string) | undefined;
}

export function Breakdowns({ campaign, sendAddress }: Props) {
  const { id, total_contacts, counts } = campaign;
  const begun = total_contacts > counts.queued + counts.submitting;
  const over = isOver(campaign);
  const now = JSON.stringify(counts);
  const stamp = useThrottled(
    now,
    total_contacts > LARGE ? AGAIN_LARGE_MS : AGAIN_MS,
    over ? SETTLED_MS : undefined,
  );
  const { data, isError, isPlaceholderData, error, refetch } = useQuery({
    queryKey: own("campaigns", "breakdown", id, stamp),
    queryFn: () => breakdown(id),
    enabled: begun,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  if (!begun) return null;
  if (!data) {
    return (
      <Panel title="By network and over time">
        {isError ? (
          <>
            <Typography sx={{ mb: 1.5 }} role="alert">
              These could not be counted. {messageOf(error)}
            </Typography>
            <Button variant="outlined" onClick={() => void refetch()}>
              Try again
            </Button>
          </>
        ) : (
          <Skeleton variant="rounded" height={180} />
        )}
      </Panel>
    );
  }
  const words = wordsOf(campaign.sms_type);
  return (
    <>
      <Networks breakdown={data} words={words} over={over} behind={isPlaceholderData || stamp !== now} />
      <OverTime breakdown={data} words={words} />
      {data.reasons.length > 0 && (
        <Reasons campaign={campaign} breakdown={data} words={words} sendAddress={sendAddress} />
      )}
    </>
  );
}
