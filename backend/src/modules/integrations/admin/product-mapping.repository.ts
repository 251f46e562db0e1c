import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { searchPattern, type AdminListQueryDto, type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage } from '../../../platform/http/lists/admin-page.js';
import { normaliseForSearchSql } from '../../../platform/text/normalise-for-search.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { CreateProductMappingDto, ProductMappingDto, ZoneChoiceDto } from '../dto/product-mapping.dto.js';
import type { ProductMappingSchema } from '../entities/product-mapping.entity.js';

type Tables = typeof ProductMappingSchema | typeof ZoneSchema | typeof UserSchema;

const sorting = {
  fields: { id: 'm.id', productId: 'm.product_id', productName: 'm.product_name', zoneName: 'z.name' },
  id: 'm.id',
};
const MAX_ZONE_CHOICES = 20;

/** Which product of the shop gives access to which zone. */
@Injectable()
export class ProductMappingRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Lists mappings whose zone exists, newest first by default. */
  findAdminPage(list: AdminListQueryDto): Promise<AdminPage<ProductMappingDto>> {
    const matching = this.selectMappings(list.q).clearSelect();
    return loadAdminPage(list, sorting, { filtered: matching, rows: this.selectMappings(), toRow: (row) => row });
  }

  async findMapping(em: EntityManager, id: number): Promise<ProductMappingDto | null> {
    const row = await this.selectMappings(undefined, em).where('m.id', '=', id).executeTakeFirst();
    return row ?? null;
  }

  /** @returns the new mapping's id; null if the product is mapped to the zone already */
  async insertMapping(
    em: EntityManager,
    { productId, productName, zoneId }: CreateProductMappingDto,
  ): Promise<number | null> {
    const now = this.clock.now();
    const row = await query<Tables>(em)
      .insertInto('woocommerce_product_mappings')
      .values({ product_id: productId, product_name: productName, zone_id: zoneId, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.columns(['product_id', 'zone_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    return row?.id ?? null;
  }

  /** @returns false if nothing has changed */
  async setActive(em: EntityManager, id: number, isActive: boolean): Promise<boolean> {
    const changed = await query<Tables>(em)
      .updateTable('woocommerce_product_mappings')
      .set({ is_active: isActive, updated_at: this.clock.now() })
      .where('id', '=', id)
      .where('is_active', '!=', isActive)
      .returning('id')
      .executeTakeFirst();
    return changed !== undefined;
  }

  /** @returns the deleted mapping, or null */
  async deleteMapping(em: EntityManager, id: number): Promise<{ productId: string; zoneId: number } | null> {
    const row = await query<Tables>(em)
      .deleteFrom('woocommerce_product_mappings')
      .where('id', '=', id)
      .returning(['product_id as productId', 'zone_id as zoneId'])
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the zones to which active mappings of the products give access, in the order of the mappings. */
  findMappedZones(productIds: readonly string[]): Promise<{ productId: string; zoneId: number }[]> {
    return query<Tables>(this.em)
      .selectFrom('woocommerce_product_mappings')
      .select(['product_id as productId', 'zone_id as zoneId'])
      .where('product_id', 'in', productIds)
      .where('is_active', '=', true)
      .orderBy('id')
      .execute();
  }

  async countActiveMappings(em: EntityManager, zoneId: number): Promise<number> {
    const { count } = await query<Tables>(em)
      .selectFrom('woocommerce_product_mappings')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('zone_id', '=', zoneId)
      .where('is_active', '=', true)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Locks a zone against deletion until the commit. @returns false if it doesn't exist */
  async lockZone(em: EntityManager, zoneId: number): Promise<boolean> {
    const zone = await query<Tables>(em)
      .selectFrom('zones')
      .select('id')
      .where('id', '=', zoneId)
      .where('deleted_at', 'is', null)
      .forShare()
      .executeTakeFirst();
    return zone !== undefined;
  }

  /** Searches zones by a part of their name or by id. */
  searchZones(q: string): Promise<ZoneChoiceDto[]> {
    const id = /^\d{1,15}$/.test(q) ? Number(q) : 0;
    return query<Tables>(this.em)
      .selectFrom('zones as z')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['z.id as id', 'z.name as name', 'o.email as ownerEmail', 'z.type as type'])
      .where('z.deleted_at', 'is', null)
      .where((where) => where.or([containsTextSql('z.name', q), where('z.id', '=', id)]))
      .orderBy('z.name')
      .orderBy('z.id')
      .limit(MAX_ZONE_CHOICES)
      .execute();
  }

  private selectMappings(q?: string, em = this.em) {
    const all = query<Tables>(em)
      .selectFrom('woocommerce_product_mappings as m')
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .select(['m.id as id', 'm.product_id as productId', 'm.product_name as productName', 'm.zone_id as zoneId'])
      .select(['z.name as zoneName', 'm.is_active as isActive', 'm.created_at as createdAt'])
      .where('z.deleted_at', 'is', null);
    if (!q) return all;
    return all.where(({ or }) =>
      or([containsTextSql('m.product_name', q), containsTextSql('m.product_id', q), containsTextSql('z.name', q)]),
    );
  }
}

/** True when a column contains the text, ignoring case; for zone names there is an index on this expression. */
const containsTextSql = (column: string, q: string) =>
  sql<boolean>`${normaliseForSearchSql(sql.ref(column))} like ${searchPattern(q)}`;
