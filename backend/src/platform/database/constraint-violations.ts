import { UniqueConstraintViolationException } from '@mikro-orm/core';

interface PostgresError {
  code?: string;
  constraint?: string;
  previous?: unknown;
  cause?: unknown;
}

/** True when PostgreSQL rejected a row because of the unique constraint or index `name`. */
export function isUniqueViolation(error: unknown, name: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint, cause } = error as PostgresError;
  if ((error instanceof UniqueConstraintViolationException || code === '23505') && constraint === name) return true;
  return cause != null && isUniqueViolation(cause, name);
}

/** True when PostgreSQL rejected a row because a row that it references does not exist (any more). */
export function isForeignKeyViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as PostgresError;
  return code === '23503' || (cause != null && isForeignKeyViolation(cause));
}
