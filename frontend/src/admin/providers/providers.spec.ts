import { QueryClient } from '@tanstack/react-query';
import english from '../locales/en';
import turkish from '../locales/tr';
import { pretendApi, refusal, someone } from '../../../test/api';
import { ApiError } from '../../shared/api/api-error';
import { currentUserKey } from '../../shared/api/current-user';
import { createAuthProvider } from './auth-provider';
import { dataProvider } from './data-provider';
import { fillIn } from './i18n-provider';

type Tree = { [key: string]: string | Tree };
const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
const signs = (text: string) => [...new Set(text.match(/%\{\w+\}/g))].sort();

describe('the data provider', () => {
  const paging = { pagination: { page: 2, perPage: 25 }, sort: { field: 'createdAt', order: 'DESC' as const } };

  it('asks for a page of a list as the server wants it, without empty filters', async () => {
    const server = pretendApi({ 'GET /api/woocommerce/webhook-logs': [200, [{ id: 7 }]] });
    const filter = { q: 'nur', status: '' };
    const { data, total } = await dataProvider.getList('woocommerce-logs', { ...paging, filter });
    expect({ data, total }).toEqual({ data: [{ id: 7 }], total: 1 });
    expect(Object.fromEntries(server.calls[0]!.query)).toEqual({
      page: '2',
      perPage: '25',
      sort: 'createdAt',
      order: 'desc',
      q: 'nur',
    });
  });

  it('creates, reads and deletes', async () => {
    const server = pretendApi({
      'POST /api/woocommerce/product-mappings': [201, { id: 3, zoneId: 5 }],
      'GET /api/acedumy/webhook-logs/4': [200, { id: 4 }],
      'DELETE /api/woocommerce/product-mappings/3': [204],
    });
    const made = await dataProvider.create('product-mappings', { data: { zoneId: 5 } });
    expect(made.data).toEqual({ id: 3, zoneId: 5 });
    expect(server.calls[0]!.body).toEqual({ zoneId: 5 });
    expect((await dataProvider.getOne('acedumy-logs', { id: 4 })).data).toEqual({ id: 4 });
    expect((await dataProvider.delete('product-mappings', { id: 3 })).data).toEqual({ id: 3 });
  });

  it('throws refusals as they are, and refuses what the server does not offer', async () => {
    pretendApi({ 'GET /api/acedumy/webhook-logs': refusal(403, 'FORBIDDEN', 'No.') });
    const list = dataProvider.getList('acedumy-logs', { ...paging, filter: {} });
    await expect(list).rejects.toBeInstanceOf(ApiError);
    await expect(dataProvider.create('mappable-zones', { data: {} })).rejects.toThrow('does not offer "create"');
    await expect(dataProvider.getList('nothing', { ...paging, filter: {} })).rejects.toThrow('nothing');
  });
});

describe('the auth provider', () => {
  const providerFor = (user: object | null) => {
    const queries = new QueryClient();
    queries.setQueryData(currentUserKey, user);
    return createAuthProvider(queries);
  };

  it('lets administrators in and nobody else', async () => {
    const access = { resource: 'product-mappings', action: 'list' };
    await expect(providerFor(someone()).canAccess!(access)).resolves.toBe(false);
    await expect(providerFor(someone({ role: 'admin' })).canAccess!(access)).resolves.toBe(true);
    await expect(providerFor(someone({ isSuperAdmin: true })).canAccess!(access)).resolves.toBe(true);
    await expect(providerFor(null).checkAuth({})).rejects.toThrow();
  });

  it('leaves failures to the page', async () => {
    await expect(providerFor(someone()).checkError(new ApiError(401, 'NOT_SIGNED_IN', ''))).resolves.toBeUndefined();
  });
});

describe('react-admin’s texts', () => {
  const inEnglish = flatten(english as unknown as Tree);
  const inTurkish = new Map(flatten(turkish as unknown as Tree));

  it('are all there in Turkish, with the same values and as many halves', () => {
    expect([...inTurkish.keys()].sort()).toEqual(inEnglish.map(([key]) => key).sort());
    for (const [key, text] of inEnglish) {
      const other = inTurkish.get(key)!;
      expect([key, other.split('||||').length]).toEqual([key, text.split('||||').length]);
      expect(signs(text).filter((sign) => sign !== '%{name}')).toEqual(
        expect.arrayContaining(signs(other).filter((sign) => sign !== '%{name}')),
      );
    }
  });

  it('are filled in, in the half that fits the count', () => {
    expect(fillIn('%{a}-%{b} of %{c}', { a: 1, b: 100_014 }, 'en')).toBe('1-100,014 of %{c}');
    expect(fillIn('%{a}/%{b}', { a: 1, b: 100_014 }, 'tr')).toBe('1/100.014');
    const deleted = 'Element deleted |||| %{smart_count} elements deleted';
    expect(fillIn(deleted, { smart_count: 1 }, 'en')).toBe('Element deleted');
    expect(fillIn(deleted, { smart_count: 3 }, 'en')).toBe('3 elements deleted');
  });
});
