import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { CreateProductMappingDto, ProductMappingDto } from '../dto/product-mapping.dto.js';
import { integrationErrors } from '../integrations.errors.js';
import { ProductMappingRepository } from './product-mapping.repository.js';

/** Manages which product of the shop gives access to which zone. */
@Injectable()
export class ProductMappingService {
  constructor(
    private readonly em: EntityManager,
    private readonly mappings: ProductMappingRepository,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * @param actorId the admin
   * @throws MAPPING_ZONE_NOT_FOUND, MAPPING_EXISTS
   */
  createMapping(mapping: CreateProductMappingDto, actorId: number): Promise<ProductMappingDto> {
    const { productId, zoneId } = mapping;
    return inTransaction(this.em, async (em) => {
      if (!(await this.mappings.lockZone(em, zoneId))) throw integrationErrors.MAPPING_ZONE_NOT_FOUND();
      const id = await this.mappings.insertMapping(em, mapping);
      if (id === null) throw integrationErrors.MAPPING_EXISTS();
      await this.audit.record(em, { type: 'mapping.created', actorId, params: { id, productId, zoneId } });
      return this.getMapping(em, id);
    });
  }

  /**
   * Enables or disables a mapping. While it is disabled, new orders of the product give no access. Existing members
   * stay, and refunds still revoke access.
   * @throws MAPPING_NOT_FOUND
   */
  setMappingActive(id: number, isActive: boolean, actorId: number): Promise<ProductMappingDto> {
    return inTransaction(this.em, async (em) => {
      const isChanged = await this.mappings.setActive(em, id, isActive);
      if (isChanged) await this.audit.record(em, { type: 'mapping.switched', actorId, params: { id, isActive } });
      return this.getMapping(em, id);
    });
  }

  /**
   * Deletes a mapping. Existing members stay.
   * @throws MAPPING_NOT_FOUND
   */
  deleteMapping(id: number, actorId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const deleted = await this.mappings.deleteMapping(em, id);
      if (!deleted) throw integrationErrors.MAPPING_NOT_FOUND();
      await this.audit.record(em, { type: 'mapping.deleted', actorId, params: { id, ...deleted } });
    });
  }

  private async getMapping(em: EntityManager, id: number): Promise<ProductMappingDto> {
    const mapping = await this.mappings.findMapping(em, id);
    if (!mapping) throw integrationErrors.MAPPING_NOT_FOUND();
    return mapping;
  }
}
