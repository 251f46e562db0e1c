import type { Language } from '../../../platform/errors/app-error.js';
import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';
import { plainName } from '../../../platform/text/plain-name.js';
import type { OrderNotice } from './order-notices.service.js';

interface Values {
  /** At least one, at most ten. */
  readonly orders: readonly Pick<OrderNotice, 'purchaseId' | 'kind' | 'zoneName' | 'errorCode'>[];
  /** How many more. */
  readonly more: number;
  readonly url: string;
}

export const ownerOrdersMail = defineMail<Values>('integrations.owner-orders', {
  en: ({ orders, more, url }) => ({
    ...(isAllUndecided(orders)
      ? {
          subject:
            orders.length + more === 1
              ? 'Please decide about a purchase'
              : `Please decide about ${orders.length + more} purchases`,
          heading: 'These purchases are open and may have to end',
        }
      : {
          subject:
            orders.length + more === 1
              ? 'A purchase has not opened your zone'
              : `${orders.length + more} purchases have not opened your zones`,
          heading: 'Somebody has paid and cannot come in yet',
        }),
    paragraphs: [
      ...lines(orders, 'en'),
      ...(more > 0 ? [`And ${more} more.`] : []),
      ...(orders.some(({ kind }) => kind !== 'decide')
        ? [
            'Who waits for a place comes in by themselves as soon as there is one: remove members or move to a larger plan. What failed is looked at by the administrators, who have been told.',
          ]
        : []),
      ...(orders.some(({ kind }) => kind === 'decide')
        ? [
            'Where you have to decide, the member keeps access for now. Remove the member if the purchase should not stand; you need to do nothing if it should.',
          ]
        : []),
    ],
    button: { label: 'Open the dashboard', url },
    note: 'We write about this at most once an hour.',
  }),
  tr: ({ orders, more, url }) => ({
    ...(isAllUndecided(orders)
      ? {
          subject:
            orders.length + more === 1
              ? 'Bir satın alma hakkında kararınız gerekiyor'
              : `${orders.length + more} satın alma hakkında kararınız gerekiyor`,
          heading: 'Bu satın almalar açık ve sona ermeleri gerekebilir',
        }
      : {
          subject:
            orders.length + more === 1
              ? 'Bir satın alma bölgenizi açmadı'
              : `${orders.length + more} satın alma bölgelerinizi açmadı`,
          heading: 'Biri ödeme yaptı ve henüz giremiyor',
        }),
    paragraphs: [
      ...lines(orders, 'tr'),
      ...(more > 0 ? [`Ve ${more} satın alma daha.`] : []),
      ...(orders.some(({ kind }) => kind !== 'decide')
        ? [
            'Yer bekleyenler, yer açılınca kendiliğinden içeri alınır: üye çıkarın veya daha büyük bir plana geçin. Başarısız olanlarla, haber verdiğimiz yöneticiler ilgileniyor.',
          ]
        : []),
      ...(orders.some(({ kind }) => kind === 'decide')
        ? [
            'Karar vermeniz gereken yerlerde üyenin erişimi şimdilik sürer. Satın alma geçerli kalmayacaksa üyeyi çıkarın; kalacaksa bir şey yapmanız gerekmez.',
          ]
        : []),
    ],
    button: { label: 'Panoyu aç', url },
    note: 'Bunun için saatte en fazla bir kez yazarız.',
  }),
});

const states = {
  en: { waiting: 'waits for a place', failed: 'could not be processed', decide: 'changed in the shop' },
  tr: { waiting: 'yer bekliyor', failed: 'işlenemedi', decide: 'mağazada değişti' },
};

/** What happened to a purchase about which the owner has to decide. */
const reasons: Readonly<Record<string, Record<Language, string>>> = {
  PARTIAL_REFUND: { en: 'partly refunded', tr: 'kısmen iade edildi' },
  ORDER_ON_HOLD: { en: 'put on hold, for example by a dispute', tr: 'beklemeye alındı, örneğin bir itiraz nedeniyle' },
  ORDER_UNPAID: { en: 'waits for its payment again', tr: 'yeniden ödeme bekliyor' },
  ORDER_DELETED: { en: 'deleted in the shop', tr: 'mağazada silindi' },
};

const isAllUndecided = (orders: Values['orders']): boolean => orders.every(({ kind }) => kind === 'decide');

const lines = (orders: Values['orders'], language: Language) =>
  orders.map(
    ({ purchaseId, kind, zoneName, errorCode }) =>
      `${plainName(purchaseId) || '…'} · ${zoneTitle(zoneName ?? '', language)}: ${(kind === 'decide' && reasons[errorCode ?? '']?.[language]) || states[language][kind]}`,
  );
