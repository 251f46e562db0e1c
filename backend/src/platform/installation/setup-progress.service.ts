import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { freezeList } from '../constants/freeze-list.js';
import { InstallationSettingRepository } from './installation-setting.repository.js';

/** Setup steps after the account is created, in order. */
export const setupSteps = freezeList(['purpose', 'mail']);
export type SetupStep = (typeof setupSteps)[number];

/** Key in the settings table. It isn't a setting, and is deleted when the setup is finished. */
const SETTING_KEY = 'setupStep';

const isSetupStep = (value: unknown): value is SetupStep => (setupSteps as readonly unknown[]).includes(value);

/** Stores how far the setup has progressed, so that it continues there after a reload. */
@Injectable()
export class SetupProgressService {
  constructor(private readonly settings: InstallationSettingRepository) {}

  /** Starts the steps after the account, in the transaction that creates it. */
  start(em: EntityManager, by: number): Promise<void> {
    return this.settings.upsertValue(em, SETTING_KEY, setupSteps[0], by);
  }

  /** Returns the current step; null when the setup is finished. */
  async currentStep(): Promise<SetupStep | null> {
    const value = await this.settings.findValue(SETTING_KEY);
    return isSetupStep(value) ? value : null;
  }

  /** Advances after a step was completed or skipped. Does nothing when another step is current, or none. */
  async completeStep(step: SetupStep): Promise<void> {
    const next = setupSteps[setupSteps.indexOf(step) + 1];
    if (next === undefined) await this.settings.deleteValue(SETTING_KEY, step);
    else await this.settings.updateValue(SETTING_KEY, step, next);
  }
}
