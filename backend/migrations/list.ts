import type { MigrationObject } from '@mikro-orm/core';

/** All migrations in their order. Append only: one that has landed is never edited. */
export const migrations: MigrationObject[] = [];
