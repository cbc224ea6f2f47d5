// Signing in over the first page, where a page was asked for without a session or the session ended on it.
import Close from "@mui/icons-material/Close";
import Dialog from "@mui/material/Dialog";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as To } from "react-router-dom";
import { session } from "../../api/session";
import { ThemeRoot } from "../../design/ThemeRoot";
import { PasswordForm } from "./PasswordForm";

interface Props {
  /** The page that sign-in leads to. */
  target: string;
  onClose: () => void;
}

export default function SignInDialog({ target, onClose }: Props) {
  return (
    <ThemeRoot>
      <Dialog open onClose={onClose} aria-labelledby="sign-in" fullWidth maxWidth="xs">
        <DialogTitle id="sign-in" sx={{ pr: 7 }}>
          Log in to go on
        </DialogTitle>
        <IconButton aria-label="Close" onClick={onClose} sx={{ position: "absolute", top: 14, right: 12 }}>
          <Close />
        </IconButton>
        <DialogContent>
          <Typography color="textSecondary" sx={{ mb: 2.5 }}>
            Then the page you asked for opens.
            {session.outlived() && " What you wrote is kept."}
          </Typography>
          <PasswordForm door={target.startsWith("/dashboard/admin") ? "admin" : "user"} />
          <Typography variant="body2" sx={{ mt: 2, display: "flex", flexWrap: "wrap", gap: 2 }}>
            <Link component={To} to="/auth/forgot-password">
              I forgot my password
            </Link>
            <Link component={To} to="/auth/register">
              Create an account
            </Link>
          </Typography>
        </DialogContent>
      </Dialog>
    </ThemeRoot>
  );
}
