// Every customer's webhooks, newest first: where events go, and which of them fail.

import Link from "@mui/material/Link";
import { Link as To } from "react-router-dom";
import type { components } from "../../api/schema";
import { EmptyState } from "../../design/states";
import { DateTime, StatusChip } from "../../design/values";
import { addressOf } from "../address";
import { Count, TwoLines, UserLink } from "../list/cells";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";

type Webhook = components["schemas"]["Webhook"];

export default function WebhookList() {
  return (
    <ResourceList
      title="Webhooks"
      text="Where events of customers' campaigns and messages are sent. Open one for its log."
      filters={[<ListSearch key="q" source="q" alwaysOn label="Address or user name" />]}
      empty={
        <EmptyState
          title="No webhooks yet"
          text="Customers make them in their dashboard; each is listed here with how it fares."
        />
      }
    >
      <ResourceTable label="Webhooks">
        <Col<Webhook>
          source="user_id"
          label="User"
          cell={(row) => <UserLink id={row.user_id} name={row.username} />}
        />
        <Col<Webhook>
          source="url"
          label="Address"
          cell={(row) => (
            <TwoLines
              first={
                <Link component={To} to={addressOf(`webhooks/${row.id}`)} sx={{ overflowWrap: "anywhere" }}>
                  {row.url}
                </Link>
              }
              second={row.description || row.events.join(", ")}
            />
          )}
        />
        <Col<Webhook>
          source="is_active"
          label="Status"
          cell={(row) => (
            <TwoLines
              first={<StatusChip status={row.is_active ? "active" : "inactive"} />}
              second={row.inactive_reason}
            />
          )}
        />
        <Col<Webhook>
          source="failing_since"
          label="Failing since"
          cell={(row) => <DateTime value={row.failing_since} none="Not failing" />}
        />
        <Col<Webhook>
          source="pending"
          label="Waiting"
          align="right"
          cell={(row) => <Count value={row.pending} />}
        />
        <Col<Webhook> source="created_at" label="Made" cell={(row) => <DateTime value={row.created_at} />} />
      </ResourceTable>
    </ResourceList>
  );
}
