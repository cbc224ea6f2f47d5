import Button from "@mui/material/Button";
import { useState } from "react";
import type { components } from "../../api/schema";
import type { User } from "../../api/session";
import { EmptyState } from "../../design/states";
import { DateTime, StatusChip } from "../../design/values";
import { ALL_USERS, MessageDialog, type Recipient } from "../form/MessageDialog";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";
import { StatusTabs } from "../list/StatusTabs";

type Message = components["schemas"]["UserMessage"];

export default function MessageUsers() {
  const [to, setTo] = useState<Recipient | null>(null);
  return (
    <>
      <ResourceList
        title="Message Users"
        text="As a text message, and by KingsChat where an account is linked. It costs the user nothing."
        resource="manage-users"
        storeKey="message-users.users"
        above={<StatusTabs />}
        tabbed="status"
        filterDefaultValues={{ status: "active" }}
        filters={[<ListSearch key="q" source="q" alwaysOn label="Search by username, email or phone" />]}
        actions={
          <Button variant="contained" onClick={() => setTo(ALL_USERS)}>
            Message all users
          </Button>
        }
        empty={
          <EmptyState title="No users here" text="They are listed here as soon as they have signed up." />
        }
      >
        <ResourceTable label="Users">
          <Col<User> source="username" label="Username" sortable />
          <Col<User> source="name" label="Name" sortable />
          <Col<User>
            source="phone_number"
            label="Phone"
            cell={(row) => row.phone_number ?? "None: KingsChat only"}
          />
          <Col<User>
            source="id"
            label="Message"
            actions
            cell={(row) => (
              <Button
                size="small"
                variant="outlined"
                aria-label={`Message User ${row.username}`}
                onClick={() => setTo(row)}
              >
                Message User
              </Button>
            )}
          />
        </ResourceTable>
      </ResourceList>
      <ResourceList
        section
        title="Messages so far"
        resource="message-users"
        storeKey="message-users.sent"
        empty={<EmptyState title="None yet" text="Choose a user above, or message all of them." />}
      >
        <ResourceTable label="Messages so far">
          <Col<Message>
            source="created_at"
            label="When"
            cell={(row) => <DateTime value={row.created_at} />}
          />
          <Col<Message> source="message" label="Message" />
          <Col<Message>
            source="user_id"
            label="To"
            cell={(row) => (row.user_id ? `User ${row.user_id}` : "All users")}
          />
          <Col<Message> source="recipients" label="Recipients" align="right" />
          <Col<Message> source="sms" label="Text messages" cell={(row) => counted(row.sms)} />
          <Col<Message> source="chat" label="KingsChat" cell={(row) => counted(row.chat)} />
          <Col<Message>
            source="status"
            label="Status"
            cell={(row) => {
              const [words, tone] = STATUSES[row.status] ?? [row.status];
              return <StatusChip status={words} tone={tone} />;
            }}
          />
        </ResourceTable>
      </ResourceList>
      <MessageDialog to={to} open={to !== null} onClose={() => setTo(null)} />
    </>
  );
}

/** What the daemon calls them, and what they are called here. */
const STATUSES: Record<string, readonly [string, "info" | "success"]> = {
  giving_out: ["sending", "info"],
  given_out: ["sent", "success"],
};

function counted(by: Record<string, number>): string {
  const parts = Object.entries(by).filter(([, count]) => count > 0);
  return (
    parts
      .map(([status, count]) => `${count.toLocaleString("en")} ${status.replaceAll("_", " ")}`)
      .join(", ") || "-"
  );
}
