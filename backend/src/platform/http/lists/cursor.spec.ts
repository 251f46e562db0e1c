import { decodeCursor, encodeCursor, type CursorType } from './cursor.js';

const ID = '0b9f1c1e-7a52-4c39-9d0e-6a4b3c2d1e0f';

it.each<[CursorType, string | number]>([
  ['bigint', 0],
  ['bigint', Number.MAX_SAFE_INTEGER],
  ['int', -(2 ** 31) + 1],
  ['timestamptz', '2026-02-28T23:59:59.123Z'],
  ['timestamptz', '2026-02-28T23:59:59.123456Z'],
  ['varchar', 'ışık 🚀'],
  ['varchar', ''],
  ['uuid', ID],
])('a cursor key of the type %s round-trips: %j', (type, key) => {
  expect(decodeCursor(encodeCursor([key]), [type])).toEqual([key]);
});

it.each<[CursorType, unknown]>([
  ['bigint', '1'],
  ['bigint', 1.5],
  ['bigint', 1e300],
  ['bigint', null],
  ['int', 2 ** 31],
  ['timestamptz', '2026-02-31T00:00:00.000Z'],
  ['timestamptz', '0000-01-01T00:00:00.000Z'],
  ['timestamptz', '+275760-09-13T00:00:00.000Z'],
  ['timestamptz', '2026-01-01T24:00:00.000Z'],
  ['timestamptz', 'infinity'],
  ['timestamptz', 5],
  ['varchar', 'a\0b'],
  ['varchar', '\ud800'],
  ['varchar', ['x']],
  ['uuid', 'x'],
])('a cursor key of the type %s is rejected: %j', (type, key) => {
  expect(() => decodeCursor(encodeCursor([key as string]), [type])).toThrow('VALIDATION_FAILED');
});

it.each(['', 'x', '%00', 'bnVsbA', encodeCursor([]), encodeCursor([1, 2])])(
  '%j is rejected as a cursor with one ID',
  (cursor) => {
    expect(() => decodeCursor(cursor, ['bigint'])).toThrow('VALIDATION_FAILED');
  },
);
