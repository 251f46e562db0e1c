import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';

/**
 * Returns the query builder for reads and set-based writes, typed by the given schemas. It runs in the current
 * transaction. Names are those of database tables and columns: `query<typeof ZoneSchema>(em).selectFrom('zones')`.
 */
export function query<S extends EntitySchemaWithMeta<string, string>>(em: EntityManager): Kysely<InferKyselyDB<S>> {
  return em.getKysely() as unknown as Kysely<InferKyselyDB<S>>;
}
