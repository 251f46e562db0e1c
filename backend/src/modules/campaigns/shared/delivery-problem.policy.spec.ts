import { detectDeliveryProblem } from './delivery-problem.policy.js';

describe('detectDeliveryProblem for sender rejections', () => {
  it.each([
    [10, 10, false],
    [11, 11, true],
    [50, 10, false],
    [50, 11, true],
    [100, 20, false],
    [100, 21, true],
    [250, 50, false],
    [250, 51, true],
    [1000, 50, false],
    [1000, 51, true],
    [4000, 200, false],
    [4000, 201, true],
  ])('pauses after %i emails with %i rejected: %s', (tried, senderRejections, pauses) => {
    const found = detectDeliveryProblem({ tried, senderRejections, results: tried, missingMailboxes: 0 });
    expect(found).toBe(pauses ? 'SENDER_REFUSED' : null);
  });
});

describe('detectDeliveryProblem for missing mailboxes', () => {
  it.each([
    [10, 10, false],
    [11, 11, true],
    [50, 10, false],
    [50, 11, true],
    [1000, 200, false],
    [1000, 201, true],
  ])('pauses after %i emails with %i bounced: %s', (results, missingMailboxes, pauses) => {
    const found = detectDeliveryProblem({ tried: 0, senderRejections: 0, results, missingMailboxes });
    expect(found).toBe(pauses ? 'READERS_REFUSED' : null);
  });

  it('reports the sender problem first if both apply', () => {
    expect(detectDeliveryProblem({ tried: 50, senderRejections: 11, results: 50, missingMailboxes: 11 })).toBe(
      'SENDER_REFUSED',
    );
  });
});
