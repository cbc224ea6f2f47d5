import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Typography from "@mui/material/Typography";
import { type ReactNode, useId } from "react";
import type { User } from "../../api/session";
import { DateTime, Money } from "../../design/values";

interface Props {
  user: User;
  deletedAt?: string | null;
  open: boolean;
  onClose: () => void;
}

/** The details modal: every field of the account. */
export function UserFields({ user, deletedAt, open, onClose }: Props) {
  const id = useId();
  const fields: [string, ReactNode][] = [
    ["User ID", user.id],
    ["Name", user.name || "-"],
    ["Username", user.username],
    ["Email", user.email ? `${user.email}${user.email_verified ? "" : " (not verified)"}` : "-"],
    ["Phone number", user.phone_number ?? "-"],
    ["Gender", user.gender ?? "-"],
    ["Role", user.role],
    ["Status", user.status],
    ["Time zone", user.zone ?? "-"],
    ["ESPEES balance", <Money key="espees" value={user.espee_balance} currency="espees" />],
    ["Naira balance", <Money key="naira" value={user.paystack_balance} currency="naira" />],
    ["Last login", <DateTime key="login" value={user.last_login_at} none="Never" />],
    ["Created", <DateTime key="created" value={user.created_at} />],
    ...(deletedAt ? [["Deleted", <DateTime key="deleted" value={deletedAt} />] as [string, ReactNode]] : []),
  ];
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>Details of {user.username}</DialogTitle>
      <DialogContent tabIndex={0}>
        <Box
          component="dl"
          sx={{ display: "grid", gridTemplateColumns: "auto 1fr", columnGap: 3, rowGap: 1, m: 0 }}
        >
          {fields.map(([label, value]) => (
            <Box key={label} sx={{ display: "contents" }}>
              <Typography component="dt" color="textSecondary">
                {label}
              </Typography>
              <Typography component="dd" sx={{ m: 0, overflowWrap: "anywhere" }}>
                {value}
              </Typography>
            </Box>
          ))}
        </Box>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={onClose} variant="contained">
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
