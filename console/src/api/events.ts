// The daemon's server-sent events. Read by fetch, as a browser's EventSource sends no bearer token.
import { useEffect, useRef, useState } from "react";
import { ask } from "./client";

export interface ServerEvent {
  event: string;
  /** A JSON document. */
  data: string;
}

/** In characters: an event is one campaign or import, and no more is gathered of one that never ends. */
const EVENT_MAX = 1_000_000;

/** The events of a stream, until it ends. Comments, which keep it open, are passed over. */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      if (rest.length > EVENT_MAX) throw new Error("An event is too long");
      for (const block of blocks) {
        const event = eventIn(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventIn(block: string): ServerEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
    if (name === "event") event = value;
    else if (name === "data") data.push(value);
  }
  return data.length > 0 ? { event, data: data.join("\n") } : null;
}

/** The stream of an answer: a call with `parseAs: "stream"`. */
export async function opened(
  call: Promise<{ data?: unknown; error?: unknown; response: Response }>,
): Promise<ReadableStream<Uint8Array>> {
  const stream = await ask(call);
  if (!(stream instanceof ReadableStream)) throw new Error("There is no stream");
  return stream;
}

type Open = (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

/**
 * Follows a stream while the component is there, and answers whether it is open: where it is not, or breaks off, the
 * page asks again by itself. `key` says what is followed; null follows nothing.
 */
export function useEvents(key: string | null, open: Open, onEvent: (event: ServerEvent) => void): boolean {
  const [following, setFollowing] = useState<string | null>(null);
  const latest = useRef({ open, onEvent });
  useEffect(() => {
    latest.current = { open, onEvent };
  });
  useEffect(() => {
    if (key === null) return;
    const stop = new AbortController();
    const follow = async () => {
      for await (const event of eventsOf(await latest.current.open(stop.signal))) {
        if (stop.signal.aborted) return;
        setFollowing(key);
        latest.current.onEvent(event);
      }
    };
    follow()
      .catch(() => undefined)
      .finally(() => setFollowing((now) => (now === key ? null : now)));
    return () => stop.abort();
  }, [key]);
  return key !== null && following === key;
}
