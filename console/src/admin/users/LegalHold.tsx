// Whether the data of an account is under a legal hold: retention erases nothing of it, and it cannot be deleted.
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useRefresh } from "react-admin";
import { ApiProblem, messageOf } from "../../api/problem";
import { FormDialog } from "../../design/FormDialog";
import { toast } from "../../design/toasts";
import { DateTime } from "../../design/values";
import type { TalkdrumProvider } from "../dataProvider";
import type { UserDetails } from "./details";
import { SettingCard } from "./SettingCard";

type Hold = NonNullable<UserDetails["legal_hold"]>;

interface Props {
  id: number;
  name: string;
  hold: Hold | null;
}

export function UserLegalHold({ id, name, hold }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <SettingCard title="Legal hold" change={hold ? "Lift hold" : "Put hold"} onChange={() => setOpen(true)}>
      {hold ? (
        <Typography sx={{ overflowWrap: "anywhere" }}>
          {hold.reason} (since <DateTime value={hold.held_at} />
          {hold.held_by && <>, by {hold.held_by}</>}): nothing is erased.
        </Typography>
      ) : (
        <Typography>None: what is past the times of retention, where they are set, is erased.</Typography>
      )}
      {open && <HoldDialog id={id} name={name} hold={hold} onClose={() => setOpen(false)} />}
    </SettingCard>
  );
}

function HoldDialog({ id, name, hold, onClose }: Props & { onClose: () => void }) {
  const [reason, setReason] = useState("");
  const provider = useDataProvider<TalkdrumProvider>();
  const refresh = useRefresh();
  const saving = useMutation({
    mutationFn: () =>
      provider.update("user-legal-hold", {
        id,
        data: { reason: hold ? null : reason },
        previousData: { id, reason: hold?.reason ?? null },
      }),
    onSuccess: () => {
      toast.success(hold ? `The hold on ${name} is lifted` : `The data of ${name} is under a hold`);
      refresh();
      onClose();
    },
  });
  const fault = saving.error instanceof ApiProblem ? saving.error.field("reason") : undefined;
  return (
    <FormDialog
      title={hold ? `Lift the legal hold on ${name}` : `Put a legal hold on ${name}`}
      submit={hold ? "Lift hold" : "Put hold"}
      busy={saving.isPending}
      problem={saving.error && !fault ? messageOf(saving.error) : null}
      maxWidth="xs"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Typography color="textSecondary">
        {hold
          ? "What is past the times of retention is erased from then on, and cannot be brought back."
          : "While it lasts nothing of this account is erased by age or by number, and it cannot be deleted. Customers can still remove their own contacts."}
      </Typography>
      {!hold && (
        <TextField
          label="Reason"
          value={reason}
          onChange={(event) => {
            saving.reset();
            setReason(event.target.value);
          }}
          required
          multiline
          error={Boolean(fault)}
          helperText={fault}
          slotProps={{ htmlInput: { maxLength: 500 } }}
        />
      )}
    </FormDialog>
  );
}
