import { createZone, register, type Actor, type TestZone } from '../../support/people/actors.js';
import { SECRETS } from '../../support/deliveries.js';
import { MailSink } from '../../support/fakes/mail-sink.js';
import type { World } from '../../support/world.js';
import { openSinkWorld } from '../campaigns/campaigns-world.js';

/** Tries to add one more. @returns whether that came about */
export type Attempt = () => Promise<boolean>;

/** Makes that many attempts at one limit, each of which can come about while there is room. */
export type Way = (limits: LimitsWorld, count: number) => Promise<Attempt[]>;

export type LimitedMetric = 'zones' | 'people' | 'bytes' | 'mails';

interface Answer {
  readonly status: number;
  readonly body: { readonly code?: string; readonly results?: { readonly status: string }[] };
}

const refusals = ['PLAN_LIMIT', 'ZONE_FULL'];

/** The product with a super admin who agrees on limits, and an owner with a public zone, who can be exchanged. */
export class LimitsWorld {
  owner: Actor;
  zone: TestZone;

  private constructor(
    readonly world: World,
    readonly sink: MailSink,
    readonly admin: Actor,
  ) {}

  static async open(): Promise<LimitsWorld> {
    const sink = await MailSink.listen();
    const world = await openSinkWorld(sink, SECRETS);
    toTheMiddleOfAMonth(world);
    const admin = await register(world);
    await world.inside.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
    return new LimitsWorld(world, sink, admin);
  }

  /** Another owner with a zone that admits at once. */
  async renew(): Promise<void> {
    this.sink.answer = () => 'take';
    await this.world.inside.drain();
    this.owner = await register(this.world);
    await this.allow({});
    this.zone = await createZone(this.owner);
  }

  /** Agrees on limits; what is left out has none. */
  async allow(limits: Partial<Record<LimitedMetric, number>>): Promise<void> {
    const path = `/api/admin/users/${this.owner.id}/plan`;
    // A fresh session: those of administrators end when the clock of a suite goes on, and confirmations sooner.
    const { email, password } = this.admin;
    await this.admin.client.post('/api/login').send({ email, password }).expect(200);
    await this.admin.client.patch(path).send({ plan: 'enterprise', limits }).expect(200);
  }

  /** What the owner is told of a limit. */
  async usage(metric: LimitedMetric): Promise<{ used: number; allowed: number | null }> {
    const { body } = await this.owner.client.get('/api/user/usage').expect(200);
    const rows = body as { metric: string; used: number; allowed: number | null }[];
    const { used, allowed } = rows.find((row) => row.metric === metric)!;
    return { used, allowed };
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.sink.stop();
  }
}

/** Mails count for the month in which they go out: what is scheduled ahead must not come into the next one. */
function toTheMiddleOfAMonth({ inside: { clock } }: World): void {
  const now = clock.now();
  clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10) - now.getTime());
}

/** Whether a request came about; if not, it must be a limit that refused it. */
export async function cameAbout(request: PromiseLike<Answer>): Promise<boolean> {
  const { status, body } = await request;
  if (status < 300) return true;
  expect([status, refusals.includes(body.code ?? '')]).toEqual([403, true]);
  return false;
}

/** The same of the one row of an answer that has a result for each. */
export async function rowCameAbout(request: PromiseLike<Answer>, good: string): Promise<boolean> {
  const { status, body } = await request;
  const [row] = body.results!;
  expect([status, [good, 'PLAN_LIMIT'].includes(row!.status)]).toEqual([200, true]);
  return row!.status === good;
}

/** That many of what `make` makes. */
export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
