import { defineErrors, type LocalizedText, type Language } from '../../platform/errors/app-error.js';

export const integrationErrors = defineErrors({
  WEBHOOK_NOT_SIGNED: {
    status: 401,
    en: 'The webhook signature is missing or wrong.',
    tr: 'Webhook imzası eksik veya yanlış.',
  },
  INTEGRATION_NOT_CONFIGURED: {
    status: 503,
    en: "This integration isn't configured.",
    tr: 'Bu entegrasyon yapılandırılmamış.',
  },
  MAPPING_NOT_FOUND: { status: 404, en: 'Product mapping not found.', tr: 'Ürün eşlemesi bulunamadı.' },
  MAPPING_EXISTS: {
    status: 409,
    en: 'This product is already mapped to this zone.',
    tr: 'Bu ürün bu bölgeyle zaten eşlenmiş.',
  },
  MAPPING_ZONE_NOT_FOUND: { status: 404, en: 'Zone not found.', tr: 'Bölge bulunamadı.' },
  WEBHOOK_NOT_FOUND: { status: 404, en: 'Webhook not found.', tr: 'Webhook bulunamadı.' },
  WEBHOOK_DATA_GONE: {
    status: 409,
    en: 'The customer deleted their account, so the content of this webhook is no longer available.',
    tr: 'Müşteri hesabını sildiği için bu webhook’un içeriği artık yok.',
  },
  ENTITLEMENT_NOT_FOUND: { status: 404, en: 'Purchase not found.', tr: 'Satın alma bulunamadı.' },
  ENTITLEMENT_ENDED: {
    status: 409,
    en: 'Only manually revoked access of a customer who still has an account can be restored.',
    tr: 'Yalnızca elle iptal edilmiş ve hâlâ hesabı olan bir müşteriye ait erişim geri verilebilir.',
  },
});

/** Messages about the result of a delivery, by stored code; {field} is the field stored with it. */
export const outcomeMessages = {
  /** For deliveries from before the field was stored. */
  MALFORMED: { en: "The content couldn't be read.", tr: 'İçerik okunamadı.' },
  NOT_JSON: { en: "The content isn't a JSON object.", tr: 'İçerik bir JSON nesnesi değil.' },
  MISSING_FIELD: { en: 'The field “{field}” is missing.', tr: '“{field}” alanı eksik.' },
  WRONG_FIELD: { en: "The field “{field}” couldn't be read.", tr: '“{field}” alanı okunamadı.' },
  NO_EMAIL: {
    en: 'The webhook has no valid email address ({field}).',
    tr: 'Webhook’ta geçerli bir e-posta adresi yok ({field}).',
  },
  NOTHING_TO_DO: { en: 'This event needs no action.', tr: 'Bu olay işlem gerektirmiyor.' },
  NO_MAPPED_PRODUCT: {
    en: 'None of the products is mapped to a zone. If one should be, add a mapping and replay this webhook.',
    tr: 'Ürünlerin hiçbiri bir bölgeyle eşlenmemiş. Eşlenmesi gerekiyorsa eşleme ekleyip webhook’u yeniden işleyin.',
  },
  ZONE_NOT_CONFIGURED: {
    en: 'No zone is configured (ACEDUMY_ZONE_ID).',
    tr: 'Bölge yapılandırılmamış (ACEDUMY_ZONE_ID).',
  },
  ZONE_GONE: { en: 'The zone no longer exists.', tr: 'Bölge artık yok.' },
  ZONE_PASSED_OVER: {
    en: 'A zone of this purchase has been deleted and was skipped.',
    tr: 'Bu satın almanın bölgelerinden biri silinmiş; o bölge atlandı.',
  },
  ZONE_FULL: {
    en: 'The zone is full. The purchase will be retried automatically.',
    tr: 'Bölge dolu. Satın alma otomatik olarak yeniden denenecek.',
  },
  WAITS_ALREADY: {
    en: 'The zone is full, and another webhook for this purchase is already waiting.',
    tr: 'Bölge dolu ve bu satın alma için başka bir webhook zaten bekliyor.',
  },
  SUPERSEDED: { en: 'A newer webhook was processed first.', tr: 'Daha yeni bir webhook önce işlendi.' },
  WITHHELD: {
    en: "Access wasn't given again: it was revoked manually, or the customer deleted their account.",
    tr: 'Erişim yeniden verilmedi: elle iptal edilmişti ya da müşteri hesabını silmişti.',
  },
  OTHER_PRICE: {
    en: "This price doesn't belong to the premium service, so no access was given.",
    tr: 'Bu fiyat premium hizmete ait olmadığı için erişim verilmedi.',
  },
  UNKNOWN_STATUS: {
    en: 'The order status “{field}” is unknown. Nothing was changed.',
    tr: '“{field}” sipariş durumu tanınmıyor. Hiçbir şey değiştirilmedi.',
  },
  FULL_REFUND: {
    en: 'Refunded in full. All access from this order has ended.',
    tr: 'Tamamı iade edildi. Bu siparişle verilen tüm erişim sona erdi.',
  },
  PAYMENT_FAILED: {
    en: 'The payment failed, so all access from this order has ended. A payment can also fail later, for example after a lost dispute.',
    tr: 'Ödeme başarısız olduğu için bu siparişle verilen tüm erişim sona erdi. Bir ödeme sonradan da başarısız olabilir, örneğin kaybedilen bir itiraz sonucunda.',
  },
  ORDER_ON_HOLD: {
    en: 'This paid order was put on hold, for example because of a dispute. The customer keeps access until you revoke it.',
    tr: 'Ödenmiş bu sipariş beklemeye alındı, örneğin bir itiraz nedeniyle. Siz iptal edene kadar müşterinin erişimi sürer.',
  },
  ORDER_UNPAID: {
    en: 'This paid order is waiting for payment again. The customer keeps access until you revoke it.',
    tr: 'Ödenmiş bu sipariş yeniden ödeme bekliyor. Siz iptal edene kadar müşterinin erişimi sürer.',
  },
  ORDER_DELETED: {
    en: 'This paid order was deleted in the shop. The customer keeps access until you revoke it.',
    tr: 'Ödenmiş bu sipariş mağazada silindi. Siz iptal edene kadar müşterinin erişimi sürer.',
  },
  PARTIAL_REFUND: {
    en: 'Partially refunded. The customer keeps access until you revoke it.',
    tr: 'Kısmen iade edildi. Siz iptal edene kadar müşterinin erişimi sürer.',
  },
  INTERNAL: {
    en: 'Something went wrong on our side. Please replay this webhook.',
    tr: 'Bizden kaynaklanan bir hata oluştu. Lütfen webhook’u yeniden işleyin.',
  },
} satisfies Record<string, LocalizedText>;

export type OutcomeCode = keyof typeof outcomeMessages;

/** Returns the message for a delivery's stored code and field; null without a code. */
export function toOutcomeMessage(code: string | null, field: string | null, language: Language): string | null {
  if (code === null) return null;
  const message: string = outcomeMessages[code as OutcomeCode]?.[language] ?? code;
  // Older deliveries have no field.
  return field === null ? message.replace(' ({field})', '') : message.replace('{field}', field);
}
