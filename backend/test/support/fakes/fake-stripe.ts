import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { FakeStripeError, FakeStripeAccount, createId, type FakeEvent } from './fake-stripe-account.js';
import { parseForm, type Form } from './fake-stripe-form.js';
import { renderFakePage } from './fake-stripe-pages.js';
import { createHttpServer } from './create-http-server.js';

export const PRICE_IDS = [
  'price_starter_month',
  'price_starter_year',
  'price_creator_month',
  'price_creator_year',
  'price_pro_month',
  'price_pro_year',
] as const;

/** A simulated failure of a call. */
export type FakeStripeFault =
  /** An error response. */
  | { readonly status: number }
  /** Fails, and so does every call with the same idempotency key. */
  | 'kept failure'
  /** Responds with these bytes, like a proxy in between. */
  | { readonly rawBody: string; readonly status?: number }
  /** Executes the call with a delay. */
  | { readonly delayMs: number }
  /** Executes the call at once, but holds the response back until `releaseHeldResponses()`. */
  | 'held'
  /** The request is never answered. */
  | 'silence'
  /** The call is executed, but the connection is cut before the response. */
  | 'lost answer';

export interface FakeStripeOptions {
  readonly port?: number;
  readonly now?: () => Date;
}

/**
 * Stripe's API on a local port, as far as the product uses it, with checkout and portal pages. The product talks to it
 * through the real client library; webhooks are signed as Stripe signs them.
 */
export class FakeStripe {
  readonly secretKey = 'sk_test_zonary';
  readonly webhookSecret = 'whsec_zonary_test';
  readonly account: FakeStripeAccount;
  /** Every call in order, such as `POST /v1/customers`. */
  readonly calls: string[] = [];
  private readonly faults: { call: RegExp; fault: FakeStripeFault; times: number }[] = [];
  private readonly heldResponses: { response: ServerResponse; answer: unknown }[] = [];
  private readonly failedIdempotencyKeys = new Set<string>();
  private readonly idempotentResults = new Map<string, { call: string; body: string; answer: unknown }>();

  private constructor(
    private readonly server: Server,
    private readonly now: () => Date,
  ) {
    this.account = new FakeStripeAccount(PRICE_IDS, now, () => this.url);
  }

  static async start({ port = 0, now = () => new Date() }: FakeStripeOptions = {}): Promise<FakeStripe> {
    const server = createHttpServer();
    const fake = new FakeStripe(server, now);
    server.on('request', (request, response) => void fake.handleRequest(request, response));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Environment variables that point the product to this emulator. */
  get env(): Record<string, string> {
    const [starterMonth, starterYear, creatorMonth, creatorYear, proMonth, proYear] = PRICE_IDS;
    return {
      STRIPE_SECRET_KEY: this.secretKey,
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

  /**
   * Makes matching calls fail.
   * @param times how many of them
   */
  injectFault(call: RegExp, fault: FakeStripeFault, times = 1): void {
    this.faults.push({ call, fault, times });
  }

  /** Sends the held responses, with the state at the time of the call. */
  releaseHeldResponses(): void {
    for (const { response, answer } of this.heldResponses.splice(0)) sendJson(response, 200, answer);
  }

  /** Removes all faults. */
  clearFaults(): void {
    this.faults.length = 0;
  }

  countCalls(call: RegExp): number {
    return this.calls.filter((entry) => call.test(entry)).length;
  }

  /**
   * Returns the body and headers of a webhook delivery.
   * @param at signing time
   */
  signEvent(event: FakeEvent | object, at = this.now()): { body: string; headers: Record<string, string> } {
    const body = JSON.stringify(event, null, 2);
    const timestamp = Math.floor(at.getTime() / 1000);
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: this.webhookSecret,
      timestamp,
    });
    return { body, headers: { 'Stripe-Signature': signature, 'Content-Type': 'application/json; charset=utf-8' } };
  }

  /**
   * Delivers an event to the product.
   * @returns the response's status
   */
  async deliverEvent(productUrl: string, event: FakeEvent): Promise<number> {
    const { body, headers } = this.signEvent(event);
    const { status } = await fetch(`${productUrl}/api/webhooks/stripe`, { method: 'POST', headers, body });
    return status;
  }

  /** Delivers every event from now on to the product at once; rejected ones are written to the log. */
  deliverEventsTo(productUrl: string): void {
    this.account.onEvent = (event) => {
      const log = (reason: unknown) => process.stderr.write(`${event.type} was not delivered: ${String(reason)}\n`);
      this.deliverEvent(productUrl, event).then((status) => status === 200 || log(status), log);
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const body = await readBody(request);
    try {
      if (url.pathname.startsWith('/v1/')) await this.handleApiCall(request, response, url, body);
      else this.handlePage(request, response, url);
    } catch (error) {
      if (!(error instanceof FakeStripeError)) throw error;
      const type = error.status >= 500 ? 'api_error' : 'invalid_request_error';
      sendJson(response, error.status, { error: { type, code: error.code, param: error.param, message: error.code } });
    }
  }

  private handlePage(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const result = renderFakePage(this.account, request.method ?? 'GET', url.pathname);
    if (!result) throw new FakeStripeError(404, 'not_found');
    if ('location' in result) response.writeHead(303, { Location: result.location }).end();
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end(result.html);
  }

  private async handleApiCall(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    body: string,
  ): Promise<void> {
    const call = `${request.method} ${url.pathname}`;
    this.calls.push(call);
    if (request.headers.authorization !== `Bearer ${this.secretKey}`) throw new FakeStripeError(401, 'invalid_key');
    const fault = this.nextFault(call);
    if (fault === 'silence') return;
    if (fault && typeof fault === 'object' && 'delayMs' in fault) await sleep(fault.delayMs);
    if (fault && typeof fault === 'object' && 'rawBody' in fault) {
      response.writeHead(fault.status ?? 200).end(fault.rawBody);
      return;
    }
    if (fault && typeof fault === 'object' && 'status' in fault) throw new FakeStripeError(fault.status, 'fault');
    const idempotencyKey = request.headers['idempotency-key'];
    if (fault === 'kept failure') this.failedIdempotencyKeys.add(String(idempotencyKey));
    const result = this.withIdempotency(idempotencyKey, call, body, () =>
      this.dispatch(call, parseForm(url.search.slice(1)), parseForm(body)),
    );
    if (fault === 'lost answer') response.destroy();
    else if (fault === 'held') this.heldResponses.push({ response, answer: structuredClone(result) });
    else sendJson(response, 200, result);
  }

  private nextFault(call: string): FakeStripeFault | null {
    const planned = this.faults.find((entry) => entry.times > 0 && entry.call.test(call));
    if (!planned) return null;
    planned.times--;
    return planned.fault;
  }

  /** The same key returns the same response, and is rejected for a different request. */
  private withIdempotency(
    key: string | string[] | undefined,
    call: string,
    body: string,
    work: () => unknown,
  ): unknown {
    if (typeof key !== 'string') return work();
    if (this.failedIdempotencyKeys.has(key)) throw new FakeStripeError(500, 'kept');
    const previous = this.idempotentResults.get(key);
    if (previous && (previous.body !== body || previous.call !== call))
      throw new FakeStripeError(400, 'idempotency_error');
    if (previous) return previous.answer;
    const answer = structuredClone(work());
    this.idempotentResults.set(key, { call, body, answer });
    return answer;
  }

  private dispatch(call: string, search: Form, form: Form): unknown {
    const { account } = this;
    const [, method, path] = /^(\w+) \/v1\/(.*)$/.exec(call)!;
    const parts = path!.split('/');
    const operation = `${method} ${parts[0]}${parts[0] === 'checkout' || parts[0] === 'billing_portal' ? '/sessions' : ''}`;
    const id = operation.endsWith('/sessions') ? parts[2] : parts[1];
    if (operation === 'POST customers' && !id) return account.addCustomer(form);
    if (operation === 'POST customers')
      return toCustomerResource(Object.assign(account.getCustomer(id!), { email: String(form.email) }));
    if (operation === 'GET customers') return toCustomerResource(account.getCustomer(id!));
    if (operation === 'DELETE customers') {
      account.deleteCustomer(id!);
      return { id, object: 'customer', deleted: true };
    }
    if (operation === 'GET subscriptions' && !id)
      return toList(account.listSubscriptions(requireCustomerId(account, search)));
    if (operation === 'POST subscriptions') return this.updatePauseCollection(id!, form);
    if (operation === 'POST checkout/sessions' && !id) return account.createSession(form);
    if (operation === 'POST checkout/sessions' && parts[3] === 'expire') return account.expireSession(id!);
    if (operation === 'GET checkout/sessions' && id) return account.getSession(id);
    if (operation === 'GET checkout/sessions')
      return toList(this.listSessions(requireCustomerId(account, search), search.status));
    if (operation === 'POST billing_portal/sessions') {
      const customer = requireCustomerId(account, form);
      account.portalReturnUrls.set(customer, String(form.return_url));
      account.portalFlows.set(customer, parsePortalFlow(account, form));
      return { id: createId('bps'), object: 'billing_portal.session', customer, url: `${this.url}/portal/${customer}` };
    }
    if (operation === 'GET invoices') return paginate(account.listInvoices(search), search);
    throw new FakeStripeError(404, 'unknown_call');
  }

  private listSessions(customer: string, status: unknown) {
    for (const session of this.account.sessions.values()) {
      if (session.status === 'open' && session.expires_at <= this.account.nowInSeconds) session.status = 'expired';
    }
    return [...this.account.sessions.values()].filter(
      (entry) => entry.customer === customer && entry.status === status,
    );
  }

  private updatePauseCollection(id: string, form: Form): unknown {
    const pause = form.pause_collection as { behavior: string } | '' | undefined;
    if (pause !== undefined) this.account.updateSubscription(id, { pause_collection: pause === '' ? null : pause });
    return this.account.getSubscription(id);
  }
}

function requireCustomerId(account: FakeStripeAccount, form: Form): string {
  const customer = account.getCustomer(String(form.customer));
  if (customer.deleted) throw new FakeStripeError(400, 'resource_missing', 'customer');
  return customer.id;
}

/** The portal's start page. Rejects prices the portal doesn't offer. */
function parsePortalFlow(account: FakeStripeAccount, form: Form): Form | undefined {
  const flow = form.flow_data as Form | undefined;
  const confirm = flow?.subscription_update_confirm as { items: { id: string; price: string }[] } | undefined;
  if (confirm?.items.some(({ price }) => !account.prices.includes(price))) {
    throw new FakeStripeError(400, 'resource_missing', 'flow_data[subscription_update_confirm][items][0][price]');
  }
  return flow;
}

/** One page of a list, paginated as by Stripe. */
function paginate(all: { id: string }[], { limit = '10', starting_after: last }: Form): object {
  const rest = all.slice(last === undefined ? 0 : all.findIndex(({ id }) => id === last) + 1);
  return { ...toList(rest.slice(0, Number(limit))), has_more: rest.length > Number(limit) };
}

function toCustomerResource(customer: { id: string; deleted?: true }): object {
  return customer.deleted ? { id: customer.id, object: 'customer', deleted: true } : customer;
}

function toList(data: unknown[]): object {
  return { object: 'list', data, has_more: false, url: '/v1/list' };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': createId('req') });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
