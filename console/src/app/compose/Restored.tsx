// A form that was written before the session ended, and the way to an empty one.
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";

export function Restored({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Alert
      severity="info"
      variant="outlined"
      sx={{ mb: 3 }}
      action={
        <Button color="inherit" size="small" sx={{ whiteSpace: "nowrap" }} onClick={onStartOver}>
          Start over
        </Button>
      }
    >
      This is what you wrote before your session ended.
    </Alert>
  );
}
