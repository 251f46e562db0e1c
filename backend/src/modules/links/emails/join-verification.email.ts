import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';
import { removeUrls } from '../../../platform/text/plain-name.js';

interface Values {
  url: string;
  code: string;
  zoneName: string;
  ownerName: string;
  /** True if the owner approves each request. */
  requiresApproval: boolean;
}

export const joinVerificationEmail = defineEmail<Values>('links.join-verification', {
  en: ({ url, code, zoneName, ownerName, requiresApproval }) => ({
    subject: `Confirm that you want to join ${emailZoneTitle(zoneName, 'en')}`,
    heading: `Join ${emailZoneTitle(zoneName, 'en')}`,
    paragraphs: [
      `You asked to join “${emailZoneTitle(zoneName, 'en')}”${removeUrls(ownerName) ? ` by ${removeUrls(ownerName)}` : ''} with this email address. ${requiresApproval ? 'Press the button to send your request to the owner for approval.' : 'Press the button to join.'} Or enter this code in the window where you asked to join. The code is valid for 10 minutes.`,
    ],
    code,
    button: { label: requiresApproval ? 'Ask to Join' : 'Join Zone', url },
    note: "The link is valid for 24 hours. If you didn't ask to join, you can ignore this email. Don't share the code with anyone.",
  }),
  tr: ({ url, code, zoneName, ownerName, requiresApproval }) => ({
    subject: `“${emailZoneTitle(zoneName, 'tr')}” bölgesine katılımınızı onaylayın`,
    heading: `“${emailZoneTitle(zoneName, 'tr')}” bölgesine katılın`,
    paragraphs: [
      `Bu adresle${removeUrls(ownerName) ? ` ${removeUrls(ownerName)} tarafından paylaşılan` : ''} “${emailZoneTitle(zoneName, 'tr')}” bölgesine katılmak istediniz. ${requiresApproval ? 'İsteğinizi bölge sahibinin onayına göndermek için düğmeye basın.' : 'Katılmak için düğmeye basın.'} Ya da bu kodu, katılma isteğinde bulunduğunuz pencereye girin. Kod 10 dakika geçerlidir.`,
    ],
    code,
    button: { label: requiresApproval ? 'Katılma İsteği Gönder' : 'Bölgeye Katıl', url },
    note: 'Bağlantı 24 saat geçerlidir. Bunu siz istemediyseniz bu e-postayı dikkate almayın. Kodu kimseyle paylaşmayın.',
  }),
});
