import { randomBytes } from 'node:crypto';
import type { Form } from './fake-stripe-form.js';

export interface FakeCustomer {
  id: string;
  object: 'customer';
  email: string | null;
  metadata: Record<string, string>;
  deleted?: true;
}

export interface FakeSubscription {
  id: string;
  object: 'subscription';
  customer: string;
  status: string;
  created: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  pause_collection: { behavior: string } | null;
  metadata: Record<string, string>;
  items: { object: 'list'; data: { id: string; price: FakePrice; current_period_end: number }[] };
  latest_invoice: FakeInvoice | null;
}

export interface FakePrice {
  id: string;
  unit_amount?: number;
  currency?: string;
}

export interface FakeInvoice {
  id: string;
  object: 'invoice';
  customer: string;
  number: string;
  created: number;
  status: string;
  total: number;
  amount_paid: number;
  currency: string;
  status_transitions: { paid_at: number | null };
  hosted_invoice_url: string;
}

export interface FakeCheckoutSession {
  id: string;
  object: 'checkout.session';
  customer: string;
  client_reference_id: string | null;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  subscription: string | null;
  metadata: Record<string, string>;
  expires_at: number;
  url: string | null;
  success_url: string;
  cancel_url: string;
  price: string;
  /** Options of the session besides the common ones. */
  options: Form;
  subscription_metadata: Record<string, string>;
}

export interface FakeEvent {
  readonly id: string;
  readonly object: 'event';
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: unknown };
}

const MONTH = 30 * 86_400;

/** An error response of Stripe's API. */
export class FakeStripeError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly param?: string,
  ) {
    super(code);
  }
}

/** State of a Stripe account, and its events: payments, declined cards, ended subscriptions. */
export class FakeStripeAccount {
  readonly customers = new Map<string, FakeCustomer>();
  readonly subscriptions = new Map<string, FakeSubscription>();
  readonly sessions = new Map<string, FakeCheckoutSession>();
  readonly invoices: FakeInvoice[] = [];
  /** The flow each customer's portal was last opened with. */
  readonly portalFlows = new Map<string, Form | undefined>();
  /** The portal's return URL of each customer. */
  readonly portalReturnUrls = new Map<string, string>();
  /** Every event, with the state at that time. */
  readonly events: FakeEvent[] = [];
  /** Called with each event as it happens. */
  onEvent: (event: FakeEvent) => void = () => undefined;

  constructor(
    readonly prices: readonly string[],
    private readonly now: () => Date,
    private readonly getBaseUrl: () => string,
  ) {}

  get nowInSeconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }

  listSubscriptions(customer: string): FakeSubscription[] {
    return [...this.subscriptions.values()].filter((subscription) => subscription.customer === customer).reverse();
  }

  /** Invoices, newest first, filtered by customer, status and creation time. */
  listInvoices({ customer, status, created }: Form): FakeInvoice[] {
    const since = Number((created as { gte?: string } | undefined)?.gte ?? 0);
    const matches = (one: FakeInvoice) =>
      (customer === undefined || one.customer === customer) &&
      (status === undefined || one.status === status) &&
      one.created >= since;
    return this.invoices.filter(matches).reverse();
  }

  addCustomer(form: Form): FakeCustomer {
    const metadata = (form.metadata ?? {}) as Record<string, string>;
    const customer: FakeCustomer = { id: createId('cus'), object: 'customer', email: String(form.email), metadata };
    this.customers.set(customer.id, customer);
    return customer;
  }

  getCustomer(id: string): FakeCustomer {
    return this.customers.get(id) ?? throwError(404, 'resource_missing', 'customer');
  }

  getSubscription(id: string): FakeSubscription {
    return this.subscriptions.get(id) ?? throwError(404, 'resource_missing', 'id');
  }

  getSession(id: string): FakeCheckoutSession {
    return this.sessions.get(id) ?? throwError(404, 'resource_missing', 'session');
  }

  /** Deletes a customer, which cancels its subscriptions at once. */
  deleteCustomer(id: string): void {
    const customer = this.getCustomer(id);
    for (const subscription of this.listSubscriptions(id))
      if (subscription.status !== 'canceled') this.cancelSubscription(subscription.id);
    for (const session of this.sessions.values())
      if (session.customer === id && session.status === 'open') session.status = 'expired';
    customer.deleted = true;
    customer.email = null;
    this.emitEvent('customer.deleted', customer);
  }

  createSession(form: Form): FakeCheckoutSession {
    const [item] = form.line_items as { price: string }[];
    const customer = this.getCustomer(String(form.customer));
    if (customer.deleted) throw new FakeStripeError(400, 'resource_missing', 'customer');
    if (!item || !this.prices.includes(item.price)) {
      throw new FakeStripeError(400, 'resource_missing', 'line_items[0][price]');
    }
    const id = createId('cs_test');
    const session: FakeCheckoutSession = {
      id,
      object: 'checkout.session',
      customer: customer.id,
      client_reference_id: String(form.client_reference_id),
      status: 'open',
      payment_status: 'unpaid',
      subscription: null,
      metadata: (form.metadata ?? {}) as Record<string, string>,
      expires_at: Number(form.expires_at),
      url: `${this.getBaseUrl()}/pay/${id}`,
      success_url: String(form.success_url),
      cancel_url: String(form.cancel_url),
      price: item.price,
      options: form,
      subscription_metadata: ((form.subscription_data as Form | undefined)?.metadata ?? {}) as Record<string, string>,
    };
    this.sessions.set(id, session);
    return session;
  }

  expireSession(id: string): FakeCheckoutSession {
    const session = this.getSession(id);
    if (session.status !== 'open') throw new FakeStripeError(400, 'invalid_request');
    session.status = 'expired';
    session.url = null;
    return session;
  }

  /** Pays on the checkout page. */
  completeCheckout(sessionId: string): FakeSubscription {
    const session = this.getSession(sessionId);
    if (session.status !== 'open' || session.expires_at <= this.nowInSeconds)
      throw new FakeStripeError(400, 'session_closed');
    const subscription = this.createSubscription(session.customer, session.price, session.subscription_metadata);
    Object.assign(session, { status: 'complete', payment_status: 'paid', subscription: subscription.id, url: null });
    this.emitEvent('invoice.paid', { ...subscription.latest_invoice, customer: session.customer });
    this.emitEvent('checkout.session.completed', session);
    return subscription;
  }

  /** Creates a subscription, as by a checkout or by hand. */
  createSubscription(customer: string, price: string, metadata: Record<string, string> = {}): FakeSubscription {
    const id = createId('sub');
    const end = this.nowInSeconds + MONTH;
    const subscription: FakeSubscription = {
      id,
      object: 'subscription',
      customer,
      status: 'active',
      created: this.nowInSeconds,
      cancel_at: null,
      cancel_at_period_end: false,
      pause_collection: null,
      metadata,
      items: { object: 'list', data: [{ id: createId('si'), price: toPrice(price), current_period_end: end }] },
      latest_invoice: this.createInvoice(customer, 'paid'),
    };
    this.subscriptions.set(id, subscription);
    this.emitEvent('customer.subscription.created', subscription);
    return subscription;
  }

  /** Changes a subscription and emits the event. */
  updateSubscription(id: string, change: Partial<FakeSubscription>, type = 'customer.subscription.updated'): void {
    const subscription = Object.assign(this.getSubscription(id), change);
    this.emitEvent(type, subscription);
  }

  changePrice(id: string, price: string): void {
    this.getSubscription(id).items.data[0]!.price = toPrice(price);
    this.updateSubscription(id, {});
  }

  /** Ends a billing period and pays the next one. */
  renewSubscription(id: string): void {
    const subscription = this.getSubscription(id);
    subscription.items.data[0]!.current_period_end += MONTH;
    this.updateSubscription(id, {
      status: 'active',
      latest_invoice: this.createInvoice(subscription.customer, 'paid'),
    });
    this.emitEvent('invoice.paid', { ...subscription.latest_invoice, customer: subscription.customer });
  }

  /** Ends a billing period with a declined card. */
  failPayment(id: string): void {
    const subscription = this.getSubscription(id);
    this.updateSubscription(id, {
      status: 'past_due',
      latest_invoice: this.createInvoice(subscription.customer, 'open'),
    });
    this.emitEvent('invoice.payment_failed', { ...subscription.latest_invoice, customer: subscription.customer });
  }

  /** Pays the outstanding invoice. */
  payLatestInvoice(id: string): void {
    const subscription = this.getSubscription(id);
    if (subscription.latest_invoice) this.markInvoicePaid(subscription.latest_invoice);
    this.updateSubscription(id, { status: 'active' });
    this.emitEvent('invoice.paid', { ...subscription.latest_invoice, customer: subscription.customer });
  }

  cancelSubscription(id: string): void {
    this.updateSubscription(id, { status: 'canceled', cancel_at_period_end: false }, 'customer.subscription.deleted');
  }

  emitEvent(type: string, object: unknown): FakeEvent {
    const event: FakeEvent = {
      id: createId('evt'),
      object: 'event',
      type,
      created: this.nowInSeconds,
      data: { object: structuredClone(object) },
    };
    this.events.push(event);
    this.onEvent(event);
    return event;
  }

  /** Creates an invoice, for a billing period or for something else the account sells. */
  createInvoice(customer: string, status: string, total = 799): FakeInvoice {
    const id = createId('in');
    const invoice: FakeInvoice = {
      id,
      object: 'invoice',
      customer,
      number: `Z-${this.invoices.length + 1}`,
      created: this.nowInSeconds,
      status: 'open',
      total,
      amount_paid: 0,
      currency: 'usd',
      status_transitions: { paid_at: null },
      hosted_invoice_url: `https://invoice.stripe.example/${id}`,
    };
    this.invoices.push(invoice);
    if (status === 'paid') this.markInvoicePaid(invoice);
    return invoice;
  }

  private markInvoicePaid(invoice: FakeInvoice): void {
    Object.assign(invoice, { status: 'paid', amount_paid: invoice.total });
    invoice.status_transitions.paid_at = this.nowInSeconds;
  }
}

/** Prices of the fake, in cents. */
const toPrice = (id: string): FakePrice => {
  const monthly = /starter/.test(id) ? 399 : /creator/.test(id) ? 799 : 1499;
  return { id, unit_amount: /year/.test(id) ? monthly * 10 : monthly, currency: 'usd' };
};

export function createId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString('hex')}`;
}

function throwError(status: number, code: string, param?: string): never {
  throw new FakeStripeError(status, code, param);
}
