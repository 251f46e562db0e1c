import '../process/require-node.js';
import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { MikroORM } from '@mikro-orm/postgresql';
import { SystemClock } from '../platform/clock/clock.js';
import { AppConfig } from '../platform/config/app-config.js';
import { mistypedSentence, mistypedVariables } from '../platform/config/unknown-variables.js';
import type { DatabaseConnection } from '../platform/database/pool/connection.js';
import { examineDatabase } from '../platform/database/schema/examine-database.js';
import { ormOptions } from '../platform/database/orm-options.js';
import { InstallationRecord } from '../platform/installation/installation-record.service.js';
import { readSettings } from '../platform/installation/read-settings.js';
import { DiskProbe, DiskReserve } from '../platform/storage/disk-reserve.js';
import { NamedObjects } from '../platform/storage/identity/named-objects.js';
import { StorageIdentity } from '../platform/storage/identity/storage-identity.js';
import { driverOf } from '../platform/storage/storage.module.js';
import { startFault } from '../process/start-fault.js';
import { withDatabase } from './backup/source.js';
import { withClient } from '../platform/database/pool/with-client.js';
import { checkDatabase } from './doctor/check-database.js';
import { checkMail } from './doctor/check-mail.js';
import { checkAddress, checkRedis, checkSecrets, checkWorkers, findPorts } from './doctor/check-rest.js';
import { checkStorage } from './doctor/check-storage.js';
import { findings, type Finding } from './doctor/finding.js';

const SIGNS = { ok: 'ok  ', warn: 'warn', bad: 'BAD ' } as const;

/** `npm run doctor`: looks at everything that the product needs, changes nothing, and ends with 1 when something is bad. */
let worst = 0;
let ports: readonly number[] = [];
const tell = (all: readonly Finding[]) => {
  for (const { part, level, sentence } of all) {
    console.log(`${SIGNS[level]}  ${part.padEnd(9)}  ${sentence}`);
    if (level === 'bad') worst = 1;
  }
};

try {
  tell(mistypedVariables(process.env).map((one) => findings('variables').warn(mistypedSentence(one))));
  const config = AppConfig.from(process.env);
  tell([findings('variables').ok('All variables are valid.')]);
  try {
    await withDatabase(config, true, async (connection) => {
      await ofDatabase(config, connection);
      config.begin(await readSettings(connection));
    });
  } catch (error) {
    tell([findings('database').bad(startFault(error).split('\n')[0]!)]);
  }
  tell(await checkMail(config));
  tell(await checkRedis(config));
  tell(await checkAddress(config, ports));
} catch (error) {
  tell([findings('variables').bad(startFault(error))]);
}
process.exit(worst);

async function ofDatabase(config: AppConfig, connection: DatabaseConnection): Promise<void> {
  await examineDatabase(connection);
  const isUsed = await withClient(connection, async (client) => {
    tell(await checkDatabase(client));
    tell(await checkSecrets(config, client));
    tell(await checkWorkers(client));
    ports = await findPorts(client);
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('public.installation') is not null as there`,
    );
    return rows[0]!.there;
  });
  const driver = await driverOf(config);
  const isLocal = config.storageUrl.startsWith('file:');
  const folders = [...(isLocal ? [fileURLToPath(config.storageUrl)] : []), config.dataDir];
  const disk = new DiskReserve(folders, config.diskReserve, isLocal, new DiskProbe());
  const orm = await MikroORM.init(ormOptions(connection));
  try {
    const record = new InstallationRecord(orm, new SystemClock());
    const isMarked = isUsed && (await record.storage()).markedAt !== null;
    const identity = new StorageIdentity(driver, config.storageUrl, record, new NamedObjects());
    tell(await checkStorage(driver, identity, disk, isMarked));
  } finally {
    await orm.close();
  }
}
