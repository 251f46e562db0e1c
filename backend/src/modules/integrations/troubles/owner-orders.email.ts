import type { Language } from '../../../platform/errors/app-error.js';
import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';
import { plainName } from '../../../platform/text/plain-name.js';
import type { OrderNotice } from './order-notices.service.js';

interface Values {
  /** At least one, at most ten. */
  readonly orders: readonly Pick<OrderNotice, 'purchaseId' | 'kind' | 'zoneName'>[];
  /** How many more. */
  readonly more: number;
  readonly url: string;
}

export const ownerOrdersMail = defineMail<Values>('integrations.owner-orders', {
  en: ({ orders, more, url }) => ({
    subject:
      orders.length + more === 1
        ? 'A purchase has not opened your zone'
        : `${orders.length + more} purchases have not opened your zones`,
    heading: 'Somebody has paid and cannot come in yet',
    paragraphs: [
      ...lines(orders, 'en'),
      ...(more > 0 ? [`And ${more} more.`] : []),
      'Who waits for a place comes in by themselves as soon as there is one: remove members or move to a larger plan. What failed is looked at by the administrators, who have been told.',
    ],
    button: { label: 'Open the dashboard', url },
    note: 'We write about this at most once an hour.',
  }),
  tr: ({ orders, more, url }) => ({
    subject:
      orders.length + more === 1
        ? 'Bir satın alma bölgenizi açmadı'
        : `${orders.length + more} satın alma bölgelerinizi açmadı`,
    heading: 'Biri ödeme yaptı ve henüz giremiyor',
    paragraphs: [
      ...lines(orders, 'tr'),
      ...(more > 0 ? [`Ve ${more} satın alma daha.`] : []),
      'Yer bekleyenler, yer açılınca kendiliğinden içeri alınır: üye çıkarın veya daha büyük bir plana geçin. Başarısız olanlarla, haber verdiğimiz yöneticiler ilgileniyor.',
    ],
    button: { label: 'Panoyu aç', url },
    note: 'Bunun için saatte en fazla bir kez yazarız.',
  }),
});

const states = {
  en: { waiting: 'waits for a place', failed: 'could not be processed' },
  tr: { waiting: 'yer bekliyor', failed: 'işlenemedi' },
};

const lines = (orders: Values['orders'], language: Language) =>
  orders.map(
    ({ purchaseId, kind, zoneName }) =>
      `${plainName(purchaseId) || '…'} · ${zoneTitle(zoneName ?? '', language)}: ${states[language][kind]}`,
  );
