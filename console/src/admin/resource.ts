// What a resource is: the pages that its folder answers, what its row of the data provider's table may hold, and how
// react-admin's questions become the API's.
import type { ComponentType } from "react";
import type { DataProvider, Identifier, RaRecord } from "react-admin";
import { ApiProblem } from "../api/problem";
import type { components } from "../api/schema";

type Schemas = components["schemas"];

/** A resource's folder answers this from its `index.ts`: the row's name in the table, and lazy pages. */
export interface ResourcePages {
  name: string;
  list?: ComponentType;
  create?: ComponentType;
  edit?: ComponentType;
  show?: ComponentType;
  /** Pages below the resource's address that react-admin has no name for. */
  more?: readonly { path: string; page: ComponentType }[];
}

/** What lists are asked. Each takes what it knows of; a filter is named as in the API. */
export interface Query {
  page: number;
  per_page: number;
  sort?: string;
  order?: string;
  q?: string;
  status?: string;
  type?: string;
  role?: string;
  kind?: string;
  currency?: string;
  provider?: string;
  /** A user's id or user name. */
  user_id?: string;
  campaign_id?: number;
  from?: string;
  to?: string;
  action?: string;
  subject?: string;
  price?: string;
  number?: string;
  carrier?: string;
  network?: string;
  /** Where another list of transactions ended. */
  beyond?: number;
}

export interface Rows {
  data: RaRecord[];
  total: number;
  /** What else the answer says of the list. */
  meta?: Record<string, unknown>;
}

/** What an action is done to, and with what. */
export interface Target<Data = undefined> {
  id: Identifier;
  data: Data;
}

type Values = Record<string, unknown>;

export interface Resource {
  list?: (query: Query) => Promise<Rows>;
  one?: (id: Identifier) => Promise<RaRecord>;
  create?: (values: Values) => Promise<RaRecord>;
  update?: (id: Identifier, values: Values) => Promise<RaRecord>;
  remove?: (id: Identifier) => Promise<unknown>;
  /** Everything else that is done to one record, by name. The answer's `message` is for people. */
  // biome-ignore lint/suspicious/noExplicitAny: each action has data of its own; `ActionOf` gives them back exactly.
  actions?: Record<string, (target: Target<any>) => Promise<{ message: string }>>;
}

/** `.then(rows("Announcement"))`: the list of an answer and how many there are in all. */
export function rows<K extends string>(key: K) {
  return <Row extends { id: Identifier }>(answer: Record<K, Row[]> & { total: number }): Rows => ({
    data: answer[key],
    total: answer.total,
  });
}

/** Lists whose rows have no id of their own get one made of their fields. */
export function keyed<K extends string, Row extends object>(key: K, idOf: (row: Row, at: number) => string) {
  return (answer: Record<K, Row[]> & { total: number }): Rows => ({
    data: answer[key].map((row, at) => ({ ...row, id: idOf(row, at) })),
    total: answer.total,
  });
}

/** The specification's settings: a list whose first item has a value. Here one field of a record; null while not set. */
export function setting(
  id: Identifier,
  field: string,
  records: readonly Schemas["SettingRecord"][],
): RaRecord {
  return { id, [field]: records[0]?.value ?? null, updated_at: records[0]?.updated_at ?? null };
}

/** `.then(done(id, values))`: what was changed, where the answer does not show it. The page reads it again anyway. */
export function done(id: Identifier, values: Values = {}) {
  return (): RaRecord => ({ id, ...values });
}

/** A refusal as react-admin takes it: `body.errors` lands at the fields of the form. */
export class Refusal extends ApiProblem {
  readonly body: { errors?: Record<string, string> };

  constructor(it: ApiProblem) {
    super(it.status, it.code, it.message, it.errors, it.requestId, it.error);
    const errors = it.errors.map(({ field, message }) => [field, message] as const);
    this.body = errors.length > 0 ? { errors: Object.fromEntries(errors) } : {};
  }
}

async function refusing<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (thrown) {
    throw thrown instanceof ApiProblem ? new Refusal(thrown) : thrown;
  }
}

export type Table = Record<string, Resource>;

/** What an action of the table takes and answers. */
export type ActionOf<
  T extends Table,
  R extends keyof T,
  A extends keyof T[R]["actions"],
> = T[R]["actions"][A] extends (target: infer To) => Promise<infer Answer>
  ? { target: To; answer: Answer }
  : never;

export interface Actor<T extends Table> {
  /** Does a named action of a resource: `act("manage-users", "deactivate", { id, data: undefined })`. */
  act<R extends keyof T, A extends keyof T[R]["actions"]>(
    resource: R,
    action: A,
    target: ActionOf<T, R, A>["target"],
  ): Promise<ActionOf<T, R, A>["answer"]>;
}

const unable = (resource: string, verb: string) =>
  new Refusal(new ApiProblem(405, "not_offered", `${resource} has no ${verb}`));

interface ListParams {
  pagination?: { page: number; perPage: number };
  sort?: { field: string; order: string };
  filter?: Values;
}

/** react-admin's page, order and filters as the daemon's lists take them. An empty filter is none. */
export function queryOf({ pagination, sort, filter }: ListParams): Query {
  const given = Object.entries(filter ?? {}).filter(([, value]) => value !== "" && value != null);
  return {
    page: pagination?.page ?? 1,
    per_page: pagination?.perPage ?? 20,
    ...(sort?.field ? { sort: sort.field, order: sort.order.toLowerCase() } : {}),
    ...Object.fromEntries(given),
  };
}

/** react-admin's data provider from a table. */
export function providerOf<T extends Table>(table: T): DataProvider & Actor<T> {
  function able<V extends keyof Resource>(resource: string, verb: V): NonNullable<Resource[V]> {
    const call = table[resource]?.[verb];
    if (!call) throw unable(resource, verb);
    return call;
  }
  const provider: DataProvider = {
    getList: async (resource, params) => refusing(able(resource, "list")(queryOf(params))) as never,
    getOne: async (resource, { id }) => ({ data: await refusing(able(resource, "one")(id)) }) as never,
    getMany: async (resource, { ids }) => {
      const found = await Promise.all(ids.map((id: Identifier) => refusing(able(resource, "one")(id))));
      return { data: found } as never;
    },
    getManyReference: async (resource) => Promise.reject(unable(resource, "references")),
    create: async (resource, { data }) =>
      ({ data: await refusing(able(resource, "create")(data as Values)) }) as never,
    update: async (resource, { id, data }) =>
      ({ data: await refusing(able(resource, "update")(id, data as Values)) }) as never,
    delete: async (resource, { id, previousData }) => {
      await refusing(able(resource, "remove")(id));
      return { data: previousData ?? { id } } as never;
    },
    updateMany: async (resource) => Promise.reject(unable(resource, "updateMany")),
    deleteMany: async (resource) => Promise.reject(unable(resource, "deleteMany")),
  };
  return {
    ...provider,
    act: async (resource, action, target) => {
      const call = table[resource]?.actions?.[action as string];
      if (!call) throw unable(String(resource), String(action));
      return refusing(call(target as unknown as Target)) as never;
    },
  };
}
