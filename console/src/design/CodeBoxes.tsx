// Six boxes of one digit. Typing goes on to the next, Backspace goes back, and a paste fills them all.
import Box from "@mui/material/Box";
import FormHelperText from "@mui/material/FormHelperText";
import { type ClipboardEvent, type KeyboardEvent, useId, useRef } from "react";

export const DIGITS = 6;

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Called when the sixth digit is there. */
  onComplete?: (value: string) => void;
  error?: string | null;
  disabled?: boolean;
  autoFocus?: boolean;
}

const PLACES = Array.from({ length: DIGITS }, (_, at) => at);

/** The code is kept as text in which a missing digit is a space, so that a box in the middle can be empty. */
const at = (value: string, place: number) => (value[place] ?? " ").trim();

export function complete(value: string): boolean {
  return /^\d{6}$/.test(value);
}

export function CodeBoxes({ label, value, onChange, onComplete, error, disabled, autoFocus }: Props) {
  const id = useId();
  const boxes = useRef<(HTMLInputElement | null)[]>([]);

  const change = (next: string) => {
    onChange(next);
    if (complete(next)) onComplete?.(next);
  };
  const put = (place: number, digits: string) => {
    const signs = PLACES.map((it) => at(value, it) || " ");
    for (const [offset, digit] of [...digits].entries()) {
      if (place + offset < DIGITS) signs[place + offset] = digit;
    }
    boxes.current[Math.min(place + digits.length, DIGITS - 1)]?.focus();
    change(signs.join("").trimEnd());
  };
  const clear = (place: number) => {
    const signs = PLACES.map((it) => at(value, it) || " ");
    signs[place] = " ";
    change(signs.join("").trimEnd());
  };

  const onKeyDown = (place: number) => (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Backspace") {
      event.preventDefault();
      const here = at(value, place) !== "" ? place : Math.max(0, place - 1);
      clear(here);
      boxes.current[here]?.focus();
    } else if (event.key === "ArrowLeft") {
      boxes.current[Math.max(0, place - 1)]?.focus();
    } else if (event.key === "ArrowRight") {
      boxes.current[Math.min(DIGITS - 1, place + 1)]?.focus();
    }
  };
  const onPaste = (place: number) => (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault();
    const digits = event.clipboardData.getData("text").replace(/\D/g, "");
    // A whole code fills all boxes, wherever it is pasted.
    if (digits.length >= DIGITS) put(0, digits.slice(0, DIGITS));
    else if (digits) put(place, digits);
  };

  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0 }} aria-describedby={`${id}-error`}>
      <Box component="legend" sx={{ p: 0, mb: 1, fontSize: "0.875rem", color: "text.secondary" }}>
        {label}
      </Box>
      <Box
        sx={{
          display: "grid",
          gridTemplateColumns: `repeat(${DIGITS}, minmax(0, 52px))`,
          gap: { xs: 0.75, sm: 1 },
        }}
      >
        {PLACES.map((place) => (
          <Box
            key={place}
            component="input"
            ref={(box: HTMLInputElement | null) => {
              boxes.current[place] = box;
            }}
            aria-label={`Digit ${place + 1} of ${DIGITS}`}
            aria-invalid={!!error}
            inputMode="numeric"
            autoComplete={place === 0 ? "one-time-code" : "off"}
            autoFocus={autoFocus && place === 0}
            disabled={disabled}
            value={at(value, place)}
            onFocus={(event) => event.currentTarget.select()}
            onKeyDown={onKeyDown(place)}
            onPaste={onPaste(place)}
            onChange={(event) => {
              const digits = event.currentTarget.value.replace(/\D/g, "");
              // Typing over a digit brings both; one that a phone fills in brings all six.
              if (digits.length >= DIGITS) put(0, digits.slice(0, DIGITS));
              else if (digits) put(place, digits.slice(-1));
            }}
            sx={{
              width: "100%",
              height: 56,
              p: 0,
              textAlign: "center",
              font: "inherit",
              fontSize: "1.5rem",
              fontWeight: 650,
              fontVariantNumeric: "tabular-nums",
              color: "text.primary",
              bgcolor: "background.paper",
              border: 1,
              borderColor: error ? "error.main" : "text.secondary",
              borderRadius: 1,
              "&:focus": {
                outline: 2,
                outlineStyle: "solid",
                outlineColor: "primary.main",
                outlineOffset: 1,
              },
            }}
          />
        ))}
      </Box>
      <FormHelperText id={`${id}-error`} error aria-live="polite">
        {error}
      </FormHelperText>
    </Box>
  );
}
