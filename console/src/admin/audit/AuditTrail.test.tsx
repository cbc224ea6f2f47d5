import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers, server } from "../../testing/server";
import AuditTrail from "./AuditTrail";

test("the trail of one administrator between two days is asked for by what the daemon calls them", async () => {
  const asked: string[] = [];
  server.use(
    http.get("*/admin/audit", ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ audit: [], total: 0 });
    }),
  );
  const filter = JSON.stringify({ user_id: "root", from: "2026-11-01", to: "2026-11-20" });
  const chosen = JSON.stringify({ user_id: true, from: true, to: true });
  const search = new URLSearchParams({ filter, displayedFilters: chosen }).toString();
  const { user } = showAdmin(<AuditTrail />, "audit-trail", `?${search}`);
  expect(await screen.findByLabelText("By whom")).toHaveValue("root");
  expect(screen.getByLabelText("From")).toHaveValue("2026-11-01");
  await waitFor(() =>
    expect(asked).toEqual(["?page=1&per_page=20&user_id=root&from=2026-11-01&to=2026-11-20"]),
  );
  // What is no day yet is not asked for.
  await user.clear(screen.getByLabelText("To"));
  await waitFor(() => expect(asked.at(-1)).not.toContain("to="));
  await user.type(screen.getByLabelText("To"), "2026-11-21");
  await waitFor(() => expect(asked.at(-1)).toContain("to=2026-11-21"), { timeout: 5_000 });
  expect(asked.filter((it) => /to=(?!2026-11-2[01])/.test(it))).toEqual([]);
});

test("what was changed is said in words, and as the daemon calls it where there are none", async () => {
  const entry = { id: 1, at: "2026-11-21T08:00:00Z", username: "root", subject: "user 7", before: null };
  answers("get", "/admin/audit", {
    audit: [
      { ...entry, action: "wallet.credit", after: "10 ESPEES" },
      { ...entry, id: 2, action: "tide.turn", after: null },
    ],
    total: 2,
  });
  showAdmin(<AuditTrail />, "audit-trail");
  expect(await screen.findByText("Wallet credited")).toBeVisible();
  expect(screen.getByText("tide.turn")).toBeVisible();
  expect(screen.queryByText("wallet.credit")).toBeNull();
});

test("an entry is two lines on a phone, the action first and without what is empty", async () => {
  const entry = {
    id: 1,
    at: "2026-11-21T08:00:00Z",
    username: "root",
    subject: "user 7",
    action: "wallet.credit",
  };
  answers("get", "/admin/audit", { audit: [{ ...entry, before: null, after: "10 ESPEES" }], total: 1 });
  showAdmin(<AuditTrail />, "audit-trail");
  const cells = within(await screen.findByRole("row", { name: /Wallet credited/ })).getAllByRole("cell");
  expect(cells.map((it) => it.dataset.phone)).toEqual([
    "plain",
    "plain",
    "title",
    "plain",
    "labelled",
    "labelled",
  ]);
  expect(cells.map((it) => it.querySelector("[data-usual]") !== null)).toEqual([
    ...[false, false, false, false],
    true,
    false,
  ]);
});

test("a search of the administration looks and works like a customer's", async () => {
  const asked: (string | null)[] = [];
  const none = { audit: [], total: 0 };
  answers("get", "/admin/audit", none, 200, (request) => {
    asked.push(new URL(request.url).searchParams.get("q"));
  });
  const { user } = showAdmin(<AuditTrail />, "audit-trail");
  const search = await screen.findByRole("searchbox", { name: "Search everything" });
  await user.type(search, "ada");
  await waitFor(() => expect(asked.at(-1)).toBe("ada"), { timeout: 5_000 });
  await user.click(screen.getByRole("button", { name: "Clear the search" }));
  await waitFor(() => expect(asked.at(-1)).toBeNull(), { timeout: 5_000 });
  expect(search).toHaveValue("");
  expect(screen.getByRole("button", { name: "Export" })).toHaveClass("MuiButton-colorPrimary");
});
