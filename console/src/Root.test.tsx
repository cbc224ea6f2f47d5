import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, type RouteObject, RouterProvider } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { makeQueryClient } from "./api/queries";
import { ToastRoot, toast } from "./design/toasts";
import { Root } from "./Root";

/** Pages within the root, from the first. */
function shown(children: RouteObject[]) {
  vi.spyOn(window, "scrollTo").mockImplementation(() => undefined);
  const router = createMemoryRouter([{ path: "/", element: <Root />, children }], {
    initialEntries: ["/first"],
  });
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <ToastRoot>
        <RouterProvider router={router} />
      </ToastRoot>
    </QueryClientProvider>,
  );
  return router;
}

test("failures of a page go with it; what was said on the way to the next one stays", async () => {
  const pages = ["first", "second", "third"].map((path) => ({ path, element: <p>the {path}</p> }));
  const router = shown(pages);
  act(() => toast.error("You need ₦3,577.00 more"));
  expect(await screen.findByText("You need ₦3,577.00 more")).toBeVisible();
  await new Promise((done) => setTimeout(done, 600));
  act(() => toast.error("There is no such page"));
  await act(() => router.navigate("/second"));
  await waitFor(() => expect(screen.queryByText("You need ₦3,577.00 more")).toBeNull(), { timeout: 3_000 });
  expect(screen.getByText("There is no such page")).toBeVisible();
});

test("a failure that is said while the next page is still loading is not lost with the last one", async () => {
  let loaded = (_: unknown) => {};
  const slow = new Promise((done) => {
    loaded = done;
  });
  const pages = [
    { path: "first", element: <p>the first</p> },
    { path: "second", element: <p>the second</p>, loader: () => slow.then(() => null) },
  ];
  const router = shown(pages);
  expect(await screen.findByText("the first")).toBeVisible();
  act(() => void router.navigate("/second"));
  expect(await screen.findByRole("progressbar")).toBeInTheDocument();
  act(() => toast.error("The campaign was not paused"));
  await new Promise((done) => setTimeout(done, 700));
  await act(async () => loaded(null));
  expect(await screen.findByText("the second")).toBeVisible();
  expect(screen.getByText("The campaign was not paused")).toBeVisible();
  await new Promise((done) => setTimeout(done, 500));
  expect(screen.getByText("The campaign was not paused")).toBeVisible();
});
