// A file, dropped here or chosen. The input itself lies over the box, so that keyboard and screen reader have the real one.
import UploadFileOutlined from "@mui/icons-material/UploadFileOutlined";
import Box from "@mui/material/Box";
import FormHelperText from "@mui/material/FormHelperText";
import Typography from "@mui/material/Typography";
import { type Ref, useId, useState } from "react";

interface Props {
  /** What stands there while there is no file: what to do, and what is taken. */
  label: string;
  about: string;
  /** As the browser's own input takes it. It only helps: other files can be chosen and dropped nevertheless. */
  accept: string;
  file: File | null;
  problem?: string;
  inputRef?: Ref<HTMLInputElement>;
  onFile: (file: File) => void;
}

export function FileDrop({ label, about, accept, file, problem, inputRef, onFile }: Props) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <Box>
      <Box
        sx={{
          position: "relative",
          display: "grid",
          justifyItems: "center",
          gap: 0.5,
          p: 3,
          textAlign: "center",
          borderRadius: 2,
          border: "1.5px dashed",
          borderColor: problem ? "error.main" : over ? "primary.main" : "text.disabled",
          bgcolor: over ? "primary.light" : "background.default",
          "&:focus-within": { outline: "2px solid", outlineColor: "primary.main", outlineOffset: 2 },
        }}
      >
        <UploadFileOutlined sx={{ fontSize: 36, color: "text.secondary" }} aria-hidden />
        <Typography component="label" htmlFor={id} sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
          {file ? file.name : label}
        </Typography>
        <Typography variant="body2" color="textSecondary" id={`${id}-about`}>
          {file ? `${sizeOf(file.size)}. Drop or choose another to replace it.` : about}
        </Typography>
        <input
          id={id}
          type="file"
          ref={inputRef}
          accept={accept}
          aria-describedby={`${id}-about ${id}-problem`}
          aria-invalid={Boolean(problem)}
          style={{
            position: "absolute",
            inset: 0,
            opacity: 0,
            cursor: "pointer",
            width: "100%",
            height: "100%",
          }}
          onDragEnter={() => setOver(true)}
          onDragLeave={() => setOver(false)}
          onDrop={() => setOver(false)}
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            if (chosen) onFile(chosen);
            // The same file, changed meanwhile, can be chosen again.
            event.target.value = "";
          }}
        />
      </Box>
      <FormHelperText id={`${id}-problem`} error aria-live="polite">
        {problem}
      </FormHelperText>
    </Box>
  );
}

export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
