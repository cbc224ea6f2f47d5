// The pricing write-up: what customers read under Pricing. The editor offers what the daemon keeps: no pictures, no colours.
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
import { Setting, SettingPage } from "../form/SettingPage";
import { HeadingButtons } from "./HeadingButtons";

const EDITOR = {
  ...DefaultEditorOptions,
  editorProps: {
    attributes: { role: "textbox", "aria-multiline": "true", "aria-label": "Pricing write up" },
  },
};

const written = (html: unknown) =>
  typeof html === "string" && html.replace(/<[^>]*>|&nbsp;|\s/g, "") !== ""
    ? undefined
    : "Content is required";

export default function SetPricing() {
  return (
    <SettingPage
      title="Set Pricing"
      text="What customers read on their Pricing page. It promises nothing by itself: prices are set under SMS and Paystack."
    >
      <Setting
        resource="set-pricing"
        save="Save pricing write up"
        failedToGet="Failed to get About Us."
        failedToSet="Failed to set pricing details."
      >
        <RichTextInput
          source="content"
          label="Pricing write up"
          fullWidth
          validate={written}
          helperText="Headings, lists, links and emphasis. Pictures, colours and scripts are taken out."
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
      </Setting>
    </SettingPage>
  );
}
