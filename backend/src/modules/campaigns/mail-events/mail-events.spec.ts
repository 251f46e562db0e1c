import { readMailEvents } from './mail-events.service.js';

const read = (value: unknown) => readMailEvents(Buffer.from(JSON.stringify(value)));
const event = {
  type: 'bounce',
  messageId: '<d1.00@x>',
  email: ' Ada@Example.org ',
  permanent: true,
  reason: 'no\r\nbox',
};

describe('readMailEvents', () => {
  it('normalises the address and puts the reason on one line', () => {
    expect(read([event])).toEqual([{ ...event, email: 'ada@example.org', reason: 'no box' }]);
    expect(read([])).toEqual([]);
  });

  it('treats bounces as temporary unless they are marked permanent', () => {
    for (const permanent of [undefined, false, 'true', 1]) {
      expect(read([{ ...event, permanent }])[0]!.permanent).toBe(false);
    }
  });

  it.each<[string, unknown]>([
    ['no array', event],
    ['an unknown kind', [{ ...event, type: 'opened' }]],
    ['no Message-ID', [{ ...event, messageId: undefined }]],
    ['an address that is not a string', [{ ...event, email: 5 }]],
    ['nothing', [null]],
    ['too many events', Array.from({ length: 1001 }, () => event)],
  ])('rejects the whole request with %s', (_, body) => expect(() => read(body)).toThrow(/Some fields/));

  it('rejects invalid JSON', () => {
    expect(() => readMailEvents(Buffer.from('{'))).toThrow(/isn't valid JSON/);
  });
});
