// Where a list of transactions ends before its oldest entry (the daemon's lists have a bound), and how to go on.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

interface Props {
  /** Where the list that is seen begins; empty for the first. */
  since: string | number;
  /** Where the next one begins, if there is one. */
  beyond: number | null | undefined;
  /** Oldest first: what follows is newer. */
  forward: boolean;
  /** `null` goes back to the first. */
  onGo: (beyond: number | null) => void;
}

export function MoreEntries({ since, beyond, forward, onGo }: Props) {
  const later = since !== "";
  const more = beyond !== null && beyond !== undefined;
  if (!later && !more) return null;
  const [next, first] = forward ? ["newer", "oldest"] : ["older", "newest"];
  const says = [
    later ? `This list goes on where another one ended, with ${next} entries.` : "",
    more ? `There are ${next} entries than this list reaches.` : "",
  ];
  return (
    <Alert severity="info" variant="outlined" sx={{ mb: 2.5 }}>
      {says.join(" ").trim()}
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mt: 0.5, ml: -0.75 }}>
        {later && (
          <Button size="small" onClick={() => onGo(null)}>
            Back to the {first}
          </Button>
        )}
        {more && (
          <Button size="small" onClick={() => onGo(beyond)}>
            Show {next} entries
          </Button>
        )}
      </Box>
    </Alert>
  );
}
