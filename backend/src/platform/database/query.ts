import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';

/**
 * The query builder for reads and set-based writes, typed by the schemas named, inside the transaction under way.
 * Table and column names are those of the database: `query<typeof ZoneSchema>(em).selectFrom('zones')`.
 */
export function query<S extends EntitySchemaWithMeta<string, string>>(em: EntityManager): Kysely<InferKyselyDB<S>> {
  return em.getKysely() as unknown as Kysely<InferKyselyDB<S>>;
}
