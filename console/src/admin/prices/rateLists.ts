// All lists of rates while they are edited: that for all users, and those of rate plans. A plan is there while it has rates:
// one that is left without is removed, and one that has none yet is not saved.
import type { components } from "../../api/schema";
import { counted } from "../../design/count";
import {
  bodyOf,
  changesOf,
  type Edits,
  NO_EDITS,
  type RateChange,
  type RateRow,
  remarkableFirst,
  rowsOf,
  wantedRows,
} from "./rateList";

type Rates = components["schemas"]["Rates"];
type SetRates = components["schemas"]["SetRates"];

/** The name of the list for all; those of plans are never empty. */
export const FOR_ALL = "";

/** As many as the daemon keeps. */
export const PLANS_MAX = 100;
/** Rates of all lists together. */
export const ALL_RATES_MAX = 3_000;

/** What was changed here, by the names of lists; a new plan is one that only this names. */
export type Draft = ReadonlyMap<string, Edits>;

export const NO_DRAFT: Draft = new Map();

export interface RateList {
  name: string;
  /** As the daemon has it. */
  stored: RateRow[];
  edits: Edits;
  /** As it shall be. */
  wanted: RateRow[];
  changes: RateChange[];
  /** Users that have the plan; of the list for all 0. */
  users: number;
  state: "new" | "removed" | null;
}

/** That for all first, then plans in the order of their names. */
export function listsOf(rates: Rates | undefined, draft: Draft): RateList[] {
  const plans = new Map((rates?.plans ?? []).map((it) => [it.name, it]));
  const names = new Set([...plans.keys(), ...draft.keys()]);
  names.delete(FOR_ALL);
  return [FOR_ALL, ...[...names].sort()].map((name) => {
    const plan = plans.get(name);
    const stored = rowsOf((name === FOR_ALL ? rates?.rates : plan?.rates) ?? []);
    const edits = draft.get(name) ?? NO_EDITS;
    const wanted = wantedRows(stored, edits);
    const isNew = name !== FOR_ALL && plan === undefined;
    const isRemoved = plan !== undefined && wanted.length === 0;
    return {
      name,
      stored,
      edits,
      wanted,
      changes: changesOf(stored, edits).map((it) => ({ ...it, list: name })),
      users: plan?.users ?? 0,
      state: isNew ? "new" : isRemoved ? "removed" : null,
    };
  });
}

export const allChanges = (lists: readonly RateList[]): RateChange[] =>
  remarkableFirst(lists.flatMap((it) => it.changes));

/** What the daemon takes: only what changes. Plans are sent all together. */
export function bodyOfLists(lists: readonly RateList[]): Pick<SetRates, "rates" | "plans" | "purposes"> {
  const [forAll, ...plans] = lists;
  const isChanged = (list: RateList) => list.changes.length > 0;
  return {
    purposes: true,
    ...(forAll && isChanged(forAll) ? { rates: bodyOf(forAll.wanted) } : {}),
    ...(plans.some(isChanged)
      ? {
          plans: plans
            .filter((it) => it.wanted.length > 0)
            .map(({ name, wanted }) => ({ name, rates: bodyOf(wanted) })),
        }
      : {}),
  };
}

/** What is kept after saving: plans that have no rates yet. */
export const unsavedPlans = (lists: readonly RateList[]): Draft =>
  new Map(
    lists.filter((it) => it.state === "new" && it.wanted.length === 0).map((it) => [it.name, NO_EDITS]),
  );

/** Why these cannot be saved, and what to do; null where they can. */
export function faultOf(lists: readonly RateList[]): string | null {
  const taken = lists.find((it) => it.state === "removed" && it.users > 0);
  if (taken)
    return `${counted(taken.users, "user has", "users have")} the plan ${taken.name}: leave a rate in it, or take it from them first.`;
  const plans = lists.filter((it) => it.name !== FOR_ALL && it.wanted.length > 0).length;
  if (plans > PLANS_MAX) return `There may be ${PLANS_MAX} plans, and these are ${plans}: remove some.`;
  const all = lists.reduce((sum, it) => sum + it.wanted.length, 0);
  if (all > ALL_RATES_MAX)
    return `There may be ${ALL_RATES_MAX.toLocaleString("en")} rates in all lists together, and these are ${all.toLocaleString("en")}: remove some.`;
  return null;
}

/** A list in a sentence. */
export const listName = (name: string) => (name === FOR_ALL ? "the rates for all" : `the plan ${name}`);
/** A list as a label. */
export const listLabel = (name: string) => (name === FOR_ALL ? "For all" : `Plan ${name}`);

/** `In the rates for all and the plan gold.` */
export function whereOf(lists: readonly RateList[]): string {
  const named = lists.filter((it) => it.changes.length > 0).map((it) => listName(it.name));
  const last = named.pop();
  return `In ${named.length > 0 ? `${named.join(", ")} and ` : ""}${last}.`;
}

export const readPlanName = (text: string) => text.trim().toLowerCase();

/** What is wrong with a new plan's name; null where nothing is. */
export function planNameFault(name: string, lists: readonly RateList[]): string | null {
  if (!/^[a-z0-9_-]{1,40}$/.test(name)) return "Write up to 40 letters, digits, '-' and '_', such as gold";
  return lists.some((it) => it.name === name) ? `There is a plan ${name} already: choose another name` : null;
}
