import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { LocalizedText } from '../../../platform/errors/app-error.js';
import { ZoneUsePort, type ZoneUseSource } from '../../zones/zone/zone-use.port.js';
import { ProductMappingRepository } from './product-mapping.repository.js';

/** Reports which integrations give access to a zone, so that people are warned before deleting it. */
@Injectable()
export class IntegrationZoneUseService implements ZoneUseSource, OnModuleInit {
  constructor(
    private readonly port: ZoneUsePort,
    private readonly config: AppConfig,
    private readonly mappings: ProductMappingRepository,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  /** Returns the premium service, and the shop's products with an active mapping. */
  async findZoneUses(em: EntityManager, zoneId: number): Promise<LocalizedText[]> {
    const uses: LocalizedText[] = [];
    if (this.config.integrations.premiumZoneId === zoneId) {
      uses.push({ en: 'the premium service (ACEDUMY_ZONE_ID)', tr: 'premium hizmet (ACEDUMY_ZONE_ID)' });
    }
    const count = await this.mappings.countActiveMappings(em, zoneId);
    if (count > 0) {
      uses.push({
        en: count === 1 ? '1 shop product' : `${count} shop products`,
        tr: `${count} mağaza ürünü`,
      });
    }
    return uses;
  }
}
