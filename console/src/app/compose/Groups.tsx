// The checklist of contact groups at the side.
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormGroup from "@mui/material/FormGroup";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useController, useFormContext } from "react-hook-form";
import { Link } from "react-router-dom";
import { messageOf } from "../../api/problem";
import type { Audience } from "./audience";
import { groupsQuery } from "./calls";
import { count } from "./Recipients";
import { Section } from "./Section";

const MANY = 8;

export function Groups() {
  const { control } = useFormContext<Audience>();
  const { field } = useController({ name: "groups", control });
  const [sought, setSought] = useState("");
  const groups = useQuery(groupsQuery());
  const found = groups.data?.filter((it) =>
    it.group_name.toLowerCase().includes(sought.trim().toLowerCase()),
  );
  const toggle = (id: number) =>
    field.onChange(field.value.includes(id) ? field.value.filter((it) => it !== id) : [...field.value, id]);

  return (
    <Section title="Contact groups" area="groups">
      {groups.isPending && <Skeleton variant="rounded" height={96} />}
      {groups.isError && !groups.data && (
        <>
          <Typography role="alert" variant="body2" sx={{ mb: 1 }}>
            {messageOf(groups.error)}
          </Typography>
          <Button size="small" variant="outlined" onClick={() => void groups.refetch()}>
            Try again
          </Button>
        </>
      )}
      {groups.data?.length === 0 && (
        <>
          <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
            You have no groups yet. Contacts you keep in a group can be sent to with one tick.
          </Typography>
          <Button component={Link} to="/dashboard/phonebook" size="small" variant="outlined">
            Open the phonebook
          </Button>
        </>
      )}
      {groups.data && groups.data.length > MANY && (
        <TextField
          label="Find a group"
          type="search"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
          sx={{ mb: 1 }}
        />
      )}
      <FormGroup sx={{ maxHeight: 280, overflowY: "auto", flexWrap: "nowrap" }}>
        {found?.map((group) => (
          <FormControlLabel
            key={group.id}
            sx={{ alignItems: "flex-start", mr: 0, minHeight: 40 }}
            control={
              <Checkbox
                size="small"
                checked={field.value.includes(group.id)}
                disabled={group.contacts_count === 0}
                onChange={() => toggle(group.id)}
              />
            }
            label={
              <Typography variant="body2" sx={{ pt: 1, overflowWrap: "anywhere" }}>
                {group.group_name}{" "}
                <Typography component="span" variant="body2" color="textSecondary">
                  {count(group.contacts_count, "contact")}
                </Typography>
              </Typography>
            }
          />
        ))}
      </FormGroup>
      {found?.length === 0 && sought && (
        <Typography variant="body2" color="textSecondary">
          No group is called that.
        </Typography>
      )}
    </Section>
  );
}
