import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import type { AppConfig } from './platform/config/app-config.js';
import type { DatabaseConnection } from './platform/database/pool/database-connection.js';
import { AppLogger } from './platform/http/observability/logging.js';
import { configureHttp } from './platform/http/configure-http.js';

/** Creates the application of this process, without listening. */
export async function createApp(config: AppConfig, connection: DatabaseConnection): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config, connection), {
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(app.get(AppLogger));
  configureHttp(app);
  return app;
}
