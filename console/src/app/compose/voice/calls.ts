// What the page of calls asks of the daemon.
import { queryOptions } from "@tanstack/react-query";
import { api, asForm, ask } from "../../../api/client";
import { own } from "../../../api/queries";
import type { components } from "../../../api/schema";
import type { Quote } from "../calls";
import { partsOf, type VoiceDraft } from "./draft";

export type Recording = components["schemas"]["VoiceRecord"];

/** The key below which recordings are cached. */
export const recordingsKey = () => own("compose", "recordings");

export function recordingsQuery() {
  return queryOptions({
    queryKey: recordingsKey(),
    queryFn: async () => (await ask(api.GET("/api/get-voice-records"))).audioUrls,
  });
}

/** A number that calls can come from. */
export interface CallerNumber {
  field: "own_number" | "virtual_number";
  number: string;
}

/** More of them are no choice but a search. */
const NUMBERS_MAX = 200;

/** Numbers of the customer that are verified, and those that were assigned. */
export function callerNumbersQuery() {
  return queryOptions({
    queryKey: own("numbers", "callers"),
    queryFn: async (): Promise<CallerNumber[]> => {
      const page = { page: 1, per_page: NUMBERS_MAX };
      const [mine, assigned] = await Promise.all([
        ask(api.GET("/api/get-own-number", { params: { query: { ...page, status: "verified" } } })),
        ask(api.GET("/api/get-virtual-number", { params: { query: { ...page, status: "approved" } } })),
      ]);
      return [
        ...mine["Own-Number"].map(({ phone_number }) => ({
          field: "own_number" as const,
          number: phone_number,
        })),
        ...assigned["virtual-Number"].flatMap(({ virtual_num }) =>
          virtual_num ? [{ field: "virtual_number" as const, number: virtual_num }] : [],
        ),
      ];
    },
  });
}

/** What the calls will cost at most. Charges nothing. Files go as they are, unread by the page. */
export async function quote(
  draft: VoiceDraft,
  files: readonly File[],
  columns: readonly string[],
  key: string,
): Promise<Quote> {
  const parts = { ...partsOf(draft, files, columns), quote: 1 };
  const answer = await ask(
    api.POST("/api/voice-call", {
      body: {},
      bodySerializer: () => asForm(parts),
      headers: { "Idempotency-Key": key },
    }),
  );
  return answer.details as Quote;
}

/** A text as calls will say it: a WAV. Nothing is charged. */
export async function preview({ ttsMsg, ttsVoice }: Pick<VoiceDraft, "ttsMsg" | "ttsVoice">) {
  return ask<ArrayBuffer>(
    api.POST("/api/voice-preview", { body: { ttsMsg, ttsVoice }, parseAs: "arrayBuffer" }) as never,
  );
}

export function deleteRecording(id: number) {
  return ask(api.DELETE("/api/recordings/{id}", { params: { path: { id } } }));
}

export type TestCall = components["schemas"]["VoiceTest"];

/** Has the customer's own phone called with what the draft says. An MP3 is kept first: a test call plays what is kept. */
export async function beginTestCall({ type, ttsMsg, ttsVoice, audioUrl, audioFile }: VoiceDraft) {
  if (type === "TTS") return ask(api.POST("/api/voice-test", { body: { ttsMsg, ttsVoice } }));
  const recording = type === "past" ? audioUrl : String(await keptRecording(audioFile));
  return ask(api.POST("/api/voice-test", { body: { audioUrl: recording } }));
}

/** The id of an MP3 among the recordings: the same sound is kept once. */
async function keptRecording(audioFile: File | null): Promise<number> {
  const added = await ask(
    api.POST("/api/recordings", { body: {}, bodySerializer: () => asForm({ audioFile }) }),
  );
  return added.recording.id;
}

const TEST_POLL_MS = 1_500;

/** A test call, followed until it is over. */
export function testCallQuery(begun: TestCall | undefined) {
  const id = begun?.id ?? 0;
  return queryOptions({
    queryKey: own("compose", "test-call", id),
    queryFn: () => ask(api.GET("/api/voice-test/{id}", { params: { path: { id } } })),
    enabled: begun !== undefined,
    initialData: begun,
    initialDataUpdatedAt: 0,
    refetchInterval: ({ state }) => (state.error || state.data?.over ? false : TEST_POLL_MS),
  });
}
