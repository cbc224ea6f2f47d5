// Finds a user by name, address or phone; what is chosen is the user, and what is sent is the id.
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { User } from "../../api/session";

interface Props {
  user: User | null;
  onUser: (user: User | null) => void;
  problem?: string;
  disabled?: boolean;
}

export function UserPicker({ user, onUser, problem, disabled }: Props) {
  const [typed, setTyped] = useState("");
  const q = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: own("users-found", q),
    queryFn: async () => {
      const query = { q, page: 1, per_page: 20 };
      return (await ask(api.GET("/admin/users", { params: { query } }))).users;
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  return (
    <Autocomplete
      value={user}
      onChange={(_event, chosen) => onUser(chosen)}
      onInputChange={(_event, text, reason) => reason === "input" && setTyped(text)}
      options={found.data ?? []}
      loading={found.isPending}
      filterOptions={(options) => options}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      getOptionKey={(it) => it.id}
      getOptionLabel={(it) => `${it.username} (${it.id})`}
      noOptionsText="No user has such a name"
      disabled={disabled}
      renderOption={({ key, ...props }, it) => (
        <li key={key} {...props}>
          {it.username}, {it.name} (user {it.id}
          {it.status === "active" ? "" : ", inactive"})
        </li>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          label="User"
          error={Boolean(problem)}
          helperText={problem ?? "Type a username, an email or a phone number."}
        />
      )}
    />
  );
}
