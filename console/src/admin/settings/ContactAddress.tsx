import { TextInput } from "react-admin";
import { Setting, SettingPage } from "../form/SettingPage";
import { required } from "../form/validate";

export default function ContactAddress() {
  return (
    <SettingPage title="Contact Address" text="The postal address that visitors see on the public pages.">
      <Setting
        resource="set-contact-address"
        save="Save address"
        failedToGet="Failed to get Contact Address."
        failedToSet="Failed to set Contact Address."
      >
        <TextInput
          source="address"
          label="Address"
          multiline
          minRows={3}
          fullWidth
          validate={required("Address is required")}
          helperText="At most 500 characters; it may have several lines."
        />
      </Setting>
    </SettingPage>
  );
}
