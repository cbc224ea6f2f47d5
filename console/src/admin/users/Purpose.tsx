// What messages of one account are for where neither they, nor their API key, nor their sender ID say it.
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { PURPOSES, type Purpose } from "../../design/purpose";
import { PurposeDialog } from "../form/PurposeDialog";
import { SettingCard } from "./SettingCard";

export function UserPurpose({ id, name, purpose }: { id: number; name: string; purpose: Purpose | null }) {
  const [open, setOpen] = useState(false);
  return (
    <SettingCard title="Default purpose" change="Change purpose" onChange={() => setOpen(true)}>
      <Typography>
        {purpose
          ? `${PURPOSES[purpose].name}, where a message, its API key and its sender ID do not say.`
          : "None: messages that do not say what they are for are alerts and receipts."}
      </Typography>
      {open && (
        <PurposeDialog
          resource="user-purpose"
          id={id}
          name={name}
          purpose={purpose}
          text="For messages that do not say it, nor their API key or their sender ID."
          none="None: alerts and receipts"
          onClose={() => setOpen(false)}
        />
      )}
    </SettingCard>
  );
}
