import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { sendWebhook, buildOrder, WEBHOOK_SECRETS } from '../../support/webhook-deliveries.js';
import { World, type ReceivedEmail } from '../../support/world.js';
import { reauthenticate } from '../auth/account-helpers.js';

export interface WebhookLogEntry {
  readonly id: number;
  readonly status: string;
  readonly errorCode: string | null;
  readonly membershipCreated: boolean;
  readonly emailSent: boolean;
  readonly customerEmail: string | null;
}

export interface OpenedEntitlement {
  readonly id: number;
  readonly zoneId: number;
  readonly state: string;
  readonly canBeGivenBack: boolean;
}

type OrderOptions = Parameters<typeof buildOrder>[0];

let nextId = 20_000;
/** Unique numbers for orders and products. */
export const createNumber = () => nextId++;
export const uniqueBuyerEmail = () => `${uniqueName('buyer')}@example.com`;

/** Two times after the order's completion, as WooCommerce writes them. */
export const [LATER, LATEST] = ['2026-11-02T09:00:00', '2026-11-03T09:00:00'];

/** A connected shop and the super admin who manages it. */
export class Shop {
  private constructor(
    readonly world: World,
    readonly admin: Actor,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<Shop> {
    const world = await World.open({ ...WEBHOOK_SECRETS, ...env });
    const admin = await registerUser(world);
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
    return new Shop(world, admin);
  }

  /** A private zone with its own owner. */
  async createZone(): Promise<TestZone & { owner: Actor }> {
    const owner = await registerUser(this.world);
    return { ...(await createZone(owner, { type: 'private' })), owner };
  }

  mapProduct(productId: number, { id }: { id: number }) {
    const mapping = { productId: String(productId), productName: 'A course', zoneId: id };
    return this.admin.client.post('/api/woocommerce/product-mappings').send(mapping).expect(201);
  }

  async unmapProduct(productId: number): Promise<void> {
    await this.query('delete from woocommerce_product_mappings where product_id = ?', [String(productId)]);
  }

  /** Delivers an order and runs the resulting jobs. */
  async sendOrder(options: OrderOptions | object): Promise<void> {
    const body = 'email' in options ? buildOrder(options as OrderOptions) : options;
    await sendWebhook.woocommerce(this.world, body).expect(200, { received: true });
    await this.world.testApp.drain();
  }

  async searchLog(q: string, sender = 'woocommerce'): Promise<WebhookLogEntry[]> {
    const { body } = await this.admin.client.get(`/api/${sender}/webhook-logs`).query({ q }).expect(200);
    return body as WebhookLogEntry[];
  }

  /** The entitlements granted by the newest matching delivery. */
  async listEntitlements(q: string): Promise<OpenedEntitlement[]> {
    const [row] = await this.searchLog(q);
    const { body } = await this.admin.client.get(`/api/woocommerce/webhook-logs/${row!.id}`).expect(200);
    return body.entitlements as OpenedEntitlement[];
  }

  async replayWebhook({ id }: { id: number }, sender = 'woocommerce'): Promise<void> {
    await this.admin.client.post(`/api/${sender}/webhook-logs/${id}/replay`).expect(200);
    await this.world.testApp.drain();
  }

  revokeEntitlement({ id }: { id: number }) {
    return this.admin.client.post(`/api/woocommerce/entitlements/${id}/revoke`);
  }

  restoreEntitlement({ id }: { id: number }) {
    return this.admin.client.post(`/api/woocommerce/entitlements/${id}/restore`);
  }

  /** Uses up the member quota of the zone owner's plan. */
  async exhaustPeopleLimit({ owner }: { owner: Actor }): Promise<void> {
    await reauthenticate(this.admin);
    await this.admin.client.patch(`/api/admin/users/${owner.id}/plan`).send({ plan: 'free' }).expect(200);
    await this.query(`update usage set used = allowed where owner_id = ? and metric = 'people'`, [owner.id]);
  }

  async isMember(zone: { id: number }, email: string): Promise<boolean> {
    const sql = 'select 1 from zone_members where zone_id = ? and email = ?';
    return (await this.query(sql, [zone.id, email])).length === 1;
  }

  async hasAccount(email: string): Promise<boolean> {
    return (await this.query('select 1 from users where email = ?', [email])).length === 1;
  }

  query(sql: string, params: unknown[] = []) {
    return this.world.testApp.em().execute<Record<string, unknown>[]>(sql, params);
  }
}

/** The temporary password in a welcome email. */
export const readTemporaryPassword = ({ text }: ReceivedEmail): string => /temporary password (\S+)/.exec(text)![1]!;
