// A part of the first page: a titled card, which says for itself when its figures could not be had.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { type ReactNode, useId } from "react";

interface Props {
  title: string;
  /** Beside the title: a number, a link. */
  aside?: ReactNode;
  children: ReactNode;
  /** Tables and lists go to the edge. */
  flush?: boolean;
  /** May be wider than a phone. */
  wide?: boolean;
}

export function Panel({ title, aside, children, flush, wide }: Props) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} sx={{ minWidth: 0, overflow: "hidden" }}>
      <Box sx={{ display: "flex", alignItems: "baseline", gap: 2, px: 2.5, pt: 2, pb: flush ? 1.5 : 0.5 }}>
        <Typography id={id} variant="h2" sx={{ flex: 1, fontSize: "1.0625rem" }}>
          {title}
        </Typography>
        {aside && (
          <Typography component="div" variant="body2" color="textSecondary">
            {aside}
          </Typography>
        )}
      </Box>
      {flush ? (
        // What is wider than a phone scrolls, also by keyboard.
        <Box role="group" aria-labelledby={id} tabIndex={wide ? 0 : undefined} sx={{ overflowX: "auto" }}>
          {children}
        </Box>
      ) : (
        <Box sx={{ px: 2.5, pb: 2.5 }}>{children}</Box>
      )}
    </Card>
  );
}
