import { root } from './product.mjs';

const load = (path) => import(`${root}dist/compiled/src/${path}`);

/** Opens an application context without HTTP on the database of a running product, to call services directly. */
export async function openAppContext(dataDir) {
  const [{ NestFactory }, { MikroORM }, { AppModule }, { AppConfig }] = await Promise.all([
    import('@nestjs/core'),
    import('@mikro-orm/postgresql'),
    load('app.module.js'),
    load('platform/config/app-config.js'),
  ]);
  const config = AppConfig.from({ DATA_DIR: dataDir, ROLE: 'web', LOG_LEVEL: 'error' });
  const module = AppModule.with(config, await findConnection(dataDir));
  const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  const forkEntityManager = () => app.get(MikroORM).em.fork();
  return {
    forkEntityManager,
    /** Returns a service by class name from a built file. */
    getService: async (path, name) => app.get((await load(path))[name]),
    close: () => app.close(),
  };
}

/** Returns the database connection of a running product; null if its embedded database isn't running. */
export async function findConnection(dataDir) {
  const { findRunningServer } = await load('platform/database/embedded/running-server.js');
  return findRunningServer(dataDir);
}
