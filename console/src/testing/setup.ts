// Before every unit test: matchers, a daemon of msw that refuses what no test has told it to answer, a clean session.
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll } from "vitest";
import { server } from "./server";

// How long findBy and waitFor look, for busy machines too.
configure({ asyncUtilTimeout: 10_000 });

if (typeof window !== "undefined") {
  beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
  afterEach(async () => {
    cleanup();
    server.resetHandlers();
    const { session } = await import("../api/session");
    session.clear();
    localStorage.clear();
  });
  afterAll(() => server.close());
}
