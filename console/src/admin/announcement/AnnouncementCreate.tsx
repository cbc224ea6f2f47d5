import { CreateBase } from "react-admin";
import { ADMIN } from "../address";
import { FormPage } from "../form/FormPage";
import { AnnouncementInputs } from "./AnnouncementInputs";

export default function AnnouncementCreate() {
  return (
    <CreateBase redirect="list">
      <FormPage
        title="New announcement"
        text="It is active at once; pages that are open show it within five minutes."
        save="Create announcement"
        back={{ to: `${ADMIN}/announcement`, label: "All announcements" }}
      >
        <AnnouncementInputs />
      </FormPage>
    </CreateBase>
  );
}
