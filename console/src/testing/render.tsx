// Renders a page as the console does: router, queries, theme, toasts.
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type RenderResult, render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactElement } from "react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { vi } from "vitest";
import { makeQueryClient } from "../api/queries";
import { session, type User } from "../api/session";
import { ThemeRoot } from "../design/ThemeRoot";
import { ToastRoot } from "../design/toasts";

interface Options {
  /** The address to stand at; `path` is the pattern of the page's route. */
  at?: string;
  path?: string;
  /** What was read before, by a page that was shown with the same. */
  client?: QueryClient;
}

function freshClient(): QueryClient {
  const client = makeQueryClient();
  const { queries, ...others } = client.getDefaultOptions();
  client.setDefaultOptions({ ...others, queries: { ...queries, retry: false } });
  return client;
}

export function show(
  page: ReactElement,
  { at = "/", path = "*", client = freshClient() }: Options = {},
): RenderResult & {
  user: UserEvent;
  /** Where the page has gone. */
  where: () => string;
  client: QueryClient;
} {
  const router = createMemoryRouter(
    [
      { path, element: page },
      { path: "*", element: <p>elsewhere</p> },
    ].slice(0, path === "*" ? 1 : 2),
    { initialEntries: [at] },
  );
  const result = render(
    <QueryClientProvider client={client}>
      <ToastRoot>
        <ThemeRoot>
          <RouterProvider router={router} />
        </ThemeRoot>
      </ToastRoot>
    </QueryClientProvider>,
  );
  const where = () => router.state.location.pathname + router.state.location.search;
  return { ...result, user: userEvent.setup(), where, client };
}

/** A window below 640 px, for one test. */
export function onPhone(): void {
  const all = window.matchMedia.bind(window);
  vi.spyOn(window, "matchMedia").mockImplementation((query) =>
    Object.defineProperty(all(query), "matches", { value: /max-width:\s*639/.test(query) }),
  );
}

/** A signed-in customer. */
export function signedIn(more: Partial<User> = {}): User {
  const user: User = {
    id: 7,
    name: "Ada Obi",
    username: "ada",
    email: "ada@example.com",
    email_verified: true,
    phone_number: "2348031234567",
    status: "active",
    role: "user",
    created_at: "2026-11-01T08:00:00Z",
    espee_balance: 0,
    paystack_balance: 0,
    zone: "Africa/Lagos",
    ...more,
  };
  session.start("a-token", user);
  return user;
}
