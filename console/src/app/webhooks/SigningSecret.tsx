import Typography from "@mui/material/Typography";
import { SecretDialog } from "../../design/SecretDialog";

export function SigningSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog
      title="The secret that signs its requests"
      label="Signing secret"
      secret={secret}
      onClose={onClose}
    >
      <Typography variant="body2" color="textSecondary">
        Any library of Standard Webhooks checks with it that a request is ours: it reads the headers{" "}
        <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>.
      </Typography>
    </SecretDialog>
  );
}
