import type { MikroORM } from '@mikro-orm/postgresql';

/** Runs an empty statement; rejects when the database doesn't accept it. */
export async function pingDatabase(orm: MikroORM): Promise<void> {
  await orm.em.getConnection().execute('select 1');
}
