import { createZone, registerUsers, type Actor, type TestZone } from '../../support/people/actors.js';
import { sendWebhook, buildOrder } from '../../support/webhook-deliveries.js';
import type { World } from '../../support/world.js';
import { insertMembers, campaignContent } from '../campaigns/campaign-helpers.js';
import { ADD_MODE, toCsv, postImport } from '../zones/import-helpers.js';
import { createNumber } from '../integrations/shop.js';

/** Pseudorandom numbers from 0 to 1 by seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A response that concurrency alone must not cause. */
export interface UnexpectedFailure {
  readonly action: string;
  readonly status: number;
  readonly body: unknown;
}

/** Size of a run. */
export interface ConcurrencySize {
  readonly owners: number;
  readonly zonesPerOwner: number;
  /**
   * Users with accounts, and people known only by email from files and shops; all are in several zones of each owner.
   */
  readonly members: number;
  readonly emailOnlyPeople: number;
  /** Number of concurrent actors, and steps of each. */
  readonly parallelActors: number;
  readonly stepsPerActor: number;
}

/** A zone or campaign with its owner. */
type Owned<T> = T & { readonly owner: Actor };

type ApiResponse = { status: number; body: { code?: string } };

/**
 * Zones of a few owners, with concurrent operations on the same people: imports, deletions, campaigns, joins,
 * purchases, leaving, invitations and account deletions, with workers running concurrently. The seed determines each
 * actor's steps.
 */
export class ConcurrencyRun {
  readonly failures: UnexpectedFailure[] = [];
  private readonly random: () => number;
  private owners: Actor[] = [];
  private members: Actor[] = [];
  private emailOnlyPeople: string[] = [];
  private zones: Owned<TestZone>[] = [];
  private campaigns: Owned<{ id: number }>[] = [];
  private productIds = new Map<number, number>();
  private isRunning = true;

  constructor(
    private readonly world: World,
    private readonly shopAdmin: Actor,
    private readonly size: ConcurrencySize,
    seed: number,
  ) {
    this.random = seededRandom(seed);
  }

  get ownerIds(): number[] {
    return this.owners.map(({ id }) => id);
  }

  async run(): Promise<void> {
    await this.prepare();
    const workers = [this.runWorker(), this.runWorker()];
    await Promise.all(Array.from({ length: this.size.parallelActors }, () => this.runActor()));
    this.isRunning = false;
    await Promise.all(workers);
    await this.world.testApp.drain();
  }

  private async prepare(): Promise<void> {
    const { owners, members, zonesPerOwner, emailOnlyPeople } = this.size;
    const actors = await registerUsers(this.world, owners + members);
    this.owners = actors.slice(0, owners);
    this.members = actors.slice(owners);
    for (const owner of this.owners) {
      await this.world.testApp.em().execute(`update users set plan = 'enterprise' where id = ?`, [owner.id]);
      for (let count = 0; count < zonesPerOwner; count++) await this.createMappedZone(owner);
    }
    const [first] = this.zones as [Owned<TestZone>];
    this.emailOnlyPeople = await insertMembers(this.world, first, emailOnlyPeople);
    await this.world.testApp.em().execute(
      `insert into usage (owner_id, metric, period, used, allowed) values (?, 'people', '', ?, null)
       on conflict (owner_id, metric, period) do update set used = usage.used + excluded.used`,
      [first.owner.id, emailOnlyPeople],
    );
    await this.createCampaign();
  }

  private async createMappedZone(owner: Actor): Promise<void> {
    const zone = await createZone(owner);
    const product = createNumber();
    const mapping = { productId: String(product), productName: 'A course', zoneId: zone.id };
    await this.shopAdmin.client.post('/api/woocommerce/product-mappings').send(mapping).expect(201);
    this.productIds.set(zone.id, product);
    this.zones.push({ ...zone, owner });
  }

  private async runWorker(): Promise<void> {
    while (this.isRunning) {
      await this.world.testApp.drain();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  private async runActor(): Promise<void> {
    const actions = [
      () => this.importMembers(),
      () => this.importMembers(),
      () => this.deleteZone(),
      () => this.joinZone(),
      () => this.leaveZone(),
      () => this.purchase(),
      () => this.createCampaign(),
      () => this.changeCampaign('send'),
      () => this.changeCampaign('send'),
      () => this.changeCampaign('cancel'),
      () => this.changeCampaign('retry-failed'),
      () => this.changeCampaign('pause'),
      () => this.inviteMembers(),
      () => this.removeMember(),
      () => this.closeAccount(),
    ];
    for (let step = 0; step < this.size.stepsPerActor; step++) await this.pick(actions)();
  }

  private pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)]!;
  }

  private pickSome(from: readonly string[]): string[] {
    const shuffled = from.map((item) => [this.random(), item] as const).sort(([a], [b]) => a - b);
    return shuffled.slice(0, 1 + Math.floor(this.random() * from.length)).map(([, one]) => one);
  }

  /** Errors that describe the current state are correct; server errors, including "try again", are not. */
  private recordFailure(action: string, { status, body }: ApiResponse): void {
    if (status >= 500) this.failures.push({ action, status, body });
  }

  private async importMembers(): Promise<void> {
    const file = toCsv(this.pickSome([...this.emailOnlyPeople, ...this.members.map(({ email }) => email)]));
    const zone = this.pick(this.zones);
    this.recordFailure('import', await postImport(zone.owner.client, zone, file, ADD_MODE));
  }

  private async deleteZone(): Promise<void> {
    if (this.zones.length < 3) return this.createMappedZone(this.pick(this.owners));
    const [zone] = this.zones.splice(Math.floor(this.random() * this.zones.length), 1);
    this.recordFailure(
      'delete zone',
      await zone!.owner.client.delete(`/api/zones/${zone!.id}`).send({ confirmName: zone!.name }),
    );
  }

  private async joinZone(): Promise<void> {
    const member = this.pick(this.members);
    const path = `/api/public-zones/${this.pick(this.zones).publicLink}/join`;
    this.recordFailure('join', await member.client.post(path).send({ email: member.email, emailConsent: true }));
  }

  private async leaveZone(): Promise<void> {
    const member = this.pick(this.members);
    this.recordFailure('leave', await member.client.post(`/api/zones/${this.pick(this.zones).id}/leave`).send({}));
  }

  private async purchase(): Promise<void> {
    const product = this.productIds.get(this.pick(this.zones).id)!;
    const status = this.random() < 0.7 ? 'completed' : 'refunded';
    const orderOptions = { id: createNumber(), email: this.pick(this.emailOnlyPeople), products: [product], status };
    this.recordFailure('buy', await sendWebhook.woocommerce(this.world, buildOrder(orderOptions)));
  }

  private async createCampaign(): Promise<void> {
    const { id, owner } = this.pick(this.zones);
    const response = await owner.client.post(`/api/zones/${id}/campaigns`).send(campaignContent());
    this.recordFailure('write campaign', response);
    if (response.status === 201) this.campaigns.push({ id: Number(response.body.id), owner });
  }

  private async changeCampaign(action: 'send' | 'cancel' | 'retry-failed' | 'pause'): Promise<void> {
    const { id, owner } = this.pick(this.campaigns);
    this.recordFailure(action, await owner.client.post(`/api/campaigns/${id}/${action}`).send({}));
  }

  private async inviteMembers(): Promise<void> {
    const emails = this.pickSome(this.emailOnlyPeople).slice(0, 10);
    const { id, owner } = this.pick(this.zones);
    this.recordFailure('invite', await owner.client.post(`/api/zones/${id}/invite`).send({ emails }));
  }

  private async removeMember(): Promise<void> {
    const { id, owner } = this.pick(this.zones);
    const path = `/api/zones/${id}/members/${this.pick(this.members).id}`;
    this.recordFailure('remove member', await owner.client.delete(path));
  }

  private async closeAccount(): Promise<void> {
    if (this.members.length < 2 || this.random() < 0.5) return;
    const [member] = this.members.splice(Math.floor(this.random() * this.members.length), 1);
    const { client, password } = member!;
    this.recordFailure('close account', await client.delete('/api/user').send({ password }));
  }
}
