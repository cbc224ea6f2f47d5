import { PasswordInput } from "react-admin";
import { Setting, SettingPage, storedKey } from "../form/SettingPage";
import { required } from "../form/validate";

export default function SmsApiKey() {
  return (
    <SettingPage
      title="SMS API Key"
      text="The key of SMS carriers that have none of their own in the configuration."
    >
      <Setting
        resource="set-sms-api-key"
        save="Save API key"
        failedToGet="Failed to get API key."
        failedToSet="Failed to update API key."
        now={storedKey}
      >
        <PasswordInput
          source="api_key"
          label="New API key"
          fullWidth
          autoComplete="off"
          validate={required("API key is required")}
          helperText="Kept sealed: only its last four characters are ever shown again."
        />
      </Setting>
    </SettingPage>
  );
}
