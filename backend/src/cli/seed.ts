import '../process/require-node.js';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { AppConfig } from '../platform/config/app-config.js';
import { connectionFromUrl, type DatabaseConnection } from '../platform/database/pool/database-connection.js';
import { EmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.js';
import { findRunningServer } from '../platform/database/embedded/running-server.js';
import { migrate } from '../platform/database/schema/migrate.js';
import { withClient } from '../platform/database/pool/with-client.js';
import { newToken } from '../platform/security/secrets.js';
import { CommandError, runCommand } from './backup/run-command.js';
import { Demo } from './seed/demo.js';
import { findSeedObstacle } from './seed/seed-obstacle.js';

/** Characters of the password of the demo accounts. */
const PASSWORD_LENGTH = 16;

/** `npm run seed`: fills an installation without accounts with demo data, while the app is running or not. */
await runCommand(async () => {
  if (process.argv.length > 2)
    throw new CommandError(
      'npm run seed takes no arguments. It fills an installation without accounts with demo data.',
    );
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
  const obstacle = await withClient(connection, (client) => findSeedObstacle(client, config.appUrl));
  if (obstacle !== null) throw new CommandError(obstacle);
  await migrate(connection);
  const app = await NestFactory.createApplicationContext(AppModule.with(config, connection), { logger: ['error'] });
  const password = newToken().slice(0, PASSWORD_LENGTH);
  const emails = await new Demo(app).seed(password);
  console.log(`Demo data created. Sign in as ${emails.join(', ')} with the password: ${password}`);
  await app.close();
}
