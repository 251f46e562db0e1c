import type { KeyObject } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DerivedKeys } from '../security/derived-keys.js';
import { MIB } from '../text/byte-units.js';
import { readOrCreateSecrets } from './app-secret.js';
import {
  decryptMailServer,
  toEffectiveMailServer,
  type StoredMailServer,
  type EffectiveMailServer,
} from './mail-server.js';
import { readVariables } from './read-variables.js';
import { resolveSendfile } from './sendfile.js';
import {
  resolveDefaultPlan,
  areSettingsEqual,
  isBillingEnabled,
  settings,
  type SettingKey,
  type SettingValues,
  type EffectiveSetting,
} from './settings.js';
import { variables, type Variables } from './variables.js';

/** Stripe price ids of one plan. */
interface PriceIds {
  readonly monthly: string | null;
  readonly yearly: string | null;
}

export interface StripeConfig {
  readonly secretKey: string | null;
  readonly webhookSecret: string | null;
  readonly apiUrl: string | null;
  readonly prices: Readonly<Record<'starter' | 'creator' | 'pro-creator', PriceIds>>;
  /** Optional features of Stripe Checkout. */
  readonly checkout: { readonly promotionCodes: boolean; readonly automaticTax: boolean; readonly taxIds: boolean };
}

export interface DkimConfig {
  readonly domain: string;
  readonly selector: string;
  readonly privateKey: KeyObject;
}

/** The OpenID Connect provider for single sign-on. */
export interface SingleSignOnConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Display name of the provider. */
  readonly name: string;
}

/** Gives the field initialisers of `AppConfig` access to the parsed variables. */
class EnvironmentValues {
  protected constructor(protected readonly values: Variables) {}
}

/**
 * The configuration of this process. It is read and validated once at start. Only the settings that super admins change
 * in the app (`settings.ts`) can change later, so read those when you need them; code that caches something derived
 * from them rebuilds it when `generation` changes.
 * Injected as a value; tests build their own with `AppConfig.from`.
 */
export class AppConfig extends EnvironmentValues {
  readonly port = this.values.port;
  /** Settings stored in the database; the matching environment variable takes precedence. */
  private storedSettings: SettingValues = {};
  private storedMailServer: StoredMailServer | null = null;
  private changeCount = 0;
  private isSecureAtStart = this.appUrl.startsWith('https:');
  /** Absolute path of the data folder. */
  readonly dataDir = resolve(this.values.dataDir ?? './data');
  readonly databaseUrl = this.values.databaseUrl;
  /** Redis is used to notify other processes of jobs and to share rate limit counters; null means PostgreSQL only. */
  readonly redisUrl = this.values.redisUrl;
  /** Maximum size of one file in bytes, whatever the plan. */
  readonly maxFileBytes = this.values.maxFileSize ?? Infinity;
  /** Mail server connections that each worker opens for campaigns. */
  readonly mailConnections = this.values.mailConnections;
  /** Campaign emails per second across all workers; null for no limit. */
  readonly mailRate = this.values.mailRate || null;
  /** Whether admins must use a second factor. */
  readonly requiresAdminMfa = this.values.staffMfa === 'required';
  /** Secret that verifies delivery reports of the mail server; null when reports are not accepted. */
  readonly mailEventsSecret = this.values.mailEventsSecret;
  /** Public counts below this are hidden. */
  readonly landingMinCount = this.values.landingMinCount;
  /** Bearer token for /metrics; null when the endpoint is disabled. */
  readonly metricsToken = this.values.metricsToken;
  readonly storageUrl = this.values.storageUrl ?? pathToFileURL(join(this.dataDir, 'files')).href;
  /** URL of a Google Cloud Storage emulator; null for Google itself. */
  readonly storageApiUrl = this.values.storageApiUrl;
  /** How files are handed over to the web server in front; null if this process sends them. */
  readonly sendfile = resolveSendfile(this.values.sendfile, this.storageUrl);
  /** Disk space left free for the database; if bytes and a share are both set, the smaller applies. */
  readonly diskReserve = this.values.diskReserve;
  /** Origin that serves uploaded content; null for the app's own origin. */
  readonly contentUrl = this.values.contentUrl;
  /** In lower case; null when no super admin is configured. */
  readonly superAdminEmail = this.values.superAdminEmail?.trim().toLowerCase() ?? null;
  /** Size of this process's connection pool. */
  readonly maxConnections = this.values.maxConnections;
  /** Port of the worker's health server; null for none. */
  readonly workerPort = this.values.workerPort;
  /** How long a worker of `ROLE=all` may go without a heartbeat, in milliseconds. */
  readonly workerTimeout = this.values.workerPatience * 1000;
  /** How long a stopping process still accepts requests, in milliseconds. */
  readonly shutdownDelay = this.values.shutdownDelay * 1000;
  /** How long running transfers may continue while the process stops, in milliseconds. */
  readonly drainTime = this.values.drainSeconds * 1000;
  /** Memory limit of the process that renders pages, in bytes. */
  readonly renderingMemory = this.values.renderingMemory * MIB;
  /** Path of LibreOffice; null for the one on the PATH. */
  readonly sofficePath = this.values.sofficePath;
  readonly role = this.values.role;
  readonly isRateLimited = this.values.rateLimit === 'on';
  readonly trustProxy = this.values.trustProxy;
  /** Path of a GeoIP database; null for the bundled one. */
  readonly geoIpDb = this.values.geoIpDb;
  readonly logLevel = this.values.logLevel;
  /** Derived keys for everything that is signed or stored as a keyed digest. */
  readonly keys: DerivedKeys;
  /** The secrets in the format of `APP_SECRET`, to pass to other processes; never used as a key itself. */
  readonly appSecret: string;

  private constructor(values: Variables, secrets: readonly string[]) {
    super(values);
    this.keys = new DerivedKeys(secrets);
    this.appSecret = secrets.join(',');
  }

  /**
   * Reads and validates the environment.
   * @throws ConfigError with one sentence per invalid variable, naming it and the reason
   */
  static from(env: NodeJS.ProcessEnv): AppConfig {
    const values = readVariables(env);
    return new AppConfig(values, values.appSecret ?? readOrCreateSecrets(resolve(values.dataDir ?? './data')));
  }

  /** Applies the stored settings at start, before anything is derived from them. Only this call decides `isSecure`. */
  applyInitialSettings(set: SettingValues): void {
    this.applySettings(set);
    this.isSecureAtStart = this.appUrl.startsWith('https:');
  }

  /** Applies changed settings while the process runs. */
  applySettings(set: SettingValues): void {
    if (areSettingsEqual(this.storedSettings, set)) return;
    this.storedSettings = set;
    this.storedMailServer = decryptMailServer(this.keys, set);
    this.changeCount++;
  }

  /** Changes whenever a setting changes; compare it to invalidate caches. */
  get generation(): number {
    return this.changeCount;
  }

  /** Returns the effective value of a setting and where it comes from. */
  effectiveSetting(key: SettingKey): EffectiveSetting {
    const { variable } = settings[key];
    const variableValue = variable === null ? null : this.values[variable];
    const set = this.storedSettings[key] ?? null;
    const source = variableValue !== null ? 'variable' : set !== null ? 'setting' : 'default';
    const value = variableValue ?? set ?? this.fallbackOf(key);
    return { key, value, source, variable: variable === null ? null : variables[variable].name };
  }

  private fallbackOf(key: SettingKey): string | null {
    if (key === 'address') return `http://localhost:${this.port}`;
    if (key === 'mailFrom') return `${toDisplayName(this.appName)} <no-reply@localhost>`;
    return settings[key].fallback;
  }

  /** Whether this installation offers plans; not whether they can be paid for. */
  get isBillingEnabled(): boolean {
    return isBillingEnabled(this.storedSettings);
  }

  /** The plan of users without a larger one, given these stored settings. */
  resolveDefaultPlan(set: SettingValues): string {
    return resolveDefaultPlan(set, this.values.defaultPlan);
  }

  /** Public URL without a trailing slash. */
  get appUrl(): string {
    return this.effectiveSetting('address').value!;
  }

  get appName(): string {
    return this.effectiveSetting('name').value!;
  }

  get mailFrom(): string {
    return this.effectiveSetting('mailFrom').value!;
  }

  /** URL of the mail server, including credentials; null when the development mailbox is used. */
  get smtpUrl(): string | null {
    return this.values.smtpUrl ?? this.storedMailServer?.url ?? null;
  }

  /** The effective mail server and where it comes from; never includes the password. */
  get mailServer(): EffectiveMailServer {
    return { variable: variables.smtpUrl.name, ...toEffectiveMailServer(this.values.smtpUrl, this.storedMailServer) };
  }

  /** Password of the mail server set in the app; null when there is none or it can't be decrypted. */
  get storedMailPassword(): string | null {
    return this.storedMailServer?.password ?? null;
  }

  /** Postal address of the operator. */
  get companyAddress(): string | null {
    return this.effectiveSetting('companyAddress').value;
  }

  /** Contact address for questions about plans; null when none is set. */
  get contactEmail(): string | null {
    return this.effectiveSetting('contactEmail').value;
  }

  /**
   * Whether the app is served over https, which makes cookies Secure. Fixed at start: cookie names and headers depend
   * on it, and changing only some of them would sign everybody out.
   */
  get isSecure(): boolean {
    return this.isSecureAtStart;
  }

  /** Whether emails are shown in the browser: only without a mail server and while the app is on a loopback address. */
  get showsMailbox(): boolean {
    return this.smtpUrl === null && isLocalHost(new URL(this.appUrl).hostname);
  }

  /**
   * TLS mode for a mail server. By default TLS is optional for a server on this machine or in its container network,
   * and required for all others.
   */
  smtpTlsModeOf(url: string): Variables['smtpTls'] & string {
    const host = new URL(url.replace(/^smtps?:/, 'http:')).hostname;
    const isNear = isLocalHost(host) || DOTLESS_HOST.test(host);
    return this.values.smtpTls ?? (isNear ? 'optional' : 'required');
  }

  /** DKIM signing options; null when emails are not signed. */
  get dkim(): DkimConfig | null {
    const { dkimDomain: domain, dkimSelector: selector, dkimPrivateKey: privateKey } = this.values;
    return domain && selector && privateKey ? { domain, selector, privateKey } : null;
  }

  /** OpenID Connect provider; null when single sign-on is off. */
  get singleSignOn(): SingleSignOnConfig | null {
    const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcName: name } = this.values;
    return issuer && clientId && clientSecret && name ? { issuer, clientId, clientSecret, name } : null;
  }

  /** The operator's details for the footer; null where not set. */
  get company() {
    const valueOf = (key: SettingKey) => this.effectiveSetting(key).value;
    const [name, director, type] = [valueOf('companyName'), valueOf('companyDirector'), valueOf('companyType')];
    return { name, director, type, phone: valueOf('companyPhone'), address: this.companyAddress };
  }

  /**
   * Stripe configuration. Without the secret key nothing is sold; without a price id, that plan and interval is not
   * sold.
   */
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
      checkout: {
        promotionCodes: values.stripePromotionCodes === 'on',
        automaticTax: values.stripeAutomaticTax === 'on',
        taxIds: values.stripeTaxIds === 'on',
      },
    };
  }

  /** WooCommerce and the premium service. Without its secret, a webhook responds that it is not configured. */
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

  /** Retention periods in days; 0 keeps data forever. */
  get retention() {
    const { retentionWebhookBodies: webhookBodies, retentionIps: ips, retentionLinkUsages: linkUsages } = this.values;
    const { retentionCampaignEvents: campaignEvents, retentionActivity: activity } = this.values;
    const { retentionReading: reading } = this.values;
    return { webhookBodies, ips, linkUsages, campaignEvents, activity, reading };
  }
}

/** Formats a display name for an address header, quoted where needed (RFC 5322, section 3.2.4). */
function toDisplayName(name: string): string {
  return /^[\p{L}\p{M}\p{N} _'-]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
}

/** A host name without a dot, as in container networks; no public mail server has one. */
const DOTLESS_HOST = /^[a-z0-9_-]+$/i;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host name, as returned by `URL`, always refers to this machine. */
function isLocalHost(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname);
}
