import { defineErrors, type LocalizedText } from '../../platform/errors/app-error.js';

export const campaignErrors = defineErrors({
  CAMPAIGN_NOT_FOUND: { status: 404, en: 'Campaign not found', tr: 'Kampanya bulunamadı' },
  CAMPAIGN_NOT_DRAFT: {
    status: 409,
    en: 'Only a draft can be edited, sent or deleted.',
    tr: 'Yalnızca taslaklar düzenlenebilir, gönderilebilir veya silinebilir.',
  },
  CAMPAIGN_CHANGED: {
    status: 409,
    en: 'This draft has been changed elsewhere in the meantime. Nothing was saved or sent.',
    tr: 'Bu taslak bu arada başka bir yerde değiştirildi. Hiçbir şey kaydedilmedi veya gönderilmedi.',
  },
  CAMPAIGN_STATE: {
    status: 409,
    en: "This isn't possible in the campaign's current state.",
    tr: 'Bu işlem kampanyanın şu anki durumunda yapılamaz.',
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
    en: 'No emails of this campaign have failed.',
    tr: 'Bu kampanyanın başarısız olan e-postası yok.',
  },
  CAMPAIGN_TOO_LARGE: {
    status: 413,
    en: 'The email is too large. Its HTML can be up to 500 kB.',
    tr: 'E-posta çok büyük. HTML en fazla 500 kB olabilir.',
  },
  DRAFT_LIMIT: {
    status: 409,
    en: "You've reached the limit of 500 drafts. Please delete some that you no longer need.",
    tr: '500 taslak sınırına ulaştınız. Lütfen artık gerekmeyenleri silin.',
  },
  TEMPLATE_LIMIT: {
    status: 409,
    en: "You've reached the limit of 100 templates. Please delete one that you no longer need.",
    tr: '100 şablon sınırına ulaştınız. Lütfen artık gerekmeyen birini silin.',
  },
  TEMPLATE_NOT_FOUND: { status: 404, en: 'Template not found', tr: 'Şablon bulunamadı' },
  SUPPRESSION_NOT_FOUND: {
    status: 404,
    en: "Your emails to this member aren't blocked, or you can't lift the block.",
    tr: 'Bu üyeye giden e-postalarınız engellenmemiş ya da engeli siz kaldıramazsınız.',
  },
  MAIL_EVENTS_NOT_CONFIGURED: {
    status: 503,
    en: "Reports from the email server aren't accepted because MAIL_EVENTS_SECRET isn't set.",
    tr: 'MAIL_EVENTS_SECRET ayarlanmadığı için e-posta sunucusunun bildirimleri kabul edilmiyor.',
  },
  SIGNATURE_INVALID: { status: 401, en: "The signature isn't valid.", tr: 'İmza geçerli değil.' },
});

/** Why a campaign has no recipients; follows "No members match:". */
export const noRecipientReasons = {
  recent: { en: 'nobody joined in the last 30 days', tr: 'son 30 gün içinde kimse katılmadı' },
  older: { en: 'nobody joined more than 30 days ago', tr: '30 günden daha önce kimse katılmadı' },
  withoutConsent: { en: 'none of them has agreed to receive emails', tr: 'hiçbiri e-posta almayı kabul etmemiş' },
  unreachable: { en: "emails can't reach any of them", tr: 'e-postalar hiçbirine ulaşmıyor' },
  withoutConsentOrUnreachable: {
    en: "they haven't agreed to receive emails, or emails can't reach them",
    tr: 'e-posta almayı kabul etmemişler veya e-postalar kendilerine ulaşmıyor',
  },
} satisfies Record<string, LocalizedText>;
