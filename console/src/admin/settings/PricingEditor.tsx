// The editor of the pricing write-up. It offers what the daemon keeps: no pictures, no colours. Loaded when it is asked for:
// it weighs a third of what a page may.
import {
  ClearButtons,
  DefaultEditorOptions,
  FormatButtons,
  LinkButtons,
  ListButtons,
  QuoteButtons,
  RichTextInput,
  RichTextInputToolbar,
} from "ra-input-rich-text";
import { HeadingButtons } from "./HeadingButtons";
import { HELP, written } from "./pricing";

const EDITOR: typeof DefaultEditorOptions = {
  ...DefaultEditorOptions,
  autofocus: "end",
  editorProps: {
    attributes: { role: "textbox", "aria-multiline": "true", "aria-label": "Pricing write up" },
  },
};

export default function PricingEditor() {
  return (
    <RichTextInput
      source="content"
      label="Pricing write up"
      fullWidth
      validate={written}
      helperText={HELP}
      editorOptions={EDITOR}
      toolbar={
        <RichTextInputToolbar>
          <HeadingButtons />
          <FormatButtons />
          <ListButtons />
          <LinkButtons />
          <QuoteButtons />
          <ClearButtons />
        </RichTextInputToolbar>
      }
      sx={{ "& .ProseMirror.ProseMirror": { minHeight: 280, backgroundColor: "background.paper" } }}
    />
  );
}
