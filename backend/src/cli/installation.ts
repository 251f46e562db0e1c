import '../process/require-node.js';
import 'reflect-metadata';
import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { AuditRepository } from '../platform/audit/audit.repository.js';
import { SystemClock } from '../platform/clock/clock.js';
import { AppConfig } from '../platform/config/app-config.js';
import { ormOptions } from '../platform/database/orm-options.js';
import { InstallationRepository } from '../platform/installation/installation.repository.js';
import { ReferencedObjects } from '../platform/storage/ownership/referenced-objects.js';
import { StorageOwnershipGuard } from '../platform/storage/ownership/storage-ownership-guard.js';
import { isSameLocation } from '../platform/storage/move/storage-location.js';
import { StorageMoveRepository } from '../platform/storage/move/storage-move.repository.js';
import { createStorageDriver } from '../platform/storage/storage-drivers.js';
import { CommandError, runCommand } from './backup/run-command.js';
import { withDatabase } from './backup/with-database.js';
import { assertStartable } from '../platform/installation/assert-startable.js';

const USAGE = `Usage:
  npm run installation -- adopt-storage   assigns the storage at STORAGE_URL to this installation: after moving the
                                          contents or restoring the database, if nothing else uses them
  npm run installation -- accept-secret   lets the next process that starts set the APP_SECRET of this installation: when
                                          the old one is permanently lost`;

/** `npm run installation -- adopt-storage | accept-secret`: decisions that only the operator can make. */
await runCommand(async () => {
  const [word = ''] = process.argv.slice(2);
  if (word !== 'adopt-storage' && word !== 'accept-secret') throw new CommandError(USAGE);
  const config = AppConfig.from(process.env);
  await withDatabase(config, true, async (connection) => {
    // If the secret is lost, it can't be required.
    await assertStartable(config, connection, { secret: word !== 'accept-secret', schema: true });
    const orm = await MikroORM.init(ormOptions(connection));
    try {
      const record = new InstallationRepository(orm, new SystemClock());
      if (word === 'adopt-storage') {
        await forgetMoves(new StorageMoveRepository(orm, new SystemClock()), orm.em.fork() as EntityManager, config);
        const identity = new StorageOwnershipGuard(
          await createStorageDriver(config),
          () => config.storageUrl,
          record,
          new ReferencedObjects(),
        );
        await identity.adopt();
      } else {
        await record.clearSecret();
      }
      const type = word === 'adopt-storage' ? 'storage.adopted' : 'secret.accepted';
      await new AuditRepository(new SystemClock()).record(orm.em.fork() as EntityManager, { type });
    } finally {
      await orm.close();
    }
  });
  console.log(
    word === 'adopt-storage'
      ? `${config.storageUrl} now belongs to this installation.`
      : 'The next process that starts sets the secret. Start all other processes with the same secret.',
  );
});

/** Allows STORAGE_URL to name a place from which files were moved earlier. */
async function forgetMoves(moves: StorageMoveRepository, em: EntityManager, { storageUrl }: AppConfig): Promise<void> {
  const latest = await moves.findEffective();
  if (latest && latest.state !== 'done') {
    throw new CommandError('The files are being moved to another storage. See npm run storage -- status');
  }
  const former = (await moves.listDone()).filter(({ sourceUrl }) => isSameLocation(sourceUrl, storageUrl));
  await moves.deleteDone(
    em,
    former.map(({ id }) => id),
  );
}
