// The way to send on a phone: what it costs as far as the page knows, and the button, at the lower edge of the screen however
// long the form is. Last in the form, as the button is where there is room.
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import GlobalStyles from "@mui/material/GlobalStyles";
import Typography from "@mui/material/Typography";
import type { Ref } from "react";
import { charge, type PaymentMethod } from "../../design/unitPrice";
import { useLeft } from "./Price";

interface Props {
  method: "" | PaymentMethod;
  estimate: bigint | null;
  /** Of how many the price is, as it is read at the price. */
  of: string;
  /** Why no price comes; null where it does. */
  unpriced: string | null;
  asking: boolean;
  submit: string;
  send: Ref<HTMLButtonElement>;
  /** While the dialog is open that it leads to. */
  hidden: boolean;
}

const HEIGHT = "68px";
const INSET = "env(safe-area-inset-bottom, 0px)";

/** The page ends above the bar, and what gets the keyboard is scrolled to above it. */
const ROOM = {
  html: { scrollPaddingBottom: `calc(${HEIGHT} + ${INSET} + 16px)` },
  body: { paddingBottom: `calc(${HEIGHT} + ${INSET})` },
};

export function SendBar({ method, estimate, of, unpriced, asking, submit, send, hidden }: Props) {
  const { left } = useLeft(method, estimate);
  const isShort = left !== null && left < 0n;
  return (
    <>
      <GlobalStyles styles={ROOM} />
      <Box
        role="group"
        aria-label="Price and sending"
        sx={{
          position: "fixed",
          inset: "auto 0 0",
          // Below the top bar, the menu and dialogs.
          zIndex: 1050,
          display: hidden ? "none" : "flex",
          alignItems: "center",
          gap: 1.5,
          minHeight: HEIGHT,
          px: 2,
          pb: INSET,
          bgcolor: "background.paper",
          borderTop: 1,
          borderColor: "divider",
        }}
      >
        <Box sx={{ flex: 1, minWidth: 0, fontVariantNumeric: "tabular-nums" }}>
          <Typography sx={{ fontWeight: 700, lineHeight: 1.3, overflowWrap: "anywhere" }}>
            {estimate !== null && method
              ? `About ${charge(estimate, method)}`
              : (unpriced ?? "Price comes next")}
          </Typography>
          <Typography
            variant="body2"
            color={isShort ? "error" : "textSecondary"}
            // Two lines of it fit in the bar's height.
            sx={{ lineHeight: 1.3 }}
          >
            {isShort && method ? `About ${charge(-left, method)} more needed` : of}
          </Typography>
        </Box>
        <Button
          ref={send}
          type="submit"
          variant="contained"
          size="large"
          loading={asking}
          sx={{ flexShrink: 0 }}
        >
          {submit}
        </Button>
      </Box>
    </>
  );
}
