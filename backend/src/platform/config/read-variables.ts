import type { Variable } from './variable.js';
import { variables, type Variables } from './variables.js';

/** The configuration is invalid. The message is for the operator. */
export class ConfigError extends Error {}

/**
 * Reads all environment variables and validates them, including those that depend on each other.
 * @throws ConfigError with one sentence per invalid variable, naming it and the reason
 */
export function readVariables(env: NodeJS.ProcessEnv): Variables {
  const values = parseAll(env);
  if (values.rateLimit === 'off' && values.appUrl?.startsWith('https:')) {
    throw new ConfigError("RATE_LIMIT=off is only for load tests and isn't allowed if APP_URL is https.");
  }
  assertSeparateContentHost(values.appUrl, values.contentUrl);
  if (values.role === 'worker' && !values.databaseUrl) {
    throw new ConfigError('ROLE=worker needs DATABASE_URL: the embedded PostgreSQL belongs to the web process.');
  }
  assertPricesDiffer(values);
  const { dkimDomain, dkimSelector, dkimPrivateKey } = values;
  assertAllOrNone(
    [dkimDomain, dkimSelector, dkimPrivateKey],
    'DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY belong together: set all three or none.',
  );
  assertAllOrNone(
    [values.oidcIssuer, values.oidcClientId, values.oidcClientSecret, values.oidcName],
    'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_NAME belong together: set all four or none.',
  );
  return values;
}

function parseAll(env: NodeJS.ProcessEnv): Variables {
  const errors: string[] = [];
  const entries = Object.entries(variables).map(([key, variable]) => {
    try {
      return [key, parseOne(env, variable)] as const;
    } catch (error) {
      errors.push(`${variable.name} ${(error as Error).message}.`);
      return [key, variable.fallback] as const;
    }
  });
  if (errors.length > 0) throw new ConfigError(errors.join('\n'));
  return Object.fromEntries(entries) as unknown as Variables;
}

function parseOne(env: NodeJS.ProcessEnv, variable: Variable<unknown>): unknown {
  const value = env[variable.name]?.trim();
  return value ? variable.parse(value) : variable.fallback;
}

function assertSeparateContentHost(appUrl: string | null, contentUrl: string | null): void {
  if (contentUrl === null) return;
  if (appUrl === null) throw new ConfigError('CONTENT_URL needs APP_URL and must differ from it.');
  const [app, content] = [new URL(appUrl), new URL(contentUrl)];
  if (app.hostname === content.hostname) {
    throw new ConfigError('CONTENT_URL must have a different host name than APP_URL, because cookies ignore ports.');
  }
  if (app.protocol !== content.protocol) {
    throw new ConfigError(
      "CONTENT_URL and APP_URL must both be https, or neither. Otherwise, browsers don't show the files.",
    );
  }
}

function assertPricesDiffer(values: Variables): void {
  const ids = Object.entries(values).flatMap(([key, id]) => (key.startsWith('stripePrice') && id ? [id] : []));
  if (new Set(ids).size < ids.length) {
    throw new ConfigError('The STRIPE_PRICE_ variables must all differ, because the price determines the plan.');
  }
}

/** @param values values of variables that must be set together */
function assertAllOrNone(values: readonly unknown[], sentence: string): void {
  if (new Set(values.map((value) => value === null)).size > 1) throw new ConfigError(sentence);
}
