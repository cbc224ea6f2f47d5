// Voice Reports: all users' calls to many, newest first. Follows by itself, as calls go on.
import { EmptyState } from "../../design/states";
import { DateTime } from "../../design/values";
import type { VoiceReport } from "../../design/voiceReport";
import { UserLink } from "../list/cells";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";
import { VOICE_COLUMNS } from "../list/voiceColumns";

const FOLLOW_MS = 15_000;

export default function VoiceReportList() {
  return (
    <ResourceList
      title="Voice Reports"
      failure="Failed to fetch voice campaign history."
      text="The calls of all users, newest first. Open one for each call."
      refetchInterval={FOLLOW_MS}
      empty={
        <EmptyState title="No calls yet" text="They are listed here as soon as a customer confirms some." />
      }
    >
      <ResourceTable label="Voice reports">
        <Col<VoiceReport>
          source="username"
          label="User"
          phone="plain"
          cell={(row) => <UserLink id={row.user_id} name={row.username} />}
        />
        {VOICE_COLUMNS.map(({ key, ...column }) => (
          <Col<VoiceReport> key={key} source={key} {...column} />
        ))}
        <Col<VoiceReport>
          source="created_at"
          label="Confirmed"
          phone="plain"
          cell={(row) => <DateTime value={row.created_at} />}
        />
      </ResourceTable>
    </ResourceList>
  );
}
