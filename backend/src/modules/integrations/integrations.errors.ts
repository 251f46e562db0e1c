import { defineErrors, type Sentence, type Language } from '../../platform/errors/app-error.js';

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

/** What is said of a delivery beside its state, by the code that is stored; {field} is the field that is stored with it. */
export const outcomes = {
  /** Of deliveries from before the field was told. */
  MALFORMED: { en: 'The body could not be read.', tr: 'İçerik okunamadı.' },
  NOT_JSON: { en: 'The body is no JSON object.', tr: 'İçerik bir JSON nesnesi değil.' },
  MISSING_FIELD: { en: 'The field “{field}” is missing.', tr: '“{field}” alanı eksik.' },
  WRONG_FIELD: { en: 'The field “{field}” could not be read.', tr: '“{field}” alanı okunamadı.' },
  NO_EMAIL: {
    en: 'The delivery names no valid email address ({field}).',
    tr: 'Teslimatta geçerli bir e-posta adresi yok ({field}).',
  },
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
    en: 'This price does not belong to the premium service, and opens nothing.',
    tr: 'Bu fiyat premium hizmete ait değil; hiçbir şey açmaz.',
  },
  UNKNOWN_STATUS: {
    en: 'The order status “{field}” is not known here: nothing was changed.',
    tr: '“{field}” sipariş durumu burada bilinmiyor: hiçbir şey değiştirilmedi.',
  },
  FULL_REFUND: {
    en: 'Refunded in full: nothing of this order stays open.',
    tr: 'Tamamı iade edildi: bu siparişin açtığı hiçbir şey açık kalmaz.',
  },
  PAYMENT_FAILED: {
    en: 'The payment failed, so nothing of this order stays open. A payment that was taken can fail later, for example by a lost dispute.',
    tr: 'Ödeme başarısız oldu; bu siparişin açtığı hiçbir şey açık kalmaz. Alınmış bir ödeme sonradan da başarısız olabilir, örneğin kaybedilen bir itirazla.',
  },
  ORDER_ON_HOLD: {
    en: 'This paid order was put on hold, for example by a dispute. Access stays until you decide: take back by hand what should not stay.',
    tr: 'Ödenmiş bu sipariş beklemeye alındı, örneğin bir itiraz nedeniyle. Siz karar verene kadar erişim sürer: kalmaması gerekeni elle geri alın.',
  },
  ORDER_UNPAID: {
    en: 'This paid order is waiting for its payment again. Access stays until you decide: take back by hand what should not stay.',
    tr: 'Ödenmiş bu sipariş yeniden ödeme bekliyor. Siz karar verene kadar erişim sürer: kalmaması gerekeni elle geri alın.',
  },
  ORDER_DELETED: {
    en: 'This paid order was deleted in the shop. Access stays until you decide: take back by hand what should not stay.',
    tr: 'Ödenmiş bu sipariş mağazada silindi. Siz karar verene kadar erişim sürer: kalmaması gerekeni elle geri alın.',
  },
  PARTIAL_REFUND: {
    en: 'Partly refunded: nothing was taken back. Take back by hand what should not stay.',
    tr: 'Kısmen iade edildi: hiçbir şey geri alınmadı. Kalmaması gerekeni elle geri alın.',
  },
  INTERNAL: { en: 'It failed on our side. Replay it.', tr: 'Bizden kaynaklanan bir hata oldu. Yeniden işleyin.' },
} satisfies Record<string, Sentence>;

export type OutcomeCode = keyof typeof outcomes;

/** What is said of a delivery by its stored code, with the field that it is about; null for none. */
export function outcomeWords(code: string | null, field: string | null, language: Language): string | null {
  if (code === null) return null;
  const words: string = outcomes[code as OutcomeCode]?.[language] ?? code;
  // Deliveries from before the field was kept have none.
  return field === null ? words.replace(' ({field})', '') : words.replace('{field}', field);
}
