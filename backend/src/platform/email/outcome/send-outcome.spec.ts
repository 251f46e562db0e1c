import { isSenderRejection, toSendOutcome, redactAddresses } from './send-outcome.js';

const createError = (more: object) => Object.assign(new Error('Failed'), more);

describe('toSendOutcome', () => {
  it('returns a permanent or temporary rejection about the email or its recipient', () => {
    expect(
      toSendOutcome(createError({ responseCode: 550, command: 'RCPT TO', response: '550 No <a@b.test>' })),
    ).toEqual({
      kind: 'rejected',
      code: 550,
      reason: '550 No [address]',
      bounceCause: 'sender',
    });
    expect(toSendOutcome(createError({ responseCode: 451, command: 'DATA' }))).toMatchObject({
      kind: 'postponed',
      code: 451,
    });
  });

  it('determines the bounce cause by response and command', () => {
    const createRejection = (command: string, response: string) =>
      toSendOutcome(createError({ responseCode: Number(response.slice(0, 3)), command, response }));
    expect(createRejection('RCPT TO', '550 User unknown')).toMatchObject({ bounceCause: 'reader' });
    expect(createRejection('DATA', '550 User unknown')).toMatchObject({ bounceCause: 'sender' });
    expect(createRejection('DATA', '550 5.1.1 Unknown')).toMatchObject({ bounceCause: 'reader' });
    expect(createRejection('RCPT TO', '554 5.7.1 Sender not authorised')).toMatchObject({ bounceCause: 'sender' });
  });

  it.each([
    { code: 'ECONNREFUSED' },
    { code: 'ETIMEDOUT', command: 'CONN' },
    { responseCode: 421, command: 'DATA' },
    { responseCode: 535, command: 'AUTH PLAIN' },
    { responseCode: 451, command: 'MAIL FROM' },
    { responseCode: 554, command: 'CONN' },
    { responseCode: 550, command: 'EHLO' },
    {},
  ])('returns a server error for errors that any email would meet: %j', (more) => {
    expect(toSendOutcome(createError(more)).kind).toBe('server-error');
  });

  it.each<[object, boolean]>([
    [{ responseCode: 550, command: 'MAIL FROM', response: '550 5.7.1 Sender not authorised' }, true],
    [{ responseCode: 552, command: 'MAIL FROM', response: '552 5.3.4 Message too big' }, true],
    [{ responseCode: 552, command: 'DATA', response: '552 5.3.4 Message too big' }, true],
    [{ responseCode: 554, command: 'DATA', response: '554 5.7.1 Looks like spam' }, true],
    [{ responseCode: 554, command: 'CONN', response: '554 5.7.1 Your network is blocked' }, true],
    [{ responseCode: 550, command: 'HELO', response: '550 Bad HELO' }, true],
    [{ responseCode: 535, command: 'AUTH PLAIN', response: '535 5.7.8 Authentication failed' }, true],
    [{ responseCode: 454, command: 'AUTH PLAIN', response: '454 4.7.0 Try later' }, false],
    [{ responseCode: 451, command: 'MAIL FROM', response: '451 4.7.1 Try later' }, false],
    [{ responseCode: 550, command: 'RCPT TO', response: '550 5.1.1 User unknown' }, false],
    [{ responseCode: 550, command: 'RCPT TO', response: '550' }, false],
    [{ code: 'ECONNREFUSED' }, false],
  ])('classifies as a sender rejection or not: %j', (more, counts) => {
    expect(isSenderRejection(toSendOutcome(createError(more)))).toBe(counts);
  });

  it('returns a permanent rejection of the sender at MAIL FROM', () => {
    const outcome = toSendOutcome(createError({ responseCode: 550, command: 'MAIL FROM', response: '550 5.7.1 No' }));
    expect(outcome).toEqual({
      kind: 'rejected',
      code: 550,
      reason: '550 5.7.1 No',
      bounceCause: 'sender',
      isOfSender: true,
    });
  });

  it('redacts addresses and shortens the reason to one line', () => {
    expect(redactAddresses('550 <Ada@x.test>\r\nuser ada@x.test unknown')).toBe('550 [address] user [address] unknown');
    expect(redactAddresses('x'.repeat(1000))).toHaveLength(300);
    expect(toSendOutcome(undefined)).toEqual({ kind: 'server-error', code: null, reason: 'unknown' });
  });
});
