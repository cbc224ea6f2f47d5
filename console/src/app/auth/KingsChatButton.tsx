import Button from "@mui/material/Button";
import Divider from "@mui/material/Divider";
import { useKingsChat } from "../../design/useKingsChat";

/** Below the form, where the platform offers it. */
export function KingsChatButton() {
  const { offered, busy, enter } = useKingsChat();
  if (!offered) return null;
  return (
    <>
      <Divider sx={{ my: 2.5, color: "text.secondary", fontSize: "0.875rem" }}>or</Divider>
      <Button fullWidth variant="outlined" size="large" onClick={enter} loading={busy}>
        Login with KingsChat
      </Button>
    </>
  );
}
