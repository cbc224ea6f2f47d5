import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers, problem } from "../../testing/server";
import GroupPage from "./Group";

const at = { at: "/dashboard/phonebook/4", path: "/dashboard/phonebook/:id" };

test("a group is asked for by its id, and its columns are shown", async () => {
  signedIn();
  answers("get", "/api/get/group/4", {
    group: {
      id: 4,
      group_name: "Lagos shops",
      description: "",
      columns: ["city"],
      contacts_count: 1,
      created_at: "2026-11-01T08:00:00Z",
      updated_at: "2026-11-01T08:00:00Z",
    },
  });
  answers("get", "/api/get/group/contacts/4", { contacts: [], total: 0 });
  show(<GroupPage />, at);
  expect(await screen.findByRole("heading", { name: "Lagos shops" })).toBeVisible();
  expect(await screen.findByText("No contacts yet")).toBeVisible();
});

test("a group that is not there is said to be not there, and a silence is no such thing", async () => {
  signedIn();
  answers("get", "/api/get/group/4", problem(404, "not_found", "No such group"), 404);
  const { unmount } = show(<GroupPage />, at);
  expect(await screen.findByText("There is no such group")).toBeVisible();
  unmount();
  answers("get", "/api/get/group/4", problem(500, "internal", "Something broke"), 500);
  show(<GroupPage />, at);
  expect(await screen.findByRole("button", { name: /again/i })).toBeVisible();
  expect(screen.queryByText("There is no such group")).toBeNull();
});
