// How one signs in, and where one is signed in.
import Stack from "@mui/material/Stack";
import { PageHeader } from "../../design/PageHeader";
import { Reauthentication } from "../../design/Reauthentication";
import { SectionNav } from "../../design/SectionNav";
import { LINKS } from "./account";
import { KingsChatLink } from "./KingsChatLink";
import { PasswordChange } from "./PasswordChange";
import { Sessions } from "./Sessions";

export default function Security() {
  return (
    <>
      <PageHeader title="Security" text="Your password, and every place where you are signed in." />
      <SectionNav label="Profile" links={LINKS} />
      <Stack sx={{ gap: 2.5 }}>
        <PasswordChange />
        <KingsChatLink />
        <Sessions />
      </Stack>
      <Reauthentication />
    </>
  );
}
