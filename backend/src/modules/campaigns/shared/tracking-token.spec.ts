import { DerivedKeys } from '../../../platform/security/derived-keys.js';
import { createMessageId, readMessageId, readTrackingToken, createTrackingToken } from './tracking-token.js';

const KEYS = new DerivedKeys(['a secret of this test']);
const OTHER = new DerivedKeys(['another secret']);

describe('Tracking tokens', () => {
  it('decodes a token to the values it was created for', () => {
    for (const tracked of [
      { deliveryId: 1, link: null },
      { deliveryId: 123_456_789_012, link: 0 },
      { deliveryId: 7, link: 99 },
    ]) {
      expect(readTrackingToken(KEYS, createTrackingToken(KEYS, tracked))).toEqual(tracked);
    }
  });

  it('rejects tokens that were changed or created with another secret', () => {
    const token = createTrackingToken(KEYS, { deliveryId: 7, link: 3 });
    expect(readTrackingToken(KEYS, token.replace('7.3', '8.3'))).toBeNull();
    expect(readTrackingToken(KEYS, token.replace('7.3', '7.4'))).toBeNull();
    expect(readTrackingToken(KEYS, token.replace('7.3', '7'))).toBeNull();
    expect(readTrackingToken(OTHER, token)).toBeNull();
    for (const garbage of ['', '.', '7', `${token}x`, token.slice(1), '%00']) {
      expect(readTrackingToken(KEYS, garbage)).toBeNull();
    }
  });

  it('does not accept tracking tokens as Message-IDs and vice versa', () => {
    const id = createMessageId(KEYS, 7, 'zonary.test');
    expect(id).toMatch(/^<d7\.[0-9a-f]{24}@zonary\.test>$/);
    expect(createMessageId(KEYS, 7, 'zonary.test')).toBe(id);
    for (const messageId of [id, id.slice(1, -1), id.replace('@zonary.test', '')])
      expect(readMessageId(KEYS, messageId)).toBe(7);
    expect(readMessageId(KEYS, id.replace('d7', 'd8'))).toBeNull();
    expect(readMessageId(OTHER, id)).toBeNull();
    expect(readTrackingToken(KEYS, id)).toBeNull();
  });
});
