import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { formatDevice } from '../shared/user-agent-label.js';
import { KnownDeviceRepository } from '../devices/known-device.repository.js';
import { securityEventEmail } from './security-event.email.js';
import { ApiTokenRepository } from '../tokens/api-token.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { notifySecurityEvent, type SecurityEventNotification } from '../auth.jobs.js';

@Injectable()
export class SecurityEventMailer {
  constructor(
    private readonly users: UserRepository,
    private readonly devices: KnownDeviceRepository,
    private readonly apiTokens: ApiTokenRepository,
    private readonly config: AppConfig,
    private readonly email: EmailService,
  ) {}

  @OnJob(notifySecurityEvent)
  async notifySecurityEvent(notification: SecurityEventNotification, { id }: JobContext): Promise<void> {
    const { userId, event, tokenName = '', deviceId, left = 0, passkeyName = '' } = notification;
    const user = await this.users.findUser(userId);
    if (!user) return;
    const device = deviceId === undefined ? null : await this.devices.findDevice(deviceId, userId);
    await this.email.send(securityEventEmail, {
      to: user.email,
      language: user.language,
      values: {
        event,
        tokenName,
        network: await this.findNetwork(notification),
        left,
        passkeyName,
        provider: this.config.singleSignOn?.name ?? '',
        device: device && formatDevice(device, user.language),
        settingsUrl: `${this.config.appUrl}/settings`,
        resetUrl: `${this.config.appUrl}/forgot-password`,
      },
      idempotencyKey: `job-${id}`,
    });
  }

  /** Returns the network from which a token was used, or null if it is no longer stored. */
  private async findNetwork({ tokenId, usedAt }: SecurityEventNotification): Promise<string | null> {
    if (tokenId === undefined || usedAt === undefined) return null;
    return this.apiTokens.findNetwork(tokenId, new Date(usedAt));
  }
}
