import type { SendOutcome } from '../../../platform/email/outcome/send-outcome.js';
import { detectDeliveryProblem, toDeliveryResult } from './delivery.policy.js';

describe('toDeliveryResult', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const config = { maxAttempts: 3, retryDelay: (attempt: number) => attempt * 1000 };
  const toResult = (outcome: SendOutcome, attempt = 1) => {
    const recipient = { userId: 1, email: 'ada@example.org', language: 'en' } as const;
    return toDeliveryResult({ ...recipient, id: 7, campaignId: 2, attempt }, outcome, now, config);
  };
  const postponed = { kind: 'postponed', code: 451, reason: 'Try again later' } as const;

  it.each([
    [{ kind: 'sent' }, 'delivered'],
    [{ kind: 'on-hold' }, 'kept'],
  ] as const)('is final after %j', (outcome, state) => {
    const rest = { id: 7, campaignId: 2, smtpCode: null, reason: null, bounceCause: null, runAt: now };
    expect(toResult(outcome)).toEqual({ ...rest, state });
  });

  it.each(['reader', 'sender', null] as const)('fails at the first rejection, with the cause %s', (bounceCause) => {
    const result = toResult({ kind: 'rejected', code: 550, reason: 'No', bounceCause });
    expect(result).toMatchObject({ state: 'failed', smtpCode: 550, reason: 'No', bounceCause });
  });

  it('is retried after a temporary failure, later each time', () => {
    for (const attempt of [1, 2]) {
      const runAt = new Date(now.getTime() + attempt * 1000);
      expect(toResult(postponed, attempt)).toMatchObject({ state: 'queued', smtpCode: 451, bounceCause: null, runAt });
    }
  });

  it("fails at the last attempt, which isn't evidence against the address", () => {
    expect(toResult(postponed, 3)).toMatchObject({ state: 'failed', smtpCode: 451, bounceCause: 'sender' });
  });

  it.each([
    [535, 'sender'],
    [421, null],
  ])('is retried after the server error %i, which counts against %s', (code, bounceCause) => {
    const result = toResult({ kind: 'server-error', code, reason: 'No' });
    expect(result).toMatchObject({ state: 'queued', bounceCause });
  });
});

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
