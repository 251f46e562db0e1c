import { fileURLToPath } from 'node:url';
import { Global, Module } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { LocalStorage } from './local-storage.js';
import { Storage } from './storage.js';

@Global()
@Module({
  providers: [
    {
      provide: Storage,
      inject: [AppConfig],
      useFactory: (config: AppConfig): Storage => new LocalStorage(fileURLToPath(config.storageUrl)),
    },
  ],
  exports: [Storage],
})
export class StorageModule {}
