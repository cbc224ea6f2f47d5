// The addresses at which a new message or call begins with recipients, or as a copy of a campaign. They are named, never
// copied: the daemon reads who they are.

export interface Beginning {
  /** Ids of groups. */
  groups?: readonly number[];
  /** Earlier lists as the API names them: `campaign:7`, `campaign:7:failed`, `import:9`. */
  audience?: readonly string[];
  /** The campaign that is copied. */
  campaign?: number;
}

export function composeAddress(kind: string, { groups = [], audience = [], campaign }: Beginning): string {
  const query = new URLSearchParams([
    ...groups.map((id) => ["group", String(id)]),
    ...audience.map((list) => ["audience", list]),
    ...(campaign ? [["campaign", String(campaign)]] : []),
  ]);
  return `${kind === "voice" ? "/dashboard/text-to-speech" : "/dashboard/compose-sms"}?${query}`;
}

const id = (text: string | null) => (text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined);

/** What an address says; null where it says nothing of the kind. */
export function beginningIn(
  query: URLSearchParams,
): (Required<Omit<Beginning, "campaign">> & Beginning) | null {
  const groups = query.getAll("group").flatMap((text) => id(text) ?? []);
  const audience = query.getAll("audience").filter((list) => listName(list) !== null);
  const campaign = id(query.get("campaign"));
  return groups.length + audience.length > 0 || campaign ? { groups, audience, campaign } : null;
}

/** An earlier list in words; null for what names none. */
export function listName(list: string): string | null {
  const [, kind, id, of] = /^(campaign|import):([1-9]\d*)(?::([a-z]+))?$/.exec(list) ?? [];
  if (kind === "import" && !of) return `The numbers of import ${id}`;
  if (kind !== "campaign") return null;
  if (!of) return `The recipients of campaign ${id}`;
  return of === "failed"
    ? `Those whom campaign ${id} did not reach`
    : `Those of campaign ${id} whose status is ${of}`;
}
