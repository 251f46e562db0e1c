import { createTransport } from 'nodemailer';
import type { AppConfig } from '../../platform/config/app-config.js';
import { createFindings, describeReason, type Finding } from './finding.js';

const { ok, warn, bad } = createFindings('mail');
const SMTP_TIMEOUT = 10_000;

/** Checks whether the mail server accepts a connection and our credentials. Sends no email. */
export async function checkEmail({ smtpUrl, mailServer, mailFrom, dkim, isSecure }: AppConfig): Promise<Finding[]> {
  if (smtpUrl === null) {
    const sentence =
      "SMTP_URL is not set, and no email server is set in the web app. Emails go to the development mailbox and aren't sent.";
    return [isSecure ? bad(sentence) : warn(sentence)];
  }
  if (mailServer.password === 'lost') {
    return [
      bad(
        "The email server's password can't be decrypted because APP_SECRET has changed. Enter it again under Super Admin → Site. Emails wait until then.",
      ),
    ];
  }
  const limits = { connectionTimeout: SMTP_TIMEOUT, greetingTimeout: SMTP_TIMEOUT, socketTimeout: SMTP_TIMEOUT };
  const transport = createTransport({ url: smtpUrl, ...limits } as object);
  try {
    await transport.verify();
  } catch (error) {
    return [
      bad(
        `Couldn't sign in to the email server (${describeReason(error)}). Check SMTP_URL (or Super Admin → Site), user and password, and whether this machine can reach its port.`,
      ),
    ];
  } finally {
    transport.close();
  }
  const isTls = smtpUrl.startsWith('smtps:');
  return [
    ok(
      `The email server accepts the connection and the sign-in${isTls ? ', with TLS' : '; TLS is used if it offers STARTTLS'}.`,
    ),
    checkSender(mailFrom),
    dkim
      ? ok('Emails are signed (DKIM).')
      : warn(
          "Emails aren't signed. Set DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY, unless the email server signs them.",
        ),
  ];
}

function checkSender(mailFrom: string): Finding {
  const domain = /@([\w.-]+)>?\s*$/.exec(mailFrom)?.[1] ?? '';
  if (domain.includes('.')) return ok(`Emails are sent from ${domain}.`);
  return bad(
    `MAIL_FROM has no address at your own domain (${domain || 'none'}). Receiving servers will reject its emails.`,
  );
}
