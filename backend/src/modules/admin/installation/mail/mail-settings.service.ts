import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../../platform/clock/clock.js';
import { AppConfig } from '../../../../platform/config/app-config.js';
import { isSameAccount, mailAddress, sealPassword, type MailServer } from '../../../../platform/config/mail-server.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import { RateLimits, type RateRule } from '../../../../platform/http/limits/rate-limits.service.js';
import { fieldError } from '../../../../platform/http/reading/validation.js';
import { InstallationSettings } from '../../../../platform/installation/installation-settings.service.js';
import { MailHealth } from '../../../../platform/mail/mail-health.service.js';
import { MailTrial } from '../../../../platform/mail/trial/mail-trial.js';
import type { Actor } from '../../actor.js';
import { adminErrors } from '../../admin.errors.js';
import type { SetMailServerDto, MailSettingDto, TryMailServerDto, MailServerTrialDto } from './mail-server.dto.js';
import { testLetter, trialSentences } from './trial-sentences.js';

const TEST_LIMIT: RateRule = { name: 'test-mail', limit: 5, window: MINUTE };

/** The mail server, as super admins see, set and try it. */
@Injectable()
export class MailSettings {
  constructor(
    private readonly config: AppConfig,
    private readonly settings: InstallationSettings,
    private readonly trial: MailTrial,
    private readonly health: MailHealth,
    private readonly limits: RateLimits,
  ) {}

  show(): MailSettingDto {
    const { server, ...rest } = this.config.mailServer;
    return { ...rest, ...(server ?? { host: null, port: null, security: null, user: null }) };
  }

  /**
   * Sets the server, or puts it back to none by null.
   * @throws SETTING_OVERRIDDEN, VALIDATION_FAILED where the password has to be given
   */
  async change(dto: SetMailServerDto | null, by: Actor): Promise<void> {
    this.refuseOverridden();
    // What another process has set a moment ago is judged as well.
    await this.settings.refresh();
    const { server: before } = this.config.mailServer;
    if (dto === null) {
      await this.settings.change({ mail: null, mailPassword: null }, by);
      return this.health.startAnew();
    }
    const server = serverOf(dto);
    const password = this.passwordFor(dto, server);
    const isKept = dto.password === undefined && password !== null;
    const sealed = password === null ? null : sealPassword(this.config.keys, server, password);
    await this.settings.change({ mail: mailAddress(server), ...(!isKept && { mailPassword: sealed }) }, by);
    if (!before || mailAddress(before) !== mailAddress(server)) await this.health.startAnew();
    await this.trial.noteInUse(mailAddress(server, password));
  }

  /**
   * Sends one mail over what is given, or over what holds.
   * @throws VALIDATION_FAILED where there is no server or no password to try; TOO_MANY_REQUESTS
   */
  async test({ to, server }: TryMailServerDto, language: Language, { actorId }: Actor): Promise<MailServerTrialDto> {
    const url = server ? this.given(server) : this.inUse();
    await this.limits.spend(TEST_LIMIT, actorId);
    const { subject, text } = testLetter[language];
    const letter = { to, subject: subject(this.config.appName), text: text(this.config.appUrl) };
    const { stage, said } = await this.trial.run(url, letter);
    return { ok: stage === null, stage, sentence: trialSentences[stage ?? 'taken'][language], said };
  }

  private inUse(): string {
    const { smtpUrl, mailServer } = this.config;
    if (smtpUrl === null) throw fieldError('server.host', noServer);
    if (mailServer.password === 'lost') throw fieldError('server.password', enterAgain);
    return smtpUrl;
  }

  private given(dto: SetMailServerDto): string {
    this.refuseOverridden();
    const server = serverOf(dto);
    return mailAddress(server, this.passwordFor(dto, server, 'server.'));
  }

  /** The one that is given, or the one that is kept for this very host and user: no other host gets to see it. */
  private passwordFor({ password }: SetMailServerDto, server: MailServer, prefix = ''): string | null {
    if (server.user === null) return null;
    if (password !== undefined) return password;
    const { server: kept } = this.config.mailServer;
    const { setMailPassword } = this.config;
    if (kept && setMailPassword !== null && isSameAccount(kept, server)) return setMailPassword;
    throw fieldError(`${prefix}password`, enterAgain);
  }

  private refuseOverridden(): void {
    const { source, variable } = this.config.mailServer;
    if (source === 'variable') throw adminErrors.SETTING_OVERRIDDEN({ variable });
  }
}

const serverOf = ({ host, port, security, user }: SetMailServerDto): MailServer => ({ host, port, security, user });

const noServer = { en: 'Please enter the email server first', tr: 'Lütfen önce e-posta sunucusunu girin' };
const enterAgain = {
  en: 'Please enter the password. No saved password matches this server and user',
  tr: 'Lütfen parolayı girin. Bu sunucu ve kullanıcı için kayıtlı bir parola yok',
};
