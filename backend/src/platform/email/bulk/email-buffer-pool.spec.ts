import { EmailBufferPool } from './bulk-mailer.js';

describe('the memory that mails are handed over in', () => {
  it('holds the text as UTF-8 and nothing of the mail before', () => {
    const buffers = new EmailBufferPool(1);
    const first = buffers.acquire('a long mail for Ayşe');
    expect(first.toString('utf8')).toBe('a long mail for Ayşe');
    buffers.release(first);
    expect(buffers.acquire('short').toString('utf8')).toBe('short');
  });

  it('is used again once it is given back, and never by two mails at once', () => {
    const buffers = new EmailBufferPool(2);
    const [first, second] = [buffers.acquire('one'), buffers.acquire('two')];
    expect(second.buffer).not.toBe(first.buffer);
    buffers.release(first);
    expect(buffers.acquire('three').buffer).toBe(first.buffer);
    expect(second.toString()).toBe('two');
  });

  it('makes room for a larger mail', () => {
    const buffers = new EmailBufferPool(1);
    buffers.release(buffers.acquire('small'));
    const large = 'x'.repeat(100_000);
    expect(buffers.acquire(large).toString()).toBe(large);
  });

  it('keeps no more than was agreed', () => {
    const buffers = new EmailBufferPool(1);
    const [first, second] = [buffers.acquire('one'), buffers.acquire('two')];
    buffers.release(first);
    buffers.release(second);
    expect(buffers.acquire('three').buffer).toBe(first.buffer);
    expect(buffers.acquire('four').buffer).not.toBe(second.buffer);
  });
});
