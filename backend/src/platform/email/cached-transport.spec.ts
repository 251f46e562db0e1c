import { CachedTransport } from './cached-transport.js';

describe('CachedTransport', () => {
  it('closes the previous transport after its pending work when the server changes', async () => {
    const created: string[] = [];
    const closed: string[] = [];
    const transports = new CachedTransport<string>(
      (url) => `${url} ${created.push(String(url))}`,
      (transport) => closed.push(transport),
    );
    let end = () => undefined as void;
    const first = transports.withTransport('a', () => new Promise<void>((resolve) => (end = resolve)));
    await transports.withTransport('a', async (transport) => expect(transport).toBe('a 1'));
    await transports.withTransport('b', async (transport) => expect(transport).toBe('b 2'));
    expect(closed).toEqual([]);
    end();
    await first;
    expect(closed).toEqual(['a 1']);
    await expect(transports.withTransport('b', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await transports.withTransport(null, async (transport) => expect(transport).toBe('null 3'));
    expect(closed).toEqual(['a 1', 'b 2']);
    transports.closeCurrent();
    expect(closed).toEqual(['a 1', 'b 2', 'null 3']);
  });
});
