import '../process/require-node.js';
import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { AppConfig } from '../platform/config/app-config.js';
import { openApiDocument } from '../platform/http/openapi.js';

/**
 * Writes the OpenAPI document to openapi.json, or to the file given as first argument. Needs no database connection.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-openapi-'));
const config = AppConfig.from({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
const unusedDatabase = { host: dataDir, port: 5432, user: 'nobody', database: 'none' };
const app = await NestFactory.create(AppModule.with(config, unusedDatabase), { preview: true, logger: false });
const document = openApiDocument(app);
writeFileSync(process.argv[2] ?? 'openapi.json', `${JSON.stringify(document, null, 2)}\n`);
rmSync(dataDir, { recursive: true });
process.exit(0);
