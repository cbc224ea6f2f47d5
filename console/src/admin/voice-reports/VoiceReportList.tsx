// Voice Reports: all users' calls to many, newest first. Follows by itself, as calls go on.
import Link from "@mui/material/Link";
import { Link as To } from "react-router-dom";
import { EmptyState } from "../../design/states";
import { DateTime, StatusChip } from "../../design/values";
import { Answered, Charged, Failed, GivenBack, Said, type VoiceReport } from "../../design/voiceReport";
import { addressOf } from "../address";
import { Count, Excerpt, UserLink } from "../list/cells";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";

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
        <Col<VoiceReport>
          source="msg"
          label="Message"
          phone="title"
          cell={(row) => (
            <Said report={row}>
              <Link component={To} to={addressOf(`campaign-history/${row.broadcastId}`)}>
                <Excerpt text={row.msg || `Campaign ${row.broadcastId}`} width={260} />
              </Link>
            </Said>
          )}
        />
        <Col<VoiceReport>
          source="status"
          label="Status"
          phone="status"
          cell={(row) => <StatusChip status={row.status} />}
        />
        <Col<VoiceReport>
          source="no_of_sent_contacts"
          label="Answered"
          align="right"
          cell={(row) => <Answered report={row} />}
        />
        <Col<VoiceReport>
          source="no_of_failed_contacts"
          label="Failed"
          align="right"
          cell={(row) => <Failed report={row} />}
        />
        <Col<VoiceReport>
          source="units"
          label="Units"
          align="right"
          cell={(row) => <Count value={row.units} />}
        />
        <Col<VoiceReport>
          source="espees_deducted"
          label="Charged"
          align="right"
          phone="figure"
          cell={(row) => <Charged report={row} />}
        />
        <Col<VoiceReport>
          source="refunded_amount"
          label="Given back"
          align="right"
          cell={(row) => <GivenBack report={row} />}
        />
        <Col<VoiceReport>
          source="created_at"
          label="Date"
          cell={(row) => <DateTime value={row.created_at} />}
        />
      </ResourceTable>
    </ResourceList>
  );
}
