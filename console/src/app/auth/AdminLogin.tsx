import Typography from "@mui/material/Typography";
import { Navigate } from "react-router-dom";
import { useSession } from "../../api/session";
import { useTitle } from "../../design/title";
import { PasswordForm } from "./PasswordForm";

/** `/login`: the administrators' door. */
export default function AdminLogin() {
  useTitle("Administration");
  if (useSession()?.user.role === "admin") return <Navigate to="/dashboard/admin" replace />;
  return (
    <>
      <Typography variant="h1">Administration</Typography>
      <Typography color="textSecondary" sx={{ mt: 0.75, mb: 3 }}>
        For administrators of this Talkdrum.
      </Typography>
      <PasswordForm door="admin" />
    </>
  );
}
