import { expect, test } from "vitest";
import { signedIn } from "../testing/render";
import { answers } from "../testing/server";
import { logOut, makeQueryClient, ratesQuery, startSession } from "./queries";
import { session } from "./session";

const rate = (naira: number) => ({ prefix: "44", network: null, espees: null, naira });

test("rates are asked for as the account that is signed in, and are not shown to the next", async () => {
  const asked: (string | null)[] = [];
  const serve = (naira: number) =>
    answers("get", "/api/rates", { rates: [rate(naira)], total: 1, version: "v1" }, 200, (request) => {
      asked.push(request.headers.get("Authorization"));
    });
  answers("post", "/api/logout", {});
  const client = makeQueryClient();
  signedIn({ id: 7 });
  const ada = session.get();
  if (!ada) throw new Error("no session");
  serve(50);
  expect(await client.fetchQuery(ratesQuery())).toEqual([rate(50)]);
  await logOut(client);
  expect(client.getQueryCache().getAll()).toEqual([]);
  serve(60);
  expect(await client.fetchQuery(ratesQuery())).toEqual([rate(60)]);
  startSession(client, { token: "another", user: { ...ada.user, id: 8 } });
  serve(40);
  expect(await client.fetchQuery(ratesQuery())).toEqual([rate(40)]);
  expect(asked).toEqual([`Bearer ${ada.token}`, null, "Bearer another"]);
});
