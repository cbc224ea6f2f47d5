import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Navigate, Link as To } from "react-router-dom";
import { useSession } from "../../api/session";
import { useTitle } from "../../design/title";
import { PasswordForm } from "./PasswordForm";
import { homeOf } from "./signIn";

/** `/login`: the administrators' door. */
export default function AdminLogin() {
  useTitle("Administration");
  const user = useSession()?.user;
  if (user?.role === "admin") return <Navigate to={homeOf(user, "admin")} replace />;
  return (
    <>
      <Typography variant="h1">Administration</Typography>
      <Typography color="textSecondary" sx={{ mt: 0.75, mb: 3 }}>
        For administrators of this Talkdrum.
      </Typography>
      <PasswordForm door="admin" />
      <Typography sx={{ mt: 3 }} color="textSecondary">
        Not an administrator?{" "}
        <Link component={To} to="/auth/login">
          Log in to your account
        </Link>
      </Typography>
    </>
  );
}
