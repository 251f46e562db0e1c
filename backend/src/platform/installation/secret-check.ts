import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { StartupError } from '../errors/startup-error.js';
import { InstallationRepository } from './installation.repository.js';

/** Why a process with a different secret doesn't start, and what to do. */
export const DIFFERENT_SECRET_MESSAGE =
  "APP_SECRET is not that of this installation. Links in emails and signed URLs of its other processes wouldn't work. " +
  "Use the same APP_SECRET for this process (without one, it's read from DATA_DIR/app-secret). " +
  'If the old secret is permanently lost, run npm run installation -- accept-secret';

/**
 * Aborts the start of a process with a different secret: the other processes would reject what it signs, and it would
 * reject what they signed.
 */
@Injectable()
export class SecretCheck implements OnModuleInit {
  constructor(
    private readonly config: AppConfig,
    private readonly installation: InstallationRepository,
  ) {}

  async onModuleInit(): Promise<void> {
    if (await this.installation.acceptSecret(secretFingerprints(this.config))) return;
    throw new StartupError(DIFFERENT_SECRET_MESSAGE);
  }
}

const FINGERPRINT_LENGTH = 32;

/**
 * Fingerprints that identify secrets without revealing anything about them; in the order of the configuration, newest
 * first.
 */
export function secretFingerprints({ keys }: Pick<AppConfig, 'keys'>): string[] {
  return keys
    .forPurpose('secret fingerprints')
    .digests('secret')
    .map((digest) => digest.slice(0, FINGERPRINT_LENGTH));
}
