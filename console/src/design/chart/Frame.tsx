// What a chart stands in: an element that is pointed at and moved through by keys, with the picture and the tip over it.
import Box from "@mui/material/Box";
import { useTheme } from "@mui/material/styles";
import type { ReactNode } from "react";
import type { Cursor } from "./useCursor";

interface Props {
  cursor: Cursor;
  height: number;
  /** Beside the picture, over it. */
  tip: ReactNode;
  /** What is drawn, once it is known how wide. */
  children: ReactNode;
}

export function Frame({ cursor: { frame, width, props }, height, tip, children }: Props) {
  const theme = useTheme();
  return (
    <Box
      ref={frame}
      {...props}
      sx={{
        position: "relative",
        height,
        minWidth: 0,
        borderRadius: 1,
        touchAction: "pan-y",
        cursor: "default",
      }}
    >
      {width > 0 && (
        <svg
          width={width}
          height={height}
          aria-hidden
          style={{ display: "block" }}
          fontSize={12}
          fill={theme.palette.text.secondary}
        >
          {children}
        </svg>
      )}
      {tip}
    </Box>
  );
}

/** Behind the bar that is pointed at. */
export function Highlight(place: { x: number; y: number; width: number; height: number }) {
  return <rect {...place} fill={useTheme().palette.text.primary} opacity={0.1} />;
}
