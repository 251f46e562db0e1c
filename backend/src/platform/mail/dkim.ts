import type { AppConfig } from '../config/app-config.js';

/** What a signature covers, beside the usual headers: those by which one click leaves, which must not be forgeable. */
const SIGNED_HEADERS = [
  'From',
  'Sender',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'To',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'List-Id',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Feedback-ID',
].join(':');

/** The signing options of a transport; nothing when no key is configured. */
export function dkimOptions({ dkim }: AppConfig) {
  if (dkim === null) return {};
  const { domain, selector, privateKey } = dkim;
  return {
    dkim: { domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED_HEADERS },
  };
}
