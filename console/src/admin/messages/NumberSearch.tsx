// One number across all customers and campaigns: asked for on purpose, not with every key.
import Search from "@mui/icons-material/Search";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { type FormEvent, useState } from "react";
import { useListContext } from "react-admin";
import { EmptyState } from "../../design/states";
import { type Message, messageColumns } from "../list/messageColumns";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";

const COLUMNS = messageColumns();

export default function NumberSearch() {
  return (
    <ResourceList
      title="Search a Number"
      text="Every message and call to one number, of all customers and campaigns, newest first."
      above={<NumberForm />}
      storeKey={false}
      empty={
        <EmptyState
          title="Which number?"
          text="Type it in any form: 08031234567, +234 803 123 4567 or 2348031234567."
          icon={<Search sx={{ fontSize: 40 }} />}
        />
      }
    >
      <ResourceTable label="Messages to the number">
        {COLUMNS.map((it) => (
          <Col<Message>
            key={it.key}
            source={it.key}
            label={it.label}
            align={it.align}
            actions={it.actions}
            cell={it.cell}
          />
        ))}
      </ResourceTable>
    </ResourceList>
  );
}

function NumberForm() {
  const { filterValues, setFilters, isFetching } = useListContext();
  const asked: unknown = filterValues.number;
  const [number, setNumber] = useState(typeof asked === "string" ? asked : "");
  const search = (event: FormEvent) => {
    event.preventDefault();
    setFilters(number.trim() ? { number: number.trim() } : {}, {});
  };
  return (
    <Stack
      component="form"
      role="search"
      onSubmit={search}
      sx={{ flexDirection: "row", gap: 1, mb: 2, maxWidth: 480 }}
    >
      <TextField
        label="Phone number"
        type="tel"
        autoFocus
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
      <Button type="submit" variant="contained" loading={isFetching && Boolean(asked)}>
        Search
      </Button>
    </Stack>
  );
}
