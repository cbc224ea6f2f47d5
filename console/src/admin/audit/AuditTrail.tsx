import Box from "@mui/material/Box";
import { SelectInput, TextInput } from "react-admin";
import type { components } from "../../api/schema";
import { USUAL } from "../../design/stacked";
import { EmptyState } from "../../design/states";
import { DateTime } from "../../design/values";
import { DayFilter } from "../list/DayFilter";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";
import { ACTION_CHOICES, actionName } from "./actions";

type Entry = components["schemas"]["AuditEntry"];

const FILTERS = [
  <ListSearch key="q" source="q" alwaysOn label="Search everything" />,
  <TextInput key="user_id" source="user_id" label="By whom" helperText="A user name or id" />,
  <SelectInput key="action" source="action" label="Action" choices={ACTION_CHOICES} emptyText="All" />,
  <TextInput key="subject" source="subject" label="Of what" helperText="Such as user 7" />,
  <DayFilter key="from" source="from" label="From" />,
  <DayFilter key="to" source="to" label="To" />,
];

export default function AuditTrail() {
  return (
    <ResourceList
      title="Audit Trail"
      text="Every change by an administrator, as it was written together with the change. It cannot be edited."
      filters={FILTERS}
      empty={
        <EmptyState
          title="Nothing was changed yet"
          text="The first price, setting or decision of an administrator is kept here."
        />
      }
    >
      <ResourceTable label="Audit trail">
        <Col<Entry> source="at" label="When" phone="plain" cell={(row) => <DateTime value={row.at} />} />
        <Col<Entry> source="username" label="By" phone="plain" cell={(row) => row.username ?? "-"} />
        <Col<Entry> source="action" label="Action" phone="title" cell={(row) => actionName(row.action)} />
        <Col<Entry> source="subject" label="Of what" phone="plain" />
        <Col<Entry> source="before" label="Before" cell={(row) => <Value text={row.before} />} />
        <Col<Entry> source="after" label="After" cell={(row) => <Value text={row.after} />} />
      </ResourceTable>
    </ResourceList>
  );
}

const VALUE = {
  maxWidth: 320,
  overflowWrap: "anywhere",
  "@media (max-width: 639.95px)": {
    display: "-webkit-box",
    WebkitLineClamp: 2,
    WebkitBoxOrient: "vertical",
    overflow: "hidden",
  },
} as const;

/** Texts may be long, such as a write-up: enough to know which. */
function Value({ text }: { text: string | null | undefined }) {
  if (!text) return <span {...USUAL}>-</span>;
  const short = text.length > 160 ? `${text.slice(0, 160)}…` : text;
  return <Box sx={VALUE}>{short}</Box>;
}
