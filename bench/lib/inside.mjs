import { root } from './product.mjs';

const load = (path) => import(`${root}dist/backend/src/${path}`);

/** An application without HTTP on the database of a product that runs, for what has no route of its own. */
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
    /** A service of the application: the class of that name in a file of the build. */
    service: async (path, name) => app.get((await load(path))[name]),
    close: () => app.close(),
  };
}

/** How the database of a product that runs is reached. */
export async function connectionOf(dataDir) {
  const { findRunningServer } = await load('platform/database/embedded/running-server.js');
  return findRunningServer(dataDir);
}
