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
  /** What the checkout asks for beside a card. */
  readonly checkout: { readonly promotionCodes: boolean; readonly automaticTax: boolean; readonly taxIds: boolean };
}

export interface DkimConfig {
  readonly domain: string;
  readonly selector: string;
  readonly privateKey: KeyObject;
}

/** The provider by which people may sign in. */
export interface SingleSignOnConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** As people know it. */
  readonly name: string;
}

/** What the fields of `AppConfig` are read from. */
class EnvironmentValues {
  protected constructor(protected readonly values: Variables) {}
}

/**
 * The configuration of this process: read once at start, checked, and never changed but for what super admins set in the
 * page (`settings.ts`). So what they may set is asked when it is used; whoever keeps something that is made of it makes it
 * anew once `generation` is another.
 * Injected as a value; tests build their own with `AppConfig.from`.
 */
export class AppConfig extends EnvironmentValues {
  readonly port = this.values.port;
  /** What is set in the page; a variable of the same meaning wins over it. */
  private storedSettings: SettingValues = {};
  private storedMailServer: StoredMailServer | null = null;
  private changeCount = 0;
  private isSecureAtStart = this.appUrl.startsWith('https:');
  /** Absolute path of the data folder. */
  readonly dataDir = resolve(this.values.dataDir ?? './data');
  readonly databaseUrl = this.values.databaseUrl;
  /** By which processes tell each other of jobs and count requests together; null when they use PostgreSQL alone. */
  readonly redisUrl = this.values.redisUrl;
  /** Connections to the mail server that one worker keeps for campaigns. */
  readonly mailConnections = this.values.mailConnections;
  /** Campaign mails a second over all workers; null without a limit. */
  readonly mailRate = this.values.mailRate || null;
  /** Whether admins need a second factor. */
  readonly requiresAdminMfa = this.values.staffMfa === 'required';
  /** Keys the signature on reports of the mail server; null when none are taken. */
  readonly mailEventsSecret = this.values.mailEventsSecret;
  /** Public counts below this are not shown. */
  readonly landingMinCount = this.values.landingMinCount;
  /** What /metrics asks for; null when it answers to nobody. */
  readonly metricsToken = this.values.metricsToken;
  readonly storageUrl = this.values.storageUrl ?? pathToFileURL(join(this.dataDir, 'files')).href;
  /** Address of an emulator of Google Cloud Storage; null for Google itself. */
  readonly storageApiUrl = this.values.storageApiUrl;
  /** Room on the disk that is left to the database; the smaller of both when there are two. */
  readonly diskReserve = this.values.diskReserve;
  /** Origin from which what people have uploaded is shown and downloaded; null when it is our own. */
  readonly contentUrl = this.values.contentUrl;
  /** Lower case; null when nobody is to become super admin by configuration. */
  readonly superAdminEmail = this.values.superAdminEmail?.trim().toLowerCase() ?? null;
  /** Connections that this process holds at most. */
  readonly maxConnections = this.values.maxConnections;
  /** Where a worker tells how it is; null for nowhere. */
  readonly workerPort = this.values.workerPort;
  /** How long a worker of `ROLE=all` may give no sign of life, in milliseconds. */
  readonly workerTimeout = this.values.workerPatience * 1000;
  /** How long a stopping process still takes requests, in milliseconds. */
  readonly shutdownDelay = this.values.shutdownDelay * 1000;
  /** How long transfers under way may go on when a process stops, in milliseconds. */
  readonly drainTime = this.values.drainSeconds * 1000;
  /** What the process may take that draws pages, in bytes. */
  readonly drawingMemory = this.values.drawingMemory * MIB;
  /** LibreOffice; null for the one on the PATH. */
  readonly sofficePath = this.values.sofficePath;
  readonly role = this.values.role;
  readonly isRateLimited = this.values.rateLimit === 'on';
  readonly trustProxy = this.values.trustProxy;
  /** Path of a database of places; null for the one that comes along. */
  readonly geoIpDb = this.values.geoIpDb;
  readonly logLevel = this.values.logLevel;
  /** The keys of all that is signed or kept as a keyed digest. */
  readonly keys: DerivedKeys;
  /** The secrets as `APP_SECRET` takes them, for processes that are to have the same; nothing is keyed with it. */
  readonly appSecret: string;

  private constructor(values: Variables, secrets: readonly string[]) {
    super(values);
    this.keys = new DerivedKeys(secrets);
    this.appSecret = secrets.join(',');
  }

  /**
   * Reads and checks the environment.
   * @throws ConfigError with one sentence a wrong variable, naming it and why.
   */
  static from(env: NodeJS.ProcessEnv): AppConfig {
    const values = readVariables(env);
    return new AppConfig(values, values.appSecret ?? readOrCreateSecrets(resolve(values.dataDir ?? './data')));
  }

  /** Takes up what is set in the page, before anything is made of it: the start, and only the start, decides `secure`. */
  applyInitialSettings(set: SettingValues): void {
    this.applySettings(set);
    this.isSecureAtStart = this.appUrl.startsWith('https:');
  }

  /** Takes up what is set in the page. */
  applySettings(set: SettingValues): void {
    if (areSettingsEqual(this.storedSettings, set)) return;
    this.storedSettings = set;
    this.storedMailServer = decryptMailServer(this.keys, set);
    this.changeCount++;
  }

  /** Another number each time that something set in the page has changed. */
  get generation(): number {
    return this.changeCount;
  }

  /** What holds of something that can be set in the page, and what says so. */
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

  /** Whether plans are offered in this installation; not whether they can be paid for. */
  get isBillingEnabled(): boolean {
    return isBillingEnabled(this.storedSettings);
  }

  /** The plan of whoever has no larger one, where this is set in the page. */
  resolveDefaultPlan(set: SettingValues): string {
    return resolveDefaultPlan(set, this.values.defaultPlan);
  }

  /** Public address without a slash at its end. */
  get appUrl(): string {
    return this.effectiveSetting('address').value!;
  }

  get appName(): string {
    return this.effectiveSetting('name').value!;
  }

  get mailFrom(): string {
    return this.effectiveSetting('mailFrom').value!;
  }

  /** The mail server, with user and password if it wants them; null for the mailbox of development. */
  get smtpUrl(): string | null {
    return this.values.smtpUrl ?? this.storedMailServer?.url ?? null;
  }

  /** What holds of the mail server, and what says so; never its password. */
  get mailServer(): EffectiveMailServer {
    return { variable: variables.smtpUrl.name, ...toEffectiveMailServer(this.values.smtpUrl, this.storedMailServer) };
  }

  /** The password that is kept for the server of the page; null where there is none, or none that can be opened. */
  get storedMailPassword(): string | null {
    return this.storedMailServer?.password ?? null;
  }

  /** Postal address of who runs the installation. */
  get companyAddress(): string | null {
    return this.effectiveSetting('companyAddress').value;
  }

  /** Where people write about plans; null when nobody is named. */
  get contactEmail(): string | null {
    return this.effectiveSetting('contactEmail').value;
  }

  /**
   * True when visitors come over https; cookies are Secure then. As it was at the start: names of cookies and headers are
   * made of it, and half of them changing would sign everybody out.
   */
  get isSecure(): boolean {
    return this.isSecureAtStart;
  }

  /** Whether mails are shown in the browser: only while no server takes them and only this machine is addressed. */
  get showsMailbox(): boolean {
    return this.smtpUrl === null && isLocalHost(new URL(this.appUrl).hostname);
  }

  /** Whether mails go to a server over TLS or not at all; to one at this machine, or beside it, they may go as they are. */
  smtpTlsModeOf(url: string): Variables['smtpTls'] & string {
    const host = new URL(url.replace(/^smtps?:/, 'http:')).hostname;
    const isNear = isLocalHost(host) || DOTLESS_HOST.test(host);
    return this.values.smtpTls ?? (isNear ? 'optional' : 'required');
  }

  /** How mails are signed; null when they are not. */
  get dkim(): DkimConfig | null {
    const { dkimDomain: domain, dkimSelector: selector, dkimPrivateKey: privateKey } = this.values;
    return domain && selector && privateKey ? { domain, selector, privateKey } : null;
  }

  /** How people sign in by a provider of identities; null when they do not. */
  get singleSignOn(): SingleSignOnConfig | null {
    const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcName: name } = this.values;
    return issuer && clientId && clientSecret && name ? { issuer, clientId, clientSecret, name } : null;
  }

  /** Who runs the installation, as the footer says it; what is not set is null. */
  get company() {
    const of = (key: SettingKey) => this.effectiveSetting(key).value;
    const [name, director, type] = [of('companyName'), of('companyDirector'), of('companyType')];
    return { name, director, type, phone: of('companyPhone'), address: this.companyAddress };
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
      checkout: {
        promotionCodes: values.stripePromotionCodes === 'on',
        automaticTax: values.stripeAutomaticTax === 'on',
        taxIds: values.stripeTaxIds === 'on',
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

  /** For how many days what grows with use is kept; 0 is for ever. */
  get retention() {
    const { retentionWebhookBodies: webhookBodies, retentionIps: ips, retentionLinkUsages: linkUsages } = this.values;
    const { retentionCampaignEvents: campaignEvents, retentionActivity: activity } = this.values;
    return { webhookBodies, ips, linkUsages, campaignEvents, activity };
  }
}

/** A name as it stands before an address: quoted where it holds what has a meaning there (RFC 5322, 3.2.4). */
function toDisplayName(name: string): string {
  return /^[\p{L}\p{M}\p{N} _'-]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
}

/** A name without a dot, as containers of one network have: no mail server of the internet has such a one. */
const DOTLESS_HOST = /^[a-z0-9_-]+$/i;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host name, as `URL` gives it, can only mean this machine. */
function isLocalHost(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname);
}
