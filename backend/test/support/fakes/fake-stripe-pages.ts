import type { FakeStripeAccount } from './fake-stripe-account.js';

const renderHtml = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`;
const renderButton = (action: string, label: string) =>
  `<form method="post" action="${action}"><button>${label}</button></form>`;

/** Response of a page of the emulator: HTML, or a redirect. */
export type FakePageResponse = { readonly html: string } | { readonly location: string };

/** Minimal checkout and portal pages. */
export function renderFakePage(account: FakeStripeAccount, method: string, path: string): FakePageResponse | null {
  const [, area, id = '', action] = path.split('/');
  if (area === 'pay') return renderCheckout(account, id, method === 'POST' ? (action ?? '') : null);
  if (area === 'portal') return renderPortal(account, id, method === 'POST' ? (action ?? '') : null);
  return null;
}

function renderCheckout(account: FakeStripeAccount, id: string, action: string | null): FakePageResponse {
  const session = account.getSession(id);
  if (action === 'pay') {
    account.completeCheckout(id);
    return { location: session.success_url.replace('{CHECKOUT_SESSION_ID}', id) };
  }
  if (action === 'back') return { location: session.cancel_url };
  if (session.status !== 'open') return { html: renderHtml('This page has expired', '') };
  return {
    html: renderHtml('Checkout', renderButton(`/pay/${id}/pay`, 'Pay') + renderButton(`/pay/${id}/back`, 'Back')),
  };
}

const portalButtons = {
  cancel: 'Cancel at period end',
  keep: 'Keep',
  end: 'End now',
  fail: 'Refuse the next payment',
  settle: 'Pay what is owed',
} as const;

/** @param id customer id */
function renderPortal(account: FakeStripeAccount, id: string, action: string | null): FakePageResponse {
  const activeSubscription = account.listSubscriptions(id).find(({ status }) => status !== 'canceled');
  if (activeSubscription && action === 'cancel')
    account.updateSubscription(activeSubscription.id, { cancel_at_period_end: true });
  if (activeSubscription && action === 'keep')
    account.updateSubscription(activeSubscription.id, { cancel_at_period_end: false });
  if (activeSubscription && action === 'end') account.cancelSubscription(activeSubscription.id);
  if (activeSubscription && action === 'fail') account.failPayment(activeSubscription.id);
  if (activeSubscription && action === 'settle') account.payLatestInvoice(activeSubscription.id);
  if (action !== null) return { location: `/portal/${id}` };
  const renewal = activeSubscription?.cancel_at_period_end ? 'ends with the period' : 'renews';
  const state = activeSubscription ? `${activeSubscription.status}, ${renewal}` : 'No subscription';
  const buttons = Object.entries(portalButtons).map(([name, label]) => renderButton(`/portal/${id}/${name}`, label));
  const returnLink = `<p><a href="${account.portalReturnUrls.get(id) ?? '/'}">Return</a></p>`;
  return { html: renderHtml('Customer portal', `<p role="status">${state}</p>${buttons.join('')}${returnLink}`) };
}
