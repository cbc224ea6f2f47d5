// The voices that speak texts in calls, by the API's names.

export const VOICES = [
  { code: "uk-female", name: "UK, female" },
  { code: "us-female", name: "US, female" },
  { code: "uk-male", name: "UK, male" },
  { code: "us-male", name: "US, male" },
] as const;

export type Voice = (typeof VOICES)[number]["code"];

/** `UK, female`; the code of one that is not known here. */
export function voiceName(code: string): string {
  return VOICES.find((it) => it.code === code)?.name ?? code;
}
