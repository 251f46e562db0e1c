import { defineEmail } from '../../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../../platform/email/zone-title.js';
import { removeUrls } from '../../../../platform/text/plain-name.js';

interface Values {
  url: string;
  zoneName: string;
  /** Empty if the inviter has no name. */
  inviterName: string;
  /** Temporary password for people without a permanent way to sign in; otherwise null. */
  password: string | null;
}

export const invitationEmail = defineEmail<Values>('zones.invitation', {
  en: ({ url, zoneName, inviterName, password }) => ({
    subject: removeUrls(inviterName)
      ? `${removeUrls(inviterName)} invites you to ${emailZoneTitle(zoneName, 'en')}`
      : `You're invited to ${emailZoneTitle(zoneName, 'en')}`,
    heading: `You're invited to ${emailZoneTitle(zoneName, 'en')}`,
    paragraphs: [
      `${removeUrls(inviterName) || 'Someone'} invites you to “${emailZoneTitle(zoneName, 'en')}”, a zone where documents are shared with its members.`,
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
    subject: removeUrls(inviterName)
      ? `${removeUrls(inviterName)} sizi “${emailZoneTitle(zoneName, 'tr')}” bölgesine davet ediyor`
      : `“${emailZoneTitle(zoneName, 'tr')}” bölgesine davetlisiniz`,
    heading: `“${emailZoneTitle(zoneName, 'tr')}” bölgesine davetlisiniz`,
    paragraphs: [
      `${removeUrls(inviterName) || 'Birisi'} sizi, belgelerin üyelerle paylaşıldığı “${emailZoneTitle(zoneName, 'tr')}” bölgesine davet ediyor.`,
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
