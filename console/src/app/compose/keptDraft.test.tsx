import { screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { session } from "../../api/session";
import { composing, type DraftDaemon } from "../../testing/drafts";
import { QUOTE } from "../../testing/quote";
import { show, signedIn } from "../../testing/render";
import { answers, problem, server } from "../../testing/server";
import { EMPTY, stored } from "./draft";
import { overDrafts } from "./overDrafts";
import ComposePage from "./Page";

const list = new File(["08031234567\n08031234568\n"], "may.csv", { type: "text/csv" });

let daemon: DraftDaemon;

beforeEach(() => {
  daemon = composing();
});

const message = () => screen.getByRole("textbox", { name: "Message" });
const fields = (id: number) => JSON.parse(daemon.drafts.get(id)?.fields ?? "null") as { message: string };
const attach = () => screen.getByLabelText("File of recipients");
const files = () => within(screen.getByRole("list", { name: "Files" }));

async function written() {
  const page = show(<ComposePage />);
  await page.user.click(message());
  await page.user.paste("Half a thought");
  await page.user.upload(attach(), list);
  expect(await screen.findByText("Saved")).toBeVisible();
  return page;
}

test("what is written is saved with its file a moment later, and a reload goes on with all of it", async () => {
  const page = await written();
  const [draft] = [...daemon.drafts.values()];
  expect(draft).toMatchObject({ form: "sms", title: "Half a thought" });
  expect(draft?.files.map((it) => it.name)).toEqual(["may.csv"]);
  page.unmount();

  const again = show(<ComposePage />);
  expect(message()).toHaveValue("Half a thought");
  expect(await screen.findByText("2 contacts in all")).toBeVisible();
  expect(files().getByText("may.csv")).toBeVisible();
  // It is the same draft that goes on, and the file is not stored twice.
  await again.user.type(message(), "!");
  await waitFor(() => expect(fields(1).message).toBe("Half a thought!"));
  await again.user.click(files().getByRole("button", { name: "Remove may.csv" }));
  await waitFor(() => expect(daemon.drafts.get(1)?.files).toEqual([]));
  expect(daemon.drafts.size).toBe(1);
});

test("another device is offered the draft, and goes on with it, file and all", async () => {
  (await written()).unmount();
  session.clear();
  signedIn();
  const { user } = show(<ComposePage />);
  expect(message()).toHaveValue("");
  const offer = await screen.findByRole("list", { name: "Drafts" });
  expect(offer).toHaveTextContent("may.csv");
  await user.click(within(offer).getByRole("button", { name: "Go on with Half a thought" }));
  expect(await screen.findByText("2 contacts in all")).toBeVisible();
  expect(message()).toHaveValue("Half a thought");
  expect(screen.queryByRole("list", { name: "Drafts" })).toBeNull();
});

test("a draft that is not wanted any more is deleted where it is offered", async () => {
  (await written()).unmount();
  session.clear();
  signedIn();
  const { user } = show(<ComposePage />);
  const remove = await screen.findByRole("button", { name: "Delete Half a thought" });
  await user.click(remove);
  const asked = await screen.findByRole("dialog", { name: "Delete this draft?" });
  expect(asked).toHaveTextContent("may.csv");
  expect(daemon.drafts.size).toBe(1);
  server.use(http.delete("*/api/drafts", () => HttpResponse.error(), { once: true }));
  await user.click(within(asked).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText(/cannot be reached/)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(remove);
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByRole("list", { name: "Drafts" })).toBeNull());
  expect(daemon.drafts.size).toBe(0);
});

/** The draft as another device left it. */
function changeElsewhere(message = "From the phone") {
  const draft = daemon.drafts.get(1);
  if (!draft) throw new Error("there is no draft");
  draft.version += 1;
  draft.fields = JSON.stringify({ ...fields(1), message });
}

test("what another device changed is not overwritten: the person chooses", async () => {
  const { user } = await written();
  changeElsewhere();
  await user.type(message(), "!");
  expect(await screen.findByText(/changed elsewhere/)).toBeVisible();
  expect(fields(1).message).toBe("From the phone");
  expect(screen.queryByText(/Sav(ed|ing)/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Take the other" }));
  await waitFor(() => expect(message()).toHaveValue("From the phone"));

  changeElsewhere("From the tablet");
  await user.type(message(), "?");
  await user.click(await screen.findByRole("button", { name: "Keep this one" }));
  await waitFor(() => expect(fields(1).message).toBe("From the phone?"));
  expect(daemon.drafts.get(1)?.files.map((it) => it.name)).toEqual(["may.csv"]);
});

test("after a reload another device's change is shown, unless something unsaved is here too", async () => {
  const page = await written();
  changeElsewhere();
  page.unmount();
  const again = show(<ComposePage />);
  await waitFor(() => expect(message()).toHaveValue("From the phone"));
  expect(await screen.findByText("2 contacts in all")).toBeVisible();
  again.unmount();
  changeElsewhere();
  stored.save({ ...EMPTY, message: "Written at the last moment" });
  show(<ComposePage />);
  expect(await screen.findByText(/changed elsewhere/)).toBeVisible();
  expect(message()).toHaveValue("Written at the last moment");
});

/** After a restore the id of this draft is that of another device's. */
function restore() {
  daemon.drafts.set(1, {
    id: 1,
    version: 2,
    key: "another",
    form: "sms",
    title: "Of another",
    fields: JSON.stringify({ ...EMPTY, message: "Of another" }),
    files: [],
  });
}

test("after a restore a reload does not take another draft of the same id for its own", async () => {
  (await written()).unmount();
  restore();
  stored.save({ ...EMPTY, message: "Written at the last moment" });
  show(<ComposePage />);
  await waitFor(() => expect(daemon.drafts.size).toBe(2), { timeout: 5_000 });
  expect(fields(1).message).toBe("Of another");
  expect(message()).toHaveValue("Written at the last moment");
  expect(stored.kept()?.id).not.toBe(1);
});

test("after a restore emptying the form does not delete another draft of the same id", async () => {
  const { user } = await written();
  restore();
  await user.clear(message());
  await user.click(files().getByRole("button", { name: "Remove may.csv" }));
  await waitFor(() => expect(stored.kept()).toBeNull(), { timeout: 5_000 });
  expect(fields(1).message).toBe("Of another");
});

test("nothing is sent while a draft's files are not here", async () => {
  (await written()).unmount();
  server.use(
    http.get("*/api/drafts/:id/files/:file", async () => {
      await delay(1_500);
      return HttpResponse.error();
    }),
  );
  const { user } = show(<ComposePage />);
  expect(await screen.findByText("Fetching may.csv")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send message" }));
  const unready = /The files of this draft are not here yet/;
  expect(await screen.findByText(unready)).toBeVisible();
  expect(await screen.findByText(/The draft and its files could not be read/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Go on without files" }));
  await user.type(message(), ".");
  // The one with the file is left as it is, and this is one of its own.
  await waitFor(() => expect(daemon.drafts.size).toBe(2));
  expect(daemon.drafts.get(1)?.files).toHaveLength(1);
});

test("a file that the daemon does not keep is named, and the rest is saved", async () => {
  daemon.refuseFiles(422, "drafts_quota", "Your account may keep 32 MiB of files in drafts");
  const { user } = show(<ComposePage />);
  await user.upload(attach(), list);
  await user.type(message(), "Hello");
  expect(await screen.findByText(/may.csv is not kept. Your account may keep 32 MiB/)).toBeVisible();
  await waitFor(() => expect(fields(1).message).toBe("Hello"));
});

function sends() {
  answers("post", "/api/send-text-sms", { details: QUOTE, message: "" });
  const over = { id: 9, status: "completed", total_contacts: 2, counts: { queued: 0, submitting: 0 } };
  answers("post", "/api/confirm-send-text-sms", { details: over, campaigns: [over], message: "SMS Sent" });
  answers("get", "/api/campaigns/9", { campaign: over });
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": [{ value: 0.01 }],
    "SMS-UNIT-PRICE-IN-NAIRA": [],
  });
}

test("what is sent is no draft any more", async () => {
  sends();
  const { user } = await written();
  expect(daemon.drafts.size).toBe(1);
  await user.click(screen.getByRole("button", { name: "Send message" }));
  await user.click(await screen.findByRole("button", { name: "Yes, Proceed" }));
  await waitFor(() => expect(daemon.drafts.size).toBe(0));
  expect(stored.kept()).toBeNull();
  expect(daemon.missed()).toBe(0);
  // Once the dialog is closed.
  await waitFor(() => expect(message()).toHaveValue(""));
  expect(screen.queryByRole("list", { name: "Files" })).toBeNull();
});

test("emptying the form deletes the draft", async () => {
  const { user } = await written();
  await user.clear(message());
  await user.click(files().getByRole("button", { name: "Remove may.csv" }));
  await waitFor(() => expect(daemon.drafts.size).toBe(0));
  expect(stored.kept()).toBeNull();
});

test("a draft that was sent and could not be deleted is offered no more, and deleted when the page is opened again", async () => {
  sends();
  const page = await written();
  let isCutOff = true;
  server.use(http.delete("*/api/drafts", () => (isCutOff ? HttpResponse.error() : undefined)));
  await page.user.click(screen.getByRole("button", { name: "Send message" }));
  await page.user.click(await screen.findByRole("button", { name: "Yes, Proceed" }));
  await waitFor(() => expect(message()).toHaveValue(""));
  expect(daemon.drafts.size).toBe(1);
  expect(overDrafts()).toMatchObject([{ id: 1, version: 2, key: daemon.drafts.get(1)?.key }]);
  expect(screen.queryByRole("list", { name: "Drafts" })).toBeNull();
  page.unmount();
  isCutOff = false;
  show(<ComposePage />);
  await waitFor(() => expect(daemon.drafts.size).toBe(0));
  expect(screen.queryByRole("list", { name: "Drafts" })).toBeNull();
  await waitFor(() => expect(overDrafts()).toEqual([]));
});

test("a draft whose beginning was never answered is deleted when it is sent, and no second one is begun", async () => {
  sends();
  let lost = 0;
  const loses = async ({ request }: { request: Request }) => {
    const body = (await request.json()) as { key: string; form: string; title: string; fields: string };
    lost += 1;
    if (![...daemon.drafts.values()].some((it) => it.key === body.key)) {
      daemon.drafts.set(7, { id: 7, version: 1, files: [], ...body });
    }
    return HttpResponse.error();
  };
  server.use(http.post("*/api/drafts", loses));
  const { user } = show(<ComposePage />);
  await user.type(screen.getByLabelText("Recipients"), "08031234567");
  await user.type(message(), "Hello");
  await waitFor(() => expect(lost).toBeGreaterThan(0), { timeout: 5_000 });
  await user.click(screen.getByRole("button", { name: "Send message" }));
  await user.click(await screen.findByRole("button", { name: "Yes, Proceed" }));
  await waitFor(() => expect(message()).toHaveValue(""));
  await waitFor(() => expect(daemon.drafts.size).toBe(0));
  expect(screen.queryByRole("list", { name: "Drafts" })).toBeNull();
});

test("a beginning whose answer was lost is asked for once more under its key, and goes on from there", async () => {
  server.use(
    http.post(
      "*/api/drafts",
      async ({ request }) => {
        const body = (await request.json()) as { key: string; form: string; title: string; fields: string };
        daemon.drafts.set(7, { id: 7, version: 1, files: [], ...body });
        return HttpResponse.error();
      },
      { once: true },
    ),
  );
  const { user } = show(<ComposePage />);
  await user.type(message(), "Hello");
  expect(await screen.findByText(/The draft is not saved/)).toBeVisible();
  await user.type(message(), " again");
  await waitFor(() => expect(fields(7)?.message).toBe("Hello again"));
  expect(daemon.drafts.size).toBe(1);
});

test("what another device wrote after the draft was sent here is not deleted, and offered", async () => {
  sends();
  const { user } = await written();
  await user.click(screen.getByRole("button", { name: "Send message" }));
  const proceed = await screen.findByRole("button", { name: "Yes, Proceed" });
  changeElsewhere();
  await user.click(proceed);
  await waitFor(() => expect(message()).toHaveValue(""));
  expect(await screen.findByRole("button", { name: /^Go on with/ })).toBeVisible();
  expect(fields(1).message).toBe("From the phone");
  expect(overDrafts()).toEqual([]);
});

test("files that do not come are gone on without, at any time", async () => {
  (await written()).unmount();
  server.use(http.get("*/api/drafts/:id/files/:file", () => delay("infinite")));
  const { user } = show(<ComposePage />);
  expect(await screen.findByText("Fetching may.csv")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Go on without the file" }));
  expect(screen.queryByText("Fetching may.csv")).toBeNull();
  await user.type(message(), "!");
  // The one with the file is left as it is, and this is one of its own.
  await waitFor(() => expect(daemon.drafts.size).toBe(2));
  expect(daemon.drafts.get(1)?.files).toHaveLength(1);
});

test("of two files of one name both are kept, and both come back", async () => {
  const other = new File(["08031234569\n"], "may.csv", { type: "text/csv", lastModified: 5 });
  const page = await written();
  await page.user.upload(attach(), other);
  await waitFor(() => expect(daemon.drafts.get(1)?.files).toHaveLength(2));
  page.unmount();
  show(<ComposePage />);
  expect(await screen.findAllByRole("button", { name: "Remove may.csv" })).toHaveLength(2);
});

test("an emptied form does not delete what another device wrote", async () => {
  const { user } = await written();
  changeElsewhere();
  await user.clear(message());
  await user.click(files().getByRole("button", { name: "Remove may.csv" }));
  expect(await screen.findByText(/changed elsewhere/)).toBeVisible();
  expect(fields(1).message).toBe("From the phone");
});

test("after a reload what is here is kept with the draft's files, and nothing is sent before the choice", async () => {
  (await written()).unmount();
  changeElsewhere();
  stored.save({ ...EMPTY, message: "Written at the last moment" });
  const { user } = show(<ComposePage />);
  expect(await screen.findByText(/changed elsewhere/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send message" }));
  expect(await screen.findByText(/choose first which of the two is kept/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Keep this one" }));
  await waitFor(() => expect(fields(1).message).toBe("Written at the last moment"));
  expect(await screen.findByText("Saved")).toBeVisible();
  expect(files().getByText("may.csv")).toBeVisible();
  expect(daemon.drafts.get(1)?.files.map((it) => it.name)).toEqual(["may.csv"]);
});

test("a change whose answer was lost is this device's own, before a reload and after it", async () => {
  const page = await written();
  const commit = (text: string) => {
    const draft = daemon.drafts.get(1);
    if (draft) Object.assign(draft, { version: draft.version + 1, fields: text });
  };
  server.use(
    http.put(
      "*/api/drafts/:id",
      async ({ request }) => {
        commit(((await request.json()) as { fields: string }).fields);
        return HttpResponse.error();
      },
      { once: true },
    ),
  );
  await page.user.type(message(), "!");
  expect(await screen.findByText(/The draft is not saved/)).toBeVisible();
  await page.user.type(message(), "?");
  await waitFor(() => expect(fields(1).message).toBe("Half a thought!?"));
  page.unmount();

  commit(JSON.stringify({ ...fields(1), message: "Committed" }));
  stored.save({ ...EMPTY, message: "Committed" });
  show(<ComposePage />);
  expect(await screen.findByText("2 contacts in all")).toBeVisible();
  expect(screen.queryByText(/changed elsewhere/)).toBeNull();
});

test("a draft that another device sent is not started again by a reload, and its file is missed", async () => {
  (await written()).unmount();
  daemon.drafts.clear();
  const { user } = show(<ComposePage />);
  expect(message()).toHaveValue("Half a thought");
  expect(await screen.findByText(/This draft had may.csv attached/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send message" }));
  expect(screen.queryByRole("button", { name: "Yes, Proceed" })).toBeNull();
  await new Promise((done) => setTimeout(done, 1_500));
  expect(daemon.drafts.size).toBe(0);
  await user.click(screen.getByRole("button", { name: "Go on without" }));
  await user.type(message(), "!");
  await waitFor(() => expect(daemon.drafts.size).toBe(1), { timeout: 5_000 });
});

test("nothing is sent while a draft cannot be read at all", async () => {
  (await written()).unmount();
  server.use(http.get("*/api/drafts/:id", () => HttpResponse.error()));
  const { user } = show(<ComposePage />);
  expect(await screen.findByText(/could not be read/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send message" }));
  expect(await screen.findByText(/The files of this draft are not here yet/)).toBeVisible();
});

test("a file that is not there any more does not make another draft", async () => {
  const { user } = await written();
  server.use(
    http.delete("*/api/drafts/:id/files/:file", () => {
      const draft = daemon.drafts.get(1);
      if (draft) draft.files = [];
      return HttpResponse.json(problem(404, "not_found", "There is no such file"), { status: 404 });
    }),
  );
  await user.click(files().getByRole("button", { name: "Remove may.csv" }));
  await waitFor(() => expect(daemon.drafts.get(1)?.files).toEqual([]));
  await user.type(message(), "!");
  await waitFor(() => expect(fields(1).message).toBe("Half a thought!"));
  expect(daemon.drafts.size).toBe(1);
});

test("what is written and attached while files are fetched stays", async () => {
  (await written()).unmount();
  stored.save({ ...EMPTY, message: "Not saved yet" });
  const fails = async () => {
    await delay(1_500);
    return HttpResponse.error();
  };
  server.use(http.get("*/api/drafts/:id/files/:file", fails, { once: true }));
  const { user } = show(<ComposePage />);
  expect(await screen.findByText("Fetching may.csv")).toBeVisible();
  await user.upload(attach(), new File(["08031234569\n"], "june.csv", { type: "text/csv" }));
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(() => expect(files().getByText("may.csv")).toBeVisible());
  expect(files().getByText("june.csv")).toBeVisible();
  expect(message()).toHaveValue("Not saved yet");
});

test("after a reload a file that was never kept is missed, and nothing is sent without it unawares", async () => {
  daemon.refuseFiles(422, "drafts_quota", "Your account may keep 32 MiB of files in drafts");
  const page = show(<ComposePage />);
  await page.user.upload(attach(), list);
  await page.user.type(message(), "Hello");
  expect(await screen.findByText(/may.csv is not kept/)).toBeVisible();
  await waitFor(() => expect(fields(1).message).toBe("Hello"));
  page.unmount();
  const { user } = show(<ComposePage />);
  expect(await screen.findByText(/This draft had may.csv attached/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send message" }));
  await waitFor(() => expect(screen.getAllByText(/This draft had may.csv attached/)).toHaveLength(2));
  await user.upload(attach(), list);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Go on without" })).toBeNull());
});

test("where there are too many drafts, one is deleted to have this one saved", async () => {
  (await written()).unmount();
  session.clear();
  signedIn();
  const full = problem(409, "drafts_full", "You keep 20 drafts: send or delete one first");
  server.use(http.post("*/api/drafts", () => HttpResponse.json(full, { status: 409 }), { once: true }));
  const { user } = show(<ComposePage />);
  await user.type(message(), "Another");
  await user.click(await screen.findByRole("button", { name: "Delete Half a thought" }));
  expect(screen.queryByRole("button", { name: /Go on with/ })).toBeNull();
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  await waitFor(() => expect([...daemon.drafts.values()].map((it) => it.title)).toEqual(["Another"]));
});
