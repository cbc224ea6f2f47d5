import { renderHook, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventsOf, type ServerEvent, useEvents } from "./events";

const ENCODER = new TextEncoder();

function streamOf(pieces: string[], ends = true): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(ENCODER.encode(piece));
      if (ends) controller.close();
    },
  });
}

test("events are read whole, wherever the network cuts them, and comments are passed over", async () => {
  const pieces = [
    ": hello\n\nevent: prog",
    'ress\ndata: {"a":',
    "1}\n",
    "\nevent: end\ndata: {}\n\ndata: half",
  ];
  const seen: ServerEvent[] = [];
  for await (const event of eventsOf(streamOf(pieces))) seen.push(event);
  expect(seen).toEqual([
    { event: "progress", data: '{"a":1}' },
    { event: "end", data: "{}" },
  ]);
});

test("a stream is followed while it is open, and one that cannot be had is not", async () => {
  const seen: string[] = [];
  const open = renderHook(() =>
    useEvents(
      "one",
      async () => streamOf(["data: x\n\n"], false),
      ({ data }) => void seen.push(data),
    ),
  );
  await waitFor(() => expect(open.result.current).toBe(true));
  expect(seen).toEqual(["x"]);
  const refused = renderHook(() =>
    useEvents(
      "one",
      () => Promise.reject(new Error("no")),
      () => {},
    ),
  );
  const ended = renderHook(() =>
    useEvents(
      "one",
      async () => streamOf(["data: x\n\n"]),
      () => {},
    ),
  );
  await new Promise((soon) => setTimeout(soon, 50));
  expect(refused.result.current).toBe(false);
  expect(ended.result.current).toBe(false);
});
