import { defineEntity, p } from '@mikro-orm/core';
import { Zone } from '../../zones/entities/zone.entity.js';

/** Buyers of the product become members of the zone. A product may give access to several zones. */
export const ProductMappingSchema = defineEntity({
  name: 'ProductMapping',
  tableName: 'woocommerce_product_mappings',
  uniques: [{ name: 'product_mappings_product_id_zone_id_unique', properties: ['productId', 'zoneId'] }],
  indexes: [{ name: 'product_mappings_zone_id_index', properties: ['zoneId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    productId: p.string().length(64),
    productName: p.string().length(255),
    zoneId: () =>
      p
        .manyToOne(Zone)
        .mapToPk()
        .fieldName('zone_id')
        .deleteRule('cascade')
        .foreignKeyName('product_mappings_zone_id_foreign'),
    isActive: p.boolean().default(true),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class ProductMapping extends ProductMappingSchema.class {}
ProductMappingSchema.setClass(ProductMapping);
