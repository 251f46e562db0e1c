import { KeptTransport } from './kept-transport.js';

describe('the transport that is kept', () => {
  it('is closed after what is under way over it, once mails go elsewhere', async () => {
    const made: string[] = [];
    const closed: string[] = [];
    const transports = new KeptTransport<string>(
      (url) => `${url} ${made.push(String(url))}`,
      (transport) => closed.push(transport),
    );
    let end = () => undefined as void;
    const first = transports.use('a', () => new Promise<void>((resolve) => (end = resolve)));
    await transports.use('a', async (transport) => expect(transport).toBe('a 1'));
    await transports.use('b', async (transport) => expect(transport).toBe('b 2'));
    expect(closed).toEqual([]);
    end();
    await first;
    expect(closed).toEqual(['a 1']);
    await expect(transports.use('b', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await transports.use(null, async (transport) => expect(transport).toBe('null 3'));
    expect(closed).toEqual(['a 1', 'b 2']);
    transports.end();
    expect(closed).toEqual(['a 1', 'b 2', 'null 3']);
  });
});
