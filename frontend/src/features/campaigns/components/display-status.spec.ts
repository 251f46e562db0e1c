import { displayStatusOf } from './display-status';

describe('displayStatusOf', () => {
  it.each([
    ['draft', 0, 0, 0, 0, 'draft'],
    ['sending', 10, 0, 0, 4, 'sending'],
    ['paused', 10, 0, 0, 10, 'paused'],
    ['cancelled', 10, 2, 0, 4, 'cancelled'],
    ['sent', 10, 10, 0, 0, 'sent'],
    // The others had left the zone, which isn't a failure.
    ['sent', 10, 8, 0, 0, 'sent'],
    ['sent', 10, 9, 0, 1, 'partlyDelivered'],
    ['sent', 10, 9, 1, 0, 'partlyDelivered'],
    ['sent', 10, 0, 0, 0, 'notDelivered'],
    ['sent', 10, 0, 0, 10, 'notDelivered'],
    ['failed', 10, 0, 0, 10, 'notDelivered'],
    ['failed', 10, 0, 10, 0, 'onHold'],
    ['failed', 10, 0, 9, 1, 'onHold'],
    ['failed', 0, 0, 0, 0, 'failed'],
  ] as const)(
    '%s, %i recipients, %i delivered, %i on hold, %i failed: returns %s',
    (status, recipientCount, deliveredCount, keptCount, failedCount, expected) => {
      expect(displayStatusOf({ status, recipientCount, deliveredCount, keptCount, failedCount })).toBe(expected);
    },
  );
});
