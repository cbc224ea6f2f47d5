import { TextInput } from "react-admin";
import { Setting, SettingPage } from "../form/SettingPage";
import { required } from "../form/validate";

export default function ContactPhone() {
  return (
    <SettingPage title="Contact Phone" text="The number that visitors call, and the administrator's own.">
      <Setting
        resource="set-contact-phone"
        title="Contact phone"
        save="Save contact phone"
        failedToGet="Failed to get Contact Phone."
        failedToSet="Failed to set Contact Phone."
      >
        <TextInput
          source="phone"
          label="Phone"
          type="tel"
          fullWidth
          validate={required("Phone is required")}
          helperText="As it is to be shown, such as +234 803 123 4567."
        />
      </Setting>
      <Setting
        resource="set-admin-number"
        title="Admin phone"
        save="Save admin phone"
        failedToGet="Failed to get Contact Phone."
        failedToSet="Failed to set second number."
      >
        <TextInput
          source="phone_number"
          label="Admin phone number"
          type="tel"
          fullWidth
          validate={required("Phone number is required")}
          helperText="Not shown to visitors."
        />
      </Setting>
    </SettingPage>
  );
}
