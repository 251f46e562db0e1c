import { defineErrors, type Sentence } from '../../platform/errors/app-error.js';

export const integrationErrors = defineErrors({
  WEBHOOK_NOT_SIGNED: {
    status: 401,
    en: 'The signature of this delivery is missing or wrong.',
    tr: 'Bu iletinin imzası eksik veya yanlış.',
  },
  INTEGRATION_NOT_CONFIGURED: {
    status: 503,
    en: 'This integration is not configured.',
    tr: 'Bu entegrasyon yapılandırılmamış.',
  },
  MAPPING_NOT_FOUND: { status: 404, en: 'Product mapping not found.', tr: 'Ürün eşlemesi bulunamadı.' },
  MAPPING_EXISTS: {
    status: 409,
    en: 'This product already opens this zone.',
    tr: 'Bu ürün bu bölgeyi zaten açıyor.',
  },
  MAPPING_ZONE_NOT_FOUND: { status: 404, en: 'Zone not found.', tr: 'Bölge bulunamadı.' },
  WEBHOOK_NOT_FOUND: { status: 404, en: 'Webhook not found.', tr: 'Webhook bulunamadı.' },
  WEBHOOK_DATA_GONE: {
    status: 409,
    en: 'The customer has deleted the account, and with it the body of this webhook.',
    tr: 'Müşteri hesabını, onunla birlikte bu webhook’un içeriğini de silmiş.',
  },
  ENTITLEMENT_NOT_FOUND: { status: 404, en: 'Purchase not found.', tr: 'Satın alma bulunamadı.' },
  ENTITLEMENT_ENDED: {
    status: 409,
    en: 'Only what was taken back by hand, from somebody who still has an account, can be given back.',
    tr: 'Yalnızca elle geri alınmış ve hesabı duran birine ait olan geri verilebilir.',
  },
});

/** What is said of a delivery beside its state, by the code that is stored. */
export const outcomes = {
  MALFORMED: { en: 'The body could not be read.', tr: 'İçerik okunamadı.' },
  NO_EMAIL: { en: 'The delivery names no valid e-mail address.', tr: 'Teslimatta geçerli bir e-posta adresi yok.' },
  NOTHING_TO_DO: { en: 'Nothing to do for this event.', tr: 'Bu olay için yapılacak bir şey yok.' },
  NO_MAPPED_PRODUCT: {
    en: 'None of the products opens a zone. Add a mapping and replay it, if one should.',
    tr: 'Ürünlerin hiçbiri bir bölge açmıyor. Açması gerekiyorsa eşleme ekleyip yeniden işleyin.',
  },
  ZONE_NOT_CONFIGURED: {
    en: 'No zone is configured (ACEDUMY_ZONE_ID).',
    tr: 'Bölge yapılandırılmamış (ACEDUMY_ZONE_ID).',
  },
  ZONE_GONE: { en: 'The zone does not exist any more.', tr: 'Bölge artık yok.' },
  ZONE_PASSED_OVER: {
    en: 'A zone of this purchase has been deleted and was passed over.',
    tr: 'Bu satın almanın bölgelerinden biri silinmiş; o bölge atlandı.',
  },
  ZONE_FULL: {
    en: 'The zone is full. The purchase waits and is tried again by itself.',
    tr: 'Bölge dolu. Satın alma bekliyor ve kendiliğinden yeniden denenecek.',
  },
  WAITS_ALREADY: {
    en: 'The zone is full, and another delivery of this purchase waits already.',
    tr: 'Bölge dolu ve bu satın almanın başka bir teslimatı zaten bekliyor.',
  },
  SUPERSEDED: { en: 'Newer news had come before.', tr: 'Daha yeni bir bildirim önce gelmişti.' },
  WITHHELD: {
    en: 'It was taken back by hand, or the customer has deleted the account, and was not given again.',
    tr: 'Elle geri alınmıştı ya da müşteri hesabını silmişti; yeniden verilmedi.',
  },
  OTHER_PRICE: {
    en: 'This price is one of our own plans, not of the premium service.',
    tr: 'Bu fiyat premium hizmetin değil, kendi planlarımızdan birinin.',
  },
  PARTIAL_REFUND: {
    en: 'Partly refunded: nothing was taken back. Take back by hand what should not stay.',
    tr: 'Kısmen iade edildi: hiçbir şey geri alınmadı. Kalmaması gerekeni elle geri alın.',
  },
  INTERNAL: { en: 'It failed on our side. Replay it.', tr: 'Bizden kaynaklanan bir hata oldu. Yeniden işleyin.' },
} satisfies Record<string, Sentence>;

export type OutcomeCode = keyof typeof outcomes;
