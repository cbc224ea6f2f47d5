// Headings for the editor. The library's own choice of levels cannot be used with a screen reader.
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { useTiptapEditor } from "ra-input-rich-text";
import { useEffect, useReducer } from "react";

const LEVELS = [2, 3] as const;

export function HeadingButtons() {
  const editor = useTiptapEditor();
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    editor?.on("transaction", redraw);
    return () => {
      editor?.off("transaction", redraw);
    };
  }, [editor]);
  return (
    <ToggleButtonGroup size="small" aria-label="Headings" disabled={!editor?.isEditable}>
      {LEVELS.map((level) => (
        <ToggleButton
          key={level}
          value={level}
          selected={editor?.isActive("heading", { level }) ?? false}
          // The toolbar has a rule of its own for icons.
          sx={{
            "&&&.MuiToggleButton-sizeSmall.MuiToggleButton-root": {
              px: 1.25,
              height: 32,
              fontSize: "0.875rem",
              textTransform: "none",
            },
          }}
          onClick={() => editor?.chain().focus().toggleNode("heading", "paragraph", { level }).run()}
        >
          {level === 2 ? "Heading" : "Subheading"}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
