import { root } from './product.mjs';

const load = (path) => import(`${root}dist/backend/src/${path}`);

/** An application without HTTP on the database of a running product, for actions without a route. */
export async function openInside(dataDir) {
  const [{ NestFactory }, { MikroORM }, { AppModule }, { AppConfig }] = await Promise.all([
    import('@nestjs/core'),
    import('@mikro-orm/postgresql'),
    load('app.module.js'),
    load('platform/config/app-config.js'),
  ]);
  const config = AppConfig.from({ DATA_DIR: dataDir, ROLE: 'web', LOG_LEVEL: 'error' });
  const module = AppModule.with(config, await connectionOf(dataDir));
  const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  const em = () => app.get(MikroORM).em.fork();
  return {
    em,
    /** Returns a service by class name from a built file. */
    service: async (path, name) => app.get((await load(path))[name]),
    close: () => app.close(),
  };
}

/** The database connection of a running product. */
export async function connectionOf(dataDir) {
  const { findRunningServer } = await load('platform/database/embedded/running-server.js');
  return findRunningServer(dataDir);
}
