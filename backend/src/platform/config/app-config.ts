import type { KeyObject } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readOrMakeSecret } from './app-secret.js';
import { variables, type Variable, type Variables } from './variables.js';

/** The ids of one plan's prices at Stripe. */
interface PriceIds {
  readonly monthly: string | null;
  readonly yearly: string | null;
}

export interface StripeConfig {
  readonly secretKey: string | null;
  readonly webhookSecret: string | null;
  readonly apiUrl: string | null;
  readonly prices: Readonly<Record<'starter' | 'creator' | 'pro-creator', PriceIds>>;
}

export interface DkimConfig {
  readonly domain: string;
  readonly selector: string;
  readonly privateKey: KeyObject;
}

/** A configuration that cannot be used; the message is for the person who started the process. */
export class ConfigError extends Error {}

/**
 * The configuration of this process: read once at start, checked, and never changed.
 * Injected as a value; tests build their own with `AppConfig.from`.
 */
export class AppConfig {
  private constructor(
    private readonly values: Variables,
    readonly appSecret: string,
  ) {}

  /**
   * Reads and checks the environment.
   * @throws ConfigError with one sentence a wrong variable, naming it and why.
   */
  static from(env: NodeJS.ProcessEnv): AppConfig {
    const values = readAll(env);
    const secure = values.appUrl?.startsWith('https:') ?? false;
    if (values.rateLimit === 'off' && secure) {
      throw new ConfigError('RATE_LIMIT=off is for load tests and is refused when APP_URL is https.');
    }
    assertApart(values.appUrl, values.contentUrl);
    if (values.role === 'worker' && !values.databaseUrl) {
      throw new ConfigError('ROLE=worker needs DATABASE_URL: the embedded PostgreSQL belongs to the web process.');
    }
    const ids = Object.entries(values).flatMap(([key, id]) => (key.startsWith('stripePrice') && id ? [id] : []));
    if (new Set(ids).size < ids.length) {
      throw new ConfigError('The STRIPE_PRICE_ variables must all differ: a price tells which plan somebody has.');
    }
    const { dkimDomain, dkimSelector, dkimPrivateKey } = values;
    if (new Set([dkimDomain, dkimSelector, dkimPrivateKey].map((value) => value === null)).size > 1) {
      throw new ConfigError('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY belong together: set all three or none.');
    }
    return new AppConfig(values, values.appSecret ?? readOrMakeSecret(resolve(values.dataDir ?? './data')));
  }

  get port(): number {
    return this.values.port;
  }

  /** Public address without a slash at its end. */
  get appUrl(): string {
    return this.values.appUrl ?? `http://localhost:${this.values.port}`;
  }

  /** True when visitors come over https; cookies are Secure then. */
  get secure(): boolean {
    return this.appUrl.startsWith('https:');
  }

  get appName(): string {
    return this.values.appName ?? 'Zonary';
  }

  /** Absolute path of the data folder. */
  get dataDir(): string {
    return resolve(this.values.dataDir ?? './data');
  }

  get databaseUrl(): string | null {
    return this.values.databaseUrl;
  }

  /** By which processes tell each other of jobs and count requests together; null when they use PostgreSQL alone. */
  get redisUrl(): string | null {
    return this.values.redisUrl;
  }

  get smtpUrl(): string | null {
    return this.values.smtpUrl;
  }

  get mailFrom(): string {
    return this.values.mailFrom ?? 'Zonary <no-reply@localhost>';
  }

  /** Connections to the mail server that one worker keeps for campaigns. */
  get mailConnections(): number {
    return this.values.mailConnections;
  }

  /** Campaign mails a second over all workers; null without a limit. */
  get mailRate(): number | null {
    return this.values.mailRate || null;
  }

  /** How mails are signed; null when they are not. */
  get dkim(): DkimConfig | null {
    const { dkimDomain: domain, dkimSelector: selector, dkimPrivateKey: privateKey } = this.values;
    return domain && selector && privateKey ? { domain, selector, privateKey } : null;
  }

  /** Keys the signature on reports of the mail server; null when none are taken. */
  get mailEventsSecret(): string | null {
    return this.values.mailEventsSecret;
  }

  /** Who runs the installation, as the footer says it; what is not set is null. */
  get company() {
    const { companyName: name, companyDirector: director, companyType: type, companyPhone: phone } = this.values;
    return { name, director, type, phone, address: this.values.companyAddress };
  }

  /** Public counts below this are not shown. */
  get landingMinCount(): number {
    return this.values.landingMinCount;
  }

  /** What /metrics asks for; null when it answers to this machine only. */
  get metricsToken(): string | null {
    return this.values.metricsToken;
  }

  /** Postal address of who runs the installation. */
  get companyAddress(): string | null {
    return this.values.companyAddress;
  }

  get storageUrl(): string {
    return this.values.storageUrl ?? pathToFileURL(join(this.dataDir, 'files')).href;
  }

  /** Address of an emulator of Google Cloud Storage; null for Google itself. */
  get storageApiUrl(): string | null {
    return this.values.storageApiUrl;
  }

  /** Origin from which what people have uploaded is shown and downloaded; null when it is our own. */
  get contentUrl(): string | null {
    return this.values.contentUrl;
  }

  /** Lower case; null when nobody is to become super admin by configuration. */
  get superAdminEmail(): string | null {
    return this.values.superAdminEmail?.trim().toLowerCase() ?? null;
  }

  /** Where people write about plans; null when nobody is named. */
  get contactEmail(): string | null {
    return this.values.contactEmail;
  }

  /** How plans are sold. Without the key nothing is; a plan and interval without a price is not. */
  get stripe(): StripeConfig {
    const { stripeSecretKey, stripeWebhookSecret, stripeApiUrl, ...values } = this.values;
    return {
      secretKey: stripeSecretKey,
      webhookSecret: stripeWebhookSecret,
      apiUrl: stripeApiUrl,
      prices: {
        starter: { monthly: values.stripePriceStarterMonthly, yearly: values.stripePriceStarterYearly },
        creator: { monthly: values.stripePriceCreatorMonthly, yearly: values.stripePriceCreatorYearly },
        'pro-creator': { monthly: values.stripePriceProCreatorMonthly, yearly: values.stripePriceProCreatorYearly },
      },
    };
  }

  /** The shop and the premium service: without a secret a sender's webhook answers that it is not configured. */
  get integrations() {
    const { values } = this;
    return {
      secrets: {
        woocommerce: values.woocommerceWebhookSecret,
        acedumy: values.acedumyWebhookSecret,
        'stripe-acedumy': values.stripeAcedumyWebhookSecret,
      },
      premiumZoneId: values.acedumyZoneId,
      premiumPrices: {
        'Monthly USD': values.stripeAcedumyPriceMonthlyUsd,
        'Yearly USD': values.stripeAcedumyPriceYearlyUsd,
        'Monthly TRY': values.stripeAcedumyPriceMonthlyTry,
        'Yearly TRY': values.stripeAcedumyPriceYearlyTry,
      },
    };
  }

  get role(): Variables['role'] {
    return this.values.role;
  }

  get rateLimited(): boolean {
    return this.values.rateLimit === 'on';
  }

  get trustProxy(): string | null {
    return this.values.trustProxy;
  }

  /** Path of a database of places; null for the one that comes along. */
  get geoIpDb(): string | null {
    return this.values.geoIpDb;
  }

  get logLevel(): Variables['logLevel'] {
    return this.values.logLevel;
  }
}

function assertApart(appUrl: string | null, contentUrl: string | null): void {
  if (contentUrl === null) return;
  if (appUrl === null) throw new ConfigError('CONTENT_URL needs APP_URL, from which it must differ.');
  const [app, content] = [new URL(appUrl), new URL(contentUrl)];
  if (app.hostname === content.hostname) {
    throw new ConfigError('CONTENT_URL must have another host name than APP_URL: cookies know no ports.');
  }
  if (app.protocol !== content.protocol) {
    throw new ConfigError(
      'CONTENT_URL and APP_URL must both be https, or neither: a browser would not show the files.',
    );
  }
}

function readAll(env: NodeJS.ProcessEnv): Variables {
  const faults: string[] = [];
  const entries = Object.entries(variables).map(([key, variable]) => {
    try {
      return [key, readOne(env, variable)] as const;
    } catch (error) {
      faults.push(`${variable.name} ${(error as Error).message}.`);
      return [key, variable.fallback] as const;
    }
  });
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return Object.fromEntries(entries) as unknown as Variables;
}

function readOne(env: NodeJS.ProcessEnv, variable: Variable<unknown>): unknown {
  const value = env[variable.name]?.trim();
  return value ? variable.parse(value) : variable.fallback;
}
