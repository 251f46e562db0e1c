import type { Language } from '../../../platform/errors/app-error.js';
import { defineEmail } from '../../../platform/email/email-definition.js';
import { emailZoneTitle } from '../../../platform/email/zone-title.js';
import { removeUrls } from '../../../platform/text/plain-name.js';
import { toOutcomeMessage } from '../integrations.errors.js';
import { sourceNames } from '../shared/sources.js';
import type { OrderNotice } from './order-issue.repository.js';

interface AdminOrderIssuesEmailValues {
  /** At least one, at most ten. */
  readonly orders: readonly OrderNotice[];
  /** Number of further orders. */
  readonly more: number;
  readonly url: string;
}

export const adminOrderIssuesEmail = defineEmail<AdminOrderIssuesEmailValues>('integrations.staff-orders', {
  en: ({ orders, more, url }) => ({
    subject: isAllAwaitingDecision(orders)
      ? orders.length + more === 1
        ? 'An order needs a decision'
        : `${orders.length + more} orders need a decision`
      : orders.length + more === 1
        ? 'An order has failed or is waiting'
        : `${orders.length + more} orders have failed or are waiting`,
    heading: isAllAwaitingDecision(orders) ? 'Orders that need a decision' : "Orders that haven't given access",
    paragraphs: [...toOrderLines(orders, 'en'), ...(more > 0 ? [`And ${more} more.`] : [])],
    button: { label: 'Open Webhook Logs', url },
    note: 'We send this email at most once an hour.',
  }),
  tr: ({ orders, more, url }) => ({
    subject: isAllAwaitingDecision(orders)
      ? orders.length + more === 1
        ? 'Bir sipariş karar bekliyor'
        : `${orders.length + more} sipariş karar bekliyor`
      : orders.length + more === 1
        ? 'Bir sipariş başarısız oldu ya da bekliyor'
        : `${orders.length + more} sipariş başarısız oldu ya da bekliyor`,
    heading: isAllAwaitingDecision(orders) ? 'Karar bekleyen siparişler' : 'Erişim vermemiş siparişler',
    paragraphs: [...toOrderLines(orders, 'tr'), ...(more > 0 ? [`Ve ${more} sipariş daha.`] : [])],
    button: { label: 'Webhook Kayıtlarını Aç', url },
    note: 'Bu e-postayı saatte en fazla bir kez göndeririz.',
  }),
});

const isAllAwaitingDecision = (orders: AdminOrderIssuesEmailValues['orders']): boolean =>
  orders.every(({ kind }) => kind === 'decide');

const toOrderLines = (orders: AdminOrderIssuesEmailValues['orders'], language: Language) =>
  orders.map(({ source, purchaseId, zoneName, errorCode, errorField }) => {
    const zone = zoneName === null ? [] : [`“${emailZoneTitle(zoneName, language)}”`];
    const description = [sourceNames[source], removeUrls(purchaseId) || '…', ...zone].join(' · ');
    return `${description}: ${toOutcomeMessage(errorCode, errorField, language) ?? '…'}`;
  });
