import Typography from "@mui/material/Typography";
import { Navigate } from "react-router-dom";
import { useSession } from "../api/session";
import { useTitle } from "../design/PageHeader";
import { PasswordForm } from "./PasswordForm";

export default function Login() {
  useTitle("Log in");
  if (useSession()) return <Navigate to="/dashboard" replace />;
  return (
    <>
      <Typography variant="h1" sx={{ mb: 3 }}>
        Log in
      </Typography>
      <PasswordForm door="user" />
    </>
  );
}
