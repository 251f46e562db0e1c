import { createTransport } from 'nodemailer';
import type { AppConfig } from '../../platform/config/app-config.js';
import { findings, reasonOf, type Finding } from './finding.js';

const { ok, warn, bad } = findings('mail');
const PATIENCE = 10_000;

/** Whether the mail server takes a connection and our sign-in. Nothing is sent. */
export async function checkMail({ smtpUrl, mailServer, mailFrom, dkim, secure }: AppConfig): Promise<Finding[]> {
  if (smtpUrl === null) {
    const sentence =
      'SMTP_URL is not set, and no mail server in the page: mails go to the mailbox for development, and to nobody.';
    return [secure ? bad(sentence) : warn(sentence)];
  }
  if (mailServer.password === 'lost') {
    return [
      bad(
        'The password of the mail server cannot be opened, for APP_SECRET is another: enter it again under Super Admin → Installation. Mails wait until then.',
      ),
    ];
  }
  const limits = { connectionTimeout: PATIENCE, greetingTimeout: PATIENCE, socketTimeout: PATIENCE };
  const transport = createTransport({ url: smtpUrl, ...limits } as object);
  try {
    await transport.verify();
  } catch (error) {
    return [
      bad(
        `The mail server does not take us (${reasonOf(error)}): look at SMTP_URL (or at Super Admin → Installation), its user and password, and whether this machine may reach its port.`,
      ),
    ];
  } finally {
    transport.close();
  }
  const isTls = smtpUrl.startsWith('smtps:');
  return [
    ok(
      `The mail server takes a connection and our sign-in${isTls ? ', with TLS' : '; TLS is used when it offers STARTTLS'}.`,
    ),
    sender(mailFrom),
    dkim
      ? ok('Mails are signed (DKIM).')
      : warn(
          'Mails are not signed: set DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY, unless the mail server signs.',
        ),
  ];
}

function sender(mailFrom: string): Finding {
  const domain = /@([\w.-]+)>?\s*$/.exec(mailFrom)?.[1] ?? '';
  if (domain.includes('.')) return ok(`Mails come from ${domain}.`);
  return bad(`MAIL_FROM has no address of a domain of yours (${domain || 'none'}): mailboxes will refuse its mails.`);
}
