import { createTransport } from 'nodemailer';
import { createMailboxTransport, type Mailbox } from './mailbox.js';

describe('MailboxTransport', () => {
  it.each([
    [{ name: 'Müzik', address: 'a@z.test' }, 'Müzik <a@z.test>'],
    ['Zonary <a@z.test>', 'Zonary <a@z.test>'],
  ])('stores the sender as people read it: %j', async (from, shown) => {
    const storedEmails: object[] = [];
    const mailbox = { add: (mail: object) => Promise.resolve(storedEmails.push(mail)) } as unknown as Mailbox;
    await createTransport(createMailboxTransport(mailbox)).sendMail({
      from,
      to: 'b@z.test',
      subject: 'S',
      text: 'T',
      html: 'H',
    });
    expect(storedEmails).toEqual([{ to: 'b@z.test', from: shown, subject: 'S', text: 'T', html: 'H' }]);
  });
});
