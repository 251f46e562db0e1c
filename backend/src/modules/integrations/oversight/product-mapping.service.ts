import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Audit } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { foundBy, type AdminListQueryDto, type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { adminPage } from '../../../platform/http/lists/admin-page.js';
import { searchFold } from '../../../platform/text/fold.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { CreateProductMappingDto, ProductMappingDto, ZoneChoiceDto } from '../dto/product-mapping.dto.js';
import { ProductMappingSchema } from '../entities/product-mapping.entity.js';
import { integrationErrors } from '../integrations.errors.js';

type Tables = typeof ProductMappingSchema | typeof ZoneSchema | typeof UserSchema;

const sorting = {
  fields: { id: 'm.id', productId: 'm.product_id', productName: 'm.product_name', zoneName: 'z.name' },
  id: 'm.id',
};
const CHOICES = 20;

/** Which product of the shop opens which zone. */
@Injectable()
export class ProductMappingService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** Those whose zone is there, the newest first unless sorted otherwise. */
  list(list: AdminListQueryDto): Promise<AdminPage<ProductMappingDto>> {
    const matching = this.rows(list.q).clearSelect();
    return adminPage(list, sorting, { matching, rows: this.rows(), shown: (row) => row });
  }

  /**
   * @param actorId the admin
   * @throws MAPPING_ZONE_NOT_FOUND, MAPPING_EXISTS
   */
  create({ productId, productName, zoneId }: CreateProductMappingDto, actorId: number): Promise<ProductMappingDto> {
    const now = this.clock.now();
    return inTransaction(this.em, async (em) => {
      const zone = await query<Tables>(em)
        .selectFrom('zones')
        .select('id')
        .where('id', '=', zoneId)
        .where('deleted_at', 'is', null)
        .forShare()
        .executeTakeFirst();
      if (!zone) throw integrationErrors.MAPPING_ZONE_NOT_FOUND();
      const row = await query<Tables>(em)
        .insertInto('woocommerce_product_mappings')
        .values({
          product_id: productId,
          product_name: productName,
          zone_id: zoneId,
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.columns(['product_id', 'zone_id']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!row) throw integrationErrors.MAPPING_EXISTS();
      await this.audit.record(em, { type: 'mapping.created', actorId, params: { id: row.id, productId, zoneId } });
      return this.rows(undefined, em).where('m.id', '=', row.id).executeTakeFirstOrThrow();
    });
  }

  /**
   * Switches a mapping off, or on again. While it is off, orders of the product do not open the zone; who came by it
   * before stays, and refunds still take back.
   * @throws MAPPING_NOT_FOUND
   */
  switch(id: number, isActive: boolean, actorId: number): Promise<ProductMappingDto> {
    return inTransaction(this.em, async (em) => {
      const changed = await query<Tables>(em)
        .updateTable('woocommerce_product_mappings')
        .set({ is_active: isActive, updated_at: this.clock.now() })
        .where('id', '=', id)
        .where('is_active', '!=', isActive)
        .returning('id')
        .executeTakeFirst();
      if (changed) await this.audit.record(em, { type: 'mapping.switched', actorId, params: { id, isActive } });
      const row = await this.rows(undefined, em).where('m.id', '=', id).executeTakeFirst();
      if (!row) throw integrationErrors.MAPPING_NOT_FOUND();
      return row;
    });
  }

  /**
   * Ends a mapping. Who came by it stays.
   * @throws MAPPING_NOT_FOUND
   */
  remove(id: number, actorId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const row = await query<Tables>(em)
        .deleteFrom('woocommerce_product_mappings')
        .where('id', '=', id)
        .returning(['product_id as productId', 'zone_id as zoneId'])
        .executeTakeFirst();
      if (!row) throw integrationErrors.MAPPING_NOT_FOUND();
      await this.audit.record(em, { type: 'mapping.deleted', actorId, params: { id, ...row } });
    });
  }

  /** Zones to choose from, by a part of their name or their id. */
  async zones(q: string): Promise<ZoneChoiceDto[]> {
    const id = /^\d{1,15}$/.test(q) ? Number(q) : 0;
    return query<Tables>(this.em)
      .selectFrom('zones as z')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['z.id as id', 'z.name as name', 'o.email as ownerEmail', 'z.type as type'])
      .where('z.deleted_at', 'is', null)
      .where((where) => where.or([named('z.name', q), where('z.id', '=', id)]))
      .orderBy('z.name')
      .orderBy('z.id')
      .limit(CHOICES)
      .execute();
  }

  private rows(q?: string, em = this.em) {
    const all = query<Tables>(em)
      .selectFrom('woocommerce_product_mappings as m')
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .select(['m.id as id', 'm.product_id as productId', 'm.product_name as productName', 'm.zone_id as zoneId'])
      .select(['z.name as zoneName', 'm.is_active as isActive', 'm.created_at as createdAt'])
      .where('z.deleted_at', 'is', null);
    if (!q) return all;
    return all.where(({ or }) => or([named('m.product_name', q), named('m.product_id', q), named('z.name', q)]));
  }
}

/** True when the text of a column holds what is looked for, whatever the case; zones are found by an index over this. */
const named = (column: string, q: string) => sql<boolean>`${searchFold(sql.ref(column))} like ${foundBy(q)}`;
