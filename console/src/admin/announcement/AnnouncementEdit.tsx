import { EditBase } from "react-admin";
import { ADMIN } from "../address";
import { FormPage } from "../form/FormPage";
import { AnnouncementInputs } from "./AnnouncementInputs";

export default function AnnouncementEdit() {
  return (
    <EditBase redirect="list" mutationMode="pessimistic">
      <FormPage
        title="Edit announcement"
        text="Pages that are open show the new text within five minutes."
        save="Save announcement"
        back={{ to: `${ADMIN}/announcement`, label: "All announcements" }}
      >
        <AnnouncementInputs />
      </FormPage>
    </EditBase>
  );
}
