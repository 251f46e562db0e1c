import { createZone, register, unique, type Actor, type TestZone } from '../../support/people/actors.js';
import { deliver, order, SECRETS } from '../../support/deliveries.js';
import { World, type Mail } from '../../support/world.js';
import { confirm } from '../auth/accounts.js';

export interface Logged {
  readonly id: number;
  readonly status: string;
  readonly errorCode: string | null;
  readonly membershipCreated: boolean;
  readonly emailSent: boolean;
  readonly customerEmail: string | null;
}

export interface Opened {
  readonly id: number;
  readonly zoneId: number;
  readonly state: string;
  readonly canBeGivenBack: boolean;
}

type OrderOf = Parameters<typeof order>[0];

let nextNumber = 20_000;
/** Numbers of orders and products, each once. */
export const newNumber = () => nextNumber++;
export const newBuyer = () => `${unique('buyer')}@example.com`;

/** Two moments after the order was completed, as the shop writes them. */
export const [LATER, LATEST] = ['2026-11-02T09:00:00', '2026-11-03T09:00:00'];

/** A shop that is connected, and the super admin who looks after it. */
export class Shop {
  private constructor(
    readonly world: World,
    readonly admin: Actor,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<Shop> {
    const world = await World.open({ ...SECRETS, ...env });
    const admin = await register(world);
    await world.inside.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
    return new Shop(world, admin);
  }

  /** A private zone of an owner of its own. */
  async zone(): Promise<TestZone & { owner: Actor }> {
    const owner = await register(this.world);
    return { ...(await createZone(owner, { type: 'private' })), owner };
  }

  map(productId: number, { id }: { id: number }) {
    const mapping = { productId: String(productId), productName: 'A course', zoneId: id };
    return this.admin.client.post('/api/woocommerce/product-mappings').send(mapping).expect(201);
  }

  async unmap(productId: number): Promise<void> {
    await this.execute('delete from woocommerce_product_mappings where product_id = ?', [String(productId)]);
  }

  /** Delivers an order and has everything done that follows. */
  async send(of: OrderOf | object): Promise<void> {
    const body = 'email' in of ? order(of as OrderOf) : of;
    await deliver.woocommerce(this.world, body).expect(200, { received: true });
    await this.world.inside.drain();
  }

  async log(q: string, sender = 'woocommerce'): Promise<Logged[]> {
    const { body } = await this.admin.client.get(`/api/${sender}/webhook-logs`).query({ q }).expect(200);
    return body as Logged[];
  }

  /** What the newest delivery that is found opened. */
  async opened(q: string): Promise<Opened[]> {
    const [row] = await this.log(q);
    const { body } = await this.admin.client.get(`/api/woocommerce/webhook-logs/${row!.id}`).expect(200);
    return body.entitlements as Opened[];
  }

  async replay({ id }: { id: number }, sender = 'woocommerce'): Promise<void> {
    await this.admin.client.post(`/api/${sender}/webhook-logs/${id}/replay`).expect(200);
    await this.world.inside.drain();
  }

  takeBack({ id }: { id: number }) {
    return this.admin.client.post(`/api/woocommerce/entitlements/${id}/revoke`);
  }

  giveBack({ id }: { id: number }) {
    return this.admin.client.post(`/api/woocommerce/entitlements/${id}/restore`);
  }

  /** The plan of a zone's owner has no place left. */
  async fill({ owner }: { owner: Actor }): Promise<void> {
    await confirm(this.admin);
    await this.admin.client.patch(`/api/admin/users/${owner.id}/plan`).send({ plan: 'free' }).expect(200);
    await this.execute(`update usage set used = allowed where owner_id = ? and metric = 'people'`, [owner.id]);
  }

  async isMember(zone: { id: number }, email: string): Promise<boolean> {
    const sql = 'select 1 from zone_members where zone_id = ? and email = ?';
    return (await this.execute(sql, [zone.id, email])).length === 1;
  }

  async hasAccount(email: string): Promise<boolean> {
    return (await this.execute('select 1 from users where email = ?', [email])).length === 1;
  }

  execute(sql: string, params: unknown[] = []) {
    return this.world.inside.em().execute<Record<string, unknown>[]>(sql, params);
  }
}

/** The temporary password in a welcome mail. */
export const passwordIn = ({ text }: Mail): string => /temporary password (\S+)/.exec(text)![1]!;
