import { createZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { WEBHOOK_SECRETS } from '../../support/webhook-deliveries.js';
import { SmtpSink } from '../../support/fakes/smtp-sink.js';
import type { World } from '../../support/world.js';
import { openWorldWithSink } from '../campaigns/campaign-helpers.js';

/** Tries to add one more. @returns whether that came about */
export type Attempt = () => Promise<boolean>;

/** Makes that many attempts at one limit, each of which can come about while there is room. */
export type AttemptFactory = (limits: LimitsWorld, count: number) => Promise<Attempt[]>;

export type LimitedMetric = 'zones' | 'people' | 'bytes' | 'mails';

interface ApiResponse {
  readonly status: number;
  readonly body: { readonly code?: string; readonly results?: { readonly status: string }[] };
}

const LIMIT_ERROR_CODES = ['PLAN_LIMIT', 'ZONE_FULL'];

/** The product with a super admin who agrees on limits, and an owner with a public zone, who can be exchanged. */
export class LimitsWorld {
  owner: Actor;
  zone: TestZone;

  private constructor(
    readonly world: World,
    readonly sink: SmtpSink,
    readonly admin: Actor,
  ) {}

  static async open(): Promise<LimitsWorld> {
    const sink = await SmtpSink.listen();
    const world = await openWorldWithSink(sink, WEBHOOK_SECRETS);
    advanceToMidMonth(world);
    const admin = await registerUser(world);
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
    return new LimitsWorld(world, sink, admin);
  }

  /** Another owner with a zone that admits at once. */
  async createOwner(): Promise<void> {
    this.sink.decideReply = () => 'take';
    await this.world.testApp.drain();
    this.owner = await registerUser(this.world);
    await this.setLimits({});
    this.zone = await createZone(this.owner);
  }

  /** Agrees on limits; what is left out has none. */
  async setLimits(limits: Partial<Record<LimitedMetric, number>>): Promise<void> {
    const path = `/api/admin/users/${this.owner.id}/plan`;
    // A fresh session: those of administrators end when the clock of a suite goes on, and confirmations sooner.
    const { email, password } = this.admin;
    await this.admin.client.post('/api/login').send({ email, password }).expect(200);
    await this.admin.client.patch(path).send({ plan: 'enterprise', limits }).expect(200);
  }

  /** What the owner is told of a limit. */
  async readUsage(metric: LimitedMetric): Promise<{ used: number; allowed: number | null }> {
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
function advanceToMidMonth({ testApp: { clock } }: World): void {
  const now = clock.now();
  clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10) - now.getTime());
}

/** Whether a request came about; if not, it must be a limit that refused it. */
export async function hasSucceeded(request: PromiseLike<ApiResponse>): Promise<boolean> {
  const { status, body } = await request;
  if (status < 300) return true;
  expect([status, LIMIT_ERROR_CODES.includes(body.code ?? '')]).toEqual([403, true]);
  return false;
}

/** The same of the one row of an answer that has a result for each. */
export async function hasRowSucceeded(request: PromiseLike<ApiResponse>, successStatus: string): Promise<boolean> {
  const { status, body } = await request;
  const [row] = body.results!;
  expect([status, [successStatus, 'PLAN_LIMIT'].includes(row!.status)]).toEqual([200, true]);
  return row!.status === successStatus;
}

/** That many of what `make` makes. */
export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
