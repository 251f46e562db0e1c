import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';
import { plainName } from '../../../platform/text/plain-name.js';

interface Values {
  url: string;
  leaveUrl: string;
  zoneName: string;
  /** Nothing when the owner has no name. */
  ownerName: string;
}

/** To somebody whom an owner has brought into a zone without their asking. */
export const addedMail = defineMail<Values>('zones.added', {
  en: ({ url, leaveUrl, zoneName, ownerName }) => ({
    subject: plainName(ownerName)
      ? `${plainName(ownerName)} has added you to ${zoneTitle(zoneName, 'en')}`
      : `You have been added to ${zoneTitle(zoneName, 'en')}`,
    heading: `You are in ${zoneTitle(zoneName, 'en')}`,
    paragraphs: [
      `${plainName(ownerName) || 'Its owner'} has added you to “${zoneTitle(zoneName, 'en')}”, a place where documents are shared with its members.`,
      'You need no password: at sign-in choose “Email Me a Link”, with this email address.',
    ],
    button: { label: 'Open the zone', url },
    note: `You do not want to be in this zone? Leave it here: ${leaveUrl}`,
  }),
  tr: ({ url, leaveUrl, zoneName, ownerName }) => ({
    subject: plainName(ownerName)
      ? `${plainName(ownerName)} sizi ${zoneTitle(zoneName, 'tr')} bölgesine ekledi`
      : `${zoneTitle(zoneName, 'tr')} bölgesine eklendiniz`,
    heading: `${zoneTitle(zoneName, 'tr')} bölgesindesiniz`,
    paragraphs: [
      `${plainName(ownerName) || 'Sahibi'} sizi, belgelerin üyelerle paylaşıldığı “${zoneTitle(zoneName, 'tr')}” bölgesine ekledi.`,
      'Parola gerekmez: girişte bu e-posta adresiyle “Bana Bağlantı Gönder” seçeneğini kullanın.',
    ],
    button: { label: 'Bölgeyi aç', url },
    note: `Bu bölgede olmak istemiyor musunuz? Buradan ayrılın: ${leaveUrl}`,
  }),
});
