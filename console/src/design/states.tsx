// What stands where there is nothing to show, or nothing could be had: always with what to do next.
import CloudOffOutlined from "@mui/icons-material/CloudOffOutlined";
import InboxOutlined from "@mui/icons-material/InboxOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { ApiProblem, messageOf } from "../api/problem";

interface EmptyStateProps {
  title: string;
  /** What to do, in a sentence. */
  text: string;
  action?: { label: string; to?: string; onClick?: () => void };
  icon?: ReactNode;
}

export function EmptyState({ title, text, action, icon }: EmptyStateProps) {
  return (
    <Stack sx={{ alignItems: "center", textAlign: "center", gap: 1, py: 7, px: 2 }}>
      <Box sx={{ color: "text.secondary", lineHeight: 0 }} aria-hidden>
        {icon ?? <InboxOutlined sx={{ fontSize: 40 }} />}
      </Box>
      <Typography variant="h3" component="p">
        {title}
      </Typography>
      <Typography color="textSecondary" sx={{ maxWidth: 440 }}>
        {text}
      </Typography>
      {action &&
        (action.to ? (
          <Button component={Link} to={action.to} variant="contained" sx={{ mt: 1 }}>
            {action.label}
          </Button>
        ) : (
          <Button onClick={action.onClick} variant="contained" sx={{ mt: 1 }}>
            {action.label}
          </Button>
        ))}
    </Stack>
  );
}

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
  title?: string;
}

/** A read that failed. Says what happened and tries again; the request's name is there for support. */
export function ErrorState({ error, onRetry, title = "This could not be loaded" }: ErrorStateProps) {
  const id = error instanceof ApiProblem ? error.requestId : null;
  return (
    <Stack role="alert" sx={{ alignItems: "center", textAlign: "center", gap: 1, py: 7, px: 2 }}>
      <CloudOffOutlined sx={{ fontSize: 40, color: "text.secondary" }} aria-hidden />
      <Typography variant="h3" component="p">
        {title}
      </Typography>
      <Typography color="textSecondary" sx={{ maxWidth: 440 }}>
        {messageOf(error)}
      </Typography>
      {id && (
        <Typography variant="caption" color="textSecondary">
          If you write to support, name request {id}
        </Typography>
      )}
      {onRetry && (
        <Button onClick={onRetry} variant="outlined" sx={{ mt: 1 }}>
          Try again
        </Button>
      )}
    </Stack>
  );
}

/** A failure beside a form. */
export function FormAlert({ text }: { text: string | null | undefined }) {
  return (
    <div aria-live="assertive">
      {text && (
        <Alert severity="error" variant="outlined" sx={{ mb: 2 }}>
          {text}
        </Alert>
      )}
    </div>
  );
}

/** A whole page on its way. */
export function PageSkeleton() {
  return (
    <Stack sx={{ gap: 2 }} aria-busy="true" role="status" aria-label="Loading">
      <Skeleton variant="rounded" height={36} width="min(280px, 60%)" />
      <Skeleton variant="rounded" height={120} />
      <Skeleton variant="rounded" height={240} />
    </Stack>
  );
}
