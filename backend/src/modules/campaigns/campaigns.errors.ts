import { defineErrors, type Sentence } from '../../platform/errors/app-error.js';

export const campaignErrors = defineErrors({
  CAMPAIGN_NOT_FOUND: { status: 404, en: 'Campaign not found', tr: 'Kampanya bulunamadı' },
  CAMPAIGN_NOT_DRAFT: {
    status: 409,
    en: 'Only a draft can be edited, sent or deleted.',
    tr: 'Yalnızca taslaklar düzenlenebilir, gönderilebilir veya silinebilir.',
  },
  CAMPAIGN_CHANGED: {
    status: 409,
    en: 'This draft was changed elsewhere meanwhile, so nothing was done with it.',
    tr: 'Bu taslak bu arada başka bir yerde değiştirildi; bu nedenle hiçbir şey yapılmadı.',
  },
  CAMPAIGN_STATE: {
    status: 409,
    en: 'The campaign is not in a state in which this can be done.',
    tr: 'Kampanyanın durumu bu işleme uygun değil.',
  },
  NO_MEMBERS: {
    status: 409,
    en: 'This zone has no members to send emails to.',
    tr: 'Bu bölgenin e-posta gönderilecek üyesi yok.',
  },
  NO_RECIPIENTS: {
    status: 409,
    en: 'No members match: {reason}.',
    tr: 'Uygun üye yok: {reason}.',
  },
  NOTHING_FAILED: {
    status: 409,
    en: 'No mail of this campaign has failed.',
    tr: 'Bu kampanyanın başarısız olan e-postası yok.',
  },
  CAMPAIGN_TOO_LARGE: {
    status: 413,
    en: 'The mail is too large: its HTML may have 500 kB at most.',
    tr: 'E-posta çok büyük: HTML en fazla 500 kB olabilir.',
  },
  DRAFT_LIMIT: {
    status: 409,
    en: 'You have 500 drafts, which is the most. Please delete some that you no longer need.',
    tr: '500 taslağınız var; daha fazlası tutulamaz. Lütfen artık gerekmeyenleri silin.',
  },
  TEMPLATE_LIMIT: {
    status: 409,
    en: 'You have 100 templates, which is the most. Please delete one that you no longer need.',
    tr: '100 şablonunuz var; daha fazlası tutulamaz. Lütfen artık gerekmeyen birini silin.',
  },
  TEMPLATE_NOT_FOUND: { status: 404, en: 'Template not found', tr: 'Şablon bulunamadı' },
  SUPPRESSION_NOT_FOUND: {
    status: 404,
    en: 'Nothing keeps this member from your mails that you could lift.',
    tr: 'Bu üyenin e-postalarınızı almasını engelleyen, kaldırabileceğiniz bir şey yok.',
  },
  MAIL_EVENTS_NOT_CONFIGURED: {
    status: 503,
    en: 'Reports of the mail server are not taken: MAIL_EVENTS_SECRET is not set.',
    tr: 'Posta sunucusunun bildirimleri alınmıyor: MAIL_EVENTS_SECRET ayarlanmamış.',
  },
  SIGNATURE_INVALID: { status: 401, en: 'The signature is not valid.', tr: 'İmza geçerli değil.' },
});

/** Why nobody gets a campaign, behind "No members match:". */
export const noRecipientReasons = {
  recent: { en: 'nobody joined within the last 30 days', tr: 'son 30 gün içinde kimse katılmadı' },
  older: { en: 'nobody joined more than 30 days ago', tr: '30 günden önce katılmış kimse yok' },
  withoutConsent: { en: 'none of them has agreed to emails', tr: 'hiçbiri e-postalara onay vermemiş' },
  unreachable: { en: 'emails reach none of them', tr: 'e-postalar hiçbirine ulaşmıyor' },
  both: {
    en: 'they have not agreed to emails, or emails do not reach them',
    tr: 'e-postalara onay vermemişler veya e-postalar kendilerine ulaşmıyor',
  },
} satisfies Record<string, Sentence>;
