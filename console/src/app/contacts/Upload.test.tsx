import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers, problem } from "../../testing/server";
import Upload from "./Upload";

const numbers = new File(["08030000001\n08030000002\n"], "dnd.txt", { type: "text/plain" });

async function upload(reach: string | null, answer: object, status: number) {
  signedIn();
  answers("get", "/api/get/group", { group: [], total: 0 });
  const sent: (FormDataEntryValue | null)[] = [];
  answers("post", "/api/optouts/import", answer, status, async (request) => {
    sent.push((await request.formData()).get("reach"));
  });
  const shown = show(<Upload />, {
    at: "/dashboard/upload-contacts?as=opt-outs",
    path: "/dashboard/upload-contacts",
  });
  const { user } = shown;
  await user.upload(shown.container.querySelector("input[type=file]") as HTMLInputElement, numbers);
  const ends = await screen.findByLabelText("Ends");
  expect(ends).toHaveDisplayValue("Everything but codes");
  if (reach) await user.selectOptions(ends, reach);
  await user.click(screen.getByRole("button", { name: "Upload opt-outs" }));
  return { ...shown, sent };
}

test("a list of opt-outs ends everything but codes", async () => {
  const { sent, where } = await upload(null, { import: { id: 4 }, message: "Taken" }, 202);
  await waitFor(() => expect(where()).toBe("/dashboard/phonebook/imports/4"));
  expect(sent).toEqual(["all"]);
});

test("a list ends advertising alone where that is chosen, and a refusal of it is said there", async () => {
  const errors = [{ field: "reach", code: "bad_reach", message: "It is one of: promotional, all" }];
  const { sent } = await upload("Advertising", problem(400, "bad_reach", "x", { errors }), 400);
  await waitFor(() =>
    expect(screen.getByLabelText("Ends")).toHaveAccessibleDescription("It is one of: promotional, all"),
  );
  expect(sent).toEqual(["promotional"]);
});
