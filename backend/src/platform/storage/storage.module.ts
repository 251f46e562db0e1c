import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { InstanceRegistryService } from '../health/instances/instance-registry.service.js';
import { InstallationRepository } from '../installation/installation.repository.js';
import { DiskProbe, DiskReserve } from './disk-reserve.js';
import { GuardedStorage } from './ownership/guarded-storage.js';
import { ReferencedObjects } from './ownership/referenced-objects.js';
import { HeartbeatTimings, StorageCheck } from './ownership/storage-check.js';
import { StorageOwnershipGuard } from './ownership/storage-ownership-guard.js';
import { CurrentStorage } from './move/current-storage.js';
import { StorageMove } from './move/storage-move.entity.js';
import { StorageMoveRepository } from './move/storage-move.repository.js';
import { MoveTimings, StorageMoveService } from './move/storage-move.service.js';
import { Storage } from './storage.js';
import { StorageDrivers } from './storage-drivers.js';

/** The storage without ownership checks. */
export abstract class StorageDriver extends Storage {}

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([StorageMove])],
  providers: [
    DiskProbe,
    ReferencedObjects,
    HeartbeatTimings,
    StorageCheck,
    StorageDrivers,
    StorageMoveRepository,
    StorageMoveService,
    MoveTimings,
    {
      provide: CurrentStorage,
      inject: [AppConfig, StorageDrivers, StorageMoveRepository, InstanceRegistryService],
      useFactory: CurrentStorage.create,
    },
    { provide: StorageDriver, useExisting: CurrentStorage },
    {
      provide: DiskReserve,
      inject: [AppConfig, CurrentStorage, DiskProbe],
      useFactory: ({ dataDir, diskReserve }: AppConfig, current: CurrentStorage, probe: DiskProbe) =>
        new DiskReserve(dataDir, () => current.folder, diskReserve, probe),
    },
    {
      provide: StorageOwnershipGuard,
      inject: [CurrentStorage, InstallationRepository, ReferencedObjects],
      useFactory: (current: CurrentStorage, record: InstallationRepository, names: ReferencedObjects) =>
        new StorageOwnershipGuard(current, () => current.url, record, names),
    },
    {
      provide: Storage,
      inject: [StorageDriver, StorageOwnershipGuard, DiskReserve],
      useFactory: (driver: Storage, identity: StorageOwnershipGuard, reserve: DiskReserve) =>
        new GuardedStorage(driver, identity, reserve),
    },
  ],
  exports: [Storage, StorageOwnershipGuard, DiskReserve, DiskProbe, ReferencedObjects, StorageMoveService],
})
export class StorageModule {}
