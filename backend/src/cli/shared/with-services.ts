import { RequestContext } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import type { AppConfig } from '../../platform/config/app-config.js';
import type { DatabaseConnection } from '../../platform/database/pool/database-connection.js';

/**
 * Runs `work` with the services of the product, without serving requests or running jobs. Loading them takes a second
 * or more, so a command checks its arguments first.
 */
export async function withServices<T>(
  config: AppConfig,
  connection: DatabaseConnection,
  work: (services: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const [{ NestFactory }, { AppModule }] = await Promise.all([import('@nestjs/core'), import('../../app.module.js')]);
  const options = { logger: ['error'] as ['error'], abortOnError: false };
  const app = await NestFactory.createApplicationContext(AppModule.with(config, connection), options);
  try {
    return await RequestContext.create(app.get(MikroORM).em, () => work(app));
  } finally {
    await app.close();
  }
}
