import { deliveryMessageId, readMessageId, readTrackingToken, trackingToken } from './tracking-token.js';

const SECRET = 'a secret of this test';

describe('addresses that count', () => {
  it('tell what they were made for', () => {
    for (const tracked of [
      { deliveryId: 1, link: null },
      { deliveryId: 123_456_789_012, link: 0 },
      { deliveryId: 7, link: 99 },
    ]) {
      expect(readTrackingToken(SECRET, trackingToken(SECRET, tracked))).toEqual(tracked);
    }
  });

  it('are nothing once anything in them is changed, or when another secret made them', () => {
    const token = trackingToken(SECRET, { deliveryId: 7, link: 3 });
    expect(readTrackingToken(SECRET, token.replace('7.3', '8.3'))).toBeNull();
    expect(readTrackingToken(SECRET, token.replace('7.3', '7.4'))).toBeNull();
    expect(readTrackingToken(SECRET, token.replace('7.3', '7'))).toBeNull();
    expect(readTrackingToken('another secret', token)).toBeNull();
    for (const garbage of ['', '.', '7', `${token}x`, token.slice(1), '%00']) {
      expect(readTrackingToken(SECRET, garbage)).toBeNull();
    }
  });

  it('are no Message-IDs, and the other way round', () => {
    const id = deliveryMessageId(SECRET, 7, 'zonary.test');
    expect(id).toMatch(/^<d7\.[0-9a-f]{24}@zonary\.test>$/);
    expect(deliveryMessageId(SECRET, 7, 'zonary.test')).toBe(id);
    for (const told of [id, id.slice(1, -1), id.replace('@zonary.test', '')])
      expect(readMessageId(SECRET, told)).toBe(7);
    expect(readMessageId(SECRET, id.replace('d7', 'd8'))).toBeNull();
    expect(readMessageId('another secret', id)).toBeNull();
    expect(readTrackingToken(SECRET, id)).toBeNull();
  });
});
