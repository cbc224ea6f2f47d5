// What was sent or said, from whom, and when.
import Box from "@mui/material/Box";
import { callerName, wordsOf } from "../sendWords";
import { DateTime } from "../values";
import { type Campaign, kindName } from "./outcomes";
import { Fact, Facts, Panel } from "./Panel";

export function SentText({ campaign }: { campaign: Campaign }) {
  const { isCall, one } = wordsOf(campaign.sms_type);
  return (
    <Panel title={isCall ? "What is said" : "What was sent"}>
      <Box
        component="p"
        sx={{
          m: 0,
          mb: 2,
          p: 1.5,
          maxHeight: 240,
          overflowY: "auto",
          borderRadius: 2,
          backgroundColor: "background.default",
          whiteSpace: "pre-wrap",
          overflowWrap: "anywhere",
        }}
        tabIndex={0}
      >
        {campaign.msg}
      </Box>
      <Facts>
        <Fact name={isCall ? "Calls come from" : "Sender ID"}>
          {isCall ? callerName(campaign.senderid) : campaign.senderid}
        </Fact>
        <Fact name="SMS type">{kindName(campaign.sms_type)}</Fact>
        <Fact name="Confirmed">
          <DateTime value={campaign.created_at} />
        </Fact>
        {campaign.scheduled_at && (
          <Fact name="Campaign Start">
            <DateTime value={campaign.scheduled_at} />
          </Fact>
        )}
        <Fact name={`First ${one}`}>
          <DateTime value={campaign.started_at} none="Not yet" />
        </Fact>
        <Fact name={isCall ? "Finished calling" : "Finished sending"}>
          <DateTime value={campaign.completed_at} none="Not yet" />
        </Fact>
      </Facts>
    </Panel>
  );
}
