import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DATABASE_CONNECTION, type DatabaseConnection } from './pool/database-connection.js';
import { ormOptions } from './orm-options.js';

@Global()
@Module({})
export class DatabaseModule {
  static with(connection: DatabaseConnection): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        MikroOrmModule.forRootAsync({
          driver: PostgreSqlDriver,
          useFactory: () => ({ ...ormOptions(connection), autoLoadEntities: true, registerRequestContext: true }),
        }),
      ],
      providers: [{ provide: DATABASE_CONNECTION, useValue: connection }],
      exports: [DATABASE_CONNECTION],
    };
  }
}
