import type { AppConfig } from '../config/app-config.js';
import { setupSteps, type SetupStep } from './setup-progress.service.js';

/** Returns the steps from `step` on. Omits the email step when variables define both the mail server and the sender. */
export function remainingSteps(step: SetupStep, config: AppConfig): SetupStep[] {
  const isMailConfigured =
    config.mailServer.source === 'variable' && config.effectiveSetting('mailFrom').source === 'variable';
  return setupSteps
    .slice(setupSteps.indexOf(step))
    .filter((remainingStep) => remainingStep !== 'mail' || !isMailConfigured);
}
