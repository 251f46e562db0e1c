import { createZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { WEBHOOK_SECRETS } from '../../support/webhook-deliveries.js';
import { SmtpSink } from '../../support/fakes/smtp-sink.js';
import type { World } from '../../support/world.js';
import { openWorldWithSink } from '../campaigns/campaign-helpers.js';

/**
 * Tries to use one unit of a limit.
 * @returns whether it succeeded
 */
export type Attempt = () => Promise<boolean>;

/** Creates `count` attempts at one limit, each of which succeeds while there is quota. */
export type AttemptFactory = (limits: LimitsWorld, count: number) => Promise<Attempt[]>;

export type LimitedMetric = 'zones' | 'people' | 'bytes' | 'mails';

interface ApiResponse {
  readonly status: number;
  readonly body: { readonly code?: string; readonly results?: { readonly status: string }[] };
}

const LIMIT_ERROR_CODES = ['PLAN_LIMIT', 'ZONE_FULL'];

/** The product with a super admin who sets limits, and a replaceable owner with a public zone. */
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

  /** Creates another owner with a public zone that needs no approval. */
  async createOwner(): Promise<void> {
    this.sink.decideReply = () => 'take';
    await this.world.testApp.drain();
    this.owner = await registerUser(this.world);
    await this.setLimits({});
    this.zone = await createZone(this.owner);
  }

  /** Sets individual limits; omitted ones are unlimited. */
  async setLimits(limits: Partial<Record<LimitedMetric, number>>): Promise<void> {
    const path = `/api/admin/users/${this.owner.id}/plan`;
    // A new session: those of administrators expire as the suite's clock advances, and reauthentications even sooner.
    const { email, password } = this.admin;
    await this.admin.client.post('/api/login').send({ email, password }).expect(200);
    await this.admin.client.patch(path).send({ plan: 'enterprise', limits }).expect(200);
  }

  /** Usage as shown to the owner. */
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

/** Emails count for the month they are sent in: scheduled ones must not fall into the next. */
function advanceToMidMonth({ testApp: { clock } }: World): void {
  const now = clock.now();
  clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10) - now.getTime());
}

/** Whether a request succeeded; if not, it must have failed because of a limit. */
export async function hasSucceeded(request: PromiseLike<ApiResponse>): Promise<boolean> {
  const { status, body } = await request;
  if (status < 300) return true;
  expect([status, LIMIT_ERROR_CODES.includes(body.code ?? '')]).toEqual([403, true]);
  return false;
}

/** The same for a response with one result row. */
export async function hasRowSucceeded(request: PromiseLike<ApiResponse>, successStatus: string): Promise<boolean> {
  const { status, body } = await request;
  const [row] = body.results!;
  expect([status, [successStatus, 'PLAN_LIMIT'].includes(row!.status)]).toEqual([200, true]);
  return row!.status === successStatus;
}

export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
