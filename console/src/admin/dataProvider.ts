// react-admin's resources on the API: one table, resource to calls. What a resource cannot do is not in its row, and
// asking for it fails with a sentence.
import { type DataProvider, HttpError } from "react-admin";

export interface Resource {
  getList?: DataProvider["getList"];
  getOne?: DataProvider["getOne"];
  create?: DataProvider["create"];
  update?: DataProvider["update"];
  delete?: DataProvider["delete"];
}

/** The table: add a resource here, and its folder beside this file. */
const RESOURCES: Record<string, Resource> = {};

function able<K extends keyof Resource>(resource: string, verb: K): NonNullable<Resource[K]> {
  const call = RESOURCES[resource]?.[verb];
  if (!call) throw new HttpError(`${resource} has no ${verb}`, 405);
  return call;
}

const unable = (resource: string, verb: string) =>
  Promise.reject(new HttpError(`${resource} has no ${verb}`, 405));

export const dataProvider: DataProvider = {
  getList: async (resource, params) => able(resource, "getList")(resource, params),
  getOne: async (resource, params) => able(resource, "getOne")(resource, params),
  create: async (resource, params) => able(resource, "create")(resource, params),
  update: async (resource, params) => able(resource, "update")(resource, params),
  delete: async (resource, params) => able(resource, "delete")(resource, params),
  getMany: (resource) => unable(resource, "getMany"),
  getManyReference: (resource) => unable(resource, "getManyReference"),
  updateMany: (resource) => unable(resource, "updateMany"),
  deleteMany: (resource) => unable(resource, "deleteMany"),
};
