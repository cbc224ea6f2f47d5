import { screen } from "@testing-library/react";
import { useState } from "react";
import { TextInput } from "react-admin";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { FormCard } from "./FormPage";

function Edited({ keepsTyped }: { keepsTyped?: boolean }) {
  const [record, setRecord] = useState({ id: 1, text: "as the list had it", status: "active" });
  return (
    <>
      <button
        type="button"
        onClick={() => setRecord({ ...record, text: "as it is now", status: "inactive" })}
      >
        The record is read
      </button>
      <FormCard save="Save" record={record} keepsTyped={keepsTyped}>
        <TextInput source="text" label="Text" />
        <TextInput source="status" label="Status" />
      </FormCard>
    </>
  );
}

test("what was typed is not lost to the record that is read behind it, the other fields are new", async () => {
  const { user } = showAdmin(<Edited keepsTyped />, "announcement");
  const text = await screen.findByLabelText("Text");
  await user.clear(text);
  await user.type(text, "typed");
  await user.click(screen.getByRole("button", { name: "The record is read" }));
  expect(text).toHaveValue("typed");
  expect(screen.getByLabelText("Status")).toHaveValue("inactive");
});
