import { TextInput } from "react-admin";
import { Setting, SettingPage } from "../form/SettingPage";
import { required } from "../form/validate";

export default function ContactEmail() {
  return (
    <SettingPage title="Contact Email" text="The address that visitors write to.">
      <Setting
        resource="set-contact-email"
        save="Save email"
        failedToGet="Failed to get Contact Email."
        failedToSet="Failed to set Contact Email."
      >
        <TextInput
          source="email"
          label="Email"
          type="email"
          fullWidth
          validate={required("Email is required")}
          helperText="Shown on every public page as Email Us."
        />
      </Setting>
    </SettingPage>
  );
}
