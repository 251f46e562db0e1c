import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { InstallationSettingsService } from '../../../platform/installation/installation-settings.service.js';
import { SetupProgressService, type SetupStep } from '../../../platform/installation/setup-progress.service.js';
import { remainingSteps } from '../../../platform/installation/setup-steps.js';
import { DefaultPlanService } from '../../plans/default/default-plan.service.js';
import type { Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import type { ChangeInstallationDto, InstallationDto } from './installation.dto.js';
import { MailServerSettingsService } from './mail/mail-server-settings.service.js';

/** The installation's settings, for super admins. */
@Injectable()
export class InstallationService {
  constructor(
    private readonly config: AppConfig,
    private readonly settings: InstallationSettingsService,
    private readonly mail: MailServerSettingsService,
    private readonly defaultPlan: DefaultPlanService,
    private readonly setupProgress: SetupProgressService,
  ) {}

  async getInstallation(): Promise<InstallationDto> {
    const { appUrl, isSecure } = this.config;
    const needsStart = appUrl.startsWith('https:') !== isSecure;
    const setupLeft = await this.listRemainingSetupSteps();
    return { settings: this.settings.listSettings(), needsStart, mail: this.mail.getSettings(), setupLeft };
  }

  /**
   * Changes all given settings or none.
   * @throws SETTING_OVERRIDDEN for a setting that an environment variable overrides, VALIDATION_FAILED
   */
  async changeSettings(changes: ChangeInstallationDto, actor: Actor): Promise<InstallationDto> {
    const overridden = this.settings
      .listSettings()
      .find(({ key, source }) => changes[key] !== undefined && source === 'variable');
    if (overridden) throw adminErrors.SETTING_OVERRIDDEN({ variable: overridden.variable! });
    // The startup check rejects this combination too.
    if (!this.config.isRateLimited && changes.address?.startsWith('https:'))
      throw fieldError('address', rateLimitOffMessage);
    await this.settings.changeSettings(changes, actor, (em) => this.defaultPlan.applyConfiguredPlan(em));
    if (changes.finishedStep) await this.setupProgress.completeStep(changes.finishedStep);
    return this.getInstallation();
  }

  private async listRemainingSetupSteps(): Promise<SetupStep[]> {
    const step = await this.setupProgress.currentStep();
    return step === null ? [] : remainingSteps(step, this.config);
  }
}

const rateLimitOffMessage = {
  en: "RATE_LIMIT=off is only for load tests and can't be used with an https address",
  tr: 'RATE_LIMIT=off yalnızca yük testleri içindir ve https adresiyle birlikte kullanılamaz',
};
