// A text to be taken elsewhere as it is: a key, a secret, an address.
import Check from "@mui/icons-material/Check";
import ContentCopy from "@mui/icons-material/ContentCopy";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useRef, useState } from "react";
import { toast } from "./toasts";
import { MONO } from "./tokens";

export function Copyable({ value, label }: { value: string; label: string }) {
  const text = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState(false);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      // Without https there is no clipboard: it is selected, and the keyboard does the rest.
      if (text.current) window.getSelection()?.selectAllChildren(text.current);
      toast.info("It is selected: copy it by Ctrl+C");
    }
  };

  return (
    <Box sx={{ display: "flex", gap: 1, alignItems: "stretch", flexWrap: "wrap" }}>
      <Box
        component="code"
        ref={text}
        aria-label={label}
        sx={{
          flex: "1 1 220px",
          minWidth: 0,
          px: 1.5,
          py: 1.25,
          fontFamily: MONO,
          fontSize: "0.875rem",
          overflowWrap: "anywhere",
          bgcolor: "background.default",
          border: 1,
          borderColor: "divider",
          borderRadius: 1,
        }}
      >
        {value}
      </Box>
      <Button variant="outlined" startIcon={copied ? <Check /> : <ContentCopy />} onClick={() => void copy()}>
        <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
        <span className="visually-hidden">&nbsp;{label}</span>
      </Button>
    </Box>
  );
}
