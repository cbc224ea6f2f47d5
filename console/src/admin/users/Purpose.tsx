// What messages of one account are for where neither they, nor their API key, nor their sender ID say it.
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { PURPOSES, type Purpose } from "../../design/purpose";
import { PurposeDialog } from "../form/PurposeDialog";

export function UserPurpose({ id, name, purpose }: { id: number; name: string; purpose: Purpose | null }) {
  const [open, setOpen] = useState(false);
  return (
    <Card component="section" aria-label="Default purpose" sx={{ p: 2, mb: 3 }}>
      <Stack sx={{ flexDirection: "row", flexWrap: "wrap", gap: 2, alignItems: "center", mb: 1 }}>
        <Typography variant="h3" component="h2" sx={{ flex: 1 }}>
          Default purpose
        </Typography>
        <Button size="small" variant="outlined" onClick={() => setOpen(true)}>
          Change purpose
        </Button>
      </Stack>
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
    </Card>
  );
}
