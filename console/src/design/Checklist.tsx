// Any of a few, each with a word on what it means.
import Checkbox from "@mui/material/Checkbox";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormGroup from "@mui/material/FormGroup";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import Typography from "@mui/material/Typography";

interface Props {
  label: string;
  options: readonly (readonly [value: string, words: string, about?: string])[];
  value: readonly string[];
  onChange: (value: string[]) => void;
  problem?: string;
}

export function Checklist({ label, options, value, onChange, problem }: Props) {
  return (
    <FormControl component="fieldset" error={Boolean(problem)}>
      <FormLabel component="legend" sx={{ mb: 0.5 }}>
        {label}
      </FormLabel>
      <FormGroup>
        {options.map(([name, words, about]) => (
          <FormControlLabel
            key={name}
            sx={{ alignItems: "flex-start", "& .MuiCheckbox-root": { pt: 0.5 }, mb: about ? 0.5 : 0 }}
            control={
              <Checkbox
                checked={value.includes(name)}
                onChange={(_, checked) =>
                  onChange(checked ? [...value, name] : value.filter((it) => it !== name))
                }
              />
            }
            label={
              <>
                {words}
                {about && (
                  <Typography
                    component="span"
                    variant="body2"
                    color="textSecondary"
                    sx={{ display: "block" }}
                  >
                    {about}
                  </Typography>
                )}
              </>
            }
          />
        ))}
      </FormGroup>
      <FormHelperText aria-live="polite">{problem}</FormHelperText>
    </FormControl>
  );
}
