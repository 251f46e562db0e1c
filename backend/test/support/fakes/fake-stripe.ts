import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { FakeRefusal, FakeStripeAccount, newId, type FakeEvent } from './fake-stripe-account.js';
import { readForm, type Form } from './fake-stripe-form.js';
import { fakePage } from './fake-stripe-pages.js';

export const PRICES = [
  'price_starter_month',
  'price_starter_year',
  'price_creator_month',
  'price_creator_year',
  'price_pro_month',
  'price_pro_year',
] as const;

/** What goes wrong with a call. */
export type FakeStripeFault =
  /** It is refused. */
  | { readonly status: number }
  /** It fails, and every call under the same idempotency key fails alike. */
  | 'kept failure'
  /** It is answered with these bytes, as by something that stands in between. */
  | { readonly says: string; readonly status?: number }
  /** It is carried out later. */
  | { readonly slow: number }
  /** It is carried out at once, and the answer waits for `release()`. */
  | 'held'
  /** It is heard and never answered. */
  | 'silence'
  /** It is carried out, and the connection is cut instead of an answer. */
  | 'lost answer';

export interface FakeStripeOptions {
  readonly port?: number;
  readonly now?: () => Date;
}

/**
 * Stripe's API on a port of this machine, as far as the product speaks it, with the pages on which people pay. In front
 * of it stands the real client; its webhooks are signed as Stripe signs them.
 */
export class FakeStripe {
  readonly key = 'sk_test_zonary';
  readonly webhookSecret = 'whsec_zonary_test';
  readonly account: FakeStripeAccount;
  /** Every call, as `POST /v1/customers`, in the order in which they came. */
  readonly calls: string[] = [];
  private readonly faults: { call: RegExp; fault: FakeStripeFault; times: number }[] = [];
  private readonly heldBack: { response: ServerResponse; answer: unknown }[] = [];
  private readonly keptFailures = new Set<string>();
  private readonly answered = new Map<string, { call: string; body: string; answer: unknown }>();

  private constructor(
    private readonly server: Server,
    private readonly now: () => Date,
  ) {
    this.account = new FakeStripeAccount(PRICES, now, () => this.url);
  }

  static async start({ port = 0, now = () => new Date() }: FakeStripeOptions = {}): Promise<FakeStripe> {
    const server = createServer();
    const fake = new FakeStripe(server, now);
    server.on('request', (request, response) => void fake.answer(request, response));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The variables by which the product uses this emulator. */
  get env(): Record<string, string> {
    const [starterMonth, starterYear, creatorMonth, creatorYear, proMonth, proYear] = PRICES;
    return {
      STRIPE_SECRET_KEY: this.key,
      STRIPE_WEBHOOK_SECRET: this.webhookSecret,
      STRIPE_API_URL: this.url,
      STRIPE_PRICE_STARTER_MONTHLY: starterMonth,
      STRIPE_PRICE_STARTER_YEARLY: starterYear,
      STRIPE_PRICE_CREATOR_MONTHLY: creatorMonth,
      STRIPE_PRICE_CREATOR_YEARLY: creatorYear,
      STRIPE_PRICE_PRO_CREATOR_MONTHLY: proMonth,
      STRIPE_PRICE_PRO_CREATOR_YEARLY: proYear,
    };
  }

  /** Lets calls that match fail. @param times how many; 1 unless told */
  fail(call: RegExp, fault: FakeStripeFault, times = 1): void {
    this.faults.push({ call, fault, times });
  }

  /** Sends the answers that were held back, as they were then. */
  release(): void {
    for (const { response, answer } of this.heldBack.splice(0)) send(response, 200, answer);
  }

  /** All faults are over. */
  heal(): void {
    this.faults.length = 0;
  }

  count(call: RegExp): number {
    return this.calls.filter((one) => call.test(one)).length;
  }

  /** Body and headers of a delivery. @param at when it is signed; now unless told */
  sign(event: FakeEvent | object, at = this.now()): { body: string; headers: Record<string, string> } {
    const body = JSON.stringify(event, null, 2);
    const timestamp = Math.floor(at.getTime() / 1000);
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: this.webhookSecret,
      timestamp,
    });
    return { body, headers: { 'Stripe-Signature': signature, 'Content-Type': 'application/json; charset=utf-8' } };
  }

  /** Delivers an event to the product. @returns the status of its answer */
  async deliver(productUrl: string, event: FakeEvent): Promise<number> {
    const { body, headers } = this.sign(event);
    const { status } = await fetch(`${productUrl}/api/webhooks/stripe`, { method: 'POST', headers, body });
    return status;
  }

  /** From now on everything that happens is told to the product at once; what it does not take is written to the log. */
  deliverTo(productUrl: string): void {
    this.account.onEvent = (event) => {
      const log = (what: unknown) => process.stderr.write(`${event.type} was not delivered: ${String(what)}\n`);
      this.deliver(productUrl, event).then((status) => status === 200 || log(status), log);
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const body = await read(request);
    try {
      if (url.pathname.startsWith('/v1/')) await this.answerCall(request, response, url, body);
      else this.answerPage(request, response, url);
    } catch (error) {
      if (!(error instanceof FakeRefusal)) throw error;
      const type = error.status >= 500 ? 'api_error' : 'invalid_request_error';
      send(response, error.status, { error: { type, code: error.code, param: error.param, message: error.code } });
    }
  }

  private answerPage(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const answer = fakePage(this.account, request.method ?? 'GET', url.pathname);
    if (!answer) throw new FakeRefusal(404, 'not_found');
    if ('location' in answer) response.writeHead(303, { Location: answer.location }).end();
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end(answer.html);
  }

  private async answerCall(request: IncomingMessage, response: ServerResponse, url: URL, body: string): Promise<void> {
    const call = `${request.method} ${url.pathname}`;
    this.calls.push(call);
    if (request.headers.authorization !== `Bearer ${this.key}`) throw new FakeRefusal(401, 'invalid_key');
    const fault = this.nextFault(call);
    if (fault === 'silence') return;
    if (fault && typeof fault === 'object' && 'slow' in fault) await sleep(fault.slow);
    if (fault && typeof fault === 'object' && 'says' in fault) {
      response.writeHead(fault.status ?? 200).end(fault.says);
      return;
    }
    if (fault && typeof fault === 'object' && 'status' in fault) throw new FakeRefusal(fault.status, 'fault');
    const key = request.headers['idempotency-key'];
    if (fault === 'kept failure') this.keptFailures.add(String(key));
    const answer = this.once(key, call, body, () => this.route(call, readForm(url.search.slice(1)), readForm(body)));
    if (fault === 'lost answer') response.destroy();
    else if (fault === 'held') this.heldBack.push({ response, answer: structuredClone(answer) });
    else send(response, 200, answer);
  }

  private nextFault(call: string): FakeStripeFault | null {
    const found = this.faults.find((one) => one.times > 0 && one.call.test(call));
    if (!found) return null;
    found.times--;
    return found.fault;
  }

  /** The same key gives the same answer, and is refused for something else. */
  private once(key: string | string[] | undefined, call: string, body: string, work: () => unknown): unknown {
    if (typeof key !== 'string') return work();
    if (this.keptFailures.has(key)) throw new FakeRefusal(500, 'kept');
    const known = this.answered.get(key);
    if (known && (known.body !== body || known.call !== call)) throw new FakeRefusal(400, 'idempotency_error');
    if (known) return known.answer;
    const answer = structuredClone(work());
    this.answered.set(key, { call, body, answer });
    return answer;
  }

  private route(call: string, search: Form, form: Form): unknown {
    const { account } = this;
    const [, method, path] = /^(\w+) \/v1\/(.*)$/.exec(call)!;
    const parts = path!.split('/');
    const where = `${method} ${parts[0]}${parts[0] === 'checkout' || parts[0] === 'billing_portal' ? '/sessions' : ''}`;
    const id = where.endsWith('/sessions') ? parts[2] : parts[1];
    if (where === 'POST customers' && !id) return account.addCustomer(form);
    if (where === 'POST customers')
      return customerView(Object.assign(account.customer(id!), { email: String(form.email) }));
    if (where === 'GET customers') return customerView(account.customer(id!));
    if (where === 'DELETE customers') {
      account.deleteCustomer(id!);
      return { id, object: 'customer', deleted: true };
    }
    if (where === 'GET subscriptions' && !id) return list(account.subscriptionsOf(existing(account, search)));
    if (where === 'POST subscriptions') return this.update(id!, form);
    if (where === 'POST checkout/sessions' && !id) return account.openSession(form);
    if (where === 'POST checkout/sessions' && parts[3] === 'expire') return account.expireSession(id!);
    if (where === 'GET checkout/sessions' && id) return account.session(id);
    if (where === 'GET checkout/sessions') return list(this.sessionsOf(existing(account, search), search.status));
    if (where === 'POST billing_portal/sessions') {
      const customer = existing(account, form);
      account.returns.set(customer, String(form.return_url));
      account.flows.set(customer, flowOf(account, form));
      return { id: newId('bps'), object: 'billing_portal.session', customer, url: `${this.url}/portal/${customer}` };
    }
    if (where === 'GET invoices') return page(account.invoicesOf(search), search);
    throw new FakeRefusal(404, 'unknown_call');
  }

  private sessionsOf(customer: string, status: unknown) {
    for (const one of this.account.sessions.values()) {
      if (one.status === 'open' && one.expires_at <= this.account.seconds) one.status = 'expired';
    }
    return [...this.account.sessions.values()].filter((one) => one.customer === customer && one.status === status);
  }

  private update(id: string, form: Form): unknown {
    const pause = form.pause_collection as { behavior: string } | '' | undefined;
    if (pause !== undefined) this.account.change(id, { pause_collection: pause === '' ? null : pause });
    return this.account.subscription(id);
  }
}

function existing(account: FakeStripeAccount, form: Form): string {
  const customer = account.customer(String(form.customer));
  if (customer.deleted) throw new FakeRefusal(400, 'resource_missing', 'customer');
  return customer.id;
}

/** Where in the portal a visit begins. A price that the portal does not know is refused. */
function flowOf(account: FakeStripeAccount, form: Form): Form | undefined {
  const flow = form.flow_data as Form | undefined;
  const confirm = flow?.subscription_update_confirm as { items: { id: string; price: string }[] } | undefined;
  if (confirm?.items.some(({ price }) => !account.prices.includes(price))) {
    throw new FakeRefusal(400, 'resource_missing', 'flow_data[subscription_update_confirm][items][0][price]');
  }
  return flow;
}

/** One page of a list, as Stripe cuts it. */
function page(all: { id: string }[], { limit = '10', starting_after: last }: Form): object {
  const rest = all.slice(last === undefined ? 0 : all.findIndex(({ id }) => id === last) + 1);
  return { ...list(rest.slice(0, Number(limit))), has_more: rest.length > Number(limit) };
}

function customerView(customer: { id: string; deleted?: true }): object {
  return customer.deleted ? { id: customer.id, object: 'customer', deleted: true } : customer;
}

function list(data: unknown[]): object {
  return { object: 'list', data, has_more: false, url: '/v1/list' };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': newId('req') });
  response.end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
