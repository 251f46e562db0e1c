import { defineMail } from '../../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../../platform/mail/zone-title.js';
import { plainName } from '../../../../platform/text/plain-name.js';

interface Values {
  url: string;
  zoneName: string;
  /** Nothing when the person has no name. */
  inviterName: string;
  /** For people who have no password of their own; else null. */
  password: string | null;
}

export const invitationMail = defineMail<Values>('zones.invitation', {
  en: ({ url, zoneName, inviterName, password }) => ({
    subject: plainName(inviterName)
      ? `${plainName(inviterName)} invites you to ${zoneTitle(zoneName, 'en')}`
      : `You're invited to ${zoneTitle(zoneName, 'en')}`,
    heading: `You're invited to ${zoneTitle(zoneName, 'en')}`,
    paragraphs: [
      `${plainName(inviterName) || 'Someone'} invites you to “${zoneTitle(zoneName, 'en')}”, a zone where documents are shared with its members.`,
    ],
    button: { label: 'See Invitation', url },
    note: [
      "The invitation is valid for 7 days and only for this email address. If you don't want to join, you can ignore this email.",
      ...(password === null
        ? []
        : [
            `The button signs you in, so please don't forward this email. If you're asked for a password, use this temporary one, which is valid for 7 days: ${password}`,
          ]),
    ].join(' '),
  }),
  tr: ({ url, zoneName, inviterName, password }) => ({
    subject: plainName(inviterName)
      ? `${plainName(inviterName)} sizi ${zoneTitle(zoneName, 'tr')} bölgesine davet ediyor`
      : `${zoneTitle(zoneName, 'tr')} bölgesine davetlisiniz`,
    heading: `${zoneTitle(zoneName, 'tr')} bölgesine davetlisiniz`,
    paragraphs: [
      `${plainName(inviterName) || 'Birisi'} sizi, belgelerin üyelerle paylaşıldığı “${zoneTitle(zoneName, 'tr')}” bölgesine davet ediyor.`,
    ],
    button: { label: 'Daveti Gör', url },
    note: [
      'Davet 7 gün boyunca ve yalnızca bu e-posta adresi için geçerlidir. Katılmak istemiyorsanız bu e-postayı dikkate almayın.',
      ...(password === null
        ? []
        : [
            `Düğme oturumunuzu açar; bu nedenle bu e-postayı kimseye iletmeyin. Parola sorulursa 7 gün geçerli olan şu geçici parolayı kullanın: ${password}`,
          ]),
    ].join(' '),
  }),
});
