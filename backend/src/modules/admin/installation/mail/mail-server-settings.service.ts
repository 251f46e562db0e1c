import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../../platform/clock/clock.js';
import { AppConfig } from '../../../../platform/config/app-config.js';
import { isSameAccount, toSmtpUrl, encryptPassword, type MailServer } from '../../../../platform/config/mail-server.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import { RateLimitService, type RateRule } from '../../../../platform/http/limits/rate-limit.service.js';
import { fieldError } from '../../../../platform/http/parsing/validation.js';
import { InstallationSettingsService } from '../../../../platform/installation/installation-settings.service.js';
import { MailServerHealthService } from '../../../../platform/email/mail-server-health.service.js';
import { MailServerTest } from '../../../../platform/email/smtp-test/mail-server-test.js';
import type { Actor } from '../../actor.js';
import { adminErrors } from '../../admin.errors.js';
import type { SetMailServerDto, MailSettingDto, TryMailServerDto, MailServerTrialDto } from './mail-server.dto.js';
import { testEmail, mailServerTestMessages } from './mail-server-test-messages.js';

const TEST_LIMIT: RateRule = { name: 'test-mail', limit: 5, window: MINUTE };

/** The mail server settings, for super admins. */
@Injectable()
export class MailServerSettingsService {
  constructor(
    private readonly config: AppConfig,
    private readonly settings: InstallationSettingsService,
    private readonly mailServerTest: MailServerTest,
    private readonly mailHealth: MailServerHealthService,
    private readonly limits: RateLimitService,
  ) {}

  getSettings(): MailSettingDto {
    const { server, ...rest } = this.config.mailServer;
    return { ...rest, ...(server ?? { host: null, port: null, security: null, user: null }) };
  }

  /**
   * Sets the mail server; null removes it.
   * @throws SETTING_OVERRIDDEN, VALIDATION_FAILED if the password must be entered
   */
  async changeServer(dto: SetMailServerDto | null, actor: Actor): Promise<void> {
    this.assertNotOverridden();
    // Takes changes of other processes into account.
    await this.settings.refresh();
    const { server: previousServer } = this.config.mailServer;
    if (dto === null) {
      await this.settings.changeSettings({ mail: null, mailPassword: null }, actor);
      return this.mailHealth.reset();
    }
    const server = toMailServer(dto);
    const password = this.resolvePassword(dto, server);
    const isPasswordKept = dto.password === undefined && password !== null;
    const sealed = password === null ? null : encryptPassword(this.config.keys, server, password);
    await this.settings.changeSettings(
      { mail: toSmtpUrl(server), ...(!isPasswordKept && { mailPassword: sealed }) },
      actor,
    );
    if (!previousServer || toSmtpUrl(previousServer) !== toSmtpUrl(server)) await this.mailHealth.reset();
    await this.mailServerTest.recordIfInUse(toSmtpUrl(server, password));
  }

  /**
   * Sends a test email with the given settings, or with the current ones.
   * @throws VALIDATION_FAILED without a server or password to test; TOO_MANY_REQUESTS
   */
  async sendTestEmail(
    { to, server }: TryMailServerDto,
    language: Language,
    { actorId }: Actor,
  ): Promise<MailServerTrialDto> {
    const url = server ? this.toServerUrl(server) : this.getCurrentUrl();
    await this.limits.consume(TEST_LIMIT, actorId);
    const { subject, text } = testEmail[language];
    const email = { to, subject: subject(this.config.appName), text: text(this.config.appUrl) };
    const { stage, said } = await this.mailServerTest.run(url, email);
    return { ok: stage === null, stage, sentence: mailServerTestMessages[stage ?? 'taken'][language], said };
  }

  private getCurrentUrl(): string {
    const { smtpUrl, mailServer } = this.config;
    if (smtpUrl === null) throw fieldError('server.host', serverRequiredMessage);
    if (mailServer.password === 'lost') throw fieldError('server.password', passwordRequiredMessage);
    return smtpUrl;
  }

  private toServerUrl(dto: SetMailServerDto): string {
    this.assertNotOverridden();
    const server = toMailServer(dto);
    return toSmtpUrl(server, this.resolvePassword(dto, server, 'server.'));
  }

  /**
   * Returns the entered password, or the one stored for exactly this host and user, so that no other host receives it.
   */
  private resolvePassword({ password }: SetMailServerDto, server: MailServer, prefix = ''): string | null {
    if (server.user === null) return null;
    if (password !== undefined) return password;
    const { server: storedServer } = this.config.mailServer;
    const { storedMailPassword } = this.config;
    if (storedServer && storedMailPassword !== null && isSameAccount(storedServer, server)) return storedMailPassword;
    throw fieldError(`${prefix}password`, passwordRequiredMessage);
  }

  private assertNotOverridden(): void {
    const { source, variable } = this.config.mailServer;
    if (source === 'variable') throw adminErrors.SETTING_OVERRIDDEN({ variable });
  }
}

const toMailServer = ({ host, port, security, user }: SetMailServerDto): MailServer => ({ host, port, security, user });

const serverRequiredMessage = { en: 'Please enter the email server first', tr: 'Lütfen önce e-posta sunucusunu girin' };
const passwordRequiredMessage = {
  en: 'Please enter the password. No saved password matches this server and user',
  tr: 'Lütfen parolayı girin. Bu sunucu ve kullanıcı için kayıtlı bir parola yok',
};
