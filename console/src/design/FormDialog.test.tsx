import TextField from "@mui/material/TextField";
import { screen, waitFor } from "@testing-library/react";
import { useEffect, useState } from "react";
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

/** The question opens while the form is still on its way in. */
function FormAndQuestion() {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    const soon = setTimeout(() => setAsked(true), 50);
    return () => clearTimeout(soon);
  }, []);
  return (
    <>
      <FormDialog title="Make a key" submit="Make" busy={false} onSubmit={() => {}} onClose={() => {}}>
        <TextField label="Name" />
      </FormDialog>
      {asked && (
        <FormDialog title="Is it you?" submit="Confirm" busy={false} onSubmit={() => {}} onClose={() => {}}>
          <TextField label="Password" />
        </FormDialog>
      )}
    </>
  );
}

test("a dialog that has opened takes no focus from one on top of it", async () => {
  show(<FormAndQuestion />);
  const password = await screen.findByLabelText("Password");
  password.focus();
  const left: Event[] = [];
  password.addEventListener("blur", (event) => left.push(event));
  await new Promise((done) => setTimeout(done, 600));
  expect(left).toEqual([]);
  expect(password).toHaveFocus();
});
