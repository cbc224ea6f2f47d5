import TextField from "@mui/material/TextField";
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "../testing/render";
import { FormDialog } from "./FormDialog";

function open() {
  return show(
    <FormDialog title="Add a number" submit="Add" busy={false} onSubmit={() => {}} onClose={() => {}}>
      <TextField label="Phone number" />
      <TextField label="Note" />
    </FormDialog>,
  );
}

test("the first field waits for the first word", async () => {
  open();
  await waitFor(() => expect(screen.getByLabelText("Phone number")).toHaveFocus());
});

test("who is in another field already stays there when the dialog has opened", async () => {
  const { user } = open();
  await user.click(screen.getByLabelText("Note"));
  // Longer than the opening lasts.
  await new Promise((done) => setTimeout(done, 400));
  expect(screen.getByLabelText("Note")).toHaveFocus();
});
