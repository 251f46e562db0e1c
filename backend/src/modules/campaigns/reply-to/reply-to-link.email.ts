import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';
import { plainName } from '../../../platform/text/plain-name.js';

/** `ownerName`: nothing when the person has none. */
export const replyToLinkMail = defineMail<{ url: string; zoneName: string; ownerName: string }>(
  'campaigns.reply-to-link',
  {
    en: ({ url, zoneName, ownerName }) => ({
      subject: `Should answers to ${zoneTitle(zoneName, 'en')} come to you?`,
      heading: 'Answers to this address',
      paragraphs: [
        `${plainName(ownerName) || 'Somebody'} would like members of “${zoneTitle(zoneName, 'en')}” who answer its emails to write to this address.`,
      ],
      button: { label: 'Confirm This Address', url },
      note: 'The link works once and for 7 days. If you do not want this, ignore this mail: no answers come to you without the click.',
    }),
    tr: ({ url, zoneName, ownerName }) => ({
      subject: `${zoneTitle(zoneName, 'tr')}: yanıtlar size gelsin mi?`,
      heading: 'Bu adrese yanıtlar',
      paragraphs: [
        `${plainName(ownerName) || 'Biri'}, “${zoneTitle(zoneName, 'tr')}” bölgesinin e-postalarını yanıtlayan üyelerin bu adrese yazmasını istiyor.`,
      ],
      button: { label: 'Bu Adresi Onayla', url },
      note: 'Bağlantı bir kez ve 7 gün boyunca çalışır. Bunu istemiyorsanız bu e-postayı dikkate almayın: tıklamadan size hiçbir yanıt gelmez.',
    }),
  },
);
