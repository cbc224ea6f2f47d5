// The state of a payment, shown to a user who comes back from the provider's page.
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import CircularProgress from "@mui/material/CircularProgress";
import { messageOf } from "../../api/problem";
import { mayStillCome } from "./useConfirmation";

interface Props {
  pending: boolean;
  problem: unknown;
  /** The payer turned back. */
  cancelled: boolean;
  onAgain: () => void;
}

export function ReturnNotice({ pending, problem, cancelled, onAgain }: Props) {
  return (
    <div aria-live="polite">
      {pending && (
        <Alert
          severity="info"
          variant="outlined"
          sx={{ mb: 2.5 }}
          icon={<CircularProgress size={20} aria-hidden />}
        >
          Confirming your payment. Stay on this page for a moment.
        </Alert>
      )}
      {!pending && Boolean(problem) && (
        <Alert
          severity={mayStillCome(problem) ? "warning" : "error"}
          variant="outlined"
          sx={{ mb: 2.5 }}
          action={
            mayStillCome(problem) && (
              <Button color="inherit" size="small" onClick={onAgain}>
                Check again
              </Button>
            )
          }
        >
          {messageOf(problem)}
        </Alert>
      )}
      {!pending && !problem && cancelled && (
        <Alert severity="info" variant="outlined" sx={{ mb: 2.5 }}>
          You came back without paying. Nothing was charged; begin again whenever you like.
        </Alert>
      )}
    </div>
  );
}
