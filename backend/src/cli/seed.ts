import '../process/require-node.js';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { AppConfig } from '../platform/config/app-config.js';
import { connectionFromUrl, type DatabaseConnection } from '../platform/database/pool/database-connection.js';
import { EmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.js';
import { findRunningServer } from '../platform/database/embedded/running-server.js';
import { migrate } from '../platform/database/schema/migrate.js';
import { runCommand } from './backup/run-command.js';
import { Demo, DEMO_PASSWORD } from './seed/demo.js';

/** `npm run seed`: fills the database with demo data, while the app is running or not. */
await runCommand(async () => {
  const config = AppConfig.from({ ...process.env, ROLE: 'web', LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' });
  if (config.databaseUrl) return seedDatabase(config, connectionFromUrl(config.databaseUrl));
  const running = findRunningServer(config.dataDir);
  if (running) return seedDatabase(config, running);
  const postgres = new EmbeddedPostgres({ dataDir: config.dataDir });
  try {
    await seedDatabase(config, await postgres.start());
  } finally {
    await postgres.stop();
  }
});

async function seedDatabase(config: AppConfig, connection: DatabaseConnection): Promise<void> {
  await migrate(connection);
  const app = await NestFactory.createApplicationContext(AppModule.with(config, connection), { logger: ['error'] });
  const demo = new Demo(app);
  if (await demo.isSeeded()) console.log('The demo data already exists.');
  else
    console.log(`Demo data created. Sign in as ${(await demo.seed()).join(', ')} with the password: ${DEMO_PASSWORD}`);
  await app.close();
}
