import type { Language } from '../../../platform/errors/app-error.js';
import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';
import { removeUrls } from '../../../platform/text/plain-name.js';
import type { OrderNotice } from './order-issue.repository.js';

interface OwnerOrderIssuesEmailValues {
  /** At least one, at most ten. `kind` is `decide` for a purchase that awaits the owner's decision. */
  readonly orders: readonly Pick<OrderNotice, 'purchaseId' | 'kind' | 'zoneName' | 'errorCode'>[];
  /** Number of further orders. */
  readonly more: number;
  readonly url: string;
}

export const ownerOrderIssuesEmail = defineEmail<OwnerOrderIssuesEmailValues>('integrations.owner-orders', {
  en: ({ orders, more, url }) => ({
    ...(isAllAwaitingDecision(orders)
      ? {
          subject:
            orders.length + more === 1
              ? 'Please decide about a purchase'
              : `Please decide about ${orders.length + more} purchases`,
          heading: 'Purchases that need your decision',
        }
      : {
          subject:
            orders.length + more === 1
              ? "A customer hasn't received access to your zone"
              : `${orders.length + more} customers haven't received access to your zones`,
          heading: "Customers who have paid but don't have access yet",
        }),
    paragraphs: [
      ...toOrderLines(orders, 'en'),
      ...(more > 0 ? [`And ${more} more.`] : []),
      ...(orders.some(({ kind }) => kind !== 'decide')
        ? [
            "Waiting customers get access automatically as soon as there's room. To make room, remove members or upgrade your plan. We've notified the administrators about failed purchases.",
          ]
        : []),
      ...(orders.some(({ kind }) => kind === 'decide')
        ? [
            "For purchases that need your decision, the member keeps access for now. Remove the member if the purchase is no longer valid. Otherwise, you don't need to do anything.",
          ]
        : []),
    ],
    button: { label: 'Open Dashboard', url },
    note: 'We send this email at most once an hour.',
  }),
  tr: ({ orders, more, url }) => ({
    ...(isAllAwaitingDecision(orders)
      ? {
          subject:
            orders.length + more === 1
              ? 'Bir satın alma hakkında kararınız gerekiyor'
              : `${orders.length + more} satın alma hakkında kararınız gerekiyor`,
          heading: 'Kararınızı bekleyen satın almalar',
        }
      : {
          subject:
            orders.length + more === 1
              ? 'Bir müşteri bölgenize erişemedi'
              : `${orders.length + more} müşteri bölgelerinize erişemedi`,
          heading: 'Ödeme yapmış ama henüz erişemeyen müşteriler',
        }),
    paragraphs: [
      ...toOrderLines(orders, 'tr'),
      ...(more > 0 ? [`Ve ${more} satın alma daha.`] : []),
      ...(orders.some(({ kind }) => kind !== 'decide')
        ? [
            'Bekleyen müşteriler, yer açılır açılmaz otomatik olarak erişim alır. Yer açmak için üye çıkarın veya planınızı yükseltin. Başarısız satın almalar için yöneticileri bilgilendirdik.',
          ]
        : []),
      ...(orders.some(({ kind }) => kind === 'decide')
        ? [
            'Kararınızı bekleyen satın almalarda üyenin erişimi şimdilik sürer. Satın alma artık geçerli değilse üyeyi çıkarın. Geçerliyse bir şey yapmanız gerekmez.',
          ]
        : []),
    ],
    button: { label: 'Paneli Aç', url },
    note: 'Bu e-postayı saatte en fazla bir kez göndeririz.',
  }),
});

const kindTexts = {
  en: { waiting: 'waiting for room in the zone', failed: "couldn't be processed", decide: 'changed in the shop' },
  tr: { waiting: 'yer bekliyor', failed: 'işlenemedi', decide: 'mağazada değişti' },
};

/** What happened to a purchase about which the owner has to decide. */
const reasonTexts: Readonly<Record<string, Record<Language, string>>> = {
  PARTIAL_REFUND: { en: 'partially refunded', tr: 'kısmen iade edildi' },
  ORDER_ON_HOLD: {
    en: 'put on hold, for example because of a dispute',
    tr: 'beklemeye alındı, örneğin bir itiraz nedeniyle',
  },
  ORDER_UNPAID: { en: 'waiting for payment again', tr: 'yeniden ödeme bekliyor' },
  ORDER_DELETED: { en: 'deleted in the shop', tr: 'mağazada silindi' },
};

const isAllAwaitingDecision = (orders: OwnerOrderIssuesEmailValues['orders']): boolean =>
  orders.every(({ kind }) => kind === 'decide');

const toOrderLines = (orders: OwnerOrderIssuesEmailValues['orders'], language: Language) =>
  orders.map(
    ({ purchaseId, kind, zoneName, errorCode }) =>
      `${removeUrls(purchaseId) || '…'} · ${emailZoneTitle(zoneName ?? '', language)}: ${(kind === 'decide' && reasonTexts[errorCode ?? '']?.[language]) || kindTexts[language][kind]}`,
  );
