import { classifyRejection } from './send-outcome.js';

const classify = (text: string, more: { code?: number; atRecipient?: boolean } = {}) =>
  classifyRejection({ code: more.code ?? Number(text.slice(0, 3)), text, atRecipient: more.atRecipient ?? true });

describe('classifyRejection', () => {
  it.each([
    '550 5.1.1 The email account that you tried to reach does not exist',
    '550 5.1.0 Address rejected',
    '550-5.1.2 We could not find that domain',
    '553 5.1.3 The recipient address is not a valid address',
    '551 5.1.6 Mailbox has moved',
    '556 5.1.10 Recipient address has null MX',
    '550 5.2.1 The email account that you tried to reach is disabled',
    '550 #5.1.1 no mailbox',
    '550 No such user here',
    '550 User unknown',
    '550 [address]: Recipient address rejected: User unknown in virtual mailbox table',
    '551 User not local, mailbox unavailable',
    '553 Invalid recipient [address]',
    '550 Requested action not taken: mailbox unavailable',
    '550 unknown user',
    '550 account disabled',
    "550 That address doesn't exist",
    '550 No such user here; please tell the sender of this mail',
  ])('attributes the rejection to the recipient: %s', (text) => expect(classify(text)).toBe('reader'));

  it.each([
    '554 5.7.1 [address]: Sender address rejected: not authorised',
    '550 5.7.26 Unauthenticated email is not accepted due to the DMARC policy',
    '550 5.7.1 Our system has detected that this message is likely unsolicited mail',
    '552 5.2.2 The email account that you tried to reach is over quota',
    '552 5.2.3 Message too long',
    '552 5.3.4 Message size exceeds fixed limit',
    '550 5.1.8 Sender address rejected: Domain not found',
    '550 5.1.7 Bad sender address',
    '550 5.4.1 Recipient address rejected: Access denied',
    '550 5.1.100 Something of a later time',
    '550 5.7.1 No such user',
    '554 Transaction failed',
    '550 Blocked, see http://list.example/192.0.2.5.1.1',
    '550 Message rejected as spam',
    '550 Relaying denied',
    '554 User unknown',
    '550 Sender address rejected: Domain not found',
    '550-Verification failed for [address] 550-No Such User Here 550 Sender verify failed',
    '553 [address]: the sender address does not exist',
    '500 Syntax error',
  ])('attributes the rejection to the sender: %s', (text) => expect(classify(text)).toBe('sender'));

  it('attributes a rejection without an enhanced code to the recipient only at the RCPT TO stage', () => {
    expect(classify('550 User unknown', { atRecipient: false })).toBe('sender');
    expect(classify('550 5.1.1 User unknown', { atRecipient: false })).toBe('reader');
  });

  it.each(['', ' ', '550', '550 ', '554 [address]', '550-'])(
    'attributes a rejection without a reason to neither side: "%s"',
    (text) => {
      for (const atRecipient of [true, false]) expect(classifyRejection({ code: 550, text, atRecipient })).toBeNull();
    },
  );
});
