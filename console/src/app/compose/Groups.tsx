// The contact groups among the recipients: found by name, chosen with their sizes, and shown as chips.
import CheckBoxOutlineBlank from "@mui/icons-material/CheckBoxOutlineBlank";
import CheckBoxOutlined from "@mui/icons-material/CheckBoxOutlined";
import Autocomplete, { createFilterOptions } from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Link from "@mui/material/Link";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useController, useFormContext } from "react-hook-form";
import { Link as To } from "react-router-dom";
import { messageOf } from "../../api/problem";
import { counted } from "../../design/count";
import type { Audience } from "./audience";
import { type Group, groupsQuery } from "./calls";

/** Options that are listed at once: what is typed narrows them down. */
const LISTED = 100;

const filter = createFilterOptions<Group>({ limit: LISTED, stringify: (group) => group.group_name });

const sizeOf = ({ contacts_count }: Group) => counted(contacts_count, "contact");

export function Groups() {
  const { control } = useFormContext<Audience>();
  const { field } = useController({ name: "groups", control });
  const groups = useQuery(groupsQuery());
  const known = groups.data ?? [];
  const unlisted = field.value.filter((id) => !known.some((group) => group.id === id));
  const { refetch } = groups;
  const sought = unlisted.join();
  useEffect(() => {
    if (sought) void refetch({ cancelRefetch: false });
  }, [sought, refetch]);
  if (groups.isError && !groups.data) {
    return (
      <Box>
        <Typography role="alert" variant="body2" sx={{ mb: 1 }}>
          The contact groups could not be read. {messageOf(groups.error)}
        </Typography>
        <Button size="small" variant="outlined" onClick={() => void groups.refetch()}>
          Try again
        </Button>
      </Box>
    );
  }
  const chosen = known.filter((group) => field.value.includes(group.id));
  // A group that was just made is not in a list from before; one that is in no list is gone.
  const gone = groups.isSuccess && !groups.isFetching ? unlisted : [];
  return (
    <div>
      <Autocomplete
        multiple
        disableCloseOnSelect
        handleHomeEndKeys
        size="small"
        value={chosen}
        onChange={(_event, next, reason) =>
          field.onChange([...(reason === "clear" ? [] : unlisted), ...next.map((group) => group.id)])
        }
        options={known}
        loading={groups.isPending}
        loadingText="Reading the groups"
        noOptionsText={known.length === 0 ? "You have no groups yet" : "No group is called that"}
        filterOptions={filter}
        // Within the page's landmark, and not in its card, which cuts off what is longer.
        slotProps={{ popper: { container: () => document.querySelector("main") ?? document.body } }}
        isOptionEqualToValue={(one, other) => one.id === other.id}
        getOptionKey={(group) => group.id}
        getOptionLabel={(group) => `${group.group_name}, ${sizeOf(group)}`}
        getOptionDisabled={(group) => group.contacts_count === 0}
        renderOption={({ key, ...props }, group, { selected }) => (
          <Box component="li" key={key} {...props} sx={{ minHeight: 44 }}>
            {/* The option itself says whether it is chosen. */}
            {selected ? (
              <CheckBoxOutlined fontSize="small" color="primary" sx={{ mr: 1 }} />
            ) : (
              <CheckBoxOutlineBlank fontSize="small" sx={{ mr: 1, color: "text.secondary" }} />
            )}
            <Typography component="span" variant="body2" sx={{ overflowWrap: "anywhere", minWidth: 0 }}>
              {group.group_name}{" "}
              <Typography component="span" variant="body2" color="textSecondary">
                {sizeOf(group)}
              </Typography>
            </Typography>
          </Box>
        )}
        renderValue={(value, itemProps) =>
          value.map((group, index) => {
            const { key, ...props } = itemProps({ index });
            return (
              <Chip
                key={key}
                {...props}
                size="small"
                label={`${group.group_name}, ${sizeOf(group)}`}
                sx={{ maxWidth: "100%" }}
              />
            );
          })
        }
        renderInput={(params) => (
          <TextField
            {...params}
            label="Contact groups"
            placeholder={chosen.length > 0 ? "" : "Find a group"}
          />
        )}
      />
      {gone.length > 0 && (
        <Typography role="alert" variant="body2" color="error" sx={{ mt: 0.75 }}>
          {gone.length === 1
            ? "A group that was chosen here does not exist any more."
            : `${gone.length} groups that were chosen here do not exist any more.`}{" "}
          <Link
            component="button"
            type="button"
            color="inherit"
            underline="always"
            onClick={() => field.onChange(chosen.map((group) => group.id))}
            sx={{ font: "inherit", verticalAlign: "baseline" }}
          >
            Leave {gone.length === 1 ? "it" : "them"} out
          </Link>
        </Typography>
      )}
      {groups.data?.length === 0 && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.75 }}>
          You have no groups yet: contacts that you keep in one are chosen here at once.{" "}
          <Link component={To} to="/dashboard/phonebook" underline="always">
            Open the phonebook
          </Link>
        </Typography>
      )}
    </div>
  );
}
