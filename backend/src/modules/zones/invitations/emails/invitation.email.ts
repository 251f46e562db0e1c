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
      : `You are invited to ${zoneTitle(zoneName, 'en')}`,
    heading: `You are invited to ${zoneTitle(zoneName, 'en')}`,
    paragraphs: [
      `${plainName(inviterName) || 'Somebody'} invites you to “${zoneTitle(zoneName, 'en')}”, a place where documents are shared with its members.`,
    ],
    button: { label: 'See the invitation', url },
    note: [
      'The invitation is valid for 7 days and for this address only. If you do not want it, you can ignore this mail: nothing happens without you.',
      ...(password === null
        ? []
        : [
            `The button signs you in, so pass this mail on to nobody. Should you be asked for a password, this temporary one works for 7 days: ${password}`,
          ]),
    ].join(' '),
  }),
  tr: ({ url, zoneName, inviterName, password }) => ({
    subject: plainName(inviterName)
      ? `${plainName(inviterName)} sizi ${zoneTitle(zoneName, 'tr')} bölgesine davet ediyor`
      : `${zoneTitle(zoneName, 'tr')} bölgesine davetlisiniz`,
    heading: `${zoneTitle(zoneName, 'tr')} bölgesine davetlisiniz`,
    paragraphs: [
      `${plainName(inviterName) || 'Biri'} sizi, belgelerin üyelerle paylaşıldığı “${zoneTitle(zoneName, 'tr')}” bölgesine davet ediyor.`,
    ],
    button: { label: 'Daveti gör', url },
    note: [
      'Davet 7 gün ve yalnızca bu adres için geçerlidir. İstemiyorsanız bu e-postayı dikkate almayın: siz bir şey yapmadan hiçbir şey olmaz.',
      ...(password === null
        ? []
        : [
            `Düğme oturumunuzu açar; bu e-postayı kimseye iletmeyin. Parola sorulursa şu geçici parola 7 gün geçerlidir: ${password}`,
          ]),
    ].join(' '),
  }),
});
