import type { FakeStripeAccount } from './fake-stripe-account.js';

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`;
const button = (action: string, label: string) =>
  `<form method="post" action="${action}"><button>${label}</button></form>`;

/** What a page of the emulator answers: HTML, or an address to go to. */
export type PageAnswer = { readonly html: string } | { readonly location: string };

/** The pages on which people pay and look after their subscription, as bare as can be. */
export function fakePage(account: FakeStripeAccount, method: string, path: string): PageAnswer | null {
  const [, area, id = '', action] = path.split('/');
  if (area === 'pay') return checkout(account, id, method === 'POST' ? (action ?? '') : null);
  if (area === 'portal') return portal(account, id, method === 'POST' ? (action ?? '') : null);
  return null;
}

function checkout(account: FakeStripeAccount, id: string, action: string | null): PageAnswer {
  const session = account.session(id);
  if (action === 'pay') {
    account.pay(id);
    return { location: session.success_url.replace('{CHECKOUT_SESSION_ID}', id) };
  }
  if (action === 'back') return { location: session.cancel_url };
  if (session.status !== 'open') return { html: page('This page has expired', '') };
  return { html: page('Checkout', button(`/pay/${id}/pay`, 'Pay') + button(`/pay/${id}/back`, 'Back')) };
}

const portalButtons = {
  cancel: 'Cancel at period end',
  keep: 'Keep',
  end: 'End now',
  fail: 'Refuse the next payment',
  settle: 'Pay what is owed',
} as const;

/** @param id of the customer */
function portal(account: FakeStripeAccount, id: string, action: string | null): PageAnswer {
  const live = account.subscriptionsOf(id).find(({ status }) => status !== 'canceled');
  if (live && action === 'cancel') account.change(live.id, { cancel_at_period_end: true });
  if (live && action === 'keep') account.change(live.id, { cancel_at_period_end: false });
  if (live && action === 'end') account.end(live.id);
  if (live && action === 'fail') account.failPayment(live.id);
  if (live && action === 'settle') account.settle(live.id);
  if (action !== null) return { location: `/portal/${id}` };
  const end = live?.cancel_at_period_end ? 'ends with the period' : 'renews';
  const state = live ? `${live.status}, ${end}` : 'No subscription';
  const buttons = Object.entries(portalButtons).map(([name, label]) => button(`/portal/${id}/${name}`, label));
  const back = `<p><a href="${account.returns.get(id) ?? '/'}">Return</a></p>`;
  return { html: page('Customer portal', `<p role="status">${state}</p>${buttons.join('')}${back}`) };
}
