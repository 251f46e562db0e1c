import { sendOutcome, withoutAddresses } from './send-outcome.js';

const fault = (more: object) => Object.assign(new Error('Failed'), more);

describe('what came of handing over a mail', () => {
  it('is a refusal for good or for now when the answer is about the mail or its recipient', () => {
    expect(sendOutcome(fault({ responseCode: 550, command: 'RCPT TO', response: '550 No <a@b.test>' }))).toEqual({
      ...{ kind: 'refused', code: 550, reason: '550 No [address]', fault: 'sender' },
    });
    expect(sendOutcome(fault({ responseCode: 451, command: 'DATA' }))).toMatchObject({ kind: 'postponed', code: 451 });
  });

  it('tells whose fault a refusal is, by the answer and by what was answered to', () => {
    const refused = (command: string, response: string) =>
      sendOutcome(fault({ responseCode: Number(response.slice(0, 3)), command, response }));
    expect(refused('RCPT TO', '550 User unknown')).toMatchObject({ fault: 'reader' });
    expect(refused('DATA', '550 User unknown')).toMatchObject({ fault: 'sender' });
    expect(refused('DATA', '550 5.1.1 Unknown')).toMatchObject({ fault: 'reader' });
    expect(refused('RCPT TO', '554 5.7.1 Sender not authorised')).toMatchObject({ fault: 'sender' });
  });

  it.each([
    { code: 'ECONNREFUSED' },
    { code: 'ETIMEDOUT', command: 'CONN' },
    { responseCode: 421, command: 'DATA' },
    { responseCode: 535, command: 'AUTH PLAIN' },
    { responseCode: 550, command: 'MAIL FROM' },
    {},
  ])('is a fault of the server when any mail would meet it: %j', (more) => {
    expect(sendOutcome(fault(more)).kind).toBe('server-fault');
  });

  it('is told without addresses, in one short line', () => {
    expect(withoutAddresses('550 <Ada@x.test>\r\nuser ada@x.test unknown')).toBe(
      '550 [address] user [address] unknown',
    );
    expect(withoutAddresses('x'.repeat(1000))).toHaveLength(300);
    expect(sendOutcome(undefined)).toEqual({ kind: 'server-fault', code: null, reason: 'unknown' });
  });
});
