import { createZone, people, type Actor, type TestZone } from '../../support/people/actors.js';
import { deliver, order } from '../../support/deliveries.js';
import type { World } from '../../support/world.js';
import { addMembers, wording } from '../campaigns/campaigns-world.js';
import { ADD, fileOf, sendFile } from '../zones/import-world.js';
import { newNumber } from '../integrations/shop-world.js';

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An answer that nobody should get because others do something at the same time. */
export interface Fault {
  readonly what: string;
  readonly status: number;
  readonly body: unknown;
}

/** How much meets in a run. */
export interface CrossingSize {
  readonly owners: number;
  readonly zonesOfEach: number;
  /** People who have accounts, and others whom only files and shops name; all of them in several zones of each owner. */
  readonly readers: number;
  readonly named: number;
  /** How many do something at the same time, and how often. */
  readonly hands: number;
  readonly steps: number;
}

/** A zone, or a campaign, with whose it is. */
type Of<T> = T & { readonly owner: Actor };

type Answer = { status: number; body: { code?: string } };

/**
 * The zones of some owners, to which everything happens at once that touches the same people: imports, deletions, campaigns,
 * joins, purchases, leaving, invitations, closed accounts, with workers beside them. What each hand does comes from the seed.
 */
export class CrossingRun {
  readonly faults: Fault[] = [];
  private readonly chance: () => number;
  private owners: Actor[] = [];
  private readers: Actor[] = [];
  private named: string[] = [];
  private zones: Of<TestZone>[] = [];
  private campaigns: Of<{ id: number }>[] = [];
  private products = new Map<number, number>();
  private working = true;

  constructor(
    private readonly world: World,
    private readonly shopkeeper: Actor,
    private readonly size: CrossingSize,
    seed: number,
  ) {
    this.chance = chanceOf(seed);
  }

  get ownerIds(): number[] {
    return this.owners.map(({ id }) => id);
  }

  async run(): Promise<void> {
    await this.prepare();
    const workers = [this.work(), this.work()];
    await Promise.all(Array.from({ length: this.size.hands }, () => this.hand()));
    this.working = false;
    await Promise.all(workers);
    await this.world.inside.drain();
  }

  private async prepare(): Promise<void> {
    const { owners, readers, zonesOfEach, named } = this.size;
    const everybody = await people(this.world, owners + readers);
    this.owners = everybody.slice(0, owners);
    this.readers = everybody.slice(owners);
    for (const owner of this.owners) {
      await this.world.inside.em().execute(`update users set plan = 'enterprise' where id = ?`, [owner.id]);
      for (let count = 0; count < zonesOfEach; count++) await this.openZone(owner);
    }
    const [first] = this.zones as [Of<TestZone>];
    this.named = await addMembers(this.world, first, named);
    await this.world.inside.em().execute(
      `insert into usage (owner_id, metric, period, used, allowed) values (?, 'people', '', ?, null)
       on conflict (owner_id, metric, period) do update set used = usage.used + excluded.used`,
      [first.owner.id, named],
    );
    await this.newCampaign();
  }

  private async openZone(owner: Actor): Promise<void> {
    const zone = await createZone(owner);
    const product = newNumber();
    const mapping = { productId: String(product), productName: 'A course', zoneId: zone.id };
    await this.shopkeeper.client.post('/api/woocommerce/product-mappings').send(mapping).expect(201);
    this.products.set(zone.id, product);
    this.zones.push({ ...zone, owner });
  }

  private async work(): Promise<void> {
    while (this.working) {
      await this.world.inside.drain();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  private async hand(): Promise<void> {
    const deeds = [
      () => this.import(),
      () => this.import(),
      () => this.deleteZone(),
      () => this.join(),
      () => this.leave(),
      () => this.buy(),
      () => this.newCampaign(),
      () => this.campaignDeed('send'),
      () => this.campaignDeed('send'),
      () => this.campaignDeed('cancel'),
      () => this.campaignDeed('retry-failed'),
      () => this.campaignDeed('pause'),
      () => this.invite(),
      () => this.removeMember(),
      () => this.closeAccount(),
    ];
    for (let step = 0; step < this.size.steps; step++) await this.pick(deeds)();
  }

  private pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.chance() * from.length)]!;
  }

  private some(from: readonly string[]): string[] {
    const mixed = from.map((one) => [this.chance(), one] as const).sort(([a], [b]) => a - b);
    return mixed.slice(0, 1 + Math.floor(this.chance() * from.length)).map(([, one]) => one);
  }

  /** Refusals that tell how things stand are right; a fault, which "try again" is here, is not. */
  private judge(what: string, { status, body }: Answer): void {
    if (status >= 500) this.faults.push({ what, status, body });
  }

  private async import(): Promise<void> {
    const file = fileOf(this.some([...this.named, ...this.readers.map(({ email }) => email)]));
    const zone = this.pick(this.zones);
    this.judge('import', await sendFile(zone.owner.client, zone, file, ADD));
  }

  private async deleteZone(): Promise<void> {
    if (this.zones.length < 3) return this.openZone(this.pick(this.owners));
    const [zone] = this.zones.splice(Math.floor(this.chance() * this.zones.length), 1);
    this.judge(
      'delete zone',
      await zone!.owner.client.delete(`/api/zones/${zone!.id}`).send({ confirmName: zone!.name }),
    );
  }

  private async join(): Promise<void> {
    const reader = this.pick(this.readers);
    const path = `/api/public-zones/${this.pick(this.zones).publicLink}/join`;
    this.judge('join', await reader.client.post(path).send({ email: reader.email, emailConsent: true }));
  }

  private async leave(): Promise<void> {
    const reader = this.pick(this.readers);
    this.judge('leave', await reader.client.post(`/api/zones/${this.pick(this.zones).id}/leave`).send({}));
  }

  private async buy(): Promise<void> {
    const product = this.products.get(this.pick(this.zones).id)!;
    const status = this.chance() < 0.7 ? 'completed' : 'refunded';
    const of = { id: newNumber(), email: this.pick(this.named), products: [product], status };
    this.judge('buy', await deliver.woocommerce(this.world, order(of)));
  }

  private async newCampaign(): Promise<void> {
    const { id, owner } = this.pick(this.zones);
    const answer = await owner.client.post(`/api/zones/${id}/campaigns`).send(wording());
    this.judge('write campaign', answer);
    if (answer.status === 201) this.campaigns.push({ id: Number(answer.body.id), owner });
  }

  private async campaignDeed(deed: 'send' | 'cancel' | 'retry-failed' | 'pause'): Promise<void> {
    const { id, owner } = this.pick(this.campaigns);
    this.judge(deed, await owner.client.post(`/api/campaigns/${id}/${deed}`).send({}));
  }

  private async invite(): Promise<void> {
    const emails = this.some(this.named).slice(0, 10);
    const { id, owner } = this.pick(this.zones);
    this.judge('invite', await owner.client.post(`/api/zones/${id}/invite`).send({ emails }));
  }

  private async removeMember(): Promise<void> {
    const { id, owner } = this.pick(this.zones);
    const path = `/api/zones/${id}/members/${this.pick(this.readers).id}`;
    this.judge('remove member', await owner.client.delete(path));
  }

  private async closeAccount(): Promise<void> {
    if (this.readers.length < 2 || this.chance() < 0.5) return;
    const [reader] = this.readers.splice(Math.floor(this.chance() * this.readers.length), 1);
    const { client, password } = reader!;
    this.judge('close account', await client.delete('/api/user').send({ password }));
  }
}
