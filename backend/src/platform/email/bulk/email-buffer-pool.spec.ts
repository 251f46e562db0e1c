import { EmailBufferPool } from './bulk-mailer.js';

describe('EmailBufferPool', () => {
  it('holds the text as UTF-8 without remains of the previous email', () => {
    const buffers = new EmailBufferPool(1);
    const first = buffers.acquire('a long mail for Ayşe');
    expect(first.toString('utf8')).toBe('a long mail for Ayşe');
    buffers.release(first);
    expect(buffers.acquire('short').toString('utf8')).toBe('short');
  });

  it('reuses released buffers and never shares one between two emails', () => {
    const buffers = new EmailBufferPool(2);
    const [first, second] = [buffers.acquire('one'), buffers.acquire('two')];
    expect(second.buffer).not.toBe(first.buffer);
    buffers.release(first);
    expect(buffers.acquire('three').buffer).toBe(first.buffer);
    expect(second.toString()).toBe('two');
  });

  it('grows for a larger email', () => {
    const buffers = new EmailBufferPool(1);
    buffers.release(buffers.acquire('small'));
    const large = 'x'.repeat(100_000);
    expect(buffers.acquire(large).toString()).toBe(large);
  });

  it('keeps at most the configured number of buffers', () => {
    const buffers = new EmailBufferPool(1);
    const [first, second] = [buffers.acquire('one'), buffers.acquire('two')];
    buffers.release(first);
    buffers.release(second);
    expect(buffers.acquire('three').buffer).toBe(first.buffer);
    expect(buffers.acquire('four').buffer).not.toBe(second.buffer);
  });
});
