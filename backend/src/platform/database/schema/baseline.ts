/** Names of the migrations that replaced those of version 0.2.0, one for each module. They create the same schema. */
const BASELINE = [
  '0001-platform',
  '0002-auth',
  '0003-plans',
  '0004-zones',
  '0005-files',
  '0006-activity',
  '0007-insights',
  '0008-links',
  '0009-campaigns',
  '0010-integrations',
  '0011-billing',
  '0012-account',
  '0013-admin',
  '0014-retention',
  '0015-suggestions',
];
/** Migrations up to version 0.2.0 had numbers of three digits. */
const REPLACED_NAME = /^\d{3}-/;
const LAST_REPLACED = '278-checks-of-kept-mails';
/** Migrations that were added after version 0.2.0 with three digits. */
const RENAMED: Readonly<Record<string, string>> = { '279-standard-job-names': '0016-standard-job-names' };

/** Whether these applied migrations include some of those that the baseline replaced. */
export function hasReplacedMigrations(applied: readonly string[]): boolean {
  return applied.some((name) => REPLACED_NAME.test(name));
}

/**
 * Translates names of applied migrations, so that a database or backup of version 0.2.0 counts as having the baseline.
 * @returns null when the schema is older than that of version 0.2.0, from which this version can't upgrade
 */
export function toCurrentMigrations(applied: readonly string[]): string[] | null {
  if (!hasReplacedMigrations(applied)) return [...applied];
  if (!applied.includes(LAST_REPLACED)) return null;
  const renamed = Object.entries(RENAMED).flatMap(([old, current]) => (applied.includes(old) ? [current] : []));
  return [...BASELINE, ...renamed, ...applied.filter((name) => !REPLACED_NAME.test(name))];
}
