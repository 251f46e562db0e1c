import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { searchPattern, type AdminListQueryDto, type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage } from '../../../platform/http/lists/admin-page.js';
import { normaliseForSearchSql } from '../../../platform/text/normalise-for-search.js';
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
const MAX_ZONE_CHOICES = 20;

/** Manages which product of the shop gives access to which zone. */
@Injectable()
export class ProductMappingService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: AuditService,
  ) {}

  /** Lists mappings whose zone exists, newest first by default. */
  listMappings(list: AdminListQueryDto): Promise<AdminPage<ProductMappingDto>> {
    const matching = this.selectMappings(list.q).clearSelect();
    return loadAdminPage(list, sorting, { filtered: matching, rows: this.selectMappings(), toRow: (row) => row });
  }

  /**
   * @param actorId the admin
   * @throws MAPPING_ZONE_NOT_FOUND, MAPPING_EXISTS
   */
  createMapping(
    { productId, productName, zoneId }: CreateProductMappingDto,
    actorId: number,
  ): Promise<ProductMappingDto> {
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
      return this.selectMappings(undefined, em).where('m.id', '=', row.id).executeTakeFirstOrThrow();
    });
  }

  /**
   * Enables or disables a mapping. While it is disabled, new orders of the product give no access. Existing members
   * stay, and refunds still revoke access.
   * @throws MAPPING_NOT_FOUND
   */
  setMappingActive(id: number, isActive: boolean, actorId: number): Promise<ProductMappingDto> {
    return inTransaction(this.em, async (em) => {
      const changed = await query<Tables>(em)
        .updateTable('woocommerce_product_mappings')
        .set({ is_active: isActive, updated_at: this.clock.now() })
        .where('id', '=', id)
        .where('is_active', '!=', isActive)
        .returning('id')
        .executeTakeFirst();
      if (changed) await this.audit.record(em, { type: 'mapping.switched', actorId, params: { id, isActive } });
      const row = await this.selectMappings(undefined, em).where('m.id', '=', id).executeTakeFirst();
      if (!row) throw integrationErrors.MAPPING_NOT_FOUND();
      return row;
    });
  }

  /**
   * Deletes a mapping. Existing members stay.
   * @throws MAPPING_NOT_FOUND
   */
  deleteMapping(id: number, actorId: number): Promise<void> {
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

  /** Searches zones by a part of their name or by id. */
  async searchZones(q: string): Promise<ZoneChoiceDto[]> {
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
