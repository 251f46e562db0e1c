import type { AppConfig } from '../config/app-config.js';
import { setupSteps, type SetupStep } from './setup-progress.service.js';

/** What the setup asks from a step on: not for a mail server and a sender that variables say. */
export function remainingSteps(step: SetupStep, config: AppConfig): SetupStep[] {
  const isMailConfigured =
    config.mailServer.source === 'variable' && config.effectiveSetting('mailFrom').source === 'variable';
  return setupSteps.slice(setupSteps.indexOf(step)).filter((one) => one !== 'mail' || !isMailConfigured);
}
