// `/auth/login`: the customers' door.
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Navigate, Link as To } from "react-router-dom";
import { useSession } from "../../api/session";
import { useTitle } from "../../design/title";
import { KingsChatButton } from "./KingsChatButton";
import { PasswordForm } from "./PasswordForm";
import { homeOf } from "./signIn";

export default function Login() {
  useTitle("Log in");
  const user = useSession()?.user;
  if (user) return <Navigate to={homeOf(user, "user")} replace />;
  return (
    <>
      <Typography variant="h1" sx={{ mb: 3 }}>
        Log in
      </Typography>
      <PasswordForm door="user" />
      <Box sx={{ mt: 1.5 }}>
        <Link component={To} to="/auth/forgot-password">
          I forgot my password
        </Link>
      </Box>
      <KingsChatButton />
      <Typography sx={{ mt: 3 }} color="textSecondary">
        New here?{" "}
        <Link component={To} to="/auth/register">
          Create an account
        </Link>
      </Typography>
      <Typography variant="body2" sx={{ mt: 1 }} color="textSecondary">
        You administer this Talkdrum?{" "}
        <Link component={To} to="/login">
          Administrators log in here
        </Link>
      </Typography>
    </>
  );
}
