import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';
import { removeUrls } from '../../../platform/text/plain-name.js';

interface Values {
  url: string;
  leaveUrl: string;
  zoneName: string;
  /** Empty if the owner has no name. */
  ownerName: string;
}

/** Sent to a person whom the owner added to a zone without an invitation. */
export const memberAddedEmail = defineEmail<Values>('zones.added', {
  en: ({ url, leaveUrl, zoneName, ownerName }) => ({
    subject: removeUrls(ownerName)
      ? `${removeUrls(ownerName)} has added you to ${emailZoneTitle(zoneName, 'en')}`
      : `You have been added to ${emailZoneTitle(zoneName, 'en')}`,
    heading: `You're now a member of ${emailZoneTitle(zoneName, 'en')}`,
    paragraphs: [
      `${removeUrls(ownerName) || 'The owner'} has added you to “${emailZoneTitle(zoneName, 'en')}”, a zone where documents are shared with its members.`,
      "You don't need a password. On the sign-in page, enter this email address and choose “Email Me a Sign-In Link”.",
    ],
    button: { label: 'Open Zone', url },
    note: `Don't want to be in this zone? Leave it here: ${leaveUrl}`,
  }),
  tr: ({ url, leaveUrl, zoneName, ownerName }) => ({
    subject: removeUrls(ownerName)
      ? `${removeUrls(ownerName)} sizi “${emailZoneTitle(zoneName, 'tr')}” bölgesine ekledi`
      : `“${emailZoneTitle(zoneName, 'tr')}” bölgesine eklendiniz`,
    heading: `Artık “${emailZoneTitle(zoneName, 'tr')}” bölgesinin üyesisiniz`,
    paragraphs: [
      `${removeUrls(ownerName) || 'Sahibi'} sizi, belgelerin üyelerle paylaşıldığı “${emailZoneTitle(zoneName, 'tr')}” bölgesine ekledi.`,
      'Parola gerekmez. Giriş sayfasında bu e-posta adresini yazıp “Giriş Bağlantısı Gönder” seçeneğini kullanın.',
    ],
    button: { label: 'Bölgeyi Aç', url },
    note: `Bu bölgede olmak istemiyor musunuz? Buradan ayrılın: ${leaveUrl}`,
  }),
});
