import PersonAdd from "@mui/icons-material/PersonAddOutlined";
import Button from "@mui/material/Button";
import { SelectInput } from "react-admin";
import { Link } from "react-router-dom";
import type { User } from "../../api/session";
import { EmptyState } from "../../design/states";
import { DateTime, Money } from "../../design/values";
import { addressOf, userAddress } from "../address";
import { UserLink } from "../list/cells";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";
import { StatusTabs } from "../list/StatusTabs";
import { BulkUserStatus } from "./BulkUserStatus";

const NEW = addressOf("manage-users/create");

const ROLES = [
  { id: "user", name: "Customers" },
  { id: "admin", name: "Administrators" },
];

export default function UserList() {
  return (
    <ResourceList
      title="Manage Users"
      actions={
        <Button component={Link} to={NEW} variant="contained" startIcon={<PersonAdd />}>
          New user
        </Button>
      }
      above={<StatusTabs />}
      tabbed="status"
      filterDefaultValues={{ status: "active" }}
      filters={[
        <ListSearch key="q" source="q" alwaysOn label="Search by username, email or phone" />,
        <SelectInput key="role" source="role" label="Role" choices={ROLES} />,
      ]}
      empty={
        <EmptyState
          title="No users here"
          text="Inactive users sign in and read, but cannot send or pay. Users come by signing up, or you make one."
          action={{ label: "Make a user", to: NEW }}
        />
      }
    >
      <ResourceTable label="Users" bulk={<BulkUserStatus />}>
        <Col<User>
          source="username"
          label="Username"
          phone="title"
          sortable
          cell={(row) => <UserLink id={row.id} name={row.username} />}
        />
        <Col<User> source="name" label="Name" phone="plain" sortable />
        <Col<User> source="email" label="Email" phone="hidden" sortable cell={(row) => row.email || "-"} />
        <Col<User>
          source="phone_number"
          label="Phone"
          phone="plain"
          cell={(row) => row.phone_number ?? "-"}
        />
        <Col<User>
          source="espee_balance"
          label="ESPEES"
          align="right"
          phone="plain"
          cell={(row) => <Money value={row.espee_balance} currency="espees" />}
        />
        <Col<User>
          source="paystack_balance"
          label="Naira"
          align="right"
          phone="figure"
          cell={(row) => <Money value={row.paystack_balance} currency="naira" />}
        />
        <Col<User>
          source="last_login_at"
          label="Last login"
          phone="hidden"
          sortable
          cell={(row) => <DateTime value={row.last_login_at} none="Never" />}
        />
        <Col<User>
          source="id"
          label="View"
          actions
          phone="hidden"
          cell={(row) => (
            <Button
              component={Link}
              to={userAddress(row.id)}
              size="small"
              variant="outlined"
              aria-label={`View ${row.username}`}
            >
              View
            </Button>
          )}
        />
      </ResourceTable>
    </ResourceList>
  );
}
