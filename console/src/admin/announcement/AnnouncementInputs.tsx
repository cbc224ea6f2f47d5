import { TextInput } from "react-admin";

export const ANNOUNCEMENT_MOST = 1000;

/** The daemon trims, counts and refuses; this says the same beforehand. */
function check(text: unknown): string | undefined {
  const written = typeof text === "string" ? text.trim() : "";
  if (!written) return "Please enter a message";
  if ([...written].length > ANNOUNCEMENT_MOST)
    return `At most ${ANNOUNCEMENT_MOST.toLocaleString("en")} characters`;
  return undefined;
}

export function AnnouncementInputs() {
  return (
    <TextInput
      source="announcement"
      label="Announcement"
      multiline
      rows={10}
      fullWidth
      validate={check}
      helperText="Plain text, at most 1,000 characters."
    />
  );
}
