// Campaign History: all users' campaigns, newest first. Follows by itself, as campaigns move.
import Box from "@mui/material/Box";
import { SelectInput, TextInput } from "react-admin";
import { CampaignCost } from "../../design/CampaignCost";
import { failedOf } from "../../design/campaign/outcomes";
import { reasonOf } from "../../design/campaign/reasonOf";
import { purposeName } from "../../design/purpose";
import { EmptyState } from "../../design/states";
import { DateTime, StatusChip } from "../../design/values";
import { CampaignLink, Count, Excerpt, RowActions, TwoLines, UserLink } from "../list/cells";
import { DayFilter } from "../list/DayFilter";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";
import { BulkCampaignActions, CampaignActions } from "./CampaignActions";
import { type Campaign, STATUSES } from "./campaign";

const FOLLOW_MS = 15_000;

const statuses = STATUSES.map((id) => ({ id, name: id.charAt(0).toUpperCase() + id.slice(1) }));
const TYPES = [
  { id: "text", name: "Text" },
  { id: "flash", name: "Flash" },
  { id: "unicode", name: "Unicode" },
  { id: "wap-push", name: "WAP push" },
  { id: "vcard", name: "vCard" },
  { id: "voice", name: "Voice" },
];

const typeName = (type: string) => TYPES.find((it) => it.id === type)?.name ?? type;

const FILTERS = [
  <ListSearch key="q" source="q" alwaysOn label="Sender, text or user name" />,
  <SelectInput key="status" source="status" label="Status" choices={statuses} alwaysOn emptyText="All" />,
  <SelectInput key="type" source="type" label="Type" choices={TYPES} emptyText="All" />,
  <TextInput key="user_id" source="user_id" label="User ID or name" />,
  <DayFilter key="from" source="from" label="From" />,
  <DayFilter key="to" source="to" label="To" />,
];

export default function CampaignList() {
  return (
    <ResourceList
      title="Campaign History"
      failure="Failed to fetch campaign history."
      text="The campaigns of all users, newest first. Open one for its messages or calls."
      filters={FILTERS}
      refetchInterval={FOLLOW_MS}
      empty={
        <EmptyState
          title="No campaigns yet"
          text="They are listed here as soon as a customer confirms one."
        />
      }
    >
      <ResourceTable label="Campaigns" bulk={<BulkCampaignActions />}>
        <Col<Campaign>
          source="id"
          label="Campaign"
          phone="plain"
          cell={(row) => (
            <TwoLines
              first={<CampaignLink id={row.id} />}
              second={<UserLink id={row.user_id} name={row.username} />}
            />
          )}
        />
        <Col<Campaign>
          source="msg"
          label="Message"
          phone="title"
          cell={(row) => (
            <Box sx={{ minWidth: { sm: 150 } }}>
              <TwoLines
                first={<Excerpt text={row.msg} width={260} />}
                second={`${row.senderid}, ${typeName(row.sms_type)}, ${purposeName(row.purpose)}`}
              />
            </Box>
          )}
        />
        <Col<Campaign>
          source="status"
          label="Status"
          phone="status"
          cell={(row) =>
            reasonOf(row) ? (
              <TwoLines first={<StatusChip status={row.status} />} second={reasonOf(row)} />
            ) : (
              <StatusChip status={row.status} />
            )
          }
        />
        <Col<Campaign>
          source="total_contacts"
          label="Recipients"
          align="right"
          cell={(row) => <Count value={row.total_contacts} />}
        />
        <Col<Campaign>
          source="no_of_sent_contacts"
          label="Delivered"
          align="right"
          cell={(row) => <Count value={row.counts.delivered} />}
        />
        <Col<Campaign>
          source="no_of_failed_contacts"
          label="Failed"
          align="right"
          cell={(row) => <Count value={failedOf(row.counts)} />}
        />
        <Col<Campaign>
          source="total_charges"
          label="Cost"
          align="right"
          phone="figure"
          cell={(row) => <CampaignCost campaign={row} />}
        />
        <Col<Campaign>
          source="created_at"
          label="Confirmed"
          cell={(row) => <DateTime value={row.created_at} />}
        />
        <Col<Campaign>
          source="actions"
          label="Actions"
          actions
          cell={(row) => (
            <RowActions>
              <CampaignActions campaign={row} />
            </RowActions>
          )}
        />
      </ResourceTable>
    </ResourceList>
  );
}
