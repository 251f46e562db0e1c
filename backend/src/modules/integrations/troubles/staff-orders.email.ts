import type { Language } from '../../../platform/errors/app-error.js';
import { defineMail } from '../../../platform/mail/mail-definition.js';
import { zoneTitle } from '../../../platform/mail/zone-title.js';
import { plainName } from '../../../platform/text/plain-name.js';
import { outcomeWords } from '../integrations.errors.js';
import { sourceNames } from '../shared/sources.js';
import type { OrderNotice } from './order-notices.service.js';

interface Values {
  /** At least one, at most ten. */
  readonly orders: readonly OrderNotice[];
  /** How many more. */
  readonly more: number;
  readonly url: string;
}

export const staffOrdersMail = defineMail<Values>('integrations.staff-orders', {
  en: ({ orders, more, url }) => ({
    subject: isAllUndecided(orders)
      ? orders.length + more === 1
        ? 'An order needs a decision'
        : `${orders.length + more} orders need a decision`
      : orders.length + more === 1
        ? 'An order has failed or is waiting'
        : `${orders.length + more} orders have failed or are waiting`,
    heading: isAllUndecided(orders) ? 'Orders that need a decision' : "Orders that haven't given access",
    paragraphs: [...lines(orders, 'en'), ...(more > 0 ? [`And ${more} more.`] : [])],
    button: { label: 'Open Webhook Logs', url },
    note: 'We send this email at most once an hour.',
  }),
  tr: ({ orders, more, url }) => ({
    subject: isAllUndecided(orders)
      ? orders.length + more === 1
        ? 'Bir sipariş karar bekliyor'
        : `${orders.length + more} sipariş karar bekliyor`
      : orders.length + more === 1
        ? 'Bir sipariş başarısız oldu ya da bekliyor'
        : `${orders.length + more} sipariş başarısız oldu ya da bekliyor`,
    heading: isAllUndecided(orders) ? 'Karar bekleyen siparişler' : 'Erişim vermemiş siparişler',
    paragraphs: [...lines(orders, 'tr'), ...(more > 0 ? [`Ve ${more} sipariş daha.`] : [])],
    button: { label: 'Webhook Kayıtlarını Aç', url },
    note: 'Bu e-postayı saatte en fazla bir kez göndeririz.',
  }),
});

const isAllUndecided = (orders: Values['orders']): boolean => orders.every(({ kind }) => kind === 'decide');

const lines = (orders: Values['orders'], language: Language) =>
  orders.map(({ source, purchaseId, zoneName, errorCode, errorField }) => {
    const zone = zoneName === null ? [] : [`“${zoneTitle(zoneName, language)}”`];
    const what = [sourceNames[source], plainName(purchaseId) || '…', ...zone].join(' · ');
    return `${what}: ${outcomeWords(errorCode, errorField, language) ?? '…'}`;
  });
