import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';
import { plainName } from '../../../platform/text/plain-name.js';

interface Values {
  url: string;
  code: string;
  zoneName: string;
  ownerName: string;
  /** True where the owner decides about each request. */
  requiresApproval: boolean;
}

export const joinVerificationMail = defineMail<Values>('links.join-verification', {
  en: ({ url, code, zoneName, ownerName, requiresApproval }) => ({
    subject: `Confirm that you want to join ${zoneTitle(zoneName, 'en')}`,
    heading: `Join ${zoneTitle(zoneName, 'en')}`,
    paragraphs: [
      `You asked to join “${zoneTitle(zoneName, 'en')}”${plainName(ownerName) ? ` by ${plainName(ownerName)}` : ''} with this address. ${requiresApproval ? 'One click, and your request goes to the owner, who decides.' : 'One click, and you are in.'} Or type this code where you asked; it is valid for 10 minutes.`,
    ],
    code,
    button: { label: requiresApproval ? 'Ask to join' : 'Join the zone', url },
    note: 'The link is valid for 24 hours. If you did not ask for it, you can ignore this mail: nothing happens without the click or the code. Tell nobody the code.',
  }),
  tr: ({ url, code, zoneName, ownerName, requiresApproval }) => ({
    subject: `${zoneTitle(zoneName, 'tr')} bölgesine katılmak istediğinizi onaylayın`,
    heading: `${zoneTitle(zoneName, 'tr')} bölgesine katılın`,
    paragraphs: [
      `Bu adresle${plainName(ownerName) ? ` ${plainName(ownerName)} tarafından paylaşılan` : ''} “${zoneTitle(zoneName, 'tr')}” bölgesine katılmak istediniz. ${requiresApproval ? 'Tek bir tıklamayla isteğiniz, kararı verecek olan bölge sahibine iletilir.' : 'Tek bir tıklamayla içeridesiniz.'} Ya da bu kodu katılmak istediğiniz pencereye yazın; kod 10 dakika geçerlidir.`,
    ],
    code,
    button: { label: requiresApproval ? 'Katılma isteği gönder' : 'Bölgeye katıl', url },
    note: 'Bağlantı 24 saat geçerlidir. Bunu siz istemediyseniz bu e-postayı dikkate almayın: tıklanmadan ya da kod yazılmadan hiçbir şey yapılmaz. Kodu kimseye söylemeyin.',
  }),
});
