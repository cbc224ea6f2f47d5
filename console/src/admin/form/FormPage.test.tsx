import { screen } from "@testing-library/react";
import { useLayoutEffect, useState } from "react";
import {
  CreateBase,
  EditContextProvider,
  type EditControllerResult,
  RecordContextProvider,
  TextInput,
} from "react-admin";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { FormPage } from "./FormPage";

/** As react-admin edits: the row of the list first, and the record as soon as it is read. */
function Edited() {
  const [isFetching, setFetching] = useState(true);
  const record = { id: 1, text: isFetching ? "as the list had it" : "as it is now" };
  const edited = { isPending: false, isFetching, record, save: () => {} } as unknown as EditControllerResult;
  return (
    <EditContextProvider value={edited}>
      <button type="button" onClick={() => setFetching(!isFetching)}>
        The record is read
      </button>
      <RecordContextProvider value={record}>
        <FormPage title="Edit" save="Save">
          <TextInput source="text" label="Text" />
        </FormPage>
      </RecordContextProvider>
    </EditContextProvider>
  );
}

test("nothing can be typed into a record that is still being read", async () => {
  const { user } = showAdmin(<Edited />, "announcement");
  const read = await screen.findByRole("button", { name: "The record is read" });
  expect(screen.queryByLabelText("Text")).toBeNull();
  await user.click(read);
  expect(await screen.findByLabelText("Text")).toHaveValue("as it is now");
});

test("a form that is shown stays while the record is read again", async () => {
  const { user } = showAdmin(<Edited />, "announcement");
  const read = await screen.findByRole("button", { name: "The record is read" });
  await user.click(read);
  await user.click(read);
  expect(screen.getByLabelText("Text")).toBeVisible();
});

test("nothing can be typed before the form has set its fields, as it would be lost", async () => {
  const drawn: boolean[] = [];
  /** Looks as soon as the fields are on the page, when no effect of the form has run. */
  function Look() {
    useLayoutEffect(() => {
      drawn.push(screen.getByLabelText("Text").closest("fieldset")?.disabled ?? false);
    }, []);
    return null;
  }
  const { user } = showAdmin(
    <CreateBase>
      <FormPage title="Create" save="Save">
        <TextInput source="text" label="Text" />
        <Look />
      </FormPage>
    </CreateBase>,
    "announcement",
  );
  const text = await screen.findByLabelText("Text");
  expect(drawn).toEqual([true]);
  expect(text).toBeEnabled();
  await user.type(text, "as it was typed");
  expect(text).toHaveValue("as it was typed");
});
