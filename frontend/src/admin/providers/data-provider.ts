import type { DataProvider, Identifier, RaRecord } from 'react-admin';
import { api } from '../../shared/api/client';
import { toPage } from '../../shared/api/list-page';
import { resources, type ResourceEndpoints } from '../resources';

interface RequestOptions {
  params?: { path?: { id: Identifier }; query?: object };
  body?: object;
  signal?: AbortSignal;
}
interface ApiResponse {
  data?: unknown;
  response: Response;
}
/** The client's methods for paths known only at run time; `resources` checks that they exist. */
type ApiCall = (path: string, init: RequestOptions) => Promise<ApiResponse>;
const get = api.GET as unknown as ApiCall;
const post = api.POST as unknown as ApiCall;
const remove = api.DELETE as unknown as ApiCall;

type EndpointName = keyof ResourceEndpoints;

function getEndpoint(name: string, endpoint: EndpointName): string {
  const resource = (resources as Record<string, ResourceEndpoints>)[name];
  const path = resource?.[endpoint];
  if (!path) throw new Error(`The server does not offer "${endpoint}" for the resource "${name}".`);
  return path;
}

const omitEmptyValues = (filter: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '' && value != null));

async function fetchList(name: string, { pagination, sort, filter, signal }: Parameters<DataProvider['getList']>[1]) {
  const pageParams = pagination && { page: pagination.page, perPage: pagination.perPage };
  const sortParams = sort && { sort: sort.field, order: sort.order.toLowerCase() };
  const { data, response } = await get(getEndpoint(name, 'list'), {
    params: { query: { ...pageParams, ...sortParams, ...omitEmptyValues(filter as Record<string, unknown>) } },
    signal,
  });
  const { items, total } = toPage(data as RaRecord[] | undefined, response.headers);
  return { data: items, total };
}

async function fetchOne(name: string, id: Identifier, signal?: AbortSignal) {
  const { data } = await get(getEndpoint(name, 'read'), { params: { path: { id } }, signal });
  return data as RaRecord;
}

const deleteOne = (name: string, id: Identifier) => remove(getEndpoint(name, 'remove'), { params: { path: { id } } });

/**
 * react-admin's data provider: the typed client, its `ApiError`s, and lists by `page`, `perPage`, `sort`, `order` and
 * filters, with the total in `X-Total-Count`. Single fields are changed by dedicated endpoints ("replay", "revoke"), so
 * there is no update.
 */
export const dataProvider = {
  getList: fetchList,
  getManyReference: (name, { target, id, filter, ...rest }) =>
    fetchList(name, { ...rest, filter: { ...(filter as object), [target]: id } }),
  getOne: async (name, { id, signal }) => ({ data: await fetchOne(name, id as Identifier, signal) }),
  getMany: async (name, { ids, signal }) => ({ data: await Promise.all(ids.map((id) => fetchOne(name, id, signal))) }),
  create: async (name, { data }) => {
    const created = await post(getEndpoint(name, 'create'), { body: data as object });
    return { data: created.data as RaRecord };
  },
  delete: async (name, { id, previousData }) => {
    await deleteOne(name, id as Identifier);
    return { data: previousData ?? { id } };
  },
  deleteMany: async (name, { ids }) => {
    await Promise.all(ids.map((id) => deleteOne(name, id)));
    return { data: ids };
  },
  update: (name) => Promise.reject(new Error(`The server does not offer "update" for the resource "${name}".`)),
  updateMany: (name) => Promise.reject(new Error(`The server does not offer "update" for the resource "${name}".`)),
} as DataProvider;
