// What messages of an account or a sender ID are for where they do not say it themselves.
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useRefresh } from "react-admin";
import { ApiProblem, messageOf } from "../../api/problem";
import { DefaultPurpose } from "../../design/DefaultPurpose";
import { FormDialog } from "../../design/FormDialog";
import { PURPOSES, type Purpose } from "../../design/purpose";
import { toast } from "../../design/toasts";
import type { TalkdrumProvider } from "../dataProvider";

interface Props {
  resource: "user-purpose" | "sender-purpose";
  id: number;
  /** The user's or the sender ID's. */
  name: string;
  purpose: Purpose | null;
  /** What comes before it. */
  text: string;
  /** What holds without one. */
  none: string;
  onClose: () => void;
}

export function PurposeDialog({ resource, id, name, purpose, text, none, onClose }: Props) {
  const [chosen, setChosen] = useState<Purpose | "">(purpose ?? "");
  const provider = useDataProvider<TalkdrumProvider>();
  const refresh = useRefresh();
  const saving = useMutation({
    mutationFn: () =>
      provider.update(resource, { id, data: { purpose: chosen }, previousData: { id, purpose } }),
    onSuccess: () => {
      toast.success(
        chosen ? `Messages of ${name} are for: ${PURPOSES[chosen].name}` : `${name} has no default purpose`,
      );
      refresh();
      onClose();
    },
  });
  const fault = saving.error instanceof ApiProblem ? saving.error.field("purpose") : undefined;
  return (
    <FormDialog
      title={`Default purpose of ${name}`}
      submit="Save purpose"
      busy={saving.isPending}
      problem={saving.error && !fault ? messageOf(saving.error) : null}
      maxWidth="xs"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen === (purpose ?? "")) return onClose();
        saving.mutate();
      }}
    >
      <Typography color="textSecondary">{text} What was quoted stays as it is.</Typography>
      <DefaultPurpose
        label="Messages are for"
        none={none}
        value={chosen}
        onChange={(next) => {
          saving.reset();
          setChosen(next);
        }}
        error={Boolean(fault)}
        helperText={fault}
      />
    </FormDialog>
  );
}
