import type { DataProvider, Identifier, RaRecord } from 'react-admin';
import { api } from '../../shared/api/client';
import { toPage } from '../../shared/api/pages';
import { resources, type Resource } from '../resources';

interface Init {
  params?: { path?: { id: Identifier }; query?: object };
  body?: object;
  signal?: AbortSignal;
}
interface Answer {
  data?: unknown;
  response: Response;
}
/** The client's calls for an address that is only known when it runs; which there are, `resources` says, checked. */
type Call = (path: string, init: Init) => Promise<Answer>;
const get = api.GET as unknown as Call;
const post = api.POST as unknown as Call;
const remove = api.DELETE as unknown as Call;

type Verb = keyof Resource;

function pathOf(name: string, verb: Verb): string {
  const resource = (resources as Record<string, Resource>)[name];
  const path = resource?.[verb];
  if (!path) throw new Error(`The server does not offer "${verb}" for the resource "${name}".`);
  return path;
}

const filled = (filter: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '' && value != null));

async function list(name: string, { pagination, sort, filter, signal }: Parameters<DataProvider['getList']>[1]) {
  const paging = pagination && { page: pagination.page, perPage: pagination.perPage };
  const sorting = sort && { sort: sort.field, order: sort.order.toLowerCase() };
  const { data, response } = await get(pathOf(name, 'list'), {
    params: { query: { ...paging, ...sorting, ...filled(filter as Record<string, unknown>) } },
    signal,
  });
  const { items, total } = toPage(data as RaRecord[] | undefined, response.headers);
  return { data: items, total };
}

async function read(name: string, id: Identifier, signal?: AbortSignal) {
  const { data } = await get(pathOf(name, 'read'), { params: { path: { id } }, signal });
  return data as RaRecord;
}

const end = (name: string, id: Identifier) => remove(pathOf(name, 'remove'), { params: { path: { id } } });

/**
 * What react-admin knows of the server: the typed client, its refusals (`ApiError`), and lists by `page`, `perPage`,
 * `sort`, `order` and filters, with their length in `X-Total-Count`. Changes of single fields are made by calls of their
 * own ("replay", "take back"), so there is no update.
 */
export const dataProvider = {
  getList: list,
  getManyReference: (name, { target, id, filter, ...rest }) =>
    list(name, { ...rest, filter: { ...(filter as object), [target]: id } }),
  getOne: async (name, { id, signal }) => ({ data: await read(name, id as Identifier, signal) }),
  getMany: async (name, { ids, signal }) => ({ data: await Promise.all(ids.map((id) => read(name, id, signal))) }),
  create: async (name, { data }) => {
    const made = await post(pathOf(name, 'create'), { body: data as object });
    return { data: made.data as RaRecord };
  },
  delete: async (name, { id, previousData }) => {
    await end(name, id as Identifier);
    return { data: previousData ?? { id } };
  },
  deleteMany: async (name, { ids }) => {
    await Promise.all(ids.map((id) => end(name, id)));
    return { data: ids };
  },
  update: (name) => Promise.reject(new Error(`The server does not offer "update" for the resource "${name}".`)),
  updateMany: (name) => Promise.reject(new Error(`The server does not offer "update" for the resource "${name}".`)),
} as DataProvider;
