import { QueryClient } from '@tanstack/react-query';
import english from '../locales/en';
import turkish from '../locales/tr';
import { mockApi, errorResponse, makeUser } from '../../../test/api';
import { ApiError } from '../../shared/api/api-error';
import { currentUserKey } from '../../shared/api/current-user';
import { createAuthProvider } from './auth-provider';
import { dataProvider } from './data-provider';
import { interpolate } from './i18n-provider';

type TranslationTree = { [key: string]: string | TranslationTree };
const flatten = (tree: TranslationTree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
const findPlaceholders = (text: string) => [...new Set(text.match(/%\{\w+\}/g))].sort();

describe('Data provider', () => {
  const listParams = { pagination: { page: 2, perPage: 25 }, sort: { field: 'createdAt', order: 'DESC' as const } };

  it('requests a page of a list without empty filters', async () => {
    const server = mockApi({ 'GET /api/woocommerce/webhook-logs': [200, [{ id: 7 }]] });
    const filter = { q: 'nur', status: '' };
    const { data, total } = await dataProvider.getList('woocommerce-logs', { ...listParams, filter });
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
    const server = mockApi({
      'POST /api/woocommerce/product-mappings': [201, { id: 3, zoneId: 5 }],
      'GET /api/acedumy/webhook-logs/4': [200, { id: 4 }],
      'DELETE /api/woocommerce/product-mappings/3': [204],
    });
    const created = await dataProvider.create('product-mappings', { data: { zoneId: 5 } });
    expect(created.data).toEqual({ id: 3, zoneId: 5 });
    expect(server.calls[0]!.body).toEqual({ zoneId: 5 });
    expect((await dataProvider.getOne('acedumy-logs', { id: 4 })).data).toEqual({ id: 4 });
    expect((await dataProvider.delete('product-mappings', { id: 3 })).data).toEqual({ id: 3 });
  });

  it('passes API errors through and rejects unsupported operations', async () => {
    mockApi({ 'GET /api/acedumy/webhook-logs': errorResponse(403, 'FORBIDDEN', 'No.') });
    const list = dataProvider.getList('acedumy-logs', { ...listParams, filter: {} });
    await expect(list).rejects.toBeInstanceOf(ApiError);
    await expect(dataProvider.create('mappable-zones', { data: {} })).rejects.toThrow('does not offer "create"');
    await expect(dataProvider.getList('nothing', { ...listParams, filter: {} })).rejects.toThrow('nothing');
  });
});

describe('Auth provider', () => {
  const createProviderFor = (user: object | null) => {
    const queries = new QueryClient();
    queries.setQueryData(currentUserKey, user);
    return createAuthProvider(queries);
  };

  it('grants access to administrators only', async () => {
    const access = { resource: 'product-mappings', action: 'list' };
    await expect(createProviderFor(makeUser()).canAccess!(access)).resolves.toBe(false);
    await expect(createProviderFor(makeUser({ role: 'admin' })).canAccess!(access)).resolves.toBe(true);
    await expect(createProviderFor(makeUser({ isSuperAdmin: true })).canAccess!(access)).resolves.toBe(true);
    await expect(createProviderFor(null).checkAuth({})).rejects.toThrow();
  });

  it('leaves errors to the page', async () => {
    await expect(
      createProviderFor(makeUser()).checkError(new ApiError(401, 'NOT_SIGNED_IN', '')),
    ).resolves.toBeUndefined();
  });
});

describe('React-admin texts', () => {
  const englishTexts = flatten(english as unknown as TranslationTree);
  const turkishTexts = new Map(flatten(turkish as unknown as TranslationTree));

  it('are complete in Turkish with the same placeholders and plural forms', () => {
    expect([...turkishTexts.keys()].sort()).toEqual(englishTexts.map(([key]) => key).sort());
    for (const [key, text] of englishTexts) {
      const turkishText = turkishTexts.get(key)!;
      expect([key, turkishText.split('||||').length]).toEqual([key, text.split('||||').length]);
      expect(findPlaceholders(text).filter((placeholder) => placeholder !== '%{name}')).toEqual(
        expect.arrayContaining(findPlaceholders(turkishText).filter((placeholder) => placeholder !== '%{name}')),
      );
    }
  });

  it('are interpolated in the plural form that fits the count', () => {
    expect(interpolate('%{a}-%{b} of %{c}', { a: 1, b: 100_014 }, 'en')).toBe('1-100,014 of %{c}');
    expect(interpolate('%{a}/%{b}', { a: 1, b: 100_014 }, 'tr')).toBe('1/100.014');
    const deleted = 'Element deleted |||| %{smart_count} elements deleted';
    expect(interpolate(deleted, { smart_count: 1 }, 'en')).toBe('Element deleted');
    expect(interpolate(deleted, { smart_count: 3 }, 'en')).toBe('3 elements deleted');
  });
});
