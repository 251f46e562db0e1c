import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { fieldError } from '../../../platform/http/reading/validation.js';
import { InstallationSettings } from '../../../platform/installation/installation-settings.service.js';
import { SetupProgress, type SetupStep } from '../../../platform/installation/setup-progress.service.js';
import { stepsFrom } from '../../../platform/installation/setup-steps.js';
import { DefaultPlanService } from '../../plans/default/default-plan.service.js';
import type { Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import type { ChangeInstallationDto, InstallationDto } from './installation.dto.js';
import { MailSettings } from './mail/mail-settings.service.js';

/** What super admins see and set of the installation. */
@Injectable()
export class InstallationChanges {
  constructor(
    private readonly config: AppConfig,
    private readonly settings: InstallationSettings,
    private readonly mail: MailSettings,
    private readonly defaultPlan: DefaultPlanService,
    private readonly progress: SetupProgress,
  ) {}

  async show(): Promise<InstallationDto> {
    const { appUrl, secure } = this.config;
    const needsStart = appUrl.startsWith('https:') !== secure;
    const setupLeft = await this.setupLeft();
    return { settings: this.settings.all(), needsStart, mail: this.mail.show(), setupLeft };
  }

  /**
   * Sets all of it or nothing.
   * @throws SETTING_OVERRIDDEN for what a variable says, VALIDATION_FAILED
   */
  async change(changes: ChangeInstallationDto, by: Actor): Promise<InstallationDto> {
    const overridden = this.settings
      .all()
      .find(({ key, source }) => changes[key] !== undefined && source === 'variable');
    if (overridden) throw adminErrors.SETTING_OVERRIDDEN({ variable: overridden.variable! });
    // As at the start, which refuses the two together.
    if (!this.config.rateLimited && changes.address?.startsWith('https:')) throw fieldError('address', withoutLimits);
    await this.settings.change(changes, by, (em) => this.defaultPlan.settle(em));
    if (changes.finishedStep) await this.progress.finish(changes.finishedStep);
    return this.show();
  }

  private async setupLeft(): Promise<SetupStep[]> {
    const step = await this.progress.step();
    return step === null ? [] : stepsFrom(step, this.config);
  }
}

const withoutLimits = {
  en: "RATE_LIMIT=off is only for load tests and can't be used with an https address",
  tr: 'RATE_LIMIT=off yalnızca yük testleri içindir ve https adresiyle birlikte kullanılamaz',
};
