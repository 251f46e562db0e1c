import '../process/require-node.js';
import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { MikroORM } from '@mikro-orm/postgresql';
import { SystemClock } from '../platform/clock/clock.js';
import { AppConfig } from '../platform/config/app-config.js';
import { readVariables } from '../platform/config/read-variables.js';
import { misspelledVariableMessage, findMisspelledVariables } from '../platform/config/misspelled-variables.js';
import type { DatabaseConnection } from '../platform/database/pool/database-connection.js';
import { checkSchemaVersion } from '../platform/database/schema/check-schema-version.js';
import { ormOptions } from '../platform/database/orm-options.js';
import { InstallationRepository } from '../platform/installation/installation.repository.js';
import { readStoredSettings } from '../platform/installation/read-stored-settings.js';
import { DiskProbe, DiskReserve } from '../platform/storage/disk-reserve.js';
import { ReferencedObjects } from '../platform/storage/ownership/referenced-objects.js';
import { StorageOwnershipGuard } from '../platform/storage/ownership/storage-ownership-guard.js';
import { explainWrongUrl } from '../platform/storage/move/current-storage.js';
import { StorageMoveRepository, type StorageMoveRow } from '../platform/storage/move/storage-move.repository.js';
import { createStorageDriver } from '../platform/storage/storage-drivers.js';
import { describeStartupError } from '../process/describe-startup-error.js';
import { withDatabase } from './backup/with-database.js';
import { withClient } from '../platform/database/pool/with-client.js';
import { checkDatabase } from './doctor/check-database.js';
import { checkEmail } from './doctor/check-email.js';
import { checkAddress, checkRedis, checkSecrets, checkWorkers, findPorts } from './doctor/check-environment.js';
import { assertInstallationExists } from './doctor/assert-installation-exists.js';
import { checkDirectUploads } from './doctor/check-direct-uploads.js';
import { checkSendfile } from './doctor/check-sendfile.js';
import { checkStorage } from './doctor/check-storage.js';
import { createFindings, type Finding } from './doctor/finding.js';

const LEVEL_LABELS = { ok: 'ok  ', warn: 'warn', bad: 'BAD ' } as const;

/**
 * `npm run doctor`: checks everything the app needs without changing anything; exits with code 1 when something is bad.
 */
let exitCode = 0;
let ports: readonly number[] = [];
const printFindings = (all: readonly Finding[]) => {
  for (const { part, level, sentence } of all) {
    console.log(`${LEVEL_LABELS[level]}  ${part.padEnd(9)}  ${sentence}`);
    if (level === 'bad') exitCode = 1;
  }
};

try {
  printFindings(
    findMisspelledVariables(process.env).map((variable) =>
      createFindings('variables').warn(misspelledVariableMessage(variable)),
    ),
  );
  assertInstallationExists(readVariables(process.env));
  const config = AppConfig.from(process.env);
  printFindings([createFindings('variables').ok('All variables are valid.')]);
  try {
    await withDatabase(config, true, async (connection) => {
      await checkDatabaseParts(config, connection);
      config.applyInitialSettings(await readStoredSettings(connection));
      printFindings(await checkDirectUploads(await createStorageDriver(config), new URL(config.appUrl).origin));
    });
  } catch (error) {
    printFindings([createFindings('database').bad(describeStartupError(error).split('\n')[0]!)]);
  }
  printFindings(await checkEmail(config));
  printFindings(await checkRedis(config));
  printFindings(await checkAddress(config, ports));
} catch (error) {
  printFindings([createFindings('variables').bad(describeStartupError(error))]);
}
process.exit(exitCode);

async function checkDatabaseParts(config: AppConfig, connection: DatabaseConnection): Promise<void> {
  await checkSchemaVersion(connection);
  const { isUsed, hasMoves } = await withClient(connection, async (client) => {
    printFindings(await checkDatabase(client));
    printFindings(await checkSecrets(config, client));
    printFindings(await checkWorkers(client));
    ports = await findPorts(client);
    const { rows } = await client.query<{ isUsed: boolean; hasMoves: boolean }>(
      `select to_regclass('public.installation') is not null as "isUsed",
        to_regclass('public.storage_moves') is not null as "hasMoves"`,
    );
    return rows[0]!;
  });
  const orm = await MikroORM.init(ormOptions(connection));
  try {
    const record = new InstallationRepository(orm, new SystemClock());
    const moves = new StorageMoveRepository(orm, new SystemClock());
    const url = hasMoves ? await checkMove(config, moves) : config.storageUrl;
    const driver = await createStorageDriver(config, url);
    const folder = url.startsWith('file:') ? fileURLToPath(url) : null;
    const disk = new DiskReserve(config.dataDir, () => folder, config.diskReserve, new DiskProbe());
    const isMarked = isUsed && (await record.readStorageClaim()).markedAt !== null;
    const identity = new StorageOwnershipGuard(driver, () => url, record, new ReferencedObjects());
    printFindings(await checkStorage(driver, identity, disk, isMarked));
    if (config.sendfile && isMarked) printFindings([await checkSendfile(fileURLToPath(config.storageUrl))]);
  } finally {
    await orm.close();
  }
}

/** @returns the URL of the storage to check: that in which new files are stored */
async function checkMove(config: AppConfig, moves: StorageMoveRepository): Promise<string> {
  const { warn, bad } = createFindings('storage');
  const move: StorageMoveRow | null = await moves.findEffective();
  const former = (await moves.listDone()).map(({ sourceUrl }) => sourceUrl);
  const wrong = explainWrongUrl(config.storageUrl, move, former);
  if (wrong !== null) printFindings([bad(wrong)]);
  else if (move && move.state !== 'done') {
    printFindings([warn(`The files are being moved to ${move.targetUrl}. See npm run storage -- status`)]);
  }
  return move?.state === 'switched' ? move.targetUrl : config.storageUrl;
}
