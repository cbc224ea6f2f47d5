// A few first, and the rest once theirs was delivered: off unless it is chosen.
import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import InputAdornment from "@mui/material/InputAdornment";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import { useController, useFormContext } from "react-hook-form";
import { FormField } from "../../design/form";
import { wordsOf } from "../../design/sendWords";
import type { Audience } from "./audience";

/** `kind`: a `sms_type`. */
export function FirstChoice({ kind }: { kind: string }) {
  const { control } = useFormContext<Audience>();
  const { field } = useController({ name: "first", control });
  const words = wordsOf(kind);
  return (
    <div>
      <FormControlLabel
        control={
          <Switch
            checked={field.value}
            onChange={(_, checked) => field.onChange(checked)}
            slotProps={{ input: { "aria-describedby": ABOUT } }}
          />
        }
        label={words.isCall ? "Call a few first" : "Send to a few first"}
      />
      <Typography variant="body2" color="textSecondary" id={ABOUT}>
        {`So that a mistake or a bad list costs a few ${words.many} and not all of them.`}
      </Typography>
      {field.value && (
        <>
          <Box
            sx={{
              display: "grid",
              gap: 2,
              alignItems: "start",
              gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(3, minmax(0, 1fr))" },
              maxWidth: { xs: 360, sm: 620 },
              mt: 2,
              mb: 1,
            }}
          >
            <FormField
              name="first_size"
              control={control}
              label="How many first"
              helperText="A number, or a share as 5%"
              autoComplete="off"
            />
            <FormField
              name="first_delivery"
              control={control}
              label={`Must be ${words.reached}`}
              helperText={`Of these ${words.many}`}
              autoComplete="off"
              slotProps={{
                htmlInput: { inputMode: "numeric" },
                input: { endAdornment: <InputAdornment position="end">%</InputAdornment> },
              }}
            />
            <FormField
              name="first_wait"
              control={control}
              label="Wait at most"
              helperText="After the last of these"
              autoComplete="off"
              slotProps={{
                htmlInput: { inputMode: "numeric" },
                input: { endAdornment: <InputAdornment position="end">minutes</InputAdornment> },
              }}
            />
          </Box>
          <Box sx={{ maxWidth: { xs: 360, sm: 620 }, mt: 2, mb: 1.5 }}>
            <FormField
              name="first_seeds"
              control={control}
              label="Your own numbers"
              helperText={`Optional: up to 20, with commas. They ${words.isCall ? "are called" : "get it"} first too, or alone where "How many first" is empty; each that is not on your list is charged as one more recipient.`}
              autoComplete="off"
            />
          </Box>
          <Typography variant="body2" color="textSecondary">
            The rest goes out by itself once so many are {words.reached}. Otherwise the campaign stops, and
            you either send the rest all the same or cancel it for a refund.
          </Typography>
        </>
      )}
    </div>
  );
}

const ABOUT = "about-first";
