// What was sent, from whom, and when.
import Box from "@mui/material/Box";
import { DateTime } from "../../../design/values";
import { type Campaign, kindName } from "../outcomes";
import { Fact, Facts, Panel } from "../Panel";

export function SentText({ campaign }: { campaign: Campaign }) {
  return (
    <Panel title="What was sent">
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
        <Fact name="Sender ID">{campaign.senderid}</Fact>
        <Fact name="SMS type">{kindName(campaign.sms_type)}</Fact>
        <Fact name="Confirmed">
          <DateTime value={campaign.created_at} />
        </Fact>
        {campaign.scheduled_at && (
          <Fact name="Campaign Start">
            <DateTime value={campaign.scheduled_at} />
          </Fact>
        )}
        <Fact name="First message">
          <DateTime value={campaign.started_at} none="Not yet" />
        </Fact>
        <Fact name="Finished sending">
          <DateTime value={campaign.completed_at} none="Not yet" />
        </Fact>
      </Facts>
    </Panel>
  );
}
