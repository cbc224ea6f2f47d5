// Whether an account may send codes, which no opt-out and no quiet hours stop.
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useRefresh } from "react-admin";
import { messageOf } from "../../api/problem";
import { FormDialog } from "../../design/FormDialog";
import { toast } from "../../design/toasts";
import type { TalkdrumProvider } from "../dataProvider";
import { SettingCard } from "./SettingCard";

interface Props {
  id: number;
  name: string;
  allowed: boolean;
}

export function UserCodes(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <SettingCard
      title="Codes"
      change={props.allowed ? "Withdraw right" : "Give right back"}
      onChange={() => setOpen(true)}
    >
      <Typography>
        {props.allowed
          ? "May send codes: no opt-out and no quiet hours stop them."
          : "May not send codes: they are refused, and its campaigns of codes are paused."}
      </Typography>
      {open && <CodesDialog {...props} onClose={() => setOpen(false)} />}
    </SettingCard>
  );
}

function CodesDialog({ id, name, allowed, onClose }: Props & { onClose: () => void }) {
  const provider = useDataProvider<TalkdrumProvider>();
  const refresh = useRefresh();
  const saving = useMutation({
    mutationFn: () =>
      provider.update("user-codes", { id, data: { allowed: !allowed }, previousData: { id, allowed } }),
    onSuccess: () => {
      toast.success(allowed ? `${name} may not send codes` : `${name} may send codes`);
      refresh();
      onClose();
    },
  });
  return (
    <FormDialog
      title={allowed ? `Withdraw the right to send codes from ${name}` : `Let ${name} send codes`}
      submit={allowed ? "Withdraw right" : "Give right back"}
      busy={saving.isPending}
      problem={saving.error ? messageOf(saving.error) : null}
      maxWidth="xs"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Typography color="textSecondary">
        {allowed
          ? "Messages with the purpose Codes are refused from then on. Campaigns of codes pause, also those that are scheduled; their owner can cancel them."
          : "Campaigns of codes that were paused wait for their owner to resume them."}
      </Typography>
    </FormDialog>
  );
}
