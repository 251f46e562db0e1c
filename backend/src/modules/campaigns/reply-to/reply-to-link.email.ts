import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';
import { removeUrls } from '../../../platform/text/plain-name.js';

/** `ownerName`: empty if the owner has no name. */
export const replyToLinkEmail = defineEmail<{ url: string; zoneName: string; ownerName: string }>(
  'campaigns.reply-to-link',
  {
    en: ({ url, zoneName, ownerName }) => ({
      subject: `Receive replies to ${emailZoneTitle(zoneName, 'en')}?`,
      heading: 'Replies to this address',
      paragraphs: [
        `${removeUrls(ownerName) || 'Someone'} wants replies to the emails of the zone “${emailZoneTitle(zoneName, 'en')}” to go to this address.`,
      ],
      button: { label: 'Confirm This Address', url },
      note: "You can use the link once within 7 days. If you don't want this, ignore this email. You won't receive any replies unless you confirm.",
    }),
    tr: ({ url, zoneName, ownerName }) => ({
      subject: `“${emailZoneTitle(zoneName, 'tr')}”: yanıtlar size gelsin mi?`,
      heading: 'Yanıtlar bu adrese gelsin mi?',
      paragraphs: [
        `${removeUrls(ownerName) || 'Birisi'}, “${emailZoneTitle(zoneName, 'tr')}” bölgesinin e-postalarına verilen yanıtların bu adrese gelmesini istiyor.`,
      ],
      button: { label: 'Bu Adresi Doğrula', url },
      note: 'Bağlantıyı 7 gün içinde bir kez kullanabilirsiniz. Bunu istemiyorsanız bu e-postayı dikkate almayın. Doğrulamadığınız sürece size yanıt gelmez.',
    }),
  },
);
