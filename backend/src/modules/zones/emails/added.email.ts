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
    heading: `You're now a member of ${zoneTitle(zoneName, 'en')}`,
    paragraphs: [
      `${plainName(ownerName) || 'The owner'} has added you to “${zoneTitle(zoneName, 'en')}”, a zone where documents are shared with its members.`,
      "You don't need a password. On the sign-in page, enter this email address and choose “Email Me a Link”.",
    ],
    button: { label: 'Open Zone', url },
    note: `Don't want to be in this zone? Leave it here: ${leaveUrl}`,
  }),
  tr: ({ url, leaveUrl, zoneName, ownerName }) => ({
    subject: plainName(ownerName)
      ? `${plainName(ownerName)} sizi ${zoneTitle(zoneName, 'tr')} bölgesine ekledi`
      : `${zoneTitle(zoneName, 'tr')} bölgesine eklendiniz`,
    heading: `Artık ${zoneTitle(zoneName, 'tr')} bölgesinin üyesisiniz`,
    paragraphs: [
      `${plainName(ownerName) || 'Sahibi'} sizi, belgelerin üyelerle paylaşıldığı “${zoneTitle(zoneName, 'tr')}” bölgesine ekledi.`,
      'Parola gerekmez. Giriş sayfasında bu e-posta adresini yazıp “Bana Bağlantı Gönder” seçeneğini kullanın.',
    ],
    button: { label: 'Bölgeyi Aç', url },
    note: `Bu bölgede olmak istemiyor musunuz? Buradan ayrılın: ${leaveUrl}`,
  }),
});
