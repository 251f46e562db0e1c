import { renderHook, waitFor } from '@testing-library/react';
import { useIsOutdated } from './use-is-outdated';

const documentWith = (entry: string) => `<!doctype html><script type="module" crossorigin src="${entry}"></script>`;

describe('useIsOutdated', () => {
  const script = Object.assign(document.createElement('script'), { type: 'module' });
  const fetchDocument = jest.fn<Promise<Response>, [string]>();
  beforeEach(() => {
    script.setAttribute('src', '/assets/index-1.js');
    document.head.append(script);
    globalThis.fetch = fetchDocument as never;
  });
  afterEach(() => script.remove());

  it('is true if the document of the server has another entry script', async () => {
    fetchDocument.mockResolvedValue(new Response(documentWith('/assets/index-2.js')));
    const { result } = renderHook(() => useIsOutdated());
    await waitFor(() => expect(result.current).toBe(true));
  });

  it.each([
    ['the same entry script', () => Promise.resolve(new Response(documentWith('/assets/index-1.js')))],
    ['a page of a proxy', () => Promise.resolve(new Response('<h1>Maintenance</h1>'))],
    ['an error', () => Promise.resolve(new Response(documentWith('/assets/index-2.js'), { status: 503 }))],
    ['no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('is false with %s', async (_, answer) => {
    const answered = answer();
    fetchDocument.mockReturnValue(answered);
    const { result } = renderHook(() => useIsOutdated());
    await waitFor(() => expect(fetchDocument).toHaveBeenLastCalledWith('/forgot-password', { credentials: 'omit' }));
    await answered.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve));
    expect(result.current).toBe(false);
  });
});
