import { MailBuffers } from './mail-buffers.js';

describe('the memory that mails are handed over in', () => {
  it('holds the text as UTF-8 and nothing of the mail before', () => {
    const buffers = new MailBuffers(1);
    const first = buffers.take('a long mail for Ayşe');
    expect(first.toString('utf8')).toBe('a long mail for Ayşe');
    buffers.giveBack(first);
    expect(buffers.take('short').toString('utf8')).toBe('short');
  });

  it('is used again once it is given back, and never by two mails at once', () => {
    const buffers = new MailBuffers(2);
    const [first, second] = [buffers.take('one'), buffers.take('two')];
    expect(second.buffer).not.toBe(first.buffer);
    buffers.giveBack(first);
    expect(buffers.take('three').buffer).toBe(first.buffer);
    expect(second.toString()).toBe('two');
  });

  it('makes room for a larger mail', () => {
    const buffers = new MailBuffers(1);
    buffers.giveBack(buffers.take('small'));
    const large = 'x'.repeat(100_000);
    expect(buffers.take(large).toString()).toBe(large);
  });

  it('keeps no more than was agreed', () => {
    const buffers = new MailBuffers(1);
    const [first, second] = [buffers.take('one'), buffers.take('two')];
    buffers.giveBack(first);
    buffers.giveBack(second);
    expect(buffers.take('three').buffer).toBe(first.buffer);
    expect(buffers.take('four').buffer).not.toBe(second.buffer);
  });
});
