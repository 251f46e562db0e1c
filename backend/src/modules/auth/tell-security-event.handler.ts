import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { securityEventMail } from './emails/security-event.email.js';
import { User } from './entities/user.entity.js';
import { tellSecurityEvent, type SecurityEvent } from './tell-security-event.job.js';

@Injectable()
@JobHandler(tellSecurityEvent)
export class TellSecurityEventHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly mail: MailService,
  ) {}

  async handle(
    { userId, event, tokenName = '' }: { userId: number; event: SecurityEvent; tokenName?: string },
    { id }: JobContext,
  ): Promise<void> {
    const user = await this.em.findOne(User, { id: userId, erasedAt: null });
    if (!user) return;
    await this.mail.send(securityEventMail, {
      to: user.email,
      language: user.language,
      values: {
        event,
        tokenName,
        settingsUrl: `${this.config.appUrl}/settings`,
        resetUrl: `${this.config.appUrl}/forgot-password`,
      },
      idempotencyKey: `job-${id}`,
    });
  }
}
