// A recording, to be heard where it stands. Nothing of it is loaded before it is played.
import Box from "@mui/material/Box";

/** `url` as the API has it: signed, for an hour at least. */
export function RecordingPlayer({ url, name }: { url: string; name: string }) {
  return (
    <Box
      component="audio"
      controls
      preload="none"
      src={hereOf(url)}
      aria-label={`Recording ${name}`}
      sx={{ display: "block", width: "100%", minWidth: 180, maxWidth: 320, height: 36 }}
    />
  );
}

/**
 * The same address on the server that this page is from: the API names the server as the world reaches it, and the
 * policy of our pages lets a player read from where they came from only.
 */
export function hereOf(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname + search;
}
