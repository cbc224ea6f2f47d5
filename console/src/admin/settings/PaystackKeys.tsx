import Typography from "@mui/material/Typography";
import { PasswordInput, type RaRecord, TextInput } from "react-admin";
import { DateTime } from "../../design/values";
import { Setting, SettingPage } from "../form/SettingPage";
import { required } from "../form/validate";

const BOTH = required("Please provide both secret and public keys.");

export default function PaystackKeys() {
  return (
    <SettingPage
      title="Paystack Keys"
      text="Both come from your Paystack dashboard, under Settings, API Keys & Webhooks. They are set together."
    >
      <Setting
        resource="set-paystack-keys"
        save="Save Paystack keys"
        failedToGet="Failed to get API keys."
        failedToSet="Failed to update API key."
        now={kept}
      >
        <PasswordInput
          source="secret_key"
          label="New secret key"
          fullWidth
          autoComplete="off"
          validate={BOTH}
          helperText="Begins with sk_. Kept sealed: only its last four characters are ever shown again."
        />
        <TextInput
          source="public_key"
          label="New public key"
          fullWidth
          autoComplete="off"
          validate={BOTH}
          helperText="Begins with pk_."
        />
      </Setting>
    </SettingPage>
  );
}

function kept(record: RaRecord) {
  if (!record.kept_secret && !record.kept_public)
    return "Not set yet: customers cannot fund their Naira accounts until both are.";
  return (
    <Typography component="span" variant="body2">
      Set: secret key {record.kept_secret ?? "none"}, public key {record.kept_public ?? "none"}, last changed{" "}
      <DateTime value={record.updated_at} />. New ones take their place at once.
    </Typography>
  );
}
